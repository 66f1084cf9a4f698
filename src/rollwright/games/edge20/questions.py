"""The questions players and GMs ask of checks, repairs and turns, each answered exactly.

One count of the dice serves every modifier and DC.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product
from typing import Annotated, Any, NamedTuple

from rollwright import api
from rollwright.engine.odds.costs import cost
from rollwright.exact import Dist, sum_of
from rollwright.i18n.catalogs import words_of
from rollwright.kit import fields_of, refuse_if
from rollwright.kit.checks import checked
from rollwright.kit.questions import Chance, Gain, Number, Preset, Unit, Verdict, number, question
from rollwright.kit.sheets import clamped

from .house import House
from .modifiers import EDGE_DICE, MOST_EDGES, Stack, net_edges, stack
from .outcomes import TIERS, Tier
from .requests import Check, Repair, Turn
from .tiers import CRITICAL_MARGIN, base_tier, settled, shifted_tier
from .turns import (
    GOALS,
    nth_check,
    steady_attempt,
    try_check,
    until_it_works,
)

msg = words_of(__package__ or __name__).msg
DCS = range(-99, 200)
"""The DCs that inverse tables look through."""
DICE_MATTER = range(-20 - EDGE_DICE[-1] - CRITICAL_MARGIN, EDGE_DICE[-1] + CRITICAL_MARGIN)
"""How far a bonus may be ahead of the DC so that not all faces have the same result."""
AnyDc = Annotated[Check, Preset(dc=0)]
"""A check whose DC the question varies itself, so that nobody needs to give one."""


class TierOdds(NamedTuple):
    """The chance of each of the four results."""

    critical_failure: Chance
    failure: Chance
    success: Chance
    critical_success: Chance

    @property
    def succeeds(self) -> Fraction:
        return self.success + self.critical_success


@question
def tier_odds(check: Check, policy: str | None = None) -> TierOdds:
    """How likely is each result?

    >>> [str(chance) for chance in tier_odds(Check(modifier=5, dc=15))]
    ['1/20', '2/5', '1/2', '1/20']
    """
    if check.rerolls:
        bare = check if policy else check.but(effect="")  # the result alone is looked at
        tiers = api.odds(bare, policy, of=lambda found: found.tier)
        return TierOdds(*(tiers.p(tier) for tier in TIERS))
    return _tiers_ahead(check)


def _tiers_ahead(check: Check, more: int = 0) -> TierOdds:
    """The odds without re-rolls, as if the modifier were `more` higher or the DC lower."""
    known = settled(check)
    return _tiers(known.advantage, known.edge, known.bonus - known.dc + more, known.house)


@lru_cache(maxsize=500)
def _bare_odds(advantage: int, size: int, house: House) -> Dist[tuple[int, int]]:
    """What is natural and what the dice come to, before any modifier: of a check without any."""
    edges = EDGE_DICE.index(abs(size)) + 1 if size else 0
    bare = Check(
        dc=0,
        advantages=max(advantage, 0),
        disadvantages=max(-advantage, 0),
        edges=edges if size > 0 else -edges,
        house=house,
    )
    return api.odds(bare, of=lambda found: (found.natural, found.total))


@lru_cache(maxsize=10_000)
def _tiers(advantage: int, size: int, ahead: int, house: House) -> TierOdds:
    dice = _bare_odds(advantage, size, house)
    weights = dict.fromkeys(TIERS, 0)
    for (natural, total), weight in dice.items():
        weights[shifted_tier(base_tier(total + ahead, house), natural, house)] += weight
    return TierOdds(*(Fraction(weights[tier], dice.total) for tier in TIERS))


@question
def expected_effect(
    check: Check, policy: str | None = None
) -> Annotated[Fraction, Unit("on average")]:
    """How much damage or healing on average, dice at their highest on critical successes?

    >>> expected_effect(Check(modifier=5, dc=15, effect="2d6+3"))
    Fraction(23, 4)
    """
    if check.rerolls:
        return api.odds(check, policy, of=lambda found: found.effect).mean
    effect, odds = settled(check).effect, tier_odds(check)
    rolled = Fraction(max(effect.flat, 0))
    if effect.pool:
        rolled = sum_of(effect.pool).map(lambda total: max(total + effect.flat, 0)).mean
    return odds.success * rolled + odds.critical_success * max(effect.highest, 0)


class Help(NamedTuple):
    """The effect of some help on a check."""

    what: str
    succeeds: Chance
    gain: Gain
    """How much likelier success gets."""
    critical_gain: Gain
    """How much likelier a critical success gets."""


@question
def worth_of_help(check: Check) -> tuple[Help, ...]:
    """What is another +1 or +2, advantage or one edge worth to this check?

    >>> [(help.what, str(help.gain)) for help in worth_of_help(Check(modifier=5, dc=15))]
    [('+1', '1/20'), ('+2', '1/10'), ('advantage', '99/400'), ('an edge', '1/8')]
    """
    now, ahead = tier_odds(check), _odds_ahead(check)
    edges = min(net_edges(check.edges) + 1, MOST_EDGES)  # by then one more changes nothing
    helped = {
        "+1": ahead(1),
        "+2": ahead(2),
        "advantage": tier_odds(check.but(advantages=min(check.advantages + 1, 99))),
        "an edge": tier_odds(check.but(edges=edges)),
    }
    return tuple(_help(what, then, now) for what, then in helped.items())


def _help(what: str, then: TierOdds, now: TierOdds) -> Help:
    critical = then.critical_success - now.critical_success
    return Help(what, then.succeeds, then.succeeds - now.succeeds, critical)


@question
def which_die_to_reroll(check: Check, faces: Iterable[int], goal: Any = None) -> Any:
    """These faces were rolled: keep them, or re-roll which die? The advice, with each one's worth.

    >>> check = Check(modifier=5, dc=15, advantages=1, rerolls=1)
    >>> which_die_to_reroll(check, [4, 8]).best
    're-roll lower'
    """
    none, more = msg("refusal.no_rerolls"), msg("fits.some_rerolls")
    refuse_if(not check.rerolls, "rerolls", none, "EDGE R20", more)
    is_goal = goal is None or isinstance(goal, str) or callable(goal)
    refuse_if(not is_goal, "goal", msg("refusal.goal"), "", ", ".join(GOALS))
    return api.advise(api.new_transcript(check).throw(faces, "typed"), goal)


class AnotherBonus(NamedTuple):
    """The effect of one more bonus on a stack."""

    before: Stack
    after: Stack
    gain: int
    wasted: int
    """The part of the new bonus that the cap cuts off, 0 where it raises the cap instead."""


@question
def another_bonus(bonuses: Iterable[int], new: int) -> AnotherBonus:
    """Is another bonus worth anything, or does the cap eat it? Penalties stack the same way.

    >>> found = another_bonus([3, 2, 1], 2)
    >>> found.after, found.gain, found.wasted
    (Stack(sum=8, cap=6, counts=6), 0, 2)
    """
    listed = tuple(bonuses)
    wrong = not all(type(amount) is int and 0 <= amount <= 99 for amount in (*listed, new))
    problem, would_do = msg("refusal.amounts"), msg("fits.amounts")
    refuse_if(wrong, "bonuses", problem, "EDGE R32", would_do)
    before, after = stack(listed), stack((*listed, new))
    gain = after.counts - before.counts
    return AnotherBonus(before, after, gain, max(new - gain, 0))


class Clearing(NamedTuple):
    """How long it takes to get a thing working again."""

    chances: tuple[Chance, ...]
    """The chance of each attempt by itself, one to a turn, up to where it no longer changes."""
    works_by: tuple[Chance, ...]
    """The chance that it works after so many attempts, one to a turn."""
    expected: Annotated[Fraction, Unit("attempts")] | None
    """The average number of attempts; None where it may never work."""


@question
def how_long_to_clear(repair: Repair) -> Clearing:
    """How many attempts does it take to clear the jam?

    >>> clearing = how_long_to_clear(Repair(modifier=2, tier=3))
    >>> [str(chance) for chance in clearing.chances[:4]], float(clearing.expected)
    (['1/2', '3/4', '19/20', '19/20'], 1.6315625)
    """
    chances = []
    for attempt in range(repair.attempt, steady_attempt(repair) + 1):
        chances.append(tier_odds(try_check(repair, attempt, 1)).succeeds)
        if chances[-1] == 1:
            break
    broken, works_by = Fraction(1), []
    for chance in chances:
        broken *= 1 - chance
        works_by.append(1 - broken)
    expected = cost(until_it_works(repair)).mean if chances[-1] else None
    return Clearing(tuple(chances), tuple(works_by), expected)


class HitOrDamage(NamedTuple):
    """Average damage as things are, with more to hit, and with more damage."""

    now: Annotated[Fraction, Unit("damage")]
    to_hit: Annotated[Fraction, Unit("damage")]
    damage: Annotated[Fraction, Unit("damage")]
    better: str
    """`to hit`, `damage` or `neither`."""

    @property
    def verdict(self) -> Verdict:
        """Which of the two to take."""
        ways = {"more to hit": self.to_hit, "more damage": self.damage}
        return Verdict(ways, "damage on average", msg("question.as_things_are", n=self.now))


@question
def hit_or_damage(check: Check, *, to_hit: int = 1, damage: int = 2) -> HitOrDamage:
    """Is +1 to hit or +2 damage better?

    >>> hit_or_damage(Check(modifier=5, dc=15, effect="2d6+3")).better
    'damage'
    """
    hit = expected_effect(_helped(check, to_hit))
    hard = expected_effect(check.but(effect=f"{check.effect or 0}{damage:+d}"))
    better = "neither" if hit == hard else "to hit" if hit > hard else "damage"
    return HitOrDamage(expected_effect(check), hit, hard, better)


@question
def highest_dc(check: AnyDc, chance: Number, tier: Tier | str = Tier.SUCCESS) -> int | None:
    """Which is the highest DC at which this roll still succeeds so often?

    >>> highest_dc(Check(modifier=5, dc=0), "0.65")
    13
    """
    return _highest(check, chance, _tier(tier), _odds_ahead(check))


def _highest(check: Check, chance: Number, least: Tier, ahead: _Ahead) -> int | None:
    """The highest DC at which a check comes to a result, of odds that were counted already."""
    wanted = number("chance", chance)
    problem, would_do = msg("refusal.chance", chance=str(wanted)), msg("fits.chance")
    refuse_if(not 0 < wanted <= 1, "chance", problem, "EDGE R8", would_do)

    def reaches(dc: int) -> Fraction:
        return sum(ahead(check.dc - dc)[least.rank :], Fraction(0))

    if check.rerolls:  # a failure that can be re-rolled is a gain, so that the curve has humps
        return next((dc for dc in reversed(DCS) if reaches(dc) >= wanted), None)
    out_of_reach = bisect_right(DCS, -wanted, key=lambda dc: -reaches(dc))
    return DCS[out_of_reach - 1] if out_of_reach else None


def _tier(tier: Tier | str) -> Tier:
    refuse_if(tier not in TIERS, "tier", msg("refusal.result"), "EDGE R10", ", ".join(TIERS))
    return Tier(tier)


_Ahead = Callable[[int], TierOdds]
"""The odds as if the modifier were so much higher, or the DC so much lower."""


def _odds_ahead(check: Check) -> _Ahead:
    """The odds of a check by how much it is helped.

    Re-rolls have to be counted again for each distance from the DC: once for each, and none is
    counted from which the dice can no longer change a thing.
    """
    if not check.rerolls:
        return partial(_tiers_ahead, check)
    now = settled(check).bonus - settled(check).dc
    counted = cache(lambda ahead: tier_odds(_helped(check, ahead - now)))
    return lambda more: counted(clamped(now + more, DICE_MATTER[0], DICE_MATTER[-1]))


def _helped(check: Check, more: int) -> Check:
    """The check with a modifier so much higher; where there is no room, with a DC so much lower."""
    limits = fields_of(Check)["modifier"]
    modifier = clamped(check.modifier + more, limits.low, limits.high)
    return check.but(modifier=modifier, dc=check.dc - more + modifier - check.modifier)


@question
def dc_table(check: AnyDc, chances: Iterable[Number]) -> dict[Chance, int | None]:
    """The highest DC for each of these chances of success.

    >>> [dc for dc in dc_table(Check(modifier=5, dc=0), ["1/4", "1/2", "3/4"]).values()]
    [21, 16, 11]
    """
    ahead = _odds_ahead(check)
    return {
        number("chances", chance): _highest(check, chance, Tier.SUCCESS, ahead)
        for chance in chances
    }


@question
def tier_table(
    check: AnyDc, modifiers: Iterable[int], dcs: Iterable[int]
) -> dict[tuple[int, int], TierOdds]:
    """The odds of the four results for every modifier and DC, all else as in this check.

    >>> table = tier_table(Check(dc=0), range(0, 11), range(10, 21))
    >>> str(table[5, 15].succeeds)
    '11/20'
    """
    ahead, now = _odds_ahead(check), check.modifier - check.dc
    cells = product(_fitting("modifiers", modifiers, "modifier"), _fitting("dcs", dcs, "dc"))
    return {(modifier, dc): ahead(modifier - dc - now) for modifier, dc in cells}


class Plan(NamedTuple):
    """A turn: the checks in their order, how many of them to make, and what that is worth."""

    order: tuple[str, ...]
    checks: int
    value: Fraction
    values: tuple[Fraction, ...]
    """The worth of planning none, one, two … of them in this order."""


@question
def how_many_checks(
    turn: Turn, *, success: Number = 1, harm: Number = 1, effect: Number = 0
) -> Plan:
    """How many of these checks should I try, in the order they are listed?

    `success` is what one is worth, `harm` what a critical failure costs, `effect` what a point of
    damage or healing is worth. Checks do not change each other, so how many to try can be said
    beforehand.

    >>> turn = Turn(checks=[{"modifier": 8, "dc": 15}] * 4)
    >>> how_many_checks(turn).checks, how_many_checks(turn, harm=5).checks
    (2, 1)
    """
    return _Worth(turn, success, harm, effect).plan(range(len(turn.checks)))


@question
def best_order(turn: Turn, *, success: Number = 1, harm: Number = 1, effect: Number = 0) -> Plan:
    """In which order should I make these checks, and how many of them?

    >>> leap, shoot = {"name": "leap", "modifier": 2}, {"name": "shoot", "modifier": 12}
    >>> best_order(Turn(checks=[leap | {"dc": 15}, shoot | {"dc": 15}])).order
    ('shoot', 'leap')
    """
    worth = _Worth(turn, success, harm, effect)
    _, order = worth.best(frozenset(range(len(turn.checks))))
    return worth.plan(order)


class _Worth:
    """The worth of a turn's checks at each place in it."""

    def __init__(self, turn: Turn, success: Number, harm: Number, effect: Number) -> None:
        problem, would_do = msg("refusal.shared"), msg("fits.own_rerolls")
        refuse_if(turn.rerolls, "rerolls", problem, "EDGE R20", would_do)
        self.turn = turn
        self.success = number("success", success)
        self.harm = number("harm", harm)
        self.effect = number("effect", effect)
        self._orders: dict[frozenset[int], tuple[Fraction, tuple[int, ...]]] = {}
        self._single: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}

    def single(self, check: int, nth: int) -> tuple[Fraction, Fraction]:
        """Return the worth of one check as the nth, and the chance that the turn goes on."""
        if (check, nth) not in self._single:
            asked = nth_check(self.turn, check, nth)
            odds = tier_odds(asked)
            value = self.success * odds.succeeds - self.harm * odds.critical_failure
            if self.effect:
                value += self.effect * expected_effect(asked)
            self._single[check, nth] = value, 1 - odds.critical_failure
        return self._single[check, nth]

    @property
    def most(self) -> int:
        """How many checks the turn may have."""
        limit = self.turn.house.max_checks
        length = len(self.turn.checks)
        return length if limit is None else min(length, limit - self.turn.checks_before)

    def values(self, order: Sequence[int]) -> tuple[Fraction, ...]:
        """Return the worth of the first none, one, two … checks of an order."""
        found, total, alive = [Fraction(0)], Fraction(0), Fraction(1)
        for nth, check in enumerate(order[: self.most], start=1):
            value, goes_on = self.single(check, nth)
            total, alive = total + alive * value, alive * goes_on
            found.append(total)
        return tuple(found)

    def plan(self, order: Sequence[int]) -> Plan:
        """The order with the best place to stop, the earliest among equals."""
        values = self.values(order)
        best = max(values)
        labels = tuple(self.turn.labels[check] for check in order)
        return Plan(labels, values.index(best), best, values)

    def best(self, left: frozenset[int]) -> tuple[Fraction, tuple[int, ...]]:
        """The best order of the checks that are left, by dynamic programming over what is left."""
        nth = len(self.turn.checks) - len(left) + 1
        if not left or nth > self.most:
            return Fraction(0), tuple(sorted(left))
        if left not in self._orders:
            found = []
            for check in sorted(left):
                value, goes_on = self.single(check, nth)
                later, order = self.best(left - {check})
                found.append((value + goes_on * max(later, Fraction(0)), (check, *order)))
            self._orders[left] = max(found, key=lambda pair: pair[0])
        return self._orders[left]


def _fitting(where: str, given: Iterable[int], field: str) -> list[int]:
    """Numbers that a field of a check may hold; any other is refused by its place."""
    about = fields_of(Check)[field]
    return [checked(about._replace(name=f"{where}[{n}]"), one) for n, one in enumerate(given)]
