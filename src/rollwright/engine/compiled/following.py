"""Ways on from a position of a compiled rule, one answer after the other and at once to their end.

For each answer the author's own lines run, the choice that comes next is made, and what is left is
a question with the frames that wait for it, or an outcome. All that is the same for every answer
is looked at once. Sums that a rule throws last are thrown at the very end, as a tally is that it
returns: throws that go on alike are added up together, from whatever each of them starts, and what
follows is asked once for each different sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CoroutineType
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.keys import SIMPLE, Key, Keys
from rollwright.engine.compiled.machine import (
    MOST_BELOWS,
    NO_STEP,
    UNKNOWN,
    Stepper,
    copy_frame,
)
from rollwright.engine.compiled.partial_hands import PartialHand, Unseen
from rollwright.engine.compiled.program import RETURNS, TAIL, RuleProgram
from rollwright.engine.failures import note_answers
from rollwright.engine.replay import PartOutcome
from rollwright.engine.steps import (
    Call,
    Choice,
    CutStep,
    FoldStep,
    LookStep,
    RollStep,
    SpendStep,
    Step,
    TallyStep,
    ThrowStep,
    Together,
    Token,
)
from rollwright.hands import Hand

if TYPE_CHECKING:
    from rollwright.engine.compiled.machine import At, Frame

Place = tuple[Any, Any]
ASKED: frozenset[type] = frozenset(
    [RollStep, Choice, TallyStep, FoldStep, Call, Together, SpendStep]
)
"""Kinds of what a rule may wait for."""
HANDS: frozenset[type] = frozenset([Hand, PartialHand, Unseen])
"""Kinds of local variables that are known by what is asked of them."""


class Ends(NamedTuple):
    """Follow ways to where they lead: choices on the way are made, and outcomes are read."""

    leaf: Callable[[Any], Any]
    """Function for an outcome as it is kept."""
    chosen: Callable[[Any, Any], Place] | None
    """Function for where a choice leads that is made at once."""
    kept: Callable[[Frame], Frame]
    """Function for frames in which hands are known by what is asked of them later."""

    def of(self, place: Place) -> Place:
        """Return where one way leads."""
        asked, frame = place
        if type(asked) is Choice and self.chosen is not None:
            asked, frame = self.chosen(asked, frame)
        if not isinstance(asked, Step):
            return asked, self.leaf(frame)
        if frame is None or (frame[3] is None and HANDS.isdisjoint(map(type, frame[2]))):
            return asked, frame
        return asked, self.kept(frame)

    def of_all(self, places: Iterable[Place]) -> list[Place]:
        """Return where several ways lead."""
        return [self.of(place) for place in places]


def follower(stepper: Stepper, at: At, ends: Ends) -> Callable[[Token], Place]:
    """Return a function for where an answer to a position leads."""
    asked_here, here, changes = at
    kind = type(asked_here)
    if kind is LookStep or kind is CutStep:
        raise CannotCompile("a look is followed answer by answer")
    is_ending = kind is Choice and asked_here.endings is not None
    finishes = isinstance(asked_here, ThrowStep) and asked_here.finish is not None
    if here is None or is_ending or finishes:

        def go_slowly(token: Token) -> Place:
            (place,) = stepper.ways(at, [token])
            return ends.of(place)

        return go_slowly
    if changes and stepper.shares and here[3] is None:
        changes = not here[0].shares(here[1], here[2], stepper.frozen)
    machine, number, live_here, below = here
    go_on, run = machine.functions[number], stepper._run
    leaf, chosen, kept = ends
    has_none = HANDS.isdisjoint

    def go(token: Token) -> Place:
        value = token.outcome if type(token) is PartOutcome else token
        waiting = below
        try:
            if changes:
                _, _, live, waiting = copy_frame(here, {})  # type: ignore[misc]
                asked, after, live = result = go_on(live, value)
            else:
                asked, after, live = result = go_on(live_here, value)
            if after is not RETURNS and after != TAIL and type(asked) in ASKED:
                frame: Any = (machine, after, live, waiting)
            elif (
                after is RETURNS
                and waiting is None
                and not isinstance(asked, Step)
                and type(asked) is not CoroutineType
            ):
                return NO_STEP, leaf(asked)
            else:
                asked, frame = run(result, machine, waiting)
        except Exception as problem:
            note_answers(problem, (at, token))
            raise
        if type(asked) is Choice and chosen is not None:
            asked, frame = chosen(asked, frame)
        if asked is NO_STEP:
            return asked, leaf(frame)
        if frame is None or (frame[3] is None and has_none(map(type, frame[2]))):
            return asked, frame
        return asked, kept(frame)

    return go


# --- sums that are thrown last ---

_LEADS_ON = (Step, CoroutineType)
_GOES_ON = SpendStep.__new__(SpendStep)
"""In the place of an outcome where a rule goes on, or where something goes wrong in it."""


class Rest:
    """The frames that wait for a throw, by their awaits, one below the other."""

    __slots__ = ("awaits", "programs", "_hash")

    def __init__(self, awaits: tuple[int, ...], programs: tuple[RuleProgram, ...]) -> None:
        self.awaits = awaits
        self.programs = programs
        """What the awaits are in, so that nothing else gets their ids."""
        self._hash = hash(awaits)

    def __eq__(self, other: object) -> bool:
        return type(other) is Rest and self.awaits == other.awaits

    def __hash__(self) -> int:
        return self._hash

    def __call__(self, thrown: Any, waiting: Waiting) -> Any:
        """Return the outcome after a sum, or a step where something is asked again."""
        try:
            asked, outcome = waiting.stepper.go_on(waiting.frame, thrown)
        except Exception:  # it is met again, by a way that can be told
            return _GOES_ON
        return outcome if asked is NO_STEP else _GOES_ON

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
    programs: tuple[RuleProgram, ...]


_Below = dict[int, tuple["Frame", "FramesKey | None"]]
"""What frames are known by that wait for others, by their ids."""


def frames_key(frame: Frame | None, below: _Below | None = None) -> FramesKey | None:
    """Return what frames are known by; None where something may change, or is not all known.

    What is known of frames that wait for others is noted in `below`.
    """
    awaits: list[int] = []
    known: list[Key] = []
    programs: list[RuleProgram] = []
    top = frame
    while frame is not None:
        if below is not None and frame is not top:
            rest = below.get(id(frame)) or _note_key(frame, below)
            if rest[1] is None:
                return None
            awaits += rest[1].awaits
            known += rest[1].live
            programs += rest[1].programs
            break
        machine, number, live, frame = frame
        if _are_simple(map(type, live)):
            known.append(live)
        else:
            for value in live:
                if type(value) in UNKNOWN or (
                    isinstance(value, tuple) and not UNKNOWN.isdisjoint(map(type, value))
                ):
                    return None
            keys = Keys()
            known.append(keys.all_of(live))
            if keys.numbers or keys.dice:
                return None
        awaits += [id(machine.program), number]
        programs.append(machine.program)
    return FramesKey(tuple(awaits), tuple(known), tuple(programs))


def _note_key(frame: Frame, below: _Below) -> tuple[Frame, FramesKey | None]:
    if len(below) > MOST_BELOWS:
        below.clear()
    found = below[id(frame)] = frame, frames_key(frame)
    return found


_are_simple = SIMPLE.issuperset


def last_throw(step: TallyStep[Any], frame: Frame, stepper: Stepper) -> TallyStep[Any] | None:
    """Return a tally that frames wait for as one that a rule ends in; None if that cannot be."""
    start = step.start
    if step.finish is not None or step.sees is not None or type(start) in UNKNOWN:
        return None
    if isinstance(start, tuple) and not UNKNOWN.isdisjoint(map(type, start)):
        return None
    key = frames_key(frame, stepper.below)
    if key is None:
        return None
    last: TallyStep[Any] = TallyStep.__new__(TallyStep)
    last.pool, last.read, last.sees, last.start = step.pool, step.read, None, start
    last.finish = Rest(key.awaits, key.programs)
    last.given = (Waiting(stepper, frame, key.live),)
    last._tables = step._tables
    return last
