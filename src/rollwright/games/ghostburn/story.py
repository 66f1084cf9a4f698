"""The narration from a transcript, roll by roll, in plain words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from rollwright.engine.transcript import ChoiceEntry, Transcript
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import (
    Message,
    Value,
    clauses,
    row_of,
    sentences,
    somebody,
    with_sign,
    word,
)
from rollwright.kit.card import Sum
from rollwright.rules import Choice

from .outcomes import GLITCH, Check, level_at, number_of, step_of, top_step
from .requests import Attempt, Chart, Session, task_of
from .rules import DOUBLE_TEN, Task, luck_uses, reading

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name


class Told(NamedTuple):
    """One roll of a transcript."""

    attempt: Attempt
    task: Task
    faces: tuple[int, ...]
    first: Check
    """The result of the dice before Luck."""
    use: str = ""
    """The use of Luck; empty if nobody could choose or nobody has chosen yet."""
    is_open: bool = False
    """Whether the use of Luck is still to be chosen."""

    @property
    def final(self) -> Check:
        """The result of the roll, or its result if Luck is kept."""
        return self.uses.get(self.use, self.first)

    @property
    def uses(self) -> dict[str, Check]:
        """The result of the roll by each legal use of Luck."""
        return luck_uses(sum(self.faces), self.task)


def _attempts(request: Any) -> tuple[Attempt, ...]:
    return request.rolls if isinstance(request, Session) else (request,)


def told_rolls(request: Any, transcript: Transcript) -> tuple[Told, ...]:
    """Every roll that has been thrown so far."""
    told: list[Told] = []
    for entry in transcript.entries:
        if isinstance(entry, ChoiceEntry):
            told[-1] = told[-1]._replace(use=entry.option)
        else:
            attempt = _attempts(request)[len(told)]
            task = task_of(attempt, request.house)
            told.append(Told(attempt, task, entry.faces, reading(sum(entry.faces), task)))
    if told and type(transcript.step) is Choice:
        told[-1] = told[-1]._replace(is_open=True)
    return tuple(told)


def tell(request: Any, transcript: Transcript) -> Message:
    """Return what happened so far, in one sentence a roll."""
    told = told_rolls(request, transcript)
    if not isinstance(request, Session):
        return _roll_said(request, told[0]) if told else _waiting(request, request)
    parts = [
        msg("told.nth", n=n, said=_roll_said(request, roll)) for n, roll in enumerate(told, start=1)
    ]
    if transcript.is_done:
        score = transcript.outcome._asdict() | {"value": Fraction(transcript.outcome.value)}
        parts.append(msg("told.score", rolls=len(told), **score))
    elif not (told and told[-1].is_open):
        attempt = _attempts(request)[len(told)]
        parts.append(msg("told.nth", n=len(told) + 1, said=_waiting(request, attempt)))
    return sentences(*parts)


def _waiting(request: Any, attempt: Attempt) -> Message:
    against = _dl_said(request, task_of(attempt, request.house))
    return msg("told.waiting", bonus=with_sign(attempt.total_bonus), against=against)


def _roll_said(request: Any, told: Told) -> Message:
    attempt = told.attempt
    found = [_sum_said(request, told), *_ignored(attempt)]
    if told.is_open:
        found.append(_choices_said(told))
    elif told.use in ("bonus", "avoid-glitch"):
        found.append(_luck_said(told))
    names = [name_said(name) for name in (attempt.skill_name, attempt.trick) if name]
    label = {"label": msg("told.label", names=row_of(names)) if names else ""}
    sentence = msg("told.roll", clauses=clauses(found), **label)
    if attempt.chart is None or told.is_open:
        return sentence
    return sentences(sentence, chart_said(attempt.chart, told.final, attempt.target))


def _bonuses_said(attempt: Attempt) -> list[Message]:
    """Every bonus that counts, by name."""
    return [
        msg("told.bonus", kind=kind_said(bonus.kind), n=with_sign(bonus.used))
        for bonus in attempt.bonuses
    ]


def sum_of(told: Told) -> Sum:
    """The dice of a roll, what was added to them, and what all of it made."""
    first, second = told.faces
    terms = [msg("sum.dice", first=first, second=second), *_bonuses_said(told.attempt)]
    if told.use == "bonus":
        terms.append(msg("told.bonus", kind=word("luck"), n=with_sign(told.task.luck_adds)))
    return Sum(tuple(terms), told.final.result)


def _sum_said(request: Any, told: Told) -> Message:
    first, second = told.faces
    bonuses = _bonuses_said(told.attempt)
    return msg(
        "told.sum",
        first=first,
        second=second,
        sum=first + second,
        bonuses=row_of(bonuses),
        result=told.first.result,
        level=_level_said(told.first, told.task),
        reads=_reason(request, told),
    )


def kind_said(kind: str) -> Value:
    """Return the source of a bonus: an ability by its name, else a word of the game."""
    known = name_said(kind)
    return word(kind) if isinstance(known, str) else known


def _level_said(check: Check, task: Task) -> Any:
    step = step_of(check.result, task.house)
    if step == top_step(task.house):
        return word(check.level)
    short = number_of(step + 1) - check.result
    above = word(level_at(step + 1, task.house))
    return msg("told.short", level=word(check.level), n=short, next=above)


def _reason(request: Any, told: Told) -> Message:
    check, task = told.first, told.task
    grade = word(check.outcome)
    if sum(told.faces) == DOUBLE_TEN and task.house.double_ten_cool:
        return msg("reads.tens", grade=grade)
    if not request.house.dl_shown:
        return msg("reads.hidden", grade=grade)
    if check.steps == -1 and check.outcome == GLITCH:
        return msg("reads.below", grade=grade)
    dl = _dl_said(request, task)
    if check.steps == 0:
        return msg("reads.same", dl=dl, grade=grade)
    way = "reads.above" if check.steps > 0 else "reads.under"
    return msg(way, n=abs(check.steps), dl=dl, grade=grade)


def _dl_said(request: Any, task: Task) -> Message:
    if not request.house.dl_shown:
        return msg("dl.hidden")
    return msg("dl", level=word(level_at(task.dl, task.house)), n=number_of(task.dl))


def _ignored(attempt: Attempt) -> list[Message]:
    return [
        msg(
            "told.ignored", kind=kind_said(bonus.kind), listed=row_of(map(with_sign, bonus.ignored))
        )
        for bonus in attempt.bonuses
        if bonus.ignored
    ]


def _bonus_said(told: Told) -> Message:
    check = told.uses["bonus"]
    return msg(
        "told.luck",
        n=told.attempt.luck_bonus,
        favored=told.attempt.favored,
        adds=told.task.luck_adds,
        standing=bool(told.attempt.luck),
        result=check.result,
        level=word(check.level),
        grade=word(check.outcome),
    )


def _choices_said(told: Told) -> Message:
    return msg("told.open", bonus=_bonus_said(told), avoid="avoid-glitch" in told.uses)


def _luck_said(told: Told) -> Message:
    if told.use == "avoid-glitch":
        return msg("told.avoided")
    same = told.final.outcome == told.first.outcome
    return msg("told.spent", bonus=_bonus_said(told), same=same)


def chart_said(chart: Chart, check: Check, target: str = "") -> Message:
    """Return the chart's entry for an outcome, with its condition."""
    entry = chart.entry(check.outcome)
    parts: list[str | Message] = [entry.text] if entry.text else []
    if entry.condition:
        way = "self" if entry.who == "self" else "target" if target else "they"
        values = {
            "who": somebody(target),
            "way": way,
            "condition": entry.condition,
            "note": chart.note,
        }
        parts.append(msg("chart.gains", has_note=bool(chart.note), **values))
    told = msg("chart.both", first=parts[0], then=parts[1]) if len(parts) == 2 else None
    nothing = msg("chart.nothing")
    return msg("chart.said", trick=chart.trick, said=told or (parts[0] if parts else nothing))
