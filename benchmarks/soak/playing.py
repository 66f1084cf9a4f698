"""What people do at a table under load: they roll, choose, hide, reveal, witness, change sheets.

Every command carries something of its own (a nonce, a text, a value), by which its events are
found in the log again.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.soak.doors import Json, Refused
from benchmarks.soak.people import Done, Person
from benchmarks.soak.tables import Table

REQUESTS: dict[str, list[Json]] = {
    "twilight2000": [
        {"roll": "skill", "attribute": "B", "skill": "C"},
        {"roll": "attack", "attribute": "B", "skill": "C", "ammo_dice": 3},
        {"roll": "opposed", "active": {"attribute": "B"}, "passive": {"attribute": "C"}},
    ],
    "dust": [
        {"roll": "roll", "pool": 4, "adrenaline": 2, "doubles": "ask"},
        {"roll": "opposing", "actor": {"pool": 4}, "defender": {"pool": 3}},
    ],
    "kleptonomicon": [
        {"roll": "group", "members": [{"name": "Bo"}, {"name": "Cy"}], "goal": 7},
        {"roll": "test", "modifier": 2},
    ],
    "edge20": [{"roll": "check", "modifier": 5, "dc": 15, "rerolls": 1, "effect": "2d6"}],
    "ghostburn": [{"roll": "roll", "ability": 3, "skill": [2], "dl": "Hard", "luck_points": 1}],
}
"""Rolls of every game; the first of each often waits at a choice of whoever rolls."""
SIDES: dict[str, tuple[str, Json]] = {
    "twilight2000": ("passive", REQUESTS["twilight2000"][2]),
    "dust": ("defender", REQUESTS["dust"][1]),
}
"""Rolls of two sides, with what the other one is called: whoever rolls throws first."""
REFEREE, OTHER = "s1", "s2"
GAMES = tuple(REQUESTS)
EXPRESSIONS = ("2d6+1", "4d6kh3", "10d10>=6", "1d20+1d4 [blessed]", "d100")


def nonce() -> str:
    """The roller's 32 bytes."""
    return secrets.token_hex(32)


async def roll(person: Person, dice: random.Random, **how: Any) -> Done:
    """A roll that ends at once."""
    fields = {"expression": dice.choice(EXPRESSIONS), **how}
    return await person.do("roll.start", nonce=nonce(), **fields)


async def begin(person: Person, request: Json, **how: Any) -> tuple[str, Json]:
    """A roll that can wait at a choice: its id, and what it waits for."""
    done = await person.do("roll.start", nonce=nonce(), request=request, **how)
    return where(await person.seen(done))


def where(events: list[Json]) -> tuple[str, Json]:
    """The roll that events tell of, and what it waits for."""
    told = [event["body"] for event in events if "after" in event.get("body", ())]
    return told[-1]["roll"], told[-1]["after"]


async def end(person: Person, roll: str, after: Json, dice: random.Random) -> None:
    """Choose, and throw for others, until the roll is over."""
    while after["step"] in ("choice", "throw"):
        if after["step"] == "throw":
            done = await person.do("roll.throw", roll=roll, nonce=nonce())
        else:
            number = dice.randrange(after["count"])
            done = await person.do("roll.choose", roll=roll, number=number, nonce=nonce())
        roll, after = where(await person.seen(done))


async def throw(person: Person, game: str, dice: random.Random) -> None:
    """A few dice."""
    await roll(person, dice)


async def play_on(person: Person, game: str, dice: random.Random) -> None:
    """A roll of the game, with all its choices."""
    await end(person, *await begin(person, dice.choice(REQUESTS[game])), dice)


async def agree(person: Person, game: str, dice: random.Random) -> None:
    """A roll of the game in which nobody is asked where nothing is to gain."""
    request = dice.choice(REQUESTS[game])
    await end(person, *await begin(person, request, policy="ask"), dice)


async def throw_apart(person: Person, game: str, dice: random.Random) -> None:
    """A referee's roll in which the other side has dice of its own, or is away."""
    if person.seat != REFEREE or game not in SIDES:
        return await agree(person, game, dice)
    side, request = SIDES[game]
    away: Json = {"away": [OTHER]} if dice.random() < 0.3 else {}
    found = await begin(person, request, roles={side: OTHER}, each=True, **away)
    await end(person, *found, dice)


async def ask(person: Person, game: str, dice: random.Random) -> None:
    """A referee asks for a roll, and answers."""
    if person.seat != REFEREE:
        return await agree(person, game, dice)
    how = {"policy": "ask", "visibility": dice.choice(("open", "private"))}
    asked = {"who": [person.seat], "request": dice.choice(REQUESTS[game]), **how}
    made = await person.seen(await person.do("ask.make", **asked))
    done = await person.do("roll.start", ask=made[0]["body"]["ask"], nonce=nonce())
    await end(person, *where(await person.seen(done)), dice)


async def hide(person: Person, game: str, dice: random.Random) -> None:
    """A roll that not everybody may see, now and then shown to all."""
    how: Json = {"announce": dice.random() < 0.5, "visibility": dice.choice(("private", "hidden"))}
    if dice.random() < 0.5:
        found, after = await begin(person, dice.choice(REQUESTS[game]), **how)
        await end(person, found, after, dice)
    else:
        found, _ = where(await person.seen(await roll(person, dice, **how)))
    if dice.random() < 0.5:
        await person.do("roll.reveal", roll=found)


async def roll_blindly(person: Person, game: str, dice: random.Random) -> None:
    """A roll that whoever rolls may not see."""
    await roll(person, dice, visibility="blind", announce=dice.random() < 0.5)


async def say(person: Person, game: str, dice: random.Random) -> None:
    """A few words."""
    await person.do("say", text=f"so be it {secrets.token_hex(8)}", to="all")


async def tend(person: Person, game: str, dice: random.Random) -> None:
    """A change of one's own sheet."""
    name = f"Sheet {secrets.token_hex(8)}"
    await person.do("sheet.change", sheet=person.seat, values={"name": name})


async def offer(person: Person, game: str, dice: random.Random) -> None:
    """Nonces of a witness, for other people's throws; enough of them may wait already."""
    try:
        await person.do("witness.offer", nonces=[nonce() for _ in range(4)])
    except Refused as refused:
        if refused.code != "too_many":
            raise


async def wander(person: Person, game: str, dice: random.Random) -> None:
    """Come again elsewhere."""
    await person.wander()


Deed = Callable[[Person, str, random.Random], Awaitable[Any]]
DEEDS: tuple[tuple[Deed, int], ...] = (
    (throw, 5),
    (play_on, 3),
    (agree, 1),
    (throw_apart, 1),
    (ask, 1),
    (hide, 2),
    (roll_blindly, 1),
    (say, 1),
    (tend, 1),
    (offer, 2),
    (wander, 2),
)


async def play(person: Person, game: str, until: asyncio.Event, seed: str, pause: float) -> None:
    """Do one thing after the other until it is enough; what was begun is ended."""
    dice = random.Random(seed)
    deeds = [deed for deed, often in DEEDS for _ in range(often)]
    while not until.is_set():
        await dice.choice(deeds)(person, game, dice)
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
                roll, after = await begin(person, REQUESTS[table.game][0])
                if after["step"] == "choice":
                    self.rolls.append((person, roll, after))
                    begun += 1

    async def end(self, seed: str) -> int:
        """Choose in all of them, until they are over; says how many there were."""
        for person, roll, after in self.rolls:
            await end(person, roll, after, random.Random(seed))
        return len(self.rolls)
