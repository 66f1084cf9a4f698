"""Plain values to JSON and back, exactly: numbers, tuples, dice, frozen values of a game's own."""

from __future__ import annotations

import sys
from typing import Any

from rollwright.dice import Die, Pool
from rollwright.errors import BadTranscript, RollwrightError
from rollwright.hands import Hand
from rollwright.steps import Call, Rule, known_rules

EXACT_IN_EVERY_PARSER = 2**53


def to_plain(value: Any) -> Any:
    """The value as what JSON can hold."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if type(value) is int:
        return value if abs(value) < EXACT_IN_EVERY_PARSER else {"int": str(value)}
    if type(value) is tuple:
        return {"tuple": [to_plain(part) for part in value]}
    if isinstance(value, frozenset):
        return {"set": sorted((to_plain(part) for part in value), key=repr)}
    if isinstance(value, (Die, Pool, Hand, Call)):
        return _dice_to_plain(value)
    fields = field_names(type(value))
    if fields is not None:
        return {
            "type": f"{type(value).__module__}:{type(value).__qualname__}",
            "fields": {name: to_plain(getattr(value, name)) for name in fields},
        }
    return _rarer_to_plain(value)


def _dice_to_plain(value: Any) -> Any:
    if isinstance(value, Die):
        if value.is_numbered:
            return {"die": len(value.faces), "name": value.name}
        faces = [[to_plain(face), weight] for face, weight in value.items]
        return {"die": faces, "name": value.name}
    if isinstance(value, Pool):
        return {"pool": [[to_plain(die), count] for die, count in value.groups]}
    if isinstance(value, Hand):
        return {"hand": [[to_plain(die), to_plain(reading)] for die, reading in value.pairs]}
    return {"rule": value.rule.name, "args": [to_plain(arg) for arg in value.args]}


def _rarer_to_plain(value: Any) -> Any:
    if type(value).__name__ == "Fraction":
        return {"fraction": str(value)}
    if hasattr(type(value), "__members__"):
        return {"enum": f"{type(value).__module__}:{type(value).__qualname__}", "name": value.name}
    if isinstance(value, Rule):
        return {"rule": value.name}
    name = getattr(value, "__qualname__", "")
    if callable(value) and name and "<" not in name:
        return {"function": f"{value.__module__}:{name}"}
    raise RollwrightError(f"{value!r} cannot be written down: it is not a plain value")


def field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a NamedTuple or of a frozen dataclass; None for any other type."""
    if issubclass(kind, tuple):
        return getattr(kind, "_fields", None)
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields is None or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return None
    return tuple(fields)


def from_plain(plain: Any, place: str = "value") -> Any:
    """The value that `to_plain` wrote; `place` is named when something is wrong with it."""
    if plain is None or isinstance(plain, (str, bool, int)):
        return plain
    if not isinstance(plain, dict) or not plain:
        raise BadTranscript(place, f"not a value that was written down: {plain!r}")
    kind = next(iter(plain))
    reader = _readers.get(kind)
    if reader is None:
        raise BadTranscript(place, f"a kind of value that is not known: {kind!r}")
    try:
        return reader(plain, place)
    except (KeyError, ValueError, TypeError, ZeroDivisionError, AttributeError) as problem:
        raise BadTranscript(place, f"not a well-formed {kind}: {problem}") from None


def _listed(plain: Any, place: str) -> list[Any]:
    if not isinstance(plain, list):
        raise BadTranscript(place, f"a list is needed, not {plain!r}")
    return [from_plain(part, f"{place}[{number}]") for number, part in enumerate(plain)]


def _fraction(plain: Any, place: str) -> Any:
    from fractions import Fraction

    return Fraction(plain["fraction"])


def _die(plain: Any, place: str) -> Die:
    faces, name = plain["die"], str(plain.get("name", ""))
    if isinstance(faces, int):
        return Die(faces, name=name)
    return Die({from_plain(face, place): weight for face, weight in faces}, name=name)


def _pool(plain: Any, place: str) -> Pool:
    return Pool({from_plain(die, place): count for die, count in plain["pool"]})


def _hand(plain: Any, place: str) -> Hand[Any]:
    return Hand((from_plain(d, place), from_plain(r, place)) for d, r in plain["hand"])


def _call(plain: Any, place: str) -> Any:
    rule = find_rule(plain["rule"], f"{place}.rule")
    if "args" not in plain:
        return rule
    return rule(*_listed(plain["args"], f"{place}.args"))


def _typed(plain: Any, place: str) -> Any:
    kind = _named(plain["type"], place)
    names = field_names(kind) if isinstance(kind, type) else None
    if names is None:
        raise BadTranscript(place, f"{plain['type']} is not a frozen value")
    fields = plain["fields"]
    unknown = set(fields) - set(names)
    if unknown:
        raise BadTranscript(place, f"{plain['type']} has no field {sorted(unknown)[0]!r}")
    return kind(**{n: from_plain(v, f"{place}.{n}") for n, v in fields.items()})


def _enum(plain: Any, place: str) -> Any:
    kind = _named(plain["enum"], place)
    if not hasattr(kind, "__members__"):
        raise BadTranscript(place, f"{plain['enum']} is not an enumeration")
    return kind[plain["name"]]


def _function(plain: Any, place: str) -> Any:
    module = plain["function"].partition(":")[0]
    if not any(name.partition(":")[0] == module for name in known_rules):
        raise BadTranscript(place, f"{plain['function']} does not stand beside a rule")
    return _named(plain["function"], place)


_readers: dict[str, Any] = {
    "int": lambda plain, place: int(plain["int"]),
    "tuple": lambda plain, place: tuple(_listed(plain["tuple"], place)),
    "set": lambda plain, place: frozenset(_listed(plain["set"], place)),
    "fraction": _fraction,
    "die": _die,
    "pool": _pool,
    "hand": _hand,
    "rule": _call,
    "type": _typed,
    "enum": _enum,
    "function": _function,
}


def _named(path: str, place: str) -> Any:
    """Something by its module and name; only modules that are loaded are looked into."""
    module_name, _, names = path.partition(":")
    found: Any = sys.modules.get(module_name)
    if found is None:
        raise BadTranscript(place, f"{path} is not known here: import {module_name} first")
    for name in names.split("."):
        found = getattr(found, name)
    return found


def find_rule(name: Any, place: str) -> Rule[..., Any]:
    """A rule by its full name; rules of Rollwright itself are loaded when they are asked for."""
    rule = known_rules.get(name) if isinstance(name, str) else None
    if rule is None and isinstance(name, str) and name.startswith("rollwright."):
        from contextlib import suppress
        from importlib import import_module

        with suppress(ImportError):
            import_module(name.partition(":")[0])
        rule = known_rules.get(name)
    if rule is None:
        raise BadTranscript(place, f"the rule {name!r} is not known here: import its module first")
    return rule
