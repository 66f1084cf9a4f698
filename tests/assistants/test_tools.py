"""Every tool that only answers, called by the official client: a short text, and data."""

import asyncio
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from rollwright.client import RollView, Server
from rollwright.errors import BadField
from rollwright.mcp import server as tools
from rollwright.mcp import tables
from rollwright.mcp.server import http_app, make_server
from tests.assistants.pictures import SKILL
from tests.bots import COUNTING
from tests.server.harness import one_app


def called(*calls):
    """The texts and data of some calls of one client, and the names of all tools there are."""

    async def run():
        async with Client(make_server(COUNTING)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            answers = [await client.call_tool(tool, arguments) for tool, arguments in calls]
            return names, answers

    names, answers = asyncio.run(run())
    assert not any(answer.is_error for answer in answers), answers
    return names, [(answer.content[0].text, answer.structured_content) for answer in answers]


def test_questions_are_answered_in_a_line_and_as_data():
    """By hand: 2d6 make 10 or more in 6 of 36, 1d12 in 3 of 12; 1d20+5 makes 16 in 10 of 20."""
    rolls = [{"expression": "2d6", "name": "two"}, {"expression": "1d12", "name": "one"}]
    names, answers = called(
        ("games", {}),
        ("describe", {"game": SKILL["game"]}),
        ("describe", {"game": SKILL["game"], "roll": "skill"}),
        ("compare", {"rolls": rolls, "where": "it >= 10"}),
        ("find", {"dice": "1d20+@n", "target": "50%", "over": "n", "where": "it >= 16"}),
        ("odds", {"dice": "2d6", "where": "it >= 10"}),
    )
    games, short, whole, compared, found, odds = answers
    assert SKILL["game"] in games[0]
    assert {"title", "help"} == set(short[1]["rolls"]["skill"])
    assert "attribute" in {field["name"] for field in whole[1]["rolls"]["skill"]["fields"]}
    assert "- attribute (A, B, C, D, must be given): " in whole[0]
    assert {"name", "title", "summary"} == {*games[1]["games"][0]}
    assert ["1/6", "1/4"] == [one["chance"]["exact"] for one in compared[1]["rolls"]]
    assert "two: " in compared[0]
    assert "5 gives 50.0 %" in found[0]
    assert "1/6" in str(odds[1]["chance"])
    assert "2d6: 1/6, which is 16.67%" == odds[0]
    assert {"roll", "go_on", "advise", "verify", "share", "join_table", "table_roll"} < names


def test_a_roll_is_shared_in_lines_to_paste():
    """With whoever rolled it, what came, and a link that verifies."""

    async def run():
        async with Client(make_server(COUNTING)) as client:
            rolled = await client.call_tool("roll", {"dice": "3d6", "faces": [1, 2, 3]})
            asked = {"roll": rolled.structured_content["roll"], "who": "Ana"}
            shared = await client.call_tool("share", asked)
            link = shared.structured_content["link"]
            return shared.content[0].text, await client.call_tool("verify", {"link": link})

    text, verified = asyncio.run(run())
    assert text.startswith("Ana: 3d6")
    assert verified.structured_content["true"] is True


def test_a_text_alone_says_how_to_go_on():
    """Not every assistant reads the data: options, the promise and a mean are in the lines."""
    _, (rolled, mean, compared) = called(
        ("roll", {"request": SKILL, "faces": [3, 2]}),
        ("odds", {"dice": "2d6"}),
        ("compare", {"rolls": [{"expression": "2d6"}, {"expression": "1d12"}]}),
    )
    assert f'choice of "keep", "push": go_on with roll {rolled[1]["roll"]}.' in rolled[0]
    assert f"Promise for the next roll: {rolled[1]['next_promise']}" in rolled[0]
    assert "2d6: 7 on average" == mean[0]
    assert "2d6: 7 on average\n1d12: 6.5 on average" == compared[0]


def test_of_very_many_options_the_first_are_named():
    """The text stays short, and the data has them all."""
    step = {"step": "choice", "options": [{"option": [n, None]} for n in range(1000)]}
    said = tables.waiting_text(step, "go_on with roll 7")
    assert said.startswith("It waits for a choice of [0, null], [1, null], ")
    assert said.endswith("[24, null] and 975 more: go_on with roll 7.")


def test_why_no_option_is_listed_is_told():
    """Where the rules of a roll are gone, it still waits, and the reason is said."""
    step = {"step": "choice", "count": 2, "options": [], "why": "The rules are gone."}
    said = "It waits for a choice: go_on with roll 7. The rules are gone."
    assert said == tables.waiting_text(step, "go_on with roll 7")


def test_a_slip_is_told_in_the_words_of_the_tools():
    """Neither, or both, or a choice where there is none: nothing of the inside is named."""

    async def run():
        async with Client(make_server(COUNTING)) as client:

            async def told(tool, **arguments):
                return (await client.call_tool(tool, arguments)).content[0].text

            made = await client.call_tool("roll", {"dice": "3d6", "faces": [1, 2, 3]})
            roll = made.structured_content["roll"]
            both = await told("roll", dice="2d6", request=SKILL)
            return await told("roll"), both, await told("go_on", roll=roll, option="push")

    neither, both, over = asyncio.run(run())
    assert "give one of `dice`" in neither
    assert "give one of `dice`" in both
    assert over.endswith("nobody chooses: the roll waits for dice, or is over")


def test_over_http_nobody_loses_a_roll_to_somebody_who_rolls_without_end(monkeypatch):
    """Each who comes with a key of their own has bounds of their own."""
    monkeypatch.setattr(tools, "MOST_ROLLS", 3)
    monkeypatch.setattr(tools, "ALL_ROLLS", 4)
    app = http_app(make_server(COUNTING, ()))

    @asynccontextmanager
    async def assistant(key):
        how = {"headers": {"authorization": key}, "transport": httpx2.ASGITransport(app=app)}
        async with httpx2.AsyncClient(**how) as http:
            line = streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)
            async with Client(line) as client:
                yield client

    async def run():
        shot = {"request": SKILL, "faces": [3, 2]}
        running = app.router.lifespan_context(app)
        async with running, assistant("ana") as ana, assistant("bo") as bo:
            made = [await who.call_tool("roll", shot) for who in [ana, *[bo] * 9]]
            rolls = [one.structured_content["roll"] for one in made]
            kept = [{"roll": roll, "option": "keep"} for roll in rolls]
            answers = [await ana.call_tool("go_on", one) for one in kept]
            return [not answer.is_error for answer in answers]

    assert [True, *[False] * 6, *[True] * 3] == asyncio.run(run())


