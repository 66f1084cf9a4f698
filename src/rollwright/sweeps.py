"""One number of a roll for every value of one thing, or of two: as numbers, and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from html import escape
from itertools import product
from typing import Any, NamedTuple

from rollwright.api import What, odds
from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.odds.count import Planner, Policy
from rollwright.errors import Misuse
from rollwright.exact import Dist
from rollwright.pictures.charts import CHANCE, Grid, Lines, Picture, Series
from rollwright.pictures.files import numbers, save
from rollwright.pictures.svg import svg
from rollwright.pictures.terminal import bound_said

MOST_CELLS = 10_000


class Sweep(NamedTuple):
    """A number for every value, or every pair of values; a notebook shows it as a picture."""

    names: tuple[str, ...]
    """What was moved: one or two arguments."""
    values: tuple[tuple[Any, ...], ...]
    """The values of each."""
    cells: dict[tuple[Any, ...], Fraction]
    """By the values in their order what was measured."""
    lost: Fraction
    """The largest share that a stated bound cut off anywhere; 0 where all was counted."""
    unit: str = ""
    title: str = ""

    def __getitem__(self, at: Any) -> Fraction:  # type: ignore[override]
        """What was measured at a value, or at a pair of values."""
        key = at if isinstance(at, tuple) and len(self.names) > 1 else (at,)
        if key not in self.cells:
            raise Misuse(f"{at!r} is none of the values that were swept over")
        return self.cells[key]

    @property
    def picture(self) -> Picture:
        """A curve, or a map of two things, for `rollwright.pictures`."""
        note = bound_said(self.lost) if self.lost else ""
        labels = tuple(tuple(map(str, values)) for values in self.values)
        if len(self.names) == 1:
            row = tuple(self.cells[value,] for value in self.values[0])
            drawn = (Series(self.title, row),)
            return Lines(self.title, labels[0], drawn, note, self.unit, self.names[0])
        rows = tuple(tuple(self.cells[x, y] for x in self.values[0]) for y in self.values[1])
        (x, y), (xs, ys) = self.names, labels
        return Grid(self.title, x, y, xs, ys, rows, note, self.unit)

    def save(self, name: str) -> None:
        """Write the picture to a file: `.svg`, `.html` or `.png`."""
        save(self.picture, name)

    def _repr_html_(self) -> str:
        note = f"<p>{escape(bound_said(self.lost))}</p>" if self.lost else ""
        return f"<div>{svg(self.picture)}{numbers(self.picture).html()}{note}</div>"

    def __repr__(self) -> str:
        table = numbers(self.picture).text(100)
        return f"{table}\n{bound_said(self.lost)}" if self.lost else table


def sweep(
    what: Callable[..., What | Dist[Any]],
    /,
    *,
    where: Callable[[Outcome], object] | Hashable = None,
    measure: Callable[[Dist[Outcome]], Any] | None = None,
    policy: Policy | Planner | str | None = None,
    title: str = "",
    budget: Budget | None = None,
    **axes: Iterable[Any],
) -> Sweep:
    """What comes of a rule for every value of one argument, or of two: `sweep(dig, bag=range(9))`.

    `what` is a rule, or any function that gives what `odds` takes. Measured is the mean; with
    `where` the chance of an event, with `measure` whatever it makes of the odds.

    >>> from rollwright.dice import D6, Pool
    >>> def thrown(dice: int) -> Pool:
    ...     return dice * D6
    >>> sweep(thrown, where=lambda total: total >= 10, dice=[1, 2, 3])
    dice  chance
    ────────────
    1        0 %
    2     16.7 %
    3     62.5 %
    """
    if not 1 <= len(axes) <= 2:
        raise Misuse("a sweep moves one argument or two: sweep(dig, bag=range(9))")
    if where is not None and measure is not None:
        raise Misuse("a sweep measures the chance of an event, or something else, not both")
    values = tuple(tuple(held) for held in axes.values())
    if not all(values) or len(values[0]) * len(values[-1]) > MOST_CELLS:
        raise Misuse(f"a sweep has 1 to {MOST_CELLS:,} values of each argument")
    cells: dict[tuple[Any, ...], Fraction] = {}
    lost = Fraction(0)
    for at in product(*values):
        dist = odds(what(**dict(zip(axes, at, strict=True))), policy, budget=budget)
        lost = max(lost, Fraction(dist.lost, dist.total))
        cells[at] = Fraction(_measured(dist, where, measure))
    return Sweep(tuple(axes), values, cells, lost, CHANCE if where is not None else "", title)


def _measured(
    dist: Dist[Outcome],
    where: Callable[[Outcome], object] | Hashable,
    measure: Callable[[Dist[Outcome]], Any] | None,
) -> Any:
    if where is not None:
        return dist.p(where)
    return dist.mean if measure is None else measure(dist)
