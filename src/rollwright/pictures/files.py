"""Pictures as files: SVG, a page of HTML that needs nothing else, PNG, or text."""

from __future__ import annotations

import os
import re

from rollwright.errors import RollwrightError
from rollwright.pictures.charts import Grid, Picture, said
from rollwright.pictures.svg import svg
from rollwright.pictures.tables import Table

SUFFIXES = (".svg", ".html", ".png")

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem }}
.wide {{ overflow-x: auto; margin: 1.5rem 0 }}
svg {{ display: block; width: 100%; min-width: 34rem; height: auto }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ padding: .2rem .8rem; border-bottom: 1px solid #8886; text-align: right;
  white-space: nowrap }}
th:first-child, td:first-child {{ text-align: left; position: sticky; left: 0;
  background: Canvas }}
</style></head>
<body>
<div class="wide" tabindex="0">
{picture}
</div>
<div class="wide" tabindex="0">
{table}
</div>
</body></html>
"""


class CannotDraw(RollwrightError):
    """A picture that cannot be made here, and what would help."""


def save(picture: Picture, name: str) -> None:
    """Write the picture in the form that the file's suffix names."""
    data = rendered(picture, name)
    with open(name, "wb") as file:
        file.write(data)


def rendered(picture: Picture, name: str) -> bytes:
    """The picture as the bytes of a file with that name."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == ".svg":
        return svg(picture).encode()
    if suffix == ".html":
        return html(picture).encode()
    if suffix == ".png":
        return png(picture)
    raise CannotDraw(f"{name!r} is no picture; a name that ends in .svg, .png or .html would do")


def html(picture: Picture) -> str:
    """A page with the picture and its numbers, with nothing loaded from elsewhere."""
    from html import escape

    title = escape(picture.title or "Odds")
    return PAGE.format(title=title, picture=svg(picture), table=numbers(picture).html())


def png(picture: Picture, zoom: float = 2) -> bytes:
    """The light picture in pixels; this needs the package resvg-py."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise CannotDraw(
            "PNG pictures need the package resvg-py: pip install 'rollwright[pictures]'; "
            ".svg and .html need nothing"
        ) from None
    light = re.sub(
        r"@media \(prefers-color-scheme: dark\) \{.*\n\}\n", "", svg(picture), flags=re.S
    )
    return bytes(svg_to_bytes(svg_string=light, zoom=zoom))


def numbers(picture: Picture) -> Table:
    """The values of a picture as a table."""
    if isinstance(picture, Grid):
        head = (f"{picture.y_name} \\ {picture.x_name}", *picture.xs)
        rows = [
            (y, *(said(cell, picture.unit) for cell in row))
            for y, row in zip(picture.ys, picture.cells)
        ]
        return Table(head, tuple(rows))
    names = [series.name or "chance" for series in picture.series]
    rows = [
        (label, *(said(series.values[n], picture.unit) for series in picture.series))
        for n, label in enumerate(picture.labels)
    ]
    single = len(names) == 1
    return Table((picture.x_name or "outcome", *(["chance"] if single else names)), tuple(rows))
