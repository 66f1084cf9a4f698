"""The errors of the notation: a code, the place, a sentence, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rollwright.errors import RollwrightError, TooMuchWork
from rollwright.i18n.messages import Message, any_of, msg

Span = tuple[int, int]
"""Place in the text: the first character, and the one after the last."""

EXAMPLE = "1d20+5"
LONGEST_REPAIRED = 2_000
MOST_SHOWN = 40
MENDED = frozenset(
    ["missing-number", "not-dice", "trailing-text", "unexpected", "unexpected-end",
     "unknown-character", "unknown-variable", "unknown-word"]
)  # fmt: skip
"""Refusals of what may be a slip of the pen."""


class NotationError(RollwrightError):
    """An expression that cannot be read or rolled.

    `code` is a short name that stays the same from version to version, `span` the place in
    `text`, `sentence` what is wrong there. Every suggestion is an expression that parses.
    """

    _problem: ClassVar[Callable[[str], NotationError | None]]
    """Finds the error for which a text cannot be rolled, if any; set by `programs`, which can
    check.
    """
    _meant: ClassVar[Callable[[str], tuple[str, ...]]]
    """Guesses what was meant by a text; set by `programs`, which can ask `suggestions`."""

    def __init__(self, code: str, text: str, span: Span, sentence: str, *repairs: str) -> None:
        RollwrightError.__init__(self, sentence)
        self.code = code
        self.text = text
        self.span = span
        self.sentence = sentence
        self._repairs = repairs
        self._suggestions: tuple[str, ...] | None = None

    @property
    def repairs(self) -> tuple[str, ...]:
        """The likely meanings, the likeliest first; for an ambiguity, each reading."""
        if self._suggestions is None:
            mended = NotationError._meant(self.text) if self.code in MENDED else ()
            sound = self._readable((*mended, *self._repairs))
            self._suggestions = sound or self._readable(self._guesses())[:1] or (EXAMPLE,)
        return self._suggestions

    @property
    def repair(self) -> str:
        """The likeliest of the suggestions."""
        return self.repairs[0]

    @property
    def excerpt(self) -> str:
        """The part of the text that is wrong."""
        wrong = self.text[self.span[0] : self.span[1]]
        return wrong if len(wrong) <= MOST_SHOWN else wrong[:MOST_SHOWN] + "…"

    def to_json(self) -> dict[str, object]:
        """The refusal as what JSON can hold."""
        return {
            "code": self.code,
            "span": list(self.span),
            "sentence": self.sentence,
            "suggestions": list(self.repairs),
        }

    def _readable(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Those that can be read and rolled, each once; in the order in which dice are treated."""
        found = [sound for text in texts for sound in _reorder(text.strip())]
        return tuple(dict.fromkeys(found))

    def _guesses(self) -> tuple[str, ...]:
        """The text without what is wrong, and the text before it."""
        if len(self.text) > LONGEST_REPAIRED:
            return ()
        start, end = self.span
        before = self.text[:start].rstrip(" +-*/%<>=!([{,;@")
        if self.text[start - 1 : start].isdigit() and self.text[end : end + 1].isdigit():
            return (before,)  # two numbers do not become one
        return self.text[:start] + self.text[end:], before

    @property
    def wording(self) -> Message:
        """The error, its place, and the likely meanings; other languages go by the code."""
        whole = msg(f"notation.{self.code}", sentence=self.sentence)
        if self.excerpt:
            wrong, place = repr(self.excerpt), str(self.span[0] + 1)
            whole = msg("notation.at", said=whole, wrong=wrong, place=place)
        meant = any_of(map(_quote, self.repairs))
        asked = "notation.example" if self.repairs == (EXAMPLE,) else "notation.meant"
        return msg(asked, said=whole, meant=meant)

    def __str__(self) -> str:
        return str(self.wording)


def _reorder(text: str) -> tuple[str, ...]:
    """The text, where it can be read and rolled, or what it is in the right order."""
    problem = NotationError._problem(text)
    if problem is None:
        return (text,)
    return problem.repairs if problem.code == "order" and problem._repairs else ()


class TooMuchToCount(NotationError, TooMuchWork):
    """Odds that would take more work than the budget allows, refused before it was done.

    It speaks of what was typed, never of the dice and sums that it was taken apart into.
    """

    WORDS = "notation.work"

    def __init__(self, text: str, span: Span, problem: TooMuchWork, *repairs: str) -> None:
        self.what = problem.what
        self.estimate = problem.estimate
        self.budget = problem.budget
        self.hint = problem.hint
        self.whole = problem.whole
        self.keeps = problem.keeps
        hint = "" if problem.hint == TooMuchWork.USUAL_HINT else problem.hint
        much = (self.estimate, self.budget, hint, self.whole, self.keeps)
        said = str(TooMuchWork("this count", *much))
        NotationError.__init__(self, "too-much-work", text, span, said, *repairs)

    def _subject(self) -> str:
        return repr(self.excerpt)


def _quote(text: str) -> str:
    return repr(text if len(text) <= 2 * MOST_SHOWN else text[: 2 * MOST_SHOWN] + "…")
