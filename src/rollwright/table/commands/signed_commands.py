"""Calls: what a device has signed for a roll, checked before anything else is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from re import compile as pattern
from typing import Any, NamedTuple, cast

from rollwright.i18n.messages import Message
from rollwright.jsonable import Json, JsonObject
from rollwright.table.errors import CodedError, bad_field, command_error
from rollwright.table.events import Seat, seal_of
from rollwright.table.fairness import HEAD_DIGITS, TABLE_LANE, call_hash
from rollwright.table.schemas import SignedCommand
from rollwright.table.signatures import has_valid_signature
from rollwright.table.state import TableState

FIELDS: dict[str, Callable[[Any], object]] = {
    "device": pattern("d[1-9][0-9]{0,8}").fullmatch,
    "lane": pattern(f"d[1-9][0-9]{{0,8}}|{TABLE_LANE}").fullmatch,
    "counter": lambda came: 0 < came < 2**53,
    "seen": lambda came: 0 < came < 2**53,
    "head": pattern(f"[0-9a-f]{{{HEAD_DIGITS}}}").fullmatch,
    "slot": pattern("([0-9a-f]{64})?").fullmatch,
    "number": pattern("([0-9a-f]{64})?").fullmatch,
    "command": lambda came: isinstance(came.get("do"), str),
    "signature": pattern("[0-9a-f]{128}").fullmatch,
}
"""The fields of a signed call, each with its check."""
KINDS: dict[str, type] = {"counter": int, "seen": int, "command": dict}
TEXTS = ("note",)
"""Fields of commands that are texts of people: only their seals are signed."""


@dataclass(slots=True)
class SlotUse:
    """A call as the command goes on with it: what it spends, and what it has thrown."""

    by: str
    """The seat that called."""
    command: SignedCommand
    hash: bytes
    lane: str = ""
    """Empty where it cannot throw."""
    number: int = 0
    """The slot's number in its lane."""
    seq: int = 0
    """The event that holds it, once it is written."""
    throws: int = 0
    witness: bytes = b""
    """The number of the witness."""


class CommandWithTexts(NamedTuple):
    """A command that a device has signed, with the texts that it was sent with."""

    command: JsonObject
    call: SignedCommand
    salts: dict[str, str]
    """The salts of its texts."""


def as_signed_command(plain: object) -> SignedCommand | None:
    """The signed call that this has the form of."""
    if not isinstance(plain, dict) or plain.keys() != FIELDS.keys():
        return None
    for name, fits in FIELDS.items():
        if type(plain[name]) is not KINDS.get(name, str) or not fits(plain[name]):
            return None
    return cast(SignedCommand, plain)


def expand_command(came: JsonObject) -> JsonObject:
    """Return a command as its handler reads it: the signed part of a signed one, with its texts."""
    if "call" not in came:
        return came
    command, _, _ = unseal_command(came)
    return {**command, **{name: came[name] for name in ("id", "call", "texts") if name in came}}


def unseal_command(came: Mapping[str, Json]) -> CommandWithTexts:
    """A signed command as it was sent: its fields with the texts in the place of their seals."""
    call, texts = as_signed_command(came.get("call")), came.get("texts") or {}
    if call is None:
        raise bad_field("call", Message("table.call.form"))
    for name in came:
        if name not in ("id", "call", "texts") and name not in call["command"]:
            raise bad_field(name[:60], Message("table.call.beside"))
    salts: dict[str, str] = {}
    command = {
        name: _with_text(held, texts, salts) if name in TEXTS else held
        for name, held in call["command"].items()
    }
    return CommandWithTexts(command, call, salts)


def _with_text(held: Json, texts: Json, salts: dict[str, str]) -> Json:
    if not isinstance(held, dict) or held.keys() != {"seal"}:
        return held
    text = texts.get(str(held["seal"])) if isinstance(texts, dict) else None
    salt, words = (text.get("salt"), text.get("text")) if isinstance(text, dict) else (None, None)
    if not (isinstance(salt, str) and _salt.fullmatch(salt) and isinstance(words, str) and words):
        raise bad_field("texts", Message("table.call.text"))
    if words != words.strip() or seal_of(salt, words) != held["seal"]:  # as it will be written
        raise bad_field("texts", Message("table.call.text"))
    salts[words] = salt
    return words


_salt = pattern("[0-9a-f]{64}")


def check_call(state: TableState, seat: Seat, call: SignedCommand) -> SlotUse:
    """The call, if it was signed by a device of the seat for this table, now and for once."""
    device = state.devices.get(call["device"])
    if device is None or device.seat != seat.id or device.is_gone:
        raise command_error("bad_signature", "table.call.device", "call", device=call["device"])
    if call["lane"] not in (device.id, TABLE_LANE):
        raise command_error("bad_signature", "table.call.lane", "call", lane=call["lane"])
    if call["counter"] <= device.last_counter(call["lane"]):
        raise command_error("stale_counter", "table.call.counter", "call")
    if not state.heads.has(call["seen"], call["head"]):
        raise command_error("unknown_head", "table.call.head", "call")
    made = call_hash(state.table, state.epoch, seat.id, call)
    if not has_valid_signature(bytes.fromhex(device.key), made, bytes.fromhex(call["signature"])):
        raise command_error("bad_signature", "table.call.signature", "call")
    return SlotUse(seat.id, call, made)


def host_command(state: TableState, seat: Seat, nonce: str) -> SlotUse:
    """Return the call of somebody without a device: it rests on the host's word."""
    lane = state.lanes[TABLE_LANE]
    call: SignedCommand = {"slot": lane.slot, "number": nonce, "seat": seat.id}
    made = call_hash(state.table, state.epoch, "", call)
    return SlotUse(seat.id, call, made, TABLE_LANE, lane.number)


def check_lane(state: TableState, call: SlotUse, *, announced: bool, throws: bool) -> None:
    """Spend the slot that a call names in the lane that is due.

    Refused where the call names another lane, or a slot that another call has spent.
    """
    said = call.command
    due = said["device"] if announced else TABLE_LANE
    if said["lane"] != due:
        raise command_error("bad_signature", "table.call.lane", "call", lane=said["lane"])
    if not throws:
        if said["slot"] or said["number"]:
            raise bad_field("call.slot", Message("table.call.no_dice"))
        return
    if not said["slot"] or not said["number"]:
        raise bad_field("call.slot", Message("table.call.dice"))
    lane = state.lanes.get(due)
    if lane is None or lane.slot != said["slot"] or lane.at > said["seen"]:
        raise StaleSlotError
    call.lane, call.number = due, lane.number


class StaleSlotError(CodedError):
    """A call that names a slot which another call has spent."""

    def __init__(self) -> None:
        super().__init__("stale_slot", Message("table.call.slot"), "call")
