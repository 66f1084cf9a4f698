"""Plain values to JSON and back, exactly: numbers, tuples, dice, frozen values of a game's own."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from rollwright.dice import Die, Pool
from rollwright.errors import BadTranscript, RollwrightError
from rollwright.hands import Hand
from rollwright.names import find_named, find_rule, name_of
from rollwright.steps import Call, Rule

EXACT_IN_EVERY_PARSER = 2**53


def to_plain(value: Any) -> Any:
    """The value as what JSON can hold."""
    if type(value) is int and -EXACT_IN_EVERY_PARSER < value < EXACT_IN_EVERY_PARSER:
        return value  # what nearly all faces are
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # a word with an order of its own is plain text here
    if isinstance(value, int) and not hasattr(type(value), "__members__"):
        number = int(value)  # one with words of its own is a plain number here
        return number if abs(number) < EXACT_IN_EVERY_PARSER else {"int": _digits(number)}
    if type(value) is tuple:
        return {"tuple": [to_plain(part) for part in value]}
    if isinstance(value, frozenset):
        return {"set": sorted((to_plain(part) for part in value), key=repr)}
    if isinstance(value, (Die, Pool, Hand, Call)):
        return _dice_to_plain(value)
    fields = field_names(type(value))
    if fields is not None:
        return {
            "type": name_of(type(value)),
            "fields": {name: to_plain(getattr(value, name)) for name in fields},
        }
    return _rarer_to_plain(value)


def _digits(value: int) -> str:
    """A whole number as text; one too long for decimal digits in hexadecimal ones."""
    return str(value) if value.bit_length() < 10_000 else hex(value)


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
    return {"rule": name_of(value.rule), "args": [to_plain(arg) for arg in value.args]}


def _rarer_to_plain(value: Any) -> Any:
    if type(value).__name__ == "Fraction":
        return {"fraction": str(value)}
    if hasattr(type(value), "__members__"):
        return {"enum": name_of(type(value)), "name": value.name}
    if isinstance(value, Rule):
        return {"rule": name_of(value)}
    name = getattr(value, "__qualname__", "")
    if callable(value) and name and "<" not in name:
        return {"function": name_of(value)}
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
    kind = next((name for name in plain if name in _readers), next(iter(plain)))
    reader = _readers.get(kind)  # whatever the order of the names: JSON has none
    if reader is None:
        raise BadTranscript(place, f"a kind of value that is not known: {kind!r}")
    try:
        return reader(plain, place)
    except RecursionError:
        raise BadTranscript(place, "values are nested too deeply") from None
    except BadTranscript:
        raise
    except RollwrightError as problem:
        raise BadTranscript(place, str(problem)) from None
    except (KeyError, ValueError, TypeError, ZeroDivisionError, AttributeError) as problem:
        raise BadTranscript(place, f"not a well-formed {kind}: {problem}") from None


def _listed(plain: Any, place: str) -> list[Any]:
    if not isinstance(plain, list):
        raise BadTranscript(place, f"a list is needed, not {plain!r}")
    return [from_plain(part, f"{place}[{number}]") for number, part in enumerate(plain)]


def _fraction(plain: Any, place: str) -> Any:
    from fractions import Fraction

    text = plain["fraction"]
    top, _, bottom = text.partition("/")
    if not top.lstrip("-").isdigit() or not (bottom or "1").isdigit() or len(text) > 4000:
        raise ValueError("a fraction is written like 1/3")
    return Fraction(int(top), int(bottom or 1))


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
    kind = find_named(plain["type"], place)
    names = field_names(kind) if isinstance(kind, type) else None
    if names is None:
        raise BadTranscript(place, f"{plain['type']} is not a frozen value")
    fields = plain["fields"]
    unknown = set(fields) - set(names)
    if unknown:
        raise BadTranscript(place, f"{plain['type']} has no field {sorted(unknown)[0]!r}")
    return kind(**{n: from_plain(v, f"{place}.{n}") for n, v in fields.items()})


def _enum(plain: Any, place: str) -> Any:
    kind = find_named(plain["enum"], place)
    if not hasattr(kind, "__members__"):
        raise BadTranscript(place, f"{plain['enum']} is not an enumeration")
    return kind[plain["name"]]


def _function(plain: Any, place: str) -> Any:
    found = find_named(plain["function"], place)
    if type(found) is not FunctionType:
        raise BadTranscript(place, f"{plain['function']} is not a function that stands by a rule")
    return found


_readers: dict[str, Any] = {
    "int": lambda plain, place: int(plain["int"], 0),
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
