"""A whole line, compiled once and rolled as often as one likes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from rollwright.notation.compiler import NO_VARIABLES, Compiler
from rollwright.notation.dice import Kind
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import parse
from rollwright.notation.parts import Constant, Faces, Part, Sum
from rollwright.notation.pools import Pool
from rollwright.notation.suggestions import meant

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.notation.dice import Thrower
    from rollwright.notation.parts import Thrown, Versus
    from rollwright.notation.tree import Amount, Line

MOST_KNOWN = 512
LONGEST_KNOWN = 1_000
MOST_SIGNS = 50_000
"""Of all remembered lines; a compiled one takes about 300 bytes for each sign."""
Variables: TypeAlias = "tuple[tuple[str, Amount], ...]"

_known: dict[Hashable, Program] = {}


class Program:
    """The compiled rolls of a line."""

    __slots__ = ("text", "variables", "quick", "_line", "_parts")

    def __init__(self, text: str, variables: Mapping[str, Amount] = NO_VARIABLES) -> None:
        self.text = text
        self.variables = variables
        self._line: Line | None = None
        self._parts: tuple[tuple[int, Part | Versus], ...] | None = None
        flat = glanced(text)
        if flat is None:
            flat = flattened(self.parts[0][1]) if self.is_single else None
        self.quick: Callable[[Thrower, Thrown], Outcome] = (
            self._each_quick if flat is None else flat.quick
        )
        """The value of the line with faces from a thrower, which are noted in a list."""

    @property
    def line(self) -> Line:
        """The tree of the line."""
        if self._line is None:
            self._line = parse(self.text)
        return self._line

    @property
    def parts(self) -> tuple[tuple[int, Part | Versus], ...]:
        """Each roll with how often it is made."""
        if self._parts is None:
            compiler = Compiler(self.text, self.variables)
            parts = []
            for throws in self.line.rolls:
                compiler.limits.times = throws.times
                parts.append((throws.times, compiler.roll(throws.part)))
            self._parts = tuple(parts)
        return self._parts

    @property
    def is_single(self) -> bool:
        """Whether this is one roll, so that its value is a number and not several."""
        rolls = self.line.rolls
        return len(rolls) == 1 and rolls[0].times == 1

    def each(self) -> Iterator[Part | Versus]:
        """Every roll in turn, repeats as often as they are made."""
        for times, part in self.parts:
            for _ in range(times):
                yield part

    def _each_quick(self, thrower: Thrower, thrown: Thrown) -> Outcome:
        values = tuple([part.quick(thrower, thrown) for part in self.each()])
        return values[0] if self.is_single else values


def program(text: str, variables: Mapping[str, Amount] = NO_VARIABLES) -> Program:
    """The compiled line; the last few hundred are remembered."""
    key = _key(text, variables) if variables else text
    known = _known.pop(key, None) if type(text) is str else None
    if known is None:
        known = Program(_text(text), dict(variables) if variables else NO_VARIABLES)
        if len(text) > LONGEST_KNOWN:
            return known
        while _known and (len(_known) >= MOST_KNOWN or _signs() > MOST_SIGNS):
            _make_room()
    _known[key] = known
    return known


def _text(given: object) -> str:
    if not isinstance(given, str):
        kind = type(given).__name__
        raise NotationError("not-text", "", (0, 0), f"an expression is text, not {kind}")
    return str(given)


def _key(text: str, variables: Mapping[str, Amount]) -> Hashable:
    """What a line with its variables is remembered by: 1 and True are not the same."""
    try:
        named = tuple(
            [(name, variables[name], type(variables[name])) for name in sorted(variables)]
        )
        hash(named)
    except TypeError:
        sentence = "variables are numbers by name"
        raise NotationError("bad-variable", str(text), (0, len(str(text))), sentence) from None
    return (text, named)


def _signs() -> int:
    """How long all remembered lines are together."""
    return sum([len(known.text) for known in tuple(_known.values())])


def _make_room() -> None:
    """Forget the line that was not used for the longest time."""
    try:
        _known.pop(next(iter(_known)), None)
    except (StopIteration, RuntimeError):
        _known.clear()  # another thread was making room at the same time


class _Anything(Mapping[str, "Amount"]):
    """Variables of every name."""

    def __getitem__(self, name: str) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def problem_in(text: str) -> NotationError | None:
    """Why a text cannot be read and rolled, whatever its variables are; None where it can."""
    try:
        Program(text, _Anything())
    except NotationError as problem:
        return problem
    return None


NotationError._problem = problem_in
NotationError._meant = meant

LONGEST = 40
MOST_SIDES = 255
NUMBERS = {str(number): number for number in range(1_000)}
"""Small numbers as they are written: looking one up also tells that it is one."""
Read: TypeAlias = "Callable[[Faces], Amount]"


class Flat:
    """A constant and throws that are simply added, each read by a function of its faces."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: Amount, terms: tuple[tuple[Kind, int, Read], ...]) -> None:
        self.constant = constant
        self.terms = terms

    def quick(self, thrower: Thrower, thrown: Thrown) -> Amount:
        """The sum with faces from the thrower, which are noted in `thrown`."""
        total = self.constant
        for kind, count, read in self.terms:
            faces = thrower.faces(kind, count)
            thrown.append(faces)
            total += read(faces)
        return total


def flattened(part: Part | Versus) -> Flat | None:
    """A compiled part as a flat sum of whole numbers, if it is one."""
    terms: Iterable[tuple[int, Part | Versus]]
    terms = part.terms if type(part) is Sum else ((1, part),)
    constant: Amount = 0
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
        sides = NUMBERS.get(rest)
        read: Read = sum
        if sides is None:
            sides, read = _read(rest, number)
        if not number or not sides or sides > MOST_SIDES:
            return None
        throws.append((Kind(sides), number, read))
    return Flat(constant, tuple(throws))


def _read(rest: str, count: int) -> tuple[int | None, Read]:
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
