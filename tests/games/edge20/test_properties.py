"""Properties that hold for any check, tried on random ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.edge20.oracle import check_odds
from tests.games.edge20.test_counts import counted

import rollwright as rw
from rollwright.games.edge20 import Check, Tier
from rollwright.games.edge20.modifiers import set_off, stack
from rollwright.games.edge20.questions import tier_odds

AMOUNTS = st.lists(st.integers(0, 6), max_size=4).map(tuple)
HOUSES = st.fixed_dictionaries(
    {},
    optional={
        "natural_is_automatic_critical": st.booleans(),
        "tie": st.sampled_from(["success", "failure"]),
        "lost_edge": st.sampled_from(["subtract", "swap", "smaller"]),
        "cancelling": st.sampled_from(["nothing", "majority"]),
        "turn_penalty_stacks": st.booleans(),
        "bonus_order": st.sampled_from(["cap first", "cancel first"]),
        "jam_comes_on_top": st.booleans(),
        "one_survives_swap": st.booleans(),
    },
)
CHECKS = st.fixed_dictionaries(
    {"dc": st.integers(0, 35)},
    optional={
        "modifier": st.integers(-8, 20),
        "advantages": st.integers(0, 2),
        "disadvantages": st.integers(0, 2),
        "edges": st.integers(-3, 3),
        "dc_edges": st.integers(-6, 6),
        "bonuses": AMOUNTS,
        "penalties": AMOUNTS,
        "nth_check": st.integers(1, 5),
        "effect": st.sampled_from(["1d4+2", "2d4-3", "1d6"]),
        "effect_bonuses": AMOUNTS,
        "effect_penalties": AMOUNTS,
        "attack": st.booleans(),
        "house": HOUSES,
    },
)


@pytest.mark.long
@settings(max_examples=40)
@given(CHECKS)
def test_any_check_agrees_with_the_slow_count(fields: dict[str, Any]) -> None:
    """EDGE R4 to R39 mixed with any house rules: joint odds to the last fraction."""
    assert check_odds(fields) == counted(fields)


@pytest.mark.long
@settings(max_examples=60)
@given(CHECKS)
def test_quick_tiers_agree_with_the_rule(fields: dict[str, Any]) -> None:
    """EDGE R35: the shortcut for tables gives what the rule gives, and chances add up to 1."""
    check = Check(**fields)
    tiers = rw.odds(check).of("tier")
    assert tuple(tier_odds(check)) == tuple(tiers.p(tier) for tier in Tier)
    assert Fraction(1) == sum(tier_odds(check))


@settings(max_examples=60)
@given(CHECKS)
def test_a_higher_modifier_never_hurts(fields: dict[str, Any]) -> None:
    """EDGE R4: one more on the modifier makes no tier or better less likely."""
    check = Check(**fields)
    now, then = tier_odds(check), tier_odds(check.but(modifier=check.modifier + 1))
    for rank in range(1, 4):
        assert sum(then[rank:]) >= sum(now[rank:])


@given(AMOUNTS, AMOUNTS)
def test_stacks_never_exceed_their_cap(
    bonuses: tuple[int, ...], penalties: tuple[int, ...]
) -> None:
    """EDGE R32 and R33: each side comes to at most twice its largest, whichever comes first."""
    up, down = stack(bonuses), stack(penalties)
    assert up.counts == min(up.sum, up.cap)
    for first in (False, True):
        assert -down.cap <= set_off(bonuses, penalties, cancel_first=first) <= up.cap


@given(AMOUNTS, st.integers(0, 6))
def test_another_bonus_never_hurts(bonuses: tuple[int, ...], new: int) -> None:
    """EDGE R32: a further bonus may be wasted but takes nothing away."""
    assert stack((*bonuses, new)).counts >= stack(bonuses).counts
