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
_atoms = {*ATOMS}
"""These, and the enumerations that were met: with its kind a value says all that there is to it."""
_atoms_and_tuples = frozenset([*ATOMS, tuple]).issuperset


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
    if isinstance(value, tuple):
        kinds = tuple(map(type, value))
        if _atoms.issuperset(kinds) or _are_rows(kinds, value) or _are_enumerated(kinds):
            return value if kind is tuple and _are_simple(kinds) else Typed((kind, kinds, value))
    from rollwright.engine.compiled.keys import key_of

    return Typed((key_of(value), value))


def _are_rows(kinds: tuple[type, ...], value: tuple[Any, ...]) -> bool:
    """Whether all are atoms but for tuples of numbers and texts."""
    if not _atoms_and_tuples(kinds):
        return False
    return all([_are_simple(map(type, part)) for part in value if type(part) is tuple])


def _are_enumerated(kinds: tuple[type, ...]) -> bool:
    """Whether all kinds are atoms but for enumerations, which are noted as such."""
    others = _atoms.symmetric_difference(kinds).difference(_atoms)
    if not all(issubclass(kind, Enum) for kind in others):
        return False
    _atoms.update(others)
    return True


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
