"""Single steps of the rules, each by an example that can be counted on one's fingers."""

import re
from itertools import product

import pytest

import rollwright as rw
from rollwright.dice import D20, Die
from rollwright.errors import BadField
from rollwright.games.edge20 import Action, Check, House, Repair, Turn, game
from rollwright.games.edge20.house import _flops
from rollwright.games.edge20.modifiers import Stack, checked_edges, effect_dice, stack
from rollwright.games.edge20.outcomes import Tier
from rollwright.games.edge20.rules import Lying, Reroll, Standing, thrown
from rollwright.games.edge20.tiers import judged, read_natural, settled
from rollwright.games.edge20.turns import GOALS, Attempt, SoFar, check_as_told, steady_attempt
from rollwright.hands import Hand


def test_every_die_of_a_throw_lies_with_its_own_kind():
    """EDGE R4, EDGE R5: the d20s, the edge die, the effect dice with their flat part."""
    known = settled(Check(dc=15, advantages=1, edges=1, effect="2d6+3"))
    edge, effect = Die(4, name="edge"), Die(6, name="effect")
    hand = Hand([(D20, 7), (D20, 12), (edge, 3), (effect, 5), (effect, 6)])
    assert Lying(Hand([(D20, 7), (D20, 12)]), 3, 14) == thrown(known, hand)


@pytest.mark.parametrize("about", [Reroll, Standing])
@pytest.mark.parametrize(("effect", "told"), [(-2, 0), (0, 0), (1, 1)])
def test_no_effect_that_may_be_kept_is_less_than_nothing(about, effect, told):
    """EDGE R5: also where it is told before a d20 is rolled again (a reading of ours)."""
    known = settled(Check(dc=5, rerolls=1, effect="1d4-3"))
    assert told == about.of(known, Lying(Hand([(D20, 12)]), 0, effect), 1).effect


def test_nothing_stacks_to_nothing():
    """EDGE R4: without a bonus there is no largest one to double."""
    assert Stack(0, 0, 0) == stack(())


@pytest.mark.parametrize(
    "fields",
    [
        {"dc": 11},
        {"dc": 11, "edges": 2},
        {"dc": 45, "edges": 1},
        {"dc": 5, "edges": -3, "advantages": 1},
    ],
    ids=str,
)
def test_dice_that_do_the_same_are_one_decision_of_a_turn(fields):
    """EDGE R8 to EDGE R11: one for each result and whatever lies beside the die picked up."""
    turn = Turn(checks=(Action(rerolls=1, **fields),))
    lines = rw.advise(turn).lines
    known = settled(Check(**fields))
    edges = range(1, abs(known.edge) + 1) if known.edge else [0]
    d20s = product(range(1, 21), repeat=2 if known.advantage else 1)
    pick = min if known.advantage < 0 else max
    faces = {(tuple(sorted(one)), edge) for one in d20s for edge in edges}
    tiers = {judged(known, pick(one), edge, 0, 0).tier for one, edge in faces}
    assert tiers == {line.situation.tier for line in lines}
    assert len(lines) < len(faces) / 4


def test_one_d20_lies_alone_after_it_was_rolled_again():
    """EDGE R4: without advantage no other d20 stays beside it."""
    once = rw.roll(Check(dc=15, rerolls=2), faces=[3]).choose("re-roll").throw([5])
    assert (5, 5) == (once.step.about.low, once.step.about.high)


def test_which_d20_of_a_turn_may_be_rolled_again():
    """EDGE R12: as in a single check: either one of two that differ, and any of two that do not."""
    turn = Turn(checks=(Action(dc=15, advantages=1, rerolls=2),))
    either = ("keep", "re-roll lower", "re-roll higher")
    assert ("keep", "re-roll") == rw.roll(turn, faces=[4, 4]).step.options
    apart = rw.roll(turn, faces=[4, 19])
    assert either == apart.step.options
    assert either == apart.choose("re-roll lower").throw([5]).step.options


def test_before_the_first_check_of_any_order_nothing_is_done():
    """EDGE R12: the plan lies there as it is; a single check is nothing to choose from."""
    checks = (Action(dc=15), Action(dc=10))
    turn = rw.roll(Turn(checks=checks, any_order=True, rerolls=1))
    assert (0, 0, 0, 1) == turn.step.about[:4]
    assert turn.step.about.left == turn.step.options
    assert rw.roll(Turn(checks=checks[:1], any_order=True), faces=[12]).is_done


def test_what_is_left_of_the_rerolls_of_a_turn_is_told():
    """EDGE R12: one of two is used up when the player may go on."""
    first = rw.roll(Turn(checks=(Action(dc=15),) * 2, rerolls=2), faces=[9])
    made = first.choose("re-roll").throw([16]).choose("keep")
    assert (1, 1, 0, 1) == made.step.about[:4]


