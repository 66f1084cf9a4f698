"""Curves: a value along an axis, one line for each series, told apart by sign and dash."""

from __future__ import annotations

from rollwright.pictures.charts import CHANCE, Lines, Number, said, tick_said, values_of
from rollwright.pictures.marks import DASHES, WIDTH, Scale, Sheet, heading, labels_shown, scale

LEFT, RIGHT, PLOT = 56, 24, 280
MOST_MARKERS = 40
MOST_NUMBERS = 16


def curve_chart(picture: Lines) -> Sheet:
    """The curves on a sheet of their own."""
    sheet = Sheet(WIDTH, 0)
    names = [series.name for series in picture.series]
    top = heading(sheet, picture.title, picture.note, names) + 14
    floor = top + PLOT
    sheet.height = floor + (52 if picture.x_name else 34)
    axis = scale(values_of(picture), floor, top, full=picture.unit == CHANCE)
    for tick in axis.ticks():
        sheet.line(LEFT, axis.at(tick), WIDTH - RIGHT, axis.at(tick), "grid")
        sheet.text(LEFT - 8, axis.at(tick) + 4, tick_said(tick, picture.unit), "end small")
    _labels(sheet, picture, floor)
    for number in range(len(picture.series)):
        _curve(sheet, picture, axis, number)
    sheet.line(LEFT, axis.at(0), WIDTH - RIGHT, axis.at(0), "axis")
    return sheet


def _place(picture: Lines, number: int) -> float:
    steps = max(len(picture.labels) - 1, 1)
    return LEFT + 14 + (WIDTH - LEFT - RIGHT - 28) * number / steps


def _labels(sheet: Sheet, picture: Lines, floor: float) -> None:
    room = _place(picture, 1) - _place(picture, 0)
    for number in labels_shown(picture.labels, room):
        sheet.text(_place(picture, number), floor + 16, picture.labels[number], "middle small")
    if picture.x_name:
        sheet.text((LEFT + WIDTH - RIGHT) / 2, floor + 40, picture.x_name, "middle note")


def _curve(sheet: Sheet, picture: Lines, axis: Scale, number: int) -> None:
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
    sheet: Sheet, points: list[tuple[float, float]], values: list[Number], unit: str
) -> None:
    """The value beside each point, on the side where the line is not."""
    for number, ((x, y), value) in enumerate(zip(points, values)):
        rising = number + 1 < len(values) and values[number + 1] > value
        words = said(value, unit).replace(" %", "")
        sheet.text(x + (4 if rising else 0), y - 8, words, "end tiny" if rising else "middle tiny")
