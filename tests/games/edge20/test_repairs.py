"""Repairs against slow counts, with limits, several tries a turn and both readings of the cap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.games.edge20.oracle import repair_odds

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.edge20 import Repair
from rollwright.games.edge20.questions import how_long_to_clear

REPAIRS: list[dict[str, Any]] = [
    {"tier": 3, "modifier": 2},
    {"tier": 8, "modifier": -4, "limit": 5},
    {"tier": 5, "limit": 4, "tries_per_turn": 2},
    {"tier": 5, "limit": 4, "tries_per_turn": 2, "checks_before": 1},
    {"tier": 5, "limit": 3, "attempt": 3, "modifier": -6},
    {"tier": 9, "limit": 4, "attempt": 3, "modifier": -3, "tries_per_turn": 3, "checks_before": 1},
    {"tier": 9, "limit": 3, "advantages": 1, "bonuses": (1, 1, 1)},
    {"tier": 9, "limit": 3, "edges": -1, "penalties": (2,), "bonuses": (7,)},
]
FIELDS = ("fixed", "attempts", "turns", "critical_failures")


@pytest.mark.parametrize(
    "house",
    [
        {},
        {"repair_bonus_stacks": True},
        {"natural_is_automatic_critical": True},
        {"repair_bonus_stacks": True, "bonus_order": "cancel first"},
        {"repair_bonus_stacks": True, "turn_penalty_stacks": True, "bonus_order": "cancel first"},
    ],
    ids=str,
)
@pytest.mark.parametrize("fields", REPAIRS, ids=str)
def test_repairs(fields: dict[str, Any], house: dict[str, Any]) -> None:
    """EDGE R40 and R41: the joint odds of attempts, turns and critical failures."""
    if house and "limit" not in fields:
        fields = fields | {"limit": 6}
    fields = fields | {"house": house}
    odds = rw.odds(Repair(**fields)).of(*FIELDS)
    found = {outcome: Fraction(weight, odds.total) for outcome, weight in odds.items()}
    assert repair_odds(fields | {"limit": fields.get("limit", 8)}) == found


def test_default_readings_always_end() -> None:
    """EDGE R41: with +5 each time it works in the end, even with a natural 1."""
    odds = rw.odds(Repair(tier=9, modifier=-10))
    assert 1 == odds.p(lambda found: found.fixed)
    assert odds.of("attempts").mean == how_long_to_clear(Repair(tier=9, modifier=-10)).expected


def test_expected_attempts_without_end() -> None:
    """EDGE R41: where a natural 1 always fails, the average over endless attempts is exact."""
    repair = Repair(tier=0, modifier=30, house={"natural_is_automatic_critical": True})
    assert Fraction(20, 19) == how_long_to_clear(repair).expected


def test_a_capped_bonus_may_never_be_enough() -> None:
    """EDGE R41: by the house rule the bonus stops at +10, so some jams never clear."""
    repair = Repair(tier=20, modifier=-15, house={"repair_bonus_stacks": True})
    found = how_long_to_clear(repair)
    assert found.expected is None
    assert 0 == found.works_by[-1]


def test_attempt_four_stops_at_ten() -> None:
    """EDGE R41: in the stack, attempts 1 to 4 have +0, +5, +10 and +10."""
    capped = Repair(tier=10, modifier=-1, house={"repair_bonus_stacks": True})
    assert ["1/20", "1/4", "1/2", "1/2"] == [
        str(rw.odds(capped.but(attempt=n, limit=1)).p(lambda o: o.fixed)) for n in range(1, 5)
    ]


def test_chances_and_works_by() -> None:
    """EDGE R41: each attempt's chance, and the chance that so many are enough."""
    found = how_long_to_clear(Repair(tier=3, modifier=2))
    odds = rw.odds(Repair(tier=3, modifier=2)).of("attempts")
    for number, reached in enumerate(found.works_by, start=1):
        assert odds.at_most(number) == reached
    assert odds.mean == found.expected


def test_several_tries_a_turn_in_the_average() -> None:
    """EDGE R13 and R41: the average knows that tries within a turn cost 5 each."""
    repair = Repair(tier=6, tries_per_turn=3, checks_before=1)
    assert rw.odds(repair).of("attempts").mean == how_long_to_clear(repair).expected


def test_the_turn_under_way_is_told_to_the_sheet() -> None:
    """EDGE R13: the outcome knows how many checks the turn has seen."""
    found = rw.roll(Repair(tier=5, tries_per_turn=2, checks_before=1), faces=[12, 20]).outcome
    assert (True, 1, 3) == (found.fixed, found.turns, found.checks_this_turn)


def test_limits_of_a_table() -> None:
    """EDGE R14: more tries in a turn than checks are allowed is refused."""
    with pytest.raises(BadField, match=r"tries_per_turn.*EDGE R14"):
        Repair(tier=1, tries_per_turn=3, checks_before=1, house={"max_checks": 3})
