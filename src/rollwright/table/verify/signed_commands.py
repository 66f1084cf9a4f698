"""Checks of calls: who signed them, with which slot, what they had seen, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, JsonObject
from rollwright.table.commands.signed_commands import as_signed_command
from rollwright.table.devices import Device
from rollwright.table.events import OPEN, SEALED, WITNESS_KINDS, true_kind
from rollwright.table.fairness import HEAD_DIGITS, TABLE_LANE, call_hash, slot_of
from rollwright.table.gaps import ANYBODY, CounterGaps
from rollwright.table.schemas import SignedCommand
from rollwright.table.signatures import has_valid_signature, is_key
from rollwright.table.verify.chain import LogRow, fields, is_hash
from rollwright.table.verify.intents import IntentChecker
from rollwright.table.verify.permissions import BRINGING, VerifierState
from rollwright.table.verify.report import Findings
from rollwright.table.verify.witnesses import CommandView, WitnessChecker

FOUNDING = ("table.created", "table.imported")

ACTS = {
    "roll.start": ("roll.started",),
    "roll.repeat": ("roll.started",),
    "roll.throw": ("roll.thrown", "roll.called"),
    "roll.enter": ("roll.thrown",),
    "roll.choose": ("roll.chosen",),
    "roll.take_back": ("roll.taken_back",),
    "roll.cancel": ("roll.cancelled",),
    "witness.commit": ("witness.committed",),
    "witness.reveal": ("witness.revealed",),
    "seat.move": ("seat.moved",),
}
"""Kinds of events that a signed command may be the act of."""
SIGNED = frozenset(kind for kinds in ACTS.values() for kind in kinds)
THROWING = frozenset(("roll.start", "roll.repeat", "roll.throw", "roll.choose"))
FOLLOWING = frozenset(
    (
        "roll.thrown",
        "roll.chosen",
        "roll.waiting",
        "sheet.changed",
        "roll_request.answered",
        "roll_request.closed",
    )
)
"""Kinds of events that may follow from a call beside its act."""


ENTRIES = ("roll.thrown", "roll.chosen", "roll.taken_back", "roll.called")
"""Kinds of events by which a roll goes on."""


@dataclass(slots=True)
class CommandTrace:
    """A call that is in the log, and what came of it so far."""

    seq: int
    roll: str
    by: str
    """The seat that called."""
    hash: bytes
    slot: str
    is_signed: bool
    held: str = ""
    seen: int | None = None
    """The last event that its device had seen; None where nobody signed."""
    is_by_hand: bool = False
    """Whether it asks for dice that are waited for, whatever the roll is thrown with otherwise."""
    throws: int = 0
    weight: int = 0
    """The bytes of their faces."""
    sealed: int = 0
    """Events among those that followed from it that may be throws, and say nothing of it."""
    typer: str = ""
    """Who typed faces in its roll since, without a call."""
    last: int = 0
    """The last event that followed from it without anything in between."""
    is_due: bool = False
    """Whether dice were due by an event of its run that asked no witness."""
    key: bytes | None = None


ENDING = ("seat.removed", "session.ended")
"""Kinds of events with which open rolls are given up."""


class CancelCause(NamedTuple):
    """The removal of somebody, or the end of a session: open rolls are given up with it."""

    by: str
    seat: str
    """Whose rolls; empty for everybody's."""
    last: int
    """The last event that followed from it without anything in between."""


class LaneSlot(NamedTuple):
    """The slot of a lane that is to be spent next, and where it was published."""

    slot: str
    at: int


