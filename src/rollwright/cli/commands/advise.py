"""`rollwright advise`: the best call now, or the best policy for a whole roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rollwright.api import advise as best_play
from rollwright.api import odds
from rollwright.ask.advice import from_start, in_progress, policy_rows, policy_table, unasked
from rollwright.ask.measures import goals_of, worth_said
from rollwright.ask.subjects import Expression
from rollwright.cli.options import Given, command
from rollwright.cli.paper import paper, show
from rollwright.cli.rolls import Counsel, played, source_of
from rollwright.cli.subjects import Asked, subject_of
from rollwright.engine.best.advice import best
from rollwright.errors import RollwrightError
from rollwright.kit.words import option_said, told
from rollwright.pictures.terminal import wrapped

if TYPE_CHECKING:
    from rollwright.ask.measures import Aim
    from rollwright.ask.subjects import Subject
    from rollwright.engine.best.advice import Advice
    from rollwright.engine.transcript import Transcript

MOST_LINES = 16


@command(
    "what house from goal lying chosen lines csv work json",
    cls=Asked,
)
def advise(ctx: click.Context, given: Given) -> None:
    """Say what to do: now, for a saved roll or given faces, or as a policy for the whole roll.

    WHAT is a game and its roll with their options, or a file that `roll --save` wrote.
    """
    given.check_outputs()
    subject = subject_of(ctx)
    if subject.request is None:
        raise click.UsageError("dice offer no choice; advice is for the rolls of a game")
    counsel = Counsel(subject, given.goal)
    assert counsel.aim is not None
    aim = counsel.aim
    transcript = _lying(subject, given)
    given.put_out(
        table=lambda: policy_rows(_advice(transcript, aim, given).lines),
        plain=lambda: _plain(subject, transcript, aim, given),
        words=lambda: _print(subject, transcript, counsel, given),
    )


def _lying(subject: Subject, given: Given) -> Transcript:
    """The roll with the faces that lie there."""
    if given.faces is not None:
        return played(subject.started(), source_of(given.faces, None), given.choose)
    if given.choose:
        raise click.UsageError("--choose goes with --faces")
    return subject.started()


def _advice(transcript: Transcript, aim: Aim, given: Given) -> Advice:
    return best_play(transcript, aim.goal, budget=given.budget)


def _plain(subject: Subject, transcript: Transcript, aim: Aim, given: Given) -> dict[str, object]:
    head = {"title": subject.title, "goal": aim.plain, "goals": goals_of(subject)}
    if transcript.entries:
        return head | in_progress(transcript, aim, "", given.budget)
    return head | from_start(subject, aim, given.budget, lines=True)


def _print(subject: Subject, transcript: Transcript, counsel: Counsel, given: Given) -> None:
    page = paper()
    show(page.bold(wrapped(subject.title, page.width)), page)
    if transcript.throws:
        show(wrapped(told(transcript), page.width), page)
    if transcript.is_done:
        show("The roll has ended: there is nothing left to decide.", page)
        return
    assert counsel.aim is not None
    advice = _advice(transcript, counsel.aim, given)
    if advice.here is None:
        _print_policy(advice, subject, counsel.aim, given)
        return
    show(counsel.options_said(transcript, page, given.budget), page)
    if advice.matters:
        show(f"Best: {' or '.join(map(option_said, advice.ties))}", page)


def _print_policy(advice: Advice, subject: Subject, aim: Aim, given: Given) -> None:
    page = paper()
    show(wrapped(f"Goal: {aim.title}", page.width), page)
    show(f"Worth with best play: {worth_said(advice.value, _is_chance(subject, aim))}", page)
    table = policy_table(advice.lines, in_short=not given.show_all)
    if not table.rows:
        show("There is nothing to decide in this roll.", page)
        return
    shown = table if given.show_all else table._replace(rows=table.rows[:MOST_LINES])
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
