"""Telling everybody who is connected to a table what happened, each as they may see it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakSet

from msgspec import Raw
from msgspec.json import Decoder, decode

from rollwright.server.live.connections import FRAME_BYTES, Connection, SocketMessage
from rollwright.server.storage.appends import LogLine, NoTableError, StoreError
from rollwright.server.storage.rows import PIECE_BYTES, EventRow
from rollwright.table.events import REMOVED, Event, Seat
from rollwright.table.schemas import EventView
from rollwright.table.state import TableState
from rollwright.table.visibility import INSIDE, reopened_seqs, view_with_options
from rollwright.workers.costs import CostMeter

if TYPE_CHECKING:
    from rollwright.server.live.live_table import LiveTable
    from rollwright.server.live.snapshots import SnapshotStream

NOTHING_WRITTEN: Mapping[int, EventRow] = {}
REREAD = "the table must be read again; come again"
BATCH = 400
"""Events that are read at once to be sent."""
PAID_FOR = 64
"""Clients that a command pays for sending to; the others watch unasked, so they cost it nothing."""
SENT_AT_ONCE = 2 * PIECE_BYTES
"""Bytes that are given to connections before others have a turn."""
TOGETHER_SECONDS, TOGETHER_BYTES = 0.01, 65_536
"""Seconds and bytes that events wait at most for the commands that are about to follow."""
SOON = 0.05
"""Seconds until arrivals are announced: many come at once after a restart."""
STALE_SECONDS = 45.0
"""Seconds for which another process's report of who is connected to it is believed."""
OFFERS = 8
"""Nonces that are asked for at once."""
LOW = 3
"""A seat with fewer unused ones than this is asked again."""
ENOUGH = 2
"""So many seats with offers give every roller somebody else as a witness."""
PATIENCE = 10.0
"""Seconds until a browser that did not answer is asked again."""

WANT = SocketMessage({"want": {"witness": OFFERS}})


