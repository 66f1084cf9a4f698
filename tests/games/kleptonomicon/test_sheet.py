"""Sheets and effects: what lasts beyond a roll."""

import pytest

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.kleptonomicon import Contest, Group, Sheet, Test
from rollwright.games.kleptonomicon.sheet import (
    Circumstance,
    NamedModifier,
    apply,
    effects,
    from_sheet,
)
from rollwright.kit import Effect

ANTS = Circumstance(source="ants in their pants", tests=("Attack",), ends="the ants are dealt with")
MUD = Circumstance(source="mud", kind="disadvantage", count=2, ends="solid ground")
ALICE = Sheet(
    name="Alice",
    modifiers=(
        NamedModifier(name="Sneaking", value=2),
        NamedModifier(name="Attack", value=1),
        NamedModifier(name="Axe damage", value=3, dice="2d12"),
    ),
    circumstances=(ANTS, MUD),
)


def test_a_named_score_is_a_test_with_that_modifier():
    """KLEP R2, KLEP R6: a Sneaking Score is a d10 and the Sneaking Modifier."""
    request = from_sheet(ALICE, "test", score_name="sneaking")
    assert (2, "", "sneaking") == (request.modifier, request.dice, request.score_name)
    assert 3 == rw.roll(request, faces=[8, 1, 5]).outcome.score


def test_a_named_modifier_with_dice_goes_with_them():
    """KLEP R6: only without shorthand it is a d10."""
    assert 17 == rw.roll(from_sheet(ALICE, score_name="Axe damage"), faces=[5, 9]).outcome.score


def test_advantages_apply_to_the_tests_they_are_for():
    """KLEP R13: the ants help an attack and not a sneak; the mud hinders both."""
    attack = from_sheet(ALICE, score_name="Attack")
    sneak = from_sheet(ALICE, score_name="Sneaking")
    assert (1, 2) == (attack.advantages, attack.disadvantages)
    assert (0, 2) == (sneak.advantages, sneak.disadvantages)


def test_using_an_advantage_does_not_use_it_up():
    """KLEP R13: whatever a Test comes to, what helps and hinders stays."""
    request = from_sheet(ALICE, score_name="Attack")
    sheet = ALICE
    for effect in effects(request, rw.roll(request, faces=[8, 3]).outcome):
        sheet = apply(sheet, effect)
    assert ALICE == sheet


def test_an_advantage_ends_with_its_cause():
    """KLEP R13: the ants dealt with, the Advantage is gone; the sheet before is still there."""
    after = apply(ALICE, Effect("end", "ants in their pants"))
    assert (MUD,) == after.circumstances
    assert (ANTS, MUD) == ALICE.circumstances
    back = apply(after, Effect("begin", ANTS))
    assert {ANTS, MUD} == set(back.circumstances)


@pytest.mark.parametrize(("coin", "kind"), [("won", "good"), ("lost", "bad")])
def test_a_critical_leaves_a_note_that_a_side_effect_is_due(coin, kind):
    """KLEP R12: good for a 10!, bad for a 0!; it stays until it is crossed out."""
    request = Test()
    found = effects(request, rw.roll(request, faces=[10, coin]).outcome)
    assert Effect("side_effect", kind) in found
    noted = apply(ALICE, Effect("side_effect", kind))
    assert (f"a {kind} side effect is due",) == noted.notes
    assert ALICE == apply(noted, Effect("cross_out", noted.notes[0]))


def test_ranges_in_effect_are_effects():
    """KLEP R36: each range that holds the Score is one effect, and changes no sheet by itself."""
    request = Test(ranges=("[5..]", "[7..]"))
    found = effects(request, rw.roll(request, faces=[8]).outcome)
    assert (Effect("range", "[5..]"), Effect("range", "[7..]")) == found
    assert ALICE == apply(ALICE, found[0])


def test_a_critical_group_score_is_everybodys():
    """KLEP R31: a 0! for the group is a bad side effect for each."""
    request = Group(members=[{"name": "Alice"}, {"name": "Bob"}])
    found = effects(request, rw.roll(request, faces=[10, "lost", 5]).outcome)
    assert ["Alice", "Bob"] == [e.target for e in found if e.kind == "side_effect"]
    assert ALICE.notes != apply(ALICE, found[-2]).notes
    assert ALICE == apply(ALICE, Effect("side_effect", "bad", "Bob"))


def test_a_contest_critical_is_its_sides_own():
    """KLEP R12: the side that rolled the 10! has the good side effect."""
    request = Contest(first={"name": "Alice"}, second={"name": "Bob"})
    found = effects(request, rw.roll(request, faces=[10, "won", 5]).outcome)
    assert Effect("side_effect", "good", "Alice") == found[-1]


def test_a_note_can_be_added():
    """KLEP R12: the referee says what the side effect is."""
    assert ("knows the guard's name",) == apply(
        ALICE, Effect("note", "knows the guard's name")
    ).notes


def test_the_sheet_fills_a_contest_and_a_group():
    """KLEP R33, KLEP R24: the character is the first side, the first member."""
    contest = from_sheet(ALICE, "contest", score_name="Attack", second={"name": "Bob"})
    group = from_sheet(ALICE, "group", score_name="Sneaking", members=[{"name": "Bob"}])
    assert ("Alice", 1, 1) == (contest.first.name, contest.first.modifier, contest.first.advantages)
    assert (("Alice", "Bob"), 2) == (group.names, group.members[0].modifier)


@pytest.mark.parametrize(
    ("make", "field", "rule"),
    [
        (lambda: from_sheet(ALICE, score_name="Flying"), "score_name", "KLEP R6"),
        (lambda: NamedModifier(name="Luck", value=31), "value", "KLEP R4"),
        (lambda: NamedModifier(name="Axe", dice="2d12 +1"), "dice", "KLEP R5"),
        (lambda: Circumstance(source="mud", count=0), "count", "KLEP R13"),
        (lambda: ALICE.but(circumstances=(ANTS, ANTS)), "circumstances[1]", "KLEP R13"),
        (lambda: ALICE.but(modifiers=ALICE.modifiers[:1] * 2), "modifiers[1]", "KLEP R6"),
        (lambda: apply(ALICE, Effect("end", "rain")), "circumstances", "KLEP R13"),
        (lambda: apply(ALICE, Effect("cross_out", "x")), "notes", "KLEP R12"),
    ],
)
def test_illegal_states_cannot_be_built(make, field, rule):
    """The refusal names the field and the rule."""
    with pytest.raises(BadField) as refusal:
        make()
    assert (field, rule) == (refusal.value.field, refusal.value.rule)


def test_what_nobody_knows_is_refused_with_a_guess():
    """A roll or an effect that this game does not have is met with those it has."""
    with pytest.raises(UnknownName, match="did you mean 'contest'"):
        from_sheet(ALICE, "contents")
    with pytest.raises(UnknownName, match="did you mean 'side_effect'"):
        apply(ALICE, Effect("side_efect", "bad"))


def test_members_that_are_no_list_are_refused():
    """KLEP R24: whoever is named beside the character is named in a list."""
    with pytest.raises(BadField, match="members: that is no list"):
        from_sheet(ALICE, "group", members=5)
    with pytest.raises(BadField, match="no such field; did you mean 'ranges'"):
        from_sheet(ALICE, rangs=["[7..]"])
