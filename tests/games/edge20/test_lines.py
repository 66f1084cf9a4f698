"""The rules line by line, each shown by faces or by what a request accepts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rollwright as rw
from rollwright.api import new_transcript
from rollwright.dice import D20, Die, Pool
from rollwright.errors import BadField
from rollwright.games.edge20 import Action, Check, CheckOutcome, Repair, Sheet, Tier, Turn, game
from rollwright.games.edge20.house import LINES
from rollwright.games.edge20.modifiers import edge_size, net_edges
from rollwright.games.edge20.tiers import settled
from rollwright.games.edge20.turns import try_check
from rollwright.kit import Effect, fields_of


def rolled(faces: list[int], **fields: Any) -> CheckOutcome:
    """The outcome of a check with these faces, the lower die re-rolled where it failed."""
    outcome: CheckOutcome = rw.roll(Check(**fields), faces=faces, policy="if-failed").outcome
    return outcome


def test_every_line_is_listed() -> None:
    """The rulebook has R1 to R41 without a gap, each in a sentence."""
    assert [f"R{n}" for n in range(1, 42)] == list(LINES)
    assert all(line.text.endswith(".") for line in LINES.values())


def test_when_to_roll_is_guidance_of_the_game() -> None:
    """EDGE R1 is advice to people, shown in the summary of the game."""
    assert LINES["R1"].guidance
    assert LINES["R1"].text in game.summary


@pytest.mark.parametrize(
    ("line", "kind", "field"),
    [("R2", Turn, "checks"), ("R3", Action, "target"), ("R6", Action, "name"), ("R7", Check, "dc")],
)
def test_guidance_is_shown_as_help(line: str, kind: type, field: str) -> None:
    """EDGE R2, EDGE R3, EDGE R6 and EDGE R7 are advice, shown where fields are filled in."""
    assert LINES[line].guidance
    assert LINES[line].text in fields_of(kind)[field].help


def test_d20_plus_skill_plus_temporary_modifiers() -> None:
    """EDGE R4: the total is the d20, the skill's modifier, bonuses less penalties."""
    found = rolled([10], skill="Brawn", modifier=4, bonuses=(2,), penalties=(1,), dc=15)
    assert (15, 0, "success") == (found.total, found.margin, found.tier)


def test_a_success_has_its_effect() -> None:
    """EDGE R5 and R8: a success has its effect, dice and flat part added."""
    assert 10 == rolled([12, 3, 4], dc=10, effect="2d6+3").effect


def test_effect_dice_are_thrown_along_with_the_check() -> None:
    """EDGE R5: d20, edge die and effect dice are one throw, whatever comes of it."""
    check = Check(dc=15, modifier=5, advantages=1, edges=1, effect="2d6+3", rerolls=1)
    assert (
        Pool({D20: 2, Die(4, name="edge"): 1, Die(6, name="effect"): 2})
        == new_transcript(check).step.pool
    )
    failed = rw.roll(Check(dc=15, effect="2d6"), faces=[9, 6, 6])
    assert (True, 0) == (failed.is_done, failed.outcome.effect)


def test_effect_dice_stay_when_a_d20_is_rolled_again() -> None:
    """EDGE R5 and R20: the re-roll is of one d20; whoever decides sees the effect dice."""
    lying = rw.roll(Check(dc=10, effect="2d6+3", rerolls=2), faces=[4, 1, 2])
    assert ("failure", 6) == (lying.step.about.tier, lying.step.about.effect)
    assert str(lying.step.about) == "4, effect 6: failure by 6, re-rolls 2"
    again = lying.choose("re-roll")
    assert Pool([D20]) == again.step.pool
    met = again.throw([12])
    assert ("success", 6) == (met.step.about.tier, met.step.about.effect)
    assert 6 == met.choose("keep").outcome.effect


