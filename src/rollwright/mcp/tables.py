"""Seats at tables that an assistant sits at: joined by a link, kept under names nobody guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rollwright.client import AsyncServer, AsyncTable, Link, RollView, ServerError
from rollwright.client.narration import TableFormatter, event_line
from rollwright.client.storage import Holder, HolderCache
from rollwright.errors import BadField
from rollwright.jsonable import json_text
from rollwright.kit.card.texts import format_texts

MOST_SEATS, ALL_SEATS = 20, 200
MOST_EVENTS, MOST_NAMED = 200, 25
PATIENCE = 10.0


class TableSeat(NamedTuple):
    """A seat, and the server that its table is at."""

    server: AsyncServer
    table: AsyncTable


class SeatStorage:
    """The seats of everybody who asks here."""

    def __init__(self, allowed: Sequence[str] | None) -> None:
        self._allowed = None if allowed is None else {one.rstrip("/") for one in allowed}
        """The servers whose tables may be joined; None for any."""
        self._left: list[TableSeat] = []
        self._seats = HolderCache[TableSeat](
            "seat", MOST_SEATS, ALL_SEATS, release=self._left.append
        )

    async def join(self, link: str, name: str, holder: Holder = ()) -> tuple[str, TableSeat]:
        """Sit down by a link."""
        found = Link.parse(link)
        if self._allowed is not None and found.server not in self._allowed:
            raise BadField("link", f"tables at {found.server} are not joined from here")
        server = AsyncServer(found.server, patience=PATIENCE)
        try:
            seat = TableSeat(
                server, await server.join(found, name=name, numbered=True, held="assistant")
            )
        except BaseException:
            await server.close()
            raise
        kept = self._seats.put(seat, holder)
        while self._left:
            await self._left.pop().server.close()
        return kept, seat

    def table_of(self, seat: str) -> AsyncTable:
        """The table of a seat."""
        return self._seats.find(seat).table


async def roll_text(table: AsyncTable, roll: RollView) -> tuple[str, dict[str, Any]]:
    """A roll of a table in words and as data, as far as its seat may see it."""
    try:
        text = await table.text(roll, own=True)
    except ServerError as problem:  # a roll that is not ours to see, though we made it
        text = str(problem)
    step = format_texts(
        roll.after, TableFormatter(await table.snapshot(recent=0), own=True).format_text
    )
    lines = filter(None, (text, waiting_text(step, f"table_go_on with roll {roll.id}")))
    return "\n".join(lines), {"roll": roll.id, "waits_for": roll.waits_for, "step": step}


def waiting_text(step: Mapping[str, Any], call: str) -> str:
    """How to go on with a roll that waits; of very many options, the first are named."""
    if step.get("step") != "choice":
        return f"It waits for dice: {call}." if step.get("step") == "throw" else ""
    if step.get("why"):
        return f"It waits for a choice: {call}. {step['why']}"
    options = [json_text(one["option"]) for one in step.get("options", ())]
    more = f" and {len(options) - MOST_NAMED} more" if len(options) > MOST_NAMED else ""
    named = ", ".join(options[:MOST_NAMED]) or "that is hidden from you"
    return f"It waits for a choice of {named}{more}: {call}."


async def events_text(table: AsyncTable, after: int) -> tuple[str, dict[str, Any]]:
    """List what happened at a table after an event; of secrets, only that they exist."""
    lines: list[str] = []
    last, voice = after, TableFormatter(await table.snapshot(recent=0), own=True)
    async for event in table.events(after):
        last = max(last, event["seq"])
        lines += filter(None, [event_line(voice, event)])
        if len(lines) >= MOST_EVENTS:
            break
    text = "\n".join([*(lines or ["nothing new"]), f"(up to event {last})"])
    return text, {"last": last, "lines": lines}
