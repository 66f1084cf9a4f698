"""Dice terms and groups, compiled: `4d6kh3`, `{2d6, 1d10}kh1`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from rollwright.notation.dice import Kind, Test, Tests, meets, passes
from rollwright.notation.parts import Asking, Constant, Faces, Part, Thrown, driven
from rollwright.notation.text import Shown, Told, whole

if TYPE_CHECKING:
    from rollwright.notation.dice import Thrower
    from rollwright.notation.errors import Span
    from rollwright.notation.parts import Bounds
    from rollwright.notation.plans import Plan
    from rollwright.notation.tree import Amount

T = TypeVar("T")
Again: TypeAlias = "Generator[tuple[Kind, int], Faces, T]"
"""Asks for throws of a die that is thrown again."""


class Pool(Part):
    """Dice of one kind and what is done to them; count and sides may themselves be thrown."""

    __slots__ = ("count", "sides", "kind", "treatment", "plan", "number")

    def __init__(
        self,
        span: Span,
        count: Part,
        sides: Part | None,
        kind: Kind,
        treatment: Treatment,
        plan: Plan | None = None,
    ) -> None:
        self.count = count
        self.sides = sides
        """The number of sides where that is thrown; `kind` then has as many as there can be."""
        self.kind = kind
        self.treatment = treatment
        self.plan = plan
        """What is done to the dice where numbers in it are thrown too, before the dice are."""
        self._place(span, *bounds_of(plan, treatment, _bounds, count, sides, kind))
        self.number = self._ready_number()
        """How many dice, where they are simply thrown once and read; otherwise 0."""

    def _ready_number(self) -> int:
        if type(self.count) is not Constant or self.sides is not None or self.plan is not None:
            return 0
        return int(self.count.value) if self.treatment.is_plain else 0

    def read(self) -> Callable[[Faces], Amount]:
        """How the faces of dice that are thrown once are read."""
        how = self.treatment
        if not how.is_scored and not how.is_clamped:
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
        treatment = self.treatment
        if self.plan is not None:
            numbers = yield from each(self.plan.thrown)
            told += numbers
            treatment = self.plan.treatment([one.value for one in numbers])
        number = int(count.value)
        faces = (yield kind, number) if number else ()
        entries: list[list[Entry]] = [[((face,), face, False, False, False)] for face in faces]
        if treatment.unique:
            entries = yield from self._different(faces, kind)
        elif not treatment.is_plain:
            follow = True
            for place in sorted(range(number), key=faces.__getitem__):
                entries[place] = yield from self._followed(faces[place], kind, follow)
                follow = follow and (treatment.explosion != "ra" or len(entries[place]) == 1)
        value, shown = treatment.finish([one for chain in entries for one in chain], kind)
        return Told(self.span, value, tuple(told), shown, label=self.label)

    def _different(self, faces: Faces, kind: Kind) -> Again[list[list[Entry]]]:
        """Dice of which each is thrown until it shows what none before it shows."""
        seen: set[Amount] = set()
        entries: list[list[Entry]] = []
        for face in faces:
            thrown = [face]
            while thrown[-1] in seen:
                (again,) = yield kind, 1
                thrown.append(again)
            seen.add(thrown[-1])
            entries.append([(tuple(thrown), thrown[-1], False, False, False)])
        return entries

    def _followed(self, face: Amount, kind: Kind, follow: bool) -> Again[list[Entry]]:
        """One die with its re-rolls and explosions, each asked for in turn."""
        how = self.treatment
        times = how.times if follow else 0
        settled = yield from self._settled(face, kind)
        thrown = [settled]
        while len(thrown) <= times and how.explodes(thrown[-1][-1], kind):
            (extra,) = yield kind, 1
            thrown.append((yield from self._settled(extra, kind)))
        last = thrown[-1][-1]
        cut = how.is_endless and len(thrown) > how.times and how.explodes(last, kind)
        if how.is_growing:
            total = sum([faces[-1] for faces in thrown]) - how.penalty * (len(thrown) - 1)
            shown = tuple([face for faces in thrown for face in faces])
            return [(shown, total, len(thrown) > 1, False, cut)]
        return [
            (faces, faces[-1] - (how.penalty if place else 0), place < len(thrown) - 1, place > 0,
             cut and place == len(thrown) - 1)
            for place, faces in enumerate(thrown)
        ]  # fmt: skip

    def _settled(self, face: Amount, kind: Kind) -> Again[tuple[Amount, ...]]:
        """The faces of one die until it is not re-rolled any more."""
        how = self.treatment
        faces = [face]
        while how.reroll and meets(how.reroll, faces[-1]) and (how.until or len(faces) == 1):
            (face,) = yield kind, 1
            faces.append(face)
        return tuple(faces)


class Group(Part):
    """Several results, treated like dice."""

    __slots__ = ("parts", "treatment", "plan")

    def __init__(
        self, span: Span, parts: tuple[Part, ...], treatment: Treatment, plan: Plan | None = None
    ) -> None:
        self._place(span, *bounds_of(plan, treatment, _group_bounds, parts))
        self.parts = parts
        self.treatment = treatment
        self.plan = plan

    def tell(self) -> Asking[Amount]:
        """Each part in turn."""
        how = self.treatment
        numbers = []
        if self.plan is not None:
            numbers = yield from each(self.plan.thrown)
            how = self.plan.treatment([one.value for one in numbers])
        told = yield from each(self.parts)
        entries: list[Entry] = [((one.value,), one.value, False, False, False) for one in told]
        value, shown = how.finish(entries, None)
        shares = None
        if not numbers and not how.is_scored and not how.is_clamped and not how.order:
            shares = tuple([int(one.kept) for one in shown])
        return Told(self.span, value, (*numbers, *told), shown, shares, self.label)


class Mixed(Part):
    """Dice of several kinds that are treated together: `{4d6+3d8}kh3`."""

    __slots__ = ("pools", "treatment", "plan")

    def __init__(
        self, span: Span, pools: tuple[Pool, ...], treatment: Treatment, plan: Plan | None = None
    ) -> None:
        self._place(span, *bounds_of(plan, treatment, _mixed_bounds, pools))
        self.pools = pools
        self.treatment = treatment
        self.plan = plan

    def tell(self) -> Asking[Amount]:
        """The dice of each kind in turn."""
        how = self.treatment
        numbers = []
        if self.plan is not None:
            numbers = yield from each(self.plan.thrown)
            how = self.plan.treatment([one.value for one in numbers])
        told = yield from each(self.pools)
        entries: list[Entry] = [
            (one.faces, one.value, False, False, False) for pool in told for one in pool.shown
        ]
        value, shown = how.finish(entries, None)
        return Told(self.span, value, tuple(numbers), shown, label=self.label)


def each(parts: Sequence[Part]) -> Generator[tuple[Kind, int], Faces, list[Told[Amount]]]:
    """Tell one part after the other."""
    told = []
    for part in parts:
        told.append((yield from part.tell()))
    return told


Limits: TypeAlias = "tuple[Amount, Amount, bool]"
"""Bounds of what dice come to, and whether that is whole."""


def bounds_of(
    plan: Plan | None, how: Treatment, bounds: Callable[..., Limits], *args: object
) -> Limits:
    """The bounds of dice; where numbers are thrown for them, whatever those come to."""
    if plan is None:
        return bounds(*args, how)
    lowest = plan.treatment([part.low for part in plan.thrown])._replace(picks=())
    highest = plan.treatment([part.high for part in plan.thrown])._replace(picks=())
    low, _, is_whole = bounds(*args, lowest)
    _, high, _ = bounds(*args, highest)
    if how.picks:
        low, high = min(low, 0), max(high, 0)
    return low, high, is_whole and (bool(how.success) or all(p.is_whole for p in plan.thrown))


def _bounds(count: Part, sides: Part | None, kind: Kind, how: Treatment) -> Limits:
    fewest, most = count.low, count.high * (1 if how.is_growing else how.times + 1)
    low, high = kind.low, kind.high
    if how.is_growing:
        low = min(low, (low - how.penalty) * how.times + low)
        high = max(high, (high - how.penalty) * how.times + high)
    else:
        low -= how.penalty
    low, high = how.scores(low, high)
    if how.picks:
        fewest, most = how.kept_of(int(fewest)), how.kept_of(int(most))
    is_whole = bool(how.success) or (kind.is_whole and how.is_whole)
    return low * (most if low < 0 else fewest), high * (fewest if high < 0 else most), is_whole


def _group_bounds(parts: tuple[Part, ...], how: Treatment) -> Limits:
    ends = [how.scores(part.low, part.high) for part in parts]
    if how.picks:
        ends = [(min(low, 0), max(high, 0)) for low, high in ends]
    is_whole = bool(how.success) or (how.is_whole and all([part.is_whole for part in parts]))
    return sum([low for low, _ in ends]), sum([high for _, high in ends]), is_whole


def _mixed_bounds(pools: tuple[Pool, ...], how: Treatment) -> Limits:
    low: Amount = 0
    high: Amount = 0
    for pool in pools:
        own = pool.treatment
        least, most = how.scores(own.clamp(pool.kind.low), own.clamp(pool.kind.high))
        low += min(least, 0) * pool.count.high
        high += max(most, 0) * pool.count.high
    is_whole = bool(how.success) or (how.is_whole and all([pool.is_whole for pool in pools]))
    return low, high, is_whole


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

    def finish(self, entries: list[Entry], kind: Kind | None) -> tuple[Amount, tuple[Shown, ...]]:
        """The value of dice at rest, and each of them with what happened to it."""
        values = [self.clamp(value) for _, value, _, _, _ in entries]
        kept = set(self.kept(sorted(range(len(values)), key=values.__getitem__)))
        if self.faces:
            kept = {place for place in kept if meets(self.faces, values[place])}
        shown = [
            self._shown(e, v, i in kept, kind) for i, (e, v) in enumerate(zip(entries, values))
        ]
        total = sum([self.score(value) for i, value in enumerate(values) if i in kept])
        if self.order:
            shown.sort(key=lambda one: one.value, reverse=self.order == "sd")
        return whole(total), tuple(shown)

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
