"""Games as data: everything that a form, a sheet or another program needs to know about one."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwright.ask.outcomes import COSTS
from rollwright.ask.questions import arguments_of
from rollwright.exact.fields import field_names
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.games import Game, find_game, list_games
from rollwright.kit.questions import Question
from rollwright.kit.requests import Request, to_plain
from rollwright.pictures.rows import value_said

if TYPE_CHECKING:
    from rollwright.ask.kinds import Describe
    from rollwright.budget import Budget

DEEPEST = 6


def describe(question: Describe, budget: Budget) -> dict[str, Any]:
    """All games in short, or one with everything."""
    if question.game is not None:
        return game_plain(find_game(question.game))
    return {"games": [_summary(find_game(name)) for name in list_games()]}


def _summary(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "rolls": [
            {"roll": roll, "title": kind.title, "version": kind.version}
            for roll, kind in game.requests.items()
        ],
    }


def game_plain(game: Game) -> dict[str, Any]:
    """Everything about a game."""
    return {
        **_summary(game),
        "default_roll": game.default_roll,
        "rolls": {roll: _roll(game, kind) for roll, kind in game.requests.items()},
        "policies": _policies(game),
        "default_policy": game.default_policy,
        "goals": {
            name: {"title": goal.title, "rolls": list(goal.rolls)}
            for name, goal in game.goals.items()
        },
        "default_goal": game.default_goal,
        "house": _house(game),
        "sheet": _sheet(game),
        "icons": {str(face): icon for face, icon in game.icons.items()},
        "rulebook": [
            {"line": f"{game.prefix} {name}", "text": line.text, "guidance": line.guidance}
            for name, line in game.rulebook.items()
        ],
        "questions": {name: _question(asked) for name, asked in game.questions.items()},
    }


def _question(question: Question) -> dict[str, Any]:
    """One of the game's own questions, and what it wants to know; requests are described above."""
    arguments = fields_of(arguments_of(question)).values()
    return {
        "title": question.title,
        "arguments": [field_plain(about, depth=0) for about in arguments],
    }


def _roll(game: Game, kind: type[Request]) -> dict[str, Any]:
    goals = [name for name, goal in game.goals.items() if not goal.rolls or kind.roll in goal.rolls]
    outcome = field_names(kind.outcome)
    return {
        "roll": kind.roll,
        "title": kind.title,
        "version": kind.version,
        "help": _first_line(kind),
        "fields": [
            field_plain(about) for name, about in fields_of(kind).items() if name != "house"
        ],
        "outcome": [
            {"name": name, "title": name.replace("_", " "), "cost": COSTS.get(name)}
            for name in outcome
        ],
        "goals": goals,
    }


def _policies(game: Game) -> dict[str, Any]:
    known = {
        name: {"title": policy.title, "argument": policy.argument}
        for name, policy in game.policies.items()
    }
    best = {"title": "play best for a goal", "argument": "GOAL"}
    return {**known, "best": best}


def _house(game: Game) -> dict[str, Any]:
    return {"fields": [_switch(about) for about in fields_of(game.house).values()]}


def _switch(about: Field) -> dict[str, Any]:
    """A house rule with what each of its settings means."""
    readings = about.more.get("readings") or {}
    shows = about.more.get("shows")
    return {
        **field_plain(about),
        "code": about.more.get("code", ""),
        "readings": [
            {"value": plain_value(setting), "said": value_said(setting), "text": text}
            for setting, text in readings.items()
        ],
        "measured_by": "" if shows is None else shows.question,
    }


def _sheet(game: Game) -> dict[str, Any] | None:
    if game.sheet is None:
        return None
    return {
        "help": _first_line(game.sheet),
        "fields": [field_plain(about) for about in fields_of(game.sheet).values()],
    }


def field_plain(about: Field, depth: int = DEEPEST) -> dict[str, Any]:
    """A field as a form needs it: what it is called, what it holds, what it may be.

    What there is nothing to say of is left out; its JSON Schema is in the OpenAPI document.
    """
    known: dict[str, Any] = {
        "name": about.name,
        "title": about.title,
        "help": about.help,
        "kind": about.kind,
        "optional": about.optional,
        "required": about.is_required,
        "rule": about.rule,
        "low": about.low,
        "high": about.high,
        "most": about.most,
        "choices": list(about.choices),
        "would_do": about.would_do,
    }
    plain = {name: held for name, held in known.items() if held not in (None, "", [], False)}
    if not about.is_required:
        plain["default"] = plain_value(about.default)
    if depth:
        plain |= _inner(about, depth - 1)
    return plain


def _fields(kind: type, depth: int = DEEPEST) -> list[dict[str, Any]]:
    """All fields but the house rules, which a game has once for all its rolls."""
    known = fields_of(kind).items()
    return [field_plain(about, depth) for name, about in known if name != "house"]


def _inner(about: Field, depth: int) -> dict[str, Any]:
    """What the parts of a list, the fields of a value or the alternatives of a field are."""
    if about.kind == "list":
        return {"items": field_plain(about.inner, depth)}
    if about.kind == "value":
        return {"fields": _fields(about.inner, depth)}
    if about.kind == "any" and about.inner:
        return {"any_of": [field_plain(part, depth) for part in about.inner]}
    return {}


def plain_value(held: Any) -> Any:
    """A default as JSON data."""
    if isinstance(held, tuple):
        return [plain_value(part) for part in held]
    if isinstance(held, Fraction):
        return str(held)
    if isinstance(held, Value):
        return to_plain(held)
    return held


def _first_line(kind: type) -> str:
    return str(kind.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
