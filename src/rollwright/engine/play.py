"""A roll in progress: the rule, what has happened, and which face each die on the table shows."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.dice import Die, Face
from rollwright.engine.position import check_faces, check_option, token_of_faces
from rollwright.engine.replay import (
    FURTHER,
    MOST_RULES_WITHOUT_A_STEP,
    Done,
    RuleStart,
    no_step_error,
)
from rollwright.engine.steps import (
    Call,
    Choice,
    CutStep,
    LookStep,
    Option,
    RollStep,
    SpendStep,
    ThrowStep,
    Together,
    Token,
    public_part,
)
from rollwright.engine.trace import Trace, TracedRun, TraceRecord
from rollwright.errors import BadAnswer
from rollwright.hands import Hand
from rollwright.i18n.messages import msg
from rollwright.readings import Reading, reading_of


class ThrowEntry(NamedTuple):
    """Faces that were thrown, in the pool's order; `how` says whether the dice were real."""

    faces: tuple[Face, ...]
    how: str = "rolled"


class ChoiceEntry(NamedTuple):
    """An option that was chosen."""

    option: Option
    by: str = ""


Entry = ThrowEntry | ChoiceEntry
Event = tuple[object, tuple[str, ...] | None, Token]
"""The question, who saw the answer (None: everyone), and the answer."""


class OpenRoll:
    """A roll in progress: the rule, and which face each die on the table shows."""

    def __init__(self, call: Call[object]) -> None:
        self._record = TraceRecord(call)
        self.run = TracedRun((RuleStart(call),), self._record)
        self.shown: dict[int, list[tuple[Die, Face, Reading]]] = {}
        self.throws: list[tuple[ThrowStep[object], tuple[Face, ...]]] = []
        self.events: list[Event] = []
        self._settle()

    def check(self, entry: Entry) -> Token:
        """The token for an entry, refused if the step does not allow it."""
        step = self.run.step
        if type(step) is Done:
            raise BadAnswer(msg("refused.answer.over"))
        if isinstance(entry, ChoiceEntry):
            if type(step) is not Choice:
                raise BadAnswer(
                    msg("refused.answer.chosen", option=repr(entry.option), step=repr(step))
                )
            if entry.by and entry.by != step.by:
                raise BadAnswer(msg("refused.answer.other", by=entry.by, whose=step.by))
            return check_option(step, entry.option)
        if type(step) is Choice:
            raise BadAnswer(msg("refused.answer.thrown", step=repr(step)))
        return token_of_faces(step, check_faces(step.pool, entry.faces))

    def take(self, entry: Entry) -> None:
        """Go on by one entry."""
        self.go_on(entry, self.check(entry))

    def go_on(self, entry: Entry, token: Token) -> None:
        """Go on by one entry that has been checked."""
        step = self.run.step
        if isinstance(entry, ThrowEntry):
            self.throws.append((step, entry.faces))
            if type(step) is RollStep:
                read = {die: reading_of(die, step.read) for die, _ in step.pool.groups}
                self.shown[len(self.run.tokens)] = [
                    (die, face, read[die][face])
                    for die, face in zip(step.pool.dice, entry.faces, strict=True)
                ]
        sees = getattr(step, "sees", None)
        self.events.append((public_part(step), sees, token))
        self._record.note_entry(sees)
        self.run.answer(token)
        self._settle()

    @property
    def trace(self) -> Trace:
        """Which rule and which part asked for which entry, and what each came to."""
        return self._record.trace(self.run.step)

    def _settle(self) -> None:
        """Go into every rule that is waited for, and look at whatever is to be looked at."""
        for _ in range(MOST_RULES_WITHOUT_A_STEP):
            step = self.run.step
            if self.run.at_tail():
                self._record.note_tail(step)
                self.run = TracedRun(self.run.tail, self._record)
                self.shown = {}
            elif type(step) is Call or type(step) is Together:
                self.run.enter()
            elif type(step) is LookStep:
                self._look(step)
            elif type(step) is CutStep or type(step) is SpendStep:
                self.run.answer(FURTHER)
            else:
                return
        raise no_step_error(self.run)

    def _look(self, step: LookStep[object]) -> None:
        self.run.look_pool()
        wanted = set(zip(step.hand.places, step.hand.dice, step.hand.readings, strict=True))
        lying = []
        for place in sorted({place for place, _, _ in wanted}):
            for die, face, reading in self.shown[place]:
                if (place, die, reading) in wanted:
                    lying.append((die, face, reading_of(die, step.read)[face]))
        token = Hand((die, finer) for die, _, finer in lying)
        self.shown[len(self.run.tokens)] = lying
        self.events.append((public_part(step), self.run.look_sees(), token))
        self.run.answer(token)
