"""What rules, types and functions are called in what is written down.

Something that belongs to a game is called by the game and its own name, `twilight2000:Attacked`,
wherever in the game's folder it lies: modules may be split, and the folder moved, without a word
of what was written becoming another. Whatever belongs to no game is called by its module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any

from rollwright.errors import BadField, BadTranscript, RollwrightError
from rollwright.steps import Rule, known_rules

_homes: dict[str, str] = {"rollwright.notation": "notation"}
"""By the module or package of a game its name."""
_packages: dict[str, str] = {"notation": "rollwright.notation"}
_written: dict[Any, str] = {}
_indexes: dict[str, tuple[int, dict[str, Any]]] = {}
"""By the name of a game what is called how in it, and how many modules there were then."""
_AMBIGUOUS = object()


def settle(game: str, package: str) -> None:
    """Let whatever lies in a module or package be called by the name of a game."""
    _homes[package], _packages[game] = game, package
    _written.clear()
    _indexes.pop(game, None)


def name_of(thing: Any) -> str:
    """The name by which a type, a rule or a function is found again."""
    name = _written.get(thing)
    if name is None:
        name = _name(thing)
        if isinstance(thing, Rule) and known_rules.get(thing.name) is not thing:
            raise RollwrightError(
                f"the rule {thing.short_name} cannot be written down: "
                "only a rule at the top of a module can be found again"
            )
        if _found(name) not in (None, thing):
            raise RollwrightError(f"this cannot be written down: there is more than one {name}")
        _written[thing] = name
    return name


def _name(thing: Any) -> str:
    path = thing.name if isinstance(thing, Rule) else f"{thing.__module__}:{thing.__qualname__}"
    module, _, own = path.partition(":")
    return f"{_home(module) or module}:{own}"


def _home(module: str) -> str:
    """The game that a module belongs to; empty for none."""
    place = module
    while place:
        if place in _homes:
            return _homes[place]
        place = place.rpartition(".")[0]
    return ""


def find_named(name: Any, place: str) -> Any:
    """What is called so; `place` is named where there is no such thing.

    Only what a game, or a loaded package with rules, defines itself at the top of a module is
    found: a transcript names values and rules, never anything else that could be called.
    """
    where, colon, own = name.partition(":") if isinstance(name, str) else ("", "", "")
    if not colon or not own:
        raise BadTranscript(place, f"{name!r} is no name such as game:Name")
    found = _found(name) if where in _packages or _has_rules(where) else None
    if found is None:
        hint = f"{where} has none" if where in _packages else f"import {where} first"
        raise BadTranscript(place, f"{name} is not known here: {hint}")
    if found is _AMBIGUOUS:
        raise BadTranscript(place, f"there is more than one {name}")
    return found


def find_rule(name: Any, place: str) -> Rule[..., Any]:
    """A rule by its name; an installed game is loaded when a rule of it is asked for."""
    rule = _rule(name)
    if rule is None and isinstance(name, str) and ":" in name:
        _load(name.partition(":")[0])
        rule = _rule(name)
    if rule is None:
        raise BadTranscript(place, f"the rule {name!r} is not known here: import its module first")
    return rule


def _rule(name: Any) -> Rule[..., Any] | None:
    found = _found(name) if isinstance(name, str) else None
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


def _found(name: str) -> Any:
    where, _, own = name.partition(":")
    if where in _packages:
        return _index(where).get(own)
    rule = known_rules.get(name)
    return rule if rule is not None else _in_module(where, own)


def _in_module(module_name: str, own: str) -> Any:
    """Something that belongs to no game."""
    module = sys.modules.get(module_name)
    found = None if module is None else vars(module).get(own)
    return found if getattr(found, "__module__", None) == module_name else None


def _has_rules(module_name: str) -> bool:
    package = module_name.partition(".")[0]
    return any(rule.partition(".")[0].partition(":")[0] == package for rule in known_rules)


def _index(game: str) -> dict[str, Any]:
    """What is called how in the loaded modules of a game."""
    loaded = len(sys.modules) + len(known_rules)
    held = _indexes.get(game)
    if held is None or held[0] != loaded:
        index: dict[str, Any] = {}
        for own, thing in _defined(_packages[game]):
            index[own] = thing if index.get(own, thing) is thing else _AMBIGUOUS
        _indexes[game] = held = (loaded, index)
    return held[1]


def _defined(package: str) -> Iterator[tuple[str, Any]]:
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
    index = _index(game)
    for own, thing in _defined(_packages[game]):
        if index[own] is _AMBIGUOUS and not isinstance(thing, FunctionType):
            raise BadField("name", f"{game} has more than one {own!r}", would_do="names of one use")
