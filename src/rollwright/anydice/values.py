"""The values of an AnyDice program: numbers, sequences and dice, and its operators on them.

A number is a Python number and a sequence a tuple of them. Dice are a number of equal ones, kept
apart until something adds them up.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb, factorial, lcm
from typing import Any, TypeAlias

from rollwright.budget import Work
from rollwright.dice import MOST_DICE, MOST_FACES, Die
from rollwright.exact import Dist, keep, sum_of

Sequence: TypeAlias = tuple[int, ...]

MOST_BITS = 4_000
"""How long a number may become."""
LONGEST_SEQUENCE = 100_000
BITS_OF_A_STEP = 100_000
"""Numbers of so many bits in all, one times the other, are divided in about one step."""


class Unfit(Exception):
    """A value that does not fit where it came; `code` and `values` say why."""

    def __init__(self, code: str, **values: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


@dataclass(frozen=True, slots=True)
class DiceValue:
    """So many equal dice; `die` is None where there is no face: `d{}` is none of such dice."""

    count: int
    die: Dist[int] | None

    def __post_init__(self) -> None:
        if self.count > MOST_DICE:
            raise Unfit("many-dice", most=MOST_DICE)

    @staticmethod
    def one(die: Dist[int] | None) -> DiceValue:
        """One die."""
        return DiceValue(1, die)

    @property
    def pool(self) -> object:
        """The dice as a pool; there is a face, and one die at least."""
        assert self.die is not None
        return self.count * Die(dict(self.die.items()))


Scalar: TypeAlias = int | Dist[int] | None
"""Operand of a calculation: a number, the odds of one, or None for the die without faces."""
Value: TypeAlias = int | Sequence | DiceValue

EMPTY = DiceValue(0, None)
"""`d{}`: no dice, and no outcomes."""
NO_OUTCOME = DiceValue(1, None)
"""One die that never shows anything: as many `d{}` as a die says."""


def output_odds(value: Value, work: Work) -> Dist[int] | None:
    """Return the odds of an output: a sequence counts as a die of its elements."""
    if isinstance(value, tuple):
        return Dist.uniform(value) if value else None
    found = scalar(value, work)
    return Dist.sure(found) if isinstance(found, int) else found


def scalar(value: Value, work: Work) -> Scalar:
    """A value to calculate with: a sequence is its sum, dice are added up."""
    if isinstance(value, int):
        return value
    return sum(value) if isinstance(value, tuple) else total(value, work)


def total(dice: DiceValue, work: Work) -> Dist[int] | None:
    """Return the total of dice; None if they have no faces."""
    if dice.die is None or dice.count == 1:
        return dice.die
    return sum_of(dice.pool, budget=work.budget)  # type: ignore[arg-type]


def kind_of(value: Value) -> str:
    """Return the name of a value's kind."""
    if isinstance(value, int):
        return "number"
    return "sequence" if isinstance(value, tuple) else "die"


def to_value(found: Scalar | Dist[bool]) -> Value:
    """Return the result of a calculation as a value."""
    if found is None:
        return EMPTY
    return found if isinstance(found, int) else DiceValue(1, found)  # type: ignore[arg-type]


def dice(count: Value, sides: Value, work: Work) -> Value:
    """`count d sides`."""
    each = _each(sides, work)
    if isinstance(count, DiceValue):
        return _throw_each(count, each, work)
    number = count if isinstance(count, int) else sum(count)
    return _several(number, each)


def _each(sides: Value, work: Work) -> Dist[int] | None:
    """One of the dice; dice for its sides are added up, so that `3d(2d6)` are three sums."""
    if isinstance(sides, tuple):
        return Dist.uniform(sides) if sides else None
    return _sides_of(sides, work) if isinstance(sides, int) else total(sides, work)


def _several(number: int, each: Dist[int] | None) -> DiceValue:
    """So many dice; none at all are one that shows 0."""
    if each is None:
        return EMPTY
    if number == 0:
        return DiceValue(1, Dist.sure(0))
    return DiceValue(abs(number), each if number > 0 else -each)


