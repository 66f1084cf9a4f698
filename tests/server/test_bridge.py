"""The bridge on the page of the docs, between a chat of our own and a real server of tables."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from benchmarks.soak.servers import App

from rollwright.client import Server, Table
from rollwright.client.devices import SigningDevice
from rollwright.client.seat_stores import BotSeatStore
from rollwright.client.storage import Storage
from tests.docs.examples import ROOT, names_of
from tests.server.chat import Chat

pytestmark = pytest.mark.storm
SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}


class Crash(Exception):
    """The bridge falls over."""


class Fragile(Storage):
    """A file in which the next thing of a kind is not written any more."""

    falls_at = ""

    def put(self, kind: str, name: str, held: object, owner: str = "") -> None:
        """Keep it, or fall."""
        told = kind == "place" and isinstance(held, tuple) and held[-1] is None and held[3]
        if self.falls_at == kind and (kind != "place" or told):
            self.falls_at = ""
            raise Crash
        super().put(kind, name, held, owner)


@pytest.fixture
def rosa(app: App) -> Iterator[Table]:
    """A referee at a table of hers."""
    with Server(app.address, patience=60) as server:
        yield server.create_table("twilight2000", name="Rosa")


class Evening:
    """A chat, a table, and the bridge that is started and falls."""

    def __init__(self, chat: Chat, rosa: Table, path: Path) -> None:
        self.chat, self.rosa, self.path = chat, rosa, path
        self.names = names_of(ROOT / "docs" / "howto" / "bridge.md")

    @asynccontextmanager
    async def bridge(self, falls_at: str = "") -> Any:
        """The bridge while it runs; or until it falls."""
        storage = Fragile(self.path)
        storage.falls_at = falls_at
        room = self.names["Room"]("127.0.0.1", self.chat.port)
        links = str(self.rosa.links["player"]), str(self.rosa.links["spectator"])
        running = asyncio.create_task(self.names["bridged"](room, *links, storage))
        try:
            yield running
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError, ExceptionGroup):
                await running
            storage.close()

    @contextmanager
    def seat_of_bridge(self) -> Iterator[Table]:
        """The seat that the bridge has, in other hands."""
        with closing(Storage(self.path)) as storage:
            keep = BotSeatStore(storage, self.rosa.id)
            token = keep.read()["token"]
            yield Table(self.rosa.asking, self.rosa.id, token, device=SigningDevice.load(keep))


def has(text: str) -> Any:
    """Whether something was said."""
    return lambda told: any(text in line for line in told)


async def through_everything(evening: Evening, app: App) -> None:
    """Roll from both sides while one after the other falls."""
    chat, rosa = evening.chat, evening.rosa
    async with evening.bridge():
        await chat.says("ana", "hello")
        await chat.says("ana", "!roll 2d6+100")
        await chat.heard(has("2d6"))
        await chat.says("ana", "!roll 2x")
        await chat.heard(has("did you mean"))
        await chat.says("ana", "!choose 0")
        await chat.heard(has("nothing waits"))
        # The chat hears what is said and is cut off before it says so.
        chat.silent = 2
        chat.drop()
        await asyncio.to_thread(rosa.roll, "3d4")
        await chat.heard(has("Rosa: 3d4"))
        await chat.says("ana", "!roll 5d8")
        await chat.heard(has("5d8"))
        # The table's server is killed, and somebody rolls meanwhile.
        app.kill9()
        await chat.says("ana", "!roll 6d10")
        starting = threading.Thread(target=app.start)
        starting.start()
        await chat.heard(has("6d10"))
        starting.join()
        await asyncio.to_thread(rosa.roll, "7d12", visibility="private")
    # It falls after the table did what a line asked for, before it has noted the line.
    await chat.says("ana", "!roll 1d20+3")
    async with evening.bridge(falls_at="line") as fallen:
        with pytest.raises(ExceptionGroup):
            await fallen
    # And after the chat heard of a roll, before it has noted that.
    await asyncio.to_thread(rosa.roll, "2d10")
    async with evening.bridge(falls_at="place") as fallen:
        with pytest.raises(ExceptionGroup):
            await fallen
    with evening.seat_of_bridge() as seat:
        roll = await asyncio.to_thread(seat.roll, SKILL, physical=True)
        await asyncio.to_thread(seat.enter, roll, [3, 2])
    async with evening.bridge():
        await chat.heard(has("!choose 1 (push)"))
        await chat.says("ana", "!choose 0")
        await chat.heard(lambda told: sum("D8 3 and D10 2" in line for line in told) == 2)
        await chat.says("ana", "!roll skill attribute=A; skill=A")
        await chat.heard(has("D12"))


def test_nothing_is_lost_and_nothing_doubled(app: App, rosa: Table, tmp_path: Path) -> None:
    """Every line is rolled once and every open roll told once, though all three fall in turn."""

    async def run() -> Chat:
        async with Chat().open() as chat:
            evening = Evening(chat, rosa, tmp_path / "bridge.sqlite")
            await asyncio.wait_for(through_everything(evening, app), 500)
        return chat

    chat = asyncio.run(run())
    dice = ("2d6", "3d4", "5d8", "6d10", "1d20", "2d10")
    assert [1] * len(dice) == [sum(f"{one} [" in line for line in chat.told) for one in dice]
    assert chat.sayings > len(chat.told)
    assert not has("7d12")(chat.told)
    log = rosa.log()
    started = [event for event in log["events"] if event["kind"] == "roll.started"]
    assert len(dice) + 3 == len(started)
    assert ["Rosa", "Chat"] == [seat["name"] for seat in rosa.snapshot()["seats"]]
    with Server(app.address) as server:
        assert server.verify(log=log)["true"] is True
