"""The refusals of the notation: a code, the place, a sentence, and what would do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.errors import RollwrightError, TooMuchWork

if TYPE_CHECKING:
    from rollwright.notation.parser import Parser
    from rollwright.notation.tree import Node


Span = tuple[int, int]
"""Where something stands in the text: the first character, and the one after the last."""

EXAMPLE = "1d20+5"
LONGEST_REPAIRED = 2_000
MOST_SHOWN = 40


class NotationError(RollwrightError):
    """An expression that cannot be read or rolled.

    `code` is a short name that stays the same from version to version, `span` the place in
    `text`, `sentence` what is wrong there. Every suggestion is an expression that parses.
    """

    def __init__(self, code: str, text: str, span: Span, sentence: str, *repairs: str) -> None:
        RollwrightError.__init__(self, sentence)
        self.code = code
        self.text = text
        self.span = span
        self.sentence = sentence
        self._repairs = repairs
        self._suggestions: tuple[str, ...] | None = None

    @property
    def suggestions(self) -> tuple[str, ...]:
        """What may have been meant, the likeliest first; for an ambiguity, each reading."""
        if self._suggestions is None:
            self._suggestions = _sound(self._repairs) or _sound(self._guesses())[:1] or (EXAMPLE,)
        return self._suggestions

    @property
    def suggestion(self) -> str:
        """The likeliest of the suggestions."""
        return self.suggestions[0]

    @property
    def excerpt(self) -> str:
        """The part of the text that is wrong."""
        wrong = self.text[self.span[0] : self.span[1]]
        return wrong if len(wrong) <= MOST_SHOWN else wrong[:MOST_SHOWN] + "…"

    def to_plain(self) -> dict[str, object]:
        """The refusal as what JSON can hold."""
        return {
            "code": self.code,
            "span": list(self.span),
            "sentence": self.sentence,
            "suggestions": list(self.suggestions),
        }

    def _guesses(self) -> tuple[str, ...]:
        """The text without what is wrong, and the text before it."""
        if len(self.text) > LONGEST_REPAIRED:
            return ()
        start, end = self.span
        before = self.text[:start].rstrip(" +-*/%<>=!([{,;@")
        return self.text[:start] + self.text[end:], before

    def __str__(self) -> str:
        place = f" at {self.span[0] + 1}" if self.text else ""
        wrong = f" ({self.excerpt!r}{place})" if self.excerpt else ""
        meant = " or ".join(map(_quoted, self.suggestions))
        asked = "for example" if self.suggestions == (EXAMPLE,) else "did you mean"
        return f"{self.sentence}{wrong}; {asked} {meant}?"


class TooMuchToCount(NotationError, TooMuchWork):
    """Odds that would take more work than the budget allows, refused before it was done."""

    def __init__(self, text: str, span: Span, problem: TooMuchWork, *repairs: str) -> None:
        NotationError.__init__(self, "too-much-work", text, span, str(problem), *repairs)
        self.what = problem.what
        self.estimate = problem.estimate
        self.budget = problem.budget
        self.hint = problem.hint


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 2 * MOST_SHOWN else text[: 2 * MOST_SHOWN] + "…")


def _sound(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Those that can be read and rolled, each once."""
    from rollwright.notation.programs import is_sound

    return tuple(dict.fromkeys(text.strip() for text in texts if is_sound(text.strip())))


def closings(parser: Parser) -> str:
    """What closes every bracket that is still open at the end."""
    open_ones = []
    for kind, _, _, _ in parser.tokens:
        if kind in "({":
            open_ones.append(")" if kind == "(" else "}")
        elif kind in ")}" and open_ones:
            open_ones.pop()
    return "".join(reversed(open_ones))


def unexpected(parser: Parser, wanted: str = "") -> NotationError:
    """Something stands where something else should."""
    _, _, start, end = parser.token
    text = parser.text
    if parser.token[0] == "end":
        return NotationError(
            "unexpected-end", text, (start, end), "something is missing at the end",
            text[:start].rstrip() + "1d6", text[:start].rstrip(" +-*/%("),
        )  # fmt: skip
    sentence = f"{wanted or 'a number or dice'} expected here"
    return parser.error(
        "unexpected", sentence,
        *([text[:start] + wanted + text[start:]] if wanted else []),
        text[:start] + "1d6" + text[start:], text[:start] + text[end:],
    )  # fmt: skip


def leftover(parser: Parser) -> NotationError:
    """Something stands behind the end."""
    kind, _, start, _ = parser.token
    text = parser.text
    sentence = "vs compares a whole roll" if kind == "vs" else "nothing was expected here"
    return NotationError(
        "trailing-text", text, (start, len(text)), f"{sentence}, and nothing is ignored",
        *[text[:start] + sign + text[start:] for sign in ("+", "; ", "# ")],
    )  # fmt: skip


def not_dice(parser: Parser, part: Node, start: int) -> NotationError:
    """What is done to dice is said of something else."""
    text, (_, end) = parser.text, part.span
    here = parser.token[2]
    return NotationError(
        "not-dice", text, parser.token[2:],
        "only dice and groups in braces can be treated like that",
        text[:start] + text[start:end].strip("() ") + text[here:],
        f"{{{text[:here].strip()}}}{text[here:]}",
        f"{text[:here]} vs {text[here:].lstrip('=<>')}",
    )  # fmt: skip
