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
from rollwright.kit import fields_of, find_game, from_plain, list_games
from tests.server.harness import one_app
from tests.server.test_counting import endless

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
ATTACK = {**SKILL, "roll": "attack", "ammo_dice": 3, "rate_of_fire": 6, "rounds": 30}
EXAMPLES = (
    SKILL,
    ATTACK,
    {
        "game": "twilight2000",
        "roll": "opposed",
        "active": {"attribute": "B"},
        "passive": {"attribute": "C"},
    },
    {"game": "dust", "roll": "roll", "pool": 6},
    {"game": "dust", "roll": "opposing", "actor": {"pool": 4}, "defender": {"pool": 5}},
    {"game": "kleptonomicon", "roll": "test", "modifier": 2, "advantages": 1},
    {
        "game": "kleptonomicon",
        "roll": "contest",
        "first": {"modifier": 2},
        "second": {"modifier": 1},
    },
    {
        "game": "kleptonomicon",
        "roll": "group",
        "members": [{"modifier": 2}, {"modifier": 1}],
        "goal": 7,
    },
    {"game": "edge20", "roll": "check", "modifier": 5, "dc": 15, "edges": 1, "rerolls": 1},
    {"game": "edge20", "roll": "repair", "tier": 2, "modifier": 1},
    {"game": "ghostburn", "roll": "roll", "ability": 3, "skill": [2], "dl": "Hard"},
)


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """A real server."""
    with one_app() as app:
        yield app


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
        expected = rw.odds(what, "if-failed").to_json()
        assert expected == {name: answer[name] for name in ("total", "outcomes", "lost")}
    assert (
        rw.odds("4d6kh3").to_json()["outcomes"]
        == asked(api, "/odds", expression="4d6kh3")["outcomes"]
    )


def test_odds_of_fields_and_events(api: httpx.Client) -> None:
    """`of` picks fields, `where` gives the chance of an event, both together a condition."""
    dist = rw.odds(ATTACK, "always")
    hit = asked(api, "/odds", request=ATTACK, policy="always", of=["hit"])
    assert dist.of("hit").to_json()["outcomes"] == hit["outcomes"]
    event = asked(api, "/odds", request=ATTACK, policy="always", where="hit and not jammed")
    assert str(dist.p(lambda o: o.hit and not o.jammed)) == event["chance"]
    given = asked(api, "/odds", request=ATTACK, policy="always", of="jammed", where="hit")
    assert dist.where(lambda o: o.hit).of("jammed").to_json()["outcomes"] == given["outcomes"]


def test_variables_of_an_expression(api: httpx.Client) -> None:
    """Names in an expression take their numbers from the question."""
    answer = asked(api, "/odds", expression="1d20+@str", variables={"str": 3}, where="it >= 15")
    assert "9/20" == answer["chance"]


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


def test_a_seeded_roll_is_the_librarys(api: httpx.Client) -> None:
    """The same seed gives the faces that the library gives; going on, the push has its own."""
    expected = rw.roll(SKILL, seed="table").to_plain()
    opened = asked(api, "/roll", request=SKILL, seed="table")
    assert expected == opened["transcript"]
    pushes = {
        tuple(
            map(
                str,
                asked(api, "/roll", request=SKILL, seed=n, policy="always")["transcript"][
                    "answers"
                ],
            )
        )
        for n in range(5)
    }
    assert len(pushes) > 1


def test_every_policy_of_a_game_plays_on(api: httpx.Client) -> None:
    """A roll with a policy comes to its end without a question."""
    for policy in ("never", "always", "if-failed", "below:2", "best", "best:succeed-cheaply"):
        assert "done" == asked(api, "/roll", request=SKILL, policy=policy)["step"]["step"]


def test_advice_says_what_and_why(api: httpx.Client) -> None:
    """Advice on an open roll names the best option, each option's worth and odds, and why."""
    opened = asked(api, "/roll", request=SKILL, faces=[3, 2])
    advice = asked(api, "/advise", transcript=opened["transcript"])
    assert "push" == advice["best"]
    assert advice["matters"] is True
    worths = {option["option"]: option["value"]["exact"] for option in advice["options"]}
    assert {"keep": "0", "push": "11/16"} == worths
    push = next(option for option in advice["options"] if option["option"] == "push")
    assert {"successes", "damage"} <= {field["name"] for field in push["odds"]}
    expected = (
        "push: 68.8 % against 0 % with keep for the goal “just succeed”; the price: damage to you"
    )
    assert advice["why"].startswith(expected)


