"""Exact odds of one pool of dice, by the cheapest way that what is done to them allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import comb, lcm, prod
from typing import TYPE_CHECKING, TypeAlias

from rollwright import exact
from rollwright.budget import Budget, Work
from rollwright.dice import MOST_FACES, Die, Pool
from rollwright.errors import TooMuchWork
from rollwright.exact import Dist
from rollwright.exact.polynomials import multiply, shifted_power
from rollwright.notation.breakdowns import whole
from rollwright.notation.dice import DieKind, meets
from rollwright.notation.pool_modifiers import PoolModifiers

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.dice import Face, Outcome
    from rollwright.notation.tree import Amount

Amounts: TypeAlias = "Dist[Amount]"

EACH_CASE = 400
"""Steps that a pool takes before its dice are counted."""

FRACTION = 20
"""Steps of adding up that a fraction takes."""


STANDARD_WORK = 1_500_000
"""Steps of about 50 nanoseconds each."""

RANKS = 10
"""Steps of adding up that a step of keeping and dropping takes."""
PAIRS = 8
"""Steps of adding up that a pair of two results takes."""


STANDARD_ROOM = 200_000_000
"""Bytes that odds may take."""
EACH_KEPT = 100
"""Bytes that an outcome takes beside its weight."""


def big(bits: int) -> int:
    """Return the steps of multiplying two numbers of so many bits."""
    return int(0.03 * (bits / 30) ** 1.585)


class TimedBudget(Budget):
    """A budget in time: steps that take longer count for more."""

    __slots__ = ("rate",)

    def __init__(self, work: int = STANDARD_WORK) -> None:
        super().__init__(work, STANDARD_ROOM)
        self.rate = 1

    def spend(self, steps: int, what: str = "this count", hint: str = "") -> None:
        """Take `steps` at the present rate, or refuse."""
        super().spend(steps * self.rate, what, hint)

    def expect_room(self, size: int, what: str = "this count", hint: str = "") -> None:
        """Refuse what will keep about so many bytes more, where there is no room for them."""
        if self.kept + size > self.room:
            raise TooMuchWork(what, self.work + 1, self.work, hint, self.work, keeps=True)


@contextmanager
def at_rate(budget: Budget, rate: int) -> Iterator[None]:
    """Count every step for more for a while; a budget given by somebody else counts as it does."""
    if not isinstance(budget, TimedBudget):
        yield
        return
    before, budget.rate = budget.rate, rate
    try:
        yield
    finally:
        budget.rate = before


def pool_odds(kind: DieKind, number: int, how: PoolModifiers, budget: Budget) -> Amounts:
    """The odds of `number` dice of one kind and what is done to them."""
    budget.spend(EACH_CASE + 2 * len(kind.faces), "counting a pool")
    if not number:
        return Dist.sure(0)
    if how.unique:
        return _different(kind, number, how, budget)
    die = _reroll(kind.die(), how, budget)
    if not how.explosion:
        return rest_odds(Pool({die: number}), how, budget)
    loud = how.explode or (("=", kind.high),)
    again = [face for face in die.faces if meets(loud, face)]
    if not again:
        return rest_odds(Pool({die: number}), how, budget)
    less = how.penalty
    if how.is_growing:
        chain = _chain(die, again, how, lambda face, extra: face - less * extra, budget)
        made = group_odds([(chain, number)], how, budget)
        if chain._moments and not (how.picks or how.is_scored or how.is_clamped):
            made._set_moments(chain.mean * number, chain.variance * number)
        return made
    if how.explosion == "ra" and not how.picks:
        return _one_more(die, again, number, how, budget)
    if not how.picks:
        read = _reader(how)
        chain = _chain(die, again, how, lambda face, extra: read(face - less * extra), budget)
        return add([(chain, number)], 0, budget)
    return _explode_and_keep(die, again, number, how, budget)


def _reroll(die: Die, how: PoolModifiers, budget: Budget) -> Die:
    tests = how.reroll
    if not any(meets(tests, face) for face in die.faces):
        return die
    times = None if how.until else 1
    return exact.rerolled_die(die, lambda face: meets(tests, face), times=times, budget=budget)


def _different(kind: DieKind, number: int, how: PoolModifiers, budget: Budget) -> Amounts:
    """Dice that all show something else: every set of so many faces is as likely as the others.

    From the lowest face up, each is in the set or not; how many were before it is its rank.
    """
    values = sorted([how.clamp(face) for face in kind.faces])
    kept = set(how.keep(range(number)))
    work = Work(budget, "dice that all differ", "of this pool")
    ways: list[dict[Amount, int]] = [{} for _ in range(number + 1)]
    ways[0][0] = 1
    for value in values:
        score = how.score(value)
        with at_rate(budget, PAIRS):
            work.spend(number + sum([len(sums) for sums in ways]))
        for seen in range(number - 1, -1, -1):
            more, after = (score if seen in kept else 0), ways[seen + 1]
            for total, count in ways[seen].items():
                after[total + more] = after.get(total + more, 0) + count
    made = {whole(total): count for total, count in ways[number].items()}
    return Dist._build(made, sum(made.values()))


def mixed_odds(
    dice: list[tuple[DieKind, int, PoolModifiers]], how: PoolModifiers, budget: Budget
) -> Amounts:
    """The odds of dice of several kinds that are treated together."""
    counts: dict[Die, int] = {}
    for kind, number, own in dice:
        budget.spend(EACH_CASE + 2 * len(kind.faces), "counting a pool")
        die = _reroll(kind.die(), own, budget)
        if own.is_clamped:
            die = Die(dict(Dist(dict(die.items)).map(own.clamp).items()))
        counts[die] = counts.get(die, 0) + number
    counts = {die: number for die, number in counts.items() if number}
    return rest_odds(Pool(counts), how, budget) if counts else Dist.sure(0)


def _reader(how: PoolModifiers) -> Callable[[Amount], Amount]:
    """Return the function for what one die adds when every die is kept."""
    return lambda value: how.score(how.clamp(value))


def rest_odds(pool: Pool, how: PoolModifiers, budget: Budget) -> Amounts:
    """The odds of dice that are not thrown again."""
    if how.sifted:
        return _sift(pool, how, budget)
    if not how.picks:
        return exact.sum_of(pool, _reader(how), budget=budget)
    ranks = [pool.size - place for place in how.keep(range(pool.size))]
    with at_rate(budget, 1 if ranks in ([1], [pool.size]) else RANKS):
        return _keep(pool, ranks, how, budget)


def _sift(pool: Pool, how: PoolModifiers, budget: Budget) -> Amounts:
    """Dice that are kept by their faces and then by their ranks: a smaller pool for each case."""
    cases: dict[tuple[tuple[Die, int], ...], int] = {(): 1}
    for die, number in pool.groups:
        good = [face for face in die.faces if meets(how.faces, how.clamp(face))]
        passing = die.only(good) if good else None
        ways = sum([weight for face, weight in die.items if face in good])
        after: dict[tuple[tuple[Die, int], ...], int] = {}
        for case, weight in cases.items():
            for count in range(number + 1) if passing else (0,):
                more = comb(number, count) * ways**count * (die.total - ways) ** (number - count)
                if more:
                    new = (*case, (passing, count)) if passing and count else case
                    after[new] = after.get(new, 0) + weight * more
        cases = after
        budget.spend(EACH_CASE * len(cases), "counting a pool")
    rest = how.without("sifted", "faces")
    parts: list[tuple[Amounts, int]] = []
    for case, weight in cases.items():
        counts: dict[Die, int] = {}
        for die, count in case:
            counts[die] = counts.get(die, 0) + count
        parts.append((rest_odds(Pool(counts), rest, budget) if counts else Dist.sure(0), weight))
    return Dist.mixture(parts)


def _keep(pool: Pool, ranks: list[int], how: PoolModifiers, budget: Budget) -> Amounts:
    if len(ranks) == pool.size:
        return exact.sum_of(pool, _reader(how), budget=budget)
    if not ranks:
        return Dist.sure(0)
    if not how.is_scored:
        return exact.keep(pool, ranks=ranks, read=how.clamp, budget=budget)
    values = sorted({how.clamp(face) for die, _ in pool.groups for face in die.faces})
    scores = [how.score(value) for value in values]
    if scores == sorted(scores):
        return exact.keep(pool, ranks=ranks, read=_reader(how), budget=budget)
    if scores == sorted(scores, reverse=True):
        mirrored = [pool.size + 1 - rank for rank in ranks]
        return exact.keep(pool, ranks=mirrored, read=_reader(how), budget=budget)
    return _kept_successes(pool, how, budget)


def _kept_successes(pool: Pool, how: PoolModifiers, budget: Budget) -> Amounts:
    """Successes among the kept dice, from the lowest value up: how many were seen, how many hit."""
    kept = set(how.keep(range(pool.size)))
    before = [0]
    for place in range(pool.size):
        before.append(before[-1] + (place in kept))

    def step(state: tuple[int, Amount], value: Amount, count: int) -> tuple[int, Amount]:
        seen, score = state
        among = before[min(seen + count, pool.size)] - before[min(seen, pool.size)]
        return seen + count, score + how.score(value) * among

    start: tuple[int, Amount] = (0, 0)
    return exact.reduce(pool, start, step, read=how.clamp, budget=budget).map(lambda end: end[1])


def group_odds(dists: list[tuple[Amounts, int]], how: PoolModifiers, budget: Budget) -> Amounts:
    """The odds of several results treated like dice; each with how many there are of it."""
    counts: dict[Die, int] = {}
    for dist, number in dists:
        if len(dist) > MOST_FACES:
            hint = "treat results that come to fewer values like dice"
            raise TooMuchWork("treating results like dice", len(dist), MOST_FACES, hint)
        die = Die(dict(dist.items()))
        counts[die] = counts.get(die, 0) + number
    made = rest_odds(Pool(counts), how, budget)
    counted = prod([(dist.total - dist.lost) ** number for dist, number in dists])
    total = prod([dist.total**number for dist, number in dists])
    scale = counted // made.total if made.total > 1 else counted
    weights = {outcome: weight * scale for outcome, weight in made.items()}
    return Dist._build(weights, total, total - counted)


def _chain(
    die: Die,
    again: list[Face],
    how: PoolModifiers,
    read: Callable[[Face, bool], Amount],
    budget: Budget,
) -> Amounts:
    """Return what one die adds with all its explosions; the rest beyond the bound is truncated."""
    work = Work(budget, "the explosions of", die)
    loud = set(again)
    faces = [(face, weight, face in loud) for face, weight in die.items]
    rested: dict[Amount, int] = {}
    rolling: dict[Amount, int] = {0: 1}
    for depth in range(how.times + 1):
        work.spend(len(rolling) * len(faces))
        later = die.total ** (how.times - depth)
        after: dict[Amount, int] = {}
        for total, ways in rolling.items():
            for face, weight, goes_on in faces:
                end = total + read(face, depth > 0)
                into, share = (after, 1) if goes_on else (rested, later)
                into[end] = into.get(end, 0) + ways * weight * share
        rolling = after
    whole = die.total ** (how.times + 1)
    if not how.is_endless:
        for end, ways in rolling.items():
            rested[end] = rested.get(end, 0) + ways
        return Dist._build(rested, whole, whole - sum(rested.values()))
    found = Dist._build(rested, whole, whole - sum(rested.values()))
    return found._set_moments(*_endless_moments(faces, read))


def _endless_moments(
    faces: list[tuple[Face, int, bool]], read: Callable[[Face, bool], Amount]
) -> tuple[Fraction, Fraction]:
    """Mean and variance of a die that explodes without end: a face, and perhaps all that follows.

    What follows reads its faces as extra dice do, and may be followed by the same again.
    """
    from fractions import Fraction

    total = sum([weight for _, weight, _ in faces])
    on = Fraction(sum([weight for _, weight, goes_on in faces if goes_on]), total)

    def sums(extra: bool) -> tuple[Fraction, Fraction, Fraction]:
        worths = [(Fraction(read(face, extra)), weight, more) for face, weight, more in faces]
        return (
            sum([worth * weight for worth, weight, _ in worths]) / Fraction(total),
            sum([worth * worth * weight for worth, weight, _ in worths]) / Fraction(total),
            sum([worth * weight for worth, weight, goes_on in worths if goes_on]) / Fraction(total),
        )

    mean, square, shared = sums(True)
    after = mean / (1 - on)
    after_square = (square + 2 * shared * after) / (1 - on)
    mean, square, shared = sums(False)
    mean += on * after
    square += 2 * shared * after + on * after_square
    return mean, square - mean * mean


def _one_more(
    die: Die, again: list[Face], number: int, how: PoolModifiers, budget: Budget
) -> Amounts:
    """Dice with one extra die where any of them shows the right face: all, or only the others."""
    read = _reader(how)
    every = exact.sum_of(Pool({die: number + 1}), read, budget=budget)
    quiet = _others(die, again)
    if quiet is None:
        return every
    none = exact.sum_of(Pool({quiet: number}), read, budget=budget)
    calm = exact.sum_of(Pool({quiet: number, die: 1}), read, budget=budget)
    weights = dict(die.items)
    ways = sum([weights[face] for face in quiet.faces]) ** number * die.total
    whole = die.total ** (number + 1)
    ends: dict[Amount, int] = {}
    for dist, share in ((every, whole), (calm, -ways), (none, ways)):
        for outcome, weight in dist.items():
            ends[outcome] = ends.get(outcome, 0) + weight * share // dist.total
    return Dist._build({outcome: weight for outcome, weight in ends.items() if weight}, whole)


def _explode_and_keep(
    die: Die, again: list[Face], number: int, how: PoolModifiers, budget: Budget
) -> Amounts:
    """Extra dice that are ranked like the others.

    Given how many dice explode and how many extra dice there are, the dice that exploded show any
    of the exploding faces, the others any of the rest, all independent: a mixed pool for each case.
    """
    loud, quiet = die.only(again), _others(die, again)
    parts = []
    counted = 0
    below = _Below(quiet, number, loud, how, budget) if quiet is not None else None
    for (first, extra), ways in _cases(loud, quiet, number, how, budget).items():
        if below is not None and below.fits:
            parts.append((below.odds(extra), ways))
        else:
            pool = _case_pool(die, loud, quiet, number, first, extra, how)
            parts.append((rest_odds(pool, how, budget), ways))
        counted += ways
    bits = number * (how.times + 1) * die.total.bit_length()
    mixed = (10 + bits // 300) * sum([len(dist) for dist, _ in parts])
    budget.spend(mixed, "mixing the cases of explosions")
    return _over(Dist.mixture(parts), counted, die.total ** (number * (how.times + 1)))


class _Below:
    """Dice at rest below those that exploded, which all show one face, the highest.

    However many those are, they lie on top: what is kept of the others is counted once for each
    set of their ranks.
    """

    def __init__(
        self, quiet: Die, number: int, loud: Die, how: PoolModifiers, budget: Budget
    ) -> None:
        self.pool = Pool({quiet: number})
        self.top: Amount = max(loud.faces)
        self.how = how
        self.budget = budget
        self.fits = (
            how.explosion == "!"
            and not how.is_scored
            and len(loud.faces) == 1
            and max(quiet.faces) < self.top
        )
        self._known: dict[tuple[int, ...], Amounts] = {}

    def odds(self, above: int) -> Amounts:
        """Return the kept results of all, with so many on top."""
        size = self.pool.size
        places = self.how.keep(range(size + above))
        ranks = tuple(size - place for place in places if place < size)
        if ranks not in self._known:
            with at_rate(self.budget, 1 if ranks in ((1,), (size,)) else RANKS):
                self._known[ranks] = _keep(self.pool, list(ranks), self.how, self.budget)
        found = self._known[ranks]
        self.budget.spend(len(found), "counting a pool")
        return found + self.how.clamp(self.top) * (len(places) - len(ranks))


def _over(made: Amounts, counted: int, whole: int) -> Amounts:
    """The odds of what was counted, as a part of the whole."""
    common = lcm(made.total, counted)
    total = whole * (common // counted)
    scale = common // made.total
    weights = {outcome: weight * scale for outcome, weight in made.items()}
    return Dist._build(weights, total, total - common)


def _others(die: Die, again: list[Face]) -> Die | None:
    loud = set(again)
    rest = [face for face in die.faces if face not in loud]
    return die.only(rest) if rest else None


def _cases(
    loud: Die, quiet: Die | None, number: int, how: PoolModifiers, budget: Budget
) -> dict[tuple[int, int], int]:
    """The ways that so many dice explode, and so many extra dice come of it in all.

    Where extra dice count like the others it does not matter how many exploded first: 0 is said.
    """
    up = loud.total
    down = quiet.total if quiet is not None else 0
    every = up + down
    depths = range(1, how.times + 1)
    work = Work(budget, "the explosions of", loud)
    if how.explosion == "!":
        chain = {j: up**j * down * every ** (how.times - j) for j in (0, *depths)}
        work.spend(EACH_CASE * number * how.times)
        return {(0, extra): ways for extra, ways in shifted_power(chain, number, work).items()}
    each = EACH_CASE + 10 * big(number * (how.times + 1) * every.bit_length())
    if how.explosion == "ra":
        work.spend(each * number)
        after = every**number
        hits = [comb(number, n) * up**n * down ** (number - n) for n in range(number + 1)]
        return {(n, min(n, 1)): ways * after for n, ways in enumerate(hits) if ways}
    if how.explosion == "xo":
        chain, rest = {1: up * every}, down * every
    else:
        chain = {j: up**j * down * every ** (how.times - j) for j in depths}
        rest = down * every**how.times
    work.spend(each * number * (number if how.times > 1 else 1) * how.times)
    made: dict[tuple[int, int], int] = {}
    for first in range(number + 1):
        ways = comb(number, first) * rest ** (number - first)
        for extra, more in shifted_power(chain, first, work).items() if ways else ():
            made[first, extra] = ways * more
    return made


def _case_pool(
    die: Die, loud: Die, quiet: Die | None, number: int, first: int, extra: int, how: PoolModifiers
) -> Pool:
    counts: dict[Die, int] = {}

    def put(one: Die | None, count: int, less: int = 0) -> None:
        if one is not None and count:
            lower = Die({face - less: weight for face, weight in one.items}) if less else one
            counts[lower] = counts.get(lower, 0) + count

    less = how.penalty
    if how.explosion == "!":
        put(loud, extra)
        put(quiet, number)
        return Pool(counts)
    put(loud, first)
    put(quiet, number - first)
    if how.explosion in ("xo", "ra"):
        put(die, extra)
    else:
        put(loud, extra - first, less)
        put(quiet, first, less)
    return Pool(counts)


def add(dists: list[tuple[Dist[Outcome], int]], moved: Amount, budget: Budget) -> Dist[Outcome]:
    """The sum of independent parts, each so many times, and a constant."""
    work = Work(budget, "adding up", "the parts of a sum")
    scale = lcm(*[o.denominator for dist, _ in dists for o in dist], moved.denominator)
    if scale > 1:
        work.spend(FRACTION * _most_sums(dists, scale))
    total = prod([dist.total**times for dist, times in dists])
    size = _most_sums(dists, scale) * (EACH_KEPT + total.bit_length() // 8)
    budget.expect_room(size, "the sums of the parts")
    polynomials = []
    for dist, times in dists:
        weights: dict[Outcome, int] = dist._weights
        if scale > 1:
            weights = {int(outcome * scale): weight for outcome, weight in weights.items()}
        polynomials.append(shifted_power(weights, times, work))
    polynomials.sort(key=len)
    made: dict[Outcome, int] = {int(moved * scale): 1}
    for terms in polynomials:
        made = multiply(made, terms, work)
    if scale > 1:
        made = {_part_of(outcome, scale): weight for outcome, weight in made.items()}
    found = Dist._build(
        made, total, total - prod([counted_weight(d) ** times for d, times in dists])
    )
    if found.lost and all(dist._moments or not dist.lost for dist, _ in dists):
        from fractions import Fraction

        mean = sum([dist.mean * times for dist, times in dists], Fraction(moved))
        found._set_moments(mean, sum([d.variance * times for d, times in dists], Fraction(0)))
    return found


def _most_sums(dists: list[tuple[Amounts, int]], scale: int) -> int:
    """How many different sums there can be."""
    pairs = prod([len(dist) ** min(times, 64) for dist, times in dists])
    spans = [times * (max(dist) - min(dist)) * scale for dist, times in dists]
    return int(min(pairs, sum(spans) + 1))


def _part_of(outcome: int, scale: int) -> Amount:
    from fractions import Fraction

    return whole(Fraction(outcome, scale))


def counted_weight(dist: Dist[Outcome]) -> int:
    """The weight of what was not cut off."""
    return dist.total - dist.lost
