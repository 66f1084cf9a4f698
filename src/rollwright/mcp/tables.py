"""Seats at tables that an assistant sits at: joined by a link, kept under names nobody guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rollwright.client import AsyncServer, AsyncTable, Link, Refused, Roll
from rollwright.client.storage import Holder, Kept
from rollwright.client.telling import Voice, line_of
from rollwright.errors import BadField
from rollwright.kit.card.texts import said_whole
from rollwright.plain import text_of

MOST_SEATS, ALL_SEATS = 20, 200
MOST_EVENTS, MOST_NAMED = 200, 25
PATIENCE = 10.0


class Seat(NamedTuple):
    """A seat, and the server that its table is at."""

    server: AsyncServer
    table: AsyncTable


class Seats:
    """The seats of everybody who asks here."""

    def __init__(self, allowed: Sequence[str] | None) -> None:
        self._allowed = None if allowed is None else {one.rstrip("/") for one in allowed}
        """The servers whose tables may be joined; None for any."""
        self._left: list[Seat] = []
        self._seats = Kept[Seat]("seat", MOST_SEATS, ALL_SEATS, let_go=self._left.append)

    async def join(self, link: str, name: str, holder: Holder = ()) -> tuple[str, Seat]:
        """Sit down by a link."""
        found = Link.read(link)
        if self._allowed is not None and found.server not in self._allowed:
            raise BadField("link", f"tables at {found.server} are not joined from here")
        server = AsyncServer(found.server, patience=PATIENCE)
        try:
            seat = Seat(
                server, await server.join(found, name=name, numbered=True, held="assistant")
            )
        except BaseException:
            await server.close()
            raise
        kept = self._seats.keep(seat, holder)
        while self._left:
            await self._left.pop().server.close()
        return kept, seat

    def at(self, seat: str) -> AsyncTable:
        """The table of a seat."""
        return self._seats.find(seat).table


async def rolled(table: AsyncTable, roll: Roll) -> tuple[str, dict[str, Any]]:
    """A roll of a table in words and as data, as far as its seat may see it."""
    try:
        text = await table.text(roll, own=True)
    except Refused as problem:  # a roll that is not ours to see, though we made it
        text = str(problem)
    step = said_whole(roll.after, Voice(await table.look(recent=0), own=True).say)
    lines = filter(None, (text, waits(step, f"table_go_on with roll {roll.id}")))
    return "\n".join(lines), {"roll": roll.id, "waits_for": roll.waits_for, "step": step}


def waits(step: Mapping[str, Any], call: str) -> str:
    """How to go on with a roll that waits; of very many options, the first are named."""
    if step.get("step") != "choice":
        return f"It waits for dice: {call}." if step.get("step") == "throw" else ""
    if step.get("why"):
        return f"It waits for a choice: {call}. {step['why']}"
    options = [text_of(one["option"]) for one in step.get("options", ())]
    more = f" and {len(options) - MOST_NAMED} more" if len(options) > MOST_NAMED else ""
    named = ", ".join(options[:MOST_NAMED]) or "that is hidden from you"
    return f"It waits for a choice of {named}{more}: {call}."


async def heard(table: AsyncTable, after: int) -> tuple[str, dict[str, Any]]:
    """List what happened at a table after an event; of secrets, only that they exist."""
    lines: list[str] = []
    last, voice = after, Voice(await table.look(recent=0), own=True)
    async for event in table.events(after):
        last = max(last, event["seq"])
        lines += filter(None, [line_of(voice, event)])
        if len(lines) >= MOST_EVENTS:
            break
    text = "\n".join([*(lines or ["nothing new"]), f"(up to event {last})"])
    return text, {"last": last, "lines": lines}
