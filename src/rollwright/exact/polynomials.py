"""Powers and products of polynomials, each by the method that fits its size.

A polynomial represents a throw: exponents are its values, coefficients how often. Exponents are
whole numbers from 0; a result is either a list of coefficients or a dictionary of the terms that
are not zero, whichever the method gave.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from math import comb, gcd
from sys import byteorder

from rollwright.budget import SMALL_ROOM, Work

Terms = dict[int, int]
Poly = Sequence[int] | Terms
Method = Callable[[Terms, int], Poly]

FEW_DICE = 40
LITTLE = byteorder == "little"
"""Whether this machine reads whole numbers in the order they are packed in."""
BITS_OF_A_STEP = 45_000
"""Two numbers are multiplied in a step if their lengths in bits come to this when multiplied."""
EACH_TERM = 130
"""Bytes that a term takes beside the bits of its coefficient: an exponent, a place for both."""
FEW_KINDS = 8
"""Up to so many terms, or factors, the number of different products is worked out."""
FARTHEST = 10**30
"""Exponents farther apart than this are only ever multiplied term by term."""


def terms_of(poly: Poly) -> Terms:
    """The terms that are not zero, by exponent."""
    if isinstance(poly, dict):
        return poly
    return {exponent: weight for exponent, weight in enumerate(poly) if weight}


def spread(poly: Poly, start: int, step: int = 1) -> Terms:
    """The terms with exponent 0 moved to `start` and 1 to `start + step`."""
    if isinstance(poly, dict):
        return {exponent * step + start: weight for exponent, weight in poly.items()}
    exponents = range(start, start + step * len(poly), step)
    if 0 in poly:
        return {e: weight for e, weight in zip(exponents, poly) if weight}
    return dict(zip(exponents, poly))


def shifted_power(terms: Terms, count: int, work: Work) -> Terms:
    """The terms multiplied by themselves `count` times; exponents may start anywhere."""
    low = min(terms)
    step = gcd(*[exponent - low for exponent in terms]) or 1
    if low == 0 and step == 1:
        return spread(power(terms, count, work), 0)
    near = {(exponent - low) // step: weight for exponent, weight in terms.items()}
    return spread(power(near, count, work), low * count, step)


def power(terms: Terms, count: int, work: Work) -> Poly:
    """The terms, from exponent 0 on, multiplied by themselves `count` times."""
    if count == 0:
        return {0: 1}
    if count == 1:
        return terms
    if len(terms) == 1:
        return {0: terms[0] ** count}
    span = min(max(terms), FARTHEST)
    bits = count * sum(terms.values()).bit_length()
    each = 1.5 + bits / 1000
    choices: list[tuple[float, Method]] = [(each * _by_terms_work(terms, span, count), _by_terms)]
    if len(terms) == span + 1 and len(set(terms.values())) == 1:
        choices.append((span * count * (3 + bits / 500), _by_symmetry))
    else:
        slots = span * count
        choices.append((slots * (2 + len(terms) * (1.2 + bits / 1500)), _by_recurrence))
        digits = slots * bits / 30
        choices.append((30 + 3 * slots + 0.03 * digits**1.585, _by_packing))
    steps, method = min(choices, key=lambda choice: choice[0])
    work.spend(steps)
    if (size := span * count * (EACH_TERM + bits // 8)) > SMALL_ROOM:
        work.expect_room(min(size, _sums(len(terms), count) * (EACH_TERM + bits // 8)))
    return method(terms, count)


def _sums(kinds: int, count: int) -> int:
    """How many different sums so many dice can have at the most, each with so many faces."""
    fewer = min(kinds - 1, count)
    return comb(kinds - 1 + count, fewer) if fewer <= FEW_KINDS else FARTHEST


def _by_terms_work(terms: Terms, span: int, count: int) -> float:
    kinds = len(terms)
    if count > FEW_DICE:
        return 0.5 * kinds * count * (span * count + 1)
    made = [min(comb(i + kinds - 1, i), i * span + 1) for i in range(1, count)]
    return kinds * sum(made)


def _by_terms(terms: Terms, count: int) -> Terms:
    if count == 1:
        return terms
    half = count // 2
    made = _by_terms(terms, half)
    if len(made) < 4 * half * len(terms):
        made = _square(made)
        return times(made, terms) if count % 2 else made
    for _ in range(count - half):
        made = times(made, terms)
    return made


def times(left: Terms, right: Terms) -> Terms:
    """The product term by term: right for few terms, or terms far apart."""
    made: Terms = {}
    others = list(right.items())
    for a, x in left.items():
        for b, y in others:
            c = a + b
            if c in made:
                made[c] += x * y
            else:
                made[c] = x * y
    return made


def _square(terms: Terms) -> Terms:
    """The square, each pair of different terms multiplied once."""
    made: Terms = {}
    items = list(terms.items())
    for i, (a, x) in enumerate(items):
        made[2 * a] = made.get(2 * a, 0) + x * x
        x *= 2
        for b, y in items[i + 1 :]:
            c = a + b
            if c in made:
                made[c] += x * y
            else:
                made[c] = x * y
    return made


def _by_symmetry(terms: Terms, count: int) -> list[int]:
    """Equal weights 0 to n-1: ((1 - x^n) / (1 - x))^count obeys a recurrence of three terms."""
    sides = len(terms)
    top = (sides - 1) * count
    half = top // 2
    made = [0] * (sides + 1) + [terms[0] ** count]
    last = made[-1]
    near, far = -count * sides, count * (sides - 1) + 1
    for k in range(1, half + 1):
        behind = k - sides
        last = (
            (k - 1 + count) * last + (behind + near) * made[k + 1] + (far - behind) * made[k]
        ) // k
        made.append(last)
    del made[: sides + 1]
    return made + made[: top - half][::-1]


def _by_recurrence(terms: Terms, count: int) -> list[int]:
    """Miller's recurrence: each coefficient from as many before it as there are terms."""
    span = max(terms)
    first = terms[0]
    others = [(span - e, (count + 1) * e, w) for e, w in terms.items() if e]
    made = [0] * span + [first**count]
    for k in range(1, span * count + 1):
        value = 0
        for behind, pull, weight in others:
            value += (pull - k) * weight * made[k + behind]
        made.append(value // (k * first))
    del made[:span]
    return made


def _by_packing(terms: Terms, count: int) -> Sequence[int]:
    width = slot_bytes(sum(terms.values()) ** count)
    return unpack(packed_terms(terms, width) ** count, width, max(terms) * count + 1)


def multiply(left: Terms, right: Terms, work: Work) -> Terms:
    """The product of two polynomials whose exponents may start anywhere."""
    pairs = len(left) * len(right)
    if pairs <= 1000:
        work.spend(pairs)
        return times(left, right)
    a, b = min(left), min(right)
    step = gcd(*[e - a for e in left], *[e - b for e in right]) or 1
    wide, narrow = (max(left) - a) // step + 1, (max(right) - b) // step + 1
    if max(wide, narrow) > FARTHEST:
        work.spend(pairs * 2)
        return times(left, right)
    one, other = sum(left.values()), sum(right.values())
    width = slot_bytes(one * other)
    small, large = sorted((wide * width / 4, narrow * width / 4))
    steps = 3 * (wide + narrow) + 0.02 * large * min(small, 3 * small**0.585)
    each = 1 + width / 100 + one.bit_length() * other.bit_length() / BITS_OF_A_STEP
    work.spend(min(pairs * each, steps))
    work.expect_room(min(pairs, wide + narrow - 1) * (EACH_TERM + width))
    if pairs * each <= steps:
        return times(left, right)
    number = pack(_coefficients(left, a, step, wide), width)
    number *= pack(_coefficients(right, b, step, narrow), width)
    return spread(unpack(number, width, wide + narrow - 1), a + b, step)


def _coefficients(terms: Terms, start: int, step: int, count: int) -> list[int]:
    made = [0] * count
    for exponent, weight in terms.items():
        made[(exponent - start) // step] = weight
    return made


MANY_TERMS = 64
SHIFTING_PAYS = 12
"""From slots this wide on, adding shifted copies beats multiplying: most of a slot is zeros."""


def slot_bytes(most: int) -> int:
    """How many bytes a slot needs so that coefficients up to `most` never spill over."""
    if most < 1 << 64:
        return 8
    return (most.bit_length() + 7) // 8


def pack(coefficients: Sequence[int], width: int) -> int:
    """The integer with these coefficients in its slots, the lowest first."""
    if width == 8:
        return int.from_bytes(struct.pack(f"<{len(coefficients)}Q", *coefficients), "little")
    return int.from_bytes(b"".join([c.to_bytes(width, "little") for c in coefficients]), "little")


def packed_terms(terms: dict[int, int] | list[tuple[int, int]], width: int) -> int:
    """The integer with each weight in the slot of its exponent."""
    pairs = terms.items() if isinstance(terms, dict) else terms
    if len(pairs) > MANY_TERMS:  # so many shifted copies would take room by their square
        slots = bytearray(width * (1 + max([exponent for exponent, _ in pairs])))
        for exponent, weight in pairs:
            slots[exponent * width : (exponent + 1) * width] = weight.to_bytes(width, "little")
        return int.from_bytes(slots, "little")
    bits = 8 * width
    return sum([weight << (exponent * bits) for exponent, weight in pairs])


def unpack(number: int, width: int, count: int) -> Sequence[int]:
    """The first `count` coefficients in the slots of `number`."""
    data = number.to_bytes(width * count, "little")
    if width == 8 and LITTLE:
        return memoryview(data).cast("Q").tolist()
    read = int.from_bytes
    return [read(data[i : i + width], "little") for i in range(0, len(data), width)]


class Factor:
    """A die that packed polynomials are multiplied by, again and again."""

    __slots__ = ("_doublings", "_number", "_shifts", "_slot", "terms")

    def __init__(self, terms: list[tuple[int, int]], width: int) -> None:
        """The terms come with rising exponents."""
        self.terms = terms
        self._slot = slot = 8 * width
        self._number = 0
        self._shifts: list[tuple[int, int]] = []
        self._doublings: list[tuple[int, bool]] = []
        if width < SHIFTING_PAYS:
            self._number = packed_terms(terms, width)
        elif len(terms) > 2 and _is_run(terms):
            self._doublings = _doublings(len(terms), slot)
        else:
            self._shifts = [(exponent * slot, weight) for exponent, weight in terms]

    @classmethod
    def from_number(cls, number: int, width: int) -> Factor:
        """The die whose weights are packed in a number."""
        count = -(-number.bit_length() // (8 * width))
        weights = unpack(number, width, count)
        return cls([(i, weight) for i, weight in enumerate(weights) if weight], width)

    def method(self) -> Callable[[int], int]:
        """How to multiply a packed polynomial by this die."""
        if self._number:
            return self._number.__mul__
        return self._by_doubling if self._doublings else self._by_shifting

    def _by_shifting(self, number: int) -> int:
        made = 0
        for shift, weight in self._shifts:
            made += (number if weight == 1 else number * weight) << shift
        return made

    def _by_doubling(self, number: int) -> int:
        made, slot = number, self._slot
        for length, more in self._doublings:
            made += made << length
            if more:
                made = (made << slot) + number
        first, weight = self.terms[0]
        return (made if weight == 1 else made * weight) << (first * slot)


def _is_run(terms: list[tuple[int, int]]) -> bool:
    first, weight = terms[0]
    last = terms[-1][0]
    return last - first == len(terms) - 1 and all([w == weight for _, w in terms])


def _doublings(count: int, slot: int) -> list[tuple[int, bool]]:
    """How to add up a run of shifted copies: double what is there, then perhaps one more."""
    made = []
    length = 1
    for digit in f"{count:b}"[1:]:
        made.append((length * slot, digit == "1"))
        length = 2 * length + (digit == "1")
    return made
