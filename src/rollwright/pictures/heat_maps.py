"""Heat maps: a cell for each pair of values, with its number in it."""

from __future__ import annotations

from rollwright.pictures.charts import CHANCE, Grid, Number, known, short_said
from rollwright.pictures.marks import WIDTH, Sheet, escaped, heading, shortened, text_width

STEPS = (
    "#f7fbff",
    "#deebf7",
    "#c6dbef",
    "#9ecae1",
    "#6baed6",
    "#4292c6",
    "#2171b5",
    "#08519c",
    "#08306b",
)
"""Light to dark in one hue, so that it can be read in grey as well."""
FIRST_DARK = 5


def heat_map(picture: Grid) -> Sheet:
    """The map on a sheet of its own."""
    sheet = Sheet(WIDTH, 0)
    top = heading(sheet, picture.title, picture.note, []) + 30
    left = max([text_width(y) for y in picture.ys] + [text_width(picture.y_name) + 14]) + 28
    left = min(left, 200)
    wide = (WIDTH - left - 16) / max(len(picture.xs), 1)
    tall = min(max(wide, 22), 34)
    sheet.height = top + tall * len(picture.ys) + 16
    sheet.text(left, top - 22, f"{picture.x_name} →", "note")
    sheet.text(left - 8, top - 6, f"{shortened(picture.y_name, left - 24)} ↓", "end note")
    for number, x in enumerate(picture.xs):
        sheet.text(left + wide * (number + 0.5), top - 6, shortened(x, wide + 6), "middle small")
    _cells(sheet, picture, left, top, wide, tall)
    return sheet


def _cells(sheet: Sheet, picture: Grid, left: float, top: float, wide: float, tall: float) -> None:
    values = [cell for row in picture.cells for cell in known(row)]
    low = 0.0 if picture.unit == CHANCE else min(values, default=0.0)
    high = max(values, default=1.0)
    for down, (y, row) in enumerate(zip(picture.ys, picture.cells)):
        sheet.text(left - 8, top + tall * (down + 0.5) + 4, y, "end small")
        for across, value in enumerate(row):
            share = 0.0 if value is None or high == low else (float(value) - low) / (high - low)
            step = min(int(share * len(STEPS)), len(STEPS) - 1)
            x, at = left + wide * across, top + tall * down
            _cell(sheet, (x, at, wide, tall), step, _words(value, picture.unit, wide))


def _cell(sheet: Sheet, place: tuple[float, float, float, float], step: int, words: str) -> None:
    x, y, wide, tall = place
    sheet.parts.append(
        f'<rect class="cell" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
        f'fill="{STEPS[step]}"/>'
    )
    kind = "on-dark" if step >= FIRST_DARK else "on-light"
    if words:
        sheet.parts.append(
            f'<text class="middle small {kind}" x="{x + wide / 2:.1f}" y="{y + tall / 2 + 4:.1f}">'
            f"{escaped(words)}</text>"
        )


def _words(value: Number | None, unit: str, wide: float) -> str:
    if value is None:
        return ""
    text = short_said(value, unit)
    if unit == CHANCE and text_width(text + " %", 11) <= wide:
        text += " %"
    return text if text_width(text, 11) <= wide + 8 else ""
