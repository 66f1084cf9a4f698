"""Commands of seats: checked, decided here or, where it takes long, elsewhere, and acknowledged."""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict

from rollwright.errors import RollwrightError
from rollwright.jsonable import Json
from rollwright.queries.schemas import ErrorData
from rollwright.server.limits import seat_name
from rollwright.server.responses import SlowCallError, call_in_time, error_of
from rollwright.server.settings import Settings
from rollwright.table.commands.context import check_own_id, check_whole_roll, is_own_id
from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.signed_commands import expand_command
from rollwright.table.commands.writer import A_THROW, Decision
from rollwright.table.errors import CodedError, NeedsEvents, NeedsWorker, command_error
from rollwright.table.events import KNOCKING, REMOVED, OptionsData, Seat
from rollwright.table.limits import BoundedCache
from rollwright.table.options import missing_options, no_options, options_at
from rollwright.table.rolls import TableRoll
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState
from rollwright.workers.costs import CostMeter
from rollwright.workers.payloads import Task, TaskResult, with_language
from rollwright.workers.pool import WorkerLimits, WorkerPool, WorkInterruptedError

if TYPE_CHECKING:
    from rollwright.server.app import Services
    from rollwright.server.live.live_table import LiveTable


log = logging.getLogger("rollwright.server.commands")

AUDIT_COMMANDS = frozenset(
    {"link.rotate", "person.erase", "seat.move", "seat.refuse", "seat.remove", "seat.change_role"}
)
"""Commands that change who may be here, which the audit log records."""


class CommandResult(TypedDict):
    """How a command ended: with its first and last event, or with why it was not done."""

    ok: bool
    id: str | None
    first: NotRequired[int | None]
    last: NotRequired[int | None]
    error: NotRequired[ErrorData]


async def handle_command(
    services: Services, room: LiveTable, seat: Seat | None, address: str, command: Json
) -> CommandResult:
    """Do a command of a seat, and answer with how it ended; it is committed when `ok` is true."""
    given = command.get("id") if isinstance(command, dict) else None
    name = given if is_own_id(given) else None
    spent, acting = CostMeter(), None
    try:
        services.limits.address.take(address)
        acting = _acting_seat(services, room, seat)
        with spent:
            wanted = parse_command(command)
        done = await room.run_command(acting.id, wanted, address=address, spent=spent)
        if done.refusal is not None:
            services.metrics.refused.labels(done.refusal.code).inc()
            error = error_of(done.refusal)
            return {"ok": False, "id": name, "error": error, "first": done.first, "last": done.last}
    except Exception as problem:
        error = error_of(problem)
        services.metrics.refused.labels(error["code"]).inc()
        known = isinstance(problem, RollwrightError)
        services.metrics.commands.labels("refused" if known else "failed").inc()
        return {"ok": False, "id": name, "error": error}
    finally:
        services.limits.charge(spent, address, seat_name(room.table, acting.id) if acting else "")
    if wanted["do"] in AUDIT_COMMANDS:
        about = {"table": room.table, "address": address}
        services.audit.note(
            str(wanted["do"]), who=f"seat {acting.id}", **about, **_audit_fields(wanted)
        )
    return {"ok": True, "id": name, "first": done.first, "last": done.last}


def _audit_fields(command: Mapping[str, Json]) -> dict[str, str]:
    """Whose seat or which link it was about; nothing else of a command is ever logged."""
    return {name: str(command[name])[:20] for name in ("seat", "role") if name in command}


def _acting_seat(services: Services, room: LiveTable, seat: Seat | None) -> Seat:
    if seat is None:
        raise command_error("forbidden", "server.watches")
    if seat.status == REMOVED:
        raise command_error("gone", "table.removed")
    if seat.status == KNOCKING:
        raise command_error("forbidden", "server.door")
    services.limits.seat.take(seat_name(room.table, seat.id))
    return seat


