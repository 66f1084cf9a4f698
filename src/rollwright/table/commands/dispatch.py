"""Every command of a table, decided: who may, what came, and the events it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from rollwright.errors import BadField, did_you_mean
from rollwright.guard import words_plain
from rollwright.kit.bodies import reader_within
from rollwright.kit.checks import said
from rollwright.plain import Record
from rollwright.table.commands import entries, rolls, seats, sheets, talk
from rollwright.table.commands.calls import (
    Signed,
    Spending,
    check_call,
    check_lane,
    opened,
    unsigned_call,
)
from rollwright.table.commands.context import (
    THROWS,
    Command,
    Seers,
    check_own_id,
    plain,
    refusal_of_field,
)
from rollwright.table.commands.writer import Decision, Entropy, EventWriter, Secrets
from rollwright.table.events import KNOCKING, REFEREE, Seat, Shown
from rollwright.table.fairness import TABLE_LANE
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import (
    WITHIN,
    Heavy,
    Recall,
    Refusal,
    bad_field,
    cut,
    refusal,
    refusing,
)
from rollwright.table.schemas import RollRefused
from rollwright.table.state import TableState
from rollwright.words.messages import Message
from rollwright.words.reader import ENGLISH, reading

COMMANDS: dict[str, type[Command]] = {
    kind.do: kind
    for family in (seats, sheets, rolls, entries, talk)
    for kind in vars(family).values()
    if isinstance(kind, type) and issubclass(kind, Command) and kind.do
}
"""Every command there is, by its name."""


@lru_cache(maxsize=8)
def readers(limits: Limits) -> dict[str, Callable[[Mapping[str, object]], Command]]:
    """Return the readers of the commands under these limits."""
    return {do: reader_within(kind, limits) for do, kind in COMMANDS.items()}


def decide(
    state: TableState,
    seat_id: str,
    command: Mapping[str, object],
    secrets: Secrets,
    now_ms: int,
    entropy: Entropy,
    limits: Limits = LIMITS,
    *,
    light: int | None = None,
    lost: Refusal | None = None,
) -> Decision:
    """Return what a seat's command leads to at a table in this state, or raise Refusal.

    With `light`, a command that works on more dice than that raises Heavy first: nothing has
    happened then, and it may be decided again elsewhere. Throws count as some dice too. With
    `lost`, it could not be decided, maybe because of its dice: it is refused for that reason, and a
    signed call for dice is refused in the log.

    The drafts are meant for the places right after `state.head`: texts and `opened` name seqs.
    If something else was appended meanwhile, decide again on the newer state.
    """
    came = plain(command)
    if (own_id := came.pop("id", None)) is not None:
        check_own_id(own_id)
    signed = opened(came) if "call" in came else None
    came = came if signed is None else signed.command
    do = came.pop("do", None)
    if not isinstance(do, str) or do not in COMMANDS:
        guess = did_you_mean(str(do)[:40], sorted(COMMANDS))
        raise Refusal("bad_request", f"there is no command {said(do)}{guess}", "do")
    seat = state.seats.get(seat_id)
    if seat is None:
        raise refusal("unauthorized", "table.seatless")
    kind = COMMANDS[do]
    _check_seat(seat, kind)
    writer = EventWriter(state, seat, secrets, entropy, limits, light=light)
    with reading(ENGLISH):  # what is written down is so for everybody
        if signed is not None:
            return _decide_signed(writer, kind, came, signed, lost)
        if lost is not None:
            raise lost
        wanted = _read(kind, came, limits)
        if kind.signs and state.devices_of(seat.id):
            raise refusal("unsigned", "table.call.unsigned")
        if kind.signs == THROWS:
            writer.call = unsigned_call(state, seat, wanted.nonce)
        return _decide(writer, wanted)


def _read(kind: type[Command], came: Record, limits: Limits) -> Command:
    try:
        return readers(limits)[kind.do](came)
    except BadField as problem:
        raise refusal_of_field(problem) from None


def _decide(writer: EventWriter, wanted: Command) -> Decision:
    with refusing():
        wanted.run(writer)
    return writer.decision


def _decide_signed(
    writer: EventWriter, kind: type[Command], came: Record, signed: Signed, lost: Refusal | None
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
        except Refusal:  # the lane that was due is unknown: the one that is named is spent
            check_lane(state, call, announced=seers.announced, throws=throws)
            raise
        seers = wanted.seers(state, writer.by)
        check_lane(state, call, announced=seers.announced, throws=throws)
        if lost is not None:
            raise lost
        return _decide(writer, wanted)
    except (Heavy, Recall):
        raise
    except Refusal as problem:
        if not throws or not signed.call["number"] or problem.code == "bad_signature":
            raise
        return _refused(writer, replace(call, seq=0), seers, problem)


def _refused(writer: EventWriter, call: Spending, seers: Seers, problem: Refusal) -> Decision:
    """Record in the log a call that was not done after its number was known, and open its key.

    Otherwise nobody could know whether somebody only disliked the dice.
    """
    body: RollRefused = {
        "by": writer.by,
        "call": call.said,
        "code": problem.code,
        "why": words_plain(cut(problem, WITHIN)),
    }
    if call.lane:
        body["key"] = writer.key_of(call.lane, call.number).hex()
    shown: Shown = {}
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
            raise refusal("forbidden", "table.knocking")
        raise refusal("forbidden", "table.removed")
    if seat.role not in command.allowed:
        id = "table.for.referee" if command.allowed == (REFEREE,) else "table.for.players"
        raise refusal("forbidden", id, what=command.do, role=seat.role)