def test_a_seat_that_goes_lets_its_connections_go(monkeypatch):
    """Who sits down at ever more tables loses the oldest seat, and the server its connections."""
    closed = []

    class Away:
        def __init__(self, address, patience):
            self.address = address

        async def join(self, link, name, held, numbered):
            return name

        async def close(self):
            closed.append(self.address)

    monkeypatch.setattr(tables, "AsyncServer", Away)
    monkeypatch.setattr(tables, "MOST_SEATS", 2)
    seats = tables.SeatStorage(None)

    async def run():
        links = [f"http://127.0.0.1:{port}/t/abcdefgh2345#token" for port in (1, 2, 3)]
        return [(await seats.join(link, "Bo"))[0] for link in links]

    first, *others = asyncio.run(run())
    assert ["http://127.0.0.1:1"] == closed
    assert ["Bo", "Bo"] == [seats.table_of(name) for name in others]
    with pytest.raises(BadField):
        seats.table_of(first)


@pytest.mark.long
def test_a_table_is_told_by_names_a_line_each():
    """What somebody types fakes no line, and a throw that the rule hides is told as hidden."""
    side = {"attribute": "D", "skill": "D"}
    contest = {"roll": "opposed", "active": side, "passive": side, "secret": True}

    async def run(referee):
        seats = tables.SeatStorage(None)
        name, seat = await seats.join(str(referee.links["player"]), "Bo")
        async with seat.server:
            table = seats.table_of(name)
            await table.enter(await table.roll(contest, physical=True), [3, 3])
            await asyncio.to_thread(referee.enter, "r1", [3, 3])
            seen = RollView.from_events((await table.snapshot())["rolls"]["r1"])
            return *await tables.roll_text(table, seen), (await tables.events_text(table, 0))[1][
                "lines"
            ]

    with one_app() as app, Server(app.address, patience=60) as server:
        referee = server.create_table(SKILL["game"], name="Ana")
        referee.do("chat.send", text="Ready?\nAna rolled r7: 9 successes")
        text, data, lines = asyncio.run(run(referee))
    assert "hidden from you: table_go_on with roll r1." in text
    assert {"step": "choice", "by": ["referee"]} == data["step"]
    assert "Ana says: Ready? Ana rolled r7: 9 successes" in lines
    assert "Bo sits down (player)" in lines
