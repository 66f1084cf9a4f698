"""A whole line, compiled once and rolled as often as one likes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice, pairwise
from typing import TYPE_CHECKING, TypeAlias

from rollwright.notation.compiler import NO_VARIABLES, Compiler
from rollwright.notation.errors import NotationError
from rollwright.notation.parser import parse
from rollwright.notation.pools import Group, Pool, asked_of, throwing_in
from rollwright.notation.suggestions import meant
from rollwright.notation.text import grouped

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.notation.dice import Thrower
    from rollwright.notation.parts import Listed, Part, Versus
    from rollwright.notation.pools import Again, Hand
    from rollwright.notation.text import Told, Value
    from rollwright.notation.tree import Amount, Line

MOST_KNOWN = 512
LONGEST_KNOWN = 1_000
MOST_SIGNS = 50_000
"""Of all remembered lines; a compiled one takes about 300 bytes for each sign."""
Variables: TypeAlias = "tuple[tuple[str, Amount], ...]"

_known: dict[Hashable, Program] = {}


class Program:
    """The compiled rolls of a line."""

    __slots__ = ("text", "variables", "line", "rolls", "is_single", "_ready", "_only")

    def __init__(self, text: str, variables: Mapping[str, Amount] = NO_VARIABLES) -> None:
        self.text = text
        self.variables = variables
        self.line: Line = parse(text)
        compiler = Compiler(text, variables)
        rolls = []
        for throws in self.line.rolls:
            compiler.limits.times = throws.times
            rolls.append(Roll(text, throws.times, compiler.roll(throws.part)))
        self.rolls = tuple(rolls)
        self._only = rolls[0]
        self.is_single = len(rolls) == 1 and rolls[0].times == 1
        """Whether this is one roll, so that its value is a number and not several."""
        pools = rolls[0].pools if self.is_single else None
        self._ready = pools if pools is not None and all([one.number for one in pools]) else None
        """The pools, where every throw is known before any of them is made."""

    @property
    def parts(self) -> tuple[tuple[int, Part | Versus], ...]:
        """The part of each roll with how often it is made."""
        return tuple([(roll.times, roll.part) for roll in self.rolls])

    def each(self) -> Iterator[Roll]:
        """Every roll in turn, repeats as often as they are made."""
        for roll in self.rolls:
            for _ in range(roll.times):
                yield roll

    def asked(self) -> Again[list[Hand]]:
        """Ask for every throw in turn; what comes of it is hands on the table."""
        hands: list[Hand] = []
        for roll in self.each():
            hands += yield from asked_of((roll.part,))
        return hands

    def thrown(self, thrower: Thrower) -> list[Hand]:
        """The hands of a roll with faces from a thrower."""
        if self._ready is not None:
            hands = []
            for pool in self._ready:
                hands.append(pool.hand(thrower.faces(pool.kind, pool.number)))
            return hands
        asking = self.asked()
        try:
            kind, count = next(asking)
            while True:
                kind, count = asking.send(thrower.faces(kind, count))
        except StopIteration as stop:
            asked: list[Hand] = stop.value
            return asked

    def read(self, hands: list[Hand]) -> Outcome:
        """What the line comes to with these hands."""
        table = iter(hands)
        if self.is_single:
            return self._only.part.read(table)
        return tuple([roll.part.read(table) for roll in self.each()])

    def told(self, hands: list[Hand]) -> tuple[Told[Value], ...]:
        """Each roll with these hands, told in full."""
        table = iter(hands)
        return tuple([roll.part.told(table) for roll in self.each()])

    def said(self, hands: list[Hand], value: Outcome) -> str:
        """Each roll with these hands, and what it came to, on one line."""
        if self.is_single:
            return self._only.said(hands, value)
        table = iter(hands)
        return "; ".join([
            roll.said(list(islice(table, len(roll.thrown))), one)
            for roll, one in zip(self.each(), value, strict=True)
        ])  # fmt: skip


class Roll:
    """One of the rolls of a line, made `times` times."""

    __slots__ = ("times", "part", "thrown", "pools", "_text", "_pieces")

    def __init__(self, text: str, times: int, part: Part | Versus) -> None:
        self.times = times
        self.part = part
        self.thrown = tuple(throwing_in(part))
        """What is thrown, in order."""
        pools = [one for one in self.thrown if type(one) is Pool and not one.parts]
        self.pools = tuple(pools) if len(pools) == len(self.thrown) else None
        """The same, where it is nothing but dice whose number and sides are fixed."""
        self._text = text
        self._pieces: tuple[tuple[str, ...] | None, str, bool] | None = None

    def said(self, hands: list[Hand], value: Outcome) -> str:
        """The expression with its dice behind each term, and what it came to."""
        heads, tail, is_labelled = self._pieces or self._cut()
        said = ""
        if heads is None or self.pools is None:
            said = self._inserted(hands)
        else:
            for head, pool, hand in zip(heads, self.pools, hands):
                said += head + pool.said(hand)
        by_label = grouped(self.part.told(iter(hands))) if is_labelled else ""
        return f"{said}{tail} = {value} ({by_label})" if by_label else f"{said}{tail} = {value}"

    def _cut(self) -> tuple[tuple[str, ...] | None, str, bool]:
        """The text up to each pool and behind the last, if only pools show dice; and if labels do.

        Where groups show theirs too, the text is cut anew for each roll.
        """
        parts = list(every(self.part))
        start, end = self.part.span
        ends = [one.span[1] for one in self.thrown]
        if self.pools is None or ends != sorted(ends) or any(type(p) is Group for p in parts):
            self._pieces = None, "", True
        else:
            heads = [self._text[a:b] for a, b in pairwise([start, *ends])]
            tail = self._text[ends[-1] if ends else start : end].rstrip()
            self._pieces = tuple(heads), tail, any([part.label for part in parts])
        return self._pieces

    def _inserted(self, hands: list[Hand]) -> str:
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


def every(part: Part | Versus) -> Iterator[Part | Versus]:
    """A part and all parts inside it."""
    yield part
    for one in part.parts:
        yield from every(one)


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


def forget(text: str) -> None:
    """Forget a line, so that it is read anew."""
    _known.pop(text, None)


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
