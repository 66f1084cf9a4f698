"""Hands of which only the answers to some questions are known, and numbers not looked at yet.

A question about dice that is a sum over them (how many sixes, which are below 6, their total) is a
*table*: a number for each value of a die. Dice are distinguished by the answers to the tables that
were learned for them, and by nothing else. A question that was not learned gives a number that adds
up with others; code that looks at it has it learned.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, ClassVar

from rollwright.dice import Die, Pool
from rollwright.engine.compiled.errors import Learn
from rollwright.hands import Hand, check_die, refuse_comparison, refuse_order
from rollwright.readings import Reading, lasting_code, matches

Table = tuple[int, ...]
"""A question: for each letter a number."""
IndexedFace = tuple[Die, Reading, int]
"""A possible value of a die; the number distinguishes dice in different hands."""


class FaceIndex:
    """All that some dice can show, each with its place in every table."""

    tried: ClassVar[Any]
    """Asks about values that it may not change: set by `keys`, which copies and compares them."""

    __slots__ = (
        "listed",
        "dice",
        "full",
        "sums",
        "_ones",
        "_sums",
        "_tests",
        "_spans",
        "_of",
        "known_kinds",
        "_ranges",
    )

    def __init__(self, listed: tuple[IndexedFace, ...]) -> None:
        self.listed = listed
        self.dice = tuple(dict.fromkeys([die for die, _, _ in listed]))
        self.full = (1 << len(listed)) - 1
        """The mask of all letters: a bit for each."""
        self.sums = all([type(reading) is int for _, reading, _ in listed])
        """Whether the readings can be added up."""
        self._ones: dict[int, Table] = {}
        self._sums: dict[int, Table] = {}
        self._of: dict[Die, int] = {}
        self.known_kinds: dict[tuple[Die, ...], int] = {}
        self._ranges: dict[tuple[int, int | None], int] = {}
        self._tests: dict[object, int] = {}
        self._spans: dict[tuple[bool, tuple[Table, ...]], AnswerSpan] = {}

    def ones(self, mask: int) -> Table:
        """The table of how many dice show one of these letters."""
        known = self._ones.get(mask)
        if known is None:
            known = self._ones[mask] = tuple([mask >> n & 1 for n in range(len(self.listed))])
        return known

    def totals(self, mask: int) -> Table:
        """The table of what the dice come to that show one of these letters."""
        known = self._sums.get(mask)
        if known is None:
            letters = enumerate(self.listed)
            known = tuple([reading if mask >> n & 1 else 0 for n, (_, reading, _) in letters])
            self._sums[mask] = known
        return known

    def of(self, die: Die) -> int:
        """The mask of one kind of die."""
        known = self._of.get(die)
        if known is None:
            known = self._of[die] = mask_of([one is die for one, _, _ in self.listed])
        return known

    def kinds(self, dice: tuple[Die, ...]) -> int:
        """The mask of some kinds of dice."""
        known = self.known_kinds.get(dice)
        if known is None:
            known = self.known_kinds[dice] = sum({self.of(die) for die in dice})
        return known

    def between(self, low: int, high: int | None) -> int:
        """The mask of whole numbers from `low` on, to `high` if there is one."""
        known = self._ranges.get((low, high))
        if known is None:
            readings = [reading for _, reading, _ in self.listed]
            kept = [low <= one and (high is None or one <= high) for one in readings]
            known = self._ranges[low, high] = mask_of(kept)
        return known

    def passing(self, test: Any) -> int | None:
        """Return the mask of readings that pass a test; None if only whole hands can be tested."""
        key = lasting_code(test) if callable(test) else (type(test), test)
        try:
            known = self._tests.get(key) if key is not None else None
        except TypeError:
            key = known = None
        if known is None:
            passes = self._test(test)
            if passes is None:
                return None
            known = self._mask_of(passes)
            if known is None:
                return None
            if key is not None:
                self._tests[key] = known
        return known

    def _mask_of(self, passes: Callable[[Any], bool]) -> int | None:
        """Return the mask of what passes; None for a test that goes by what it was asked before."""

        def ask_test(test: Callable[[Any], bool]) -> int:
            return mask_of([bool(test(reading)) for _, reading, _ in self.listed])

        found: int | None = self.tried((passes,), ask_test)
        return found

    def _test(self, test: Any) -> Callable[[Any], bool] | None:
        readings = [reading for _, reading, _ in self.listed]
        if callable(test):
            return None if any(map(callable, readings)) else test
        kinds = {isinstance(reading, type(test)) for reading in readings}
        if isinstance(test, (str, tuple)) and len(kinds) > 1:
            return None  # its meaning depends on the dice
        if isinstance(test, str) and kinds == {False}:
            return None
        return matches(test, readings)

    def span(self, tables: tuple[Table, ...], *, counted: bool) -> AnswerSpan:
        """Return the span of these tables: all that follows from their answers."""
        known = self._spans.get((counted, tables))
        if known is None:
            known = self._spans[counted, tables] = AnswerSpan(self, tables, counted)
        return known


def mask_of(kept: Iterable[bool]) -> int:
    """The mask of those that are kept."""
    return sum([1 << number for number, keep in enumerate(kept) if keep])


Answer = tuple[int, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
"""A divisor, and what is to be added up: numbers of dice and answers, each so many times."""


class AnswerSpan:
    """Tables whose answers are known, and all others that follow from them."""

    __slots__ = ("letters", "tables", "counted", "_rows", "_known", "_counts", "_totals")

    def __init__(self, letters: FaceIndex, tables: tuple[Table, ...], counted: bool) -> None:
        self.letters = letters
        self.counted = counted
        """Whether it is known how many dice of each kind there are."""
        self._rows: list[tuple[int, list[Fraction], dict[int, Fraction]]] = []
        self._known: dict[Table, Answer | None] = {}
        self._counts: dict[int, Answer | None] = {}
        self._totals: dict[int, Answer | None] = {}
        if counted:
            for number, die in enumerate(letters.dice):
                self._add(letters.ones(letters.of(die)), ~number)
        kept: list[Table] = []
        for table in tables:
            if self._add(table, len(kept)):
                kept.append(table)
        self.tables = tuple(kept)
        """Those of which none follows from the others."""
        for number, table in enumerate(kept):
            self._known[table] = (1, (), ((number, 1),))

    @property
    def full(self) -> bool:
        """Whether everything is known."""
        return len(self._rows) == len(self.letters.listed)

    def _add(self, table: Table, name: int) -> bool:
        left, made = self._reduce(table)
        pivot = next((n for n, value in enumerate(left) if value), None)
        if pivot is None:
            return False
        factor = left[pivot]
        made = {key: -value / factor for key, value in made.items()}
        made[name] = made.get(name, Fraction(0)) + 1 / factor
        self._rows.append((pivot, [value / factor for value in left], made))
        return True

    def _reduce(self, table: Table) -> tuple[list[Fraction], dict[int, Fraction]]:
        """Return the rest of a table without its known part, and that part."""
        left = [Fraction(value) for value in table]
        made: dict[int, Fraction] = {}
        for pivot, row, parts in self._rows:
            factor = left[pivot]
            if factor:
                left = [value - factor * other for value, other in zip(left, row, strict=True)]
                for name, part in parts.items():
                    made[name] = made.get(name, Fraction(0)) + factor * part
        return left, made

    def count(self, mask: int) -> Answer | None:
        """How it follows how many dice show one of these letters; None where it does not."""
        try:
            return self._counts[mask]
        except KeyError:
            self._counts[mask] = found = self.answer(self.letters.ones(mask))
            return found

    def total(self, mask: int) -> Answer | None:
        """The same for what the dice come to that show one of these letters."""
        try:
            return self._totals[mask]
        except KeyError:
            self._totals[mask] = found = self.answer(self.letters.totals(mask))
            return found

    def answer(self, table: Table) -> Answer | None:
        """How the answer to a table follows from those that are known; None where it does not."""
        if table in self._known:
            return self._known[table]
        left, made = self._reduce(table)
        found: Answer | None = None
        if not any(left):
            whole = 1
            for value in made.values():
                whole = whole * value.denominator // _gcd(whole, value.denominator)
            parts = [(name, int(value * whole)) for name, value in made.items() if value]
            found = (
                whole,
                tuple([(~name, times) for name, times in parts if name < 0]),
                tuple([(name, times) for name, times in parts if name >= 0]),
            )
        self._known[table] = found
        return found


def _gcd(one: int, other: int) -> int:
    while other:
        one, other = other, one % other
    return one


class QuestionRecorder:
    """Records the questions about dice."""

    __slots__ = ("careful",)

    careful: bool
    """Whether every number is looked at once it is asked for, since a rule could notice."""

    def note(self, source: DiceKnowledge, table: Table) -> None:
        """Note that a table was asked for which is not known."""
        raise NotImplementedError

    def note_end(self, source: DiceKnowledge, which: str) -> None:
        """Note that the highest or the lowest was asked for which is not known."""
        raise NotImplementedError


class DiceKnowledge:
    """Dice that were thrown together, or lie in hands together: what is known of them."""

    __slots__ = ("span", "counts", "case", "site", "parts", "hand")

    def __init__(
        self,
        span: AnswerSpan,
        counts: tuple[int, ...],
        case: tuple[int, ...],
        site: QuestionRecorder,
        parts: tuple[tuple[DiceKnowledge, tuple[int, ...]], ...] = (),
    ) -> None:
        self.span = span
        self.counts = counts
        """How many dice of each kind there are; empty where that is a question too."""
        self.case = case
        """The answers to the tables of the span."""
        self.site = site
        self.parts = parts
        """Its parts: other sources, and the places of their letters among these."""
        self.hand: Hand[Any] | None = None
        """All of them as a hand, where somebody has made it."""

    def value(self, table: Table) -> int | None:
        """The answer to a table; None where it is not known."""
        found = self.span.answer(table)
        return None if found is None else self._derive(found)

    def count(self, mask: int) -> int | None:
        """How many dice show one of these letters; None where it is not known."""
        found = self.span.count(mask)
        return None if found is None else self._derive(found)

    def total(self, mask: int) -> int | None:
        """Return the sum of the dice that show one of these letters; None where it is not known."""
        found = self.span.total(mask)
        return None if found is None else self._derive(found)

    def _derive(self, found: Answer) -> int:
        whole, counts, answers = found
        case, total = self.case, 0
        for number, times in counts:
            total += self.counts[number] * times
        for number, times in answers:
            total += case[number] * times
        return total if whole == 1 else total // whole

    def look_at(self, table: Table) -> int:
        """The answer to a table that somebody looks at; it is learned if it is not known."""
        known = self.value(table)
        if known is None:
            self.site.note(self, table)
            raise Learn
        return known

    def extreme(self, which: str) -> Any:
        """The highest or the lowest of the dice; None where they are sooner seen."""
        return None

    def key(self) -> object:
        """Return the same key for sources that look the same."""
        return self.span, self.counts, self.case


class KnownDice(DiceKnowledge):
    """Dice that everybody sees: how many show each letter."""

    __slots__ = ("shown",)

    def __init__(self, letters: FaceIndex, shown: tuple[int, ...], site: QuestionRecorder) -> None:
        super().__init__(letters.span((), counted=False), (), (), site)
        self.shown = shown

    def value(self, table: Table) -> int | None:
        return sum([count * value for count, value in zip(self.shown, table, strict=True)])

    def count(self, mask: int) -> int | None:
        return self.value(self.span.letters.ones(mask))

    def total(self, mask: int) -> int | None:
        return self.value(self.span.letters.totals(mask))

    def key(self) -> object:
        return self.span, self.shown


class ProbedDice(KnownDice):
    """Dice of a way that is gone to learn what is asked: all that is looked at is noted."""

    __slots__ = ()

    def value(self, table: Table) -> int | None:
        return None

    def look_at(self, table: Table) -> int:
        self.site.note(self, table)
        known = KnownDice.value(self, table)
        assert known is not None
        return known


class StoredNumber(DiceKnowledge):
    """A number that a local variable keeps, and that nobody has looked at."""

    __slots__ = ("number",)

    def __init__(self, site: QuestionRecorder, number: Unseen | None) -> None:
        super().__init__(_NOTHING, (), (), site)
        self.number = number
        """The number itself, on a way that is only tried."""

    def value(self, table: Table) -> int | None:
        return None

    def count(self, mask: int) -> int | None:
        return None

    def total(self, mask: int) -> int | None:
        return None

    def look_at(self, table: Table) -> int:
        self.site.note(self, table)
        if self.number is None:
            raise Learn
        return self.number.look() * table[0]

    def key(self) -> object:
        return id(self.site)


_NOTHING = FaceIndex(()).span((), counted=False)
Part = tuple[DiceKnowledge, int]
"""Dice, and the mask of those that are in a hand."""
Term = tuple[DiceKnowledge, Table]


def number_of(terms: list[Term], more: int = 0) -> Any:
    """The sum of some answers: a number, or one that is not known yet."""
    left: list[Term] = []
    for source, table in terms:
        known = source.value(table)
        if known is not None:
            more += known
        elif source.site.careful:
            more += source.look_at(table)
        else:
            left.append((source, table))
    return Unseen(more, tuple(left)) if left else more


def _join_terms(terms: tuple[Term, ...], more: tuple[Term, ...]) -> list[Term]:
    """Return the terms with questions about the same dice joined into one."""
    tables = {id(source): (source, table) for source, table in terms}
    for source, table in more:
        if id(source) in tables:
            both = zip(tables[id(source)][1], table, strict=True)
            table = tuple([one + other for one, other in both])
        tables[id(source)] = (source, table)
    return [term for term in tables.values() if any(term[1])]


def _known_number(value: Any) -> Any:
    return value.look() if type(value) is Unseen else value


class Unseen:
    """A number that nobody has looked at: it adds up with others, and is learned when seen."""

    __slots__ = ("more", "terms")

    def __init__(self, more: int, terms: tuple[Term, ...]) -> None:
        self.more = more
        self.terms = terms

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # isinstance takes it for what it is
        return int

    def look(self) -> int:
        """The number itself."""
        total, learns = self.more, False
        for source, table in self.terms:
            try:
                total += source.look_at(table)
            except Learn:
                learns = True
        if learns:
            raise Learn
        return total

    def _times(self, factor: int, more: int) -> Any:
        if not factor:
            return more
        terms = [(source, tuple([factor * n for n in table])) for source, table in self.terms]
        return number_of(terms, factor * self.more + more)

    def __add__(self, other: Any) -> Any:
        if type(other) is int or type(other) is bool:
            return Unseen(self.more + other, self.terms)
        if type(other) is Unseen:
            return number_of(_join_terms(self.terms, other.terms), self.more + other.more)
        return self.look() + other

    def __radd__(self, other: Any) -> Any:
        return self + other if type(other) in _ADDED else other + self.look()

    def __neg__(self) -> Any:
        return self._times(-1, 0)

    def __pos__(self) -> Any:
        return self

    def __sub__(self, other: Any) -> Any:
        return self + -other if type(other) in _ADDED else self.look() - other

    def __rsub__(self, other: Any) -> Any:
        return self._times(-1, other) if type(other) in _ADDED else other - self.look()

    def __mul__(self, other: Any) -> Any:
        return (
            self._times(other, 0)
            if type(other) in _ADDED[:2]
            else self.look() * _known_number(other)
        )

    def __rmul__(self, other: Any) -> Any:
        return self._times(other, 0) if type(other) in _ADDED[:2] else other * self.look()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.look(), name)

    def __reduce__(self) -> Any:
        return (int, (self.look(),))

    def __hash__(self) -> int:
        return hash(self.look())

    def __eq__(self, other: object) -> bool:
        return bool(self.look() == other)


def _look_first(work: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *others: work(self.look(), *map(_known_number, others))


def _look_first_right(work: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: work(_known_number(other), self.look())


_ONE: list[Any] = [bool, int, float, str, repr, abs, operator.index, operator.invert]
_ONE += [math.trunc, math.floor, math.ceil, round, format]
_TWO: list[Any] = [operator.floordiv, operator.truediv, operator.mod, divmod, pow]
_TWO += [operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor]
for _work in (*_ONE, *_TWO, operator.lt, operator.le, operator.gt, operator.ge, operator.ne):
    setattr(Unseen, f"__{_work.__name__.strip('_')}__", _look_first(_work))
for _work in _TWO:
    setattr(Unseen, f"__r{_work.__name__.strip('_')}__", _look_first_right(_work))

_ADDED = (int, bool, Unseen)


class PartialHand(Hand[Any]):
    """A hand of dice of which no more is known than what is asked of them."""

    __slots__ = ("parts", "_whole")

    parts: tuple[Part, ...]

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self._whole: Hand[Any] | None = None

    def look(self) -> Hand[Any]:
        """The hand itself, which has it learned whole."""
        if self._whole is None:
            pairs: list[tuple[Die, Reading]] = []
            learns = False
            for source, mask in self.parts:
                letters = source.span.letters
                for number, (die, reading, _) in enumerate(letters.listed):
                    if mask >> number & 1:
                        try:
                            count = source.look_at(letters.ones(1 << number))
                        except Learn:
                            learns = True
                        else:
                            pairs += [(die, reading)] * count
            if learns:
                raise Learn
            self._whole = Hand(pairs)
        return self._whole

    def learn_whole(self) -> None:
        """Have all learned of these dice, and of all that lie with them."""
        for source, _ in self.parts:
            letters = source.span.letters
            for number in range(len(letters.listed)):
                source.site.note(source, letters.ones(1 << number))
        if not all(isinstance(source, ProbedDice) for source, _ in self.parts):
            raise Learn

    def describe(self) -> str:
        """Return what is known of these dice, in words: how many show what, what some add up to."""
        if self._whole is not None:
            return repr(self._whole)
        words = []
        for source, mask in self.parts:
            letters = source.span.letters
            for table in source.span.tables:
                masked = mask_of([bool(n and mask >> place & 1) for place, n in enumerate(table)])
                value = source.value(table)
                faces = [letters.listed[n][1] for n in range(len(table)) if masked >> n & 1]
                which = ", ".join(dict.fromkeys(map(str, faces)))
                what = "of" if {*table} <= {0, 1} else "from"
                words.append(f"{value} {what} {which}")
        return "; ".join(words)

    # --- what is known without seeing them ---

    def _apply_mask(self, mask_in: Callable[[FaceIndex], int]) -> Hand[Any]:
        parts = [(source, mask & mask_in(source.span.letters)) for source, mask in self.parts]
        return hand_of([part for part in parts if part[1]])

    def _size(self) -> Any:
        return size_of(self.parts)

    @property
    def dice(self) -> tuple[Die, ...]:  # type: ignore[override]
        return self.pool.dice

    @property
    def _dice_in_it(self) -> list[Die]:
        found: dict[Die, None] = {}
        for source, mask in self.parts:
            letters = source.span.letters
            for die in letters.dice:
                if mask & letters.of(die):
                    found[die] = None
        return [*found]

    @property
    def pool(self) -> Pool:
        counts: dict[Die, int] = {}
        learns = False
        for die in self._dice_in_it:
            try:
                counts[die] = len(self.of(die))
            except Learn:
                learns = True
        if learns:
            raise Learn
        return Pool(counts)

    def where(self, test: Any) -> Hand[Any]:
        if len(self.parts) == 1:
            ((source, mask),) = self.parts
            passing = source.span.letters.passing(test)
            return self.look().where(test) if passing is None else hand_with(source, mask & passing)
        masks = [source.span.letters.passing(test) for source, _ in self.parts]
        if None in masks:
            return self.look().where(test)
        parts = [
            (source, mask & passing)  # type: ignore[operator]
            for (source, mask), passing in zip(self.parts, masks, strict=True)
        ]
        return hand_of([part for part in parts if part[1]])

    def of(self, *dice: Die) -> Hand[Any]:
        for die in dice:
            if type(die) is not Die:
                check_die(die)
        kept: list[Part] = []
        for part in self.parts:
            source, mask = part
            letters = source.span.letters
            known = letters.known_kinds.get(dice)
            both = mask & (letters.kinds(dice) if known is None else known)
            if both:
                kept.append(part if both == mask else (source, both))
        return hand_of(kept)

    def between(self, low: Any, high: Any) -> Hand[Any]:
        return self._ranging(low, high) if type(high) is int else super().between(low, high)

    def at_least(self, low: Any) -> Hand[Any]:
        return self._ranging(low, None)

    def _ranging(self, low: Any, high: int | None) -> Hand[Any]:
        if type(low) is int and all([source.span.letters.sums for source, _ in self.parts]):
            if len(self.parts) == 1:
                ((source, mask),) = self.parts
                return hand_with(source, mask & source.span.letters.between(low, high))
            parts = [(s, mask & s.span.letters.between(low, high)) for s, mask in self.parts]
            return hand_of([part for part in parts if part[1]])
        return super().at_least(low) if high is None else super().between(low, high)

    def highest(self, count: int = 1) -> tuple[Any, ...]:
        end = self._extreme("highest") if count == 1 else None
        return super().highest(count) if end is None else (end,)

    def lowest(self, count: int = 1) -> tuple[Any, ...]:
        end = self._extreme("lowest") if count == 1 else None
        return super().lowest(count) if end is None else (end,)

    def _extreme(self, which: str) -> Any:
        """One end of all dice of a kind; None where they have to be seen for it."""
        if len(self.parts) != 1:
            return None
        ((source, mask),) = self.parts
        letters = source.span.letters
        return source.extreme(which) if mask == letters.full and letters.sums else None

    def count(self, reading: object) -> int:
        if len(self.parts) == 1:
            ((source, mask),) = self.parts
            passing = source.span.letters.passing(reading)
            if passing is not None:
                counted: int = size_of(((source, mask & passing),))
                return counted
        found = self.where(reading)
        size: int = found._size() if type(found) is PartialHand else len(found)
        return size

    def count_at_least(self, low: Any) -> int:
        found = self.at_least(low)
        size: int = found._size() if type(found) is PartialHand else len(found)
        return size

    @property
    def sum(self) -> Any:
        if len(self.parts) == 1:
            ((source, mask),) = self.parts
            known = source.total(mask) if source.span.letters.sums else None
            if known is not None:
                return known
        if not all([source.span.letters.sums for source, _ in self.parts]):
            return self.look().sum
        return number_of([(s, s.span.letters.totals(mask)) for s, mask in self.parts])

    def replaced(self, thrown: Hand[Any]) -> Hand[Any]:
        kinds = thrown._dice_in_it if type(thrown) is PartialHand else [*{*thrown.dice}]
        for die in kinds:
            again = thrown.of(die)
            had, has = len(self.of(die)), len(again)
            if has and had != has:
                return self.look().replaced(thrown)
            if not has:
                kinds = [one for one in kinds if one is not die]
        left: Hand[Any] = self._apply_mask(
            lambda letters: letters.full & ~sum({letters.of(die) for die in kinds})
        )
        return left + thrown

    def __len__(self) -> int:
        size: int = self._size()
        return size if type(size) is int else size.look()  # type: ignore[attr-defined]

    def __contains__(self, reading: object) -> bool:
        return reading in self.look() if callable(reading) else self._holds(reading)

    def _holds(self, reading: object) -> bool:
        masks = [
            mask_of([one is reading or one == reading for _, one, _ in s.span.letters.listed])
            for s, _ in self.parts
        ]
        terms = [
            (s, s.span.letters.ones(mask & same))
            for (s, mask), same in zip(self.parts, masks, strict=True)
            if mask & same
        ]
        return bool(number_of(terms) > 0)

    def __getitem__(self, die: Die) -> Any:
        if type(die) is not Die:
            self.look()._refuse_place(die)
        found = self.of(die)
        if type(found) is not PartialHand:
            return found[die]
        if len(found) != 1 or not all([s.span.letters.sums for s, _ in found.parts]):
            return found.look()[die]
        return found.sum

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Hand):
            raise self._no_number("+", other)
        if type(other) is not PartialHand:
            if not other.dice:
                return self
            return hand_of([*self.parts, *as_partial_hand(other).parts])
        masks = {id(source): mask for source, mask in self.parts}
        if any([masks.get(id(source), 0) & mask for source, mask in other.parts]):
            return self.look() + other.look()  # the same dice twice
        joined: dict[int, Part] = {id(source): (source, mask) for source, mask in self.parts}
        for source, mask in other.parts:
            joined[id(source)] = (source, mask | joined.get(id(source), (source, 0))[1])
        return hand_of([*joined.values()])

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, Hand):
            self._taken_for_a_number()
        return self if not other.dice else hand_of([*as_partial_hand(other).parts, *self.parts])

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, Hand):
            raise self._no_number("-", other)
        gone = {}
        if type(other) is PartialHand:
            gone = {id(source): mask for source, mask in other.parts}
        elif other.dice:
            return self.look() - other
        left: list[Part] = []
        for source, mask in self.parts:
            away = gone.pop(id(source), 0)
            if away & ~mask:
                return self.look() - other.look()
            if mask & ~away:
                left.append((source, mask & ~away))
        if gone:  # thrown elsewhere
            return self.look() - other.look()
        return hand_of(left)

    def __rsub__(self, other: Any) -> Any:
        if not isinstance(other, Hand):
            self._taken_for_a_number()
        return other - self.look()

    # --- what has them seen ---

    @property
    def readings(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self.look().readings

    @property
    def _source(self) -> None:  # type: ignore[override]
        return None

    def thrown_at(self, place: int) -> Hand[Any]:
        return self.look().thrown_at(place)

    def __eq__(self, other: object) -> bool:
        return self is other or self.look() == (
            other.look() if type(other) is PartialHand else other
        )

    def __hash__(self) -> int:
        return hash(self.look())

    def __iter__(self) -> Iterator[Any]:
        hand = self.look()
        if len(hand.dice) > 1:
            refuse_order(hand, sys._getframe(1))
        return iter(hand.readings)

    def __lt__(self, other: Hand[Any]) -> bool:
        refuse_comparison("<", self, other)
        return self.look() < (other.look() if type(other) is PartialHand else other)

    def __reduce__(self) -> tuple[object, ...]:
        return self.look().__reduce__()


def size_of(parts: tuple[Part, ...]) -> Any:
    """Return how many dice there are in some parts of hands."""
    if len(parts) == 1:
        ((source, mask),) = parts
        known = source.count(mask) if mask else 0
        if known is not None:
            return known
    return number_of([(s, s.span.letters.ones(mask)) for s, mask in parts])


def hand_with(source: DiceKnowledge, mask: int) -> Hand[Any]:
    """Return a hand of some dice of one source."""
    return hand_of([(source, mask)] if mask else [])


def hand_of(parts: list[Part]) -> Hand[Any]:
    """Return a hand of these dice; an ordinary one, if everybody sees all of them."""
    if len(parts) == 1:
        source, mask = parts[0]
        full = mask == source.span.letters.full
        known = source.hand if full else None
        if known is None:
            made = PartialHand(((source, mask),))
            known = made.look() if type(source) is KnownDice else made
            if full:
                source.hand = known
        return known
    made = PartialHand(tuple(parts))
    for source, _ in parts:
        if type(source) is not KnownDice:
            return made
    return made.look()


class _NullRecorder(QuestionRecorder):
    """Ignores questions about dice that everybody sees."""

    __slots__ = ()

    def __init__(self) -> None:
        self.careful = False

    def note(self, source: DiceKnowledge, table: Table) -> None:
        return


NULL_RECORDER = _NullRecorder()


def count_faces_of(
    hand: Hand[Any], listed: Callable[[tuple[IndexedFace, ...]], FaceIndex] = FaceIndex
) -> tuple[FaceIndex, tuple[int, ...]]:
    """Return the letters of known dice, and how many of them show each."""
    counts: dict[IndexedFace, int] = {}
    for die, reading in zip(hand.dice, hand.readings, strict=True):
        counts[die, reading, 0] = counts.get((die, reading, 0), 0) + 1
    return listed(tuple(counts)), tuple(counts.values())


def as_partial_hand(hand: Hand[Any]) -> PartialHand:
    """Return known dice as a hand that can be added to one of which less is known."""
    letters, counts = count_faces_of(hand)
    return PartialHand(((KnownDice(letters, counts, NULL_RECORDER), letters.full),))
