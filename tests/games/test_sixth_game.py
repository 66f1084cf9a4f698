"""A game from outside the package: installed by its entry point, it has everything ours have."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = Path(__file__).parent / "sixth_game"
MODULE = PACKAGE / "night_ferry" / "__init__.py"
HOWTO = ROOT / "docs" / "howto" / "write-a-game.md"
BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
TRIP = {"game": "night_ferry", "roll": "cross", "oars": 3, "width": 2}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which the package's wheel was built and unpacked, without any network."""
    work = tmp_path_factory.mktemp("sixth")
    shutil.copytree(PACKAGE, work / "source", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [sys.executable, "-c", BUILD, work], cwd=work / "source", check=True, capture_output=True
    )
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "site")
    return work / "site"


def run(code, *places):
    """What a fresh Python prints as JSON, with these folders to import from."""
    path = os.pathsep.join(map(str, [*places, ROOT / "src"]))
    script = f"import json, rollwright as rw\ntrip = {TRIP!r}\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def test_without_the_package_nobody_knows_the_game():
    """Nothing in Rollwright names the game: it is not listed, and its requests are refused."""
    code = """
try:
    rw.odds(trip)
except rw.RollwrightError as problem:
    print(json.dumps([list(rw.list_games()), str(problem)]))
"""
    games, problem = run(code)
    assert "night_ferry" not in games
    assert "there is no game 'night_ferry'" in problem


def test_once_installed_it_is_listed(installed):
    """`rollwright.list_games()` names it beside our own."""
    games = run("print(json.dumps(rw.list_games()))", installed)
    assert {"night_ferry", "ghostburn", "twilight2000"} <= set(games)


def test_its_requests_have_a_schema(installed):
    """The JSON Schema comes from the request: fields, ranges, defaults, house rules."""
    code = """
from rollwright.kit import find_game, schema_of
print(json.dumps(schema_of(find_game("night_ferry").requests["cross"])))
"""
    schema = run(code, installed)
    assert ["game", "roll", "oars"] == schema["required"]
    assert {"const": "night_ferry"} == schema["properties"]["game"]
    assert (1, 8) == tuple(schema["properties"]["oars"][edge] for edge in ("minimum", "maximum"))
    assert "six_is_two" in schema["properties"]["house"]["properties"]


def chance_across(row_on, six_is_two=False):
    """The chance that three oars make two strokes, counted face by face."""
    worth = [0, 0, 0, 0, 1, 2 if six_is_two else 1]
    ways = 0
    for faces in product(range(6), repeat=6):
        first, again = faces[:3], faces[3:]
        strokes = sum(worth[face] for face in first)
        if strokes < 2 and row_on:
            strokes += sum(worth[new] for old, new in zip(first, again) if not worth[old])
        ways += strokes >= 2
    return Fraction(ways, 6**6)


@pytest.mark.parametrize("policy", ["never", "if-short"])
@pytest.mark.parametrize("six_is_two", [False, True])
def test_its_odds_are_exact(installed, policy, six_is_two):
    """Odds under its own policies and house rules equal a count of every face."""
    code = f"""
odds = rw.odds({{**trip, "house": {{"six_is_two": {six_is_two}}}}}, {policy!r})
print(json.dumps(str(odds.of("across").p(True))))
"""
    assert str(chance_across(policy == "if-short", six_is_two)) == run(code, installed)


def test_it_gives_advice(installed):
    """Best play for its default goal rows on when short; its other goal may say otherwise."""
    code = """
advice = rw.advise(trip)
here = rw.advise(rw.roll(trip, faces=[1, 2, 5]), "dry")
print(json.dumps([str(advice.value), here.best, [str(worth.value) for worth in here.options]]))
"""
    value, best, worths = run(code, installed)
    assert str(chance_across(row_on=True)) == value
    assert "row on" == best
    assert [str(Fraction(20, 36) - Fraction(2, 24)), "0"] == worths


def test_it_is_rolled_live(installed):
    """A seed settles a roll, typed faces are taken, and a roll stops where the crew must choose."""
    code = """
seeded = [rw.roll(trip, seed=7, policy="if-short").outcome for _ in range(2)]
typed = rw.roll(trip, faces=[1, 2, 5])
print(json.dumps([seeded[0] == seeded[1], typed.is_done, typed.step.by, typed.step.options]))
"""
    assert [True, False, "crew", ["rest", "row on"]] == run(code, installed)


def test_its_transcripts_are_stored_and_told(installed):
    """A transcript goes to JSON and back in another process, and is told in the game's words."""
    code = """
print(rw.roll(rw.roll(trip, faces=[1, 2, 5]).choose("row on"), faces=[1, 6]).to_json())
"""
    stored = run(code, installed)
    code = f"""
from rollwright.kit import find_game
again = rw.verify({stored!r})
told = find_game("night_ferry").tell(again.request, again)
print(json.dumps([json.loads(again.to_json()), told]))
"""
    again, told = run(code, installed)
    assert stored == again
    assert "The oars show 1 2 5, then 1 6: 2 strokes, leaks 1, across." == told


