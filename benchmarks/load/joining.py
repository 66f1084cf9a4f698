"""How long it takes to have the whole of a long log, from opening the socket on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from websockets.asyncio.client import connect

from benchmarks.load.servers import Server, load, table

LENGTH = 10_000


def joins(times: int) -> dict[str, list[float]]:
    """The seconds for the first who joins after a start and for the second, for each start."""
    found: dict[str, list[float]] = {"first": [], "second": []}
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder)}/long.sqlite"
        with table(address, "--synchronous=normal") as server:
            way_in = filled(server)
        for _ in range(times):
            with table(address) as server:
                for who in found.values():
                    who.append(asyncio.run(joined(server, **way_in)))
    return found


def filled(server: Server) -> dict[str, str]:
    """A table whose log is long enough, and the token of somebody at it."""
    shape = {"rooms": 1, "clients": 8, "senders": 8, "rate": 10}
    found = load("table", [server], seconds=1, rolls=LENGTH // 2, **shape)
    return {"number": found["table"], "token": found["token"]}


async def joined(server: Server, number: str, token: str) -> float:
    """The seconds until the last of all events has come."""
    start = perf_counter()
    address = f"ws://127.0.0.1:{server.port}/api/v1/tables/{number}/socket"
    async with connect(address, max_size=None, compression=None) as socket:
        await socket.send(json.dumps({"hello": {"protocol": 3, "token": token, "after": 0}}))
        head = json.loads(await socket.recv())["welcome"]["head"]
        if head < LENGTH:
            raise SystemExit(f"the log has only {head} events")
        last = 0
        while last < head:
            frame = json.loads(await socket.recv())
            last = frame["events"][-1]["seq"] if "events" in frame else last
    return perf_counter() - start
