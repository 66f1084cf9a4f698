"""How a table comes to be, and how somebody comes to sit at it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import multiprocessing
import signal
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from secrets import choice, token_bytes, token_hex
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rollwright.errors import RollwrightError
from rollwright.kit.fields import field
from rollwright.plain import Json
from rollwright.server.counting.fork_server import bound_memory
from rollwright.server.json import received
from rollwright.server.limits import Spent
from rollwright.server.storage.appends import SECRET_BYTES, Created, Creation, OtherLog, Taken
from rollwright.server.storage.rows import rows_of, sizes_of
from rollwright.server.tokens import is_hash
from rollwright.table.commands.context import OWN_ID_HELP, OwnId, check_own_id
from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.seats import Joining, NewTable, found, join, read_within
from rollwright.table.commands.writer import AddToken, Decision, Secrets
from rollwright.table.events import (
    ROLES,
    SALT_BYTES,
    Draft,
    Event,
    Seat,
    first_hash,
    in_places,
    placed,
)
from rollwright.table.imports import Imported, check_handover, import_log
from rollwright.table.limits import LIMITS
from rollwright.table.refusals import Refusal, refusal
from rollwright.table.state import TableState
from rollwright.words.messages import Message

if TYPE_CHECKING:
    from rollwright.server.app import Services
    from rollwright.server.rooms.room import Room


SIGNS = "abcdefghijklmnopqrstuvwxyz234567"
ID_LENGTH = 12
JOINING = "join"
"""Whose commands the joins are: a seat comes to be by one."""


def new_table_id() -> str:
    """The id of a new table, which nobody can guess."""
    return "".join(choice(SIGNS) for _ in range(ID_LENGTH))


def placed_events(table: str, drafts: tuple[Draft, ...], at: int) -> tuple[Event, ...]:
    """The first events of a log."""
    return in_places(drafts, before=first_hash(table), seq=0, at=at, entropy=token_bytes)


def rehearse() -> None:
    """Roll at a table that nobody will see: what the first command needs is loaded by it.

    That takes as long as a hundred commands, and everybody would wait for it.
    """
    table, secret = new_table_id(), token_bytes(SECRET_BYTES)
    tokens = {name: token_hex(32) for name in ("seat", "referee", "player", "spectator")}
    founded = {"game": "", "name": "Nobody", "tokens": tokens}
    decision = found(founded, table=table, secret=secret, entropy=token_bytes)
    state = TableState.of(placed_events(table, decision.drafts, 0))
    rolling = {"do": "roll.start", "expression": "2d20kh1+1", "dialect": "roll20"}
    decide(state, "s1", rolling, Secrets(secret), 0, token_bytes)


class TableBody(NewTable):
    """Makes a table."""

    id: OwnId = field(help=OWN_ID_HELP)


class JoinBody(Joining):
    """Takes a seat; the token in the header is that of a link."""

    id: OwnId = field(help=OWN_ID_HELP)


async def make_table(services: Services, body: Mapping[str, Json]) -> Created:
    """Make a table; asked again with the same id and the same seat's token it is the same one."""
    wanted = read_within(TableBody, body, LIMITS)
    table, secret = new_table_id(), token_bytes(SECRET_BYTES)
    decision = found(wanted, table=table, secret=secret, entropy=token_bytes)
    at = time.time_ns() // 1_000_000
    create_id = f"{wanted.id} {wanted.tokens.seat}"
    events = placed_events(table, decision.drafts, at)
    return await stored(services, Creation(table, create_id, secret, events, at, decision.side))


async def stored(services: Services, creation: Creation) -> Created:
    """Write a new table, unless there is no room for it."""
    size = sum(sizes_of(rows_of(creation))) if services.disk.most else 0
    services.disk.check(size)
    made = await services.store.create_table(creation)
    if made.new:
        services.disk.add(size)
    return made


async def come_in(room: Room, role: str, body: Mapping[str, Json]) -> Seat:
    """A seat for somebody with a link; asked again they have the same seat."""
    wanted = read_within(JoinBody, body, LIMITS)

    async def decided() -> Decision:
        name, token_hash = wanted.name, wanted.token_hash
        return join(room.state, role=role, name=name, token_hash=token_hash, entropy=token_bytes)

    done = await room.commit(decided, JOINING, f"{wanted.id} {wanted.token_hash}")
    (joined,) = await room.events_at([done.first or 0])
    return room.state.seats[joined.body["seat"]]


SECONDS = 120.0
"""How long the check of a log may take."""
DAY_MS = 86_400_000


Refused: TypeAlias = tuple[str, Message | str, str]
"""Why a log is not gone on with: a code, the sentence, and the field."""


class Asked(NamedTuple):
    """What somebody wants to go on with here: a log that is true, and what they asked for."""

    id: str
    tokens: dict[str, str]
    imported: Imported
    seat: Seat


