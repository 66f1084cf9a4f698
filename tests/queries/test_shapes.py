"""The command line prints with `--json` what every other surface answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rollwright as rw
from rollwright.queries import answer
from tests.cli.running import rollwright

SKILL = "twilight2000 skill --attribute B --skill C"
REQUEST = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
CHECK = "ghostburn roll --ability 3 --dl Hard"
CHECK_PLAIN = {"game": "ghostburn", "roll": "roll", "ability": 3, "dl": "Hard"}

SHAPES: list[tuple[str, str, dict[str, Any]]] = [
    ("games", "describe", {}),
    ("games dust", "describe", {"game": "dust"}),
    ("odds 4d6kh3", "odds", {"expression": "4d6kh3"}),
    ("odds 1d20+@a --set a=2", "odds", {"expression": "1d20+@a", "variables": {"a": 2}}),
    (
        f"odds {SKILL} --policy if-failed --of successes",
        "odds",
        {"request": REQUEST, "policy": "if-failed", "of": ["successes"]},
    ),
    (
        f"odds {SKILL} --where successes>0 --of ones",
        "odds",
        {"request": REQUEST, "where": "successes>0", "of": "ones"},
    ),
    ("odds 2d6 --where >=10", "event", {"expression": "2d6", "where": ">=10"}),
    (
        "compare 2d20kh1 1d20+2",
        "compare",
        {"rolls": [{"expression": "2d20kh1"}, {"expression": "1d20+2"}]},
    ),
    (
        f"compare {SKILL} --policy never --policy if-failed --of successes",
        "compare",
        {
            "rolls": [
                {"request": REQUEST, "policy": name, "name": f"policy {name}"}
                for name in ("never", "if-failed")
            ],
            "of": ["successes"],
        },
    ),
    (
        f"odds {SKILL} --vary modifier=-1..1",
        "curve",
        {"request": REQUEST, "vary": {"field": "modifier", "values": [-1, 0, 1]}},
    ),
    (
        "odds (@n)d6 --vary n=1..3 --where >=6",
        "curve",
        {"expression": "(@n)d6", "vary": {"field": "n", "values": [1, 2, 3]}, "where": ">=6"},
    ),
    (
        f"odds {SKILL} --vary helpers=0..1 --vary modifier=0,1 --policy never --of ones",
        "map",
        {
            "request": REQUEST,
            "vary": [
                {"field": "helpers", "values": [0, 1]},
                {"field": "modifier", "values": [0, 1]},
            ],
            "policy": "never",
            "of": "ones",
        },
    ),
    (f"advise {CHECK}", "advise", {"request": CHECK_PLAIN}),
    (f"advise {CHECK} --goal no-glitch", "advise", {"request": CHECK_PLAIN, "goal": "no-glitch"}),
    (
        f"advise {CHECK} --faces 4,5",
        "advise",
        {"transcript": rw.roll(CHECK_PLAIN, faces=[4, 5]).to_plain()},
    ),
    (f"roll {SKILL} --faces 3,2", "roll", {"request": REQUEST, "faces": [3, 2]}),
    ("roll 3d6 --seed table", "roll", {"expression": "3d6", "seed": "table"}),
    (
        "odds edge20 check --modifier 7 --target 65% --over dc",
        "find",
        {"request": {"game": "edge20", "modifier": 7}, "target": "65%", "over": "dc"},
    ),
    (
        "odds (@n)d6 --where >=20 --target 90% --over n=1..12",
        "find",
        {
            "expression": "(@n)d6",
            "where": ">=20",
            "target": "90%",
            "over": "n",
            "values": list(range(1, 13)),
        },
    ),
    (f"odds {SKILL} --sensitivity", "sensitivity", {"request": REQUEST}),
    (
        f"odds {CHECK} --sensitivity --goal no-glitch",
        "sensitivity",
        {"request": CHECK_PLAIN, "goal": "no-glitch", "policy": "best:no-glitch"},
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("words", "kind", "question"), SHAPES, ids=lambda word: str(word)[:50])
def test_json_is_the_answer(words, kind, question):
    """To the letter what `ask` answers, which is what HTTP returns."""
    done = rollwright(*words.split(), "--json")
    assert (0, "") == (done.code, done.err)
    assert json.loads(done.out) == json.loads(json.dumps(answer(kind, question)))


HTTP = [(kind, question) for _, kind, question in SHAPES if kind != "describe"]


@pytest.mark.parametrize(("kind", "question"), HTTP, ids=lambda word: str(word)[:50])
def test_http_returns_the_answer(api, kind, question):
    """To the letter what `ask` answers, which is what the command line prints."""
    found = api.post(f"/{kind}", json=question)
    assert found.status_code == 200, found.text
    assert found.json() == json.loads(json.dumps(answer(kind, question)))


def test_a_saved_roll_is_verified_alike(tmp_path):
    """The answer of `verify` is the same for a file, and for what `roll --json` printed."""
    rolled = rollwright(*f"roll {SKILL} --faces 3,2".split(), "--json").out
    transcript = json.loads(rolled)["transcript"]
    done = rollwright("verify", "-", "--json", pipe=rolled)
    assert json.loads(done.out) == answer("verify", {"transcript": transcript})


def test_what_is_refused_in_a_sweep_is_told():
    """A combination that the rules refuse is a cell with its problem, as over HTTP."""
    attack = "twilight2000 attack --attribute B --rate-of-fire 2 --vary ammo_dice=2..3"
    found = json.loads(rollwright("odds", *attack.split(), "--json").out)
    assert ["chance", "problem"] == [list(cell)[1] for cell in found["cells"]]
    done = rollwright("odds", *attack.split())
    assert (2, "", True) == (done.code, done.out, "rate of fire" in done.err)
