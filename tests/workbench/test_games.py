"""Games at the workbench: typed in, asked, rolled, exported; and requests as code."""

import ensurepip
import importlib
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from rollwright import workbench
from rollwright.budget import Budget
from rollwright.engine.values import find_by_name
from rollwright.errors import BadField, RollwrightError, UnknownName
from rollwright.gamecheck.samples import samples_of
from rollwright.kit.games import find_game, own_games
from rollwright.kit.requests import to_plain
from rollwright.workbench.programs import load

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto" / "write-a-game.md").read_text("utf-8")
FERRY = "\n\n".join(re.findall(r"^```python\n(.*?)^```", PAGE.split("## Try it")[0], re.M | re.S))
"""The game of the how-to, as somebody types it in."""
SHEETED = FERRY.replace(
    "game = Game(",
    '''
from rollwright.kit import Effect
from rollwright.kit.card import Card
from rollwright.kit.fields import made
from rollwright.kit.sheets import adds, applying, filling, mine
from rollwright.kit.widgets import act, number, track


class Boat(Value):
    """A boat, and how full it is."""

    name: str = field(default="", help="what it is called", most=40)
    oars: int = field(default=4, help="how many row", low=1, high=8)
    water: int = field(default=0, help="how full it is", low=0, high=9)


class Deck(Card):
    """The boat: a tap on its oars rows."""

    def sheet(self, boat):
        yield number("oars", boat.oars, "Oars", low=1, high=8, begins={"roll": "cross"})
        yield track("water", boat.water, 9, "Water")
        yield act("Bail", "bail", amount=-1, off="" if boat.water else "it is dry")


def leaks(trip, end):
    """A trip lets some water in, and every leak more."""
    return [Effect("leak", 1 + end.leaks)]


game = Game(
    sheet=Boat,
    card=Deck(),
    effects=leaks,
    apply=applying({"leak": mine(adds("water", high=9)), "bail": mine(adds("water", low=0))}),
    from_sheet=filling({"cross": lambda boat, more: made(Cross, {"oars": boat.oars} | more)}),''',
)
"""The same with the sheet of the how-to, and a card that begins its roll."""
TRIP = {"game": "night_ferry", "roll": "cross", "oars": 4, "width": 3}


def asked(kind, **question):
    """A question about the game that was typed in."""
    found = workbench.answer(kind, {"program": FERRY, **question})
    assert found == json.loads(json.dumps(found))
    return found


def test_the_game_of_the_how_to_works_typed_in():
    """Nothing is wrong with it, and it is listed with its rolls; its rule is no rule apart."""
    found = workbench.answer("program", {"text": FERRY})
    assert ([], []) == (found["problems"], found["rules"])
    (game,) = found["games"]
    assert ("night_ferry", ["cross"]) == (game["name"], [one["roll"] for one in game["rolls"]])


def test_a_game_that_was_typed_in_has_form_odds_and_rolls():
    """As any other: a form, 1/9 to cross without rowing on (as the how-to counts it), a roll."""
    form = asked("form", game="night_ferry", draft={"roll": "cross"})
    assert "set.oars" in [control["at"] for control in form["form"]]
    odds = asked("odds", request=TRIP, policy="never", where="across")
    assert Fraction(1, 9) == Fraction(odds["chance"])
    rolled = asked("roll", request=TRIP, faces=[5, 1, 2, 6])
    assert ["rest", "row on"] == [one["option"] for one in rolled["step"]["options"]]
    done = asked("roll", transcript=rolled["transcript"], option="row on", faces=[1, 5])
    told = "The oars show 5 1 2 6, then 1 5: 3 strokes, leaks 1, across."
    assert told == done["told"]
    assert "row on" in json.dumps(asked("advise", request=TRIP, goal="dry")["calls"])


def boat(**question):
    """The sheet of the boat that was typed in."""
    return workbench.answer("sheet", {"program": SHEETED, "game": "night_ferry", **question})


def test_every_game_with_a_sheet_has_one_to_begin_with():
    """As its first character, or as nothing is said; a game without one says so."""
    for name in [name for name in own_games() if find_game(name).sheet is not None]:
        assert workbench.answer("sheet", {"game": name})["widgets"]
        assert workbench.answer("chances", {"game": name})["chances"]
    with pytest.raises(BadField):
        asked("sheet", game="night_ferry")


def test_a_sheet_is_changed_as_at_a_table():
    """By hand, by an effect of the game, and refused where a table refuses it."""
    new = boat()
    assert {"name": "", "oars": 4, "water": 0} == new["values"]
    more = boat(sheet=new["values"], command={"do": "sheet.change", "values": {"water": 5}})
    assert 5 == more["values"]["water"]
    bail = {"do": "sheet.apply_effect", "kind": "bail", "amount": -1}
    bailed = boat(sheet=more["values"], command=bail)
    assert 4 == bailed["values"]["water"]
    for wrong in (
        {"do": "sheet.change", "values": {"oars": 9}},
        {"do": "sheet.apply_effect", "kind": "laek", "amount": 1},
        {"do": "table.change", "title": "mine"},
        {},
    ):
        with pytest.raises(RollwrightError):
            boat(sheet=new["values"], command=wrong)


