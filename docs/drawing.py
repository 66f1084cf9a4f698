"""Draws the pictures of the site from exact odds, as plain SVG for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from math import cos, pi, sin
from typing import Any

import rollwright as rw

# Okabe and Ito's colours, which all kinds of colour vision tell apart; lighter blue on dark.
STYLE = """
text { font: 17px system-ui, sans-serif; fill: #1d2430 }
.title { font-size: 21px; font-weight: 650 } .face { font-size: 24px; font-weight: 650 }
.said { font-weight: 600 } .end { text-anchor: end } .middle { text-anchor: middle }
.page { fill: #f6f8fb } .die { fill: #fff; stroke: #1d2430; stroke-width: 2 }
.ammo { fill: #fff3df } .line { stroke: #8886; stroke-width: 1 }
.one { fill: #0072b2 } .two { fill: #d55e00 }
@media (prefers-color-scheme: dark) {
  text { fill: #eceff4 } .page { fill: #1b1f27 } .die { fill: #2a303b; stroke: #eceff4 }
  .ammo { fill: #4a3a1d } .one { fill: #56b4e9 } .two { fill: #f0883e }
}
"""
ATTACK = {
    "game": "twilight2000",
    "roll": "attack",
    "attribute": "B",
    "skill": "C",
    "ammo_dice": 3,
    "rate_of_fire": 6,
    "rounds": 30,
}
LYING = (3, 2, 6, 6, 2)
POLICIES = {"never": "never push", "if-failed": "push a failure", "always": "always push"}
FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="3" y="3" width="26" height="26" rx="6" fill="#0072b2"/>
<g fill="#fff"><circle cx="10" cy="10" r="3"/><circle cx="16" cy="16" r="3"/>
<circle cx="22" cy="22" r="3"/></g>
</svg>
"""


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    return {"push-roll.svg": push_roll(), "favicon.svg": FAVICON}


def push_roll() -> str:
    """A burst in one game: what pushing does to it, and what to do with the dice on the table."""
    parts = [text(24, 40, "Twilight: 2000, a burst with three ammo dice", "title")]
    parts += [*legend(72), *policy_bars(104), '<path class="line" d="M24 300H696"/>']
    parts += [text(24, 334, "The dice on the table"), *dice_row(384), *best_call(334)]
    return picture(
        "Chance to hit and to jam, by how one pushes; and the best call now", 720, 436, parts
    )


def legend(y: int) -> Iterator[str]:
    """Which colour is which."""
    for x, kind, words in ((24, "one", "chance to hit"), (178, "two", "chance to jam the weapon")):
        yield f'<rect class="{kind}" x="{x}" y="{y - 13}" width="14" height="14" rx="3"/>'
        yield text(x + 22, y, words)


def policy_bars(top: int) -> Iterator[str]:
    """Two bars for each way to push."""
    for row, (policy, words) in enumerate(POLICIES.items()):
        odds = rw.odds(ATTACK, policy)
        y = top + 62 * row
        yield text(24, y + 28, words)
        yield from bar(208, y, odds.p(lambda end: end.hit), "one")
        yield from bar(208, y + 25, odds.p(lambda end: end.jammed), "two")


def bar(x: int, y: int, chance: Fraction, kind: str) -> Iterator[str]:
    """A chance as a bar with its percentage."""
    width = round(float(chance) * 400, 1)
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{max(width, 2)}" height="20" rx="3"/>'
    yield text(round(x + width) + 10, y + 16, percent(chance), "said")


def dice_row(y: int) -> Iterator[str]:
    """The faces that lie there, each drawn as its die."""
    for number, (sides, face) in enumerate(zip((8, 10, 6, 6, 6), LYING, strict=True)):
        yield die(52 + 62 * number, y, sides, face)


def die(x: int, y: int, sides: int, face: int) -> str:
    """One die: a square for a D6, a diamond for a D8, a kite for a D10."""
    if sides == 6:
        shape = f'<rect class="die ammo" x="{x - 23}" y="{y - 23}" width="46" height="46" rx="8"/>'
    else:
        corners = [(x + 30 * sin(k * pi / 2), y - 30 * cos(k * pi / 2)) for k in range(4)]
        if sides == 10:
            corners = [(x, y - 30), (x + 28, y + 6), (x, y + 30), (x - 28, y + 6)]
        points = " ".join(f"{a:.0f},{b:.0f}" for a, b in corners)
        shape = f'<polygon class="die" points="{points}" stroke-linejoin="round"/>'
    return shape + text(x, y + 8, str(face), "face middle")


def best_call(y: int) -> Iterator[str]:
    """What each option is worth now."""
    advice = rw.advise(rw.roll(ATTACK, faces=LYING))
    yield text(370, y, "What now?")
    for row, worth in enumerate(advice.options):
        best = "  ◀ best call" if worth.option == advice.best else ""
        words = f"{worth.option}: {percent(worth.value)} to hit{best}"
        yield text(370, y + 34 + 30 * row, words, "said" if best else "")


def percent(chance: Any) -> str:
    """A chance as people say it."""
    share = float(chance)
    digits = 1 if 0 < share < 0.1 else 0
    return f"{share * 100:.{digits}f} %"


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """A line of text."""
    chosen = f' class="{kind}"' if kind else ""
    return f'<text{chosen} x="{x}" y="{y}">{escape(words)}</text>'


def picture(title: str, width: int, height: int, parts: list[str]) -> str:
    """A whole picture on a ground of its own, so that it can be read on any page."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{title}</title>'
    ground = '<rect class="page" width="100%" height="100%" rx="14"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", ground, *parts, "</svg>"])
