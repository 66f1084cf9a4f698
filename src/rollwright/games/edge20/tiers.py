"""From the faces to the result: the natural roll, the total, and the tier."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .house import House
from .modifiers import EffectDice, dc_shift, edge_size, effect_dice, set_off
from .outcomes import TIERS, CheckOutcome, Tier
from .requests import Check, D20Roll

CRITICAL_MARGIN = 10


class Settled(NamedTuple):
    """The facts about a check that are known before the dice are thrown."""

    advantage: int
    """1 with advantage, -1 with disadvantage, 0 with neither or both."""
    edge: int
    """The size of the edge die, negative where edge is lost, 0 without one."""
    bonus: int
    """Skill, bonuses and penalties together."""
    dc: int
    effect: EffectDice
    house: House
    attack: bool
    item: str
    in_turn: bool


class Natural(NamedTuple):
    """The dice as the rules read them."""

    natural: int
    sum: int
    """The d20 with the edge die."""
    swapped: bool


@lru_cache(maxsize=2000)
def settled(ask: Check) -> Settled:
    """All that is known of a check beforehand."""
    cancel_first = ask.house.bonus_order == "cancel first"
    counted = set_off(ask.bonuses, stacked_penalties(ask), cancel_first=cancel_first)
    more = set_off(ask.effect_bonuses, ask.effect_penalties, cancel_first=cancel_first)
    apart = 0 if ask.house.turn_penalty_stacks else ask.turn_price
    dice = effect_dice(ask.effect)
    return Settled(
        advantage(ask, ask.house),
        edge_size(ask.edges),
        ask.modifier + counted - apart,
        ask.dc + dc_shift(ask.dc_edges),
        dice._replace(flat=dice.flat + more),
        ask.house,
        ask.attack,
        ask.used_item,
        ask.in_turn,
    )


def advantage(ask: D20Roll, house: House) -> int:
    """Advantage, disadvantage, or neither, as a roll has them."""
    return favour(ask.advantages, ask.disadvantages, house)


def favour(up: int, down: int, house: House) -> int:
    """Return the sum of advantages and disadvantages: they do not stack, and they cancel."""
    if house.cancelling == "majority":
        return (up > down) - (up < down)
    return (up > 0) - (down > 0)


def stacked_penalties(ask: Check) -> tuple[int, ...]:
    """All penalties that share a cap; by the house, the price of earlier checks is one of them."""
    if ask.house.turn_penalty_stacks and ask.turn_price:
        return (*ask.penalties, ask.turn_price)
    return ask.penalties


def read_natural(d20: int, edge: int, size: int, house: House) -> Natural:
    """Which die is the natural roll, and what both come to."""
    total, swapped = d20 + edge, edge > d20
    if size < 0 and house.lost_edge == "swap":
        total = abs(d20 - edge)
    elif size < 0:
        total, swapped = d20 - edge, house.lost_edge == "smaller" and edge < d20
    if swapped and d20 == 1 and house.one_survives_swap:
        swapped = False
    return Natural(edge if swapped else d20, total, swapped)


def base_tier(margin: int, house: House) -> Tier:
    """The result by the margin alone."""
    if margin >= CRITICAL_MARGIN:
        return Tier.CRITICAL_SUCCESS
    if margin <= -CRITICAL_MARGIN:
        return Tier.CRITICAL_FAILURE
    if margin > 0 or (margin == 0 and house.tie == "success"):
        return Tier.SUCCESS
    return Tier.FAILURE


def shifted_tier(tier: Tier, natural: int, house: House) -> Tier:
    """The result after a natural 1 or 20."""
    if natural not in (1, 20):
        return tier
    if house.natural_is_automatic_critical:
        return TIERS[-1] if natural == 20 else TIERS[0]
    return tier.shifted(1 if natural == 20 else -1)


def judged(known: Settled, d20: int, edge: int, effect: int, rerolled: int) -> CheckOutcome:
    """The result of the d20 that counts and the edge die, with the effect where it succeeds."""
    return result_of(known, read_natural(d20, edge, known.edge, known.house), effect, rerolled)


def result_of(known: Settled, dice: Natural, effect: int, rerolled: int) -> CheckOutcome:
    """The result of the dice as the rules read them; only a plain success does as they say."""
    house = known.house
    natural, shown, swapped = dice
    total = shown + known.bonus
    margin = total - known.dc
    base = base_tier(margin, house)
    tier = shifted_tier(base, natural, house)
    shines, flops = tier is Tier.CRITICAL_SUCCESS, tier is Tier.CRITICAL_FAILURE
    does = known.effect.highest if shines else effect if tier is Tier.SUCCESS else 0
    return CheckOutcome(
        tier=tier,
        natural=natural,
        total=total,
        margin=margin,
        effect=max(does, 0),
        base_tier=base,
        success=shines or tier is Tier.SUCCESS,
        swapped=swapped,
        critical_effect=shines and known.attack,
        turn_ends=flops and known.in_turn,
        disabled=flops and bool(known.item),
        harm=flops and (not known.item or house.jam_comes_on_top),
        rerolled=rerolled,
    )
