"""`rollwright games`: what there is to play, and everything a game offers."""

from __future__ import annotations

from typing import Any

import click

from rollwright.cli.fields import NO_OPTION, default_said, option_name, would_do
from rollwright.cli.options import What, json_option, names_of
from rollwright.cli.paper import Paper, paper, show, show_json, wrapped
from rollwright.errors import UnknownName
from rollwright.exact.fields import field_names
from rollwright.kit.fields import Field, fields_of
from rollwright.kit.games import Game, find_game, list_games
from rollwright.pictures.outcomes import value_said


@click.command("games")
@click.argument("what", nargs=-1, type=What(), metavar="[GAME [ROLL]]")
@json_option
def command(what: tuple[str, ...], as_json: bool) -> None:
    """List the games, or explain one: its rolls, options, policies, goals and house rules.

    With --json the schema of every request comes along.
    """
    if len(what) > 2:
        raise click.UsageError(f"{what[2]!r} is one word too many: games [GAME [ROLL]]")
    name, roll = (*what, "", "")[:2]
    game = find_game(name) if name else None
    roll = roll.replace("-", "_")
    if game is not None and roll and roll not in game.requests:
        raise UnknownName("roll", roll, game.requests)
    if as_json:
        _show_json(name, roll)
    elif game is None:
        _list(paper())
    else:
        page = paper()
        show(_roll_said(game.requests[roll], page) if roll else _game_said(game, page), page)


def _show_json(name: str, roll: str) -> None:
    from rollwright.ask import answer

    found = answer("describe", {"game": name} if name else {})
    show_json(found["rolls"][roll] if roll else found)


def _list(page: Paper) -> None:
    for game in map(find_game, list_games()):
        heading = wrapped(f"{game.name}: {game.title}", page.width, "  ")
        show(page.bold(heading), page)
        for text in (game.summary, f"Rolls: {', '.join(game.requests)}"):
            show("  " + wrapped(text, page.width - 2, "  "), page)
    show("\n" + wrapped("rollwright games NAME explains one of them.", page.width), page)


def _game_said(game: Game, page: Paper) -> str:
    """Everything a game offers, in words."""
    lines = [page.bold(game.title), wrapped(game.summary, page.width), "", page.bold("Rolls")]
    for roll, kind in game.requests.items():
        lines += _entry(roll, _first_line(kind), page)
    note = f"rollwright games {game.name} ROLL lists the options of a roll."
    lines.append("  " + wrapped(note, page.width - 2, "  "))
    for title, entries in _parts(game):
        if entries:
            lines += ["", page.bold(title)]
            for name, text in entries:
                lines += _entry(name, text, page)
    return "\n".join(lines)


def _parts(game: Game) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        ("Policies (--policy)", _policies(game)),
        ("Goals (--goal)", [(name, _goal(game, name)) for name in game.goals]),
        ("House rules (--house)", [_house(about) for about in fields_of(game.house).values()]),
        (
            "Questions (rollwright ask)",
            [(name.replace("_", "-"), asked.title) for name, asked in game.questions.items()],
        ),
    ]


def _policies(game: Game) -> list[tuple[str, str]]:
    found = []
    for name, policy in game.policies.items():
        usual = " (default)" if name == game.default_policy else ""
        found.append(
            (f"{name}:{policy.argument}" if policy.argument else name, policy.title + usual)
        )
    return [*found, ("best:GOAL", "play best for a goal; best alone is for the default goal")]


def _goal(game: Game, name: str) -> str:
    goal = game.goals[name]
    rolls = f" ({', '.join(goal.rolls)})" if goal.rolls else ""
    return goal.title + rolls + (" (default)" if name == game.default_goal else "")


def _house(about: Field) -> tuple[str, str]:
    readings = about.more.get("readings") or {}
    listed = "; ".join(f"{value_said(v)}: {text}" for v, text in readings.items())
    usual = f"default {value_said(about.default)}"
    return about.name, f"{about.help} ({usual}). {listed}".rstrip(". ") + "."


def _roll_said(kind: Any, page: Paper) -> str:
    """One kind of roll: its options, and the fields of its outcome."""
    lines = [
        page.bold(wrapped(f"{kind.title} ({kind.game} {kind.roll})", page.width)),
        wrapped(_first_line(kind), page.width),
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


def _first_line(kind: Any) -> str:
    """What a request is for, in a sentence."""
    return str(kind.__doc__ or kind.title).strip().split("\n\n")[0].replace("\n", " ")
