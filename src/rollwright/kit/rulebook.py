"""The lines of a rulebook in our own words, written as one plain text."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(r"^\s*(R\d+) ", re.MULTILINE)
_GUIDANCE = "guidance: "


class Line(NamedTuple):
    """A line of the rulebook in our own words; `guidance` lines are advice to people."""

    text: str
    guidance: bool = False


def Guidance(text: str) -> Line:
    """A line that is for the people at the table, not for the dice."""
    return Line(text, guidance=True)


def rulebook_of(text: str) -> dict[str, Line]:
    """The lines of a rulebook, each begun by its number; `guidance:` marks advice to people.

    >>> lines = rulebook_of(
    ...     "R1 Throw a D6 for each oar;\\n"
    ...     "   a 5 or a 6 is a stroke.\\n"
    ...     "R2 guidance: Say first what waits on the other side."
    ... )
    >>> lines["R1"]
    Line(text='Throw a D6 for each oar; a 5 or a 6 is a stroke.', guidance=False)
    >>> lines["R2"]
    Line(text='Say first what waits on the other side.', guidance=True)
    """
    _, *parts = _NUMBER.split(text)
    return {number: _line(" ".join(said.split())) for number, said in zip(parts[::2], parts[1::2])}


def _line(said: str) -> Line:
    return Line(said.removeprefix(_GUIDANCE), guidance=said.startswith(_GUIDANCE))
