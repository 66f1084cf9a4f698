"""What happened, read back from a transcript roll by roll and told in plain words."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.engine.transcript import Chosen, Transcript
from rollwright.rules import Choice

from .outcomes import GLITCH, Check, Score, level_at, number_of, step_of, top_step
from .requests import Attempt, Chart, Roll, Session, task_of
from .rules import DOUBLE_TEN, Task, luck_uses, reading

COUNTS = ("no", "one", "two", "three", "four", "five", "six")


class Told(NamedTuple):
    """One roll of a transcript."""

    attempt: Attempt
    task: Task
    faces: tuple[int, ...]
    first: Check
    """What the dice came to before Luck."""
    use: str = ""
    """What was done with Luck; empty where nobody could choose or nobody has chosen yet."""
    is_open: bool = False
    """Whether the use of Luck is still to be chosen."""

    @property
    def final(self) -> Check:
        """What the roll came to, or comes to if Luck is kept."""
        return self.uses.get(self.use, self.first)

    @property
    def uses(self) -> dict[str, Check]:
        """What each legal use of Luck makes of the roll."""
        return luck_uses(sum(self.faces), self.task)


def _attempts(request: Roll | Session) -> tuple[Attempt, ...]:
    return request.rolls if isinstance(request, Session) else (request,)


def told_rolls(request: Roll | Session, transcript: Transcript) -> tuple[Told, ...]:
    """Every roll that has been thrown so far."""
    told: list[Told] = []
    for entry in transcript.entries:
        if isinstance(entry, Chosen):
            told[-1] = told[-1]._replace(use=entry.option)
        else:
            attempt = _attempts(request)[len(told)]
            task = task_of(attempt, request.house)
            told.append(Told(attempt, task, entry.faces, reading(sum(entry.faces), task)))
    if told and type(transcript.step) is Choice:
        told[-1] = told[-1]._replace(is_open=True)
    return tuple(told)


def tell(request: Any, transcript: Transcript) -> str:
    """What happened so far, in one sentence a roll."""
    told = told_rolls(request, transcript)
    if not isinstance(request, Session):
        return _roll_said(request, told[0]) if told else _waiting(request, request)
    parts = [f"Roll {n}: {_roll_said(request, roll)}" for n, roll in enumerate(told, start=1)]
    if transcript.is_done:
        parts.append(_score_said(transcript.outcome, len(told)))
    elif not (told and told[-1].is_open):
        attempt = _attempts(request)[len(told)]
        parts.append(f"Roll {len(told) + 1}: {_waiting(request, attempt)}")
    return " ".join(parts)


def _waiting(request: Roll | Session, attempt: Attempt) -> str:
    against = _dl_said(request, task_of(attempt, request.house))
    return f"2d10 {attempt.total_bonus:+} against {against} are still to be thrown."


def _roll_said(request: Roll | Session, told: Told) -> str:
    first, second = told.faces
    level = _level_said(told.first, told.task)
    attempt = told.attempt
    label = ", ".join(name for name in (attempt.skill_name, attempt.trick) if name)
    tried = f"{label}: " if label else ""
    clauses = [
        f"{tried}{first} and {second} on the dice {_sum_said(told)}: {level}, "
        f"{_reason(request, told)}{told.first.outcome}",
        *_ignored(attempt),
    ]
    if told.is_open:
        clauses.append(_choices_said(told))
    elif told.use in ("bonus", "avoid-glitch"):
        clauses.append(_luck_said(told))
    said = "; ".join(clauses) + "."
    if attempt.chart is None or told.is_open:
        return said
    return f"{said} {chart_said(attempt.chart, told.final, attempt.target)}"


def _sum_said(told: Told) -> str:
    listed = ", ".join(f"{bonus.kind} {bonus.used:+}" for bonus in told.attempt.bonuses)
    return f"make {sum(told.faces)}, and with {listed} that is {told.first.result}"


def _level_said(check: Check, task: Task) -> str:
    step = step_of(check.result, task.house)
    if step == top_step(task.house):
        return str(check.level)
    short = number_of(step + 1) - check.result
    return f"{check.level} ({short} short of {level_at(step + 1, task.house)})"


def _reason(request: Roll | Session, told: Told) -> str:
    check, task = told.first, told.task
    if sum(told.faces) == DOUBLE_TEN and task.house.double_ten_cool:
        return "and two tens are always a "
    if not request.house.dl_shown:
        return "against a hidden Difficulty Level a "
    if check.steps == -1 and check.outcome == GLITCH:
        return "and a result below Easy is always a "
    dl = _dl_said(request, task)
    if check.steps == 0:
        return f"the level of {dl}: "
    count = abs(check.steps)
    levels = f"{COUNTS[count] if count < len(COUNTS) else count} level{'s' * (count > 1)}"
    return f"{levels} {'above' if check.steps > 0 else 'below'} {dl}: "


def _dl_said(request: Roll | Session, task: Task) -> str:
    if not request.house.dl_shown:
        return "a hidden Difficulty Level"
    return f"{level_at(task.dl, task.house)} ({number_of(task.dl)})"


def _ignored(attempt: Attempt) -> list[str]:
    return [
        f"{bonus.kind} {', '.join(f'{more:+}' for more in bonus.ignored)} ignored, since only the "
        f"highest {bonus.kind} bonus counts"
        for bonus in attempt.bonuses
        if bonus.ignored
    ]


def _bonus_said(told: Told) -> str:
    favored = " for a favored skill" if told.attempt.favored else ""
    check = told.uses["bonus"]
    standing = " beside the standing luck bonus" if told.attempt.luck else ""
    return (
        f"a Luck Bonus of {told.attempt.luck_bonus}{favored} adds {told.task.luck_adds}{standing}"
        f" for {check.result}, {check.level}: {check.outcome}"
    )


def _choices_said(told: Told) -> str:
    avoid = ", avoid-glitch: it becomes a Fade" if "avoid-glitch" in told.uses else ""
    return f"Luck can still be kept or spent (bonus: {_bonus_said(told)}{avoid})"


def _luck_said(told: Told) -> str:
    if told.use == "avoid-glitch":
        return "Luck avoids the Glitch: Fade instead"
    same = told.final.outcome == told.first.outcome
    return f"{_bonus_said(told)}{' as before' if same else ' instead'}"


def chart_said(chart: Chart, check: Check, target: str = "") -> str:
    """What the chart says about an outcome, with the condition it brings."""
    entry = chart.entry(check.outcome)
    parts = [entry.text] if entry.text else []
    if entry.condition:
        who = f"{target} becomes" if target else "they become"
        note = f" ({chart.note})" if chart.note else ""
        parts.append(f"{who if entry.who == 'target' else 'you become'} {entry.condition}{note}")
    return f"{chart.trick}: {', and '.join(parts) or 'nothing more'}."


def _score_said(score: Score, rolls: int) -> str:
    return (
        f"In all {score.successes} of {rolls} succeeded ({score.cools} cool), {score.glitches} "
        f"glitched, Luck Points spent: {score.luck_used}, value {score.value}."
    )
