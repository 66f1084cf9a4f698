"""The card: forms as things stand, what is offered and shown, verdicts, sheets and words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import (
    Attack,
    ClearJam,
    Group,
    House,
    Magazine,
    Opposed,
    Sheet,
    Skill,
    Target,
    game,
)
from rollwright.hooks import failed_hooks
from rollwright.i18n.catalogs import words_in
from rollwright.i18n.check import problems_in
from rollwright.kit import Effect
from rollwright.kit.card import Person
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import ending_to_json
from rollwright.kit.card.marks import marks_to_json, throw_to_json
from rollwright.kit.card.pages import card_to_json, sheet_to_json
from rollwright.kit.fields import fields_of
from rollwright.kit.forms import form_of, request_of

HERE = Path(__file__).parent
SHEET = Sheet(
    name="Ronson",
    INT="B",
    recon="C",
    ranged_combat="B",
    spare_parts=1,
    weapons=(
        {"name": "M16", "rounds": 4, "spares": 1},
        {"name": "AK", "jammed": True},
        {"name": "Glock", "rounds": 0},
        {"name": "Sten", "reliability": 0},
    ),
    tools=(
        {"name": "rope", "skill_name": "mobility"},
        {"name": "radio", "reliability": 0},
    ),
    foes=({"name": "Guard", "capacity": 3, "damage": 1}, {"name": "Dog", "capacity": 2}),
)
KASIA = Sheet(name="Kasia", INT="A", STR="D", recon="D", stamina="B", damage=2)
PEOPLE = (Person("@s3", "Kasia", KASIA), Person("@n1", "Sentry", Sheet(name="Sentry")))
GUARDS = ({"name": "A", "torso": 2}, {"name": "B"}, {"name": "C", "hex": "far"})
BURST = Attack(attribute="A", skill="B", ammo_dice=2, weapon="M249", targets=GUARDS)
DUEL = Opposed(active={"attribute": "B", "skill": "D"}, passive={"attribute": "C"})


def german(text) -> str:
    """A text as somebody reads it in German."""
    return game.words.say(text, "de")


def english(text) -> str:
    """A text as somebody reads it in English."""
    return game.words.say(text)


def form(roll, sheet=None, *, people=(), pick=(), roles=(), purpose="roll", **fields):
    """The answer to a draft."""
    draft = {"roll": roll, "pick": dict(pick), "set": fields, "roles": dict(roles)}
    return form_of(game, draft, sheet, None, tuple(people), purpose)


def listed(answer: dict) -> list[dict]:
    """Every control of a form, those inside others too."""
    found, waiting = [], list(answer["form"])
    while waiting:
        control = waiting.pop(0)
        waiting += control.get("form", [])
        waiting += [one for part in control.get("parts", []) for one in part["form"]]
        found.append(control)
    return found


def controls(answer: dict) -> dict[str, dict]:
    """The controls by their place; of two at one place the first."""
    found: dict[str, dict] = {}
    for control in listed(answer):
        if "at" in control:
            found.setdefault(control["at"], control)
    return found


def options(control: dict) -> dict:
    """The options of a control by what they say in English."""
    return {english(option["label"]): option for option in control["options"]}


# Forms


@pytest.mark.parametrize("roll", game.requests)
@pytest.mark.parametrize("sheet", [None, Sheet(), SHEET], ids=["none", "bare", "full"])
def test_every_roll_has_a_form_that_can_be_rolled_at_once(roll, sheet):
    """What a roll starts with makes a request, with a sheet that knows much, little, or none."""
    answer = form(roll, sheet, people=PEOPLE)
    assert (answer["can"], answer["why"]) == (True, None)
    assert [] == failed_hooks(game)
    request = request_of(game, answer["draft"], sheet, None)
    assert rw.roll(request, seed=1, policy="best" if roll == "skill" else "always").is_done
    json.dumps(answer)
    for control in listed(answer):
        for part in ("label", "title", "text", "help", "why"):
            assert "{" not in german(control.get(part, ""))


def unfit(about):
    """Something that a field refuses."""
    return {"int": 10**6, "bool": "yes", "list": 7, "text": 3, "choice": "?", "value": 1}[
        about.kind
    ]


FIELDS = [
    (roll, name)
    for roll, kind in game.requests.items()
    for name in fields_of(kind)
    if name != "house" and not (roll == "opposed" and name in ("active", "passive"))
]


@pytest.mark.parametrize(("roll", "name"), FIELDS)
def test_a_form_with_a_refused_field_is_complete(roll, name):
    """The refusal stands at its control with what came; all other controls are there as before."""
    about = fields_of(game.requests[roll])[name]
    whole = controls(form(roll))
    answer = form(roll, **{name: unfit(about)})
    shown = controls(answer)
    assert set(whole) <= set(shown)
    assert not answer["can"]
    assert answer["request"] is not None
    assert {f"set.{name}"} == {at for at, control in shown.items() if "wrong" in control}
    assert german(answer["why"]) == german(shown[f"set.{name}"]["wrong"])


@pytest.mark.parametrize("side", ["active", "passive"])
@pytest.mark.parametrize(
    ("name", "wrong"),
    [("attribute", "Z"), ("skill", "?"), ("modifier", 99), ("helpers", 9), ("attribute_name", 1)],
)
def test_a_refused_field_of_a_side_is_told_there(side, name, wrong):
    """Each side of an opposed roll has its own controls (T2K R57)."""
    whole = controls(form("opposed"))
    answer = form("opposed", **{side: {name: wrong}})
    told = {at for at, control in controls(answer).items() if "wrong" in control}
    assert {f"set.{side}.{name}"} == told
    assert set(whole) <= set(controls(answer))


@pytest.mark.parametrize(("name", "wrong"), [("modifier", 99), ("helpers", 9)])
def test_a_refused_field_beside_the_sheet_is_told_there(name, wrong):
    """With a sheet the active side's modifiers stand by themselves."""
    answer = form("opposed", SHEET, **{name: wrong})
    told = {at for at, control in controls(answer).items() if "wrong" in control}
    assert {f"set.{name}"} == told
    mine = controls(form("opposed", SHEET, modifier=2))
    assert ("you", 2) == (mine["set.modifier"]["from"], mine["set.modifier"]["value"])


