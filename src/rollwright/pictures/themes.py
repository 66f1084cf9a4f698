"""The colours and pictures of a game, made safe: what is written on them can be read.

A game names three colours. What the page needs of them by day and by night is made here, where
every pair of a text and its ground is held to a contrast of 4.5 to 1; a colour that is too near is
moved until it is not. Pictures are looked through here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rollwright.errors import BadField

if TYPE_CHECKING:
    from rollwright.kit.card import Theme

CONTRAST = 4.5
STEPS = 20
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
LONGEST_ICON, MOST_ICONS = 4000, 40
SHAPES = frozenset(("svg", "g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"))
ATTRIBUTES = frozenset(
    (
        *("viewBox", "width", "height", "d", "points", "transform", "opacity"),
        *("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry"),
        *("fill", "fill-rule", "fill-opacity", "stroke", "stroke-width", "stroke-opacity"),
        *("stroke-linecap", "stroke-linejoin", "stroke-dasharray"),
    )
)
SVG = "http://www.w3.org/2000/svg"
ATTRIBUTE = re.compile(r"""([A-Za-z0-9:-]+)=("[^"'<>&]*"|'[^"'<>&]*')""")
TAG = re.compile(rf"<(/?)([A-Za-z]+)((?:\s+{ATTRIBUTE.pattern.replace('(', '(?:')})*)\s*(/?)>")

Rgb = tuple[int, int, int]


class Ground(NamedTuple):
    """What the page has by day or by night, which a game's colours stand on or under."""

    nearest: str
    """The ground that is nearest to a text in an accent."""
    ink: str
    """What is written on a tint of the felt."""
    paper: str
    on_felt: str
    """What is written on the felt itself."""


GROUNDS = {
    "light": Ground("#e4d9c5", "#231f18", "#fffbf3", "#f5f1e4"),
    "dark": Ground("#3b2f17", "#f3ebdb", "#211c16", "#ffffff"),
}
INKS = ("#2a2417", "#fbf5e6")
"""What is written on dice: on light ones and on dark ones."""


def theme_shown(theme: Theme) -> dict[str, dict[str, str]]:
    """The colours by day and by night, by the names that the page has for them.

    >>> from rollwright.kit.card import Theme
    >>> theme_shown(Theme(accent="#ffdd00"))["light"]
    {'link': '#665800'}
    """
    for name, colour in theme._asdict().items():
        if colour and not COLOUR.fullmatch(colour):
            raise BadField(f"theme.{name}", f"{colour!r:.40} is no colour", would_do="#1d5a4c")
    return {when: _colours(theme, ground) for when, ground in GROUNDS.items() if any(theme)}


def _colours(theme: Theme, ground: Ground) -> dict[str, str]:
    found: dict[str, str] = {}
    if theme.felt:
        felt = apart(theme.felt, ground.on_felt)
        deep = _mixed(_rgb(felt), BLACK, 7)
        soft = _mixed(_rgb(felt), _rgb(ground.paper), 16)
        found |= {"felt": felt, "felt-deep": deep, "felt-ink": ground.on_felt}
        found["felt-soft"] = apart(soft, ground.ink)
    if theme.accent:
        link = apart(theme.accent, ground.nearest)
        found["link"] = apart(link, found.get("felt-soft", ground.nearest))
    if theme.dice:
        ink = max(INKS, key=lambda ink: contrast(theme.dice, ink))
        bone = apart(theme.dice, ink)
        found |= {"bone": bone, "bone-edge": _mixed(_rgb(bone), BLACK, 5), "bone-ink": ink}
    return found


def apart(colour: str, from_: str) -> str:
    """The colour, or the nearest darker or lighter one that can be told from another.

    >>> apart("#1d5a4c", "#ffffff"), apart("#777777", "#ffffff")
    ('#1d5a4c', '#717171')
    """
    towards = BLACK if _light(_rgb(from_)) > _light(BLACK) + 0.18 else WHITE
    tries = (_mixed(_rgb(colour), towards, step) for step in range(STEPS + 1))
    return next(one for one in tries if contrast(one, from_) >= CONTRAST)


def contrast(one: str, other: str) -> float:
    """How far apart two colours are to the eye, from 1 to 21, as WCAG measures it.

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    dark, light = sorted((_light(_rgb(one)), _light(_rgb(other))))
    return (light + 0.05) / (dark + 0.05)


def _rgb(colour: str) -> Rgb:
    number = int(colour[1:], 16)
    return number >> 16, number >> 8 & 255, number & 255


def _light(colour: Rgb) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _mixed(one: Rgb, other: Rgb, step: int) -> str:
    """A colour so many of 20 steps on the way to another."""
    parts = (a + (b - a) * step // STEPS for a, b in zip(one, other, strict=True))
    return "#{:02x}{:02x}{:02x}".format(*parts)


def icons_shown(icons: Mapping[str, str]) -> dict[str, str]:
    """Pictures that do nothing but show: shapes alone, no script, nothing from elsewhere.

    >>> icons_shown({"dot": "<svg><circle r='4'/></svg>"})["dot"]
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle r="4"/></svg>'
    >>> icons_shown({"bad": "<svg><script>alert(1)</script></svg>"})
    Traceback (most recent call last):
        ...
    rollwright.errors.BadField: icons.bad: 'alert(1)' is no shape; an SVG of shapes would do
    """
    if len(icons) > MOST_ICONS:
        raise BadField("icons", f"{len(icons)} are too many", would_do=f"at most {MOST_ICONS}")
    return {name: _icon(f"icons.{name}"[:60], text) for name, text in icons.items()}


def _icon(place: str, text: str) -> str:
    """A picture read tag by tag and written anew: whatever is none of ours is refused."""
    if len(text) > LONGEST_ICON:
        would_do = f"at most {LONGEST_ICON} characters"
        raise BadField(place, f"{len(text)} characters are too many", would_do=would_do)
    if rest := TAG.sub("", text).strip():
        raise _no_icon(place, f"{rest[:40]!r} is no shape")
    opened: list[str] = []
    written: list[str] = []
    for closes, name, attributes, empty in TAG.findall(text):
        is_first = not written
        if closes:
            if not opened or opened.pop() != name:
                raise _no_icon(place, f"{name!r} was not begun")
            written.append(f"</{name}>")
            continue
        if is_first != (name == "svg") or not (is_first or opened):
            raise _no_icon(place, "it is not one svg")
        written.append(f"<{name}{_attributes(place, name, attributes)}{empty}>")
        opened += [] if empty else [name]
    if opened or not written:
        raise _no_icon(place, "it does not end")
    return "".join(written)


def _attributes(place: str, name: str, attributes: str) -> str:
    if name not in SHAPES:
        raise _no_icon(place, f"{name[:40]!r} is no shape")
    found = {"xmlns": SVG, "width": "24", "height": "24"} if name == "svg" else {}
    for attribute, held in ATTRIBUTE.findall(attributes):
        value = held[1:-1]
        if attribute == "xmlns" and value == SVG:
            continue
        if attribute not in ATTRIBUTES:
            raise _no_icon(place, f"{attribute[:40]!r} is nothing that a shape has")
        if ":" in value or ("(" in value and attribute != "transform"):
            raise _no_icon(place, f"{value[:40]!r} points elsewhere")
        found[attribute] = value
    return "".join(f' {attribute}="{value}"' for attribute, value in found.items())


def _no_icon(place: str, problem: str) -> BadField:
    return BadField(place, problem, would_do="an SVG of shapes")
