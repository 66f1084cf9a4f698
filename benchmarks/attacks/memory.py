"""What costly questions make of the memory: `python -m benchmarks.attacks.memory [name …]`.

A whole installation runs with its default settings: the table server, the Discord bot and the
server for assistants, with all processes that count for them. Strangers ask each of them for odds
that would fill gigabytes, several at a time; then all of them at once. Told is the memory of the
whole tree of processes before, at its peak and afterwards, in megabytes: shared pages are counted
once (PSS).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psutil
from mcp import Client
from nacl.signing import SigningKey

from benchmarks.load.servers import Server, free_port, running

HIGHEST, MOST_KEPT = 1000.0, 50.0
"""Megabytes that the whole tree may take at its peak, and that may be left of an attack."""
SPOILED = 6000.0
"""Megabytes at which everything is ended: others need the machine too."""
LOOK_EVERY = 0.02
QUIET, LONGEST = 2.0, 120.0
"""Seconds without work after which it is over, and after which nobody waits any longer."""
IDLE = 0.05
"""Seconds of a processor that an idle installation takes in that time."""
MEGABYTE = 2**20
PATIENT = ("--count-seconds=100",)
"""On a busy machine a count would be ended by the clock before it has filled the memory."""
STARTED = 12
"""Seconds in which nobody does anything, so that all processes that count are started."""


class Installation(NamedTuple):
    """Everything that runs."""

    table: Server
    discord: Server
    assistants: Server
    key: SigningKey

    def processes(self) -> list[psutil.Process]:
        """All processes there are, those that count with them."""
        found: list[psutil.Process] = []
        for pid in (self.table.pid, self.discord.pid, self.assistants.pid):
            with contextlib.suppress(psutil.NoSuchProcess):
                first = psutil.Process(pid)
                found += [first, *first.children(recursive=True)]
        return found

    def memory(self) -> float:
        """The memory of all together, in megabytes."""
        return sum(pss(process.pid) for process in self.processes()) / 1024

    def worked(self) -> float:
        """Seconds that all have worked who are still there."""
        seconds = 0.0
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                seconds += times.user + times.system
        return seconds


def pss(pid: int) -> int:
    """The memory of a process in kilobytes, of shared pages its share; 0 where it has gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


@contextlib.contextmanager
def installed() -> Iterator[Installation]:
    """An installation of its own."""
    key = SigningKey.generate()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as held:

        def started(*command: str) -> Server:
            port = free_port()
            return held.enter_context(
                running("-m", "rollwright", *command, f"--port={port}", port=port)
            )

        public = key.verify_key.encode().hex()
        yield Installation(
            started("serve", "--no-open", f"--database={folder}/table.sqlite", *PATIENT),
            started("discord", f"--public-key={public}", f"--database={folder}/bot.sqlite"),
            started("mcp", "--http"),
            key,
        )


class Peak:
    """Looks again and again how much memory there is, until the block ends."""

    def __init__(self, house: Installation) -> None:
        self.highest = 0.0
        self._house = house
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            self.highest = max(self.highest, self._house.memory())
            if self.highest > SPOILED:
                for process in self._house.processes():
                    process.kill()


