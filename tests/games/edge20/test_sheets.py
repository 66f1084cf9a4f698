"""Sheets, the effects of outcomes on them, and the requests they fill in."""

from __future__ import annotations

from typing import Any

import pytest

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.edge20 import Check, Sheet, game
from rollwright.games.edge20.sheet import Change, Item, Skill
from rollwright.kit import Effect

HERO = Sheet(
    name="Mara",
    skills=(Skill(name="Marksmanship", modifier=6), Skill(name="Brawn", modifier=2)),
    items=(Item(name="rifle", tier=3, effect="2d6+3"),),
    edges=("high ground",),
    changes=(
        Change(source="scope", amount=2),
        Change(source="wound", amount=-1),
        Change(source="hollow points", amount=1, on="effect"),
    ),
    rerolls=1,
    in_turn=True,
)


def after(sheet: Sheet, request: Any, faces: list[int], policy: str = "if-failed") -> Sheet:
    """The sheet after a roll with these faces."""
    outcome = rw.roll(request, faces=faces, policy=policy).outcome
    for effect in game.effects(request, outcome):
        sheet = game.apply(sheet, effect)
    return sheet


def test_a_check_is_filled_in() -> None:
    """EDGE R4, R30 and R38: skill, edges, bonuses, re-rolls and the weapon come from the sheet."""
    check = game.from_sheet(HERO, "check", skill="Marksmanship", item="rifle", dc=15)
    assert (6, ("high ground",), (2,), (1,)) == (
        check.modifier,
        check.edges,
        check.bonuses,
        check.penalties,
    )
    assert ("2d6+3", True, 3, (1,), 1, 1) == (
        check.effect,
        check.attack,
        check.item_tier,
        check.effect_bonuses,
        check.rerolls,
        check.nth_check,
    )


def test_what_is_given_wins() -> None:
    """A field that is given is taken as it is."""
    check = game.from_sheet(HERO, "check", skill="Brawn", dc=15, modifier=9, edges=0)
    assert (9, 0) == (check.modifier, check.edges)


def test_checks_of_a_turn_are_counted() -> None:
    """EDGE R13: after a check the next one is the second of the turn."""
    sheet = after(HERO.but(rerolls=0), Check(dc=10), [12])
    assert 2 == game.from_sheet(sheet, "check", skill="Brawn", dc=10).nth_check
    assert 0 == game.apply(sheet, Effect("new turn")).checks_made


def test_outside_a_turn_checks_are_not_counted() -> None:
    """EDGE R13: only checks of one turn cost each other 5; without a turn none is the second."""
    calm = HERO.but(in_turn=False, rerolls=0)
    check = game.from_sheet(calm, "check", skill="Brawn", dc=10)
    assert (False, 1, 0) == (check.in_turn, check.nth_check, check.turn_price)
    sheet = after(calm, check, [12, 1])
    assert calm == sheet
    assert check == game.from_sheet(sheet, "check", skill="Brawn", dc=10)
    turn = game.from_sheet(calm, "turn", checks=[{"dc": 12, "edges": 0}] * 2)
    assert 0 == turn.checks_before
    assert calm == after(calm, turn, [12, 19])


def test_outside_a_turn_a_critical_failure_ends_none() -> None:
    """EDGE R11 and R39: the weapon is out, and there is no turn to end."""
    calm = HERO.but(in_turn=False, rerolls=0)
    check = game.from_sheet(calm, "check", item="rifle", dc=30)
    outcome = rw.roll(check, faces=[5, 2, 6, 6]).outcome
    assert ("critical failure", False, True) == (outcome.tier, outcome.turn_ends, outcome.disabled)
    told = game.tell(check, rw.roll(check, faces=[5, 2, 6, 6]))
    assert "the action is wasted; " in told
    assert "turn" not in told
    sheet = after(calm, check, [5, 2, 6, 6])
    assert (False, True) == (sheet.turn_ended, sheet.item("rifle").disabled)
    assert game.from_sheet(sheet, "check", dc=10)
    assert 0 == rw.odds(check, "never").p(lambda end: end.turn_ends)
    assert not game.goals["no-disaster"].worth(outcome)


def test_a_turn_is_declared_and_ended() -> None:
    """EDGE R13: a new turn begins at no check, and its end leaves nothing to count."""
    calm = HERO.but(in_turn=False)
    begun = game.apply(calm, Effect("new turn"))
    assert (True, 0) == (begun.in_turn, begun.checks_made)
    played = game.apply(begun, Effect("checks", 2))
    assert 3 == game.from_sheet(played, "check", skill="Brawn", dc=10).nth_check
    for over in ("end turn", "new round"):
        assert calm == game.apply(played, Effect(over))


