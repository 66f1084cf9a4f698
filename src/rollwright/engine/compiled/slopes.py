"""What running numbers are worth in the end: as much for each one more, on every way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwright.engine.compiled.errors import Learn
from rollwright.engine.compiled.running_sums import KINDS, Number, RunningSlot, RunningSum
from rollwright.engine.outcome_keys import outcome_key

if TYPE_CHECKING:
    from rollwright.engine.compiled.learning import Learner
    from rollwright.engine.compiled.machine import Frame


# --- outcomes ---


def runs_in(outcome: Any) -> bool:
    """Whether an outcome is a running number, or a tuple with one in it."""
    if type(outcome) is RunningSum:
        return True
    return isinstance(outcome, tuple) and any(map(runs_in, outcome))


def running_key(outcome: Any) -> Any:
    """Return the key of an outcome with running numbers in it."""
    if type(outcome) is RunningSum:
        return RunningSum, outcome.kind, outcome.more, outcome.parts
    if runs_in(outcome):
        return type(outcome), *map(running_key, outcome)
    return outcome_key(outcome)


def put_in(outcome: Any, numbers: dict[RunningSlot, int]) -> Any:
    """An outcome with plain numbers in the place of those that run."""
    if type(outcome) is RunningSum:
        value = outcome.more + sum([times * numbers[slot] for slot, times in outcome.parts])
        return outcome.kind(value)
    if not runs_in(outcome):
        return outcome
    inner = [put_in(each, numbers) for each in outcome]
    return tuple(inner) if type(outcome) is tuple else type(outcome)._make(inner)


def slots_in(outcome: Any) -> Iterable[RunningSlot]:
    """The running numbers in an outcome."""
    if type(outcome) is RunningSum:
        for slot, _ in outcome.parts:
            yield slot
    elif isinstance(outcome, tuple):
        for each in outcome:
            yield from slots_in(each)


# --- what they are worth ---

Equation = tuple[tuple[tuple[RunningSlot, Number], ...], Number]
"""What some slots come to together, each so many times."""


class Slopes:
    """How much more the end is worth for each one more in a slot: the same on every way.

    Every way on is an equation, and every end is one. Where they have no solution, the numbers in
    them are told apart.
    """

    def __init__(self) -> None:
        self._noted: set[Equation] = set()
        self._rows: dict[RunningSlot, tuple[dict[RunningSlot, Fraction], Fraction]] = {}
        """Solved for a slot: its others, so many times, and what is to be added."""
        self._known: dict[RunningSlot, Fraction] = {}

    def hold(self, parts: Iterable[tuple[RunningSlot, Number]], comes_to: Number = 0) -> None:
        """Note that some slots come to so much together."""
        times: dict[RunningSlot, Number] = {}
        for slot, count in parts:
            times[slot] = times.get(slot, 0) + count
        listed = tuple([(slot, count) for slot, count in times.items() if count])
        equation = (listed, comes_to)
        if equation in self._noted:
            return
        self._noted.add(equation)
        self._known.clear()
        left: dict[RunningSlot, Fraction] = {}
        rest = Fraction(comes_to)
        for slot, count in listed:
            row, more = self._rows.get(slot, ({slot: Fraction(1)}, Fraction(0)))
            for other, part in row.items():
                left[other] = left.get(other, Fraction(0)) + count * part
            rest -= count * more
        left = {slot: count for slot, count in left.items() if count}
        if left:
            self._solve(left, rest)
        elif rest:
            self._see_all(slot for slot, _ in listed)

    def _solve(self, left: dict[RunningSlot, Fraction], rest: Fraction) -> None:
        pivot, factor = left.popitem()
        row = {slot: -count / factor for slot, count in left.items()}
        more = rest / factor
        for name, (others, known) in [*self._rows.items()]:
            part = others.pop(pivot, None)
            if part is not None:
                for slot, count in row.items():
                    others[slot] = others.get(slot, Fraction(0)) + part * count
                self._rows[name] = {s: n for s, n in others.items() if n}, known + part * more
        self._rows[pivot] = row, more

    def _see_all(self, slots: Iterable[RunningSlot]) -> None:
        """Have these told apart, and all that they hang together with."""
        found = set(slots)
        before = -1
        while len(found) != before:
            before = len(found)
            for parts, _ in self._noted:
                names = {slot for slot, _ in parts}
                if not names.isdisjoint(found):
                    found |= names
        for slot in found:
            slot.see()
        raise Learn

    def of(self, slot: RunningSlot) -> Fraction:
        """How much more the end is worth for each one more."""
        row = self._rows.get(slot)
        return Fraction(0) if row is None else row[1]  # nothing ever reads what is left open


Moved = tuple[tuple[RunningSlot, Number], ...]
"""By slot, what is added on a way; slots to which nothing is are left out."""
TRIED = (0, 1, 7, -3, 1000)
"""Numbers that a goal is asked about beside the running one."""


class RunningSums:
    """All running numbers of one question."""

    def __init__(self) -> None:
        self._slots: dict[object, RunningSlot] = {}
        self.begin_anew()

    def begin_anew(self) -> None:
        """Keep what was seen, and forget what followed."""
        self.slopes = Slopes()
        self._ends: list[tuple[tuple[RunningSlot, ...], int]] = []
        self._met: set[tuple[tuple[RunningSlot, ...], int]] = set()
        self._worth: dict[int, tuple[tuple[RunningSlot, Number], ...]] = {}

    @property
    def are_seen(self) -> bool:
        """Whether something looked at one of them."""
        return any([slot.seen for slot in self._slots.values()])

    def slots_of(self, frame: Frame | None) -> tuple[RunningSlot, ...]:
        """The running numbers of a position."""
        found: list[RunningSlot] = []
        while frame is not None:
            found += [value.parts[0][0] for value in frame[2] if type(value) is RunningSum]
            frame = frame[3]
        return tuple(found)

    def settle(
        self, frame: Frame, before: tuple[RunningSlot, ...], learner: Learner
    ) -> tuple[Frame, Moved]:
        """The frames of a position with its running numbers, and what was added on the way to it.

        A number runs only where all who wait for what comes of it add it up as well.
        """
        stack: list[Frame] = []
        below: Frame | None = frame
        while below is not None:
            stack.append(below)
            below = below[3]
        moved: list[tuple[RunningSlot, Number]] = []
        into: list[tuple[RunningSlot, dict[RunningSlot, Number]]] = []
        may = True
        for depth, (machine, number, live, _) in enumerate(reversed(stack)):
            site, fresh = machine.program.sites[number], [*live]
            for place, value in enumerate(live):
                running = type(value) is RunningSum
                name = site.names[place] if running or type(value) in KINDS else ""
                if not running and (not may or name not in site.added):
                    continue
                kind = value.kind if running else type(value)
                slot = self._slot((depth, id(machine.program), number, name, kind), learner)
                if slot.seen or not may:
                    if running:
                        value.look()
                    continue
                fresh[place] = RunningSum(kind, ((slot, 1),), kind(0))
                more = value.more if running else value
                if more:
                    moved.append((slot, more))
                into.append((slot, dict(value.parts) if running else {}))
            may = may and site.takes
            below = machine, number, tuple(fresh), below
        for old in before:
            self.slopes.hold([(old, 1), *[(slot, -parts.get(old, 0)) for slot, parts in into]])
        assert below is not None
        return below, tuple(moved)

    def _slot(self, key: object, learner: Learner) -> RunningSlot:
        known = self._slots.get(key)
        if known is None:
            known = self._slots[key] = RunningSlot(learner, len(self._slots))
        return known

    def note_end(self, before: tuple[RunningSlot, ...], place: int) -> None:
        """Note that a way leads from a position to an end."""
        if before and (before, place) not in self._met:
            self._met.add((before, place))
            self._ends.append((before, place))

    runs_in = staticmethod(runs_in)

    def base_worth(self, place: int, outcome: Any, goal: Callable[[Any], Any]) -> Any:
        """Return a goal's value of an outcome, without what the running numbers in it add."""
        found = goal(outcome)
        worth: Any = found.more if type(found) is RunningSum else found
        parts = found.parts if type(found) is RunningSum else ()
        slots = dict.fromkeys(slots_in(outcome))
        for many in TRIED:
            numbers = {slot: many + place for place, slot in enumerate(slots)}
            try:
                said = goal(put_in(outcome, numbers))
                same = said == worth + sum([n * numbers[slot] for slot, n in parts])
            except Exception:
                same = False
            if not same:
                for slot in slots:
                    slot.see()
                raise Learn
        self._worth[place] = parts
        return worth

    def worth_of(self, moved: Moved) -> Fraction:
        """Return what so much more of some running numbers is worth."""
        for before, place in self._ends:
            parts = dict(self._worth.get(place, ()))
            for slot in before:
                self.slopes.hold([(slot, 1)], parts.get(slot, 0))
        self._ends.clear()
        return sum([self.slopes.of(slot) * more for slot, more in moved], Fraction(0))
