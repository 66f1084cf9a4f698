"""From the faces to the result: the natural roll, the total, and the tier."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rollwright.games.edge20.actions import Action, D20Roll
from rollwright.games.edge20.effect_dice import EffectDice, effect_dice
from rollwright.games.edge20.house import House
from rollwright.games.edge20.outcomes import TIERS, CheckOutcome, Tier
from rollwright.games.edge20.requests import PER_CHECK, Check
from rollwright.games.edge20.stacking import dc_shift, edge_size, set_off

CRITICAL_MARGIN = 10


class Settled(NamedTuple):
    """What is settled about a check before the dice are thrown."""

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


class Natural(NamedTuple):
    """The dice as the rules read them."""

    natural: int
    sum: int
    """The d20 with the edge die."""
    swapped: bool


@lru_cache(maxsize=2000)
def settled(ask: Check) -> Settled:
    """All that is known of a check beforehand."""
    return Settled(
        advantage(ask, ask.house),
        edge_size(ask.edges),
        ask.modifier + counted_bonus(ask) - turn_penalty(ask),
        ask.dc + dc_shift(ask.dc_edges),
        counted_effect(ask),
        ask.house,
        ask.attack,
        ask.used_item,
    )


def advantage(ask: D20Roll, house: House) -> int:
    """Advantage, disadvantage, or neither: they do not stack, and they cancel."""
    if house.cancelling == "majority":
        return (ask.advantages > ask.disadvantages) - (ask.advantages < ask.disadvantages)
    return (ask.advantages > 0) - (ask.disadvantages > 0)


def turn_penalty(ask: Check) -> int:
    """What this check loses to those before it in the turn, outside the stack of penalties."""
    return 0 if ask.house.turn_penalty_stacks else PER_CHECK * (ask.nth_check - 1)


def stacked_penalties(ask: Check) -> tuple[int, ...]:
    """All penalties that share a cap."""
    if ask.house.turn_penalty_stacks and ask.nth_check > 1:
        return (*ask.penalties, PER_CHECK * (ask.nth_check - 1))
    return ask.penalties


def counted_bonus(ask: Check) -> int:
    """What the bonuses and penalties of the roll come to."""
    first = ask.house.bonus_order == "cancel first"
    return set_off(ask.bonuses, stacked_penalties(ask), cancel_first=first)


def counted_effect(ask: Check) -> EffectDice:
    """The effect dice, with bonuses and penalties to them in the flat part."""
    first = ask.house.bonus_order == "cancel first"
    more = set_off(ask.effect_bonuses, ask.effect_penalties, cancel_first=first)
    dice = effect_dice(ask.effect)
    return EffectDice(dice.pool, dice.flat + more)


def read_natural(d20: int, edge: int, size: int, house: House) -> Natural:
    """Which die is the natural roll, and what both come to."""
    if size >= 0:
        swapped = edge > d20
        total = d20 + edge
    elif house.lost_edge == "swap":
        swapped = edge > d20
        total = abs(d20 - edge)
    else:
        swapped = house.lost_edge == "smaller" and edge < d20
        total = d20 - edge
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


def judged(known: Settled, d20: int, edge: int, rerolled: int) -> CheckOutcome:
    """The result of the d20 that counts and the edge die; rolled effect dice are added later."""
    house = known.house
    natural, dice, swapped = read_natural(d20, edge, known.edge, house)
    total = dice + known.bonus
    margin = total - known.dc
    base = base_tier(margin, house)
    tier = shifted_tier(base, natural, house)
    shines, flops = tier is Tier.CRITICAL_SUCCESS, tier is Tier.CRITICAL_FAILURE
    return CheckOutcome(
        tier=tier,
        natural=natural,
        total=total,
        margin=margin,
        effect=max(known.effect.highest, 0) if shines else 0,
        base_tier=base,
        success=shines or tier is Tier.SUCCESS,
        swapped=swapped,
        critical_effect=shines and known.attack,
        turn_ends=flops,
        disabled=flops and bool(known.item),
        harm=flops and (not known.item or house.jam_comes_on_top),
        rerolled=rerolled,
    )


def repair_dc(action: Action) -> int | None:
    """The DC to get the item of a check working again, where its Tier is known."""
    return None if action.item_tier is None else 10 + action.item_tier
