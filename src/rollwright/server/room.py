"""A table in memory: its commands one at a time, each told to everybody once it is committed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.errors import RollwrightError
from rollwright.server.appends import Append, Conflict, Repeated, StoreError
from rollwright.server.audiences import Frames
from rollwright.server.connections import Connection
from rollwright.server.deciding import Deed, Placed, Task
from rollwright.server.limits import Spent
from rollwright.server.presence import Presence
from rollwright.server.quotas import LOADED_BYTES, PIECE_BYTES, SPARED, check_room
from rollwright.server.rows import sizes_of
from rollwright.server.tails import Tail
from rollwright.server.witnesses import ask_witnesses
from rollwright.server.writing import Ready, ready
from rollwright.table.decisions import AddNonces, Decision, RevokeTokens, Secrets, UseNonce
from rollwright.table.events import Event, in_places, kind_of
from rollwright.table.refusals import Heavy, Refusal
from rollwright.table.seats import REMOVED, Seat
from rollwright.table.state import TableState
from rollwright.table.views import opened

if TYPE_CHECKING:
    from rollwright.server.hall import Hall

BATCH = 400
"""Events that are loaded at once."""
SENT_AT_ONCE = 2 * PIECE_BYTES
"""Bytes that are given to connections before others have a turn."""
TRIES = 20
"""How often a command is decided again because another process was quicker."""


class Done(NamedTuple):
    """A command that is committed, now or before; both None where it made no event."""

    first: int | None
    last: int | None


class Room:
    """One table: its state, its latest events and everybody connected to it."""

    def __init__(self, hall: Hall, table: str, secret: bytes) -> None:
        self.hall = hall
        self.table = table
        self.state = TableState.new(table)
        self.live: set[Connection] = set()
        """Connections that have everything up to the head, and get what comes."""
        self.presence = Presence(self)
        self.guests: set[Connection] = set()
        """All connections, those that still catch up or wait at the door too."""
        self.used = time.monotonic()
        self.lost = False
        """The table is deleted, or its log is not the one that we know."""
        self._secret = secret
        self._nonces: dict[str, bytes] = {}
        self._tail = Tail()
        self._bytes = 0
        """Of the log, as far as it is applied."""
        self._turn = asyncio.Lock()
        self._heavy = asyncio.Lock()
        """For what is decided elsewhere: two at once would only make each other out of date."""
        self._latest = 0
        self._may_be_behind = False

    @property
    def in_use(self) -> bool:
        """Whether somebody is connected or a command is under way."""
        return bool(self.guests) or self._turn.locked() or self._heavy.locked()

    async def load(self) -> None:
        """Fold the whole log, in pieces, so that other tables go on meanwhile."""
        await self._read_on()
        self._nonces = await self.hall.store.nonces(self.table)

    async def act(
        self,
        seat: str,
        command: Mapping[str, Any],
        *,
        address: str = "",
        spent: Spent | None = None,
    ) -> Done:
        """Do a seat's command: decided, committed, then told to everybody.

        One that takes long is decided elsewhere, in turns with those of other addresses, and the
        table goes on meanwhile; if it did go on every time, the table waits for the last try.
        """
        spent = spent or Spent()
        deed = Deed(self, seat, command, address=address, spent=spent)
        keep = partial(
            self.commit, seat=seat, command=command["id"], spared=command["do"] in SPARED
        )
        try:
            return await keep(deed.here, spent=spent)
        except Heavy:
            async with self._heavy:
                await deed.decide_early()
                return await keep(deed.in_time, spent=spent)

    def task(self, seat: str, command: Mapping[str, Any]) -> Task:
        """A command with all that is needed to decide it now."""
        secrets = Secrets(self._secret, self._nonces)
        return Task(self.state, seat, command, secrets, self._now())

    async def commit(
        self,
        decided: Callable[[], Awaitable[Decision | Placed]],
        seat: str,
        command: str,
        *,
        spared: bool = False,
        spent: Spent | None = None,
    ) -> Done:
        """Decide on the newest state and commit that, once for each command id.

        What is `spared` is done though the log may be as large as it may become.
        """
        spent = spent or Spent()
        self.used = time.monotonic()
        async with self._turn:
            if self._may_be_behind:
                await self._catch_up()
            for _ in range(TRIES):
                self._check_found()
                try:
                    decision = await decided()
                    with spent:
                        prepared = self._prepared(decision, seat, command)
                        sizes = sizes_of(prepared.rows)
                    if not spared:
                        check_room(self._bytes, sum(sizes), self.hall.settings.table_bytes)
                except Heavy:
                    raise
                except RollwrightError:
                    before = await self.hall.store.find_command(self.table, seat, command)
                    if before is not None:
                        return await self._repeated(before)
                    if not await self._was_behind():
                        raise
                    continue
                done = await self._try_to_store(prepared, sizes, spent)
                if done is not None:
                    return done
            raise Refusal("conflict", "others were quicker every time; try again")

    async def _was_behind(self) -> bool:
        """Whether another process had taken the table on: then a refusal may have been wrong."""
        known = self.state.head
        if self.hall.settings.shared:
            await self._catch_up()
        return self.state.head > known

    def _prepared(self, decision: Decision | Placed, seat: str, command: str) -> Ready:
        """A decision with its events in their places, ready to be written."""
        at = self._now()
        if isinstance(decision, Placed):
            events = decision.events
        else:
            events = in_places(
                decision.drafts,
                before=self.state.hash,
                seq=self.state.head,
                at=at,
                entropy=token_bytes,
            )
        return ready(Append(self.table, self.state.head, events, at, seat, command, decision.side))

    async def _try_to_store(
        self, prepared: Ready, sizes: Sequence[int], spent: Spent
    ) -> Done | None:
        """Commit a decision; None where the log has gone on meanwhile."""
        begun = time.perf_counter()
        self._may_be_behind = True  # until we know how it ended
        outcome = await self.hall.store.append(prepared)
        self.hall.metrics.appends.observe(time.perf_counter() - begun)
        if isinstance(outcome, Conflict):
            await self._catch_up()
            return None
        if isinstance(outcome, Repeated):
            return await self._repeated(outcome)
        self._may_be_behind = False
        self.hall.metrics.commands.labels("stored").inc()
        spent.written += sum(sizes)
        await self._took(prepared.append, sizes, spent)
        return Done(outcome.first, outcome.last)

    async def _repeated(self, before: Repeated) -> Done:
        self.hall.metrics.commands.labels("repeated").inc()
        if self._may_be_behind or (before.last or 0) > self.state.head:
            await self._catch_up()
        return Done(before.first, before.last)

    async def _took(self, append: Append, sizes: Sequence[int], spent: Spent) -> None:
        """What we committed ourselves: know it, tell it, announce it."""
        for side in append.side:
            if isinstance(side, AddNonces):
                self._nonces.update(side.nonces)
            elif isinstance(side, UseNonce):
                self._nonces.pop(side.commitment, None)
        for event, size in zip(append.events, sizes):
            self._apply(event, size)
            # Anybody may look at the metrics: what a sealed event is must not be told there.
            self.hall.metrics.events.labels(event.kind).inc()
            if event.kind == "roll.started":
                self.hall.metrics.rolls.inc()
        await self._tell(append.events, spent)
        if any(isinstance(side, RevokeTokens) for side in append.side):
            await self.check_tokens()
        self.hall.rooms.announce(self)

    async def catch_up(self) -> None:
        """Learn what other processes have committed, and tell it."""
        async with self._turn:
            await self._catch_up()

    async def _catch_up(self) -> None:
        events = await self._read_on()
        if events:
            self._nonces = await self.hall.store.nonces(self.table)
        self._may_be_behind = False
        for start in range(0, len(events), BATCH):
            await self._tell(events[start : start + BATCH])
        if events:
            await self.check_tokens()

    async def _read_on(self) -> list[Event]:
        """Apply what the log has behind our head; what guests must be told of it."""
        fresh: list[Event] = []
        while True:
            batch = await self.hall.store.stretch(self.table, self.state.head, BATCH, LOADED_BYTES)
            if not batch.events:
                return fresh
            for event, size in zip(batch.events, batch.sizes):
                self._apply(event, size)
            fresh += batch.events if self.guests else ()
            await asyncio.sleep(0)

    def _apply(self, event: Event, size: int) -> None:
        try:
            self.state.apply(event)
        except Exception:
            self.lose("internal", "the table must be read again; come again")
            raise
        self._latest = event.at
        self._bytes += size
        if kind_of(event) == "person.forgotten":
            self._tail.clear()  # what was erased in the log must not live on here
        else:
            self._tail.add(event, size)

    async def _tell(self, events: Sequence[Event], spent: Spent | None = None) -> None:
        """Send new events to everybody who is connected, each as they may see them."""
        if not events or not self.guests:
            return
        for guest in self.guests:
            guest.news.set()
        try:
            again = await self.events_at(opened(events, self.state))
        except StoreError:  # committed, but not to be told whole now: they come again and read it
            self._send_away("unavailable", "the database does not answer; come again")
            return
        await self._send(events, again, spent or Spent())
        ask_witnesses(self)

    async def _send(self, events: Sequence[Event], again: Sequence[Event], spent: Spent) -> None:
        """Send to each what it does not have yet; somebody may just have caught up.

        Others have their turn in between: much for many takes long. It stays our turn at this
        table, and whoever comes meanwhile reads up to its head by themselves.
        """
        frames: dict[int, Frames] = {}
        waiting = list(self.live)
        while waiting:
            with spent:
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
        first = events[0].seq
        known = max(0, connection.sent + 1 - first)
        if known >= len(events) or connection not in self.live:
            return 0
        if known not in frames:
            frames[known] = Frames((*events[known:], *again), self.state)
        seat = self.state.seats.get(connection.seat)
        if seat is not None and seat.status == REMOVED:
            connection.say_bye("removed", "your seat was removed from the table")
            return 0
        message = frames[known].for_seat(seat)
        connection.push(message)
        connection.sent = events[-1].seq
        return len(message)

    async def events_after(self, after: int, limit: int) -> Sequence[Event]:
        """Some events behind that place, from memory where they are still there.

        Less than `limit` come where they are large: ask again behind the last.
        """
        held = self._tail.after(after, limit)
        if held is not None:
            return held
        return (await self.hall.store.stretch(self.table, after, limit, PIECE_BYTES)).events

    async def events_before(self, before: int, limit: int) -> Sequence[Event]:
        """The last events before that place, less than `limit` where they are large."""
        limit = max(0, min(limit, before - 1))
        held = self._tail.after(before - 1 - limit, limit)
        if held is not None:
            return held
        return (await self.hall.store.latest(self.table, before, limit, PIECE_BYTES)).events

    async def events_at(self, seqs: Iterable[int]) -> tuple[Event, ...]:
        """The events at these places of the log."""
        wanted = sorted(seqs)
        found: list[Event] = []
        for seq in wanted:
            if found and found[-1].seq >= seq:
                continue
            reach = min(BATCH, wanted[-1] - seq + 1)
            found += await self.events_after(seq - 1, reach)
        places = set(wanted)
        return tuple(event for event in found if event.seq in places)

    async def recent_events(self, count: int) -> Sequence[Event]:
        """The last events of the log."""
        return await self.events_before(self.state.head + 1, count) if count else ()

    async def check_tokens(self) -> None:
        """Say goodbye to everybody whose token is good no more."""
        if not self.guests:
            return
        try:
            tokens = await self.hall.store.tokens(self.table)
        except StoreError:  # better to send everybody away than to let somebody stay who may not
            self._send_away("unavailable", "the database does not answer; come again")
            return
        good = {token.hash for token in tokens if not token.revoked}
        for guest in tuple(self.guests):
            if guest.token not in good:
                guest.say_bye("unauthorized", "this link or seat was moved; use the new one")

    def want_witnesses(self) -> None:
        """Ask for nonces where they run low."""
        ask_witnesses(self)

    def seat(self, connection: Connection) -> Seat | None:
        """The seat of a connection as it is now."""
        return self.state.seats.get(connection.seat)

    def lose(self, code: str, message: str) -> None:
        """Give the room up: whoever is here is sent away, the next to come loads it anew."""
        self.lost = True
        self._send_away(code, message)

    def _send_away(self, code: str, message: str) -> None:
        for guest in tuple(self.guests):
            guest.say_bye(code, message)

    def _check_found(self) -> None:
        if self.lost:
            raise Refusal("unavailable", "the table must be read again; try again")

    def _now(self) -> int:
        """The time in milliseconds; never before the latest event, whatever the clock does."""
        return max(time.time_ns() // 1_000_000, self._latest)
