"""Whoever is asked for what is not on their sheet rolls without it, and is not refused."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.kit.forms import fitting, form_of
from rollwright.kit.games import find_game
from rollwright.table.verify.log import verify_log
from tests.table.tables import Host

SHEETS: dict[str, dict[str, Any]] = {
    "edge20": {"skills": [{"name": "Fight", "modifier": 4}]},
    "kleptonomicon": {"modifiers": [{"name": "Sneaking", "value": 2}]},
    "dust": {"stats": [{"name": "Brawn", "rating": 3}]},
    "ghostburn": {
        "abilities": [{"name": "Wits", "score": 3}],
        "skills": [{"name": "Hack", "ability": "Wits", "bonus": 2}],
    },
}
ASKS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("edge20", {"set": {"skill": "Stealth", "dc": 15}}, "Stealth", {"modifier": 0, "dc": 15}),
    ("kleptonomicon", {"pick": {"score_name": "Charm"}}, "Charm", {"modifier": 0}),
    ("dust", {"pick": {"attribute": "Brawn", "ability": "Climb"}}, "Climb", {"attribute": 3}),
    (
        "ghostburn",
        {"pick": {"skill": "Pilot", "ability": "Wits"}, "set": {"dl": "Hard"}},
        "Pilot",
        {"ability": 3, "skill": []},
    ),
]


@pytest.mark.parametrize(("name", "draft", "lack", "expected"), ASKS, ids=[one[0] for one in ASKS])
def test_what_a_sheet_lacks_is_rolled_without(
    name: str, draft: dict[str, Any], lack: str, expected: dict[str, Any]
) -> None:
    """The form says what is lacking before anybody is asked; the roll begins all the same."""
    game = find_game(name)
    fit = fitting(game, draft, game.sheet(**SHEETS[name]) if game.sheet else None, game.house())
    assert (lack,) == fit.lacks
    host = Host(name)
    host.do("s2", "sheet.create", values=SHEETS[name])
    host.do("s1", "roll_request.create", who=["s2"], draft=draft)
    host.do("s2", "roll.start", ask="a1", physical=True)
    request = host.state.rolls["r1"].what["request"]
    assert expected == {field: request[field] for field in expected}
    assert verify_log(host.log("s1")).ok


def test_what_a_sheet_has_is_rolled_as_it_was_asked() -> None:
    """Nothing of it is taken away."""
    host = Host("edge20")
    host.do("s2", "sheet.create", values=SHEETS["edge20"])
    draft = {"set": {"skill": "Fight", "dc": 15}}
    host.do("s1", "roll_request.create", who=["s2"], draft=draft)
    host.do("s2", "roll.start", ask="a1", physical=True)
    assert {"set": {"in_turn": False, **draft["set"]}} == host.state.rolls["r1"].draft


@pytest.mark.parametrize("over", [False, True])
def test_what_the_referee_asks_for_starts_fresh(over: bool) -> None:
    """EDGE R1 and R13: checks of the turn cost it nothing, and it costs the next one nothing."""
    host = Host("edge20")
    turn = {"in_turn": True, "checks_made": 2, "turn_ended": over}
    host.do("s2", "sheet.create", values={**SHEETS["edge20"], **turn})
    host.do("s1", "roll_request.create", who=["s2"], draft={"set": {"skill": "Fight", "dc": 15}})
    host.do("s2", "roll.start", ask="a1", physical=True)
    thrown = host.do("s2", "roll.enter", roll="r1", faces=[11])[0]
    after = thrown.body["after"]
    assert (15, "success") == (after["fields"]["total"], after["fields"]["tier"])
    assert turn == {name: host.state.sheets["s2"].values[name] for name in turn}
    assert verify_log(host.log("s1")).ok


def test_the_referee_may_ask_for_a_check_of_the_turn() -> None:
    """EDGE R13: what is said in the ask goes before what every ask says."""
    host = Host("edge20")
    values = {**SHEETS["edge20"], "in_turn": True, "checks_made": 2}
    host.do("s2", "sheet.create", values=values)
    draft = {"set": {"skill": "Fight", "dc": 15, "in_turn": True}}
    host.do("s1", "roll_request.create", who=["s2"], draft=draft)
    host.do("s2", "roll.start", ask="a1", physical=True)
    assert 3 == host.state.rolls["r1"].what["request"]["nth_check"]
    assert 4 == host.state.rolls["r1"].what["request"]["modifier"]


def test_who_is_not_asked_is_told_of_a_slip() -> None:
    """A name that is not on the own sheet is most likely a slip."""
    host = Host("edge20")
    host.do("s2", "sheet.create", values=SHEETS["edge20"])
    slip = {"set": {"skill": "Figth", "dc": 15}}
    assert "Fight" in str(host.refused("s2", "roll.start", draft=slip, physical=True))


def test_what_cannot_be_left_out_is_for_whoever_is_asked_to_pick() -> None:
    """A skill alone says no ability to somebody who does not have it (GHOST R5)."""
    game = find_game("ghostburn")
    assert game.sheet is not None
    sheet = game.sheet(**SHEETS["ghostburn"])
    assert fitting(game, {"pick": {"skill": "Pilot"}}, sheet, game.house()).draft is None
    assert fitting(game, {"set": {"dl": "Nonsense"}}, sheet, game.house()).draft is None


WEAPONS = [{"name": "AK", "jammed": True}]
OUT = {"name": "Vex", "incapacitated": True}
WHY: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], str]] = [
    ("dust", SHEETS["dust"], {"pick": {"attribute": "Wits"}}, ("Wits",), "unknown.only"),
    ("dust", SHEETS["dust"], {}, (), "None"),
    ("ghostburn", SHEETS["ghostburn"], {"pick": {"skill": "Pilot"}}, ("Pilot",), "unknown.only"),
    ("twilight2000", OUT, {"pick": {"skill_name": "recon"}}, (), "refusal.out"),
    (
        "twilight2000",
        {"weapons": WEAPONS},
        {"roll": "attack", "pick": {"weapon": "AK"}},
        (),
        "refusal.jammed",
    ),
    (
        "twilight2000",
        {"weapons": WEAPONS},
        {"roll": "attack", "pick": {"weapon": "RPK"}},
        ("RPK",),
        "unknown.only",
    ),
]


@pytest.mark.parametrize(("name", "values", "draft", "lacks", "why"), WHY)
def test_what_cannot_be_rolled_says_whether_the_sheet_lacks_it(
    name: str,
    values: dict[str, Any],
    draft: dict[str, Any],
    lacks: tuple[str, ...],
    why: str,
) -> None:
    """What is on the sheet and refused for another reason is not called lacking."""
    game = find_game(name)
    assert game.sheet is not None
    answer = form_of(game, draft, game.sheet(**values), game.house(), purpose="ask")
    assert (None, list(lacks)) == (answer["fits"], answer["lacks"])
    assert why in str(answer["why"])
