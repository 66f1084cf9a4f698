"""Arguments of rules that differ in nothing: of the same kinds and values all the way down."""

from __future__ import annotations

from typing import Any

from rollwright.engine.steps import PLAIN, Args, Call


def are_alike(one: Args, other: Args) -> bool:
    """Whether equal values are of the same kinds all the way down: `True` is not `1`."""
    kinds = [*map(type, one)]
    if kinds != [*map(type, other)]:
        return False
    if PLAIN.issuperset(kinds):
        return True
    unlike = [(a, b) for a, b in zip(one, other) if a is not b and type(a) not in PLAIN]
    return all([_is_alike(a, b) for a, b in unlike])


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two equal values differ in nothing, such as a field that is not compared."""
    kind = type(one)
    if kind is tuple or (isinstance(one, tuple) and not getattr(one, "__dict__", None)):
        return kind is type(other) and are_alike(one, other)
    if kind is not type(other) or getattr(kind, "never_changes", False):
        return kind is type(other)
    from rollwright.engine.compiled.keys import key_of
    from rollwright.engine.compiled.refusal import CannotCompile

    try:
        return bool(key_of(one) == key_of(other))
    except CannotCompile:
        return False


Call._are_alike = staticmethod(are_alike)
