"""A roll as a picture and as a text to paste: its dice as they lie, what came of it, its odds.

Both are pure functions of a `RollDrawing`, which `ask` makes of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from rollwright.pictures.dice import DieDrawing, draw_die
from rollwright.pictures.marks import WIDTH, SvgSheet, escape_svg, shorten, text_width
from rollwright.pictures.themes import PAGE_COLOURS

DIE, GAP, APART = 62, 12, 34
LEFT = 24.0
MOST_DICE = 60
"""Dice that are drawn; of more it is said how many there are."""
MOST_ROWS = 16
LONGEST_WORDS = 600
NOTHING: Mapping[str, str] = MappingProxyType({})
INKS = {
    "light": {"on-felt": "#2a2417", "on-felt-2": "#5b5240", "ink": "#2a2417", "ink-2": "#5b5240"},
    "dark": {"on-felt": "#fbf5e6", "on-felt-2": "#d5ddd0", "ink": "#fbf5e6", "ink-2": "#cfd6c8"},
}
DICE = {
    "light": {"die": "#1f5f4e", "die-ink": "#fff3d2", "die2": "#dba338", "die2-ink": "#241800"},
    "dark": {"die": "#f3e9d2", "die-ink": "#14332b", "die2": "#e0a83a", "die2-ink": "#241800"},
}
TONES = ("great", "good", "mixed", "bad", "awful")


class ThrowDrawing(NamedTuple):
    """Dice that were thrown together."""

    dice: tuple[DieDrawing, ...]
    label: str = ""
    """Whose they are, which turn's, or that somebody typed them."""


class RollDrawing(NamedTuple):
    """All that is shown of a roll, in words that somebody reads."""

    title: str
    told: str
    throws: tuple[ThrowDrawing, ...] = ()
    who: str = ""
    verdict: str = ""
    tone: str = "even"
    detail: tuple[str, ...] = ()
    odds: str = ""
    """The odds it had, with the play under which they hold."""
    chance: float | None = None
    """The same as a share of 1, where it is a chance."""
    proof: str = ""
    """The way to check it: the text before the link."""
    theme: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """The look of the game by day and by night, as `themes.theme_to_json` gives it."""
    icons: Mapping[str, str] = NOTHING
    more: str = ""
    """How many dice are not drawn, in words."""


def render_text(shown: RollDrawing, link: str = "") -> str:
    """The roll as lines to paste into a chat.

    >>> print(render_text(RollDrawing("2d6", "2d6 [3 4] = 7", who="Ana"), "https://dice.example/v#x"))
    Ana: 2d6
    2d6 [3 4] = 7
    https://dice.example/v#x
    """
    came = " · ".join(filter(None, (shown.verdict, *shown.detail)))
    lines = [f"{shown.who}: {shown.title}" if shown.who else shown.title]
    lines += [came, shown.told, shown.odds, " ".join(filter(None, (shown.proof, link)))]
    return "\n".join(line for line in lines if line)


def render_svg(shown: RollDrawing, *, light: str = "") -> str:
    """Return the roll as one SVG document, in `light` or `dark` colours, or the viewer's own."""
    sheet = _draw(shown)
    words = render_text(shown)
    name = f"roll-{crc32(words.encode()):08x}"
    width, height = sheet.width, round(sheet.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" class="{name}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">',
        f'<title id="{name}-title">{escape_svg(shown.title)}</title>',
        f'<desc id="{name}-desc">{escape_svg(words.replace(chr(10), ". "))}</desc>',
        f"<style>{_style(shown.theme, name, light)}</style>",
        f'<rect class="felt" width="{width}" height="{height}" rx="14"/>',
        *sheet.parts,
    ]
    return "\n".join([*parts, "</svg>\n"])


def _draw(shown: RollDrawing) -> SvgSheet:
    sheet = SvgSheet(WIDTH, 0)
    y = _head(sheet, shown)
    for row in _rows(shown.throws)[:MOST_ROWS]:
        y = _row(sheet, row, y, shown.icons)
    if shown.more:
        sheet.text(LEFT, y + 6, shown.more, "quiet")
        y += 22
    y = _verdict(sheet, shown, y + 10)
    y = _words(sheet, shown.told, y)
    if shown.odds:
        y = _odds(sheet, shown, y + 4)
    sheet.height = y + 22
    return sheet


def _head(sheet: SvgSheet, shown: RollDrawing) -> float:
    y = 40.0
    if shown.who:
        sheet.text(LEFT, y, shorten(shown.who, WIDTH - 2 * LEFT, 20), "who")
        y += 24
    for line in _lines(shown.title, 15)[:2]:
        sheet.text(LEFT, y, line, "title" if not shown.who else "quiet title")
        y += 20
    return y


def _rows(throws: tuple[ThrowDrawing, ...]) -> list[list[ThrowDrawing]]:
    """Throws side by side where they fit and none has a label of its own."""
    rows: list[list[ThrowDrawing]] = []
    for throw in throws:
        last = rows[-1] if rows else []
        taken = sum(_width(one) + APART for one in last) + _width(throw)
        if last and not throw.label and not last[0].label and taken <= WIDTH - 2 * LEFT:
            last.append(throw)
        else:
            rows.append([throw])
    return rows


def _width(throw: ThrowDrawing) -> float:
    return len(throw.dice) * (DIE + GAP) - GAP


def _row(sheet: SvgSheet, row: list[ThrowDrawing], y: float, icons: Mapping[str, str]) -> float:
    if label := row[0].label:
        sheet.text(LEFT, y + 10, shorten(label, WIDTH - 2 * LEFT, 13), "quiet")
        y += 18
    x, below = LEFT, y
    for throw in row:
        below = max(below, _throw(sheet, throw, (x, y), icons))
        x += _width(throw) + APART
    return below


