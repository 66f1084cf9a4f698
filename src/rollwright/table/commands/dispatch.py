"""Every command of a table, decided: who may, what came, and the events it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from rollwright.errors import BadField, did_you_mean
from rollwright.hooks import text_to_json
from rollwright.i18n.locale import ENGLISH, use_locale
from rollwright.i18n.messages import Message
from rollwright.jsonable import JsonObject
from rollwright.kit.bodies import reader_within
from rollwright.kit.checks import format_value
from rollwright.table.commands import entries, rolls, seats, sessions, sheets
from rollwright.table.commands.context import (
    THROWS,
    Command,
    Seers,
    check_own_id,
    command_data,
    command_field_error,
)
from rollwright.table.commands.signed_commands import (
    CommandWithTexts,
    SlotUse,
    check_call,
    check_lane,
    host_command,
    unseal_command,
)
from rollwright.table.commands.writer import Decision, Entropy, EventWriter, Secrets
from rollwright.table.errors import (
    WITHIN,
    CodedError,
    NeedsEvents,
    NeedsWorker,
    as_command_errors,
    bad_field,
    command_error,
    cut,
)
from rollwright.table.events import KNOCKING, REFEREE, PublicPart, Seat
from rollwright.table.fairness import TABLE_LANE
from rollwright.table.limits import LIMITS, TableLimits
from rollwright.table.schemas import RollRefusedEvent
from rollwright.table.state import TableState

COMMANDS: dict[str, type[Command]] = {
    kind.do: kind
    for family in (seats, sheets, rolls, entries, sessions)
    for kind in vars(family).values()
    if isinstance(kind, type) and issubclass(kind, Command) and kind.do
}
"""Every command there is, by its name."""


@lru_cache(maxsize=8)
def readers(limits: TableLimits) -> dict[str, Callable[[Mapping[str, object]], Command]]:
    """Return the readers of the commands under these limits."""
    return {do: reader_within(kind, limits) for do, kind in COMMANDS.items()}


def decide(
    state: TableState,
    seat_id: str,
    command: Mapping[str, object],
    secrets: Secrets,
    now_ms: int,
    entropy: Entropy,
    limits: TableLimits = LIMITS,
    *,
    light: int | None = None,
    lost: CodedError | None = None,
) -> Decision:
    """Return what a seat's command leads to at a table in this state, or raise CodedError.

    With `light`, a command that works on more dice than that raises Heavy first: nothing has
    happened then, and it may be decided again elsewhere. Throws count as some dice too. With
    `lost`, it could not be decided, maybe because of its dice: it is refused for that reason, and a
    signed call for dice is refused in the log.

    The drafts are meant for the places right after `state.head`: texts and `opened` name seqs.
    If something else was appended meanwhile, decide again on the newer state.
    """
    came = command_data(command)
    if (own_id := came.pop("id", None)) is not None:
        check_own_id(own_id)
    signed = unseal_command(came) if "call" in came else None
    came = came if signed is None else signed.command
    do = came.pop("do", None)
    if not isinstance(do, str) or do not in COMMANDS:
        guess = did_you_mean(str(do)[:40], sorted(COMMANDS))
        raise CodedError("bad_request", f"there is no command {format_value(do)}{guess}", "do")
    seat = state.seats.get(seat_id)
    if seat is None:
        raise command_error("unauthorized", "table.seatless")
    kind = COMMANDS[do]
    _check_seat(seat, kind)
    writer = EventWriter(state, seat, secrets, entropy, limits, light=light)
    with use_locale(ENGLISH):  # what is written down is so for everybody
        if signed is not None:
            return _decide_with_device(writer, kind, came, signed, lost)
        if lost is not None:
            raise lost
        wanted = _read(kind, came, limits)
        if kind.signs and state.devices_of(seat.id):
            raise command_error("unsigned", "table.call.unsigned")
        if kind.signs == THROWS:
            writer.call = host_command(state, seat, wanted.nonce)
        return _decide(writer, wanted)


def _read(kind: type[Command], came: JsonObject, limits: TableLimits) -> Command:
    try:
        return readers(limits)[kind.do](came)
    except BadField as problem:
        raise command_field_error(problem) from None


def _decide(writer: EventWriter, wanted: Command) -> Decision:
    with as_command_errors():
        wanted.run(writer)
    return writer.decision


def _decide_with_device(
    writer: EventWriter,
    kind: type[Command],
    came: JsonObject,
    signed: CommandWithTexts,
    lost: CodedError | None,
) -> Decision:
    """Decide a signed command; once its number is known, it is thrown or refused for all."""
    if not kind.signs:
        raise bad_field("call", Message("table.call.needless", {"do": kind.do}))
    state, throws = writer.state, kind.signs == THROWS
    call = check_call(state, writer.seat, signed.call)
    writer.call, writer.salts = call, signed.salts
    seers = Seers((writer.by,), signed.call["lane"] != TABLE_LANE)
    try:
        try:
            wanted = _read(kind, came, writer.limits)
        except CodedError:  # the lane that was due is unknown: the one that is named is spent
            check_lane(state, call, announced=seers.announced, throws=throws)
            raise
        seers = wanted.seers(state, writer.by)
        check_lane(state, call, announced=seers.announced, throws=throws)
        if lost is not None:
            raise lost
        return _decide(writer, wanted)
    except (NeedsWorker, NeedsEvents):
        raise
    except CodedError as problem:
        if not throws or not signed.call["number"] or problem.code == "bad_signature":
            raise
        return _log_refusal(writer, replace(call, seq=0), seers, problem)


def _log_refusal(writer: EventWriter, call: SlotUse, seers: Seers, problem: CodedError) -> Decision:
    """Record in the log a call that was not done after its number was known, and open its key.

    Otherwise nobody could know whether somebody only disliked the dice.
    """
    body: RollRefusedEvent = {
        "by": writer.by,
        "call": call.command,
        "code": problem.code,
        "why": text_to_json(cut(problem, WITHIN)),
    }
    if call.lane:
        body["key"] = writer.key_of(call.lane, call.number).hex()
    shown: PublicPart = {}
    if seers.announced and seers.audience is not None:
        shown["by"] = writer.by
    if seers.roll:
        body["roll"] = seers.roll
        if shown:
            shown["roll"] = seers.roll
    again = EventWriter(
        writer.state, writer.seat, writer.secrets, writer.entropy, writer.limits, call
    )
    unnamed = not seers.announced
    again.write("roll.refused", body, seers.audience, shown, unnamed=unnamed)
    return again.decision._replace(refusal=problem)


def _check_seat(seat: Seat, command: type[Command]) -> None:
    if not seat.is_here and not (command.while_knocking and seat.status == KNOCKING):
        if seat.status == KNOCKING:
            raise command_error("forbidden", "table.knocking")
        raise command_error("forbidden", "table.removed")
    if seat.role not in command.allowed:
        id = "table.for.referee" if command.allowed == (REFEREE,) else "table.for.players"
        raise command_error("forbidden", id, what=command.do, role=seat.role)
