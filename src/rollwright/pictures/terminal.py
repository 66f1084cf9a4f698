"""Pictures in the terminal: bars of eighths of a sign, and maps whose cells say their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rollwright.pictures.charts import (
    Bars,
    Grid,
    Lines,
    Number,
    Picture,
    known,
    longest,
    said,
    short_said,
    values_of,
)

if TYPE_CHECKING:
    from rollwright.dice import Die, Face

EIGHTHS = " ▏▎▍▌▋▊▉█"
SHADES = " ░▒▓█"
PLAIN_SHADES = " .:*#"
TINTS = (32, 214, 36, 166, 175, 74)
"""The terminal's nearest to Okabe and Ito's colours."""
SIGNS = "●▲■◆○△"
PLAIN_SIGNS = "*^#@o+"
SHORTEST_BAR = 6


class Page(Protocol):
    """What is printed on."""

    @property
    def width(self) -> int:
        """How many signs fit in a line."""
        ...

    @property
    def unicode(self) -> bool:
        """Whether there are more signs than ASCII has."""
        ...

    def tinted(self, text: str, colour: int) -> str:
        """The text in a colour, where that can be."""
        ...


def drawn(picture: Picture, page: Page) -> str:
    """The picture as lines of text."""
    return _map(picture, page) if isinstance(picture, Grid) else _bars(picture, page)


def bar(length: float, page: Page) -> str:
    """A bar as long as so many signs."""
    if not page.unicode:
        return "#" * round(length) or ("." if length > 0 else "")
    whole, part = divmod(round(8 * length), 8)
    return "█" * whole + (EIGHTHS[part] if part else "") or ("▏" if length > 0 else "")


def _bars(picture: Bars | Lines, page: Page) -> str:
    many = len(picture.series) > 1
    texts = [[said(v, picture.unit) for v in series.values] for series in picture.series]
    wide = max((len(text) for column in texts for text in column), default=0)
    names = min(max(map(len, picture.labels), default=0), page.width // 3)
    room = max(page.width - names - wide - 6 - 2 * many, SHORTEST_BAR)
    most = longest(values_of(picture))
    lines = _legend(picture, page) if many else []
    for row, label in enumerate(picture.labels):
        for number, series in enumerate(picture.series):
            value = float(series.values[row] or 0)
            name = _cut(label, names) if number == 0 else ""
            sign = f" {_sign(number, page)}" if many else ""
            length = bar(room * max(value, 0) / most, page)
            tinted = page.tinted(length, TINTS[number % len(TINTS)])
            lines.append(f"{name:>{names}}{sign}  {texts[number][row]:>{wide}}  {tinted}".rstrip())
    return "\n".join(lines)


def _sign(number: int, page: Page) -> str:
    signs = SIGNS if page.unicode else PLAIN_SIGNS
    return signs[number % len(signs)]


def _legend(picture: Bars | Lines, page: Page) -> list[str]:
    return [
        page.tinted(
            f"{_sign(number, page)} {series.name}"[: page.width], TINTS[number % len(TINTS)]
        )
        for number, series in enumerate(picture.series)
    ]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(width - 1, 1)] + "…"


def _map(picture: Grid, page: Page) -> str:
    """A table of numbers, shaded where there is room for it; columns that do not fit go below."""
    most = longest([cell for row in picture.cells for cell in known(row)])
    texts = [[_short(cell, picture.unit) for cell in row] for row in picture.cells]
    names = max([len(picture.y_name), *map(len, picture.ys)])
    cell = max([len(text) + 2 for row in texts for text in row] + [len(x) + 1 for x in picture.xs])
    fit = max((page.width - names - 1) // cell, 1)
    blocks = []
    for start in range(0, len(picture.xs), fit):
        part = slice(start, start + fit)
        blocks.append(f"{picture.y_name:>{names}} │ {picture.x_name}")
        blocks.append(" " * names + " │" + "".join(f"{x:>{cell}}" for x in picture.xs[part]))
        for y, row, words in zip(picture.ys, picture.cells, texts):
            cells = zip(row[part], words[part])
            line = "".join(_shaded(value, word, cell, most, page) for value, word in cells)
            blocks.append(f"{y:>{names}} │{line}")
    return "\n".join(blocks)


def _short(value: Number | None, unit: str) -> str:
    return "" if value is None else short_said(value, unit)


def _shaded(value: Number | None, word: str, width: int, most: float, page: Page) -> str:
    shades = SHADES if page.unicode else PLAIN_SHADES
    share = 0.0 if value is None else max(float(value), 0.0) / most
    shade = shades[min(round(share * (len(shades) - 1)), len(shades) - 1)]
    return f"{shade}{word}".rjust(width)


ROUND = ("╭", "─", "╮", "│", "╰", "╯")
PLAIN = ("+", "-", "+", "|", "+", "+")


def drawn_dice(dice: Sequence[tuple[Die, Face]], page: Page) -> str:
    """Each die with its face inside and its kind below: `[(D8, 3), (D12, 11)]`."""
    boxes = [_box(str(face), _kind(die), page) for die, face in dice]
    lines: list[str] = []
    row: list[list[str]] = []
    for box in boxes:
        if row and sum(len(b[0]) + 1 for b in row) + len(box[0]) > page.width:
            lines += _joined(row)
            row = []
        row.append(box)
    return "\n".join(lines + _joined(row))


def _kind(die: Die) -> str:
    shape = f"D{len(die.faces)}"
    return f"{die.name} {shape}" if die.name else shape


def _box(face: str, kind: str, page: Page) -> list[str]:
    corner, flat, right, side, low, low_right = ROUND if page.unicode else PLAIN
    inside = max(len(face) + 2, 5)
    wide = max(inside + 2, len(kind))
    box = [
        corner + flat * inside + right,
        side + face.center(inside) + side,
        low + flat * inside + low_right,
        kind,
    ]
    return [line.center(wide) for line in box]


def _joined(row: list[list[str]]) -> list[str]:
    return [" ".join(parts).rstrip() for parts in zip(*row)]