def test_rolls_are_filled_from_the_sheet_and_change_it():
    """Three oars row; the trip and a leak let two in, and an open roll changes nothing."""
    sheet = {"oars": 3, "water": 1}
    about = {"program": SHEETED, "game": "night_ferry", "draft": {"roll": "cross"}, "sheet": sheet}
    assert 3 == workbench.answer("form", about)["request"]["oars"]
    rolled = workbench.answer("roll", {**about, "faces": [5, 1, 2]})
    assert 1 == boat(sheet=sheet, transcript=rolled["transcript"])["values"]["water"]
    more = {"transcript": rolled["transcript"], "option": "row on", "faces": [1, 5]}
    done = workbench.answer("roll", {"program": SHEETED, **more})
    after = boat(sheet=sheet, transcript=done["transcript"])
    assert 3 == after["values"]["water"]
    assert [True] == [effect["applied"] for effect in after["effects"]]


def test_the_rolls_that_a_sheet_begins_have_their_chances():
    """Four oars across two strokes: 77 %, as the how-to counts it."""
    question = {"program": SHEETED, "game": "night_ferry", "sheet": {"oars": 4}}
    found = workbench.answer("chances", question)
    assert boat(sheet={"oars": 4})["hash"] == found["hash"]
    (row,) = found["chances"]
    assert ({"roll": "cross"}, "77%") == (row["begins"], f"{row['chance']['number']:.0%}")


def test_a_game_is_forgotten_with_its_program():
    """The next program knows nothing of the last one."""
    workbench.answer("program", {"text": FERRY})
    workbench.answer("program", {"text": "2d6"})
    with pytest.raises(UnknownName):
        workbench.answer("describe", {"game": "night_ferry"})


def test_a_game_of_that_name_is_refused_at_its_line():
    """A name that a game of Rollwright's own has cannot be taken."""
    text = FERRY.replace('name="night_ferry"', f'name="{own_games()[0]}"')
    (problem,) = workbench.answer("program", {"text": text})["problems"]
    assert "game = Game(" == text.splitlines()[problem["line"] - 1]


def pip():
    """The pip that comes with Python itself."""
    (wheel,) = (Path(ensurepip.__file__).parent / "_bundled").glob("pip-*.whl")
    return [sys.executable, str(wheel / "pip"), "--isolated", "--disable-pip-version-check"]


def ran(*command, **how):
    """What a command printed, which went well."""
    done = subprocess.run([*command], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_game_is_exported_as_a_package(tmp_path):
    """pip installs it, `rollwright check` finds it by its name and sound, and its test passes."""
    source, there = tmp_path / "source", tmp_path / "there"
    for path, content in workbench.package(SHEETED).items():
        file = source / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    alone = ("--no-index", "--no-deps", "--no-build-isolation", "--target", str(there))
    ran(*pip(), "install", "--quiet", *alone, str(source))
    env = {**os.environ, "PYTHONPATH": str(there)}
    checked = ran(sys.executable, "-m", "rollwright", "check", "night_ferry", env=env, cwd=tmp_path)
    assert "night_ferry" in checked
    own = "from test_night_ferry import test_the_game_is_sound as its_own; its_own()"
    ran(sys.executable, "-c", own, cwd=source / "tests", env=env)


def test_of_several_games_one_is_exported():
    """By its name; one that is not there is refused with those that are."""
    question = {"text": FERRY, "game": "night_ferry"}
    assert "night_ferry" == workbench.answer("package", question)["name"]
    with pytest.raises(UnknownName):
        workbench.answer("package", {**question, "game": "day_ferry"})


def test_an_export_imports_the_words_that_a_program_has_anyway(tmp_path, monkeypatch):
    """What needed no import gets one, what only shows is left out, a docstring stays first."""
    text = '"""A boat."""\n' + re.sub(
        r"^from rollwright[^(]*?(\(.*?\))?$", "", FERRY, flags=re.M | re.S
    )
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("from "))
    bare = bare.replace("trip: Any", "trip: object").replace("transcript: Transcript", "transcript")
    shows = f"4d6kh3\n{bare}\nrw.odds(4 * D6)\n"
    content = workbench.package(shows)["night_ferry/__init__.py"]
    assert "rw.odds" not in content
    assert "from rollwright.rules import choose, roll, rule" in content
    (tmp_path / "night_ferry_again.py").write_text(content, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert "Night Ferry" == importlib.import_module("night_ferry_again").game.title


@pytest.mark.parametrize("text", ["2d6", "game = 1", "x = (", "game = Game()"])
def test_what_is_no_game_is_not_exported(text):
    """A program without one, or with something wrong, says so."""
    with pytest.raises(BadField):
        workbench.package(text)


@pytest.mark.parametrize("name", own_games())
def test_a_request_as_code_comes_to_the_same(name):
    """Every kind of roll of every game: the program makes the very request, and shows it."""
    game = find_game(name)
    for roll in game.requests:
        request = samples_of(game, roll)[0].request
        text = workbench.code_for(to_plain(request))
        cheap = "\n".join(line for line in text.splitlines() if not line.startswith("rw."))
        loaded = load(cheap, Budget())
        assert [] == loaded.problems
        assert request in vars(loaded.module).values()


def test_dice_and_rules_as_code():
    """Dice are a line, and a rule of the program is called as it is."""
    assert "4d6kh3\n" == workbench.code_for({"expression": "4d6kh3"})
    rule = "@rule\nasync def shots(dice: int = 3) -> int:\n    return await tally(dice * D6)\n"
    workbench.answer("program", {"text": rule})
    request = {"game": "program", "roll": "shots", "dice": 5}
    assert "shots(dice=5)\nrw.roll(shots(dice=5))\n" == workbench.code_for(request)


def test_a_game_called_like_another_takes_nothing_from_it():
    """Types and rules of the games that are there are found again after such a program."""
    outcome = find_game("dust").requests["roll"].outcome
    assert asked("program", text=FERRY.replace("night_ferry", "dust"))["problems"]
    assert outcome is find_by_name("dust:Rolled", "type")
