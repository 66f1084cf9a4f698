"""How a table comes to be, and how somebody comes to sit at it."""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping
from secrets import choice, token_bytes, token_hex
from typing import TYPE_CHECKING, NamedTuple

from rollwright.jsonable import Json
from rollwright.kit.bodies import Body
from rollwright.kit.fields import field
from rollwright.server.responses import SpooledBody
from rollwright.server.storage.appends import (
    SECRET_BYTES,
    Creation,
    CreationResult,
    DuplicateError,
    OtherLogError,
)
from rollwright.server.storage.rows import rows_of, sizes_of
from rollwright.server.tokens import is_hash
from rollwright.table.commands.context import OWN_ID_HELP, Key, OwnId, check_own_id
from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.seats import (
    KEY_HELP,
    JoinFields,
    NewTableFields,
    claim,
    create_table,
    join,
    parse_within,
)
from rollwright.table.commands.writer import AddToken, Decision, Secrets
from rollwright.table.errors import CodedError, command_error
from rollwright.table.events import (
    ROLES,
    Event,
    EventDraft,
    Seat,
    first_hash,
    place_events,
)
from rollwright.table.imports import LogImport, another_device
from rollwright.table.limits import LIMITS
from rollwright.table.state import TableState
from rollwright.workers.costs import CostMeter

if TYPE_CHECKING:
    from rollwright.server.app import Services
    from rollwright.server.live.live_table import LiveTable


SIGNS = "abcdefghijklmnopqrstuvwxyz234567"
ID_LENGTH = 12
JOINING = "join"
"""Whose commands the joins are: a seat comes to be by one."""
CLAIMING = "claim"
"""Whose commands those are that take a seat again."""


def new_table_id() -> str:
    """The id of a new table, which nobody can guess."""
    return "".join(choice(SIGNS) for _ in range(ID_LENGTH))


def first_events(table: str, drafts: tuple[EventDraft, ...], at: int) -> tuple[Event, ...]:
    """The first events of a log."""
    return place_events(drafts, before=first_hash(table), seq=0, at=at, entropy=token_bytes)


def warm_up() -> None:
    """Roll at a table that nobody will see: what the first command needs is loaded by it.

    That takes as long as a hundred commands, and everybody would wait for it.
    """
    table, secret = new_table_id(), token_bytes(SECRET_BYTES)
    tokens = {name: token_hex(32) for name in ("seat", "referee", "player", "spectator")}
    founded = {"game": "", "name": "Nobody", "tokens": tokens}
    decision = create_table(founded, table=table, secret=secret, entropy=token_bytes)
    state = TableState.of(first_events(table, decision.drafts, 0))
    rolling = {"do": "roll.start", "expression": "2d20kh1+1", "dialect": "roll20"}
    decide(state, "s1", rolling, Secrets(secret), 0, token_bytes)


class TableBody(NewTableFields):
    """Makes a table."""

    id: OwnId = field(help=OWN_ID_HELP)


class JoinBody(JoinFields):
    """Takes a seat; the token in the header is that of a link."""

    id: OwnId = field(help=OWN_ID_HELP)


async def open_table(services: Services, body: Mapping[str, Json]) -> CreationResult:
    """Make a table; asked again with the same id and the same seat's token it is the same one."""
    wanted = parse_within(TableBody, body, LIMITS)
    table, secret = new_table_id(), token_bytes(SECRET_BYTES)
    decision = create_table(wanted, table=table, secret=secret, entropy=token_bytes)
    at = time.time_ns() // 1_000_000
    create_id = f"{wanted.id} {wanted.tokens.seat}"
    events = first_events(table, decision.drafts, at)
    return await store_creation(
        services, Creation(table, create_id, secret, events, at, decision.side)
    )


async def store_creation(services: Services, creation: Creation) -> CreationResult:
    """Write a new table, unless there is no room for it."""
    size = sum(sizes_of(rows_of(creation))) if services.disk.most else 0
    services.disk.check(size)
    made = await services.store.create_table(creation)
    if made.new:
        services.disk.add(size)
    return made


async def join_table(room: LiveTable, role: str, body: Mapping[str, Json]) -> Seat:
    """A seat for somebody with a link; asked again they have the same seat."""
    wanted = parse_within(JoinBody, body, LIMITS)

    async def decide_join() -> Decision:
        return join(
            room.state,
            role=role,
            name=wanted.name,
            token_hash=wanted.token_hash,
            entropy=token_bytes,
            key=wanted.key,
            held=wanted.held,
            secret=room.secret,
        )

    done = await room.commit(decide_join, JOINING, f"{wanted.id} {wanted.token_hash}")
    (joined,) = await room.events_at([done.first or 0])
    return room.state.seats[joined.body["seat"]]


