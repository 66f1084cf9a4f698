"""A table in memory: its commands one at a time, each decided, committed and then sent."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import (
    Awaitable,
    Callable,
    Iterable,
    Mapping,
    Sequence,
)
from functools import partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection as Database

from rollwright.errors import RollwrightError
from rollwright.i18n.messages import message_from
from rollwright.jsonable import Json
from rollwright.server.json_codec import encode_canonical
from rollwright.server.limits import (
    FOLDED_EVENTS,
    KEPT_BYTES,
    LOADED_BYTES,
    LOADED_EVENTS,
    RESERVED,
    SPARED,
    THROWING,
    RecentEvents,
    check_log_size,
    most_bytes,
)
from rollwright.server.live.broadcast import BATCH, REREAD, Broadcast
from rollwright.server.live.commands import PendingCommand
from rollwright.server.live.connections import Connection
from rollwright.server.storage.appends import (
    Append,
    AppendConflict,
    AppendRepeat,
    LogLine,
    LogUpdate,
)
from rollwright.server.storage.locks import Leases
from rollwright.server.storage.rows import PIECE_BYTES
from rollwright.server.storage.transactions import PreparedAppend, prepare_append
from rollwright.table.commands.sessions import time_out_witness
from rollwright.table.commands.writer import Decision, RevokeTokens, Secrets
from rollwright.table.errors import CodedError, NeedsEvents, NeedsWorker, command_error
from rollwright.table.events import Event, Seat, chain_hash, kind_of, place_events
from rollwright.table.fairness import handover_of
from rollwright.table.state import AS_OBJECTS, TableState
from rollwright.workers.costs import CostMeter
from rollwright.workers.payloads import Task, TaskResult

if TYPE_CHECKING:
    from rollwright.server.app import Services

RACED_SECONDS = 10.0
"""For how long a process takes turns with others at a table after it lost to one of them."""
TURN_SECONDS = 0.1
"""How long a turn lasts while commands wait for it."""
WITNESS_SECONDS = 2.0
"""How long dice wait for the number of a witness."""
HOST = "host"
"""Whose the commands are that nobody at the table gave."""
TRIES = 100
"""How often a command is decided again because another process was quicker."""

log = logging.getLogger("rollwright.server.room")


class Lease:
    """The turn of this process at a table, where it lost to another one lately."""

    def __init__(self, leases: Leases | None, table: str) -> None:
        self._leases = leases
        self._table = table
        self._held: Database | None = None
        self._since = 0.0
        self._lost_at = -inf

    async def acquire(self, *, lost: bool = False) -> bool:
        """Wait for the turn, if it is needed; whether others may have gone on before it came."""
        now = time.monotonic()
        if lost:
            self._lost_at = now
        is_raced = now - self._lost_at < RACED_SECONDS
        if self._leases is None or self._held is not None or not is_raced:
            return False
        self._held, self._since = await self._leases.take(self._table), time.monotonic()
        return self._held is not None

    def release(self, *, unless: bool) -> None:
        """Let another process have its turn, unless there is more to do and time left for it."""
        if self._leases is None or self._held is None:
            return
        if not unless or time.monotonic() - self._since > TURN_SECONDS:
            held, self._held = self._held, None
            self._leases.release(held)


class CommitResult(NamedTuple):
    """A command that is committed, now or before; both None where it made no event."""

    first: int | None
    last: int | None
    refusal: CodedError | None = None
    """Why it was not done, where the log says so."""


class LiveTable:
    """One table: its state, its latest events and everybody connected to it.

    What it decides with, the state and the secret, belongs to one place of one log: it is taken
    from one view of the database, or from a commit of our own, without a pause in between. A
    decision is written only where the log ends at that place.
    """

    def __init__(self, services: Services, table: str) -> None:
        self.services = services
        self.table = table
        self.state = TableState.new(table, keep=KEPT_BYTES)
        self.broadcast = Broadcast(self)
        self.used = time.monotonic()
        self.is_lost = False
        """The table is deleted, or its log is not the one that we know."""
        self.announced_head = 0
        """The last head that another process announced."""
        self.secret = b""
        self._knows_tokens = False
        """Whether those were sent home whose tokens were revoked up to the head."""
        self._asked: set[int] = set()
        """The events that ask a witness, who is waited for."""
        self._waits: set[asyncio.Task[None]] = set()
        self._recent = RecentEvents()
        self.log_bytes = 0
        """Bytes of the log, as far as it is applied."""
        self.turn = asyncio.Lock()
        self.waiting = 0
        """Commands that wait for their turn."""
        self._heavy = asyncio.Lock()
        """For what is decided elsewhere: two at once would only make each other out of date."""
        self._listing = asyncio.Lock()
        self._latest = 0
        self._lease = Lease(services.store.leases, table)
        self._may_be_behind = False

    @property
    def handover(self) -> str:
        """The secret with which a referee continues elsewhere; for referees alone."""
        return handover_of(self.secret).hex()

    @property
    def is_in_use(self) -> bool:
        """Whether somebody is connected or a command is under way."""
        return bool(self.broadcast.guests) or self.turn.locked() or self._heavy.locked()

    @property
    def weight(self) -> int:
        """About how many bytes of memory the table takes, with what waits for slow clients."""
        return self.state.weight + AS_OBJECTS * self._recent.bytes + self.broadcast.weight

    def free_memory(self) -> None:
        """Take less memory: the latest events can be read again, and the slow can come again."""
        self._recent.clear()
        self.broadcast.free_memory()

    async def load(self) -> None:
        """Fold the whole log, in pieces, so that other tables go on meanwhile."""
        await self._read_on()
        self.broadcast.sent_head = self.state.head
        self._watch_witnesses()

    async def run_command(
        self,
        seat: str,
        command: Mapping[str, Json],
        *,
        address: str = "",
        spent: CostMeter | None = None,
    ) -> CommitResult:
        """Do a seat's command: decide, commit, then send it to everybody.

        One that takes long is decided elsewhere, in turns with those of other addresses, and the
        table goes on meanwhile; if it did go on every time, the table waits for the last try.
        """
        spent = spent or CostMeter()
        deed = PendingCommand(self, seat, command, address=address, spent=spent)
        name, do = str(command["id"]), str(command["do"])
        keep = partial(self.commit, seat=seat, command=name, do=do)
        try:
            return await keep(deed.decide, spent=spent)
        except NeedsWorker:
            async with self._heavy:
                await deed.decide_early()
                return await keep(deed.decide_in_turn, spent=spent)

    def task(self, seat: str, command: Mapping[str, Json]) -> Task:
        """A command with all that is needed to decide it now."""
        return Task(self.state, seat, command, Secrets(self.secret), self._now())

    async def commit(
        self,
        decided: Callable[[], Awaitable[Decision | TaskResult]],
        seat: str,
        command: str,
        *,
        do: str = "",
        spent: CostMeter | None = None,
    ) -> CommitResult:
        """Decide on the newest state and commit that, once for each command id."""
        spent = spent or CostMeter()
        self.used = time.monotonic()
        await self._wait_for_turn()
        try:
            if await self._lease.acquire() or not self._knows(self.announced_head):
                await self._read_on()
            done = await self._commit_in_turn(decided, seat, command, do, spent)
        finally:
            self._watch_witnesses()
            try:
                self._lease.release(unless=bool(self.waiting))
                await self.broadcast.send_soon(CostMeter())  # of others, who pay for themselves
            finally:
                self.turn.release()
        everybody = self.broadcast
        while everybody.sent_head < min(done.last or 0, self.state.head) and not self.is_lost:
            await everybody.batch.sent.wait()
        return done

    async def _wait_for_turn(self) -> None:
        """One command at a time, in the order in which they came."""
        self.waiting += 1
        try:
            await self.turn.acquire()
        finally:
            self.waiting -= 1

    async def _commit_in_turn(
        self,
        decided: Callable[[], Awaitable[Decision | TaskResult]],
        seat: str,
        command: str,
        do: str,
        spent: CostMeter,
    ) -> CommitResult:
        for _ in range(TRIES):
            self._check_exists()
            try:
                if do in THROWING:  # once dice are thrown, nothing may be refused for its size
                    self._check_growth(do, RESERVED)
                decision = await decided()
                with spent:
                    prepared = self._prepare(decision, seat, command)
                sizes = prepared.sizes
                if do not in THROWING:
                    self._check_growth(do, sum(sizes))
            except NeedsEvents as recall:
                self.state.restore(await self.events_at(recall.seqs))
                continue
            except NeedsWorker:
                raise
            except RollwrightError:
                before = await self.services.store.find_command(self.table, seat, command)
                if before is not None:
                    return await self._repeat_result(before)
                if not await self._was_behind():
                    raise
                continue
            done = await self._try_append(prepared, sizes, spent)
            if done is not None:
                return done._replace(refusal=decision.refusal)
        raise command_error("conflict", "server.quicker")

    def _watch_witnesses(self) -> None:
        """Wait for the witnesses that were asked, but not for ever."""
        for roll in self.state.going.values() if self.state.witnesses_turned else ():
            if roll.witness is not None and roll.witness.asked not in self._asked:
                self._asked.add(roll.witness.asked)
                is_here = self.state.seats[roll.witness.seat].is_here
                seconds = WITNESS_SECONDS if is_here else 0
                waiting = asyncio.create_task(self._wait_for_witness(roll.witness.asked, seconds))
                self._waits.add(waiting)
                waiting.add_done_callback(self._waits.discard)

    async def _wait_for_witness(self, asked: int, seconds: float) -> None:
        await asyncio.sleep(seconds)

        async def decide_pass() -> Decision:
            return time_out_witness(
                self.state, asked, Secrets(self.secret), self.services.executor.entropy
            )

        try:
            await self.commit(decide_pass, HOST, f"silent {asked}", do="witness.reveal")
        except RollwrightError as problem:
            what = problem.code if isinstance(problem, CodedError) else type(problem).__name__
            log.warning("dice wait for a witness", extra={"table": self.table, "code": what})
        finally:
            self._asked.discard(asked)

    def _check_growth(self, do: str, more: int) -> None:
        """Refuse what would make the log, the disk or the memory larger than they may become."""
        check_log_size(self.log_bytes, more, most_bytes(do, self.services.settings.table_bytes))
        if do not in SPARED:
            self.services.disk.check(more)
            self.services.registry.check_memory(self)

    async def _was_behind(self) -> bool:
        """Whether another process had taken the table on: then a refusal may have been wrong."""
        known = self.state.head
        if self.services.settings.is_multiprocess:
            await self._read_on()
        return self.state.head > known

    def _prepare(self, decision: Decision | TaskResult, seat: str, command: str) -> PreparedAppend:
        """A decision with its events in their places, ready to be written."""
        at = self._now()
        state = self.state
        if isinstance(decision, TaskResult):
            events = decision.events
        else:
            entropy = self.services.executor.entropy
            events = place_events(
                decision.drafts,
                before=state.hash,
                seq=state.head,
                at=at,
                entropy=entropy,
                write=encode_canonical,
            )
        return prepare_append(
            Append(self.table, state.head, state.hash, events, at, seat, command, decision.side)
        )

    async def _try_append(
        self, prepared: PreparedAppend, sizes: Sequence[int], spent: CostMeter
    ) -> CommitResult | None:
        """Commit a decision; None where the log has gone on meanwhile."""
        begun = time.perf_counter()
        self._may_be_behind = True  # until we know how it ended
        outcome = await self.services.store.append(prepared)
        self.services.metrics.appends.observe(time.perf_counter() - begun)
        if isinstance(outcome, AppendConflict):
            await self._lease.acquire(lost=True)
            await self._read_on()
            if self.broadcast.batch.is_due():  # else it is sent with what we do ourselves
                await self.broadcast.send_new()
            return None
        if isinstance(outcome, AppendRepeat):
            return await self._repeat_result(outcome)
        self._may_be_behind = False
        self.services.metrics.of_command("stored").inc()
        spent.written += sum(sizes)
        self.services.disk.add(sum(sizes))
        self.broadcast.batch.rows.update({row["seq"]: row for row in prepared.rows.events})
        await self._apply_append(prepared.append, sizes, spent)
        return CommitResult(outcome.first, outcome.last)

    async def _repeat_result(self, before: AppendRepeat) -> CommitResult:
        self.services.metrics.of_command("repeated").inc()
        if self._may_be_behind or (before.last or 0) > self.state.head:
            await self._read_on()
        return CommitResult(before.first, before.last, await self._refusal_at(before.first))

    async def _refusal_at(self, first: int | None) -> CodedError | None:
        """Why a command that was sent again was not done the first time."""
        (event,) = await self.events_at([first]) if first else (None,)
        if event is None or kind_of(event) != "roll.refused":
            return None
        return CodedError(event.body["code"], message_from(event.body["why"]))

    async def _apply_append(self, append: Append, sizes: Sequence[int], spent: CostMeter) -> None:
        """Apply, send and announce what this process committed."""
        for event, size in zip(append.events, sizes):
            self._apply(event, size)
            # Anybody may look at the metrics: they must not say what a sealed event is.
            self.services.metrics.of_event(event.kind).inc()
            if event.kind == "roll.started":
                self.services.metrics.rolls.inc()
        everybody = self.broadcast
        everybody.batch.bytes += sum(sizes)
        if any(isinstance(side, RevokeTokens) for side in append.side):
            await everybody.send_new(spent)
            await everybody.check_tokens()
        else:
            await everybody.send_soon(spent)
        self.services.registry.announce(self)

    async def catch_up(self, head: int | None = None) -> None:
        """Learn what other processes have committed, up to a head at least, and send it."""
        async with self.turn:
            if head is None or not self._knows(head):
                await self._read_on()
            await self.broadcast.send_soon(CostMeter())

    def _knows(self, head: int) -> bool:
        return head <= self.state.head and not self._may_be_behind

    async def _read_on(self) -> None:
        """Take in what the log has behind our head; those whose tokens it took back must go."""
        self._may_be_behind = True  # until all of it is read
        is_all = False
        while not is_all:
            place, guests = self.state.head, self.broadcast.tokens
            is_known = self._knows_tokens
            most = LOADED_EVENTS, LOADED_BYTES
            news = await self.services.store.read_since(
                self.table, place, *most, guests, is_known=is_known
            )
            is_all = await self._apply_update(news)
            if is_all and not self.broadcast.tokens <= guests:  # somebody came meanwhile
                await self.broadcast.check_tokens()
            await asyncio.sleep(0)
        self._may_be_behind = False
        self.announced_head = self.state.head
        self._watch_witnesses()  # the process that asked them may be gone

    async def list_options(self) -> None:
        """Work out the options that only the log could not list.

        Sending our events waits for this: what is sent once is not sent again.
        """
        if None in self.state.options.values():
            async with self._listing:
                await self.services.executor.list_options(self.state)

    async def _apply_update(self, news: LogUpdate | None) -> bool:
        """Know what the database knows of our log; whether that is all of it."""
        if news is None:
            self.discard("gone", "this table was deleted")
            raise command_error("not_found", "server.table.none")
        if not self._continues_log(news):
            log.warning("a table was replaced, or its log is damaged", extra={"table": self.table})
            self.discard("unavailable", REREAD)
            self._check_exists()
        self.secret = news.row.secret
        await self._apply_events(news)
        if news.is_all:
            self.broadcast.close_revoked_tokens(news.revoked)
        self._knows_tokens = news.is_all
        return news.is_all

    async def _apply_events(self, news: LogUpdate) -> None:
        """Fold events, a few at a time; breaking off in between has sent nobody away."""
        self._knows_tokens = False
        for start in range(0, len(news.events), FOLDED_EVENTS):
            if start:
                await asyncio.sleep(0)
            few = slice(start, start + FOLDED_EVENTS)
            for event, size in zip(news.events[few], news.sizes[few]):
                self._apply(event, size)

    def _continues_log(self, news: LogUpdate) -> bool:
        """Whether it is our log that goes on: one from elsewhere may have taken its place."""
        row, state = news.row, self.state
        if row.head < state.head or (self.secret and row.secret != self.secret):
            return False
        if not news.events:
            return row.hash == state.hash
        _, at, kind, open_, _, _, digest, hash_, *_ = news.events[0]
        return hash_ == chain_hash(state.hash, state.head + 1, at, kind, open_, digest)

    def _apply(self, event: Event, size: int) -> None:
        try:
            self.state.apply(event)
        except Exception:
            self.discard("internal", REREAD)
            raise
        self._latest = event.at
        self.log_bytes += size
        if kind_of(event) == "person.erased":
            self._recent.clear()  # what was erased in the log must not live on here
        else:
            self._recent.add(event if event.offers is None else event._replace(offers=None), size)

    async def events_after(
        self, after: int, limit: int, most_bytes: int = PIECE_BYTES
    ) -> Sequence[Event]:
        """Some events behind that place, from memory where they are still there.

        Less than `limit` come where they are large: ask again behind the last. None comes that
        the table does not know yet.
        """
        limit = max(0, min(limit, self.state.head - after))
        held = self._recent.after(after, limit, most_bytes)
        if held is not None:
            return held
        return (await self.services.store.events_after(self.table, after, limit, most_bytes)).events

    async def lines_after(self, after: int, limit: int, most_bytes: int) -> Sequence[LogLine]:
        """The same events for somebody who passes them on."""
        limit = max(0, min(limit, self.state.head - after))
        held = self._recent.after(after, limit, most_bytes)
        if held is not None:
            return held
        return await self.services.store.lines_after(self.table, after, limit, most_bytes)

    async def events_before(self, before: int, limit: int) -> Sequence[Event]:
        """The last events before that place, less than `limit` where they are large."""
        limit = max(0, min(limit, before - 1))
        held = self._recent.after(before - 1 - limit, limit)
        if held is not None:
            return held
        return (
            await self.services.store.events_before(self.table, before, limit, PIECE_BYTES)
        ).events

    async def events_at(self, seqs: Iterable[int]) -> tuple[Event, ...]:
        """The events at these places of the log."""
        wanted = sorted(seqs)
        places, last = set(wanted), 0
        found: list[Event] = []
        for seq in wanted:
            if last >= seq:
                continue
            read = await self.events_after(seq - 1, min(BATCH, wanted[-1] - seq + 1))
            found += [event for event in read if event.seq in places]
            last = read[-1].seq if read else seq
        return tuple(found)

    async def first_recent_seq(self, count: int) -> int:
        """The place of the first of the last events: so many of them, and no more than a piece."""
        wanted = max(0, self.state.head - count)
        if wanted >= self._recent.before:
            return wanted + 1
        return await self.services.store.first_seq(
            self.table, self.state.head + 1, count, PIECE_BYTES
        )

    def seat(self, connection: Connection) -> Seat | None:
        """The seat of a connection as it is now."""
        return self.state.seats.get(connection.seat)

    def discard(self, code: str, message: str) -> None:
        """Give the room up: everyone here is sent away, the next to come loads it again."""
        self.is_lost = True
        self.broadcast.batch.clear()
        self.broadcast.close_all(code, message)

    def _check_exists(self) -> None:
        if self.is_lost:
            raise command_error("unavailable", "server.table.again")

    def _now(self) -> int:
        """The time in milliseconds; never before the latest event, whatever the clock does."""
        return max(time.time_ns() // 1_000_000, self._latest)
