"""The compiled parts of an expression: each can be rolled quickly, or told in full.

A part is told by a generator that asks for throws, `yield kind, count`, and is sent the faces; so
the same description serves real dice, seeds and the engine. Faces may be sent in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from math import ceil, floor, isqrt, trunc
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rollwright.notation.dice import passes
from rollwright.notation.text import Told, V, whole
from rollwright.ranks import Ranked

if TYPE_CHECKING:
    from rollwright.notation.dice import Kind, Thrower
    from rollwright.notation.errors import Span
    from rollwright.notation.tree import Amount

Faces: TypeAlias = "Sequence[Amount]"
Thrown: TypeAlias = "list[Faces]"
"""The faces of each throw, in the order they were thrown."""
Asking: TypeAlias = "Generator[tuple[Kind, int], Faces, Told[V]]"
Bounds: TypeAlias = "tuple[Amount, Amount]"


class Part:
    """Anything with a value between `low` and `high`; `is_whole` says that it has no halves."""

    __slots__ = ("span", "label", "low", "high", "is_whole")

    span: Span
    label: str
    low: Amount
    high: Amount
    is_whole: bool

    def _place(self, span: Span, low: Amount, high: Amount, is_whole: bool) -> None:
        self.span = span
        self.label = ""
        self.low = low
        self.high = high
        self.is_whole = is_whole

    def quick(self, thrower: Thrower, thrown: Thrown) -> Amount:
        """The value with faces from the thrower, which are noted in `thrown`."""
        return driven(self.tell(), thrower, thrown).value

    def tell(self) -> Asking[Amount]:
        """Ask for every throw in turn and tell what came of it."""
        raise TypeError(f"{type(self).__name__} does not say how")


def driven(telling: Asking[V], thrower: Thrower, thrown: Thrown) -> Told[V]:
    """Give a part that is being told the faces it asks for."""
    try:
        kind, count = next(telling)
        while True:
            faces = thrower.faces(kind, count)
            thrown.append(faces)
            kind, count = telling.send(faces)
    except StopIteration as stop:
        told: Told[V] = stop.value
        return told


class Constant(Part):
    """A number that is known beforehand."""

    __slots__ = ("value",)

    def __init__(self, span: Span, value: Amount) -> None:
        self._place(span, value, value, type(value) is int)
        self.value = value

    def quick(self, thrower: Thrower, thrown: Thrown) -> Amount:
        """The number itself."""
        return self.value

    def tell(self) -> Asking[Amount]:
        """The number itself, without any throw."""
        yield from ()
        return Told(self.span, self.value, label=self.label)


class Sum(Part):
    """Parts added, each with the sign it has."""

    __slots__ = ("terms", "_constant", "_added", "_taken")

    def __init__(self, span: Span, terms: tuple[tuple[int, Part], ...]) -> None:
        low: Amount = 0
        high: Amount = 0
        constant: Amount = 0
        is_whole = True
        added, taken = [], []
        for sign, part in terms:
            low += part.low if sign > 0 else -part.high
            high += part.high if sign > 0 else -part.low
            is_whole = is_whole and part.is_whole
            if type(part) is Constant:
                constant += sign * part.value
            elif sign > 0:
                added.append(part)
            else:
                taken.append(part)
        self._place(span, low, high, is_whole)
        self.terms = terms
        self._constant = constant
        self._added = added
        self._taken = taken

    def quick(self, thrower: Thrower, thrown: Thrown) -> Amount:
        """The parts that are thrown, from left to right, and the constants."""
        if self._taken:
            return driven(self.tell(), thrower, thrown).value
        total = self._constant
        for part in self._added:
            total += part.quick(thrower, thrown)
        return total if type(total) is int else whole(total)

    def tell(self) -> Asking[Amount]:
        """Each part in turn."""
        told = []
        total: Amount = 0
        for sign, part in self.terms:
            one = yield from part.tell()
            told.append(one)
            total += one.value if sign > 0 else -one.value
        shares = tuple([sign for sign, _ in self.terms])
        return Told(self.span, whole(total), tuple(told), (), shares, self.label)


class Product(Part):
    """Multiplications and divisions from left to right."""

    __slots__ = ("first", "rest")

    def __init__(
        self, span: Span, first: Part, rest: tuple[tuple[str, Part], ...], bounds: Bounds
    ) -> None:
        exact = all(sign != "/" for sign, _ in rest)
        parts = [first, *[part for _, part in rest]]
        self._place(span, *bounds, exact and all(part.is_whole for part in parts))
        self.first = first
        self.rest = rest

    def tell(self) -> Asking[Amount]:
        """Each part in turn."""
        told = [(yield from self.first.tell())]
        value = told[0].value
        for sign, part in self.rest:
            one = yield from part.tell()
            told.append(one)
            value = OPERATIONS[sign](value, one.value)
        return Told(self.span, value, tuple(told), (), self._shares(), self.label)

    def _shares(self) -> tuple[Amount, ...] | None:
        """Where one part is only multiplied or divided by constants, so is each label in it."""
        parts = [("*", self.first), *self.rest]
        thrown = [place for place, (_, part) in enumerate(parts) if type(part) is not Constant]
        if len(thrown) != 1 or parts[thrown[0]][0] != "*":
            return None
        factor: Amount = 1
        for sign, part in parts:
            if sign not in "*/":
                return None
            factor = OPERATIONS[sign](factor, part.value) if type(part) is Constant else factor
        return tuple([factor if place == thrown[0] else 0 for place in range(len(parts))])


class Power(Part):
    """One part raised to another."""

    __slots__ = ("base", "exponent")

    def __init__(self, span: Span, base: Part, exponent: Part, bounds: Bounds) -> None:
        self._place(span, *bounds, base.is_whole)
        self.base = base
        self.exponent = exponent

    def tell(self) -> Asking[Amount]:
        """The base, then the exponent."""
        base = yield from self.base.tell()
        exponent = yield from self.exponent.tell()
        value = raised(base.value, exponent.value)
        return Told(self.span, value, (base, exponent), label=self.label)


class Function(Part):
    """A named function of one or more parts."""

    __slots__ = ("name", "arguments")

    def __init__(self, span: Span, name: str, arguments: tuple[Part, ...]) -> None:
        call = FUNCTIONS[name]
        if name == "abs":
            one = arguments[0]
            ends = [magnitude(one.low), magnitude(one.high)]
            low, high = (0 if one.low <= 0 <= one.high else min(ends)), max(ends)
        else:
            low = call(*[part.low for part in arguments])
            high = call(*[part.high for part in arguments])
        always = name in ("floor", "ceil", "trunc", "round", "sqrt")
        self._place(span, low, high, always or all(part.is_whole for part in arguments))
        self.name = name
        self.arguments = arguments

    def tell(self) -> Asking[Amount]:
        """Each value in turn."""
        told = []
        for part in self.arguments:
            told.append((yield from part.tell()))
        value = FUNCTIONS[self.name](*[one.value for one in told])
        return Told(self.span, value, tuple(told), label=self.label)


class Choice(Part):
    """One part or the other, by how two others compare; only that one is thrown."""

    __slots__ = ("left", "compare", "right", "then", "otherwise")

    def __init__(
        self, span: Span, left: Part, compare: str, right: Part, then: Part, otherwise: Part
    ) -> None:
        low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
        self._place(span, low, high, then.is_whole and otherwise.is_whole)
        self.left = left
        self.compare = compare
        self.right = right
        self.then = then
        self.otherwise = otherwise

    def holds(self, left: Amount, right: Amount) -> bool:
        """Whether the first part is taken."""
        return passes((self.compare, right), left)

    def tell(self) -> Asking[Amount]:
        """What is compared, and what follows from it."""
        left = yield from self.left.tell()
        right = yield from self.right.tell()
        taken = self.then if self.holds(left.value, right.value) else self.otherwise
        told = yield from taken.tell()
        return Told(self.span, told.value, (left, right, told), (), (0, 0, 1), self.label)


class Versus:
    """A roll against a target, which comes to a degree of success."""

    __slots__ = ("span", "part", "target", "natural", "place")

    def __init__(
        self, span: Span, part: Part, target: Part, natural: str = "", place: int = 0
    ) -> None:
        self.span = span
        self.part = part
        self.target = target
        self.natural = natural
        """What a natural 20 and a natural 1 do: "" nothing, "nat" a step, "auto" all."""
        self.place = place
        """Which term of the sum is the d20."""

    def quick(self, thrower: Thrower, thrown: Thrown) -> Degree:
        """The degree with faces from the thrower, which are noted in `thrown`."""
        return driven(self.tell(), thrower, thrown).value

    def tell(self) -> Asking[Degree]:
        """The roll, then the target."""
        roll = yield from self.part.tell()
        target = yield from self.target.tell()
        margin = roll.value - target.value
        if self.natural:
            face = (roll.parts[self.place] if isinstance(self.part, Sum) else roll).value
            value = natural_degree(self.natural, face, margin)
        else:
            value = degree(margin)
        return Told(self.span, value, (roll, target), shares=(1, 0))


def _divided(a: Amount, b: Amount) -> Amount:
    from fractions import Fraction

    return whole(Fraction(a) / b)


def magnitude(value: Amount) -> Amount:
    """A number without its sign."""
    return -value if value < 0 else value


def rounded(value: Amount) -> int:
    """To the nearest whole number, halves up."""
    return value if type(value) is int else floor(value * 2 + 1) // 2


def raised(base: Amount, exponent: Amount) -> Amount:
    """A power, exact also where the exponent, a whole number, is negative."""
    times = int(exponent)
    return _divided(1, base**-times) if times < 0 else whole(base**times)


OPERATIONS: dict[str, Callable[[Amount, Amount], Amount]] = {
    "*": lambda a, b: whole(a * b),
    "/": _divided,
    "//": lambda a, b: a // b,
    "%": lambda a, b: whole(a % b),
}
FUNCTIONS: dict[str, Callable[..., Amount]] = {
    "floor": floor, "ceil": ceil, "trunc": trunc, "round": rounded, "abs": magnitude,
    "sqrt": lambda value: isqrt(floor(value)),
    "min": lambda *values: min(values), "max": lambda *values: max(values),
}  # fmt: skip


class Degree(Ranked):
    """How well a roll went against a target: a word, and words compare by how well it went.

    >>> Degree("success") > "failure"
    True
    """

    ranks: ClassVar[Mapping[str, int]] = {
        "critical failure": 0,
        "failure": 1,
        "success": 2,
        "critical success": 3,
    }

    @property
    def is_good(self) -> bool:
        """Whether the target was reached."""
        return self >= "success"


DEGREES = tuple([Degree(name) for name in Degree.ranks])
CRITICAL_MARGIN = 10


def degree(margin: Amount) -> Degree:
    """The degree of success: 10 or more above or below the target is critical.

    >>> [str(degree(margin)) for margin in (-10, -9, 0, 10)]
    ['critical failure', 'failure', 'success', 'critical success']
    """
    above = [margin > -CRITICAL_MARGIN, margin >= 0, margin >= CRITICAL_MARGIN]
    return DEGREES[above.count(True)]


HIGHEST, LOWEST = NATURALS = 20, 1
"""What a d20 shows that may matter by itself."""


def natural_degree(natural: str, face: Amount, margin: Amount) -> Degree:
    """The degree of success with what the d20 itself shows.

    With "nat" a 20 is one degree better and a 1 one degree worse; with "auto" a 20 always succeeds
    and a 1 always fails, critically, and nothing else is critical.

    >>> str(natural_degree("nat", 20, -3)), str(natural_degree("auto", 1, 12))
    ('success', 'critical failure')
    """
    if natural == "auto":
        place = 3 if face == HIGHEST else 0 if face == LOWEST else 2 if margin >= 0 else 1
        return DEGREES[place]
    step = (face == HIGHEST) - (face == LOWEST)
    return DEGREES[min(max(degree(margin).rank + step, 0), 3)]