def _sides_of(sides: int, work: Work) -> Dist[int]:
    if abs(sides) > MOST_FACES:
        raise Unfit("many-faces", most=MOST_FACES)
    work.spend(abs(sides))
    if sides == 0:
        return Dist.sure(0)
    return Dist.uniform(range(1, sides + 1) if sides > 0 else range(-1, sides - 1, -1))


def _throw_each(count: DiceValue, each: Dist[int] | None, work: Work) -> Value:
    """As many dice as dice say, added up."""
    numbers = total(count, work)
    if numbers is None or each is None:
        return NO_OUTCOME
    thrown = [(total(_several(number, each), work), weight) for number, weight in numbers.items()]
    return DiceValue(
        1, mixture([(odds, weight) for odds, weight in thrown if odds is not None], work)
    )


def mixture(parts: list[tuple[Dist[int], int]], work: Work) -> Dist[int] | None:
    """One of several odds, each with its weight; None where there are none."""
    outcomes = sum(len(part) for part, _ in parts)
    work.spend(outcomes)
    whole = 1
    for one in {part.total for part, _ in parts}:
        work.spend(digit_steps(whole.bit_length() + one.bit_length()))
        whole = lcm(whole, one)
    longest = max([weight.bit_length() for _, weight in parts], default=0)
    work.spend(outcomes * digit_steps(whole.bit_length() + longest))
    return Dist.mixture(parts).reduced() if parts else None


def digit_steps(bits: int) -> int:
    """The work of dividing numbers of so many bits, which is none to speak of for short ones."""
    return bits * bits // BITS_OF_A_STEP


def quotient(one: int, other: int) -> int:
    """Cut toward zero; by zero it is 0."""
    if other == 0:
        return 0
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def power(base: int, exponent: int) -> int:
    """A power, cut toward zero where the exponent is negative."""
    if exponent < 0:
        return base ** (exponent & 1) if abs(base) == 1 else 0
    if abs(base) > 1 and abs(base).bit_length() * exponent > MOST_BITS:
        raise Unfit("large", most=MOST_BITS)
    return int(base**exponent)


def product(one: int, other: int) -> int:
    """A product, unless it becomes too long to be a number of a game."""
    if one.bit_length() + other.bit_length() > MOST_BITS:
        raise Unfit("large", most=MOST_BITS)
    return one * other


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
JOINED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": product,
    "/": quotient,
    "^": power,
    "&": lambda one, other: int(bool(one) and bool(other)),
    "|": lambda one, other: int(bool(one) or bool(other)),
    **{
        sign: lambda one, other, test=test: int(test(one, other))  # type: ignore[misc]
        for sign, test in COMPARED.items()
    },
}
ALSO_EMPTY = ("+", "-", "|")
"""The operators for which a die without faces counts as 0."""


def operate(sign: str, left: Value, right: Value, work: Work) -> Value:
    """Two values with an operator between them, other than `d` and `@`."""
    if sign in COMPARED:
        found = _compare(sign, left, right)
        if found is not None:
            return found
    one, other = scalar(left, work), scalar(right, work)
    if one is None or other is None:
        if sign not in ALSO_EMPTY or (one is None and other is None):
            return EMPTY
        one, other = one or 0, other or 0
    return to_value(calculate(JOINED[sign], one, other, work))


def calculate(
    join: Callable[[int, int], int], one: int | Dist[int], other: int | Dist[int], work: Work
) -> int | Dist[int]:
    """Return the result of a calculation, for numbers and for the odds of them."""
    if isinstance(one, int) and isinstance(other, int):
        return join(one, other)
    first = Dist.sure(one) if isinstance(one, int) else one
    second = Dist.sure(other) if isinstance(other, int) else other
    bits = first.total.bit_length() + second.total.bit_length()
    work.spend(len(first) * len(second) * (1 + digit_steps(bits)))
    return first.combine(second, join)


