"""What lies outside a function: the functions and classes that it names, and whose they are."""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any

COROUTINE = 0x80
"""The flag of the code of an async function."""


def is_in_ours(module: str) -> bool:
    """Whether a module is Rollwright's own."""
    return module.partition(".")[0] == "rollwright"


def asks_for_types(function: FunctionType) -> bool:
    """Whether a plain function that this one calls, or a method, asks for the type of something."""
    known = _typed.get(function.__code__)
    if known is None or function.__closure__:
        known = _typed[function.__code__] = _asks_for_types(function)
    return known


_typed: dict[CodeType, bool] = {}


def _asks_for_types(function: FunctionType) -> bool:
    waiting, met = [function], {function}
    while waiting:
        one = waiting.pop()
        names = global_names([one.__code__])
        if one is not function and "type" in names and not one.__code__.co_flags & COROUTINE:
            return True
        scope = one.__globals__
        values = [scope[name] for name in names if name in scope]
        values += [c.cell_contents for c in one.__closure__ or () if is_filled(c)]
        for value in values:
            if isinstance(value, type) and is_an_authors(value):
                parts: list[Any] = [*vars(value).values()]
            else:
                parts = [value]
            for part in parts:
                if isinstance(part, FunctionType) and part not in met and not is_known(part):
                    met.add(part)
                    waiting.append(part)
    return False


def is_filled(cell: Any) -> bool:
    """Whether a cell of a function has a value by now."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def global_names(codes: list[CodeType]) -> dict[str, None]:
    """Return the names that functions use, those inside them too, and of attributes."""
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return dict.fromkeys([name for code in codes for name in code.co_names])


def is_known(function: FunctionType) -> bool:
    """Whether a function is ours or Python's, and not an author's."""
    module = function.__module__ or ""
    top = module.partition(".")[0]
    return top == "rollwright" or (top in sys.stdlib_module_names and top != "__main__")


def is_an_authors(kind: type) -> bool:
    """Whether a class is neither ours nor Python's."""
    module = kind.__module__
    return not is_in_ours(module) and module not in sys.stdlib_module_names - {"__main__"}
