"""Sums that a compiled rule throws last: what follows is asked once for each different sum.

Where nothing is asked any more after a tally, it is thrown at the very end, as a tally is that a
rule returns: throws that go on alike are added up together, from whatever each of them starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.compiled.keys import Key, Keys
from rollwright.engine.compiled.machine import DONE, UNKNOWN
from rollwright.engine.steps import Spend, Tally

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import Frame, Stepper
    from rollwright.engine.compiled.program import Program

_GOES_ON = Spend.__new__(Spend)
"""In the place of an outcome where a rule goes on, or where something goes wrong in it."""


class Rest:
    """What follows a throw: the awaits at which frames wait for it, one below the other."""

    __slots__ = ("awaits", "programs")

    def __init__(self, awaits: tuple[int, ...], programs: tuple[Program, ...]) -> None:
        self.awaits = awaits
        self.programs = programs
        """What the awaits are in, so that nothing else gets their ids."""

    def __eq__(self, other: object) -> bool:
        return type(other) is Rest and self.awaits == other.awaits

    def __hash__(self) -> int:
        return hash(self.awaits)

    def __call__(self, thrown: Any, waiting: Waiting) -> Any:
        """Return the outcome after a sum, or a step where something is asked again."""
        try:
            asked, outcome = waiting.stepper.go_on(waiting.frame, thrown)
        except Exception:  # it is met again, by a way that can be told
            return _GOES_ON
        return outcome if asked is DONE else _GOES_ON


class Waiting:
    """The frames that wait for a throw; equal to those that cannot be told apart from them."""

    __slots__ = ("stepper", "frame", "key", "_hash")

    def __init__(self, stepper: Stepper, frame: Frame, key: tuple[Key, ...]) -> None:
        self.stepper = stepper
        self.frame = frame
        self.key = key
        self._hash = hash(key)

    def __eq__(self, other: object) -> bool:
        return type(other) is Waiting and self.key == other.key

    def __hash__(self) -> int:
        return self._hash


class FramesKey(NamedTuple):
    """The awaits at which frames wait, one below the other, and what lives there."""

    awaits: tuple[int, ...]
    live: tuple[Key, ...]
    programs: tuple[Program, ...]


def frames_key(frame: Frame | None) -> FramesKey | None:
    """Return what frames are known by; None where something may change, or is not all known."""
    keys, known = Keys(), list[Key]()
    awaits: list[int] = []
    programs: list[Program] = []
    while frame is not None:
        machine, number, live, frame = frame
        for value in live:
            if type(value) in UNKNOWN or (
                isinstance(value, tuple) and not UNKNOWN.isdisjoint(map(type, value))
            ):
                return None
        awaits += [id(machine.program), number]
        programs.append(machine.program)
        known.append(keys.all_of(live))
    if keys.numbers or keys.dice:
        return None
    return FramesKey(tuple(awaits), tuple(known), tuple(programs))


def last_throw(step: Tally[Any], frame: Frame, stepper: Stepper) -> Tally[Any] | None:
    """Return a tally that frames wait for as one that a rule ends in; None if that cannot be."""
    start = step.start
    if step.finish is not None or step.sees is not None or type(start) in UNKNOWN:
        return None
    if isinstance(start, tuple) and not UNKNOWN.isdisjoint(map(type, start)):
        return None
    key = frames_key(frame)
    if key is None:
        return None
    last: Tally[Any] = Tally.__new__(Tally)
    last.pool, last.read, last.sees, last.start = step.pool, step.read, None, start
    last.finish = Rest(key.awaits, key.programs)
    last.given = (Waiting(stepper, frame, key.live),)
    last._tables = step._tables
    return last
