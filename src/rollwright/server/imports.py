"""A log from elsewhere as a table here; it is checked in a process of its own, since that takes."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from rollwright.errors import RollwrightError
from rollwright.server.appends import Created, Creation, Taken
from rollwright.server.making import SECRET_BYTES
from rollwright.server.tokens import is_hash
from rollwright.table.decisions import AddToken
from rollwright.table.events import SALT_BYTES, placed
from rollwright.table.fairness import next_commitment
from rollwright.table.importing import Imported, import_log
from rollwright.table.refusals import Refusal
from rollwright.table.seats import ROLES, Seat
from rollwright.table.state import TableState

if TYPE_CHECKING:
    from rollwright.server.hall import Hall

SECONDS = 120.0
"""How long the check of a log may take."""


async def import_table(hall: Hall, body: Mapping[str, Any]) -> tuple[Created, Seat]:
    """Make a table from its log, for the referee whose seat gets the new token.

    `body` is the log with `id`, `tokens` as for a new table, and `seat` if it is not the seat that
    the log was written for.
    """
    tokens = _tokens(body.get("tokens"))
    log = {name: value for name, value in body.items() if name not in ("id", "tokens", "seat")}
    async with hall.importing:
        imported = await checked(log)
    seat = _referee(imported, body.get("seat") or log.get("for"))
    secret, at = token_bytes(SECRET_BYTES), time.time_ns() // 1_000_000
    last = imported.events[-1]
    own = placed(
        imported.rebased(next_commitment(secret, imported.number)),
        before=last.hash,
        seq=last.seq + 1,
        at=max(at, last.at),
        salt=token_bytes(SALT_BYTES).hex(),
    )
    side = [AddToken(tokens["seat"], "seat", seat.role, seat.id)]
    side += [AddToken(tokens[role], "link", role) for role in ROLES if tokens.get(role)]
    create_id = f"{body['id']} {tokens['seat']}"
    events = (*imported.events, own)
    try:
        made = await hall.store.create_table(
            Creation(imported.table, create_id, secret, events, at, tuple(side))
        )
    except Taken:
        raise Refusal("conflict", "this table, or one of the tokens, is here already") from None
    return made, seat


def _tokens(given: Any) -> dict[str, str]:
    if not isinstance(given, dict) or not is_hash(given.get("seat")):
        raise Refusal(
            "bad_field", "tokens: the hash of a new token for the seat is missing", "tokens"
        )
    for role in given:
        if role not in ("seat", *ROLES) or not is_hash(given[role]):
            raise Refusal("bad_field", "tokens: hashes for seat and roles would do", "tokens")
    return given


def _referee(imported: Imported, wanted: Any) -> Seat:
    """The referee's seat that the table is given to."""
    seats = TableState.of(imported.events).seats
    referees = [seat for seat in seats.values() if seat.is_referee]
    chosen = [seat for seat in referees if seat.id == wanted] or referees
    if not chosen:
        raise Refusal("bad_request", "this log has no referee's seat to go on from")
    return chosen[0]


async def checked(log: Mapping[str, Any]) -> Imported:
    """The log's events if it is true, or a refusal."""
    near, far = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_check, args=(far, log), daemon=True
    )
    with near, contextlib.closing(far):
        await asyncio.to_thread(process.start)
        far.close()
        try:
            answer = await asyncio.to_thread(_received, near)
        finally:
            process.kill()
            await asyncio.to_thread(process.join)
    if isinstance(answer, Imported):
        return answer
    raise Refusal(*answer)


def _received(near: Connection) -> Any:
    try:
        if near.poll(SECONDS):
            return near.recv()
    except EOFError:
        return ("internal", "the check of this log broke off")
    return ("too_much_work", f"the check of this log takes more than {SECONDS:.0f} seconds")


def _check(far: Connection, log: Mapping[str, Any]) -> None:
    """What the process does: one log, one answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        answer: Any = import_log(log)
    except RollwrightError as problem:
        answer = (getattr(problem, "code", "bad_request"), str(problem))
    except Exception:
        answer = ("bad_request", "this log cannot be read")
    far.send(answer)
