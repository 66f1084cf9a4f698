"""Dice as they lie, drawn flat: a body for each shape, and what its face shows.

The page draws turning solids; what is saved or pasted elsewhere is one still picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from typing import NamedTuple

from rollwright.pictures.marks import escape_svg

Point = tuple[float, float]

SIGNS = {
    "⌖": "crosshair",
    "✹": "burst",
    "⁍": "bullet",
    "✓": "won",
    "✗": "lost",
    "+": "plus",
    "−": "minus",
    "♛": "crown",
}
"""Signs that games write for marks which are drawn here."""
SOLIDS = (4, 6, 8, 10, 12, 20, 100)
DROPPED = "dropped"
GONE = (DROPPED, "again")
"""How dice lie that count no more, or were taken up."""


class DieDrawing(NamedTuple):
    """One die as it lies: a pure value, made of what a roll's answer says."""

    shape: str
    """d4 to d20, d100, coin, fate, card, or round for any other number of sides."""
    face: str
    tone: str = "even"
    symbols: tuple[str, ...] = ()
    alone: bool = False
    """Whether the symbols replace the number."""
    lies: str = ""
    """counts, dropped, kept, again, or nothing."""
    other: bool = False
    """Whether it is of the second set of dice."""
    pips: bool = False
    name: str = ""
    """The text below it."""


def shape_of(sides: int | None, face: object, name: str = "") -> str:
    """Return the shape of a die of so many sides; faces that are words are printed on a card.

    >>> shape_of(20, 17), shape_of(7, 3), shape_of(None, "heads", "coin")
    ('d20', 'round', 'coin')
    """
    if sides == 2 or (name == "coin" and sides is None):
        return "coin"
    if sides is None:
        return "card"
    return f"d{sides}" if sides in SOLIDS else "round"


class _DieBody(NamedTuple):
    outline: tuple[Point, ...]
    front: tuple[Point, ...]
    at: Point
    size: float
    """How large the number is written, of 100."""


def _ring(count: int, radius: float, turn: float = 0.0, middle: Point = (50, 50)) -> list[Point]:
    angles = [2 * pi * n / count - pi / 2 + turn for n in range(count)]
    return [(middle[0] + radius * cos(a), middle[1] + radius * sin(a)) for a in angles]


BODIES = {
    "d4": _DieBody(((50, 6), (96, 82), (4, 82)), ((50, 20), (84, 76), (16, 76)), (50, 58), 28),
    "d6": _DieBody(
        ((14, 14), (86, 14), (86, 86), (14, 86)), ((20, 20), (80, 20), (80, 80), (20, 80)),
        (50, 50), 36,
    ),
    "d8": _DieBody(tuple(_ring(6, 47)), tuple(_ring(3, 40, middle=(50, 52))), (50, 53), 30),
    "d10": _DieBody(
        ((50, 3), (95, 42), (95, 60), (50, 97), (5, 60), (5, 42)),
        ((50, 12), (80, 57), (50, 72), (20, 57)), (50, 48), 30,
    ),
    "d12": _DieBody(tuple(_ring(10, 47)), tuple(_ring(5, 31)), (50, 51), 31),
    "d20": _DieBody(tuple(_ring(6, 48)), tuple(_ring(3, 34, middle=(50, 53))), (50, 54), 25),
}  # fmt: skip


class FaceMark(NamedTuple):
    """A mark in a box of 24 by 24 around the middle: areas, lines, and what is cut out."""

    area: str = ""
    line: str = ""
    width: float = 3
    hole: str = ""


def _circle(r: float) -> str:
    return f"M{r} 0A{r} {r} 0 1 1-{r} 0A{r} {r} 0 1 1 {r} 0Z"


def _star(points: int, outer: float, inner: float) -> str:
    corners = []
    for n in range(2 * points):
        far = inner if n % 2 else outer * (0.82 if n % 4 else 1)
        angle = n * pi / points - pi / 2
        corners.append(f"{cos(angle) * far:.1f} {sin(angle) * far:.1f}")
    return f"M{'L'.join(corners)}Z"


BULLET = "M-4.2-2.6C-4.2-7.4-1.8-10.6 0-12 1.8-10.6 4.2-7.4 4.2-2.6Z"
MARKS = {
    "crosshair": FaceMark(_circle(1.2), f"{_circle(6.6)}M0-11V-4M0 11V4M-11 0H-4M11 0H4", 2.2),
    "burst": FaceMark(_star(9, 12, 5.6), hole=_circle(2.6)),
    "bullet": FaceMark(f"{BULLET}M-4.2-1.2h8.4v9h-8.4zM-5.2 9.2h10.4v2.8h-10.4z"),
    "won": FaceMark(line="M-9 0.5-3 7 9-7"),
    "lost": FaceMark(line="M-7-7 7 7M7-7-7 7"),
    "plus": FaceMark(line="M0-9V9M-9 0H9"),
    "minus": FaceMark(line="M-9 0H9"),
    "crown": FaceMark("M-10 7V-6L-4.5-0.5 0-8.5 4.5-0.5 10-6V7Z"),
}
"""The marks that the page draws too."""

PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw_die(die: DieDrawing, x: float, y: float, size: float, icons: Mapping[str, str]) -> str:
    """A die in a box of that size at a place; what does not count any more is dim."""
    dim = ' opacity="0.38"' if die.lies in GONE else ""
    kind = "die2" if die.other else "die"
    drawn = [f'<g transform="translate({_n(x)} {_n(y)}) scale({size / 100:.3f})"{dim}>']
    if die.tone not in ("even", "") and not dim:
        drawn.append(f'<circle class="glow {_tone(die.tone)}" cx="50" cy="50" r="54"/>')
    drawn += [*_body(die.shape, kind), *_face(die, f"{kind}-ink", icons)]
    if die.lies == "kept":
        drawn.append(f'<circle class="{kind}-ink" cx="50" cy="96" r="4"/>')
    if die.lies == DROPPED:
        drawn.append('<path class="struck" d="M10 90 90 10"/>')
    return "".join([*drawn, "</g>"])


def _tone(tone: str) -> str:
    """A bad face burns as an awful verdict does, as on the page."""
    return f"on-{'awful' if tone == 'bad' else tone}"


def _body(shape: str, kind: str) -> list[str]:
    if shape in BODIES:
        body = BODIES[shape]
        return [
            f'<path class="{kind} edge" d="{_path(body.outline)}"/>',
            f'<path class="lit" d="{_path(body.front)}"/>',
        ]
    if shape in ("coin", "d100", "round"):
        dashes = ' stroke-dasharray="2.2 3"' if shape == "coin" else ""
        rim = f'<circle class="rim" cx="50" cy="50" r="36"{dashes}/>'
        return [f'<circle class="{kind} edge" cx="50" cy="50" r="44"/>', rim]
    if shape == "fate":
        return [f'<rect class="{kind} edge" x="12" y="12" width="76" height="76" rx="15"/>']
    return [
        f'<rect class="{kind} edge" x="12" y="4" width="76" height="92" rx="9"/>',
        '<rect class="rim" x="18" y="10" width="64" height="80" rx="5"/>',
    ]


def _face(die: DieDrawing, ink: str, icons: Mapping[str, str]) -> list[str]:
    body = BODIES.get(die.shape)
    (x, y), size = (body.at, body.size) if body else ((50.0, 50.0), 31.0)
    symbols = die.symbols[:6]
    if symbols and die.alone:
        large = size * (0.8 if len(symbols) > 1 else 1.25)
        return _row(symbols, (x, y), large, ink, icons)
    if die.pips and die.face.isdigit() and not symbols and int(die.face) in PIPS:
        pips = PIPS[int(die.face)]
        return [
            f'<circle class="{ink}" cx="{_n(x + 18 * a)}" cy="{_n(y + 18 * b)}" r="7.4"/>'
            for a, b in pips
        ]
    text = die.face[:14]
    fitted = _font_size(die.shape, text, size)
    high = y - size * 0.16 if symbols else y
    drawn = [
        f'<text class="face {ink}" x="{_n(x)}" y="{_n(high + fitted * 0.35)}" '
        f'style="font-size:{_n(fitted)}px">{escape_svg(text)}</text>'
    ]
    if symbols:
        small = size * (0.44 if len(symbols) > 2 else 0.62)
        drawn += _row(symbols, (x, y + size * 0.58), small, ink, icons)
    return drawn


def _font_size(shape: str, text: str, size: float) -> float:
    if shape in ("card", "coin", "fate"):
        return min(26.0, 84 / max(len(text), 1))
    return size * 2.1 / len(text) if len(text) > 2 else size


def _row(
    symbols: tuple[str, ...], at: Point, size: float, ink: str, icons: Mapping[str, str]
) -> list[str]:
    """Symbols side by side."""
    first = at[0] - (len(symbols) - 1) / 2 * 1.24 * size
    return [
        _symbol(name, (first + n * 1.24 * size, at[1]), size, ink, icons)
        for n, name in enumerate(symbols)
    ]


def _symbol(name: str, at: Point, size: float, ink: str, icons: Mapping[str, str]) -> str:
    mark = MARKS.get(SIGNS.get(name, name))
    x, y = at
    if mark is not None:
        place = f"translate({_n(x)} {_n(y)}) scale({size / 24:.3f})"
        return f'<g transform="{place}">{_mark(mark, ink)}</g>'
    if name in icons:
        place = f"translate({_n(x - size / 2)} {_n(y - size / 2)}) scale({size / 24:.3f})"
        return f'<g transform="{place}">{icons[name]}</g>'
    large = size * 0.95 / max(1, len(name) * 0.6)
    return (
        f'<text class="face {ink}" x="{_n(x)}" y="{_n(y + large * 0.35)}" '
        f'style="font-size:{_n(large)}px">{escape_svg(name[:14])}</text>'
    )


def _mark(mark: FaceMark, ink: str) -> str:
    parts = [
        f'<path class="{ink}" fill-rule="evenodd" d="{mark.area}{mark.hole}"/>'
        if mark.area
        else "",
        f'<path class="{ink}-line" d="{mark.line}" stroke-width="{mark.width}"/>'
        if mark.line
        else "",
    ]
    return "".join(parts)


def _path(points: tuple[Point, ...]) -> str:
    return f"M{'L'.join(f'{_n(x)} {_n(y)}' for x, y in points)}Z"


def _n(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")
