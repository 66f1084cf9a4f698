"""A plain async function that a rule awaits is counted once, as a rule is, where it may be."""

# ruff: noqa: D103 - a rule here says all that it does in its own lines

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.dice import D6, D20
from rollwright.engine.odds import count
from rollwright.engine.steps import known_rules
from rollwright.rules import choose, roll, rule, spend
from tests.engine.plain.counting import compiled_odds


async def hit(skill: int) -> int:
    face = sum(await roll(D20))
    if face + skill < 15:
        return 0
    hurt = sum(await roll(2 * D6))
    return hurt + sum(await roll(2 * D6)) if face == 20 else hurt


hit_rule = rule(hit)


@rule
async def fight(plain: bool, health: int) -> str:
    strike: Any = hit if plain else hit_rule
    mine = yours = health
    while True:
        yours -= await strike(5)
        if yours <= 0:
            return "me"
        mine -= await strike(3)
        if mine <= 0:
            return "you"


def steps(ask: Any) -> int:
    budget = Budget(500_000_000)
    ask(budget)
    return budget.spent


@pytest.mark.long
def test_a_plain_function_costs_what_a_rule_costs() -> None:
    """In odds and in best play, and it comes to the same."""
    for ask in (
        lambda call: rw.odds(call).p("me"),
        lambda call: rw.advise(call, lambda who: who == "me").value,
    ):
        assert ask(fight(True, 20)) == ask(fight(False, 20))
    plain, ruled = (
        steps(lambda budget, plain=plain: rw.odds(fight(plain, 30), budget=budget))
        for plain in (True, False)
    )
    assert plain < 2 * ruled


def test_a_rule_of_the_same_name_stays_the_rule() -> None:
    """A plain function is nothing that can be found by its name."""
    rw.odds(fight(True, 10))
    assert known_rules[hit_rule.name] is hit_rule


# --- what is gone into ---


async def wound(foes: list[int]) -> None:
    foes[0] -= sum(await roll(D6))


async def listed(dice: int) -> list[int]:
    return [*sorted(await roll(dice * D6))]


async def sometimes_listed(dice: int) -> Any:
    hand = await roll(dice * D6)
    return [6] if hand.count(6) else tuple(sorted(hand))


async def thrown(dice: int) -> Any:
    return await roll(dice * D6)


async def asked(face: int) -> int:
    return 2 * face if await choose("twice", "once", about=face) == "twice" else face


async def paid(price: int) -> int:
    await spend(price)
    return sum(await roll(D6))


async def exploding(limit: int) -> int:
    total = 0
    while total < limit:
        face = sum(await roll(D6))
        total += face
        if face < 6:
            break
    return total


async def summed(dice: int) -> int:
    return sum([await exploding(18) for _ in range(dice)])


@rule
async def uses(what: str) -> Any:
    if what == "changes":
        foes = [9, 9]
        await wound(foes)
        await wound(foes)
        return tuple(foes)
    if what == "list":
        return sum(await listed(3)), len(await listed(2))
    if what == "sometimes":
        return tuple(await sometimes_listed(2))
    if what == "hand":
        return (await thrown(6)).count(6)
    if what == "choice":
        return await asked(sum(await roll(D6))) + await asked(2)
    if what == "nested":
        return await summed(2)
    return await paid(1) + await paid(2)


@pytest.mark.parametrize(
    "what", ["changes", "list", "sometimes", "hand", "choice", "nested", "paid"]
)
def test_what_cannot_stand_by_itself_is_gone_into(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changes its arguments, ends in what can change, or holds a choice: with one result."""

    def decide(now: rw.Situation) -> Any:
        return "once" if now.about > 3 else "twice"

    found = compiled_odds(uses(what), decide)
    monkeypatch.setattr(count.RuleCounter, "counts_helpers", False)
    assert found == compiled_odds(uses(what), decide)


def test_choices_and_prices_in_a_plain_function_are_best_played() -> None:
    """Twice is always better, and what is spent is told whoever spends it."""
    assert rw.advise(uses("choice"), lambda total: total).value == 2 * F(7, 2) + 4
    assert rw.cost(uses("paid")).mean == 3
    assert rw.advise(uses("paid"), lambda total: total, price=1).value == 7 - 3
