"""Questions and requests that cannot be answered are refused in words, and at once."""

import pytest

import rollwright as rw
from rollwright.errors import BadAnswer, BadField, UnknownName
from rollwright.games.twilight2000 import Attack, ClearJam, House, Magazine, Opposed, Sheet, Skill
from rollwright.games.twilight2000.gunnery import (
    best_shooting,
    how_long_the_weapon_lasts,
    how_to_spend_sixes,
)
from rollwright.games.twilight2000.questions import (
    clear_or_draw,
    modifier_table,
    push_against,
    should_push,
)
from rollwright.games.twilight2000.sheet import apply, effects
from rollwright.games.twilight2000.targets import count_plans, plans

STAMINA = Skill(attribute="A", skill="C", skill_name="stamina")
BURST = Attack(attribute="A", skill="B", ammo_dice=2, targets=({"name": "A"}, {"name": "B"}))
CROWD = tuple({"name": name} for name in "ABCDEF")


@pytest.mark.parametrize(
    ("asked", "refusal", "words"),
    [
        (lambda: how_to_spend_sixes(Attack(attribute="A"), 1, 1), BadField, "targets.*R23"),
        (lambda: how_to_spend_sixes(BURST, 0, 1), BadField, "successes.*R22.*1 to 4"),
        (lambda: how_to_spend_sixes(BURST, 5, 1), BadField, "successes.*1 to 4"),
        (lambda: how_to_spend_sixes(BURST, 1, -1), BadField, "sixes.*R23.*0 to 2"),
        (lambda: how_to_spend_sixes(BURST, 1, 30), BadField, "sixes.*0 to 2"),
        (lambda: best_shooting(BURST, "win"), UnknownName, "no goal 'win'"),
        (lambda: best_shooting(BURST, "most-attacks"), UnknownName, "no goal"),
        (lambda: modifier_table("E"), BadField, "attribute.*'E'.*A, B, C, D"),
        (lambda: modifier_table("A", steps="up"), BadField, "unskilled_steps.*lower, added"),
        (lambda: clear_or_draw(ClearJam(attribute="B"), "best"), UnknownName, "no policy 'best'"),
        (
            lambda: how_long_the_weapon_lasts(Magazine(attribute="B"), "nope"),
            UnknownName,
            "no policy 'nope'.*if-failed",
        ),
        (lambda: should_push(STAMINA, [3, 4, 5]), BadAnswer, "3 faces are too many"),
        (lambda: should_push(ClearJam(attribute="B"), [3]), BadField, "no push is decided"),
        (
            lambda: push_against(Opposed(active=STAMINA, passive=STAMINA), [3, 4, 1, 2, 9]),
            BadAnswer,
            "5 faces are too many",
        ),
        (lambda: Attack(attribute="A", targets=({"name": " "},)), BadField, r"targets\[0\].name"),
        (lambda: Attack(attribute="A", targets=({"name": "B +1"},)), BadField, "R23"),
        (lambda: Attack(attribute="A", targets=({"name": "B; hit C"},)), BadField, "R23"),
    ],
)
def test_questions_refuse_what_has_no_answer(asked, refusal, words):
    """A level E, more sixes than dice, a goal of another roll, faces left over (T2K R4, R23)."""
    with pytest.raises(refusal, match=words):
        asked()


def test_more_plans_than_anybody_could_choose_from_are_refused():
    """12 ammo dice on six targets would be 702,695 ways to spend them (T2K R23)."""
    with pytest.raises(BadField, match=r"targets: 12 ammo dice .* 702,695 ways .*T2K R23"):
        Attack(attribute="A", rate_of_fire=12, ammo_dice=12, targets=CROWD)
    free = House(successes_buy_hits=True)
    with pytest.raises(BadField, match="ways"):
        Attack(attribute="A", skill="A", ammo_dice=6, targets=CROWD, house=free)
    Attack(attribute="A", rate_of_fire=12, ammo_dice=12, targets=CROWD[:3])
    six = Attack(attribute="A", skill="A", ammo_dice=6, targets=CROWD)
    assert count_plans(6, 6) == len(plans(6, six.aim))


@pytest.mark.long
@pytest.mark.parametrize("goal", ["hit-without-a-jam", "succeed-cheaply", "kill", "wound"])
def test_best_shooting_weighs_the_weapon_where_the_goal_does(goal):
    """The same value as with everything counted (T2K R29, R31)."""
    assert rw.advise(BURST, goal).value == best_shooting(BURST, goal).value


def test_a_weapon_without_a_name_is_the_first_one_carried():
    """Rounds, reliability and jam all land on it, or on nothing (T2K R29, R31, R33)."""
    sheet = Sheet(weapons=({"name": "M4", "rounds": 30}, {"name": "AK"}))
    request = Attack(attribute="D", skill="D", ammo_dice=2)
    lying = rw.roll(request, faces=[1, 3, 1, 2]).choose("push")
    outcome = rw.roll(lying, faces=[1, 1]).outcome
    after, unarmed = sheet, Sheet()
    for effect in effects(request, outcome):
        after, unarmed = apply(after, effect), apply(unarmed, effect)
    first = after.weapon()
    assert (27, 1, True) == (first.rounds, first.reliability, first.jammed)
    assert sheet.weapon("AK") == after.weapon("AK")
    assert Sheet() == unarmed
