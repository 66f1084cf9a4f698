"""Advice as it is shown: the options that are open now, and the policy as a table."""

from __future__ import annotations

from typing import Any

import click

from rollwright.ask.decisions import policy_rows, policy_table, unasked
from rollwright.cli.counsel import Counsel, advice_for, is_chance
from rollwright.cli.files import write_text
from rollwright.cli.options import budget_of
from rollwright.cli.paper import paper, show, show_json, wrapped
from rollwright.cli.rolling import started
from rollwright.cli.saying import fraction, worth_said
from rollwright.cli.subjects import Subject, subject_of
from rollwright.cli.throwing import played, source_of
from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError
from rollwright.exact.text import value as stored_value
from rollwright.kit.words import option_said, situation_said, told

MOST_LINES = 16


def advise(ctx: click.Context) -> None:
    """Advise on what is asked about, from where it stands."""
    params = ctx.params
    subject = subject_of(ctx)
    if subject.game is None:
        raise click.UsageError("dice offer no choice; advice is for the rolls of a game")
    transcript = started(subject, params)
    if params["faces"] is not None:
        transcript = played(transcript, source_of(params["faces"], None), params["choose"])
    elif params["choose"]:
        raise click.UsageError("--choose goes with --faces")
    counsel = Counsel(subject.game, subject.request, params["goal"])
    advice = advice_for(transcript, counsel.goal, budget_of(params["work"]))
    if params["csv_file"]:
        write_text(params["csv_file"], policy_rows(advice.lines).csv())
    if params["as_json"]:
        show_json(plain(advice, counsel))
    elif params["csv_file"] != "-":
        _print(advice, counsel, subject, transcript, show_all=params["show_all"])


def _print(
    advice: Any, counsel: Counsel, subject: Subject, transcript: Transcript, *, show_all: bool
) -> None:
    page = paper()
    show(page.bold(wrapped(subject.title, page.width)), page)
    if transcript.throws:
        show(wrapped(told(transcript), page.width), page)
    if transcript.is_done:
        show("The roll has ended: there is nothing left to decide.", page)
        return
    if advice.here is not None:
        show(counsel.options_said(transcript, page), page)
        if advice.matters:
            show(f"Best: {' or '.join(map(option_said, advice.ties))}", page)
    else:
        _print_policy(advice, counsel, subject, show_all=show_all)


def _print_policy(advice: Any, counsel: Counsel, subject: Subject, *, show_all: bool) -> None:
    page = paper()
    show(wrapped(f"Goal: {counsel.title}", page.width), page)
    chances = _is_chance(counsel, subject)
    show(f"Worth with best play: {worth_said(advice.value, chances)}", page)
    table = policy_table(advice.lines, in_short=not show_all)
    if not table.rows:
        show("There is nothing to decide in this roll.", page)
        return
    shown = table if show_all else table._replace(rows=table.rows[:MOST_LINES])
    show(shown.text(page.width), page)
    if len(shown.rows) < len(table.rows):
        show("… --all shows every line.", page)
    if rest := unasked(advice.lines):
        show(wrapped(rest, page.width), page)


def _is_chance(counsel: Counsel, subject: Subject) -> bool:
    from rollwright.api import odds
    from rollwright.engine.best.advice import best

    assert counsel.goal is not None
    try:
        return is_chance(counsel.goal, odds(subject.what, best(counsel.goal)))
    except RollwrightError:
        return False


def plain(advice: Any, counsel: Counsel) -> dict[str, Any]:
    """The advice as JSON data."""
    return {
        "goal": counsel.name,
        "value": fraction(advice.value),
        "best": None if advice.here is None else option_said(advice.best),
        "matters": advice.matters,
        "options": [
            {"option": option_said(worth.option), "value": fraction(worth.value)}
            for worth in advice.options
        ],
        "policy": [_line(line) for line in advice.lines],
    }


def _line(line: Any) -> dict[str, Any]:
    try:
        situation = stored_value(line.situation)
    except RollwrightError:
        situation = situation_said(line.situation)
    return {
        "by": line.by,
        "situation": situation,
        "choose": option_said(line.choose),
        "chance": fraction(line.chance),
        "options": [
            {"option": option_said(worth.option), "value": fraction(worth.value)}
            for worth in line.worths
        ],
    }
