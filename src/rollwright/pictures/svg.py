"""Pictures as SVG, written by hand: light and dark, clear without colour, with a text."""

from __future__ import annotations

import re

from rollwright.pictures.charts import (
    CHANCE,
    Bars,
    HeatMap,
    Lines,
    Number,
    Picture,
    finite_values,
    format_short,
    format_tick,
    format_value,
    values_of,
)
from rollwright.pictures.marks import (
    DASHES,
    WIDTH,
    Scale,
    SvgSheet,
    escape_svg,
    heading,
    scale,
    shorten,
    text_width,
    visible_labels,
)

# Okabe and Ito's colours, distinct for all kinds of colour vision; lighter ones on dark.
LIGHT = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
DARK = ("#56b4e9", "#e69f00", "#2fc39b", "#ff8a4c", "#e0a0c4", "#b9dcf5")

SCOPE = "rollwright-picture"
"""The class of every picture, to which its style keeps."""
STYLE = """
text { font-family: system-ui, "DejaVu Sans", "Liberation Sans", Arial, sans-serif;
  font-size: 12px; fill: #222 }
.title { font-size: 16px; font-weight: 600 } .note { font-size: 12px; fill: #555 }
.small { font-size: 11px } .tiny { font-size: 10px }
.end { text-anchor: end } .middle { text-anchor: middle }
.page { fill: #fff } .grid { stroke: #ddd; stroke-width: 1 } .axis { stroke: #888 }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round }
.hatch { stroke: #fff; stroke-width: 2 } .cell { stroke: #fff; stroke-width: 1 }
.on-dark { fill: #fff } .on-light { fill: #222 }
"""
DARK_STYLE = """
text { fill: #e8e8e8 } .note { fill: #aaa } .page { fill: #16181d }
.grid { stroke: #333842 } .axis { stroke: #888 } .hatch { stroke: #16181d }
.cell { stroke: #16181d } .on-dark { fill: #fff } .on-light { fill: #222 }
"""


def svg(picture: Picture) -> str:
    """The picture as one SVG document."""
    sheet = _draw(picture)
    title, words = picture.title or "odds", _describe(picture)
    name = _id_of(title + words)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {sheet.height}" '
            f'width="{sheet.width}" height="{sheet.height}" class="{SCOPE}" role="img" '
            f'aria-labelledby="{name}-title {name}-desc">',
            f'<title id="{name}-title">{escape_svg(title)}</title>',
            f'<desc id="{name}-desc">{escape_svg(words)}</desc>',
            f"<style>{_style()}</style>",
            f'<rect class="page" width="{sheet.width}" height="{sheet.height}" rx="6"/>',
            *sheet.parts,
            "</svg>\n",
        ]
    )


def _id_of(words: str) -> str:
    """Return a name for the parts of one picture, so that two on a page do not clash."""
    from zlib import crc32

    return f"picture-{crc32(words.encode()):08x}"


def _draw(picture: Picture) -> SvgSheet:
    if isinstance(picture, HeatMap):
        return heat_map(picture)
    return curve_chart(picture) if isinstance(picture, Lines) else bar_chart(picture)


def _style() -> str:
    light = "\n".join(_colour_rules(n, colour) for n, colour in enumerate(LIGHT))
    dark = "\n".join(_colour_rules(n, colour) for n, colour in enumerate(DARK))
    by_day, by_night = _scope_style(f"{STYLE}{light}"), _scope_style(f"{DARK_STYLE}{dark}")
    return f"{by_day}\n@media (prefers-color-scheme: dark) {{{by_night}\n}}\n"


def _scope_style(style: str) -> str:
    """The same style for this picture alone: inside a page, such as a notebook, it is not alone."""
    return re.sub(r"(?<!\S)([.\w-]+) \{", rf".{SCOPE} \1 {{", style)


def _colour_rules(number: int, colour: str) -> str:
    return f".fill{number} {{ fill: {colour} }} .stroke{number} {{ stroke: {colour} }}"


def _describe(picture: Picture) -> str:
    """All values in words, for those who hear the picture."""
    if isinstance(picture, HeatMap):
        rows = [
            f"{picture.y_name} {y}: " + ", ".join(format_value(cell, picture.unit) for cell in row)
            for y, row in zip(picture.ys, picture.cells)
        ]
        return f"{picture.x_name} {', '.join(picture.xs)}. " + "; ".join(rows) + "."
    return " ".join(_describe_series(picture, number) for number in range(len(picture.series)))


def _describe_series(picture: Bars | Lines, number: int) -> str:
    series = picture.series[number]
    values = zip(picture.labels, series.values)
    listed = ", ".join(
        f"{label}: {format_value(v, picture.unit)}" for label, v in values if v is not None
    )
    return f"{series.name}: {listed}." if series.name else f"{listed}."


LEFT, RIGHT, PLOT = 56, 16, 260
GAP = 4
"""Space between the values of bars side by side."""
STRIPES = (0, 5, 9, 5, 8, 11)
"""How far apart the stripes of each series are; the first has none."""


