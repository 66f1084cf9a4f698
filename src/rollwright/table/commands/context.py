"""The parts of a command: kinds of fields, and lookups of seats, sheets and rolls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, ClassVar, NamedTuple, TypeGuard

from rollwright.errors import BadField, with_likeliest
from rollwright.i18n.messages import Message
from rollwright.jsonable import BadValue, Json, JsonObject, check_jsonable
from rollwright.kit.bodies import Body, matching, several, too_much
from rollwright.kit.checks import field_error, format_value
from rollwright.kit.fields import MISSING, Field, Kind
from rollwright.kit.shared import TABLE
from rollwright.table.commands.writer import EventWriter
from rollwright.table.errors import CodedError, NeedsEvents, command_error
from rollwright.table.events import PLAYER, REFEREE, REMOVED, ROLES, Audience, Seat, is_in_audience
from rollwright.table.limits import LIMITS, TableLimits
from rollwright.table.rolls import EVERYBODY, TableRoll
from rollwright.table.sheets import Sheet
from rollwright.table.signatures import is_key
from rollwright.table.state import TableState
from rollwright.table.visibility import may_name, sheet_for, sheets_for

MOST_ROLES = 40
OWN_ID = "[A-Za-z0-9_-]{8,64}"
_own_id = re.compile(OWN_ID)
OWN_ID_HELP = "Your own name for this: sent again it is done once, and answered alike."


def command_field_error(problem: BadField) -> CodedError:
    """Return the refusal for a bad field of a command or of a body."""
    missing = Message("field.missing.named", {"field": problem.field})
    say = missing if problem.reason == MISSING else problem.wording
    return CodedError(problem.code, say, problem.field)


def check_own_id(came: object) -> str:
    """The id that a client gave to what it asks for, so that asking twice does it once."""
    if not is_own_id(came):
        raise CodedError(
            "bad_field", "id: 8 to 64 letters, digits, - or _ of your own would do", "id"
        )
    return came


def is_own_id(came: object) -> TypeGuard[str]:
    """Whether something has the form of an id that a client gives."""
    return isinstance(came, str) and _own_id.fullmatch(came) is not None


def command_data(command: object) -> JsonObject:
    """A command as it may be looked at: plain data throughout."""
    if not isinstance(command, Mapping):
        raise CodedError(
            "bad_request", f"a command is an object with fields, not {format_value(command)}"
        )
    came = dict(command)
    try:
        check_jsonable(came)
    except BadValue as problem:
        raise CodedError("bad_request", f"the command cannot be read: {problem}") from None
    except RecursionError:
        raise CodedError("bad_request", "the command is nested too deeply") from None
    return came


def _id(about: Field, came: object) -> str:
    if not isinstance(came, str) or not came or len(came) > 12:
        raise BadField(about.name, f"{format_value(came)} is no id, such as s1")
    return came


def _seats(about: Field, came: object) -> str | tuple[str, ...]:
    return EVERYBODY if came == EVERYBODY else _ids.check(about, came)


def _seats_schema(about: Field) -> dict[str, object]:
    return {"anyOf": [{"const": EVERYBODY}, _ids.schema(about)]}


def _key(about: Field, came: object) -> str:
    if came == "":
        return ""
    if not isinstance(came, str) or not _hex.fullmatch(came) or not is_key(bytes.fromhex(came)):
        raise field_error(about, f"{format_value(came)} came")
    return came


_hex = re.compile("[0-9a-f]{64}")


def _faces(about: Field, came: object) -> tuple[Json, ...]:
    if not isinstance(came, (list, tuple)):
        raise field_error(about, f"{format_value(came)} came")
    if about.most is not None and len(came) > about.most:
        raise too_much(about, f"{len(came)}", code="too_many")
    return tuple(came)


def _roles(about: Field, came: object) -> dict[str, str]:
    return check_roles(about.name, came)


def check_roles(field: str, came: object) -> dict[str, str]:
    """Who plays which seat of the rule, or a refusal."""
    if not isinstance(came, dict) or len(came) > MOST_ROLES:
        raise BadField(field, f"{format_value(came)} came", would_do=WHO_PLAYS)
    for rule_seat, seat in came.items():
        if not isinstance(seat, str) or not 0 < len(rule_seat) <= 60:
            problem = f"{format_value(seat)} for {format_value(rule_seat)}"
            raise BadField(field, problem, would_do='{"roller": "s2"}')
    return came


WHO_PLAYS = "seats of the rule with seats of the table"


_AN_ID = {"type": "string", "minLength": 1, "maxLength": 12}
_id_kind = Kind("id", _id, lambda _: _AN_ID, "an id such as s1")
_ids = several(_id_kind, _AN_ID)
_nonce = matching("nonce", "([0-9a-f]{64})?", "is no nonce", "32 bytes as 64 hexadecimal digits")

OwnId = Annotated[str, matching("own id", OWN_ID, "came", "8 to 64 letters, digits, - or _")]
"""A name that the client gives its request, so that asking twice does it once."""
Id = Annotated[str, _id_kind]
"""The id of a seat, a sheet, a roll or an ask."""
Seats = Annotated[
    str | tuple[str, ...], Kind("seats", _seats, _seats_schema, "a list with something in it")
]
"""Some seats, or everybody."""
Ids = Annotated[tuple[str, ...], _ids]
"""Some of them, each once."""
Signature = Annotated[
    str,
    matching("signature", "[0-9a-f]{128}", "is no signature", "128 hexadecimal digits of Ed25519"),
]
Hash = Annotated[
    str,
    matching(
        "hash", "[0-9a-f]{64}", "is no hash", "the SHA-256 of a token as 64 hexadecimal digits"
    ),
]
"""The SHA-256 of a token, in hexadecimal digits."""
Nonce = Annotated[str, _nonce]
"""Random bytes of a client: 32 as hexadecimal digits, or none."""
Hashes = Annotated[
    tuple[str, ...], several(_nonce, {"type": "string", "pattern": "^[0-9a-f]{64}$"})
]
Key = Annotated[
    str,
    Kind(
        "key",
        _key,
        lambda _: {"type": "string", "pattern": "^([0-9a-f]{64})?$"},
        "a public key of Ed25519 as 64 hexadecimal digits",
    ),
]
"""The public key of a device; none where it signs nothing."""
Faces = Annotated[
    tuple[Json, ...],
    Kind("faces", _faces, lambda _: {"type": "array"}, "a list with a face for each die"),
]
"""A face for each die, as the dice have them."""
Roles = Annotated[
    dict[str, str],
    Kind(
        "roles",
        _roles,
        lambda _: {"type": "object", "additionalProperties": _AN_ID},
        WHO_PLAYS,
    ),
]
"""Who plays which seat of the rule."""


SIGNS, THROWS = "signs", "throws"
REFEREES = (REFEREE,)
PLAYERS = (PLAYER, REFEREE)
ANYBODY = ROLES


class Command(Body):
    """Something that somebody does at a table; a subclass has its fields, and does it:
    `class Say(Command, do="chat.send", allowed=PLAYERS)`.
    """

    bounds: ClassVar[TableLimits] = LIMITS
    do: ClassVar[str] = ""
    """Its name."""
    allowed: ClassVar[tuple[str, ...]] = ANYBODY
    """The roles that may give it."""
    while_knocking: ClassVar[bool] = False
    """Whether somebody may who is not let in yet."""
    signs: ClassVar[str] = ""
    """Whether devices sign it: THROWS where dice may follow from it, SIGNS where none do."""
    nonce = ""
    """The client's part in the dice; commands that throw have it as a field."""

    def __init_subclass__(
        cls,
        *,
        do: str = "",
        allowed: tuple[str, ...] = ANYBODY,
        while_knocking: bool = False,
        signs: str = "",
    ) -> None:
        cls.do, cls.allowed, cls.while_knocking = do, allowed, while_knocking
        cls.signs = signs or cls.signs
        super().__init_subclass__()

    def run(self, writer: EventWriter) -> None:
        """Write what it comes to, or refuse it."""
        raise NotImplementedError(self.do)

    def seers(self, state: TableState, by: str) -> Seers:
        """Who may see what comes of it: for what dice may follow from."""
        return Seers(None)