def _throw(
    sheet: SvgSheet, throw: ThrowDrawing, at: tuple[float, float], icons: Mapping[str, str]
) -> float:
    """The dice of a throw, row by row, and where they end below."""
    most = int((WIDTH - 2 * LEFT + GAP) // (DIE + GAP))
    tall = DIE + (28 if any(die.name for die in throw.dice) else 14)
    for place, die in enumerate(throw.dice):
        x, y = at[0] + (place % most) * (DIE + GAP), at[1] + (place // most) * tall
        sheet.parts.append(draw_die(die, x, y, DIE, icons))
        if die.name:
            label = shorten(die.name, DIE + GAP - 2, 10)
            sheet.text(x + DIE / 2, y + DIE + 14, label, "quiet tiny middle")
    return at[1] + tall * -(-len(throw.dice) // most)


def _verdict(sheet: SvgSheet, shown: RollDrawing, y: float) -> float:
    if shown.verdict:
        tone = shown.tone if shown.tone in TONES else "even"
        words = shorten(shown.verdict, WIDTH - 2 * LEFT, 28)
        sheet.text(LEFT, y + 22, words, f"verdict on-{tone}")
        y += 34
    if shown.detail:
        for line in _lines(" · ".join(shown.detail), 15)[:2]:
            sheet.text(LEFT, y + 12, line, "detail")
            y += 20
    return y


def _words(sheet: SvgSheet, words: str, y: float) -> float:
    for line in _lines(words[:LONGEST_WORDS] + ("…" if len(words) > LONGEST_WORDS else ""), 14):
        sheet.text(LEFT, y + 14, line, "told")
        y += 20
    return y + 6


def _odds(sheet: SvgSheet, shown: RollDrawing, y: float) -> float:
    lines = _lines(shown.odds, 14, WIDTH - 2 * LEFT - 24)[:3]
    tall = 20 * len(lines) + (26 if shown.chance is not None else 12)
    room = WIDTH - 2 * LEFT
    sheet.parts.append(
        f'<rect class="panel" x="{LEFT:g}" y="{y:.1f}" width="{room:g}" height="{tall}" rx="8"/>'
    )
    for number, line in enumerate(lines):
        sheet.text(LEFT + 12, y + 21 + 20 * number, line, "on-panel")
    if shown.chance is not None:
        wide, top = room - 24, y + tall - 14
        sheet.box(LEFT + 12, top, wide, 5, "track")
        sheet.box(LEFT + 12, top, wide * min(max(shown.chance, 0.0), 1.0), 5, "share")
    return y + tall + 4


def _lines(text: str, size: float, room: float = WIDTH - 2 * LEFT) -> list[str]:
    return wrap(text, max(int(room / text_width("m", size * 0.92)), 10))


def _style(theme: Mapping[str, Mapping[str, str]], name: str, light: str) -> str:
    if light:
        return _scope_style(_colours(theme, light), name)
    day, night = (_scope_style(_colours(theme, one), name) for one in ("light", "dark"))
    return f"{day}\n@media (prefers-color-scheme: dark) {{{night}\n}}\n"


def _colours(theme: Mapping[str, Mapping[str, str]], light: str) -> str:
    house = PAGE_COLOURS[light]
    own = theme.get(light, NOTHING)
    look = {**INKS[light], **DICE[light], "felt": house.felt, "panel": house.panel}
    look = {**look, **house.tones, **own}
    tones = [f".on-{tone} {{ fill: {look[tone]} }}" for tone in TONES]
    accent = look.get("accent", look["good"])
    dice = [
        f".{one} {{ fill: {look[one]} }} .{one}-ink {{ fill: {look[f'{one}-ink']} }} "
        f".{one}-ink-line {{ fill: none; stroke: {look[f'{one}-ink']}; stroke-linecap: round }}"
        for one in ("die", "die2")
    ]
    edge = look.get("die-edge", "#00000066")
    return "\n".join(
        [
            STYLE,
            f".felt {{ fill: {look['felt']} }} text {{ fill: {look['on-felt']} }}",
            f".quiet {{ fill: {look['on-felt-2']} }} .on-even {{ fill: {look['on-felt']} }}",
            f".panel {{ fill: {look['panel']} }} .on-panel {{ fill: {look['ink']} }}",
            f".track {{ fill: {look['ink']}; fill-opacity: 0.18 }} .share {{ fill: {accent} }}",
            f".edge {{ stroke: {edge}; stroke-width: 2 }} .struck {{ stroke: {look['on-felt']} }}",
            *tones,
            *dice,
        ]
    )


STYLE = """
text { font-family: system-ui, "DejaVu Sans", "Liberation Sans", Arial, sans-serif;
  font-size: 14px }
.who { font-size: 20px; font-weight: 700 } .title { font-size: 15px }
.verdict { font-size: 28px; font-weight: 700 } .detail { font-size: 15px }
.small { font-size: 12px } .tiny { font-size: 10px } .middle { text-anchor: middle }
.face { text-anchor: middle; font-weight: 700 }
.lit { fill: #ffffff; fill-opacity: 0.14; stroke: #00000040; stroke-width: 1.2 }
.rim { fill: none; stroke: #00000055; stroke-width: 1.6 } .glow { fill-opacity: 0.34 }
.struck { fill: none; stroke-width: 5 }
"""


def _scope_style(style: str, name: str) -> str:
    """The same style for this picture alone: two rolls on a page have looks of their own."""
    import re

    return re.sub(r"(?<!\S)([.\w-]+) \{", rf".{name} \1 {{", style)
