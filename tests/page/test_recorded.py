"""What the tests of the page's own language are told is what a real server tells today."""

import contextlib
import json
import re

import pytest
from websockets.sync.client import connect

from rollwright.client import Server
from tests.page.people import PATIENCE
from tests.page.recorded import FOLDER, GAMES, TABLE, TOLD, Link
from tests.page.stories import STORIES
from tests.server.guests import CLIENT

pytestmark = pytest.mark.storm

ANEW = "the server says something else by now: ./dev run tests.page.recorded {} records it anew"
HIDDEN = re.compile(r"[0-9a-f]{16,}")
"""Hashes, salts, keys and nonces."""
LATE = 10**12
"""Milliseconds that are a time of day."""


def masked(told, table):
    """What is told, without what differs between any two evenings."""
    if isinstance(told, dict):
        return {name: masked(one, table) for name, one in told.items() if name != "connected"}
    if isinstance(told, list):
        return [masked(one, table) for one in told]
    if isinstance(told, str):
        return HIDDEN.sub("…", told.replace(table, "TABLE"))
    return "…" if isinstance(told, int) and told > LATE else told


class Listener:
    """Hears what a page would, on a socket of its own."""

    def __init__(self, stack, link):
        self.link = Link.of(link)
        self.table = self.link.table or TABLE
        if not self.link.table:
            return  # a screen without a table asks, and is told nothing
        path = f"{self.link.address}api/v1/tables/{self.link.table}/socket?language=en"
        line = connect(path.replace("http", "ws", 1), max_size=None)
        self.socket = stack.enter_context(line)
        hello = {"protocol": 3, "token": self.link.token, "after": None, "hash": "", "recent": 100}
        self.socket.send(json.dumps({"hello": hello}))

    def hears(self, count):
        """So many messages of those that are recorded."""
        found = []
        while len(found) < count:
            message = json.loads(self.socket.recv(timeout=PATIENCE / 1000))
            if message.keys() & set(TOLD):
                found.append(message)
        return found

    def asks(self, ask, body):
        """The answer to a question that a page has asked."""
        method, _, path = ask.partition(" ")
        path = path.replace(TABLE, self.link.table)
        headers = {"Accept-Language": "en"}
        if self.link.token:
            headers["Authorization"] = f"Bearer {self.link.token}"
        answer = CLIENT.request(
            method, f"{self.link.address}api/v1{path}", json=body, headers=headers
        )
        return answer.status_code, answer.json()


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_told_as_it_was_recorded(server, name):
    """Every message of the socket, and every answer to what the page asked, step by step."""
    recording = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    with Server(server.address) as api, contextlib.ExitStack() as stack:
        tell = STORIES[name].tell(api)
        lookers = {who: Listener(stack, link) for who, link in next(tell).items()}
        assert recording["told"].keys() == lookers.keys(), ANEW.format(name)
        for number in range(len(next(iter(recording["told"].values())))):
            if number:
                next(tell)
            for who, looker in lookers.items():
                step = recording["told"][who][number]
                heard = looker.hears(len(step["frames"]))
                table = looker.table
                assert masked(step["frames"], TABLE) == masked(heard, table), ANEW.format(name)
                for place in step["answers"]:
                    known = recording["answers"][place]
                    answer = looker.asks(known["ask"], known["body"])
                    was = masked([known["status"], known["answer"]], TABLE)
                    assert was == masked([*answer], table), ANEW.format(name)
        assert "the end" == next(tell, "the end"), ANEW.format(name)


def test_what_nobody_tells_is_not_kept():
    """Every recording is of a story that there is."""
    assert set(STORIES) == {path.stem for path in FOLDER.glob("*.json")}


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.json")), ids=lambda path: path.stem)
def test_a_game_says_of_itself_what_was_recorded(server, path):
    """Its rolls, its card and its words."""
    game, language = path.stem.split(".")
    asked = f"{server.address}api/v1/games/{game}?language={language}"
    told = CLIENT.get(asked, headers={"Accept-Language": language}).json()
    assert json.loads(path.read_text("utf-8")) == told, ANEW.format("")
