"""`rollwright advise`: the best call now, or the best policy for a whole roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rollwright.api import advise, odds
from rollwright.ask.advice import from_start, in_progress, policy_rows, policy_table, unasked
from rollwright.ask.measures import goals_of, worth_said
from rollwright.ask.subjects import Expression
from rollwright.cli.counsel import Counsel
from rollwright.cli.options import (
    budget_of,
    check_outputs,
    csv_option,
    goal_option,
    json_option,
    put_out,
    subject_options,
    work_option,
)
from rollwright.cli.paper import paper, show, wrapped
from rollwright.cli.rolls import played, source_of
from rollwright.cli.subjects import Asked, subject_of
from rollwright.engine.best.advice import best
from rollwright.errors import RollwrightError
from rollwright.kit.words import option_said, told

if TYPE_CHECKING:
    from rollwright.ask.measures import Aim
    from rollwright.ask.subjects import Subject
    from rollwright.engine.best.advice import Advice
    from rollwright.engine.transcript import Transcript

MOST_LINES = 16


@click.command("advise", cls=Asked)
@subject_options
@goal_option
@click.option("--faces", metavar="F,F,…", help="The faces that lie there, in the order asked for.")
@click.option("--choose", multiple=True, metavar="OPTION", help="What was chosen, in order.")
@click.option("--all", "show_all", is_flag=True, help="Show every line of the policy.")
@csv_option
@work_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Say what to do: now, for a saved roll or given faces, or as a policy for the whole roll.

    WHAT is a game and its roll with their options, or a file that `roll --save` wrote.
    """
    check_outputs(params)
    subject = subject_of(ctx)
    if subject.request is None:
        raise click.UsageError("dice offer no choice; advice is for the rolls of a game")
    counsel = Counsel(subject, params["goal"])
    assert counsel.aim is not None
    aim = counsel.aim
    transcript = _lying(subject, params)
    put_out(
        params,
        table=lambda: policy_rows(_advice(transcript, aim, params).lines),
        plain=lambda: _plain(subject, transcript, aim, params),
        words=lambda: _print(subject, transcript, counsel, params),
    )


def _lying(subject: Subject, params: Mapping[str, Any]) -> Transcript:
    """The roll with the faces that lie there."""
    if params["faces"] is not None:
        return played(subject.started(), source_of(params["faces"], None), params["choose"])
    if params["choose"]:
        raise click.UsageError("--choose goes with --faces")
    return subject.started()


def _advice(transcript: Transcript, aim: Aim, params: Mapping[str, Any]) -> Advice:
    return advise(transcript, aim.goal, budget=budget_of(params))


def _plain(
    subject: Subject, transcript: Transcript, aim: Aim, params: Mapping[str, Any]
) -> dict[str, Any]:
    head = {"title": subject.title, "goal": aim.plain, "goals": goals_of(subject)}
    if transcript.entries:
        return head | in_progress(transcript, aim, "", budget_of(params))
    return head | from_start(subject, aim, budget_of(params), lines=True)


def _print(
    subject: Subject, transcript: Transcript, counsel: Counsel, params: Mapping[str, Any]
) -> None:
    page = paper()
    show(page.bold(wrapped(subject.title, page.width)), page)
    if transcript.throws:
        show(wrapped(told(transcript), page.width), page)
    if transcript.is_done:
        show("The roll has ended: there is nothing left to decide.", page)
        return
    assert counsel.aim is not None
    advice = _advice(transcript, counsel.aim, params)
    if advice.here is None:
        _print_policy(advice, subject, counsel.aim, params)
        return
    show(counsel.options_said(transcript, page, budget_of(params)), page)
    if advice.matters:
        show(f"Best: {' or '.join(map(option_said, advice.ties))}", page)


def _print_policy(advice: Advice, subject: Subject, aim: Aim, params: Mapping[str, Any]) -> None:
    page = paper()
    show(wrapped(f"Goal: {aim.title}", page.width), page)
    show(f"Worth with best play: {worth_said(advice.value, _is_chance(subject, aim))}", page)
    table = policy_table(advice.lines, in_short=not params["show_all"])
    if not table.rows:
        show("There is nothing to decide in this roll.", page)
        return
    shown = table if params["show_all"] else table._replace(rows=table.rows[:MOST_LINES])
    show(shown.text(page.width), page)
    if len(shown.rows) < len(table.rows):
        show("… --all shows every line.", page)
    if rest := unasked(advice.lines):
        show(wrapped(rest, page.width), page)


def _is_chance(subject: Subject, aim: Aim) -> bool:
    if isinstance(subject.what, Expression):
        return False
    try:
        return aim.is_chance(odds(subject.what, best(aim.goal)))
    except RollwrightError:
        return False
