"""What people do at a table under load: they roll, choose, hide, reveal, witness, change sheets.

Every command carries something of its own (a number, a text, a value), by which its events are
found in the log again. Whoever rolls goes on when the dice have come, which may wait for a witness.
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
ANSWERS = ("witness.revealed", "witness.timed_out")
"""Events that end the waiting for a witness."""
OFFERED = 4
"""Numbers of a witness at once."""
KEPT = 0.9
"""How often a witness still has the numbers when dice wait for them."""
EXPRESSIONS = ("2d6+1", "4d6kh3", "10d10>=6", "1d20+1d4 [blessed]", "d100")


def nonce() -> str:
    """32 bytes that nobody knew before."""
    return secrets.token_hex(32)


async def roll(person: Person, dice: random.Random, **how: Any) -> Done:
    """A roll that ends as soon as its dice have come."""
    fields = {"expression": dice.choice(EXPRESSIONS), **how}
    done = await person.do("roll.start", nonce=nonce(), **fields)
    await witnessed(person, done)
    return done


async def begin(person: Person, request: Json, **how: Any) -> tuple[str, Json]:
    """A roll that can wait at a choice: its id, and what it waits for."""
    done = await person.do("roll.start", nonce=nonce(), request=request, **how)
    return await where(person, done)


async def witnessed(person: Person, done: Done) -> int:
    """Wait until the last witness that dice of a command wait for has told, or was passed over.

    The event that says so; the last of the command where no witness was asked.
    """
    events = await person.seen(done)
    asked = [event["seq"] for event in events if "witness" in event["open"]]
    while asked:
        events = [await answer(person, asked[-1])]
        asked = [event["seq"] for event in events if "witness" in event["open"]]
    return int(events[-1]["seq"])


async def answer(person: Person, asked: int) -> Json:
    """The event that ends the waiting for the witness that another one asked."""
    await person.until(lambda: bool(answers(person, asked)))
    return answers(person, asked)[0]


def answers(person: Person, asked: int) -> list[Json]:
    """The same, if it was seen."""
    told = [event for event in person.since(asked) if event["kind"] in ANSWERS]
    return [event for event in told if event["body"]["asked"] == asked]


async def where(person: Person, done: Done) -> tuple[str, Json]:
    """The roll that a command was about, and what it waits for once the dice have come."""
    last = await witnessed(person, done)
    roll, after = steps(await person.seen(done))[-1]
    if last == done.seqs[-1]:
        return roll, after
    await person.until(lambda: not is_falling(person, following(person, last, roll)))
    return roll, following(person, last, roll)[-1]


def steps(events: list[Json]) -> list[tuple[str, Json]]:
    """What rolls wait for, as events tell it."""
    told = [event["body"] for event in events if "after" in event.get("body", ())]
    return [(body["roll"], body["after"]) for body in told]


def following(person: Person, last: int, roll: str) -> list[Json]:
    """What a roll waited for behind an event, one step after the other."""
    return [after for name, after in steps(person.since(last)) if name == roll]


def is_falling(person: Person, told: list[Json]) -> bool:
    """Whether more dice of whoever rolls follow by themselves."""
    return not told or (told[-1]["step"] == "throw" and told[-1]["by"] == person.seat)


async def end(person: Person, roll: str, after: Json, dice: random.Random) -> None:
    """Choose, and throw for others, until the roll is over."""
    while after["step"] in ("choice", "throw"):
        if after["step"] == "throw":
            done = await person.do("roll.throw", roll=roll, nonce=nonce())
        else:
            number = dice.randrange(after["count"])
            done = await person.do("roll.choose", roll=roll, number=number, nonce=nonce())
        roll, after = await where(person, done)


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
    made = await person.seen(await person.do("roll_request.create", **asked))
    done = await person.do("roll.start", ask=made[0]["body"]["ask"], nonce=nonce())
    await end(person, *await where(person, done), dice)


async def hide(person: Person, game: str, dice: random.Random) -> None:
    """A roll that not everybody may see, now and then shown to all."""
    how: Json = {"announce": dice.random() < 0.5, "visibility": dice.choice(("private", "hidden"))}
    if dice.random() < 0.5:
        found, after = await begin(person, dice.choice(REQUESTS[game]), **how)
        await end(person, found, after, dice)
    else:
        found, _ = await where(person, await roll(person, dice, **how))
    if dice.random() < 0.5:
        await person.do("roll.reveal", roll=found)


async def roll_blindly(person: Person, game: str, dice: random.Random) -> None:
    """A roll that whoever rolls may not see."""
    await roll(person, dice, visibility="blind", announce=dice.random() < 0.5)


async def say(person: Person, game: str, dice: random.Random) -> None:
    """A few words."""
    await person.do("chat.send", text=f"so be it {secrets.token_hex(8)}", to="all")


async def tend(person: Person, game: str, dice: random.Random) -> None:
    """A change of one's own sheet."""
    name = f"Sheet {secrets.token_hex(8)}"
    await person.do("sheet.change", sheet=person.seat, values={"name": name})


async def offer_numbers(person: Person, game: str, dice: random.Random) -> None:
    """Offers of a witness, for other people's throws; enough of them may wait already.

    Now and then the numbers are lost, so that the witness is silent.
    """
    kept = dice.random() < KEPT
    commitments = person.offers(OFFERED) if kept else [nonce() for _ in range(OFFERED)]
    try:
        await person.do("witness.commit", commitments=commitments)
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
    (offer_numbers, 2),
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
