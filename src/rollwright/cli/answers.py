"""What a person is asked in the terminal, and the line that comes back."""

from __future__ import annotations

import sys
from typing import Any

from rollwright.cli.paper import Paper, show

LONGEST_ANSWER = 10_000
MOST_FACES = 12


def answer_to(question: str, page: Paper) -> str:
    """The line that answers a question, as far as anybody would type; EOFError at the end."""
    show(question, page, end="")
    if sys.stdin is None:
        raise EOFError
    line = sys.stdin.readline(LONGEST_ANSWER)
    if not line:
        raise EOFError
    rest = line
    while rest and not rest.endswith("\n"):  # a person's line is no longer, and a file's is skipped
        rest = sys.stdin.readline(LONGEST_ANSWER)
    return line.strip()


def faces_asked(pool: Any, whose: str = "") -> str:
    """The question for the faces of real dice, with the name of whoever throws."""
    what = "face" if pool.size == 1 else "faces"
    dice = " + ".join(_dice_said(die, count) for die, count in pool.groups)
    start = f"{whose}: throw" if whose else "Throw"
    return f"{start} {dice} and type the {what}: "


def _dice_said(die: Any, count: int) -> str:
    """Dice as they are called; those that show words with the words."""
    if die.is_numbered or not die.name:
        return repr(count * die) if count > 1 else repr(die)
    faces = [str(face) for face in die.faces]
    listed = " or ".join(faces) if len(faces) <= MOST_FACES else f"{faces[0]} to {faces[-1]}"
    return f"{die.name} ({listed})" if count == 1 else f"{count} {die.name}s ({listed} each)"
