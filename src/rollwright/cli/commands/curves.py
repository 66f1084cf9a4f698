"""Sweeps: one number for every combination of what is varied, with its table and its picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rollwright.ask.curves import Axis, Cell, changed, title_of, written
from rollwright.ask.measures import Measure, fraction, measure_of
from rollwright.ask.odds import heading, known_odds, policy_said
from rollwright.cli.fields import setting
from rollwright.cli.options import budget_of, put_out
from rollwright.cli.paper import paper, show, watched, wrapped
from rollwright.cli.subjects import KIND, about, check_names, made, number, policy_name
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.pictures.charts import CHANCE, Grid, Lines, Picture, Series, said
from rollwright.pictures.tables import Table
from rollwright.pictures.terminal import drawn

if TYPE_CHECKING:
    from rollwright.ask.subjects import Subject

MOST_VALUES = 500
MOST_CELLS = 20_000
SPAN = re.compile(r"(-?\d{1,40})\.\.(-?\d{1,40})(?:\.\.(-?\d{1,40}))?", re.ASCII)
POLICY = "policy"


class Varied(NamedTuple):
    """A field and the values it takes, as they are typed."""

    name: str
    values: tuple[str, ...]


def varied(text: str, option: str = "--vary") -> Varied:
    """What a `--vary` says.

    >>> varied("modifier=-1..1")
    Varied(name='modifier', values=('-1', '0', '1'))
    >>> varied("skill=B,C").values
    ('B', 'C')
    """
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise click.UsageError(f"{option} {text!r}: name=0..6 or name=A,B,C would do")
    listed = _span(f"{option} {text!r}", values) if ".." in values else _listed(values)
    if not 1 <= len(listed) <= MOST_VALUES:
        raise _too_many(f"{option} {text!r}")
    return Varied(name_typed(name), tuple(listed))


def name_typed(name: str) -> str:
    """The name of a field or of a variable, as it is known inside."""
    return name.strip().lstrip("@").replace("-", "_")


def _listed(values: str) -> list[str]:
    return [value.strip() for value in values.split(",") if value.strip()]


def _span(given: str, values: str) -> list[str]:
    found = SPAN.fullmatch(values.strip())
    if found is None:
        raise click.UsageError(f"{given}: whole numbers such as 0..6 or 5..30..5 would do")
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if step < 1:
        raise click.UsageError(f"{given}: a step is at least 1; 6..0 goes down by itself")
    if abs(high - low) // step > MOST_VALUES:
        raise _too_many(given)
    way = step if high >= low else -step
    return [str(value) for value in range(low, high + (1 if way > 0 else -1), way)]


def _too_many(given: str) -> click.UsageError:
    return click.UsageError(f"{given}: 1 to {MOST_VALUES} values would do")


def value_typed(kind: Any, name: str, text: str) -> Any:
    """What was typed for a field, a house rule or a name in dice; `kind` is the request's type."""
    if name == POLICY:
        return text
    if kind is None:
        return number(text)
    from rollwright.kit.fields import fields_of

    fields = fields_of(kind)
    house = fields["house"].inner if "house" in fields else None
    if name not in fields and house is not None and name in fields_of(house):
        return setting(house, name, text)[1]
    return setting(kind, name, text)[1]


@dataclass(frozen=True)
class Sweep:
    """What was varied, and the odds of every cell."""

    subject: Subject
    policy: str
    varied: tuple[Varied, ...]
    axes: tuple[Axis, ...]
    measure: Measure
    cells: dict[tuple[str, ...], Cell]

    @property
    def title(self) -> str:
        """What stays the same."""
        title = title_of(self.subject, self.axes)
        policy = policy_said(self.subject, self.policy)
        named = {axis.name for axis in self.axes}
        return f"{title}, policy {policy}" if policy and POLICY not in named else title

    @cached_property
    def values(self) -> dict[tuple[str, ...], Fraction]:
        """The number of every cell; a combination that the rules refuse has none."""
        return {place: self.measure.of(_dist(cell)) for place, cell in self.cells.items()}

    @cached_property
    def unit(self) -> str:
        """What is counted."""
        dists = (_dist(cell) for cell in self.cells.values())
        return CHANCE if all(self.measure.is_chance(dist) for dist in dists) else ""

    @property
    def shown(self) -> str:
        """What the numbers are."""
        if "of" not in self.measure.plain:
            return self.measure.title
        return f"{'chance of' if self.unit == CHANCE else 'mean'} {self.measure.plain['of']}"

    @property
    def plain(self) -> dict[str, Any]:
        """The sweep as an answer."""
        head = {**heading(self.subject, self.policy), "title": title_of(self.subject, self.axes)}
        measure = {"title": self.measure.title, **self.measure.plain}
        cells = iter(self.cells.values())
        return {**head, "measure": measure, **written(self.axes, cells, self.measure)}


def _dist(cell: Cell) -> Any:
    if cell.dist is None:
        assert cell.problem is not None
        raise cell.problem
    return cell.dist


def sweep(ctx: click.Context) -> None:
    """Count every cell and show them all."""
    found = _counted(ctx)
    put_out(
        ctx.params,
        table=lambda: _spreadsheet(found),
        picture=lambda: _picture(found),
        plain=lambda: found.plain,
        words=lambda: _print(found),
    )