def parse_command(command: Json) -> dict[str, Json]:
    """The command, if it has the form of one."""
    if not isinstance(command, dict):
        raise CodedError("bad_request", 'a command is an object: {"id": …, "do": …}')
    check_own_id(command.get("id"))
    command = expand_command(command)
    if not isinstance(command.get("do"), str):
        raise CodedError("bad_field", "do: the name of what is to be done is missing", "do")
    return command  # whether it is plain data throughout is checked where it is decided


LIGHT = 500
"""Dice that a command works on in the event loop: one or two milliseconds."""
SLOW, SLOW_FOR = 0.01, 60.0
"""A kind of roll that took so many seconds in the event loop is decided elsewhere for a while."""
COLD, COLD_FACTOR = 20, 10
"""The first commands of a process take so many times as long: what all need is loaded by them."""
MOST_SLOW, MOST_SLOW_BYTES = 1000, 2**20
EARLY_TRIES = 3
"""How often a command is decided elsewhere while its table goes on, before the table waits."""
ENTROPY_BYTES = 4096
EXECUTOR_LIMITS = WorkerLimits(workers=1, seconds=20.0, from_one=32)
"""Limits of the process that decides commands. One is enough: a client that keeps it busy is
charged, and addresses take turns.
"""


class BufferedEntropy:
    """Random bytes for one thread, of which more than one asks for come from the system at once.

    Each time the system is asked, other threads go on, and take long to give way again.
    """

    def __init__(self) -> None:
        self._bytes = b""
        self._used = 0

    def __call__(self, size: int) -> bytes:
        """So many bytes that nobody else is given."""
        if self._used + size > len(self._bytes):
            self._bytes, self._used = token_bytes(max(ENTROPY_BYTES, size)), 0
        start, self._used = self._used, self._used + size
        return self._bytes[start : self._used]


class SpeculativeDecision(NamedTuple):
    """The outcome of a command at a table with this head, or the error that refuses it."""

    head: int
    outcome: TaskResult | Decision | CodedError

    def unwrap(self) -> TaskResult | Decision:
        """Return the outcome, or raise the error."""
        if isinstance(self.outcome, CodedError):
            raise self.outcome
        return self.outcome


