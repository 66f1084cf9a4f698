"""A whole line, compiled once and rolled as often as one likes."""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from rollwright.notation.breakdowns import format_totals
from rollwright.notation.compiler import NO_VARIABLES, Compiler
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import parse
from rollwright.notation.pools import fixed_pools, request_throws, throwing_in

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.notation.breakdowns import Breakdown, Value
    from rollwright.notation.dice import Thrower
    from rollwright.notation.parts import Listed, Part, VersusPart
    from rollwright.notation.pools import Again, Hand
    from rollwright.notation.tree import Amount, Expression, RollNode

T = TypeVar("T")

MOST_KNOWN = 512
LONGEST_KNOWN = 1_000
MOST_SIGNS = 50_000
"""Characters of all remembered lines; a compiled one takes about 300 bytes for each."""
Variables: TypeAlias = "tuple[tuple[str, Amount], ...]"

_known: dict[Hashable, CompiledExpression] = {}
_signs = 0
"""How long all remembered lines are together."""
_one_at_a_time = allocate_lock()


class CompiledExpression:
    """The compiled rolls of a line."""

    __slots__ = ("text", "variables", "comment", "rolls", "is_single", "_ready", "_only")

    def __init__(self, text: str, variables: Mapping[str, Amount] = NO_VARIABLES) -> None:
        self.text = text
        self.variables = variables
        line = parse(text)
        self.comment = line.comment
        """The text after the #."""
        compiler = Compiler(text, variables)
        first, *rest = line.rolls
        self._only = only = CompiledRoll(compiler, first)
        self.rolls = (
            (only, *[CompiledRoll(compiler, throws) for throws in rest]) if rest else (only,)
        )
        self.is_single = only.times == 1 and not rest
        """Whether this is one roll, so that its value is a number and not several."""
        self._ready = only.pools if self.is_single else None
        """The pools, where nothing else is thrown."""

    @property
    def line(self) -> Expression:
        """The tree of the line: hardly anybody asks, so it is not kept."""
        return parse(self.text)

    @property
    def parts(self) -> tuple[tuple[int, Part | VersusPart], ...]:
        """The part of each roll with how often it is made."""
        return tuple([(roll.times, roll.part) for roll in self.rolls])

    def each(self) -> Iterator[CompiledRoll]:
        """Every roll in turn, repeats as often as they are made."""
        for roll in self.rolls:
            for _ in range(roll.times):
                yield roll

    def request_throws(self) -> Again[list[Hand]]:
        """Ask for every throw in turn; what comes of it is hands on the table."""
        hands: list[Hand] = []
        for roll in self.each():
            hands += yield from request_throws((roll.part,))
        return hands

    def throw(self, thrower: Thrower) -> list[Hand]:
        """The hands of a roll with faces from a thrower."""
        if self._ready is not None:
            hands: list[Hand] = []
            for pool in self._ready:
                if pool.number:
                    faces = thrower.faces(pool.kind, pool.number)
                    hands.append((pool.reader(faces), (faces,), None, ()))
                else:
                    hands.append(_drive(pool.request_throws(), thrower))
            return hands
        return _drive(self.request_throws(), thrower)

    def read(self, hands: list[Hand]) -> Outcome:
        """Return the result of the line with these hands."""
        table = iter(hands)
        if self.is_single:
            return self._only.part.read(table)
        return tuple([roll.part.read(table) for roll in self.each()])

    def break_down(self, hands: list[Hand]) -> tuple[Breakdown[Value], ...]:
        """Return each roll with these hands, as a full breakdown."""
        table = iter(hands)
        return tuple([roll.part.break_down(table) for roll in self.each()])

    def format(self, hands: list[Hand], value: Outcome) -> str:
        """Each roll with these hands, and what it came to, on one line."""
        if self.is_single:
            return self._only.format(hands, value)
        table = iter(hands)
        return "; ".join([
            roll.format(list(islice(table, len(throwing_in(roll.part)))), one)
            for roll, one in zip(self.each(), value, strict=True)
        ])  # fmt: skip


def _drive(asking: Again[T], thrower: Thrower) -> T:
    """Return the result of asking for throws, with faces from a thrower."""
    try:
        kind, count = next(asking)
        while True:
            kind, count = asking.send(thrower.faces(kind, count))
    except StopIteration as stop:
        made: T = stop.value
        return made


