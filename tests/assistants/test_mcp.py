"""An assistant with the official client of the protocol, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from benchmarks.soak.servers import App
from mcp import Client, StdioServerParameters

from rollwright import queries
from rollwright.client import Server
from rollwright.queries.shares import roll_links
from tests.gates import but
from tests.server.harness import one_app
from tests.server.parts import free_port

pytestmark = pytest.mark.storm

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
GROUP = {
    "game": "kleptonomicon",
    "roll": "group",
    "members": [{"name": name, "modifier": 1} for name in ("Alice", "Bob", "Carol")],
}
RUN = [sys.executable, "-m", "rollwright", "mcp"]
SECONDS = 120


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """A server with tables."""
    with one_app() as app:
        yield app


@contextmanager
def over_http(app: App) -> Iterator[str]:
    """A server for assistants that listens, and may join the tables of that other server."""
    port = free_port()
    words = [*RUN, "--http", "--port", str(port), "--tables", app.address]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        address = f"http://127.0.0.1:{port}/mcp"
        wait_for(address)
        yield address
    finally:
        process.terminate()
        process.wait(SECONDS)
        if process.stdout is not None:
            process.stdout.close()


def wait_for(address: str) -> None:
    """Wait until somebody listens."""
    with httpx.Client(transport=httpx.HTTPTransport(retries=60)) as http:
        http.get(address, timeout=SECONDS)


@pytest.fixture(scope="module", params=["stdio", "http"])
def place(request: pytest.FixtureRequest, app: App) -> Iterator[str | StdioServerParameters]:
    """Where an assistant finds the tools."""
    if request.param == "stdio":
        yield StdioServerParameters(command=RUN[0], args=RUN[1:])
    else:
        with over_http(app) as address:
            yield address


over_http_first = pytest.mark.parametrize("place", but(["stdio", "http"], "http"), indirect=True)
"""The tools are the same ones over both; a server of its own costs a second to start."""
Place = str | StdioServerParameters


class Assistant:
    """Calls tools, and gives the text and the data of each answer."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """An answer that is no refusal."""
        found = await self.client.call_tool(tool, arguments)
        text = found.content[0].text  # type: ignore[union-attr]
        assert not found.is_error, text
        return text, found.structured_content or {}

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Why something was not done."""
        found = await self.client.call_tool(tool, arguments)
        assert found.is_error
        return str(found.content[0].text)  # type: ignore[union-attr]


def driven(place: Place, drive: Callable[[Assistant], Awaitable[None]]) -> None:
    """Let an assistant do something."""

    async def run() -> None:
        async with Client(place, read_timeout_seconds=SECONDS) as client:
            await drive(Assistant(client))

    asyncio.run(run())


def test_a_whole_push(place: Place) -> None:
    """Odds, typed faces, advice at the choice, a push that is thrown here, and a true link.

    Without a push 11/16 succeed: 1 - 5/8 · 5/10, counted by hand.
    """

    async def drive(assistant: Assistant) -> None:
        _, odds = await assistant.call("odds", request=SKILL)
        assert "11/16" == odds["chance"]["exact"]
        text, rolled = await assistant.call("roll", request=SKILL, faces=[3, 2])
        assert ("choice", True) == (rolled["step"]["step"], "keep" in text)
        _, advice = await assistant.call("advise", roll=rolled["roll"])
        assert "push" == advice["best"]
        promise = rolled["next_promise"]
        _, pushed = await assistant.call(
            "go_on", roll=rolled["roll"], option="push", promise=promise, word="teapot"
        )
        assert "done" == pushed["step"]["step"]
        found = queries.answer("verify", {"link": pushed["link"]})
        assert found["true"] is True
        assert promise in found["said"][-1]
        assert "teapot" == roll_links.read(pushed["link"])["proof"]["calls"][0]["word"]  # type: ignore[index, call-overload]
        reason = await assistant.refused("roll", dice="2d6", promise=promise)
        assert "no such promise" in reason

    driven(place, drive)


@over_http_first
def test_a_group_test_to_its_end(place: Place) -> None:
    """Everybody rolls, choices are answered one call after the other, and the link is true."""

    async def drive(assistant: Assistant) -> None:
        _, rolled = await assistant.call("roll", request=GROUP)
        for _ in range(20):
            step = rolled["step"]
            if step["step"] == "done":
                break
            option = step["options"][-1]["option"]
            _, rolled = await assistant.call("go_on", roll=rolled["roll"], option=option)
        assert "done" == rolled["step"]["step"]
        text, found = await assistant.call("verify", link=rolled["link"])
        assert (True, True) == (found["true"], "drawn again" in text)

    driven(place, drive)


