"""The errors of an AnyDice program, at their places, with advice."""

from __future__ import annotations

from rollwright.errors import RollwrightError, TooMuchWork
from rollwright.i18n.messages import Message, msg

Span = tuple[int, int]
"""Place in the program: the first character, and the one after the last."""
MOST_SHOWN = 40


class AnyDiceError(RollwrightError):
    """A program that cannot be read or worked out.

    `code` stays the same from version to version, `span` is the place in `text`, `problem` what is
    wrong there.
    """

    def __init__(self, code: str, text: str, span: Span, **values: str | int) -> None:
        self.code = code
        self.text = text
        self.span = span
        self.problem = msg(f"anydice.{code}", **values)
        RollwrightError.__init__(self, code)

    @property
    def line(self) -> int:
        """The line, counted from 1."""
        return self.text.count("\n", 0, self.span[0]) + 1

    @property
    def column(self) -> int:
        """The place in its line, counted from 1."""
        return self.span[0] - (self.text.rfind("\n", 0, self.span[0]) + 1) + 1

    @property
    def excerpt(self) -> str:
        """The part of the program that is wrong."""
        wrong = " ".join(self.text[self.span[0] : self.span[1]].split())
        return wrong if len(wrong) <= MOST_SHOWN else wrong[:MOST_SHOWN] + "…"

    @property
    def wording(self) -> Message:
        """The error, and its place."""
        if not self.excerpt:
            return msg("anydice.line", said=self.problem, line=self.line)
        return msg("anydice.at", said=self.problem, line=self.line, wrong=repr(self.excerpt))

    def to_json(self) -> dict[str, object]:
        """The refusal as what JSON can hold."""
        return {
            "code": self.code,
            "span": list(self.span),
            "line": self.line,
            "column": self.column,
            "sentence": str(self.problem),
        }

    def __str__(self) -> str:
        return str(self.wording)


class TooMuchToRun(AnyDiceError, TooMuchWork):
    """A part of a program that would take more work than the budget allows.

    It speaks of what was typed, never of the dice and sums that it was taken apart into.
    """

    WORDS = "notation.work"

    def __init__(self, text: str, span: Span, problem: TooMuchWork) -> None:
        self.what = problem.what
        self.estimate = problem.estimate
        self.budget = problem.budget
        self.hint = TooMuchWork.USUAL_HINT
        self.whole = problem.whole
        self.keeps = problem.keeps
        AnyDiceError.__init__(self, "work", text, span)
        self.problem = msg("work.refused", needs=self.needs, hint=self.hint)

    def _subject(self) -> Message:
        return msg("anydice.work", wrong=repr(self.excerpt), line=self.line)

    @property
    def wording(self) -> Message:
        """How much it would be, for what part, and what would be less."""
        return self.problem
