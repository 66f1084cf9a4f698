"""Every case of a throw with its weight, each different throw counted once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from operator import add
from struct import Struct
from typing import Any, NamedTuple

from rollwright import exact
from rollwright.budget import Budget
from rollwright.dice import Die, Outcome
from rollwright.engine.position import Make, add_state, tuple_maker
from rollwright.engine.replay import PartOutcome, Run
from rollwright.engine.steps import FoldStep, LookStep, RollStep, State, TallyStep, ThrowStep, Token
from rollwright.hands import Hand, every_hand
from rollwright.readings import Reading, lasting_code

PLACE_BITS = 32
_HALF = 1 << (PLACE_BITS - 1)
_MOST = _HALF // 2
FEW_DICE = 16
"""Up to so many dice, sums are made by adding die after die."""
VERY_FEW = 4
"""Up to so many dice, this is the fastest way for sums by themselves too."""
FEW_SUMS = 32
"""So many tuples are sooner added as they are than made into numbers and back."""


def _check_widths(start: tuple[Any, ...], value: tuple[Any, ...]) -> None:
    if len(start) != len(value):
        raise ValueError("tuples of different lengths cannot be added up")


class Packing:
    """Tuples of so many places as numbers, and back; sums of tuples are sums of numbers."""

    __slots__ = ("make", "width", "_places", "_raise")

    def __init__(self, width: int, make: Make = tuple) -> None:
        self.width = width
        self.make = make
        self._places = Struct(f"<{width}i")
        self._raise = sum([_HALF << place * PLACE_BITS for place in range(width)])
        """Added to a number, it lifts every place above 0; taken off again bit by bit."""

    def pack(self, value: object) -> int | None:
        """A tuple of small whole numbers as one number; None if it does not fit."""
        if not isinstance(value, tuple):
            return 0 if value == 0 else None
        total = 0
        for place in reversed(value):
            if not isinstance(place, int) or not -_MOST < place < _MOST:
                return None
            total = (total << PLACE_BITS) + place
        return total

    def pack_all(self, values: Iterable[object]) -> list[int] | None:
        """Each value as a number, or None if one of them does not fit."""
        listed = []
        for value in values:
            number = self.pack(value)
            if number is None:
                return None
            listed.append(number)
        return listed

    def unpack(self, number: int) -> State:
        """The tuple behind a number."""
        lifted = (number + self._raise) ^ self._raise
        return self.make(self._places.unpack(lifted.to_bytes(self._places.size, "little")))

    def unpack_all(self, numbers: Collection[int]) -> Iterable[State]:
        """The tuples behind numbers, all at once."""
        if not self.width:
            return [self.make(())] * len(numbers)
        lift, size = self._raise, self._places.size
        lifted = b"".join([((n + lift) ^ lift).to_bytes(size, "little") for n in numbers])
        rows = self._places.iter_unpack(lifted)
        return rows if self.make is tuple else map(self.make, rows)


def packing_of(step: TallyStep[object]) -> Packing | None:
    """How the sums of a tally are packed; None where they are plain numbers."""
    start, tables = step.start, step.tables
    if start != 0 and not isinstance(start, tuple):
        return None
    first = tables[0][0] if tables else start
    tuples = [value for value in (first, start) if isinstance(value, tuple)]
    if not tuples:
        return None
    width = len(tuples[0])
    for value in {*tuples, *chain(*tables)}:  # most faces read alike
        if not isinstance(value, tuple) or len(value) != width:
            return None
    return _packing(width, tuple_maker(*tuples))


def _packing_without_start(step: TallyStep[object]) -> Packing | None:
    """How sums are packed that are plain tuples of small numbers, without a start."""
    first = step.tables[0][0]
    width = len(first) if type(first) is tuple else 0
    for reading in {*chain(*step.tables)} if width else ():
        if type(reading) is not tuple or len(reading) != width:
            return None
    return _packing(width, tuple) if width else None


@lru_cache(maxsize=256)
def _packing(width: int, make: Make) -> Packing:
    return Packing(width, make)


class SmallSums:
    """Packed sums of a few dice, made die by die; what pools have in common is made once."""

    __slots__ = ("budget", "_known")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._known: dict[tuple[object, ...], list[dict[int, int]]] = {}

    def of(
        self, step: TallyStep[object], packing: Packing, starts: dict[int, int] | None = None
    ) -> dict[int, int] | None:
        """The sums of a tally, from each of several starts; None where another way is better.

        Starts meet again soonest where most dice are alike, so those are added first.
        """
        if step.pool.size > FEW_DICE:
            return None
        alike: list[dict[int, int]] = [] if starts is None else [starts]
        for (die, count), table in zip(step.pool.groups, step.tables, strict=True):
            sums = self._alike(die, table, count, packing)
            if sums is None:
                return None
            alike.append(sums)
        first = 0 if starts is None else 1
        alike[first:] = sorted(alike[first:], key=len, reverse=True)
        made = alike[0] if alike else {0: 1}
        for sums in alike[1:]:
            made = self._both(made, list(sums.items()))
        return made

    def sums_of_all(
        self, packing: Packing, throws: list[tuple[TallyStep[object], dict[int, int]]]
    ) -> dict[int, int] | None:
        """The sums of several throws, each from its starts; None where another way is better.

        Dice that they have in common are thrown once: from the most dice down, what comes of one
        throw meets the starts of the next.
        """
        kinds: dict[tuple[Die, tuple[Reading, ...]], int] = {}
        waiting: dict[tuple[int, ...], dict[int, int]] = {}
        for step, _ in throws:
            for (die, _), table in zip(step.pool.groups, step.tables, strict=True):
                if (die, table) not in kinds:
                    kinds[die, table] = len(kinds)
                    if self._alike(die, table, 1, packing) is None:
                        return None
        for step, starts in throws:
            if step.pool.size > FEW_DICE:
                return None
            counts = [0] * len(kinds)
            for (die, count), table in zip(step.pool.groups, step.tables, strict=True):
                counts[kinds[die, table]] = count
            into = waiting.setdefault(tuple(counts), {})
            for start, ways in starts.items():
                into[start] = into.get(start, 0) + ways
        return self._throw_all(waiting, [*kinds], packing)

    def _throw_all(
        self,
        waiting: dict[tuple[int, ...], dict[int, int]],
        kinds: list[tuple[Die, tuple[Reading, ...]]],
        packing: Packing,
    ) -> dict[int, int]:
        """Throw until nothing is left: by how many dice of each kind are still to be thrown."""
        while True:
            counts = max(waiting, key=sum)
            sums = waiting.pop(counts)
            if not any(counts):
                return sums
            kind = counts.index(max(counts))
            before, after = counts[:kind], counts[kind + 1 :]
            left = counts[kind] - 1
            while left and (*before, left, *after) not in waiting:
                left -= 1
            more = self._alike(*kinds[kind], counts[kind] - left, packing)
            assert more is not None
            into = waiting.setdefault((*before, left, *after), {})
            self._both(sums, list(more.items()), into)

    def _alike(
        self, die: Die, table: tuple[Reading, ...], count: int, packing: Packing
    ) -> dict[int, int] | None:
        """The sums of so many equal dice, from the sums of one less."""
        key = (die, table, packing.width)
        known = self._known.get(key)
        if known is None:
            faces = _packed_faces(die, table, packing)
            if faces is None:
                return None
            known = self._known[key] = [{0: 1}, dict(faces)]
        while len(known) <= count:
            known.append(self._both(known[-1], list(known[1].items())))
        return known[count]

    def _both(
        self,
        sums: dict[int, int],
        more: list[tuple[int, int]],
        grown: dict[int, int] | None = None,
    ) -> dict[int, int]:
        """Every sum of the one added to every sum of the other, and to what there is already."""
        self.budget.spend(len(sums) * len(more), "the sums of a tally")
        if grown is None:
            grown = {}
        known = grown.get
        for total, ways in sums.items():
            for face, weight in more:
                number = total + face
                grown[number] = known(number, 0) + ways * weight
        return grown


def _packed_faces(
    die: Die, table: tuple[Reading, ...], packing: Packing
) -> list[tuple[int, int]] | None:
    weights: dict[Reading, int] = {}
    for reading, weight in zip(table, die.weights):
        weights[reading] = weights.get(reading, 0) + weight
    packed = []
    for reading, weight in weights.items():
        number = packing.pack(reading)
        if number is None or max(map(abs, reading)) * FEW_DICE >= _MOST:
            return None
        packed.append((number, weight))
    return packed


class Cases(NamedTuple):
    """Answers with their weights, the total weight, and the weights by themselves."""

    listed: list[tuple[Token, int]]
    total: int
    weights: tuple[int, ...]

    @classmethod
    def of(cls, listed: list[tuple[Token, int]], total: int) -> Cases:
        """These answers, over a total."""
        return cls(listed, total, tuple([weight for _, weight in listed]))


PackedCases = tuple[Packing | None, list[tuple[State, int]], int]
"""The same with tuples packed into numbers; without a packing the tuples as they are."""


Packed = tuple[Packing, dict[int, int]]
"""Packed sums with their weights."""
Numbered = tuple[Packing, list[int]]
"""Packed sums in an order that others know."""


class ThrowCases:
    """The cases of throws, remembered by dice and table of readings."""

    __slots__ = ("budget", "_known", "_near", "_small_sums", "_tuples", "_numbers")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._known: dict[Any, Any] = {}
        self._near: dict[tuple[object, ...], Cases] = {}
        """The same by their readers, which are sooner compared than what they read."""
        self._small_sums = SmallSums(budget)
        self._tuples: dict[int, bool] = {}
        """Lists of sums, all of which are kept, by whether they are tuples."""
        self._numbers: dict[int, list[int] | None] = {}
        """The same lists as single numbers, where that is possible."""

    def of(self, run: Run) -> Cases:
        """The cases of the throw or look that `run` waits for."""
        step = run.step
        return self._look(run, step) if type(step) is LookStep else self.of_throw(step)

    def of_throw(self, step: ThrowStep[object]) -> Cases:
        """The cases of a throw: hands, sums or states."""
        if type(step) is RollStep:
            return self.hands(step)
        if type(step) is FoldStep:
            return self.fold(step)
        assert type(step) is TallyStep
        return self._from(step, self.tally(step))

    def _from(self, step: TallyStep[object], cases: Cases) -> Cases:
        """The cases of a tally, each added to its start."""
        start = step.start
        if start == 0:
            return cases
        items, total, weights = cases
        if type(start) is tuple and self._are_tuples(items):
            _check_widths(start, items[0][0])
            moved = [(tuple(map(add, start, value)), weight) for value, weight in items]
        else:
            moved = [(add_state(start, value), weight) for value, weight in items]
        return Cases(moved, total, weights)

    def packed_numbers(self, step: TallyStep[object], cases: Cases) -> Numbered | None:
        """The sums of a tally with a start, in the order of its cases without one, as numbers.

        None where they are anything but plain tuples of small numbers.
        """
        items, start = cases.listed, step.start
        if type(start) is not tuple or not self._are_tuples(items):
            return None
        _check_widths(start, items[0][0])
        packing = _packing(len(start), tuple)
        if id(items) not in self._numbers:
            self._numbers[id(items)] = packing.pack_all([value for value, _ in items])
        numbers, first = self._numbers[id(items)], packing.pack(start)
        if numbers is None or first is None:
            return None
        return packing, [first + number for number in numbers]

    def _are_tuples(self, items: list[tuple[Token, int]]) -> bool:
        """Whether all of these are plain tuples, which is looked at once."""
        known: bool | None = self._tuples.get(id(items))
        if known is None:
            known = self._tuples[id(items)] = all([type(value) is tuple for value, _ in items])
        return known

    def hands(self, step: RollStep[object]) -> Cases:
        """Every hand of a roll."""
        return self._read(RollStep, step, _every_hand)

    def tally(self, step: TallyStep[object]) -> Cases:
        """Every sum of a tally, without its start."""
        return self._read(TallyStep, step, self._every_sum)

    def few_sums(self, step: TallyStep[object]) -> Cases | None:
        """Every sum of a tally with its start, where there are too few of them to be packed."""
        cases = self.tally(step) if 0 < step.pool.size <= VERY_FEW else None
        return None if cases is None or len(cases.weights) > FEW_SUMS else self._from(step, cases)

    def _every_sum(self, step: TallyStep[object], budget: Budget) -> Cases:
        """Sums of very few dice are sooner made die by die than by what is best for many."""
        few = _few_sums(step) if 0 < step.pool.size <= VERY_FEW else None
        if few is not None:
            return few
        packing = _packing_without_start(step) if 0 < step.pool.size <= VERY_FEW else None
        sums = None if packing is None else self._small_sums.of(step, packing)
        if packing is None or sums is None:
            return _every_sum(step, budget)
        listed = zip(packing.unpack_all(sums), sums.values(), strict=True)
        return Cases.of(sorted(listed), step.pool.total)

    def _read(self, kind: type, step: Any, listed: Callable[[Any, Budget], Cases]) -> Cases:
        """The cases of a throw, known by its reader or at least by what that reads."""
        near = (kind, step.pool, step.read)
        known: Cases | None = self._near.get(near)
        if known is None:
            key = (kind, step.pool, step.tables)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = listed(step, self.budget)
            if step.read is None or lasting_code(step.read) is not None:
                self._near[near] = known
        return known

    def packed_tally(self, step: TallyStep[object]) -> PackedCases:
        """Every sum of a tally of tuples as single numbers, where that is possible."""
        width = len(step.start) if isinstance(step.start, tuple) else 0
        key = (Packing, step.pool, step.tables, width, type(step.start))
        known: PackedCases | None = self._known.get(key)
        if known is None:
            packing = packing_of(step)
            sums = None if packing is None else self._small_sums.of(step, packing)
            if packing is None or sums is None:
                items, total, _ = self.tally(step)
                numbers = packing.pack_all([value for value, _ in items]) if packing else None
                if packing is None or numbers is None:
                    known = (None, items, total)
                else:
                    weights = [weight for _, weight in items]
                    known = (packing, list(zip(numbers, weights, strict=True)), total)
            else:
                known = (packing, list(sums.items()), step.pool.total)
            self._known[key] = known
        return known

    def packed_all(
        self, packing: Packing, throws: list[tuple[TallyStep[object], dict[int, int]]]
    ) -> dict[int, int] | None:
        """The packed sums of several throws; None where another way is better."""
        return self._small_sums.sums_of_all(packing, throws) if len(throws) > 1 else None

    def packed_from(self, step: TallyStep[object], starts: dict[State, int]) -> Packed | None:
        """The sums of a tally of tuples from several starts; None where another way is better."""
        packing = packing_of(step) if len(starts) > 1 and len(step.pool.groups) > 1 else None
        keys = None if packing is None else packing.pack_all(starts)
        if packing is None or keys is None:
            return None
        sums = self._small_sums.of(step, packing, dict(zip(keys, starts.values(), strict=True)))
        return None if sums is None else (packing, sums)

    def fold(self, step: FoldStep[object]) -> Cases:
        """Every state a fold can come to."""
        key = (FoldStep, step.pool, step.tables, step.start, step.step)
        known: Cases | None = self._known.get(key)
        if known is None:
            known = self._known[key] = _dist_cases(
                exact.reduce(step.pool, step.start, step.step, read=step.read, budget=self.budget)
                if step.pool
                else exact.Dist.sure(step.start)
            )
        return known

    def _look(self, run: Run, step: LookStep[object]) -> Cases:
        pool, owners = run.look_pool()
        stand_in: RollStep[object] = RollStep.__new__(RollStep).fill(pool, step.read)
        hands, total, weights = self.hands(stand_in)
        shown = [
            (Hand((owners[die], reading) for die, reading in hand.pairs), weight)
            for hand, weight in hands
        ]
        return Cases(shown, total, weights)


def sample_finishes(step: TallyStep[object]) -> Iterator[Outcome]:
    """Yield the finish of a tally of few dice at middling faces, first ones and last ones."""
    if step.pool.size > FEW_DICE:
        return
    for half in (1, 0, 2):
        raw = step.start
        for (_, count), table in zip(step.pool.groups, step.tables, strict=True):
            reading = table[half * (len(table) - 1) // 2]
            for _ in range(count):
                raw = add_state(raw, reading)
        yield step.finish_with(raw)


def part_cases(dist: exact.Dist[Outcome]) -> Cases:
    """The cases of a part of a rule whose odds are known."""
    return Cases.of(
        [(PartOutcome(outcome), weight) for outcome, weight in dist.items()], dist.total
    )


def _few_sums(step: TallyStep[object]) -> Cases | None:
    """Every sum of very few dice that read few plain tuples, added as they are.

    None where they read something else, or where sums are sooner made as single numbers.
    """
    sums: dict[tuple[int, ...], int] = {}
    width = 0
    for (die, count), table in zip(step.pool.groups, step.tables, strict=True):
        if die.total != len(table) or len(different := {*table}) > FEW_SUMS:
            return None
        weights: dict[tuple[int, ...], int] = {}
        for reading in different:
            if type(reading) is not tuple or not reading or len(reading) != (width or len(reading)):
                return None
            width = len(reading)
            for place in reading:
                if type(place) is not int:
                    return None
            weights[reading] = table.count(reading)
        for _ in range(count):
            if len(sums) * len(weights) > FEW_SUMS:
                return None
            sums = _add_weights(sums, weights) if sums else weights
    return Cases.of(sorted(sums.items()), step.pool.total)


def _add_weights(
    sums: dict[tuple[int, ...], int], weights: dict[tuple[int, ...], int]
) -> dict[tuple[int, ...], int]:
    grown: dict[tuple[int, ...], int] = {}
    for one, ways in sums.items():
        for other, weight in weights.items():
            both = tuple(map(add, one, other))
            grown[both] = grown.get(both, 0) + ways * weight
    return grown


def _every_hand(step: RollStep[object], budget: Budget) -> Cases:
    return Cases.of(*every_hand(step.pool, step.tables, budget))


def _every_sum(step: TallyStep[object], budget: Budget) -> Cases:
    return _dist_cases(exact.sum_of(step.pool, step.read, budget=budget) if step.pool else None)


def _dist_cases(dist: exact.Dist[Outcome] | None) -> Cases:
    if dist is None:
        return Cases([(0, 1)], 1, (1,))
    return Cases.of(list(dist.items()), dist.total)
