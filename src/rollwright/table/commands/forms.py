"""Kinds of fields that the commands of a table have, and how a command is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from rollwright.errors import BadField
from rollwright.kit.bodies import matching, several, too_much
from rollwright.kit.checks import refused, said
from rollwright.kit.fields import MISSING, Field, Kind
from rollwright.plain import BadValue, check_plain
from rollwright.table.refusals import Refusal
from rollwright.table.rolls import EVERYBODY
from rollwright.words.messages import Message

MOST_ROLES = 40
OWN_ID = "[A-Za-z0-9_-]{8,64}"
OWN_ID_HELP = "Your own name for this: sent again it is done once, and answered alike."


def refusal_of_field(problem: BadField) -> Refusal:
    """The refusal that a field of a command or of a body stands for."""
    missing = Message("field.missing.named", {"field": problem.field})
    say = missing if problem.reason == MISSING else problem.wording
    return Refusal(problem.code, say, problem.field)


def plain(command: Any) -> dict[str, Any]:
    """A command as it may be looked at: plain data throughout."""
    if not isinstance(command, Mapping):
        raise Refusal("bad_request", f"a command is an object with fields, not {said(command)}")
    try:
        check_plain(dict(command))
    except BadValue as problem:
        raise Refusal("bad_request", f"the command cannot be read: {problem}") from None
    except RecursionError:
        raise Refusal("bad_request", "the command is nested too deeply") from None
    return dict(command)


def _id(about: Field, came: Any) -> str:
    if not isinstance(came, str) or not came or len(came) > 12:
        raise BadField(about.name, f"{said(came)} is no id, such as s1")
    return came


def _seats(about: Field, came: Any) -> str | tuple[str, ...]:
    return EVERYBODY if came == EVERYBODY else _ids.check(about, came)


def _seats_schema(about: Field) -> dict[str, Any]:
    return {"anyOf": [{"const": EVERYBODY}, _ids.schema(about)]}


def _faces(about: Field, came: Any) -> tuple[Any, ...]:
    if not isinstance(came, (list, tuple)):
        raise refused(about, f"{said(came)} came")
    if about.most is not None and len(came) > about.most:
        raise too_much(about, f"{len(came)}", code="too_many")
    return tuple(came)


def _roles(about: Field, came: Any) -> dict[str, str]:
    if not isinstance(came, dict) or len(came) > MOST_ROLES:
        raise refused(about, f"{said(came)} came")
    for rule_seat, seat in came.items():
        if not isinstance(seat, str) or not 0 < len(rule_seat) <= 60:
            problem = f"{said(seat)} for {said(rule_seat)}"
            raise BadField(about.name, problem, would_do='{"roller": "s2"}')
    return came


_AN_ID = {"type": "string", "minLength": 1, "maxLength": 12}
_id_kind = Kind("id", _id, lambda _: _AN_ID, "an id such as s1")
_ids = several(_id_kind, _AN_ID)
_nonce = matching("nonce", "([0-9a-f]{64})?", "is no nonce", "32 bytes as 64 hexadecimal digits")

OwnId = Annotated[
    str,
    matching("own id", OWN_ID, "came", "8 to 64 letters, digits, - or _"),
]
"""What whoever asks for something calls it, so that asking twice does it once."""
Id = Annotated[str, _id_kind]
"""The id of a seat, a sheet, a roll or an ask."""
Seats = Annotated[
    str | tuple[str, ...], Kind("seats", _seats, _seats_schema, "a list with something in it")
]
"""Some seats, or everybody."""
Hash = Annotated[
    str,
    matching(
        "hash", "[0-9a-f]{64}", "is no hash", "the SHA-256 of a token as 64 hexadecimal digits"
    ),
]
"""The SHA-256 of a token, in hexadecimal digits."""
Nonce = Annotated[str, _nonce]
"""Random bytes of a client: 32 as hexadecimal digits, or none."""
Nonces = Annotated[
    tuple[str, ...], several(_nonce, {"type": "string", "pattern": "^[0-9a-f]{64}$"})
]
Faces = Annotated[
    tuple[Any, ...],
    Kind("faces", _faces, lambda _: {"type": "array"}, "a list with a face for each die"),
]
"""A face for each die, as the dice have them."""
Roles = Annotated[
    dict[str, str],
    Kind(
        "roles",
        _roles,
        lambda _: {"type": "object", "additionalProperties": _AN_ID},
        "seats of the rule with seats of the table",
    ),
]
"""Who plays which seat of the rule."""
