"""Sweeps: one number for every combination of what is varied, with its table and its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import click

from rollwright.ask.events import event
from rollwright.cli.asking import KIND
from rollwright.cli.counting import check_plot, draw, odds_of
from rollwright.cli.files import write_text
from rollwright.cli.paper import paper, show, show_json, wrapped
from rollwright.cli.saying import fields_in, fraction
from rollwright.cli.subjects import Subject, policy_name, subject_of, titled, variables_for
from rollwright.cli.varying import Varied, cells, check_names, variables_of, varied
from rollwright.engine.transcript import Transcript
from rollwright.pictures.charts import CHANCE, Grid, Lines, Picture, Series, said
from rollwright.pictures.rows import all_measured
from rollwright.pictures.tables import Table

PATIENCE = 1.0
"""Seconds after which a progress bar appears."""


class Measure(NamedTuple):
    """What a sweep shows: a number for each distribution."""

    title: str
    unit: str
    of: Callable[[Any], Fraction]


class Sweep(NamedTuple):
    """What was varied, and the number for every cell."""

    title: str
    varied: tuple[Varied, ...]
    measure: Measure
    values: dict[tuple[str, ...], Fraction]


def sweep(ctx: click.Context) -> None:
    """Count every cell and show them all."""
    params = ctx.params
    check_plot(params["plot"])
    found = counted(ctx)
    if params["csv_file"]:
        write_text(params["csv_file"], spreadsheet(found).csv())
    if params["plot"]:
        draw(picture(found), params["plot"])
    if params["as_json"]:
        show_json(plain(found))
    elif not params["plot"] and params["csv_file"] != "-":
        _print(found)


def counted(ctx: click.Context) -> Sweep:
    """The sweep that the options ask for."""
    params = ctx.params
    what = tuple(varied(text) for text in params["vary"])
    places = cells(what)
    first = dict(zip((one.name for one in what), places[0], strict=True))
    subject = subject_of(ctx, _fields(ctx, first))
    _check(subject, first, params)
    measure: Measure | None = None
    values = {}
    for place in _watched(places):
        settings = dict(zip((one.name for one in what), place, strict=True))
        dist = _odds(subject, settings, params)
        measure = measure or _measure(dist, subject, params)
        values[place] = measure.of(dist)
    assert measure is not None
    return Sweep(_title(subject, what, params), what, measure, values)


def _fields(ctx: click.Context, settings: Mapping[str, str]) -> dict[str, Any]:
    """The fields and house rules of the request that is asked about, as they are varied."""
    kind = ctx.meta.get(KIND)
    return {} if kind is None else fields_for(kind, settings)


def fields_for(kind: Any, settings: Mapping[str, str]) -> dict[str, Any]:
    """What was typed for fields of a request, with the house rules among them apart."""
    from rollwright.cli.values import setting
    from rollwright.kit.fields import fields_of

    house_kind = fields_of(kind)["house"].inner
    fields: dict[str, Any] = {}
    house: dict[str, Any] = {}
    for name, value in settings.items():
        if name == "policy":
            continue
        if name not in fields_of(kind) and name in fields_of(house_kind):
            house.update([setting(house_kind, name, value)])
        else:
            fields.update([setting(kind, name, value)])
    return {**fields, "house": house} if house else fields


def _check(subject: Subject, settings: Mapping[str, str], params: Any) -> None:
    """Refuse what cannot be varied, and what would be ignored."""
    if isinstance(subject.what, Transcript):
        raise click.UsageError("--vary is for dice and requests, not for a saved roll")
    if not isinstance(subject.what, str):
        variables_for(subject, params)
        return
    check_names(subject.what, variables_of(params["variables"]), "--set")
    check_names(subject.what, settings, "--vary")


def _title(subject: Subject, what: tuple[Varied, ...], params: Any) -> str:
    names = {one.name for one in what}
    title = titled(subject.request, names) if subject.request is not None else subject.title
    if subject.game is not None and "policy" not in names:
        policy = policy_name(params) or subject.game.default_policy
        title += f", policy {policy}" if policy else ""
    return title


def _odds(subject: Subject, settings: dict[str, str], params: Any) -> Any:
    policy = settings.pop("policy", None) or policy_name(params)
    if isinstance(subject.what, str):
        pairs = [f"{name}={value}" for name, value in settings.items()]
        variables = (*params["variables"], *pairs)
        return odds_of(subject, policy, {**params, "variables": variables})
    fields = fields_for(type(subject.request), settings)
    if "house" in fields:
        fields["house"] = subject.request.house.but(**fields["house"])
    return odds_of(subject.but(**fields), policy, params)


def _measure(dist: Any, subject: Subject, params: Any) -> Measure:
    """What is to be known: an event, a field, a goal, or the mean."""
    if params["where"]:
        test = event(params["where"], fields_in(dist))
        return Measure(f"chance of {params['where']}", CHANCE, lambda found: found.p(test))
    if params["of"]:
        return _field_measure(dist, params["of"].strip())
    if subject.game is not None:
        return _goal_measure(dist, subject, params["goal"] or subject.game.default_goal)
    if not all_measured(dist.outcomes):
        raise click.UsageError('say what to show: --where "EVENT", such as --where "it = Success"')
    return Measure("mean", "", lambda found: found.mean)


def _field_measure(dist: Any, name: str) -> Measure:
    part = dist.of(*[one.strip() for one in name.split(",")])
    if all(isinstance(outcome, bool) for outcome in part.outcomes):
        return Measure(f"chance of {name}", CHANCE, lambda found: found.of(name).p(True))
    if "," in name or not all_measured(part.outcomes):
        raise click.UsageError(f'--of {name!r} has no mean; --where "EVENT" would do')
    return Measure(f"mean {name}", "", lambda found: found.of(name).mean)


def _goal_measure(dist: Any, subject: Subject, name: str) -> Measure:
    from rollwright.cli.counsel import is_chance

    goal = subject.game.goal(name, subject.request)
    known = subject.game.goals.get(name)
    title = known.title if known is not None else name
    unit = CHANCE if is_chance(goal, dist) else ""
    return Measure(title, unit, lambda found: found.map(lambda o: Fraction(goal(o))).mean)


def _watched(places: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The cells one by one; a progress bar appears when it takes longer than a moment."""
    import sys
    from time import monotonic

    start, bar, task = monotonic(), None, None
    try:
        for number, place in enumerate(places):
            yield place
            if bar is None and sys.stderr.isatty() and monotonic() - start > PATIENCE:
                from rich.console import Console
                from rich.progress import Progress

                bar = Progress(console=Console(stderr=True), transient=True)
                bar.start()
                task = bar.add_task("counting", total=len(places))
            if bar is not None and task is not None:
                bar.update(task, completed=number + 1)
    finally:
        if bar is not None:
            bar.stop()