def bar_chart(picture: Bars) -> SvgSheet:
    """The bars on a sheet of their own."""
    room = (WIDTH - LEFT - RIGHT) / max(len(picture.labels), 1)
    widest = max((text_width(label, 11) for label in picture.labels), default=0)
    skipping = all(label.lstrip("-").isdigit() for label in picture.labels)
    if widest + 4 <= room or (skipping and room >= 7):
        return _upright(picture, room)
    return _lying(picture)


def _names(picture: Bars) -> list[str]:
    return [series.name for series in picture.series]


def _upright(picture: Bars, room: float) -> SvgSheet:
    sheet = SvgSheet(WIDTH, 0)
    top = heading(sheet, picture.title, picture.note, _names(picture), _swatch) + 14
    floor = top + PLOT
    sheet.height = floor + (52 if picture.x_name else 32)
    full = picture.unit == CHANCE
    axis = scale(values_of(picture), floor, top, full=full)
    _rules(sheet, axis, picture.unit)
    count = len(picture.series)
    wide = min(room * 0.86 / count, 44)
    labelled = count == 1 or all(_fits(v, wide, picture.unit) for v in values_of(picture))
    for place in visible_labels(picture.labels, room):
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


def _swatch(sheet: SvgSheet, x: float, y: float, number: int) -> None:
    sheet.box(x, y - 8, 20, 14, f"fill{number % 6}")
    _hatch(sheet, x, y - 8, 20, 14, number)


def _sign(sheet: SvgSheet, x: float, y: float, number: int) -> None:
    sheet.marker(x + 10, y, number)


def _rules(sheet: SvgSheet, axis: Scale, unit: str) -> None:
    for tick in axis.ticks():
        sheet.line(LEFT, axis.at(tick), WIDTH - RIGHT, axis.at(tick), "grid")
        sheet.text(LEFT - 8, axis.at(tick) + 4, format_tick(tick, unit), "end small")


def _bar(sheet: SvgSheet, axis: Scale, x: float, wide: float, value: float, number: int) -> float:
    """A bar, and where it ends above."""
    y, base = sorted((axis.at(value), axis.at(0)))
    sheet.box(x, y, wide - 2, base - y, f"fill{number % 6}")
    _hatch(sheet, x, y, wide - 2, base - y, number)
    return y


def _label(value: Number, unit: str) -> str:
    return format_value(value, unit).replace(" %", "")


def _fits(value: Number, wide: float, unit: str) -> bool:
    """Whether the value has room above its bar, with a gap to the next one."""
    return text_width(_label(value, unit), 10) + GAP <= wide


def _hatch(sheet: SvgSheet, x: float, y: float, width: float, height: float, number: int) -> None:
    """Draw stripes that identify series without colour: horizontal ones, then vertical ones."""
    gap = STRIPES[number % 6]
    if number % 6 in (1, 2):
        for place in range(1, int(height / gap) + 1):
            at = y + height - place * gap
            sheet.line(x, at, x + width, at, "hatch")
    elif gap:
        for place in range(1, int(width / gap) + 1):
            sheet.line(x + place * gap, y, x + place * gap, y + height, "hatch")


def _lying(picture: Bars) -> SvgSheet:
    sheet = SvgSheet(WIDTH, 0)
    top = heading(sheet, picture.title, picture.note, _names(picture), _sign) + 6
    left = min(max((text_width(label) for label in picture.labels), default=0) + 24, 300)
    thick = 18 if len(picture.series) == 1 else 13
    axis = scale(values_of(picture), left, WIDTH - 80)
    y = top
    for place, label in enumerate(picture.labels):
        middle = y + thick * len(picture.series) / 2 + 4
        sheet.text(left - 8, middle, shorten(label, left - 24), "end")
        for number, series in enumerate(picture.series):
            value = series.values[place] or 0.0
            end = axis.at(float(value))
            sheet.box(axis.at(0), y, end - axis.at(0), thick - 2, f"fill{number % 6}")
            if len(picture.series) > 1:
                sheet.marker(end + 7, y + thick / 2 - 1, number)
            shift = 16 if len(picture.series) > 1 else 6
            sheet.text(end + shift, y + thick - 5, format_value(value, picture.unit), "small")
            y += thick
        y += 8
    sheet.height = y + 12
    return sheet


CURVE_RIGHT, CURVE_PLOT = 24, 280
MOST_MARKERS = 40
MOST_NUMBERS = 16


