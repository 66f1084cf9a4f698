"""Games as data: everything that a form, a sheet or another program needs to know about one."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import json

from rollwright.errors import UnknownName
from rollwright.exact.fields import field_names
from rollwright.kit.fields import Field, fields_of
from rollwright.kit.games import Game, find_game, list_games
from rollwright.kit.requests import to_plain
from rollwright.pictures.rows import value_said
from rollwright.server.asking_words import COSTS

DEEPEST = 6


@lru_cache(64)
def written_game(name: str) -> tuple[bytes, str]:
    """A game as JSON, and its tag: it changes only when the game does."""
    if name not in _names():
        raise UnknownName("game", name[:60], _names())
    return _tagged(game_plain(find_game(name)))


@lru_cache(1)
def _names() -> tuple[str, ...]:
    return list_games()


@lru_cache(1)
def written_games() -> tuple[bytes, str]:
    """The list of games as JSON, and its tag."""
    return _tagged({"games": [_summary(find_game(name)) for name in list_games()]})


def _tagged(plain: Any) -> tuple[bytes, str]:
    body = json.encode(plain)
    return body, f'"{sha256(body).hexdigest()[:32]}"'


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
        "questions": list(game.questions),
    }


def _roll(game: Game, kind: Any) -> dict[str, Any]:
    goals = [name for name, goal in game.goals.items() if not goal.rolls or kind.roll in goal.rolls]
    outcome = field_names(kind.outcome)
    return {
        "roll": kind.roll,
        "title": kind.title,
        "version": kind.version,
        "help": _first_line(kind),
        "fields": [described(about) for name, about in fields_of(kind).items() if name != "house"],
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
        **described(about),
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
        "fields": [described(about) for about in fields_of(game.sheet).values()],
    }


def described(about: Field, depth: int = DEEPEST) -> dict[str, Any]:
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


def _inner(about: Field, depth: int) -> dict[str, Any]:
    """What the parts of a list, the fields of a value or the alternatives of a field are."""
    if about.kind == "list":
        return {"items": described(about.inner, depth)}
    if about.kind == "value":
        parts = fields_of(about.inner).items()
        return {"fields": [described(part, depth) for name, part in parts if name != "house"]}
    if about.kind == "any" and about.inner:
        return {"any_of": [described(part, depth) for part in about.inner]}
    return {}


def plain_value(held: Any) -> Any:
    """A default as JSON data."""
    if isinstance(held, tuple):
        return [plain_value(part) for part in held]
    if isinstance(held, Fraction):
        return str(held)
    if hasattr(held, "__dataclass_fields__"):
        return to_plain(held)
    return held


def _first_line(kind: Any) -> str:
    return str(kind.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
