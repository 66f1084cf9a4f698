"""Pictures as SVG, written by hand: light and dark, told apart without colour, with a text."""

from __future__ import annotations

from rollwright.pictures.bar_charts import bar_chart
from rollwright.pictures.charts import Bars, Grid, Lines, Picture, said
from rollwright.pictures.curves import curve_chart
from rollwright.pictures.heat_maps import heat_map
from rollwright.pictures.marks import Sheet, escaped

# Okabe and Ito's colours, which all kinds of colour vision tell apart; lighter ones on dark.
LIGHT = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
DARK = ("#56b4e9", "#e69f00", "#2fc39b", "#ff8a4c", "#e0a0c4", "#b9dcf5")

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
    sheet = _drawn(picture)
    title, words = picture.title or "odds", _told(picture)
    name = _id_of(title + words)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {sheet.height}" '
            f'width="{sheet.width}" height="{sheet.height}" role="img" '
            f'aria-labelledby="{name}-title {name}-desc">',
            f'<title id="{name}-title">{escaped(title)}</title>',
            f'<desc id="{name}-desc">{escaped(words)}</desc>',
            f"<style>{_style()}</style>",
            f'<rect class="page" width="{sheet.width}" height="{sheet.height}" rx="6"/>',
            *sheet.parts,
            "</svg>\n",
        ]
    )


def _id_of(words: str) -> str:
    """A name for the parts of one picture, so that two on a page are told apart."""
    from zlib import crc32

    return f"picture-{crc32(words.encode()):08x}"


def _drawn(picture: Picture) -> Sheet:
    if isinstance(picture, Grid):
        return heat_map(picture)
    return curve_chart(picture) if isinstance(picture, Lines) else bar_chart(picture)


def _style() -> str:
    light = "\n".join(_coloured(n, colour) for n, colour in enumerate(LIGHT))
    dark = "\n".join(_coloured(n, colour) for n, colour in enumerate(DARK))
    return f"{STYLE}{light}\n@media (prefers-color-scheme: dark) {{{DARK_STYLE}{dark}\n}}\n"


def _coloured(number: int, colour: str) -> str:
    return f".fill{number} {{ fill: {colour} }} .stroke{number} {{ stroke: {colour} }}"


def _told(picture: Picture) -> str:
    """All values in words, for those who hear the picture."""
    if isinstance(picture, Grid):
        rows = [
            f"{picture.y_name} {y}: " + ", ".join(said(cell, picture.unit) for cell in row)
            for y, row in zip(picture.ys, picture.cells)
        ]
        return f"{picture.x_name} {', '.join(picture.xs)}. " + "; ".join(rows) + "."
    return " ".join(_series_told(picture, number) for number in range(len(picture.series)))


def _series_told(picture: Bars | Lines, number: int) -> str:
    series = picture.series[number]
    values = zip(picture.labels, series.values)
    listed = ", ".join(f"{label}: {said(v, picture.unit)}" for label, v in values if v is not None)
    return f"{series.name}: {listed}." if series.name else f"{listed}."
