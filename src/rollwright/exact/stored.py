"""Distributions as JSON and back, to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rollwright.errors import BadDist
from rollwright.exact.fields import field_names

if TYPE_CHECKING:
    from rollwright.exact.outcomes import Outcomes

SAFE = 2**53
"""Whole numbers up to here survive parsers that read every number as a float."""

CHUNK = 4000
"""Digits Python turns into text without minding; longer numbers are taken in pieces."""


def written(dist: Outcomes[Any]) -> dict[str, Any]:
    """The distribution as JSON data."""
    return {
        "total": digits(dist.total),
        "outcomes": [
            {"value": value(outcome), "weight": digits(weight)} for outcome, weight in dist.items()
        ],
        "lost": digits(dist.lost),
    }


def value(outcome: Any) -> Any:
    """An outcome as JSON data."""
    if outcome is None or isinstance(outcome, (bool, str)):
        return outcome
    if isinstance(outcome, int):
        return int(outcome) if -SAFE <= outcome <= SAFE else {"int": digits(outcome)}
    if hasattr(outcome, "_fields") or hasattr(outcome, "__dataclass_fields__"):
        return {name: value(getattr(outcome, name)) for name in field_names(outcome)}
    if isinstance(outcome, tuple):
        return {"tuple": [value(part) for part in outcome]}
    if hasattr(outcome, "numerator") and hasattr(outcome, "denominator"):
        return {"fraction": f"{digits(outcome.numerator)}/{digits(outcome.denominator)}"}
    raise BadDist(f"the outcome {outcome!r} has no form in JSON; map() it to plain values first")


def read(
    data: Mapping[str, Any] | str, shape: Callable[..., Any] | None
) -> tuple[list[tuple[Any, int]], int]:
    """The outcomes with their weights, and what was lost."""
    if isinstance(data, str):
        data = _parsed(data)
    try:
        pairs = [
            (outcome(entry["value"], shape), number(entry["weight"])) for entry in data["outcomes"]
        ]
        lost, total = number(data.get("lost", "0")), number(data["total"])
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as problem:
        raise BadDist(f"this is no distribution in JSON: {problem!r} is wrong or missing") from None
    if sum(weight for _, weight in pairs) + lost != total:
        raise BadDist("the weights do not add up to the total, so something was changed or lost")
    return pairs, lost


def _parsed(text: str) -> Mapping[str, Any]:
    import json

    try:
        data = json.loads(text)
    except ValueError as problem:
        raise BadDist(f"this is not JSON: {problem}") from None
    if not isinstance(data, dict):
        raise BadDist("a distribution in JSON is an object with total, outcomes and lost")
    return data


def outcome(data: Any, shape: Callable[..., Any] | None = None) -> Any:
    """The outcome that `value` wrote."""
    if data is None or isinstance(data, (bool, str, int)):
        return data
    if not isinstance(data, Mapping):
        raise BadDist(f"{data!r} is not the JSON form of an outcome")
    names = field_names(shape) if shape is not None else ()
    if set(data) == set(names):
        return _shaped(data, shape)
    if set(data) == {"tuple"}:
        return tuple([outcome(part, shape) for part in data["tuple"]])
    if set(data) == {"int"}:
        return number(data["int"])
    if set(data) == {"fraction"}:
        return _fraction(data["fraction"])
    if shape is None:
        raise BadDist(
            f"to read outcomes with the fields {', '.join(data)}, give their type: shape="
        )
    return _shaped(data, shape)


def _shaped(data: Mapping[str, Any], shape: Callable[..., Any] | None) -> Any:
    assert shape is not None
    try:
        return shape(**{name: outcome(part) for name, part in data.items()})
    except TypeError as problem:
        raise BadDist(f"the fields {', '.join(data)} do not make a {shape!r}: {problem}") from None


def _fraction(text: str) -> Any:
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


def number(text: Any) -> int:
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
