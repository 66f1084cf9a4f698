"""Values that are set or varied: `--set str=3`, `--vary ammo_dice=0..6`, `--vary skill=B,C`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import click

MOST_VALUES = 500
MOST_CELLS = 20_000
SPAN = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")


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
    found = SPAN.fullmatch(values.strip())
    listed = _span(found, text) if found else [v.strip() for v in values.split(",") if v.strip()]
    if not 1 <= len(listed) <= MOST_VALUES:
        raise click.UsageError(f"--vary {text!r}: 1 to {MOST_VALUES} values would do")
    return Varied(name.strip().lstrip("@").replace("-", "_"), tuple(listed))


def _span(found: re.Match[str], text: str) -> list[str]:
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if not step or abs(high - low) // step > MOST_VALUES:
        raise click.UsageError(f"--vary {text!r}: 1 to {MOST_VALUES} values would do")
    way = step if high >= low else -step
    return [str(value) for value in range(low, high + (1 if way > 0 else -1), way)]


def variables_of(settings: Iterable[str]) -> dict[str, Any]:
    """What `--set` gives to the names of an expression."""
    found: dict[str, Any] = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"--set {text!r}: name=3 would do")
        found[name.strip().lstrip("@")] = number(value)
    return found


def number(text: str) -> int | Fraction:
    """A number as it is typed."""
    try:
        value = Fraction(text.strip()[:40])
    except (ValueError, ZeroDivisionError):
        raise click.UsageError(f"{text!r} is not a number") from None
    return value.numerator if value.denominator == 1 else value


def cells(varied: tuple[Varied, ...]) -> list[tuple[str, ...]]:
    """Every combination of the values."""
    from itertools import product
    from math import prod

    if prod(len(one.values) for one in varied) > MOST_CELLS:
        raise click.UsageError(f"this is a table of more than {MOST_CELLS:,} cells")
    if len({one.name for one in varied}) < len(varied):
        raise click.UsageError("each --vary is about a field of its own")
    return list(product(*(one.values for one in varied)))
