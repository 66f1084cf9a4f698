"""Numbers that are only added to along the way, so that a position is the same whatever they are.

A count of turns or what was paid so far makes every way round a loop a new position, though nothing
but the end ever reads it. Here such a number *runs*: while a position waits nothing is known of it
but where it is kept, and a way on says what is added to it. What is worth something in the end is
then worth as much from any position, moved by what was added before.

That is proved, not believed. Whatever looks at a number that runs (a test, a call, a goal that is
not a sum) has it told apart again. What a goal makes of it must come to the same parts of it on
every way (`Slopes`), and is held against the goal itself with numbers in its place.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwright.engine.compiled.refusal import Learn
from rollwright.engine.sameness import outcome_key

if TYPE_CHECKING:
    from rollwright.engine.compiled.learning import Learner
    from rollwright.engine.compiled.machine import Frame

Number = int | Fraction
KINDS: frozenset[type] = frozenset([int, Fraction])
"""The kinds of numbers that may run: what is added to them in whatever order comes to the same."""


class Slot:
    """A local variable that keeps a running number at an await."""

    __slots__ = ("learner", "number", "seen")

    def __init__(self, learner: Learner, number: int) -> None:
        self.learner = learner
        self.number = number
        self.seen = False
        """Whether it is told apart after all."""

    def see(self) -> None:
        """Have it told apart from now on."""
        self.seen = True
        self.learner.stale = True


Parts = tuple[tuple[Slot, Number], ...]
"""Running numbers, each so many times, in the order in which they were met."""


class Running:
    """So much, and what some running numbers were when the rule waited last."""

    __slots__ = ("kind", "parts", "more")

    def __init__(self, kind: type, parts: Parts, more: Number) -> None:
        self.kind = kind
        self.parts = parts
        self.more = more

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # isinstance takes it for what it is
        return self.kind

    def look(self) -> Any:
        """Have it told apart: nobody knows here what it is."""
        for slot, _ in self.parts:
            slot.see()
        raise Learn

    def _plus(self, other: Any, sign: int) -> Any:
        if type(other) in _PLAIN:
            kind = Fraction if isinstance(other, Fraction) else self.kind
            return Running(kind, self.parts, self.more + sign * other)
        if type(other) is not Running:
            return NotImplemented if _may_look(other) else self.look()
        times = dict(self.parts)
        for slot, count in other.parts:
            times[slot] = times.get(slot, 0) + sign * count
        kind = Fraction if Fraction in (self.kind, other.kind) else int
        return made(kind, times, self.more + sign * other.more)

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        if type(other) not in _PLAIN:
            return self.look()
        kind = Fraction if isinstance(other, Fraction) else self.kind
        return made(kind, {slot: n * other for slot, n in self.parts}, self.more * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        exact = type(other) in _PLAIN and other and Fraction in (self.kind, type(other))
        return self * (1 / Fraction(other)) if exact else self.look()

    def _compared(self, other: Any, compare: Callable[[Any, Any], bool]) -> bool:
        rest = self - other if type(other) is Running else self
        return self.look() if type(rest) is Running else compare(rest, 0)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return self is other or self._compared(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self is not other and self._compared(other, operator.ne)

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, operator.ge)

    def __hash__(self) -> int:
        return hash(self.look())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.look(), name)

    def __reduce__(self) -> Any:
        return self.look()


_PLAIN = frozenset([int, bool, Fraction])


def _may_look(other: Any) -> bool:
    """Whether something knows by itself how to be added: a count of dice that nobody looked at."""
    return type(other).__name__ == "Unseen"


def made(kind: type, times: dict[Slot, Number], more: Number) -> Any:
    """A sum of running numbers and a known one; known itself where nothing of them is left."""
    parts = [(slot, count) for slot, count in times.items() if count]
    if not parts:
        return kind(more)
    parts.sort(key=lambda part: part[0].number)
    return Running(kind, tuple(parts), more)


def _looking(self: Running, *others: Any) -> Any:
    return self.look()


for _work in (bool, int, float, complex, str, repr, abs, operator.index, operator.invert, format,
              math.trunc, math.floor, math.ceil, round, operator.floordiv, operator.mod, divmod,
              pow, operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor):  # fmt: skip
    setattr(Running, f"__{_work.__name__.strip('_')}__", _looking)
for _name in "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or", "xor":
    setattr(Running, f"__r{_name}__", _looking)


# --- outcomes ---


def runs_in(outcome: Any) -> bool:
    """Whether an outcome is a running number, or a tuple with one in it."""
    if type(outcome) is Running:
        return True
    return isinstance(outcome, tuple) and any(map(runs_in, outcome))


def running_key(outcome: Any) -> Any:
    """What an outcome with running numbers in it is known by."""
    if type(outcome) is Running:
        return Running, outcome.kind, outcome.more, outcome.parts
    if runs_in(outcome):
        return type(outcome), *map(running_key, outcome)
    return outcome_key(outcome)


def put_in(outcome: Any, numbers: dict[Slot, int]) -> Any:
    """An outcome with plain numbers in the place of those that run."""
    if type(outcome) is Running:
        value = outcome.more + sum([times * numbers[slot] for slot, times in outcome.parts])
        return outcome.kind(value)
    if not runs_in(outcome):
        return outcome
    inner = [put_in(each, numbers) for each in outcome]
    return tuple(inner) if type(outcome) is tuple else type(outcome)._make(inner)


def slots_in(outcome: Any) -> Iterable[Slot]:
    """The running numbers in an outcome."""
    if type(outcome) is Running:
        for slot, _ in outcome.parts:
            yield slot
    elif isinstance(outcome, tuple):
        for each in outcome:
            yield from slots_in(each)


# --- what they are worth ---

Equation = tuple[tuple[tuple[Slot, Number], ...], Number]
"""What some slots come to together, each so many times."""


class Slopes:
    """How much more the end is worth for each one more in a slot: the same on every way.

    Every way on is an equation, and every end is one. Where they have no solution, the numbers in
    them are told apart.
    """

    def __init__(self) -> None:
        self._noted: set[Equation] = set()
        self._rows: dict[Slot, tuple[dict[Slot, Fraction], Fraction]] = {}
        """Solved for a slot: its others, so many times, and what is to be added."""
        self._known: dict[Slot, Fraction] = {}

    def hold(self, parts: Iterable[tuple[Slot, Number]], comes_to: Number = 0) -> None:
        """Note that some slots come to so much together."""
        times: dict[Slot, Number] = {}
        for slot, count in parts:
            times[slot] = times.get(slot, 0) + count
        listed = tuple([(slot, count) for slot, count in times.items() if count])
        equation = (listed, comes_to)
        if equation in self._noted:
            return
        self._noted.add(equation)
        self._known.clear()
        left: dict[Slot, Fraction] = {}
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

    def _solve(self, left: dict[Slot, Fraction], rest: Fraction) -> None:
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

    def _see_all(self, slots: Iterable[Slot]) -> None:
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

    def of(self, slot: Slot) -> Fraction:
        """How much more the end is worth for each one more."""
        row = self._rows.get(slot)
        return Fraction(0) if row is None else row[1]  # nothing ever reads what is left open


Moved = tuple[tuple[Slot, Number], ...]
"""By slot, what is added on a way; slots to which nothing is are left out."""
TRIED = (0, 1, 7, -3, 1000)
"""Numbers that a goal is asked about beside the running one."""


class RunningNumbers:
    """All running numbers of one question."""

    def __init__(self) -> None:
        self._slots: dict[object, Slot] = {}
        self.begin_anew()

    def begin_anew(self) -> None:
        """Keep what was seen, and forget what followed."""
        self.slopes = Slopes()
        self._ends: list[tuple[tuple[Slot, ...], int]] = []
        self._met: set[tuple[tuple[Slot, ...], int]] = set()
        self._worth: dict[int, tuple[tuple[Slot, Number], ...]] = {}

    def kept_in(self, frame: Frame | None) -> tuple[Slot, ...]:
        """The running numbers of a position."""
        found: list[Slot] = []
        while frame is not None:
            found += [value.parts[0][0] for value in frame[2] if type(value) is Running]
            frame = frame[3]
        return tuple(found)

    def settled(
        self, frame: Frame, before: tuple[Slot, ...], learner: Learner
    ) -> tuple[Frame, Moved]:
        """The frames of a position with its running numbers, and what was added on the way to it.

        A number runs only where all who wait for what comes of it add it up as well.
        """
        stack: list[Frame] = []
        below: Frame | None = frame
        while below is not None:
            stack.append(below)
            below = below[3]
        moved: list[tuple[Slot, Number]] = []
        into: list[tuple[Slot, dict[Slot, Number]]] = []
        may = True
        for depth, (machine, number, live, _) in enumerate(reversed(stack)):
            site, fresh = machine.program.sites[number], [*live]
            for place, value in enumerate(live):
                running = type(value) is Running
                name = site.names[place] if running or type(value) in KINDS else ""
                if not running and (not may or name not in site.added):
                    continue
                kind = value.kind if running else type(value)
                slot = self._slot((depth, id(machine.program), number, name, kind), learner)
                if slot.seen or not may:
                    if running:
                        value.look()
                    continue
                fresh[place] = Running(kind, ((slot, 1),), kind(0))
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

    def _slot(self, key: object, learner: Learner) -> Slot:
        known = self._slots.get(key)
        if known is None:
            known = self._slots[key] = Slot(learner, len(self._slots))
        return known

    def ended(self, before: tuple[Slot, ...], place: int) -> None:
        """Note that a way leads from a position to an end."""
        if before and (before, place) not in self._met:
            self._met.add((before, place))
            self._ends.append((before, place))

    runs_in = staticmethod(runs_in)

    def valued(self, place: int, outcome: Any, goal: Callable[[Any], Any]) -> Any:
        """What a goal gives for an outcome, but for what the running numbers in it add to that."""
        found = goal(outcome)
        worth: Any = found.more if type(found) is Running else found
        parts = found.parts if type(found) is Running else ()
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
        """What it is worth that some running numbers are so much more."""
        for before, place in self._ends:
            parts = dict(self._worth.get(place, ()))
            for slot in before:
                self.slopes.hold([(slot, 1)], parts.get(slot, 0))
        self._ends.clear()
        return sum([self.slopes.of(slot) * more for slot, more in moved], Fraction(0))
