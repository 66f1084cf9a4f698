"""Numbers that are only added to along the way, so that a position is the same whatever they are.

A count of turns or what was paid so far makes every way round a loop a new position, though nothing
but the end ever reads it. Here such a number *runs*: while a position waits nothing is known of it
but where it is kept, and a way on says what is added to it. What is worth something in the end is
then worth as much from any position, moved by what was added before.

That is proved, not believed. Whatever looks at a number that runs (a test, a call, a goal that is
not a sum) has it told apart again. What a goal makes of it must come to the same parts of it on
every way (`slopes.Slopes`), and is held against the goal itself with numbers in its place.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwright.engine.compiled.errors import Learn

if TYPE_CHECKING:
    from rollwright.engine.compiled.learning import Learner

Number = int | Fraction
KINDS: frozenset[type] = frozenset([int, Fraction])
"""The kinds of numbers that may run: what is added to them in whatever order comes to the same."""


class RunningSlot:
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


Parts = tuple[tuple[RunningSlot, Number], ...]
"""Running numbers, each so many times, in the order in which they were met."""


class RunningSum:
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
            return RunningSum(kind, self.parts, self.more + sign * other)
        if type(other) is not RunningSum:
            return NotImplemented if _may_look(other) else self.look()
        times = dict(self.parts)
        for slot, count in other.parts:
            times[slot] = times.get(slot, 0) + sign * count
        kind = Fraction if Fraction in (self.kind, other.kind) else int
        return make_sum(kind, times, self.more + sign * other.more)

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
        return make_sum(kind, {slot: n * other for slot, n in self.parts}, self.more * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        exact = type(other) in _PLAIN and other and Fraction in (self.kind, type(other))
        return self * (1 / Fraction(other)) if exact else self.look()

    def _compare(self, other: Any, compare: Callable[[Any, Any], bool]) -> bool:
        rest = self - other if type(other) is RunningSum else self
        return self.look() if type(rest) is RunningSum else compare(rest, 0)

    def __eq__(self, other: object) -> bool:
        return self is other or self._compare(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self is not other and self._compare(other, operator.ne)

    def __lt__(self, other: Any) -> bool:
        return self._compare(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._compare(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._compare(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._compare(other, operator.ge)

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


def make_sum(kind: type, times: dict[RunningSlot, Number], more: Number) -> Any:
    """A sum of running numbers and a known one; known itself where nothing of them is left."""
    parts = [(slot, count) for slot, count in times.items() if count]
    if not parts:
        return kind(more)
    parts.sort(key=lambda part: part[0].number)
    return RunningSum(kind, tuple(parts), more)


def _looking(self: RunningSum, *others: Any) -> Any:
    return self.look()


_LOOKS: list[Any] = [bool, int, float, complex, str, repr, abs, round, divmod, pow, format]
_LOOKS += [math.trunc, math.floor, math.ceil, operator.index, operator.invert, operator.mod]
_LOOKS += [operator.floordiv, operator.lshift, operator.rshift]
_LOOKS += [operator.and_, operator.or_, operator.xor]
for _work in _LOOKS:
    setattr(RunningSum, f"__{_work.__name__.strip('_')}__", _looking)
for _name in "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "or", "xor":
    setattr(RunningSum, f"__r{_name}__", _looking)
