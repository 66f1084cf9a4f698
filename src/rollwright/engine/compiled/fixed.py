"""Questions that are the same whenever they are asked: made once instead of for each way.

`roll(2 * D6)` and `choose("hold", "throw")` name nothing but words of ours, dice and constants. The
compiled code takes the question that was made beforehand as long as these names mean what they
meant then, and makes it anew where they do not.

`choose(*options(points, dice))` is the same for equal arguments where the function is pure: it uses
no more than what it is given, constants and functions of Python that change nothing.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from rollwright.dice import Die, Pool
from rollwright.engine.compiled.iteration import check_order
from rollwright.engine.compiled.keys import SIMPLE
from rollwright.engine.compiled.sharing import CALLED
from rollwright.engine.compiled.source import fill_places
from rollwright.engine.inspection import codes_in

_PLAIN = frozenset([Die, Pool, int, str])
"""Kinds of values that such a question may be made of."""
_SIGNS = {ast.Add: operator.add, ast.Mult: operator.mul}


PURE = CALLED | {
    *("enumerate", "zip", "reversed", "isinstance", "iter", "next", "pow", "map", "filter"),
    *("chr", "ord", "ValueError", "TypeError", "KeyError"),
}
"""Functions of Python that a pure function may call: it has nothing that they could change."""
MOST_KEPT = 20_000
"""So many questions are kept by the arguments of the function that gives their options."""
_FLAGS = 0x20 | 0x80 | 0x100 | 0x200
"""The flags of the code of generators and of async functions."""


class Fixed(NamedTuple):
    """A question at an await, and the names that it is made of: the first is the word."""

    asked: ast.Call
    names: tuple[str, ...]
    given: tuple[ast.expr, ...] | None = None
    """The arguments of the second, whose answer is listed after the word; None without it."""
    line: int = 0
    """The line, if what it lists must not be a set."""


def fixed_in(asked: ast.expr, local: frozenset[str]) -> Fixed | None:
    """Return a question as one that can be made beforehand; None where it may differ each time."""
    if not isinstance(asked, ast.Call) or not isinstance(asked.func, ast.Name):
        return None
    if asked.func.id not in ("roll", "choose"):
        return None
    names = {asked.func.id: None}
    parts: list[ast.expr] = [*asked.args, *[one.value for one in asked.keywords if one.arg]]
    if len(parts) < len(asked.args) + len(asked.keywords):
        return None
    listed = _options_call(asked)
    if listed is not None:
        function, line = listed
        assert isinstance(function.func, ast.Name)
        names[function.func.id] = None
        del parts[0]
    for part in parts:
        if isinstance(part, ast.BinOp) and type(part.op) in _SIGNS and listed is None:
            parts += [part.left, part.right]
        elif isinstance(part, ast.Name) and listed is None:
            names[part.id] = None
        elif not isinstance(part, ast.Constant):
            return None
    if any([name in local or name[0] == "." for name in names]):
        return None
    if listed is None:
        return Fixed(asked, tuple(names))
    return Fixed(asked, tuple(names), tuple(function.args), line) if len(names) == 2 else None


def _options_call(asked: ast.Call) -> tuple[ast.Call, int] | None:
    """The call of a function whose answer is all that `choose` lists; and the line, for a set."""
    if asked.func.id != "choose" or len(asked.args) != 1:  # type: ignore[attr-defined]
        return None
    (first,) = asked.args
    value, line = first.value if isinstance(first, ast.Starred) else None, 0
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == ".ordered":
        value, line = value.args[0], value.args[1].value  # type: ignore[attr-defined]
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.keywords:
        return None
    return None if any([isinstance(one, ast.Starred) for one in value.args]) else (value, line)


def guard(fixed: Fixed, number: int) -> tuple[ast.expr, list[str]]:
    """The question made beforehand while its names mean the same; and the names of ours in it."""
    asked, names = fixed.asked, fixed.names
    ours = [cell_of(number, name) for name in names]
    tests: list[ast.expr] = [
        ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [ast.Name(our, ast.Load())])
        for name, our in zip(names, ours, strict=True)
    ]
    made: ast.expr = ast.Name(cell_of(number), ast.Load())
    if fixed.given is not None:
        made = ast.Call(made, [*fixed.given], [])
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    guard = ast.IfExp(test, made, asked)
    for node in (made, test, guard, *tests):
        ast.copy_location(node, asked)
    return fill_places(guard), [cell_of(number), *ours]


def cell_of(number: int, name: str = "") -> str:
    """The name of ours for a question, or for what a name in it meant."""
    return f".asks{number}.{name}" if name else f".asks{number}"


Kept = dict[int, int]
"""By the ids of questions that are kept for arguments, their numbers: equal ones have the same."""


def made_for(
    function: FunctionType, fixed: dict[int, Fixed], kept: Kept
) -> dict[int, tuple[Any, list[Any]]]:
    """By the await, the questions of a function that can be made now, and what their names mean."""
    from rollwright.engine.steps import WatchPause
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
    with WatchPause():
        for number, (asked, names, given, line) in fixed.items():
            known = {n: scope[n] for n in names if n in scope}
            known.update({n: around[n] for n in names if n not in free and n in around})
            if len(known) < len(names):
                continue
            word, *parts = [known[name] for name in names]
            if given is not None:
                if word is choose and is_pure(parts[0]):
                    named = {one.arg: _value(one.value, {}) for one in asked.keywords if one.arg}
                    found[number] = _asking(word, parts[0], named, line, kept), [word, *parts]
            elif (word is roll or word is choose) and _PLAIN.issuperset(map(type, parts)):
                try:
                    step = _make_step(asked, word, known)
                except Exception:  # it goes wrong where the rule comes to it
                    continue
                found[number] = step, [word, *parts]
    return found


def _asking(
    word: Callable[..., Any],
    function: Callable[..., Any],
    named: dict[str, Any],
    line: int,
    kept: Kept,
) -> Callable[..., Any]:
    """A function for the question with the options that another gives, kept by its arguments."""
    known: dict[tuple[Any, ...], Any] = {}
    numbers: dict[object, int] = {}

    def asked(*given: Any) -> Any:
        step = None
        for value in given:
            kind = type(value)
            if kind not in SIMPLE and (kind is not tuple or not _are_simple(map(type, value))):
                break
        else:
            step = known.get(given)
        if step is None:
            options = function(*given)
            step = word(*(check_order(options, line) if line else options), **named)
            if are_own_keys(given) and len(known) < MOST_KEPT and are_own_keys(step.options):
                known[given] = step
                kept[id(step)] = numbers.setdefault(step.options, len(numbers))
        return step

    return asked


def are_own_keys(values: tuple[Any, ...]) -> bool:
    """Whether values, and tuples of them, are equal to none that differ from them."""
    for value in values:
        kind = type(value)
        if kind not in SIMPLE and (kind is not tuple or not _are_simple(map(type, value))):
            return False
    return True


_are_simple = SIMPLE.issuperset


def is_pure(function: Any, around: tuple[Any, ...] = ()) -> bool:
    """Whether what a function gives rests on its arguments alone, if these never change."""
    if type(function) is not FunctionType or function.__closure__ or function.__dict__:
        return False
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    if function.__code__.co_flags & _FLAGS or not are_own_keys(defaults):
        return False
    scope = function.__globals__
    for code in (function.__code__, *codes_in(function.__code__)):
        if not _CHANGES.isdisjoint(code.co_code[::2]):
            return False
        for name in code.co_names:
            if name in scope:
                value = scope[name]
                if value not in around and not is_pure(value, (*around, function)):
                    return False
            elif hasattr(builtins, name) and name not in PURE:
                return False
    return True


def _changing() -> frozenset[int]:
    """Python's instructions that change what lies outside of a function, or load it anew."""
    from opcode import opmap

    names = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "IMPORT_NAME"}
    return frozenset([number for name, number in opmap.items() if name in names])


_CHANGES = _changing()


def _make_step(asked: ast.Call, word: Any, known: dict[str, Any]) -> Any:
    named = {one.arg: _value(one.value, known) for one in asked.keywords if one.arg}
    return word(*[_value(part, known) for part in asked.args], **named)


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.BinOp):
        return _SIGNS[type(node.op)](_value(node.left, known), _value(node.right, known))
    assert isinstance(node, ast.Name)
    return known[node.id]
