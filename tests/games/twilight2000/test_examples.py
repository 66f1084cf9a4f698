"""The book's worked examples: faces in, result out, with its slips corrected."""

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import Attack, Group, Member, Opposed, Skill

MARTINEZ = {"attribute": "B", "skill": "C", "skill_name": "recon"}
RONSON = {"attribute": "A", "skill": "C", "skill_name": "stamina"}
M249 = {"attribute": "A", "skill": "B", "skill_name": "heavy weapons", "ammo_dice": 6}
FLAK = {"torso": 2, "arms": 2}
MARAUDERS = ({"name": "A", **FLAK}, {"name": "B", **FLAK}, {"name": "C"})


def played(request, *entries):
    """The request with these faces thrown and options chosen, in order."""
    transcript = rw.roll(request, faces=entries[0])
    for entry in entries[1:]:
        if isinstance(entry, list):
            transcript = rw.roll(transcript, faces=entry)
        else:
            transcript = transcript.choose(entry)
    return transcript


def test_martinez_spots_the_patrol():
    """C1: D8 7 and D10 4 are one success, and that is enough (T2K R6, R8)."""
    outcome = played(Skill(**MARTINEZ), [7, 4], "keep").outcome
    assert (1, False) == (outcome.successes, outcome.pushed)


def test_spotting_unawares_is_never_pushed():
    """C1: as a passive roll it ends with the first throw (T2K R17)."""
    assert played(Skill(**MARTINEZ, passive=True), [7, 4]).is_done
    assert played(Skill(**MARTINEZ, passive=True), [3, 4]).is_done


def test_ronson_marches_on_and_is_hurt():
    """C2: D12 4 and D8 3, pushed to 9 and 1: one success, 1 damage (T2K R10, R13)."""
    outcome = played(Skill(**RONSON), [3, 4], "push", [1, 9]).outcome
    assert (1, 1, 0, True) == (outcome.successes, outcome.damage, outcome.stress, outcome.pushed)


def test_ronsons_burst():
    """C3: D12 10 and D10 5 hit, three sixes, 27 + 1 rounds (T2K R7, R22, R27, R33)."""
    outcome = played(Attack(**M249), [5, 10, 6, 6, 6, 4, 3, 2], "keep").outcome
    assert outcome.hit
    assert (2, 3, 28, 72) == (
        outcome.successes,
        outcome.sixes,
        outcome.rounds_spent,
        outcome.rounds_left,
    )
    assert 3 == outcome.damage_dealt


def test_ronsons_burst_strikes_three_marauders():
    """C3, C4: A torso 3 - 2 = 1, B head 3 and a crit, C arm 2 (T2K R23, R25, R69-R72)."""
    request = Attack(**M249, targets=MARAUDERS)
    thrown = played(request, [5, 10, 6, 6, 6, 4, 3, 2], "keep", "hit B +1; hit C", [3, 6, 5])
    assert (1, 3, 2) == thrown.outcome.wounds
    assert (0, 1, 0) == thrown.outcome.injuries
    assert (3, 6, 1) == (
        thrown.outcome.hits,
        thrown.outcome.damage_dealt,
        thrown.outcome.crits,
    )


@pytest.mark.parametrize("harder", [{"modifier": -1}, {"modifier": -2}, {"hex": "next door"}])
def test_a_marauder_who_is_harder_to_hit_is_no_secondary_target(harder):
    """C5: prone, in cover or in another hex, C may not be given a six (T2K R24)."""
    targets = (*MARAUDERS[:2], {"name": "C", **harder})
    spending = played(Attack(**M249, targets=targets), [5, 10, 6, 6, 6, 4, 3, 2], "keep").step
    assert not [option for option in spending.options if "hit C" in option]
    assert "hit B +1; hit B" in spending.options


def test_armour_does_not_make_a_target_harder_to_hit():
    """C4: B in full plate may be hit beside an unarmoured A (T2K R24)."""
    plate = {"name": "B", "head": 9, "torso": 9, "arms": 9, "legs": 9}
    request = Attack(**M249, targets=({"name": "A"}, plate))
    spending = played(request, [5, 10, 6, 2, 2, 4, 3, 2], "keep").step
    assert ("+1 damage", "hit A", "hit B") == spending.options


def test_kasia_rolls_and_diaz_helps():
    """C6: D12 + D6 become D12 + D8 with help, and Kasia is the one to roll (T2K R36, R37, R53)."""
    kasia = Member(name="Kasia", attribute="A", skill="D")
    diaz = Member(name="Diaz", attribute="B", skill="D")
    foraging = Group(members=(diaz, kasia), skill_name="survival")
    assert (6, 12) == foraging.rolled_by(kasia).dice.sides
    assert (8, 12) == foraging.rolled_by(kasia, helpers=1).dice.sides
    assert {("Kasia", 1)} == set(rw.odds(foraging, "never").of("roller", "helpers"))


