"""The commonest lines, sums of plain dice, rolled straight on and read at a glance.

`1d20+5` and `4d6kh3` make up most of what is ever rolled. They need no tree to be rolled; it is
made when somebody asks for the whole story.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rollwright.notation.kinds import Kind
from rollwright.notation.parts import Constant, Part, Sum
from rollwright.notation.pools import Pool

if TYPE_CHECKING:
    from rollwright.notation.cups import Cup

LONGEST = 40
MOST_SIDES = 255
NUMBERS = {str(number): number for number in range(1_000)}
"""Small numbers as they are written: looking one up also tells that it is one."""
Read = Callable[[Any], Any]


class Flat:
    """A constant and throws that are simply added, each read by a function of its faces."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: Any, terms: tuple[tuple[Kind, int, Read], ...]) -> None:
        self.constant = constant
        self.terms = terms

    def quick(self, cup: Cup, thrown: list[Any]) -> Any:
        """The sum with faces from the cup, which are noted in `thrown`."""
        total = self.constant
        for kind, count, read in self.terms:
            faces = cup.faces(kind, count)
            thrown.append(faces)
            total += read(faces)
        return total


def flattened(part: Part) -> Flat | None:
    """A compiled part as a flat sum of whole numbers, if it is one."""
    terms = part.terms if type(part) is Sum else ((1, part),)
    constant: Any = 0
    throws = []
    for sign, term in terms:
        if type(term) is Constant and term.is_whole:
            constant += sign * term.value
        elif sign > 0 and type(term) is Pool and term.is_whole and term.number:
            throws.append((term.kind, term.number, term.read()))
        else:
            return None
    return Flat(constant, tuple(throws))


def glanced(text: str) -> Flat | None:
    """The flat sum behind a short line in its plainest spelling; None for anything else.

    >>> glanced("2d6+3").constant
    3
    >>> glanced("2d6*3") is None
    True
    """
    if len(text) > LONGEST:
        return None
    constant = 0
    throws = []
    for piece in text.split("+"):
        count, d, rest = piece.strip().partition("d")
        number = NUMBERS.get(count) if count else 1
        if number is None or not (d or count):
            return None
        if not d:
            constant += number
            continue
        sides, read = NUMBERS.get(rest), sum
        if sides is None:
            sides, read = _read(rest, number)
        if not number or not sides or sides > MOST_SIDES:
            return None
        throws.append((Kind(sides), number, read))
    return Flat(constant, tuple(throws))


def _read(rest: str, count: int) -> tuple[int | None, Any]:
    """The sides and the way to read the faces of `6kh3`, `20kl1` or `10>=6`."""
    for word, reader in READERS:
        sides, found, mark = rest.partition(word)
        if found:
            number = NUMBERS.get(mark)
            return (None, sum) if number is None else (NUMBERS.get(sides), reader(number, count))
    return None, sum


def highest(number: int, count: int) -> Read:
    """Reads the sum of the highest few."""
    if number == 1:
        return max
    return lambda faces: sum(sorted(faces)[max(count - number, 0) :])


def lowest(number: int, count: int) -> Read:
    """Reads the sum of the lowest few."""
    if number == 1:
        return min
    return lambda faces: sum(sorted(faces)[:number])


def at_least(mark: int, count: int) -> Read:
    """Reads how many faces come up to a mark."""
    return lambda faces: sum([face >= mark for face in faces])


READERS = (("kh", highest), ("kl", lowest), (">=", at_least))
