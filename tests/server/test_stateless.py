"""The API without a table: games, rolls, odds, advice, previews and verification over HTTP."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psutil
import pytest
from benchmarks.soak.servers import App

import rollwright as rw
from rollwright.kit import fields_of, find_game, list_games
from rollwright.table.events import FORMAT
from tests.drafts import drafted
from tests.server.guests import CLIENT
from tests.server.harness import found, nonce
from tests.server.test_counting import endless

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
ATTACK = {**SKILL, "roll": "attack", "ammo_dice": 3, "rate_of_fire": 6, "rounds": 30}


@pytest.fixture(scope="module")
def api(app: App) -> Iterator[httpx.Client]:
    """A client of it."""
    with httpx.Client(base_url=f"{app.address}/api/v1", timeout=60) as client:
        yield client


def asked(api: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """The answer to a question that is answered."""
    answer = api.post(path, json=body)
    assert 200 == answer.status_code, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(api: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """The error of a question that is refused as wrong."""
    answer = api.post(path, json=body)
    assert 400 <= answer.status_code < 500, answer.text
    error: dict[str, Any] = answer.json()["error"]
    return error


def test_the_root_names_every_way_to_go_on(api: httpx.Client) -> None:
    """Whoever finds the API finds its parts."""
    links = api.get("/").json()["links"]
    assert {200, 405} == {
        api.get(link.removeprefix("/api/v1")).status_code for link in links.values()
    }


def test_games_are_described_completely(api: httpx.Client) -> None:
    """Every roll, field, house rule, goal, policy and rulebook line of every game is told."""
    assert list(list_games()) == [game["name"] for game in api.get("/games").json()["games"]]
    for name in list_games():
        game, told = find_game(name), api.get(f"/games/{name}").json()
        assert list(game.requests) == list(told["rolls"])
        for roll, kind in game.requests.items():
            named = [about["name"] for about in told["rolls"][roll]["fields"]]
            assert [field for field in fields_of(kind) if field != "house"] == named
            assert "schema" not in told["rolls"][roll]
        house = told["house"]["fields"]
        assert list(fields_of(game.house)) == [about["name"] for about in house]
        assert all(len(about["readings"]) > 1 for about in house)
        assert set(game.goals) == set(told["goals"])
        assert {*game.policies, "best"} == set(told["policies"])
        assert len(game.rulebook) == len(told["rulebook"])
        assert game.sheet is not None
        assert list(fields_of(game.sheet)) == [about["name"] for about in told["sheet"]["fields"]]


def test_a_game_is_sent_once(api: httpx.Client) -> None:
    """Whoever has the game already is told so by its tag, in a few bytes."""
    first = api.get("/games/dust")
    again = api.get("/games/dust", headers={"if-none-match": first.headers["etag"]})
    assert (200, 304, b"") == (first.status_code, again.status_code, again.content)


def test_an_unknown_game_is_not_found(api: httpx.Client) -> None:
    """A slip in the name of a game is answered with the likely one."""
    answer = api.get("/games/duste")
    assert 404 == answer.status_code
    assert "did you mean 'dust'?" in answer.json()["error"]["message"]


def test_odds_are_those_of_the_library(api: httpx.Client) -> None:
    """The distribution that comes over HTTP is the library's, to the last digit."""
    for what in (SKILL, ATTACK):
        answer = asked(api, "/odds", request=what, policy="if-failed")
        expected = rw.odds(what, "if-failed").to_plain()
        assert expected == {name: answer[name] for name in ("total", "outcomes", "lost")}
    assert (
        rw.odds("4d6kh3").to_plain()["outcomes"]
        == asked(api, "/odds", expression="4d6kh3")["outcomes"]
    )


def test_a_roll_goes_on_step_by_step(api: httpx.Client) -> None:
    """A roll stops at its choice, goes on with an option, and its transcript is true."""
    opened = asked(api, "/roll", request=SKILL, faces=[3, 2])
    assert ["keep", "push"] == [option["option"] for option in opened["step"]["options"]]
    waiting = asked(api, "/roll", transcript=opened["transcript"], option="push", faces=[])
    assert ["d8", "d10"] == waiting["step"]["dice"]
    done = asked(api, "/roll", transcript=waiting["transcript"], faces=[7, 1])
    assert {"successes": 1, "damage": 1}.items() <= done["step"]["fields"].items()
    assert done["step"]["good"] is True
    assert ["damage 1"] == [effect["said"] for effect in done["step"]["effects"]]
    assert asked(api, "/verify", transcript=done["transcript"])["true"] is True
    assert rw.verify(done["transcript"]).outcome.ones == 1