@pytest.mark.parametrize(("used", "shared"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_a_check_uses_its_own_rerolls_first(used, shared):
    """EDGE R12: what it leaves of them goes to no other check."""
    after = SoFar().after(Attempt(Tier.FAILURE, 0, used), Action(dc=10, rerolls=2))
    assert (used, shared) == (after.rerolled, after.shared)


@pytest.mark.parametrize(("edge", "swapped"), [(3, True), (4, False), (5, False)])
def test_a_lost_edge_that_is_smaller_is_the_natural_roll(edge, swapped):
    """EDGE R4: by the house the smaller of the two; two that are alike stay where they are."""
    found = read_natural(4, edge, -6, House(lost_edge="smaller"))
    assert (min(4, edge), 4 - edge, swapped) == (found.natural, found.sum, found.swapped)


STACKS = {"repair_bonus_stacks": True}
CANCELS = {**STACKS, "turn_penalty_stacks": True, "bonus_order": "cancel first"}


@pytest.mark.parametrize("modifier", range(5))
@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize(("tier", "house"), [(0, {}), (9, {}), (9, STACKS), (9, CANCELS)])
def test_from_the_steady_attempt_on_nothing_changes(modifier, before, tier, house):
    """EDGE R41: another +5 is beyond the cap, or does nothing for the worst dice there are."""
    fields = {"edges": -5, "penalties": (20,) * (modifier % 2)}
    tries = {"tries_per_turn": 4, "checks_before": before}
    ask = Repair(tier=tier, modifier=modifier, **fields, **tries, house=house)
    steady = steady_attempt(ask)
    for nth in (1, before + 4):
        now, later = (settled(check_as_told(ask, steady + more, nth)) for more in (0, 1))
        for d20, edge in product((1, 2, 10, 19, 20), (1, 2, 11, 12)):
            assert judged(now, d20, edge, 0, 0).tier is judged(later, d20, edge, 0, 0).tier


@pytest.mark.parametrize("dice", ["40d6", "20d6 + 20d4", "d2", "d100"])
def test_the_most_effect_dice_that_are_thrown(dice):
    """EDGE R5: forty dice, of 2 to 100 sides."""
    assert effect_dice(dice).pool


@pytest.mark.parametrize(
    ("dice", "says"),
    [("41d6", "41"), ("d1", "2 to 100"), ("d101", "2 to 100"), ("2d6 - d4", "'-d4'")],
)
def test_effect_dice_that_nobody_has_are_refused(dice, says):
    """EDGE R5: the refusal names what was too much, and what would do."""
    with pytest.raises(BadField, match=re.escape(says)):
        effect_dice(dice)


def test_a_lost_edge_may_have_a_dash_in_its_name():
    """EDGE R26: only the sign before it says that it is lost."""
    assert ("-rain \N{MINUS SIGN} hail",) == checked_edges(
        "edges", ["\N{MINUS SIGN}rain \N{MINUS SIGN} hail"], ""
    )


@pytest.mark.parametrize("given", [["aid", 3], ("aid", None), 2.5, {"aid": 1}])
def test_edges_are_a_number_or_names(given):
    """EDGE R27: nothing else, and nothing else among the names."""
    with pytest.raises(BadField, match="edges"):
        checked_edges("edges", given, "EDGE R27")


TWO = Turn(checks=(Action(dc=10), Action(dc=10)))


@pytest.mark.parametrize(
    ("chosen", "faces", "worth"), [("go on", [18], 1), ("go on", [12], 0), ("stop", [], 0)]
)
def test_a_whole_plan_is_every_check_of_it(chosen, faces, worth):
    """EDGE R13: 18 - 5 beats a DC of 10, 12 - 5 does not, and a plan left off is not whole."""
    made = rw.roll(TWO, faces=[15]).choose(chosen)
    made = made.throw(faces) if faces else made
    assert worth == game.goal("whole-plan", TWO)(made.outcome)


def test_a_rule_of_thumb_takes_the_checks_in_the_order_of_the_plan():
    """EDGE R12: where any order will do, the last one comes last."""
    turn = TWO.but(any_order=True)
    assert 2 == rw.roll(turn, faces=[15, 18], policy="never").outcome.last


@pytest.mark.parametrize(("checks", "faces"), [(1, [15]), (2, [15, 18])])
def test_a_turn_ends_after_as_many_checks_as_the_rule_of_thumb_says(checks, faces):
    """EDGE R13: of three checks one or two are made."""
    turn = Turn(checks=(Action(dc=10),) * 3)
    assert checks == rw.roll(turn, faces=faces, policy=f"stop-after:{checks}").outcome.checks


@pytest.mark.parametrize(("policy", "natural"), [("always", 3), ("never", 15), ("if-failed", 15)])
def test_when_a_check_that_succeeds_is_rolled_again(policy, natural):
    """EDGE R8: only by whoever always does it."""
    faces = [15, 3] if policy == "always" else [15]
    assert natural == rw.roll(Check(dc=10, rerolls=1), faces=faces, policy=policy).outcome.natural


@pytest.mark.parametrize(("face", "worth"), [(1, 0), (12, 1), (19, 1)])
def test_anything_but_a_critical_failure_is_no_disaster(face, worth):
    """EDGE R11: a 1 misses a DC of 15 by more than 10, a 12 fails, a 19 succeeds."""
    check = Check(dc=15)
    assert worth == game.goal("no-disaster", check)(rw.roll(check, faces=[face]).outcome)


@pytest.mark.parametrize(
    ("goal", "worths"),
    [
        ("just-succeed", [0, 0, 1, 1]),
        ("careful", [-1, 0, 1, 1]),
        ("no-disaster", [False, True, True, True]),
        ("critical", [0, 0, 0, 1]),
    ],
)
def test_what_each_goal_gives_for_the_four_tiers(goal, worths):
    """EDGE R8: a critical failure, a failure, a success, a critical success, for each goal."""
    ends = [rw.roll(Check(dc=15), faces=[face]).outcome for face in (2, 12, 16, 20)]
    assert ["critical failure", "failure", "success", "critical success"] == [e.tier for e in ends]
    assert worths == [GOALS[goal].worth(end) for end in ends]
    assert [True, False, False, False] == [_flops(end) for end in ends]