def test_advice_looks_at_the_effect_dice() -> None:
    """EDGE R5, R20 and R38: double 1 is worth another try for the most effect, double 6 is not.

    A 5 succeeds. Rolled again, 2 to 11 do what the dice show, 12 to 20 do 12 as critical
    successes, and a 1 does nothing.
    """
    check = Check(dc=10, modifier=8, effect="2d6", rerolls=1)
    for faces in ((1, 1), (6, 6)):
        again = Fraction(10 * sum(faces) + 9 * 12, 20)
        advice = rw.advise(rw.roll(check, faces=[5, *faces]), "most-effect")
        worth = {one.option: one.value for one in advice.options}
        assert {"keep": sum(faces), "re-roll": again} == worth


def test_effect_may_hold_dice_of_several_sizes() -> None:
    """EDGE R5: effect dice are any dice added up, small ones first in the order of faces."""
    assert 1 + 5 + 2 == rolled([12, 1, 5], dc=10, effect="d6+1d4+2").effect


def test_failure_wastes_the_action() -> None:
    """EDGE R9: a failure has no effect, and the turn goes on."""
    found = rolled([8, 6, 6], dc=10, effect="2d6+3")
    assert ("failure", 0, False) == (found.tier, found.effect, found.turn_ends)


def test_critical_success_brings_an_extra() -> None:
    """EDGE R10: beating the DC by 10 is a critical success with a helpful extra."""
    check = Check(dc=5)
    found = rw.roll(check, faces=[15])
    assert "critical success" == found.outcome.tier
    assert "helpful extra" in [effect.kind for effect in game.effects(check, found.outcome)]
    assert "helpful extra" in game.tell(check, found)


def test_critical_failure_ends_the_turn_with_harm() -> None:
    """EDGE R11: missing the DC by 10 wastes the action, ends the turn and does harm."""
    check = Check(dc=15)
    found = rw.roll(check, faces=[5]).outcome
    assert ("critical failure", True, True) == (found.tier, found.turn_ends, found.harm)
    assert ["checks", "turn ended", "harm"] == [e.kind for e in game.effects(check, found)]


def test_every_action_is_a_check() -> None:
    """EDGE R12: each action of a turn is rolled in the same way, one after the other."""
    turn = Turn(checks=(Check(modifier=5, dc=10, effect="1d4"), Check(modifier=10, dc=10)))
    found = rw.roll(turn, faces=[9, 3, 8], policy="never").outcome
    assert (2, 2, 3, True) == (found.successes, found.checks, found.effect, found.completed)


@pytest.mark.parametrize(("nth", "total"), [(1, 10), (2, 5), (3, 0), (4, -5), (5, -10), (6, -15)])
def test_later_checks_cost_five_each(nth: int, total: int) -> None:
    """EDGE R13: the second check is at -5, the third at -10, and 5 more for each."""
    assert total == rolled([10], dc=10, nth_check=nth).total


def test_four_checks_are_warned_about() -> None:
    """EDGE R14: a fourth check is allowed, but the words say that it is too much for a round."""
    check = Check(modifier=20, dc=10, nth_check=4)
    assert "too much for one round" in game.tell(check, rw.roll(check, faces=[10]))
    third = check.but(nth_check=3)
    assert "too much" not in game.tell(third, rw.roll(third, faces=[9]))


def test_critical_failure_stops_what_was_to_come() -> None:
    """EDGE R15: the checks after a critical failure are not made."""
    turn = Turn(checks=(Check(dc=15),) * 3)
    found = rw.roll(turn, faces=[3], policy="never").outcome
    assert (True, 1, False) == (found.cut_short, found.checks, found.completed)


def test_advantage_takes_the_higher() -> None:
    """EDGE R16: with advantage the higher of two d20s counts."""
    assert 14 == rolled([14, 6], dc=10, advantages=1).natural


def test_disadvantage_takes_the_lower() -> None:
    """EDGE R17: with disadvantage the lower of two d20s counts."""
    assert 6 == rolled([14, 6], dc=10, disadvantages=1).natural


