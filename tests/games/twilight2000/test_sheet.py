"""Sheets: what outcomes change, what cannot be, and requests filled in from them."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.twilight2000 import (
    Attack,
    Foe,
    Group,
    Opposed,
    Sheet,
    Skill,
    Tool,
    Weapon,
    game,
)
from rollwright.games.twilight2000.sheet import apply, effects, from_sheet, usual_capacities
from rollwright.kit import Effect

M249 = Weapon(name="M249", skill_name="heavy weapons", kind="belt", magazine_size=200, rounds=100)
M4 = Weapon(name="M4", rate_of_fire=3, rounds=10, spares=2)
RONSON = Sheet(
    name="Ronson",
    STR="A",
    AGL="B",
    stamina="C",
    heavy_weapons="B",
    hit_capacity=3,
    weapons=(M249, M4),
    tools=(Tool(name="rope", reliability=2),),
    foes=(Foe(name="A", capacity=4), Foe(name="B", capacity=2)),
)


def after(sheet, *changes):
    """The sheet after effects, one after the other."""
    for effect in changes:
        sheet = apply(sheet, effect)
    return sheet


def resolved(sheet, request, transcript):
    """The sheet after all an outcome changes."""
    return after(sheet, *effects(request, transcript.outcome))


def pushed(request, first, again):
    """A roll that was pushed."""
    return rw.roll(rw.roll(request, faces=first).choose("push"), faces=again)


def test_a_magazine_that_is_not_empty_is_thrown_away_unless_it_is_kept():
    """A full one goes in; what was left goes nowhere by itself (T2K R34, D13)."""
    assert (30, 1, ()) == (M4.reloaded().rounds, M4.reloaded().spares, M4.reloaded().partials)
    assert (10,) == M4.reloaded(keep_partial=True).partials


def test_the_price_is_paid_at_once_and_fells_later():
    """Damage up to the capacity marks the fall; it takes hold once resolved (T2K R14)."""
    hurt = RONSON.but(damage=2)
    request = from_sheet(hurt, skill_name="stamina")
    done = pushed(request, [3, 4], [1, 9])
    *paid, last = effects(request, done.outcome)
    pending = after(hurt, *paid)
    assert (3, True, False) == (pending.damage, pending.falling, pending.incapacitated)
    assert Effect("resolved", 1, quiet=True) == last
    assert (False, True) == (apply(pending, last).falling, apply(pending, last).incapacitated)
    assert 1 == done.outcome.successes


def test_damage_and_stress_go_to_their_own_counts():
    """STR costs damage, INT stress (T2K R13)."""
    body = pushed(from_sheet(RONSON, skill_name="stamina"), [3, 4], [1, 9])
    assert (1, 0) == (
        resolved(RONSON, body.request, body).damage,
        resolved(RONSON, body.request, body).stress,
    )
    mind = pushed(from_sheet(RONSON, skill_name="recon"), [3], [1])
    assert (0, 1) == (
        resolved(RONSON, mind.request, mind).damage,
        resolved(RONSON, mind.request, mind).stress,
    )


def test_a_tool_takes_the_damage_and_breaks():
    """The rope loses its 2 points and is of no use; Ronson is unhurt (T2K R15, R63, R65, R66)."""
    request = from_sheet(RONSON, skill_name="stamina", gear="rope")
    assert 2 == request.gear_reliability
    sheet = resolved(RONSON, request, pushed(request, [3, 4], [1, 1]))
    assert (0, 0, True) == (sheet.damage, sheet.tools[0].reliability, sheet.tools[0].broken)
    with pytest.raises(BadField, match=r"rope is broken.*T2K R66"):
        from_sheet(sheet, skill_name="stamina", gear="rope")


def test_a_group_uses_a_tool_of_the_sheet():
    """The rope pays for whoever rolls, and a broken one is of no use (T2K R15, R36, R66)."""
    about = {"skill_name": "stamina", "members": [{"name": "Diaz", "attribute": "C"}]}
    request = from_sheet(RONSON, "group", **about, gear="rope")
    assert 2 == request.gear_reliability
    rolled = rw.roll(request).choose("Ronson").choose(0)
    rolled = rolled.throw([3, 4]).choose("push").throw([1, 9])
    assert (0, 1) == (rolled.outcome.damage, rolled.outcome.reliability_loss)
    sheet = resolved(RONSON, request, rolled)
    assert (0, 1) == (sheet.damage, sheet.tools[0].reliability)
    with pytest.raises(BadField, match=r"rope is broken.*T2K R66"):
        from_sheet(apply(RONSON, Effect("reliability", -9, "rope")), "group", **about, gear="rope")
    worn = from_sheet(RONSON, "group", **about, gear="rope", gear_reliability=1)
    assert 1 == worn.gear_reliability


def test_a_tool_rolls_its_own_skill():
    """A med kit is for MEDICAL AID, unless another skill is said (T2K R3, R62)."""
    medic = RONSON.but(tools=[{"name": "med kit", "skill_name": "medical aid"}, {"name": "rope"}])
    assert "medical aid" == from_sheet(medic, gear="med kit").skill_name
    assert "medical aid" == from_sheet(medic, "group", gear="med kit").skill_name
    theirs = {"attribute": "C"}
    opposed = from_sheet(medic, "opposed", gear="med kit", passive=theirs)
    assert "medical aid" == opposed.active.skill_name
    assert "tech" == from_sheet(medic, gear="med kit", skill_name="tech").skill_name
    with pytest.raises(BadField, match=r"skill_name.*T2K R3"):
        from_sheet(medic, gear="rope")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_skill_that_is_recommended_is_accepted_as_it_is_written(language):
    """T2K R3: whatever the refusal lists can be typed."""
    with pytest.raises(BadField) as refused:
        from_sheet(RONSON, skill_name="sneaking")
    listed = game.words.say(refused.value.remedy, language).split(", ")
    assert listed == [from_sheet(RONSON, skill_name=name).skill_name for name in listed]
    assert 12 == len(listed)


def test_gear_starts_at_five_or_lower():
    """5 in good condition, less for poor gear, never more than it had (T2K R64)."""
    assert 5 == Tool(name="kit").reliability
    assert 2 == Tool(name="toy", reliability=2, max_reliability=2).reliability
    with pytest.raises(BadField, match=r"reliability.*T2K R64"):
        Tool(name="toy", reliability=3, max_reliability=2)


def test_outside_force_and_repairs():
    """Force lowers reliability to 0 at most, repair raises it to its maximum (T2K R64, R65)."""
    broken = apply(RONSON, Effect("reliability", -9, "M4"))
    assert (0, True) == (broken.weapon("M4").reliability, broken.weapon("M4").broken)
    assert 2 == apply(broken, Effect("reliability", 2, "M4")).weapon("M4").reliability
    assert 5 == apply(broken, Effect("reliability", 9, "M4")).weapon("M4").reliability


def test_an_attack_changes_weapon_and_magazine():
    """28 rounds gone; a push with three 1s jams and wears the weapon (T2K R29, R31, R33)."""
    request = from_sheet(RONSON, "attack", weapon="M249", ammo_dice=6)
    kept = rw.roll(request, faces=[5, 10, 6, 6, 6, 4, 3, 2]).choose("keep")
    assert 72 == resolved(RONSON, request, kept).weapon("M249").rounds
    worn = resolved(RONSON, request, pushed(request, [5, 3, 6, 6, 6, 4, 1, 1], [1, 2, 2]))
    assert (2, True, 77) == (
        worn.weapon("M249").reliability,
        worn.weapon("M249").jammed,
        worn.weapon("M249").rounds,
    )
    assert RONSON.weapon("M4") == worn.weapon("M4")


def test_the_weapon_breaks_after_the_wounds_are_dealt():
    """Wounds and rounds come before wear in the order of effects (T2K R30)."""
    request = from_sheet(RONSON, "attack", weapon="M4", reliability=1, targets=[{"name": "A"}])
    done = rw.roll(rw.roll(request, faces=[4]).choose("push"), faces=[1])
    kinds = [effect.kind for effect in effects(request, done.outcome)]
    assert ["rounds", "reliability", "resolved"] == kinds
    lucky = rw.roll(request, faces=[7, 3])
    kinds = [effect.kind for effect in effects(request, lucky.outcome)]
    assert ["wound", "rounds", "resolved"] == kinds


def test_a_jammed_weapon_cannot_fire_until_cleared():
    """The attack is refused, the jam is cleared by its own roll (T2K R32)."""
    jammed = apply(RONSON, Effect("jam", 1, "M4"))
    with pytest.raises(BadField, match=r"M4 is jammed.*T2K R32.*clearing the jam"):
        from_sheet(jammed, "attack", weapon="M4")
    request = from_sheet(jammed, "clear_jam", weapon="M4")
    failed = rw.roll(request.but(tries=1), faces=[2], policy="never")
    assert resolved(jammed, request, failed).weapon("M4").jammed
    cleared = rw.roll(request, faces=[7], policy="never")
    assert not resolved(jammed, request, cleared).weapon("M4").jammed


def test_clearing_a_jam_is_one_slow_action_a_roll():
    """Each roll uses one up, and a helper's too; several at once are refused (T2K R32, R55)."""
    jammed = apply(RONSON, Effect("jam", 1, "M4"))
    request = from_sheet(jammed, "clear_jam", weapon="M4", helpers=1)
    failed = rw.roll(request, faces=[2, 2], policy="never")
    actions = [one for one in effects(request, failed.outcome) if one.kind == "action"]
    assert [Effect("action", "slow"), Effect("action", "slow", "helper")] == actions
    once = resolved(jammed, request, failed)
    assert ("slow",) == once.actions_used
    for _ in range(6):
        once = resolved(once, request, failed)
    assert ("slow",) * 4 == once.actions_used
    quiet = from_sheet(jammed, "clear_jam", weapon="M4", action="")
    assert "action" not in {one.kind for one in effects(quiet, failed.outcome)}
    with pytest.raises(BadField, match=r"tries: 3 tries are 3 rolls.*T2K R32.*another roll"):
        from_sheet(jammed, "clear_jam", weapon="M4", tries=3)


