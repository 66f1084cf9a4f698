"""What people do at a table under load: they roll, push, whisper, reveal and change their sheets.

Every command carries something of its own (a nonce, a text, a value), by which its events are
found in the log again.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.soak.doors import Json
from benchmarks.soak.people import Done, Person
from benchmarks.soak.tables import Table

PUSHED = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
EXPRESSIONS = ("2d6+1", "4d6kh3", "10d10>=6", "1d20+1d4 [blessed]", "d100")


def nonce() -> str:
    """The roller's 32 bytes."""
    return secrets.token_hex(32)


async def roll(person: Person, dice: random.Random, **how: Any) -> Done:
    """A roll that ends at once."""
    fields = {"expression": dice.choice(EXPRESSIONS), **how}
    return await person.do("roll.start", nonce=nonce(), **fields)


async def begin_push(person: Person) -> tuple[str, Json]:
    """A roll that can wait at a choice: its id, and what it waits for."""
    done = await person.do("roll.start", nonce=nonce(), request=PUSHED)
    events = await person.seen(done)
    return where(events)


def where(events: list[Json]) -> tuple[str, Json]:
    """The roll that events tell of, and what it waits for."""
    told = [event["body"] for event in events if "after" in event.get("body", ())]
    return told[-1]["roll"], told[-1]["after"]


async def end_push(person: Person, roll: str, after: Json, dice: random.Random) -> None:
    """Choose until the roll is over."""
    while after["step"] == "choice":
        number = dice.randrange(len(after["options"]))
        done = await person.do("roll.choose", roll=roll, number=number, nonce=nonce())
        roll, after = where(await person.seen(done))


async def push(person: Person, dice: random.Random) -> None:
    """A roll with a choice in it."""
    await end_push(person, *await begin_push(person), dice)


async def secret(person: Person, dice: random.Random) -> None:
    """A roll for oneself and the referee, now and then shown to all."""
    done = await roll(person, dice, visibility="private", announce=dice.random() < 0.5)
    found, _ = where(await person.seen(done))
    if dice.random() < 0.5:
        await person.do("roll.reveal", roll=found)


async def say(person: Person, dice: random.Random) -> None:
    """A few words."""
    await person.do("say", text=f"so be it {secrets.token_hex(8)}", to="all")


async def tend(person: Person, dice: random.Random) -> None:
    """A change of one's own sheet."""
    name = f"Sheet {secrets.token_hex(8)}"
    await person.do("sheet.change", sheet=person.seat, values={"name": name})


async def offer(person: Person, dice: random.Random) -> None:
    """Nonces of a witness, for other people's throws."""
    await person.do("witness.offer", nonces=[nonce(), nonce()])


Deed = Callable[[Person, random.Random], Awaitable[Any]]
DEEDS: tuple[tuple[Deed, int], ...] = ((roll, 6), (push, 4), (secret, 2), (say, 2), (tend, 2))


async def play(person: Person, until: asyncio.Event, seed: str, pause: float) -> None:
    """Do one thing after the other until it is enough; what was begun is ended."""
    dice = random.Random(seed)
    deeds = [deed for deed, often in DEEDS for _ in range(often)]
    while not until.is_set():
        await dice.choice(deeds)(person, dice)
        await asyncio.sleep(dice.random() * 2 * pause * person.counts.calm)


class Waiting:
    """Rolls that wait at a choice while the servers are killed, and are ended afterwards."""

    def __init__(self) -> None:
        self.rolls: list[tuple[Person, str, Json]] = []

    async def begin(self, table: Table, each: int = 2) -> None:
        """Let every player begin some; one that fell without a choice is begun again."""
        for person in table.people[1:-1]:
            begun = 0
            while begun < each:
                roll, after = await begin_push(person)
                if after["step"] == "choice":
                    self.rolls.append((person, roll, after))
                    begun += 1

    async def end(self, seed: str) -> int:
        """Choose in all of them, until they are over; says how many there were."""
        for person, roll, after in self.rolls:
            await end_push(person, roll, after, random.Random(seed))
        return len(self.rolls)