def test_several_of_a_kind_do_not_stack() -> None:
    """EDGE R18: three advantages are two d20s, as one is; disadvantages likewise."""
    one, many = Check(dc=15, advantages=1), Check(dc=15, advantages=3)
    assert rw.odds(one) == rw.odds(many)
    assert rw.odds(Check(dc=15, disadvantages=1)) == rw.odds(Check(dc=15, disadvantages=4))


def test_advantage_and_disadvantage_cancel() -> None:
    """EDGE R19: with both, one d20 is rolled, and the words say why."""
    check = Check(dc=10, advantages=2, disadvantages=1)
    found = rw.roll(check, faces=[11])
    assert 11 == found.outcome.total
    assert "advantage and disadvantage cancel" in game.tell(check, found)


def test_only_one_die_is_rolled_again() -> None:
    """EDGE R20: of two d20s one is re-rolled, either one, as the player says."""
    thrown = rw.roll(Check(dc=15, advantages=1, rerolls=1), faces=[4, 8])
    assert ("keep", "re-roll lower", "re-roll higher") == thrown.step.options
    lower = thrown.choose("re-roll lower").throw([3])
    higher = rw.roll(Check(dc=15, advantages=1, rerolls=1), faces=[4, 8])
    higher = higher.choose("re-roll higher").throw([3])
    assert (8, 4) == (lower.outcome.natural, higher.outcome.natural)


def test_two_equal_dice_are_no_question() -> None:
    """EDGE R20: of two equal d20s, or of a single one, there is nothing to pick."""
    assert ("keep", "re-roll") == rw.roll(Check(dc=15, rerolls=1), faces=[8]).step.options
    equal = rw.roll(Check(dc=15, advantages=1, rerolls=1), faces=[8, 8])
    assert ("keep", "re-roll") == equal.step.options
    assert 8 == equal.choose("re-roll").throw([2]).outcome.natural


def test_the_edge_die_stays_when_a_d20_is_rolled_again() -> None:
    """EDGE R20: only the d20 is rolled again."""
    found = rolled([2, 3, 10], dc=12, edges=1, rerolls=1)
    assert (10, 13, 1) == (found.natural, found.total, found.rerolled)


def test_an_edge_adds_a_d4() -> None:
    """EDGE R21: one edge adds a d4."""
    assert 13 == rolled([10, 3], dc=10, edges=1).total


@pytest.mark.parametrize(
    ("edges", "size"), [(0, 0), (1, 4), (2, 6), (3, 8), (4, 10), (5, 12), (6, 12), (40, 12)]
)
def test_edge_dice_grow(edges: int, size: int) -> None:
    """EDGE R22: each further edge is a size more, up to a d12."""
    assert size == edge_size(edges)


def test_one_edge_from_the_same_thing() -> None:
    """EDGE R23: a thing named twice gives one edge, and the words say so."""
    check = Check(dc=10, edges=["aid", "Aid ", "high ground"])
    assert 2 == net_edges(check.edges)
    found = rw.roll(check, faces=[10, 6])
    assert "a second edge from Aid does not count" in game.tell(check, found)


def test_a_larger_edge_die_is_natural() -> None:
    """EDGE R24: only an edge die that shows more than the d20 is the natural roll."""
    larger = rolled([5, 6], dc=10, edges=2)
    assert (6, True) == (larger.natural, larger.swapped)
    assert not rolled([6, 6], dc=10, edges=2).swapped


def test_natural_twenty_is_the_d20() -> None:
    """EDGE R25: the total is the same either way; a natural 20 is always the d20."""
    natural = rw.odds(Check(dc=15, edges=5)).where(lambda found: found.natural == 20)
    assert {False} == set(natural.of("swapped").outcomes)
    assert rw.odds(Check(dc=15, edges=5)).of("natural").p(1) * 240 == 1


