"""Levels, skills, stepping and what faces mean."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import Attack, Skill, game
from rollwright.games.twilight2000.dice import SKILLS, base_dice
from rollwright.games.twilight2000.questions import modifier_table

levels = st.sampled_from("ABCD")


def only(request, faces):
    """The outcome of a roll that is kept."""
    return rw.roll(request, faces=faces, policy="never").outcome


def test_twelve_skills_have_their_attributes():
    """Three skills for each attribute, as the book lists them (T2K R3)."""
    assert 12 == len(SKILLS)
    assert ["close combat", "heavy weapons", "stamina"] == [s for s in SKILLS if SKILLS[s] == "STR"]
    assert ["driving", "ranged combat", "mobility"] == [s for s in SKILLS if SKILLS[s] == "AGL"]
    assert ["recon", "survival", "tech"] == [s for s in SKILLS if SKILLS[s] == "INT"]
    assert ["command", "medical aid", "persuasion"] == [s for s in SKILLS if SKILLS[s] == "EMP"]
    assert "EMP" == Skill(attribute="A", skill_name="command").named_attribute


@pytest.mark.parametrize(("level", "sides"), [("A", 12), ("B", 10), ("C", 8), ("D", 6)])
def test_levels_are_dice(level, sides):
    """A is a D12, B a D10, C a D8, D a D6, for attribute and skill alike (T2K R4)."""
    assert (sides,) == Skill(attribute=level).dice.sides
    assert sides in Skill(attribute="D", skill=level).dice.sides


def test_no_level_in_the_skill_rolls_the_attribute_die_alone():
    """Unskilled is one die (T2K R5)."""
    assert 1 == Skill(attribute="B").handful().pool.size
    assert 2 == Skill(attribute="B", skill="D").handful().pool.size


@pytest.mark.parametrize(
    ("face", "worth"), list(enumerate([0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2], 1))
)
def test_what_a_base_die_is_worth(face, worth):
    """Below 6 nothing, 6 to 9 one success, from 10 on two (T2K R6, R7)."""
    assert worth == only(Skill(attribute="A"), [face]).successes


def test_four_successes_are_the_most():
    """Two dice give at most four (T2K R7)."""
    assert 4 == max(rw.odds(Skill(attribute="A", skill="A"), "always").of("successes"))


def test_one_success_is_enough():
    """The default goal is met by one success as well as by four (T2K R8)."""
    request = Skill(attribute="A", skill="A")
    goal = game.goal("", request)
    assert [True, True, False] == [goal(only(request, f)) for f in ([6, 2], [12, 12], [1, 5])]


@pytest.mark.parametrize(
    ("attribute", "skill", "net", "sides"),
    [
        ("D", "D", 1, (6, 8)),
        ("A", "D", 1, (8, 12)),
        ("A", "D", 3, (12, 12)),
        ("B", "C", 2, (10, 12)),
        ("B", "C", -1, (8, 8)),
        ("A", "D", -2, (6, 8)),
        ("B", "B", -1, (8, 10)),
    ],
)
def test_modifiers_step_the_dice_and_balance_them(attribute, skill, net, sides):
    """A plus goes to the lower die, a minus to the higher (T2K R41, R42)."""
    assert sides == base_dice(attribute, skill, net).sides


def test_two_d12_are_the_ceiling():
    """Further pluses are lost, and counted as lost (T2K R43)."""
    assert ((12, 12), 3) == (base_dice("A", "B", 4).sides, base_dice("A", "B", 4).lost)
    assert (12, 12) == base_dice("D", None, 9).sides


def test_past_two_d6_a_die_goes():
    """One step below two D6s is one D6 (T2K R44)."""
    assert (6, 6) == base_dice("D", "C", -1).sides
    assert (6,) == base_dice("D", "C", -2).sides


def test_one_d6_is_the_floor():
    """Further minuses are lost (T2K R45)."""
    assert ((6,), -2) == (base_dice("D", "D", -3).sides, base_dice("D", "D", -3).lost)
    assert (6,) == base_dice("C", None, -5).sides


@pytest.mark.parametrize(
    ("attribute", "net", "sides"),
    [("C", 1, (6, 8)), ("C", 2, (8, 8)), ("D", 3, (8, 8)), ("A", 1, (6, 12)), ("A", 2, (8, 12))],
)
def test_the_first_plus_of_the_unskilled_adds_a_d6(attribute, net, sides):
    """Then the lower die is stepped as always (T2K R46)."""
    assert sides == base_dice(attribute, None, net).sides


def test_equal_dice_step_the_attribute_die_first():
    """Which of two equal dice moves makes no odds; shown is the attribute die (D16, T2K R42)."""
    assert (10, 8) == base_dice("C", "C", 1)[:2]
    assert (6, 8) == base_dice("C", "C", -1)[:2]


def test_the_added_die_may_take_all_pluses():
    """D18: the two readings differ for a D6 at +3 to +5 and a D8 at +4 only (T2K R46)."""
    differ = {
        (level, net)
        for level in "ABCD"
        for net in range(-5, 12)
        if base_dice(level, None, net).sides != base_dice(level, None, net, steps="added").sides
    }
    assert {("D", 3), ("D", 4), ("D", 5), ("C", 4)} == differ
    assert (6, 10) == base_dice("D", None, 3, steps="added").sides


@given(levels, st.none() | levels, st.integers(-12, 12))
def test_stepping_never_leaves_the_ladder(attribute, skill, net):
    """One or two dice of 6 to 12 sides, whatever the modifier (T2K R43, R45)."""
    dice = base_dice(attribute, skill, net)
    assert set(dice.sides) <= {6, 8, 10, 12}
    assert 1 <= len(dice.sides) <= 2


@given(levels, st.none() | levels)
def test_a_plus_never_hurts(attribute, skill):
    """The chance of a success grows, or stays, with every +1 (T2K R41)."""
    chances = {row.net: row.chance for row in modifier_table(attribute, skill)}
    assert all(chances[n] <= chances[n + 1] for n in range(-5, 5))


def test_ammo_dice_are_never_stepped():
    """+4 makes two D12s and leaves the ammo dice D6s (T2K R47)."""
    pool = Attack(attribute="C", skill="C", modifier=4, ammo_dice=3).hand.pool
    assert "2D12 + 3 ammo D6" == repr(pool)


def test_all_modifiers_are_added_up():
    """Net of modifier, its parts, help and the primary target's own (T2K R40, R53)."""
    request = Attack(
        attribute="B",
        modifier=-1,
        modifiers=(2, -1),
        helpers=2,
        targets=({"name": "A", "modifier": -1},),
    )
    assert 1 == request.net