class CommandExecutor:
    """The process that decides what takes long; addresses take turns by the seconds they use."""

    def __init__(
        self,
        limits: WorkerLimits = EXECUTOR_LIMITS,
        clock: Callable[[], float] = time.monotonic,
        *,
        options_seconds: float = Settings.options_seconds,
    ) -> None:
        self._workers = WorkerPool(limits)
        self._options_seconds = options_seconds
        self._clock = clock
        self._closed = False
        self.entropy = BufferedEntropy()
        self._slow: BoundedCache[str, float] = BoundedCache(MOST_SLOW, MOST_SLOW_BYTES)
        self._decided_here = 0
        self.decision_count = 0
        """How many commands were decided here."""

    async def stop(self) -> None:
        """End the process; what is not decided then is not done."""
        self._closed = True
        await self._workers.stop()

    @property
    def pids(self) -> tuple[int, ...]:
        """The number of the process, once it is ready."""
        return self._workers.pids

    @property
    def running(self) -> int:
        """Whether a command is being decided."""
        return self._workers.running

    def decide_here(self, task: Task, spent: CostMeter) -> Decision:
        """Return a command's outcome, decided in the event loop; raise Heavy before it takes long.

        The number of dice does not measure a rule that is slow by itself; having seen it once does.
        """
        before = spent.seconds
        was_slow = (self._slow.get(_kind_key(task)) or 0.0) > self._clock()
        with spent:
            decision = self._decide(task, light=0 if was_slow else LIGHT)
        self._decided_here += 1
        is_cold = self._decided_here <= COLD
        if spent.seconds - before > SLOW * (COLD_FACTOR if is_cold else 1):
            self._mark_slow(task)
        return decision

    def _decide(self, task: Task, light: int) -> Decision:
        """A decision; a rule that has not ended by now, or may never, goes on elsewhere."""
        try:
            return call_in_time(partial(decide, *task, self.entropy, light=light))
        except SlowCallError:
            self._mark_slow(task)
            raise

    def _mark_slow(self, task: Task) -> None:
        kind = _kind_key(task)
        self._slow.put(kind, self._clock() + SLOW_FOR, len(kind))

    async def decide_in_worker(
        self, task: Task, *, address: str, spent: CostMeter
    ) -> SpeculativeDecision:
        """Return the outcome of a command, decided in the process.

        The process is started when it is first needed: most tables never need it.
        """
        head = task.state.head
        with spent:
            first, sheets = _pack(task)
        if not self._closed:
            await self._workers.start()
        try:
            made = await self._workers.run(
                with_language({"ask": "decide"}),
                task.state.table,
                address=address,
                pieces=_pieces(first, sheets, spent),
                spent=spent,
            )
        except CodedError as problem:
            return SpeculativeDecision(head, self._decide_fallback(task, problem))
        self.decision_count += 1
        with spent:
            return SpeculativeDecision(head, pickle.loads(made))

    def _decide_fallback(self, task: Task, problem: CodedError) -> Decision | CodedError:
        """Return the outcome of a command that took too much, maybe because of its dice.

        Otherwise a player who signed for dice would have a way out of bad ones: so the log says
        that it was refused, and opens the key.
        """
        is_lost = problem.code == "too_much_work" or isinstance(problem, WorkInterruptedError)
        if not is_lost or self._closed:
            return problem
        try:
            return decide(
                *task, self.entropy, lost=command_error("too_much_work", "table.call.lost")
            )
        except CodedError:
            return problem

    async def list_options(self, state: TableState) -> None:
        """Work out the options that only the log could not list, as long as the settings allow.

        Anyone who joins waits for them. If the rules fail to list them, in whatever way, the table
        goes on and says so.
        """
        until = self._clock() + self._options_seconds
        for seq, roll in missing_options(state):
            found = no_options()
            try:
                if self._clock() < until:
                    found = await self._find_options(state.table, roll, seq)
            except Exception as problem:
                what = problem.code if isinstance(problem, CodedError) else type(problem).__name__
                log.warning("options are not listed", extra={"table": state.table, "code": what})
            if seq in state.options:
                state.options[seq] = found
            await asyncio.sleep(0)

    async def _find_options(self, table: str, roll: TableRoll, seq: int) -> OptionsData:
        """Return the options by the rules, worked out in the event loop unless it takes long."""
        kind = f"{table} options {str(roll.what.get('request', {}).get('roll'))[:200]}"
        is_slow = (self._slow.get(kind) or 0.0) > self._clock()
        if not is_slow and roll.dice + A_THROW * len(roll.entries) <= LIGHT:
            begun = self._clock()
            try:
                return call_in_time(options_at, table, roll, seq)
            except NeedsWorker:
                pass
            finally:
                if self._clock() - begun > SLOW:
                    self._slow.put(kind, self._clock() + SLOW_FOR, len(kind))
        if not self._closed:
            await self._workers.start()
        made = await self._workers.run(
            {"ask": "offers"},
            table,
            address=table,
            pieces=_one_piece(pickle.dumps((table, roll, seq))),
            seconds=self._options_seconds,
        )
        found: OptionsData = pickle.loads(made)
        return found


async def _one_piece(piece: bytes) -> AsyncIterator[bytes]:
    yield piece