def test_skills_stand_on_a_board_as_the_sheet_has_them():
    """Twelve skills under four attributes, with their levels (T2K R3, R5)."""
    board = controls(form("skill", SHEET))["pick.skill_name"]
    assert ("board", "recon") == (board["style"], board["value"])
    recon = options(board)["Recon"]
    assert ("recon", "C", "INT B") == (recon["value"], recon["note"], english(recon["group"]))
    assert 12 == len(board["options"])
    assert 4 == len({english(option["group"]) for option in board["options"]})
    answer = form("skill", SHEET, pick={"skill_name": "ranged combat"})
    assert ("C", "B") == (answer["request"]["attribute"], answer["request"]["skill"])
    assert "sheet" == controls(answer)["set.skill"]["from"]
    assert "Fertigkeitswurf: Fernkampf" == german(answer["title"])


def test_whoever_only_spots_somebody_says_so_at_once():
    """The switch is in sight, and with it nothing can be pushed (T2K R17)."""
    answer = form("skill", SHEET, passive=True)
    assert "set.passive" in {one.get("at") for one in answer["form"]}
    assert rw.roll(request_of(game, answer["draft"], SHEET, None), faces=[3, 4]).is_done


def test_levels_are_said_with_their_dice_where_there_is_no_sheet():
    """A rolls a D12 (T2K R4)."""
    shown = controls(form("skill", skill=None))
    by_level = {o["value"]: german(o.get("note", "")) for o in shown["set.attribute"]["options"]}
    assert {"A": "W12", "B": "W10", "C": "W8", "D": "W6"} == by_level
    assert [None, "A", "B", "C", "D"] == [o["value"] for o in shown["set.skill"]["options"]]
    assert form("skill", skill=None)["dice"] == ["d10"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"attribute": "A", "skill": "A", "modifier": 1}, "1 step has nothing to change: two D12s"),
        (
            {"attribute": "D", "skill": "D", "modifier": -3},
            "2 steps have nothing to change: one D6",
        ),
        ({"attribute": "B", "skill": "C", "modifier": 1}, ""),
    ],
)
def test_steps_that_are_lost_are_told(fields, sentence):
    """The rule says how many (T2K R43, R45)."""
    notes = [english(one["text"]) for one in listed(form("skill", **fields)) if "tone" in one]
    assert [sentence] == [note[: len(sentence)] for note in notes or [""]]


def test_ammo_dice_are_as_many_as_weapon_and_rounds_allow():
    """At most the rate of fire, and one fewer than the rounds; a higher wish is cut (T2K R20)."""
    slider = controls(form("attack", SHEET))["set.ammo_dice"]
    assert ("slider", 0, 3, True) == tuple(slider[k] for k in ("style", "low", "high", "ahead"))
    assert "At most 3: the rate of fire, and one fewer than the rounds." == english(slider["why"])
    wish = form("attack", SHEET, ammo_dice=6)
    assert (True, 3) == (wish["can"], wish["request"]["ammo_dice"])
    assert 6 == wish["draft"]["set"]["ammo_dice"]
    assert 4 == form("attack", rate_of_fire=4, ammo_dice=6)["request"]["ammo_dice"]
    assert 1 == form("attack", rounds=2)["request"]["ammo_dice"]
    assert not form("attack", SHEET, ammo_dice=13)["can"]
    assert 2 == controls(form("magazine", rate_of_fire=2))["set.ammo_dice"]["high"]


def test_weapons_that_do_not_fire_say_why():
    """Jammed, empty and broken ones are off, and a jam can be cleared (T2K R32, R66, R73)."""
    answer = form("attack", SHEET)
    weapons = options(controls(answer)["pick.weapon"])
    assert ["M16"] == [name for name, option in weapons.items() if "off" not in option]
    assert "4 rounds · reliability 5" == english(weapons["M16"]["note"])
    assert "The AK is jammed: clear the jam first." == english(weapons["AK"]["off"])
    assert "Glock ist leer: erst auf dem Bogen nachladen." == german(weapons["Glock"]["off"])
    assert "broken" == english(weapons["Sten"]["note"])
    [way] = [one for one in answer["form"] if one["control"] == "jump"]
    assert {"roll": "clear_jam", "pick": {"weapon": "AK"}, "set": {}} == way["draft"]
    assert "AK" == form_of(game, way["draft"], SHEET, None)["request"]["weapon"]
    refused = form("attack", SHEET, pick={"weapon": "AK"})
    weapon = controls(refused)["pick.weapon"]
    assert ("AK", False) == (weapon["value"], refused["can"])
    assert "AK hat eine Ladehemmung; möglich: erst die Ladehemmung beheben" == german(
        weapon["wrong"]
    )
    assert "AK" == form("clear_jam", SHEET)["request"]["weapon"]