def test_a_false_transcript_is_refused(installed):
    """A face that no D6 shows is met with its place."""
    code = """
plain = rw.roll(trip, faces=[1, 2, 5]).to_plain()
plain["answers"][0]["faces"][2] = 7
try:
    rw.verify(plain)
except rw.RollwrightError as problem:
    print(json.dumps(problem.place))
"""
    assert "answers[0].faces[2]" == run(code, installed)


def test_its_house_rules_are_measured(installed):
    """Every reading with the number it comes to."""
    code = """
from rollwright.kit import find_game, measured_house
(rule,) = measured_house(find_game("night_ferry"))
print(json.dumps([rule.name, [[says, str(number)] for _, says, number in rule.readings]]))
"""
    name, readings = run(code, installed)
    assert "six_is_two" == name
    assert [["a 6 is one stroke", "1675/2187"], ["a 6 is two strokes", "5665/6561"]] == readings


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"oars": 9}, "oars: 9 is too high (FERRY R1); 1 to 8 would do"),
        ({"house": {"six_is_three": True}}, "did you mean 'six_is_two'?"),
        ({"roll": "crss"}, "did you mean 'cross'?"),
    ],
)
def test_bad_requests_are_refused(installed, fields, problem):
    """A refusal names the field, the rule and what would do, as in our own games."""
    code = f"""
try:
    rw.odds({{**trip, **{fields!r}}})
except rw.RollwrightError as problem:
    print(json.dumps(str(problem)))
"""
    assert problem in run(code, installed)


def command(*arguments, site):
    """What `rollwright` prints in a fresh Python that has the package."""
    done = subprocess.run(
        [sys.executable, "-m", "rollwright.cli", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [site, ROOT / "src"]))},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.long
def test_the_command_line_lists_and_explains_it(installed):
    """`rollwright games` has it, and its options come from its request."""
    assert "night_ferry" in command("games", site=installed)
    explained = command("games", "night_ferry", site=installed)
    assert all(word in explained for word in ("cross", "if-short", "dry", "six_is_two"))
    shown = command("odds", "night_ferry", "cross", "--help", site=installed)
    assert "--oars N" in shown
    assert "How many row (1 to 8; required; FERRY R1)" in " ".join(shown.split())


def test_the_command_line_counts_it(installed):
    """Options, policy, house rule and event, to the same fraction as every face counted."""
    words = ["night_ferry", "cross", "--oars", "3", "--house", "six_is_two=yes"]
    options = ["--policy", "if-short", "--where", "across", "--json"]
    found = json.loads(command("odds", *words, *options, site=installed))
    assert str(chance_across(row_on=True, six_is_two=True)) == found["chance"]


@pytest.mark.long
def test_the_command_line_rolls_advises_and_verifies_it(installed, tmp_path):
    """A roll is saved at its choice, advised on, taken up and found true."""
    file = str(tmp_path / "trip.json")
    trip = ["night_ferry", "--oars", "3", "--faces", "1,2,5", "--save", file]
    assert "row on" in command("roll", *trip, site=installed)
    assert "Best: row on" in command("advise", file, site=installed)
    on = ["--choose", "row on", "--faces", "1,6", "--save", file]
    assert "across." in command("roll", "--resume", file, *on, site=installed)
    assert command("verify", file, site=installed).startswith("True. The oars show 1 2 5")


def fences(language):
    """The fenced blocks of the how-to in one language."""
    text = HOWTO.read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def lines(text):
    """The lines of a text that are not blank."""
    return [line for line in text.splitlines() if line.strip()]


def test_the_how_to_builds_this_very_game():
    """What the page shows, block by block, is the package that was installed above."""
    assert lines(MODULE.read_text("utf-8")) == lines("\n".join(fences("python")))
    assert [(PACKAGE / "pyproject.toml").read_text("utf-8")] == fences("toml")


def is_rules(node):
    """Whether a statement of the module is part of the rules: no import, no card at the end."""
    if isinstance(node, ast.Assign):
        return ["game"] != [getattr(target, "id", "") for target in node.targets]
    return not isinstance(node, (ast.Import, ast.ImportFrom))


def test_the_rules_take_fewer_than_60_lines():
    """Request, house rule, outcome, rule, policy, goal, words and rulebook, without docstrings."""
    text = MODULE.read_text("utf-8")
    statements = [node for node in ast.parse(text).body if is_rules(node)]
    docstrings = {
        number
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for number in range(node.lineno, node.end_lineno + 1)
    }
    counted = {
        number
        for node in statements
        for first in [min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])]
        for number in range(first, node.end_lineno + 1)
        if text.splitlines()[number - 1].strip() and number not in docstrings
    }
    assert 50 < len(counted) < 60


def test_the_guidance_of_the_game_is_shown(installed):
    """FERRY R4 is advice to people and stands in the description of the request's form."""
    code = """
from rollwright.kit import find_game, schema_of
ferry = find_game("night_ferry")
print(json.dumps([ferry.rulebook["R4"], schema_of(ferry.requests["cross"])["description"]]))
"""
    (text, guidance), description = run(code, installed)
    assert guidance
    assert text in description
