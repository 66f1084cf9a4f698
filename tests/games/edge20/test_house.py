"""House rules: every ambiguity that is a switch, what it does in faces, and that it shows."""

from __future__ import annotations

from typing import Any

import pytest

import rollwright as rw
from rollwright.games.edge20 import Check, Repair, Turn, game
from rollwright.games.edge20.tiers import settled
from rollwright.games.edge20.turns import try_check


def rolled(faces: list[int], house: dict[str, Any], **fields: Any) -> Any:
    """The outcome of a check at a table with a house rule."""
    return rw.roll(Check(**fields, house=house), faces=faces).outcome


def test_natural_twenty_outright() -> None:
    """EDGE R37 by D1: a natural 20 is a critical success whatever the margin, a 1 the reverse."""
    house = {"natural_is_automatic_critical": True}
    assert "critical success" == rolled([20], house, dc=40).tier
    assert "critical failure" == rolled([1], house, modifier=40, dc=10).tier


def test_tie_fails() -> None:
    """EDGE R8 by D2: meeting the DC exactly fails; ten over is critical all the same."""
    assert "failure" == rolled([10], {"tie": "failure"}, dc=10).tier
    assert "critical success" == rolled([19], {"tie": "failure"}, dc=9).tier


@pytest.mark.parametrize(
    ("reading", "natural", "total"), [("subtract", 3, -3), ("swap", 6, 3), ("smaller", 3, -3)]
)
def test_lost_edge_readings(reading: str, natural: int, total: int) -> None:
    """EDGE R26 by D3: d20 3 and a lost d6 6 under each reading."""
    found = rolled([3, 6], {"lost_edge": reading}, dc=10, edges=-2)
    assert (natural, total) == (found.natural, found.total)


def test_smaller_die_is_natural() -> None:
    """EDGE R26 by D3: under `smaller` a 1 on the lost die is a natural 1."""
    assert 1 == rolled([15, 1], {"lost_edge": "smaller"}, dc=10, edges=-1).natural


def test_majority_of_advantages() -> None:
    """EDGE R19 by D5: two advantages and one disadvantage leave an advantage."""
    house = {"cancelling": "majority"}
    assert 14 == rolled([14, 2], house, dc=10, advantages=2, disadvantages=1).natural
    assert 2 == rolled([14, 2], house, dc=10, advantages=1, disadvantages=2).natural
    assert 9 == rolled([9], house, dc=10, advantages=1, disadvantages=1).natural


def test_limit_of_checks() -> None:
    """EDGE R14 by D6: a plan of four stops after the third, neither cut short nor stopped."""
    turn = Turn(checks=[Check(modifier=20, dc=15)] * 4, house={"max_checks": 3})
    transcript = rw.roll(turn, faces=[5, 5, 9], policy="never")
    found = transcript.outcome
    assert (3, False, False, False) == (
        found.checks,
        found.cut_short,
        found.stopped,
        found.completed,
    )
    assert "no more than 3 checks" in game.tell(turn, transcript)


def test_turn_penalty_in_the_stack() -> None:
    """EDGE R13 by D7: -5 joins 2, 2, 2 and lifts their cap to 10."""
    fields: dict[str, Any] = {"dc": 10, "nth_check": 2, "penalties": (2, 2, 2)}
    assert 10 - 4 - 5 == rolled([10], {}, **fields).total
    assert 10 - 10 == rolled([10], {"turn_penalty_stacks": True}, **fields).total


def test_cancel_before_the_cap() -> None:
    """EDGE R31 by D8: +3, +3, +3, -3 is +6 when the sums are set off first."""
    fields: dict[str, Any] = {"dc": 10, "bonuses": (3, 3, 3), "penalties": (3,)}
    assert 16 == rolled([10], {"bonus_order": "cancel first"}, **fields).total
    more: dict[str, Any] = {"dc": 10, "bonuses": (1,), "penalties": (2, 2, 2)}
    assert 10 - 4 == rolled([10], {"bonus_order": "cancel first"}, **more).total


def test_repair_bonus_in_the_stack() -> None:
    """EDGE R41 by D17: attempt 4 stops at +10, and shares the cap with other bonuses."""
    repair = Repair(tier=3, bonuses=(1,), house={"repair_bonus_stacks": True})
    assert [1, 6, 10, 10] == [settled(try_check(repair, n, 1)).bonus for n in range(1, 5)]


def test_jam_on_top_of_harm() -> None:
    """EDGE R39 by D18: the jam is the harm, or comes on top; bare hands have only the harm."""
    fields: dict[str, Any] = {"dc": 15, "attack": True}
    plain, both = rolled([3], {}, **fields), rolled([3], {"jam_comes_on_top": True}, **fields)
    assert (True, False) == (plain.disabled, plain.harm)
    assert (True, True) == (both.disabled, both.harm)
    bare = rolled([3], {"jam_comes_on_top": True}, dc=15)
    assert (False, True) == (bare.disabled, bare.harm)


def test_a_one_survives() -> None:
    """EDGE R25 by D19: d20 1 and d4 3 stay a natural 1; other swaps go on."""
    house = {"one_survives_swap": True}
    found = rolled([1, 3], house, modifier=9, dc=10, edges=1)
    assert (1, 13, "failure", False) == (found.natural, found.total, found.tier, found.swapped)
    assert 3 == rolled([2, 3], house, dc=10, edges=1).natural