@pytest.mark.parametrize(
    ("weapon", "why"),
    [
        ({"jammed": True}, "The AK is jammed: clear the jam first."),
        ({"rounds": 0}, "The AK is empty: reload it on the sheet first."),
        ({"reliability": 0}, "The AK is broken: it must be repaired first."),
    ],
)
def test_a_form_is_complete_where_no_weapon_fires(weapon, why):
    """Nothing can be rolled, and the weapon says why (T2K R32, R66, R73)."""
    answer = form("attack", SHEET.but(weapons=({"name": "AK", **weapon},)))
    assert (False, None) == (answer["can"], answer["request"])
    assert why == english(controls(answer)["pick.weapon"]["wrong"])
    assert set(controls(form("attack", SHEET))) <= set(controls(answer))


def test_who_is_out_rolls_nothing():
    """The refusal stands over a whole form (T2K R14)."""
    answer = form("skill", SHEET.but(incapacitated=True))
    assert "Ronson ist außer Gefecht" == german(answer["why"])
    assert set(controls(form("skill", SHEET))) == set(controls(answer))


def test_tools_of_the_sheet_are_picked():
    """A tool brings its reliability; a broken one is off (T2K R15, R66)."""
    answer = form("skill", SHEET, pick={"gear": "rope"})
    assert 5 == answer["request"]["gear_reliability"]
    tools = options(controls(answer)["pick.gear"])
    assert ["radio"] == [name for name, option in tools.items() if "off" in option]
    assert "pick.gear" not in controls(form("skill", Sheet()))


@pytest.mark.parametrize("roll", ["skill", "opposed", "group"])
def test_a_tool_and_its_skill_are_picked_together(roll):
    """Picking a med kit picks MEDICAL AID, and another skill lays it aside (T2K R3, R15)."""
    sheet = SHEET.but(tools=[{"name": "med kit", "skill_name": "medical aid"}, {"name": "rope"}])
    shown = controls(form(roll, sheet, pick={"gear": "med kit", "skill_name": "medical aid"}))
    tools = options(shown["pick.gear"])
    assert {"pick.skill_name": "medical aid"} == tools["med kit"]["set"]
    assert "set" not in tools["rope"]
    skills = options(shown["pick.skill_name"])
    assert skills["Recon"]["set"] == {"pick.gear": None}
    assert "set" not in skills["Medical aid"]
    rope = controls(form(roll, sheet, pick={"gear": "rope", "skill_name": "stamina"}))
    assert "set" not in options(rope["pick.skill_name"])["Recon"]


def test_a_group_with_a_tool_says_what_it_can_take():
    """The tool is picked from the sheet; a broken one is refused (T2K R15, R66)."""
    answer = form("group", SHEET, pick={"gear": "rope", "skill_name": "stamina"})
    assert ("rope", 5) == (answer["request"]["gear"], answer["request"]["gear_reliability"])
    assert not form("group", SHEET, pick={"gear": "radio", "skill_name": "stamina"})["can"]


def test_targets_are_foes_people_or_anybody_who_is_named():
    """Each brings what it can still take (T2K R24, R71)."""
    shown = controls(form("attack", SHEET, people=PEOPLE))["set.targets"]
    assert ("picks", 6) == (shown["control"], shown["most"])
    offered = {english(option["label"]): option["value"] for option in shown["options"]}
    assert {"name": "Guard", "capacity": 2} == offered["Guard"]
    assert {"name": "@s3", "capacity": 3} == offered["Kasia"]
    answer = form("attack", SHEET, people=PEOPLE, targets=[offered["Guard"], "Sniper"])
    assert ["Guard", "Sniper"] == [one["name"] for one in answer["request"]["targets"]]
    details = [one for one in listed(answer) if one["control"] == "parts"]
    assert ["set.targets"] == [one["at"] for one in details]
    assert "set.targets.1.torso" in controls(answer)
    assert "Ziel 2" == german(details[0]["parts"][1]["title"])


def test_an_opponent_is_somebody_at_the_table_with_a_skill_of_theirs():
    """Whoever is picked brings their levels, and plays the passive part (T2K R57, R60)."""
    shown = controls(form("opposed", SHEET, people=PEOPLE))
    against = options(shown["roles.passive"])
    assert ["anybody else", "Kasia"] == list(against)
    writes = against["Kasia"]["set"]
    theirs = {"skill_name": "recon", "attribute": "A", "skill": "D"}
    assert {"set.passive": theirs} == writes
    picked = form("opposed", SHEET, people=PEOPLE, roles={"passive": "s3"}, passive=theirs)
    skill = controls(picked)["set.passive.skill_name"]
    assert ("menu", "recon") == (skill["style"], skill["value"])
    stamina = options(skill)["Stamina"]["set"]["set.passive"]
    assert ("D", "B") == (stamina["attribute"], stamina["skill"])
    assert "set.passive.attribute" not in controls(picked)
    assert "roles.passive" not in controls(form("opposed", SHEET))