def _compare(sign: str, left: Value, right: Value) -> int | None:
    """How many elements of a sequence hold, or how two sequences compare; else None."""
    test = COMPARED[sign]
    if isinstance(left, tuple) and isinstance(right, tuple):
        return int(test(left, right))
    if isinstance(left, tuple) and isinstance(right, int):
        return sum(test(element, right) for element in left)
    if isinstance(left, int) and isinstance(right, tuple):
        return sum(test(left, element) for element in right)
    return None


def negate(value: Value, work: Work) -> Value:
    """`-value`."""
    found = scalar(value, work)
    if found is None:
        return EMPTY
    return to_value(-found)


def opposite(value: Value, work: Work) -> Value:
    """`!value`: 1 for 0, and 0 for everything else."""
    found = scalar(value, work)
    if found is None or isinstance(found, int):
        return EMPTY if found is None else int(not found)
    return DiceValue(1, found.map(lambda outcome: int(not outcome)))


def length(value: Value) -> int:
    """`#value`: elements, dice, or digits without a sign."""
    if isinstance(value, DiceValue):
        return value.count
    return len(value) if isinstance(value, tuple) else len(str(abs(value)))


def pick(places: Value, value: Value, lowest_first: bool, work: Work) -> Value:
    """`places @ value`: elements of a sequence, digits of a number, dice by rank; added up."""
    if isinstance(places, DiceValue):
        raise Unfit("die-position")
    wanted = (places,) if isinstance(places, int) else places
    if isinstance(value, DiceValue):
        return by_rank(value, wanted, lowest_first, work)
    if isinstance(value, int):
        value = digits(value)
        value = value[::-1] if lowest_first else value
    return sum(value[place - 1] for place in wanted if 0 < place <= len(value))


def digits(number: int) -> Sequence:
    """The digits of a number, each with its sign."""
    return tuple([int(digit) if number >= 0 else -int(digit) for digit in str(abs(number))])


def by_rank(value: DiceValue, places: Sequence, lowest_first: bool, work: Work) -> Value:
    """The dice at these places, the highest first unless it is said otherwise, added up."""
    if not value.count:
        return EMPTY
    known = [place for place in places if 0 < place <= value.count]
    if lowest_first:
        known = [value.count + 1 - place for place in known]
    if not known:
        return 0
    if value.die is None:
        return EMPTY
    if value.count == 1:
        return DiceValue(1, value.die if len(known) == 1 else value.die.map(len(known).__mul__))
    if len(set(known)) == len(known):
        return DiceValue(1, keep(value.pool, ranks=known, budget=work.budget))  # type: ignore[arg-type]
    return DiceValue(1, _weigh(value, known, work))


def _weigh(value: DiceValue, known: list[int], work: Work) -> Dist[int]:
    """Dice by rank, some of them more than once."""
    found: dict[int, int] = {}
    for roll, weight in sorted_rolls(value, work):
        total = sum(roll[place - 1] for place in known)
        found[total] = found.get(total, 0) + weight
    return Dist(found)


def sorted_rolls(value: DiceValue, work: Work) -> Iterator[tuple[Sequence, int]]:
    """Every roll of dice, the highest first, with its weight."""
    if value.die is None:
        return
    faces = sorted(value.die.items(), reverse=True)
    number = comb(value.count + len(faces) - 1, value.count)
    work.spend(number * (4 + value.count // 4))
    ways = factorial(value.count)
    for counts in _shares(value.count, len(faces)):
        weight = ways
        roll: list[int] = []
        for (face, each), count in zip(faces, counts):
            if count:
                weight = weight // factorial(count) * each**count
                roll += [face] * count
        yield tuple(roll), weight


def _shares(count: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to share out a number among places."""
    if places == 1:
        yield (count,)
        return
    stack: list[tuple[tuple[int, ...], int]] = [((), count)]
    while stack:
        given, left = stack.pop()
        if len(given) == places - 1:
            yield (*given, left)
            continue
        stack += [((*given, share), left - share) for share in range(left + 1)]


def faces_once(value: Value, work: Work) -> Sequence:
    """Return a value's elements in a sequence: dice give their different totals once, rising."""
    if isinstance(value, int):
        return (value,)
    if isinstance(value, tuple):
        return value
    found = total(value, work)
    return () if found is None else tuple(found.outcomes)
