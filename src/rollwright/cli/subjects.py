"""What a command is asked about: an expression, a game's request, or a saved roll."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import click

from rollwright.cli.asking import KIND, PLAIN, is_word
from rollwright.cli.files import looks_like_file, read_json

ASK = "say what: dice such as 4d6kh3, a game such as twilight2000, or a saved roll"


class Subject(NamedTuple):
    """Something to roll, count or advise on, with a title for people."""

    what: Any
    title: str
    request: Any = None

    @property
    def game(self) -> Any:
        """The game of the request, if there is one."""
        if self.request is None:
            return None
        from rollwright.kit.games import find_game

        return find_game(self.request.game)

    def but(self, **fields: Any) -> Subject:
        """The same request with some fields changed."""
        return of_request(self.request.but(**fields))


def subject_of(ctx: click.Context, more: Mapping[str, Any] | None = None) -> Subject:
    """What the words and options of a command line ask about, with more fields for a request."""
    words: Sequence[str] = ctx.params.get("what") or ()
    if PLAIN in ctx.meta:
        if words:
            raise click.UsageError(f"--from says what is asked; {words[0]!r} is one word too many")
        return from_plain(ctx.meta[PLAIN], ctx, more)
    if not words:
        raise click.UsageError(ASK)
    if looks_like_file(words[0]) and len(words) == 1:
        return from_plain(read_json(words[0]), ctx, more)
    if ctx.meta.get(KIND) is not None or (is_word(words[0]) and is_game(words[0])):
        return _named(words, ctx, more)
    _refuse_house(ctx, "dice have no house rules")
    return of_expression(" ".join(words))


def is_game(name: str) -> bool:
    """Whether there is a game of that name; a word that is no dice at all must name one."""
    from rollwright.errors import UnknownName
    from rollwright.kit.games import find_game

    try:
        find_game(name)
    except UnknownName as problem:
        if not any(sign.isdigit() for sign in name):
            raise click.UsageError(str(problem)) from None
        return False
    return True


def of_expression(text: str) -> Subject:
    """Dice, as they are written."""
    return Subject(text, text)


def of_request(request: Any) -> Subject:
    """A roll of a game."""
    return Subject(request, titled(request), request)


def titled(request: Any, without: Collection[str] = ()) -> str:
    """The game, the roll and the fields that were given, without some of them."""
    from rollwright.kit.games import find_game
    from rollwright.kit.requests import to_plain

    plain = to_plain(request)
    given = {**plain, **plain.get("house", {})}
    fields = [
        f"{name.replace('_', ' ')} {_short(value)}"
        for name, value in given.items()
        if name not in ("game", "roll", "house", *without)
    ]
    heading = f"{find_game(request.game).title}, {request.title}"
    return f"{heading}: {', '.join(fields)}" if fields else heading


def _short(value: Any) -> str:
    if isinstance(value, list):
        simple = [str(part) for part in value if not isinstance(part, (dict, list))]
        return ",".join(simple) if len(simple) == len(value) else f"({len(value)})"
    if isinstance(value, dict):
        return "(" + ", ".join(f"{k} {_short(v)}" for k, v in value.items()) + ")"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def from_plain(plain: Any, ctx: click.Context, more: Mapping[str, Any] | None = None) -> Subject:
    """A stored request or roll; options given beside a request win over it."""
    from rollwright.kit.requests import from_plain as request_from_plain

    if isinstance(plain, Mapping) and "answers" in plain:
        _refuse_house(ctx, "a saved roll has its own already")
        return of_transcript(plain)
    if isinstance(plain, Mapping) and "expression" in plain and "game" not in plain:
        _refuse_house(ctx, "dice have no house rules")
        return of_expression(str(plain["expression"]))
    if not isinstance(plain, Mapping):
        raise click.UsageError('a request such as {"game": …, "roll": …} or a saved roll would do')
    return of_request(request_from_plain(together(plain, _given(ctx), more or {})))


def together(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """Fields from several sides, the later ones winning; house rules one by one."""
    fields = {name: value for part in parts for name, value in part.items()}
    houses = [part["house"] for part in parts if isinstance(part.get("house"), Mapping)]
    house = {name: value for one in houses for name, value in one.items()}
    return {**fields, **({"house": house} if house else {})}


def of_transcript(plain: Any) -> Subject:
    """A saved roll, replayed and checked."""
    from rollwright.engine.transcript import Transcript

    transcript = Transcript.from_plain(plain)
    if transcript.request is not None:
        return of_request(transcript.request)._replace(what=transcript)
    return Subject(transcript, _call_said(transcript.call))


def _call_said(call: Any) -> str:
    texts = [arg for arg in call.args if isinstance(arg, str)]
    return texts[0] if texts else repr(call)


def _named(words: Sequence[str], ctx: click.Context, more: Mapping[str, Any] | None) -> Subject:
    from rollwright.kit.games import find_game

    game = find_game(words[0])
    if len(words) > 2:
        raise click.UsageError(f"{words[2]!r} is one word too many after {' '.join(words[:2])!r}")
    roll = words[1].replace("-", "_") if len(words) == 2 else game.default_roll
    return of_request(game.request(roll, **together(_given(ctx), more or {})))


def _given(ctx: click.Context) -> dict[str, Any]:
    """The fields and house rules that the options give."""
    kind = ctx.meta.get(KIND)
    if kind is None:
        return {}
    from rollwright.cli.fields import given_fields
    from rollwright.cli.values import setting
    from rollwright.kit.fields import fields_of

    fields = given_fields(kind, ctx.params)
    house = {}
    for text in ctx.params.get("house") or ():
        name, sign, value = text.partition("=")
        if not sign:
            raise click.UsageError(f"--house {text!r}: name=value would do")
        known, choice = setting(fields_of(kind)["house"].inner, name.strip(), value.strip())
        if known in house:
            raise click.UsageError(f"--house {text!r}: {known!r} is given twice")
        house[known] = choice
    return {**fields, "house": house} if house else fields


def _refuse_house(ctx: click.Context, reason: str) -> None:
    if ctx.params.get("house"):
        raise click.UsageError(f"--house is for games; {reason}")


def variables_for(subject: Subject, params: Mapping[str, Any]) -> dict[str, Any]:
    """What `--set` gives to the names of an expression; nothing else has names."""
    settings = params.get("variables") or ()
    if not settings:
        return {}
    if not isinstance(subject.what, str):
        raise click.UsageError("--set is for the names of dice, such as 1d20+@str")
    from rollwright.cli.varying import set_variables

    return set_variables(subject.what, settings)


def policy_name(params: Mapping[str, Any]) -> str | None:
    """The policy that the options name: `--policy best --goal kill` is `best:kill`."""
    policy, goal = params.get("policy"), params.get("goal")
    if goal and policy in (None, "best"):
        return f"best:{goal}"
    return policy