async def import_table(
    services: Services, body: bytes, spent: Spent | None = None
) -> tuple[Created, Seat]:
    """Make a table from its log, for the referee whose seat gets the new token.

    `body` is the JSON of the log with `id`, `tokens` as for a new table, and `seat` if it is not
    the seat that the log was written for. It is read where it is checked: a long one would hold
    up everybody here, and take many times its length.
    """
    async with services.importing:
        found = await checked(body, services.counting.limits.memory, spent or Spent())
    id, tokens, imported, seat = found
    secret, at = token_bytes(SECRET_BYTES), time.time_ns() // 1_000_000
    last = imported.events[-1]
    own = placed(
        imported.rebased(secret, by=seat.id),
        before=last.hash,
        seq=last.seq + 1,
        at=max(at, last.at),
        salt=token_bytes(SALT_BYTES).hex(),
    )
    side = [AddToken(tokens["seat"], "seat", seat.role, seat.id)]
    side += [AddToken(tokens[role], "link", role) for role in ROLES if tokens.get(role)]
    create_id = f"{id} {tokens['seat']}"
    events = (*imported.events, own)
    try:
        made = await stored(
            services,
            Creation(
                imported.table, create_id, secret, events, at, tuple(side), imported.handovers
            ),
        )
    except OtherLog:
        raise refusal("forbidden", "server.log.other") from None
    except Taken:
        raise refusal("conflict", "server.log.here") from None
    return made, seat


def _tokens(given: Json) -> dict[str, str]:
    if not isinstance(given, dict) or not is_hash(given.get("seat")):
        raise Refusal(
            "bad_field", "tokens: the hash of a new token for the seat is missing", "tokens"
        )
    for role in given:
        if role not in ("seat", *ROLES) or not is_hash(given[role]):
            raise Refusal("bad_field", "tokens: hashes for seat and roles would do", "tokens")
    return {role: str(one) for role, one in given.items()}


def _referee(imported: Imported, wanted: Json) -> Seat:
    """The referee's seat that the table is given to."""
    seats = TableState.of(imported.events).seats
    referees = [seat for seat in seats.values() if seat.is_referee]
    chosen = [seat for seat in referees if seat.id == wanted] or referees
    if not chosen:
        raise refusal("bad_request", "server.log.referee")
    return chosen[0]


async def checked(body: bytes, memory: int, spent: Spent) -> Asked:
    """What a body asks for if its log is true, or a refusal; what the check cost is added up."""
    near, far = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_check, args=(far, memory), daemon=True
    )
    with near, contextlib.closing(far):
        await asyncio.to_thread(process.start)
        far.close()
        try:
            answer, seconds = await asyncio.to_thread(_answered, near, body)
            spent.seconds += seconds
        finally:
            process.kill()
            await asyncio.to_thread(process.join)
    if isinstance(answer, Asked):
        return answer
    raise Refusal(*answer)


def _answered(near: Connection, body: bytes) -> tuple[Asked | Refused, float]:
    """What the process found, and the seconds that took."""
    try:
        near.send_bytes(body)
        if near.poll(SECONDS):
            found: tuple[Asked | Refused, float] = near.recv()
            return found
    except (EOFError, OSError):
        return ("internal", Message("server.log.broken"), ""), 0.0
    late = Message("server.log.late", {"seconds": round(SECONDS)})
    return ("too_much_work", late, ""), SECONDS


def _check(far: Connection, memory: int) -> None:
    """What the process does: one log, one answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(memory)
    answer = _asked_or_not(far.recv_bytes())
    far.send((answer, time.process_time()))


def _asked_or_not(body: bytes) -> Asked | Refused:
    try:
        return _asked(body)
    except RollwrightError as problem:
        code, field = getattr(problem, "code", "bad_request"), getattr(problem, "field", "")
        return code, problem.wording, field
    except MemoryError:
        return "too_much_work", Message("server.log.memory"), ""
    except Exception:
        return "bad_request", Message("server.log.unread"), ""


def _asked(body: bytes) -> Asked:
    gc.disable()  # it would look through all of it again and again
    plain = received(body)
    gc.freeze()
    gc.enable()
    if not isinstance(plain, dict):
        raise Refusal("bad_request", "the body is no log; a JSON object would do")
    id, tokens = check_own_id(plain.pop("id", None)), _tokens(plain.pop("tokens", None))
    wanted = plain.pop("seat", None)
    imported = import_log(plain)
    check_handover(plain, imported)
    _check_time(imported)
    return Asked(id, tokens, imported, _referee(imported, wanted or plain.get("for")))


def _check_time(imported: Imported) -> None:
    """What is said to have happened later than tomorrow would stay the latest for ever."""
    if imported.events[-1].at > time.time_ns() // 1_000_000 + DAY_MS:
        raise refusal("bad_request", "server.log.future")
