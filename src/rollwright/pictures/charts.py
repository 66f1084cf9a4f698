"""What a picture shows, before anybody decides how it is drawn."""

from __future__ import annotations

from typing import NamedTuple

CHANCE = "%"


class Series(NamedTuple):
    """One row of values with a name: chances from 0 to 1, or plain numbers."""

    name: str
    values: tuple[float | None, ...]


class Bars(NamedTuple):
    """How likely each outcome is, for one roll or for several side by side."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""
    unit: str = CHANCE
    x_name: str = ""


class Lines(NamedTuple):
    """A value that changes with another one, such as a chance with the number of dice."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""
    unit: str = CHANCE
    x_name: str = ""


class Grid(NamedTuple):
    """A value that changes with two others: a row of cells for each of `ys`."""

    title: str
    x_name: str
    y_name: str
    xs: tuple[str, ...]
    ys: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    note: str = ""
    unit: str = CHANCE


Picture = Bars | Lines | Grid


def said(value: float | None, unit: str) -> str:
    """A value as text with a sensible number of digits.

    >>> said(0.1234, "%"), said(0.00012, "%"), said(12.244, "")
    ('12.3 %', '0.012 %', '12.24')
    """
    if value is None:
        return ""
    if unit != CHANCE:
        return f"{value:.0f}" if value == round(value) else f"{value:.4g}"
    share = 100 * value
    if share in (0, 100):
        return f"{share:.0f} %"
    return f"{share:.1f} %" if 0.95 <= share < 99.95 else _extreme(share)


def _extreme(share: float) -> str:
    """A chance next to never or always is not rounded to it."""
    if share >= 99.95:
        return ">99.9 %"
    return f"{share:.2g} %" if share >= 0.0001 else "<0.0001 %"


def tick_said(value: float, unit: str) -> str:
    """A value beside an axis.

    >>> tick_said(0.05, "%"), tick_said(0.025, "%"), tick_said(2.0, "")
    ('5 %', '2.5 %', '2')
    """
    return f"{100 * value:.4g} %" if unit == CHANCE else f"{value:.4g}"


def longest(values: list[float]) -> float:
    """The greatest value, never zero, so that lengths can be shares of it."""
    return max([abs(value) for value in values] or [1.0]) or 1.0


def values_of(picture: Bars | Lines) -> list[float]:
    """All values of a picture that has series."""
    return [v for series in picture.series for v in series.values if v is not None]