def test_an_empty_weapon_cannot_fire():
    """With no rounds left the attack is refused (T2K R73)."""
    empty = apply(RONSON, Effect("rounds", -10, "M4"))
    assert 0 == empty.weapon("M4").rounds
    with pytest.raises(BadField, match=r"weapon: the M4 is empty \(T2K R73\)"):
        from_sheet(empty, "attack", weapon="M4")


def test_reloading_takes_a_spare_off_the_list():
    """A fresh magazine, one spare fewer, the old one gone (D13, T2K R34)."""
    weapon = apply(RONSON, Effect("reload", 0, "M4")).weapon("M4")
    assert (30, 1, ()) == (weapon.rounds, weapon.spares, weapon.partials)


def test_reloading_may_keep_the_old_magazine():
    """D13: with `keep` it stays as a part-used one, to be put in last (T2K R34)."""
    keep = Effect("reload", "keep", "M4")
    weapon = apply(RONSON, keep).weapon("M4")
    assert (30, 1, (10,)) == (weapon.rounds, weapon.spares, weapon.partials)
    spent = after(RONSON, keep, keep, Effect("rounds", -30, "M4"), keep).weapon("M4")
    assert (30, 0, (10,)) == (spent.rounds, spent.spares, spent.partials)


def test_reloading_from_nothing_is_refused():
    """No spare, no reload (T2K R34)."""
    with pytest.raises(BadField, match=r"spares.*no belt.*T2K R34"):
        apply(RONSON, Effect("reload", 0, "M249"))


