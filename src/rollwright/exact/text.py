"""Distributions as people read them in a few lines, and as JSON to the last digit and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rollwright.dice import Outcome
from rollwright.errors import BadDist
from rollwright.exact.fields import field_names

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.exact.outcomes import Outcomes
    from rollwright.jsonable import Json


SAFE = 2**53
"""Whole numbers up to here survive parsers that read every number as a float."""

CHUNK = 4000
"""Digits Python turns into text without minding; longer numbers are taken in pieces."""


def dist_to_json(dist: Outcomes[Outcome]) -> dict[str, Json]:
    """The distribution as JSON data."""
    return {
        "total": digits(dist.total),
        "outcomes": [
            {"value": outcome_to_json(outcome), "weight": digits(weight)}
            for outcome, weight in dist.items()
        ],
        "lost": digits(dist.lost),
    }


def outcome_to_json(outcome: Outcome) -> Json:
    """An outcome as JSON data."""
    if outcome is None or isinstance(outcome, (bool, str)):
        return outcome
    if isinstance(outcome, int):
        return int(outcome) if -SAFE <= outcome <= SAFE else {"int": digits(outcome)}
    if hasattr(outcome, "_fields") or hasattr(outcome, "__dataclass_fields__"):
        return {name: outcome_to_json(getattr(outcome, name)) for name in field_names(outcome)}
    if isinstance(outcome, tuple):
        return {"tuple": [outcome_to_json(part) for part in outcome]}
    if hasattr(outcome, "numerator") and hasattr(outcome, "denominator"):
        return {"fraction": f"{digits(outcome.numerator)}/{digits(outcome.denominator)}"}
    raise BadDist(f"the outcome {outcome!r} has no form in JSON; map() it to plain values first")


def dist_from_json(
    data: Mapping[str, Any] | str, shape: Callable[..., Outcome] | None
) -> tuple[list[tuple[Outcome, int]], int]:
    """The outcomes with their weights, and what was lost."""
    if isinstance(data, str):
        data = _parse(data)
    try:
        pairs = [
            (outcome_from_json(entry["value"], shape), number(entry["weight"]))
            for entry in data["outcomes"]
        ]
        lost, total = number(data.get("lost", "0")), number(data["total"])
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as problem:
        raise BadDist(f"this is no distribution in JSON: {problem!r} is wrong or missing") from None
    if sum(weight for _, weight in pairs) + lost != total:
        raise BadDist("the weights do not add up to the total, so something was changed or lost")
    return pairs, lost


def _parse(text: str) -> Mapping[str, Any]:
    from rollwright.jsonable import BadValue, parse_json

    try:
        data = parse_json(text)
    except BadValue as problem:
        raise BadDist(str(problem)) from None
    if not isinstance(data, dict):
        raise BadDist("a distribution in JSON is an object with total, outcomes and lost")
    return data


def outcome_from_json(data: Any, shape: Callable[..., Outcome] | None = None) -> Outcome:
    """The outcome that `value` wrote."""
    if data is None or isinstance(data, (bool, str, int)):
        return data
    if not isinstance(data, Mapping):
        raise BadDist(f"{data!r} is not the JSON form of an outcome")
    names = field_names(shape) if shape is not None else ()
    if set(data) == set(names):
        return _rebuild(data, shape)
    if set(data) == {"tuple"}:
        return tuple([outcome_from_json(part, shape) for part in data["tuple"]])
    if set(data) == {"int"}:
        return number(data["int"])
    if set(data) == {"fraction"}:
        return _fraction(data["fraction"])
    if shape is None:
        raise BadDist(
            f"to read outcomes with the fields {', '.join(data)}, give their type: shape="
        )
    return _rebuild(data, shape)


def _rebuild(data: Mapping[str, Any], shape: Callable[..., Outcome] | None) -> Outcome:
    assert shape is not None
    try:
        return shape(**{name: outcome_from_json(part) for name, part in data.items()})
    except TypeError as problem:
        raise BadDist(f"the fields {', '.join(data)} do not make a {shape!r}: {problem}") from None


def _fraction(text: str) -> Fraction:
    from fractions import Fraction

    above, _, below = text.partition("/")
    return Fraction(number(above), number(below or "1"))


def digits(value: int) -> str:
    """A whole number in decimal, however long it is."""
    if value < 0:
        return "-" + digits(-value)
    if value.bit_length() < 3 * CHUNK:
        return str(value)
    half = int(value.bit_length() * 0.30103) // 2
    high, low = divmod(value, _ten_to(half))
    return digits(high) + digits(low).rjust(half, "0")


def number(text: object) -> int:
    """The whole number that `digits` wrote."""
    if isinstance(text, str) and text[:1] == "-":
        return -number(text[1:])
    if not isinstance(text, str) or not text.isascii() or not text.isdigit():
        raise BadDist(f"{text!r} is not a whole number written as a string")
    if len(text) < CHUNK:
        return int(text)
    half = len(text) // 2
    return number(text[:-half]) * _ten_to(half) + number(text[-half:])


@lru_cache(64)
def _ten_to(places: int) -> int:
    """A power of ten; the weights of one distribution are about as long as each other."""
    return int(10**places)


MOST_LINES = 12
READABLE_TOTAL = 10**6
CHANCES_AT_ONCE = 6


def percent(weight: int, total: int) -> str:
    """A share in percent with two or three telling digits, never rounded to 0 or to all.

    >>> percent(1, 3), percent(1, 10**6), percent(999, 1000), percent(1, 1)
    ('33 %', '0.0001 %', '99.9 %', '100 %')
    """
    for places in range(CHANCES_AT_ONCE):
        scale = 10**places
        shown = (200 * weight * scale + total) // (2 * total)
        if weight == total or 10 <= shown < 100 * scale:
            break
        if 0 < shown < 100 * scale and shown * total == 100 * weight * scale:
            break
    else:
        if shown in (0, 100 * scale):
            return f"<{1 / scale} %" if shown == 0 else f">{100 - 1 / scale:.{places}f} %"
    if not places:
        return f"{shown} %"
    whole, part = divmod(shown, scale)
    return f"{whole}.{part:0{places}}".rstrip("0").rstrip(".") + " %"


def text(dist: Outcomes[Outcome]) -> str:
    """A heading and a line for each outcome, the least likely left out where there are many."""
    return "\n".join([heading(dist), *_lines(dist)])


def heading(dist: Outcomes[Outcome]) -> str:
    """How many outcomes there are, of what total."""
    count = len(dist)
    heading = f"Dist: {count} outcome{'s' if count > 1 else ''}"
    if dist.total <= READABLE_TOTAL:
        heading += f", total {dist.total}"
    if dist.lost:
        heading += f", lost {percent(dist.lost, dist.total)}"
    return heading


def _lines(dist: Outcomes[Outcome]) -> list[str]:
    """All outcomes, or where there are many those around the most likely one."""
    items = dist.items()
    spare = len(items) - MOST_LINES
    if spare <= 1:
        return _columns(items, dist.total)
    weights = [weight for _, weight in items]
    start = min(max(weights.index(max(weights)) - MOST_LINES // 2, 0), spare)
    lines = _columns(items[start : start + MOST_LINES], dist.total)
    before = [f"  … {start} more"] if start else []
    after = [f"  … {spare - start} more"] if spare > start else []
    return [*before, *lines, *after]


def _columns(items: list[tuple[Outcome, int]], total: int) -> list[str]:
    names = [str(outcome) for outcome, _ in items]
    wide = max(map(len, names))
    shares = [f"{weight}/{total}  " if total <= READABLE_TOTAL else "" for _, weight in items]
    broad = max(map(len, shares))
    return [
        f"  {name:>{wide}}  {share:>{broad}}{percent(weight, total)}"
        for name, share, (_, weight) in zip(names, shares, items, strict=True)
    ]
