"""Exact distributions: every outcome with a whole-number weight, over a total.

A distribution is a value: nothing changes one, and whatever looks like a change gives another.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from math import sqrt
from operator import floordiv, mod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from rollwright.arithmetic import Arithmetic
from rollwright.dice import Outcome
from rollwright.errors import BadDist
from rollwright.exact import events, fields
from rollwright.exact import weights as weighing
from rollwright.exact.outcomes import NO_BANDS, Outcomes

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random

    from rollwright.dice import Die
    from rollwright.jsonable import Json

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")

Operand: TypeAlias = "Dist[Outcome] | Outcome"
"""Another throw, dice, or a constant: a number, or a tuple of numbers."""

WHOLE = {int}
MOST_KNOWN_BANDS = 1000


def _as_odds(operand: Operand) -> Operand:
    return operand.as_dist() if isinstance(operand, Arithmetic) else operand


def _size(outcome: Outcome, _: Outcome) -> Outcome:
    return abs(outcome)


@runtime_checkable
class RandomSource(Protocol):
    """Whole numbers from 0 to n - 1, each as likely as the others."""

    def below(self, n: int, /) -> int:
        """One of them."""
        ...


class Comparison(NamedTuple):
    """The chances that one throw comes out below, level with or above another."""

    less: Fraction
    equal: Fraction
    greater: Fraction


class Dist(Outcomes[T]):
    """How likely each outcome is: `Dist({"hit": 1, "miss": 2})`.

    `total` includes `lost`, the weight that a stated bound cut off. With something lost, chances
    are lower bounds, and quantiles and samples are those of the part that was counted. A mean is
    of the whole, or refused: that of dice which explode without end is known exactly.

    >>> two = Dist.uniform(range(1, 7)).sum_of(2)
    >>> two[7], two.total
    (6, 36)
    >>> two.at_least(10)
    Fraction(1, 6)
    >>> (two // 2 >= 5).p(True)
    Fraction(1, 6)
    >>> Dist({1: 1, 2: 3})
    Dist: 2 outcomes, total 4
      1  1/4  25 %
      2  3/4  75 %
    """

    __slots__ = ()

    @staticmethod
    def _build(
        weights: dict[U, int], total: int, lost: int = 0, outcomes: tuple[U, ...] | None = None
    ) -> Dist[U]:
        """Take over positive weights that add up, unchecked; `outcomes` where they are in order."""
        dist: Dist[U] = object.__new__(Dist)
        dist._weights = weights
        dist._total = total
        dist._lost = lost
        dist._outcomes = outcomes
        dist._bands = NO_BANDS
        dist._steps = dist._hash = dist._moments = None
        dist._rising = True
        return dist

    def _set_moments(self, mean: Fraction, variance: Fraction) -> Dist[T]:
        """Note the mean and the variance of the whole, which the counted part does not give."""
        self._moments = mean, variance
        return self

    def _add_moments(self, made: Dist[Outcome], other: Operand) -> Dist[Outcome]:
        """Note the moments of a sum, if they are known of this and of what is added."""
        if not isinstance(other, Dist):
            return made._set_moments(self.mean + other, self.variance)
        if all(dist._moments or not dist._lost for dist in (self, other)):
            made._set_moments(self.mean + other.mean, self.variance + other.variance)
        return made

    @staticmethod
    def uniform(outcomes: Iterable[U]) -> Dist[U]:
        """Each of these as likely as the others; one given twice counts twice.

        >>> Dist.uniform("aab")["a"]
        2
        """
        return Dist((outcome, 1) for outcome in outcomes)

    @staticmethod
    def sure(outcome: U) -> Dist[U]:
        """This outcome and no other."""
        return Dist._build({outcome: 1}, 1)

    @staticmethod
    def from_die(die: Die) -> Dist[Outcome]:
        """The faces of a die."""
        return Dist._build(dict(zip(die.faces, die.weights, strict=True)), die.total)

    @staticmethod
    def mixture(parts: Mapping[Dist[U], int] | Iterable[tuple[Dist[U], int]]) -> Dist[U]:
        """One of several distributions, each with its weight.

        >>> Dist.mixture({Dist.sure(0): 1, Dist.uniform([0, 1]): 2})
        Dist: 2 outcomes, total 6
          0  4/6  67 %
          1  2/6  33 %
        """
        return Dist._build(*weighing.mix(parts.items() if isinstance(parts, Mapping) else parts))

    def reduced(self) -> Dist[T]:
        """The same chances over the smallest total.

        >>> Dist({1: 2, 2: 4}).reduced().total
        3
        """
        return Dist._build(*weighing.reduce(self._weights, self._total, self._lost))

    def __add__(self, other: Operand) -> Dist[Outcome]:
        if type(other) is int and set(map(type, self._weights)) == WHOLE:
            # Nothing can go wrong, and the order stays.
            moved = {outcome + other: weight for outcome, weight in self._weights.items()}  # type: ignore[operator]
            order = None if self._outcomes is None else tuple(moved)
            made = Dist._build(moved, self._total, self._lost, order)
            return self._add_moments(made, other) if self._moments else made
        other = _as_odds(other)
        is_odds = isinstance(other, Dist)
        made = Dist._build(*(weighing.add if is_odds else weighing.shift)(self, other))
        return (
            self._add_moments(made, other)
            if self._moments or (is_odds and other._moments)
            else made
        )

    __radd__ = __add__

    def __neg__(self) -> Dist[Outcome]:
        made = Dist._build(*weighing.negate(self))
        return made._set_moments(-self.mean, self.variance) if self._moments else made

    def __abs__(self) -> Dist[Outcome]:
        return Dist._build(*weighing.join_results(self, 0, _size))

    def __sub__(self, other: Operand) -> Dist[Outcome]:
        return self.__add__(-other)

    def __rsub__(self, other: Operand) -> Dist[Outcome]:
        return self.__neg__().__add__(other)

    def __mul__(self, other: Operand) -> Dist[Outcome]:
        other = _as_odds(other)
        if isinstance(other, Dist):
            return Dist._build(*weighing.multiply(self, other))
        made = Dist._build(*weighing.scale_by(self, other))
        if self._moments:
            made._set_moments(self.mean * other, self.variance * other * other)
        return made

    __rmul__ = __mul__

    def __floordiv__(self, other: Operand) -> Dist[Outcome]:
        return self._join_results(other, floordiv)

    def __rfloordiv__(self, other: Operand) -> Dist[Outcome]:
        return self._join_results(other, lambda mine, theirs: theirs // mine)

    def __mod__(self, other: Operand) -> Dist[Outcome]:
        return self._join_results(other, mod)

    def __rmod__(self, other: Operand) -> Dist[Outcome]:
        return self._join_results(other, lambda mine, theirs: theirs % mine)

    def __truediv__(self, other: Operand) -> Dist[Outcome]:
        return self._join_results(other, weighing.quotient)

    def __rtruediv__(self, other: Operand) -> Dist[Outcome]:
        return self._join_results(other, lambda mine, theirs: weighing.quotient(theirs, mine))

    def _join_results(
        self, other: Operand, join: Callable[[Outcome, Outcome], Outcome]
    ) -> Dist[Outcome]:
        return Dist._build(*weighing.join_results(self, _as_odds(other), join))

    def __lt__(self, other: Operand) -> Dist[bool]:
        return self._compare_with(other, less=True)

    def __le__(self, other: Operand) -> Dist[bool]:
        return self._compare_with(other, less=True, equal=True)

    def __gt__(self, other: Operand) -> Dist[bool]:
        return self._compare_with(other, greater=True)

    def __ge__(self, other: Operand) -> Dist[bool]:
        return self._compare_with(other, equal=True, greater=True)

    def __and__(self, other: Dist[bool]) -> Dist[bool]:
        return self._either_way(other, "&", lambda mine, theirs: mine and theirs)

    def __or__(self, other: Dist[bool]) -> Dist[bool]:
        return self._either_way(other, "|", lambda mine, theirs: mine or theirs)

    def __invert__(self) -> Dist[bool]:
        events.check_truths(self._weights, "~")
        return self.map(lambda mine: not mine)

    def _either_way(
        self, other: Dist[bool], sign: str, join: Callable[[bool, bool], bool]
    ) -> Dist[bool]:
        """Return the joint yes or no of two separate throws."""
        if not isinstance(other, Dist):
            return NotImplemented
        mine: Dist[Any] = self
        for odds in (mine, other):
            events.check_truths(odds._weights, sign)
        return mine.combine(other, join)

    def _compare_with(self, other: Operand, **wanted: bool) -> Dist[bool]:
        """How likely it is that a comparison with a mark, or with another throw, holds."""
        self._check_order("a comparison")
        return Dist._build(*weighing.compare(self, self._mark(other), **wanted))

    def _mark(self, other: Operand) -> Dist[Outcome]:
        """Return the other side of a comparison: odds, the odds of dice, or a certain value."""
        other = _as_odds(other)
        return other if isinstance(other, Dist) else Dist.sure(other)

    def __bool__(self) -> bool:
        if all(type(outcome) is bool for outcome in self._weights):
            raise BadDist(
                "odds are neither true nor false: ask how likely it is, as (2 * D6 >= 7).p(True)"
            )
        return True

    def sum_of(self, count: int) -> Dist[Outcome]:
        """The sum of `count` independent throws like this one.

        >>> Dist.uniform([0, 1]).sum_of(3).weights
        (1, 3, 3, 1)
        """
        made = Dist._build(*weighing.add_up(self, count))
        if self._moments:
            made._set_moments(self.mean * count, self.variance * count)
        return made

    def highest_of(self, count: int) -> Dist[T]:
        """The highest of `count` independent throws like this one.

        >>> Dist.uniform([1, 2, 3]).highest_of(2).weights
        (1, 3, 5)
        """
        if count.__class__ is not int or count < 1:
            weighing.check_count(count, least=1)
        outcomes = self._check_order("the highest")
        made, counted = weighing.best(self._weights.items(), count)
        total = self._total**count
        return Dist._build(made, total, total - counted, outcomes)

    def lowest_of(self, count: int) -> Dist[T]:
        """The lowest of `count` independent throws like this one."""
        if count.__class__ is not int or count < 1:
            weighing.check_count(count, least=1)
        outcomes = self._check_order("the lowest")
        made, counted = weighing.worst(self._weights.items(), self._total - self._lost, count)
        total = self._total**count
        return Dist._build(made, total, total - counted, outcomes)

    def map(self, change: Callable[[T], U]) -> Dist[U]:
        """The distribution of `change(outcome)`.

        >>> Dist.uniform(range(1, 7)).map(lambda face: face >= 5)[True]
        2
        """
        return Dist._build(weighing.map_weights(self._weights, change), self._total, self._lost)

    def then(self, follow: Callable[[T], Dist[U]]) -> Dist[U]:
        """Return the distribution after going on from each outcome: `follow` gives the next one.

        >>> coin = Dist.uniform([0, 1])
        >>> coin.then(lambda tails: coin if tails else Dist.sure(0)).weights
        (3, 1)
        """
        parts = [(follow(outcome), weight) for outcome, weight in self._weights.items()]
        if self._total == 1 and isinstance(parts[0][0], Dist):
            return parts[0][0]
        return Dist._build(*weighing.mix(parts, self._lost))

    def joint(self, other: Dist[U]) -> Dist[tuple[T, U]]:
        """Pairs of an outcome here and an independent one there."""
        return Dist._build(*weighing.pair_outcomes(self, other))

    def combine(self, other: Dist[U], join: Callable[[T, U], V]) -> Dist[V]:
        """The distribution of `join(outcome, other outcome)`, the other one being independent.

        >>> two = Dist.uniform([1, 2])
        >>> two.combine(two, max).weights
        (1, 3)
        """
        weights, total, lost = weighing.combine(self, other, join)
        weighing.refuse_floats(weights)
        return Dist._build(weights, total, lost)

    def where(self, test: Callable[[T], object]) -> Dist[T]:
        """This distribution, known to pass a test; what was lost stays lost.

        >>> Dist.uniform(range(1, 7)).where(lambda face: face > 4).outcomes
        (5, 6)
        """
        passes = events.test_of(test)
        kept = {outcome: weight for outcome, weight in self._weights.items() if passes(outcome)}
        if not kept:
            raise BadDist("no outcome passes the test, so there is nothing left to look at")
        return Dist._build(kept, sum(kept.values()) + self._lost, self._lost)

    def _repr_html_(self) -> str:
        """A picture and a table for notebooks, made when asked; or what each field comes to."""
        from rollwright.pictures.files import render_table

        return render_table(self)

    def of(self, *names: str | int) -> Dist[Outcome]:
        """Only these fields of structured outcomes: one field's value, or a tuple of several.

        >>> Dist.uniform([(1, "a"), (2, "a")]).of(1)["a"]
        2
        """
        chosen = fields.chooser(next(iter(self._weights)), names)
        return Dist._build(fields.marginal(self._weights, chosen), self._total, self._lost)

    def weight(self, event: Callable[[T], object] | Collection[T] | T) -> int:
        """The weight of an event: a test for outcomes, one outcome, or several: `[5, 6]`.

        A word is an outcome as it is printed; one that no outcome is called is refused.
        """
        weights: dict[Any, int] = self._weights
        if callable(event):
            return sum([weight for outcome, weight in weights.items() if event(outcome)])
        if event is True or event is False:
            return events.weight_of_truth(weights, event)
        try:
            found = weights.get(event)
        except TypeError:
            found = None
        return events.weight_of(weights, event) if found is None else found

    def p(self, event: Callable[[T], object] | Collection[T] | T) -> Fraction:
        """The chance of an event: a test for outcomes, one outcome, or one of several.

        >>> die = Dist.uniform(range(1, 7))
        >>> die.p(lambda face: face % 2), die.p(6), die.p([5, 6])
        (Fraction(1, 2), Fraction(1, 6), Fraction(1, 3))
        """
        return weighing.ratio(self.weight(event), self._total)

    def chance(self, event: Callable[[T], object] | Collection[T] | T) -> tuple[Fraction, Fraction]:
        """The least and the most an event's chance can be, given what was lost.

        >>> Dist({1: 2, 2: 1}, lost=1).chance(1)
        (Fraction(1, 2), Fraction(3, 4))
        """
        counted = self.weight(event)
        return (
            weighing.ratio(counted, self._total),
            weighing.ratio(counted + self._lost, self._total),
        )

    def percent(self, event: Callable[[T], object] | Collection[T] | T) -> float:
        """The chance of an event in percent, rounded as floats are."""
        return 100 * self.weight(event) / self._total

    def at_least(self, mark: T) -> Fraction:
        """The chance of this outcome or a higher one."""
        steps = self._weights_below()
        outcomes: tuple[Outcome, ...] = self.outcomes
        try:
            above = steps[-1] - steps[bisect_left(outcomes, mark)]
        except TypeError:
            return self.at_least(events.match_text(mark, outcomes))
        return weighing.ratio(above, self._total)

    def at_most(self, mark: T) -> Fraction:
        """The chance of this outcome or a lower one."""
        outcomes: tuple[Outcome, ...] = self.outcomes
        steps = self._weights_below()
        try:
            return weighing.ratio(steps[bisect_right(outcomes, mark)], self._total)
        except TypeError:
            return self.at_most(events.match_text(mark, outcomes))

    def at_least_table(self) -> dict[T, Fraction]:
        """For each outcome the chance to reach it.

        >>> [str(chance) for chance in Dist.uniform([1, 2]).at_least_table().values()]
        ['1', '1/2']
        """
        steps = self._weights_below()
        return {
            outcome: weighing.ratio(steps[-1] - below, self._total)
            for outcome, below in zip(self.outcomes, steps, strict=False)
        }

    def bands(self, *edges: T) -> tuple[int, ...]:
        """The weights below the first edge, from each edge to the next, and from the last on.

        >>> Dist.uniform(range(1, 21)).bands(5, 15)
        (4, 10, 6)
        """
        known = self._bands.get(edges)  # a table asks for the same bands many times
        if known is not None:
            return known
        made = self._count_bands(edges)
        if not self._bands or len(self._bands) >= MOST_KNOWN_BANDS:
            self._bands = {}
        self._bands[edges] = made
        return made

    def _count_bands(self, edges: tuple[T, ...]) -> tuple[int, ...]:
        steps = self._steps or self._weights_below()
        outcomes: tuple[Outcome, ...] = self.outcomes
        made = []
        before = 0
        for edge in edges:
            try:
                below = steps[bisect_left(outcomes, edge)]
            except TypeError:
                below = steps[bisect_left(outcomes, events.match_text(edge, outcomes))]
            if below < before:
                raise BadDist(f"the edges of bands rise from left to right, not {edges!r}")
            made.append(below - before)
            before = below
        made.append(steps[-1] - before)
        return tuple(made)

    @property
    def mean(self) -> Fraction:
        """The mean of the outcomes; refused where a stated bound cut something off.

        >>> Dist.uniform(range(1, 7)).mean
        Fraction(7, 2)
        """
        return self._moment(0)

    @property
    def variance(self) -> Fraction:
        """The mean square distance from the mean; refused as a mean is."""
        return self._moment(1)

    def _moment(self, which: int) -> Fraction:
        if self._moments is not None:
            return self._moments[which]
        if self._lost:
            name = ("mean", "variance")[which]
            raise BadDist(
                f"a stated bound cut off {100 * self._lost / self._total:.2g} % of this, so its "
                f"{name} is not known: counted_{name} goes by what was counted"
            )
        return (weighing.mean, weighing.variance)[which](self._weights)

    @property
    def counted_mean(self) -> Fraction:
        """The mean; of the part that was counted, where that of the whole is not known."""
        return self._moments[0] if self._moments else weighing.mean(self._weights)

    @property
    def counted_variance(self) -> Fraction:
        """The variance; of the part that was counted, where that of the whole is not known."""
        return self._moments[1] if self._moments else weighing.variance(self._weights)

    @property
    def standard_deviation(self) -> float:
        """The root of the variance, as a float: it is rarely a fraction."""
        return sqrt(self.variance)

    def quantile(self, share: Fraction | float | str) -> T:
        """The first outcome that this share of the weight does not exceed.

        >>> Dist.uniform(range(1, 7)).quantile("1/3")
        2
        """
        self._check_order("a quantile")
        return self.outcomes[weighing.place(self._weights_below(), share)]

    @property
    def median(self) -> T:
        """The first outcome that half of the weight does not exceed."""
        return self.quantile("1/2")

    @property
    def mode(self) -> tuple[T, ...]:
        """The most likely outcomes.

        >>> Dist.uniform(range(1, 7)).sum_of(3).mode
        (10, 11)
        """
        most = max(self._weights.values())
        return tuple([outcome for outcome in self.outcomes if self._weights[outcome] == most])

    def compare(self, other: Operand) -> Comparison:
        """The chances to come out below, level with or above an independent throw, or a number.

        >>> Dist.uniform(range(1, 7)).compare(Dist.uniform(range(1, 5))).greater
        Fraction(7, 12)
        """
        self._check_order("a comparison")
        there = self._mark(other)
        total = self._total * there.total
        return Comparison(
            *[weighing.ratio(w, total) for w in weighing.duel(self.items(), there.items())]
        )

    def sample(self, source: RandomSource | Random) -> T:
        """One outcome at random, of the part that was counted.

        `source` has `below(n)`, a whole number from 0 to n-1, each as likely as the others; a
        `random.Random` does as well.
        """
        steps = self._weights_below() if self.outcomes and self._rising else self._any_climb()
        below = source.below if isinstance(source, RandomSource) else source.randrange
        return self.outcomes[bisect_right(steps, below(steps[-1])) - 1]

    def _any_climb(self) -> list[int]:
        from itertools import accumulate

        return [0, *accumulate(self.weights)]

    def to_plain(self) -> dict[str, Json]:
        """This distribution as what JSON can hold; weights are strings, so no parser rounds them.

        Whole numbers, strings, booleans and None stay as they are; a fraction is written as
        `{"fraction": "1/3"}`, a tuple as `{"tuple": […]}`, a named tuple or a dataclass as an
        object of its fields, a whole number too long for other people's parsers as `{"int": "…"}`.
        """
        from rollwright.exact import text

        return text.dist_to_json(self)

    def to_json(self) -> str:
        """This distribution as JSON text: `to_plain`, written."""
        from rollwright.jsonable import json_text

        return json_text(self.to_plain())

    @staticmethod
    def from_json(
        data: Mapping[str, Any] | str, *, shape: Callable[..., Outcome] | None = None
    ) -> Dist[Outcome]:
        """The distribution that `to_json` or `to_plain` wrote, exactly.

        Objects of fields become values again only by `shape`, the type they had.

        >>> Dist.from_json(Dist({1: 1, 2: 3}).to_json()) == Dist({1: 1, 2: 3})
        True
        """
        from rollwright.exact import text

        weights, lost = text.dist_from_json(data, shape)
        return Dist(weights, lost=lost)
