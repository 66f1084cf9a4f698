"""How a table comes to be, and how people come to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from rollwright import __version__
from rollwright.engine.transcript import FORMAT
from rollwright.errors import BadField
from rollwright.kit.bodies import Body, Data, Object, Text, reader_within
from rollwright.kit.checks import said
from rollwright.kit.fields import field
from rollwright.kit.games import find_game
from rollwright.table.commands.forms import OWN_ID_HELP, Hash, OwnId, plain, refusal_of_field
from rollwright.table.commands.seats import house_of
from rollwright.table.commands.writer import AddToken, Decision, Entropy, EventWriter, Secrets
from rollwright.table.fairness import handover_commitment, handover_of, next_commitment
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import Refusal, bad_field, refusing
from rollwright.table.seats import HERE, KNOCKING, REFEREE, REMOVED, ROLES, Seat
from rollwright.table.state import TableState


class Tokens(Body):
    """Hashes of the tokens of a new table: yours, and those of its links."""

    seat: Hash = field(help="Of your own token.", secret=True)
    referee: Hash = field("", help="Of the link by which referees join.", secret=True)
    player: Hash = field("", help="Of the link by which players join.", secret=True)
    spectator: Hash = field("", help="Of the link by which spectators join.", secret=True)


class NewTable(Body):
    """Makes a table."""

    bounds: ClassVar[Limits] = LIMITS

    id: OwnId = field("", help=OWN_ID_HELP)
    game: Text = field("", help="The name of a game; empty for dice alone.", most=60, empty=True)
    house: Object | None = field(None, help="House rules of the game.", most="house")
    title: Text = field("", help="What the table is called.", most="title", empty=True)
    name: Text = field(help="Your name at the table.", most="name")
    knock: bool = field(False, help="Whether a referee lets each newcomer in.")
    lists: Data | None = field(None, help="Lists of the table's own.", most="lists")
    tokens: Tokens = field(help="Hashes of the tokens that you made.", secret=True)


class Joining(Body):
    """Takes a seat; the token in the header is that of a link."""

    bounds: ClassVar[Limits] = LIMITS

    id: OwnId = field("", help=OWN_ID_HELP)
    name: Text = field(help="Your name at the table.", most="name")
    token_hash: Hash = field(help="Of your own token.", secret=True)


B = TypeVar("B", bound=Body)


def read_within(kind: type[B], body: Mapping[str, Any], limits: Limits) -> B:
    """A body where these limits hold, or a Refusal."""
    try:
        return reader_within(kind, limits)(plain(body))
    except BadField as problem:
        raise refusal_of_field(problem) from None


def found(
    command: Mapping[str, Any] | NewTable,
    *,
    table: str,
    secret: bytes,
    entropy: Entropy,
    limits: Limits = LIMITS,
) -> Decision:
    """A new table: `table.created`, and its founder's `seat.joined` as the referee s1.

    `command` is what `POST /tables` takes, a `NewTable` with the hashes of tokens. The sides hold
    the tokens. Refused with a Refusal.
    """
    wanted = command if isinstance(command, NewTable) else read_within(NewTable, command, limits)
    links = {role: str(getattr(wanted.tokens, role)) for role in ROLES}
    given = [token for token in (wanted.tokens.seat, *links.values()) if token]
    if len(set(given)) < len(given):
        raise Refusal("bad_field", "tokens: two are alike; each needs one of its own", "tokens")
    with refusing("game"):
        if wanted.game:
            find_game(wanted.game)
    house = house_of(wanted.game, wanted.house or {})
    founder = Seat("s1", REFEREE, HERE)
    writer = EventWriter(TableState.new(table), founder, Secrets(secret), entropy, limits)
    body = {
        "table": table,
        "format": FORMAT,
        "rollwright": __version__,
        "game": wanted.game,
        "house": house,
        "knock": wanted.knock,
        "lists": {} if wanted.lists is None else wanted.lists,
        "title": writer.seal(wanted.title),
        "handover": handover_commitment(handover_of(secret)),
    }
    writer.write("table.created", body, open={"next": next_commitment(secret, 1)})
    _sit_down(writer, wanted.name)
    writer.side(AddToken(wanted.tokens.seat, "seat", REFEREE, founder.id))
    for role, token in links.items():
        if token:
            writer.side(AddToken(token, "link", role))
    return writer.decision


def _sit_down(writer: EventWriter, name: str) -> None:
    seat = writer.seat
    body = {"seat": seat.id, "role": seat.role, "name": writer.seal(name), "status": seat.status}
    writer.write("seat.joined", body)


def join(
    state: TableState,
    *,
    role: str,
    name: str,
    token_hash: str,
    entropy: Entropy,
    limits: Limits = LIMITS,
) -> Decision:
    """A new seat by a link of that role: `seat.joined`, here or knocking, and its token."""
    wanted = read_within(Joining, {"name": name, "token_hash": token_hash}, limits)
    if role not in ROLES:
        raise bad_field("role", f"{said(role)} is none of the choices", ", ".join(ROLES))
    present = [seat for seat in state.seats.values() if seat.status != REMOVED]
    if len(present) >= limits.seats:
        raise Refusal("too_many", f"the table is full: it has {limits.seats} seats")
    if len(state.seats) >= limits.seats_ever:
        raise Refusal("too_many", f"{limits.seats_ever:,} people have sat at this table by now")
    knocks = state.knock and role != REFEREE
    seat = Seat(f"s{len(state.seats) + 1}", role, KNOCKING if knocks else HERE)
    writer = EventWriter(state, seat, Secrets(b""), entropy, limits)
    _sit_down(writer, wanted.name)
    writer.side(AddToken(wanted.token_hash, "seat", seat.role, seat.id))
    return writer.decision