def test_advice_follows_the_goal(api: httpx.Client) -> None:
    """With another goal another option is best, and prices can be a goal too."""
    opened = asked(api, "/roll", request=SKILL, faces=[3, 2])["transcript"]
    assert "keep" == asked(api, "/advise", transcript=opened, goal="stay-unhurt")["best"]
    priced = asked(api, "/advise", transcript=opened, goal="successes=1,damage=-10")
    assert "keep" == priced["best"]
    titles = {goal["name"]: goal["title"] for goal in priced["goals"]}
    assert "do not get hurt" == titles["stay-unhurt"]


def test_it_is_said_when_it_does_not_matter(api: httpx.Client) -> None:
    """Where every option is worth the same, nobody is told to prefer one."""
    opened = asked(api, "/roll", request=SKILL, faces=[7, 2])["transcript"]
    advice = asked(api, "/advise", transcript=opened)
    assert advice["matters"] is False
    assert ["keep", "push"] == advice["ties"]
    assert advice["why"].startswith("It does not matter: every option is worth 100 %")


def test_advice_before_the_throw(api: httpx.Client) -> None:
    """Of a roll not made yet the best policy is told, by what it turns on."""
    advice = asked(api, "/advise", request=SKILL)
    assert "139/160" == advice["value"]["exact"]
    assert {"push": "successes 0"}.items() <= {
        c["best_call"]: c["situation"] for c in advice["calls"]
    }.items()
    assert (
        "Best play: push with successes 0 (30.0 % of rolls); otherwise it does not matter."
        == advice["why"]
    )


def test_advice_never_looks_at_a_hidden_throw(api: httpx.Client) -> None:
    """Whatever the referee rolled in secret, the active side is advised alike."""
    request = {
        "game": "twilight2000",
        "roll": "opposed",
        "active": {"attribute": "B", "skill": "C"},
        "passive": {"attribute": "A", "skill": "B"},
        "secret": True,
    }
    advices = []
    for hidden in ([1, 1], [10, 12]):
        opened = asked(api, "/roll", request=request, faces=[3, 6, *hidden])["transcript"]
        advice = asked(api, "/advise", transcript=opened, seat="roller")
        advices.append((advice["best"], advice["value"], advice["options"]))
    assert advices[0] == advices[1]
    assert advices[0][2][0]["odds"]


@pytest.mark.parametrize("request_", EXAMPLES, ids=lambda r: f"{r['game']} {r['roll']}")
def test_a_preview_tells_all(api: httpx.Client, request_: dict[str, Any]) -> None:
    """The chance of a preview is the library's, and every part of it is there."""
    answer = asked(api, "/preview", request=request_)
    goal = find_game(request_["game"]).goal("", from_plain(request_))
    expected = rw.odds(request_).map(lambda outcome: int(goal(outcome))).mean
    assert str(expected) == answer["chance"]["exact"]
    assert answer["fields"]
    assert answer["best"]["why"]
    assert answer["more"]
    assert all(change["to"] == change["from"] + 1 for change in answer["more"])


def test_what_one_more_would_be_worth(api: httpx.Client) -> None:
    """One more helper is worth what the odds with one more helper say."""
    answer = asked(api, "/preview", request=SKILL, parts=["more"], more=["helpers"])
    (helper,) = answer["more"]
    with_one = rw.odds({**SKILL, "helpers": 1}).p(lambda o: o.successes > 0)
    without = rw.odds(SKILL).p(lambda o: o.successes > 0)
    assert str(with_one - without) == helper["change"]["exact"]
    assert ("helpers", 0, 1, "+6.3 %") == (
        helper["field"],
        helper["from"],
        helper["to"],
        helper["said"],
    )


def test_costs_are_told(api: httpx.Client) -> None:
    """What a roll costs is told on average, and how likely each mishap is."""
    answer = asked(api, "/preview", request=ATTACK, policy="always", parts=["odds"])
    costs = {cost["name"]: cost["exact"] for cost in answer["costs"]}
    dist = rw.odds(ATTACK, "always")
    assert str(dist.p(lambda o: o.jammed)) == costs["jammed"]
    assert str(dist.of("rounds_spent").mean) == costs["rounds_spent"]


def test_a_field_can_be_varied(api: httpx.Client) -> None:
    """A curve has a chance for each value; values that the rules refuse say why."""
    vary = {"field": "ammo_dice", "values": [0, 3, 7]}
    cells = asked(api, "/preview", request=ATTACK, where="sixes > 0", vary=vary)["vary"]["cells"]
    expected = [rw.odds({**ATTACK, "ammo_dice": n}).p(lambda o: o.sixes > 0) for n in (0, 3)]
    assert [str(chance) for chance in expected] == [cell["chance"]["exact"] for cell in cells[:2]]
    assert "too many" in cells[2]["problem"]


