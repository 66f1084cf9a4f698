"""Sheets of GHOST/BURN: what a character has, and what outcomes change."""

import pytest

import rollwright as rw
from rollwright.games.ghostburn import House, Roll, Sheet, game
from rollwright.games.ghostburn.requests import CONVINCE, STRONGARM
from rollwright.games.ghostburn.sheet import (
    Ability,
    Condition,
    Item,
    Skill,
    apply,
    effects,
    effects_told,
    from_sheet,
    new_session,
)
from rollwright.kit import Effect

NIX = Sheet(
    name="Nix",
    abilities=(Ability(name="Presence", score=3), Ability(name="Strength", score=5)),
    skills=(
        Skill(name="Persuade", ability="Presence", bonus=2, favored=True),
        Skill(name="Intimidate", ability="Presence"),
        Skill(name="Firearms", ability="Strength", bonus=1),
    ),
    items=(
        Item(name="scope", skill="Firearms", bonus=1),
        Item(name="smartgun", skill="Firearms", bonus=2),
        Item(name="wired nerves", kind="aug", skill="Firearms", bonus=3),
    ),
)


def test_the_sheet_keeps_the_total_of_every_skill():
    """GHOST R7: ability, skill, the higher gear bonus and the aug bonus, added up once."""
    assert [5, 3, 11] == [NIX.bonus(skill.name) for skill in NIX.skills]


def test_a_roll_is_filled_in_from_the_sheet():
    """GHOST R5 and R6: the skill's own ability and every bonus for that skill."""
    roll = from_sheet(NIX, "roll", skill="Firearms", dl="Hard")
    assert (5, (1,), (1, 2), (3,)) == (roll.ability, roll.skill, roll.gear, roll.aug)
    assert ("Strength", "Firearms", False) == (roll.ability_name, roll.skill_name, roll.favored)
    assert 11 == roll.task.bonus


def test_the_gm_may_call_for_another_ability():
    """GHOST R20: Strength with Intimidate adds 5 where Presence adds 3."""
    own = from_sheet(NIX, "roll", skill="Intimidate", dl="Hard")
    other = from_sheet(NIX, "roll", skill="Intimidate", ability="Strength", dl="Hard")
    assert (3, "Presence") == (own.ability, own.ability_name)
    assert (5, "Strength") == (other.ability, other.ability_name)
    assert 5 == NIX.bonus("Intimidate", ability="Strength")


def test_a_session_is_filled_in_from_the_sheet():
    """GHOST R13: its rolls and the Luck Point they share."""
    plans = [{"skill": "Persuade", "dl": "Hard"}, {"skill": "Firearms", "dl": 14}]
    session = from_sheet(NIX.but(luck_points=0), "session", rolls=plans)
    assert [3, 5] == [attempt.ability for attempt in session.rolls]
    assert 0 == session.luck_points


def test_luck_spent_and_conditions_are_effects():
    """GHOST R16 and R21: a Fade makes the bouncer Confident, a Luck Point spent is gone."""
    fields = {"skill": "Persuade", "dl": "Hard", "chart": CONVINCE, "target": "bouncer"}
    roll = from_sheet(NIX, "roll", **fields)
    faded = rw.roll(roll, faces=[3, 9])
    kept = effects(roll, faded.choose("keep").outcome)
    assert (Effect("condition", "Confident", "bouncer"),) == kept
    assert (Condition(who="bouncer", name="Confident"),) == apply(NIX, kept[0]).conditions
    (spent,) = effects(roll, faded.choose("bonus").outcome)
    assert 0 == apply(NIX, spent).luck_points


def test_a_condition_of_ones_own():
    """GHOST R21: a chart may give the condition to whoever rolled."""
    roll = Roll(ability=0, dl="Severe", chart=STRONGARM, luck_points=0)
    (effect,) = effects(roll, rw.roll(roll, faces=[1, 1]).outcome)
    assert (Condition(who="", name="Rattled"),) == apply(NIX, effect).conditions


