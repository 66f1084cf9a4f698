"""Paths in drafts, such as `rolls.0.skill`: their values, and drafts put over each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.errors import BadField
from rollwright.jsonable import JsonMapping
from rollwright.kit.fields import Value


def reached(held: Any, path: str, otherwise: Any = None) -> Any:
    """Return the value at a path in values, mappings and lists.

    >>> reached({"rolls": [{"dl": "Hard"}]}, "rolls.0.dl"), reached({}, "rolls.0.dl", "?")
    ('Hard', '?')
    """
    if type(held) is dict and "." not in path and path:  # most are
        held = held.get(path, ...)
        return otherwise if held is ... else held
    for name in path.split(".") if path else ():
        if type(held) is dict:  # known quickest
            held = held.get(name, ...)
        elif isinstance(held, Value):
            held = getattr(held, name, ...)
        elif isinstance(held, Mapping):
            held = held.get(name, ...)
        elif isinstance(held, (list, tuple)) and not hasattr(held, "_fields"):
            held = held[int(name)] if name.isdigit() and int(name) < len(held) else ...
        else:
            held = getattr(held, name, ...)
        if held is ...:
            return otherwise
    return held


def without(held: Any, path: str, usual: Any = None) -> Any:
    """The same without what lies at a path, or with what is usual there.

    >>> without({"a": {"b": 1, "c": 2}}, "a.b"), without([{"b": 1}], "0.b", 5)
    ({'a': {'c': 2}}, [{'b': 5}])
    """
    name, _, rest = path.partition(".")
    if isinstance(held, Mapping):
        if rest:
            return {
                k: without(part, rest, usual) if k == name else part for k, part in held.items()
            }
        gone = {key: part for key, part in held.items() if key != name}
        return gone if usual is None else {**gone, name: usual}
    if isinstance(held, list) and name.isdigit() and rest:
        return [
            without(part, rest, usual) if n == int(name) else part for n, part in enumerate(held)
        ]
    return held


def over(first: JsonMapping, said: JsonMapping) -> dict[str, Any]:
    """Return the input over the draft that a roll starts with; a list replaces the first one."""
    found = dict(first)
    for name, held in said.items():
        under = found.get(name)
        both = isinstance(under, Mapping) and isinstance(held, Mapping)
        found[name] = over(under, held) if both else held  # type: ignore[arg-type]
    return found


def merge_drafts(under: Any, over: Any) -> Any:
    """Two drafts of the same thing, the second over the first.

    >>> merge_drafts({"rolls": [{"skill": "Hack"}]}, {"rolls": [{"dl": "Hard"}]})
    {'rolls': [{'skill': 'Hack', 'dl': 'Hard'}]}
    """
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: merge_drafts(under.get(key), held) for key, held in over.items()}}
    if isinstance(under, list) and isinstance(over, list) and len(under) == len(over):
        return [merge_drafts(one, other) for one, other in zip(under, over, strict=True)]
    return under if over is None else over


def default_at(first: Any, path: str) -> Any:
    """Return the first value of a part of a list at a path, since a list in the input replaces all.

    Parts beyond those that the roll starts with are like the last of them.

    >>> default_at({"rolls": [{"dl": "Easy"}]}, "rolls.3.dl"), default_at({"dl": "Easy"}, "dl")
    ('Easy', None)
    """
    listed = False
    for name in path.split("."):
        if isinstance(first, list) and first and name.isdigit():
            listed, first = True, first[min(int(name), len(first) - 1)]
        elif isinstance(first, Mapping) and name in first:
            first = first[name]
        else:
            return None
    return first if listed else None


def path_of(refusal: BadField) -> str:
    """Return the path in the draft of a refused field: `rolls[0].skill` is `rolls.0.skill`."""
    return refusal.field.replace("[", ".").replace("]", "").strip(".")