def test_a_lost_edge_subtracts() -> None:
    """EDGE R26: a lost edge subtracts its die."""
    assert 7 == rolled([10, 3], dc=10, edges=-1).total


def test_edges_cancel_before_the_cap() -> None:
    """EDGE R27: seven gained and one lost are six, so still a d12."""
    gained = [f"thing {n}" for n in range(7)]
    assert 12 == edge_size((*gained, "-rain"))
    assert 0 == edge_size(("aid", "-rain"))
    assert rw.odds(Check(dc=12, edges="aid, -rain")) == rw.odds(Check(dc=12))


def test_lost_edges_stop_at_the_d12() -> None:
    """EDGE R28: nine lost edges are a d12 less."""
    assert -12 == edge_size(-9)


def test_edges_on_the_dc_by_name() -> None:
    """EDGE R29: edges on a DC take names like others, gained raise it and lost lower it."""
    raised = Check(dc=15, dc_edges=["shield", "cover"])
    assert 18 == settled(raised).dc
    assert 13 == settled(Check(dc=15, dc_edges=["-prone"])).dc
    assert "edges make the DC 15 + 3" in game.tell(raised, rw.roll(raised, faces=[10]))


def test_bonuses_to_the_effect() -> None:
    """EDGE R30: bonuses and penalties to damage are capped and go to the effect alone."""
    found = rolled(
        [12, 3, 4], dc=10, effect="2d6+3", effect_bonuses=(1, 1, 1), effect_penalties=(4,)
    )
    assert (12, 3 + 4 + 3 + 2 - 4) == (found.total, found.effect)


def test_an_effect_is_never_less_than_nothing() -> None:
    """EDGE R30: penalties cannot turn damage into something below zero."""
    assert 0 == rolled([12, 1], dc=10, effect="1d4", effect_penalties=(9,)).effect


def test_bonuses_and_penalties_are_set_off() -> None:
    """EDGE R31: each side is capped, then they are set off: +3, +3, +3, -3 is +3."""
    assert 13 == rolled([10], dc=10, bonuses=(3, 3, 3), penalties=(3,)).total


def test_the_cap_is_told() -> None:
    """EDGE R32 and R33: the words name the sum and the cap of either side."""
    check = Check(dc=10, bonuses=(1, 1, 1), penalties=(2, 2, 2))
    told = game.tell(check, rw.roll(check, faces=[10]))
    assert "bonuses of 3 are capped at 2" in told
    assert "penalties of 6 are capped at 4" in told


def test_the_skill_is_outside_the_cap() -> None:
    """EDGE R32: the skill's modifier neither counts in the cap nor raises it."""
    assert 10 + 9 + 2 == rolled([10], modifier=9, dc=10, bonuses=(1, 1, 1)).total


def test_natural_one_and_twenty_stay_within_the_tiers() -> None:
    """EDGE R36 and R37: nothing is below critical failure or above critical success."""
    assert "critical failure" == rolled([1], modifier=-5, dc=15).tier
    assert "critical success" == rolled([20], modifier=5, dc=10).tier


def test_critical_success_maximises_dice_only() -> None:
    """EDGE R38: dice count their highest, not the flat part; an attack has a critical effect."""
    found = rolled([15, 1, 1], dc=5, effect="2d6+3", attack=True)
    assert (15, True) == (found.effect, found.critical_effect)
    assert not rolled([15, 1, 1], dc=5, effect="2d6+3").critical_effect


def test_critical_failure_disables_the_weapon() -> None:
    """EDGE R39: the weapon or tool in use stops working; bare hands cannot jam."""
    assert rolled([5], dc=15, attack=True).disabled
    assert rolled([5], dc=15, item="lockpick").disabled
    bare = rolled([5], dc=15, attack=True, item="")
    assert (False, True) == (bare.disabled, bare.harm)


