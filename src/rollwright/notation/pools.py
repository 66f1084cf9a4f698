"""Dice terms and groups, compiled: `4d6kh3`, `{2d6, 1d10}kh1`.

These are the parts that are thrown: each asks for its throws, `yield kind, count`, is sent the
faces, in any order, and leaves a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from rollwright.notation.breakdowns import (
    MOST_DICE,
    Breakdown,
    DieResult,
    format_dice,
    format_rest,
    whole,
)
from rollwright.notation.dice import DieKind, meets, passes
from rollwright.notation.parts import Constant, Faces, Hands, Part
from rollwright.notation.pool_modifiers import PLAIN, PoolModifiers

if TYPE_CHECKING:
    from rollwright.notation.breakdowns import Entry
    from rollwright.notation.errors import Span
    from rollwright.notation.parts import Listed, VersusPart
    from rollwright.notation.plans import Plan
    from rollwright.notation.tree import Amount

T = TypeVar("T")
Again: TypeAlias = "Generator[tuple[DieKind, int], Faces, T]"
"""Asks for throws and is sent the faces."""
Hand: TypeAlias = "tuple[Amount, Sequence[Faces], dict[int, list[Entry]] | None, Sequence[Hand]]"
"""The value of a thrown part; its throws in order; the results of dice that were thrown again, by
their place in the first throw; and the hands of what was thrown before and inside.
"""


class ThrowPart(Part):
    """A part that is thrown, and not just made of others."""

    __slots__ = ()

    number = 0
    """How many dice, where they are simply thrown once and read; otherwise 0."""

    def request_throws(self) -> Again[Hand]:
        """Ask for every throw in turn."""
        raise TypeError(f"{type(self).__name__} does not say how")

    def read(self, hands: Hands) -> Amount:
        """Return the value of its hand."""
        return next(hands)[0]


class PoolPart(ThrowPart):
    """Dice of one kind and what is done to them; count and sides may themselves be thrown."""

    __slots__ = (
        "count", "sides", "kind", "treatment", "plan", "number", "reader",
    )  # fmt: skip

    def __init__(
        self,
        span: Span,
        count: Part,
        sides: Part | None,
        kind: DieKind,
        treatment: PoolModifiers,
        plan: Plan | None = None,
    ) -> None:
        self.count = count
        self.sides = sides
        """The number of sides where that is thrown; `kind` then has as many as there can be."""
        self.kind = kind
        self.treatment = treatment
        self.plan = plan
        """The treatment of the dice if numbers in it are thrown too, before the dice are."""
        self.reader: Callable[[Faces], Amount]
        self.span = span
        self.label = ""
        if treatment is PLAIN and kind.sides:
            self.low = count.low
            self.high = count.high * kind.sides
            self.is_whole = True
            self.reader = sum
        else:
            bounds = bounds_of(plan, treatment, _bounds, count, kind)
            self.low, self.high, self.is_whole = bounds
            self.reader = treatment.reader(self.is_whole)
        if type(count) is Constant and sides is None and plan is None:
            self.parts = ()
            self.number = int(count.value) if treatment.is_plain else 0
        else:
            before = [count, *([] if sides is None else [sides]), *(plan.thrown if plan else ())]
            self.parts = tuple([part for part in before if type(part) is not Constant])
            self.number = 0

    def request_throws(self) -> Again[Hand]:
        """Throw the dice, then whatever is thrown again, from the lowest die to the highest."""
        if self.number:
            faces = yield self.kind, self.number
            return self.reader(faces), (faces,), None, ()
        before: Sequence[Hand] = ()
        number, kind, how, read = int(self.count.low), self.kind, self.treatment, self.reader
        if self.parts:
            before = yield from request_throws(self.parts)
            number, kind, how = self._settled_by(before)
            read = how.reader(self.is_whole)
        if not number:
            return whole(read(())), (), None, before
        faces = yield kind, number
        if how.is_plain:
            return read(faces), (faces,), None, before
        throws = [faces]
        again: dict[int, list[Entry]] = {}
        if how.unique:
            again = yield from _different(faces, kind, throws)
        else:
            follow = True
            for place in how.places(faces, kind):
                again[place] = yield from _follow_die(faces[place], kind, how, follow, throws)
                follow = follow and (how.explosion != "ra" or len(again[place]) == 1)
        values = [*faces]
        for place, entries in again.items():
            values[place] = entries[0][1]
            if len(entries) > 1:
                values += [entry[1] for entry in entries[1:]]
        return read(values), throws, again, before

    def _settled_by(self, before: Sequence[Hand]) -> tuple[int, DieKind, PoolModifiers]:
        """How many dice of which kind and what is done to them, with what was thrown for it."""
        if not self.parts:
            return int(self.count.low), self.kind, self.treatment
        hands = iter(before)
        number = int(self.count.read(hands))
        kind = self.kind if self.sides is None else DieKind(int(self.sides.read(hands)))
        if self.plan is None:
            return number, kind, self.treatment
        return number, kind, self.plan.modifiers([part.read(hands) for part in self.plan.thrown])

    def break_down(self, hands: Hands) -> Breakdown[Amount]:
        """Its hand, with every die."""
        hand = next(hands)
        before = iter(hand[3])
        told = tuple([part.break_down(before) for part in self.parts])
        return Breakdown(self.span, hand[0], told, self.die_results(hand), None, self.label)

    def die_results(self, hand: Hand, most: int | None = None) -> tuple[DieResult, ...]:
        """Every die of a hand, or the first few, with what happened to it."""
        _, throws, again, before = hand
        if not throws:
            return ()
        _, kind, how = self._settled_by(before)
        return how.die_results(entries_of(throws[0], again), kind, most)

    def show(self, hands: Hands, listed: Listed) -> None:
        """The dice of its hand, behind those that were thrown for it."""
        hand = next(hands)
        before = iter(hand[3])
        for part in self.parts:
            part.show(before, listed)
        if said := self.format_hand(hand):
            listed.append((self.span[1], said))

    def format_hand(self, hand: Hand) -> str:
        """Return the note on a hand after its term: the dice in brackets."""
        _, throws, again, _ = hand
        if not throws:
            return ""
        faces = throws[0]
        how = self.treatment
        if how.is_bare and self.plan is None and len(faces) <= MOST_DICE:
            return f" [{' '.join(map(str, faces))}]"
        many = len(faces) + len(throws) > MOST_DICE + 1
        if many or not how.is_unmarked or self.plan is not None or (again and how.picks):
            count = len(faces) + sum([len(one) - 1 for one in (again or {}).values()])
            return f" {format_dice(self.die_results(hand, MOST_DICE), count)}"
        said = [*map(str, faces)]
        if again:
            for place, entries in again.items():
                said[place] = " ".join(map(format_rest, entries))
        elif how.picks:
            places = sorted(range(len(faces)), key=faces.__getitem__)
            for place in {*places}.difference(how.keep(places)):
                said[place] = f"~{said[place]}~"
        return f" [{' '.join(said)}]"


def _different(faces: Faces, kind: DieKind, throws: list[Faces]) -> Again[dict[int, list[Entry]]]:
    """Dice of which each is thrown until it shows what none before it shows."""
    seen: set[Amount] = set()
    again: dict[int, list[Entry]] = {}
    for place, face in enumerate(faces):
        thrown = [face]
        while thrown[-1] in seen:
            more = yield kind, 1
            throws.append(more)
            thrown.append(more[0])
        seen.add(thrown[-1])
        if len(thrown) > 1:
            again[place] = [(tuple(thrown), thrown[-1], False, False, False)]
    return again


def _follow_die(
    face: Amount, kind: DieKind, how: PoolModifiers, follow: bool, throws: list[Faces]
) -> Again[list[Entry]]:
    """One die with its re-rolls and explosions, each asked for in turn."""
    times = how.times if follow else 0
    again, marks, high = bool(how.reroll), how.explode, kind.high
    faces = (yield from _settle_die(face, kind, how, throws)) if again else (face,)
    thrown = [faces]
    while (explodes := meets(marks, faces[-1]) if marks else faces[-1] == high) and len(
        thrown
    ) <= times:
        extra = yield kind, 1
        throws.append(extra)
        faces = (yield from _settle_die(extra[0], kind, how, throws)) if again else (extra[0],)
        thrown.append(faces)
    final = len(thrown) - 1
    cut = explodes and how.is_endless and 0 < final == times
    less = how.penalty
    if how.is_growing:
        total = sum([faces[-1] for faces in thrown]) - less * final
        shown = tuple([face for faces in thrown for face in faces])
        return [(shown, total, final > 0, False, cut)]
    first = thrown[0]
    entries: list[Entry] = [(first, first[-1], final > 0, False, False)]
    for place in range(1, final):
        faces = thrown[place]
        entries.append((faces, faces[-1] - less, True, True, False))
    if final:
        faces = thrown[final]
        entries.append((faces, faces[-1] - less, False, True, cut))
    return entries


def _settle_die(
    face: Amount, kind: DieKind, how: PoolModifiers, throws: list[Faces]
) -> Again[tuple[Amount, ...]]:
    """The faces of one die until it is not re-rolled any more."""
    faces = [face]
    while meets(how.reroll, faces[-1]) and (how.until or len(faces) == 1):
        more = yield kind, 1
        throws.append(more)
        faces.append(more[0])
    return tuple(faces)


def entries_of(faces: Faces, again: dict[int, list[Entry]] | None = None) -> list[Entry]:
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


class GroupPart(Part):
    """Several results, treated like dice."""

    __slots__ = ("results", "treatment", "plan", "reader")

    def __init__(
        self,
        span: Span,
        results: tuple[Part, ...],
        treatment: PoolModifiers,
        plan: Plan | None = None,
    ) -> None:
        self._place(span, *bounds_of(plan, treatment, _group_bounds, results))
        self.results = results
        self.treatment = treatment
        self.plan = plan
        """The treatment of the results if numbers in it are thrown too, before they are."""
        self.parts = (*(() if plan is None else plan.thrown), *results)
        self.reader = treatment.reader(self.is_whole)

    def _how(self, values: list[Amount]) -> tuple[PoolModifiers, list[Amount]]:
        """Return the treatment of the results, and the results."""
        if self.plan is None:
            return self.treatment, values
        count = len(self.plan.thrown)
        return self.plan.modifiers(values[:count]), values[count:]

    def of(self, values: list[Amount]) -> Amount:
        """Return the value of the kept results."""
        if self.plan is None:
            return self.reader(values)
        how, results = self._how(values)
        return how.reader(self.is_whole)(results)

    def die_results(self, values: list[Amount]) -> tuple[DieResult, ...]:
        """Every result, with what happened to it."""
        how, results = self._how(values)
        return how.die_results(entries_of(results), None)

    def break_down(self, hands: Hands) -> Breakdown[Amount]:
        """Each part in turn, and which of them count."""
        told = super().break_down(hands)
        how = self.treatment
        shown = self.die_results([one.value for one in told.parts])
        shares = None
        if self.plan is None and not how.is_scored and not how.is_clamped and not how.order:
            shares = tuple([int(one.kept) for one in shown])
        return told._replace(shown=shown, shares=shares)

    def show(self, hands: Hands, listed: Listed) -> None:
        """The dice of every result, and behind them the results."""
        inside = [next(hands) for part in self.parts for _ in throwing_in(part)]
        super().show(iter(inside), listed)
        hands = iter(inside)
        values = [part.read(hands) for part in self.parts]
        listed.append((self.span[1], f" {format_dice(self.die_results(values))}"))


class MixedPart(ThrowPart):
    """Dice of several kinds that are treated together: `{4d6+3d8}kh3`."""

    __slots__ = ("pools", "treatment", "plan")

    def __init__(
        self,
        span: Span,
        pools: tuple[PoolPart, ...],
        treatment: PoolModifiers,
        plan: Plan | None = None,
    ) -> None:
        self._place(span, *bounds_of(plan, treatment, _mixed_bounds, pools))
        self.pools = pools
        self.treatment = treatment
        self.plan = plan
        self.parts = () if plan is None else plan.thrown

    def request_throws(self) -> Again[Hand]:
        """The numbers that are thrown, then the dice of each kind in turn."""
        before = yield from request_throws((*self.parts, *self.pools))
        how, entries = self._entries(before)
        read = how.reader(self.is_whole)
        return read([entry[1] for entry in entries]), (), None, before

    def _entries(self, before: Sequence[Hand]) -> tuple[PoolModifiers, list[Entry]]:
        """Return the treatment of the dice, and all of them as their own pool left them."""
        hands = iter(before)
        numbers = [part.read(hands) for part in self.parts]
        how = self.treatment if self.plan is None else self.plan.modifiers(numbers)
        entries: list[Entry] = [
            (one.faces, one.value, False, False, False)
            for pool in self.pools
            for one in pool.die_results(next(hands))
        ]
        return how, entries

    def break_down(self, hands: Hands) -> Breakdown[Amount]:
        """Its hand, with every die."""
        value, _, _, before = next(hands)
        numbers = iter(before)
        told = tuple([part.break_down(numbers) for part in self.parts])
        how, entries = self._entries(before)
        return Breakdown(self.span, value, told, how.die_results(entries, None), None, self.label)

    def show(self, hands: Hands, listed: Listed) -> None:
        """Its dice, behind those that were thrown for it."""
        before = next(hands)[3]
        numbers = iter(before)
        for part in self.parts:
            part.show(numbers, listed)
        how, entries = self._entries(before)
        listed.append((self.span[1], f" {format_dice(how.die_results(entries, None))}"))


class ChoicePart(ThrowPart):
    """One part or the other, by how two others compare; only that one is thrown."""

    __slots__ = ("left", "compare", "right", "then", "otherwise")

    def __init__(
        self, span: Span, left: Part, compare: str, right: Part, then: Part, otherwise: Part
    ) -> None:
        low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
        self._place(span, low, high, then.is_whole and otherwise.is_whole)
        self.left = left
        self.compare = compare
        self.right = right
        self.then = then
        self.otherwise = otherwise
        self.parts = (left, right)

    def holds(self, left: Amount, right: Amount) -> bool:
        """Whether the first part is taken."""
        return passes((self.compare, right), left)

    def _branch(self, hands: Hands) -> Part:
        """The part that is taken after what these hands show."""
        is_first = self.holds(self.left.read(hands), self.right.read(hands))
        return self.then if is_first else self.otherwise

    def request_throws(self) -> Again[Hand]:
        """Yield throws for the comparison, and for what follows from it."""
        hands = yield from request_throws(self.parts)
        taken = self._branch(iter(hands))
        more = yield from request_throws((taken,))
        return taken.read(iter(more)), (), None, [*hands, *more]

    def break_down(self, hands: Hands) -> Breakdown[Amount]:
        """Return a breakdown of the comparison, and of what follows from it."""
        value, _, _, inside = next(hands)
        taken, hands = self._branch(iter(inside)), iter(inside)
        told = tuple([part.break_down(hands) for part in (self.left, self.right, taken)])
        return Breakdown(self.span, value, told, (), (0, 0, 1), self.label)

    def show(self, hands: Hands, listed: Listed) -> None:
        """The dice of what is compared, and of what follows from it."""
        inside = next(hands)[3]
        taken, hands = self._branch(iter(inside)), iter(inside)
        for part in (self.left, self.right, taken):
            part.show(hands, listed)


def throwing_in(part: Part | VersusPart) -> list[ThrowPart]:
    """Return the throwing parts of a part, in order, without those inside of them."""
    if isinstance(part, ThrowPart):
        return [part]
    found: list[ThrowPart] = []
    for one in part.parts:
        if type(one) is PoolPart:
            found.append(one)
        elif type(one) is not Constant:
            found += throwing_in(one)
    return found


def fixed_pools(part: Part | VersusPart) -> list[PoolPart] | None:
    """Return the pools of a part, if it throws only dice whose number and sides are fixed."""
    if isinstance(part, ThrowPart):
        return [part] if type(part) is PoolPart and not part.parts else None
    pools: list[PoolPart] = []
    for one in part.parts:
        if type(one) is Constant:
            continue
        if type(one) is PoolPart and not one.parts:
            pools.append(one)
        elif (more := fixed_pools(one)) is not None:
            pools += more
        else:
            return None
    return pools


def request_throws(parts: Sequence[Part | VersusPart]) -> Again[list[Hand]]:
    """Throw one part after the other."""
    hands = []
    for part in parts:
        for one in throwing_in(part):
            hands.append((yield from one.request_throws()))
    return hands


def cut_in(hands: Sequence[Hand]) -> int:
    """How many dice would have exploded once more, but for the stated bound."""
    cut = 0
    for _, _, again, before in hands:
        if again:
            for entries in again.values():
                cut += entries[-1][4]
        if before:
            cut += cut_in(before)
    return cut


Limits: TypeAlias = "tuple[Amount, Amount, bool]"
"""Bounds of what dice come to, and whether that is whole."""


def bounds_of(
    plan: Plan | None, how: PoolModifiers, bounds: Callable[..., Limits], *args: object
) -> Limits:
    """The bounds of dice; where numbers are thrown for them, whatever those come to."""
    if plan is None:
        return bounds(*args, how)
    lowest = plan.modifiers([part.low for part in plan.thrown]).without("picks")
    highest = plan.modifiers([part.high for part in plan.thrown]).without("picks")
    low, _, is_whole = bounds(*args, lowest)
    _, high, _ = bounds(*args, highest)
    if how.picks:
        low, high = min(low, 0), max(high, 0)
    return low, high, is_whole and (bool(how.success) or all(p.is_whole for p in plan.thrown))


def _bounds(count: Part, kind: DieKind, how: PoolModifiers) -> Limits:
    fewest, most = count.low, count.high
    low, high = kind.low, kind.high
    if how.explosion:
        times, penalty = how.times, how.penalty
        if how.is_growing:
            low = min(low, (low - penalty) * times + low)
            high = max(high, (high - penalty) * times + high)
        else:
            most *= times + 1
            low -= penalty
    if how.is_scored or how.is_clamped:
        low, high = how.scores(low, high)
    if how.picks:
        least = how.keep_count(int(fewest))
        fewest, most = least, least if most == fewest else how.keep_count(int(most))
    is_whole = bool(how.success) or (kind.is_whole and how.is_whole)
    return low * (most if low < 0 else fewest), high * (fewest if high < 0 else most), is_whole


def _group_bounds(parts: tuple[Part, ...], how: PoolModifiers) -> Limits:
    ends = [how.scores(part.low, part.high) for part in parts]
    if how.picks:
        ends = [(min(low, 0), max(high, 0)) for low, high in ends]
    is_whole = bool(how.success) or (how.is_whole and all([part.is_whole for part in parts]))
    return sum([low for low, _ in ends]), sum([high for _, high in ends]), is_whole


def _mixed_bounds(pools: tuple[PoolPart, ...], how: PoolModifiers) -> Limits:
    low: Amount = 0
    high: Amount = 0
    for pool in pools:
        own = pool.treatment
        least, most = how.scores(own.clamp(pool.kind.low), own.clamp(pool.kind.high))
        low += min(least, 0) * pool.count.high
        high += max(most, 0) * pool.count.high
    is_whole = bool(how.success) or (how.is_whole and all([pool.is_whole for pool in pools]))
    return low, high, is_whole
