"""Charts as data, before they are drawn; numbers as text; tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from rollwright.i18n.locale import decimals, in_words, reader_language

CHANCE = "%"
POINTS = "percentage points"
"""The unit of a difference between two chances."""

Number = float | Fraction
"""A value of a picture: exact where it can be, so that it is rounded but once."""


class Series(NamedTuple):
    """One row of values with a name: chances from 0 to 1, or plain numbers."""

    name: str
    values: tuple[Number | None, ...]


class Bars(NamedTuple):
    """How likely each outcome is, for one roll or for several side by side."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""
    unit: str = CHANCE
    x_name: str = ""


class Lines(NamedTuple):
    """A value that changes with another one, such as a chance with the number of dice."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""
    unit: str = CHANCE
    x_name: str = ""


class HeatMap(NamedTuple):
    """A value that changes with two others: a row of cells for each of `ys`."""

    title: str
    x_name: str
    y_name: str
    xs: tuple[str, ...]
    ys: tuple[str, ...]
    cells: tuple[tuple[Number | None, ...], ...]
    note: str = ""
    unit: str = CHANCE


Picture = Bars | Lines | HeatMap


def format_value(value: Number | None, unit: str) -> str:
    """A value as text with a sensible number of digits.

    >>> [format_value(each, "%") for each in (0.1234, 0.00012, Fraction(1, 80))]
    ['12.3 %', '0.012 %', '1.3 %']
    >>> format_value(12.244, "")
    '12.24'
    """
    if value is None:
        return ""
    if unit != CHANCE:
        short = f"{float(value):.0f}" if value == round(value) else f"{float(value):.4g}"
        return decimals(short)
    return in_words("percent", n=decimals(_share(100 * exactly(value))))


def _share(share: Fraction) -> str:
    """A chance in percent; one next to never or always is not rounded to it."""
    if share in (0, 100):
        return f"{share}"
    if Fraction(95, 100) <= share < Fraction(9995, 100):
        return format_decimal(share, 1)
    if share >= 99:
        return ">99.9"
    if share < Fraction(1, 10_000):
        return "<0.0001"
    places = next(n for n in range(1, 6) if share * 10**n >= 1) + 1
    return format_decimal(share, places).rstrip("0")


def exactly(value: Number) -> Fraction:
    """A number as a fraction: a float as the decimal that it is written as."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def format_decimal(value: Number, places: int) -> str:
    """A number with so many decimal places; a half goes up.

    >>> format_decimal(Fraction(5, 4), 1), format_decimal(2.675, 2)
    ('1.3', '2.68')
    >>> format_decimal(-1.25, 1), format_decimal(49.5, 0)
    ('-1.3', '50')
    """
    exact = exactly(value)
    units, sign = (abs(exact) * 2 * 10**places + 1) // 2, "-" if exact < 0 else ""
    whole, part = divmod(int(units), 10**places)
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


def format_number(value: Fraction | float) -> str:
    """A number with a sensible number of digits.

    >>> format_number(Fraction(15869, 1296)), format_number(Fraction(7, 2)), format_number(0.0123)
    ('12.24', '3.5', '0.0123')
    """
    return decimals(_number(value))


def _number(value: Fraction | float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    if not -1 < value < 1:
        whole, _, part = format_decimal(value, 2).partition(".")
        return f"{int(whole):,}.{part}".rstrip("0").rstrip(".")
    return f"{float(value):.3g}"


def format_amount(value: Number, unit: str) -> str:
    """A number with what it counts.

    >>> format_amount(Fraction(1, 8), "%"), format_amount(Fraction(9, 4), "turns")
    ('12.5 %', '2.25 turns')
    >>> format_amount(Fraction(-1, 8), POINTS), format_amount(Fraction(1, 1), "turns")
    ('−12.5 points', '1 turn')
    """
    if unit == CHANCE:
        return format_value(value, unit)
    if unit == POINTS:
        return in_words("points", n=format_points(value))
    one = value == 1 and reader_language() == "en"
    return f"{format_number(value)} {unit.removesuffix('s') if one else unit}".rstrip()


def format_points(change: Number) -> str:
    """A difference of chances with its sign, in percentage points.

    >>> format_points(Fraction(-1, 8)), format_points(Fraction(0))
    ('−12.5', '±0')
    """
    sign = "+" if change > 0 else "−" if change < 0 else "±"
    return f"{sign}{decimals(_share(100 * exactly(max(change, -change))))}"


def format_short(value: Number, unit: str) -> str:
    """A value for a narrow cell, without its unit.

    >>> format_short(0.495, "%"), format_short(0.0125, "%"), format_short(3.256, "")
    ('50', '1.3', '3.26')
    >>> format_short(0.9999, "%"), format_short(0.0001, "%")
    ('>99.9', '<0.1')
    """
    if unit != CHANCE:
        return decimals(f"{float(value):.3g}")
    share = 100 * exactly(value)
    if Fraction(9995, 100) <= share < 100:
        return decimals(">99.9")
    if 0 < share < Fraction(5, 100):
        return decimals("<0.1")
    whole = share in (0, 100) or Fraction(995, 100) <= share < Fraction(995, 10)
    return decimals(format_decimal(share, 0 if whole else 1))


def format_tick(value: float, unit: str) -> str:
    """A value beside an axis.

    >>> format_tick(0.05, "%"), format_tick(0.025, "%"), format_tick(2.0, "")
    ('5 %', '2.5 %', '2')
    """
    if unit != CHANCE:
        return decimals(f"{value:.4g}")
    return in_words("percent", n=decimals(f"{100 * value:.4g}"))


def longest(values: list[float]) -> float:
    """The greatest value, never zero, so that lengths can be shares of it."""
    return max([abs(value) for value in values] or [1.0]) or 1.0


def finite_values(values: Iterable[Number | None]) -> list[float]:
    """The values there are, as lengths are reckoned with."""
    return [float(value) for value in values if value is not None]


def values_of(picture: Bars | Lines) -> list[float]:
    """All values of a picture that has series."""
    return [v for series in picture.series for v in finite_values(series.values)]


SHORTEST = 8
"""A column gives way down to this many signs."""


class TextTable(NamedTuple):
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
        lines.writerows([[_without_formula(cell) for cell in row] for row in self.rows])
        return text.getvalue()

    def text(self, width: int = 80, *, whole: bool = False) -> str:
        """Columns as wide as they must be; those that find no room go below, in another block.

        A long text at the left is cut, or goes on in lines of its own to be read as a `whole`.
        """
        rows = self if not whole else self._fold_rows(width)
        return "\n\n".join(rows._block(columns) for columns in rows._blocks(width))

    def _fold_rows(self, width: int) -> TextTable:
        """The same with each row as several where a text at the left is too long for its column."""
        from itertools import zip_longest
        from textwrap import wrap

        widths = self._widths(width)
        rows: list[tuple[str, ...]] = []
        for row in self.rows:
            parts = [wrap(cell, max(wide, 1)) or [""] for cell, wide in zip(row, widths)]
            parts[self.left :] = [[cell] for cell in row[self.left :]]
            rows += zip_longest(*parts, fillvalue="")
        return self._replace(rows=tuple(rows))

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
        head = "".join(f'<th scope="col">{_escape(cell)}</th>' for cell in self.head)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _without_formula(cell: str) -> str:
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


def _escape(cell: str) -> str:
    from html import escape

    return escape(cell)
