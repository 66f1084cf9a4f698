"""Exact odds of checks against slow counts over every face, joint in every field."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.games.edge20.oracle import (
    best_value,
    check_odds,
    key,
    reroll_lower_if,
)

import rollwright as rw
from rollwright.engine.compiled.positions import Compiling
from rollwright.games.edge20 import Check


def counted(fields: dict[str, Any], policy: str = "never") -> dict[Any, Fraction]:
    """Our odds in the form the slow count has."""
    odds = rw.odds(Check(**fields), policy)
    return {
        key(
            {name: str(v) if "tier" in name else v for name, v in found._asdict().items()}
        ): Fraction(weight, odds.total)
        for found, weight in odds.items()
    }


PLAIN = [
    {"dc": 10},
    {"dc": 15, "modifier": 5},
    {"dc": 25, "modifier": -3},
    {"dc": 5, "modifier": 12},
    {"dc": 15, "modifier": 3, "advantages": 1},
    {"dc": 15, "modifier": 3, "disadvantages": 2},
    {"dc": 15, "modifier": 3, "advantages": 2, "disadvantages": 1},
    {"dc": 14, "modifier": 2, "edges": 1},
    {"dc": 14, "modifier": 2, "edges": -3, "disadvantages": 1},
    {"dc": 12, "modifier": 1, "dc_edges": 2, "edges": 2},
    {"dc": 12, "modifier": 1, "dc_edges": -7},
    {"dc": 12, "modifier": 1, "bonuses": (3, 3, 3), "penalties": (3, 1)},
    {"dc": 12, "modifier": 9, "nth_check": 3, "penalties": (2, 2, 2)},
    {"dc": 12, "modifier": 4, "effect": "2d4+3", "attack": True},
    {"dc": 12, "modifier": 4, "effect": "1d4+1d6-4", "edges": 1, "item": "torch"},
    {
        "dc": 12,
        "modifier": 4,
        "effect": "1d6+1",
        "effect_bonuses": (2, 1, 2),
        "effect_penalties": (1,),
    },
    {"dc": 12, "modifier": 4, "attack": True, "item": ""},
]
"""One for each rule that changes odds, alone and mixed."""

SWITCHES: list[dict[str, Any]] = [
    {},
    {"natural_is_automatic_critical": True},
    {"tie": "failure"},
    {"lost_edge": "swap"},
    {"lost_edge": "smaller"},
    {"cancelling": "majority"},
    {"turn_penalty_stacks": True},
    {"bonus_order": "cancel first"},
    {"jam_comes_on_top": True},
    {"one_survives_swap": True},
    {"lost_edge": "swap", "one_survives_swap": True},
]


LARGEST = {"dc": 14, "modifier": 2, "edges": 5, "advantages": 1}
CASES = [(fields, house) for fields in PLAIN for house in SWITCHES]
CASES += [(LARGEST, {}), (LARGEST, {"one_survives_swap": True})]


@pytest.mark.parametrize(("fields", "house"), CASES, ids=str)
def test_checks(fields: dict[str, Any], house: dict[str, Any]) -> None:
    """EDGE R4 to R39: the joint odds of all fields, with each house rule switched both ways."""
    fields = fields | {"house": house}
    assert check_odds(fields) == counted(fields)


@pytest.mark.parametrize("fields", PLAIN, ids=str)
def test_the_one_throw_has_the_odds_that_are_counted_hand_by_hand(
    fields: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """EDGE R5: playing the throw of all dice out finds what asking only what is needed finds."""
    asked = rw.odds(Check(**fields))
    monkeypatch.setattr(Compiling, "tries", lambda self, tokens: None)
    assert asked == rw.odds(Check(**fields))


REROLLS = [
    {"dc": 12, "modifier": 2, "rerolls": 1},
    {"dc": 12, "modifier": 2, "rerolls": 2},
    {"dc": 15, "modifier": 2, "rerolls": 1, "advantages": 1},
    {"dc": 15, "modifier": 6, "rerolls": 1, "disadvantages": 1},
    {"dc": 13, "modifier": 2, "rerolls": 1, "edges": 1, "effect": "1d4+1"},
    {"dc": 13, "modifier": 2, "rerolls": 1, "edges": -2},
    {"dc": 10, "modifier": 8, "rerolls": 1, "effect": "1d4+1d3-1"},
]
POLICIES = {
    "never": None,
    "if-failed": reroll_lower_if(lambda found: not found["success"]),
    "always": reroll_lower_if(lambda found: True),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("fields", REROLLS, ids=str)
def test_rerolls_under_a_policy(fields: dict[str, Any], policy: str) -> None:
    """EDGE R20: never, always and if-failed, joint in every field."""
    assert check_odds(fields, POLICIES[policy]) == counted(fields, policy)


def _net(found: Any) -> int:
    return found["success"] - 2 * found["turn_ends"]


GOALS = {
    "just-succeed": lambda found: int(found["success"]),
    "no-disaster": lambda found: int(not found["turn_ends"]),
    "critical": lambda found: int(found["tier"] == "critical success"),
    "careful": lambda found: found["success"] - found["turn_ends"],
    "most-effect": lambda found: found["effect"],
    "success=1,turn_ends=-2": _net,
    "natural=1": lambda found: found["natural"],
    "total=-1": lambda found: -found["total"],
}


ODD_GOALS = ("natural=1", "total=-1")
"""Tried only where there is a die to pick."""
BEST = [
    (fields, goal)
    for fields in REROLLS
    for goal in GOALS
    if fields["rerolls"] == 1 and (goal not in ODD_GOALS or "advantages" in fields)
]


@pytest.mark.parametrize(("fields", "goal"), BEST, ids=str)
def test_best_rerolls(fields: dict[str, Any], goal: str) -> None:
    """EDGE R20: best play is worth what trying every die in every situation finds."""
    expected = best_value(fields, GOALS[goal])
    assert expected == rw.advise(Check(**fields), goal).value


def test_best_is_what_its_odds_say() -> None:
    """EDGE R20: the odds under `best` have the value that the advice promises."""
    check = Check(dc=15, modifier=2, advantages=1, rerolls=1)
    odds = rw.odds(check, "best")
    assert rw.advise(check).value == odds.p(lambda found: found.success)


@pytest.mark.long
def test_lower_die_is_always_right() -> None:
    """EDGE R20: re-rolling the lower die when failed is best, with advantage or disadvantage."""
    for more in ({"advantages": 1}, {"disadvantages": 1}):
        check = Check(dc=15, modifier=2, rerolls=1, **more)
        thumb = rw.odds(check, "if-failed").p(lambda found: found.success)
        assert rw.advise(check).value == thumb
