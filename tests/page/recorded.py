"""What a real server tells a real page, for the tests of the page that have neither.

    ./dev run tests.page.recorded          records every story anew
    ./dev run tests.page.recorded push     records one

A recording has the messages of the socket and the answers to questions, by steps of its story. Who
reads one is never asked for anything else. `test_recorded.py` tells the stories again, asks the
same questions, and fails where the server says something else by now.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hatch_build import WEB
from playwright.sync_api import Browser, Page, Request, Route, WebSocketRoute

from rollwright.client import Server
from tests.browsers import a_browser
from tests.page.people import DESKTOP, Person
from tests.page.stories import EVE, STORIES

FOLDER = WEB / "tests" / "recorded"
GAMES = FOLDER / "games"
TABLE, TOKEN = "recordedtabl", "r" * 43
"""What stands in a recording for the id of its table and the secret of who looked on."""
TOLD = ("welcome", "events", "bye")
"""What of the socket's messages is recorded: who else is there depends on who looks on."""
QUIET = """async () => {
  const asked = () => performance.getEntriesByType("resource").length;
  for (let last = -1; last !== asked();) {
    last = asked();
    await new Promise((done) => setTimeout(done, 700));
  }
}"""
GAME = re.compile(r"/games/(\w+)\?language=(\w+)$")


class Link(NamedTuple):
    """A link to a table, taken apart."""

    address: str
    table: str
    token: str

    @classmethod
    def of(cls, link: str) -> Link:
        """The parts of a link; the address of a screen without a table has but its host."""
        if found := re.fullmatch(r"(.*/)t/(\w+)#([\w-]+)", link):
            return cls(*found.groups())
        found = re.match(r"https?://[^/]+/", link)
        assert found, link
        return cls(found[0], "", "")


class Recorder:
    """Takes down what goes over the lines of a page."""

    def __init__(self, page: Page, link: Link, name: str) -> None:
        self.page = page
        self.link = link
        self.asks = STORIES[name].asks
        self.steps: list[dict[str, Any]] = []
        self.asked: list[Request] = []
        self.unanswered: set[Request] = set()
        page.route_web_socket("**/socket*", self._listen)
        page.route("**/form", _ask_anew)
        page.on("request", self._ask)
        page.on("requestfinished", lambda request: self.asked.append(request))
        page.on("requestfinished", lambda request: self.unanswered.discard(request))
        page.on("requestfailed", lambda request: self.unanswered.discard(request))

    def _listen(self, line: WebSocketRoute) -> None:
        """Pass on what both sides say; a page that is recorded witnesses nothing."""
        server = line.connect_to_server()

        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            if message.keys() & set(TOLD):
                self.heard.append(message)
            if "want" not in message:
                line.send(text)

        server.on_message(hear)

    @property
    def heard(self) -> list[Any]:
        """The messages of this step."""
        frames: list[Any] = self.steps[-1]["frames"]
        return frames

    def step(self) -> None:
        """What comes from now on belongs to the next step."""
        self.steps.append({"frames": [], "answers": []})

    def rest(self) -> None:
        """Wait until all of a step is there, and take down what was answered."""
        self.page.evaluate(QUIET)
        while self.unanswered:
            self.page.evaluate(QUIET)
        asked, self.asked = self.asked, []
        for request in asked:
            if self._is_kept(request):
                self.steps[-1]["answers"].append(self._answer(request))

    def _ask(self, request: Request) -> None:
        """What is to be kept is waited for, however long the server takes."""
        if self._is_kept(request):
            self.unanswered.add(request)

    def _is_kept(self, request: Request) -> bool:
        path = request.url.partition("/api/v1")[2]
        return bool(GAME.search(path)) or any(path.endswith(f"/{one}") for one in self.asks)

    def _answer(self, request: Request) -> dict[str, Any]:
        response = request.response()
        assert response is not None
        path = request.url.partition("/api/v1")[2]
        body = json.loads(request.post_data) if request.post_data else None
        found = {"ask": f"{request.method} {path}", "body": body, "status": response.status}
        return {**found, "answer": response.json()}

    def recording(self) -> list[dict[str, Any]]:
        """Every step that was taken, with the table and the secret by names of their own."""
        text = json.dumps(self.steps[:-1], ensure_ascii=False)
        for secret, shown in ((self.link.table, TABLE), (self.link.token, TOKEN)):
            text = text.replace(secret, shown) if secret else text
        found: list[dict[str, Any]] = json.loads(text)
        return found


