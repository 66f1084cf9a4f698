"""The card: forms, sheet, marks, choices and verdicts, in English and German."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

import pytest

import rollwright as rw
from rollwright.games.dust import (
    ExtendedRoll,
    House,
    Opposing,
    Plan,
    Roll,
    Sheet,
    game,
    outcomes,
)
from rollwright.games.dust.outcomes import Grade
from rollwright.hooks import failed_hooks
from rollwright.i18n.catalogs import words_in
from rollwright.i18n.check import problems_in
from rollwright.kit import Effect, fields_of
from rollwright.kit.card import Person
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import effect_text, ending_to_json, narration_to_json, title_text
from rollwright.kit.card.marks import marks_to_json, throw_to_json, thrower_of
from rollwright.kit.card.pages import card_to_json, sheet_to_json
from rollwright.kit.forms import form_of, request_of
from rollwright.queries import answer as answered

HERE = Path(__file__).parent
EVENING = HERE / "evening_de.txt"
STATS = [{"name": "Wits", "rating": 3}, {"name": "Drive", "rating": 4}]
LOCK = {"name": "lock", "target": 6, "progress": 2, "turns": 1, "limit": 5}
ANA = Sheet(name="Ana", stats=tuple(STATS), injury=1, adrenaline=2, tasks=(LOCK,))
BLANK = Sheet(injury=2, adrenaline=3)
BO = Person("@s3", "Bo", Sheet(name="Bo", stats=tuple(STATS), injury=2, adrenaline=4))
HOUSE = House()


def shown(roll, sheet=None, *, house=HOUSE, people=(BO,), purpose="roll", **draft):
    """The form of a draft."""
    return form_of(game, {"roll": roll, **draft}, sheet, house, people, purpose)


def controls(answer):
    """Every control of a form by its place, those in groups and parts too."""
    found, waiting = {}, list(answer["form"])
    while waiting:
        control = waiting.pop(0)
        waiting += control.get("form", [])
        waiting += [one for part in control.get("parts", []) for one in part["form"]]
        if "at" in control:
            found[control["at"]] = control
    return found


def notes(answer, language="en"):
    """What a form has to read."""
    found, waiting = [], list(answer["form"])
    while waiting:
        control = waiting.pop(0)
        waiting = [*control.get("form", []), *waiting]
        if control["control"] == "note":
            found.append(game.words.say(control["text"], language))
    return found


def english(text):
    """A text in English."""
    return game.words.say(text)


DICE = {"set.modifier", "set.difficulty"}
FORMS = [
    ("roll", ANA, DICE | {"pick.attribute", "pick.ability", "set.spend"}),
    ("roll", None, DICE | {"set.pool", "set.spend", "set.kind", "set.doubles"}),
    ("roll", BLANK, DICE | {"set.pool", "set.spend"}),
    ("opposing", ANA, {"pick.actor.attribute", "pick.actor.ability", "set.defender.pool"}),
    ("opposing", None, {"set.actor.pool", "set.actor.spend", "set.defender.name"}),
    ("extended", ANA, DICE | {"pick.task", "pick.attribute", "set.target", "set.limit"}),
    ("extended", None, DICE | {"set.pool", "set.target", "set.limit", "set.adrenaline"}),
    ("plan", ANA, {"set.rolls", "pick.rolls.0.attribute", "set.rolls.1.need"}),
    ("plan", None, {"set.rolls", "set.rolls.0.pool", "set.rolls.1.worth", "set.adrenaline"}),
]


@pytest.mark.parametrize(("roll", "sheet", "places"), FORMS)
def test_every_roll_has_a_form_that_can_be_rolled(roll, sheet, places):
    """What a roll starts with needs no hand; the draft in the answer makes the same request."""
    answer = shown(roll, sheet)
    assert places <= set(controls(answer))
    assert answer["can"]
    assert answer["why"] is None
    request = request_of(game, answer["draft"], sheet, HOUSE)
    assert answer["request"] == json.loads(json.dumps(answer["request"]))
    assert answer["title"] == title_text(request)
    assert rw.Transcript(request.call(), request=request)
    assert [] == failed_hooks(game)


@pytest.mark.parametrize(
    ("roll", "sheet", "part", "path", "bad"),
    [
        ("roll", None, "set", "pool", 21),
        ("roll", None, "set", "modifier", -31),
        ("roll", None, "set", "difficulty", 11),
        ("roll", None, "set", "spend", 2),
        ("roll", None, "set", "kind", "sneaky"),
        ("roll", None, "set", "doubles", "burn"),
        ("roll", ANA, "pick", "attribute", "Charm"),
        ("roll", ANA, "pick", "ability", "Charm"),
        ("roll", ANA, "set", "spend", 3),
        ("opposing", ANA, "pick", "actor.attribute", "Charm"),
        ("opposing", ANA, "set", "actor.spend", 2),
        ("opposing", None, "set", "actor.pool", 21),
        ("opposing", None, "set", "defender.modifier", 21),
        ("opposing", None, "set", "difficulty", 1),
        ("extended", ANA, "pick", "task", "rubble"),
        ("extended", None, "set", "target", 0),
        ("extended", None, "set", "limit", 21),
        ("extended", ANA, "set", "limit", 11),
        ("extended", None, "set", "progress", 10),
        ("extended", None, "set", "adrenaline", 11),
        ("plan", None, "set", "adrenaline", 11),
    ],
)
def test_a_refused_field_leaves_the_form_complete(roll, sheet, part, path, bad):
    """The refusal stands at its control, with what was said; everything else is there."""
    draft = bad
    for name in reversed(path.split(".")):
        draft = {name: draft}
    before, answer = controls(shown(roll, sheet)), shown(roll, sheet, **{part: draft})
    after = controls(answer)
    at = f"{part}.{path}"
    assert set(before) == set(after)
    assert not answer["can"]
    assert [at] == [place for place, control in after.items() if "wrong" in control]
    assert bad == after[at]["value"]
    assert answer["why"] == after[at]["wrong"]
    assert "nothing to roll" not in english(answer["why"])
    assert answer["request"] is not None


def test_a_refused_part_of_a_plan_is_refused_at_its_control():
    """A list that was said stands alone; the refusal names the part."""
    rolls = [{"pool": 3}, {"pool": 3, "need": 21}]
    answer = shown("plan", set={"rolls": rolls})
    assert not answer["can"]
    found = controls(answer)
    assert ["set.rolls.1.need"] == [at for at, control in found.items() if "wrong" in control]
    assert 21 == found["set.rolls.1.need"]["value"]


@pytest.mark.parametrize(
    ("sheet", "house", "high", "why"),
    [
        (ANA, {}, 1, "At most 1 on one roll, by the house rules"),
        (ANA, {"max_adrenaline_per_roll": 10}, 2, "You have 2"),
        (ANA.but(adrenaline=0), {}, 0, "You have 0"),
        (None, {"max_adrenaline_per_roll": 4}, 4, "At most 4 on one roll, by the house rules"),
        (BLANK, {"max_adrenaline_per_roll": 10}, 3, "You have 3"),
    ],
)
def test_what_can_be_spent_is_limited_and_says_why(sheet, house, high, why):
    """DUST R19: by the house, or by what there is."""
    spend = controls(shown("roll", sheet, house=House(**house)))["set.spend"]
    assert (0, high, why) == (spend["low"], spend["high"], english(spend["why"]))
    assert spend["ahead"]


def test_wounds_are_told_beside_what_was_said():
    """DUST R3: the control holds what was said, and the note says what is thrown."""
    answer = shown("roll", ANA, set={"modifier": 2})
    modifier = controls(answer)["set.modifier"]
    assert (2, "you", "Wounds take 1 die more") == (
        modifier["value"],
        modifier["from"],
        english(modifier["why"]),
    )
    assert 1 == answer["request"]["modifier"]
    assert ["8 dice are thrown (7 +1)"] == notes(answer)
    assert ["d10"] * 8 == answer["dice"]


@pytest.mark.parametrize(
    ("pool", "house", "told"),
    [
        (9, {}, ["10 dice are thrown (9 +2, 1 cut by the cap of 10)"]),
        (4, {}, ["6 dice are thrown (4 +2)"]),
    ],
)
def test_a_capped_pool_is_told(pool, house, told):
    """DUST R4: before the throw, not after it."""
    answer = shown("roll", house=House(**house), set={"pool": pool, "modifier": 2})
    assert told == notes(answer)


def test_a_pool_of_no_dice_is_told():
    """DUST R3: where the house lets that fail, the form says so."""
    less = {"pool": 1, "modifier": -2}
    assert ["No dice are thrown (1 −2)"] == notes(shown("roll", set=less))
    fails = House(minimum_pool="fail")
    assert ["No die is left: the action fails by itself"] == notes(
        shown("roll", house=fails, set=less)
    )
    one = House(minimum_pool="one")
    assert ["1 die is thrown (1 −2, at least 1)"] == notes(shown("roll", house=one, set=less))


def test_a_difficulty_has_its_name_and_damage_says_why():
    """DUST R5: nine numbers, the word for the one that is set."""
    difficulty = controls(shown("roll", set={"difficulty": 9, "kind": "damage"}))["set.difficulty"]
    assert list(range(2, 11)) == difficulty["row"]
    assert "Extremely Difficult" == english(difficulty["help"])
    assert "Damage is always rolled at 6" == english(difficulty["why"])
    assert {"2", "6", "10"} == set(difficulty["words"])


def test_the_second_stat_may_be_none_and_is_never_the_first():
    """DUST R2: now and then one stat alone; nothing is counted twice."""
    alone = shown("roll", ANA, pick={"ability": ""})
    assert (3, None) == (alone["request"]["attribute"], alone["request"]["ability"])
    assert "" == controls(alone)["pick.ability"]["value"]
    other = shown("roll", ANA, pick={"attribute": "Drive"})
    assert "Wits" == other["request"]["ability_name"]
    offered = [option["value"] for option in controls(other)["pick.ability"]["options"]]
    assert ["", "Wits"] == offered
    notes_of = [english(one["note"]) for one in controls(other)["pick.attribute"]["options"]]
    assert ["3", "4"] == notes_of


def test_a_pool_counted_out_by_hand_takes_the_place_of_stats():
    """DUST R2: one of the two."""
    answer = shown("roll", ANA, set={"pool": 7})
    assert answer["can"]
    assert (7, None, "") == tuple(
        answer["request"][name] for name in ("pool", "attribute", "attribute_name")
    )


def test_somebody_at_the_table_stands_against_it():
    """DUST R16: by their stats, wounds and Adrenaline; anybody else by a pool."""
    whom = controls(shown("opposing", ANA))["set.defender.name"]
    anybody, bo = whom["options"]
    assert ("anybody else", "Bo") == (english(anybody["label"]), bo["label"])
    assert all(held is None for held in anybody["set"].values())
    said = {path.removeprefix("set.defender."): held for path, held in bo["set"].items()}
    defender = {"name": bo["value"], **{n: held for n, held in said.items() if held is not None}}
    answer = shown("opposing", ANA, set={"defender": defender})
    request = answer["request"]["defender"]
    assert ("@s3", 3, "Wits", 4, "Drive", -2, 4, None) == tuple(
        request[name]
        for name in (
            "name",
            "attribute",
            "attribute_name",
            "ability",
            "ability_name",
            "modifier",
            "adrenaline",
            "pool",
        )
    )
    found = controls(answer)
    assert "set.defender.pool" not in found
    assert "@s3" == found["set.defender.name"]["value"]
    picks = found["set.defender.ability_name"]["options"]
    assert [None, "Drive"] == [option["value"] for option in picks]
    assert {"set.defender.ability": 4} == picks[1]["set"]
    assert {"set.defender.ability": None} == picks[0]["set"]
    assert "Opposing roll against Bo" == game.words.say(answer["title"], who={"@s3": "Bo"}.get)


def test_somebody_without_stats_is_met_with_a_pool():
    """Their name and Adrenaline are known, their dice are said."""
    mute = Person("@s4", "Cy", Sheet(adrenaline=1))
    answer = shown("opposing", ANA, people=(mute,), set={"defender": {"name": "@s4"}})
    assert answer["can"]
    assert 4 == controls(answer)["set.defender.pool"]["value"]


def test_sides_have_numbers_of_their_own_where_the_house_says_so():
    """DUST R16: else there is no such control."""
    assert "set.actor.difficulty" not in controls(shown("opposing"))
    own = controls(shown("opposing", house=House(opposing_numbers="own")))
    assert "One number for both sides" == english(own["set.defender.difficulty"]["none"])


def test_a_task_under_way_brings_what_is_known_of_it():
    """DUST R15: its target, its progress, the turns that are left."""
    answer = shown("extended", ANA, pick={"task": "lock"})
    assert ("lock", 6, 2, 4) == tuple(
        answer["request"][name] for name in ("task", "target", "progress", "limit")
    )
    found = controls(answer)
    assert "set.target" not in found
    assert (4, "sheet") == (found["set.limit"]["value"], found["set.limit"]["from"])
    assert "2 of 6 gathered, 1 turn taken" == notes(answer)[0]
    again = shown("extended", ANA, pick={"task": ""})
    assert (10, 5, "") == tuple(again["request"][name] for name in ("target", "limit", "task"))


def test_turns_with_adrenaline_are_fewer_and_the_form_says_why():
    """DUST R15: as many as the rules can count at once."""
    house = House(max_adrenaline_per_roll=10)
    limit = controls(shown("extended", ANA, house=house, set={"limit": 2}))["set.limit"]
    assert "At most 2: so many turns can be counted with Adrenaline" == english(limit["why"])
    assert (1, 2) == (limit["low"], limit["high"])
    assert 20 == controls(shown("extended"))["set.limit"]["high"]


def test_a_new_task_is_in_doubt_and_may_have_no_limit():
    """DUST R15: what it starts with is neither sure nor hopeless, and "no limit" can be said."""
    limit = controls(shown("extended", ANA))["set.limit"]
    assert "no limit" == english(limit["none"])
    fields = shown("extended")["request"]
    request = {"game": "dust", "roll": "extended", **fields}
    chance = answered("preview", {"request": request, "parts": ["odds"]})["chance"]["number"]
    assert 1 / 4 < chance < 3 / 4


def test_of_a_task_without_a_limit_no_turns_are_told():
    """DUST R15: where turns are not limited the rules count none, so none are said to be taken."""
    sheet = ANA.but(tasks=({**LOCK, "turns": 0, "limit": None, "progress": 4},))
    row = sheet_to_json(game, sheet)["widgets"][2]["rows"][0]
    assert ["as many turns as it takes"] == [english(chip) for chip in row["chips"]]
    assert "4 of 6 gathered" == notes(shown("extended", sheet, pick={"task": "lock"}))[0]


def test_a_botch_on_the_way_is_told_once():
    """DUST R13: how likely one is; how many there are on average would say it otherwise."""
    task = {"game": "dust", "roll": "extended", "pool": 5, "target": 5, "limit": 6}
    found = answered("preview", {"request": task, "parts": ["odds"]})
    assert ["1 in 7 botches on the way"] == [cost["words"] for cost in found["costs"]]


def test_a_plan_has_a_form_for_each_roll():
    """DUST R18: one supply of Adrenaline for all, from the sheet where there is one."""
    answer = shown("plan", ANA)
    parts = controls(answer)["set.rolls"]
    assert ["Roll 1", "Roll 2"] == [english(part["title"]) for part in parts["parts"]]
    assert ("One more roll", 7) == (english(parts["add"]), parts["most"])
    assert "Adrenaline on the sheet: 2" == notes(answer)[-1]
    assert controls(shown("plan"))["set.adrenaline"]["ahead"]
    drive = {"attribute": "Drive", "ability": ""}
    three = {"pick": {"rolls": [drive] * 3}, "set": {"rolls": [{}, {}, {"need": 2}]}}
    rolls = shown("plan", ANA, **three)["request"]["rolls"]
    assert [(4, None, 1), (4, None, 1), (4, None, 2)] == [
        (roll["attribute"], roll["ability"], roll["need"]) for roll in rolls
    ]


def test_a_referee_names_stats_without_a_sheet():
    """Whoever is asked has one."""
    asked = controls(shown("roll", purpose="ask"))
    assert ("text", 40) == (asked["pick.attribute"]["control"], asked["pick.attribute"]["most"])
    card = card_to_json(game)["rolls"]
    for field in card["roll"]["asked"]:
        assert {f"pick.{field}", f"set.{field}"} & set(asked)
    assert "asked" not in card["plan"]


def test_a_form_counts_nothing():
    """It is answered while a finger is on it."""
    called: set[str] = set()

    def watch(frame, event, _):
        if event == "call":
            called.add(frame.f_code.co_filename)

    for roll in game.requests:
        sys.setprofile(watch)
        try:
            shown(roll, ANA)
        finally:
            sys.setprofile(None)
    assert any("games/dust/forms" in name for name in called)
    assert not [name for name in called if "/engine/odds/" in name or "/engine/best/" in name]


def test_what_surfaces_want_to_know_names_what_there_is():
    """Goals, policies, outcome fields and fields that the card names exist."""
    card = card_to_json(game)
    for roll, about in card["rolls"].items():
        kind = game.requests[roll]
        assert set(about["drawn"]) <= set(kind.outcome._fields)
        for path in about["more"]:
            assert path.split(".")[0] in fields_of(kind)
        assert {one["value"] for one in about["policies"]} <= {*game.policies, "best"}
    known = {name for kind in game.requests.values() for name in kind.outcome._fields}
    assert set(card["prices"]) <= known
    assert set(card["outcome"]) <= known
    assert set(Grade.ranks) == set(card["outcome"]["grade"]["tones"])
    for starter in card["starters"]:
        assert Sheet(**starter["values"]).stats


def test_faces_are_marked_by_the_difficulty():
    """DUST R6, DUST R8: a 1 takes a success, what reaches the number is one."""
    marks = marks_to_json(Roll(pool=2, difficulty=8))["d10"]
    assert {"1", "8..10"} == set(marks)
    assert ("bad", ["minus"]) == (marks["1"]["tone"], marks["1"]["symbols"])
    assert "a success" == english(marks["8..10"]["said"])
    assert "6..10" in marks_to_json(Roll(pool=2, difficulty=8, kind="damage"))["d10"]
    match = Opposing(
        actor={"pool": 1},
        defender={"pool": 1, "difficulty": 9},
        house={"opposing_numbers": "own"},
    )
    assert "9..10" in marks_to_json(match)["d10"]


def test_dice_that_are_thrown_again_or_taken_lie_so():
    """DUST R16, DUST R8: after a tie all are thrown again; the 1s take the dice that tell least."""
    match = Opposing(actor={"pool": 2}, defender={"pool": 1}, house={"opposing_tie": "reroll"})
    tied = rw.Transcript(match.call(), request=match).throw((9, 2)).throw((8,)).throw((2, 2))
    assert {"0.0": "again", "0.1": "again", "1.0": "again"} == throw_to_json(tied)["lies"]
    roll = Roll(pool=5, house={"doubles_must_survive": True})
    assert {"0.3": "dropped"} == throw_to_json(rw.roll(roll, faces=(9, 8, 8, 7, 1)))["lies"]
    assert "lies" not in throw_to_json(rw.roll(Roll(pool=2), faces=(9, 1)))


def test_every_throw_says_whose_it_is():
    """DUST R16, DUST R15: by name or side, turn by turn, roll by roll."""
    match = Opposing(actor={"pool": 1, "name": "Ana"}, defender={"pool": 1})
    begun = rw.Transcript(match.call(), request=match)
    assert "Ana" == thrower_of(begun)
    half = begun.throw((9,))
    assert ("Ana", "") == (english(throw_to_json(half)["label"]), thrower_of(half))
    assert "The other side" == english(throw_to_json(half.throw((2,)))["label"])
    task = ExtendedRoll(pool=1, target=3, limit=2)
    assert "Turn 2" == english(throw_to_json(rw.roll(task, faces=(2, 2)))["label"])
    plan = Plan(rolls=({"pool": 1}, {"pool": 1}))
    assert "Roll 2" == english(throw_to_json(rw.roll(plan, faces=(7, 8)))["label"])
    assert "label" not in throw_to_json(rw.roll(Roll(pool=1), faces=(7,)))


def asked_at(transcript):
    """Question, standing and offers of a choice, in English."""
    choice = choice_to_json(transcript)
    offers = [option_to_json(transcript, option) for option in transcript.step.options]
    told = [(english(offer["said"]), english(offer["leads"])) for offer in offers]
    return english(choice["question"]), english(choice["standing"]), told


def test_the_point_for_doubles_is_offered_with_what_it_leads_to():
    """DUST R17: the net stands already, Adrenaline is what it is about."""
    roll = Roll(pool=3, adrenaline=2, doubles="ask")
    asked = asked_at(rw.roll(roll, faces=(8, 8, 2)))
    assert asked == (
        "Take the point for doubles?",
        "net 2: barely+",
        [("Leave it", "2 Adrenaline afterwards"), ("Take the point", "3 Adrenaline afterwards")],
    )


def test_what_is_gathered_is_told_as_players_say_it():
    """DUST R15: 7 of 4 is no fraction, and what grew is not called what was there before."""
    task = ExtendedRoll(pool=8, target=4)
    done = rw.roll(task, faces=(9, 8, 7, 7, 6, 6, 10, 2))
    told = narration_to_json(done)
    assert english(told).endswith("; done: 7 gathered, 4 needed.")
    assert game.words.say(told, "de").endswith("; geschafft: 7 gesammelt, 4 nötig.")
    [detail] = ending_to_json(done)["verdict"]["detail"]
    assert "7 gathered, 4 needed" == english(detail)
    assert "7 gesammelt, 4 nötig" == game.words.say(detail, "de")
    labels = [game.words.say(["label.tasks.progress"], language) for language in ("en", "de")]
    assert ["Successes gathered", "Gesammelte Erfolge"] == labels


def test_adrenaline_is_neither_a_success_nor_a_failure():
    """What an option leads to has a tone only where that is how the roll ends."""
    choice = rw.roll(Roll(pool=3, adrenaline=2, doubles="ask"), faces=(8, 8, 2))
    assert all("tone" not in option_to_json(choice, option) for option in choice.step.options)


def test_spending_is_offered_with_what_is_left():
    """DUST R20: before each turn and each roll of a plan."""
    task = ExtendedRoll(pool=2, target=4, limit=3, adrenaline=1)
    again = rw.Transcript(task.call(), request=task).choose("save").throw((9, 2))
    spend = [("Save it", "1 Adrenaline left"), ("Spend 1", "0 Adrenaline left")]
    assert asked_at(again) == (
        "Spend Adrenaline on this roll?",
        "1 of 4 · 2 turns left · 1 Adrenaline",
        spend,
    )
    endless = ExtendedRoll(pool=2, target=4, adrenaline=1)
    assert "0 of 4 · 1 Adrenaline" == asked_at(rw.Transcript(endless.call(), request=endless))[1]
    plan = Plan(rolls=({"pool": 1}, {"pool": 1, "need": 2}), adrenaline=1)
    second = rw.Transcript(plan.call(), request=plan).choose("save").throw((9,))
    assert "roll 2 of 2, 2 needed · 1 made · 1 Adrenaline" == asked_at(second)[1]


def judged(request, faces, language="en", **how):
    """The verdict of a roll: word, tone, detail, what was paid."""
    verdict = ending_to_json(rw.roll(request, faces=faces, **how))["verdict"]
    say = [
        [game.words.say(one, language) for one in verdict.get(n, ())] for n in ("detail", "paid")
    ]
    return (game.words.say(verdict["word"], language), verdict["tone"], *say)


@pytest.mark.parametrize(
    ("request_", "faces", "verdict"),
    [
        (Roll(pool=1), (1,), ("Botch", "awful", ["net -1"], [])),
        (Roll(pool=1), (2,), ("Failure", "bad", ["net 0"], [])),
        (
            Roll(pool=2),
            (8, 8),
            ("A little more than barely", "good", ["net 2", "+1 Adrenaline"], []),
        ),
        (
            Roll(pool=5, spend=1),
            (6, 7, 8, 9, 2),
            ("Overwhelming success", "great", ["net 5"], ["1 Adrenaline spent"]),
        ),
        (
            Opposing(actor={"pool": 1, "name": "Ana"}, defender={"pool": 1}),
            (9, 1),
            ("Ana wins", "good", ["1 : -1"], []),
        ),
        (
            Opposing(actor={"pool": 1}, defender={"pool": 1}),
            (2, 9),
            ("The other side wins", "bad", ["0 : 1"], []),
        ),
        (
            Opposing(actor={"pool": 1}, defender={"pool": 1}),
            (9, 9),
            ("Nobody wins", "even", ["1 : 1"], []),
        ),
        (ExtendedRoll(pool=1, target=1), (9,), ("Done", "good", ["1 gathered, 1 needed"], [])),
        (
            ExtendedRoll(pool=1, target=2, limit=1),
            (1,),
            ("Not done", "bad", ["0 gathered, 2 needed"], ["1 botch"]),
        ),
        (
            Plan(rolls=({"pool": 1}, {"pool": 1})),
            (9, 1),
            ("1 roll reached", "mixed", ["0 Adrenaline left"], ["1 botch"]),
        ),
        (
            Plan(rolls=({"pool": 1}, {"pool": 1})),
            (9, 9),
            ("2 rolls reached", "good", ["0 Adrenaline left"], []),
        ),
    ],
)
def test_a_roll_is_judged(request_, faces, verdict):
    """DUST R11, DUST R13, DUST R15, DUST R16: a word, its tone, what belongs to it."""
    assert verdict == judged(request_, faces)


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (Effect("adrenaline", -1), "Adrenaline −1"),
        (Effect("adrenaline", 1, "Bo"), "Adrenaline +1 (Bo)"),
        (Effect("botch", 1), "a botch"),
        (Effect("botch", 2), "2 botches"),
        (Effect("injury", 2), "injury +2"),
        (Effect("progress", 3, "lock"), "progress +3 (lock)"),
        (Effect("turns", 1, "lock"), "turns +1 (lock)"),
    ],
)
def test_effects_are_said(effect, told):
    """Every kind of effect that a sheet knows."""
    assert told == english(effect_text(game, effect))


def test_titles_name_what_is_rolled():
    """Stats, the task, or who stands against it: whoever rolls is named beside it."""
    named = {"attribute": 3, "attribute_name": "Wits", "ability": 4, "ability_name": "Drive"}
    assert "Pool roll: Wits + Drive" == english(title_text(Roll(**named)))
    assert "Pool roll" == english(title_text(Roll(pool=3)))
    assert "Extended roll: lock" == english(
        title_text(ExtendedRoll(**named, target=3, task="lock"))
    )
    ana, bo = {"pool": 1, "name": "Ana"}, {"pool": 1, "name": "Bo"}
    assert "Opposing roll" == english(title_text(Opposing(actor=ana, defender={"pool": 1})))
    match = title_text(Opposing(actor=ana, defender=bo))
    assert "Opposing roll against Bo" == english(match)
    assert "Vergleichswurf gegen Bo" == game.words.say(match, "de")


def test_the_sheet_has_a_widget_for_everything():
    """Tracks, dots and bars; a tap on a stat or a task begins a roll that can be made."""
    sheet = ANA.but(tasks=(LOCK, {**LOCK, "name": "done", "progress": 6}))
    body, stats, tasks = sheet_to_json(game, sheet)["widgets"]
    assert [("adrenaline", 2, 10), ("injury", 1, 10)] == [
        (one["at"], one["value"], one["most"]) for one in body["show"] if one["widget"] == "track"
    ]
    botches = next(one for one in body["show"] if one.get("at") == "botches")
    assert (0, 0) == (botches["value"], botches["low"])
    assert [("Wits", 3, 5), ("Drive", 4, 5)] == [
        (row["key"], row["show"][0]["value"], row["show"][0]["most"]) for row in stats["rows"]
    ]
    assert "Add your attributes" in english(stats["empty"])
    assert ["1 turn of 5"] == [english(chip) for chip in tasks["rows"][0]["chips"]]
    assert "begins" not in tasks["rows"][1]
    assert "done" == english(tasks["rows"][1]["chips"][-1])
    for row in [*stats["rows"], tasks["rows"][0]]:
        begun = row["begins"]
        assert shown(begun["roll"], sheet, pick=begun["pick"])["can"]
    places = {one["at"] for one in [*body["show"], stats, tasks] if "at" in one}
    assert set(fields_of(Sheet)) - {"name"} == places


def test_every_word_has_its_german():
    """Each id is in both catalogs, with the same values."""
    assert [] == problems_in(words_in("rollwright.games.dust"))


def test_everything_that_can_be_met_has_words():
    """Fields, outcomes, goals, policies, house rules with their readings, questions."""
    words, missing = game.words, []
    classes = [*game.requests.values(), Sheet]
    for name in {name for kind in classes for name in fields_of(kind)} - {"house"}:
        missing += [id for id in (f"label.{name}", f"help.{name}") if id not in words]
    kinds = [kind for _, kind in inspect.getmembers(outcomes) if hasattr(kind, "_fields")]
    named = {
        "outcome": [name for kind in kinds for name in kind._fields],
        "goal": game.goals,
        "policy": game.policies,
        "word": Grade.ranks,
        "question": game.questions,
    }
    ids = [f"{kind}.{name}" for kind, names in named.items() for name in names]
    assert [] == missing + [id for id in ids if id not in words]
    for name, about in fields_of(House).items():
        assert about.help == words.say([f"help.house.{name}"])
        assert about.more["shows"].question == words.say([f"house.{name}.shows"])
        for value, text in about.more["readings"].items():
            assert text == words.say([f"house.{name}.{json.dumps(value).strip(chr(34))}"])


def test_refusals_are_said_in_german():
    """What a form refuses is read in the reader's language."""
    wrong = [
        shown("roll", ANA, set={"spend": 2})["why"],
        shown("extended", set={"progress": 12})["why"],
        shown("extended", set={"pool": 0, "limit": None})["why"],
        shown("roll", ANA, pick={"attribute": "Drove"})["why"],
    ]
    assert [game.words.say(why, "de") for why in wrong] == [
        "2 Punkte sind mehr, als ein Wurf erlaubt; möglich: 0 bis 1",
        "12 von 10 Erfolgen heißt, dass es geschafft ist; möglich: 0 bis 9",
        "ohne Würfel und ohne Grenze ginge das ewig weiter; möglich: eine Zahl von Zügen",
        "'Drove' gibt es nicht; ist 'Drive' gemeint?; möglich: Drive, Wits",
    ]


