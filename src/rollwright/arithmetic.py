"""Dice written as numbers are: `D6 + 1`, `2 * D6 >= 7`, `D20 - D6`, each counted at once.

Dice added to dice stay dice that can be thrown; with anything else they become the exact odds of
what comes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from rollwright.errors import BadDie

if TYPE_CHECKING:
    from rollwright.exact.dist import Dist, Operand


class Arithmetic:
    """Arithmetic of a die and a pool as if they were numbers; several dice are added up."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker would take every name for one that dice have

        def __getattr__(self, name):
            from rollwright.exact import Dist

            hint = f"; its odds have it: rollwright.odds(…).{name}" if hasattr(Dist, name) else ""
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")

    def as_dist(self) -> Dist[Any]:
        """The odds of what one die shows, or several dice in all."""
        from rollwright.exact import Dist, sum_of

        dice: Any = self
        return Dist.from_die(dice) if hasattr(dice, "faces") else sum_of(dice)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Arithmetic):
            return True if self is other else NotImplemented
        if is_number(other):
            raise BadDie(
                f"{self!r} == {other} is neither true nor false: rollwright.odds(…).p({other}) "
                "says how likely it is"
            )
        return NotImplemented

    __hash__ = object.__hash__

    def _pool_with(self, other: Any) -> Any:
        """Dice and dice, thrown together; None where the other is something else."""

    def __add__(self, other: Any) -> Any:
        pool = self._pool_with(other)
        if pool is None and isinstance(other, Arithmetic):  # which may know more of dice
            pool = other._pool_with(self)
        return self.as_dist() + _as_operand(other) if pool is None else pool

    def __radd__(self, other: Operand) -> Dist[Any]:
        return self.as_dist() + other

    def __sub__(self, other: Operand | Arithmetic) -> Dist[Any]:
        return self.as_dist() - _as_operand(other)

    def __rsub__(self, other: Operand) -> Dist[Any]:
        return -self.as_dist() + other

    def __neg__(self) -> Dist[Any]:
        return -self.as_dist()

    def __mul__(self, other: object) -> NoReturn:
        raise BadDie(
            f"{self!r} times {other!r} could mean more dice or a larger number: write 3 * D6 for "
            "three dice, and 3 * rollwright.odds(D6) for three times what one shows"
        )

    def __matmul__(self, other: object) -> NoReturn:
        raise BadDie(f"dice are counted with *: write 3 * {self!r} for three of them")

    __rmatmul__ = __matmul__

    def __floordiv__(self, other: Operand | Arithmetic) -> Dist[Any]:
        return self.as_dist() // _as_operand(other)

    def __rfloordiv__(self, other: Operand) -> Dist[Any]:
        return other // self.as_dist()

    def __truediv__(self, other: Operand | Arithmetic) -> Dist[Any]:
        return self.as_dist() / _as_operand(other)

    def __rtruediv__(self, other: Operand) -> Dist[Any]:
        return other / self.as_dist()

    def __mod__(self, other: Operand | Arithmetic) -> Dist[Any]:
        return self.as_dist() % _as_operand(other)

    def __lt__(self, other: Operand | Arithmetic) -> Dist[bool]:
        return self.as_dist() < _as_operand(other)

    def __le__(self, other: Operand | Arithmetic) -> Dist[bool]:
        return self.as_dist() <= _as_operand(other)

    def __gt__(self, other: Operand | Arithmetic) -> Dist[bool]:
        return self.as_dist() > _as_operand(other)

    def __ge__(self, other: Operand | Arithmetic) -> Dist[bool]:
        return self.as_dist() >= _as_operand(other)


def is_number(value: object) -> bool:
    """Whether this is a number that dice may show, though no yes or no."""
    return type(value) is not bool and (isinstance(value, float) or hasattr(value, "numerator"))


def _as_operand(operand: Operand | Arithmetic) -> Operand:
    return operand.as_dist() if isinstance(operand, Arithmetic) else operand