class CommandChecker:
    """Every call of a log, its signature and its slot, from event to event."""

    def __init__(
        self, table: str, rows: list[LogRow], findings: Findings, so_far: VerifierState
    ) -> None:
        self._table = table
        self._findings = findings
        self._so_far = so_far
        self._acts = IntentChecker(so_far)
        self._hashes = {row.seq: row.hash for row in rows}
        self._next = {one.seq: two for one, two in pairwise(rows)}
        self._epoch = ""
        self._brought = (0, "")
        """The last event by which the table came to a host, and who brought it."""
        self._lanes: dict[str, LaneSlot] = {}
        self._acted: str | None = None
        """Who did what the next change of a sheet may follow from; None if that is unknown."""
        self._published: dict[str, int] = {}
        self._keys: set[str] = set()
        """Those of all devices."""
        self._gaps = CounterGaps()
        self._calls: dict[int, CommandTrace] = {}
        self._run: CommandTrace | None = None
        """The call that the events right before followed from."""
        self._waiting: dict[str, CommandTrace] = {}
        """The calls whose dice wait for a witness, by their rolls."""
        self._ending: CancelCause | None = None
        self.witnesses = WitnessChecker(findings, so_far)

    def find(self, seq: object) -> CommandTrace | None:
        """The call of an event."""
        return self._calls.get(seq) if type(seq) is int else None

    def miss(self, events: int) -> None:
        """Take note of events that are missing, each of which may have been a call."""
        self._acted = None
        self._gaps.miss(events)
        self._lanes.clear()
        self._waiting.clear()
        self._run = None

    def begin(self, row: LogRow) -> CommandTrace | None:
        """Follow the run of events that one call led to; the call whose run ends before this."""
        self._ending = self._cancel_cause_at(row)
        run = self._run
        if run is None:
            return None
        if row.seq == run.last + 1 and self._follows(row, run):
            run.last = row.seq
            if row.body is None:
                run.throws += row.kind == "roll.thrown"
                run.sealed += row.kind == SEALED
            return None
        return self.end()

    def end(self) -> CommandTrace | None:
        """The run that goes on ends here."""
        run, self._run = self._run, None
        return run

    def _follows(self, row: LogRow, run: CommandTrace) -> bool:
        if row.body is None:
            is_its = row.open.get("roll") == run.roll or row.kind == SEALED
            return is_its and "slots" not in row.open  # else it is a call of its own
        kind = str(row.body.get("kind")) if row.kind == SEALED else row.kind
        if kind not in FOLLOWING or "call" in row.body:
            return False
        if kind == "sheet.changed":
            return fields(row.body.get("cause")).get("roll") == run.roll
        if kind == "roll.chosen" and row.body.get("agreed") is not True:
            return False
        return kind == "roll_request.closed" or row.body.get("roll") == run.roll

    def _cancel_cause_at(self, row: LogRow) -> CancelCause | None:
        """Return the ending that open rolls are cancelled with, if this event belongs to one."""
        kind, body, ending = true_kind(row.kind, row.body), fields(row.body), self._ending
        if kind in ENDING and row.body is not None:
            return CancelCause(str(body.get("by")), str(body.get("seat", "")), row.seq)
        if ending is None or row.seq != ending.last + 1 or "call" in body:
            return None
        if kind == "sheet.changed" and row.body is not None:
            follows = "session" in fields(body.get("cause"))
        else:
            follows = row.kind in ("roll.cancelled", "sheet.changed")
        return ending._replace(last=row.seq) if follows else None

    def is_cancel(self, row: LogRow, kind: str, body: Mapping[str, Json]) -> bool:
        """Whether a roll is given up with its roller, who was removed, or with the session.

        Not while its dice wait for a witness: they were called for, and there is no way out.
        """
        ending, name = self._ending, str(body.get("roll"))
        if ending is None or kind != "roll.cancelled" or body.get("by") != ending.by:
            return False
        if name in self._waiting:
            return False
        roll = self._so_far.state.roll(name)
        return roll is None or ending.seat in ("", roll.by)

    def is_running(self, called: CommandTrace) -> bool:
        """Whether an event follows from a call with nothing else in between."""
        return self._run is called

    def leads_to(self, row: LogRow, body: Mapping[str, Json]) -> bool:
        """Whether an event follows from a call that the same seat made before it.

        A choice that was agreed follows from that of anybody, if the roller was here by then.
        """
        run, by = self._run, body.get("by")
        if run is None or not run.seq < row.seq == run.last:
            return False
        is_agreed = body.get("agreed") is True and run.seen is not None
        return run.by == by or (is_agreed and self._so_far.was_here(by, run.seen))

    def waiting(self, roll: str) -> CommandTrace | None:
        """The call of a roll whose dice wait for a witness."""
        return self._waiting.get(roll)

    def resume(self, called: CommandTrace | None, row: LogRow) -> None:
        """Go on with a call whose witness has answered or was passed over: dice may follow."""
        if called is not None:
            self._run, called.last = called, row.seq
            self._waiting.pop(called.roll, None)

    def finish(self) -> None:
        """Count the calls whose dice nobody has seen yet."""
        self._findings.count("calls waiting", len(self._waiting))

    def withhold(self, row: LogRow) -> None:
        """Take note of an event that cannot be looked into: slots are shown all the same."""
        self._acted = None
        self._gaps.withhold(row.kind, str(row.open.get("by", "")))
        if row.kind in FOUNDING:
            self._epoch = row.hash
        self._publish(row, row.kind, None)

    def check(self, row: LogRow, kind: str, body: Mapping[str, Json]) -> None:
        """Check the call of an event, or that it needs none."""
        if kind in FOUNDING:
            self._epoch = row.hash
            self._brought = (row.seq, str(body.get("by")))
            self._findings.count("calls never answered", self.witnesses.lapse())
            self._waiting.clear()
        if kind in BRINGING:
            self._check_device(row, fields(body.get("device")))
        self._check_follower(row, kind, body)
        call = body.get("call")
        is_unsigned = call is None and self._needs_signature(row, kind, body)
        self._check_waiting(kind, body, is_called=call is not None)
        made: CommandTrace | None = None
        if call is not None:
            made = self._read_command(row, kind, body, call)
        elif is_unsigned:
            seat = str(body.get("by"))[:20]
            self._problem(row, "unsigned call", msg("verify.call.unsigned", seat=seat))
        self._publish(row, kind, made)
        if "witness" in row.open and kind != "witness.timed_out":
            self._check_witness_request(row, kind, body, made)
        if self._run is not None and self._run.last == row.seq:
            self._run.is_due |= _waits_for_dice(body)
        if kind == "seat.moved":
            self._check_move(row, body, made)
        if kind == "roll.started":
            self._acts.begin(body)

    def _check_follower(self, row: LogRow, kind: str, body: Mapping[str, Json]) -> None:
        """Check that what follows from a call is said to be done by who called."""
        run = self._run
        is_follower = run is not None and run.seq < row.seq == run.last
        if run is not None and is_follower:
            if kind == "roll.thrown" and body.get("how") == "typed":
                run.typer = str(body.get("by"))  # whom nobody signs for calls for nothing
            by: str | None = run.typer or run.by
        else:
            by = self._acted
        if kind != "sheet.changed" or "hand" in fields(body.get("cause")):
            self._acted = str(body.get("by"))
            is_told = kind in ("roll.waiting", "roll_request.answered") and is_follower
        else:
            is_told = by is not None and "undo" not in fields(body.get("cause"))
        if is_told and body.get("by") != by:
            say = msg("verify.call.other", caller=str(by)[:20], seat=str(body.get("by"))[:20])
            self._problem(row, "forged act", say)

    def _check_witness_request(
        self, row: LogRow, kind: str, body: Mapping[str, Json], made: CommandTrace | None
    ) -> None:
        """Check an event that asks a witness: dice follow from its call, or that of its run.

        It asks where the first dice are due, neither before nor behind that.
        """
        run = None if made is not None else self._run
        is_called = made is not None and made.slot != "" and kind != "roll.refused"
        if run is not None:
            if not self.witnesses.is_due(run.seq) or run.is_due:
                self._problem(row, "witness passed over", msg("verify.witness.again"))
            self._check_witness(row, run)
        if run is not None or is_called:
            if kind not in WITNESS_KINDS or not _waits_for_dice(body):
                self._problem(row, "witness passed over", msg("verify.witness.idle"))
            return
        self.witnesses.waste(row)
        if self._so_far.is_whole:
            self._problem(row, "witness passed over", msg("verify.witness.idle"))

    def _check_waiting(self, kind: str, body: Mapping[str, Json], *, is_called: bool) -> None:
        """Check that dice which wait for a witness are not left for those of another call."""
        roll = str(body.get("roll"))
        if kind in ("roll.cancelled", "roll.undone"):
            self._waiting.pop(roll, None)
        elif kind in ENTRIES and is_called and (waiting := self._waiting.pop(roll, None)):
            say = msg("verify.throw.kept")
            self._findings.problem(waiting.last, "dropped event", say)

    def _problem(self, row: LogRow, what: str, wording: Message | str) -> None:
        self._findings.problem(row.seq, what, wording)

    # Slots

    def _publish(self, row: LogRow, kind: str, made: CommandTrace | None) -> None:
        """Take note of the slots that an event publishes, and of those that it spends by that."""
        slots = row.open.get("slots")
        listed = slots if isinstance(slots, dict) else {}
        if kind == "table.imported":
            self._lanes.clear()
        if kind in FOUNDING and not self._lanes_due <= listed.keys():
            self._problem(row, "missing commitment", msg("verify.uncommitted"))
        brought = fields(fields(row.body).get("device")).get("id") if kind in BRINGING else None
        for lane, slot in listed.items():
            if not is_hash(slot):
                self._problem(row, "missing commitment", msg("verify.uncommitted"))
                continue
            if slot in self._published:
                say = msg("verify.committed.again", seq=str(self._published[slot]))
                self._problem(row, "reused key", say)
            is_new = kind in FOUNDING or (lane == brought and lane not in self._lanes)
            is_spent = made is not None and made.slot == self._slot(lane)
            if row.body is None:
                is_spent = self._may_spend(row, lane)
            if not is_new and not is_spent and (self._so_far.is_whole or lane in self._lanes):
                self._problem(row, "replaced slot", msg("verify.slot.replaced", lane=lane[:20]))
            self._published.setdefault(slot, row.seq)
            self._lanes[lane] = LaneSlot(slot, row.seq)

    @property
    def _lanes_due(self) -> set[str]:
        """The lanes that whoever takes the table up commits to."""
        if not self._so_far.is_whole:
            return {TABLE_LANE}
        devices = self._so_far.state.devices.values()
        return {TABLE_LANE, *[one.id for one in devices if not one.is_gone]}

    def _may_spend(self, row: LogRow, lane: str) -> bool:
        """Whether an event that cannot be looked into may spend a slot of a lane.

        What is not announced spends one of the table; else it is known who has called, or a
        referee had a roll made again.
        """
        if lane == TABLE_LANE or not self._so_far.is_whole:
            return True
        device, by = self._so_far.state.devices.get(lane), row.open.get("by")
        if row.kind == SEALED or device is None:
            return False
        seat = self._so_far.seat(device.seat)
        return device.seat == by or (seat is not None and seat.is_referee)

    def _check_device(self, row: LogRow, device: JsonObject) -> None:
        """Check that a device that comes is the next one, with a key and a slot of its own."""
        if not device or not self._so_far.is_whole:
            return
        known, key = self._so_far.state.devices, str(device.get("key"))
        is_next = device.get("id") == f"d{len(known) + 1}"
        is_new = key not in self._keys
        self._keys.add(key)
        if not is_next or not is_new or not is_hash(key) or not is_key(bytes.fromhex(key)):
            say = msg("verify.call.device", device=str(device.get("id"))[:20])
            self._problem(row, "forged event", say)
        if fields(row.open.get("slots")).keys() != {device.get("id")}:
            self._problem(row, "missing commitment", msg("verify.uncommitted"))

    def _slot(self, lane: str) -> str:
        return self._lanes[lane].slot if lane in self._lanes else ""

    # Calls

    def _needs_signature(self, row: LogRow, kind: str, body: Mapping[str, Json]) -> bool:
        """Whether an event is the act of somebody who signs, and nothing that follows from one."""
        if kind == "roll.refused":
            return True
        if kind not in SIGNED or not self._so_far.is_whole:
            return False
        by = str(body.get("by"))
        if not self._so_far.signs(by):
            return kind == "roll.started"  # whose dice nothing could follow from
        if kind == "roll.thrown":
            return body.get("how") == "typed" and bool(body.get("faces"))
        if kind == "roll.chosen":
            return body.get("agreed") is not True
        if kind == "seat.moved" and body.get("seat") == by:
            return self._brought != (row.seq - 1, by)  # at another host nobody's page has a key
        if kind == "roll.cancelled":
            return not (self._is_repeat(row, body) or self.is_cancel(row, kind, body))
        return True

    def _is_repeat(self, row: LogRow, body: Mapping[str, Json]) -> bool:
        """Check whether a roll was cancelled to be rolled again: the next event was called for.

        That one may still be hidden where this one is not, because only the old roll was revealed.
        """
        after = self._next.get(row.seq)
        roll = self._so_far.state.roll(str(body.get("roll")))
        was_secret = roll is None or (roll.visibility != OPEN and roll.id in self._so_far.revealed)
        if after is not None and after.body is None:
            told = roll is not None and roll.announce
            return was_secret and after.kind == ("roll.started" if told else SEALED)
        command = fields(fields(fields(after and after.body).get("call")).get("command"))
        return command.get("do") == "roll.repeat" and command.get("roll") == body.get("roll")

    def _read_command(
        self, row: LogRow, kind: str, body: Mapping[str, Json], plain: Json
    ) -> CommandTrace | None:
        signed = as_signed_command(plain)
        if signed is not None and bool(signed["slot"]) != bool(signed["number"]):
            self._problem(row, "malformed event", msg("verify.call.form"))
        if signed is not None:
            made = self._check_device_command(row, kind, body, signed)
        else:
            made = self._check_host_command(row, kind, body, fields(plain))
        if made is None:
            return None
        if made.slot and kind != "roll.refused":
            self._calls[row.seq] = self._run = made
            self._check_witness(row, made)
        return made

    def _check_witness(self, row: LogRow, made: CommandTrace) -> None:
        if self.witnesses.call(row, CommandView(made.seq, made.by, made.seen)):
            self._run, self._waiting[made.roll] = None, made

    def _check_host_command(
        self, row: LogRow, kind: str, body: Mapping[str, Json], call: JsonObject
    ) -> CommandTrace | None:
        slot, number = call.get("slot"), call.get("number")
        by = call.get("seat")
        if kind == "roll.refused":  # which is written of signed calls alone
            self._problem(row, "unsigned call", msg("verify.call.unsigned", seat=str(by)[:20]))
        fits = call.keys() == {"slot", "number", "seat"} and is_hash(slot) and _is_number(number)
        if not fits or not isinstance(by, str) or not is_hash(slot):
            self._problem(row, "malformed event", msg("verify.call.form"))
            return None
        is_again = kind == "roll.started" and body.get("again") is not None
        self._check_caller(row, body, by, is_again=is_again)
        if is_again and (wrong := self._acts.again_differs(body)):
            self._problem(row, "forged act", msg("verify.act.field", field=wrong))
        if self._so_far.is_whole and self._so_far.signs(by):
            self._problem(row, "unsigned call", msg("verify.call.unsigned", seat=by[:20]))
        self._check_slot(row, TABLE_LANE, slot)
        made = call_hash(self._table, self._epoch or "00" * 32, "", call)
        by_hand = kind in ACTS["roll.throw"]
        roll = str(body.get("roll"))
        return CommandTrace(row.seq, roll, by, made, slot, False, is_by_hand=by_hand, last=row.seq)

    def _check_device_command(
        self, row: LogRow, kind: str, body: Mapping[str, Json], call: SignedCommand
    ) -> CommandTrace | None:
        device = self._so_far.state.devices.get(call["device"])
        if device is None:
            if self._so_far.is_whole:
                say = msg("verify.call.device", device=call["device"])
                self._problem(row, "forged signature", say)
            return None
        if device.is_gone:
            self._problem(row, "forbidden act", msg("verify.call.gone", device=device.id))
        made = call_hash(self._table, self._epoch or "00" * 32, device.seat, call)
        if not has_valid_signature(
            bytes.fromhex(device.key), made, bytes.fromhex(call["signature"])
        ):
            say = msg("verify.call.signature", device=device.id)
            self._problem(row, "forged signature", say)
        self._findings.count("signatures")
        self._check_signer(row, kind, body, call, device)
        if kind.startswith("roll.") and (row.kind == SEALED) is not (call["lane"] == TABLE_LANE):
            self._problem(row, "forged event", msg("verify.secrecy"))
        self._check_counter(row, call)
        self._check_head(row, call)
        self._check_act(row, kind, body, call)
        lane, refused = call["lane"], kind == "roll.refused"
        if lane not in (device.id, TABLE_LANE):
            self._problem(row, "replaced slot", msg("verify.slot.lane", lane=lane))
        elif call["slot"] and refused:
            self._check_refusal(row, body, call)
        elif call["slot"]:
            self._check_slot(row, lane, call["slot"], call["seen"])
        roll = str(body.get("roll", ""))
        held = device.held
        hand = call["command"].get("do") == "roll.throw"
        seen, slot = call["seen"], call["slot"]
        return CommandTrace(
            row.seq, roll, device.seat, made, slot, True, held, seen, hand, last=row.seq
        )

    def _check_signer(
        self, row: LogRow, kind: str, body: Mapping[str, Json], call: SignedCommand, device: Device
    ) -> None:
        is_again = call["command"].get("do") == "roll.repeat" and kind == "roll.started"
        self._check_caller(row, body, device.seat, is_again=is_again)

    def _check_caller(
        self, row: LogRow, body: Mapping[str, Json], caller: str, *, is_again: bool
    ) -> None:
        """Check that the seat that acts called for it; a referee may have a roll made again."""
        by, seat = body.get("by"), self._so_far.seat(caller)
        if by == caller or (is_again and seat is not None and seat.is_referee):
            return
        say = msg("verify.call.other", caller=caller[:20], seat=str(by)[:20])
        self._problem(row, "forged act", say)

    def _check_counter(self, row: LogRow, call: SignedCommand) -> None:
        device, lane = call["device"], call["lane"]
        known = self._so_far.state.devices.get(device)
        seat = self._so_far.seat(known.seat) if known is not None else None
        any_event = lane == TABLE_LANE or seat is None or seat.is_referee
        of = ANYBODY if any_event or seat is None else seat.id
        unanswered = self._gaps.before(device, lane, call["counter"], of)
        if unanswered is None:
            self._problem(row, "repeated call", msg("verify.call.again", device=device))
        else:
            self._findings.count("calls never answered", unanswered)

    def _check_head(self, row: LogRow, call: SignedCommand) -> None:
        seen = self._hashes.get(call["seen"])
        if call["seen"] >= row.seq or (seen is not None and seen[:HEAD_DIGITS] != call["head"]):
            say = msg("verify.call.head", device=call["device"], seq=str(call["seen"]))
            self._problem(row, "other log", say)

    def _check_slot(self, row: LogRow, lane: str, slot: str, seen: int | None = None) -> None:
        known = self._lanes.get(lane)
        if known is None:
            if self._so_far.is_whole:
                self._problem(row, "missing commitment", msg("verify.uncommitted"))
            return
        if known.slot != slot:
            self._problem(row, "replaced slot", msg("verify.slot.other", lane=lane[:20]))
        elif seen is not None and known.at > seen:
            self._problem(row, "replaced slot", msg("verify.slot.late", lane=lane[:20]))
        if fields(row.open.get("slots")).keys() != {lane}:
            self._problem(row, "missing commitment", msg("verify.uncommitted"))

    def _check_refusal(self, row: LogRow, body: Mapping[str, Json], call: SignedCommand) -> None:
        """A refusal opens the key, so that nobody can use it for another call."""
        lane, slot = call["lane"], call["slot"]
        key, stale = body.get("key"), body.get("code") == "stale_slot"
        if stale:
            known = self._lanes.get(lane)
            if known is not None and known.slot == slot and known.at <= call["seen"]:
                self._problem(row, "forged refusal", msg("verify.refused.stale"))
            return
        self._check_slot(row, lane, slot)
        if not is_hash(key) or slot_of(bytes.fromhex(key)) != slot:
            self._problem(row, "altered key", msg("verify.key.other"))

    def _check_act(
        self, row: LogRow, kind: str, body: Mapping[str, Json], call: SignedCommand
    ) -> None:
        """Check that an event is what was signed, as far as it holds that."""
        do = str(call["command"].get("do"))
        if kind == "roll.refused":
            fits = do in THROWING
        else:
            fits = kind in ACTS.get(do, ())
        if not fits:
            say = msg("verify.act.kind", do=do[:30])
            self._problem(row, "forged act", say)
            return
        if kind == "roll.refused":
            return
        wrong = self._acts.differs(kind, body, call)
        if wrong:
            self._problem(row, "forged act", msg("verify.act.field", field=wrong))

    def _check_move(self, row: LogRow, body: Mapping[str, Json], made: CommandTrace | None) -> None:
        """Count devices that came by another way than by one of the same seat."""
        seat = str(body.get("seat"))
        is_new = "device" in body or self._so_far.signs(seat)
        if not is_new or (made is not None and made.by == seat):
            return
        name = "keys replaced" if made is not None else "keys replaced unsigned"
        self._findings.count(name)


def _waits_for_dice(body: Mapping[str, Json]) -> bool:
    """Whether a roll waits for dice after an event of it."""
    return fields(body.get("after")).get("step") == "throw"


def _is_number(value: Json) -> bool:
    return value == "" or is_hash(value)
