"""Outcomes with whole-number weights, over a total: what a distribution is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, TypeVar

from rollwright.arithmetic import is_number
from rollwright.dice import Outcome
from rollwright.errors import BadDist
from rollwright.exact import weights as weighing

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")

NO_BANDS: dict[Outcome, tuple[int, ...]] = {}
"""The bands of a distribution that nobody has asked for; never filled."""


class Outcomes(Generic[T]):
    """The weights themselves: looked up, in order, compared and shown."""

    __slots__ = (
        "_bands",
        "_hash",
        "_lost",
        "_moments",
        "_outcomes",
        "_rising",
        "_steps",
        "_total",
        "_weights",
    )

    _weights: dict[T, int]
    _total: int
    _lost: int
    _outcomes: tuple[T, ...] | None
    """The outcomes in order, once that was asked for; the weights are then in order too."""
    _steps: list[int] | None
    _bands: dict[tuple[T, ...], tuple[int, ...]]
    _rising: bool
    _hash: int | None
    _moments: tuple[Fraction, Fraction] | None
    """Mean and variance of the whole, where they are known although something was lost."""

    def __init__(
        self, weights: Mapping[T, int] | Iterable[tuple[T, int]], *, lost: int = 0
    ) -> None:
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        self._weights, self._total, self._lost = weighing.check_weights(pairs, lost)
        self._bands = NO_BANDS
        self._outcomes = self._steps = self._hash = self._moments = None
        self._rising = True

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
            self._put_in_order()
        return self._outcomes  # type: ignore[return-value]

    def _put_in_order(self) -> None:
        """Sort once, when order is first asked for; the weights are then kept that way."""
        given = tuple(self._weights)
        try:
            rising = tuple(sorted(given))  # type: ignore[type-var]
        except TypeError:
            rising = given
            self._rising = False
        if rising != given:
            self._weights = {outcome: self._weights[outcome] for outcome in rising}
        self._outcomes = rising

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights, parallel to `outcomes`."""
        if self._outcomes is None:
            self._put_in_order()
        return tuple(self._weights.values())

    def items(self) -> list[tuple[T, int]]:
        """Each outcome with its weight, in order."""
        if self._outcomes is None:
            self._put_in_order()
        return list(self._weights.items())

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
        if not isinstance(other, Outcomes):
            if is_number(other):
                raise BadDist(f"odds == {other} is neither true nor false: p({other}) is a chance")
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

    def _check_order(self, question: str) -> tuple[T, ...]:
        if self._outcomes is None:
            self._put_in_order()
        outcomes: tuple[T, ...] = self._outcomes  # type: ignore[assignment]
        if not self._rising:
            raise BadDist(f"{question} needs outcomes that have an order, not {outcomes[0]!r}")
        return outcomes

    def _weights_below(self) -> list[int]:
        """The weight below each outcome in order, and of all: what `bisect` then looks up."""
        if self._steps is None:
            self._check_order("this question")
            steps = [0, *accumulate(self._weights.values())]
            self._steps = steps
        return self._steps

    def __repr__(self) -> str:
        from rollwright.exact import text

        return text.text(self)
