"""`rollwright anydice`: a program of AnyDice, worked out exactly, or put into Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rollwright.anydice import run, translate
from rollwright.budget import Budget
from rollwright.cli.commands.odds import (
    check_view,
    lost_in,
    picture_of,
    print_comparison,
    rows_of,
    use_letters,
)
from rollwright.cli.console import note, paper, show
from rollwright.cli.files import read_text
from rollwright.cli.options import GivenOptions, command
from rollwright.cli.texts import HelpCommand, text, usage
from rollwright.i18n.locale import format_text, in_words
from rollwright.pictures.terminal import format_odds
from rollwright.queries import answer
from rollwright.queries.odds import named_odds

if TYPE_CHECKING:
    from rollwright.anydice import ProgramResult
    from rollwright.exact import Dist

MOST_COMPARED = 6


@command("program python at-least at-most exact all plot csv work json", cls=HelpCommand)
def anydice(ctx: click.Context, given: GivenOptions) -> None:
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
        note(format_text(warning))


def _program(words: tuple[str, ...]) -> str:
    """The program: in a file, in the pipe for `-`, or as it was typed."""
    if not words:
        raise usage("refusal.anydice.empty")
    if words == ("-",) or (len(words) == 1 and Path(words[0]).is_file()):
        return read_text(words[0])
    return " ".join(words)


def _print_outputs(dists: dict[str, Dist[int]], shown: str, given: GivenOptions) -> None:
    """Every output by itself, and several side by side."""
    page = paper()
    for name, dist in dists.items():
        how = format_odds(
            dist, name, page, (), show_all=given.show_all, exact=given.exact, view=given.view
        )
        show(how + ("\n" if len(dists) > 1 else ""), page)
    if 1 < len(dists) <= MOST_COMPARED:
        print_comparison(*use_letters(dists, ""), shown, given.view, "")


def _print_python(program: str, found: ProgramResult) -> None:
    """The program with our words; what has no form there is said beside it."""
    made = translate(program, found)
    click.echo(made.text, nl=False)
    for one in made.refused:
        note(text("anydice.refused", line=one.line, said=format_text(one.problem)))
