"""Other rollers that can be installed, with the exact odds of what they make of a line."""

from __future__ import annotations

import random
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import d20
import rolldice

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # dice warns of how its parser is sped up
    import dice

MOST_THROWS = 6
"""So many faces are looked at in a row; what explodes further is told as cut off."""
MOST_RUNS = 40_000


class Beyond(BaseException):
    """More was thrown than is looked at; no peer takes it for an error of its own."""


class Script(random.Random):
    """Faces one after the other as they are written, then the lowest of each die."""

    def __init__(self, faces: list[int]) -> None:
        super().__init__(0)
        self.faces = faces
        self.sizes: list[int] = []

    def randint(self, a: int, b: int) -> int:
        """The next face of a die from a to b."""
        place = len(self.sizes)
        if place == MOST_THROWS:
            raise Beyond
        self.sizes.append(b - a + 1)
        if place == len(self.faces):
            self.faces.append(0)
        return a + self.faces[place]

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """The same as Python counts it."""
        faces = range(start) if stop is None else range(start, stop, step)
        return faces[self.randint(0, len(faces) - 1)]


@contextmanager
def thrown(script: Script) -> Iterator[None]:
    """Whoever asks Python's own dice meanwhile is given the script's faces."""
    before = random.randint, random.randrange
    random.randint, random.randrange = script.randint, script.randrange
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # else what a peer's parser warns of is a refusal
            yield
    finally:
        random.randint, random.randrange = before


def _d20(text: str) -> Any:
    return d20.roll(text).total


def _dice(text: str) -> Any:
    return int(dice.roll(text))


def _rolldice(text: str) -> Any:
    return rolldice.roll_dice(text)[0]


PEERS: dict[str, Callable[[str], Any]] = {"d20": _d20, "dice": _dice, "py-rolldice": _rolldice}


def odds(peer: str, text: str) -> tuple[dict[Fraction, Fraction], Fraction] | None:
    """The chance of every total, and what was cut off; None where the peer refuses the line.

    Every sequence of faces is played: the last face that can be raised is raised, again and again.
    """
    roll = PEERS[peer]
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    cut = Fraction(0)
    faces: list[int] = []
    for _ in range(MOST_RUNS):
        script = Script(faces)
        with thrown(script):
            try:
                total = roll(text)
            except Beyond:
                total = None
            except Exception:  # each has errors of its own
                return None
        weight = Fraction(1)
        for size in script.sizes:
            weight /= size
        if total is None:
            cut += weight
        else:
            found[Fraction(total).limit_denominator(10**6)] += weight
        faces = script.faces[: len(script.sizes)]
        while faces and faces[-1] == script.sizes[len(faces) - 1] - 1:
            faces.pop()
        if not faces:
            return dict(found), cut
        faces[-1] += 1
    raise AssertionError(f"{text!r} has more sequences of faces than are played")
