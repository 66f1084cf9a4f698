"""The games' own questions as data: each from the command line and over HTTP, with one answer."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.kit import fields_of, find_game
from rollwright.queries import answer
from rollwright.queries.games import main_argument, to_json
from tests.cli.running import ROOT, rollwright
from tests.queries.asked import arguments

ASKED = arguments()
EVERY = [(game, name) for game, questions in ASKED.items() for name in questions]


def test_every_question_of_every_game_is_asked_here():
    """A question that is added to a game is asked by these tests too."""
    known = {name: set(find_game(name).questions) for name in rw.list_games()}
    assert known == {game: set(questions) for game, questions in ASKED.items()}


@pytest.mark.parametrize(("game", "name"), EVERY, ids=lambda word: word)
def test_command_line_and_http_answer_alike(api, tmp_path, game, name):
    """The same arguments, from a file and as a body, get the same answer: the function's own."""
    plain = ASKED[game][name]
    file = tmp_path / "arguments.json"
    file.write_text(json.dumps(plain), "utf-8")
    done = rollwright("ask", game, name.replace("_", "-"), "--from", file, "--json")
    assert (0, "") == (done.code, done.err)
    over_http = api.post(f"/games/{game}/ask/{name}", json=plain)
    assert over_http.status_code == 200, over_http.text
    question = find_game(game).questions[name]
    own = to_json(question.ask(plain), question.answers_with)
    assert json.loads(done.out) == over_http.json()
    assert json.loads(done.out)["answer"] == json.loads(json.dumps(own))


@pytest.mark.parametrize(("game", "name"), EVERY, ids=lambda word: word)
def test_every_answer_can_be_read(tmp_path, game, name):
    """In words it has the title of the question and a line or a table, and no trace of JSON."""
    file = tmp_path / "arguments.json"
    file.write_text(json.dumps(ASKED[game][name]), "utf-8")
    done = rollwright("ask", game, name.replace("_", "-"), "--from", file)
    assert 0 == done.code, done.err
    title = find_game(game).questions[name].title
    assert " ".join(done.out.split()).startswith(" ".join(title.split()))
    assert len(done.out.splitlines()) > 1
    assert "{" not in done.out.removeprefix(title)


@pytest.mark.parametrize(("game", "name"), EVERY, ids=lambda word: word)
def test_every_argument_has_an_option(game, name):
    """The help of a question names each argument, and each field of what it is about."""
    question = find_game(game).questions[name]
    shown = rollwright("ask", game, name.replace("_", "-"), "--help").out
    main = main_argument(question)
    about = main[0] if main is not None else ""
    for argument in question.arguments:
        if argument != about:
            assert f"--{argument.replace('_', '-')}" in shown
    if main is not None and len(main[1]) == 1:
        (kind,) = main[1].values()
        assert all(field.replace("_", "-") in shown for field in fields_of(kind))


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        (
            "twilight2000 how-many-ammo-dice --attribute B --skill C --rate-of-fire 3",
            {"request": {"attribute": "B", "skill": "C", "rate_of_fire": 3}},
        ),
        (
            "twilight2000 should-push skill --attribute B --skill C --faces 3,2 --need 2",
            {
                "request": {**ASKED["twilight2000"]["my_chances"]["request"]},
                "faces": [3, 2],
                "need": 2,
            },
        ),
        (
            "dust rolls-until --pool 5 --roll-adrenaline 3 --adrenaline 8",
            {"roll": {"pool": 5, "adrenaline": 3}, "adrenaline": 8},
        ),
        (
            "dust spend-now --pool 7 --later pool=2 --later pool=3,need=2 --adrenaline 1",
            {"now": {"pool": 7}, "later": [{"pool": 2}, {"pool": 3, "need": 2}], "adrenaline": 1},
        ),
        (
            "dust botch-by-dice --difficulty 6 --most 3 --house minimum-pool=one",
            {"difficulty": 6, "most": 3, "house": {"minimum_pool": "one"}},
        ),
        (
            "twilight2000 how-long-it-lasts --attribute B --ammo-dice 2 --house jam-rule=ammo",
            {"request": {"attribute": "B", "ammo_dice": 2, "house": {"jam_rule": "ammo"}}},
        ),
        (
            "edge20 dc-table --dc 0 --chances 1/4,0.5",
            {"check": {"dc": 0}, "chances": ["1/4", "0.5"]},
        ),
        ("ghostburn fair-table --bonuses 0,5", {"bonuses": [0, 5]}),
    ],
)
def test_options_make_the_same_question(words, plain):
    """Options are made from the types of the function, and mean what the data means."""
    game, name, *_ = words.split()
    done = rollwright("ask", *words.split(), "--json")
    assert (0, "") == (done.code, done.err)
    question = {"game": game, "question": name, "arguments": plain}
    assert json.loads(done.out) == json.loads(json.dumps(answer("question", question)))


def test_a_saved_roll_is_asked_about(tmp_path):
    """An argument that is a roll takes the file that `--save` wrote."""
    file = tmp_path / "roll.json"
    file.write_text(json.dumps(ASKED["kleptonomicon"]["whom_to_help"]["transcript"]), "utf-8")
    done = rollwright("ask", "kleptonomicon", "chance-of-goal", "--transcript", file, "--goal", "6")
    assert (0, "") == (done.code, done.err)


