"""Exact distributions: every outcome with a whole-number weight, over a total.

A distribution is a value: nothing changes one, and whatever looks like a change gives another.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from rollwright.errors import BadDist
from rollwright.exact import arithmetic, blending, fields, moments

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.dice import Die

T = TypeVar("T")
U = TypeVar("U")


class Comparison(NamedTuple):
    """The chances that one throw comes out below, level with or above another."""

    less: Fraction
    equal: Fraction
    greater: Fraction


class Dist(Generic[T]):
    """How likely each outcome is: `Dist({"hit": 1, "miss": 2})`.

    `total` includes `lost`, the weight that a stated bound cut off. With something lost, chances
    are lower bounds, and means, quantiles and samples are those of the part that was counted.

    >>> two = Dist.uniform(range(1, 7)).sum_of(2)
    >>> two[7], two.total
    (6, 36)
    >>> two.at_least(10)
    Fraction(1, 6)
    >>> Dist({1: 1, 2: 3})
    Dist: 2 outcomes, total 4
      1  1/4  25 %
      2  3/4  75 %
    """

    __slots__ = ("_hash", "_lost", "_outcomes", "_rising", "_steps", "_total", "_weights")

    def __init__(
        self, weights: Mapping[T, int] | Iterable[tuple[T, int]], *, lost: int = 0
    ) -> None:
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        self._fill(*blending.checked(pairs, lost))

    def _fill(self, weights: dict[T, int], total: int, lost: int) -> None:
        self._weights = weights
        self._total = total
        self._lost = lost
        self._outcomes: tuple[T, ...] | None = None
        self._steps: list[int] | None = None
        self._rising = True
        self._hash: int | None = None

    @classmethod
    def _made(cls, weights: dict[U, int], total: int, lost: int = 0) -> Dist[U]:
        """Take over positive weights that add up, unchecked."""
        dist: Dist[U] = cls.__new__(cls)  # type: ignore[assignment]
        dist._fill(weights, total, lost)
        return dist

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
        return Dist._made({outcome: 1}, 1)

    @staticmethod
    def from_die(die: Die) -> Dist[Any]:
        """The faces of a die."""
        return Dist._made(dict(zip(die.faces, die.weights, strict=True)), die.total)

    @staticmethod
    def mixture(parts: Mapping[Dist[U], int] | Iterable[tuple[Dist[U], int]]) -> Dist[U]:
        """One of several distributions, each with its weight.

        >>> Dist.mixture({Dist.sure(0): 1, Dist.uniform([0, 1]): 2})
        Dist: 2 outcomes, total 6
          0  4/6  67 %
          1  2/6  33 %
        """
        return Dist._made(
            *blending.mixed(parts.items() if isinstance(parts, Mapping) else parts)
        )

    @property
    def total(self) -> int:
        """The weight of everything, with what was lost."""
        return self._total

    @property
    def lost(self) -> int:
        """The weight that a stated bound cut off."""
        return self._lost

    @property
    def outcomes(self) -> tuple[T, ...]:
        """The outcomes, in order where they have one."""
        if self._outcomes is None:
            try:
                self._outcomes = tuple(sorted(self._weights))  # type: ignore[type-var]
            except TypeError:
                self._outcomes = tuple(self._weights)
                self._rising = False
        return self._outcomes

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights, parallel to `outcomes`."""
        return tuple([self._weights[outcome] for outcome in self.outcomes])

    def items(self) -> list[tuple[T, int]]:
        """Each outcome with its weight, in order."""
        weights = self._weights
        return [(outcome, weights[outcome]) for outcome in self.outcomes]

    def __getitem__(self, outcome: T) -> int:
        return self._weights.get(outcome, 0)

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._weights

    def __iter__(self) -> Iterator[T]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self._weights)

    def __eq__(self, other: object) -> bool:
        """Whether every outcome is as likely here as there, whatever the totals."""
        if self is other:
            return True
        if not isinstance(other, Dist):
            return NotImplemented
        if self._total == other._total:
            return self._lost == other._lost and self._weights == other._weights
        mine, theirs = self._total, other._total
        return (
            self._weights.keys() == other._weights.keys()
            and self._lost * theirs == other._lost * mine
            and all(w * theirs == other._weights[o] * mine for o, w in self._weights.items())
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._weights))
        return self._hash

    def reduced(self) -> Dist[T]:
        """The same chances over the smallest total.

        >>> Dist({1: 2, 2: 4}).reduced().total
        3
        """
        return Dist._made(*blending.reduced(self._weights, self._total, self._lost))

    def _ranked(self, question: str) -> tuple[T, ...]:
        outcomes = self.outcomes
        if not self._rising:
            raise BadDist(f"{question} needs outcomes that have an order, not {outcomes[0]!r}")
        return outcomes

    def _climb(self) -> list[int]:
        """The weight below each outcome in order, and of all: what `bisect` then looks up."""
        if self._steps is None:
            steps = [0]
            below = 0
            for outcome in self._ranked("this question"):
                below += self._weights[outcome]
                steps.append(below)
            self._steps = steps
        return self._steps

    def __add__(self, other: Any) -> Dist[Any]:
        return Dist._made(*arithmetic.added(self, other))

    __radd__ = __add__

    def __neg__(self) -> Dist[Any]:
        return Dist._made(*arithmetic.negated(self))

    def __sub__(self, other: Any) -> Dist[Any]:
        return self + -other

    def __rsub__(self, other: Any) -> Dist[Any]:
        return -self + other

    def __mul__(self, other: Any) -> Dist[Any]:
        return Dist._made(*arithmetic.multiplied(self, other))

    __rmul__ = __mul__

    def sum_of(self, count: int) -> Dist[Any]:
        """The sum of `count` independent throws like this one.

        >>> Dist.uniform([0, 1]).sum_of(3).weights
        (1, 3, 3, 1)
        """
        return Dist._made(*arithmetic.repeated(self, count))

    def highest_of(self, count: int) -> Dist[T]:
        """The highest of `count` independent throws like this one.

        >>> Dist.uniform([1, 2, 3]).highest_of(2).weights
        (1, 3, 5)
        """
        return Dist._made(*arithmetic.best(self, self._ranked("the highest"), count))

    def lowest_of(self, count: int) -> Dist[T]:
        """The lowest of `count` independent throws like this one."""
        return Dist._made(*arithmetic.best(self, self._ranked("the lowest")[::-1], count))

    def map(self, change: Callable[[T], U]) -> Dist[U]:
        """The distribution of `change(outcome)`.

        >>> Dist.uniform(range(1, 7)).map(lambda face: face >= 5)[True]
        2
        """
        return Dist._made(blending.mapped(self._weights, change), self._total, self._lost)

    def then(self, follow: Callable[[T], Dist[U]]) -> Dist[U]:
        """What comes of going on from each outcome: `follow` gives a distribution for it.

        >>> coin = Dist.uniform([0, 1])
        >>> coin.then(lambda tails: coin if tails else Dist.sure(0)).weights
        (3, 1)
        """
        parts = [(follow(outcome), weight) for outcome, weight in self._weights.items()]
        return Dist._made(*blending.mixed(parts, self._lost))

    def joint(self, other: Dist[U]) -> Dist[tuple[T, U]]:
        """Pairs of an outcome here and an independent one there."""
        return Dist._made(*arithmetic.combined(self, other, lambda a, b: (a, b)))

    def where(self, test: Callable[[T], object]) -> Dist[T]:
        """This distribution, known to pass a test; what was lost stays lost.

        >>> Dist.uniform(range(1, 7)).where(lambda face: face > 4).outcomes
        (5, 6)
        """
        kept = {outcome: weight for outcome, weight in self._weights.items() if test(outcome)}
        if not kept:
            raise BadDist("no outcome passes the test, so there is nothing left to look at")
        return Dist._made(kept, sum(kept.values()) + self._lost, self._lost)

    def of(self, *names: str | int) -> Dist[Any]:
        """Only these fields of structured outcomes: one field's value, or a tuple of several.

        >>> Dist.uniform([(1, "a"), (2, "a")]).of(1)["a"]
        2
        """
        chosen = fields.chooser(next(iter(self._weights)), names)
        return Dist._made(fields.marginal(self._weights, chosen), self._total, self._lost)

    def weight(self, event: Callable[[T], object] | T) -> int:
        """The weight of an event: a test for outcomes, or one outcome."""
        if callable(event):
            return sum([weight for outcome, weight in self._weights.items() if event(outcome)])
        return self._weights.get(event, 0)

    def p(self, event: Callable[[T], object] | T) -> Fraction:
        """The chance of an event: a test for outcomes, or one outcome.

        >>> Dist.uniform(range(1, 7)).p(lambda face: face % 2)
        Fraction(1, 2)
        """
        return moments.ratio(self.weight(event), self._total)

    def chance(self, event: Callable[[T], object] | T) -> tuple[Fraction, Fraction]:
        """The least and the most an event's chance can be, given what was lost.

        >>> Dist({1: 2, 2: 1}, lost=1).chance(1)
        (Fraction(1, 2), Fraction(3, 4))
        """
        counted = self.weight(event)
        return (
            moments.ratio(counted, self._total),
            moments.ratio(counted + self._lost, self._total),
        )

    def percent(self, event: Callable[[T], object] | T) -> float:
        """The chance of an event in percent, rounded as floats are."""
        return 100 * self.weight(event) / self._total

    def at_least(self, mark: T) -> Fraction:
        """The chance of this outcome or a higher one."""
        steps = self._climb()
        below = steps[bisect_left(self.outcomes, mark)]  # type: ignore[type-var]
        return moments.ratio(steps[-1] - below, self._total)

    def at_most(self, mark: T) -> Fraction:
        """The chance of this outcome or a lower one."""
        steps = self._climb()
        return moments.ratio(
            steps[bisect_right(self.outcomes, mark)],  # type: ignore[type-var]
            self._total,
        )

    def at_least_table(self) -> dict[T, Fraction]:
        """For each outcome the chance to reach it.

        >>> [str(chance) for chance in Dist.uniform([1, 2]).at_least_table().values()]
        ['1', '1/2']
        """
        steps = self._climb()
        return {
            outcome: moments.ratio(steps[-1] - below, self._total)
            for outcome, below in zip(self.outcomes, steps, strict=False)
        }

    def bands(self, *edges: T) -> tuple[int, ...]:
        """The weights below the first edge, from each edge to the next, and from the last on.

        >>> Dist.uniform(range(1, 21)).bands(5, 15)
        (4, 10, 6)
        """
        steps = self._steps or self._climb()
        outcomes = self.outcomes
        made = []
        before = 0
        for edge in edges:
            below = steps[bisect_left(outcomes, edge)]  # type: ignore[type-var]
            made.append(below - before)
            before = below
        made.append(steps[-1] - before)
        if min(made) < 0:
            raise BadDist(f"the edges of bands rise from left to right, not {edges!r}")
        return tuple(made)

    @property
    def mean(self) -> Fraction:
        """The mean of the outcomes.

        >>> Dist.uniform(range(1, 7)).mean
        Fraction(7, 2)
        """
        return moments.mean(self._weights)

    @property
    def variance(self) -> Fraction:
        """The mean square distance from the mean."""
        return moments.variance(self._weights)

    @property
    def standard_deviation(self) -> float:
        """The root of the variance, as a float: it is rarely a fraction."""
        return moments.root(self.variance)

    def quantile(self, share: Fraction | float | str) -> T:
        """The first outcome that this share of the weight does not exceed.

        >>> Dist.uniform(range(1, 7)).quantile("1/3")
        2
        """
        self._ranked("a quantile")
        return self.outcomes[moments.place(self._climb(), share)]

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

    def compare(self, other: Dist[Any]) -> Comparison:
        """The chances to come out below, level with or above an independent throw.

        >>> Dist.uniform(range(1, 7)).compare(Dist.uniform(range(1, 5))).greater
        Fraction(7, 12)
        """
        self._ranked("a comparison")
        total = self._total * other.total
        return Comparison(
            *[moments.ratio(w, total) for w in moments.duel(self.items(), other.items())]
        )

    def sample(self, source: Any) -> T:
        """One outcome at random, of the part that was counted.

        `source` has `below(n)`, a whole number from 0 to n-1, each as likely as the others; a
        `random.Random` does as well.
        """
        steps = self._climb() if self.outcomes and self._rising else self._any_climb()
        below = getattr(source, "below", None) or source.randrange
        return self.outcomes[bisect_right(steps, below(steps[-1])) - 1]

    def _any_climb(self) -> list[int]:
        from itertools import accumulate

        return [0, *accumulate(self.weights)]

    def to_json(self) -> dict[str, Any]:
        """This distribution as plain JSON data; weights are strings, so no parser rounds them.

        Whole numbers, strings, booleans and None stay as they are; a fraction is written as
        `{"fraction": "1/3"}`, a tuple as `{"tuple": […]}`, a named tuple or a dataclass as an
        object of its fields, a whole number too long for other people's parsers as `{"int": "…"}`.
        """
        from rollwright.exact import stored

        return stored.written(self)

    @staticmethod
    def from_json(data: Mapping[str, Any] | str, *, shape: Callable[..., Any] | None = None) -> Dist[Any]:
        """The distribution that `to_json` wrote, exactly.

        Objects of fields become values again only by `shape`, the type they had.

        >>> Dist.from_json(Dist({1: 1, 2: 3}).to_json()) == Dist({1: 1, 2: 3})
        True
        """
        from rollwright.exact import stored

        weights, lost = stored.read(data, shape)
        return Dist(weights, lost=lost)

    def __repr__(self) -> str:
        from rollwright.exact import showing

        return showing.text(self)

    def _repr_html_(self) -> str:
        from rollwright.exact import showing

        return showing.html(self)
