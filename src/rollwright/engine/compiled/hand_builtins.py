"""Questions that Python's own functions ask of a hand: `sum(hand)` and such.

They go over the faces of a hand, which has it seen whole. If they only add something up, the hand
is asked for that sum instead, as `hand.sum` and `hand.count` do.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Container, Iterable
from types import FunctionType
from typing import Any, NamedTuple

from rollwright.engine.compiled.blocks import SCOPES, Await, Block, Branch, Return
from rollwright.engine.compiled.keys import try_asking
from rollwright.engine.compiled.liveness import reads
from rollwright.engine.compiled.partial_hands import PartialHand, number_of
from rollwright.engine.compiled.source import fill_places, walk
from rollwright.hands import Hand

COROUTINE, VARIADIC = 0x80, 0x0C
"""The flags of code of an async function, and of one that takes any number of arguments."""
GOES_OVER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ASKED = {"sum", "any", "all", "len", "type"}


def add_up(function: Callable[[Any], Any], items: Any) -> Any:
    """Return `sum(items)`; for a hand without seeing it."""
    if type(items) is PartialHand and function is builtins.sum:
        return items.sum
    return function(items)


def is_unseen(hand: Any) -> bool:
    """Whether a hand is one of which no more is known than what is asked."""
    return type(hand) is PartialHand


def type_of(function: Callable[[Any], Any], value: Any) -> Any:
    """Return `type(value)`, the same for a hand not seen as for any other."""
    return Hand if function is type and type(value) is PartialHand else function(value)


def each_face(hand: PartialHand) -> list[Any]:
    """All that the dice of a hand can show."""
    return [
        reading
        for source, mask in hand.parts
        for number, (_, reading, _) in enumerate(source.span.letters.listed)
        if mask >> number & 1
    ]


def on_each_face(
    make: Callable[..., Iterable[Any]], hand: PartialHand, *values: Any
) -> list[Any] | None:
    """Return what a function makes of all faces; None where it changes values that it was given."""
    return try_asking(values, lambda *copies: [*make(each_face(hand), *copies)])


def count_faces(function: Any, hand: PartialHand, listed: list[Any] | None) -> Any:
    """Return a Python function's result over a hand's faces, from its value for each of them."""
    if function not in (builtins.any, builtins.all, builtins.sum, builtins.len):
        listed = None
    if listed is not None and (function is builtins.any or function is builtins.all):
        listed = [bool(value) is (function is builtins.any) for value in listed]
    if listed is None or not {int, bool}.issuperset(map(type, listed)):
        hand.learn_whole()
        raise AssertionError("a hand that is seen whole is asked for no more")
    terms, start = [], 0
    for source, mask in hand.parts:
        table = [0] * len(source.span.letters.listed)
        for number in range(len(table)):
            if mask >> number & 1:
                table[number] = int(listed[start])
                start += 1
        if any(table):
            terms.append((source, tuple(table)))
    found = number_of(terms)
    if function is builtins.any:
        return found > 0
    return found == 0 if function is builtins.all else found


class Part(NamedTuple):
    """A plain async function that is awaited where it is called: no coroutine is made of it."""

    function: FunctionType
    arguments: tuple[Any, ...]


def is_async_function(value: object) -> bool:
    """Whether it is a plain async function."""
    return type(value) is FunctionType and bool(value.__code__.co_flags & COROUTINE)


def part(function: Any, *arguments: Any) -> Any:
    """Return a call of an async function with all that it takes as a part; any other is made."""
    if type(function) is FunctionType:
        code = function.__code__
        if (
            code.co_flags & (COROUTINE | VARIADIC) == COROUTINE
            and code.co_argcount == len(arguments)
            and not code.co_kwonlyargcount
        ):
            return Part(function, arguments)
    return function(*arguments)


def _part_of(asked: ast.expr, parts: Container[str]) -> ast.expr:
    """Return the awaited expression; as a part where it is a call of one of these names."""
    if (
        not isinstance(asked, ast.Call)
        or not isinstance(asked.func, ast.Name)
        or asked.func.id not in parts
        or asked.keywords
        or any(isinstance(each, ast.Starred) for each in asked.args)
    ):
        return asked
    made = _call(".part", asked.func, *asked.args)
    return fill_places(ast.copy_location(made, asked))


def ask_hands(blocks: list[Block], local: frozenset[str], parts: Container[str]) -> None:
    """Let the blocks of a function with these variables ask hands for what they add up.

    Async functions with these names are parts where they are awaited.
    """
    asks = _Asks(local)
    for block in blocks:
        block.body[:] = [asks.visit(statement) for statement in block.body]
        end = block.end
        if isinstance(end, Await):
            end.asked = _part_of(asks.visit(end.asked), parts)
        elif isinstance(end, Branch):
            end.test = asks.visit(end.test)
        elif isinstance(end, Return):
            end.value = asks.visit(end.value)
            if end.tail:
                end.value = _part_of(end.value, parts)


class _Asks(ast.NodeTransformer):
    def __init__(self, local: frozenset[str]) -> None:
        self._local = local

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, (*SCOPES, *GOES_OVER)):
            return node
        return super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if (
            not isinstance(node.func, ast.Name)
            or node.func.id not in ASKED
            or len(node.args) != 1
            or node.keywords
            or isinstance(node.args[0], ast.Starred)
        ):
            return node
        (items,) = node.args
        made: ast.expr | None = None
        if node.func.id == "type":
            made = _call(".type_of", node.func, items)
        elif isinstance(items, (ast.GeneratorExp, ast.ListComp)):
            made = _count_call(node, node.func, items, self._local)
        elif node.func.id == "sum":
            made = _call(".add_up", node.func, items)
        return node if made is None else fill_places(ast.copy_location(made, node))


def _count_call(
    node: ast.Call,
    function: ast.Name,
    items: ast.GeneratorExp | ast.ListComp,
    local: frozenset[str],
) -> ast.expr | None:
    """The same for each face by itself, where it goes over nothing but a hand."""
    (first, *more), listed = items.generators, isinstance(items, ast.ListComp)
    if more or not isinstance(first.iter, ast.Name) or listed is not (function.id == "len"):
        return None
    if any(isinstance(each, (ast.NamedExpr, ast.Await)) for each in walk(items)):
        return None
    passed = ast.Constant(function.id == "all")
    value: ast.expr = ast.Constant(1) if listed else items.elt
    for test in reversed(first.ifs):
        otherwise: ast.expr = passed if function.id in ("any", "all") else ast.Constant(0)
        value = ast.IfExp(test, value, otherwise)
    faces = ast.Name(".faces", ast.Load())
    values = ast.GeneratorExp(value, [ast.comprehension(first.target, faces, [], 0)])
    names = sorted(reads(values) & local)
    make = ast.Lambda(
        ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in (".faces", *names)],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        ),
        values,
    )
    given = [ast.Name(name, ast.Load()) for name in names]
    listed_ = _call(".on_each_face", make, first.iter, *given)
    asked = _call(".count_faces", function, first.iter, listed_)
    return ast.IfExp(_call(".is_unseen", first.iter), asked, node)


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [*arguments], [])