def test_magazines_and_belts_have_their_weight():
    """A quarter unit a magazine, one unit a belt (T2K R35)."""
    assert Fraction(1, 2) == M4.encumbrance
    assert Fraction(3, 4) == M4.but(partials=(5,)).encumbrance
    assert 3 == M249.but(spares=3).encumbrance
    assert Fraction(7, 2) == RONSON.but(weapons=(M249.but(spares=3), M4)).ammo_encumbrance


def test_targets_lose_hit_capacity_and_suffer_crits():
    """What came through is taken off each target (T2K R71, R72)."""
    request = from_sheet(
        RONSON, "attack", weapon="M249", ammo_dice=2, targets=[{"name": "A"}, {"name": "B"}]
    )
    lying = rw.roll(request, faces=[5, 10, 6, 6]).choose("keep").choose("hit B +1")
    sheet = resolved(RONSON, request, rw.roll(lying, faces=[3, 4]))
    assert [(3, 1), (2, 1)] == [(foe.damage, foe.crits) for foe in sheet.foes]
    assert [False, True] == [foe.is_down for foe in sheet.foes]


def test_a_character_who_is_hit_suffers_what_a_foe_does():
    """Damage and critical injuries come off the character of the sheet itself (T2K R71, R72)."""
    hurt = after(RONSON.but(damage=0), Effect("wound", 2), Effect("crit", 1), Effect("crit", 1))
    assert (2, 2) == (hurt.damage, hurt.crits)
    assert 50 == apply(hurt, Effect("crit", 60)).crits