def test_jonesy_and_the_farmer_are_level():
    """C7: one success each fails, and the active side may still push (T2K R58, R59)."""
    request = Opposed(
        active={"attribute": "B", "skill": "D", "skill_name": "persuasion"},
        passive={"attribute": "C", "skill_name": "persuasion"},
    )
    lying = played(request, [6, 3, 7])
    assert ("keep", "push") == lying.step.options
    outcome = lying.choose("keep").outcome
    assert ("passive", 0) == (outcome.winner, outcome.margin)


def test_chen_sneaks_past_the_sentry():
    """C8: 7 and 9 against 4 and 6 wins by one; the attribute may be overridden (T2K R57, R60)."""
    chen = {"attribute": "B", "skill": "C", "skill_name": "mobility", "attribute_name": "INT"}
    sentry = {"attribute": "C", "skill": "D", "skill_name": "recon"}
    request = Opposed(active=chen, passive=sentry)
    assert "INT" == request.active_side.named_attribute
    outcome = played(request, [7, 9, 4, 6]).outcome
    assert ("active", 1, 2, 1) == (
        outcome.winner,
        outcome.margin,
        outcome.successes,
        outcome.opposing,
    )


def test_three_rounds_allow_two_ammo_dice():
    """C9: one fewer than the rounds left (T2K R20)."""
    assert 2 == Attack(attribute="B", rounds=3, ammo_dice=2).ammo_dice
    with pytest.raises(BadField, match=r"ammo_dice.*3 rounds.*T2K R20.*0 to 2"):
        Attack(attribute="B", rounds=3, ammo_dice=3)


def test_one_round_allows_no_ammo_die():
    """C10: the last round is fired alone and empties the magazine (T2K R21)."""
    with pytest.raises(BadField, match="ammo_dice"):
        Attack(attribute="B", rounds=1, ammo_dice=1)
    outcome = played(Attack(attribute="B", rounds=1), [7]).outcome
    assert (1, 0, True) == (outcome.rounds_spent, outcome.rounds_left, outcome.emptied)


def test_two_and_minus_one_are_one():
    """C11: modifiers are added up before any step is taken (T2K R40)."""
    assert 1 == Skill(attribute="A", skill="D", modifiers=(2, -1)).net
    assert (8, 12) == Skill(attribute="A", skill="D", modifiers=(2, -1)).dice.sides


def test_two_ones_without_a_push_do_nothing():
    """Own vector: D10 1 and D8 1, not pushed, cost nothing (T2K R16)."""
    outcome = played(Skill(attribute="B", skill="C"), [1, 1]).outcome
    assert (0, 2, 0, 0) == (outcome.successes, outcome.ones, outcome.damage, outcome.stress)
    shot = played(Attack(attribute="B", skill="C", ammo_dice=1), [1, 1, 1]).outcome
    assert (3, 0, False) == (shot.ones, shot.reliability_loss, shot.jammed)


@pytest.mark.parametrize("again", range(1, 7))
def test_two_ones_with_a_push_jam(again):
    """Own vector: D10 1, D8 1, ammo 3, pushed: a jam, reliability -2 or worse (T2K R29, R31)."""
    outcome = played(
        Attack(attribute="B", skill="C", ammo_dice=1), [1, 1, 3], "push", [again]
    ).outcome
    assert outcome.jammed
    assert outcome.reliability_loss == (3 if again == 1 else 2)


def test_four_ones_empty_five_rounds():
    """Own vector: 5 rounds, four ammo dice of 1: 4 + 1 are spent, and it is empty (T2K R33)."""
    request = Attack(attribute="B", rounds=5, ammo_dice=4)
    outcome = played(request, [7, 1, 1, 1, 1]).outcome
    assert (5, 5, 0, True) == (
        outcome.rounds_rolled,
        outcome.rounds_spent,
        outcome.rounds_left,
        outcome.emptied,
    )


def test_the_last_reliability_breaks_the_weapon_after_the_attack():
    """Own vector: reliability 1, three 1s: 0 left, broken, jammed, and the hit counts (T2K R30)."""
    request = Attack(attribute="B", skill="C", ammo_dice=3, reliability=1)
    outcome = played(request, [2, 7, 1, 1, 1], "push", [3]).outcome
    assert (1, True, True) == (outcome.reliability_loss, outcome.broken, outcome.jammed)
    assert (True, 2) == (outcome.hit, outcome.damage_dealt)


def test_a_push_without_a_one_costs_nothing():
    """Source slip: a push hurts only if a 1 shows, not always (T2K R13)."""
    outcome = played(Skill(**RONSON), [3, 4], "push", [2, 9]).outcome
    assert (0, 0) == (outcome.damage, outcome.stress)


def test_sixes_on_a_miss_still_suppress():
    """Source slip: ammo sixes are of use on a miss too (T2K R26)."""
    outcome = played(Attack(attribute="B", ammo_dice=2), [1, 6, 4], "keep").outcome
    assert (False, True, 0) == (outcome.hit, outcome.can_suppress, outcome.damage_dealt)
