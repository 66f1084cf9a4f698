"""The worked examples: faces in, result out, with the source's slips put right."""

from __future__ import annotations

from typing import Any

import pytest

import rollwright as rw
from rollwright.games.edge20 import Check, CheckOutcome, Turn
from rollwright.games.edge20.modifiers import dc_shift, set_off, stack
from rollwright.games.edge20.tiers import settled
from rollwright.games.edge20.turns import nth_check


def rolled(faces: list[int], **fields: Any) -> CheckOutcome:
    """The outcome of a check with these faces."""
    outcome: CheckOutcome = rw.roll(Check(**fields), faces=faces).outcome
    return outcome


def test_three_edges_swap_the_natural() -> None:
    """EDGE R24, example C1: d20 4 and d8 7 are a natural 7 with +4, total 11."""
    found = rolled([4, 7], dc=11, edges=3)
    assert (7, 11, True) == (found.natural, found.total, found.swapped)


def test_bonuses_stack_to_twice_the_largest() -> None:
    """EDGE R34, example C2: +1, +1, +1, +2, +2, +3 are +6; the sum is 10 and 4 are wasted."""
    found = stack((1, 1, 1, 2, 2, 3))
    assert (10, 6, 6, 4) == (found.sum, found.cap, found.counts, found.wasted)
    assert 16 == rolled([10], dc=10, bonuses=(1, 1, 1, 2, 2, 3)).total


def test_penalties_stack_to_twice_the_largest() -> None:
    """EDGE R33, example C3: the same list as penalties is -6."""
    assert -6 == set_off((), (1, 1, 1, 2, 2, 3))
    assert 4 == rolled([10], dc=10, penalties=(1, 1, 1, 2, 2, 3)).total


def test_four_checks_of_the_example_turn() -> None:
    """EDGE R13, example C4: shove, charge, shoot, jump are at 0, -5, -10 and -15."""
    skills = ("Brawn", "Acrobatics", "Marksmanship", "Acrobatics")
    turn = Turn(checks=tuple(Check(skill=skill, modifier=20, dc=15) for skill in skills))
    assert [20, 15, 10, 5] == [settled(nth_check(turn, n, n + 1)).bonus for n in range(4)]


def test_critical_failure_ends_the_example_turn() -> None:
    """EDGE R15, example C4: a critical failure at the second check leaves two undone."""
    turn = Turn(checks=(Check(modifier=5, dc=15),) * 4)
    found = rw.roll(turn, faces=[12, 2], policy="never").outcome
    assert (1, True, 2, False) == (found.successes, found.cut_short, found.checks, found.completed)


@pytest.mark.parametrize(("edges", "shift"), [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (9, 6)])
def test_edges_on_a_dc(edges: int, shift: int) -> None:
    """EDGE R29, example C5: edges on a DC are 2, 3, 4, 5, 6, up or down."""
    assert shift == dc_shift(edges)
    assert -shift == dc_shift(-edges)
    assert 10 - (15 + shift) == rolled([10], dc=15, dc_edges=edges).margin


@pytest.mark.parametrize(
    ("modifier", "dc", "d20", "base", "tier"),
    [
        (0, 25, 20, "failure", "success"),
        (-5, 30, 20, "critical failure", "failure"),
        (15, 10, 1, "success", "failure"),
        (30, 12, 1, "critical success", "success"),
        (0, 20, 10, "critical failure", "critical failure"),
        (10, 10, 10, "critical success", "critical success"),
        (0, 10, 10, "success", "success"),
        (0, 15, 6, "failure", "failure"),
        (0, 15, 5, "critical failure", "critical failure"),
        (5, 5, 9, "success", "success"),
    ],
)
def test_own_vectors(modifier: int, dc: int, d20: int, base: str, tier: str) -> None:
    """EDGE R35, R36, R37: tiers by margin, and one tier up or down for a natural 20 or 1."""
    found = rolled([d20], modifier=modifier, dc=dc)
    assert (base, tier) == (found.base_tier, found.tier)


@pytest.mark.parametrize(("edge", "natural"), [(1, 1), (2, 2), (4, 4)])
def test_natural_one_needs_both_ones(edge: int, natural: int) -> None:
    """EDGE R25: a natural 1 takes a 1 on the d20 and on the edge die."""
    found = rolled([1, edge], modifier=9, dc=10, edges=1)
    assert natural == found.natural
    assert ("failure" if natural == 1 else "success") == found.tier


def test_lost_edge_in_faces() -> None:
    """EDGE R26: a lost edge subtracts its die, and the d20 stays natural."""
    found = rolled([3, 4], dc=5, edges=-1)
    assert (3, -1, -6, False) == (found.natural, found.total, found.margin, found.swapped)
