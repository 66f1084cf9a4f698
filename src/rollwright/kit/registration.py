"""Checks of a game when it is made: mistakes that would otherwise show up at a table.

Each error says where it is, what is wrong, and what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, get_args

from rollwright.engine.values import field_names
from rollwright.errors import BadGame, did_you_mean
from rollwright.kit.card import Card, Look, Price, RollCard, Starter, Tone
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.house_rules import Line
from rollwright.kit.requests import Request

if TYPE_CHECKING:
    from rollwright.kit.games import Game

GAME_API = 1
"""The version of what a game is written against: the keywords of `Game`, the card, the kit."""
NAME = re.compile(r"[A-Za-z][\w-]*")
BEST = "best"
SETS = ("dark", "light", "accent")
UNITS = ("chance", "amount")
MADE_OF = (
    ("goals", "worth", 'Goal("get across", lambda end: end.across)'),
    ("policies", "make", 'Policy.of("never row on", lambda now: "rest")'),
)
CARD_OF: tuple[tuple[str, type, str], ...] = (
    ("rolls", RollCard, 'RollCard(goal="across")'),
    ("prices", Price, 'Price("amount", "leaks")'),
    ("dice", Look, "Look(sides=8)"),
    ("starters", Starter, 'Starter("An otter", {"oars": 4})'),
)
LONGEST_NAME = 60
LONGEST_TEXT = 2_000
"""Characters of a title, a summary or a help text, which lists of games and of fields show."""


def check_api(name: object, api: object) -> None:
    """Refuse a game that was written for another Rollwright, before anything else of it."""
    if type(api) is not int:
        raise BadGame(name, "api", f"{api!r} is no version", f"api={GAME_API}")
    if api != GAME_API:
        said = f"it was written for game API {api}; this rollwright speaks {GAME_API}"
        older = "rollwright" if api > GAME_API else "the game"
        raise BadGame(name, "api", f"{said}: update {older}")


def check_requests(name: str, requests: Collection[type[Request]]) -> None:
    """Refuse a game whose kinds of roll have the same name, before they are registered."""
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        would_do = "letters, digits and _, such as name='night_ferry'"
        raise BadGame(name[:LONGEST_NAME], "name", f"{name!r:.60} is no name", would_do)
    if not requests:
        raise BadGame(name, "requests", "there is no kind of roll", "requests={Cross: cross}")
    known: dict[str, type] = {}
    for kind in requests:
        if not _is_a(Request, kind):
            would_do = 'class Cross(Request, roll="cross", outcome=Crossing)'
            raise BadGame(name, "requests", f"{kind!r} is no kind of request", would_do)
        for part, example in (("roll", '"cross"'), ("outcome", "Crossing")):
            if not getattr(kind, part, None):
                would_do = f"class {kind.__name__}(Request, {part}={example}, …)"
                raise BadGame(name, kind.__name__, f"it has no {part}", would_do)
        if kind.roll in known:
            said = f"{known[kind.roll].__name__} is called {kind.roll!r} too"
            raise BadGame(name, kind.__name__, said, "a name for each kind of roll")
        known[kind.roll] = kind


def check_rulebook(name: str, given: object) -> None:
    """Refuse a rulebook that is no lines by their numbers, or of a game without a name."""
    if not name:
        raise BadGame(name, "rulebook", "it is of a game without a name", "name='night_ferry'")
    lines = list(given.values()) if isinstance(given, Mapping) else [given]
    if odd := [line for line in lines if not isinstance(line, Line)]:
        came, would_do = f"{type(odd[0]).__name__} came", 'rulebook_of("R1 Throw a die.")'
        raise BadGame(name, "rulebook", came, would_do)


def check_own(name: str, maker: str, requests: Iterable[type[Request]], card: object) -> None:
    """Refuse kinds of roll and a card that a game of another maker has: it would lose them.

    A game that goes by another's rules makes kinds of its own of them.
    """
    for kind in requests:
        if vars(kind).get("_maker", maker) != maker:
            what, would_do = kind.__name__, f"class Mine({kind.__name__}, roll=…, …)"
            raise BadGame(name, what, f"it belongs to the game {kind.game} already", would_do)
    if card is not None and not isinstance(card, Card):
        raise BadGame(name, "card", f"{card!r} is no card", "card=MyCard()")
    other = vars(card).get("game") if card is not None else None
    if other is not None and other.maker != maker:
        would_do = f"card={type(card).__name__}()"
        raise BadGame(name, "card", f"it belongs to the game {other.name} already", would_do)


def _check_texts(game: Game) -> None:
    """Refuse texts for lists of games that cannot be written down, or are too long."""
    said: dict[str, object] = {"title": game.title, "summary": game.summary, "prefix": game.prefix}
    said["sheet_version"] = game.sheet_version
    for kind in game.requests.values():
        place = kind.__name__
        about = {"roll": kind.roll, "title": kind.title, "version": kind.version}
        said |= {f"{place}.{part}": text for part, text in about.items()}
    for part, known in (("goals", game.goals), ("policies", game.policies)):
        for name, one in known.items():
            said |= {
                f"{part}: the name": name,
                f"{part}[{name!r:.40}].title": getattr(one, "title", ""),
            }
    for place, text in said.items():
        _check_text(game.name, place, text)


def _check_text(game: str, place: str, text: object) -> None:
    if not isinstance(text, str):
        raise BadGame(game, place, f"{type(text).__name__} is no text", '"a text"')
    if len(text) > LONGEST_TEXT:
        problem = f"{len(text):,} characters are too many"
        raise BadGame(game, place, problem, f"at most {LONGEST_TEXT:,}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadGame(game, place, "it holds half a character", "whole ones") from None


def _is_a(kind: type, given: object) -> bool:
    """Whether it is a class of that kind, whatever somebody has written there."""
    return isinstance(given, type) and issubclass(given, kind)


def check_game(game: Game) -> None:
    """Refuse a game that names what is not there, or has fields that nothing can check."""
    for kind in game.requests.values():
        if kind.rule is None and kind.call is Request.call:
            would_do = f"requests={{{kind.__name__}: rule}}"
            raise BadGame(game.name, kind.__name__, "nothing says which rule it is", would_do)
    _check_texts(game)
    _check_values(game)
    _check_defaults(game)
    _check_parts(game)
    for roll, card in _cards(game):
        _check_roll(game, roll, card)
    _check_outcomes(game)
    _check_looks(game)


def _check_values(game: Game) -> None:
    """House rules and sheets are values that can be made of nothing; a sheet has a name."""
    for part, kind in (("house", game.house), ("sheet", game.sheet)):
        if kind is None:
            continue
        if not _is_a(Value, kind):
            raise BadGame(game.name, part, f"{kind!r} is no Value", f"class {part.title()}(Value)")
        for name, about in fields_of(kind).items():
            if about.is_required:
                would_do = f"a default: {name} = preset(…, {about.help!r})"
                raise BadGame(game.name, f"{kind.__name__}.{name}", "it must be given", would_do)
    if game.sheet is not None and "name" not in fields_of(game.sheet):
        would_do = 'name: str = preset("", "who it is", most=40)'
        raise BadGame(game.name, game.sheet.__name__, "a sheet has a name", would_do)
    if game.sheet is None:
        for part in ("apply", "from_sheet"):
            if getattr(game, part) is not None:
                raise BadGame(game.name, part, "there is no sheet to go with it", "sheet=Sheet")
    seen: set[type] = set()
    for kind in (*game.requests.values(), game.house, game.sheet):
        if kind is not None:
            _check_fields(game.name, kind, seen)


def _check_fields(game: str, kind: type, seen: set[type]) -> None:
    """Refuse a field of a value, or of a value within it, that nothing could ever be put into."""
    if kind in seen:
        return
    seen.add(kind)
    for name, about in fields_of(kind).items():
        for text in (about.help, about.title):
            _check_text(game, f"{kind.__name__}.{name}", text)
        for part in _parts(about):
            place = f"{kind.__name__}.{name}"
            if part.kind == "any" and not part.inner:
                would_do = (
                    "int, bool, str, Fraction, Literal of words, an Enum, a Value, "
                    "a tuple[…, ...] of these, or Annotated[…, Kind(…)]"
                )
                raise BadGame(game, place, "nothing can check a field of this type", would_do)
            choices: tuple[object, ...] = part.choices
            if odd := [choice for choice in choices if not isinstance(choice, str)]:
                raise BadGame(game, place, _odd_choice(odd), _instead(odd))
            if part.kind == "value":
                _check_fields(game, part.inner, seen)


def _odd_choice(odd: Sequence[object]) -> str:
    return f"choices are words, and {odd[0]!r} is none"


def _instead(odd: Sequence[object]) -> str:
    """Return the type to write instead of choices that are no words."""
    words = ", ".join(f'"{one}"' for one in odd)
    numbers = [one for one in odd if type(one) is int]
    if len(numbers) < len(odd):
        return f"Literal[{words}]"
    return f"int with low={min(numbers)}, high={max(numbers)}, or Literal[{words}]"


def _parts(about: Field) -> Iterator[Field]:
    """A field, and those of which a list, a map or a union consists."""
    inner: object = about.inner
    if about.kind in ("list", "map") and isinstance(inner, Field):
        for part in about.more.get("parts") or (inner,):
            yield from _parts(part)
    elif about.kind == "any" and about.inner:
        for part in about.inner:
            yield from _parts(part)
    else:
        yield about


def _check_defaults(game: Game) -> None:
    for part, has, would_do in MADE_OF:
        for name, held in getattr(game, part).items():
            if not hasattr(held, has):
                place = f"{part}[{name!r}]"
                raise BadGame(game.name, place, f"{type(held).__name__} came", would_do)
    for name, goal in game.goals.items():
        _check_row(game, f"goals[{name!r}].rolls", goal.rolls)
    if game.default_goal and game.default_goal not in game.goals:
        raise _unknown(game, "default_goal", "goal", game.default_goal, game.goals)
    _check_policy(game, "default_policy", game.default_policy)


def _check_parts(game: Game) -> None:
    """The data of a card is of the types that its parts have."""
    for part, kind, would_do in CARD_OF:
        held = getattr(game.card, part)
        row = enumerate(held) if isinstance(held, tuple | list) else ()
        for name, one in held.items() if isinstance(held, Mapping) else row:
            if not isinstance(one, kind):
                place = f"card.{part}[{name!r}]"
                raise BadGame(game.name, place, f"{type(one).__name__} came", would_do)


def _check_policy(game: Game, place: str, name: str) -> None:
    word, _, argument = name.partition(":")
    if word == BEST:
        if argument and "=" not in argument and argument not in game.goals:
            raise _unknown(game, place, "goal", argument, game.goals)
    elif name and word not in game.policies:
        raise _unknown(game, place, "policy", name, [*game.policies, BEST])


def _cards(game: Game) -> Iterator[tuple[str, RollCard]]:
    for roll, card in game.card.rolls.items():
        if roll not in game.requests:
            raise _unknown(game, "card.rolls", "roll", roll, game.requests)
        yield roll, card


def _check_roll(game: Game, roll: str, card: RollCard) -> None:
    """All that the card of a kind of roll names is there."""
    place = f"card.rolls[{roll!r}]"
    for part in ("policies", "drawn", "more", "asked", "needed", "untrained", "roles"):
        _check_row(game, f"{place}.{part}", getattr(card, part))
    goals, outcome = game.goals_for(roll), field_names(game.requests[roll].outcome)
    if card.goal and "=" not in card.goal and card.goal not in goals:
        raise _unknown(game, f"{place}.goal", "goal", card.goal, goals)
    for name in (card.policy, *card.policies):
        _check_policy(game, f"{place}.policies", name)
    for name in card.drawn:
        if outcome is not None and name not in outcome:
            raise _unknown(game, f"{place}.drawn", "outcome field", name, outcome)
    known = fields_of(game.requests[roll])
    said = (
        *card.asked,
        *card.ask_sets,
        *card.untrained,
        *(name for row in card.needed for name in row),
    )
    for name in (*(card.more or ()), *said, card.explore.along, *card.explore.map):
        if name and name.partition(".")[0] not in known:
            raise _unknown(game, place, "field", name, known)


def _check_outcomes(game: Game) -> None:
    """Prices and tones are of fields that some outcome has."""
    kinds = [kind.outcome for kind in game.requests.values()]
    known = {name for kind in kinds for name in field_names(kind) or ()}
    for part, names in (("prices", game.card.prices), ("outcomes", game.card.outcomes)):
        for name in names if known else ():
            if name not in known:
                raise _unknown(game, f"card.{part}", "outcome field", name, known)
    tones = {
        f"card.outcomes[{name!r}]": tone
        for name, held in game.card.outcomes.items()
        for tone in held.values()
    }
    for place, tone in tones.items():
        if tone not in get_args(Tone):
            raise _unknown(game, place, "tone", tone, get_args(Tone))


def _check_looks(game: Game) -> None:
    """Dice are of a set that the page has, and prices in a unit that can be said."""
    for name, look in game.card.dice.items():
        if look.set and look.set not in SETS:
            raise _unknown(game, f"card.dice[{name!r}].set", "set of dice", look.set, SETS)
    for name, price in game.card.prices.items():
        if price.unit not in UNITS:
            raise _unknown(game, f"card.prices[{name!r}]", "unit", price.unit, UNITS)


def _check_row(game: Game, place: str, held: object) -> None:
    """A text where a row of them is meant would be read letter by letter."""
    if isinstance(held, str):
        raise BadGame(game.name, place, f"{held!r} is no row of names", f"({held!r},)")


def _unknown(
    game: Game, place: str, kind: str, name: str, known: Collection[str] | Mapping[str, object]
) -> BadGame:
    listed = sorted(known)
    guess = did_you_mean(name, listed) or "; there are none"
    return BadGame(game.name, place, f"there is no {kind} {name!r}{guess}")
