"""What a rule reads from outside must not change while it is counted: that is looked at."""

from __future__ import annotations

from types import CodeType, FunctionType, ModuleType
from typing import Any

from rollwright.engine.steps import Call
from rollwright.errors import Misuse

CHANCE = {"random", "secrets", "time", "datetime", "uuid"}
"""Modules that answer differently each time: a rule that asks them cannot be counted."""
LOOKED_AT = (list, dict, set, bytearray)
FEW = 32
"""Larger things from outside are tables, which are not looked at again."""
Seen = list[tuple[str, object]]


class Outside:
    """What the rule that is counted names outside itself, as it was before the count."""

    __slots__ = ("_call", "_before")

    def __init__(self, call: object) -> None:
        self._call: Any = call if type(call) is Call else None
        self._before: Seen = [] if self._call is None else _seen(self._call.rule.function)

    def check(self) -> None:
        """Refuse a rule that has changed something outside itself."""
        if self._call is None or not self._before:
            return
        for (name, before), (_, after) in zip(
            self._before, _seen(self._call.rule.function), strict=False
        ):
            if before != after:
                raise Misuse(
                    f"the rule {self._call.rule.short_name} changes {name}, which lies outside it: "
                    "what it comes to would depend on how often it was tried; "
                    "keep it in a local variable, or give it as an argument"
                )


def _seen(function: Any) -> Seen:
    names = _names.get(function.__code__)
    if names is None:
        names = _names[function.__code__] = _checked_names(function)
    scope = function.__globals__
    found: Seen = [(name, _shown(scope[name])) for name in names if name in scope]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found.append((name, _shown(cell.cell_contents)))
        except ValueError:
            continue
    return found


_names: dict[CodeType, tuple[str, ...]] = {}
"""By its code, the names outside a function that may change."""


def _checked_names(function: FunctionType) -> tuple[str, ...]:
    """The names of what may change; clocks and chance that is not ours are refused."""
    found: list[str] = []
    codes = [function.__code__]
    scope = function.__globals__
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for name in code.co_names:
            value = scope.get(name)
            if value is None or name in found:
                continue
            _refuse_chance(function.__name__, name, value)
            if isinstance(value, LOOKED_AT) or type(value) in (int, float):
                found.append(name)
    return tuple(found)


def _refuse_chance(rule: str, name: str, value: object) -> None:
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if isinstance(getattr(value, "__self__", None), object) and not module:
        module = type(getattr(value, "__self__", None)).__module__
    if module in CHANCE and not isinstance(value, type):
        raise Misuse(
            f"the rule {rule} uses {name}, which gives something else each time: "
            "await a roll or a choice instead"
        )


def _shown(value: Any) -> object:
    if isinstance(value, LOOKED_AT):
        return (id(value), len(value), repr(value) if len(value) <= FEW else "")
    return (id(value), value) if type(value) in (int, float, str, bool) else None