def _counted(ctx: click.Context) -> Sweep:
    """The sweep that the options ask for."""
    params = ctx.params
    what = tuple(varied(text) for text in params["vary"])
    places = _places(what)
    kind = ctx.meta.get(KIND)
    axes = tuple(
        Axis(one.name, tuple(value_typed(kind, one.name, text) for text in one.values))
        for one in what
    )
    subject = _subject(ctx, axes)
    measure = measure_of(
        subject, where=params["where"] or "", of=params["of"] or "", goal=params["goal"] or ""
    )
    policy = policy_name(params) or ""
    cells = {}
    with watched("counting") as progress:
        for place, settings in zip(places, product(*(axis.values for axis in axes))):
            cells[place] = _cell(subject, axes, settings, policy, params)
            progress(len(cells), len(places))
    return Sweep(subject, policy, what, axes, measure, cells)


def _places(what: tuple[Varied, ...]) -> list[tuple[str, ...]]:
    """Every combination of the values."""
    if prod(len(one.values) for one in what) > MOST_CELLS:
        raise click.UsageError(f"this is a table of more than {MOST_CELLS:,} cells")
    if len({one.name for one in what}) < len(what):
        raise click.UsageError("each --vary is about a field of its own")
    return list(product(*(one.values for one in what)))


def _subject(ctx: click.Context, axes: tuple[Axis, ...]) -> Subject:
    """What is varied, with the first values in place, since some must be given."""
    first = {axis.name: axis.values[0] for axis in axes if axis.name != POLICY}
    kind = ctx.meta.get(KIND)
    if kind is not None:
        return made(about(ctx, _with_house(kind, first)))
    subject = made(about(ctx))
    if isinstance(subject.what, Transcript):
        raise click.UsageError("--vary is for dice and requests, not for a saved roll")
    check_names(subject.title, first, "--vary")
    return subject


def _with_house(kind: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a request with the house rules among them apart."""
    from rollwright.kit.fields import fields_of

    fields = fields_of(kind)
    house = {name: value for name, value in settings.items() if name not in fields}
    rest = {name: value for name, value in settings.items() if name in fields}
    return {**rest, "house": house} if house else rest


def _cell(
    subject: Subject, axes: tuple[Axis, ...], values: tuple[Any, ...], policy: str, params: Any
) -> Cell:
    settings = {axis.name: value for axis, value in zip(axes, values)}
    chosen = str(settings.pop(POLICY, policy))
    try:
        return Cell(values, known_odds(changed(subject, settings), chosen, budget_of(params)))
    except BadField as problem:
        return Cell(values, None, problem)


def _spoken(found: Sweep) -> Table:
    """A row for each cell, with the number as people say it and the exact fraction."""
    return _table(found, lambda value: said(float(value), found.unit))


def _spreadsheet(found: Sweep) -> Table:
    """A row for each cell, with the number as programs read it and the exact fraction."""
    return _table(found, lambda value: f"{float(value):.10g}")


def _table(found: Sweep, written: Callable[[Fraction], str]) -> Table:
    names = tuple(one.name for one in found.varied)
    rows = [(*place, written(value), fraction(value)) for place, value in found.values.items()]
    return Table((*names, found.shown, "exactly"), tuple(rows), left=0)


def _picture(found: Sweep) -> Picture:
    """A curve for one thing varied, a map for two, several curves where the first is words."""
    if len(found.varied) > 2:
        raise click.UsageError("a picture shows one or two --vary; --csv and --json show all")
    if len(found.varied) == 1:
        (one,) = found.varied
        series = Series(found.shown, tuple(float(v) for v in found.values.values()))
        return _lines(found, one, (series,))
    down, across = found.varied
    return _curves(found, down, across) if _is_words(down) else _map(found, down, across)


def _map(found: Sweep, down: Varied, across: Varied) -> Grid:
    cells = tuple(tuple(float(found.values[y, x]) for x in across.values) for y in down.values)
    names = (_said(across), _said(down), across.values, down.values)
    return Grid(_heading(found), *names, cells, found.title, found.unit)


def _lines(found: Sweep, across: Varied, series: tuple[Series, ...]) -> Lines:
    note, unit = found.title, found.unit
    return Lines(_heading(found), across.values, series, note, unit, _said(across))


def _heading(found: Sweep) -> str:
    title = found.shown
    return title[:1].upper() + title[1:]


def _is_words(one: Varied) -> bool:
    return not all(value.lstrip("-").isdigit() for value in one.values)


def _curves(found: Sweep, down: Varied, across: Varied) -> Lines:
    series = tuple(
        Series(f"{_said(down)} {y}", tuple(float(found.values[y, x]) for x in across.values))
        for y in down.values
    )
    return _lines(found, across, series)


def _said(one: Varied) -> str:
    return one.name.replace("_", " ")


def _print(found: Sweep) -> None:
    page = paper()
    table = len(found.varied) > 2
    shown = _spoken(found).text(page.width) if table else drawn(_picture(found), page)
    show(page.bold(wrapped(found.title, page.width)), page)
    unit = " in %" if found.unit == CHANCE and len(found.varied) == 2 else ""
    names = " and ".join(map(_said, found.varied))
    show(wrapped(f"{found.shown}{unit}, by {names}:", page.width), page)
    show(shown, page)
