"""The compiled parts of an expression, which read the dice on the table.

What is thrown (`pools`) leaves hands, and everything else follows from the hands in the order in
which they were thrown. `of` alone computes the value of a part, whether only the value is wanted or
a full breakdown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor, isqrt, trunc
from operator import mul
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rollwright.notation.breakdowns import Breakdown, whole
from rollwright.ranks import Ranked

if TYPE_CHECKING:
    from rollwright.notation.errors import Span
    from rollwright.notation.pools import Hand
    from rollwright.notation.tree import Amount

Faces: TypeAlias = "Sequence[Amount]"
Hands: TypeAlias = "Iterator[Hand]"
"""Hands on the table, in the order in which they were thrown."""
Listed: TypeAlias = "list[tuple[int, str]]"
"""Dice in brackets, each with where its term ends in the text."""
Bounds: TypeAlias = "tuple[Amount, Amount]"


class Part:
    """Anything with a value between `low` and `high`; `is_whole` says that it has no halves."""

    __slots__ = ("span", "label", "low", "high", "is_whole", "parts")

    span: Span
    label: str
    low: Amount
    high: Amount
    is_whole: bool
    parts: tuple[Part, ...]
    """Its parts, in the order in which they are thrown."""

    def _place(self, span: Span, low: Amount, high: Amount, is_whole: bool) -> None:
        self.span = span
        self.label = ""
        self.low = low
        self.high = high
        self.is_whole = is_whole

    def of(self, values: list[Amount]) -> Amount:
        """Return its value from the values of its parts."""
        raise TypeError(f"{type(self).__name__} does not say how")

    def read(self, hands: Hands) -> Amount:
        """Return its value with these hands."""
        return self.of([part.read(hands) for part in self.parts])

    def break_down(self, hands: Hands) -> Breakdown[Amount]:
        """Return its value with these hands, and a breakdown into every part."""
        told = tuple([part.break_down(hands) for part in self.parts])
        value = self.of([one.value for one in told])
        return Breakdown(self.span, value, told, (), self.shares, self.label)

    def show(self, hands: Hands, listed: Listed) -> None:
        """Note the dice of everything in it that shows some, by where it ends in the text."""
        for part in self.parts:
            part.show(hands, listed)

    @property
    def shares(self) -> tuple[Amount, ...] | None:
        """The factors of the parts before they are added; None if this is no such sum."""
        return None


class Constant(Part):
    """A number that is known beforehand."""

    __slots__ = ("value",)

    parts = ()

    def __init__(self, span: Span, value: Amount) -> None:
        self.span = span
        self.label = ""
        self.low = self.high = self.value = value
        self.is_whole = type(value) is int

    def of(self, values: list[Amount]) -> Amount:
        """The number itself, whatever is thrown."""
        return self.value


class SumPart(Part):
    """Parts added, each with the sign it has."""

    __slots__ = ("signs", "_constant", "thrown")

    def __init__(self, span: Span, terms: Sequence[tuple[int, Part]]) -> None:
        low: Amount = 0
        high: Amount = 0
        constant: Amount = 0
        is_whole = True
        thrown = []
        for term in terms:
            sign, part = term
            if not part.is_whole:
                is_whole = False
            if type(part) is Constant:
                constant += sign * part.value
            elif sign > 0:
                low += part.low
                high += part.high
                thrown.append(term)
            else:
                low -= part.high
                high -= part.low
                thrown.append(term)
        self._constant = constant
        self.thrown = thrown
        """Those that are more than a constant."""
        self.span = span
        self.label = ""
        self.low = low + constant
        self.high = high + constant
        self.is_whole = is_whole
        self.signs, self.parts = zip(*terms)

    @property
    def terms(self) -> tuple[tuple[int, Part], ...]:
        """Each part with its sign."""
        return tuple(zip(self.signs, self.parts, strict=True))

    @property
    def shares(self) -> tuple[Amount, ...]:
        """Each part is taken with its sign."""
        return self.signs

    def of(self, values: list[Amount]) -> Amount:
        """All of them together."""
        total = sum(map(mul, self.signs, values))
        return total if type(total) is int else whole(total)

    def read(self, hands: Hands) -> Amount:
        """The same, where the constants have been added before."""
        total = self._constant
        for sign, part in self.thrown:
            total += sign * part.read(hands)
        return total if type(total) is int else whole(total)


class ProductPart(Part):
    """Multiplications and divisions from left to right."""

    __slots__ = ("first", "rest")

    def __init__(
        self, span: Span, first: Part, rest: tuple[tuple[str, Part], ...], bounds: Bounds
    ) -> None:
        exact = all(sign != "/" for sign, _ in rest)
        self.parts = (first, *[part for _, part in rest])
        self._place(span, *bounds, exact and all(part.is_whole for part in self.parts))
        self.first = first
        self.rest = rest

    def of(self, values: list[Amount]) -> Amount:
        """One operation after the other."""
        made = values[0]
        for (sign, _), value in zip(self.rest, values[1:], strict=True):
            made = OPERATIONS[sign](made, value)
        return made

    @property
    def shares(self) -> tuple[Amount, ...] | None:
        """The factors if one part is only multiplied or divided by constants, as are its labels."""
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


class PowerPart(Part):
    """One part raised to another."""

    __slots__ = ("base", "exponent")

    def __init__(self, span: Span, base: Part, exponent: Part, bounds: Bounds) -> None:
        self._place(span, *bounds, base.is_whole)
        self.base = base
        self.exponent = exponent
        self.parts = (base, exponent)

    def of(self, values: list[Amount]) -> Amount:
        """The base, then the exponent."""
        return raise_to(*values)


class FunctionPart(Part):
    """A named function of one or more parts."""

    __slots__ = ("name",)

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
        self.parts = arguments

    @property
    def arguments(self) -> tuple[Part, ...]:
        """The values it takes."""
        return self.parts

    def of(self, values: list[Amount]) -> Amount:
        """The function of these values."""
        return FUNCTIONS[self.name](*values)


class VersusPart:
    """A roll against a target, which comes to a degree of success."""

    __slots__ = ("span", "part", "target", "natural", "place")

    label = ""

    def __init__(
        self, span: Span, part: Part, target: Part, natural: str = "", place: int = 0
    ) -> None:
        self.span = span
        self.part = part
        self.target = target
        self.natural = natural
        """Effect of a natural 20 and a natural 1: "" nothing, "nat" a step, "auto" all."""
        self.place = place
        """Which term of the sum is the d20."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The roll, then the target."""
        return self.part, self.target

    def read(self, hands: Hands) -> Degree:
        """The degree with these hands."""
        return self.break_down(hands).value

    def break_down(self, hands: Hands) -> Breakdown[Degree]:
        """The degree with these hands, the roll and the target."""
        roll, target = self.part.break_down(hands), self.target.break_down(hands)
        margin = roll.value - target.value
        if self.natural:
            face = (roll.parts[self.place] if isinstance(self.part, SumPart) else roll).value
            value = natural_degree(self.natural, face, margin)
        else:
            value = degree(margin)
        return Breakdown(self.span, value, (roll, target), shares=(1, 0))

    def show(self, hands: Hands, listed: Listed) -> None:
        """The dice of the roll, then those of the target."""
        self.part.show(hands, listed)
        self.target.show(hands, listed)


def _divide(a: Amount, b: Amount) -> Amount:
    from fractions import Fraction

    return whole(Fraction(a) / b)


def magnitude(value: Amount) -> Amount:
    """A number without its sign."""
    return -value if value < 0 else value


def round_half_up(value: Amount) -> int:
    """To the nearest whole number, halves up."""
    return value if type(value) is int else floor(value * 2 + 1) // 2


def raise_to(base: Amount, exponent: Amount) -> Amount:
    """A power, exact also where the exponent, a whole number, is negative."""
    times = int(exponent)
    return _divide(1, base**-times) if times < 0 else whole(base**times)


OPERATIONS: dict[str, Callable[[Amount, Amount], Amount]] = {
    "*": lambda a, b: whole(a * b),
    "/": _divide,
    "//": lambda a, b: a // b,
    "%": lambda a, b: whole(a % b),
}
FUNCTIONS: dict[str, Callable[..., Amount]] = {
    "floor": floor, "ceil": ceil, "trunc": trunc, "round": round_half_up, "abs": magnitude,
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
"""Faces of a d20 that may matter by themselves."""


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
