"""Dice terms and groups, compiled: `4d6kh3`, `{2d6, 1d10}kh1`."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from rollwright.notation.dice import Kind, Test, passes
from rollwright.notation.parts import Asking, Constant, Faces, Part, Thrown, driven
from rollwright.notation.text import Shown, Told, whole

if TYPE_CHECKING:
    from rollwright.notation.dice import Thrower
    from rollwright.notation.errors import Span
    from rollwright.notation.parts import Bounds
    from rollwright.notation.tree import Amount

T = TypeVar("T")
Again: TypeAlias = "Generator[tuple[Kind, int], Faces, T]"
"""Asks for throws of a die that is thrown again."""


class Pool(Part):
    """Dice of one kind and what is done to them; count and sides may themselves be thrown."""

    __slots__ = ("count", "sides", "kind", "treatment", "number")

    def __init__(
        self, span: Span, count: Part, sides: Part | None, kind: Kind, treatment: Treatment
    ) -> None:
        self.count = count
        self.sides = sides
        """The number of sides where that is thrown; `kind` then has as many as there can be."""
        self.kind = kind
        self.treatment = treatment
        self._place(span, *_bounds(count, sides, kind, treatment))
        self.number = self._ready_number()
        """How many dice, where they are simply thrown once and read; otherwise 0."""

    def _ready_number(self) -> int:
        if type(self.count) is not Constant or self.sides is not None:
            return 0
        return int(self.count.value) if self.treatment.is_plain else 0

    def read(self) -> Callable[[Faces], Amount]:
        """How the faces of dice that are thrown once are read."""
        how = self.treatment
        if how.success is None and not how.is_clamped:
            if not how.picks:
                return sum
            return lambda faces: sum(how.kept(sorted(faces)))
        if how.picks:
            return lambda faces: sum(map(how.score, how.kept(sorted(map(how.clamp, faces)))))
        return lambda faces: sum([how.score(how.clamp(face)) for face in faces])

    def quick(self, thrower: Thrower, thrown: Thrown) -> Amount:
        """One throw is read at once; anything else is told."""
        if not self.number:
            return driven(self.tell(), thrower, thrown).value
        faces = thrower.faces(self.kind, self.number)
        thrown.append(faces)
        return whole(self.read()(faces))

    def tell(self) -> Asking[Amount]:
        """Throw the dice, then whatever is thrown again, from the lowest die to the highest."""
        count = yield from self.count.tell()
        told = [] if type(self.count) is Constant else [count]
        kind = self.kind
        if self.sides is not None:
            sides = yield from self.sides.tell()
            told.append(sides)
            kind = Kind(int(sides.value))
        number = int(count.value)
        faces = (yield kind, number) if number else ()
        entries: list[list[Entry]] = [[((face,), face, False, False, False)] for face in faces]
        if not self.treatment.is_plain:
            for place in sorted(range(number), key=faces.__getitem__):
                entries[place] = yield from self._followed(faces[place], kind)
        value, shown = self.treatment.finish([one for chain in entries for one in chain], kind)
        return Told(self.span, value, tuple(told), shown, label=self.label)

    def _followed(self, face: Amount, kind: Kind) -> Again[list[Entry]]:
        """One die with its re-rolls and explosions, each asked for in turn."""
        how = self.treatment
        settled = yield from self._settled(face, kind)
        thrown = [settled]
        while len(thrown) <= how.times and how.explodes(thrown[-1][-1], kind):
            (extra,) = yield kind, 1
            thrown.append((yield from self._settled(extra, kind)))
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

    def _settled(self, face: Amount, kind: Kind) -> Again[tuple[Amount, ...]]:
        """The faces of one die until it is not re-rolled any more."""
        how = self.treatment
        faces = [face]
        while how.reroll and passes(how.reroll, faces[-1]) and (how.until or len(faces) == 1):
            (face,) = yield kind, 1
            faces.append(face)
        return tuple(faces)


class Group(Part):
    """Several results, treated like dice."""

    __slots__ = ("parts", "treatment")

    def __init__(self, span: Span, parts: tuple[Part, ...], treatment: Treatment) -> None:
        low, high = _group_bounds(parts, treatment)
        scored = treatment.success is not None
        self._place(span, low, high, scored or all(part.is_whole for part in parts))
        self.parts = parts
        self.treatment = treatment

    def tell(self) -> Asking[Amount]:
        """Each part in turn."""
        told = []
        for part in self.parts:
            told.append((yield from part.tell()))
        entries: list[Entry] = [((one.value,), one.value, False, False, False) for one in told]
        value, shown = self.treatment.finish(entries, None)
        shares = None
        if self.treatment.success is None and not self.treatment.is_clamped:
            shares = tuple([int(one.kept) for one in shown]) if not self.treatment.order else None
        return Told(self.span, value, tuple(told), shown, shares, self.label)


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

    def finish(self, entries: list[Entry], kind: Kind | None) -> tuple[Amount, tuple[Shown, ...]]:
        """The value of dice at rest, and each of them with what happened to it."""
        values = [self.clamp(value) for _, value, _, _, _ in entries]
        kept = set(self.kept(sorted(range(len(values)), key=values.__getitem__)))
        shown = [
            self._shown(e, v, i in kept, kind) for i, (e, v) in enumerate(zip(entries, values))
        ]
        total = sum([self.score(value) for i, value in enumerate(values) if i in kept])
        if self.order:
            shown.sort(key=lambda one: one.value, reverse=self.order == "sd")
        return whole(total), tuple(shown)

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
