"""Works an AnyDice program out, exactly: every output with its odds.

A call whose parameters take single numbers or sequences is worked out once for each outcome of the
dice that were given, and what comes of it is weighed by their chances. Equal calls recur often, so
what each came to is kept, together with the variables that it may have read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import Any, NamedTuple

from rollwright.anydice import tree, values
from rollwright.anydice.errors import AnyDiceError, Span, TooMuchToRun
from rollwright.anydice.functions import BUILT_IN, MOST_EXPLOSIONS, BuiltIn, ProgramSettings
from rollwright.anydice.parser import parse
from rollwright.anydice.values import EMPTY, LONGEST_SEQUENCE, DiceValue, Unfit, Value
from rollwright.budget import Budget, Work
from rollwright.errors import TooMuchWork
from rollwright.exact import Dist
from rollwright.i18n.messages import Message, msg

DEEPEST_CALLS = 500
FRAMES_OF_A_CALL = 60
MOST_KEPT = 200_000
"""How many calls are remembered."""
CALL_STEPS, STATEMENT_STEPS, VALUE_STEPS, OUTPUT_STEPS = 60, 20, 5, 1_000
ORDERS = {"highest first": False, "lowest first": True}


class OutputOdds(NamedTuple):
    """An output: its name, and its odds; None where it has no outcomes."""

    name: str
    odds: Dist[int] | None


class ProgramResult(NamedTuple):
    """The result of a program: its outputs in order, and remarks on them."""

    outputs: tuple[OutputOdds, ...]
    warnings: tuple[Message, ...] = ()
    empty: frozenset[Span] = frozenset()
    """Places of dice without faces, and of outputs without outcomes."""


class Frame(dict[str, Value]):
    """The variables of a call; what is not there is looked up in the callers."""


class Reads(NamedTuple):
    """The reads of a function: variables of its callers, and whether it calls functions."""

    names: tuple[str, ...]
    calls: bool


def run(text: str, budget: Budget | None = None) -> ProgramResult:
    """The outputs of a program with their exact odds.

    >>> [shown] = run('output [highest 3 of 4d6] named "a score"').outputs
    >>> shown.name, shown.odds.mean
    ('a score', Fraction(15869, 1296))
    """
    program = parse(text)
    machine = _Interpreter(text, budget or Budget.default())
    with _deep_stack():
        machine.block(program)
    warnings = tuple(machine.warnings.values())
    return ProgramResult(tuple(machine.outputs), warnings, frozenset(machine.empty))


@contextmanager
def _deep_stack() -> Iterator[None]:
    """Room on the stack for calls within calls; Python's own frames take none of the machine's."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, before + DEEPEST_CALLS * FRAMES_OF_A_CALL))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Interpreter:
    """A program that runs: variables, functions, settings, and what was shown."""

    def __init__(self, text: str, budget: Budget) -> None:
        self.text = text
        self.work = Work(budget, "working out", _Program())
        self.frames = [Frame()]
        self.functions: dict[tree.Pattern, tree.FunctionDefinition | BuiltIn] = dict(BUILT_IN)
        self.settings = ProgramSettings()
        self.outputs: list[OutputOdds] = []
        self.warnings: dict[str, Message] = {}
        self.empty: set[Span] = set()
        self.kept: dict[object, Value] = {}
        self.reads: dict[tree.Pattern, Reads] = {}
        self.does: dict[type, Callable[[Any], Value | None]] = {
            tree.Assign: self.assign,
            tree.Output: self.output,
            tree.FunctionDefinition: self.define,
            tree.If: self.decide,
            tree.Loop: self.loop,
            tree.Set: self.set,
            tree.ResultStatement: self.result,
        }
        self.gives: dict[type, Callable[[Any], Value]] = {
            tree.NumberLiteral: lambda node: node.value,
            tree.Variable: self.variable,
            tree.Unary: self.unary,
            tree.Binary: self.binary,
            tree.Braces: self.braces,
            tree.FunctionCall: self.call,
        }

    def refusal(self, code: str, span: Span, **given: str | int) -> AnyDiceError:
        """Return the error at a place."""
        return AnyDiceError(code, self.text, span, **given)

    def block(self, statements: Iterable[tree.Statement]) -> Value | None:
        """Do statements in order, to the first result; None where there is none."""
        for statement in statements:
            try:
                self.work.spend(STATEMENT_STEPS)
                found = self.does[type(statement)](statement)
            except TooMuchWork as problem:
                raise self.with_statement(problem, statement) from None
            if found is not None:
                return found
        return None

    def value(self, node: tree.Value) -> Value:
        """Return the value of a node."""
        try:
            return self.gives[type(node)](node)
        except Unfit as problem:
            raise self.refusal(problem.code, node.span, **problem.values) from None
        except TooMuchWork as problem:
            raise self.with_place(problem, node.span) from None

    def with_place(self, problem: TooMuchWork, span: Span) -> TooMuchWork:
        """Too much work at its place, if it is this one thing that is too much of it."""
        if isinstance(problem, TooMuchToRun) or problem.estimate * 100 < problem.whole:
            return problem
        return TooMuchToRun(self.text, span, problem)

    def with_statement(self, problem: TooMuchWork, statement: tree.Statement) -> TooMuchWork:
        """Work that was used up bit by bit, at the statement of the program that it was for."""
        if isinstance(problem, TooMuchToRun) or len(self.frames) > 1:
            return problem
        return TooMuchToRun(self.text, _whole_span(statement), problem)

    def assign(self, statement: tree.Assign) -> None:
        """`X: value`, in the innermost call."""
        self.frames[-1][statement.name] = self.value(statement.value)

    def output(self, statement: tree.Output) -> None:
        """Show a value."""
        try:
            odds = values.output_odds(self.value(statement.value), self.work)
        except Unfit as problem:
            raise self.refusal(problem.code, statement.span, **problem.values) from None
        except TooMuchWork as problem:
            raise self.with_place(problem, statement.value.span) from None
        self.work.spend(OUTPUT_STEPS)
        if odds is None:
            self.empty.add(statement.span)
        name = statement.name
        told = (
            f"output {len(self.outputs) + 1}" if name is None else self.output_name(name, statement)
        )
        self.outputs.append(OutputOdds(told, odds))

    def output_name(self, name: str, statement: tree.Output) -> str:
        """A name with the values of variables in brackets."""
        parts = []
        rest = name
        while rest:
            before, opened, after = rest.partition("[")
            inner, closed, rest = after.partition("]")
            if not closed or not _is_variable(inner):
                parts.append(before + opened + inner + closed)
            else:
                parts.append(before + _briefly(self.look_up(inner, statement.span)))
        return "".join(parts)

    def define(self, statement: tree.FunctionDefinition) -> None:
        """A function, from here on."""
        self.functions[statement.pattern] = statement
        self.reads.clear()
        self.kept.clear()

    def decide(self, statement: tree.If) -> Value | None:
        """The first case whose condition is a number other than 0."""
        for condition, block in statement.cases:
            found = self.value(condition)
            if not isinstance(found, int):
                kind = values.kind_of(found)
                raise self.refusal("condition", condition.span, kind=kind)
            if found:
                return self.block(block)
        return self.block(statement.otherwise)

    def loop(self, statement: tree.Loop) -> Value | None:
        """Each element of a sequence in turn; the variable keeps the last."""
        over = self.value(statement.over)
        if not isinstance(over, tuple):
            raise self.refusal("loop", statement.over.span, kind=values.kind_of(over))
        for element in over:
            self.frames[-1][statement.name] = element
            found = self.block(statement.body)
            if found is not None:
                return found
        return None

    def set(self, statement: tree.Set) -> None:
        """One of the settings."""
        name = statement.name
        self.kept.clear()
        if name == "position order":
            if statement.value not in ORDERS:
                raise self.refusal("order", statement.span)
            lowest_first = ORDERS[str(statement.value)]
            self.settings = self.settings._replace(lowest_first=lowest_first)
        elif name == "explode depth":
            depth = self.positive(statement, MOST_EXPLOSIONS)
            self.settings = self.settings._replace(explode_depth=depth)
        elif name == "maximum function depth":
            depth = self.positive(statement, DEEPEST_CALLS)
            self.settings = self.settings._replace(function_depth=depth)
        else:
            raise self.refusal("setting", statement.span, name=name)

    def positive(self, statement: tree.Set, most: int) -> int:
        """The number of a setting."""
        found = None if isinstance(statement.value, str) else self.value(statement.value)
        if not isinstance(found, int) or not 0 < found <= most:
            raise self.refusal("positive", statement.span, name=statement.name, most=most)
        return found

    def result(self, statement: tree.ResultStatement) -> Value:
        """Return the result of a function."""
        return self.value(statement.value)

    def variable(self, node: tree.Variable) -> Value:
        """Return the value of a variable."""
        return self.look_up(node.name, node.span)

    def look_up(self, name: str, span: Span) -> Value:
        """A variable, in the innermost call that has it."""
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        raise self.refusal("variable", span, name=name)

    def unary(self, node: tree.Unary) -> Value:
        """One of `- + ! # d` before a value."""
        value = self.value(node.value)
        if node.sign == "d":
            return self.dice(1, value, node.span)
        if node.sign == "#":
            return values.length(value)
        if node.sign == "+":
            return value
        return (values.negate if node.sign == "-" else values.opposite)(value, self.work)

    def binary(self, node: tree.Binary) -> Value:
        """Values with operators between them, from the left: there may be thousands in a line."""
        line = [node]
        while isinstance(line[-1].left, tree.Binary):
            line.append(line[-1].left)
        found = self.value(line[-1].left)
        for one in reversed(line):
            try:
                found = self.pair(one, found, self.value(one.right))
            except Unfit as problem:
                raise self.refusal(problem.code, one.span, **problem.values) from None
        return found

    def pair(self, node: tree.Binary, left: Value, right: Value) -> Value:
        """Two values with an operator between them."""
        self.work.spend(VALUE_STEPS + _size(left) + _size(right))
        if node.sign == "d":
            return self.dice(left, right, node.span)
        if node.sign == "@":
            return values.pick(left, right, self.settings.lowest_first, self.work)
        return values.operate(node.sign, left, right, self.work)

    def dice(self, count: Value, sides: Value, span: Span) -> Value:
        """`count d sides`; a die without faces is remembered."""
        found = values.dice(count, sides, self.work)
        if isinstance(found, DiceValue) and found.die is None:
            self.empty.add(span)
        return found

    def braces(self, node: tree.Braces) -> Value:
        """A sequence: values, ranges and repetitions, in one line."""
        found: list[int] = []
        for item in node.items:
            before = len(found)
            found += self.elements(item)
            self.work.spend(VALUE_STEPS + len(found) - before)
            if len(found) > LONGEST_SEQUENCE:
                raise Unfit("long-sequence", most=LONGEST_SEQUENCE)
        return tuple(found)

    def elements(self, item: tree.Value | tree.Range | tree.Repetition) -> Iterable[int]:
        """Return the elements that an item adds to a sequence."""
        if isinstance(item, tree.Repetition):
            times = self.number(item.times, "repetition")
            few = tuple(self.elements(item.value))
            if len(few) * times > LONGEST_SEQUENCE:
                raise Unfit("long-sequence", most=LONGEST_SEQUENCE)
            return few * max(times, 0)
        if isinstance(item, tree.Range):
            first, last = self.number(item.first, "range"), self.number(item.last, "range")
            if last - first >= LONGEST_SEQUENCE:
                raise Unfit("long-sequence", most=LONGEST_SEQUENCE)
            return range(first, last + 1)
        return values.faces_once(self.value(item), self.work)

    def number(self, node: tree.Value, code: str) -> int:
        """A number where only one will do; a sequence is its sum."""
        found = self.value(node)
        if isinstance(found, DiceValue):
            raise self.refusal(code, node.span)
        return found if isinstance(found, int) else sum(found)

    def call(self, node: tree.FunctionCall) -> Value:
        """A function, for every outcome of dice where a number or a sequence is wanted."""
        function = self.functions.get(node.pattern)
        if function is None:
            raise self.unknown(node)
        given = [self.value(value) for value in node.values]
        if isinstance(function, BuiltIn):
            takes: Iterable[str] = function.takes
        else:
            takes = [parameter.takes for parameter in function.parameters]
        fitted = [self.fit(take, value) for take, value in zip(takes, given)]
        once = self.once(node, function)
        if not any(isinstance(fit, _Outcomes) for fit in fitted):
            return once(tuple(fit for fit in fitted if not isinstance(fit, _Outcomes)))
        return self.expand(fitted, once)

    def unknown(self, node: tree.FunctionCall) -> AnyDiceError:
        """That there is no such function, or that its values ran together into fewer."""
        if not node.pattern:
            return self.refusal("call-empty", node.span)
        words = [word for word in node.pattern if word is not None]
        for pattern in self.functions:
            if words == [word for word in pattern if word is not None]:
                return self.refusal("places", node.span, name=spell(pattern))
        return self.refusal("function", node.span, name=spell(node.pattern))

    def fit(self, takes: str, value: Value) -> Value | _Outcomes:
        """A value as a parameter takes it; the outcomes of dice where it takes one at a time."""
        if takes == "d":
            if isinstance(value, DiceValue):
                return value
            return DiceValue.one(Dist.sure(value if isinstance(value, int) else sum(value)))
        if takes == "n":
            found = values.scalar(value, self.work)
            if isinstance(found, int):
                return found
            return _Outcomes(() if found is None else tuple(found.items()))
        if takes == "s":
            if isinstance(value, DiceValue):
                return _Outcomes(tuple(self.rolls(value)))
            return (value,) if isinstance(value, int) else value
        return value

    def rolls(self, dice: DiceValue) -> Iterator[tuple[Value, int]]:
        """Every sorted roll with its weight, in the order of positions."""
        for roll, weight in values.sorted_rolls(dice, self.work):
            yield roll[::-1] if self.settings.lowest_first else roll, weight

    def expand(
        self, fitted: list[Value | _Outcomes], once: Callable[[tuple[Value, ...]], Value]
    ) -> Value:
        """Return the result of a call for each outcome, weighed by its chance."""
        sides = [fit.pairs if isinstance(fit, _Outcomes) else ((fit, 1),) for fit in fitted]
        self.work.spend(prod([len(side) for side in sides]))
        found: dict[Value, int] = {}
        for combination in product(*sides):
            weight = 1
            for _, each in combination:
                weight *= each
            came = once(tuple(value for value, _ in combination))
            found[came] = found.get(came, 0) + weight
        parts = []
        for came, weight in found.items():
            odds = values.scalar(came, self.work)
            if odds is not None:
                parts.append((Dist.sure(odds) if isinstance(odds, int) else odds, weight))
        return DiceValue.one(values.mixture(parts, self.work))

    def once(
        self, node: tree.FunctionCall, function: tree.FunctionDefinition | BuiltIn
    ) -> Callable[[tuple[Value, ...]], Value]:
        """One call with values that fit; a call that was made before is not made again."""
        if isinstance(function, BuiltIn):

            def built_in(given: tuple[Value, ...]) -> Value:
                self.work.spend(CALL_STEPS + sum(map(_size, given)))
                return function.work(*given, self.settings, self.work)

            return built_in
        if len(self.frames) > self.settings.function_depth:
            depth = self.settings.function_depth
            self.warnings.setdefault("depth", msg("anydice.depth", most=depth))
            return lambda given: EMPTY
        reads = self.reading(function)
        around = tuple(self.find_variable(name) for name in reads.names)
        depth = len(self.frames) if reads.calls else 0

        def user(given: tuple[Value, ...]) -> Value:
            key = (function.pattern, given, around, depth)
            found = self.kept.get(key)
            if found is None:
                found = self.enter(function, given)
                if len(self.kept) < MOST_KEPT:
                    self.kept[key] = found
            return found

        return user

    def find_variable(self, name: str) -> Value | None:
        """Return the value of a variable, if any."""
        return next((frame[name] for frame in reversed(self.frames) if name in frame), None)

    def enter(self, function: tree.FunctionDefinition, given: tuple[Value, ...]) -> Value:
        """Return the result of a function's statements; without one it has no outcomes."""
        self.work.spend(CALL_STEPS)
        names = [parameter.name for parameter in function.parameters]
        self.frames.append(Frame(reversed([*zip(names, given)])))  # of two of a name, the first
        try:
            found = self.block(function.body)
        finally:
            self.frames.pop()
        return EMPTY if found is None else found

    def reading(self, function: tree.FunctionDefinition) -> Reads:
        """Return what a function may read, with all that it may call."""
        known = self.reads.get(function.pattern)
        if known is not None:
            return known
        names: set[str] = set()
        calls = False
        seen: set[tree.Pattern] = set()
        waiting: list[tree.FunctionDefinition] = [function]
        while waiting:
            one = waiting.pop()
            if one.pattern in seen:
                continue
            seen.add(one.pattern)
            for part in tree.inside(one.body):
                if isinstance(part, tree.Variable):
                    names.add(part.name)
                elif isinstance(part, tree.FunctionCall):
                    other = self.functions.get(part.pattern)
                    if isinstance(other, tree.FunctionDefinition):
                        calls = True
                        waiting.append(other)
        names -= {parameter.name for parameter in function.parameters} if not calls else set()
        found = self.reads[function.pattern] = Reads(tuple(sorted(names)), calls)
        return found


