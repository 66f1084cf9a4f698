"""The treatment of dice at rest and on their way there, in one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from rollwright.notation.breakdowns import DieResult, whole
from rollwright.notation.dice import COMPARE, DieKind, Test, Tests, meets, passes

if TYPE_CHECKING:
    from rollwright.notation.breakdowns import Entry
    from rollwright.notation.parts import Bounds, Faces
    from rollwright.notation.tree import Amount

T = TypeVar("T")

MOST_EXPLOSIONS = 10
"""A die explodes at most so many times in a row: the stated bound."""

TIMES = {"": 0, "xo": 1, "ra": 1}
"""How often a die can explode, where something else than the stated bound ends it."""

Pick: TypeAlias = "tuple[tuple[str, int], ...]"
"""The dice to keep: so many of one end, or of either of several."""


class PoolModifiers:
    """Everything that is done to the dice of one pool, in this order.

    Those that say the same are equal. What follows from what they say is worked out once.
    """

    __slots__ = (
        "reroll", "until", "unique", "explosion", "explode", "least", "most", "picks", "faces",
        "sifted", "success", "failure", "minus", "marks", "order", "_said", "is_plain",
        "is_clamped", "is_scored", "is_whole", "is_growing", "is_endless", "is_unmarked",
        "penalty", "read", "is_bare", "each",
    )  # fmt: skip

    def __init__(
        self,
        *,
        reroll: Tests = (),
        until: bool = False,
        unique: bool = False,
        explosion: str = "",
        explode: Tests = (),
        least: Amount | None = None,
        most: Amount | None = None,
        picks: tuple[Pick, ...] = (),
        faces: Tests = (),
        sifted: bool = False,
        success: Tests = (),
        failure: Tests = (),
        minus: Tests = (),
        marks: tuple[tuple[str, Test | None], ...] = (),
        order: str = "",
    ) -> None:
        self.reroll = reroll
        self.until = until
        """Whether it is re-rolled until it passes, and not just once."""
        self.unique = unique
        """Whether dice are re-rolled until no two show the same."""
        self.explosion = explosion
        """"", "!", "!!" (one die grows), "!p" and "!!p" (extra dice count one less), "xo" (once)
        or "ra" (once, and one die of all)."""
        self.explode = explode
        """Which faces explode; none is the highest."""
        self.least = least
        self.most = most
        self.picks = picks
        self.faces = faces
        """Which faces are kept, where dice are kept by them."""
        self.sifted = sifted
        """Whether they are kept by their faces first, and then by their ranks among those."""
        self.success = success
        """Tests of success; each that a die passes counts once more."""
        self.failure = failure
        self.minus = minus
        """Which faces are taken away instead of added."""
        self.marks = marks
        """`cs` and `cf` with the faces they mark; None is the highest, or the lowest."""
        self.order = order
        self._said = (
            reroll, until, unique, explosion, explode, least, most, picks, faces, sifted, success,
            failure, minus, marks, order,
        )  # fmt: skip
        self.is_plain = not reroll and not explosion and not unique
        """Whether the faces of one throw are all there is to know."""
        self.is_clamped = least is not None or most is not None
        """Whether values are raised or lowered."""
        self.is_scored = bool(success or faces or minus)
        """Whether a kept die adds something else than what it shows."""
        self.is_whole = type(least or 0) is int and type(most or 0) is int
        """Whether whole values stay whole."""
        self.is_growing = explosion in ("!!", "!!p")
        """Whether explosions add to the die that exploded."""
        self.is_endless = explosion not in TIMES
        """Whether only the stated bound ends explosions."""
        self.is_unmarked = not (marks or order or self.is_scored or self.is_clamped)
        """Whether a die is shown by its faces alone, and by whether it is kept."""
        self.is_bare = self.is_plain and self.is_unmarked and not picks
        """Whether every die is shown by one face, and nothing else is said of it."""
        self.penalty = 1 if explosion in ("!p", "!!p") else 0
        """The penalty on an extra die."""
        self.each: dict[DieKind, float] = {}
        """How often a die is thrown on average, for the kinds for which that is kept."""
        self.read = self._reader()
        """Function for the result of dice at rest, if that is whole."""

    def __eq__(self, other: object) -> bool:
        return self._said == other._said if isinstance(other, PoolModifiers) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._said)

    def without(self, *fields: str) -> PoolModifiers:
        """The same, but for something that is not done."""
        names = [name for name in FIELDS if name not in fields]
        return PoolModifiers(**{name: getattr(self, name) for name in names})

    @property
    def times(self) -> int:
        """How often a die can explode."""
        return TIMES.get(self.explosion, MOST_EXPLOSIONS)

    def clamp(self, value: Amount) -> Amount:
        """A value, not below the minimum and not above the maximum."""
        if self.least is not None and value < self.least:
            value = self.least
        return self.most if self.most is not None and value > self.most else value

    def places(self, faces: Faces, kind: DieKind) -> list[int]:
        """Which dice are thrown again, or throw another one, from the lowest to the highest."""
        reroll, high = self.reroll, kind.high
        if not reroll and not self.explode:
            return [place for place, face in enumerate(faces) if face == high]
        places = [
            place
            for place, face in enumerate(faces)
            if meets(reroll, face) or (self.explosion and self.explodes(face, kind))
        ]
        return sorted(places, key=faces.__getitem__)

    def explodes(self, face: Amount, kind: DieKind) -> bool:
        """Whether a face makes the die explode."""
        return meets(self.explode, face) if self.explode else face == kind.high

    def score(self, value: Amount) -> Amount:
        """Return what a kept die adds: its value, or 1 for a success and -1 for a failure."""
        if self.faces and not meets(self.faces, value):
            return 0
        if self.minus and meets(self.minus, value):
            return -value
        if not self.success:
            return value
        return sum([passes(test, value) for test in self.success]) - meets(self.failure, value)

    def scores(self, low: Amount, high: Amount) -> Bounds:
        """The least and the most that a die between two values adds."""
        if self.is_clamped:
            low, high = self.clamp(low), self.clamp(high)
        ends = low, high
        if self.success:
            ends = -1 if self.failure else 0, len(self.success)
        if self.minus:
            ends = min(ends[0], -high), max(ends[1], -low)
        return (min(ends[0], 0), max(ends[1], 0)) if self.faces else ends

    def keep_count(self, count: int) -> int:
        """How many of `count` dice are kept."""
        if len(self.picks) == 1 and len(self.picks[0]) == 1:
            first, last = _ends(*self.picks[0][0], count)
            return last - first
        return len(self.keep(range(count)))

    def keep(self, rising: Sequence[T]) -> Sequence[T]:
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
        """Return the function for the result of dice at rest: clamped, kept, added or counted."""
        read = self.read
        return read if is_whole else lambda faces: whole(read(faces))

    def _reader(self) -> Callable[[Faces], Amount]:
        if not self.is_scored and not self.is_clamped:
            return self._add if self.picks else sum
        if len(self.success) != 1 or self.without("success") != PLAIN:
            return self._score_all
        ((compare, mark),) = self.success
        passing = COMPARE[compare]
        return lambda faces: sum([passing(face, mark) for face in faces])

    def _add(self, faces: Faces) -> Amount:
        return sum(self.keep(sorted(faces)))

    def _score_all(self, faces: Faces) -> Amount:
        rising = sorted(map(self.clamp, faces))
        if self.sifted:
            rising = [value for value in rising if meets(self.faces, value)]
        return sum(map(self.score, self.keep(rising)))

    def die_results(
        self, entries: list[Entry], kind: DieKind | None, most: int | None = None
    ) -> tuple[DieResult, ...]:
        """Each of the dice at rest, or the first few, with what happened to it."""
        if self.order:
            most = None
        values = [entry[1] for entry in entries]
        if self.is_clamped:
            values = [self.clamp(value) for value in values]
        kept: Sequence[int] | set[int] = range(len(values))
        if self.sifted:
            kept = {place for place in kept if meets(self.faces, values[place])}
        if self.picks:
            kept = set(self.keep(sorted(kept, key=values.__getitem__)))
        if self.faces:
            kept = {place for place in kept if meets(self.faces, values[place])}
        if not self.marks and not self.success and not self.minus and not self.order:
            return tuple([
                DieResult(faces, value, i in kept, exploded, extra, None, False, False, cut)
                for i, ((faces, _, exploded, extra, cut), value) in enumerate(
                    zip(entries[:most], values, strict=False)
                )
            ])  # fmt: skip
        shown = [
            self._die_result(e, v, i in kept, kind)
            for i, (e, v) in enumerate(zip(entries[:most], values, strict=False))
        ]
        if self.order:
            shown.sort(key=lambda one: one.value, reverse=self.order == "sd")
        return tuple(shown)

    def _die_result(
        self, entry: Entry, value: Amount, kept: bool, kind: DieKind | None
    ) -> DieResult:
        faces, _, exploded, extra, cut = entry
        if not self.marks and not self.success and not self.minus:
            return DieResult(faces, value, kept, exploded, extra, None, False, False, cut)
        score = self._count(value) if kept else None
        marked = {name for name, test in self.marks if self._has_mark(name, test, faces[-1], kind)}
        critical, fumble = "cs" in marked, "cf" in marked
        return DieResult(faces, value, kept, exploded, extra, score, critical, fumble, cut)

    def _count(self, value: Amount) -> int | None:
        """How a die is counted: successes, or -1 for what is taken away."""
        if self.minus and meets(self.minus, value):
            return -1
        return int(self.score(value)) if self.success else None

    def _has_mark(self, name: str, test: Test | None, face: Amount, kind: DieKind | None) -> bool:
        if test is not None:
            return passes(test, face)
        if kind is None:
            return False
        return face == (kind.high if name == "cs" else kind.low)


FIELDS = PoolModifiers.__slots__[: PoolModifiers.__slots__.index("_said")]
PLAIN = PoolModifiers()


def _ends(name: str, number: int, count: int) -> tuple[int, int]:
    """Which of so many dice, from the lowest up, are kept."""
    if name == "kh":
        return max(count - number, 0), count
    if name == "kl":
        return 0, min(number, count)
    if name == "dh":
        return 0, max(count - number, 0)
    return min(number, count), count
