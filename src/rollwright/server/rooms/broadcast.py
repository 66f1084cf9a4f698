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

from rollwright.counting.spent import Spent
from rollwright.server.rooms.connections import FRAME_BYTES, Connection, Message
from rollwright.server.storage.appends import LogLine, NoTable, StoreError
from rollwright.server.storage.rows import PIECE_BYTES, EventRow
from rollwright.table.events import REMOVED, Event, Seat
from rollwright.table.schemas import Seen
from rollwright.table.state import TableState
from rollwright.table.visibility import INSIDE, opened, shown

if TYPE_CHECKING:
    from rollwright.server.rooms.hello import Picture
    from rollwright.server.rooms.room import Room

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

WANT = Message({"want": {"witness": OFFERS}})


class Broadcast:
    """Everybody who is connected to a table, and what they were sent."""

    def __init__(self, room: Room) -> None:
        self.live: set[Connection] = set()
        """Connections that have everything up to the head, and get what comes."""
        self.guests: set[Connection] = set()
        """All connections, those that still catch up or wait at the door too."""
        self.pictures: WeakSet[Picture] = WeakSet()
        """First pictures of the table that are being sent."""
        self.presence = Presence(self, room)
        self.told = 0
        """The last event that was sent to everybody who is connected."""
        self.untold = Untold()
        self._room = room

    @property
    def weight(self) -> int:
        """About how many bytes of memory that takes which waits for slow clients."""
        waiting: dict[str, int] = {}  # those of one seat are sent the same, others may see others
        for guest in self.guests:
            if (held := guest.waiting_bytes) and held > waiting.get(guest.seat, 0):
                waiting[guest.seat] = held
        pictures = sum([picture.held for picture in self.pictures]) if self.pictures else 0
        return sum(waiting.values()) + pictures

    def relieve(self) -> None:
        """Take less memory: those who read slowly can come again."""
        for picture in tuple(self.pictures):
            if picture.held > FRAME_BYTES:
                picture.let_go()
        for guest in tuple(self.guests):
            if guest.waiting_bytes > FRAME_BYTES:
                guest.say_bye("too_slow", "you read more slowly than the table goes on; come again")

    async def tell_soon(self, spent: Spent) -> None:
        """Send what is new, together with what the commands that wait for their turn will add.

        A frame with much in it costs little more to send than one with little.
        """
        room = self._room
        if self.told >= room.state.head or room.lost:
            return
        if not room.waiting or self.untold.is_due():
            await self.tell(spent)
        elif self.untold.telling is None:
            self.untold.telling = asyncio.create_task(self._tell_rest())

    async def _tell_rest(self) -> None:
        """Send what is left, after those who wait now."""
        async with self._room.turn:
            self.untold.telling = None
            if self.told < self._room.state.head:
                await self.tell()

    async def tell(self, spent: Spent | None = None) -> None:
        """Send what is new to everybody who is connected, each as they may see it."""
        spent, room = spent or Spent(), self._room
        for guest in self.guests:
            guest.news.set()
        try:
            while self.guests and self.told < room.state.head:
                events = await room.events_after(self.told, BATCH)
                if not events:
                    raise NoTable(room.table)
                again = await room.events_at(opened(events, room.state))
                await room.list_options()
                await self._send(events, again, spent)
                self.told = events[-1].seq
        except StoreError:  # committed, but cannot be sent whole now: they reconnect and read it
            self.send_away("unavailable", "the database does not answer; come again")
        except Exception:
            room.lose("internal", REREAD)
            raise
        self.told = room.state.head
        self.untold.clear()
        self.want_witnesses()

    async def _send(self, events: Sequence[Event], again: Sequence[Event], spent: Spent) -> None:
        """Send to each what it does not have yet; somebody may just have caught up.

        Others have their turn in between, because much for many takes long. The turn at this table
        is kept, and anyone who comes meanwhile reads up to its head by themselves.
        """
        frames: dict[int, Frames] = {}
        live = list(self.live)
        for waiting, payer in ((live[:PAID_FOR], spent), (live[PAID_FOR:], Spent())):
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
        frames: dict[int, Frames],
    ) -> int:
        """Send to one connection what it does not have yet; how many bytes that was."""
        first, state = events[0].seq, self._room.state
        known = max(0, connection.sent + 1 - first)
        if known >= len(events) or connection not in self.live:
            return 0
        if known not in frames:
            frames[known] = Frames((*events[known:], *again), state, self.untold.rows)
        seat = state.seats.get(connection.seat)
        if seat is not None and seat.status == REMOVED:
            connection.say_bye("removed", "your seat was removed from the table")
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
            self.send_home(await self._room.services.store.revoked(self._room.table, self.tokens))
        except StoreError:  # better to send everybody away than to let somebody stay who may not
            self.send_away("unavailable", "the database does not answer; come again")

    def send_home(self, revoked: Collection[str]) -> None:
        """Say goodbye to those who have these tokens."""
        for guest in tuple(self.guests):
            if guest.token in revoked:
                guest.say_bye("unauthorized", "this link or seat was moved; use the new one")

    def send_away(self, code: str, message: str) -> None:
        """Say goodbye to everybody."""
        for guest in tuple(self.guests):
            guest.say_bye(code, message)

    def want_witnesses(self) -> None:
        """Ask for numbers where offers run low; a lonely roller can have no witness."""
        if not self._room.state.witnesses:
            return
        browsers: dict[str, Connection] = {}
        for connection in self.live:
            if connection.seat:
                browsers.setdefault(connection.seat, connection)
        elsewhere = self.presence.elsewhere - browsers.keys()
        if not browsers or len(browsers) + len(elsewhere) < ENOUGH:
            return
        unused = Counter(offer.seat for offer in self._room.state.offers.values())
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