class Broadcast:
    """Everybody who is connected to a table, and what they were sent."""

    def __init__(self, room: LiveTable) -> None:
        self.live: set[Connection] = set()
        """Connections that have everything up to the head, and get what comes."""
        self.guests: set[Connection] = set()
        """All connections, those that still catch up or wait at the door too."""
        self.snapshots: WeakSet[SnapshotStream] = WeakSet()
        """First pictures of the table that are being sent."""
        self.presence = Presence(self, room)
        self.sent_head = 0
        """The last event that was sent to everybody who is connected."""
        self.batch = BroadcastBatch()
        self._table = room

    @property
    def weight(self) -> int:
        """About how many bytes of memory that takes which waits for slow clients."""
        waiting: dict[str, int] = {}  # those of one seat are sent the same, others may see others
        for guest in self.guests:
            if (held := guest.waiting_bytes) and held > waiting.get(guest.seat, 0):
                waiting[guest.seat] = held
        pictures = sum([picture.held for picture in self.snapshots]) if self.snapshots else 0
        return sum(waiting.values()) + pictures

    def free_memory(self) -> None:
        """Take less memory: those who read slowly can come again."""
        for picture in tuple(self.snapshots):
            if picture.held > FRAME_BYTES:
                picture.close()
        for guest in tuple(self.guests):
            if guest.waiting_bytes > FRAME_BYTES:
                guest.close("too_slow", "you read more slowly than the table goes on; come again")

    async def send_soon(self, spent: CostMeter) -> None:
        """Send what is new, together with what the commands that wait for their turn will add.

        A frame with much in it costs little more to send than one with little.
        """
        room = self._table
        if self.sent_head >= room.state.head or room.is_lost:
            return
        if not room.waiting or self.batch.is_due():
            await self.send_new(spent)
        elif self.batch.task is None:
            self.batch.task = asyncio.create_task(self._send_rest())

    async def _send_rest(self) -> None:
        """Send what is left, after those who wait now."""
        async with self._table.turn:
            self.batch.task = None
            if self.sent_head < self._table.state.head:
                await self.send_new()

    async def send_new(self, spent: CostMeter | None = None) -> None:
        """Send what is new to everybody who is connected, each as they may see it."""
        spent, room = spent or CostMeter(), self._table
        for guest in self.guests:
            guest.news.set()
        try:
            while self.guests and self.sent_head < room.state.head:
                events = await room.events_after(self.sent_head, BATCH)
                if not events:
                    raise NoTableError(room.table)
                again = await room.events_at(reopened_seqs(events, room.state))
                await room.list_options()
                await self._send(events, again, spent)
                self.sent_head = events[-1].seq
        except StoreError:  # committed, but cannot be sent whole now: they reconnect and read it
            self.close_all("unavailable", "the database does not answer; come again")
        except Exception:
            room.discard("internal", REREAD)
            raise
        self.sent_head = room.state.head
        self.batch.clear()
        self.request_witnesses()

    async def _send(
        self, events: Sequence[Event], again: Sequence[Event], spent: CostMeter
    ) -> None:
        """Send to each what it does not have yet; somebody may just have caught up.

        Others have their turn in between, because much for many takes long. The turn at this table
        is kept, and anyone who comes meanwhile reads up to its head by themselves.
        """
        frames: dict[int, EventFrames] = {}
        live = list(self.live)
        for waiting, payer in ((live[:PAID_FOR], spent), (live[PAID_FOR:], CostMeter())):
            while waiting:
                with payer:
                    sent = 0
                    while waiting and sent < SENT_AT_ONCE:
                        sent += self._send_one(waiting.pop(), events, again, frames)
                if waiting:
                    await asyncio.sleep(0)

    def _send_one(
        self,
        connection: Connection,
        events: Sequence[Event],
        again: Sequence[Event],
        frames: dict[int, EventFrames],
    ) -> int:
        """Send to one connection what it does not have yet; how many bytes that was."""
        first, state = events[0].seq, self._table.state
        known = max(0, connection.sent + 1 - first)
        if known >= len(events) or connection not in self.live:
            return 0
        if known not in frames:
            frames[known] = EventFrames((*events[known:], *again), state, self.batch.rows)
        seat = state.seats.get(connection.seat)
        if seat is not None and seat.status == REMOVED:
            connection.close("removed", "your seat was removed from the table")
            return 0
        message = frames[known].for_seat(seat)
        connection.push(message)
        connection.sent = events[-1].seq
        return len(message)

    @property
    def tokens(self) -> frozenset[str]:
        """The hashes of the tokens of all who are here."""
        return frozenset(guest.token for guest in self.guests)

    async def check_tokens(self) -> None:
        """Say goodbye to everybody whose token is no longer valid."""
        if not self.guests:
            return
        try:
            self.close_revoked_tokens(
                await self._table.services.store.revoked(self._table.table, self.tokens)
            )
        except StoreError:  # better to send everybody away than to let somebody stay who may not
            self.close_all("unavailable", "the database does not answer; come again")

    def close_revoked_tokens(self, revoked: Collection[str]) -> None:
        """Say goodbye to those who have these tokens."""
        for guest in tuple(self.guests):
            if guest.token in revoked:
                guest.close("unauthorized", "this link or seat was moved; use the new one")

    def close_all(self, code: str, message: str) -> None:
        """Say goodbye to everybody."""
        for guest in tuple(self.guests):
            guest.close(code, message)

    def request_witnesses(self) -> None:
        """Ask for numbers where offers run low; a lonely roller can have no witness."""
        if not self._table.state.witnesses:
            return
        browsers: dict[str, Connection] = {}
        for connection in self.live:
            if connection.seat:
                browsers.setdefault(connection.seat, connection)
        elsewhere = self.presence.elsewhere - browsers.keys()
        if not browsers or len(browsers) + len(elsewhere) < ENOUGH:
            return
        unused = Counter(offer.seat for offer in self._table.state.offers.values())
        now = time.monotonic()
        empty = [
            connection
            for seat, connection in browsers.items()
            if unused[seat] < LOW and now - connection.wanted_at > PATIENCE
        ]
        supplied = len(browsers) - len(empty) + sum(unused[seat] >= LOW for seat in elsewhere)
        for connection in empty[: max(0, ENOUGH - supplied)]:
            connection.wanted_at = now
            connection.push(WANT)


class BroadcastBatch:
    """Events that are committed and not yet sent."""

    def __init__(self) -> None:
        self.bytes = 0
        self.rows: dict[int, EventRow] = {}
        """Those events of it that were written here, by their seqs: as JSON already."""
        self.sent = asyncio.Event()
        """Set, and replaced by another, when all of it was sent."""
        self.task: asyncio.Task[None] | None = None
        self._since = 0.0

    def is_due(self) -> bool:
        """Whether it has waited long enough, or there is enough of it."""
        now = time.monotonic()
        self._since = self._since or now
        return now - self._since > TOGETHER_SECONDS or self.bytes > TOGETHER_BYTES

    def clear(self) -> None:
        """Forget it: all was sent or never will be, so that everyone who waits for that goes on."""
        self.bytes, self.rows, self._since = 0, {}, 0.0
        told, self.sent = self.sent, asyncio.Event()
        told.set()


