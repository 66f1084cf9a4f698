"""Values that are set or varied: `--set str=3`, `--vary ammo_dice=0..6`, `--vary skill=B,C`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import click

from rollwright.errors import did_you_mean

MOST_VALUES = 500
MOST_CELLS = 20_000
SPAN = re.compile(r"(-?\d{1,40})\.\.(-?\d{1,40})(?:\.\.(-?\d{1,40}))?", re.ASCII)


class Varied(NamedTuple):
    """A field and the values it takes, as they are typed."""

    name: str
    values: tuple[str, ...]


def varied(text: str) -> Varied:
    """What a `--vary` says.

    >>> varied("modifier=-1..1")
    Varied(name='modifier', values=('-1', '0', '1'))
    >>> varied("skill=B,C").values
    ('B', 'C')
    """
    name, sign, values = text.partition("=")
    if not sign or not name.strip() or not values.strip():
        raise click.UsageError(f"--vary {text!r}: name=0..6 or name=A,B,C would do")
    listed = _span(text, values) if ".." in values else _listed(values)
    if not 1 <= len(listed) <= MOST_VALUES:
        raise _too_many(text)
    return Varied(name.strip().lstrip("@").replace("-", "_"), tuple(listed))


def _listed(values: str) -> list[str]:
    return [value.strip() for value in values.split(",") if value.strip()]


def _span(text: str, values: str) -> list[str]:
    found = SPAN.fullmatch(values.strip())
    if found is None:
        raise click.UsageError(f"--vary {text!r}: whole numbers such as 0..6 or 5..30..5 would do")
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if step < 1:
        raise click.UsageError(f"--vary {text!r}: a step is at least 1; 6..0 goes down by itself")
    if abs(high - low) // step > MOST_VALUES:
        raise _too_many(text)
    way = step if high >= low else -step
    return [str(value) for value in range(low, high + (1 if way > 0 else -1), way)]


def _too_many(text: str) -> click.UsageError:
    return click.UsageError(f"--vary {text!r}: 1 to {MOST_VALUES} values would do")


def variables_of(settings: Iterable[str]) -> dict[str, Any]:
    """What `--set` gives to the names of an expression."""
    found: dict[str, Any] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        name = name.strip().lstrip("@")
        if not sign or not name:
            raise click.UsageError(f"--set {text!r}: name=3 would do")
        if name in found:
            raise click.UsageError(f"--set {text!r}: {name!r} is set twice")
        found[name] = number(value)
    return found


def set_variables(expression: str, settings: Iterable[str]) -> dict[str, Any]:
    """What `--set` gives to an expression, which must have all those names."""
    found = variables_of(settings)
    check_names(expression, found, "--set")
    return found


def number(text: str) -> int | Fraction:
    """A number as it is typed."""
    from rollwright.kit.fields import LONGEST_NUMBER, written_fraction

    value = written_fraction(text.strip())
    if value is None:
        would_do = f"3, -0.25 or 1/3, of at most {LONGEST_NUMBER} signs, would do"
        raise click.UsageError(f"{text!r} is not a number; {would_do}")
    return value.numerator if value.denominator == 1 else value


def check_names(expression: str, names: Iterable[str], option: str) -> None:
    """Refuse values for names that the expression does not have."""
    known = sorted(names_in(expression))
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) if known else f"; write @{name} where it belongs"
            raise click.UsageError(f"{option} {name}: there is no @{name} in the dice{hint}")


def names_in(expression: str) -> set[str]:
    """The names in an expression that `--set` and `--vary` can give a value.

    >>> sorted(names_in("(@n)d6 + @str  # not @me"))
    ['n', 'str']
    """
    from rollwright.notation.tokens import tokens_of

    tokens, _ = tokens_of(expression)
    return {text.lstrip("@") for kind, text, _, _ in tokens if kind == "variable"}


def cells(varied: tuple[Varied, ...]) -> list[tuple[str, ...]]:
    """Every combination of the values."""
    from itertools import product
    from math import prod

    if prod(len(one.values) for one in varied) > MOST_CELLS:
        raise click.UsageError(f"this is a table of more than {MOST_CELLS:,} cells")
    if len({one.name for one in varied}) < len(varied):
        raise click.UsageError("each --vary is about a field of its own")
    return list(product(*(one.values for one in varied)))