def test_the_other_side_is_called_by_its_name_once_it_has_one():
    """The group of its fields, and no two labels are the same words (T2K R57)."""
    for roles, name in (({}, "Die andere Seite"), ({"passive": "s3"}, "Kasia")):
        shown = listed(form("opposed", SHEET, people=PEOPLE, roles=roles))
        titles = [german(one["title"]) for one in shown if one.get("title")]
        labels = [german(one["label"]) for one in shown if one.get("label")]
        assert name in titles
        assert not {*titles} & {*labels}


def test_an_opponent_without_training_has_no_skill_die():
    """T2K R57, R4: what the roll starts with is not theirs; a modifier that was said stays."""
    said_so = {"modifier": -1}
    shown = controls(form("opposed", SHEET, people=PEOPLE, passive=said_so))
    untrained = options(shown["roles.passive"])["Kasia"]["set"]["set.passive"]
    menu = form("opposed", SHEET, people=PEOPLE, roles={"passive": "s3"}, passive=untrained)
    tech = options(controls(menu)["set.passive.skill_name"])["Tech"]["set"]["set.passive"]
    assert {"skill_name": "tech", "attribute": "A", "skill": None, "modifier": -1} == tech
    picked = form("opposed", SHEET, people=PEOPLE, roles={"passive": "s3"}, passive=tech)
    assert picked["request"]["passive"]["skill"] is None
    by_hand = controls(form("opposed", SHEET))["set.passive.skill"]
    assert by_hand["options"][0]["none"]


def test_who_takes_part_comes_from_the_table():
    """People bring the levels of the skill, and another skill brings others (T2K R36)."""
    shown = controls(form("group", SHEET, people=PEOPLE))["set.members"]
    kasia = options(shown)["Kasia"]["value"]
    assert {"name": "@s3", "attribute": "A", "skill": "D"} == kasia
    answer = form("group", SHEET, people=PEOPLE, members=[kasia])
    assert ["Ronson", "@s3"] == [one["name"] for one in answer["request"]["members"]]
    stamina = options(controls(answer)["pick.skill_name"])["Stamina"]["set"]
    assert [{"name": "@s3", "attribute": "D", "skill": "B"}] == stamina["set.members"]
    assert "set.members.0.name" not in controls(answer)
    parts = next(one for one in answer["form"] if one["control"] == "parts")["parts"]
    assert ["Kasia"] == [part["title"] for part in parts]
    request = request_of(game, answer["draft"], SHEET, None)
    offered = option_to_json(rw.roll(request), "@s3")
    assert ("@s3", ["option.who", {"name": {"who": "@s3"}}]) == (offered["who"], offered["said"])


def test_a_referee_asks_by_the_name_of_a_skill():
    """Without a sheet too (T2K R1)."""
    for sheet, place in ((None, "set.skill_name"), (SHEET, "pick.skill_name")):
        shown = controls(form("skill", sheet, purpose="ask"))
        assert {place, "set.modifier"} <= set(shown)
    about = card_to_json(game)["rolls"]["skill"]
    assert ["skill_name", "modifier"] == about["asked"]
    assert [["skill_name"]] == about["needed"]


def test_a_form_counts_nothing(monkeypatch):
    """Nothing of the counting is called, whatever the roll."""

    def refuse(*_, **__):
        raise AssertionError("a form counts nothing")

    for name in ("odds", "advise"):
        monkeypatch.setattr(f"rollwright.api.{name}", refuse)
    monkeypatch.setattr("rollwright.engine.odds.count.RuleCounter.__init__", refuse)
    many = [{"name": f"T{n}"} for n in range(4)]
    assert form("attack", SHEET, targets=many, ammo_dice=3)["can"]
    assert all(form(roll, SHEET, people=PEOPLE)["can"] for roll in game.requests)


# What lies there


def test_marks_of_base_and_ammo_dice():
    """6 to 9 is a success, 10 and more are two, 1s cost; ammo has signs of its own (T2K R6, R7)."""
    marks = marks_to_json(BURST)
    assert {"1", "6..9", "10..12"} == set(marks["d12"])
    assert ["crosshair"] * 2 == marks["d12"]["10..12"]["symbols"]
    assert {"1", "6..6"} == set(marks["d6"])
    assert (True, ["bullet"]) == (marks["ammo"]["6"]["alone"], marks["ammo"]["6"]["symbols"])
    assert "bad" == marks["ammo"]["1"]["tone"]
    assert "ammo" not in marks_to_json(Skill(attribute="A"))


def test_where_a_hit_strikes_is_no_success():
    """Every location die that may be thrown says where, on each of its faces (T2K R69)."""
    marks = marks_to_json(BURST)
    names = {f"{guard['name']} *" for guard in GUARDS}
    assert {"ammo", *names} == {name for name in marks if not name.startswith("d")}
    for seed in range(40):
        done = rw.roll(BURST, seed=seed, policy="always")
        named = {die.name for step, _ in done.throws for die in step.pool.dice if die.name}
        assert {f"{name.rpartition(' ')[0]} *" for name in named - {"ammo"}} <= names
    for name in names:
        told = [english(marks[name][str(face)]["said"]) for face in range(1, 7)]
        assert list(BURST.locations) == told
        assert all(mark["written"] and "even" == mark["tone"] for mark in marks[name].values())


