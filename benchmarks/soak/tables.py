"""Tables with people at them, made through the network."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from benchmarks.soak.doors import Doors, Json, new_token
from benchmarks.soak.people import Caller, Counts, Listener, Person

ROLES = ("referee", "player", "spectator")
READY = 8
"""Numbers of each witness at the beginning."""


class Table(NamedTuple):
    """A table with the people at it; the first is the referee who founded it."""

    id: str
    game: str
    people: list[Person]
    links: dict[str, str]
    """The link tokens by role."""
    begun: int
    """The head before anybody began to play."""

    @property
    def referee(self) -> Person:
        """The founder."""
        return self.people[0]


async def joined(doors: Doors, table: str, link: str, name: str) -> tuple[str, str]:
    """Join by a link: the new seat and its token."""
    token, hashed = new_token()
    asked = {"id": secrets.token_urlsafe(12), "name": name, "token_hash": hashed}
    answer = await doors.ask_on("POST", f"/tables/{table}/join", link, json=asked)
    return answer["seat"], token


async def founded(doors: Doors, **fields: Any) -> tuple[str, str, dict[str, str]]:
    """A new table: its id, its founder's token, and the link tokens by role."""
    token, hashed = new_token()
    links = {role: new_token() for role in ROLES}
    hashes = {"seat": hashed, **{role: link[1] for role, link in links.items()}}
    asked: Json = {"id": secrets.token_urlsafe(12), "name": "Founder", "tokens": hashes, **fields}
    made = await doors.ask_on("POST", "/tables", json=asked)
    return made["table"], token, {role: link[0] for role, link in links.items()}


async def seated(
    doors: Doors,
    counts: Counts,
    players: int = 3,
    game: str = "twilight2000",
    *,
    witnesses: bool = False,
) -> Table:
    """A table with a referee, players on sockets and by REST, and a spectator.

    With `witnesses`, dice wait for the number of somebody else, and everybody has some ready.
    """
    table, token, links = await founded(doors, game=game, witnesses=witnesses)
    people: list[Person] = [Listener(doors, table, "s1", token, counts)]
    for number in range(players):
        seat, token = await joined(doors, table, links["player"], f"Player {number + 1}")
        kind: Any = Caller if number % 2 else Listener
        people.append(kind(doors, table, seat, token, counts))
    people.append(Listener(doors, table, "", links["spectator"], counts))
    for person in people[:-1]:
        await person.do("sheet.create", sheet=person.seat, values={})
        if witnesses:
            await person.do("witness.commit", commitments=person.offers(READY))
    begun = max(done.seqs[-1] for person in people for done in person.done.values())
    return Table(table, game, people, links, begun)