class Seers(NamedTuple):
    """Who may know of a roll."""

    audience: Audience
    announced: bool = True
    """Whether the others learn that there is something."""
    roll: str = ""
    """The roll, if it has begun."""


def seers_of_roll(state: TableState, by: str, name: str) -> Seers:
    """Who may know of a roll that is gone on with; somebody who may not see it learns nothing."""
    roll = state.roll(name)
    if roll is None or not may_name(roll, state.seats[by]):
        return Seers((by,))
    return Seers(roll.seers, roll.announce or not roll.is_secret, roll.id)


def find_seat(writer: EventWriter, name: str, field: str = "seat") -> Seat:
    """A seat that has not been removed."""
    seat = writer.state.seats.get(name)
    if seat is None:
        known = [s.id for s in writer.state.seats.values() if s.status != REMOVED]
        raise CodedError("not_found", _unknown_id("table.seat.none", name, known), field)
    if seat.status == REMOVED:
        raise command_error("gone", "table.seat.removed", field, seat=name)
    return seat


def check_own_or_referee(writer: EventWriter, seat: Seat, what: str) -> None:
    """Refuse somebody who is neither that seat nor a referee."""
    if writer.seat.id != seat.id and not writer.seat.is_referee:
        raise command_error("forbidden", "table.for.seat", what=what, seat=seat.id)


