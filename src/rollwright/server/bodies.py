"""The bodies that questions come in: JSON, read by the fields of the question."""

from __future__ import annotations

from typing import Any

from rollwright.ask.kinds import LONGEST_EXPRESSION, Plain, Question, Wanted, given, left_out, text
from rollwright.errors import BadField, Refusal
from rollwright.server.codec import received

MOST_SHOWN = 60


class TablePreview(Wanted):
    """Asks about a roll at a table that is not made yet: what and whose, as in roll.start."""

    expression: str | None = text("Dice as they are written: 4d6kh3+2.", LONGEST_EXPRESSION)
    request: Plain | None = left_out("A request of the table's game, as data.")
    from_sheet: Plain | None = left_out("`roll` and the fields that the sheet does not fill in.")
    sheet: str | None = text("The sheet; your own without it.")


class TableAdvice(Question):
    """Asks for advice on an open roll of a table."""

    goal: str | None = text("A goal of the game, or prices; the roll's own without it.")


def body_of(data: bytes, shape: type[Question]) -> dict[str, Any]:
    """The fields in some JSON that were given, checked."""
    plain = object_of(data)
    try:
        shape.from_plain(plain)
    except BadField as problem:
        raise Refusal("bad_field", str(problem), problem.field[:MOST_SHOWN]) from None
    return given(shape, plain)


def object_of(data: bytes) -> dict[str, Any]:
    """The names and values in some JSON."""
    plain = received(data)
    if not isinstance(plain, dict):
        raise Refusal("bad_field", "the body: this is no object of names and values")
    return plain