def test_dice_lie_on_through_the_whole_attack():
    """After the hits are placed the push is still to be seen (T2K R10, R69)."""
    done = rw.roll(BURST, faces=[7, 4, 6, 2]).choose("push").throw([9, 3])
    done = done.choose("hit B").throw([3, 4])
    lies = throw_to_json(done)
    assert {"0.0": "kept", "0.1": "again", "0.2": "kept", "0.3": "again"} == lies["lies"]
    assert "Wo es trifft" == german(lies["label"])


def test_throws_are_labelled():
    """Which side's, which try's, which attack's (T2K R32, R57)."""
    mine = rw.api.new_transcript(DUEL).throw([3, 4])
    assert "Who acts" == english(throw_to_json(mine)["label"])
    both = mine.throw([5])
    assert "The other side" == english(throw_to_json(both)["label"])
    assert "Who acts" == english(throw_to_json(both.choose("push").throw([3, 4]))["label"])
    second = rw.roll(Magazine(attribute="B", rounds=9), faces=[3]).choose("keep").throw([3])
    assert "Attack 2" == english(throw_to_json(second)["label"])
    jam = ClearJam(attribute="B")
    assert "Try 1" == english(throw_to_json(rw.roll(jam.but(tries=2), faces=[3]))["label"])
    assert "label" not in throw_to_json(rw.roll(jam, faces=[3]))


# Choices


def test_a_push_says_what_it_throws_again():
    """Keeping says what it comes to, a push the dice and the 1s that will be paid (T2K R11)."""
    lying = rw.roll(Skill(attribute="A", skill="C"), faces=[1, 4])
    keep, push = (option_to_json(lying, option) for option in lying.step.options)
    assert ("keep", "no success") == (english(keep["said"]), english(keep["leads"]))
    assert ("push", "1 die again, a 1 to pay") == (english(push["said"]), english(push["leads"]))
    assert ["0.1"] == push["dice"]
    shown = choice_to_json(lying)
    assert "Behalten oder strapazieren?" == german(shown["question"])
    assert "kein Erfolg, eine 1" == german(shown["standing"])


def test_successes_that_are_taken_up_too_are_named():
    """D1: each way to push says which dice it takes (T2K R11)."""
    free = House(push_may_reroll_successes=True)
    lying = rw.roll(Skill(attribute="A", skill="A", house=free), faces=[6, 10])
    offers = {option: option_to_json(lying, option) for option in lying.step.options}
    both = offers["push and re-roll a D12 with a success and a D12 with two successes"]
    assert ["0.0", "0.1"] == both["dice"]
    assert (
        "strapazieren und auch einen W12 mit einem Erfolg und einen W12 mit zwei Erfolgen "
        "erneut werfen" == german(both["said"])
    )


@pytest.mark.parametrize(
    ("request_", "faces", "standing"),
    [
        (BURST, [5, 10, 6, 1], "a hit, 2 successes, 1 bullet, a 1"),
        (BURST, [5, 4, 6, 6], "a miss, 2 bullets"),
        (DUEL, [6, 4, 7], "1 against 1"),
        (DUEL.but(secret=True), [6, 4, 7], "1 success"),
        (ClearJam(attribute="B", tries=3), [3], "Try 1 of 3: no success"),
        (ClearJam(attribute="B"), [3], "no success"),
        (Magazine(attribute="B", ammo_dice=1), [3, 6], "Attack 1: a miss, 1 bullet"),
    ],
)
def test_where_it_stands(request_, faces, standing):
    """One line at every choice; a secret roll stays one (T2K R61)."""
    assert standing == english(choice_to_json(rw.roll(request_, faces=faces))["standing"])


def test_the_group_sees_who_is_best_suited():
    """Each has the chance to succeed with all the help there is (T2K R36, R53)."""
    members = ({"name": "A", "attribute": "A"}, {"name": "B", "attribute": "D"})
    team = rw.roll(Group(members=members, skill_name="recon"))
    assert "Who rolls for all?" == english(choice_to_json(team)["question"])
    # with a helper D12 and D6: 1 - 5/12 · 5/6
    assert ("A", "65 %") == tuple(english(option_to_json(team, "A")[k]) for k in ("said", "leads"))
    alone = option_to_json(team.choose("A"), 0)
    assert ("nobody helps", "58 %") == (english(alone["said"]), english(alone["leads"]))


def puts_of(plan) -> dict:
    """A plan as it is put on places, for BURST."""
    puts: dict[str, list[int]] = {"": [1] * plan.boost} if plan.boost else {}
    for foe, more in plan.extra:
        puts.setdefault(GUARDS[foe]["name"], []).append(more + 1)
    return puts


def test_bullets_are_handed_out():
    """Tokens and places: the first hit, which is only raised, and whoever may be hit beside it,
    once more or harder (T2K R23, R24).
    """
    open_roll = rw.roll(BURST, faces=[5, 10, 6, 6]).choose("keep")
    assign = choice_to_json(open_roll)["assign"]
    assert 2 == assign["tokens"]
    assert ["", "A", "B"] == [place["at"] for place in assign["places"]]
    assert [False, True, True] == [place.get("stacks", False) for place in assign["places"]]
    assert "2 bullets to give out" == english(choice_to_json(open_roll)["standing"])
    assert "most-damage" == choice_to_json(open_roll)["aim"]
    meant = {
        '{"": [2]}': "+2 damage",
        '{"": [1], "B": [1]}': "+1 damage; hit B",
        '{"B": [2]}': "hit B +1",
        '{"B": [1, 1]}': "hit B; hit B",
        '{"B": [1], "A": [1]}': "hit A; hit B",
    }
    for puts, option in meant.items():
        assert option == game.card.option_of(BURST, open_roll, json.loads(puts))
        assert option in open_roll.step.options
        assert open_roll.choose(option)


