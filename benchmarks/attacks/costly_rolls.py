"""A stranger makes rolls that cost much: `python -m benchmarks.attacks.costly_rolls [seconds]`.

People at tables of their own roll twice a second each, from addresses of their own. Beside them a
stranger rolls `20x 1000d6`, four times a second with one seat, then with four, then takes the
long log away again and again. Told is what the others wait for their own rolls, and for how long
the server's event loop was held.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.attacks.watching import taken
from benchmarks.load.driver import token
from benchmarks.load.servers import free_port, running

COSTLY = "20x 1000d6"
TABLES, PEOPLE = 8, 2
PAUSE = 0.5
"""Between two rolls of one person."""
STRANGER = "127.0.0.66"
MEDIAN_MS, P99_MS = 25.0, 150.0
"""What the others may have to wait, at most."""
TAKEN_AWAY = ("statistics", "history.md", "history.csv", "log.json")


class Person(NamedTuple):
    """Somebody at a table, from an address of their own."""

    port: int
    table: str
    token: str
    address: str

    def http(self) -> httpx.AsyncClient:
        """Requests of this person."""
        return client(self.port, self.address, self.token)

    def socket(self) -> connect:
        """The socket of this person; Linux lets every address below 127 be one's own."""
        return connect(
            f"ws://127.0.0.1:{self.port}/api/v1/tables/{self.table}/socket",
            local_addr=(self.address, 0),
            compression=None,
            max_size=None,
            close_timeout=1,
        )


def client(port: int, address: str, token: str = "") -> httpx.AsyncClient:
    """Requests from an address."""
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}/api/v1",
        transport=httpx.AsyncHTTPTransport(local_address=address),
        headers={"Authorization": f"Bearer {token}"} if token else {},
        timeout=60,
    )


async def seated(port: int, addresses: list[str]) -> list[Person]:
    """A table with somebody at it from each of these addresses."""
    seats, link = [token() for _ in addresses], token()
    async with client(port, addresses[0]) as http:
        hashes = {"seat": seats[0][1], "player": link[1]}
        asked = {"id": secrets.token_urlsafe(12), "game": "", "name": "Ada", "tokens": hashes}
        table = _good(await http.post("/tables", json=asked))["table"]
    for address, (_, hashed) in zip(addresses[1:], seats[1:], strict=True):
        async with client(port, address, link[0]) as http:
            asked = {"id": secrets.token_urlsafe(12), "name": address, "token_hash": hashed}
            _good(await http.post(f"/tables/{table}/join", json=asked))
    return [Person(port, table, seat[0], one) for seat, one in zip(seats, addresses, strict=True)]


def _good(answer: httpx.Response) -> Any:
    if answer.is_error:
        raise SystemExit(f"the server refused: {answer.text[:300]}")
    return answer.json()


async def rolled(line: ClientConnection, expression: str) -> dict[str, Any]:
    """One roll, and how it was acknowledged."""
    roll = {"do": "roll.start", "expression": expression, "nonce": os.urandom(32).hex()}
    await line.send(json.dumps({"command": {"id": secrets.token_urlsafe(12), **roll}}))
    while True:
        frame = await line.recv()
        if frame.startswith('{"ack"' if isinstance(frame, str) else b'{"ack"'):
            ack: dict[str, Any] = json.loads(frame)["ack"]
            return ack


async def rolls(person: Person, delay: float, waits: list[float]) -> None:
    """Somebody who rolls again and again, and notes how long each took to be committed."""
    async with person.socket() as line:
        await line.send(json.dumps({"hello": {"protocol": 3, "token": person.token, "recent": 0}}))
        await asyncio.sleep(delay)
        while True:
            begun = perf_counter()
            ack = await rolled(line, "3d6+2")
            waits.append(perf_counter() - begun)
            if not ack["ok"]:
                raise SystemExit(f"an ordinary roll was refused: {ack}")
            await asyncio.sleep(PAUSE)


async def attacks(person: Person, seconds: float, made: dict[str, int]) -> None:
    """The stranger at one seat: a costly roll every quarter of a second, refused or not."""
    async with person.socket() as line:
        await line.send(json.dumps({"hello": {"protocol": 3, "token": person.token, "recent": 0}}))
        end = perf_counter() + seconds
        while perf_counter() < end:
            begun = perf_counter()
            ack = await rolled(line, COSTLY)
            made["done" if ack["ok"] else ack["error"]["code"]] += 1
            await asyncio.sleep(max(0.0, 0.25 - (perf_counter() - begun)))


