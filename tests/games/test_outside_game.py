"""A game from outside with symbol dice, a shared pool, an opponent and a translation.

It is built and installed as a stranger's package is; `tests/page/test_outside_game.py` plays it in
two browsers.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from tests import outside

import rollwright as rw
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.check import problems_in
from rollwright.kit.card import Card, Person, RollCard
from rollwright.kit.card.pages import shared_sheet_to_json, sheet_to_json
from rollwright.kit.forms import form_of, request_of
from rollwright.queries import answer

ROOT = Path(__file__).parent.parent.parent
GAME = outside.known()
RUN = {"game": "harbour_lights", "roll": "run", "skill": 2, "peril": 1, "left": 1}
DEED = ["blank", "blank", "star", "star", "star+star", "rope", "star+rope", "rope+rope"]
PERIL = ["blank", "wave", "wave", "wave+wave", "gull", "wave+gull"]
MO = GAME.sheet(name="Mo", skill=3)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Where the package is installed."""
    return outside.installed(tmp_path_factory.mktemp("harbour"))


def command(site, *arguments, status=0):
    """What `rollwright` prints in a fresh Python that has the package."""
    path = os.pathsep.join(map(str, [site, ROOT / "src"]))
    done = subprocess.run(
        [sys.executable, "-m", "rollwright.cli", *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert status == done.returncode, done.stderr
    return done.stderr if status else done.stdout


def chance_through(again):
    """The chance that two deed dice beat one peril die, counted side by side."""
    ways = 0
    for *first, peril, one, other in product(DEED, DEED, PERIL, DEED, DEED):
        faces = list(first)
        if again:
            faces = [new if old == "blank" else old for old, new in zip(first, (one, other))]
        ways += sum(face.count("star") for face in faces) > peril.count("wave")
    return Fraction(ways, 8**4 * 6)


@pytest.mark.parametrize(("policy", "again"), [("calm", False), ("stubborn", True)])
def test_symbols_cancel_each_other_exactly(policy, again):
    """HARBOUR R1 to R3 under its own policies, against every side of every die."""
    assert chance_through(again) == rw.odds(RUN, policy).p(lambda end: end.stars > 0)


@pytest.mark.long
def test_installed_it_is_played_on_the_command_line(site):
    """Faces are typed as the words they are; odds are those of every side of every die."""
    assert "harbour_lights" in command(site, "games")
    options = ["run", "--skill", "2", "--peril", "1", "--faces", "star+star,rope,wave"]
    assert "1 star is left." in command(site, "roll", "harbour_lights", *options)
    through = ["--left", "1", "--policy", "stubborn", "--where", "stars >= 1", "--json"]
    counted = json.loads(command(site, "odds", "harbour_lights", *options[:5], *through))
    assert str(chance_through(again=True)) == counted["chance"]


def test_an_opponent_is_advised_against_whoever_rolls():
    """HARBOUR R6: with two stars against one die they stand, and best play counts on that.

    One die in eight shows two stars, and none shows more: to beat two is out of reach.
    """
    duel = {"game": "harbour_lights", "roll": "duel", "skill": 1, "theirs": 1}
    assert 0 < rw.odds(duel, "best:win").p(lambda end: end.margin > 0) < 1
    thrown = rw.roll(duel, faces=["star+star"])
    found = answer("advise", {"transcript": thrown.to_plain(), "goal": "win", "seat": "opponent"})
    assert ("stand", True) == (found["best"], found["matters"])
    said = [(one["option"], one["best"], one["less"]["exact"]) for one in found["options"]]
    assert [("stand", True, "0"), ("give way", False, "1")] == said
    assert "other side’s goal" in found["why"]
    before = answer("advise", {"request": duel, "goal": "win"})
    assert {"stand"} == {line["choose"] for line in before["lines"]}


def test_it_is_told_in_the_language_of_the_reader():
    """The same roll in both languages, with the plurals of each."""
    rolled = rw.roll(RUN, faces=["star+star", "star+rope", "wave+gull"])
    told = [GAME.tell(rolled.request, rolled, language) for language in ("en", "de")]
    english, german = "2 stars are left. A gull cries.", "2 Sterne bleiben. Eine Möwe schreit."
    assert [english, german] == told


def test_a_roll_without_house_rules_says_so(site):
    """Its requests have no field for them; asked for all the same, that is refused."""
    run = ["odds", "harbour_lights", "run", "--skill", "2"]
    said = command(site, *run, "--house", "odd=yes", status=2)
    assert "house rules change nothing in this roll" in said
    assert "skill" in command(site, *run, "--vary", "skill=1..2")


def test_its_words_are_complete_and_go_with_it(site):
    """Every message in both languages, also in what was installed."""
    assert [] == problems_in(GAME.words.sources[0])
    for language in ("en", "de"):
        lies = Path("harbour_lights", "words", f"{language}.json")
        assert (site / lies).read_bytes() == (outside.PACKAGE / lies).read_bytes()


def test_each_kind_of_roll_has_its_own_goal_and_policy():
    """What is wanted of a run is no goal of a duel."""
    said = answer("describe", {"game": "harbour_lights"})
    rolls = said["card"]["rolls"]
    assert ("through", "stubborn") == (rolls["run"]["goal"], rolls["run"]["policy"])
    assert ("win", "calm") == (rolls["duel"]["goal"], rolls["duel"]["policy"])
    assert ["calm", "stubborn"] == [one["value"] for one in rolls["run"]["policies"]]
    through = rw.roll(RUN, faces=["star", "rope", "wave"]).outcome
    assert False is GAME.card.is_good(GAME.request("run", skill=2), through)


def test_it_says_what_its_tables_share_and_who_plays_which_part():
    """For programs: the fields with their bounds, as those of a sheet."""
    said = answer("describe", {"game": "harbour_lights"})
    shared = {one["name"]: one["would_do"] for one in said["shared"]["fields"]}
    assert {"light": "0 to 6", "alarm": "0 to 10"} == shared
    rolls = said["card"]["rolls"]
    assert (["helper"], ["opponent"]) == (rolls["run"]["roles"], rolls["duel"]["roles"])
    assert answer("describe", {"game": "dust"})["shared"] is None


@pytest.mark.long
def test_prices_are_its_own():
    """What a run costs is counted by the fields it names, in the unit it says."""
    said = answer("describe", {"game": "harbour_lights"})["card"]["prices"]
    assert {"unit": "amount", "said": ["price.light"]} == said["light"]
    preview = answer("preview", {"request": RUN, "policy": "stubborn"})
    costs = {one["name"]: one["exact"] for one in preview["costs"]}
    blank = 1 - Fraction(3, 4) ** 2
    assert {"light": str(blank), "gulls": "1/3"} == costs


def test_an_option_is_one_thing_and_its_label_another():
    """Chosen is the rule's own word; what people read is a message that says what it leads to."""
    rolled = rw.roll(RUN, faces=["blank", "star", "wave"])
    again = GAME.card.offered(rolled.request, rolled, "again")
    words = words_of("harbour_lights")
    assert "again" in rolled.step.options
    assert ("Throw the blanks again", "Leere Würfel noch einmal") == (
        words.say(again.label.plain),
        words.say(again.label.plain, "de"),
    )
    assert "for one light of the table" == words.say(again.leads.plain)


def controls(answer):
    """The controls of a form by their paths."""
    return {one["at"]: one for one in answer["form"] if "at" in one}


PEOPLE = (Person("@s3", "Lise", GAME.sheet(skill=4)), Person("@n1", "Customs"))


def test_a_form_asks_who_plays_a_part():
    """Picking somebody may bring along what their sheet says; picking nobody takes it back."""
    pick = controls(form_of(GAME, {"roll": "duel"}, MO, None, PEOPLE))["roles.opponent"]
    assert ("pick", ["label.opponent"], None) == (pick["control"], pick["label"], pick["value"])
    assert [
        {"value": None, "label": ["role.opponent.none"], "set": {"set.theirs": None}},
        {"value": "s3", "label": "Lise", "set": {"set.theirs": 4}},
        {"value": "n1", "label": "Customs", "set": {"set.theirs": None}},
    ] == pick["options"]
    draft = {"roll": "duel", "set": {"theirs": 4}, "roles": {"opponent": "s3"}}
    answer = form_of(GAME, draft, MO, None, PEOPLE)
    assert ("s3", 4) == (
        controls(answer)["roles.opponent"]["value"],
        answer["request"]["theirs"],
    )
    alone = controls(form_of(GAME, {"roll": "duel"}, MO, None))
    assert "roles.opponent" not in alone


def test_a_game_without_a_form_of_its_own_asks_for_its_parts_too(monkeypatch):
    """`RollCard(roles=…)` is enough: the usual form has a control for each."""
    plain = Card()
    plain.game = GAME
    monkeypatch.setattr(GAME, "card", plain)
    monkeypatch.setattr(Card, "rolls", {"run": RollCard(roles=("helper", "judge"))})
    asked = controls(form_of(GAME, {"roll": "run"}, None, None, PEOPLE))
    assert {"roles.helper", "roles.judge", "set.skill", "set.light"} <= asked.keys()
    assert ("Judge", ["form.nobody"]) == (
        asked["roles.judge"]["label"],
        asked["roles.judge"]["options"][0]["label"],
    )


def test_whoever_plays_a_part_is_told_with_the_character():
    """By the character's name, with that of the person beside it where it is another."""
    people = (Person("@s2", "Lise", GAME.sheet(name="Lise"), "Dora"), Person("@s3", "Mo", MO))
    pick = controls(form_of(GAME, {"roll": "duel"}, MO, None, people))["roles.opponent"]
    told = [(one["label"], one.get("note")) for one in pick["options"][1:]]
    assert [("Lise", "Dora"), ("Mo", None)] == told


def test_a_draft_is_filled_from_what_is_shared():
    """Without a table it begins as the game says; a form goes by what is left."""
    assert 3 == request_of(GAME, {"roll": "run"}, MO, None).left
    short = GAME.shared(light=1)
    burnt = {"roll": "run", "set": {"light": 1}}
    assert 0 == request_of(GAME, burnt, MO, None, shared=short).left
    with pytest.raises(rw.RollwrightError, match="1 light"):
        request_of(GAME, {"roll": "run", "set": {"light": 2}}, MO, None, shared=short)


def test_what_is_shared_is_shown_by_its_fields_in_the_words_of_the_game():
    """Tracks with labels of the catalog; a card of the game's own may show it otherwise."""
    shown = shared_sheet_to_json(GAME, GAME.shared(), by_referee=True)["widgets"]
    tracks = [("track", 3, 6, ["label.light"]), ("track", 0, 10, ["label.alarm"])]
    assert tracks == [(w["widget"], w["value"], w["most"], w["label"]) for w in shown]
    sheet = sheet_to_json(GAME, MO)["widgets"]
    assert [["label.skill"], ["label.nerve"], ["label.tired"]] == [w["label"] for w in sheet]


def test_every_sign_of_a_face_is_marked():
    """Several signs on a face, each as often as it counts, in place of a number."""
    marks = form_of(GAME, {"roll": "run"}, MO, None)["marks"]
    assert (["star", "rope"], True) == tuple(
        marks["deed"]["star+rope"][key] for key in ("symbols", "alone")
    )
    assert ["wave", "wave"] == marks["peril"]["wave+wave"]["symbols"]
    assert "symbols" not in marks["deed"]["blank"]
    assert {*marks["deed"]["star+star"]["symbols"]} <= GAME.card.icons.keys()


def test_what_was_rolled_is_stored_and_found_true():
    """Symbols go to JSON and back."""
    rolled = rw.roll(RUN, faces=["star+rope", "rope", "wave+gull"])
    stored = json.loads(rolled.to_json())
    assert rolled.outcome == rw.verify(stored).outcome == (0, 2, 1, 0)
