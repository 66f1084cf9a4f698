"""The look and the pictures of a game, made safe: what is written on its colours can be read.

A game names a few colours. What the page needs of them by day and by night is made here, where
every pair of a text and its ground is held to a contrast of 4.5 to 1; a colour that is too near is
moved until it is not. Pictures are looked through here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rollwright.errors import BadField

if TYPE_CHECKING:
    from rollwright.kit.card import Theme

CONTRAST = 4.5
LARGE = 3
"""Contrast that is enough for words as large as a verdict."""
DAYLIGHT = 11
"""How far a felt by day is from black at least, at its edge."""
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


class PageColours(NamedTuple):
    """The page's own colours by day or by night: what a game does not name stays so."""

    felt: str
    edge: str
    panel: str
    raised: str
    tones: Mapping[str, str]


PAGE_COLOURS = {
    "light": PageColours(
        "#f7f0df",
        "#e6dabd",
        "#fffdf6",
        "#f1ead8",
        {
            "great": "#7b5600",
            "good": "#1f6a36",
            "mixed": "#8a4d00",
            "bad": "#5b5a4d",
            "awful": "#b2300f",
        },
    ),
    "dark": PageColours(
        "#1c5748",
        "#08221c",
        "#0c1f1a",
        "#143029",
        {
            "great": "#ffd76a",
            "good": "#8fe0a0",
            "mixed": "#f7b45c",
            "bad": "#c9c7b6",
            "awful": "#ff8d6b",
        },
    ),
}
INKS = ("#2a2417", "#fbf5e6")
"""Colours of writing on dice: on light ones and on dark ones."""
FACES = (
    *("Alfa Slab One", "Barlow Condensed", "Big Shoulders Stencil", "Bricolage Grotesque"),
    *("Chakra Petch", "Grenze", "Grenze Gotisch", "Hanken Grotesk", "Marcellus"),
)
"""The typefaces that the page ships."""
COLOURS = (
    *("felt", "accent", "dice", "day", "day_accent", "day_dice", "other_dice", "edges", "line"),
)

AT_FIRST_SIGHT = (
    *("felt", "felt-edge", "felt-line", "on-felt", "on-felt-2", "pattern"),
    *("font-display", "display-case", "display-weight", "display-track"),
)


def theme_to_json(theme: Theme) -> dict[str, dict[str, str]]:
    """The look by day and by night, by the names that the page has for it.

    >>> from rollwright.kit.card import Theme
    >>> theme_to_json(Theme(accent="#ffdd00"))["light"]
    {'accent': '#665800', 'on-accent': '#ffffff'}
    """
    for name in COLOURS:
        if (colour := getattr(theme, name)) and not COLOUR.fullmatch(colour):
            raise BadField(f"theme.{name}", f"{colour!r:.40} is no colour", would_do="#1d5a4c")
    if theme == type(theme)():
        return {}
    rest = _type(theme) | _corners(theme) | _pattern(theme)
    return {"light": _colours(theme, day=True) | rest, "dark": _colours(theme, day=False) | rest}


def preview_to_json(theme: Theme) -> dict[str, dict[str, str]]:
    """Return a game's felt and lettering, shown before anybody opens it.

    >>> from rollwright.kit.card import Theme
    >>> sorted(preview_to_json(Theme(felt="#2f3a1f"))["dark"])
    ['felt', 'felt-edge', 'on-felt', 'on-felt-2']
    """
    return {
        light: {name: shown for name, shown in look.items() if name in AT_FIRST_SIGHT}
        for light, look in theme_to_json(theme).items()
    }


def _colours(theme: Theme, *, day: bool) -> dict[str, str]:
    house = PAGE_COLOURS["light" if day else "dark"]
    grounds: tuple[str, ...] = (house.felt, house.edge, house.panel, house.raised)
    found: dict[str, str] = {}
    if theme.felt:
        found = _by_day(theme) if day else _by_night(theme)
        grounds = tuple(found[name] for name in ("felt", "felt-edge", "panel", "panel-2"))
        for tone, colour in house.tones.items():
            # Verdicts are on the felt itself, and large; all else is on panels.
            large = _on(colour, grounds[:2], day, least=LARGE)
            found[tone] = _on(large, grounds[2:], day)
    if accent := (day and theme.day_accent) or theme.accent:
        accent = _on(accent, grounds[1:] if day else grounds[2:], day)
        found |= {"accent": accent, "on-accent": _written_on(accent)}
    if dice := (day and theme.day_dice) or theme.dice:
        found |= _dice("die", dice)
    if theme.other_dice:
        found |= _dice("die2", theme.other_dice)
    if theme.edges:
        found |= {"die-edge": theme.edges, "die-glow": f"drop-shadow(0 0 6px {theme.edges}99)"}
    if theme.line:
        found["felt-line"] = theme.line if not day else _mix(_rgb(theme.line), BLACK, 10)
    return found


