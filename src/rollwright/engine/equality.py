"""Arguments of rules that differ in nothing: of the same kinds and values all the way down."""

from __future__ import annotations

from typing import Any

from rollwright.engine.steps import PLAIN, Args, Call


def are_alike(one: Args, other: Args) -> bool:
    """Whether equal values are of the same kinds all the way down: `True` is not `1`."""
    for a, b in zip(one, other):
        if a is b:
            continue
        kind = type(a)
        if kind is not type(b) or (kind not in PLAIN and not _is_alike(a, b)):
            return False
    return True


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two equal values of a kind differ in nothing, such as a field not compared."""
    if isinstance(one, tuple) and not getattr(one, "__dict__", None):
        return are_alike(one, other)
    if getattr(type(one), "never_changes", False):
        return True
    from rollwright.engine.compiled.errors import CannotCompile
    from rollwright.engine.compiled.keys import key_of

    try:
        return bool(key_of(one) == key_of(other))
    except CannotCompile:
        return False


Call._are_alike = staticmethod(are_alike)
