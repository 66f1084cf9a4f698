"""A stranger asks what costs much: `python -m benchmarks.attacks.costly_questions [seconds]`.

People at tables of their own roll twice a second each, as in `costly_rolls`. Beside them a stranger
has a table with sixty large sheets, and asks eight things at a time without a pause: forms, chances
of a sheet, cards, long drafts at the public door, rolls with hundreds of typed names, evenings.
Told is what the others wait for their own rolls, and for how long the server's event loop was held.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import httpx

from benchmarks.attacks.costly_rolls import (
    PAUSE,
    PEOPLE,
    STRANGER,
    TABLES,
    Attack,
    Waits,
    client,
    measured,
    rolls,
    seated,
)
from benchmarks.load.driver import token
from benchmarks.load.servers import free_port, running

GAME = "edge20"
SHEETS, AT_A_TIME = 60, 8
THINGS = [{"name": f"{n} of a long name", "modifier": 1} for n in range(99)]
LARGE = {"skills": THINGS, "items": [{"name": thing["name"]} for thing in THINGS]}
NAMES = [{"target": "nobody"}] * 1500
LONG = {"roll": "turn", "set": {"checks": [{"dc": 1}] * 9_000}}


class Asked(NamedTuple):
    """What the stranger asks for again and again."""

    name: str
    method: str
    path: str
    body: Callable[[], Any] = lambda: None


def command(**fields: Any) -> dict[str, Any]:
    """A command with an id of its own."""
    return {"id": secrets.token_urlsafe(12), **fields}


ASKED = (
    Asked("forms", "POST", "/form", lambda: {"draft": {"roll": "turn"}}),
    Asked("chances of a sheet", "GET", "/sheets/s1/chances"),
    Asked("cards", "GET", "/sheets/s1/card"),
    Asked("long drafts", "POST", "/form", lambda: {"draft": LONG}),
    Asked(
        "typed names",
        "POST",
        "/commands",
        lambda: command(do="roll.start", request={"roll": "turn", "checks": NAMES}),
    ),
    Asked("evenings", "GET", "/recap"),
)


async def laid_out(port: int) -> httpx.AsyncClient:
    """A table of the stranger's own with as many large sheets as forms look at."""
    held, hashed = token()
    http = client(port, STRANGER, held)
    asked = command(game=GAME, name="Mallory", tokens={"seat": hashed})
    table = (await http.post("/tables", json=asked)).json()["table"]
    http.base_url = httpx.URL(f"{http.base_url}tables/{table}")
    for number in range(SHEETS + 1):
        whose = {"sheet": "npc", "shown": True} if number else {}
        values = {**LARGE, "name": f"Guard {number}"}
        while True:
            made = await http.post(
                "/commands", json=command(do="sheet.create", values=values, **whose)
            )
            if made.status_code != 429:
                break
            await asyncio.sleep(made.json()["error"]["wait"] / 1000)
        made.raise_for_status()
    return http


async def ask(http: httpx.AsyncClient, asked: Asked, seconds: float, made: dict[str, int]) -> None:
    """One thing, again and again; who is told to wait tries once more a little later."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        sent = asked.body()
        more = {} if sent is None else {"json": sent}
        answer = await http.request(asked.method, asked.path, **more)
        made.setdefault(str(answer.status_code), 0)
        made[str(answer.status_code)] += 1
        if answer.status_code == 429:
            await asyncio.sleep(0.1)


def asking(http: httpx.AsyncClient, asked: Asked) -> Attack:
    """The stranger asks for one thing, several at a time."""

    async def attack(seconds: float, made: dict[str, int]) -> None:
        one = partial(ask, http, asked, seconds, made)
        await asyncio.gather(*(one() for _ in range(AT_A_TIME)))

    return attack


async def attacked(port: int, file: Path, seconds: float) -> bool:
    """Everything, one after the other, at one server."""
    addresses = [f"127.0.1.{n + 1}" for n in range(TABLES * PEOPLE)]
    people = [
        person
        for start in range(0, len(addresses), PEOPLE)
        for person in await seated(port, addresses[start : start + PEOPLE])
    ]
    waits = Waits([], [0.0])
    http = await laid_out(port)
    going = [
        asyncio.create_task(rolls(person, PAUSE * n / len(people), waits.others))
        for n, person in enumerate(people)
    ]
    try:
        await asyncio.sleep(2)
        await measured("nobody attacks", waits, file, seconds, lambda _, __: asyncio.sleep(seconds))
        return all(
            [
                await measured(asked.name, waits, file, seconds, asking(http, asked))
                for asked in ASKED
            ]
        )
    finally:
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)
        await http.aclose()


def main(seconds: float = 10.0) -> int:
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