class Presence:
    """The connected seats of one table."""

    def __init__(self, everybody: Broadcast, room: LiveTable) -> None:
        self._broadcast = everybody
        self._table = room
        self._elsewhere: dict[str, float] = {}
        """Seats that other processes have, and until when to believe it."""
        self._announced: tuple[str, ...] = ()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def here(self) -> set[str]:
        """Seats that are connected to this process."""
        return {connection.seat for connection in self._broadcast.live if connection.seat}

    @property
    def elsewhere(self) -> set[str]:
        """Seats that are connected to other processes, as far as we know."""
        now = time.monotonic()
        return {seat for seat, until in self._elsewhere.items() if until > now}

    @property
    def seats(self) -> tuple[str, ...]:
        """All connected seats."""
        return tuple(sorted(self.here | self.elsewhere, key=_in_order))

    def update(self) -> None:
        """Somebody came or went in this process."""
        self._table.services.bus.publish_presence(self._table.table, self.here)
        self.announce_soon()

    def set_elsewhere(self, seats: set[str]) -> None:
        """Other processes have these seats."""
        until = time.monotonic() + STALE_SECONDS
        self._elsewhere = dict.fromkeys(seats, until)
        self.announce_soon()

    def announce_soon(self) -> None:
        """Announce in a moment who is here, if that has changed."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SOON, self._announce)

    def _announce(self) -> None:
        self._timer = None
        seats = self.seats
        if seats == self._announced:
            return
        self._announced = seats
        message = SocketMessage({"present": {"seats": seats}})
        for connection in tuple(self._broadcast.live):
            connection.push(message)
        self._broadcast.request_witnesses()  # somebody elsewhere may make two of one


def _in_order(seat: str) -> tuple[int, str]:
    return len(seat), seat


class EventFrames:
    """Some events as frames; seats that see the same of them are sent the same bytes."""

    def __init__(
        self,
        events: Sequence[Event],
        state: TableState,
        rows: Mapping[int, EventRow] = NOTHING_WRITTEN,
    ) -> None:
        self._events = events
        self._state = state
        self._rows = rows
        watched = [view_with_options(event, None, state) for event in events]
        self._messages: dict[tuple[bool, ...], SocketMessage] = {}
        self._by_seat: dict[str, SocketMessage] = {}
        is_public = all(["body" in view for view in watched])
        self._public = self._message(watched) if is_public else None

    def for_seat(self, seat: Seat | None) -> SocketMessage:
        """The frame for a seat, or for somebody who only watches."""
        if self._public is not None:
            return self._public  # what a watcher sees whole, everybody sees whole
        name = "" if seat is None else seat.id
        if name not in self._by_seat:
            self._by_seat[name] = self._build_for(seat)
        return self._by_seat[name]

    def _build_for(self, seat: Seat | None) -> SocketMessage:
        views = [view_with_options(event, seat, self._state) for event in self._events]
        whole = tuple("body" in view for view in views)
        if whole not in self._messages:
            self._messages[whole] = self._message(views)
        return self._messages[whole]

    def _message(self, views: Sequence[EventView]) -> SocketMessage:
        """Return the message with the events as seen, using the JSON of the log if just written."""
        return SocketMessage(
            {"events": [_splice(view, self._rows.get(view["seq"])) for view in views]}
        )


def _splice(view: EventView, row: EventRow | None) -> Mapping[str, object]:
    if row is None:
        return view
    spliced = {**view, "open": Raw(row["open"])}
    return {**spliced, "body": Raw(row["body"])} if "body" in view else spliced


_parts = Decoder(dict[str, Raw])


def view_line(line: LogLine, seat: Seat | None, state: TableState) -> Mapping[str, object] | Raw:
    """An event that is passed on, as a seat sees it."""
    if isinstance(line, Event):
        return view_with_options(line, seat, state)
    if seat is None or seat.is_here:
        offers = state.options.get(line.seq)
        return line.json if offers is None else {**_parts.decode(line.json), "offers": offers}
    return {name: value for name, value in decode(line.json).items() if name not in INSIDE}