def test_every_plan_can_be_handed_out_so():
    """Assignments and options are the same choices (T2K R23, R25)."""
    from rollwright.games.twilight2000.story import plan_of

    request = BURST.but(ammo_dice=4, house=House(successes_buy_hits=True))
    open_roll = rw.roll(request, faces=[7, 10, 6, 6, 6, 6])
    assert 6 == choice_to_json(open_roll)["assign"]["tokens"]
    for option in open_roll.step.options:
        puts = puts_of(plan_of(open_roll, option))
        assert puts == game.card.puts_of(request, open_roll, option)
        assert option == game.card.option_of(request, open_roll, puts)


@pytest.mark.parametrize(
    "puts",
    [{}, {"": [1]}, {"": [3]}, {"C": [2]}, {"B": [2, 0]}, {"B": [3, -1]}, {"": [True, 1]}],
)
def test_what_cannot_be_handed_out_is_refused(puts):
    """Too few, too many, out of reach, or no number (T2K R23, R24)."""
    open_roll = rw.roll(BURST, faces=[5, 10, 6, 6]).choose("keep")
    with pytest.raises(BadField, match=r"puts: .* hand out 2 bullets \(T2K R23\)"):
        game.card.option_of(BURST, open_roll, puts)


# What it came to


def verdict(request, *entries):
    """The verdict in English: word, tone, detail, paid."""
    transcript = rw.roll(request, faces=entries[0])
    for entry in entries[1:]:
        taken = transcript.throw if isinstance(entry, list) else transcript.choose
        transcript = taken(entry)
    shown = ending_to_json(transcript)["verdict"]
    said = [[english(text) for text in shown.get(part, [])] for part in ("detail", "paid")]
    return english(shown["word"]), shown["tone"], *said


@pytest.mark.parametrize(
    ("request_", "entries", "expected"),
    [
        (Skill(attribute="A"), [[4], "keep"], ("Failure", "bad", [], [])),
        (Skill(attribute="A", pushable=False), [[10]], ("Success", "good", ["2 successes"], [])),
        (
            Skill(attribute="A", skill="C", skill_name="recon"),
            [[1, 4], "push", [7]],
            ("Success", "good", [], ["1 point of stress"]),
        ),
        (
            BURST.but(targets=()),
            [[5, 10, 6, 1], "keep"],
            (
                "Hit",
                "good",
                ["3 damage", "1 bullet to spend: 1 more damage, or a hit on another target"],
                ["8 rounds fired"],
            ),
        ),
        (
            BURST.but(targets=(), reliability=2, rounds=7),
            [[5, 4, 6, 1], "push", [1, 3]],
            (
                *("Miss, and broken", "awful", ["heads kept down", "magazine empty"]),
                ["7 rounds fired", "2 points of reliability lost"],
            ),
        ),
        (
            BURST.but(targets=(), reliability=5, rounds=30),
            [[5, 4, 2, 1], "push", [1, 3, 2]],
            ("Miss, and jammed", "awful", [], ["4 rounds fired", "2 points of reliability lost"]),
        ),
        (
            BURST.but(targets=(), reliability=5, rounds=30),
            [[7, 4, 2, 1], "push", [1, 2]],
            (
                *("Hit, but jammed", "mixed", ["2 damage"]),
                ["4 rounds fired", "2 points of reliability lost"],
            ),
        ),
        (DUEL, [[6, 4, 7], "keep"], ("Lost", "bad", ["1 : 1"], [])),
        (DUEL, [[6, 4, 7], "push", [9]], ("Won", "good", ["2 : 1"], [])),
        (ClearJam(attribute="B", tries=1), [[7]], ("Cleared", "good", [], [])),
        (
            Magazine(attribute="B", skill="C", rounds=2),
            [[2, 2], "push", [1, 1]],
            ("1 attack", "bad", ["jammed"], ["2 points of reliability lost"]),
        ),
    ],
)
def test_verdicts(request_, entries, expected):
    """What it came to and what it cost, in a word or two (T2K R8, R13, R26, R31, R57)."""
    assert expected == verdict(request_, *entries)


def test_effects_are_said():
    """With whom they change, and numbers with their sign."""
    assert "rounds −5 (M16)" == english(game.card.effect(Effect("rounds", -5, "M16")))
    assert "Zuverlässigkeit +2 (M4)" == german(game.card.effect(Effect("reliability", 2, "M4")))
    assert "Schaden 2" == german(game.card.effect(Effect("damage", 2)))
    assert "3 damage (Guard)" == english(game.card.effect(Effect("wound", 3, "Guard")))
    assert "a critical injury" == english(game.card.effect(Effect("crit", 1)))
    assert "−1 critical injuries" == english(game.card.effect(Effect("crit", -1)))
    assert "langsame Handlung verbraucht (helper)" == german(
        game.card.effect(Effect("action", "slow", "helper"))
    )
    for kind in ("reload", "new round", "group failure", "resolved", "wear", "crit", "clear"):
        assert "{" not in german(game.card.effect(Effect(kind, 1, "x")))