async def claim_seat(room: LiveTable, body: Mapping[str, Json]) -> Seat:
    """The seat of somebody who has the key of its device; asked again they have it again."""
    taken: list[Seat] = []

    async def decide_claim() -> Decision:
        seat, decision = claim(room.state, body)
        taken.append(seat)
        return decision

    await room.commit(decide_claim, CLAIMING, str(body.get("signature")))
    return taken[-1]


SECONDS = 120.0
"""How long the check of a log may take."""
DAY_MS = 86_400_000


class ImportBody(Body):
    """The words of a referee who brings a log, beside the log."""

    key: Key = field("", help=KEY_HELP)


class ImportRequest(NamedTuple):
    """A valid log that somebody wants to continue here, and what they asked for."""

    id: str
    tokens: dict[str, str]
    imported: LogImport
    seat: Seat
    key: str
    """The public key of the device from which they go on; none without it."""


async def import_table(
    services: Services, body: SpooledBody, address: str, spent: CostMeter
) -> tuple[CreationResult, Seat]:
    """Make a table from its log, for the referee whose seat gets the new token.

    `body` is the JSON of the log with `id`, `tokens` and `key` as for a new table, and `seat` if
    it is not the seat that the log was written for. It is read where it is checked: a long one
    would hold up everybody here, and take ten times its length in memory.
    """
    id, tokens, imported, seat, key = await _check_import(services, body, address, spent)
    secret, at = token_bytes(SECRET_BYTES), time.time_ns() // 1_000_000
    last = imported.events[-1]
    drafts = [imported.rebase_event(secret, by=seat.id)]
    state = TableState.of(imported.events)
    if key and all(device.key != key for device in state.devices.values()):
        drafts.append(another_device(state, seat.id, key, secret))
    at_least = max(at, last.at)
    own = place_events(drafts, before=last.hash, seq=last.seq, at=at_least, entropy=token_bytes)
    side = [AddToken(tokens["seat"], "seat", seat.role, seat.id)]
    side += [AddToken(tokens[role], "link", role) for role in ROLES if tokens.get(role)]
    create_id = f"{id} {tokens['seat']}"
    events = (*imported.events, *own)
    try:
        made = await store_creation(
            services,
            Creation(
                imported.table, create_id, secret, events, at, tuple(side), imported.handovers
            ),
        )
    except OtherLogError:
        raise command_error("forbidden", "server.log.other") from None
    except DuplicateError:
        raise command_error("conflict", "server.log.here") from None
    return made, seat


def _tokens(given: Json) -> dict[str, str]:
    if not isinstance(given, dict) or not is_hash(given.get("seat")):
        raise CodedError(
            "bad_field", "tokens: the hash of a new token for the seat is missing", "tokens"
        )
    for role in given:
        if role not in ("seat", *ROLES) or not is_hash(given[role]):
            raise CodedError("bad_field", "tokens: hashes for seat and roles would do", "tokens")
    return {role: str(one) for role, one in given.items()}


def _referee(imported: LogImport, wanted: Json) -> Seat:
    """The referee's seat that the table is given to."""
    seats = TableState.of(imported.events).seats
    referees = [seat for seat in seats.values() if seat.is_referee]
    chosen = [seat for seat in referees if seat.id == wanted] or referees
    if not chosen:
        raise command_error("bad_request", "server.log.referee")
    return chosen[0]


async def _check_import(
    services: Services, body: SpooledBody, address: str, spent: CostMeter
) -> ImportRequest:
    """Return what a body asks for if its log is valid, or raise; add up what the check cost."""
    made = await services.workers.run(
        {"ask": "import"},
        f"from {address}",
        address=address,
        pieces=body.pieces(),
        size=body.size,
        seconds=SECONDS,
        spent=spent,
    )
    asked, imported = pickle.loads(made)
    id, tokens = check_own_id(asked["id"]), _tokens(asked["tokens"])
    _check_time(imported)
    key = parse_within(ImportBody, {"key": asked["key"] or ""}, LIMITS).key
    return ImportRequest(id, tokens, imported, _referee(imported, asked["seat"]), key)


def _check_time(imported: LogImport) -> None:
    """Refuse events dated later than tomorrow: they would stay the latest for ever."""
    if imported.events[-1].at > time.time_ns() // 1_000_000 + DAY_MS:
        raise command_error("bad_request", "server.log.future")