def curve_chart(picture: Lines) -> SvgSheet:
    """The curves on a sheet of their own."""
    sheet = SvgSheet(WIDTH, 0)
    names = [series.name for series in picture.series]
    top = heading(sheet, picture.title, picture.note, names) + 14
    floor = top + CURVE_PLOT
    sheet.height = floor + (52 if picture.x_name else 34)
    axis = scale(values_of(picture), floor, top, full=picture.unit == CHANCE)
    for tick in axis.ticks():
        sheet.line(LEFT, axis.at(tick), WIDTH - CURVE_RIGHT, axis.at(tick), "grid")
        sheet.text(LEFT - 8, axis.at(tick) + 4, format_tick(tick, picture.unit), "end small")
    _labels(sheet, picture, floor)
    for number in range(len(picture.series)):
        _curve(sheet, picture, axis, number)
    sheet.line(LEFT, axis.at(0), WIDTH - CURVE_RIGHT, axis.at(0), "axis")
    return sheet


def _place(picture: Lines, number: int) -> float:
    steps = max(len(picture.labels) - 1, 1)
    return LEFT + 14 + (WIDTH - LEFT - CURVE_RIGHT - 28) * number / steps


def _labels(sheet: SvgSheet, picture: Lines, floor: float) -> None:
    room = _place(picture, 1) - _place(picture, 0)
    for number in visible_labels(picture.labels, room):
        sheet.text(_place(picture, number), floor + 16, picture.labels[number], "middle small")
    if picture.x_name:
        sheet.text((LEFT + WIDTH - CURVE_RIGHT) / 2, floor + 40, picture.x_name, "middle note")


def _curve(sheet: SvgSheet, picture: Lines, axis: Scale, number: int) -> None:
    values = picture.series[number].values
    points = [
        (_place(picture, place), axis.at(float(value)))
        for place, value in enumerate(values)
        if value is not None
    ]
    sheet.path(points, f"line stroke{number % 6}", DASHES[number % len(DASHES)])
    every = max(1, len(points) // MOST_MARKERS)
    for x, y in points[::every]:
        sheet.marker(x, y, number)
    if len(picture.series) == 1 and len(points) <= MOST_NUMBERS:
        _numbers(sheet, points, [v for v in values if v is not None], picture.unit)


def _numbers(
    sheet: SvgSheet, points: list[tuple[float, float]], values: list[Number], unit: str
) -> None:
    """The value beside each point, on the side where the line is not."""
    for number, ((x, y), value) in enumerate(zip(points, values)):
        rising = number + 1 < len(values) and values[number + 1] > value
        words = format_value(value, unit).replace(" %", "")
        sheet.text(x + (4 if rising else 0), y - 8, words, "end tiny" if rising else "middle tiny")


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


def heat_map(picture: HeatMap) -> SvgSheet:
    """The map on a sheet of its own."""
    sheet = SvgSheet(WIDTH, 0)
    top = heading(sheet, picture.title, picture.note, []) + 30
    left = max([text_width(y) for y in picture.ys] + [text_width(picture.y_name) + 14]) + 28
    left = min(left, 200)
    wide = (WIDTH - left - 16) / max(len(picture.xs), 1)
    tall = min(max(wide, 22), 34)
    sheet.height = top + tall * len(picture.ys) + 16
    sheet.text(left, top - 22, f"{picture.x_name} →", "note")
    sheet.text(left - 8, top - 6, f"{shorten(picture.y_name, left - 24)} ↓", "end note")
    for number, x in enumerate(picture.xs):
        sheet.text(left + wide * (number + 0.5), top - 6, shorten(x, wide + 6), "middle small")
    _cells(sheet, picture, left, top, wide, tall)
    return sheet


def _cells(
    sheet: SvgSheet, picture: HeatMap, left: float, top: float, wide: float, tall: float
) -> None:
    values = [cell for row in picture.cells for cell in finite_values(row)]
    low = 0.0 if picture.unit == CHANCE else min(values, default=0.0)
    high = max(values, default=1.0)
    for down, (y, row) in enumerate(zip(picture.ys, picture.cells)):
        sheet.text(left - 8, top + tall * (down + 0.5) + 4, y, "end small")
        for across, value in enumerate(row):
            share = 0.0 if value is None or high == low else (float(value) - low) / (high - low)
            step = min(int(share * len(STEPS)), len(STEPS) - 1)
            x, at = left + wide * across, top + tall * down
            _cell(sheet, (x, at, wide, tall), step, _words(value, picture.unit, wide))


def _cell(sheet: SvgSheet, place: tuple[float, float, float, float], step: int, words: str) -> None:
    x, y, wide, tall = place
    sheet.parts.append(
        f'<rect class="cell" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
        f'fill="{STEPS[step]}"/>'
    )
    kind = "on-dark" if step >= FIRST_DARK else "on-light"
    if words:
        sheet.parts.append(
            f'<text class="middle small {kind}" x="{x + wide / 2:.1f}" y="{y + tall / 2 + 4:.1f}">'
            f"{escape_svg(words)}</text>"
        )


def _words(value: Number | None, unit: str, wide: float) -> str:
    if value is None:
        return ""
    text = format_short(value, unit)
    if unit == CHANCE and text_width(text + " %", 11) <= wide:
        text += " %"
    return text if text_width(text, 11) <= wide + 8 else ""
