"""Questions that are the same whenever they are asked: made once instead of for each way.

`roll(2 * D6)` and `choose("hold", "throw")` name nothing but words of ours, dice and constants. The
compiled code takes the question that was made beforehand as long as these names mean what they
meant then, and makes it anew where they do not.
"""

from __future__ import annotations

import ast
import operator
from types import FunctionType
from typing import Any, NamedTuple

from rollwright.dice import Die, Pool

_PLAIN = frozenset([Die, Pool, int, str])
"""Kinds of values that such a question may be made of."""
_SIGNS = {ast.Add: operator.add, ast.Mult: operator.mul}


class Fixed(NamedTuple):
    """A question at an await, and the names that it is made of: the first is the word."""

    asked: ast.Call
    names: tuple[str, ...]


def names_in(asked: ast.expr, local: frozenset[str]) -> tuple[str, ...] | None:
    """Return the names that a question is made of; None where it may be another each time."""
    if not isinstance(asked, ast.Call) or not isinstance(asked.func, ast.Name):
        return None
    if asked.func.id not in ("roll", "choose"):
        return None
    names = {asked.func.id: None}
    parts: list[ast.expr] = [*asked.args, *[one.value for one in asked.keywords if one.arg]]
    if len(parts) < len(asked.args) + len(asked.keywords):
        return None
    for part in parts:
        if isinstance(part, ast.BinOp) and type(part.op) in _SIGNS:
            parts += [part.left, part.right]
        elif isinstance(part, ast.Name):
            names[part.id] = None
        elif not isinstance(part, ast.Constant):
            return None
    return None if any([name in local or name[0] == "." for name in names]) else tuple(names)


def guarded(asked: ast.expr, number: int, names: tuple[str, ...]) -> tuple[ast.expr, list[str]]:
    """The question made beforehand while its names mean the same; and the names of ours in it."""
    ours = [cell_of(number, name) for name in names]
    tests: list[ast.expr] = [
        ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [ast.Name(our, ast.Load())])
        for name, our in zip(names, ours, strict=True)
    ]
    made = ast.Name(cell_of(number), ast.Load())
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    guard = ast.IfExp(test, made, asked)
    for node in (made, test, guard, *tests):
        ast.copy_location(node, asked)
    return ast.fix_missing_locations(guard), [cell_of(number), *ours]


def cell_of(number: int, name: str = "") -> str:
    """The name of ours for a question, or for what a name in it meant."""
    return f".asks{number}.{name}" if name else f".asks{number}"


def made_for(function: FunctionType, fixed: dict[int, Fixed]) -> dict[int, tuple[Any, list[Any]]]:
    """By the await, the questions of a function that can be made now, and what their names mean."""
    from rollwright.engine.steps import Unwatched
    from rollwright.rules import choose, roll

    scope: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    free = frozenset(function.__code__.co_freevars)
    around = function.__globals__
    found: dict[int, tuple[Any, list[Any]]] = {}
    with Unwatched():
        for number, (asked, names) in fixed.items():
            known = {n: scope[n] for n in names if n in scope}
            known.update({n: around[n] for n in names if n not in free and n in around})
            if len(known) < len(names):
                continue
            word, *parts = [known[name] for name in names]
            if (word is roll or word is choose) and _PLAIN.issuperset(map(type, parts)):
                try:
                    step = _made(asked, word, known)
                except Exception:  # it goes wrong where the rule comes to it
                    continue
                found[number] = step, [word, *parts]
    return found


def _made(asked: ast.Call, word: Any, known: dict[str, Any]) -> Any:
    named = {one.arg: _value(one.value, known) for one in asked.keywords if one.arg}
    return word(*[_value(part, known) for part in asked.args], **named)


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.BinOp):
        return _SIGNS[type(node.op)](_value(node.left, known), _value(node.right, known))
    assert isinstance(node, ast.Name)
    return known[node.id]
