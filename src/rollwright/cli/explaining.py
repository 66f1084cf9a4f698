"""A game explained: its rolls and their fields, policies, goals, house rules and questions."""

from __future__ import annotations

from typing import Any

from rollwright.cli.fields import NO_OPTION, option_name
from rollwright.cli.paper import Paper, wrapped
from rollwright.cli.values import default_said, would_do
from rollwright.exact.fields import field_names
from rollwright.kit.fields import Field, fields_of
from rollwright.kit.games import find_game
from rollwright.pictures.rows import value_said


def names_of(kind: Any, what: str) -> list[str]:
    """The names of policies, goals or house rules that go with a request."""
    game = find_game(kind.game)
    if what == "policy":
        return [*game.policies, "best"]
    if what == "goal":
        return [
            name for name, goal in game.goals.items() if not goal.rolls or kind.roll in goal.rolls
        ]
    return [f"{name}=" for name in fields_of(game.house)]


def game_said(game: Any, page: Paper) -> str:
    """Everything a game offers, in words."""
    lines = [page.bold(game.title), wrapped(game.summary, page.width), "", page.bold("Rolls")]
    for roll, kind in game.requests.items():
        lines += _entry(roll, first_line(kind), page)
    note = f"rollwright games {game.name} ROLL lists the options of a roll."
    lines.append("  " + wrapped(note, page.width - 2, "  "))
    for title, entries in _parts(game):
        if entries:
            lines += ["", page.bold(title)]
            for name, text in entries:
                lines += _entry(name, text, page)
    return "\n".join(lines)


def _parts(game: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        ("Policies (--policy)", _policies(game)),
        ("Goals (--goal)", [(name, _goal(game, name)) for name in game.goals]),
        ("House rules (--house)", [_house(about) for about in fields_of(game.house).values()]),
        (
            "Questions (in the library)",
            [(name, asked.title) for name, asked in game.questions.items()],
        ),
    ]


def _policies(game: Any) -> list[tuple[str, str]]:
    found = []
    for name, policy in game.policies.items():
        usual = " (default)" if name == game.default_policy else ""
        found.append(
            (f"{name}:{policy.argument}" if policy.argument else name, policy.title + usual)
        )
    return [*found, ("best:GOAL", "play best for a goal; best alone is for the default goal")]


def _goal(game: Any, name: str) -> str:
    goal = game.goals[name]
    rolls = f" ({', '.join(goal.rolls)})" if goal.rolls else ""
    return str(goal.title) + rolls + (" (default)" if name == game.default_goal else "")


def _house(about: Field) -> tuple[str, str]:
    readings = about.more.get("readings") or {}
    listed = "; ".join(f"{value_said(v)}: {text}" for v, text in readings.items())
    usual = f"default {value_said(about.default)}"
    return about.name, f"{about.help} ({usual}). {listed}".rstrip(". ") + "."


def roll_said(kind: Any, page: Paper) -> str:
    """One kind of roll: its options, and the fields of its outcome."""
    lines = [
        page.bold(wrapped(f"{kind.title} ({kind.game} {kind.roll})", page.width)),
        wrapped(first_line(kind), page.width),
    ]
    lines += ["", page.bold("Options")]
    for name, about in fields_of(kind).items():
        if name not in NO_OPTION:
            lines += _entry(option_name(name, kind.roll), _field(about), page)
    lines += ["", page.bold("Outcome (--of, --where)")]
    lines.append("  " + wrapped(", ".join(field_names(kind.outcome)), page.width - 2, "  "))
    lines += ["", page.bold("Goals (--goal)")]
    lines.append("  " + wrapped(", ".join(names_of(kind, "goal")), page.width - 2, "  "))
    return "\n".join(lines)


def _field(about: Field) -> str:
    notes = [would_do(about), default_said(about), about.rule]
    said = "; ".join(note for note in notes if note)
    return f"{about.help} ({said})" if said else about.help


def _entry(name: str, text: str, page: Paper) -> list[str]:
    """A name and its text beside it, or below it where there is little room."""
    column = 24 if page.width >= 60 else 4
    body = _hung(text, page, column) if text else []
    start = "  " + wrapped(name, page.width - 2, "  ")
    if not body or len(start) + 2 > column:
        return [start, *body]
    return [start.ljust(column) + body[0].strip(), *body[1:]]


def _hung(text: str, page: Paper, column: int) -> list[str]:
    from textwrap import wrap

    lines = wrap(text, max(page.width - column, 16))
    return [" " * column + line for line in lines]


def first_line(kind: Any) -> str:
    """What a request is for, in a sentence."""
    return str(kind.__doc__ or kind.title).strip().split("\n\n")[0].replace("\n", " ")


def game_plain(game: Any) -> dict[str, Any]:
    """A game as JSON data, with the schema of every request."""
    from rollwright.kit.schemas import schema_of

    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "rolls": {
            roll: {
                "version": kind.version,
                "schema": schema_of(kind),
                "outcome": list(field_names(kind.outcome)),
            }
            for roll, kind in game.requests.items()
        },
        "policies": {name: policy.title for name, policy in game.policies.items()},
        "default_policy": game.default_policy,
        "goals": {name: goal.title for name, goal in game.goals.items()},
        "default_goal": game.default_goal,
        "house": schema_of(game.house),
        "questions": list(game.questions),
    }
