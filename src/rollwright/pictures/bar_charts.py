"""Bars: upright where the labels are short, lying where they are long."""

from __future__ import annotations

from rollwright.pictures.charts import CHANCE, Bars, Number, said, tick_said, values_of
from rollwright.pictures.marks import (
    WIDTH,
    Scale,
    Sheet,
    heading,
    labels_shown,
    scale,
    shortened,
    text_width,
)

LEFT, RIGHT, PLOT = 56, 16, 260
GAP = 4
"""What stays free between the values of bars side by side."""
STRIPES = (0, 5, 9, 5, 8, 11)
"""How far apart the stripes of each series are; the first has none."""


def bar_chart(picture: Bars) -> Sheet:
    """The bars on a sheet of their own."""
    room = (WIDTH - LEFT - RIGHT) / max(len(picture.labels), 1)
    widest = max((text_width(label, 11) for label in picture.labels), default=0)
    skipping = all(label.lstrip("-").isdigit() for label in picture.labels)
    if widest + 4 <= room or (skipping and room >= 7):
        return _upright(picture, room)
    return _lying(picture)


def _names(picture: Bars) -> list[str]:
    return [series.name for series in picture.series]


def _upright(picture: Bars, room: float) -> Sheet:
    sheet = Sheet(WIDTH, 0)
    top = heading(sheet, picture.title, picture.note, _names(picture), _swatch) + 14
    floor = top + PLOT
    sheet.height = floor + (52 if picture.x_name else 32)
    full = picture.unit == CHANCE
    axis = scale(values_of(picture), floor, top, full=full)
    _rules(sheet, axis, picture.unit)
    count = len(picture.series)
    wide = min(room * 0.86 / count, 44)
    labelled = count == 1 or all(_fits(v, wide, picture.unit) for v in values_of(picture))
    for place in labels_shown(picture.labels, room):
        sheet.text(LEFT + room * (place + 0.5), floor + 16, picture.labels[place], "middle small")
    for place in range(len(picture.labels)):
        middle = LEFT + room * (place + 0.5)
        for number, series in enumerate(picture.series):
            x = middle - wide * count / 2 + wide * number
            value = series.values[place]
            if value is not None:
                top_of_bar = _bar(sheet, axis, x, wide, float(value), number)
                if value and labelled and _fits(value, wide, picture.unit):
                    words = _label(value, picture.unit)
                    sheet.text(x + wide / 2 - 1, top_of_bar - 4, words, "middle tiny")
    if picture.x_name:
        sheet.text((LEFT + WIDTH - RIGHT) / 2, floor + 40, picture.x_name, "middle note")
    sheet.line(LEFT, axis.at(0), WIDTH - RIGHT, axis.at(0), "axis")
    return sheet


def _swatch(sheet: Sheet, x: float, y: float, number: int) -> None:
    sheet.box(x, y - 8, 20, 14, f"fill{number % 6}")
    _hatched(sheet, x, y - 8, 20, 14, number)


def _sign(sheet: Sheet, x: float, y: float, number: int) -> None:
    sheet.marker(x + 10, y, number)


def _rules(sheet: Sheet, axis: Scale, unit: str) -> None:
    for tick in axis.ticks():
        sheet.line(LEFT, axis.at(tick), WIDTH - RIGHT, axis.at(tick), "grid")
        sheet.text(LEFT - 8, axis.at(tick) + 4, tick_said(tick, unit), "end small")


def _bar(sheet: Sheet, axis: Scale, x: float, wide: float, value: float, number: int) -> float:
    """A bar, and where it ends above."""
    y, base = sorted((axis.at(value), axis.at(0)))
    sheet.box(x, y, wide - 2, base - y, f"fill{number % 6}")
    _hatched(sheet, x, y, wide - 2, base - y, number)
    return y


def _label(value: Number, unit: str) -> str:
    return said(value, unit).replace(" %", "")


def _fits(value: Number, wide: float, unit: str) -> bool:
    """Whether the value has room above its bar, with a gap to the next one."""
    return text_width(_label(value, unit), 10) + GAP <= wide


def _hatched(sheet: Sheet, x: float, y: float, width: float, height: float, number: int) -> None:
    """Stripes that tell series apart without colour: lying ones, then upright ones."""
    gap = STRIPES[number % 6]
    if number % 6 in (1, 2):
        for place in range(1, int(height / gap) + 1):
            at = y + height - place * gap
            sheet.line(x, at, x + width, at, "hatch")
    elif gap:
        for place in range(1, int(width / gap) + 1):
            sheet.line(x + place * gap, y, x + place * gap, y + height, "hatch")


def _lying(picture: Bars) -> Sheet:
    sheet = Sheet(WIDTH, 0)
    top = heading(sheet, picture.title, picture.note, _names(picture), _sign) + 6
    left = min(max((text_width(label) for label in picture.labels), default=0) + 24, 300)
    thick = 18 if len(picture.series) == 1 else 13
    axis = scale(values_of(picture), left, WIDTH - 80)
    y = top
    for place, label in enumerate(picture.labels):
        middle = y + thick * len(picture.series) / 2 + 4
        sheet.text(left - 8, middle, shortened(label, left - 24), "end")
        for number, series in enumerate(picture.series):
            value = series.values[place] or 0.0
            end = axis.at(float(value))
            sheet.box(axis.at(0), y, end - axis.at(0), thick - 2, f"fill{number % 6}")
            if len(picture.series) > 1:
                sheet.marker(end + 7, y + thick / 2 - 1, number)
            shift = 16 if len(picture.series) > 1 else 6
            sheet.text(end + shift, y + thick - 5, said(value, picture.unit), "small")
            y += thick
        y += 8
    sheet.height = y + 12
    return sheet
