"""The dice on the table after a throw, each with the rule's reading of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, compress, product
from math import comb, factorial, prod
from operator import itemgetter
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from rollwright.budget import Budget
from rollwright.dice import Die, Face, Order, Pool, in_order, standing
from rollwright.errors import Misuse
from rollwright.readings import SEVERAL, Reader, Reading, matches, reading_of

if TYPE_CHECKING:
    from rollwright.dice_order import Use

T = TypeVar("T")
U = TypeVar("U")


NOWHERE = -1
"""Place of dice in a hand that was put together by code."""
Places = tuple[int, ...]
"""Places of dice: the answer of the rule that threw each."""
Entry = tuple[Die, T, int]
"""A die, what is read off it, and where it was thrown."""


class Hand(Generic[T]):
    """Dice with their readings, in a fixed order: small dice first, low readings first.

    Equal dice are interchangeable, so a hand has no first or second die: ask for the `highest` or
    the `lowest`, for those `where` something holds, or give dice that mean different things
    different names.

    >>> from rollwright.dice import D6, Die
    >>> HOPE, FEAR = Die(12, name="hope"), Die(12, name="fear")
    >>> hand = Hand([(HOPE, 7), (FEAR, 11), (D6, 2), (D6, 5)])
    >>> hand[HOPE], hand.of(D6).sum, hand.count_at_least(5)
    (7, 7, 3)
    >>> (hand - hand.of(HOPE, FEAR)).pool
    2D6
    """

    __slots__ = ("dice", "readings", "_source", "_hash")

    dice: tuple[Die, ...]
    readings: tuple[T, ...]

    def __init__(self, pairs: Iterable[tuple[Die, T]] = ()) -> None:
        self._fill(*_sorted_pairs([(die, reading, NOWHERE) for die, reading in pairs]))

    def _fill(self, dice: tuple[Die, ...], shown: tuple[T, ...], source: Places | None) -> None:
        self.dice = dice
        self.readings = shown
        self._source = source
        self._hash: int | None = None

    @classmethod
    def _build(cls, dice: tuple[Die, ...], shown: tuple[U, ...], source: Places | None) -> Hand[U]:
        hand: Hand[U] = Hand.__new__(Hand)
        hand.dice = dice
        hand.readings = shown
        hand._source = source
        hand._hash = None
        return hand

    def thrown_at(self, place: int) -> Hand[T]:
        """This hand as the one thrown at `place`, so that a look can find its dice again."""
        return Hand._build(self.dice, self.readings, (place,) * len(self.dice))

    @property
    def pool(self) -> Pool:
        """The dice alone, to throw them again."""
        known = _pools.get(self.dice)
        if known is None:
            if len(_pools) > 50_000:
                _pools.clear()
            known = _pools[self.dice] = Pool(self.dice)
        return known

    @property
    def pairs(self) -> tuple[tuple[Die, T], ...]:
        """Each die with its reading."""
        return tuple(zip(self.dice, self.readings, strict=True))

    @property
    def places(self) -> Places:
        """The place at which each die was thrown; NOWHERE for a hand made by hand."""
        return self._source or (NOWHERE,) * len(self.dice)

    def where(self, test: Callable[[T], bool] | Iterable[T] | T) -> Hand[T]:
        """The dice whose reading passes `test`, is one of several values, or equals it."""
        shown = self.readings
        if type(test) is str and test in shown:
            kept = [reading == test for reading in shown]
        else:
            passes = test if callable(test) else matches(test, shown)
            kept = [passes(reading) for reading in shown]
        return self._only(kept)

    def _only(self, kept: list[bool]) -> Hand[T]:
        source = self._source
        return Hand._build(
            tuple(compress(self.dice, kept)),
            tuple(compress(self.readings, kept)),
            tuple(compress(source, kept)) if source else None,
        )

    def between(self, low: T, high: T) -> Hand[T]:
        """The dice that read `low`, `high` or anything between them."""
        return self.where(lambda reading: low <= reading <= high)  # type: ignore[operator]

    def at_least(self, low: T) -> Hand[T]:
        """The dice that read `low` or more."""
        return self.where(lambda reading: reading >= low)  # type: ignore[operator]

    def count_at_least(self, low: T) -> int:
        """How many dice read `low` or more."""
        return len(self.at_least(low))

    @property
    def sum(self) -> T:
        """The sum of the readings: 0 if there are no dice."""
        return sum(self.readings)  # type: ignore[arg-type, return-value]

    def of(self, *dice: Die) -> Hand[T]:
        """The dice of these kinds alone: `hand.of(D6)`, `hand.of(HOPE, FEAR)`."""
        for die in dice:
            check_die(die)
        kept, kinds = _of_kinds(self.dice, dice)
        source = self._source
        shown = tuple(compress(self.readings, kept))
        return Hand._build(kinds, shown, tuple(compress(source, kept)) if source else None)

    def replaced(self, thrown: Hand[T]) -> Hand[T]:
        """This hand after all of its dice of some kinds were `thrown` again: they take their place.

        Where only some dice of a kind are thrown again, say which: `hand - these + thrown`.
        """
        for die in {*thrown.dice}:
            if self.dice.count(die) != thrown.dice.count(die):
                raise Misuse(
                    f"{thrown.dice.count(die)} {die!r} cannot take the place of "
                    f"{self.dice.count(die)}: say which dice go, hand - these + thrown"
                )
        return self._only([die not in thrown.dice for die in self.dice]) + thrown

    def highest(self, count: int = 1) -> tuple[T, ...]:
        """The `count` highest readings, highest first."""
        return tuple(sorted(self.readings, reverse=True)[:count])  # type: ignore[type-var]

    def lowest(self, count: int = 1) -> tuple[T, ...]:
        """The `count` lowest readings, lowest first."""
        return tuple(sorted(self.readings)[:count])  # type: ignore[type-var]

    def count(self, reading: object) -> int:
        """How many dice read this, one of several (`[5, 6]`), or as a function says they do."""
        if callable(reading) and reading not in self.readings:
            return sum(1 for one in self.readings if reading(one))
        if isinstance(reading, _MATCHED) and not (type(reading) is str and reading in self):
            return sum(map(matches(reading, self.readings), self.readings))
        return self.readings.count(reading)

    def __add__(self, other: Hand[T]) -> Hand[T]:
        if not isinstance(other, Hand):
            raise self._no_number("+", other)
        if not other.dice:
            return self
        if not self.dice:
            return other
        entries = [*zip(self.dice, self.readings, self.places, strict=True)]
        entries += zip(other.dice, other.readings, other.places, strict=True)
        return Hand._build(*_sorted_pairs(entries))

    def __sub__(self, other: Hand[T]) -> Hand[T]:
        if not isinstance(other, Hand):
            raise self._no_number("-", other)
        if not self._source or not other._source:
            return self._without(other)
        gone = [*zip(other.dice, other.readings, other.places, strict=True)]
        left = [*zip(self.dice, self.readings, self.places, strict=True)]
        for entry in gone:  # those thrown where the others were go first: a look finds the rest
            alike = [one for one in left if one[:2] == entry[:2]]
            if not alike:
                raise Misuse(f"{self!r} has no such dice to take away: {other!r}")
            left.remove(entry if entry in alike else alike[0])
        return Hand._build(*_sorted_pairs(left))

    def _without(self, other: Hand[T]) -> Hand[T]:
        """The same where it does not matter when dice that look alike were thrown."""
        left = [*zip(self.dice, self.readings, self._source or self.dice)]
        for die, reading in zip(other.dice, other.readings):
            for number, one in enumerate(left):
                if one[0] == die and one[1] == reading:
                    del left[number]
                    break
            else:
                raise Misuse(f"{self!r} has no such dice to take away: {other!r}")
        if not left:
            return Hand._build((), (), ())
        dice, shown, source = zip(*left)
        return Hand._build(dice, shown, source if self._source else None)

    def __iter__(self) -> Iterator[T]:
        shown = self.readings
        if len(shown) > 1:
            frame = _getframe(1)
            if frame.f_lasti != _last_place or frame.f_code is not _last_code:
                _check_place(self, frame)
        return iter(shown)

    def __len__(self) -> int:
        return len(self.readings)

    def __contains__(self, reading: object) -> bool:
        return reading in self.readings

    def __getitem__(self, die: Die) -> T:
        if type(die) is not Die:
            self._refuse_place(die)
        kept, _ = _of_kinds(self.dice, (die,))
        shown = [*compress(self.readings, kept)]
        if len(shown) != 1:
            raise Misuse(
                f"a hand has {len(shown)} {die!r} where the face of one was asked for: "
                f"use hand.of(die), or give each die a name of its own, such as "
                f"Die({len(die.faces)}, name='hope')"
            )
        return shown[0]

    def _refuse_place(self, place: object) -> NoReturn:
        """Refuse a hand that is asked for the die at a place, and say what to write."""
        if len(self) == 1 and place in (0, -1):
            (die,) = self.dice
            raise Misuse(
                f"a hand is no list: the face of its only die is hand.sum, or hand[{die!r}]"
                if _are_numbers(self)
                else f"a hand is no list: the face of its only die is min(hand), or hand[{die!r}]"
            )
        if isinstance(place, (int, slice)):
            said = repr(place) if isinstance(place, int) else _format_slice(place)
            raise Misuse(
                "a hand has no first or second die, since equal dice are interchangeable: write "
                f"sorted(hand)[{said}] if its faces are to be sorted, lowest first, or "
                "throw dice that mean different things one by one, or name them: hand[HOPE]"
            )
        check_die(place)
        raise AssertionError("a die has no place")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            hint = _MEANT.get(name)
            said = f"'Hand' object has no attribute {name!r}"
            raise AttributeError(f"{said}: write {hint}" if hint else said)

        def __setitem__(self, place: object, face: object) -> NoReturn:
            raise Misuse(
                "a hand does not change: make another, such as hand - these + await roll(…), or "
                "keep its faces in a list, faces = sorted(hand)"
            )

        __delitem__ = __setitem__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Hand):
            return self is other or (self.readings == other.readings and self.dice == other.dice)
        if _looks_like_a_face(other) or (
            self.dice and type(other) is str and any(other in die.faces for die in self.dice)
        ):
            raise self._no_number("==", other)
        return False

    def __hash__(self) -> int:
        if self._hash is None:
            shown = self.readings
            if 1 <= len(shown) <= 2 and len(self.dice[-1].faces) <= _FEW_FACES:
                # as its face, or the sum of two: `hand in {7, 11}` is to be refused as well
                self._hash = hash(shown[0] if len(shown) == 1 else self._sum_if_any())
            else:
                self._hash = hash((self.dice, shown))
        return self._hash

    def _sum_if_any(self) -> object:
        shown: tuple[object, ...] = self.readings
        one, other = shown
        return one + other if type(one) is int and type(other) is int else shown

    def _taken_for_a_number(self, *_: object) -> NoReturn:
        raise Misuse(
            "a hand is its dice, not a number: write hand.sum for their sum, "
            "or hand.count(…) for how many of them show something"
        )

    if not TYPE_CHECKING:  # a type checker says so by itself
        __radd__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _taken_for_a_number
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _taken_for_a_number
        __divmod__ = __rdivmod__ = __neg__ = __pos__ = __abs__ = __round__ = _taken_for_a_number
        __index__ = __float__ = _taken_for_a_number

    def __reduce__(self) -> tuple[object, ...]:
        return (Hand, (self.pairs,))

    def __lt__(self, other: Hand[T]) -> bool:
        if not isinstance(other, Hand):
            raise self._no_number("<", other)
        refuse_comparison("<", self, other)
        if self.readings != other.readings:
            return self.readings < other.readings
        return [die.order for die in self.dice] < [die.order for die in other.dice]

    def __le__(self, other: Hand[T]) -> bool:
        if not isinstance(other, Hand):
            raise self._no_number("<=", other)
        refuse_comparison("<=", self, other)
        return not other < self

    def __gt__(self, other: Hand[T]) -> bool:
        if not isinstance(other, Hand):
            raise self._no_number(">", other)
        refuse_comparison(">", self, other)
        return other < self

    def __ge__(self, other: Hand[T]) -> bool:
        if not isinstance(other, Hand):
            raise self._no_number(">=", other)
        refuse_comparison(">=", self, other)
        return not self < other

    def _no_number(self, sign: str, other: object) -> Misuse:
        """The refusal of a hand that is taken for what its dice show."""
        if isinstance(other, (list, tuple)):
            return Misuse(
                f"a hand is no list: write sorted(hand) {sign} {sorted(other, key=repr)!r} for its "
                "faces, lowest first, or ask hand.sum or hand.count(…)"
            )
        return Misuse(
            f"a hand is its dice, not a number: write hand.sum {sign} {other!r} for their sum, "
            f"or hand.count({other!r}) for how many of them show it"
        )

    def __repr__(self) -> str:
        return "[" + ", ".join(f"{die!r}: {reading}" for die, reading in self.pairs) + "]"


@lru_cache(maxsize=10_000)
def _of_kinds(dice: tuple[Die, ...], kinds: tuple[Die, ...]) -> tuple[list[bool], tuple[Die, ...]]:
    """Which dice are of these kinds, and those dice."""
    kept = [die in kinds for die in dice]
    return kept, tuple(compress(dice, kept))


def check_die(die: object) -> None:
    """Refuse what is no die, and say what to ask a hand for."""
    if type(die) is not Die:
        raise Misuse(
            "a hand has no first or second die, since equal dice are interchangeable: "
            "name a die that there is one of, hand[HOPE], or use hand.highest(), hand.lowest() "
            f"or hand.where(...); {die!r} is no die"
        )


def _looks_like_a_face(other: object) -> bool:
    """Whether something is compared with a hand as if that were one face, or a row of them."""
    return hasattr(other, "numerator") or isinstance(other, (float, tuple, list))


_orderless: dict[tuple[int, int], CodeType] = {}
"""Places in code at which it does nothing with dice to which their order matters."""
_last_code: CodeType | None = None
_last_place = 0
"""The last of these places: most hands are gone over where the one before was."""
_getframe = sys._getframe
_uses: dict[tuple[int, int, bool], tuple[CodeType, Use | None]] = {}
"""By the place in some code, and whether it compares, what it does with dice in some order."""


def _check_place(hand: Hand[Any], frame: FrameType) -> None:
    """Look at a place in code that is not the last that was looked at."""
    global _last_code, _last_place
    code, place = frame.f_code, frame.f_lasti
    if _orderless.get((id(code), place)) is not code:
        refuse_order(hand, frame)
        if _orderless.get((id(code), place)) is not code:
            return
    _last_code, _last_place = code, place


def refuse_order(hand: Hand[Any], frame: FrameType) -> None:
    """Refuse code at a place that tells dice of one throw apart by which of them comes first."""
    use = _use(frame, compares=False)
    if use is None:
        if len(_orderless) > 10_000:
            _orderless.clear()
        _orderless[id(frame.f_code), frame.f_lasti] = frame.f_code
    if use is None or (use.adds and _are_numbers(hand)):
        return
    where = f"line {use.line}: "
    if use.callee:
        raise Misuse(
            f"{where}{use.callee} goes over the dice of a hand lowest first, whichever was thrown "
            "first: give it sorted(hand) or sorted(hand, reverse=True) if that is meant, or throw "
            f"them one by one, {_one_by_one(hand, ())}"
        )
    names, kinds = use.names, [*dict.fromkeys(hand.dice)]
    if len(kinds) > 1:
        each = " and ".join([f"hand[{die!r}]" for die in kinds])
        raise Misuse(
            f"{where}dice of different kinds lie in a hand by kind, not in the order in which they "
            f"were written: take each by its die, {each}, or roll them one after the other"
        )
    these = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "these"
    raise Misuse(
        f"{where}{these} are dice of one throw, which come sorted, lowest first: throw them one by "
        f"one, {_one_by_one(hand, names)}, or write sorted(hand) if that is meant"
    )


def _one_by_one(hand: Hand[Any], names: tuple[str, ...]) -> str:
    """Code that throws dice one after the other, the first two of them."""
    named, of = names if len(names) > 1 else ("a", "b"), "sum" if _are_numbers(hand) else "min"
    return "; ".join([f"{n} = {of}(await roll({d!r}))" for n, d in zip(named, hand.dice[:2])])


def _are_numbers(hand: Hand[Any]) -> bool:
    return all([type(one) in (int, bool) for one in hand.readings])


def refuse_comparison(sign: str, one: Hand[Any], other: Hand[Any]) -> None:
    """Refuse hands that a rule compares by itself; outcomes are sorted by them all the same."""
    frame = sys._getframe(2)
    if str(frame.f_globals.get("__name__", "")).startswith("rollwright."):
        return
    use = _use(frame, compares=True)
    if use is None:
        return
    if not use.callee:
        raise Misuse(
            f"a hand is its dice, not a number: write hand.sum {sign} other.sum for their sums, "
            f"hand.highest() {sign} other.highest() for the highest of each, or whatever is meant"
        )
    if len(one) > 1 or len(other) > 1:
        raise Misuse(
            f"line {use.line}: a hand is its dice, not a number, so no hand is the {use.callee} of "
            f"several: write {use.callee}(hand.sum, other.sum), or key=sum for the hand itself"
        )


def _use(frame: FrameType, *, compares: bool) -> Use | None:
    """The use of dice in some order, or of compared hands, at an instruction."""
    code, at = frame.f_code, frame.f_lasti
    known = _uses.get((id(code), at, compares))
    if known is None or known[0] is not code:
        if len(_uses) > 10_000:
            _uses.clear()
        from rollwright.dice_order import comparing, ordering

        found = comparing(code, at) if compares else ordering(code, at)
        known = _uses[id(code), at, compares] = (code, found)
    return known[1]


def _format_slice(place: slice) -> str:
    ends = ["" if one is None else repr(one) for one in (place.start, place.stop)]
    return ":".join(ends if place.step is None else [*ends, repr(place.step)])


_SORTED = "sorted(hand), which is a list of its faces"
_MEANT = {
    **dict.fromkeys(["face", "value", "result", "total"], "hand.sum"),
    **dict.fromkeys(["faces", "values", "results"], "hand.readings, or sorted(hand)"),
    **dict.fromkeys(["max", "high", "best", "top"], "max(hand), or hand.highest(2) for several"),
    **dict.fromkeys(["min", "low", "worst"], "min(hand), or hand.lowest(2) for several"),
    **dict.fromkeys(["append", "extend", "sort", "sorted", "pop", "index", "remove"], _SORTED),
    **dict.fromkeys(["reroll", "roll"], "hand - these + await roll(these.pool)"),
}
"""What is meant by words that a hand does not know."""
_MATCHED = (*SEVERAL, str)
"""Kinds of values that may mean others, or be no reading at all."""
_pools: dict[tuple[Die, ...], Pool] = {}


def _sorted_pairs(entries: list[Entry[T]]) -> tuple[tuple[Die, ...], tuple[T, ...], Places]:
    by_die: dict[Die, list[Entry[T]]] = {}
    for entry in entries:
        by_die.setdefault(entry[0], []).append(entry)
    listed: list[Entry[T]] = []
    for die in sorted(by_die, key=_order) if len(by_die) > 1 else by_die:
        listed += _by_reading(by_die[die])
    if not listed:
        return (), (), ()
    return tuple(zip(*listed, strict=True))  # type: ignore[return-value]


def _by_reading(group: list[Entry[T]]) -> list[Entry[T]]:
    if len(group) == 1:
        return group
    kinds = {type(reading) for _, reading, _ in group}
    if len(kinds) == 1 and kinds <= {int, str, bool}:
        return sorted(group, key=_reading)
    return sorted(group, key=lambda entry: standing(entry[1]))


_reading = itemgetter(1)


def _order(die: Die) -> Order:
    return die.order


def read_hand(pool: Pool, faces: Iterable[Face], read: Reader | None) -> Hand[Reading]:
    """The hand a throw of `pool` gives when its dice show `faces`, in the pool's order."""
    listed = tuple(faces)
    if len(listed) != pool.size:
        raise ValueError(f"{pool!r} was to show {len(listed)} faces")
    shown: list[Reading] = []
    for die, count in pool.groups:  # these are in the order that a hand has
        table = reading_of(die, read)
        shown += in_order([table[face] for face in listed[len(shown) : len(shown) + count]])
    return Hand._build(pool.dice, tuple(shown), None)


