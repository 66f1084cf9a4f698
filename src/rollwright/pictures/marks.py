"""The marks an SVG picture is made of, and the scales they are set on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

DASHES = ("", "7 4", "2 4", "10 3 2 3", "5 2", "12 4")
WIDTH = 720


class SvgSheet:
    """A page on which marks are put."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.parts: list[str] = []

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        """Words at a place."""
        named = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{_n(x)}" y="{_n(y)}"{named}>{escape_svg(words)}</text>')

    def box(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """A filled box."""
        self.parts.append(
            f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" '
            f'width="{_n(max(width, 0))}" height="{_n(max(height, 0))}"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        """A straight line."""
        self.parts.append(
            f'<line class="{kind}" x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"/>'
        )

    def path(self, points: list[tuple[float, float]], kind: str, dashes: str = "") -> None:
        """A line through points."""
        if not points:
            return
        route = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<path class="{kind}" d="{route}"{dashed}/>')

    def marker(self, x: float, y: float, number: int) -> None:
        """Draw the symbol of a series: its shape identifies it, its colour only helps."""
        kind = f"fill{number % 6}"
        shapes = (
            f'<circle class="{kind}" cx="{_n(x)}" cy="{_n(y)}" r="3.6"/>',
            _polygon(kind, x, y, [(-4.5, 3.5), (4.5, 3.5), (0, -4.5)]),
            f'<rect class="{kind}" x="{_n(x - 3.3)}" y="{_n(y - 3.3)}" width="6.6" height="6.6"/>',
            _polygon(kind, x, y, [(-4.8, 0), (0, -4.8), (4.8, 0), (0, 4.8)]),
            _polygon(kind, x, y, [(-4.5, -3.5), (4.5, -3.5), (0, 4.5)]),
            _polygon(kind, x, y, [(-4, -1.6), (4, -1.6), (4, 1.6), (-4, 1.6)]),
        )
        self.parts.append(shapes[number % 6])


def _polygon(kind: str, x: float, y: float, corners: list[tuple[float, float]]) -> str:
    points = " ".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in corners)
    return f'<polygon class="{kind}" points="{points}"/>'


def _n(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def escape_svg(text: str) -> str:
    """Text that is safe inside SVG; signs that XML forbids are left out."""
    from html import escape

    return escape("".join(sign for sign in text if sign.isprintable()), quote=True)


class Scale(NamedTuple):
    """An axis from `low` to `high` between two places."""

    low: float
    high: float
    start: float
    end: float
    step: float

    def at(self, value: float) -> float:
        """The place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round values along the axis."""
        count = round((self.high - self.low) / self.step)
        return [self.low + self.step * number for number in range(count + 1)]


def scale(values: list[float], start: float, end: float, *, full: bool = False) -> Scale:
    """An axis with round ends that holds zero and every value; `full` ends at 1 at the latest."""
    low, high = min([0.0, *values]), max([0.0, *values])
    if high == low:
        high = low + 1
    rough = (high - low) / 4
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
    top = ceil(high / step - 1e-9) * step
    if full and top > 1:
        top = 1.0
        step = 0.25 if step > 0.21 else step
    return Scale(floor(low / step + 1e-9) * step, top, start, end, step)


def visible_labels(labels: Sequence[str], room: float) -> list[int]:
    """Which labels have room below an axis: all, or those at round numbers.

    >>> visible_labels([str(n) for n in range(8, 23)], 5)
    [2, 7, 12]
    """
    widest = max((text_width(label, 11) for label in labels), default=0) + 6
    every = max(1, ceil(widest / max(room, 1)))
    power = 10 ** floor(log10(every))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= every)
    if all(label.lstrip("-").isdigit() for label in labels):
        return [n for n, label in enumerate(labels) if int(label) % step == 0]
    return list(range(0, len(labels), every))


def text_width(text: str, size: float = 12) -> float:
    """About how wide a text is: safe for the fonts that pages use."""
    return len(text) * size * 0.6


def shorten(text: str, room: float, size: float = 12) -> str:
    """The text, cut where it has no room."""
    most = max(int(room / (size * 0.6)), 2)
    return text if len(text) <= most else text[: most - 1] + "…"


Swatch = Callable[[SvgSheet, float, float, int], None]
"""Draws what a series looks like beside its name."""


def line_swatch(sheet: SvgSheet, x: float, y: float, number: int) -> None:
    """A piece of the line with its sign."""
    sheet.path([(x, y), (x + 20, y)], f"line stroke{number % 6}", DASHES[number % 6])
    sheet.marker(x + 10, y, number)


def heading(
    sheet: SvgSheet, title: str, note: str, names: list[str], swatch: Swatch = line_swatch
) -> float:
    """Title, note and legend at the top; the place below them."""
    left, y = 16.0, 28.0
    for line in _lines(title, sheet.width - 2 * left, 16):
        sheet.text(left, y, line, "title")
        y += 20
    for line in _lines(note, sheet.width - 2 * left, 12):
        sheet.text(left, y, line, "note")
        y += 16
    return _legend(sheet, names, y + 4, swatch) if len(names) > 1 else y


def _legend(sheet: SvgSheet, names: list[str], y: float, swatch: Swatch) -> float:
    left = x = 16.0
    for number, name in enumerate(names):
        name = shorten(name, sheet.width - 2 * left - 30)
        if x + 28 + text_width(name) > sheet.width - left and x > left:
            x, y = left, y + 18
        swatch(sheet, x, y - 4, number)
        sheet.text(x + 26, y, name)
        x += 26 + text_width(name) + 24
    return y + 18


def _lines(text: str, room: float, size: float) -> list[str]:
    from textwrap import wrap

    return wrap(text, max(int(room / (size * 0.55)), 10))[:3]