def test_options_win_over_the_file(tmp_path):
    """A file gives what the options leave open, field by field."""
    file = tmp_path / "arguments.json"
    file.write_text(json.dumps({"check": {"modifier": 5, "dc": 10}}), "utf-8")
    done = rollwright("ask", "edge20", "tier-odds", "--from", file, "--dc", "15", "--json")
    own = find_game("edge20").questions["tier_odds"].ask({"check": {"modifier": 5, "dc": 15}})
    assert json.loads(done.out)["answer"] == to_json(own)


def test_the_questions_of_a_game_are_listed():
    """Every one with what it asks and what it takes."""
    done = rollwright("ask", "dust")
    assert 0 == done.code
    for name in find_game("dust").questions:
        assert name.replace("_", "-") in done.out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("", "say which game"),
        ("dsut", "there is no game 'dsut'; did you mean 'dust'"),
        ("dust chanses", "there is no question 'chanses'; did you mean 'chances'"),
        ("dust chances --pol 5", "there is no option '--pol' here; did you mean '--pool'"),
        ("dust chances --pool 99", "pool: 99 is too high"),
        ("dust botch-by-dice", "difficulty: is missing"),
        ("twilight2000 my-chances attack --faces 3", "there is no option '--faces'"),
        ("twilight2000 my-chances", "say which roll: my-chances skill"),
        ("twilight2000 my-chances dance", "there is no roll for this question 'dance'"),
        ("dust chances roll more", "'more' is one word too many"),
        ("edge20 another-bonus --bonuses 1 --new 2 --house tie=failure", "--house does not change"),
        (
            "ghostburn best-choice --ways nonsense",
            "ways: 'nonsense' came; names, each with fields such as ability",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(words, problem):
    """One line that says what came and what would do, and exit code 2."""
    done = rollwright("ask", *words.split())
    assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines()))
    assert problem in done.err


def test_http_refuses_by_name(api):
    """An unknown question is not found; arguments that do not fit are named."""
    missing = api.post("/games/dust/ask/chanses", json={})
    assert missing.status_code == 404
    assert "did you mean 'chances'" in missing.json()["error"]["message"]
    odd = {"request": {"roll": ["skill"], "attribute": "B"}}
    listed = api.post("/games/twilight2000/ask/my_chances", json=odd)
    assert (422, "request.roll") == (listed.status_code, listed.json()["error"]["field"])
    wrong = api.post("/games/dust/ask/chances", json={"roll": {"pool": 99}})
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "roll.pool")


def test_rows_of_an_answer_are_arguments_again():
    """Named fields, with numbers as answers have them, are read back as they were."""
    rows = (
        find_game("twilight2000")
        .questions["how_many_ammo_dice"]
        .ask(ASKED["twilight2000"]["how_many_ammo_dice"])
    )
    frontier = find_game("twilight2000").questions["frontier"]
    assert frontier.ask({"rows": json.loads(json.dumps(to_json(rows)))}) == frontier(rows)
    with pytest.raises(BadField, match=r"rows\[0\]\.damage: is missing"):
        frontier.ask({"rows": [{"ammo_dice": 1}]})
    with pytest.raises(BadField, match=r"rows\[0\]\.dmage: there is no such field; did you mean"):
        frontier.ask({"rows": [{"dmage": 1}]})


def test_answers_are_written_exactly():
    """Fractions exactly and nearly, odd keys as rows, fields by name."""
    assert to_json({Fraction(1, 2): None}) == [
        {"for": {"exact": "1/2", "number": 0.5}, "value": None}
    ]
    assert to_json(10**40) == {"int": str(10**40)}
    assert to_json(rw.odds("1d2")) == rw.odds("1d2").to_plain()


def test_questions_that_no_game_has():
    """The library refuses them as the command line does."""
    question: dict[str, Any] = {"game": "dust", "question": "why", "arguments": {}}
    with pytest.raises(UnknownName, match="there is no question 'why'"):
        answer("question", question)


COUNTS_NOTHING = {
    "edge20 another_bonus",
    "ghostburn bonus_or_avoid",
    "ghostburn how_near",
    "twilight2000 frontier",
    "twilight2000 modifier_table",
}
POOR = """
from rollwright.budget import Budget
from rollwright.errors import TooMuchWork
from rollwright.kit import find_game
from tests.queries.asked import arguments

for game, questions in arguments().items():
    for name, plain in questions.items():
        try:
            find_game(game).questions[name].ask(plain, budget=Budget(10))
            print(game, name)
        except TooMuchWork:
            pass
"""


def test_every_question_is_counted_on_the_budget_of_who_asks():
    """With ten steps of work all are refused, but for those that need no count.

    In a fresh process, since what was counted once is known.
    """
    done = subprocess.run([sys.executable, "-c", POOR], capture_output=True, text=True, cwd=ROOT)
    assert COUNTS_NOTHING == set(done.stdout.split("\n")) - {""}, done.stderr