class _Program:
    """The name of the program in an error."""

    def __repr__(self) -> str:
        return "this program"


class _Outcomes(NamedTuple):
    """The outcomes of dice, each with its weight, to be gone through one by one."""

    pairs: tuple[tuple[Value, int], ...]


def _whole_span(statement: tree.Statement) -> Span:
    """Return the place of a statement: with its value, if that is all that it has."""
    if isinstance(statement, (tree.Assign, tree.Output, tree.ResultStatement)):
        return statement.span[0], statement.value.span[1]
    return statement.span


def _size(value: Value) -> int:
    """How many elements there are to go through."""
    return len(value) if isinstance(value, tuple) else 0


def _is_variable(text: str) -> bool:
    return bool(text) and all("A" <= char <= "Z" or char == "_" for char in text)


def spell(pattern: tree.Pattern) -> str:
    """A function as its words and places are written."""
    return "[" + " ".join("…" if word is None else word for word in pattern) + "]"


def _briefly(value: Value) -> str:
    """A value in the name of an output: `4`, `d4`, `2d4`; others are not spelled out."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "{?}"
    if value.die is None:
        return "d{}"
    count = "" if value.count == 1 else str(value.count)
    faces = len(value.die)
    plain = value.die.outcomes == tuple(range(1, faces + 1)) and set(value.die.weights) == {1}
    return f"{count}d{faces if plain else '{?}'}"
