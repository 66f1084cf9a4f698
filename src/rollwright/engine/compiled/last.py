"""Sums that a compiled rule throws last: what follows is asked once for each different sum.

Where nothing is asked any more after a tally, it is thrown at the very end, as a tally is that a
rule returns: throws that go on alike are added up together, from whatever each of them starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CoroutineType
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.compiled.keys import SIMPLE, Key, Keys
from rollwright.engine.compiled.machine import DONE, UNKNOWN
from rollwright.engine.compiled.program import RETURNS, TAIL
from rollwright.engine.steps import Spend, Step, Tally

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import Frame, Stepper
    from rollwright.engine.compiled.program import Program

_LEADS_ON = (Step, CoroutineType)
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

    def of_all(self, sums: Iterable[Any], waiting: Waiting) -> list[Any]:
        """The same for many sums: each is handed from frame to frame, down to the last."""
        frames: list[tuple[Any, Any]] = []
        frame: Frame | None = waiting.frame
        while frame is not None:
            machine, number, live, frame = frame
            frames.append((machine.functions[number], live))
        found: list[Any] = []
        for thrown in sums:
            value = thrown
            for function, live in frames:
                try:
                    value, after, _ = function(live, value)
                except Exception:  # it is met again, by a way that can be told
                    after, value = TAIL, None
                if after is not RETURNS or isinstance(value, _LEADS_ON):
                    value = self(thrown, waiting)
                    break
            found.append(value)
        return found


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


_Below = dict[int, tuple["Frame", "FramesKey | None"]]
"""What frames are known by that wait for others, by their ids."""


def frames_key(frame: Frame | None, below: _Below | None = None) -> FramesKey | None:
    """Return what frames are known by; None where something may change, or is not all known."""
    if frame is None:
        return _NO_FRAMES
    machine, number, live, under = frame
    rest: FramesKey | None
    if under is None or below is None:
        rest = frames_key(under)
    elif id(under) in below:
        rest = below[id(under)][1]
    else:
        rest = frames_key(under)
        below[id(under)] = under, rest
    if rest is None:
        return None
    known: Key = live
    if not _are_simple(map(type, live)):
        for value in live:
            if type(value) in UNKNOWN or (
                isinstance(value, tuple) and not UNKNOWN.isdisjoint(map(type, value))
            ):
                return None
        keys = Keys()
        known = keys.all_of(live)
        if keys.numbers or keys.dice:
            return None
    program = machine.program
    return FramesKey(
        (id(program), number, *rest.awaits), (known, *rest.live), (program, *rest.programs)
    )


_NO_FRAMES = FramesKey((), (), ())
_are_simple = SIMPLE.issuperset


def last_throw(step: Tally[Any], frame: Frame, stepper: Stepper) -> Tally[Any] | None:
    """Return a tally that frames wait for as one that a rule ends in; None if that cannot be."""
    start = step.start
    if step.finish is not None or step.sees is not None or type(start) in UNKNOWN:
        return None
    if isinstance(start, tuple) and not UNKNOWN.isdisjoint(map(type, start)):
        return None
    key = frames_key(frame, stepper.below)
    if key is None:
        return None
    last: Tally[Any] = Tally.__new__(Tally)
    last.pool, last.read, last.sees, last.start = step.pool, step.read, None, start
    last.finish = Rest(key.awaits, key.programs)
    last.given = (Waiting(stepper, frame, key.live),)
    last._tables = step._tables
    return last
