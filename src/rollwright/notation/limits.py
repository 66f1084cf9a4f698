"""What one expression may ask for: the work is estimated here, before any of it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rollwright.budget import Budget
from rollwright.notation.errors import NotationError

if TYPE_CHECKING:
    from rollwright.notation.dice import Kind
    from rollwright.notation.errors import Span
    from rollwright.notation.parts import Part
    from rollwright.notation.pools import Treatment


MOST_DICE = 20_000
MOST_EXTRA = 2_000
MOST_SIDES = 20_000
MOST_FACES = 60_000
MOST_BITS = 4_000
SMALL = 1 << 64


class Limits:
    """Counts what the rolls of one line ask for."""

    __slots__ = ("text", "times", "_dice", "_extra", "_faces", "_kinds")

    def __init__(self, text: str) -> None:
        self.text = text
        self.times = 1
        self._dice = 0
        self._extra = 0.0
        self._faces = 0
        self._kinds: set[int] = set()

    def dice(self, span: Span, count: Part, kind: Kind) -> None:
        """Take note of dice that are thrown at once."""
        self._dice += count.high * self.times
        if self._dice > MOST_DICE:
            start, end = span
            written = self.text[start:end].lower()
            sides = written[written.find("d") :]
            raise NotationError(
                "too-many-dice", self.text, span,
                f"at most {MOST_DICE:,} dice are thrown in one line, and this makes "
                f"{_said(self._dice)}",
                f"{self.text[:start]}{100 // self.times or 1}{sides}{self.text[end:]}",
                f"100{sides}", "100d6",
            )  # fmt: skip

    def faces(self, span: Span, sides: int) -> None:
        """Take note of the faces of dice with so many sides."""
        if sides not in self._kinds:
            self._kinds.add(sides)
            self._faces += sides
        if sides > MOST_SIDES or self._faces > MOST_FACES:
            start, end = span
            most = f"a die has at most {MOST_SIDES:,} sides, not {_said(sides)}"
            if sides <= MOST_SIDES:
                most = f"all kinds of dice in a line have at most {MOST_FACES:,} sides together"
            repair = f"{self.text[:start]}100{self.text[end:]}"
            raise NotationError("too-many-sides", self.text, span, most, repair, "1d100")

    def extra(self, span: Span, count: Part, kind: Kind, how: Treatment) -> None:
        """Take note of how many dice will be thrown again on average."""
        faces = len(kind.faces)
        again = 1.0
        if how.reroll is not None:
            bad = kind.meant(how.reroll) / faces
            again = 1 / (1 - bad) if how.until else 1 + bad
        if how.explosion:
            share = kind.meant(how.explode or ("=", kind.high)) / faces
            again *= sum([share**depth for depth in range(how.times + 1)])
        self._extra += min(count.high, MOST_DICE) * self.times * (again - 1)
        if self._extra > MOST_EXTRA:
            start, end = span
            written = self.text[start:end]
            raise NotationError(
                "too-many-dice", self.text, span,
                f"on average {self._extra:,.0f} dice would be thrown again, one by one; "
                f"at most {MOST_EXTRA:,} are",
                f"10{written[written.lower().find('d') :]}", "10d6!",
            )  # fmt: skip

    def check_power(self, span: Span, base: Part, most: Any, size: int) -> None:
        """Refuse a power before it is worked out, if it would be too large."""
        bits = max(_bits(most), _bits(base.low), _bits(base.high))
        if bits > 1 and bits * size > MOST_BITS:
            raise _too_large(self.text, span)


def in_bounds(text: str, span: Span, *values: Any) -> Any:
    """The values, refused where a number has too many digits."""
    for value in values:
        if (type(value) is not int or not -SMALL < value < SMALL) and _bits(value) > MOST_BITS:
            raise _too_large(text, span)
    return values if len(values) > 1 else values[0]


def _bits(value: Any) -> int:
    return int(max(value.numerator.bit_length(), value.denominator.bit_length()))


def _too_large(text: str, span: Span) -> NotationError:
    start, end = span
    return NotationError(
        "too-large", text, span, "this would be a number of more than a thousand digits",
        f"{text[:start]}10**6{text[end:]}",
    )  # fmt: skip


def _said(number: int) -> str:
    return f"{number:,}" if number < 10**15 else "far more"


STANDARD_WORK = 1_500_000
"""Steps of about 50 nanoseconds each."""

RANKS = 10
"""What a step of keeping and dropping takes, in steps of adding up."""
PAIRS = 8
"""What a pair of two results takes, in steps of adding up."""


class Brisk(Budget):
    """A budget in time: steps that take longer count for more."""

    __slots__ = ("rate",)

    def __init__(self, work: int = STANDARD_WORK) -> None:
        super().__init__(work)
        self.rate = 1

    def spend(self, steps: int, what: str = "this count", hint: str = "") -> None:
        """Take `steps` at the present rate, or refuse."""
        super().spend(steps * self.rate, what, hint)


@contextmanager
def at_rate(budget: Budget, rate: int) -> Iterator[None]:
    """Count every step for more for a while; a budget given by somebody else counts as it does."""
    if not isinstance(budget, Brisk):
        yield
        return
    before, budget.rate = budget.rate, rate
    try:
        yield
    finally:
        budget.rate = before
