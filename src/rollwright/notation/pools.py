"""Dice terms and groups, compiled: `4d6kh3`, `{2d6, 1d10}kh1`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from rollwright.notation.dice import Kind, Test, passes
from rollwright.notation.parts import Constant, Faces, Hands, Part
from rollwright.notation.text import MOST_DICE, Shown, Told, dice, die, whole

if TYPE_CHECKING:
    from rollwright.notation.errors import Span
    from rollwright.notation.parts import Bounds, Versus
    from rollwright.notation.tree import Amount

T = TypeVar("T")
Again: TypeAlias = "Generator[tuple[Kind, int], Faces, T]"
"""Asks for throws, `yield kind, count`, and is sent the faces, in any order."""
Hand: TypeAlias = "tuple[Amount, Sequence[Faces], dict[int, list[Entry]] | None, Sequence[Hand]]"
"""What a pool came to; its throws in order; what its dice became that were thrown again, by their
place in the first throw; and the hands of the pools that say how many dice and of what."""


class Pool(Part):
    """Dice of one kind and what is done to them; count and sides may themselves be thrown."""

    __slots__ = ("count", "sides", "kind", "treatment", "number", "before", "reader", "is_unmarked")

    def __init__(
        self, span: Span, count: Part, sides: Part | None, kind: Kind, treatment: Treatment
    ) -> None:
        self.count = count
        self.sides = sides
        """The number of sides where that is thrown; `kind` then has as many as there can be."""
        self.kind = kind
        self.treatment = treatment
        self._place(span, *_bounds(count, sides, kind, treatment))
        thrown = [part for part in (count, sides) if part is not None]
        self.parts = tuple([part for part in thrown if type(part) is not Constant])
        self.before = tuple([pool for part in self.parts for pool in pools_of(part)])
        """The pools that are thrown to know how many dice and of what."""
        ready = type(count) is Constant and not self.parts and treatment.is_plain
        self.number = int(count.low) if ready else 0
        """How many dice, where they are simply thrown once and read; otherwise 0."""
        self.reader = treatment.reader(self.is_whole)
        self.is_unmarked = treatment.is_unmarked

    def read(self, hands: Hands) -> Amount:
        """What its hand came to."""
        return next(hands)[0]

    def told(self, hands: Hands) -> Told[Amount]:
        """Its hand, with every die."""
        hand = next(hands)
        before = iter(hand[3])
        told = tuple([part.told(before) for part in self.parts])
        return Told(self.span, hand[0], told, self.shown(hand), None, self.label)

    def hand(self, faces: Faces) -> Hand:
        """The hand after a throw that is all there is to know."""
        return self.reader(faces), (faces,), None, ()

    def asked(self) -> Again[Hand]:
        """Throw the dice, then whatever is thrown again, from the lowest die to the highest."""
        if self.number:
            return self.hand((yield self.kind, self.number))
        before = []
        for pool in self.before:
            before.append((yield from pool.asked()))
        number, kind = self._thrown(before)
        if not number:
            return whole(self.reader(())), (), None, before
        faces = yield kind, number
        if self.treatment.is_plain:
            return self.reader(faces), (faces,), None, before
        throws = [faces]
        again: dict[int, list[Entry]] = {}
        goes_on = self.treatment.goes_on(kind)
        places = [place for place, face in enumerate(faces) if goes_on(face)]
        for place in sorted(places, key=faces.__getitem__):
            again[place] = yield from self._followed(faces[place], kind, throws)
        values = [entry[1] for entry in _entries(faces, again)] if again else faces
        return self.reader(values), throws, again, before

    def _thrown(self, before: list[Hand]) -> tuple[int, Kind]:
        """How many dice of which kind, with the hands that were thrown for it."""
        hands = iter(before)
        number = int(self.count.read(hands))
        return number, self.kind if self.sides is None else Kind(int(self.sides.read(hands)))

    def _followed(self, face: Amount, kind: Kind, throws: list[Faces]) -> Again[list[Entry]]:
        """One die with its re-rolls and explosions, each asked for in turn."""
        how = self.treatment
        settled = yield from self._settled(face, kind, throws)
        thrown = [settled]
        while len(thrown) <= how.times and how.explodes(thrown[-1][-1], kind):
            extra = yield kind, 1
            throws.append(extra)
            thrown.append((yield from self._settled(extra[0], kind, throws)))
        last = thrown[-1][-1]
        endless = how.explosion not in ("", "xo")
        cut = endless and len(thrown) > how.times and how.explodes(last, kind)
        if how.explosion == "!!":
            total = sum([faces[-1] for faces in thrown])
            shown = tuple([face for faces in thrown for face in faces])
            return [(shown, total, len(thrown) > 1, False, cut)]
        less = 1 if how.explosion == "!p" else 0
        return [
            (faces, faces[-1] - (less if place else 0), place < len(thrown) - 1, place > 0,
             cut and place == len(thrown) - 1)
            for place, faces in enumerate(thrown)
        ]  # fmt: skip

    def _settled(self, face: Amount, kind: Kind, throws: list[Faces]) -> Again[tuple[Amount, ...]]:
        """The faces of one die until it is not re-rolled any more."""
        how = self.treatment
        if how.reroll is None:
            return (face,)
        faces = [face]
        while passes(how.reroll, faces[-1]) and (how.until or len(faces) == 1):
            more = yield kind, 1
            throws.append(more)
            faces.append(more[0])
        return tuple(faces)

    def shown(self, hand: Hand) -> tuple[Shown, ...]:
        """Every die of a hand, with what happened to it."""
        _, throws, again, before = hand
        if not throws:
            return ()
        kind = self.kind if self.sides is None else self._thrown(list(before))[1]
        return self.treatment.shown(_entries(throws[0], again or {}), kind)

    def said(self, hand: Hand) -> str:
        """What is said of a hand behind its term: the dice in brackets."""
        _, throws, again, _ = hand
        if not throws:
            return ""
        faces = throws[0]
        if not self.is_unmarked or len(faces) + len(throws) - 1 > MOST_DICE:
            return " " + dice(self.shown(hand))
        said = [*map(str, faces)]
        if again:
            for place, entries in again.items():
                said[place] = " ".join(map(die, self.treatment.shown(entries, None)))
        return f" [{' '.join(said)}]"

    @staticmethod
    def cut(hand: Hand) -> int:
        """How many dice would have exploded once more, but for the stated bound."""
        return sum([one[4] for entries in (hand[2] or {}).values() for one in entries])


def _entries(faces: Faces, again: dict[int, list[Entry]]) -> list[Entry]:
    """All dice at rest, those that were thrown again beside what came of them."""
    if not again:
        return [((face,), face, False, False, False) for face in faces]
    entries: list[Entry] = []
    for place, face in enumerate(faces):
        more = again.get(place)
        if more is None:
            entries.append(((face,), face, False, False, False))
        else:
            entries += more
    return entries


def pools_of(part: Part | Versus) -> Iterator[Pool]:
    """The pools of a part in the order in which they are thrown, without those inside of them."""
    if isinstance(part, Pool):
        yield part
        return
    for one in part.parts:
        if type(one) is not Constant:
            yield from pools_of(one)


class Group(Part):
    """Several results, treated like dice."""

    __slots__ = ("treatment", "reader", "size")

    def __init__(self, span: Span, parts: tuple[Part, ...], treatment: Treatment) -> None:
        low, high = _group_bounds(parts, treatment)
        scored = treatment.success is not None
        self._place(span, low, high, scored or all(part.is_whole for part in parts))
        self.parts = parts
        self.treatment = treatment
        self.reader = treatment.reader(self.is_whole)
        self.size = sum([len(tuple(pools_of(part))) for part in parts])
        """How many hands it takes."""

    def of(self, values: list[Amount]) -> Amount:
        """What is kept of the values."""
        return self.reader(values)

    def told(self, hands: Hands) -> Told[Amount]:
        """Each part in turn, and which of them count."""
        told = super().told(hands)
        shown = self.shown([one.value for one in told.parts])
        shares = None
        if self.treatment.success is None and not self.treatment.is_clamped:
            shares = tuple([int(one.kept) for one in shown]) if not self.treatment.order else None
        return told._replace(shown=shown, shares=shares)

    def shown(self, values: list[Amount]) -> tuple[Shown, ...]:
        """Every result, with what happened to it."""
        return self.treatment.shown(_entries(values, {}), None)


def _bounds(
    count: Part, sides: Part | None, kind: Kind, how: Treatment
) -> tuple[Amount, Amount, bool]:
    """Bounds of what a pool comes to, and whether that is whole."""
    fewest, most = count.low, count.high * (1 if how.explosion == "!!" else how.times + 1)
    if how.success is not None:
        return -most if how.failure else 0, most, True
    low, high = kind.low, kind.high
    if how.explosion == "!!":
        low, high = min(low, low * (how.times + 1)), max(high, high * (how.times + 1))
    elif how.explosion == "!p":
        low -= 1
    low, high = how.clamp(low), how.clamp(high)
    if how.picks:
        fewest, most = how.kept_of(int(fewest)), how.kept_of(int(most))
    is_whole = kind.is_whole and all(type(end) is int for end in (how.least or 0, how.most or 0))
    return low * (most if low < 0 else fewest), high * (fewest if high < 0 else most), is_whole


def _group_bounds(parts: tuple[Part, ...], how: Treatment) -> Bounds:
    if how.success is not None:
        return -len(parts) if how.failure else 0, len(parts)
    lows = [min(how.clamp(part.low), 0) for part in parts]
    highs = [max(how.clamp(part.high), 0) for part in parts]
    if not how.picks:
        lows = [how.clamp(part.low) for part in parts]
        highs = [how.clamp(part.high) for part in parts]
    return sum(lows), sum(highs)


MOST_EXPLOSIONS = 10
"""A die explodes at most so many times in a row: the stated bound."""

Entry: TypeAlias = "tuple[tuple[Amount, ...], Amount, bool, bool, bool]"
"""A die that has come to rest: its faces, its value, and whether it exploded, is extra, was cut."""


class Treatment(NamedTuple):
    """Everything that is done to the dice of one pool, in this order."""

    reroll: Test | None = None
    until: bool = False
    """Whether it is re-rolled until it passes, and not just once."""
    explosion: str = ""
    """"", "!", "!!" (one die grows), "!p" (extra dice count one less) or "xo" (once)."""
    explode: Test | None = None
    """Which faces explode; None is the highest."""
    least: Amount | None = None
    most: Amount | None = None
    picks: tuple[tuple[str, int], ...] = ()
    success: Test | None = None
    failure: Test | None = None
    marks: tuple[tuple[str, Test | None], ...] = ()
    """`cs` and `cf` with the faces they mark; None is the highest, or the lowest."""
    order: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the faces of one throw are all there is to know."""
        return not self.reroll and not self.explosion

    @property
    def is_clamped(self) -> bool:
        """Whether values are raised or lowered."""
        return self.least is not None or self.most is not None

    @property
    def times(self) -> int:
        """How often a die can explode."""
        if not self.explosion:
            return 0
        return 1 if self.explosion == "xo" else MOST_EXPLOSIONS

    def clamp(self, value: Amount) -> Amount:
        """A value, not below the minimum and not above the maximum."""
        if self.least is not None and value < self.least:
            value = self.least
        return self.most if self.most is not None and value > self.most else value

    @property
    def is_unmarked(self) -> bool:
        """Whether a die that is thrown once is shown by its face alone."""
        return not (self.picks or self.marks or self.order or self.is_clamped) and (
            self.success is None
        )

    def goes_on(self, kind: Kind) -> Callable[[Amount], bool]:
        """Which faces are thrown again, or throw another die."""
        reroll, explosion, high = self.reroll, self.explosion, kind.high
        if reroll is None and self.explode is None:
            return lambda face: face == high
        return lambda face: (
            (reroll is not None and passes(reroll, face))
            or (bool(explosion) and self.explodes(face, kind))
        )

    def explodes(self, face: Amount, kind: Kind) -> bool:
        """Whether a face makes the die explode."""
        return passes(self.explode, face) if self.explode else face == kind.high

    def score(self, value: Amount) -> Amount:
        """What a kept die adds: its value, or 1 for a success and -1 for a failure."""
        if self.success is None:
            return value
        failed = self.failure is not None and passes(self.failure, value)
        return passes(self.success, value) - failed

    def kept_of(self, count: int) -> int:
        """How many of `count` dice are kept."""
        return len(self.kept(list(range(count))))

    def kept(self, rising: list[T]) -> list[T]:
        """Those that are kept, out of a list from the lowest to the highest."""
        for name, number in self.picks:
            if name == "kh":
                rising = rising[max(len(rising) - number, 0) :]
            elif name == "kl":
                rising = rising[:number]
            elif name == "dh":
                rising = rising[: max(len(rising) - number, 0)]
            else:
                rising = rising[number:]
        return rising

    def reader(self, is_whole: bool) -> Callable[[Faces], Amount]:
        """What dice at rest come to: raised and lowered, kept and dropped, added or counted."""
        if self.success is None and not self.is_clamped:
            if not self.picks:
                read: Callable[[Faces], Amount] = sum
            else:
                read = lambda faces: sum(self.kept(sorted(faces)))  # noqa: E731
        else:
            read = self._scored
        return read if is_whole else lambda faces: whole(read(faces))

    def _scored(self, faces: Faces) -> Amount:
        return sum(map(self.score, self.kept(sorted(map(self.clamp, faces)))))

    def shown(self, entries: list[Entry], kind: Kind | None) -> tuple[Shown, ...]:
        """Each of the dice at rest, with what happened to it."""
        values = [entry[1] for entry in entries]
        if self.is_clamped:
            values = [self.clamp(value) for value in values]
        kept: Sequence[int] | set[int] = range(len(values))
        if self.picks:
            kept = set(self.kept(sorted(kept, key=values.__getitem__)))
        shown = [
            self._shown(e, v, i in kept, kind) for i, (e, v) in enumerate(zip(entries, values))
        ]
        if self.order:
            shown.sort(key=lambda one: one.value, reverse=self.order == "sd")
        return tuple(shown)

    def _shown(self, entry: Entry, value: Amount, kept: bool, kind: Kind | None) -> Shown:
        faces, _, exploded, extra, cut = entry
        if not self.marks and self.success is None:
            return Shown(faces, value, kept, exploded, extra, None, False, False, cut)
        score = int(self.score(value)) if self.success is not None and kept else None
        marked = {name for name, test in self.marks if self._is_marked(name, test, faces[-1], kind)}
        critical, fumble = "cs" in marked, "cf" in marked
        return Shown(faces, value, kept, exploded, extra, score, critical, fumble, cut)

    def _is_marked(self, name: str, test: Test | None, face: Amount, kind: Kind | None) -> bool:
        if test is not None:
            return passes(test, face)
        if kind is None:
            return False
        return face == (kind.high if name == "cs" else kind.low)
