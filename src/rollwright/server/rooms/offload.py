"""Commands that take long are decided in a process of their own, and nobody waits meanwhile.

Deciding is pure, so it does not matter where it happens. What goes to the process is the part of
a table that a command about a roll can look at; what comes back are events in their places. The
table goes on meanwhile: what comes back is of use only if it did not.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.server.counting.counting import Counting, CountingLimits
from rollwright.server.limits import Spent
from rollwright.table.commands.context import whole_roll
from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.writer import Decision, Secrets, Side
from rollwright.table.events import Event, in_places
from rollwright.table.limits import Memory
from rollwright.table.refusals import Recall, Refusal
from rollwright.table.rolls import Roll
from rollwright.table.sheets import Sheet
from rollwright.table.state import TableState

if TYPE_CHECKING:
    from rollwright.server.rooms.room import Room

LIGHT = 500
"""Dice that a command works on in the event loop: one or two milliseconds."""
SLOW, SLOW_FOR = 0.01, 60.0
"""A kind of roll that took so many seconds in the event loop is decided elsewhere for a while."""
MOST_SLOW, MOST_SLOW_BYTES = 1000, 2**20
EARLY_TRIES = 3
"""How often a command is decided elsewhere while its table goes on, before the table waits."""
ENTROPY_BYTES = 4096
LIMITS = CountingLimits(workers=1, seconds=20.0, from_one=32, memory=2**30)
"""One process is enough: whoever keeps it busy is charged for it, and addresses take turns."""


class Entropy:
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


class Task(NamedTuple):
    """A command that is to be decided, with what is needed for that."""

    state: TableState
    seat: str
    command: Mapping[str, Any]
    secrets: Secrets
    at: int


class Placed(NamedTuple):
    """What a command came to, with its events in their places behind the head."""

    events: tuple[Event, ...]
    side: tuple[Side, ...]


class Early(NamedTuple):
    """What a command would come to at a table with this head, or why it would be refused."""

    head: int
    outcome: Placed | Refusal

    def opened(self) -> Placed:
        """What it came to, or the refusal raised."""
        if isinstance(self.outcome, Refusal):
            raise self.outcome
        return self.outcome


class Deciding:
    """The process that decides what takes long; addresses take turns by the seconds they use."""

    def __init__(
        self, limits: CountingLimits = LIMITS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._counting = Counting(limits)
        self._clock = clock
        self._closed = False
        self.entropy = Entropy()
        self._slow: Memory[str, float] = Memory(MOST_SLOW, MOST_SLOW_BYTES)
        self.decided = 0
        """How many commands were decided here."""

    async def stop(self) -> None:
        """End the process; what is not decided then is not done."""
        self._closed = True
        await self._counting.stop()

    @property
    def pids(self) -> tuple[int, ...]:
        """The number of the process, once it is ready."""
        return self._counting.pids

    @property
    def running(self) -> int:
        """Whether a command is being decided."""
        return self._counting.running

    def here(self, task: Task, spent: Spent) -> Decision:
        """What a command comes to, decided in the event loop; raises Heavy before it takes long.

        Dice are no measure for a rule that takes long by itself; having seen it once is.
        """
        before = spent.seconds
        was_slow = (self._slow.get(_kind(task)) or 0.0) > self._clock()
        with spent:
            decision = decide(*task, self.entropy, light=0 if was_slow else LIGHT)
        if spent.seconds - before > SLOW:
            kind = _kind(task)
            self._slow.put(kind, self._clock() + SLOW_FOR, len(kind))
        return decision

    async def elsewhere(self, task: Task, *, address: str, spent: Spent) -> Early:
        """What a command comes to, decided in the process.

        The process is started when it is first needed: most tables never need it.
        """
        head = task.state.head
        with spent:
            first, sheets = _packed(task)
        if not self._closed:
            await self._counting.start()
        try:
            made = await self._counting.work(
                {"ask": "decide"},
                task.state.table,
                address=address,
                pieces=_pieces(first, sheets, spent),
                spent=spent,
            )
        except Refusal as refusal:
            return Early(head, refusal)
        self.decided += 1
        with spent:
            return Early(head, pickle.loads(made))


class Deed:
    """A command of a seat on its way: decided at once, or elsewhere before its turn comes."""

    def __init__(
        self, room: Room, seat: str, command: Mapping[str, Any], *, address: str, spent: Spent
    ) -> None:
        self._room = room
        self._seat = seat
        self._command = command
        self._address = address
        self._spent = spent
        self._early: Early | None = None

    async def here(self) -> Decision:
        """What it comes to; raises Heavy where it takes long."""
        task = self._room.task(self._seat, self._command)
        return self._room.services.deciding.here(task, self._spent)

    async def decide_early(self) -> None:
        """Decide it elsewhere while the table goes on, until it did not go on meanwhile."""
        with suppress(Recall):  # it was let go of while this waited: read again when it is our turn
            for _ in range(EARLY_TRIES):
                self._early = await self._elsewhere()
                if self._early.head == self._room.state.head:
                    return

    async def in_time(self) -> Placed:
        """What it comes to now that it is its turn, decided once more where it must be."""
        if self._early is None or self._early.head != self._room.state.head:
            self._early = await self._elsewhere()
        return self._early.opened()

    async def _elsewhere(self) -> Early:
        room = self._room
        if await room.services.store.find_command(room.table, self._seat, self._command["id"]):
            return Early(room.state.head, Refusal("conflict", "this was done before"))
        task = room.task(self._seat, self._command)
        return await room.services.deciding.elsewhere(
            task, address=self._address, spent=self._spent
        )


def _kind(task: Task) -> str:
    """What is decided: a command at a table, and the kind of roll that it begins."""
    command = task.command
    asked = command.get("request") or command.get("from_sheet") or {}
    kind = asked.get("roll") if isinstance(asked, dict) else asked
    what = command.get("expression") or kind or command.get("roll") or ""
    return f"{task.state.table} {command['do']} {str(what)[:200]}"


def _packed(task: Task) -> tuple[bytes, list[Sheet]]:
    """A task as bytes, at once, for the table changes; and the sheets that are to follow."""
    needed = part_of(task.state, task.command)
    full = [sheet for sheet in needed.sheets.values() if sheet.values]
    empty = {sheet.id: sheet for sheet in needed.sheets.values() if not sheet.values}
    return pickle.dumps(task._replace(state=replace(needed, sheets=empty))), full


async def _pieces(first: bytes, sheets: list[Sheet], spent: Spent) -> AsyncIterator[bytes]:
    """A task and its sheets, one by one, since there may be many large ones.

    Where one has changed meanwhile, so has the head of the table, and nobody uses what comes.
    """
    yield first
    for sheet in sheets:
        with spent:
            piece = pickle.dumps(sheet)
        yield piece


def part_of(state: TableState, command: Mapping[str, Any]) -> TableState:
    """The part of a table that a command about a roll can look at; raises Recall for an old one."""
    named = state.roll(str(command.get("roll", "")))
    going = {roll.id: _in_short(roll) for roll in state.going.values()}
    rolls = dict(going)
    if named is not None:
        rolls[named.id] = whole_roll(named)
    if named is not None and named.id in going:
        going[named.id] = named
    ask = state.asks.get(str(command.get("ask", "")))
    return replace(
        state,
        rolls=rolls,
        going=going,
        asks={} if ask is None else {ask.id: ask},
        sheets=_sheets(state, command),
        waiting={},
        changes={},
        old_changes={},
        old_rolls={},
        undone=set(),
        offered=set(),
        _lately=deque(),
    )


def _in_short(roll: Roll) -> Roll:
    return replace(roll, what={}, from_sheet=None, after=None, entries=[], authors=[])


def _sheets(state: TableState, command: Mapping[str, Any]) -> dict[str, Sheet]:
    """All sheets; an expression has no use for what is on them."""
    if command.get("do") != "roll.start" or command.get("expression") is None:
        return state.sheets
    return {name: replace(sheet, values={}) for name, sheet in state.sheets.items()}


def decided(question: Mapping[str, Any], pieces: list[bytes]) -> bytes:
    """What the process does with a task: the other end of `Deciding.elsewhere`."""
    first, *sheets = map(pickle.loads, pieces)
    task: Task = first
    empty = task.state.sheets
    state = replace(task.state, sheets=empty | {sheet.id: sheet for sheet in sheets})
    decision = decide(state, task.seat, task.command, task.secrets, task.at, token_bytes)
    events = in_places(
        decision.drafts, before=state.hash, seq=state.head, at=task.at, entropy=token_bytes
    )
    return pickle.dumps(Placed(events, decision.side), pickle.HIGHEST_PROTOCOL)
