"""The game once more, slowly: every face of every die one by one, written apart from the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

WORST_TO_BEST = ["critical failure", "failure", "success", "critical success"]
HOUSE = {
    "natural_is_automatic_critical": False,
    "tie": "success",
    "lost_edge": "subtract",
    "cancelling": "nothing",
    "max_checks": None,
    "turn_penalty_stacks": False,
    "bonus_order": "cap first",
    "repair_bonus_stacks": False,
    "jam_comes_on_top": False,
    "one_survives_swap": False,
}
SIZES = [0, 4, 6, 8, 10, 12]
Odds = dict[Any, Fraction]


def house_of(fields: dict[str, Any]) -> dict[str, Any]:
    """The house rules of a check."""
    return HOUSE | fields.get("house", {})


def adv(fields: dict[str, Any]) -> int:
    """1, -1 or 0."""
    up, down = fields.get("advantages", 0), fields.get("disadvantages", 0)
    if up and down and house_of(fields)["cancelling"] == "nothing":
        return 0
    return 1 if up > down else -1 if down > up else 0


def capped(amounts: list[int]) -> int:
    """At most twice the largest."""
    return min(sum(amounts), 2 * max(amounts)) if amounts else 0


def netted(up: list[int], down: list[int], how: str) -> int:
    """Bonuses against penalties."""
    if how == "cap first":
        return capped(up) - capped(down)
    net = sum(up) - sum(down)
    if net > 0:
        return min(net, 2 * max(up))
    return max(net, -2 * max(down)) if net < 0 else 0


def flat_bonus(fields: dict[str, Any]) -> int:
    """All that is added to the dice."""
    house = house_of(fields)
    price = 5 * (fields.get("nth_check", 1) - 1)
    down = list(fields.get("penalties", ()))
    if house["turn_penalty_stacks"] and price:
        down.append(price)
        price = 0
    up = list(fields.get("bonuses", ()))
    return fields.get("modifier", 0) + netted(up, down, house["bonus_order"]) - price


def signed_size(edges: int) -> int:
    """The edge die."""
    return (1 if edges > 0 else -1) * SIZES[min(abs(edges), 5)]


def final_dc(fields: dict[str, Any]) -> int:
    """The DC with its edges."""
    return fields["dc"] + signed_size(fields.get("dc_edges", 0)) // 2


def split_effect(fields: dict[str, Any]) -> tuple[list[int], int]:
    """Sizes of the effect dice, and the flat part."""
    text = fields.get("effect", "")
    dice = [int(s) for n, s in re.findall(r"(\d+)d(\d+)", text) for _ in range(int(n))]
    flat = sum(int(n) for n in re.findall(r"[+-]\d+$", text))
    how = house_of(fields)["bonus_order"]
    more = netted(
        list(fields.get("effect_bonuses", ())), list(fields.get("effect_penalties", ())), how
    )
    return dice, flat + more


def verdict(fields: dict[str, Any], d20: int, edge: int) -> dict[str, Any]:
    """Everything about a check whose dice lie there, but its effect."""
    house, size = house_of(fields), signed_size(fields.get("edges", 0))
    natural, total, swapped = d20, d20, False
    if size > 0:
        total = d20 + edge
        if edge > d20:
            natural, swapped = edge, True
    if size < 0:
        total = d20 - edge
        if house["lost_edge"] == "swap" and edge > d20:
            natural, total, swapped = edge, edge - d20, True
        if house["lost_edge"] == "smaller" and edge < d20:
            natural, swapped = edge, True
    if house["one_survives_swap"] and d20 == 1:
        natural, swapped = 1, False
    total += flat_bonus(fields)
    margin = total - final_dc(fields)
    if margin >= 10:
        rank = 3
    elif margin <= -10:
        rank = 0
    else:
        rank = 2 if margin > 0 or (margin == 0 and house["tie"] == "success") else 1
    base = rank
    if natural == 1:
        rank = 0 if house["natural_is_automatic_critical"] else max(rank - 1, 0)
    if natural == 20:
        rank = 3 if house["natural_is_automatic_critical"] else min(rank + 1, 3)
    item = fields.get("item", "weapon" if fields.get("attack") else "")
    return {
        "tier": WORST_TO_BEST[rank],
        "natural": natural,
        "total": total,
        "margin": margin,
        "base_tier": WORST_TO_BEST[base],
        "success": rank >= 2,
        "swapped": swapped,
        "critical_effect": rank == 3 and fields.get("attack", False),
        "turn_ends": rank == 0,
        "disabled": rank == 0 and item != "",
        "harm": rank == 0 and (item == "" or house["jam_comes_on_top"]),
    }


def first_throws(fields: dict[str, Any]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every first throw: the d20s and the edge die."""
    dice = 2 if adv(fields) else 1
    size = abs(signed_size(fields.get("edges", 0)))
    for shown in product(range(1, 21), repeat=dice):
        for edge in range(1, size + 1) if size else (0,):
            yield shown, edge