def _ask_anew(route: Route) -> None:
    """A form is asked for whole: whoever reads the recording may not know the one before."""
    body = json.loads(route.request.post_data or "{}")
    body.pop("hash", None)
    route.continue_(post_data=json.dumps(body))


def recorded(browser: Browser, server: Server, name: str) -> dict[str, list[dict[str, Any]]]:
    """A story as each of its lookers is told it."""
    tell = STORIES[name].tell(server)
    addresses: dict[str, str] = next(tell)
    links = {who: Link.of(address) for who, address in addresses.items()}
    people = {who: Person(browser, link.address, size=DESKTOP) for who, link in links.items()}
    recorders = {who: Recorder(people[who].page, link, name) for who, link in links.items()}
    for who, recorder in recorders.items():
        recorder.step()
        recorder.page.goto(addresses[who])
        if who == EVE:
            recorder.page.get_by_role("button", name="Just watch").click()
        recorder.page.locator(".stage-pane, main.join, .plain-page").wait_for()
    while True:
        for recorder in recorders.values():
            recorder.rest()
        for recorder in recorders.values():
            recorder.step()
        acts = next(tell, "the end")
        if acts == "the end":
            break
        for who, act in (acts or {}).items():
            act(recorders[who].page)
    for person in people.values():
        person.context.close()
    return {who: recorder.recording() for who, recorder in recorders.items()}


def written(browser: Browser, address: str, *names: str) -> Iterator[Path]:
    """Record stories; what games say of themselves is kept once for all."""
    GAMES.mkdir(parents=True, exist_ok=True)
    with Server(address) as server:
        for name in names or STORIES:
            path = FOLDER / f"{name}.json"
            path.write_text(_readable(packed(recorded(browser, server, name))), "utf-8")
            yield path


def packed(told: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """A recording in which every answer stands once, and steps have their numbers."""
    answers: list[dict[str, Any]] = []
    for steps in told.values():
        for step in steps:
            kept = [one for one in step["answers"] if not _is_game(one)]
            answers += [one for one in kept if one not in answers]
            step["answers"] = sorted({answers.index(one) for one in kept})
    return {"answers": answers, "told": told}


def _is_game(answer: dict[str, Any]) -> bool:
    """Whether an answer tells what a game says of itself: then it is kept, and nothing else is."""
    found = GAME.search(answer["ask"])
    if found:
        path = GAMES / f"{found[1]}.{found[2]}.json"
        path.write_text(_readable(answer["answer"], in_order=False), "utf-8")
    return bool(found)


def _readable(told: dict[str, Any], *, in_order: bool = True) -> str:
    """A line for everything that is said, so that a change can be seen.

    A game says its rolls and fields in an order that the page keeps.
    """

    def lines(part: Any, deep: int) -> str:
        if deep and isinstance(part, dict) and part:
            inside = [f"{json.dumps(name)}: {lines(one, deep - 1)}" for name, one in part.items()]
            return "{\n" + ",\n".join(inside) + "\n}"
        if deep and isinstance(part, list) and part:
            return "[\n" + ",\n".join(lines(one, deep - 1) for one in part) + "\n]"
        return json.dumps(part, ensure_ascii=False, sort_keys=in_order, separators=(",", ":"))

    return lines(told, 2) + "\n"


def main(*names: str) -> int:
    """Record the stories named, or all."""
    from tests.page.conftest import Serving

    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        serving = Serving(Path(folder)).begin()
        try:
            for path in written(browser, serving.address, *names):
                print(f"{path.stat().st_size / 1000:6.1f} kB  {path.name}", flush=True)
        finally:
            serving.end()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