async def takes_away(person: Person, seconds: float, made: dict[str, int]) -> None:
    """The stranger asks for histories and statistics, one after the other without a pause."""
    end = perf_counter() + seconds
    async with person.http() as http:
        for name in itertools.cycle(TAKEN_AWAY):
            if perf_counter() > end:
                return
            answer = await http.get(f"/tables/{person.table}/{name}")
            made[str(answer.status_code)] += 1
            if answer.is_error:
                await asyncio.sleep(0.25)


Attack = Callable[[float, dict[str, int]], Awaitable[None]]


class Waits(NamedTuple):
    """How long people waited for their rolls, in seconds."""

    others: list[float]
    """At tables of their own."""
    beside: list[float]
    """At the stranger's table."""


def _told(waits: list[float]) -> tuple[float, float]:
    """Median and p99 in milliseconds."""
    found = sorted(1000 * wait for wait in waits)
    return found[len(found) // 2], found[int(len(found) * 0.99)]


async def measured(name: str, waits: Waits, file: Path, seconds: float, attack: Attack) -> bool:
    """One line of the report; whether the bar is met."""
    made: dict[str, int] = dict.fromkeys(
        ("done", "too_many", "too_much_work", "unavailable", "200", "429", "413", "503", "500"), 0
    )
    if file.exists():
        taken(file)
    waits.others.clear()
    waits.beside.clear()
    await attack(seconds, made)
    held = taken(file)
    (median, p99), (near, nearest) = _told(waits.others), _told(waits.beside or [0.0])
    longest = ", ".join(f"{hold:.1f}" for hold in held.longest[:3])
    counted = ", ".join(f"{how} {number}" for how, number in made.items() if number)
    print(
        f"{name:26} {len(waits.others):5} rolls: median {median:6.1f} ms, p99 {p99:6.1f} ms; "
        f"beside the stranger {near:6.1f} and {nearest:6.1f} ms; "
        f"loop held at most {longest} ms; {counted or 'no attack'}",
        flush=True,
    )
    return median < MEDIAN_MS and p99 < P99_MS


async def attacked(port: int, file: Path, seconds: float) -> bool:
    """Everything, one after the other, at one server."""
    addresses = [f"127.0.1.{n + 1}" for n in range(TABLES * PEOPLE)]
    people = [
        person
        for start in range(0, len(addresses), PEOPLE)
        for person in await seated(port, addresses[start : start + PEOPLE])
    ]
    *strangers, beside = await seated(port, [*[STRANGER] * 4, "127.0.2.1"])
    waits = Waits([], [])
    delays = [PAUSE * n / len(people) for n in range(len(people))]
    going = [
        asyncio.create_task(rolls(person, delay, waits.others))
        for person, delay in zip(people, delays, strict=True)
    ]
    going.append(asyncio.create_task(rolls(beside, PAUSE / 3, waits.beside)))

    def seats(count: int) -> Attack:
        async def attack(seconds: float, made: dict[str, int]) -> None:
            await asyncio.gather(*(attacks(one, seconds, made) for one in strangers[:count]))

        return attack

    async def nothing(seconds: float, made: dict[str, int]) -> None:
        await asyncio.sleep(seconds)

    async def exports(seconds: float, made: dict[str, int]) -> None:
        await takes_away(strangers[0], seconds, made)

    try:
        await asyncio.sleep(2)
        await measured("nobody attacks", waits, file, seconds, nothing)
        met = [
            await measured(f"{COSTLY}, one seat", waits, file, seconds, seats(1)),
            await measured(f"{COSTLY}, four seats", waits, file, seconds, seats(4)),
            await measured("histories and statistics", waits, file, seconds, exports),
        ]
        await measured("nobody attacks any more", waits, file, seconds / 2, nothing)
    finally:
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)
    return all(met)


def main(seconds: float = 12.0) -> int:
    """Attack a server of its own; 1 where the others wait too long."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as held:
        port, file = free_port(), Path(folder, "holds.json")
        serve = ("serve", "--no-open", f"--port={port}", f"--database={folder}/table.sqlite")
        watched = ("-m", "benchmarks.attacks.watching", str(file), *serve)
        held.enter_context(running(*watched, port=port))
        met = asyncio.run(attacked(port, file, seconds))
    print("The bar is met." if met else "The bar is missed.")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:])))