@pytest.mark.parametrize("helpers", [4, 7, -1])
def test_at_most_three_help(helpers):
    """More than three helpers are refused, by name and rule (T2K R54)."""
    with pytest.raises(BadField, match=r"helpers.*T2K R54.*0 to 3"):
        Skill(attribute="B", helpers=helpers)


def test_the_cap_is_on_help_only():
    """Three helpers and +2 from elsewhere are +5 (T2K R54)."""
    assert 5 == Skill(attribute="D", skill="D", helpers=3, modifier=2).net


def test_each_helper_is_one_step():
    """D6 + D6 with one, two and three helpers (T2K R51, R53)."""
    steps = [Skill(attribute="D", skill="D", helpers=n).dice.sides for n in range(4)]
    assert [(6, 6), (6, 8), (8, 8), (8, 10)] == steps


def test_the_modifier_table_of_b_and_c():
    """P(success) = 1 - 25/80 at 0, 1 - 25/48 at -2 (T2K R41, by hand)."""
    table = {row.net: row.chance for row in modifier_table("B", "C")}
    assert Fraction(55, 80) == table[0]
    assert Fraction(23, 48) == table[-2]
    assert Fraction(1, 6) == table[-5]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"attribute": "E"}, r"attribute: 'E'.*T2K R4.*A, B, C, D"),
        ({"attribute": "B", "skill": "F"}, r"skill: 'F'.*T2K R5"),
        ({"attribute": "B", "skill_name": "cooking"}, r"skill_name.*T2K R3"),
        ({"attribute": "B", "attribute_name": "CHA"}, r"attribute_name.*T2K R3"),
        ({"attribute": "B", "modifier": 99}, r"modifier: 99.*T2K R40"),
        ({"attribute": "B", "gear_reliability": 0}, r"gear_reliability: 0.*T2K R66"),
        ({"attribute": "B", "gear_reliability": -1}, r"gear_reliability"),
        ({"attribute": "B", "colour": "red"}, "colour"),
        ({}, "attribute: is missing"),
        ({"attribute": "B", "house": {"jam_rul": 1}}, "jam_rule"),
    ],
)
def test_bad_requests_are_refused_by_name(fields, message):
    """A refusal names the field, the rule and what would do (T2K R3, R4, R5)."""
    with pytest.raises(BadField, match=message):
        game.request("skill", **fields)
