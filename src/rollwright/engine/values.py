"""Plain values to JSON and back, exactly; and what rules, types and functions are called there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from rollwright.dice import Die, Pool
from rollwright.engine.steps import Call, Rule, known_rules
from rollwright.errors import BadField, BadTranscript, RollwrightError
from rollwright.hands import Hand
from rollwright.jsonable import EXACT_IN_EVERY_PARSER
from rollwright.readings import Reading

if TYPE_CHECKING:
    from fractions import Fraction

JsonValue = Any
"""A value that JSON can hold, read or to be written: numbers, texts, lists and objects of these."""
JsonObject = dict[str, JsonValue]
Named: TypeAlias = "type | Rule[..., object] | Callable[..., object]"
"""A thing that is found by its name."""

_homes: dict[str, str] = {"rollwright.notation": "notation"}
"""By the module or package of a game its name."""
_packages: dict[str, str] = {"notation": "rollwright.notation"}
_written: dict[Named, str] = {}
_indexes: dict[str, tuple[int, dict[str, object]]] = {}
"""By the name of a game what is called how in it, and how many modules there were then."""
_AMBIGUOUS = object()


def register_game(game: str, package: str) -> None:
    """Let whatever lies in a module or package be called by the name of a game."""
    _homes[package], _packages[game] = game, package
    _written.clear()
    _indexes.pop(game, None)


def package_of(game: str) -> str:
    """The module or package of a game that has been made; empty for none."""
    return _packages.get(game, "")


def name_of(thing: Named) -> str:
    """The name by which a type, a rule or a function is found again."""
    name = _written.get(thing)
    if name is None:
        name = _name(thing)
        if isinstance(thing, Rule) and known_rules.get(thing.name) is not thing:
            raise RollwrightError(
                f"the rule {thing.short_name} cannot be written down: "
                "only a rule at the top of a module can be found again"
            )
        if _find(name) not in (None, thing):
            raise RollwrightError(f"this cannot be written down: there is more than one {name}")
        _written[thing] = name
    return name


def _name(thing: Named) -> str:
    path = thing.name if isinstance(thing, Rule) else f"{thing.__module__}:{thing.__qualname__}"
    module, _, own = path.partition(":")
    return f"{_game_of_module(module) or module}:{own}"


def _game_of_module(module: str) -> str:
    """The game that a module belongs to; empty for none."""
    place = module
    while place:
        if place in _homes:
            return _homes[place]
        place = place.rpartition(".")[0]
    return ""


def find_by_name(name: object, place: str) -> Any:
    """Return the thing of that name; an error names `place`.

    Only names that a game, or a loaded package with rules, defines itself at the top of a module
    are found: a transcript names values and rules, never anything else that could be called.
    """
    text = name if isinstance(name, str) else ""
    where, colon, own = text.partition(":")
    if not colon or not own:
        raise BadTranscript(place, f"{name!r} is no name such as game:Name")
    found = _find(text) if where in _packages or _has_rules(where) else None
    if found is None:
        hint = f"{where} has none" if where in _packages else f"import {where} first"
        raise BadTranscript(place, f"{name} is not known here: {hint}")
    if found is _AMBIGUOUS:
        raise BadTranscript(place, f"there is more than one {name}")
    return found


def find_rule(name: object, place: str) -> Rule[..., object]:
    """A rule by its name; an installed game is loaded when a rule of it is asked for."""
    rule = _rule(name)
    if rule is None and isinstance(name, str) and ":" in name:
        _load(name.partition(":")[0])
        rule = _rule(name)
    if rule is None:
        raise BadTranscript(place, f"the rule {name!r} is not known here: import its module first")
    return rule


def _rule(name: object) -> Rule[..., object] | None:
    found = _find(name) if isinstance(name, str) else None
    return found if isinstance(found, Rule) else None


def _load(where: str) -> None:
    """Load a game with all its modules, or a module of Rollwright's own."""
    from importlib import import_module
    from pkgutil import walk_packages

    with suppress(RollwrightError, ImportError):
        if where.startswith("rollwright."):
            import_module(where)
            return
        if where not in _packages:
            from rollwright.kit.games import find_game

            find_game(where)
        package = import_module(_packages[where])
        for part in walk_packages(getattr(package, "__path__", ()), f"{package.__name__}."):
            import_module(part.name)