def evening():
    """Every stored roll, its forms' notes and its choices, as a German table reads them."""
    lines = []

    def say(text):
        return game.words.say(text, "de")

    for path in sorted((HERE / "transcripts").glob("*.json")):
        transcript = rw.verify(path.read_text("utf-8"))
        lines += [
            "",
            f"# {say(title_text(transcript.request))}",
            say(narration_to_json(transcript)),
        ]
        if transcript.is_done:
            verdict = ending_to_json(transcript)["verdict"]
            parts = [verdict["word"], *verdict.get("detail", ()), *verdict.get("paid", ())]
            changes = game.effects(transcript.request, transcript.outcome)
            effects = [effect_text(game, effect) for effect in changes]
            lines += [" · ".join(map(say, parts)), *(f"- {say(effect)}" for effect in effects)]
        else:
            choice = choice_to_json(transcript)
            lines += [say(choice["standing"]), say(choice["question"])]
            for option in transcript.step.options:
                offer = option_to_json(transcript, option)
                lines.append(f"- {say(offer['said'])} ({say(offer['leads'])})")
    return "\n".join([*lines[1:], ""])


def test_an_evening_in_german_reads_as_it_was_proof_read():
    """A changed sentence is read again before it is stored."""
    assert EVENING.read_text("utf-8") == evening()
