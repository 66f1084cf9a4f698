"""The workbench's own questions beside all of `ask`, as checked fields."""

from __future__ import annotations

from typing import Literal

from rollwright.errors import BadField
from rollwright.i18n.messages import Message
from rollwright.kit.fields import field
from rollwright.queries.kinds import AnyDiceQuery, Plain, Query, left_out, text

LONGEST_PROGRAM, MOST_EXAMPLES = 200_000, 100
LONGEST_NAME, MOST_LINES = 200, 60


class ProgramQuery(Query):
    """Asks what a program shows."""

    text: str = field(help="Dice expressions, one a line, and Python below.", most=LONGEST_PROGRAM)
    arguments: Plain | None = left_out("By rule the values of its arguments, by name.")
    policies: Plain | None = left_out("By rule the policy that its choices are made by.")
    view: Literal["each", "at_least", "at_most"] = field(
        "each", help="What pictures of odds show: each outcome, it or more, it or less."
    )


class Example(Query):
    """Asks what an example of a page shows."""

    text: str = field(help="Its Python.", most=LONGEST_PROGRAM)
    above: tuple[str, ...] | None = left_out(
        "The examples above it on its page, from the top: run first, unseen.", MOST_EXAMPLES
    )


class Gallery(Query):
    """Asks for the worked mechanics."""

    name: str | None = text("One of them; all without it.", 60)


class CodeQuery(Query):
    """Asks for a program that makes a request of a game, to be changed."""

    request: Plain = field(help="What is rolled: its `game`, `roll` and fields.")


class GridQuery(Query):
    """Asks for the picture of numbers that came one after the other, and for the numbers."""

    title: str = field(help="What the numbers are.", most=LONGEST_NAME)
    across: str = field(help="What changes from column to column.", most=LONGEST_NAME)
    down: str = field(help="What changes from row to row.", most=LONGEST_NAME)
    columns: tuple[str, ...] = field(help="The columns.", most=MOST_LINES)
    rows: tuple[str, ...] = field(help="The rows.", most=MOST_LINES)
    cells: tuple[str, ...] = field(
        help="The numbers exactly, row by row; empty where there is none.", most=MOST_LINES**2
    )
    chance: bool = field(default=True, help="Whether they are chances.")

    def check(self) -> None:
        if len(self.cells) != len(self.columns) * len(self.rows):
            came = Message("field.came", {"came": len(self.cells)})
            raise BadField("cells", came, would_do=f"{len(self.columns) * len(self.rows)}")


class SheetQuery(Query):
    """Asks for a sheet as widgets, after something was done to it."""

    game: str = field(help="The game.", most=60)
    sheet: Plain | None = left_out("The values of the sheet; as a new one has them without.")
    command: Plain | None = left_out(
        "What is done to it by hand: `sheet.change`, `sheet.change_item` or "
        "`sheet.apply_effect` of a table."
    )
    transcript: Plain | None = left_out("A roll that has ended, whose effects happen to it.")


class ChancesQuery(Query):
    """Asks what each roll that a sheet begins is worth."""

    game: str = field(help="The game.", most=60)
    sheet: Plain | None = left_out("The values of the sheet; as a new one has them without.")


class Package(Query):
    """Asks for the game of a program as a folder that can be installed."""

    text: str = field(help="The program with the game.", most=LONGEST_PROGRAM)
    game: str | None = left_out("The game; the first one without it.", 60)


KINDS: dict[str, type[Query]] = {
    "program": ProgramQuery,
    "example": Example,
    "from_anydice": AnyDiceQuery,
    "gallery": Gallery,
    "code": CodeQuery,
    "grid": GridQuery,
    "sheet": SheetQuery,
    "chances": ChancesQuery,
    "package": Package,
}
"""The classes by the name of the question."""