def test_a_table_roll_is_verified_and_a_secret_is_kept(place: Place, app: App) -> None:
    """A roll at a table is in its log, which is true; another assistant sees no secret of it."""
    with Server(app.address, patience=60) as server:
        table = server.create_table("twilight2000", name="Ana")
        link = str(table.links["player"])

        async def drive(first: Assistant) -> None:
            _, seat = await first.call("join_table", link=link, name="Bo's assistant")
            request = {name: SKILL[name] for name in ("roll", "attribute", "skill")}
            text, made = await first.call(
                "table_roll", seat=seat["seat"], request=request, policy="never"
            )
            assert text.startswith("Bo's assistant: Skill roll")
            shared = queries.answer("verify", {"link": text.split()[-1]})
            assert shared["true"] is True
            secret, _ = await first.call(
                "table_roll", seat=seat["seat"], dice="3d6", visibility="private"
            )
            assert "3d6" in secret
            said, found = await first.call("table_verify", seat=seat["seat"])
            assert found["true"] is True
            assert "True: chain, signatures, dice and rules" in said
            async with Client(place, read_timeout_seconds=SECONDS) as client:
                await outsider(Assistant(client), link, secret.splitlines()[1])
            assert made["roll"] == "r1"

        driven(place, drive)


@over_http_first
def test_a_choice_at_a_table_is_made_in_a_later_call(place: Place, app: App) -> None:
    """A task that asks before its dice: the same roll goes on, and another's seat cannot choose."""
    task = {"roll": "extended", "pool": 6, "target": 9, "limit": 6, "adrenaline": 1}
    with Server(app.address, patience=60) as server:
        link = str(server.create_table("dust", name="Ana").links["player"])

        async def drive(assistant: Assistant) -> None:
            seats = [(await assistant.call("join_table", link=link))[1]["seat"] for _ in range(2)]
            text, begun = await assistant.call("table_roll", seat=seats[0], request=task)
            assert ("choice", True) == (begun["waits_for"], "table_go_on with roll r1" in text)
            option = begun["step"]["options"][0]["option"]
            about = {"roll": "r1", "option": option}
            assert await assistant.refused("table_go_on", seat=seats[1], **about)
            _, later = await assistant.call("table_go_on", seat=seats[0], **about)
            assert "r1" == later["roll"]
            _, seen = await assistant.call("table_verify", seat=seats[1])
            assert seen["true"] is True
            both = {"seat": seats[0], "dice": "2d6", "request": task}
            assert "give one of `dice`" in await assistant.refused("table_roll", **both)

        driven(place, drive)


async def outsider(second: Assistant, link: str, came: str) -> None:
    """Somebody else at the table: told that something is secret, and nothing of it."""
    _, seat = await second.call("join_table", link=link, name="Cy's assistant")
    lines, heard = await second.call("table_events", seat=seat["seat"])
    assert "something secret" in lines
    assert ["Bo's assistant rolled r1"] == [
        line.partition(":")[0] for line in heard["lines"] if " rolled r" in line
    ]
    reason = await second.refused("table_go_on", seat=seat["seat"], roll="r2")
    assert came not in reason
    assert "no such seat" in await second.refused("table_events", seat="0" * 32)


@over_http_first
def test_what_is_told_of_faces(place: Place) -> None:
    """The texts say where faces come from; rules can be read, and the prompt be had."""

    async def drive(assistant: Assistant) -> None:
        client = assistant.client
        tools = {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}
        assert "never from you" in tools["roll"]
        assert "Never make up" in (client.instructions or "")
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        for uri in listed:
            read = await client.read_resource(uri)
            assert len(read.contents[0].text) > 1000  # type: ignore[union-attr]
        assert len(listed) == len(queries.answer("describe", {})["games"])
        prompt = await client.get_prompt("referee_a_roll", {"game": "any", "situation": "a leap"})
        assert "a leap" in prompt.messages[0].content.text  # type: ignore[union-attr]

    driven(place, drive)


@over_http_first
def test_refusals_are_sentences(place: Place) -> None:
    """A slip is told in our own words, and nothing of a traceback."""

    async def drive(assistant: Assistant) -> None:
        assert "did you mean" in await assistant.refused("roll", dice="2x")
        assert "no such roll" in await assistant.refused("go_on", roll="nobody")
        assert "no link" in await assistant.refused("join_table", link="elsewhere")

    driven(place, drive)


def test_over_http_only_named_tables_are_joined(app: App) -> None:
    """Whoever reaches the port cannot send the server to any address."""
    with over_http(app) as address:
        # Nor can a page in a browser, by a name that it gives to this machine.
        assert 421 == httpx.post(address, json={}, headers={"host": "elsewhere"}).status_code

        async def drive(assistant: Assistant) -> None:
            link = "http://192.0.2.1/t/abcdefgh2345#token"
            assert "not joined from here" in await assistant.refused("join_table", link=link)

        driven(address, drive)
