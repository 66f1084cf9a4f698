"""The state of a table: nothing but its log, folded event by event without replaying a rule."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rollwright.jsonable import Json, JsonObject
from rollwright.table.devices import Device, HeadIndex, Lane, WitnessCommitment
from rollwright.table.events import (
    ErasableText,
    Event,
    OptionsData,
    Seat,
    count_of,
    first_hash,
    kind_of,
)
from rollwright.table.limits import weight_of
from rollwright.table.reducer import REDUCERS
from rollwright.table.rolls import RollRequest, TableRoll, pack, unpack
from rollwright.table.schemas import SignedCommand
from rollwright.table.sheets import Sheet, SheetChange

STATE_BYTES = 20_000
"""Bytes of memory that a new table takes."""
AS_OBJECTS = 6
"""How many times as much some data takes in memory as when it is written down."""
OLD_BYTES = 250
"""Bytes kept of an old roll, an old change, an offer, or a former member."""


@dataclass(slots=True)
class TableState:
    """Everything a table is at one place of its log."""

    table: str = ""
    head: int = 0
    """The seq of the last event."""
    hash: str = ""
    """The hash of the last event, or what the first one is chained to."""
    game: str = ""
    """Empty for free notation."""
    house: JsonObject = field(default_factory=dict)
    knock: bool = False
    lists: Json = field(default_factory=dict)
    dialect: str = ""
    """The tool whose spelling dice have here; empty for our own."""
    title: ErasableText | None = None
    seats: dict[str, Seat] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    """The seq at which the link of each role was last rotated."""
    sheets: dict[str, Sheet] = field(default_factory=dict)
    npcs: int = 0
    changes: dict[int, SheetChange] = field(default_factory=dict)
    """The changes of sheets by their seqs: all, or the latest."""
    old_changes: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The sheet and the roll of older changes; the log has the rest."""
    undone: set[int] = field(default_factory=set)
    """Changes that were taken back."""
    rolls: dict[str, TableRoll] = field(default_factory=dict)
    """The rolls that are open, and those that have ended: all, or the latest."""
    old_rolls: dict[str, bytes] = field(default_factory=dict)
    """Older rolls, packed; the log has the rest."""
    unshown: dict[str, int] = field(default_factory=dict)
    """For each seat, how many rolls it made that nobody heard of."""
    rolled: int = 0
    """The highest number of a roll: of an imported log, rolls may be missing in between."""
    going: dict[str, TableRoll] = field(default_factory=dict)
    """The rolls that are open."""
    options: dict[int, OptionsData | None] = field(default_factory=dict, compare=False, repr=False)
    """The options of open choices, by their events; None if yet to be worked out."""
    waiting: dict[str, TableRoll] = field(default_factory=dict)
    """The latest rolls that have ended, and of which something waits to be let happen."""
    agreed: dict[str, TableRoll] = field(default_factory=dict)
    """The rolls that ended by what was agreed, by their places: the next roll there settles it."""
    asks: dict[str, RollRequest] = field(default_factory=dict)
    """The asks that are open."""
    asked: int = 0
    offers: dict[str, WitnessCommitment] = field(default_factory=dict)
    """Unused witness offers by their commitments, the oldest first."""
    offered: set[int] = field(default_factory=set)
    """The beginning of every witness offer there ever was: none is taken twice."""
    witnesses: bool = False
    """Whether dice wait for the number of somebody else."""
    witnesses_turned: list[int] = field(default_factory=list)
    """The events that turned live witnesses on and off, in turn."""
    comings: dict[str, list[int]] = field(default_factory=dict)
    """For each seat, the events by which it came to the table and left it, in turn."""
    epoch: str = ""
    """The hash of the event that the slots of now began with."""
    lanes: dict[str, Lane] = field(default_factory=dict)
    """The slots that are to be spent next."""
    devices: dict[str, Device] = field(default_factory=dict)
    """Everybody's devices, those too that sign no more."""
    heads: HeadIndex = field(default_factory=HeadIndex, compare=False, repr=False)
    """The hashes of the latest events."""
    people_changed: int = 0
    """The seq of the event by which somebody came, went, or was called or seated otherwise."""
    house_changed: int = 0
    dialect_changed: int = 0
    """The seq of the event that changed the house rules last."""
    session: int = 1
    keep: int | None = None
    """The bytes of what has ended that are kept whole; None for all of it."""
    _lately: deque[tuple[str | int, int]] = field(default_factory=deque)
    """Ended rolls and changes that are kept whole, the oldest first, with their weights."""
    _kept: int = 0

    @classmethod
    def new(cls, table: str, keep: int | None = None) -> TableState:
        """A table in which nothing has happened.

        With `keep`, only so many bytes of what has ended stay whole. A command that needs more
        of it raises Recall, and is decided again after `recall`.
        """
        return cls(table=table, hash=first_hash(table), keep=keep)

    @classmethod
    def of(cls, events: Iterable[Event]) -> TableState:
        """The table after these events, from the first."""
        state = cls()
        for event in events:
            state.apply(event)
        return state

    def was_here(self, seat: str, seq: int) -> bool:
        """Whether a seat was at the table after an event."""
        return _was(self.comings.get(seat, ()), seq)

    def had_witnesses(self, seq: int) -> bool:
        """Whether dice waited for somebody's number after an event."""
        return _was(self.witnesses_turned, seq)

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        shown, body = event.open, event.body
        if shown:
            self.rolled = max(self.rolled, count_of("r", shown.get("roll")))
        change = REDUCERS.get(kind_of(event))
        if change is not None and body:
            change(self, event, body)
        if shown and "slots" in shown:
            self._publish(event.seq, shown["slots"])
        if "call" in body:
            self._spend_slot(body["call"])
        self.head = event.seq
        self.hash = event.hash
        self.heads.add(event.seq, event.hash)

    def _publish(self, seq: int, slots: dict[str, str]) -> None:
        """The next slots of some lanes."""
        for lane, slot in slots.items():
            before = self.lanes.get(lane)
            self.lanes[lane] = Lane(slot, 1 if before is None else before.number + 1, seq)

    def _spend_slot(self, call: SignedCommand) -> None:
        device = self.devices.get(call.get("device", ""))
        if device is not None:
            self.devices[device.id] = device.with_counter(call["lane"], call["counter"])

    def devices_of(self, seat: str) -> list[Device]:
        """The devices by which a seat signs."""
        return [one for one in self.devices.values() if one.seat == seat and not one.is_gone]

    def roll(self, name: str) -> TableRoll | None:
        """A roll by its id; an old one is not whole, and a copy: `changed` puts it back."""
        found = self.rolls.get(name)
        if found is None and name in self.old_rolls:
            return unpack(name, self.old_rolls[name])
        return found

    def change(self, seq: int) -> SheetChange | None:
        """A change of a sheet by its seq; of an old one, what changed is None."""
        found = self.changes.get(seq)
        if found is None and seq in self.old_changes:
            sheet, roll = self.old_changes[seq]
            return SheetChange(seq, sheet, None, roll)
        return found

    def put_back(self, roll: TableRoll) -> None:
        """A roll was changed by an event."""
        if not roll.is_whole:
            self.old_rolls[roll.id] = pack(roll)

    def forget_options(self, roll: TableRoll) -> None:
        """The choice that a roll waited for is open no more."""
        for seq in roll.asked_at:
            self.options.pop(seq, None)
        roll.asked_at = ()

    def note_end(self, what: str | int, weight: int) -> None:
        """A roll has ended, or a sheet was changed: what is oldest of that is let go."""
        if self.keep is None:
            return
        self._lately.append((what, weight))
        self._kept += weight
        while self._kept > self.keep and len(self._lately) > 1:
            oldest, weight = self._lately.popleft()
            self._kept -= weight
            self._drop_old(oldest)

    def _drop_old(self, oldest: str | int) -> None:
        if isinstance(oldest, str):
            self.old_rolls[oldest] = pack(self.rolls.pop(oldest))
        else:
            change = self.changes.pop(oldest)
            self.old_changes[oldest] = change.sheet, change.roll

    def restore(self, events: Iterable[Event]) -> None:
        """Have old things whole again, from their events."""
        then = TableState()
        for event in events:
            kind = kind_of(event)
            if kind.startswith("roll."):
                REDUCERS[kind](then, event, event.body)
            elif event.seq in self.old_changes:
                sheet, roll = self.old_changes.pop(event.seq)
                change = SheetChange(event.seq, sheet, event.body["changes"], roll)
                self.changes[event.seq] = change
                self.note_end(event.seq, change.weight)
        for whole in then.rolls.values():
            self._restore_roll(whole)

    def _restore_roll(self, roll: TableRoll) -> None:
        old = unpack(roll.id, self.old_rolls.pop(roll.id))
        roll.seqs, roll.veiled, roll.changes = old.seqs, old.veiled, old.changes
        roll.make_final()  # what may be taken back has never been let go
        self.rolls[roll.id] = roll
        self.note_end(roll.id, roll.weight)

    @property
    def weight(self) -> int:
        """About how many bytes of memory the table takes, but for the latest events."""
        many = len(self.old_rolls) + len(self.old_changes) + len(self.offered) + len(self.seats)
        many += len(self.devices) + len(self.witnesses_turned)
        held = self._kept
        for sheet in self.sheets.values():
            held += sheet.weight if sheet.made_of is None else 2 * sheet.weight
        for ask in self.asks.values():
            held += ask.weight
        for offers in self.options.values():
            held += weight_of(offers)
        if self.waiting or self.agreed:
            at_hand = {**self.waiting, **{roll.id: roll for roll in self.agreed.values()}}
            held += sum([roll.weight for roll in at_hand.values()])
        open_rolls = sum([roll.weight for roll in self.going.values()]) if self.going else 0
        return STATE_BYTES + OLD_BYTES * many + AS_OBJECTS * held + open_rolls + self.heads.weight


def _was(turns: Sequence[int], seq: int) -> bool:
    """Whether something that turned on and off by these events was on after an event."""
    return bisect_right(turns, seq) % 2 == 1