_FEW_FACES = 20
"""Dice with more have so many hands for each sum that these would be slow to tell apart."""
KEPT = 250
"""About how many bytes a hand takes, beside its readings."""
_COARSER = "ask the hand only for what matters, such as hand.sum, hand.count(6) or hand.highest(3)"


def every_hand(
    pool: Pool, tables: tuple[tuple[Reading, ...], ...], budget: Budget
) -> tuple[list[tuple[Hand[Reading], int]], int]:
    """Each different hand of a throw with its weight, and the total weight."""
    groups = [
        _reading_weights(die, table) for (die, _), table in zip(pool.groups, tables, strict=True)
    ]
    counts = [count for _, count in pool.groups]
    cases = prod([comb(n + len(g) - 1, n) for g, n in zip(groups, counts, strict=True)])
    work, size = cases * (3 + 2 * len(groups)), cases * (KEPT + 8 * pool.size)
    fits = budget.has_room(work, size)
    # Naming a pool can take longer than listing its hands.
    what = "every hand of a roll" if fits else f"every hand of {pool!r}"
    budget.spend(work, what, _COARSER)
    budget.keep(size, what, _COARSER)
    parts = [_multisets(group, count) for group, count in zip(groups, counts, strict=True)]
    total = pool.total
    dice = pool.dice
    made = Hand._build
    if len(parts) == 1:
        return [(made(dice, shown, None), weight) for shown, weight in parts[0]], total
    hands: list[tuple[Hand[Reading], int]] = []
    for combination in product(*parts):
        shown = ()
        weight = 1
        for part, part_weight in combination:
            shown += part
            weight *= part_weight
        hands.append((made(dice, shown, None), weight))
    return hands, total


def _reading_weights(die: Die, table: tuple[T, ...]) -> dict[T, int]:
    weights: dict[T, int] = {}
    for reading, weight in zip(table, die.weights, strict=True):
        weights[reading] = weights.get(reading, 0) + weight
    return {reading: weights[reading] for reading in in_order(weights)}


def _multisets(group: dict[T, int], count: int) -> list[tuple[tuple[T, ...], int]]:
    if count == 1:
        return [((reading,), weight) for reading, weight in group.items()]
    all_ways = factorial(count)
    listed = []
    for shown in combinations_with_replacement(group, count):
        weight, run, before = all_ways, 0, None
        for reading in shown:
            run = run + 1 if reading is before else 1
            before = reading
            weight = weight * group[reading] // run
        listed.append((shown, weight))
    return listed
