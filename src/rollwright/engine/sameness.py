"""Outcomes distinguished by type and by value: `True` is not `1`, `Hit(1)` is not `Miss(1)`."""

from __future__ import annotations

from enum import Enum
from typing import Any

from rollwright.errors import Misuse
from rollwright.exact.weights import are_numbers

SIMPLE = frozenset([int, str, type(None)])
"""Kinds whose values are equal to none of another kind, so that they are their own keys."""
ATOMS = frozenset([*SIMPLE, bool, bytes])
_are_simple = SIMPLE.issuperset
MOST_ROWS = 10_000
"""So many different rows of kinds are remembered."""


class Typed(tuple[Any, ...]):
    """An outcome with all that distinguishes it; the outcome is last."""

    __slots__ = ()


def outcome_key(value: Any) -> Any:
    """Return the key of an outcome in a count: itself, or itself with its types."""
    kind = type(value)
    if kind in SIMPLE:
        return value
    if kind in ATOMS:
        return Typed((kind, value))
    known = row_key(value) if isinstance(value, tuple) else None
    if known is not None:
        return known
    from rollwright.engine.compiled.keys import key_of

    return Typed((key_of(value), value))


def row_key(value: tuple[Any, ...]) -> Any:
    """Return the key of a row of atoms and of tuples of numbers and texts; None for any other."""
    kind, kinds = type(value), tuple(map(type, value))
    if kind is tuple and _are_simple(kinds):
        return value
    try:
        known = _rows[kinds]
    except KeyError:
        known = _note_row(kinds)
    if known is None:
        return None
    tuples, bares = known
    for place in tuples:
        if not _are_simple(map(type, value[place])):
            return None
    for place in bares:
        if value[place].__dict__:
            return None
    return Typed((kind, kinds, value))


_rows: dict[tuple[type, ...], tuple[tuple[int, ...], tuple[int, ...]] | None] = {}
"""By the kinds in a row, the places of tuples in it and of what must have no attributes; None where
something else is in it."""


def _note_row(kinds: tuple[type, ...]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    atoms = [kind in ATOMS or kind is tuple or issubclass(kind, Enum) for kind in kinds]
    bares = tuple([n for n, kind in enumerate(kinds) if not atoms[n] and _is_bare(kind)])
    tuples = tuple([n for n, kind in enumerate(kinds) if kind is tuple])
    if len(_rows) >= MOST_ROWS:
        _rows.clear()
    _rows[kinds] = (tuples, bares) if sum(atoms) + len(bares) == len(kinds) else None
    return _rows[kinds]


def _is_bare(kind: type) -> bool:
    """Whether it is a kind of numbers or texts that are equal as plain ones are."""
    return any([
        issubclass(kind, base) and kind.__eq__ is base.__eq__ and kind.__hash__ is base.__hash__
        for base in (int, str)
    ]) and hasattr(kind, "__dict__") and bool(kind.__dictoffset__) and not any([
        base.__dict__.get("__slots__") for base in kind.__mro__
    ])  # fmt: skip


def outcomes_of(weights: dict[Any, int]) -> dict[Any, int]:
    """Outcomes in the place of what they are known by; two that only look alike are refused."""
    found: dict[Any, int] = {}
    for key, weight in weights.items():
        found[key[-1] if type(key) is Typed else key] = weight
    if len(found) != len(weights):
        return _with_equal(weights)
    return found


def _with_equal(weights: dict[Any, int]) -> dict[Any, int]:
    """Outcomes of which some are equal: one number may be written in two ways, and is one."""
    _refuse_equal(weights)
    found: dict[Any, int] = {}
    for key, weight in weights.items():
        outcome = key[-1] if type(key) is Typed else key
        found[outcome] = found.get(outcome, 0) + weight
    return found


def _refuse_equal(weights: dict[Any, int]) -> None:
    met: dict[Any, Any] = {}
    for key in weights:
        outcome = key[-1] if type(key) is Typed else key
        if outcome in met:
            other = met[outcome]
            if are_numbers(other, outcome):
                continue
            raise Misuse(
                f"a rule ends in {_shown(other)} and in {_shown(outcome)}, which are equal to "
                "Python though they are not the same: let them differ in a value, such as a name"
            )
        met[outcome] = outcome


def _shown(outcome: Any) -> str:
    return f"{outcome!r} ({type(outcome).__name__})"
