"""What is done to dice at rest and on their way there, in one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from rollwright.notation.dice import Kind, Test, Tests, meets, passes
from rollwright.notation.text import Shown, whole

if TYPE_CHECKING:
    from rollwright.notation.parts import Bounds, Faces
    from rollwright.notation.tree import Amount

T = TypeVar("T")

MOST_EXPLOSIONS = 10
"""A die explodes at most so many times in a row: the stated bound."""

Entry: TypeAlias = "tuple[tuple[Amount, ...], Amount, bool, bool, bool]"
"""A die that has come to rest: its faces, its value, and whether it exploded, is extra, was cut."""


Pick: TypeAlias = "tuple[tuple[str, int], ...]"
"""What is kept: so many of one end, or of either of several."""


class Treatment(NamedTuple):
    """Everything that is done to the dice of one pool, in this order."""

    reroll: Tests = ()
    until: bool = False
    """Whether it is re-rolled until it passes, and not just once."""
    unique: bool = False
    """Whether dice are re-rolled until no two show the same."""
    explosion: str = ""
    """"", "!", "!!" (one die grows), "!p" and "!!p" (extra dice count one less), "xo" (once) or
    "ra" (once, and one die of all)."""
    explode: Tests = ()
    """Which faces explode; none is the highest."""
    least: Amount | None = None
    most: Amount | None = None
    picks: tuple[Pick, ...] = ()
    faces: Tests = ()
    """Which faces are kept, where dice are kept by them."""
    success: Tests = ()
    """What counts; each that a die passes counts once more."""
    failure: Tests = ()
    minus: Tests = ()
    """Which faces are taken away instead of added."""
    marks: tuple[tuple[str, Test | None], ...] = ()
    """`cs` and `cf` with the faces they mark; None is the highest, or the lowest."""
    order: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the faces of one throw are all there is to know."""
        return not self.reroll and not self.explosion and not self.unique

    @property
    def is_clamped(self) -> bool:
        """Whether values are raised or lowered."""
        return self.least is not None or self.most is not None

    @property
    def is_scored(self) -> bool:
        """Whether a kept die adds something else than what it shows."""
        return bool(self.success or self.faces or self.minus)

    @property
    def is_whole(self) -> bool:
        """Whether whole values stay whole."""
        return all(type(end) is int for end in (self.least or 0, self.most or 0))

    @property
    def is_growing(self) -> bool:
        """Whether explosions add to the die that exploded."""
        return self.explosion in ("!!", "!!p")

    @property
    def is_endless(self) -> bool:
        """Whether only the stated bound ends explosions."""
        return self.explosion not in ("", "xo", "ra")

    @property
    def penalty(self) -> int:
        """What an extra die counts less."""
        return 1 if self.explosion in ("!p", "!!p") else 0

    @property
    def times(self) -> int:
        """How often a die can explode."""
        if not self.explosion:
            return 0
        return MOST_EXPLOSIONS if self.is_endless else 1

    def clamp(self, value: Amount) -> Amount:
        """A value, not below the minimum and not above the maximum."""
        if self.least is not None and value < self.least:
            value = self.least
        return self.most if self.most is not None and value > self.most else value

    @property
    def is_unmarked(self) -> bool:
        """Whether a die that is thrown once is shown by its face alone."""
        changed = self.picks or self.marks or self.order or self.is_scored
        return not changed and not self.is_clamped

    def goes_on(self, kind: Kind) -> Callable[[Amount], bool]:
        """Which faces are thrown again, or throw another die."""
        reroll, high = self.reroll, kind.high
        if not reroll and not self.explode:
            return lambda face: face == high
        return lambda face: (
            (bool(reroll) and meets(reroll, face))
            or (bool(self.explosion) and self.explodes(face, kind))
        )

    def explodes(self, face: Amount, kind: Kind) -> bool:
        """Whether a face makes the die explode."""
        return meets(self.explode, face) if self.explode else face == kind.high

    def score(self, value: Amount) -> Amount:
        """What a kept die adds: its value, or 1 for a success and -1 for a failure."""
        if self.faces and not meets(self.faces, value):
            return 0
        if self.minus and meets(self.minus, value):
            return -value
        if not self.success:
            return value
        return sum([passes(test, value) for test in self.success]) - meets(self.failure, value)

    def scores(self, low: Amount, high: Amount) -> Bounds:
        """The least and the most that a die between two values adds."""
        ends = low, high = self.clamp(low), self.clamp(high)
        if self.success:
            ends = -1 if self.failure else 0, len(self.success)
        if self.minus:
            ends = min(ends[0], -high), max(ends[1], -low)
        return (min(ends[0], 0), max(ends[1], 0)) if self.faces else ends

    def kept_of(self, count: int) -> int:
        """How many of `count` dice are kept."""
        return len(self.kept(range(count)))

    def kept(self, rising: Sequence[T]) -> Sequence[T]:
        """Those that are kept, out of a list from the lowest to the highest."""
        for pick in self.picks:
            if len(pick) == 1:
                first, last = _ends(*pick[0], len(rising))
                rising = rising[first:last]
            else:
                spans = [range(*_ends(*one, len(rising))) for one in pick]
                rising = [x for n, x in enumerate(rising) if any([n in span for span in spans])]
        return rising

    def reader(self, is_whole: bool) -> Callable[[Faces], Amount]:
        """What dice at rest come to: raised and lowered, kept and dropped, added or counted."""
        read: Callable[[Faces], Amount] = self._scored
        if not self.is_scored and not self.is_clamped:
            read = self._added if self.picks else sum
        return read if is_whole else lambda faces: whole(read(faces))

    def _added(self, faces: Faces) -> Amount:
        return sum(self.kept(sorted(faces)))

    def _scored(self, faces: Faces) -> Amount:
        return sum(map(self.score, self.kept(sorted(map(self.clamp, faces)))))

    def shown(
        self, entries: list[Entry], kind: Kind | None, most: int | None = None
    ) -> tuple[Shown, ...]:
        """Each of the dice at rest, or the first few, with what happened to it."""
        if self.order:
            most = None
        values = [entry[1] for entry in entries]
        if self.is_clamped:
            values = [self.clamp(value) for value in values]
        kept: Sequence[int] | set[int] = range(len(values))
        if self.picks:
            kept = set(self.kept(sorted(kept, key=values.__getitem__)))
        if self.faces:
            kept = {place for place in kept if meets(self.faces, values[place])}
        shown = [
            self._shown(e, v, i in kept, kind)
            for i, (e, v) in enumerate(zip(entries[:most], values, strict=False))
        ]
        if self.order:
            shown.sort(key=lambda one: one.value, reverse=self.order == "sd")
        return tuple(shown)

    def _shown(self, entry: Entry, value: Amount, kept: bool, kind: Kind | None) -> Shown:
        faces, _, exploded, extra, cut = entry
        if not self.marks and not self.success and not self.minus:
            return Shown(faces, value, kept, exploded, extra, None, False, False, cut)
        score = self._counted(value) if kept else None
        marked = {name for name, test in self.marks if self._is_marked(name, test, faces[-1], kind)}
        critical, fumble = "cs" in marked, "cf" in marked
        return Shown(faces, value, kept, exploded, extra, score, critical, fumble, cut)

    def _counted(self, value: Amount) -> int | None:
        """How a die is counted: successes, or -1 for what is taken away."""
        if self.minus and meets(self.minus, value):
            return -1
        return int(self.score(value)) if self.success else None

    def _is_marked(self, name: str, test: Test | None, face: Amount, kind: Kind | None) -> bool:
        if test is not None:
            return passes(test, face)
        if kind is None:
            return False
        return face == (kind.high if name == "cs" else kind.low)


def _ends(name: str, number: int, count: int) -> tuple[int, int]:
    """Which of so many dice, from the lowest up, are kept."""
    if name == "kh":
        return max(count - number, 0), count
    if name == "kl":
        return 0, min(number, count)
    if name == "dh":
        return 0, max(count - number, 0)
    return min(number, count), count
