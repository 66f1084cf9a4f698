"""Rules that end in rules: what flows from one to the next, and loops closed exactly."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import chain
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.odds.chances import Chances, Packing, packing_of
from rollwright.engine.position import plus
from rollwright.engine.replay import Entered, Run, ended, finished, finishes, is_offer
from rollwright.engine.sameness import SIMPLE, outcome_key, outcomes_of
from rollwright.engine.steps import Call, Finish, Look, Spend, State, Step, Tally, Throw
from rollwright.errors import Misuse
from rollwright.exact import Dist
from rollwright.exact.weights import refuse_floats
from rollwright.readings import lasting_code

if TYPE_CHECKING:
    from fractions import Fraction


K = TypeVar("K", bound=Hashable)
Place = Any
"""A place in a chain: the tokens of a rule, or whatever else its rules are known by."""


MANY = 5_000
"""After so many new objects the collector would take long, and find nothing."""


class Uncollected:
    """Without collecting garbage meanwhile: outcomes and trees hold no circles, and to go over all
    of them again and again takes as long as to make them."""

    __slots__ = ("collects",)

    def __enter__(self) -> None:
        self.collects = gc.isenabled()
        gc.disable()

    def __exit__(self, *problem: object) -> None:
        if self.collects:
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                gc.freeze()  # it counts all of them as looked at
                gc.unfreeze()
            gc.enable()


class Local(NamedTuple):
    """The ends of one rule by itself: outcomes, other rules, and the total weight.

    The rest of the total was truncated by a stated bound.
    """

    outcomes: dict[Outcome, int]
    tails: dict[Place, int]
    total: int


Share = tuple[int, int]
"""A part of something as numerator and denominator."""


class Flow(NamedTuple):
    """The ends of a chain of rules."""

    outcomes: dict[Outcome, int]
    total: int
    never: int
    """The weight, out of the total, of going round for ever."""
    shares: dict[Place, Share]
    """How often each rule is come to on average."""

    @property
    def visits(self) -> dict[Place, Fraction]:
        """How often each rule is come to on average."""
        from fractions import Fraction

        return {key: Fraction(*share) for key, share in self.shares.items()}

    @property
    def length(self) -> Fraction | None:
        """How many rules are gone through on average; None where it may never end.

        A number is a position inside a compiled rule, which is no rule of its own.
        """
        from fractions import Fraction

        if self.never:
            return None
        visits = [times for place, times in self.visits.items() if type(place) is not int]
        return sum(visits, Fraction(0))

    @property
    def lost(self) -> int:
        """The weight, out of the total, that a stated bound cut off or that goes round for ever."""
        return self.total - sum(self.outcomes.values())

    def distribution(self) -> Dist[Outcome]:
        """The outcomes as a distribution, with what was lost."""
        refuse_floats(self.outcomes)
        return Dist._made(self.outcomes, self.total, self.lost)


def flow(nodes: Mapping[Place, Local], start: Place, budget: Budget) -> Flow:
    """Follow the chain from `start` through every rule to the outcomes."""
    mass: dict[Place, Share] = {start: (1, 1)}
    visited: dict[Place, Share] = {}
    never: Share = (0, 1)
    ends: list[tuple[int, int, dict[Outcome, int]]] = []
    for group in reversed([*knots(lambda key: nodes[key].tails, start)]):
        members = {key: mass.pop(key, (0, 1)) for key in group}
        size = sum([1 + whole.bit_length() // 500 for _, whole in members.values()])
        budget.spend(60 * len(group) + 40 * size, "following a chain of rules")
        if len(group) == 1 and group[0] not in nodes[group[0]].tails:
            found = members  # it is gone through once
        elif is_closed(nodes, members):
            for part, whole in members.values():
                never = _more(never, part, whole)
            continue
        else:
            found = _visits(nodes, members, budget)
        for key, (part, whole) in found.items():
            shared = gcd(part, whole)
            visited[key] = part, whole = part // shared, whole // shared
            outcomes, tails, total = nodes[key]
            whole *= total
            shared = gcd(part, total)
            ends.append((part // shared, whole // shared, outcomes))
            for tail, weight in tails.items():
                if tail not in members:
                    before = mass.get(tail)
                    more = part * weight
                    mass[tail] = (more, whole) if before is None else _more(before, more, whole)
    common = lcm(never[1], *{whole for _, whole, _ in ends})
    weights: dict[Outcome, int] = {}
    for part, whole, outcomes in ends:
        factor = part * (common // whole)
        for outcome, weight in outcomes.items():
            weights[outcome] = weights.get(outcome, 0) + factor * weight
    return Flow(outcomes_of(weights), common, never[0] * (common // never[1]), visited)


def _more(share: Share, part: int, whole: int) -> Share:
    """A share and some more."""
    if share[1] == whole:
        return share[0] + part, whole
    common = lcm(share[1], whole)
    return share[0] * (common // share[1]) + part * (common // whole), common


def is_closed(nodes: Mapping[Place, Local], members: Iterable[Place]) -> bool:
    """Whether nothing ever leaves these rules, neither to an outcome nor to another rule."""
    inside = set(members)
    return all(
        not nodes[key].outcomes
        and all(tail in inside for tail in nodes[key].tails)
        and sum(nodes[key].tails.values()) == nodes[key].total
        for key in inside
    )


def _visits(nodes: Mapping[Place, Local], inflow: dict[K, Share], budget: Budget) -> dict[K, Share]:
    """How often each rule of a knot is come to on average, by taking them out one by one."""
    from fractions import Fraction

    steps: dict[K, dict[K, Fraction]] = {
        key: {
            tail: Fraction(weight, nodes[key].total)
            for tail, weight in nodes[key].tails.items()
            if tail in inflow
        }
        for key in inflow
    }
    entering = {key: Fraction(*share) for key, share in inflow.items()}
    found = eliminate(steps, entering, budget)
    return {key: (visits.numerator, visits.denominator) for key, visits in found.items()}


def eliminate(
    steps: dict[K, dict[K, Fraction]], inflow: dict[K, Fraction], budget: Budget
) -> dict[K, Fraction]:
    """Solve visits = inflow + visits · steps exactly, removing the least connected state first."""
    from fractions import Fraction

    if len(steps) == 1:
        ((key, row),) = steps.items()
        return {key: inflow[key] / (1 - row.get(key, 0))}
    into: dict[K, dict[K, Fraction]] = {key: {} for key in steps}
    for key, row in steps.items():
        for tail, share in row.items():
            into[tail][key] = share
    removed: list[tuple[K, dict[K, Fraction], Fraction, Fraction]] = []
    left = dict.fromkeys(steps)
    waiting = [(len(into[key]) * len(row), n, key) for n, (key, row) in enumerate(steps.items())]
    heapify(waiting)
    while waiting:
        degree, number, key = heappop(waiting)
        now = len(into[key]) * len(steps[key]) if key in left else -1
        if now != degree:
            if now >= 0:
                heappush(waiting, (now, number, key))
            continue
        del left[key]
        size = 1 + inflow[key].denominator.bit_length() // 200
        budget.spend(40 * size * (1 + now), "closing a loop of rules")
        out = steps.pop(key)
        back = into.pop(key)
        stay = out.pop(key, None)
        back.pop(key, None)
        again = 1 / (1 - stay) if stay else Fraction(1)
        entry = inflow[key]
        removed.append((key, back, entry, again))
        for source in back:
            steps[source].pop(key, None)
        for tail, share in out.items():
            into[tail].pop(key, None)
            share = share * again
            if entry:
                inflow[tail] += entry * share
            for source, arriving in back.items():
                more = steps[source].get(tail, 0) + arriving * share
                steps[source][tail] = into[tail][source] = more
    visits: dict[K, Fraction] = {}
    for key, back, entry, again in reversed(removed):
        visits[key] = (entry + sum(visits[s] * share for s, share in back.items())) * again
    return visits


def knots(following: Callable[[K], Iterable[K]], start: K) -> Iterator[list[K]]:
    """Groups of states that lead back to each other, each group before those that lead to it.

    What follows a state is asked for when it is first come to, so a group can be worked on before
    the next is looked for.
    """
    ranks = {start: 0}
    rank_of = ranks.get
    path: list[K] = []
    work = [(start, 0, iter(following(start)))]
    while work:
        key, rank, tails = work[-1]
        low = ranks[key]
        for tail in tails:
            other = rank_of(tail)
            if other is None:
                ranks[key] = low
                other = ranks[tail] = len(ranks)
                work.append((tail, other, iter(following(tail))))
                break
            if other < low:
                low = other
        else:
            work.pop()
            if low < rank:
                ranks[key] = low
                path.append(key)
                parent = work[-1][0]
                ranks[parent] = min(ranks[parent], low)
                continue
            group = [key]
            while path and ranks[path[-1]] >= rank:
                group.append(path.pop())
            for member in group:
                ranks[member] = SETTLED
            yield group


SETTLED = 1 << 60
"""The rank of a state whose group is known: nothing leads back through it."""


Starts = tuple["Tally[object]", dict[int, dict[State, int]]]
"""A tally, and by total the ways to each start that it is thrown from."""


class OffersError(Exception):
    """A finish that ends in a choice, or goes on: its throws must be kept apart before that."""

    def __init__(self, finish: Finish | None) -> None:
        self.finish = finish


class Leaves:
    """The ends of all ways through a rule, gathered by denominator and merged if equal."""

    def __init__(
        self, chances: Chances, budget: Budget, leaf: Callable[[Any], Outcome] | None = None
    ) -> None:
        self.chances = chances
        self.budget = budget
        self.leaf = leaf or _key
        """Function for what an outcome is known by."""
        self._outcomes: dict[int, dict[Outcome, int]] = {}
        self._tails: dict[int, dict[Place, int]] = {}
        self._tallies: dict[tuple[object, ...], Starts] = {}
        self._near: dict[tuple[object, ...], Starts] = {}
        """The same by their readers, which are sooner compared than what they read."""

    def outcome(self, outcome: Outcome, ways: int, total: int) -> None:
        """A way that ends in an outcome."""
        key = outcome if type(outcome) in SIMPLE else outcome_key(outcome)
        self.known_outcome(key, ways, total)

    def known_outcome(self, key: Outcome, ways: int, total: int) -> None:
        """The same, by what the outcome is known by."""
        into = self.outcomes_over(total)
        into[key] = into.get(key, 0) + ways

    def outcomes_over(self, total: int) -> dict[Outcome, int]:
        """The outcomes of ways over one total, with their weights so far."""
        into = self._outcomes.get(total)
        if into is None:
            into = self._outcomes[total] = {}
        return into

    def outcomes(self, dist: Dist[Outcome], ways: int, total: int) -> None:
        """A way that ends in parts whose odds are known."""
        for outcome, weight in dist.items():
            self.outcome(outcome, ways * weight, total * dist.total)

    def tail(self, key: Place, ways: int, total: int) -> None:
        """A way that ends in another rule."""
        into = self._tails.get(total)
        if into is None:
            into = self._tails[total] = {}
        into[key] = into.get(key, 0) + ways

    def ending(self, step: Throw[object] | Look[object], ways: int, total: int, run: Run) -> None:
        """A way that ends in a throw still to be made."""
        if type(step) is Tally:
            self.tally(step, ways, total)
            return
        cases, whole, _ = self.chances.of(run)
        for raw, weight in cases:
            value = finished(step, raw) if isinstance(step, Throw) else raw
            self._finished(step, value, ways * weight, total * whole)

    def tally(self, step: Tally[object], ways: int, total: int) -> None:
        """A way that ends in a sum still to be thrown; equal ends are thrown once."""
        start = step.start
        try:
            near = (step.pool, step.read, step.finish, step.given, type(start), _length(start))
            known = self._near.get(near)
            if known is None:
                known = self._tally_like(step, near)
        except TypeError:
            raise Misuse(changes(step)) from None
        starts = known[1].get(total)
        if starts is None:
            starts = known[1][total] = {}
        starts[start] = starts.get(start, 0) + ways

    def _tally_like(self, step: Tally[object], near: tuple[object, ...]) -> Starts:
        """The tallies that read the same off the same dice, by whichever reader they do it."""
        known = self._tallies.setdefault((step.pool, step.tables, *near[2:]), (step, {}))
        if step.read is None or lasting_code(step.read) is not None:
            self._near[near] = known
        return known

    def _finished(
        self, step: Throw[object] | Look[object], value: Outcome, ways: int, total: int
    ) -> None:
        if type(value) is Spend and isinstance(step, Throw):  # a compiled rule that goes on
            raise OffersError(step.finish)
        if type(value) is Call:
            self.tail((Entered(value),), ways, total)
        elif isinstance(step, Throw) and is_offer(value):
            raise OffersError(step.finish)
        else:
            self.outcome(ended(value), ways, total)

    def local(self) -> Local:
        """All the ways together, over one total."""
        if not self._tallies and len(totals := self._outcomes.keys() | self._tails.keys()) == 1:
            (total,) = totals
            return Local(self._outcomes.get(total, {}), self._tails.get(total, {}), total)
        thrown = [
            (step, total * step.pool.total, starts)
            for step, by_total in self._tallies.values()
            for total, starts in by_total.items()
        ]
        common = lcm(*self._outcomes, *self._tails, *{whole for _, whole, _ in thrown})
        ends: dict[tuple[object, ...], EqualEnds] = {}
        for step, whole, starts in self._thrown_together(thrown, common, ends):
            made = self.chances.packed_from(step, starts)
            if made is not None:
                _equal(ends, step, made[0]).add_packed(made[0], made[1], common // whole)
                continue
            packing, items, _ = self.chances.packed_tally(step)
            self.budget.spend(len(items) * len(starts), "the ends of this rule")
            _equal(ends, step, packing).add(packing, items, starts, common // whole)
        leaf = self.leaf
        for equal in ends.values():
            into = self.outcomes_over(common)
            for value, ways in equal.finished():
                if isinstance(value, Step):
                    self._finished(equal.step, value, ways, common)
                else:
                    key = leaf(value)
                    into[key] = into.get(key, 0) + ways
        return Local(_over(self._outcomes, common), _over(self._tails, common), common)

    def _thrown_together(
        self, thrown: list[Thrown], common: int, ends: dict[tuple[object, ...], EqualEnds]
    ) -> list[Thrown]:
        """Throw those that end alike all at once, as far as that is a shorter way; the others."""
        alike: dict[tuple[object, ...], list[Thrown]] = {}
        for each in thrown if len(thrown) > 1 else ():
            alike.setdefault((each[0].finish, each[0].given), []).append(each)
        left = []
        for group in alike.values() if alike else [thrown]:
            packing = packing_of(group[0][0]) if len(group) > 1 else None
            throws = packing and packed_throws(group, packing, common)
            sums = self.chances.packed_all(packing, throws) if packing and throws else None
            if packing is None or sums is None:
                left += group
            else:
                _equal(ends, group[0][0], packing).add_packed(packing, sums, 1)
        return left


def _key(outcome: Any) -> Outcome:
    return outcome if type(outcome) in SIMPLE else outcome_key(outcome)


Thrown = tuple["Tally[object]", int, dict[State, int]]
"""A tally, the total weight of all its throws from all its starts, and the ways to each start."""


def packed_throws(
    thrown: list[Thrown], packing: Packing, common: int
) -> list[tuple[Tally[object], dict[int, int]]] | None:
    """The same with packed starts, over one total; None where one does not fit the packing."""
    throws = []
    for step, whole, starts in thrown:
        keys = packing.pack_all(starts) if packing_of(step) is packing else None
        if keys is None:
            return None
        factor = common // whole
        ways = [factor * each for each in starts.values()]
        throws.append((step, dict(zip(keys, ways, strict=True))))
    return throws


def changes(step: Throw[object]) -> str:
    """Return the error for a throw that was given something that cannot be in a key."""
    return f"{step!r} was given something that can change: use tuples and frozen values"


def _length(start: object) -> int:
    return len(start) if isinstance(start, tuple) else 0


def _over(parts: dict[int, dict[K, int]], common: int) -> dict[K, int]:
    """Weights over several totals, brought together over one."""
    merged = parts.pop(common, {})
    for total, weights in parts.items():
        factor = common // total
        for key, weight in weights.items():
            merged[key] = merged.get(key, 0) + weight * factor
    return merged


def _equal(
    ends: dict[tuple[object, ...], EqualEnds], step: Tally[object], packing: Packing | None
) -> EqualEnds:
    key = (step.finish, step.given, packing and (packing.width, packing.make))
    if key not in ends:
        ends[key] = EqualEnds(step)
    return ends[key]


class EqualEnds:
    """Sums that are finished by the same function, so that each different sum is finished once."""

    def __init__(self, step: Tally[object]) -> None:
        self.step = step
        self.packing: Packing | None = None
        self.packed: dict[int, int] = {}
        self.plain: dict[State, int] = {}

    def add(
        self,
        packing: Packing | None,
        items: list[tuple[State, int]],
        starts: dict[State, int],
        factor: int,
    ) -> None:
        """Every start plus every sum, with the ways it comes about."""
        if packing is None:
            _add_plain(self.plain, starts, items, factor)
            return
        keys = packing.pack_all(starts)
        if keys is None:
            unpacked = [(packing.unpack(number), weight) for number, weight in items]
            _add_plain(self.plain, starts, unpacked, factor)
            return
        self.packing = packing
        _add_sums(self.packed, dict(zip(keys, starts.values(), strict=True)), items, factor)

    def add_packed(self, packing: Packing, sums: dict[int, int], factor: int) -> None:
        """Sums with the ways to each."""
        self.packing = packing
        into, known = self.packed, self.packed.get
        for number, ways in sums.items():
            into[number] = known(number, 0) + ways * factor

    def finished(self) -> Iterable[tuple[Outcome, int]]:
        """Return the result of each different sum, with its ways."""
        sums: Iterable[tuple[State, int]] = self.plain.items()
        if self.packing is not None:
            packed = self.packing.unpack_all(self.packed)
            sums = chain(sums, zip(packed, self.packed.values(), strict=True))
        finish, given = self.step.finish, self.step.given
        if finish is None:
            return sums
        raws, all_ways = [], []
        for raw, ways in sums:
            raws.append(raw)
            all_ways.append(ways)
        return zip(finishes(finish, given, raws), all_ways)


def _add_plain(
    into: dict[State, int], starts: dict[State, int], items: list[tuple[State, int]], factor: int
) -> None:
    for start, ways in starts.items():
        for value, weight in items:
            key = plus(start, value)
            into[key] = into.get(key, 0) + ways * weight * factor


def _add_sums(
    into: dict[int, int], starts: dict[int, int], items: list[tuple[int, int]], factor: int
) -> None:
    known = into.get
    for start, ways in starts.items():
        ways *= factor
        for value, weight in items:
            key = start + value
            into[key] = known(key, 0) + ways * weight