def _by_night(theme: Theme) -> dict[str, str]:
    """Panels are the felt in the dark, what is written is almost white."""
    ink = _mix(WHITE, _rgb(theme.felt), 1)
    felt = apart(theme.felt, ink)
    while contrast(_mix(_rgb(felt), WHITE, 2), ink) < CONTRAST:
        felt = _mix(_rgb(felt), BLACK, 1)
    lit, base = _mix(_rgb(felt), WHITE, 2), _rgb(felt)
    panel, raised = _mix(base, BLACK, 14), _mix(base, BLACK, 10)
    quiet = _mix(WHITE, base, 5)
    return {
        **{"felt": felt, "felt-edge": _mix(base, BLACK, 14)},
        **{"on-felt": ink, "on-felt-2": apart(quiet, lit)},
        **{"panel": panel, "panel-2": raised, "ink": ink, "ink-2": apart(quiet, raised)},
        "line": f"{ink}2b",
    }


def _by_day(theme: Theme) -> dict[str, str]:
    """Panels are almost white, what is written is the felt in the dark."""
    felt = theme.day or _mix(_rgb(theme.felt), WHITE, 16)
    while contrast(_mix(_rgb(felt), BLACK, 2), "#000000") < DAYLIGHT:
        felt = _mix(_rgb(felt), WHITE, 1)
    edge = _mix(_rgb(felt), BLACK, 2)
    panel, raised = _mix(_rgb(felt), WHITE, 15), _mix(_rgb(felt), WHITE, 6)
    ink = apart(_mix(_rgb(theme.felt), BLACK, 11), edge)
    quiet = _mix(_rgb(ink), _rgb(felt), 6)
    return {
        **{"felt": felt, "felt-edge": edge, "on-felt": ink, "on-felt-2": apart(quiet, edge)},
        **{"panel": panel, "panel-2": raised, "ink": ink, "ink-2": apart(quiet, raised)},
        "line": f"{ink}30",
    }


def _on(colour: str, grounds: Iterable[str], day: bool, least: float = CONTRAST) -> str:
    """A colour that can be read on all of these, which are all light or all dark."""
    for ground in grounds:
        lit = ground if day else _mix(_rgb(ground), WHITE, 2)
        colour = apart(colour, lit, least=least)
    return colour


def _written_on(ground: str) -> str:
    dark, light = _mix(_rgb(ground), BLACK, 17), "#ffffff"
    return max((dark, light), key=lambda ink: contrast(ink, ground))


def _dice(name: str, colour: str) -> dict[str, str]:
    ink = max(INKS, key=lambda ink: contrast(colour, ink))
    return {name: apart(colour, ink), f"{name}-ink": ink}


def _type(theme: Theme) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, name in (("display", "display"), ("numbers", "num"), ("label", "label")):
        if face := getattr(theme, field):
            if face not in FACES:
                problem = f"{face!r:.40} is not shipped"
                raise BadField(f"theme.{field}", problem, would_do=", ".join(FACES))
            found[f"font-{name}"] = f'"{face}"'
    if theme.display:
        found["display-track"] = "0"
    if theme.capitals:
        found |= {"display-case": "uppercase", "label-case": "uppercase", "label-track": "0.04em"}
    if theme.weight:
        if type(theme.weight) is not int or not 100 <= theme.weight <= 900:
            raise BadField("theme.weight", f"{theme.weight!r:.40} is no weight", would_do="700")
        found["display-weight"] = str(theme.weight)
    return found


def _corners(theme: Theme) -> dict[str, str]:
    if theme.round == -1:
        return {}
    if type(theme.round) is not int or not 0 <= theme.round <= 24:
        raise BadField("theme.round", f"{theme.round!r:.40} is not round", would_do="0 to 24")
    return {"radius": f"{theme.round}px", "radius-card": f"{theme.round * 3 // 2}px"}


def _pattern(theme: Theme) -> dict[str, str]:
    return {"pattern": _icon("theme.pattern", theme.pattern)} if theme.pattern else {}


def apart(colour: str, from_: str, *, least: float = CONTRAST) -> str:
    """Return the colour, or the nearest darker or lighter one with enough contrast to another.

    >>> apart("#1d5a4c", "#ffffff"), apart("#777777", "#ffffff")
    ('#1d5a4c', '#717171')
    """
    towards = BLACK if _light(_rgb(from_)) > _light(BLACK) + 0.18 else WHITE
    tries = (_mix(_rgb(colour), towards, step) for step in range(STEPS + 1))
    return next(one for one in tries if contrast(one, from_) >= least)


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


def _mix(one: Rgb, other: Rgb, step: int) -> str:
    """A colour so many of 20 steps on the way to another."""
    parts = (a + (b - a) * step // STEPS for a, b in zip(one, other, strict=True))
    return "#{:02x}{:02x}{:02x}".format(*parts)


def icons_to_json(icons: Mapping[str, str]) -> dict[str, str]:
    """Pictures that do nothing but show: shapes alone, no script, nothing from elsewhere.

    >>> icons_to_json({"dot": "<svg><circle r='4'/></svg>"})["dot"]
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle r="4"/></svg>'
    >>> icons_to_json({"bad": "<svg><script>alert(1)</script></svg>"})
    Traceback (most recent call last):
        ...
    rollwright.errors.BadField: icons.bad: 'alert(1)' is no shape; an SVG of shapes would do
    """
    if len(icons) > MOST_ICONS:
        raise BadField("icons", f"{len(icons)} are too many", would_do=f"at most {MOST_ICONS}")
    return {name: _icon(f"icons.{name}"[:60], text) for name, text in icons.items()}


def _icon(place: str, text: str) -> str:
    """Return a picture read tag by tag and written again; anything that is not ours is refused."""
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