def table(found: Sweep) -> Table:
    """A row for each cell, with the number as people say it and the exact fraction."""
    return _table(found, lambda value: said(float(value), found.measure.unit))


def spreadsheet(found: Sweep) -> Table:
    """A row for each cell, with the number as programs read it and the exact fraction."""
    return _table(found, lambda value: f"{float(value):.10g}")


def _table(found: Sweep, written: Callable[[Fraction], str]) -> Table:
    names = tuple(one.name for one in found.varied)
    rows = [(*place, written(value), fraction(value)) for place, value in found.values.items()]
    return Table((*names, found.measure.title, "exactly"), tuple(rows), left=0)


def picture(found: Sweep) -> Picture:
    """A curve for one thing varied, a map for two, several curves where the first is words."""
    if len(found.varied) > 2:
        raise click.UsageError("a picture shows one or two --vary; --csv and --json show all")
    if len(found.varied) == 1:
        (one,) = found.varied
        series = Series(found.measure.title, tuple(float(v) for v in found.values.values()))
        return _lines(found, one, (series,))
    down, across = found.varied
    return _curves(found, down, across) if _is_words(down) else _map(found, down, across)


def _map(found: Sweep, down: Varied, across: Varied) -> Grid:
    cells = tuple(tuple(float(found.values[y, x]) for x in across.values) for y in down.values)
    names = (_said(across), _said(down), across.values, down.values)
    return Grid(_heading(found), *names, cells, found.title, found.measure.unit)


def _lines(found: Sweep, across: Varied, series: tuple[Series, ...]) -> Lines:
    note, unit = found.title, found.measure.unit
    return Lines(_heading(found), across.values, series, note, unit, _said(across))


def _heading(found: Sweep) -> str:
    title = found.measure.title
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


def plain(found: Sweep) -> dict[str, Any]:
    """The sweep as JSON data."""
    names = [one.name for one in found.varied]
    return {
        "vary": {one.name: list(one.values) for one in found.varied},
        "measure": found.measure.title,
        "cells": [
            {**dict(zip(names, place, strict=True)), "value": fraction(value)}
            for place, value in found.values.items()
        ],
    }


def _print(found: Sweep) -> None:
    from rollwright.pictures.terminal import drawn

    page = paper()
    show(page.bold(wrapped(found.title, page.width)), page)
    unit = " in %" if found.measure.unit == CHANCE and len(found.varied) == 2 else ""
    names = " and ".join(map(_said, found.varied))
    show(wrapped(f"{found.measure.title}{unit}, by {names}:", page.width), page)
    shown = table(found).text(page.width) if len(found.varied) > 2 else drawn(picture(found), page)
    show(shown, page)
