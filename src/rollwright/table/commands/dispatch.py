"""Every command of a table, decided: who may, what came, and the events it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from rollwright.errors import BadField, did_you_mean
from rollwright.kit.bodies import reader_within
from rollwright.kit.checks import said
from rollwright.table.commands import entries, rolls, seats, sheets, talk
from rollwright.table.commands.context import Command, check_own_id, plain, refusal_of_field
from rollwright.table.commands.writer import Decision, Entropy, EventWriter, Secrets
from rollwright.table.events import KNOCKING, REFEREE, Seat
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import Refusal, refusal, refusing
from rollwright.table.state import TableState
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
    """What reads each command where these limits hold."""
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
) -> Decision:
    """What a seat's command comes to at a table in this state; raises Refusal.

    With `light`, a command that works on more dice than that raises Heavy before it does: nothing
    has happened then, and it may be decided anew elsewhere. Throws count as some dice too.

    The drafts are meant for the places right after `state.head`: texts and `opened` name seqs.
    If something else was appended meanwhile, decide again on the newer state.
    """
    came = plain(command)
    if (own_id := came.pop("id", None)) is not None:
        check_own_id(own_id)
    do = came.pop("do", None)
    if not isinstance(do, str) or do not in COMMANDS:
        guess = did_you_mean(str(do)[:40], sorted(COMMANDS))
        raise Refusal("bad_request", f"there is no command {said(do)}{guess}", "do")
    seat = state.seats.get(seat_id)
    if seat is None:
        raise refusal("unauthorized", "table.seatless")
    _check_seat(seat, COMMANDS[do])
    try:
        wanted = readers(limits)[do](came)
    except BadField as problem:
        raise refusal_of_field(problem) from None
    nonce = bytes.fromhex(wanted.nonce)
    writer = EventWriter(state, seat, secrets, entropy, limits, nonce, light=light)
    with reading(ENGLISH), refusing():  # what is written down is so for everybody
        wanted.run(writer)
    return writer.decision


def _check_seat(seat: Seat, command: type[Command]) -> None:
    if not seat.is_here and not (command.while_knocking and seat.status == KNOCKING):
        if seat.status == KNOCKING:
            raise refusal("forbidden", "table.knocking")
        raise refusal("forbidden", "table.removed")
    if seat.role not in command.allowed:
        id = "table.for.referee" if command.allowed == (REFEREE,) else "table.for.players"
        raise refusal("forbidden", id, what=command.do, role=seat.role)
