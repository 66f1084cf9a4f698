"""How a table comes to be, and commands about it and the people at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from rollwright import __version__
from rollwright.errors import BadField
from rollwright.i18n.messages import Message
from rollwright.jsonable import Json, JsonObject
from rollwright.kit.bodies import Body, Data, Object, Text, reader_within
from rollwright.kit.checks import format_value
from rollwright.kit.fields import field, made
from rollwright.kit.games import find_game
from rollwright.kit.requests import to_plain
from rollwright.table import schemas
from rollwright.table.commands.context import (
    OWN_ID_HELP,
    REFEREES,
    SIGNS,
    Command,
    Hash,
    Id,
    Key,
    OwnId,
    Signature,
    check_own_or_referee,
    command_data,
    command_field_error,
    find_seat,
    need_another_referee,
)
from rollwright.table.commands.roll_specs import find_dialect
from rollwright.table.commands.rolls import cancel_rolls
from rollwright.table.commands.sheets import create_shared_sheet
from rollwright.table.commands.writer import (
    AddToken,
    Decision,
    Entropy,
    EraseTexts,
    EventWriter,
    RevokeTokens,
    Secrets,
)
from rollwright.table.errors import as_command_errors, as_field_errors, bad_field, command_error
from rollwright.table.events import (
    FORMAT,
    HERE,
    KNOCKING,
    REFEREE,
    REMOVED,
    ROLES,
    PublicPart,
    Seat,
    SeatStyle,
)
from rollwright.table.fairness import (
    TABLE_LANE,
    claim_hash,
    handover_commitment,
    handover_of,
    slot_at,
)
from rollwright.table.limits import LIMITS, TableLimits
from rollwright.table.mentions import check_name
from rollwright.table.schemas import Colour, DiceSet, Role, Symbol
from rollwright.table.signatures import has_valid_signature
from rollwright.table.state import TableState

KEY_HELP = "The public key of your device, by which it signs your rolls; none without it."
HELD_HELP = "The bot that holds the key for you, such as discord; empty where you hold it."
WITNESSES_HELP = "Whether dice wait for a number of somebody else at the table."


def house_rules_of(game_name: str, house: JsonObject) -> JsonObject:
    """House rules as the game has them, those at their default too: defaults may change."""
    if not game_name:
        if house:
            raise bad_field("house", Message("table.house.none"))
        return {}
    with as_field_errors("house"):
        return to_plain(made(find_game(game_name).house, house), whole=True)


class ChangeTableCommand(Command, do="table.change", allowed=REFEREES):
    """House rules, whether one knocks, the title, the table's own lists, how dice are written."""

    house: Object | None = field(None, help="All house rules.", most="house")
    knock: bool | None = field(None, help="Whether a referee lets each newcomer in.")
    title: Text | None = field(None, help="What the table is called.", most="title", empty=True)
    lists: Data | None = field(None, help="Lists of the table's own.", most="lists")
    witnesses: bool | None = field(None, help=WITNESSES_HELP)
    dialect: Text | None = field(
        None,
        help="The tool whose spelling dice have here: roll20, foundry, avrae, yearzero, wod, cofd; "
        "rollwright for our own.",
        most=40,
        empty=True,
    )

    def run(self, writer: EventWriter) -> None:
        body = schemas.TableChangedEvent(by=writer.by)
        if self.dialect is not None:
            body["dialect"] = find_dialect(self.dialect)
        if self.house is not None:
            body["house"] = house_rules_of(writer.state.game, self.house)
        if self.knock is not None:
            body["knock"] = self.knock
        if self.witnesses is not None:
            body["witnesses"] = self.witnesses
        if self.lists is not None:
            body["lists"] = self.lists
        if self.title is not None:
            body["title"] = writer.seal(self.title)
        if len(body) == 1:
            raise command_error("bad_request", "table.change.nothing")
        writer.write("table.changed", body)


class RotateLinkCommand(Command, do="link.rotate", allowed=REFEREES):
    """Make a new link for a role; the old one no longer works."""

    role: Role = field(help="The role that it lets join.")
    token_hash: Hash = field(help="Of the new link's token.", secret=True)

    def run(self, writer: EventWriter) -> None:
        writer.write("link.changed", schemas.LinkChangedEvent(by=writer.by, role=self.role))
        writer.add_side(RevokeTokens("link", role=self.role))
        writer.add_side(AddToken(self.token_hash, "link", self.role))


def _knocking(writer: EventWriter, name: str) -> str:
    seat = find_seat(writer, name)
    if seat.status != KNOCKING:
        raise command_error("conflict", "table.not_knocking", "seat", seat=seat.id)
    return seat.id


