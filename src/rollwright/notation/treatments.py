"""What happens to dice once they lie there: raised, lowered, kept, dropped, counted, marked."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollwright.notation.kinds import Kind, Test, passes
from rollwright.notation.told import Shown, whole

MOST_EXPLOSIONS = 10
"""A die explodes at most so many times in a row: the stated bound."""

Entry = tuple[tuple[Any, ...], Any, bool, bool, bool]
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
    least: Any = None
    most: Any = None
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

    def clamp(self, value: Any) -> Any:
        """A value, not below the minimum and not above the maximum."""
        if self.least is not None and value < self.least:
            value = self.least
        return self.most if self.most is not None and value > self.most else value

    def explodes(self, face: Any, kind: Kind) -> bool:
        """Whether a face makes the die explode."""
        return passes(self.explode, face) if self.explode else bool(face == kind.high)

    def score(self, value: Any) -> Any:
        """What a kept die adds: its value, or 1 for a success and -1 for a failure."""
        if self.success is None:
            return value
        failed = self.failure is not None and passes(self.failure, value)
        return passes(self.success, value) - failed

    def kept_of(self, count: int) -> int:
        """How many of `count` dice are kept."""
        return len(self.kept(list(range(count))))

    def kept(self, rising: list[Any]) -> list[Any]:
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

    def finish(self, entries: list[Entry], kind: Kind | None) -> tuple[Any, tuple[Shown, ...]]:
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

    def _shown(self, entry: Entry, value: Any, kept: bool, kind: Kind | None) -> Shown:
        faces, _, exploded, extra, cut = entry
        if not self.marks and self.success is None:
            return Shown(faces, value, kept, exploded, extra, None, False, False, cut)
        score = self.score(value) if self.success is not None and kept else None
        marked = {name for name, test in self.marks if self._is_marked(name, test, faces[-1], kind)}
        critical, fumble = "cs" in marked, "cf" in marked
        return Shown(faces, value, kept, exploded, extra, score, critical, fumble, cut)

    def _is_marked(self, name: str, test: Test | None, face: Any, kind: Kind | None) -> bool:
        if test is not None:
            return passes(test, face)
        if kind is None:
            return False
        return bool(face == (kind.high if name == "cs" else kind.low))