def test_helpers_give_up_their_action():
    """In combat each helper's effect names the kind of action (T2K R55)."""
    request = from_sheet(RONSON, skill_name="stamina", helpers=2, action="slow")
    done = rw.roll(request, faces=[7, 4]).choose("keep")
    given = [e for e in effects(request, done.outcome) if e.kind == "action"]
    assert [Effect("action", "slow", "helper")] * 2 == given
    team = Group(members=[{"name": n, "attribute": "C"} for n in "XY"], action="fast")
    helped = rw.roll(team, seed=1, policy="never")
    assert Effect("action", "fast", "helper") in effects(team, helped.outcome)
    assert () == after(RONSON, *given).actions_used
    helper = Sheet(name="Diaz")
    assert ("slow",) == apply(helper, given[0]._replace(target="Diaz")).actions_used
    assert () == apply(helper.but(actions_used=("slow",)), Effect("new round")).actions_used


def test_a_group_failure_is_recorded_for_all():
    """Everybody's sheet notes it; the price goes to who rolled (T2K R13, R38)."""
    request = from_sheet(
        RONSON, "group", skill_name="stamina", members=[{"name": "Diaz", "attribute": "C"}]
    )
    assert isinstance(request, Group)
    lying = rw.roll(rw.roll(request).choose("Ronson").choose(0), faces=[3, 4]).choose("push")
    done = rw.roll(lying, faces=[1, 2])
    mine, other = (resolved(s, request, done) for s in (RONSON, Sheet(name="Diaz")))
    assert ("stamina",) == mine.group_failures == other.group_failures
    assert (1, 0) == (mine.damage, other.damage)


def test_an_opposed_roll_from_the_sheet():
    """The active side is filled in, and pays (T2K R59)."""
    request = from_sheet(RONSON, "opposed", skill_name="persuasion", passive={"attribute": "D"})
    assert isinstance(request, Opposed)
    lying = rw.roll(request, faces=[3, 2]).choose("push")
    assert 1 == resolved(RONSON, request, rw.roll(lying, faces=[1])).stress


def test_undo_is_the_sheet_before():
    """Applying an effect leaves the old value as it was (T2K R13)."""
    before = RONSON.but()
    apply(RONSON, Effect("damage", 1))
    assert before == RONSON


def test_a_magazine_forecast_changes_nothing():
    """Firing until empty is a forecast, not an event (T2K R34)."""
    request = from_sheet(RONSON, "magazine", weapon="M4", ammo_dice=1)
    assert (10, 30, 2) == (request.rounds, request.magazine_size, request.spare_magazines)
    done = rw.roll(request, seed=3, policy="never")
    assert () == effects(request, done.outcome)