class CompiledRoll:
    """One of the rolls of a line, made `times` times."""

    __slots__ = ("times", "part", "pools", "_text", "_is_bare")

    def __init__(self, compiler: Compiler, throws: RollNode) -> None:
        self.times = throws.times
        self.part = part = compiler.roll(throws)
        self.pools = fixed_pools(part)
        """The pools, if it throws nothing but dice whose number and sides are fixed."""
        self._text = compiler.text
        self._is_bare = compiler.is_bare

    def format(self, hands: list[Hand], value: Outcome) -> str:
        """The expression with its dice behind each term, and what it came to."""
        said = self._with_dice(hands) if self._is_bare else self._insert_dice(hands)
        if self._is_bare or not (by_label := format_totals(self.part.break_down(iter(hands)))):
            return f"{said} = {value}"
        return f"{said} = {value} ({by_label})"

    def _with_dice(self, hands: list[Hand]) -> str:
        """The text with the dice of every pool behind it, if nothing else shows dice."""
        if self.pools is None:
            return self._insert_dice(hands)
        text, (place, end) = self._text, self.part.span
        said = ""
        for pool, hand in zip(self.pools, hands):
            last = pool.span[1]
            if last < place:  # thrown in another order than it is written
                return self._insert_dice(hands)
            said += text[place:last] + pool.format_hand(hand)
            place = last
        return said + text[place:end].rstrip()

    def _insert_dice(self, hands: list[Hand]) -> str:
        """The text with everything that shows dice, whichever of it was thrown."""
        start, end = self.part.span
        listed: Listed = []
        self.part.show(iter(hands), listed)
        listed.sort(key=lambda one: one[0])
        pieces = []
        for at, dice in listed:
            pieces.append(self._text[start:at] + dice)
            start = max(start, at)
        pieces.append(self._text[start:end].rstrip())
        return "".join(pieces)


def compile_expression(
    text: str, variables: Mapping[str, Amount] = NO_VARIABLES
) -> CompiledExpression:
    """The compiled line; the last few hundred new ones are remembered."""
    if type(text) is not str:
        text = _text(text)
    key = _key(text, variables) if variables else text
    known = _known.get(key)
    if known is None:
        known = CompiledExpression(text, dict(variables) if variables else NO_VARIABLES)
        if len(text) <= LONGEST_KNOWN:
            _remember(key, known)
    return known


def _remember(key: Hashable, new: CompiledExpression) -> None:
    """Keep a line; where there are too many, half of them are forgotten."""
    global _signs
    _known[key] = new
    _signs += len(new.text)
    if _signs > MOST_SIGNS or len(_known) > MOST_KNOWN:
        _forget()


def _forget() -> None:
    """Forget the older half until there is room, and count again: threads may have miscounted."""
    global _signs
    with _one_at_a_time:
        while _signs > MOST_SIGNS or len(_known) > MOST_KNOWN:
            lines = [*_known]
            for key in lines[: (len(lines) + 1) // 2]:
                _known.pop(key, None)
            _signs = sum([len(one.text) for one in [*_known.values()]])


def _text(given: object) -> str:
    if not isinstance(given, str):
        kind = type(given).__name__
        raise NotationError("not-text", "", (0, 0), f"an expression is text, not {kind}")
    return str(given)


def _key(text: str, variables: Mapping[str, Amount]) -> Hashable:
    """Return the key of a line with its variables: 1 and True are not the same."""
    try:
        named = tuple(
            [(name, variables[name], type(variables[name])) for name in sorted(variables)]
        )
        hash(named)
    except TypeError:
        sentence = "variables are numbers by name"
        raise NotationError("bad-variable", str(text), (0, len(str(text))), sentence) from None
    return (text, named)


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
        CompiledExpression(text, _Anything())
    except NotationError as problem:
        return problem
    return None


def _find_repairs(text: str) -> tuple[str, ...]:
    """Return the likely meanings; loaded only after a mistake."""
    from rollwright.notation.repairs import find_repairs

    return find_repairs(text)


NotationError._problem = problem_in
NotationError._meant = _find_repairs
