"""Pictures as plain SVG, for light and dark pages: bars and lines on logarithmic scales."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

NAMES = {"ours": "Rollwright", "icepool": "icepool", "dyce": "dyce"}

# Okabe and Ito's colours, which all kinds of colour vision tell apart; lighter blue on dark.
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #222 }
.small { font-size: 10px } .title { font-size: 15px; font-weight: 600 }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #8884; stroke-width: 1 } .page { fill: #fff }
.ours { fill: #0072b2; stroke: #0072b2 } .icepool { fill: #e69f00; stroke: #e69f00 }
.dyce { fill: #009e73; stroke: #009e73 }
.open { fill-opacity: .25; stroke-dasharray: 4 3 } .line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #eee } .page { fill: #16181d }
  .ours { fill: #56b4e9; stroke: #56b4e9 }
}
"""


class Mark(NamedTuple):
    """One value in a picture: a time in seconds, or only a word where there is none."""

    library: str
    seconds: float | None
    said: str
    stopped: bool = False


class Scale(NamedTuple):
    """A logarithmic axis: values from `low` to `high` between two places."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> Scale:
        """An axis of whole powers of ten that holds all values."""
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        return cls(10.0**low, 10.0 ** max(high, low + 1), start, end)

    def at(self, value: float) -> float:
        """The place of a value."""
        share = log10(value / self.low) / log10(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def powers(self) -> list[float]:
        """The powers of ten on the axis."""
        first, last = round(log10(self.low)), round(log10(self.high))
        return [10.0**power for power in range(first, last + 1)]


def bars(title: str, groups: Sequence[tuple[str, Sequence[Mark]]]) -> str:
    """Horizontal bars of times, a group for each workload."""
    bar, gap, top, left, width = 11, 9, 74, 232, 800
    values = [mark.seconds for _, marks in groups for mark in marks if mark.seconds]
    scale = Scale.over(values, left, width - 74)
    height = top + sum(len(marks) * bar + gap for _, marks in groups) + 24
    parts = [*_heading(title, left), *_time_grid(scale, top - 8, height - 22)]
    y = top
    for label, marks in groups:
        parts.append(_text(left - 8, y + len(marks) * bar / 2 + 4, label, "end"))
        for mark in marks:
            parts += _bar(mark, scale, y, bar - 2)
            y += bar
        y += gap
    return _picture(title, width, height, parts)


def _bar(mark: Mark, scale: Scale, y: float, height: float) -> list[str]:
    if not mark.seconds:
        return [_text(scale.start + 4, y + height, f"{NAMES[mark.library]}: {mark.said}", "small")]
    end = scale.at(mark.seconds)
    kind = f"{mark.library} open" if mark.stopped else mark.library
    shape = f'<rect class="{kind}" x="{scale.start:g}" y="{y:g}" height="{height:g}"'
    return [
        f'{shape} width="{end - scale.start:.1f}"/>',
        _text(end + 4, y + height, mark.said, "small"),
    ]


def _time_grid(scale: Scale, top: float, bottom: float) -> list[str]:
    parts = []
    for power in scale.powers():
        x = scale.at(power)
        parts.append(f'<path class="grid" d="M{x:g} {top:g}V{bottom:g}"/>')
        parts.append(_text(x, bottom + 14, power_of_time(power), "small middle"))
    return parts


def power_of_time(seconds: float) -> str:
    """A power of ten of seconds in words.

    >>> power_of_time(0.00001), power_of_time(0.1), power_of_time(10)
    ('10 µs', '100 ms', '10 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.999:
            return f"{round(seconds / size)} {unit}"
    return f"{seconds / 1e-9:g} ns"


class Line(NamedTuple):
    """One line of a panel: a library's times by size."""

    library: str
    points: Sequence[tuple[int, float]]


class Panel(NamedTuple):
    """Lines over one axis of sizes."""

    title: str
    lines: Sequence[Line]


def curves(title: str, panels: Sequence[Panel]) -> str:
    """Panels side by side, times by size, both logarithmic."""
    width, height, top, bottom = 800, 400, 86, 352
    values = [seconds for panel in panels for line in panel.lines for _, seconds in line.points]
    scale = Scale.over(values, bottom, top)
    room = width / len(panels)
    parts = _heading(title, 60)
    for number, panel in enumerate(panels):
        parts += _panel(panel, scale, number * room + 60, (number + 1) * room - 66)
    return _picture(title, width, height, parts)


def _panel(panel: Panel, times: Scale, left: float, right: float) -> list[str]:
    sizes = sorted({size for line in panel.lines for size, _ in line.points})
    across = Scale(sizes[0], sizes[-1], left, right)
    parts = [_text((left + right) / 2, times.end - 14, panel.title, "middle")]
    for power in times.powers():
        y = times.at(power)
        parts.append(f'<path class="grid" d="M{left:g} {y:g}H{right:g}"/>')
        parts.append(_text(left - 6, y + 4, power_of_time(power), "small end"))
    for size in sizes:
        x = across.at(size)
        parts.append(f'<path class="grid" d="M{x:g} {times.start:g}V{times.end:g}"/>')
        parts.append(_text(x, times.start + 16, f"{size:,}", "small middle"))
    ends: list[float] = []
    for line in panel.lines:
        parts += _curve(line, across, times, ends)
    return parts


def _curve(line: Line, across: Scale, times: Scale, ends: list[float]) -> list[str]:
    places = [(across.at(size), times.at(seconds)) for size, seconds in line.points]
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in places)
    parts = [f'<path class="{line.library} line" d="{path}"/>']
    parts += [_dot(line.library, x, y) for x, y in places]
    x, y = places[-1]
    while any(abs(y - other) < 12 for other in ends):
        y -= 12
    ends.append(y)
    return [*parts, _text(x + 7, y + 4, NAMES[line.library], "small")]


def _dot(library: str, x: float, y: float) -> str:
    """A point, shaped by library, for whoever sees no colour."""
    if library == "ours":
        return f'<circle class="{library}" cx="{x:g}" cy="{y:g}" r="4"/>'
    turn = f' transform="rotate(45 {x:g} {y:g})"' if library == "dyce" else ""
    corner = f'x="{x - 3.5:g}" y="{y - 3.5:g}"'
    return f'<rect class="{library}" {corner} width="7" height="7"{turn}/>'


def _heading(title: str, left: float) -> list[str]:
    parts = [_text(16, 26, title, "title")]
    for number, (library, name) in enumerate(NAMES.items()):
        x = left + 110 * number
        parts += [_dot(library, x + 5, 46), _text(x + 15, 50, name)]
    return parts


def _text(x: float, y: float, said: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x:g}" y="{y:g}">{escape(said)}</text>'


def _picture(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        '<rect class="page" width="100%" height="100%"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