def test_a_long_log_holds_up_nobody(app: App, api: httpx.Client) -> None:
    """Megabytes of log are read by a counting process; meanwhile the server answers others.

    That process is held, so that it is still at work however quick the machine is.
    """
    events = [{"seq": number, "body": {"text": "x" * 200}} for number in range(1, 40_000)]
    log = json.dumps({"log": {"format": FORMAT, "table": "abcdefgh2345", "events": events}})
    assert app.process is not None
    counting, before = psutil.Process(app.process.pid).children(), _told(api, "private")
    with ThreadPoolExecutor(1) as pool:
        for process in counting:
            process.suspend()
        try:
            head = {"content-type": "application/json"}
            sent = pool.submit(api.post, "/verify", content=log, headers=head)
            _until(lambda: _told(api, "private") == before + 1)
            assert 200 == CLIENT.get(f"{app.address}/health").status_code
            assert not sent.done()
        finally:
            for process in counting:
                process.resume()
        assert sent.result().json()["true"] is False


WRONG = [
    ("/odds", {"expression": "4d6kq3"}, "bad_expression", "expression"),
    ("/odds", {"request": SKILL, "where": "hits > 1"}, "bad_expression", "where"),
    ("/odds", {"request": {**SKILL, "attribute": "Z"}}, "bad_field", "attribute"),
    ("/odds", {"request": {"game": "duste"}}, "bad_field", "game"),
    ("/odds", {"request": SKILL, "policy": "sometimes"}, "bad_field", "policy"),
    ("/odds", {"request": SKILL, "of": ["hit"]}, "bad_field", "of"),
    ("/odds", {"expression": "2d6", "of": ["hit"]}, "bad_field", "of"),
    ("/odds", {"expression": "2d6", "request": SKILL}, "bad_field", "request"),
    ("/odds", {}, "bad_field", "request"),
    ("/odds", {"expresion": "2d6"}, "bad_field", "expresion"),
    ("/odds", {"expression": 7}, "bad_field", "expression"),
    ("/odds", {"expression": "d6!>0" + "+d6!>0" * 300}, "bad_expression", "expression"),
    ("/advise", {"expression": "2d6"}, "bad_field", "goal"),
    ("/advise", {"request": SKILL, "goal": "fame"}, "bad_field", "goal"),
    ("/roll", {"request": SKILL, "faces": [9, 2]}, "bad_answer", ""),
    ("/roll", {"request": SKILL, "faces": [3]}, "bad_answer", ""),
    ("/roll", {"request": SKILL, "seed": 1, "faces": []}, "bad_field", "faces"),
    ("/roll", {"request": SKILL, "option": "push"}, "bad_answer", ""),
    ("/roll", {"transcript": {"rule": "rollwright.demo:main"}}, "bad_request", "rule"),
    ("/roll", {"transcript": {}}, "bad_request", "rule"),
    ("/preview", {"request": SKILL, "parts": ["all"]}, "bad_field", "parts[0]"),
    (
        "/preview",
        {"request": SKILL, "vary": {"field": "x", "values": []}},
        "bad_field",
        "vary.values",
    ),
    (
        "/preview",
        {"game": "dust", "draft": drafted({"roll": "roll", "sheet": 1})},
        "bad_field",
        "sheet",
    ),
    (
        "/preview",
        {"game": "twilight2000", "draft": drafted({"bogus": 1, "skill_name": "recon"})},
        "bad_field",
        "bogus",
    ),
    ("/preview", {"request": SKILL, "variables": {"x": []}}, "bad_field", "variables"),
    ("/compare", {"rolls": [{"expression": "2d6"}]}, "bad_field", "rolls"),
    ("/compare", {"rolls": [{"expression": "2d6"}, {}]}, "bad_field", "rolls[1].request"),
    ("/verify", {}, "bad_field", "transcript"),
]


@pytest.mark.parametrize(("path", "body", "code", "field"), WRONG)
def test_what_is_wrong_is_named(
    api: httpx.Client, path: str, body: dict[str, Any], code: str, field: str
) -> None:
    """Every slip has its code, its field and a sentence."""
    error = refused(api, path, **body)
    assert (code, field) == (error["code"], error.get("field", ""))
    assert 10 < len(error["message"]) <= 1000