def test_conditions_are_gained_once_and_end():
    """GHOST R21: the same condition twice is one, and it can be taken off."""
    gain = Effect("condition", "Confident", "bouncer")
    sheet = apply(apply(NIX, gain), gain)
    assert (Condition(who="bouncer", name="Confident"),) == sheet.conditions
    assert NIX == apply(sheet, Effect("condition-ends", "Confident", "bouncer"))


def test_undo_is_the_value_before():
    """Effects give another sheet; the one before is still there."""
    after = apply(NIX, Effect("luck", -1))
    assert (1, 0) == (NIX.luck_points, after.luck_points)
    assert game.apply is apply


def test_a_point_that_is_not_there_cannot_be_spent():
    """GHOST R13: Luck Points do not go below none."""
    with pytest.raises(rw.RollwrightError, match=r"luck_points: -1 .*GHOST R13"):
        apply(NIX.but(luck_points=0), Effect("luck", -1))


@pytest.mark.parametrize(
    ("carries", "left", "after"), [(False, 0, 1), (False, 1, 1), (True, 0, 1), (True, 1, 2)]
)
def test_a_new_session_sets_luck_anew(carries, left, after):
    """GHOST R13, D6: to one, or one more where Luck carries over; the session is counted."""
    sheet = NIX.but(luck_points=left, house=House(luck_carries=carries))
    begun = apply(sheet, *new_session())
    assert (2, after) == (begun.session, begun.luck_points)


@pytest.mark.parametrize(
    ("changes", "field", "rule"),
    [
        ({"luck_points": 2}, "luck_points", "GHOST R13"),
        (
            {"luck_points": 3, "session": 2, "house": House(luck_carries=True)},
            "luck_points",
            "GHOST R13",
        ),
        ({"abilities": ()}, "skills", "GHOST R5"),
        ({"skills": ()}, "items", "GHOST R6"),
        ({"session": 0}, "session", ""),
        ({"abilities": NIX.abilities * 2}, "abilities[2]", "GHOST R7"),
    ],
)
def test_illegal_sheets_cannot_be_built(changes, field, rule):
    """GHOST R5, R6 and R13: a refusal names the field and the rule."""
    with pytest.raises(rw.RollwrightError) as caught:
        NIX.but(**changes)
    assert (field, rule) == (caught.value.field, caught.value.rule)


@pytest.mark.parametrize(
    ("roll", "fields", "problem"),
    [
        ("roll", {"dl": 8}, "skill: is missing"),
        ("roll", {"skill": "Persuad", "dl": 8}, "did you mean 'Persuade'"),
        ("roll", {"skill": "Persuade", "ability": "Presense", "dl": 8}, "did you mean 'Presence'"),
        ("roll", {"skill": "Persuade", "dl": 8, "hose": 1}, "hose"),
        ("role", {"skill": "Persuade", "dl": 8}, "did you mean 'roll'"),
    ],
)
def test_what_the_sheet_does_not_know_is_refused(roll, fields, problem):
    """GHOST R2: names are met with the likely one."""
    with pytest.raises(rw.RollwrightError, match=problem):
        from_sheet(NIX, roll, **fields)


def test_an_unknown_effect_is_refused():
    """Effects are of a known kind."""
    with pytest.raises(rw.RollwrightError, match="did you mean 'luck'"):
        apply(NIX, Effect("lukc", -1))


def test_the_effects_of_a_session_are_told_roll_by_roll():
    """GHOST R16 and R21: Luck spent in all, and the condition of every final outcome."""
    plan = {"skill": "Persuade", "dl": "Hard", "chart": CONVINCE}
    plans = [{**plan, "target": "bouncer"}, {**plan, "target": "clerk"}]
    session = from_sheet(NIX, "session", rolls=plans)
    done = rw.roll(rw.roll(session, faces=[3, 9]).choose("bonus"), faces=[3, 9])
    assert (Effect("luck", -1), Effect("condition", "Confident", "clerk")) == effects_told(
        session, done
    )


def test_the_game_says_what_a_new_session_changes() -> None:
    """GHOST R13: at the table, a new session sets the Luck of every sheet anew."""
    spent = Sheet(luck_points=0)
    for effect in game.new_session():
        spent = apply(spent, effect)
    assert (1, 2) == (spent.luck_points, spent.session)