async def rested(house: Installation) -> None:
    """Wait until nobody works any more."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        before = await asyncio.to_thread(house.worked)
        await asyncio.sleep(QUIET)
        if abs(await asyncio.to_thread(house.worked) - before) < IDLE:
            return


Told = Counter[str]
Attack = Callable[[Installation, Told], Awaitable[None]]


async def post(house: Installation, path: str, number: int, told: Told, **sent: Any) -> None:
    """Ask the table server something, each from an address of their own."""
    line = httpx.AsyncHTTPTransport(local_address=f"127.0.7.{number + 1}")
    async with httpx.AsyncClient(timeout=LONGEST, transport=line) as http:
        answer = await http.post(f"http://127.0.0.1:{house.table.port}/api/v1/{path}", **sent)
    plain = answer.json()
    told[str(plain.get("error", {}).get("code", answer.status_code))] += 1


async def asked(house: Installation, kind: str, number: int, dice: str, told: Told) -> None:
    """Ask the table server about dice."""
    await post(house, kind, number, told, json={"expression": dice})


_number = itertools.count(900)


def numbered(dice: str, many: int) -> list[tuple[int, str]]:
    """Dice that nobody has asked about before, with the number of who asks."""
    return [(n, dice.format(next(_number))) for n in range(many)]


async def slash_odds(house: Installation, number: int, dice: str, told: Told) -> None:
    """Somebody in Discord types `/odds`; the answer is not waited for longer than Discord does."""
    options = [{"name": "dice", "type": 3, "value": dice}]
    user = {"id": str(500 + number), "username": "mallory"}
    plain = {
        "type": 2,
        "id": str(number),
        "application_id": "nobody is told what follows",
        "token": str(number),
        "channel_id": "700",
        "member": {"user": user},
        "data": {"name": "odds", "options": options},
    }
    body, at = json.dumps(plain).encode(), str(int(time.time()))
    signature = house.key.sign(at.encode() + body).signature.hex()
    headers = {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": at}
    async with httpx.AsyncClient(timeout=LONGEST) as http:
        address = f"http://127.0.0.1:{house.discord.port}/interactions"
        answer = await http.post(address, content=body, headers=headers)
    told["later" if b'"type":5' in answer.content.replace(b" ", b"") else "at once"] += 1


async def assistant(house: Installation, tool: str, given: dict[str, Any], told: Told) -> None:
    """An assistant uses a tool."""
    async with Client(f"http://127.0.0.1:{house.assistants.port}/mcp") as client:
        answer = await client.call_tool(tool, given)
    told["refused" if answer.is_error else "answered"] += 1


async def assistant_odds(house: Installation, dice: str, told: Told) -> None:
    """An assistant asks for odds."""
    await assistant(house, "odds", {"dice": dice}, told)


def all_of(*work: Awaitable[None]) -> Awaitable[Any]:
    """Several things at once; what is cut off is no failure of the measurement."""
    return asyncio.gather(*work, return_exceptions=True)


async def by_discord(house: Installation, told: Told) -> None:
    """Four ordinary commands."""
    await all_of(*(slash_odds(house, n, dice, told) for n, dice in numbered("{}d1000", 4)))


async def by_assistants(house: Installation, told: Told) -> None:
    """Four tools."""
    await all_of(*(assistant_odds(house, dice, told) for _, dice in numbered("{}d1000", 4)))


async def by_odds(house: Installation, told: Told) -> None:
    """Odds with a million outcomes."""
    await all_of(*(asked(house, "odds", n, dice, told) for n, dice in numbered("{}d1000", 4)))


async def by_previews(house: Installation, told: Told) -> None:
    """Eight previews."""
    await all_of(*(asked(house, "preview", n, dice, told) for n, dice in numbered("{}d1000", 8)))


async def by_pairs(house: Installation, told: Told) -> None:
    """Every pair of two results."""
    every = numbered("1d20000*1d{}", 4)
    await all_of(*(asked(house, "preview", n, dice, told) for n, dice in every))


async def by_largest(house: Installation, told: Told) -> None:
    """As much as is not refused, asked of everybody at once."""
    dice = [f"{number}d350" for number in range(285, 301)]
    await all_of(
        *(asked(house, "preview", n, one, told) for n, one in enumerate(dice[:8])),
        *(slash_odds(house, 100 + n, one, told) for n, one in enumerate(dice[8:12])),
        *(assistant_odds(house, one, told) for one in dice[12:]),
    )


MAGAZINE = {
    "game": "twilight2000",
    "roll": "magazine",
    "attribute": "A",
    "skill": "A",
    "ammo_dice": 6,
    "rate_of_fire": 6,
    "reliability": 5,
    "rounds": 30,
    "magazine_size": 30,
    "spare_magazines": 5,
}


async def by_play(house: Installation, told: Told) -> None:
    """Rolls of assistants, decided by best play, and the longest rolls there are."""
    played = {"request": MAGAZINE, "policy": "best"}
    long = {"dice": "20000d20000"}
    await all_of(*(assistant(house, "roll", played, told) for _ in range(4)))
    await all_of(*(assistant(house, "roll", long, told) for _ in range(100)))


async def by_messages(house: Installation, told: Told) -> None:
    """Requests that end in nothing, as long as a bot takes them and longer, forty at a time."""
    opening = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "verify", '
    ports = (house.assistants.port, "mcp"), (house.discord.port, "interactions")
    accepts = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

    async def sent(port: int, path: str, many: int) -> None:
        body = opening + b'"arguments": {"log": {"a": [%s[]]}}}}' % (b"[]," * many)
        async with httpx.AsyncClient(timeout=LONGEST) as http:
            address = f"http://127.0.0.1:{port}/{path}"
            answer = await http.post(address, content=body, headers=accepts)
        told[str(answer.status_code)] += 1

    sizes = [80_000] * 40 + [MEGABYTE] * 10
    for port, path in ports:
        await all_of(*(sent(port, path, many) for many in sizes))


async def by_bodies(house: Installation, told: Told) -> None:
    """Logs that are none: millions of small things in a long body."""
    bomb = b'{"log": {"format": 3, "table": "a", "events": [%s[]]}}' % (b"[]," * (10 * MEGABYTE))
    kind = {"content-type": "application/json"}
    sent = {"content": bomb, "headers": kind}
    await all_of(*(post(house, "verify", n, told, **sent) for n in range(6)))


async def by_all(house: Installation, told: Told) -> None:
    """Everything at once."""
    alone = (attack for name, attack in ATTACKS.items() if name != "all")
    await all_of(*(attack(house, told) for attack in alone))


ATTACKS: dict[str, Attack] = {
    "discord": by_discord,
    "assistants": by_assistants,
    "odds": by_odds,
    "previews": by_previews,
    "pairs": by_pairs,
    "largest": by_largest,
    "play": by_play,
    "messages": by_messages,
    "bodies": by_bodies,
    "all": by_all,
}


async def measured(house: Installation, name: str) -> bool:
    """One line of the report; whether the bar is met."""
    await rested(house)
    before, told = house.memory(), Counter[str]()
    with Peak(house) as peak:
        begun = time.monotonic()
        await ATTACKS[name](house, told)
        await rested(house)
        seconds = time.monotonic() - begun
    after = house.memory()
    counted = ", ".join(f"{how} {number}" for how, number in told.items())
    print(
        f"{name:11} before {before:5.0f} MB, peak {peak.highest:5.0f} MB, "
        f"after {after:5.0f} MB, {seconds:3.0f} s; {counted}",
        flush=True,
    )
    return peak.highest < HIGHEST and after - before < MOST_KEPT


async def ordinary(house: Installation, told: Told) -> None:
    """What people ask: whatever is loaded by the first question is there from then on."""
    dice = [f"{number}d6" for number in range(2, 10)]
    await all_of(
        *(asked(house, "preview", n, one, told) for n, one in enumerate(dice)),
        *(asked(house, "odds", n, one, told) for n, one in enumerate(dice)),
        *(slash_odds(house, 200 + n, one, told) for n, one in enumerate(dice)),
        *(assistant_odds(house, one, told) for one in dice),
    )


async def attacked(house: Installation, names: list[str]) -> bool:
    """Each attack, one after the other."""
    await asyncio.sleep(STARTED)
    await ordinary(house, Counter())
    return all([await measured(house, name) for name in names])


def main(*names: str) -> int:
    """Attack an installation of its own; 1 where it takes too much memory."""
    with installed() as house:
        met = asyncio.run(attacked(house, list(names) or [*ATTACKS]))
    print("The bar is met." if met else "The bar is missed.")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