def test_an_expression_error_points_at_its_place(api: httpx.Client) -> None:
    """The span of the slip comes along, and a suggestion that itself is right."""
    error = refused(api, "/preview", expression="2d6 + 3d8rr<9")
    assert "2d6 + 3d8rr<9"[error["start"] : error["end"]]
    asked(api, "/preview", expression=error["suggestions"][0])


def test_only_json_is_read(api: httpx.Client) -> None:
    """Another type, broken JSON and a body that is too long are refused."""
    body = json.dumps({"expression": "2d6"})
    plain = api.post("/odds", content=body, headers={"content-type": "text/plain"})
    broken = api.post("/odds", content="{", headers={"content-type": "application/json"})
    deep = '{"request": {"a": ' + "[" * 100_000
    nested = api.post("/odds", content=deep, headers={"content-type": "application/json"})
    long = api.post("/odds", json={"expression": "2d6" + " " * 300_000})
    codes = [answer.status_code for answer in (plain, broken, nested, long)]
    assert [400, 400, 400, 413] == codes


def test_nobody_counts_for_a_client_that_hung_up(api: httpx.Client) -> None:
    """A client that closes its connection frees the process that counted for it."""
    body = json.dumps({k: v for k, v in endless(members=10).items() if k != "ask"}).encode()
    url = api.base_url
    before = _told(api, "cancelled")
    with socket.create_connection((url.host, url.port)) as line:
        head = f"POST /api/v1/odds HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        line.sendall(head.encode() + body)
        _until(lambda: _told(api, "running") == 1)
    _until(lambda: _told(api, "cancelled") == before + 1)
    _until(lambda: _told(api, "running") == 0)


def _told(api: httpx.Client, what: str) -> float:
    url = api.base_url
    page = CLIENT.get(f"http://{url.host}:{url.port}/metrics").text
    line = next(one for one in page.splitlines() if f'rollwright_counting{{what="{what}"}}' in one)
    return float(line.rpartition(" ")[2])


def _until(condition: Any) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/odds", {"expression": "1000d20"}, "the answer would be 20.1 MB long"),
        (
            "/games/edge20/ask/tier_table",
            {"check": {"modifier": 3, "dc": 15}, "modifiers": [1] * 101, "dcs": [1]},
            "modifiers: 101 are more than 100; a list (at most 100 of: a whole number) would do",
        ),
        (
            "/games/edge20/ask/highest_dc",
            {"check": {"dc": 15}, "chance": "1/2", "tier": {}},
            "tier: {} does not fit",
        ),
        (
            "/odds",
            {
                "request": {"game": "twilight2000", "roll": "skill", "attribute": "B"},
                "house": {"x" * 200_000: 1},
            },
            "house.xxx",
        ),
    ],
)
def test_no_answer_and_no_refusal_is_longer_than_it_need_be(
    api: httpx.Client, path: str, body: dict[str, Any], told: str
) -> None:
    """What would be megabytes is refused where it was counted; a long name is not sent back."""
    answer = api.post(path, json=body)
    assert 422 == answer.status_code
    assert told in answer.json()["error"]["message"]
    assert len(answer.content) < 2_000


def test_rolls_name_their_marks_by_a_hash_that_anybody_can_ask_for(
    api: httpx.Client, app: App
) -> None:
    """Events hold no marks; those of a form and of their hash are the same."""
    table = found([app.address])
    ann = table.join("Ann")
    started = ann.do("roll.start", request=SKILL, nonce=nonce())[0]["body"]
    asked = api.post("/marks", json={"request": started["what"]["request"]}).json()
    form = ann.post("/form", {"n": 1, "draft": {"roll": "skill", "set": {"attribute": "B"}}}).json
    assert asked["marks"]["d8"]["6..8"]["tone"] == "good"
    assert started["marks"] == asked["hash"] == form["marks_hash"]
    assert form["marks"] == asked["marks"]
    assert (
        ann.post("/form", {"n": 1, "draft": {"roll": "attack"}}).json["marks_hash"] != asked["hash"]
    )
    refused = api.post("/marks", json={"request": {"game": "twilight2000", "roll": "skil"}})
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "roll")
    table.close()
