"""Pieces of Python that an AnyDice program is translated to, and what is known of each."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.anydice import tree
from rollwright.anydice.errors import Span

LOOSE, ADDED, TIMES, TIGHT = 0, 1, 2, 9
"""How tightly a piece of Python holds together: comparisons and `not`, sums, products, the rest."""
MOST_LISTED = 12
HELPERS = {
    "in_order": '''def in_order(hand):
    """The dice of a hand, the highest first."""
    return tuple(sorted(hand, reverse=True))''',
    "at": '''def at(places, row):
    """What stands at these places, added up; the first is 1."""
    return sum(row[place - 1] for place in places if 0 < place <= len(row))''',
    "digits": '''def digits(number):
    """The digits of a number, one by one, each with its sign."""
    return tuple(int(digit) if number > 0 else -int(digit) for digit in str(abs(number)))''',
    "cut": '''def cut(number, by):
    """A quotient without its fraction; by nothing it is 0."""
    return int(Fraction(number, by)) if by else 0''',
    "counted": '''def counted(wanted, row):
    """How often what is wanted is in a row; what is wanted twice counts twice."""
    return sum(row.count(number) for number in wanted)''',
    "several": '''def several(count, die):
    """So many dice: none are a die that shows 0, and fewer than none count below it."""
    if count > 0:
        return int(count) * die
    return -count * Die(-(die + 0)) if count else Die([0])''',
    "sided": '''def sided(sides):
    """A die of so many sides: with none it shows 0, with fewer than none it counts below it."""
    return Die(int(sides)) if sides > 0 else Die([*range(sides, 0)] or [0])''',
    "dice_in": '''def dice_in(pool):
    """How many dice there are."""
    return len(pool) if isinstance(pool, Pool) else 1''',
}
"""Functions that a translation defines for itself, if it needs them."""


class NoTranslation(Exception):
    """A place for which there is no natural Python; `code` and `values` say why."""

    def __init__(self, code: str, span: Span, **values: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.span = span
        self.values = values


class NeedsRule(Exception):
    """Something that has to be thrown, outside of a rule."""


class PythonCode(NamedTuple):
    """A piece of Python: what it comes to, and how tightly it holds together."""

    kind: str
    """`number`, `row` (a tuple), `dice` (a die or a pool) or `odds` (of one die)."""
    text: str
    rank: int = TIGHT
    size: int | None = None
    """How many dice, where that is known."""
    is_thrown: bool = False
    """Whether odds are written as dice that can be thrown: `2 * D6 + D8`."""
    value: int | None = None
    """The number, where it is written out."""
    is_inline: bool = False
    """Whether a variable is written as what it holds, since that changes."""
    is_die: bool | None = False
    """Whether AnyDice has a die here, which is thrown in this piece; None where that depends."""
    is_positive: bool = False
    """Whether a number is known to be 1 or more."""


class NameScope(NamedTuple):
    """The variables and rules known at a value."""

    kinds: dict[str, PythonCode]
    """The variables, each with what it holds."""
    is_rule: bool
    """Whether dice can be thrown here."""
    is_top: bool = False
    """Whether only variables of the program are known here, and none of a function."""


def number(value: int) -> PythonCode:
    """A number as it is written."""
    rank = TIGHT if value >= 0 else TIMES
    return PythonCode("number", str(value), rank, value=value, is_positive=value > 0)


def parenthesize(code: PythonCode, rank: int) -> str:
    """A piece of Python, in brackets where it would fall apart."""
    return code.text if code.rank >= rank else f"({code.text})"


def any_die(*codes: PythonCode) -> bool | None:
    """Whether AnyDice has a die where these are put together."""
    if any(code.is_die for code in codes):
        return True
    return None if any(code.is_die is None for code in codes) else False


def numbers_in(node: tree.Value) -> list[int] | None:
    """The numbers of a sequence, where they are all written out."""
    if isinstance(node, tree.NumberLiteral):
        return [node.value]
    if not isinstance(node, tree.Braces):
        return None
    found: list[int] = []
    for item in node.items:
        if isinstance(item, tree.NumberLiteral):
            found.append(item.value)
        elif (
            isinstance(item, tree.Range)
            and isinstance(item.first, tree.NumberLiteral)
            and isinstance(item.last, tree.NumberLiteral)
            and item.last.value - item.first.value < MOST_LISTED
        ):
            found += range(item.first.value, item.last.value + 1)
        else:
            return None
    return found