def test_two_fields_make_a_heat_map(api: httpx.Client) -> None:
    """Two varied fields give a cell for every pair, policies among them."""
    vary = [
        {"field": "modifier", "values": [-1, 0, 1]},
        {"field": "policy", "values": ["never", "best"]},
    ]
    cells = asked(api, "/preview", request=SKILL, vary=vary)["vary"]["cells"]
    assert 6 == len(cells)
    assert "139/160" == next(c for c in cells if c["values"] == [0, "best"])["chance"]["exact"]


def test_a_preview_from_a_sheet(api: httpx.Client) -> None:
    """A sheet fills in what it knows, and house rules count."""
    sheet = {"INT": "B", "recon": "C"}
    answer = asked(
        api,
        "/preview",
        game="twilight2000",
        sheet=sheet,
        house={"push_with_nothing": True},
        from_sheet={"roll": "skill", "skill_name": "recon"},
        parts=["odds"],
    )
    assert {"attribute": "B", "skill": "C"}.items() <= answer["request"].items()
    assert {"push_with_nothing": True} == answer["request"]["house"]


def test_rolls_are_compared(api: httpx.Client) -> None:
    """Several rolls stand side by side, and it is told which is higher how often."""
    rolls = [{"expression": "2d20kh1"}, {"expression": "1d20+2", "name": "a bonus"}]
    answer = asked(api, "/compare", rolls=rolls, where="it >= 15")
    assert ["2d20kh1", "a bonus"] == [roll["name"] for roll in answer["rolls"]]
    assert ["51/100", "2/5"] == [roll["chance"]["exact"] for roll in answer["rolls"]]
    (duel,) = answer["duels"]
    assert str(rw.odds("2d20kh1").compare(rw.odds("1d20+2")).greater) == duel["greater"]["exact"]


def test_a_false_roll_is_found(api: httpx.Client) -> None:
    """A changed face is found, and its place is named."""
    plain = rw.roll("2d6", faces=[3, 4]).to_plain()
    plain["answers"][0]["faces"][0] = 9
    answer = asked(api, "/verify", transcript=plain)
    assert answer["true"] is False
    assert "answers[0].faces[0]" == answer["place"]
    assert asked(api, "/verify", log={"format": 1})["true"] is False


def test_a_long_log_holds_up_nobody(app: App, api: httpx.Client) -> None:
    """Megabytes of log are read by a counting process; meanwhile the server answers others.

    That process is held, so that it is still at work however quick the machine is.
    """
    events = [{"seq": number, "body": {"text": "x" * 200}} for number in range(1, 40_000)]
    log = json.dumps({"log": {"format": 1, "table": "abcdefgh2345", "events": events}})
    assert app.process is not None
    counting, before = psutil.Process(app.process.pid).children(), _told(api, "private")
    with ThreadPoolExecutor(1) as pool:
        for process in counting:
            process.suspend()
        try:
            head = {"content-type": "application/json"}
            sent = pool.submit(api.post, "/verify", content=log, headers=head)
            _until(lambda: _told(api, "private") == before + 1)
            assert 200 == httpx.get(f"{app.address}/health").status_code
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
        {"game": "dust", "from_sheet": {"roll": "roll", "sheet": 1}},
        "bad_field",
        "from_sheet.sheet",
    ),
    (
        "/preview",
        {"game": "twilight2000", "from_sheet": {"bogus": 1, "skill_name": "recon"}},
        "bad_field",
        "bogus",
    ),
    ("/preview", {"request": SKILL, "variables": {"x": []}}, "", ""),
    ("/compare", {"rolls": [{"expression": "2d6"}]}, "bad_field", "rolls"),
    ("/compare", {"rolls": [{"expression": "2d6"}, {}]}, "bad_field", "rolls[1].request"),
    ("/verify", {}, "bad_field", "transcript"),
]


@pytest.mark.parametrize(("path", "body", "code", "field"), WRONG)
def test_what_is_wrong_is_named(
    api: httpx.Client, path: str, body: dict[str, Any], code: str, field: str
) -> None:
    """Every slip has its code, its field and a sentence; what is merely idle is let pass."""
    if not code:
        asked(api, path, **body)
        return
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
    body = json.dumps({k: v for k, v in endless().items() if k != "ask"}).encode()
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
    page = httpx.get(f"http://{url.host}:{url.port}/metrics").text
    line = next(one for one in page.splitlines() if f'rollwright_counting{{what="{what}"}}' in one)
    return float(line.rpartition(" ")[2])


def _until(condition: Any) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)
