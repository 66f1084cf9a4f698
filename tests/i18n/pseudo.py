"""What escapes translation: words that the pseudo-language leaves without an accent."""

import re

from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, own_games

WORD = re.compile(r"[^\W\d_]+")
CODE = re.compile(
    r"`[^`]*`|--?[a-z][\w-]*(?:[= ][\w.,:]+)?|\$\(.*?\)|~/\S+|\"[^\"]*\"|'[^']*'"
    r"|@\w+|\d*[dDW]\d+\w*|\brollwright(?: [a-z]\w*)+"
)
"""What is typed as it stands: options with their values, commands, quoted words, dice."""


def leftovers(text, *allowed):
    """The words of a text that nothing translated and that are no code, name or dice."""
    known = {word.lower() for one in allowed for word in WORD.findall(one)}
    words = WORD.findall(CODE.sub(" ", text))
    plain = [word for word in words if word.isascii() and re.search("[aeiou]", word.lower())]
    return sorted({word for word in plain if word.lower() not in known})


def codes():
    """Everything that programs and command lines call by a name, of every game."""
    yield from ("rollwright", "JSON", "CSV", "UTC", "true", "false", "null", "it")
    for name in own_games():
        game = find_game(name)
        yield from (name, game.title, game.prefix, *game.requests, *game.policies, *game.goals)
        yield from game.questions
        yield from (argument for q in game.questions.values() for argument in q.arguments)
        for kind in (*game.requests.values(), game.house, *([game.sheet] if game.sheet else [])):
            yield from of_fields(kind)
        for kind in game.requests.values():
            yield from getattr(kind.outcome, "_fields", ())
        yield from (policy.argument for policy in game.policies.values())


def of_fields(kind, deep=3):
    """The names of fields and of what may be chosen in them."""
    for name, about in fields_of(kind).items():
        yield name
        yield from map(str, about.choices)
        yield from map(str, about.more.get("readings") or ())
        yield from map(str, about.more.get("in_order") or ())
        if isinstance(about.default, str):
            yield about.default
        inner = about.inner.inner if about.kind == "list" else about.inner
        if deep and hasattr(inner, "__dataclass_fields__"):
            yield from of_fields(inner, deep - 1)
