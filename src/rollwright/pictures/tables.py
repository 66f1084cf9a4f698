"""Tables: as text in columns, as CSV, and as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SHORTEST = 8
"""A column gives way down to this many signs."""


class Table(NamedTuple):
    """A heading and rows of texts; the first `left` columns begin at the left."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1

    def csv(self) -> str:
        """The table as spreadsheets read it."""
        from csv import writer
        from io import StringIO

        text = StringIO()
        lines = writer(text, lineterminator="\n")
        lines.writerow(self.head)
        lines.writerows([[_harmless(cell) for cell in row] for row in self.rows])
        return text.getvalue()

    def text(self, width: int = 80) -> str:
        """Columns as wide as they must be; those that find no room go below, in another block."""
        return "\n\n".join(self._block(columns) for columns in self._blocks(width))

    def _block(self, columns: list[tuple[int, int]]) -> str:
        lines = [self._line(line, columns) for line in (self.head, *self.rows)]
        return "\n".join([lines[0], "─" * max(map(len, lines)), *lines[1:]])

    def _blocks(self, width: int) -> list[list[tuple[int, int]]]:
        """The columns that fit side by side, with their widths; each begins with the first."""
        first, *others = enumerate(self._widths(width))
        blocks, left = [[first]], width - first[1]
        for number, wide in others:
            if wide + 2 > left and len(blocks[-1]) > 1:
                blocks.append([first])
                left = width - first[1]
            left -= wide + 2
            blocks[-1].append((number, wide))
        return blocks

    def _widths(self, width: int) -> list[int]:
        """How wide each column is; a long text at the left gives way."""
        lines = (self.head, *self.rows)
        widths = [max(len(line[n]) for line in lines) for n in range(len(self.head))]
        excess = sum(widths) + 2 * len(widths) - 2 - width
        if excess > 0 and self.left:
            longest = max(range(self.left), key=lambda n: widths[n])
            widths[longest] = max(widths[longest] - excess, min(widths[longest], SHORTEST))
        return widths

    def _line(self, line: Sequence[str], columns: Iterable[tuple[int, int]]) -> str:
        cells = [
            _cut(line[n], wide).ljust(wide) if n < self.left else line[n].rjust(wide)
            for n, wide in columns
        ]
        return "  ".join(cells).rstrip()

    def html(self) -> str:
        """The table for a page."""
        head = "".join(f'<th scope="col">{_escaped(cell)}</th>' for cell in self.head)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_escaped(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _harmless(cell: str) -> str:
    """A cell that a spreadsheet does not take for a formula."""
    if cell[:1] in "=@\t\r" or (cell[:1] in "+-" and not _is_number(cell)):
        return "'" + cell if cell else cell
    return cell


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace("/", "").replace(" ", ""))
    except ValueError:
        return False
    return True


def _escaped(cell: str) -> str:
    from html import escape

    return escape(cell)