class PendingCommand:
    """A command of a seat on its way: decided at once, or elsewhere before its turn comes."""

    def __init__(
        self,
        room: LiveTable,
        seat: str,
        command: Mapping[str, Json],
        *,
        address: str,
        spent: CostMeter,
    ) -> None:
        self._table = room
        self._seat = seat
        self._command = command
        self._address = address
        self._spent = spent
        self._early: SpeculativeDecision | None = None

    async def decide(self) -> Decision:
        """Return the outcome; raise Heavy if it takes long."""
        task = self._table.task(self._seat, self._command)
        return self._table.services.executor.decide_here(task, self._spent)

    async def decide_early(self) -> None:
        """Decide it elsewhere while the table goes on, until it did not go on meanwhile."""
        with suppress(
            NeedsEvents
        ):  # it was let go of while this waited: read again when it is our turn
            for _ in range(EARLY_TRIES):
                self._early = await self._decide_in_worker()
                if self._early.head == self._table.state.head:
                    return

    async def decide_in_turn(self) -> TaskResult | Decision:
        """Return the outcome in its turn, decided once more if the table has gone on."""
        if self._early is None or self._early.head != self._table.state.head:
            self._early = await self._decide_in_worker()
        return self._early.unwrap()

    async def _decide_in_worker(self) -> SpeculativeDecision:
        room = self._table
        if await room.services.store.find_command(room.table, self._seat, str(self._command["id"])):
            return SpeculativeDecision(room.state.head, command_error("conflict", "server.done"))
        task = room.task(self._seat, self._command)
        return await room.services.executor.decide_in_worker(
            task, address=self._address, spent=self._spent
        )


def _kind_key(task: Task) -> str:
    """Return the kind of a command, to remember slow ones: its table, command and roll."""
    command = task.command
    asked = command.get("request") or command.get("draft") or {}
    kind = asked.get("roll") if isinstance(asked, dict) else asked
    what = command.get("expression") or kind or command.get("roll") or ""
    return f"{task.state.table} {command['do']} {str(what)[:200]}"


def _pack(task: Task) -> tuple[bytes, list[Sheet]]:
    """A task as bytes, at once, for the table changes; and the sheets that are to follow."""
    needed = relevant_state(task.state, task.command)
    full = [sheet for sheet in needed.sheets.values() if sheet.values]
    empty = {sheet.id: sheet for sheet in needed.sheets.values() if not sheet.values}
    return pickle.dumps(task._replace(state=replace(needed, sheets=empty))), full


async def _pieces(first: bytes, sheets: list[Sheet], spent: CostMeter) -> AsyncIterator[bytes]:
    """A task and its sheets, one by one, since there may be many large ones.

    Where one has changed meanwhile, so has the head of the table, and nobody uses what comes.
    """
    yield first
    for sheet in sheets:
        with spent:
            piece = pickle.dumps(sheet.bare())
        yield piece


def relevant_state(state: TableState, command: Mapping[str, Json]) -> TableState:
    """The part of a table that a command about a roll can look at; raises Recall for an old one."""
    named = state.roll(str(command.get("roll", "")))
    going = {roll.id: _shorten(roll) for roll in state.going.values()}
    rolls = dict(going)
    if named is not None:
        rolls[named.id] = check_whole_roll(named)
    if named is not None and named.id in going:
        going[named.id] = named
    ask = state.asks.get(str(command.get("ask", "")))
    return replace(
        state,
        rolls=rolls,
        going=going,
        asks={} if ask is None else {ask.id: ask},
        sheets=_sheets(state, command),
        options={},
        waiting={},
        agreed={},
        changes={},
        old_changes={},
        old_rolls={},
        undone=set(),
        offered=set(),
        _lately=deque(),
    )


def _shorten(roll: TableRoll) -> TableRoll:
    return replace(roll, what={}, draft=None, after=None, entries=[], authors=[])


def _sheets(state: TableState, command: Mapping[str, Json]) -> dict[str, Sheet]:
    """All sheets; an expression has no use for what is on them."""
    if command.get("do") != "roll.start" or command.get("expression") is None:
        return state.sheets
    return {name: replace(sheet, values={}) for name, sheet in state.sheets.items()}
