"""What a picture shows, before anybody decides how it is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

CHANCE = "%"

Number = float | Fraction
"""A value of a picture: exact where it can be, so that it is rounded but once."""


class Series(NamedTuple):
    """One row of values with a name: chances from 0 to 1, or plain numbers."""

    name: str
    values: tuple[Number | None, ...]


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
    cells: tuple[tuple[Number | None, ...], ...]
    note: str = ""
    unit: str = CHANCE


Picture = Bars | Lines | Grid


def said(value: Number | None, unit: str) -> str:
    """A value as text with a sensible number of digits.

    >>> said(0.1234, "%"), said(0.00012, "%"), said(12.244, ""), said(Fraction(1, 80), "%")
    ('12.3 %', '0.012 %', '12.24', '1.3 %')
    """
    if value is None:
        return ""
    if unit != CHANCE:
        return f"{float(value):.0f}" if value == round(value) else f"{float(value):.4g}"
    share = 100 * exactly(value)
    if share in (0, 100):
        return f"{share} %"
    if Fraction(95, 100) <= share < Fraction(9995, 100):
        return f"{rounded(share, 1)} %"
    return _extreme(share)


def _extreme(share: Fraction) -> str:
    """A chance next to never or always is not rounded to it."""
    if share >= 99:
        return ">99.9 %"
    if share < Fraction(1, 10_000):
        return "<0.0001 %"
    places = next(n for n in range(1, 6) if share * 10**n >= 1) + 1
    return f"{rounded(share, places).rstrip('0')} %"


def exactly(value: Number) -> Fraction:
    """A number as a fraction: a float as the decimal that it is written as."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def rounded(value: Number, places: int) -> str:
    """A number with so many decimal places; a half goes up.

    >>> rounded(Fraction(5, 4), 1), rounded(2.675, 2), rounded(-1.25, 1), rounded(49.5, 0)
    ('1.3', '2.68', '-1.3', '50')
    """
    exact = exactly(value)
    units, sign = (abs(exact) * 2 * 10**places + 1) // 2, "-" if exact < 0 else ""
    whole, part = divmod(int(units), 10**places)
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


def short_said(value: Number, unit: str) -> str:
    """A value for a narrow cell, without its unit.

    >>> short_said(0.495, "%"), short_said(0.0125, "%"), short_said(3.256, "")
    ('50', '1.3', '3.26')
    """
    if unit != CHANCE:
        return f"{float(value):.3g}"
    share = 100 * exactly(value)
    whole = share in (0, 100) or Fraction(995, 100) <= share < Fraction(995, 10)
    return rounded(share, 0 if whole else 1)


def tick_said(value: float, unit: str) -> str:
    """A value beside an axis.

    >>> tick_said(0.05, "%"), tick_said(0.025, "%"), tick_said(2.0, "")
    ('5 %', '2.5 %', '2')
    """
    return f"{100 * value:.4g} %" if unit == CHANCE else f"{value:.4g}"


def longest(values: list[float]) -> float:
    """The greatest value, never zero, so that lengths can be shares of it."""
    return max([abs(value) for value in values] or [1.0]) or 1.0


def known(values: Iterable[Number | None]) -> list[float]:
    """The values there are, as lengths are reckoned with."""
    return [float(value) for value in values if value is not None]


def values_of(picture: Bars | Lines) -> list[float]:
    """All values of a picture that has series."""
    return [v for series in picture.series for v in known(series.values)]
