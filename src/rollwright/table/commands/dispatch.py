"""Every command of a table, decided: who may, what came, and the events it makes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rollwright.errors import did_you_mean
from rollwright.table.commands import entries, rolls, seats, sheets, talk
from rollwright.table.commands.context import Command
from rollwright.table.commands.forms import ID, filled, plain, said
from rollwright.table.commands.writer import Decision, Entropy, Pen, Secrets
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import Refusal, refusing
from rollwright.table.seats import KNOCKING, REFEREE, SPECTATOR, Seat
from rollwright.table.state import TableState


@lru_cache(maxsize=8)
def commands(limits: Limits) -> dict[str, Command]:
    """Every command there is, by its name."""
    return {
        **seats.commands(limits),
        **sheets.commands(limits),
        **rolls.commands(limits),
        **entries.commands(limits),
        **talk.ask_commands(limits),
        **talk.commands(limits),
    }


def decide(
    state: TableState,
    seat_id: str,
    command: Mapping[str, Any],
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
    _check_id(came.pop("id", None))
    do = came.pop("do", None)
    known = commands(limits)
    if not isinstance(do, str) or do not in known:
        guess = did_you_mean(str(do)[:40], sorted(known))
        raise Refusal("bad_request", f"there is no command {said(do)}{guess}", "do")
    seat = state.seats.get(seat_id)
    if seat is None:
        raise Refusal("unauthorized", "a command needs a seat at the table: join first")
    wanted = known[do]
    _check_seat(seat, do, wanted)
    fields = filled(wanted.form, came, do)
    pen = Pen(state, seat, secrets, entropy, limits, fields.pop("nonce", b""), light=light)
    with refusing():
        wanted.run(pen, fields)
    return pen.decision


def _check_id(came: Any) -> None:
    if came is not None and (not isinstance(came, str) or not ID.fullmatch(came)):
        raise Refusal(
            "bad_request", f"the id {said(came)} came; 8 to 64 of A-Z a-z 0-9 _ - would do", "id"
        )


def _check_seat(seat: Seat, do: str, command: Command) -> None:
    if not seat.is_here and not (command.while_knocking and seat.status == KNOCKING):
        if seat.status == KNOCKING:
            raise Refusal("forbidden", "a referee has to let you in first")
        raise Refusal("forbidden", "this seat was removed from the table")
    if seat.role not in command.roles:
        who = "a referee" if command.roles == (REFEREE,) else f"anybody but a {SPECTATOR}"
        raise Refusal("forbidden", f"{do} is for {who}; you are a {seat.role}")