def test_a_check_that_the_gm_asks_for_starts_fresh() -> None:
    """EDGE R1 and R13: it is no action of the turn, whatever was done in it and how it ended."""
    tired = HERO.but(checks_made=3, turn_ended=True, rerolls=0)
    asked = game.from_sheet(
        tired, "check", skill="Brawn", dc=10, **game.card.rolls["check"].ask_sets
    )
    assert (1, 0) == (asked.nth_check, asked.turn_price)
    assert tired == after(tired, asked, [12, 1])


def test_a_thing_is_used_with_its_own_skill() -> None:
    """EDGE R4: a crossbow is for Marksmanship, unless another skill is said or there is none."""
    bow = Item(name="bow", skill="Marksmanship")
    sheet = HERO.but(items=(bow, Item(name="rope", skill="Climbing")))
    assert ("Marksmanship", 6) == _skill_of(game.from_sheet(sheet, "check", item="bow", dc=10))
    turn = game.from_sheet(sheet, "turn", checks=[{"item": "bow", "dc": 10}])
    assert ("Marksmanship", 6) == _skill_of(turn.checks[0])
    said = game.from_sheet(sheet, "check", item="bow", skill="Brawn", dc=10)
    assert ("Brawn", 2) == _skill_of(said)
    assert ("", 0) == _skill_of(game.from_sheet(sheet, "check", item="rope", dc=10))


def _skill_of(check: Any) -> tuple[str, int]:
    return check.skill, check.modifier


def test_rerolls_are_used_up() -> None:
    """EDGE R20: a re-roll that was used is gone."""
    check = game.from_sheet(HERO, "check", skill="Brawn", dc=15)
    assert 0 == after(HERO, check, [3, 2, 14]).rerolls


def test_critical_failure_on_the_sheet() -> None:
    """EDGE R11 and R39: the turn is over, the rifle is out, and no check can be made."""
    check = game.from_sheet(HERO.but(rerolls=0), "check", item="rifle", dc=30)
    sheet = after(HERO.but(rerolls=0), check, [5, 2, 6, 6])
    assert (True, True, 0) == (sheet.turn_ended, sheet.item("rifle").disabled, sheet.rerolls)
    with pytest.raises(BadField, match=r"turn_ended.*EDGE R11"):
        game.from_sheet(sheet, "check", dc=10)
    with pytest.raises(BadField, match=r"item.*EDGE R39"):
        game.from_sheet(game.apply(sheet, Effect("new turn")), "check", item="rifle", dc=10)


def test_repairs_go_on_where_they_stopped() -> None:
    """EDGE R41: failed attempts stay on the sheet, and the next has +5 more."""
    sheet = Sheet(items=(Item(name="rifle", tier=5, disabled=True),))
    request = game.from_sheet(sheet, "repair", item="rifle", limit=1)
    sheet = after(sheet, request, [9])
    assert 1 == sheet.item("rifle").attempts
    sheet = game.apply(sheet, Effect("new turn"))
    request = game.from_sheet(sheet, "repair", item="rifle")
    assert (2, 5) == (request.attempt, request.tier)
    sheet = after(sheet, request, [10])
    assert (False, 0) == (sheet.item("rifle").disabled, sheet.item("rifle").attempts)


def test_repair_knows_the_turn() -> None:
    """EDGE R13: attempts count as checks of the turn they are made in."""
    sheet = Sheet(items=(Item(name="rifle", tier=5, disabled=True),), in_turn=True, checks_made=1)
    request = game.from_sheet(sheet, "repair", item="rifle", tries_per_turn=2)
    assert 1 == request.checks_before
    assert 3 == after(sheet, request, [12, 20]).checks_made
    assert 1 == after(sheet, request, [12, 12, 10]).checks_made
    late = after(sheet, request.but(limit=1), [5])
    assert (2, True) == (late.checks_made, late.turn_ended)
    calm = after(
        sheet.but(in_turn=False, checks_made=0), request.but(checks_before=0), [12, 12, 10]
    )
    assert (False, 0) == (calm.in_turn, calm.checks_made)


def test_only_broken_things_are_repaired() -> None:
    """EDGE R40: a rifle that works cannot be repaired."""
    with pytest.raises(BadField, match=r"item.*EDGE R40"):
        game.from_sheet(HERO, "repair", item="rifle")