class Untold:
    """Events that are committed and not yet sent."""

    def __init__(self) -> None:
        self.bytes = 0
        self.rows: dict[int, EventRow] = {}
        """Those events of it that were written here, by their seqs: as JSON already."""
        self.told = asyncio.Event()
        """Set, and replaced by another, when all of it was sent."""
        self.telling: asyncio.Task[None] | None = None
        self._since = 0.0

    def is_due(self) -> bool:
        """Whether it has waited long enough, or there is enough of it."""
        now = time.monotonic()
        self._since = self._since or now
        return now - self._since > TOGETHER_SECONDS or self.bytes > TOGETHER_BYTES

    def clear(self) -> None:
        """Forget it: all was sent or never will be, so that everyone who waits for that goes on."""
        self.bytes, self.rows, self._since = 0, {}, 0.0
        told, self.told = self.told, asyncio.Event()
        told.set()


class Presence:
    """The connected seats of one table."""

    def __init__(self, everybody: Broadcast, room: Room) -> None:
        self._everybody = everybody
        self._room = room
        self._elsewhere: dict[str, float] = {}
        """Seats that other processes have, and until when to believe it."""
        self._told: tuple[str, ...] = ()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def here(self) -> set[str]:
        """Seats that are connected to this process."""
        return {connection.seat for connection in self._everybody.live if connection.seat}

    @property
    def elsewhere(self) -> set[str]:
        """Seats that are connected to other processes, as far as we know."""
        now = time.monotonic()
        return {seat for seat, until in self._elsewhere.items() if until > now}

    @property
    def seats(self) -> tuple[str, ...]:
        """All connected seats."""
        return tuple(sorted(self.here | self.elsewhere, key=_in_order))

    def changed(self) -> None:
        """Somebody came or went in this process."""
        self._room.services.bus.present(self._room.table, self.here)
        self.tell_soon()

    def heard(self, seats: set[str]) -> None:
        """Other processes have these seats."""
        until = time.monotonic() + STALE_SECONDS
        self._elsewhere = dict.fromkeys(seats, until)
        self.tell_soon()

    def tell_soon(self) -> None:
        """Announce in a moment who is here, if that has changed."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SOON, self._tell)

    def _tell(self) -> None:
        self._timer = None
        seats = self.seats
        if seats == self._told:
            return
        self._told = seats
        message = Message({"present": {"seats": seats}})
        for connection in tuple(self._everybody.live):
            connection.push(message)
        self._everybody.want_witnesses()  # somebody elsewhere may make two of one


def _in_order(seat: str) -> tuple[int, str]:
    return len(seat), seat


class Frames:
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
        watched = [shown(event, None, state) for event in events]
        self._messages: dict[tuple[bool, ...], Message] = {}
        self._by_seat: dict[str, Message] = {}
        is_public = all(["body" in view for view in watched])
        self._public = self._message(watched) if is_public else None

    def for_seat(self, seat: Seat | None) -> Message:
        """The frame for a seat, or for somebody who only watches."""
        if self._public is not None:
            return self._public  # what a watcher sees whole, everybody sees whole
        name = "" if seat is None else seat.id
        if name not in self._by_seat:
            self._by_seat[name] = self._made_for(seat)
        return self._by_seat[name]

    def _made_for(self, seat: Seat | None) -> Message:
        views = [shown(event, seat, self._state) for event in self._events]
        whole = tuple("body" in view for view in views)
        if whole not in self._messages:
            self._messages[whole] = self._message(views)
        return self._messages[whole]

    def _message(self, views: Sequence[Seen]) -> Message:
        """Return the message with the events as seen, using the JSON of the log if just written."""
        return Message({"events": [_spliced(view, self._rows.get(view["seq"])) for view in views]})


def _spliced(view: Seen, row: EventRow | None) -> Mapping[str, object]:
    if row is None:
        return view
    spliced = {**view, "open": Raw(row["open"])}
    return {**spliced, "body": Raw(row["body"])} if "body" in view else spliced


_parts = Decoder(dict[str, Raw])


def told(line: LogLine, seat: Seat | None, state: TableState) -> Mapping[str, object] | Raw:
    """An event that is passed on, as a seat sees it."""
    if isinstance(line, Event):
        return shown(line, seat, state)
    if seat is None or seat.is_here:
        offers = state.options.get(line.seq)
        return line.json if offers is None else {**_parts.decode(line.json), "offers": offers}
    return {name: value for name, value in decode(line.json).items() if name not in INSIDE}
