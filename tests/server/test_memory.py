"""One ceiling of memory for all counting: who has what of it, who keeps to it, and what is left."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import rollwright as rw
from rollwright.cli.commands import discord, mcp
from rollwright.client.storage import HolderCache, Storage
from rollwright.client.venues import BotRollSpec, ChatPerson, SoloVenue, distribution_picture
from rollwright.errors import CodedError, RollwrightError
from rollwright.mcp.server import LONGEST_CALL, http_app, make_server
from rollwright.queries import answers
from rollwright.queries.kinds import RollQuery
from rollwright.queries.shares.stored_rolls import PLACE, StoredRoll
from rollwright.server.app import _worker_limits
from rollwright.server.responses import SpooledBody
from rollwright.server.settings import BadSetting, Settings
from rollwright.workers import bots
from rollwright.workers.body_limits import BodyLimiter
from rollwright.workers.bots import BotWorker, bot_limits
from rollwright.workers.cache import PrivacyScope
from rollwright.workers.memory import (
    LEAST_CEILING,
    LONG_BODIES,
    ONE_COUNT,
    STANDARD_CEILING,
    VARIABLE,
    bot_ceiling,
    server_ceilings,
)
from rollwright.workers.payloads import parse_body
from rollwright.workers.pool import LONG, WorkerLimits, WorkerPool
from rollwright.workers.queue import FairQueue, Job
from tests.bots import COUNTING
from tests.server.test_counting import limits, quick, refused, running, until
from tests.table.tables import Host

ONLY_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="of Linux only")
MEGABYTE = 2**20
HUGE = "990d1000"
"""Its odds take 1.4 GB."""
SMALL = 24 * MEGABYTE
"""What a process may take that can count hardly more than a line."""
FILLING = {
    "ask": "compare",
    "rolls": [{"expression": f"{number}d100"} for number in range(200, 208)],
}
"""Each of them is small enough, and all of them are kept until the last is counted."""


def data_of(process: psutil.Process) -> int:
    """What of a process its limit counts."""
    return int(Path(f"/proc/{process.pid}/statm").read_text("ascii").split()[5]) * 4096


def counters_of(pids: tuple[int, ...]) -> list[psutil.Process]:
    """The processes that count for these fork servers."""
    return [child for pid in pids for child in psutil.Process(pid).children()]


def is_bounded(process: psutil.Process) -> bool:
    """Whether it has a limit; one that was just split off sets it first of all."""
    return bool(process.rlimit(psutil.RLIMIT_DATA)[1] != psutil.RLIM_INFINITY)


def growth_allowed(process: psutil.Process) -> int:
    """How many bytes more a process may take."""
    return process.rlimit(psutil.RLIMIT_DATA)[1] - data_of(process)


@given(
    ceiling=st.integers(LEAST_CEILING, 2**38),
    workers=st.integers(1, 32),
    processors=st.integers(1, 128),
    counters=st.integers(0, 64),
)
def test_all_parts_together_are_never_more_than_the_ceiling(
    ceiling: int, workers: int, processors: int, counters: int
) -> None:
    """Questions, a long body, a decision, in each worker; and a count in each of two bots."""
    found = server_ceilings(ceiling, workers, processors, counters)
    one = found.processes * found.question + found.long + found.decision
    assert ceiling >= workers * one + 2 * bot_ceiling(ceiling)
    assert counters in (0, found.processes)
    assert 0 < found.question <= ONE_COUNT


def test_the_server_keeps_to_its_parts_of_the_ceiling() -> None:
    """What the settings say is what the processes are told; workers share it."""
    usual, twice = Settings(), Settings(count_bytes=2 * STANDARD_CEILING)
    assert WorkerLimits(workers=2) == _worker_limits(usual)
    assert 2 * _worker_limits(usual).long_memory == _worker_limits(twice).long_memory


def test_all_counting_together_takes_a_gibibyte() -> None:
    """An installation that nobody set up otherwise stays below as much, with what lies idle."""
    assert 2**30 == STANDARD_CEILING


@ONLY_LINUX
@pytest.mark.storm
@running
async def test_a_log_as_long_as_can_be_brought_is_checked_in_its_part() -> None:
    """Here a seventh of one, with a seventh of the memory: six thousand signed rolls' events."""
    host = Host("twilight2000", signed=True)
    for number in range(2_400):
        host.do(f"s{2 + number % 2}", "roll.start", expression="6d6+3")
    body = json.dumps({"log": host.log("s1")}).encode()
    room = LONG_BODIES * ONE_COUNT * len(body) // Settings().import_bytes

    async def held() -> AsyncIterator[bytes]:
        yield body

    async with WorkerPool(limits(long_memory=room)) as counting:
        asked = counting.answer({"ask": "verify"}, "x", pieces=held(), size=LONG + 1)
        assert (await asked)["true"]


