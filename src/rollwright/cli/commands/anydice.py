"""`rollwright anydice`: a program of AnyDice, worked out exactly, or put into Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rollwright.anydice import run, translated
from rollwright.ask import answer
from rollwright.ask.odds import named_odds
from rollwright.budget import Budget
from rollwright.cli.commands.odds import (
    check_view,
    lettered,
    lost_in,
    picture_of,
    print_comparison,
    rows_of,
)
from rollwright.cli.files import read_text
from rollwright.cli.options import Given, command
from rollwright.cli.paper import note, paper, show
from rollwright.cli.texts import Command, text, usage
from rollwright.pictures.terminal import odds_said
from rollwright.words.reader import in_words, spoken

if TYPE_CHECKING:
    from rollwright.anydice import Answer
    from rollwright.exact import Dist

MOST_COMPARED = 6


@command("program python at-least at-most exact all plot csv work json", cls=Command)
def anydice(ctx: click.Context, given: Given) -> None:
    """Work out a program of AnyDice exactly; --python shows it with our words."""
    given.check_outputs()
    program = _program(given.what)
    budget = given.budget or Budget()
    if given.as_json:
        given.put_out(
            table=lambda: rows_of(named_odds(run(program, budget).outputs), given.view),
            plain=lambda: answer("anydice", {"text": program}, budget),
            words=lambda: None,
        )
        return
    found = run(program, budget)
    if given.python:
        _print_python(program, found)
        return
    dists = named_odds(found.outputs)
    if not dists:
        raise usage("refusal.anydice.nothing")
    check_view(given, dists.values())
    shown = "" if given.view == "each" else in_words(f"column.{given.view}")
    given.put_out(
        table=lambda: rows_of(dists, given.view),
        picture=lambda: picture_of(dists, "", shown, given.view),
        plain=dict,
        words=lambda: _print_outputs(dists, shown, given),
        bound=lambda: lost_in(dists),
    )
    for warning in found.warnings:
        note(spoken(warning))


def _program(words: tuple[str, ...]) -> str:
    """The program: in a file, in the pipe for `-`, or as it was typed."""
    if not words:
        raise usage("refusal.anydice.empty")
    if words == ("-",) or (len(words) == 1 and Path(words[0]).is_file()):
        return read_text(words[0])
    return " ".join(words)


def _print_outputs(dists: dict[str, Dist[int]], shown: str, given: Given) -> None:
    """Every output by itself, and several side by side."""
    page = paper()
    for name, dist in dists.items():
        how = odds_said(
            dist, name, page, (), show_all=given.show_all, exact=given.exact, view=given.view
        )
        show(how + ("\n" if len(dists) > 1 else ""), page)
    if 1 < len(dists) <= MOST_COMPARED:
        print_comparison(*lettered(dists, ""), shown, given.view, "")


def _print_python(program: str, found: Answer) -> None:
    """The program with our words; what has no form there is said beside it."""
    made = translated(program, found)
    click.echo(made.text, nl=False)
    for one in made.refused:
        note(text("anydice.refused", line=one.line, said=spoken(one.problem)))