class AdmitCommand(Command, do="seat.admit", allowed=REFEREES):
    """Somebody who knocks is let in."""

    seat: Id = field(help="The seat.")

    def run(self, writer: EventWriter) -> None:
        writer.write(
            "seat.admitted", schemas.SeatEvent(by=writer.by, seat=_knocking(writer, self.seat))
        )


class RefuseCommand(Command, do="seat.refuse", allowed=REFEREES):
    """Somebody who knocks is not let in."""

    seat: Id = field(help="The seat.")

    def run(self, writer: EventWriter) -> None:
        seat = _knocking(writer, self.seat)
        writer.write("seat.removed", schemas.SeatEvent(by=writer.by, seat=seat))
        writer.add_side(RevokeTokens("seat", seat=seat))


class SeatCommand(Command):
    """Something about a seat: one's own, or for a referee any."""

    seat: Id = field("", help="The seat; your own without it.")

    def target_seat(self, writer: EventWriter) -> Seat:
        """The seat, if the one who commands may do this to it."""
        seat = find_seat(writer, self.seat or writer.seat.id)
        check_own_or_referee(writer, seat, self.do)
        return seat


class RemoveSeatCommand(SeatCommand, do="seat.remove", while_knocking=True):
    """A seat leaves the table, or is made to; its open rolls are given up."""

    def run(self, writer: EventWriter) -> None:
        seat = self.target_seat(writer)
        need_another_referee(writer, seat)
        writer.write("seat.removed", schemas.SeatEvent(by=writer.by, seat=seat.id))
        cancel_rolls(writer, [roll for roll in writer.state.going.values() if roll.by == seat.id])
        writer.add_side(RevokeTokens("seat", seat=seat.id))


class RenameCommand(SeatCommand, do="seat.rename", while_knocking=True):
    """Another name for a seat."""

    name: Text = field(help="The new name.", most="name")

    def run(self, writer: EventWriter) -> None:
        seat = self.target_seat(writer)
        check_name(self.name, seat.id, writer.state.seats.values())
        writer.write(
            "seat.renamed",
            schemas.SeatRenamedEvent(
                by=writer.by, seat=seat.id, name=writer.seal(self.name, seat.id)
            ),
        )


class StyleSeatCommand(SeatCommand, do="seat.style"):
    """Change how a seat and its dice look to everybody."""

    colour: Colour = field("", help="Its colour; that of its place without it.")
    symbol: Symbol = field("", help="What stands for it; its letters without it.")
    dice: DiceSet = field("", help="What it throws with; the dice of the game without it.")

    def run(self, writer: EventWriter) -> None:
        seat = self.target_seat(writer)
        look = SeatStyle(self.colour, self.symbol, self.dice)
        if look != seat.look:
            worn = schemas.style_data(look)
            writer.write(
                "seat.styled", schemas.SeatStyledEvent(by=writer.by, seat=seat.id, look=worn)
            )