def _find(name: str) -> object:
    where, _, own = name.partition(":")
    if where in _packages:
        return _index(where).get(own)
    rule = known_rules.get(name)
    return rule if rule is not None else _in_module(where, own)


def _in_module(module_name: str, own: str) -> object:
    """Something that belongs to no game."""
    module = sys.modules.get(module_name)
    found = None if module is None else vars(module).get(own)
    return found if getattr(found, "__module__", None) == module_name else None


def _has_rules(module_name: str) -> bool:
    package = module_name.partition(".")[0]
    return any(rule.partition(".")[0].partition(":")[0] == package for rule in known_rules)


def _index(game: str) -> dict[str, object]:
    """Return the things in the loaded modules of a game by name."""
    loaded = len(sys.modules) + len(known_rules)
    held = _indexes.get(game)
    if held is None or held[0] != loaded:
        index: dict[str, object] = {}
        for own, thing in _definitions(_packages[game]):
            index[own] = thing if index.get(own, thing) is thing else _AMBIGUOUS
        _indexes[game] = held = (loaded, index)
    return held[1]


def _definitions(package: str) -> Iterator[tuple[str, Named]]:
    """The types, rules and functions that the modules of a package define, by their names."""
    inside = f"{package}."
    for path, rule in [*known_rules.items()]:
        module, _, own = path.partition(":")
        if module == package or module.startswith(inside):
            yield own, rule
    for name in [*sys.modules]:
        if name != package and not name.startswith(inside):
            continue
        for own, thing in [*vars(sys.modules[name]).items()]:
            if not isinstance(thing, (type, FunctionType)):
                continue
            if thing.__module__ == name and thing.__qualname__ == own:
                yield own, thing


def check_names(game: str) -> None:
    """Refuse a game in which two types, or two rules, have one name: a log could mean either."""
    _indexes.pop(game, None)  # a module that is rewritten may have other names than before
    index = _index(game)
    for own, thing in _definitions(_packages[game]):
        if index[own] is _AMBIGUOUS and not isinstance(thing, FunctionType):
            raise BadField("name", f"{game} has more than one {own!r}", would_do="names of one use")


