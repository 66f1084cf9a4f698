"""A simulated Discord with a bot behind it, and a real server of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.soak.servers import App
from starlette.testclient import TestClient

from rollwright.client import Server, Table
from rollwright.client.storage import Storage
from rollwright.discord.api import register
from rollwright.discord.app import DiscordSettings, app
from rollwright.discord.interactions import InteractionHandler
from tests.bots import COUNTING
from tests.discord.simulated import APPLICATION, BOT_TOKEN, Discord
from tests.loaded import LoadedTable
from tests.server.harness import one_app

PLENTY = {"address_rate": 1000, "address_burst": 5000, "tables_per_hour": 5000}
PLENTY |= {"seat_rate": 1000, "seat_burst": 5000, "joins_per_minute": 5000}


@pytest.fixture(scope="package")
def served() -> Iterator[App]:
    """A server of tables that runs."""
    with one_app(**PLENTY) as found:
        yield found


@pytest.fixture(scope="package")
def tables(served: App) -> Iterator[Server]:
    """The same, as phones have it."""
    with Server(served.address, patience=60) as server:
        yield server


@pytest.fixture
def rosa(tables: Server) -> Table:
    """A table with its referee, who is at the page."""
    return tables.create_table("twilight2000", name="Rosa", title="Kalisz")


@pytest.fixture
def loaded(served: App, rosa: Table) -> LoadedTable:
    """That table, whose dice fall as a test says."""
    return LoadedTable.of(served, rosa)


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Callable[..., Discord]]:
    """Starts a bot that a simulated Discord talks to; its limits were never broken."""
    with ExitStack() as stack:
        made: list[Discord] = []

        def start(*servers: str, patience: float = 1.5, discord: Discord | None = None) -> Discord:
            found = discord or Discord()
            storage = Storage(tmp_path / "bot.sqlite")
            stack.callback(storage.close)
            settings = DiscordSettings(found.public_key, patience, BOT_TOKEN, found.transport)
            stack.callback(_forget, found)
            running = stack.enter_context(ExitStack())
            found.desk = InteractionHandler(storage, COUNTING, servers, found.numbers)
            served = app(settings, found.desk)
            found.bot, found.stop = running.enter_context(TestClient(served)), running.close
            found.following = lambda: [*served.state.feeds.followed]
            with httpx.Client(transport=found.transport) as http:
                register(http, APPLICATION, BOT_TOKEN)
            made.append(found)
            return found

        yield start
    assert [] == [problem for found in made for problem in found.broken]


def _forget(found: Any) -> None:
    found.bot = None