def test_prices_and_titles_are_said():
    """Units are declared; titles name the skill, or the weapon, which says how it is fired."""
    shown = card_to_json(game)
    assert {"chance", "amount"} == {price["unit"] for price in shown["prices"].values()}
    assert "Ladehemmung" == german(shown["prices"]["jammed"]["said"])
    title = game.card.title(Attack(attribute="B", weapon="M4"))
    assert "Attack: M4" == english(title.plain)
    bare = game.card.title(Attack(attribute="B"))
    assert "Attack with a firearm: ranged combat" == english(bare.plain)
    both = [Target(name="Guard"), Target(name="Driver")]
    aimed = game.card.title(Attack(attribute="B", weapon="M4", targets=both, primary="Driver"))
    assert english(aimed.plain).endswith(", at Driver, Guard")
    names = {name for kind in game.requests.values() for name in kind.outcome._fields}
    assert set(shown["prices"]) <= names
    for starter in shown["starters"]:
        assert form("attack", Sheet(**starter["values"]))["can"]


# The sheet


def widgets(sheet) -> dict[str, dict]:
    """Every widget of a sheet by its place."""
    found, waiting = {}, list(sheet_to_json(game, sheet)["widgets"])
    while waiting:
        widget = waiting.pop(0)
        waiting += widget.get("show", [])
        if "at" in widget:
            found[widget["at"]] = widget
    return found


def test_a_sheet_shows_everything_that_stands_on_it():
    """Each field has a widget (T2K R13, R64)."""
    shown = widgets(SHEET)
    assert set(fields_of(Sheet)) - {"name"} <= set(shown)
    assert [] == failed_hooks(game)
    assert (0, 5) == (shown["damage"]["value"], shown["damage"]["most"])
    assert {"roll": "skill", "pick": {"skill_name": "recon"}} == shown["recon"]["begins"]
    assert shown["INT"]["big"]
    assert "B · W10" == german(shown["INT"]["options"][1]["label"])


def test_a_tap_on_a_thing_begins_its_roll():
    """A weapon fires or is cleared, a foe is aimed at, a tool is used (T2K R15, R32)."""
    shown = widgets(SHEET)
    rows = {row["key"]: row for at in ("weapons", "tools", "foes") for row in shown[at]["rows"]}
    begins = {key: row["begins"] for key, row in rows.items() if "begins" in row}
    assert set(rows) == set(begins)
    assert {"skill_name": "mobility", "gear": "rope"} == begins["rope"]["pick"]
    assert ("repair", "repair") == (begins["Sten"]["roll"], begins["radio"]["roll"])
    assert ("attack", "clear_jam") == (begins["M16"]["roll"], begins["AK"]["roll"])
    for key in ("M16", "AK", "Sten", "rope", "radio", "Guard"):
        assert form_of(game, begins[key], SHEET, None)["can"]
    target = form_of(game, begins["Guard"], SHEET, None)["request"]["targets"][0]
    assert ("Guard", 2) == (target["name"], target["capacity"])


def test_a_tap_on_a_tool_without_a_skill_asks_which():
    """Nobody is made to roll RECON with a crowbar (T2K R3)."""
    sheet = SHEET.but(tools=[{"name": "crowbar"}])
    [row] = widgets(sheet)["tools"]["rows"]
    answer = form_of(game, row["begins"], sheet, None)
    assert not answer["can"]
    assert english(controls(answer)["pick.skill_name"]["wrong"]).startswith("no skill is picked")


def test_what_is_worn_can_be_repaired_where_it_stands():
    """It fires or is cleared, and is repaired beside that; what is broken is repaired (T2K R66)."""
    weapons = [
        {"name": "new", "jammed": True},
        {"name": "worn", "reliability": 3, "jammed": True},
        {"name": "broken", "reliability": 0, "jammed": True},
    ]
    rows = widgets(SHEET.but(weapons=weapons))["weapons"]["rows"]
    rolls = [
        [row["begins"], *(one["begins"] for one in row["show"] if one["widget"] == "roll")]
        for row in rows
    ]
    kinds = [[begins["roll"] for begins in row] for row in rolls]
    assert [["clear_jam"], ["clear_jam", "repair"], ["repair"]] == kinds
    assert [{"item": "worn"}, {"item": "broken"}] == [row[-1]["pick"] for row in rolls[1:]]


def test_a_weapon_is_reloaded_where_a_magazine_is_left():
    """The button says how many are left, or why there is none (T2K R34)."""
    acts = {
        row["key"]: next(one for one in row["show"] if one["widget"] == "act")
        for row in widgets(SHEET)["weapons"]["rows"]
    }
    assert "Nachladen (1\N{NO-BREAK SPACE}übrig)" == german(acts["M16"]["text"])
    assert "off" not in acts["M16"]
    assert "no spare magazine is left" == english(acts["Glock"]["off"])
    after = game.apply(SHEET, Effect(acts["M16"]["effect"], 0, acts["M16"]["target"]))
    assert (30, 0) == (after.weapons[0].rounds, after.weapons[0].spares)


