"""Rules that never end or leave: the table hears of it, and no other table notices."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from benchmarks.soak.servers import App

from tests.server.harness import found, nonce
from tests.server.test_outside_games import SMALL, beside, card_of

pytestmark = pytest.mark.long

LEAVES = "import sys\n"
PACKAGES = {
    "endless": SMALL.replace("return Fall(sum(hand))", "while True: pass").format(
        name="endless", card="", more=""
    ),
    "unbegun": SMALL.replace(
        "    hand = await roll", "    while True: pass\n    hand = await roll", 1
    ).format(name="unbegun", card="", more=""),
    "leaver": SMALL.replace("return Fall(sum(hand))", "raise SystemExit(3)").format(
        name="leaver", card="", more=""
    ),
    "quitter": SMALL.format(
        name="quitter", card=card_of("Quitter", "raise SystemExit(3)"), more=", card=Quitter()"
    ),
    "marker": SMALL.format(
        name="marker", card=card_of("Marker", "while True: pass"), more=", card=Marker()"
    ),
}
DRAFT = {"roll": "drop", "set": {"dice": 2}}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server with these games."""
    with beside(tmp_path_factory.mktemp("site"), PACKAGES) as app:
        yield app


def others_go_on(app: App) -> None:
    """Another table of the same server rolls and is answered."""
    table = found([app.address], game="dust")
    player = table.join("Nix")
    player.do("roll.start", expression="2d6", nonce=nonce())
    table.close()
    body = {"expression": "2d6"}
    assert 200 == httpx.post(f"{app.address}/api/v1/odds", json=body, timeout=60).status_code


def rolled(app: App, game: str) -> tuple[int, str]:
    """A roll of a game to its last choice, and how the server answers to that."""
    table = found([app.address], game=game)
    player = table.join("Nix")
    player.do("roll.start", draft=DRAFT, nonce=nonce())
    body = {"id": "choosing-it", "do": "roll.choose", "roll": "r1", "option": "keep"}
    answer = player.post("/commands", body)
    table.close()
    return answer.status, answer.text


def test_a_rule_that_leaves_ends_no_server(app):
    """Nothing is done, and whoever asked is told."""
    status, text = rolled(app, "leaver")
    assert 500 == status
    assert "SystemExit" in text
    others_go_on(app)


def test_a_card_that_leaves_ends_no_server(app):
    """The default is shown in its place, and the roll goes on to its end."""
    assert 200 == rolled(app, "quitter")[0]
    others_go_on(app)


def test_a_question_to_a_rule_that_leaves_is_answered(app):
    """The process that counts is there for all tables."""
    body = {"request": {"game": "leaver", "roll": "drop", "dice": 1}, "policy": "best"}
    asked = httpx.post(f"{app.address}/api/v1/odds", json=body, timeout=60)
    assert asked.status_code in (400, 422, 500)
    others_go_on(app)


def test_a_form_of_a_rule_that_never_ends_is_refused(app):
    """It is answered where everybody waits, so it is cut."""
    body = {"game": "unbegun", "draft": DRAFT}
    asked = httpx.post(f"{app.address}/api/v1/form", json=body, timeout=60)
    assert "too_much_work" == asked.json()["error"]["code"]
    others_go_on(app)


def test_marks_that_never_end_take_no_thread(app):
    """A thread cannot be interrupted, and there are only so many of them."""
    body = {"request": {"game": "marker", "roll": "drop", "dice": 1}}
    for _ in range(3):
        asked = httpx.post(f"{app.address}/api/v1/marks", json=body, timeout=60)
        assert {"hash": "", "marks": {}} == asked.json()
    others_go_on(app)


def test_a_rule_that_never_ends_is_decided_where_nobody_waits(app):
    """Its own table waits until it is given up; the others roll meanwhile."""
    status, text = rolled(app, "endless")
    assert 422 == status, text
    assert "too_much_work" in text
    others_go_on(app)