def value_to_json(value: object) -> JsonValue:
    """The value as what JSON can hold."""
    if type(value) is int and -EXACT_IN_EVERY_PARSER < value < EXACT_IN_EVERY_PARSER:
        return value  # what nearly all faces are
    if type(value) is Pool:  # what every throw is of
        return _dice_to_json(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # a word with an order of its own is plain text here
    if isinstance(value, int) and not hasattr(type(value), "__members__"):
        number = int(value)  # one with words of its own is a plain number here
        return number if abs(number) < EXACT_IN_EVERY_PARSER else {"int": _digits(number)}
    if type(value) is tuple:
        return {"tuple": [value_to_json(part) for part in value]}
    if isinstance(value, frozenset):
        return {"set": sorted((value_to_json(part) for part in value), key=repr)}
    if isinstance(value, (Die, Pool, Hand, Call)):
        return _dice_to_json(value)
    fields = field_names(type(value))
    if fields is not None:
        return {
            "type": name_of(type(value)),
            "fields": {name: value_to_json(getattr(value, name)) for name in fields},
        }
    return _other_to_json(value)


def _digits(value: int) -> str:
    """A whole number as text; one too long for decimal digits in hexadecimal ones."""
    return str(value) if value.bit_length() < 10_000 else hex(value)


def _dice_to_json(value: Die | Pool | Hand[Reading] | Call[object]) -> JsonValue:
    if isinstance(value, Die):
        if value.is_numbered:
            return {"die": len(value.faces), "name": value.name}
        faces = [[value_to_json(face), weight] for face, weight in value.items]
        return {"die": faces, "name": value.name}
    if isinstance(value, Pool):
        return {"pool": [[_dice_to_json(die), count] for die, count in value.groups]}
    if isinstance(value, Hand):
        return {
            "hand": [[value_to_json(die), value_to_json(reading)] for die, reading in value.pairs]
        }
    return {"rule": name_of(value.rule), "args": [value_to_json(arg) for arg in value.args]}


def _other_to_json(value: Any) -> JsonValue:
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


def value_from_json(plain: JsonValue, place: str = "value") -> Any:
    """The value that `value_to_json` wrote; `place` is named when something is wrong with it."""
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


def _check_list(plain: JsonValue, place: str) -> list[Any]:
    if not isinstance(plain, list):
        raise BadTranscript(place, f"a list is needed, not {plain!r}")
    return [value_from_json(part, f"{place}[{number}]") for number, part in enumerate(plain)]


def _fraction(plain: JsonObject, place: str) -> Fraction:
    from fractions import Fraction

    text = plain["fraction"]
    top, _, bottom = text.partition("/")
    if not top.lstrip("-").isdigit() or not (bottom or "1").isdigit() or len(text) > 4000:
        raise ValueError("a fraction is written like 1/3")
    return Fraction(int(top), int(bottom or 1))


def _die(plain: JsonObject, place: str) -> Die:
    faces, name = plain["die"], str(plain.get("name", ""))
    if isinstance(faces, int):
        return Die(faces, name=name)
    return Die({value_from_json(face, place): weight for face, weight in faces}, name=name)


def _pool(plain: JsonObject, place: str) -> Pool:
    return Pool({value_from_json(die, place): count for die, count in plain["pool"]})


def _hand(plain: JsonObject, place: str) -> Hand[Reading]:
    return Hand((value_from_json(d, place), value_from_json(r, place)) for d, r in plain["hand"])


def _call(plain: JsonObject, place: str) -> Rule[..., object] | Call[object]:
    rule = find_rule(plain["rule"], f"{place}.rule")
    if "args" not in plain:
        return rule
    return rule(*_check_list(plain["args"], f"{place}.args"))


def _typed_value(plain: JsonObject, place: str) -> object:
    kind = find_by_name(plain["type"], place)
    names = field_names(kind) if isinstance(kind, type) else None
    if names is None:
        raise BadTranscript(place, f"{plain['type']} is not a frozen value")
    fields = plain["fields"]
    unknown = set(fields) - set(names)
    if unknown:
        raise BadTranscript(place, f"{plain['type']} has no field {sorted(unknown)[0]!r}")
    return kind(**{n: value_from_json(v, f"{place}.{n}") for n, v in fields.items()})


def _enum(plain: JsonObject, place: str) -> object:
    kind = find_by_name(plain["enum"], place)
    if not hasattr(kind, "__members__"):
        raise BadTranscript(place, f"{plain['enum']} is not an enumeration")
    return kind[plain["name"]]


def _function(plain: JsonObject, place: str) -> FunctionType:
    found = find_by_name(plain["function"], place)
    if type(found) is not FunctionType:
        raise BadTranscript(place, f"{plain['function']} is not a function that stands by a rule")
    return found


_readers: dict[str, Callable[[JsonObject, str], object]] = {
    "int": lambda plain, place: int(plain["int"], 0),
    "tuple": lambda plain, place: tuple(_check_list(plain["tuple"], place)),
    "set": lambda plain, place: frozenset(_check_list(plain["set"], place)),
    "fraction": _fraction,
    "die": _die,
    "pool": _pool,
    "hand": _hand,
    "rule": _call,
    "type": _typed_value,
    "enum": _enum,
    "function": _function,
}
