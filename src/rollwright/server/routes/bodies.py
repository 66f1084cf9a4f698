"""The bodies of the routes at a table, field by field."""

from __future__ import annotations

from typing import Literal

from rollwright.kit.fields import field
from rollwright.queries.kinds import LONGEST_EXPRESSION, PartsQuery, Plain, Query, left_out, text


class TablePreview(PartsQuery):
    """Asks about a roll at a table that is not made yet: what and whose, as in roll.start."""

    expression: str | None = text("Dice as they are written: 4d6kh3+2.", LONGEST_EXPRESSION)
    dialect: str | None = text(
        "The tool whose spelling the expression has; the table's own without it.", 40
    )
    request: Plain | None = left_out("A request of the table's game, as data.")
    draft: Plain | None = left_out("`roll`, `pick` and `set`; the sheet fills in the rest.")
    sheet: str | None = text("The sheet; your own without it.")


class TableForm(Query):
    """Asks for the form of a roll at a table: what and whose, as in roll.start."""

    draft: Plain = field(
        help="`roll`, `pick` (things on the sheet by name) and `set` (fields that are said)."
    )
    sheet: str | None = text("The sheet; your own without it.")
    purpose: Literal["roll", "ask", "explore"] | None = left_out("What it is for.")
    hash: str | None = text("The hash of the form that whoever asks has.", 64)
    n: int = field(0, help="The number of the draft, which the answer has too.", low=0)


class TableAdvice(Query):
    """Asks for advice on an open roll of a table."""

    goal: str | None = text("A goal of the game, or prices; the roll's own without it.")