def test_workers_that_would_have_too_little_are_refused() -> None:
    """Each needs some memory to count with, and the host is told how much that is."""
    shared: dict[str, Any] = {"database": "postgresql://x/y", "redis": "redis://x"}
    with pytest.raises(BadSetting, match=f"count_bytes to {5 * LEAST_CEILING}"):
        Settings(workers=5, **shared)
    assert Settings(workers=5, count_bytes=5 * LEAST_CEILING, **shared)


@ONLY_LINUX
@pytest.mark.storm
@running
async def test_every_process_that_counts_is_bounded() -> None:
    """Those for everybody, for a scope and for a long body: by the system, as was said."""
    bounds = limits(memory=96 * MEGABYTE, long_memory=200 * MEGABYTE)
    async with WorkerPool(bounds) as counting:
        await counting.warm()
        await counting.answer(quick(), "x", scope=PrivacyScope("t", "s"))
        found = counters_of(counting.pids)
        assert 3 == len(found)
        assert all(0 < growth_allowed(one) <= bounds.memory for one in found)
        before = {one.pid for one in found}

        def bounded_anew() -> list[int]:
            new = [one for one in counters_of(counting.pids) if one.pid not in before]
            return [growth_allowed(one) for one in new if is_bounded(one)]

        async def held() -> AsyncIterator[bytes]:
            await until(lambda: bool(bounded_anew()))
            allowed.extend(bounded_anew())
            yield b"{}"

        allowed: list[int] = []
        asked = {"ask": "verify"}
        assert (
            "bad_field"
            == (await refused(counting.answer(asked, "x", pieces=held(), size=LONG + 1))).code
        )
        assert [True] == [bounds.memory < one <= bounds.long_memory for one in allowed]


@ONLY_LINUX
@pytest.mark.storm
@running
async def test_a_count_that_fills_its_memory_is_refused_and_the_process_goes_on() -> None:
    """By the system, where nobody could tell it before; the next question is answered."""
    async with WorkerPool(limits(workers=1, memory=SMALL)) as counting:
        problem = await refused(counting.answer(FILLING, "x"))
        assert "too_much_work" == problem.code
        assert "36" == (await counting.answer(quick(), "x"))["total"]
        assert (0, 0) == (counting.numbers.crashed, counting.numbers.killed)


@ONLY_LINUX
@pytest.mark.storm
@pytest.mark.parametrize(
    "scope", [PrivacyScope(), PrivacyScope("t", "s")], ids=["everybody", "a seat"]
)
def test_a_process_that_has_grown_ends(scope: PrivacyScope) -> None:
    """Nothing is kept of a large count: whoever asks next is answered by another process."""

    @running
    async def test() -> None:
        async with WorkerPool(limits(workers=1, idle_memory=-1)) as counting:
            await counting.warm()
            [common] = counters_of(counting.pids)

            def replaced(found: list[psutil.Process]) -> bool:
                return len(found) == 1 and (found != [common]) == scope.is_public

            assert "36" == (await counting.answer(quick(), "x", scope=scope))["total"]
            await until(lambda: replaced(counters_of(counting.pids)))
            assert "36" == (await counting.answer(quick(1), "x", scope=scope))["total"]
            assert not counting.numbers.crashed

    test()