def need_another_referee(writer: EventWriter, seat: Seat) -> None:
    """Refuse to leave the table without a referee."""
    others = [s for s in writer.state.seats.values() if s.is_referee and s.id != seat.id]
    if seat.is_referee and not others:
        raise command_error("conflict", "table.referee.only", "seat", seat=seat.id)


def find_sheet(writer: EventWriter, name: str) -> Sheet:
    """A sheet that the one who commands may see."""
    sheet = sheet_for(writer.state, writer.seat, name)
    if sheet is None:
        known = [one.id for one in sheets_for(writer.state, writer.seat)]
        raise CodedError("not_found", _unknown_id("table.sheet.none", name, known), "sheet")
    return sheet


def find_own_sheet(writer: EventWriter, name: str) -> Sheet:
    """A sheet that the one who commands may change."""
    sheet = find_sheet(writer, name)
    if sheet.owner not in (writer.seat.id, TABLE) and not writer.seat.is_referee:
        raise command_error("forbidden", "table.sheet.other", "sheet", sheet=name)
    return sheet


def find_roll(writer: EventWriter, name: str) -> TableRoll:
    """A roll that the one who commands may know of; of a silent secret nothing is said."""
    roll = writer.state.roll(name)
    if roll is None or not may_name(roll, writer.seat):
        raise command_error("not_found", "table.roll.none", "roll", name=format_value(name))
    return roll


def check_whole_roll(roll: TableRoll) -> TableRoll:
    """A roll with all that it was made of; that of an old one has to be read again."""
    if not roll.is_whole:
        raise NeedsEvents(roll.seqs)
    return roll


def find_open_roll(writer: EventWriter, name: str) -> TableRoll:
    """A roll that still waits for something; whether it does is no business of outsiders."""
    roll = find_roll(writer, name)
    if writer.seat.id != roll.by and not writer.seat.is_referee:
        check_sees_roll(writer, roll)
    if not roll.is_open:
        raise command_error("conflict", "table.roll.over", "roll", roll=name, status=roll.status)
    return roll


def check_sees_roll(writer: EventWriter, roll: TableRoll) -> None:
    """Refuse somebody who may not see the roll."""
    if not is_in_audience(writer.seat, roll.seers):
        kind = roll.visibility
        raise command_error("forbidden", "table.roll.unseen", roll=roll.id, visibility=kind)


def check_may_roll(writer: EventWriter, roll: TableRoll, what: str) -> None:
    """Refuse somebody who neither rolls nor is a referee."""
    if writer.seat.id != roll.by and not writer.seat.is_referee:
        raise command_error("forbidden", "table.for.roller", what=what, seat=roll.by)


def _unknown_id(id: str, name: str, known: list[str]) -> Message:
    """That there is none of that name, and which was probably meant."""
    return with_likeliest(Message(id, {"name": format_value(name)}), str(name)[:40], known)