def test_requests_from_the_sheet_know_levels():
    """Attribute and skill levels come from the sheet; an override wins (T2K R3, R5)."""
    assert Skill(attribute="A", skill="C", skill_name="stamina") == from_sheet(
        RONSON, skill_name="stamina"
    )
    assert "B" == from_sheet(RONSON, skill_name="stamina", attribute_name="AGL").attribute
    shot = from_sheet(RONSON, "attack", ammo_dice=6)
    assert isinstance(shot, Attack)
    assert ("A", "B", "M249", 100) == (shot.attribute, shot.skill, shot.weapon, shot.rounds)


def test_somebody_who_is_out_cannot_roll():
    """Incapacitated is incapacitated (T2K R14)."""
    with pytest.raises(BadField, match=r"incapacitated.*Ronson is out.*T2K R14"):
        from_sheet(RONSON.but(incapacitated=True), skill_name="stamina")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sheet(damage=9), "damage.*T2K R13"),
        (lambda: Sheet(damage=-1), "damage.*T2K R13"),
        (lambda: Sheet(STR="E"), "STR.*T2K R4"),
        (lambda: Sheet(falling=True), "falling.*T2K R14"),
        (lambda: Sheet(weapons=(M4, M4)), r"weapons\[1\].*there twice"),
        (lambda: Weapon(name="x", rounds=31), "rounds.*T2K R34.*at most 30"),
        (lambda: Weapon(name="x", rounds=-1), "rounds.*T2K R33"),
        (lambda: Weapon(name="x", partials=(40,)), "partials.*T2K R34"),
        (lambda: Foe(name="x", capacity=2, damage=3), "damage.*T2K R71"),
        (lambda: Sheet(actions_used=("quick",)), "actions_used.*T2K R55"),
    ],
)
def test_illegal_sheets_cannot_be_built(make, message):
    """The refusal names the field and the rule (T2K R13, R34, R71)."""
    with pytest.raises(BadField, match=message):
        make()


def test_unknown_things_are_refused():
    """A weapon, an effect, a roll or a skill nobody knows (T2K R3)."""
    with pytest.raises(UnknownName, match="M16"):
        RONSON.weapon("M16")
    with pytest.raises(UnknownName, match="damag"):
        apply(RONSON, Effect("damag", 1))
    with pytest.raises(UnknownName, match="atack"):
        from_sheet(RONSON, "atack")
    with pytest.raises(BadField, match=r"skill_name.*T2K R3"):
        from_sheet(RONSON, skill_name="cooking")


def test_capacities_of_the_full_rules_are_on_offer():
    """An outside fact for who asks: a quarter of both dice, rounded up (T2K R4)."""
    assert (6, 4) == usual_capacities(RONSON)


def test_the_game_offers_its_sheet():
    """Sheet, effects and filling in are found through the game (T2K R13)."""
    assert (Sheet, effects, apply, from_sheet) == (
        game.sheet,
        game.effects,
        game.apply,
        game.from_sheet,
    )


def test_a_wound_of_the_characters_own():
    """T2K R71: an effect without a target wounds the sheet's own character, to the end if it is."""
    shot = apply(Sheet(hit_capacity=4, damage=1), Effect("wound", 2))
    assert (3, False) == (shot.damage, shot.incapacitated)
    down = apply(shot, Effect("wound", 3))
    assert (4, True) == (down.damage, down.incapacitated)


def test_members_that_are_no_list_are_refused():
    """Whoever is in it together is named in a list, and fields by their names (T2K R36)."""
    with pytest.raises(BadField, match="members: that is no list"):
        from_sheet(RONSON, "group", skill_name="stamina", members=5)
    with pytest.raises(BadField, match="no such field; did you mean 'modifier'"):
        from_sheet(RONSON, skill_name="stamina", modifer=1)