def test_of_long_bodies_one_is_worked_on_at_a_time() -> None:
    """Whosever they are; what is short goes on meanwhile, also behind a long one of its own."""
    shares = FairQueue(each=9, in_all=9, at_once=9)
    jobs = [Job(n, b"%d" % n, {}, f"table {n % 2}", f"address {n % 2}") for n in range(5)]
    for job in jobs:
        job.is_long = job.number < 2
        shares.add(job)
    taken = [shares.take() for _ in range(5)]
    assert {0, 2, 3, 4} == {job.number for job in taken if job}
    assert shares.take() is None
    shares.finish(jobs[0])
    assert jobs[1] is shares.take()


def test_a_long_body_gives_its_memory_back() -> None:
    """It is held in pages of its own, and handed on piece by piece as long as it is held."""
    body = SpooledBody(3 * MEGABYTE)
    body.add(b"x" * MEGABYTE)
    body.add(b"y" * 7)

    async def read() -> list[int]:
        return [len(piece) async for piece in body.pieces()]

    assert [MEGABYTE, 7] == asyncio.run(read())
    body.close()
    assert [] == asyncio.run(read())


@pytest.fixture
def nothing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is counted in this process fails."""

    def fails(*_: object) -> None:
        raise AssertionError("a bot counts in its own process")

    for kind in answers.ANSWERS:
        if kind != "describe":
            monkeypatch.setitem(answers.ANSWERS, kind, fails)


@pytest.mark.long
@pytest.mark.usefixtures("nothing_here")
def test_a_discord_bot_counts_nothing_itself(tmp_path: Path) -> None:
    """Rolls, odds and pictures come from its process, which refuses what would fill gigabytes."""
    COUNTING.answer("describe", {}, "first")
    person, storage = ChatPerson("1", "Ana", "700"), Storage(tmp_path / "bot.sqlite")
    alone = SoloVenue(person, storage, COUNTING)
    assert alone.start(BotRollSpec("1d6")).told.told
    assert 7 == alone.chance(BotRollSpec("2d6"))["chance"]["number"]
    assert distribution_picture("2d6", COUNTING, person)
    with pytest.raises(CodedError) as problem:
        alone.chance(BotRollSpec(HUGE))
    assert "too_much_work" == problem.value.code
    storage.close()


@pytest.mark.usefixtures("nothing_here")
def test_a_server_for_assistants_counts_nothing_itself() -> None:
    """The same for its tools: the check of a log, dice from a promised key, and best play."""
    shot = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
    calls = [
        ("odds", {"dice": "2d6"}),
        ("roll", {"dice": "2d6", "faces": [1, 2]}),
        ("roll", {"dice": "2d6"}),
        ("roll", {"request": shot, "policy": "best", "word": "teapot"}),
        ("verify", {"log": {"format": 3}}),
        ("odds", {"dice": HUGE}),
    ]

    async def run() -> list[bool]:
        async with Client(make_server(COUNTING)) as client:
            return [(await client.call_tool(*call)).is_error for call in calls]

    assert [*[False] * 5, True] == [bool(one) for one in asyncio.run(run())]


def test_a_body_cannot_name_the_key_of_its_dice() -> None:
    """Only a bot hands a key to the process that throws: of strangers no such field is taken."""
    body = b'{"expression": "1d6", "promised": ["%s", ""]}' % (b"ab" * 32)
    with pytest.raises(CodedError, match="promised"):
        parse_body(body, RollQuery)


def test_long_rolls_take_more_of_the_places() -> None:
    """A server for assistants keeps two thousand rolls in 16 MB, however long they are."""
    short = rw.roll("3d6", seed=1).to_plain()
    long = rw.roll("20000d20000", seed=1).to_plain()
    assert 1 == StoredRoll.of(short, ()).places
    found = StoredRoll.of(long, ())
    assert long == found.transcript
    assert len(found.packed) <= found.places * PLACE <= len(found.packed) + PLACE
    kept: HolderCache[StoredRoll] = HolderCache(
        "roll", 4 * found.places, 6 * found.places, places=lambda it: it.places
    )
    first = kept.put(StoredRoll.of(short, ()), ("ana",))
    names = [kept.put(found, who) for who in [("bo",)] * 9 + [("cy",)] * 3]
    assert short == kept.find(first).transcript
    assert [False] * 7 + [True] * 5 == [_is_kept(kept, name) for name in names]


def _is_kept(kept: HolderCache[StoredRoll], name: str) -> bool:
    try:
        kept.find(name)
    except RollwrightError:
        return False
    return True


def posted(app: Any, *bodies: Any, inside: list[asyncio.Event]) -> list[int]:
    """Post bodies to a bot at once; the answers' numbers. None is answered before each is either
    refused or among those that are read.
    """

    async def run() -> list[int]:
        line = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=line, base_url="http://127.0.0.1:8000") as http:
            made = [asyncio.ensure_future(http.post("/", content=body)) for body in bodies]
            while len(inside) + sum(one.done() for one in made) < len(made):
                await asyncio.sleep(0)
            while inside:
                inside.pop().set()
            return [answer.status_code for answer in await asyncio.gather(*made)]

    return asyncio.run(run())


def test_what_a_bot_reads_is_bounded_one_by_one_and_all_together() -> None:
    """Bodies count until their request is answered; then there is room again."""

    inside: list[asyncio.Event] = []

    async def reads(request: Request) -> Response:
        body = await request.body()
        inside.append(goes_on := asyncio.Event())
        await goes_on.wait()
        return Response(str(len(body)))

    app = BodyLimiter(
        Starlette(routes=[Route("/", reads, methods=["POST"])]), longest=100, in_all=150
    )
    assert [200, 413] == posted(app, b"x" * 100, b"x" * 101, inside=inside)
    assert [200, 200, 503] == sorted(posted(app, *[b"x" * 60] * 3, inside=inside))
    assert [200, 200] == posted(app, b"x" * 60, b"x" * 60, inside=inside)


def test_a_server_for_assistants_keeps_nothing_of_a_request() -> None:
    """A session would keep its latest for half an hour, thirty times as large as it came."""
    app = http_app(make_server(COUNTING, ()))
    opening = {"protocolVersion": "2025-06-18", "capabilities": {}}
    opening["clientInfo"] = {"name": "x", "version": "1"}
    sent = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening}
    headers = {"accept": "application/json, text/event-stream"}

    async def run() -> list[httpx.Response]:
        line = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=line, base_url="http://127.0.0.1:8000") as http,
        ):
            long = b" " * (LONGEST_CALL + 1)
            return [
                await http.post("/mcp", json=sent, headers=headers),
                await http.post("/mcp", content=long, headers=headers),
                await http.get("/mcp", headers=headers),
            ]

    answers = asyncio.run(run())
    assert [200, 413, 405] == [answer.status_code for answer in answers]
    assert "mcp-session-id" not in answers[0].headers


@ONLY_LINUX
@pytest.mark.storm
def test_the_process_of_a_bot_is_bounded_and_ends_with_it() -> None:
    """It may take the bot's part of the ceiling and no more; closed, nothing is left."""
    counting = BotWorker(bot_limits())
    asked = {"expression": "1d6", "where": "it = 6"}
    assert "1/6" == counting.answer("event", asked, "x")["chance"]
    [pid] = counting.pids
    family = [psutil.Process(pid), *counters_of((pid,))]
    assert all(0 < growth_allowed(one) <= bot_ceiling(STANDARD_CEILING) for one in family[1:])
    counting.close()
    assert [] == psutil.wait_procs(family, timeout=60)[1]


@pytest.mark.parametrize(
    ("command", "words"),
    [(discord.discord, ["--public-key", "00" * 32]), (mcp.mcp, ["--http", "--port", "1"])],
    ids=["discord", "mcp"],
)
def test_a_bot_is_told_the_ceiling_of_its_installation(
    command: Any, words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By the same variable as the server; what is too little is refused."""

    def noted(limits: WorkerLimits) -> BotWorker:
        raise CodedError("noted", f"{limits.memory} bytes")

    monkeypatch.setattr(bots, "BotWorker", noted)
    monkeypatch.chdir(tmp_path)
    told = {VARIABLE: str(4 * STANDARD_CEILING)}
    done = CliRunner().invoke(command, words, env=told)
    assert f"{4 * ONE_COUNT} bytes" == str(done.exception)
    assert 2 == CliRunner().invoke(command, [*words, "--count-bytes", "1000"]).exit_code
