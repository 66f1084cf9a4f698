"""An AnyDice program as a tree: statements and values, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rollwright.anydice.errors import Span

Pattern: TypeAlias = tuple[str | None, ...]
"""Key of a function: its words, and None for each place of a parameter."""


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A number as it is written."""

    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Variable:
    """A name in capitals."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """One of `- + ! # d` before a value."""

    sign: str
    value: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """Two values with an operator between them."""

    sign: str
    left: Value
    right: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Range:
    """`1..6` in a sequence."""

    first: Value
    last: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Repetition:
    """`5:3` in a sequence."""

    value: Value | Range
    times: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Braces:
    """A sequence as it is written."""

    items: tuple[Value | Range | Repetition, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function, called by its words with values at its places."""

    pattern: Pattern
    values: tuple[Value, ...]
    span: Span


Value: TypeAlias = NumberLiteral | Variable | Unary | Binary | Braces | FunctionCall


@dataclass(frozen=True, slots=True)
class Assign:
    """`X: value`."""

    name: str
    value: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Output:
    """`output value named "text"`."""

    value: Value
    name: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """A place of a function: its name, and what it takes: `n`, `s`, `d` or `?`."""

    name: str
    takes: str


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """A definition; `body` is what a call does."""

    pattern: Pattern
    parameters: tuple[FunctionParameter, ...]
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """Conditions with what each leads to, in order, and what else."""

    cases: tuple[tuple[Value, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Loop:
    """`loop X over {…} { … }`."""

    name: str
    over: Value
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Set:
    """`set "name" to value`, where the value may be a text."""

    name: str
    value: Value | str
    span: Span


@dataclass(frozen=True, slots=True)
class ResultStatement:
    """The result of a function."""

    value: Value
    span: Span


Statement: TypeAlias = Assign | Output | FunctionDefinition | If | Loop | Set | ResultStatement


def inside(node: object) -> Iterator[object]:
    """Everything inside statements, values and tuples of them."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif hasattr(one, "__dataclass_fields__"):
            yield one
            waiting += [getattr(one, name) for name in one.__dataclass_fields__ if name != "span"]


def assignments_in(statements: object) -> list[str]:
    """The variables that statements give something to; a loop does so more than once."""
    found = []
    for one in inside(statements):
        if isinstance(one, Assign):
            found.append(one.name)
        elif isinstance(one, Loop):
            found += [one.name, one.name, *assignments_in(one.body)]
    return found