def _check_devices(writer: EventWriter, seat: str, *, keep_old: bool) -> None:
    """Refuse one more device than a seat may have; one that left stays in the log for ever.

    Of what a table takes, everybody who plays has an equal share that nobody else can use up.
    """
    limits, state = writer.limits, writer.state
    if keep_old and len(state.devices_of(seat)) >= limits.tokens:
        raise command_error("too_many", "table.devices.many", "key", n=limits.tokens)
    mine = sum(device.seat == seat for device in state.devices.values())
    share = max(limits.tokens, limits.seats_ever // len(state.seats))
    if len(state.devices) >= limits.seats_ever and mine >= share:
        raise command_error("too_many", "table.devices.ever", "key", n=len(state.devices))


def _add_device(
    writer: EventWriter,
    body: schemas.SeatJoinedEvent | schemas.SeatMovedEvent,
    key: str,
    held: str = "",
) -> PublicPart:
    """A device that signs from now on, and its first slot; nothing where it does not sign."""
    if not key:
        return {}
    if any(device.key == key for device in writer.state.devices.values()):
        raise bad_field("key", Message("table.key.known"))
    name = f"d{len(writer.state.devices) + 1}"
    body["device"] = {"id": name, "key": key}
    if held:
        body["device"]["held"] = held
    return {"slots": {name: slot_at(writer.secrets.table_secret, name, 1)}}


class MoveSeatCommand(SeatCommand, do="seat.move", signs=SIGNS):
    """A seat goes on from another device."""

    token_hash: Hash = field(help="Of the new device's token.", secret=True)
    keep_old: bool = field(False, help="Whether the other devices stay good.")
    key: Key = field("", help="The public key of the new device, if it signs.")
    held: Text = field("", help=HELD_HELP, most=20, empty=True)

    def run(self, writer: EventWriter) -> None:
        seat = self.target_seat(writer)
        _check_devices(writer, seat.id, keep_old=self.keep_old)
        body = schemas.SeatMovedEvent(by=writer.by, seat=seat.id, keep_old=self.keep_old)
        shown = _add_device(writer, body, self.key, self.held)
        writer.write("seat.moved", body, open=shown)
        stay = writer.limits.tokens - 1 if self.keep_old else 0
        writer.add_side(RevokeTokens("seat", seat=seat.id, but=stay))
        writer.add_side(AddToken(self.token_hash, "seat", seat.role, seat.id))


class ChangeRoleCommand(Command, do="seat.change_role", allowed=REFEREES):
    """A seat becomes a referee, a player or a spectator."""

    seat: Id = field(help="The seat.")
    role: Role = field(help="What it becomes.")

    def run(self, writer: EventWriter) -> None:
        seat = find_seat(writer, self.seat)
        if seat.role == self.role:
            return
        need_another_referee(writer, seat)
        writer.write(
            "seat.role_changed",
            schemas.SeatRoleChangedEvent(by=writer.by, seat=seat.id, role=self.role),
        )


class ErasePersonCommand(Command, do="person.erase", while_knocking=True):
    """The name and all texts of a person are erased; the log stays whole."""

    seat: Id = field("", help="The seat, also one that was removed; your own without it.")

    def run(self, writer: EventWriter) -> None:
        name = self.seat or writer.seat.id
        seat = writer.state.seats.get(name)
        if seat is None:
            raise command_error("not_found", "table.seat.none", "seat", name=repr(name))
        check_own_or_referee(writer, seat, self.do)
        writer.write("person.erased", schemas.SeatEvent(by=writer.by, seat=seat.id))
        writer.add_side(EraseTexts(seat.id))


class TokenHashes(Body):
    """Hashes of the tokens of a new table: yours, and those of its links."""

    seat: Hash = field(help="Of your own token.", secret=True)
    referee: Hash = field("", help="Of the link by which referees join.", secret=True)
    player: Hash = field("", help="Of the link by which players join.", secret=True)
    spectator: Hash = field("", help="Of the link by which spectators join.", secret=True)


class NewTableFields(Body):
    """Makes a table."""

    bounds: ClassVar[TableLimits] = LIMITS

    id: OwnId = field("", help=OWN_ID_HELP)
    game: Text = field("", help="The name of a game; empty for dice alone.", most=60, empty=True)
    house: Object | None = field(None, help="House rules of the game.", most="house")
    title: Text = field("", help="What the table is called.", most="title", empty=True)
    name: Text = field(help="Your name at the table.", most="name")
    knock: bool = field(False, help="Whether a referee lets each newcomer in.")
    lists: Data | None = field(None, help="Lists of the table's own.", most="lists")
    tokens: TokenHashes = field(help="Hashes of the tokens that you made.", secret=True)
    key: Key = field("", help=KEY_HELP)
    held: Text = field("", help=HELD_HELP, most=20, empty=True)
    witnesses: bool = field(False, help=WITNESSES_HELP)


class JoinFields(Body):
    """Takes a seat; the token in the header is that of a link."""

    bounds: ClassVar[TableLimits] = LIMITS

    id: OwnId = field("", help=OWN_ID_HELP)
    name: Text = field(help="Your name at the table.", most="name")
    token_hash: Hash = field(help="Of your own token.", secret=True)
    key: Key = field("", help=KEY_HELP)
    held: Text = field("", help=HELD_HELP, most=20, empty=True)


class ClaimBody(Body):
    """How somebody takes their seat again who has nothing of it but the key of a device."""

    device: Id = field(help="The device: d1, d2, …")
    token_hash: Hash = field(help="Of a new token of your own.", secret=True)
    signature: Signature = field(
        help="By the device, over the claim to this table in its epoch.", secret=True
    )


B = TypeVar("B", bound=Body)


def parse_within(kind: type[B], body: Mapping[str, object], limits: TableLimits) -> B:
    """A body where these limits hold, or a CodedError."""
    try:
        return reader_within(kind, limits)(command_data(body))
    except BadField as problem:
        raise command_field_error(problem) from None


def create_table(
    command: Mapping[str, object] | NewTableFields,
    *,
    table: str,
    secret: bytes,
    entropy: Entropy,
    limits: TableLimits = LIMITS,
) -> Decision:
    """A new table: `table.created`, and its founder's `seat.joined` as the referee s1.

    `command` is what `POST /tables` takes, a `NewTableFields` with the hashes of tokens. The sides
    hold the tokens. Refused with a CodedError.
    """
    wanted = (
        command
        if isinstance(command, NewTableFields)
        else parse_within(NewTableFields, command, limits)
    )
    links = {role: str(getattr(wanted.tokens, role)) for role in ROLES}
    given = [token for token in (wanted.tokens.seat, *links.values()) if token]
    if len(set(given)) < len(given):
        raise bad_field("tokens", Message("table.tokens.alike"))
    with as_command_errors("game"):
        if wanted.game:
            find_game(wanted.game)
    house = house_rules_of(wanted.game, wanted.house or {})
    founder = Seat("s1", REFEREE, HERE)
    writer = EventWriter(TableState.new(table), founder, Secrets(secret), entropy, limits)
    body = schemas.TableCreatedEvent(
        by=writer.by,
        table=table,
        format=FORMAT,
        rollwright=__version__,
        game=wanted.game,
        house=house,
        knock=wanted.knock,
        lists={} if wanted.lists is None else wanted.lists,
        title=writer.seal(wanted.title),
        handover=handover_commitment(handover_of(secret)),
    )
    if wanted.witnesses:
        body["witnesses"] = True
    slots = {TABLE_LANE: slot_at(secret, TABLE_LANE, 1)}
    writer.write("table.created", body, open={"slots": slots})
    _sit_down(writer, wanted.name, wanted.key, wanted.held)
    create_shared_sheet(writer, wanted.game)
    writer.add_side(AddToken(wanted.tokens.seat, "seat", REFEREE, founder.id))
    for role, token in links.items():
        if token:
            writer.add_side(AddToken(token, "link", role))
    return writer.decision


def _sit_down(writer: EventWriter, name: str, key: str, held: str) -> None:
    by, role, status = writer.seat[:3]
    check_name(name, by, writer.state.seats.values())
    body = schemas.SeatJoinedEvent(by=by, seat=by, role=role, name=writer.seal(name), status=status)
    writer.write("seat.joined", body, open=_add_device(writer, body, key, held))


def join(
    state: TableState,
    *,
    role: str,
    name: str,
    token_hash: str,
    entropy: Entropy,
    limits: TableLimits = LIMITS,
    key: str = "",
    held: str = "",
    secret: bytes = b"",
) -> Decision:
    """A new seat by a link of that role: `seat.joined`, here or knocking, and its token.

    A seat with the `key` of a device needs the `secret` of the table for its first slot.
    """
    came = {"name": name, "token_hash": token_hash, "key": key, "held": held}
    wanted = parse_within(JoinFields, came, limits)
    if role not in ROLES:
        raise bad_field(
            "role", Message("field.choice", {"came": format_value(role)}), ", ".join(ROLES)
        )
    present = [seat for seat in state.seats.values() if seat.status != REMOVED]
    if len(present) >= limits.seats:
        raise command_error("too_many", "table.full", n=limits.seats)
    if len(state.seats) >= limits.seats_ever:
        raise command_error("too_many", "table.full.ever", n=limits.seats_ever)
    knocks = state.knock and role != REFEREE
    seat = Seat(f"s{len(state.seats) + 1}", role, KNOCKING if knocks else HERE)
    writer = EventWriter(state, seat, Secrets(secret), entropy, limits)
    _sit_down(writer, wanted.name, wanted.key, wanted.held)
    writer.add_side(AddToken(wanted.token_hash, "seat", seat.role, seat.id))
    return writer.decision


def claim(
    state: TableState, came: Mapping[str, Json], limits: TableLimits = LIMITS
) -> tuple[Seat, Decision]:
    """A new token for the seat of a device that signs for it; nothing is written into the log.

    The holder of the key is the one who had the seat: tokens are not in a log, so a table that
    moves to another host knows its people by nothing else.
    """
    wanted = parse_within(ClaimBody, came, limits)
    device = state.devices.get(wanted.device)
    if device is None or device.is_gone:
        raise command_error("bad_signature", "table.claim.device", "device")
    made = claim_hash(state.table, state.epoch, device.id, wanted.token_hash)
    if not has_valid_signature(bytes.fromhex(device.key), made, bytes.fromhex(wanted.signature)):
        raise command_error("bad_signature", "table.claim.signature", "signature")
    seat = state.seats[device.seat]
    if seat.status == REMOVED:
        raise command_error("gone", "table.removed")
    sides = (
        RevokeTokens("seat", seat=seat.id, but=limits.tokens - 1),
        AddToken(wanted.token_hash, "seat", seat.role, seat.id),
    )
    return seat, Decision((), sides)
