"""An AnyDice program as a program of ours: statements as Python, functions as rules.

What has no natural form is refused at its place; the rest is still written, with a comment there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from rollwright.anydice import tree
from rollwright.anydice.bodies import FunctionBody, FunctionCode, TwoKinds
from rollwright.anydice.codes import (
    HELPERS,
    NameScope,
    NeedsRule,
    NoTranslation,
    PythonCode,
    number,
    numbers_in,
)
from rollwright.anydice.errors import AnyDiceError, Span
from rollwright.anydice.expressions import ExpressionWriter
from rollwright.anydice.functions import BUILT_IN, ProgramSettings
from rollwright.anydice.interpreter import ProgramResult, run, spell
from rollwright.anydice.names import PythonNames
from rollwright.anydice.parser import parse

TYPES = {"number": "int", "row": "tuple[int, ...]", "dice": "Pool"}
BLANK = re.compile(r"\n{4,}")
MOST_TURNS = 30
"""A loop with outputs is written out for so many turns at most."""
ORDERS = {"highest first": False, "lowest first": True}
ALONE = (tree.Output, tree.Set, tree.FunctionDefinition)
"""Statements on lines of their own in Python."""


class PythonTranslation(NamedTuple):
    """A program in Python, and what could not be put into it."""

    text: str
    refused: tuple[AnyDiceError, ...] = ()


def translate(text: str, found: ProgramResult | None = None) -> PythonTranslation:
    """A program as Python with our words; bare expressions are its outputs.

    What the program came to is `found`, or it is worked out first: calls within calls that were
    cut off and outputs without outcomes are known from there.

    >>> print(translate("output [highest 3 of 4d6] + 1").text, end="")
    keep(4 * D6, highest=3) + 1
    """
    return _Translator(text, found or run(text)).whole()


class _Translator:
    def __init__(self, text: str, found: ProgramResult) -> None:
        self.text, self.program = text, parse(text)
        self.cut_off = bool(found.warnings)
        self.empty = found.empty
        self.names = PythonNames()
        self.settings = ProgramSettings()
        self.writer = ExpressionWriter(self.setting, found.empty)
        self.writer.name = self.names.variable
        self.writer.call = self.call
        self.writer.apart = self.apart
        self.functions: dict[tree.Pattern, FunctionCode] = {}
        self.known: dict[str, PythonCode] = {}
        """The variables of the program, by what they hold."""
        self.assigned = Counter(tree.assignments_in(self.program))
        self.defined = Counter(
            one.pattern
            for one in tree.inside(self.program)
            if isinstance(one, tree.FunctionDefinition)
        )
        self.lines: list[str] = []
        self.dice: dict[Span, PythonCode] = {}
        """Code that was written apart for the dice of a statement, by its place."""
        self.dice_apart = 0
        self.refused: list[AnyDiceError] = []
        self.outputs = 0
        self.written: list[FunctionCode] = []
        """The functions that are being written, each called by the one before it."""
        self.alone: tree.Value | None = None
        """The value of an output, of which what comes to nothing can be left out."""

    def whole(self) -> PythonTranslation:
        """The program, with the helpers that it needs before it."""
        for statement in self.program:
            self.try_statement(statement)
        helpers = [HELPERS[name] for name in HELPERS if name in self.writer.helpers]
        text = "\n\n\n".join([*helpers, "\n".join(self.lines).strip("\n")]).strip("\n") + "\n"
        return PythonTranslation(BLANK.sub("\n\n\n", text), tuple(self.refused))

    def try_statement(self, statement: tree.Statement) -> None:
        """A statement; what cannot be written is noted, with a comment in its place."""
        try:
            self.statement(statement)
        except (NoTranslation, NeedsRule) as problem:
            span = problem.span if isinstance(problem, NoTranslation) else statement.span
            code = problem.code if isinstance(problem, NoTranslation) else "throw"
            values = problem.values if isinstance(problem, NoTranslation) else {}
            found = AnyDiceError(f"python.{code}", self.text, span, **values)
            self.refused.append(found)
            self.lines.append(f"# {found.line}: {found.problem}")
            for name in tree.assignments_in(statement):
                self.known.pop(name, None)

    def setting(self, name: str) -> Any:
        """One of the settings; functions that are being written depend on it."""
        found = getattr(self.settings, name)
        for function in self.written:
            function.settings[name] = found
        return found

    @property
    def outside(self) -> NameScope:
        """The scope at the top of the program, outside of rules."""
        return NameScope(self.known, is_rule=False, is_top=True)

    @property
    def inside(self) -> NameScope:
        """The same inside of a rule that has no values of its own."""
        return NameScope(self.known, is_rule=True, is_top=True)

    def statement(self, node: tree.Statement) -> None:
        """A statement at the top of the program."""
        self.dice.clear()
        if isinstance(node, tree.FunctionDefinition):
            self.function(node)
        elif isinstance(node, tree.Set):
            self.set(node)
        elif isinstance(node, tree.Output):
            self.output(node)
        elif isinstance(node, tree.Assign):
            self.assign(node)
        elif isinstance(node, tree.Loop):
            self.loop(node)
        else:
            if any(isinstance(one, ALONE) for one in tree.inside(node)):
                raise NoTranslation("output-inside", node.span)
            body = FunctionBody(self.writer, NameScope(self.known, is_rule=False))
            body.statement(node, "")
            self.lines += body.lines

    def function(self, node: tree.FunctionDefinition) -> None:
        """A definition, which is written where it is called first."""
        before = self.functions.get(node.pattern)
        if before is not None and before.node is node:  # in another turn of a loop
            return
        if before is not None and before.kinds is not None:  # it is written, and was meant
            raise NoTranslation("defined-twice", node.span)
        self.functions[node.pattern] = FunctionCode(node)

    def set(self, node: tree.Set) -> None:
        """Settings change how what follows is written."""
        if node.name == "position order" and node.value in ORDERS:
            self.settings = self.settings._replace(lowest_first=ORDERS[str(node.value)])
        elif node.name == "explode depth" and isinstance(node.value, tree.NumberLiteral):
            self.settings = self.settings._replace(explode_depth=node.value.value)
        elif node.name == "maximum function depth" and isinstance(node.value, tree.NumberLiteral):
            self.settings = self.settings._replace(function_depth=node.value.value)
        else:
            raise NoTranslation("setting", node.span, name=node.name)

    def output(self, node: tree.Output) -> None:
        """A bare expression, or a rule that is called."""
        self.outputs += 1
        self.alone = node.value
        named = self._output_name(node)
        try:
            text = _output_code(self.writer.value(node.value, self.outside))
            name = None if named is None else self.names.output(named, self.outputs)
            lines = [text] if name is None else [f"{name} = {text}", name]
        except NeedsRule:
            lines = self.rolled_output(node, self.names.output(named, self.outputs))
        if node.span in self.empty:
            raise NoTranslation("no-outcomes", node.span)
        self.lines += lines

    def rolled_output(self, node: tree.Output, name: str) -> list[str]:
        """A rule for what an output shows, and its call."""
        code = self.rule_value(node.value)
        if code.kind == "row":  # a sequence is shown as a die of its elements
            code = PythonCode("dice", f"Die({code.text})")
        lines = self.rule(name, code)
        called = isinstance(node.value, tree.FunctionCall) and self.functions.get(
            node.value.pattern
        )
        if called and called.may_fail:
            return [*lines, f"rw.odds({name}()).where(lambda end: end is not None)"]
        return [*lines, f"{name}()"]

    def _output_name(self, node: tree.Output) -> str | None:
        """The name of an output with the numbers of variables in it."""
        if node.name is None:
            return None
        found = node.name
        for variable, code in self.known.items():
            if code.value is not None:
                found = found.replace(f"[{variable}]", str(code.value))
        return found

    def apart(self, node: tree.Value) -> PythonCode:
        """Return the code for one die, as odds of a rule of its own."""
        if node.span not in self.dice:
            found = self.rule_value(node)
            if found.kind != "odds" and not found.is_die:
                raise NoTranslation("held", node.span)
            self.dice_apart += 1
            name = self.names.own(f"die {self.dice_apart}")
            self.lines += self.counted_apart(name, found)
            self.dice[node.span] = PythonCode("odds", name)
        return self.dice[node.span]

    def counted_apart(self, name: str, code: PythonCode) -> list[str]:
        """A rule for a value that is thrown, and a variable with its odds."""
        rolled = self.names.own(f"{name} rolled")
        return [*self.rule(rolled, code), f"{name} = rw.odds({rolled}())"]

    def rule_value(self, value: tree.Value) -> PythonCode:
        """A value of the program as a rule has it."""
        return self.writer.value(value, self.inside, rolled=True)

    def rule(self, name: str, code: PythonCode) -> list[str]:
        """A rule without arguments that comes to a value."""
        text = self.writer.as_number(code, self.inside).text
        gap = ["", ""] if self.lines else []
        return [*gap, "@rule", f"async def {name}():", f"    return {text}", "", ""]

    def assign(self, node: tree.Assign) -> None:
        """A variable of the program; one that is thrown has the odds of one die."""
        name = self.names.variable(node.name)
        try:
            code = self.writer.for_variable(self.writer.value(node.value, self.outside))
            self.lines.append(f"{name} = {code.text}")
        except NeedsRule:
            found = self.rule_value(node.value)
            if found.kind != "odds" and not found.is_die:
                raise NoTranslation("held", node.span) from None
            code = PythonCode("odds", "")
            self.lines += self.counted_apart(name, found)
        self.known[node.name] = code

    def loop(self, node: tree.Loop) -> None:
        """A loop; one with outputs is written out, turn by turn."""
        if not any(isinstance(one, ALONE) for one in tree.inside(node)):
            body = FunctionBody(self.writer, NameScope(self.known, is_rule=False))
            body.statement(node, "")
            self.lines += body.lines
            return
        turns = numbers_in(node.over)
        if turns is None or len(turns) > MOST_TURNS:
            raise NoTranslation("loop", node.span, most=MOST_TURNS)
        for turn in turns:
            self.known[node.name] = number(turn)._replace(is_inline=True)
            for one in node.body:
                self.statement(one)

    def call(self, node: tree.FunctionCall, scope: NameScope, rolled: bool) -> PythonCode | None:
        """A call of a function that the program defines; None for those that there are."""
        function = self.functions.get(node.pattern)
        if function is None:
            if self.defined[node.pattern]:
                raise self.not_yet(node)
            return None
        takes = [parameter.takes for parameter in function.node.parameters]
        given = [
            self.argument(take, value, scope)
            for take, value in zip(takes, node.values, strict=True)
        ]
        again = self.is_cut_again(node, function)
        self.write(function, given, node)
        if function.is_cut and self.written and not again:
            raise NoTranslation("recursion", node.span)
        if function.may_fail and node is not self.alone:
            raise NoTranslation("no-result", function.node.span)
        if not scope.is_rule:
            raise NeedsRule
        expanded = _is_expansion(takes, given)
        if (function.throws or expanded is not False) and not rolled:
            raise NoTranslation("held", node.span)
        counted = [f"{self.names.own('left')} - 1"] if again else []
        arguments = ", ".join([*(code.text for code in given), *counted])
        text = f"await {self.names.function(node.pattern)}({arguments})"
        if function.adds_up and not expanded:
            raise NoTranslation("kinds", node.span)
        if function.kind != "row":
            return PythonCode("number", text, 2, is_die=_is_die(function, expanded))
        if expanded is None:
            raise NoTranslation("held", node.span)
        return (
            PythonCode("number", f"sum({text})", is_die=True)
            if expanded
            else PythonCode("row", f"({text})")
        )

    def not_yet(self, node: tree.FunctionCall) -> NoTranslation:
        """Why a function that is defined somewhere is not there."""
        if node.pattern in BUILT_IN:  # called as a built-in before its own definition
            return NoTranslation("defined-twice", node.span)
        return NoTranslation("function", node.span, name=spell(node.pattern))

    def write(
        self, function: FunctionCode, given: list[PythonCode], node: tree.FunctionCall
    ) -> None:
        """See that a function is written, for what it is given and as things are set."""
        if function.kinds is None:
            self.define(function, given)
        elif function.kinds != tuple(code.kind for code in given):
            raise NoTranslation("kinds", node.span)
        function.calls_itself |= function in self.written
        for name, before in function.settings.items():
            if self.setting(name) != before:
                raise NoTranslation("settings", node.span)
        for caller in self.written[-1:]:
            caller.calls_thrower |= function.throws
            shared = caller.own.intersection(self.free(function))
            if shared:
                raise NoTranslation("outer", node.span, name=min(shared))

    def is_cut_again(self, node: tree.FunctionCall, function: FunctionCode) -> bool:
        """Whether a function calls itself where such calls are cut off, and can be counted."""
        if not self.cut_off or not self.written:
            return False
        if self.written != [function]:
            raise NoTranslation("recursion", node.span)
        self._check_cut(node, function)
        return True

    def _check_cut(self, node: tree.FunctionCall, function: FunctionCode) -> None:
        """Calls within calls can be counted where a function adds what it calls itself for."""
        added = [
            (side, other)
            for one in tree.inside(function.node)
            if isinstance(one, tree.Binary) and one.sign in ("+", "-")
            for side, other in ((one.left, one.right), (one.right, one.left))
        ]
        others = [other for side, other in added if side is node]
        if not others or any(isinstance(other, tree.FunctionCall) for other in others):
            raise NoTranslation("recursion", node.span)
        function.is_cut = True
        self.setting("function_depth")

    def free(self, function: FunctionCode) -> frozenset[str]:
        """The names that a function reads and that are not its own, with all that it calls."""
        found: list[str] = []
        seen: list[FunctionCode] = []
        waiting = [function]
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.append(one)
            for part in tree.inside(one.node):
                if isinstance(part, tree.Variable) and part.name not in one.own:
                    found.append(part.name)
                elif isinstance(part, tree.FunctionCall) and part.pattern in self.functions:
                    waiting.append(self.functions[part.pattern])
        return frozenset(found)

    def argument(self, takes: str, value: tree.Value, scope: NameScope) -> PythonCode:
        """An argument as a parameter takes it."""
        if takes == "n":
            return self.writer.number(value, scope)
        if takes == "s":
            return self.writer.sequence(value, scope)
        found = self.writer.still(value, scope)
        if takes == "d" and found.kind in ("number", "row"):
            single = self.writer.as_number(found, scope)
            return PythonCode("dice", f"Die([{single.text}])", size=1)
        return self.writer.die(found, scope) if found.kind == "odds" else found

    def define(self, function: FunctionCode, given: list[PythonCode]) -> None:
        """Write a function as a rule, when it is known what it is given."""
        node = function.node
        self._check_reads(function)
        function.kinds = tuple(code.kind for code in given)
        try:
            self._define(function, given)
        except NoTranslation:
            self.functions[node.pattern] = FunctionCode(node)
            raise

    def _define(self, function: FunctionCode, given: list[PythonCode]) -> None:
        node = function.node
        kinds = {name: code for name, code in self.known.items() if name not in function.own}
        listed: list[str] = []
        for parameter, code in zip(node.parameters, given, strict=True):
            name = self.names.variable(parameter.name)
            if parameter.name in kinds:  # of two of one name the first counts
                name = self.names.own(f"{name} {len(listed) + 1}")
            kinds.setdefault(parameter.name, PythonCode(code.kind, ""))
            listed.append(f"{name}: {TYPES[code.kind]}")
        try:
            body = self._body(function, kinds)
        except TwoKinds:
            function.adds_up = True
            body = self._body(function, kinds)
        if function.calls_itself and function.kind == "row":
            raise NoTranslation("kinds", node.span)
        function.gives_die = bool(body.are_dice) and all(body.are_dice)
        function.throws = function.calls_thrower or _throws(body.lines)
        if function.is_cut:
            left = self.names.own("left")
            listed.append(f"{left}: int = {self.settings.function_depth}")
            body.lines[:0] = [f"    if not {left}:", "        return 0"]
        gap = ["", ""] if self.lines else []
        head = f"async def {self.names.function(node.pattern)}({', '.join(listed)}):"
        self.lines += [*gap, "@rule", head, *body.lines, "", ""]

    def _body(self, function: FunctionCode, kinds: dict[str, PythonCode]) -> FunctionBody:
        """The statements of a function."""
        body = FunctionBody(self.writer, NameScope({**kinds}, is_rule=True), function)
        self.written.append(function)
        try:
            if not body.block(function.node.body, "    "):
                body.lines.append("    return None")
                function.may_fail = True
        finally:
            self.written.pop()
        return body

    def _check_reads(self, function: FunctionCode) -> None:
        """Refuse variables that are not the function's own and change, or are a caller's."""
        for part in tree.inside(function.node):
            if not isinstance(part, tree.Variable) or part.name in function.own:
                continue
            if part.name not in self.known or self.assigned[part.name] > 1:
                raise NoTranslation("outer", part.span, name=part.name)


def _is_expansion(takes: list[str], given: list[PythonCode]) -> bool | None:
    """Whether a call is made for each outcome of dice; None where that depends."""
    found = [code.is_die for take, code in zip(takes, given, strict=True) if take in ("n", "s")]
    return True if True in found else None if None in found else False


def _is_die(function: FunctionCode, expanded: bool | None) -> bool | None:
    """Whether a call comes to one die: it does for dice, and where the function always does."""
    if expanded or function.gives_die:
        return True
    return None if function.throws else expanded


def _throws(lines: list[str]) -> bool:
    """Whether dice are thrown in these lines themselves."""
    return any("await roll(" in line or "await tally(" in line for line in lines)


def _output_code(code: PythonCode) -> str:
    """Return the code of an output."""
    if code.kind == "number":
        return f"Dist.sure({code.text})"
    if code.kind == "row":
        return f"Die({code.text})"
    return f"rw.odds({code.text})" if code.text.startswith("explode(") else code.text