def test_whoever_falls_is_told():
    """The price of a push is paid at once, but falls later (T2K R14)."""
    falling = Sheet(damage=5, falling=True)
    notes = [
        one for one in sheet_to_json(game, falling)["widgets"][0]["show"] if one["widget"] == "note"
    ]
    assert ["Außer Gefecht, sobald diese Handlung vorbei ist."] == [
        german(n["text"]) for n in notes
    ]


# Words


def test_german_has_every_message_with_its_values():
    """Both files have the same ids and values, and every form that a language needs."""
    assert [] == problems_in(words_in("rollwright.games.twilight2000"))


def test_every_message_that_is_said_exists():
    """Ids as they stand in the code are ids of the catalog."""
    import rollwright.games.twilight2000 as package

    sources = sorted(Path(package.__file__).parent.glob("*.py"))
    said = {id for path in sources for id in re.findall(r'msg\(\s*"([^"]+)"', path.read_text())}
    assert {id for id in said if id not in game.words} == set()
    assert len(said) > 100


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("roll", game.requests),
        ("title", game.requests),
        ("goal", game.goals),
        ("policy", game.policies),
        ("question", game.questions),
        ("house", fields_of(House)),
        ("help.house", fields_of(House)),
        ("label", {n for kind in (*game.requests.values(), Sheet) for n in fields_of(kind)}),
        ("help", {n for kind in game.requests.values() for n in fields_of(kind)}),
        ("outcome", {n for kind in game.requests.values() for n in kind.outcome._fields}),
    ],
)
def test_everything_with_a_name_has_words(prefix, names):
    """Rolls, goals, policies, questions, house rules, fields and outcomes."""
    assert [] == [name for name in names if f"{prefix}.{name}" not in game.words]


def test_every_reading_of_a_house_rule_has_words():
    """As the page looks them up."""
    for name, about in fields_of(House).items():
        for value in about.choices or (True, False):
            id = f"house.{name}.{str(value).lower() if isinstance(value, bool) else value}"
            assert id in game.words


def test_english_says_what_the_fields_say():
    """A help in the catalog is the help of the field, so that neither goes stale."""
    for roll, kind in game.requests.items():
        for name, about in fields_of(kind).items():
            own = f"help.{roll}.{name}"
            said = own if own in game.words else f"help.{name}"
            assert about.help == english([said]), (roll, name)
    for name, about in fields_of(House).items():
        assert about.help == english([f"help.house.{name}"])


def evening() -> list[str]:
    """Rolls of an evening, as German tells them."""
    rope = {"gear": "Seil", "gear_reliability": 1}
    stamina = Skill(attribute="A", skill="C", skill_name="stamina", modifier=5, **rope)
    recon = Skill(attribute="D", modifier=-2, skill_name="recon")
    team = Group(
        members=(
            {"name": "Kasia", "attribute": "A", "skill": "D"},
            {"name": "Diaz", "attribute": "B", "skill": "D"},
        ),
        skill_name="survival",
    )
    rifle = BURST.but(targets=(), rounds=10, reliability=2)
    jam = ClearJam(attribute="B", skill="C", tries=2)
    told = [
        rw.api.new_transcript(stamina),
        rw.roll(stamina, faces=[3, 4]),
        rw.roll(stamina, faces=[3, 4]).choose("push").throw([1, 9]),
        rw.roll(recon, faces=[3]).choose("push").throw([1]),
        rw.roll(recon.but(passive=True, modifier=0), faces=[6]),
        rw.roll(team),
        rw.roll(team).choose("Kasia"),
        rw.roll(rw.roll(team).choose("Kasia").choose(1), faces=[3, 4]).choose("keep"),
        rw.roll(DUEL, faces=[6, 4, 7]),
        rw.roll(DUEL, faces=[6, 4, 7]).choose("push").throw([9]),
        rw.roll(DUEL.but(secret=True), faces=[6, 4, 7]).choose("keep"),
        rw.roll(BURST, faces=[5, 10, 6, 6]).choose("keep"),
        rw.roll(BURST, faces=[5, 10, 6, 6]).choose("keep").choose("hit B +1").throw([3, 6]),
        rw.roll(rifle, faces=[5, 3, 6, 4]).choose("push").throw([1, 1, 5]),
        rw.roll(jam, faces=[3, 4, 1, 2, 3, 7], policy="if-failed"),
        rw.roll(Magazine(attribute="B", skill="C", rounds=2), faces=[2, 2, 1, 1], policy="always"),
    ]
    return [game.tell(one.request, one, "de") for one in told]


def test_an_evening_in_german():
    """Every kind of roll, open and done, proof-read as it stands in the file."""
    assert (HERE / "evening_de.txt").read_text("utf-8").splitlines() == evening()


def test_an_empty_weapon_is_refused_by_its_name_and_rule() -> None:
    """T2K R73: the form says which weapon is empty, and names the rule beside it."""
    empty = Sheet(weapons=({"name": "AK", "rounds": 0},))
    answer = form("attack", empty)
    assert not answer["can"]
    assert "T2K R73" == answer["rule"]
    assert "the AK is empty; reloading it first would do" == english(answer["why"])


def test_what_is_left_open_is_the_option_that_says_so() -> None:
    """A field without a word has its first option picked: no kind of action."""
    action = controls(form("attack"))["set.action"]
    assert action["value"] is None
    assert action["value"] == action["options"][0]["value"]
