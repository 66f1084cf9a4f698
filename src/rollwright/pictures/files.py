"""Pictures as files: SVG, HTML that needs nothing else, PNG; and what a notebook shows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from rollwright.errors import RollwrightError
from rollwright.exact import Dist
from rollwright.exact.text import heading
from rollwright.pictures.charts import (
    CHANCE,
    Bars,
    HeatMap,
    Lines,
    Number,
    Picture,
    TextTable,
    format_value,
)
from rollwright.pictures.distributions import picture_comparison, picture_distribution
from rollwright.pictures.outcomes import describe_field, fields_in, format_outcome, is_compound
from rollwright.pictures.rolls import RollDrawing, render_svg
from rollwright.pictures.svg import svg

if TYPE_CHECKING:
    from typing import Self

    from rollwright.dice import Outcome

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


def save(picture: object, name: str) -> None:
    """Write the picture in the form that the file's suffix names; odds are drawn first."""
    data = render(picture_of(picture), name)
    with open(name, "wb") as file:
        file.write(data)


def render(picture: Picture, name: str) -> bytes:
    """The picture as the bytes of a file with that name."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == ".svg":
        return svg(picture).encode()
    if suffix == ".html":
        return html(picture).encode()
    if suffix == ".png":
        return png(picture)
    raise CannotDraw(f"{name!r} is no picture; a name that ends in .svg, .png or .html would do")


def picture_of(what: object) -> Picture:
    """The picture that somebody means: it, odds, several odds by name, or a sweep."""
    if isinstance(what, (Bars, Lines, HeatMap)):
        return what
    if isinstance(what, Dist):
        return picture_distribution(what)
    if isinstance(what, Mapping) and all(isinstance(one, Dist) for one in what.values()):
        return picture_comparison(what)
    drawn = getattr(what, "picture", None)
    if isinstance(drawn, (Bars, Lines, HeatMap)):
        return drawn
    raise CannotDraw(
        f"{what!r} is no picture: odds, a sweep, or several odds by name, such as "
        '{"3d6": odds(3 * D6), "2d8": odds(2 * D8)}, can be drawn'
    )


class _FigureFields(NamedTuple):
    picture: Picture


class Figure(_FigureFields):
    """A picture with its numbers, as a notebook shows it: `Figure(compared({…}))`.

    Odds, a sweep, and a mapping of names to odds are drawn as they usually are.
    """

    __slots__ = ()

    def __new__(cls, what: object) -> Self:
        return super().__new__(cls, picture_of(what))

    def _repr_html_(self) -> str:
        return f"<div>{svg(self.picture)}</div>"

    def save(self, name: str) -> None:
        """Write the picture to a file; its name ends in .svg, .html or .png."""
        save(self.picture, name)


def html(picture: Picture) -> str:
    """A page with the picture and its numbers, with nothing loaded from elsewhere."""
    title = escape(picture.title or "Odds")
    return PAGE.format(title=title, picture=svg(picture), table=numbers(picture).html())


def png(picture: Picture, zoom: float = 2) -> bytes:
    """The light picture in pixels; this needs the package resvg-py."""
    return pixels(svg(picture), zoom)


def pixels(drawn: str, zoom: float = 2) -> bytes:
    """An SVG document of ours in pixels, as it is by day where it knows both."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise CannotDraw(
            "PNG pictures need the package resvg-py: pip install 'rollwright[pictures]'; "
            ".svg and .html need nothing"
        ) from None
    light = re.sub(r"@media \(prefers-color-scheme: dark\) \{.*\n\}\n", "", drawn, flags=re.S)
    return bytes(svg_to_bytes(svg_string=light, zoom=zoom))


def render_roll(shown: RollDrawing, name: str) -> bytes:
    """A roll as the bytes of a file with that name: as it is by night, where it has one look."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix == ".svg":
        return render_svg(shown).encode()
    if suffix == ".png":
        return pixels(render_svg(shown, light="dark"))
    raise CannotDraw(f"{name!r} is no picture of a roll; .svg and .png would do")


def format_exact(value: Number | None, unit: str) -> str:
    """A value as a spreadsheet reads it: chances as parts of 1, whatever the language."""
    return "" if value is None else f"{float(value):.10g}"


def numbers(
    picture: Picture, write: Callable[[Number | None, str], str] = format_value
) -> TextTable:
    """The values of a picture as a table."""
    if isinstance(picture, HeatMap):
        head = (f"{picture.y_name} \\ {picture.x_name}", *picture.xs)
        rows = [
            (y, *(write(cell, picture.unit) for cell in row))
            for y, row in zip(picture.ys, picture.cells)
        ]
        return TextTable(head, tuple(rows))
    names = [series.name or "chance" for series in picture.series]
    rows = [
        (label, *(write(series.values[n], picture.unit) for series in picture.series))
        for n, label in enumerate(picture.labels)
    ]
    single = len(names) == 1
    alone = "chance" if picture.unit == CHANCE else picture.series[0].name or "value"
    return TextTable((picture.x_name or "outcome", *([alone] if single else names)), tuple(rows))


MOST_ROWS = 100
LEFT = ' style="text-align:left"'


def render_table(dist: Dist[Outcome]) -> str:
    """The distribution as HTML, without scripts."""
    if is_compound(dist):
        return _fields(dist)
    return svg(picture_distribution(dist)) + _outcomes(dist)


def _fields(dist: Dist[Outcome]) -> str:
    """A row for each field, said as the command line says it."""
    rows = [
        f"<tr><th{LEFT}>{escape(name)}</th><td{LEFT}>{escape(describe_field(dist.of(name)).strip())}</td></tr>"
        for name in fields_in(dist)
    ]
    head = f"<tr><th{LEFT}>field</th><th{LEFT}>what it comes to</th></tr>"
    note = f"<p>{escape('.of(name)')} shows one field, with its picture.</p>"
    return _table(dist, [head, *rows]) + note


def _outcomes(dist: Dist[Outcome]) -> str:
    """A row for each outcome, as many as can be read."""
    items = dist.items()
    rows = ["<tr><th>outcome</th><th>chance</th></tr>"]
    for outcome, weight in items[:MOST_ROWS]:
        share = format_value(Fraction(weight, dist.total), CHANCE)
        rows.append(f"<tr><td>{escape(format_outcome(outcome))}</td><td>{share}</td></tr>")
    if len(items) > MOST_ROWS:
        rows.append(f'<tr><td colspan="2">… {len(items) - MOST_ROWS} more</td></tr>')
    return _table(dist, rows)


def _table(dist: Dist[Outcome], rows: list[str]) -> str:
    return f"<table><caption>{escape(heading(dist))}</caption>{''.join(rows)}</table>"
