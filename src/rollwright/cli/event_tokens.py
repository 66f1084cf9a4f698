"""The words, numbers, texts and signs that an event is made of, and where each stands."""

from __future__ import annotations

import re
from typing import NamedTuple

from rollwright.errors import RollwrightError

TOKENS = re.compile(
    r"""\s*(?:
    (?P<number>\d+(?:\.\d+|/\d+)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<text>"[^"]*"|'[^']*')
  | (?P<sign><=|>=|==|!=|<>|[<>=()\-])
)""",
    re.VERBOSE,
)


class BadEvent(RollwrightError):
    """An event that cannot be read, with the place where it goes wrong."""

    def __init__(self, text: str, place: int, problem: str) -> None:
        super().__init__(f"{text!r} at {place + 1}: {problem}")
        self.place = place


class Token(NamedTuple):
    """A word, number, text or sign, and where it stands."""

    kind: str
    text: str
    place: int


def tokens(text: str) -> list[Token]:
    """The tokens of an event, in order, with one for its end."""
    found: list[Token] = []
    place = 0
    while text[place:].strip():
        match = TOKENS.match(text, place)
        if match is None:
            wrong = len(text) - len(text[place:].lstrip())
            hint = "and, or, not, comparisons, numbers, texts and parentheses are known"
            raise BadEvent(text, wrong, f"{text[wrong]!r} is not known here; {hint}")
        kind = match.lastgroup or ""
        found.append(Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return [*found, Token("end", "", len(text))]