def counting(fields: dict[str, Any], shown: tuple[int, ...]) -> int:
    """The d20 that counts."""
    return min(shown) if adv(fields) < 0 else max(shown)


def with_effects(fields: dict[str, Any], found: dict[str, Any]) -> Odds:
    """The outcome with every throw of the effect dice, as a tuple of sorted (field, value)."""
    dice, flat = split_effect(fields)
    sums: Counter[int] = Counter()
    if found["tier"] == "success":
        for faces in product(*(range(1, size + 1) for size in dice)):
            sums[max(sum(faces) + flat, 0)] += 1
    elif found["tier"] == "critical success":
        sums[max(sum(dice) + flat, 0)] = 1
    else:
        sums[0] = 1
    whole = sum(sums.values())
    return {key(found | {"effect": e}): Fraction(w, whole) for e, w in sums.items()}


def key(fields: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """A mapping as something hashable."""
    return tuple(sorted(fields.items()))


def mixed(parts: list[tuple[Odds, Fraction]]) -> Odds:
    """Several odds blended."""
    made: Odds = {}
    for odds, share in parts:
        for outcome, chance in odds.items():
            made[outcome] = made.get(outcome, Fraction(0)) + chance * share
    return made


Decide = Callable[[dict[str, Any], tuple[int, ...], int, int], "int | None"]
"""(fields, d20s, edge, re-rolls left) to the place of the d20 to roll again, or None to keep."""


def check_odds(fields: dict[str, Any], decide: Decide | None = None) -> Odds:
    """Every way a check can go, under a way to decide about re-rolls."""
    throws = list(first_throws(fields))
    left = fields.get("rerolls", 0)
    share = Fraction(1, len(throws))
    return mixed([(settle(fields, s, e, left, decide), share) for s, e in throws])


def settle(
    fields: dict[str, Any], shown: tuple[int, ...], edge: int, left: int, decide: Decide | None
) -> Odds:
    """What follows from dice on the table."""
    place = decide(fields, shown, edge, left) if left and decide else None
    if place is None:
        used = fields.get("rerolls", 0) - left
        found = verdict(fields, counting(fields, shown), edge) | {"rerolled": used}
        return with_effects(fields, found)
    again = [
        (settle(fields, replaced(shown, place, new), edge, left - 1, decide), Fraction(1, 20))
        for new in range(1, 21)
    ]
    return mixed(again)


def replaced(shown: tuple[int, ...], place: int, new: int) -> tuple[int, ...]:
    """The d20s with one of them rolled again."""
    return (*shown[:place], new, *shown[place + 1 :])


def reroll_lower_if(test: Callable[[dict[str, Any]], bool]) -> Decide:
    """Roll the lower d20 again if the result passes a test."""

    def decide(fields: dict[str, Any], shown: tuple[int, ...], edge: int, left: int) -> int | None:
        found = verdict(fields, counting(fields, shown), edge)
        return shown.index(min(shown)) if test(found) else None

    return decide


def value(odds: Odds, goal: Callable[[dict[str, Any]], Any]) -> Fraction:
    """The average of a goal."""
    return sum((chance * goal(dict(outcome)) for outcome, chance in odds.items()), Fraction(0))


def best_value(fields: dict[str, Any], goal: Callable[[dict[str, Any]], Any]) -> Fraction:
    """The worth of a check when whoever re-rolls tries every die, with at most one re-roll.

    The effect dice lie there already, and stay as they are.
    """
    dice, flat = split_effect(fields)
    throws = list(first_throws(fields))
    effects = [max(sum(f) + flat, 0) for f in product(*(range(1, size + 1) for size in dice))]

    @cache
    def worth(shown: tuple[int, ...], edge: int, effect: int) -> Fraction:
        found = verdict(fields, counting(fields, shown), edge) | {"rerolled": 0}
        highest = max(sum(dice) + flat, 0)
        does = {"success": effect, "critical success": highest}.get(found["tier"], 0)
        return Fraction(goal(found | {"effect": does}))

    total = Fraction(0)
    for (shown, edge), effect in product(throws, effects):
        worths = [worth(shown, edge, effect)]
        for place in range(len(shown)):
            after = [worth(replaced(shown, place, new), edge, effect) for new in range(1, 21)]
            worths.append(sum(after, Fraction(0)) / 20)
        total += max(worths)
    return total / (len(throws) * len(effects))


def short_odds(fields: dict[str, Any]) -> Odds:
    """A check as a turn sees it: tier and effect."""
    made: Odds = {}
    for outcome, chance in check_odds(fields).items():
        found = dict(outcome)
        pair = (found["tier"], found["effect"])
        made[pair] = made.get(pair, Fraction(0)) + chance
    return made


def turn_odds(
    checks: list[dict[str, Any]],
    go_on: Callable[[int, int], bool],
    house: dict[str, Any] | None = None,
    before: int = 0,
) -> Odds:
    """(successes, critical failure, checks, effect, completed, stopped) of a turn, in order."""
    most = (house or {}).get("max_checks") or 99
    states: Odds = {(0, 0): Fraction(1)}
    ends: Odds = {}
    for n, check in enumerate(checks, start=1):
        odds = short_odds(check | {"nth_check": before + n, "house": house or {}})
        after: Odds = {}
        for (wins, effect), share in states.items():
            for (tier, more), chance in odds.items():
                won = wins + (WORST_TO_BEST.index(tier) >= 2)
                done, limit = n == len(checks), before + n >= most
                if tier == "critical failure":
                    end = (won, True, n, effect, done, False)
                elif done or limit:
                    end = (won, False, n, effect + more, done, False)
                elif not go_on(n, won):
                    end = (won, False, n, effect + more, False, True)
                else:
                    state = (won, effect + more)
                    after[state] = after.get(state, Fraction(0)) + share * chance
                    continue
                ends[end] = ends.get(end, Fraction(0)) + share * chance
        states = after
        if not states:
            break
    return ends


def repair_odds(fields: dict[str, Any]) -> Odds:
    """(fixed, attempts, turns, critical failures) by following every attempt."""
    house = house_of(fields)
    limit, per_turn = fields.get("limit", 20), fields.get("tries_per_turn", 1)
    ends: Odds = {}

    def follow(
        made: int, in_turn: int, other: int, turns: int, flops: int, share: Fraction
    ) -> None:
        earned = made + fields.get("attempt", 1) - 1
        check = {name: fields[name] for name in fields if name in PLAIN} | {
            "dc": 10 + fields["tier"],
            "nth_check": other + in_turn,
            "house": house,
        }
        if house["repair_bonus_stacks"]:
            check["bonuses"] = [*fields.get("bonuses", ()), *[5] * earned]
        else:
            check["modifier"] = fields.get("modifier", 0) + 5 * earned
        tiers: Counter[str] = Counter()
        for (tier, _), chance in short_odds(check).items():
            tiers[tier] += chance  # type: ignore[assignment]
        for tier, chance in tiers.items():
            flopped = flops + (tier == "critical failure")
            worked = tier in ("success", "critical success")
            if worked or made + 1 == limit:
                end = (worked, made + 1, turns, flopped)
                ends[end] = ends.get(end, Fraction(0)) + share * chance
            elif tier == "critical failure" or in_turn >= per_turn:
                follow(made + 1, 1, 0, turns + 1, flopped, share * chance)
            else:
                follow(made + 1, in_turn + 1, other, turns, flopped, share * chance)

    follow(0, 1, fields.get("checks_before", 0), 1, 0, Fraction(1))
    return ends


PLAIN = {"modifier", "advantages", "disadvantages", "edges", "bonuses", "penalties"}