def test_a_turn_is_filled_in() -> None:
    """EDGE R12: every check of a turn takes its skill and weapon from the sheet."""
    sheet = HERO.but(checks_made=1, rerolls=0)
    turn = game.from_sheet(
        sheet,
        "turn",
        checks=[{"skill": "Brawn", "dc": 12}, {"skill": "Marksmanship", "item": "rifle", "dc": 12}],
    )
    assert (1, [2, 6], "2d6+3") == (
        turn.checks_before,
        [check.modifier for check in turn.checks],
        turn.checks[1].effect,
    )
    jammed = after(sheet, turn, [12, 2, 1, 1, 5, 5], "never")
    assert (3, True, True) == (
        jammed.checks_made,
        jammed.turn_ended,
        jammed.item("rifle").disabled,
    )


def test_rerolls_of_a_sheet_are_shared_by_a_turn() -> None:
    """EDGE R20: one re-roll on the sheet is one for all checks of the turn, not one for each."""
    turn = game.from_sheet(HERO, "turn", checks=[{"dc": 12, "edges": 0}] * 2)
    assert (1, [0, 0]) == (turn.rerolls, [check.rerolls for check in turn.checks])
    assert 0 == after(HERO, turn, [5, 9, 14]).rerolls


def test_damage_goes_to_the_target() -> None:
    """EDGE R38: effect and critical effect name the main target and leave the roller alone."""
    check = Check(dc=5, effect="2d6", attack=True, target="orc")
    effects = game.effects(check, rw.roll(check, faces=[16, 2, 3]).outcome)
    assert [Effect("effect", 12, "orc"), Effect("critical effect", 1, "orc")] == [
        effect for effect in effects if effect.target
    ]
    assert HERO.but(checks_made=1) == after(HERO, check, [16, 2, 3])


def test_an_unknown_item_is_noted_down() -> None:
    """EDGE R39: what jams without being on the sheet is on it from then on."""
    check = Check(dc=20, item="lockpick", item_tier=2)
    sheet = after(Sheet(), check, [4])
    assert (2, True) == (sheet.item("lockpick").tier, sheet.item("lockpick").disabled)


def test_lost_reaction() -> None:
    """EDGE R11: a reaction lost to a critical failure comes back with the round."""
    lost = game.apply(HERO, Effect("reaction lost"))
    assert lost.reaction_lost
    assert not game.apply(lost, Effect("new round")).reaction_lost


def test_undo_is_the_value_before() -> None:
    """Applying an effect leaves the sheet it was applied to as it was."""
    before = HERO
    game.apply(HERO, Effect("checks", 1))
    assert before == HERO
    assert 0 == HERO.checks_made


@pytest.mark.parametrize(
    ("fields", "field", "rule"),
    [
        ({"turn_ended": True}, "turn_ended", "EDGE R11"),
        ({"items": [{"name": "bow", "attempts": 2}]}, "items[0].attempts", "EDGE R41"),
        ({"items": [{"name": "bow"}, {"name": "bow"}]}, "items[1]", "EDGE R41"),
        ({"skills": [{"name": "Brawn", "modifier": 1}] * 2}, "skills[1]", "EDGE R4"),
        ({"rerolls": -1}, "rerolls", "EDGE R20"),
        ({"items": [{"name": "bow", "effect": "x"}]}, "items[0].effect", "EDGE R5"),
        ({"edges": [" "]}, "edges", "EDGE R23"),
    ],
)
def test_illegal_sheets(fields: dict[str, Any], field: str, rule: str) -> None:
    """A sheet that breaks a rule cannot be made."""
    with pytest.raises(BadField) as refused:
        Sheet(**fields)
    assert (field, rule) == (refused.value.field, refused.value.rule)


def test_unknown_names() -> None:
    """Skills, items, effects and rolls nobody knows are refused with a guess."""
    with pytest.raises(UnknownName, match="did you mean 'Brawn'"):
        game.from_sheet(HERO, "check", skill="Braun", dc=10)
    with pytest.raises(UnknownName, match="did you mean 'rifle'"):
        game.from_sheet(HERO, "check", item="riffle", dc=10)
    with pytest.raises(UnknownName, match="effect"):
        game.apply(HERO, Effect("explodes"))
    with pytest.raises(UnknownName, match="roll"):
        game.from_sheet(HERO, "dance")
