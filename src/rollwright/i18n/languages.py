"""Languages as data: their plurals, and how they write numbers.

The facts are data, `languages.json`: for each category of whole numbers the numbers it is for (the
first that fits, else `other`), the decimal point, the thousands separator, and the number of digits
from which on it is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from math import log10
from pathlib import Path
from typing import NamedTuple, NotRequired, TypedDict

from rollwright.i18n.codes import ENGLISH as ENGLISH

PSEUDO = "en-XA"
"""English with accents in brackets, for tests: what is not translated has none."""
HUGE = 10**15
MOST_PLACES = 5
LONGEST = 4000
"""Digits of a number; Python itself refuses to read a few more."""

Test = Callable[[int], bool]


class Facts(TypedDict):
    """The facts of one language, as the file has them."""

    plural: dict[str, str]
    ordinal: NotRequired[dict[str, str]]
    decimal: str
    group: str
    grouped_from: NotRequired[int]


class Language(NamedTuple):
    """One language: which form a number takes, and how it is written.

    >>> polish = language_of("pl")
    >>> [polish.plural(n) for n in (1, 3, 5, 22)], polish.number(12345, 0)
    (['one', 'few', 'many', 'few'], '12\\xa0345')
    """

    code: str
    plurals: dict[str, Test]
    ordinals: dict[str, Test]
    decimal: str
    group: str
    grouped_from: int

    def plural(self, number: int) -> str:
        """The category of so many: one, few, many …"""
        return _category(self.plurals, number)

    def ordinal(self, number: int) -> str:
        """The category of the so-manieth: 1st, 2nd …"""
        return _category(self.ordinals, number)

    def number(self, scaled: int, places: int) -> str:
        """A number that was multiplied by 10 ** places, without zeros at its end.

        >>> language_of("de").number(1234560, 2), language_of("en").number(-10**40, 0)
        ('12.345,6', '-10^40')
        """
        sign = "-" if scaled < 0 else ""
        whole, part = divmod(abs(scaled), 10**places)
        if whole >= HUGE:
            return f"{sign}10^{int(log10(whole) + 1e-9)}"
        digits = str(whole)
        if len(digits) >= self.grouped_from:
            digits = f"{whole:,}".replace(",", self.group)
        rest = f"{part:0{places}}".rstrip("0") if part else ""
        return f"{sign}{digits}{self.decimal}{rest}" if rest else sign + digits


def _category(tests: Mapping[str, Test], number: int) -> str:
    return next((name for name, fits in tests.items() if fits(abs(number))), "other")


@cache
def facts() -> dict[str, Facts]:
    """Every language there are facts about, by code."""
    found: dict[str, Facts] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return found


@cache
def language_of(code: str) -> Language:
    """A language by its code, `de` or `de-AT`; one that nothing is known of counts as English."""
    known = facts()
    about = next((known[one] for one in lineage(code) if one in known), known[ENGLISH])
    return Language(
        code,
        {name: _test(rule) for name, rule in about["plural"].items()},
        {name: _test(rule) for name, rule in about.get("ordinal", {}).items()},
        about["decimal"],
        about["group"],
        about.get("grouped_from", 4),
    )


def lineage(code: str) -> tuple[str, ...]:
    """A language and those it is a kind of, the nearest first.

    >>> lineage("pt-BR")
    ('pt-BR', 'pt')
    """
    parts = code.split("-")
    return tuple("-".join(parts[:length]) for length in range(len(parts), 0, -1))


def _test(rule: str) -> Test:
    """A rule such as `n % 10 = 2..4 and n % 100 != 12..14 or n = 0` as a function."""
    choices = [[_condition(one) for one in part.split(" and ")] for part in rule.split(" or ")]
    return lambda number: any(all(fits(number) for fits in choice) for choice in choices)


def _condition(text: str) -> Test:
    left, equal, right = text.partition(" != " if "!=" in text else " = ")
    modulus = int(left.partition("%")[2] or 0)
    ends = [one.strip().partition("..") for one in right.split(",")]
    ranges = [range(int(low), int(high or low) + 1) for low, _, high in ends]
    wanted = equal == " = "

    def fits(number: int) -> bool:
        rest = number % modulus if modulus else number
        return any(rest in numbers for numbers in ranges) == wanted

    return fits


def fraction_parts(text: str) -> tuple[int, int]:
    """A fraction as it is written, above and below the line; nonsense is 0.

    >>> fraction_parts("11/16"), fraction_parts("-3"), fraction_parts("many")
    ((11, 16), (-3, 1), (0, 1))
    """
    above, line, below = text.partition("/")
    digits = above.removeprefix("-"), below if line else "1"
    if not all(one.isascii() and one.isdigit() and len(one) <= LONGEST for one in digits):
        return 0, 1
    return int(above), int(digits[1]) or 1


def percent(weight: int, total: int, spoken: Language) -> tuple[str, str]:
    """A share in percent with two or three telling digits, and `<` or `>` where it is beyond them.

    It is never rounded to nothing or to all.

    >>> english = language_of("en")
    >>> [percent(weight, 10**7, english)[1] for weight in (3333333, 9_990_000, 10, 10**7)]
    ['33', '99.9', '0.0001', '100']
    >>> percent(1, 10**9, english)
    ('<', '0.00001')
    """
    shown, places, all_of_it = 0, 0, 100
    for places in range(MOST_PLACES + 1):
        scale = 10**places
        all_of_it = 100 * scale
        shown = round_fraction(100 * weight, total, places)
        if weight >= total or 10 <= shown < all_of_it:
            break
        if shown * total == weight * all_of_it:
            break
    if weight < total and shown == all_of_it:
        return ">", spoken.number(shown - 1, places)
    if weight and not shown:
        return "<", spoken.number(1, places)
    return "", spoken.number(shown, places)


def round_fraction(above: int, below: int, places: int) -> int:
    """A fraction times 10 ** places as a whole number, halves away from zero."""
    size: int = (2 * abs(above) * 10**places + below) // (2 * below)
    return -size if above < 0 else size


def places_for(above: int, below: int) -> int:
    """Return how many decimals are enough for a number: two, and for a small one three digits.

    >>> places_for(7, 2), places_for(1, 80), places_for(0, 1)
    (2, 4, 2)
    """
    size, places = abs(above), 2
    while 0 < size < below and places < 12:
        size, places = size * 10, places + 1
    return places