def test_repair_is_against_ten_plus_tier() -> None:
    """EDGE R40: getting it working is a check against DC 10 + Tier, told with the jam."""
    assert 13 == try_check(Repair(tier=3), 1, 1).dc
    check = Check(dc=15, item="rifle", attack=True, item_tier=3)
    assert "DC 13" in game.tell(check, rw.roll(check, faces=[5]))


def test_attempts_grow_by_five() -> None:
    """EDGE R41: attempts 1, 2, 3 are at +0, +5, +10, whatever they are called for."""
    assert [0, 5, 10] == [settled(try_check(Repair(tier=3), n, 1)).bonus for n in (1, 2, 3)]
    found = rw.roll(Repair(tier=8), faces=[9, 12, 8]).outcome
    assert (True, 3) == (found.fixed, found.attempts)


def test_a_later_jam_starts_anew() -> None:
    """EDGE R41: once it works, a new jam is attempt 1 again."""
    sheet = Sheet(items=[{"name": "rifle", "tier": 3, "disabled": True, "attempts": 4}])
    request = Repair(tier=3, item="rifle")
    works = rw.roll(request, faces=[19]).outcome
    for effect in (*game.effects(request, works), Effect("disabled", 3, "rifle")):
        sheet = game.apply(sheet, effect)
    assert (0, True) == (sheet.items[0].attempts, sheet.items[0].disabled)
    assert 1 == game.from_sheet(sheet, "repair", item="rifle").attempt


def test_attempts_and_checks_of_a_turn_both_count() -> None:
    """EDGE R13 and R41: a second attempt in the same turn has +5 and -5."""
    assert 0 == settled(try_check(Repair(tier=3), 2, 2)).bonus


def test_critical_failure_while_repairing_still_counts() -> None:
    """EDGE R41 and R11: it ends the turn, and the attempt counts for the next."""
    found = rw.roll(Repair(tier=5, tries_per_turn=3), faces=[4, 10]).outcome
    assert (True, 2, 2, 1) == (found.fixed, found.attempts, found.turns, found.critical_failures)


def test_a_table_may_limit_the_checks() -> None:
    """EDGE R14: with max_checks a check beyond is refused by name."""
    with pytest.raises(BadField, match=r"nth_check.*EDGE R14.*1 to 3"):
        Check(dc=10, nth_check=4, house={"max_checks": 3})


def test_a_minus_sign_of_any_shape_takes_an_edge() -> None:
    """EDGE R26 and R27: lost edges are named with a minus, typed or printed."""
    assert ("-rain", "aid") == Check(dc=10, edges=("\N{MINUS SIGN} rain", "+aid")).edges
    assert -6 == edge_size(("-rain", "-fog"))


def test_what_a_table_may_ask_for_at_most() -> None:
    """EDGE R5 and R23: 99 edges with names of 60 letters, and 40 effect dice, are not too many."""
    named = Check(dc=10, edges=tuple(f"{n:060}x"[1:] for n in range(99)), effect="40d100")
    assert (12, 40) == (edge_size(named.edges), settled(named).effect.pool.size)
    assert -12 == edge_size(Check(dc=10, edges=-99).edges)


def test_tiers_have_an_order() -> None:
    """EDGE R35: each of the four is as good as itself and better than those below."""
    for n, tier in enumerate(Tier):
        for m, other in enumerate(Tier):
            assert (n < m, n <= m, n > m, n >= m) == (
                tier < other,
                tier <= other,
                tier > other,
                tier >= other,
            )


def test_every_die_of_the_one_throw_is_read_for_itself() -> None:
    """EDGE R5, R17 and R21: two 7s are a 7; the edge die adds to the total, and to no effect."""
    found = rolled([7, 7, 2, 5], dc=9, disadvantages=1, edges=1, effect="1d6")
    assert (7, 9, 5) == (found.natural, found.total, found.effect)
    assert 0 == rolled([12, 3], dc=10, edges=1).effect
    even = rolled([7, 7, 4], dc=5, disadvantages=1, effect="1d6")
    assert (7, 7, 4) == (even.natural, even.total, even.effect)
