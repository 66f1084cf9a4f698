"""What happened, told in full: each part of an expression with its value and its dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rollwright.notation.errors import Span


class Shown(NamedTuple):
    """One die, or one result of a group, with what happened to it."""

    faces: tuple[Any, ...]
    """What it showed, one throw after the other; the last one stands."""
    value: Any
    """What it counts after minimum, maximum and penetration."""
    kept: bool = True
    exploded: bool = False
    extra: bool = False
    """Thrown because the die before it exploded."""
    score: int | None = None
    """1 for a success, -1 for a failure, 0 for neither; None where nothing is counted."""
    critical: bool = False
    fumble: bool = False
    cut: bool = False
    """It would have exploded once more, but the stated bound was reached."""


class Told(NamedTuple):
    """A part of an expression as it came out."""

    span: Span
    value: Any
    parts: tuple[Told, ...] = ()
    shown: tuple[Shown, ...] = ()
    shares: tuple[Any, ...] | None = None
    """What each part was multiplied by before they were added; None if it was no such sum."""
    label: str = ""


def groups(told: Told) -> dict[str, Any]:
    """The total under each label, in the order in which they are written.

    Only sums are taken apart. Anything else counts under its own label, or under the only label
    used inside it; the rest has no label and stands under "".
    """
    made: dict[str, Any] = {}
    for label, amount in _labelled(told):
        made[label] = whole(made.get(label, 0) + amount)
    return made


def _labelled(told: Told) -> list[tuple[str, Any]]:
    if told.label:
        return [(told.label, told.value)]
    if told.shares is not None:
        return [
            (label, amount * share)
            for part, share in zip(told.parts, told.shares, strict=True)
            if share
            for label, amount in _labelled(part)
        ]
    inside = labels(told)
    return [(inside.pop() if len(inside) == 1 else "", told.value)]


def labels(told: Told) -> set[str]:
    """Every label used in a part."""
    found = {told.label} if told.label else set()
    for part in told.parts:
        found |= labels(part)
    return found


def whole(value: Any) -> Any:
    """A fraction that is whole, as a whole number."""
    if type(value) is not int and getattr(value, "denominator", 0) == 1:
        return value.numerator
    return value
