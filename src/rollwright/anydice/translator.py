"""An AnyDice program as a program of ours: statements as Python, functions as rules.

What has no natural form is refused at its place; the rest is still written, with a comment there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from rollwright.anydice import tree
from rollwright.anydice.codes import (
    HELPERS,
    Code,
    NeedsRule,
    Scope,
    Untranslated,
    number,
    numbers_in,
)
from rollwright.anydice.errors import AnyDiceError
from rollwright.anydice.expressions import Writer
from rollwright.anydice.functions import Settings
from rollwright.anydice.names import Names
from rollwright.anydice.parser import parsed

TYPES = {"number": "int", "row": "tuple[int, ...]", "dice": "Pool"}
BLANK = re.compile(r"\n{4,}")
MOST_TURNS = 30
"""A loop with outputs is written out for so many turns at most."""
ORDERS = {"highest first": False, "lowest first": True}


class Translated(NamedTuple):
    """A program in Python, and what could not be put into it."""

    text: str
    refused: tuple[AnyDiceError, ...] = ()


def translated(text: str, *, cut_off: bool = False) -> Translated:
    """A program as Python with our words; bare expressions are its outputs.

    Whether calls within calls were `cut_off` when it ran is known from its answer's warnings.

    >>> print(translated("output [highest 3 of 4d6] + 1").text, end="")
    keep(4 * D6, highest=3) + 1
    """
    return _Translator(text, parsed(text), cut_off).whole()


class _Function:
    """A function of the program, and what is known of it once it is written."""

    def __init__(self, node: tree.Function) -> None:
        self.node = node
        self.kinds: tuple[str, ...] | None = None
        self.kind = "number"
        self.throws = True
        """Whether it may throw dice, so that what it gives is no fixed number."""
        self.is_open = False
        """Whether it is being written."""
        self.is_cut = False
        """Whether its calls of itself are counted, since they are cut off."""
        self.may_fail = False
        """Whether it may come to nothing, which is left out of the odds."""


class _Translator:
    def __init__(self, text: str, program: tuple[tree.Statement, ...], cut_off: bool) -> None:
        self.text, self.program, self.cut_off = text, program, cut_off
        self.names = Names()
        self.settings = Settings()
        self.writer = Writer(lambda: self.settings)
        self.writer.name = self.names.variable
        self.writer.call = self.call
        self.functions: dict[tree.Pattern, _Function] = {}
        self.known: dict[str, Code] = {}
        """The variables of the program, by what they hold."""
        self.assigned = Counter(_assigned(program))
        self.defined = Counter(one.pattern for one in program if isinstance(one, tree.Function))
        self.lines: list[str] = []
        self.refused: list[AnyDiceError] = []
        self.outputs = 0
        self.written: list[_Function] = []
        """The functions that are being written, each called by the one before it."""
        self.alone: tree.Value | None = None
        """The value of an output, of which what comes to nothing can be left out."""

    def whole(self) -> Translated:
        """The program, with the helpers that it needs before it."""
        for statement in self.program:
            self.guarded(statement)
        helpers = [HELPERS[name] for name in HELPERS if name in self.writer.helpers]
        text = "\n\n\n".join([*helpers, "\n".join(self.lines).strip("\n")]).strip("\n") + "\n"
        return Translated(BLANK.sub("\n\n\n", text), tuple(self.refused))

    def guarded(self, statement: tree.Statement) -> None:
        """A statement; what cannot be written is noted, with a comment in its place."""
        try:
            self.statement(statement)
        except (Untranslated, NeedsRule) as problem:
            span = problem.span if isinstance(problem, Untranslated) else statement.span
            code = problem.code if isinstance(problem, Untranslated) else "throw"
            values = problem.values if isinstance(problem, Untranslated) else {}
            found = AnyDiceError(f"python.{code}", self.text, span, **values)
            self.refused.append(found)
            self.lines.append(f"# {found.line}: {found.problem}")

    def statement(self, node: tree.Statement) -> None:
        """A statement at the top of the program."""
        if isinstance(node, tree.Function):
            before = self.functions.get(node.pattern)
            if before is not None and before.kinds is not None:  # it is written, and was meant
                raise Untranslated("defined-twice", node.span)
            self.functions[node.pattern] = _Function(node)
        elif isinstance(node, tree.Set):
            self.set(node)
        elif isinstance(node, tree.Output):
            self.output(node)
        elif isinstance(node, tree.Assign):
            self.assign(node)
        elif isinstance(node, tree.Loop):
            self.loop(node)
        else:
            body = _Body(self, Scope(self.known, is_rule=False))
            if any(isinstance(one, tree.Output) for one in _inside(node)):
                raise Untranslated("output-inside", node.span)
            body.statement(node, "")
            self.lines += body.lines

    def set(self, node: tree.Set) -> None:
        """Settings change how what follows is written."""
        if node.name == "position order" and node.value in ORDERS:
            self.settings = self.settings._replace(lowest_first=ORDERS[str(node.value)])
        elif node.name == "explode depth" and isinstance(node.value, tree.Number):
            self.settings = self.settings._replace(explode_depth=node.value.value)
        elif node.name == "maximum function depth" and isinstance(node.value, tree.Number):
            self.settings = self.settings._replace(function_depth=node.value.value)
        else:
            raise Untranslated("setting", node.span, name=node.name)

    def output(self, node: tree.Output) -> None:
        """A bare expression, or a rule that is called."""
        self.outputs += 1
        self.alone = node.value
        named = self._named(node)
        try:
            code = self.writer.value(node.value, Scope(self.known, is_rule=False))
            text = _shown(code)
            if named is None:
                self.lines.append(text)
            else:
                name = self.names.output(named, self.outputs)
                self.lines += [f"{name} = {text}", name]
        except NeedsRule:
            name = self.names.output(named, self.outputs)
            self.rule(name, node.value)
            called = isinstance(node.value, tree.Call) and self.functions.get(node.value.pattern)
            if called and called.may_fail:
                left = "lambda end: end is not None"
                self.lines.append(f"rw.odds({name}()).where({left})")
            else:
                self.lines.append(f"{name}()")

    def _named(self, node: tree.Output) -> str | None:
        """The name of an output with the numbers of variables in it."""
        if node.name is None:
            return None
        found = node.name
        for variable, code in self.known.items():
            if code.value is not None:
                found = found.replace(f"[{variable}]", str(code.value))
        return found

    def rule(self, name: str, value: tree.Value) -> None:
        """A rule without arguments that comes to a value."""
        code = self.writer.number(value, Scope(self.known, is_rule=True))
        gap = ["", ""] if self.lines else []
        self.lines += [*gap, "@rule", f"async def {name}():", f"    return {code.text}", "", ""]

    def assign(self, node: tree.Assign) -> None:
        """A variable of the program."""
        name = self.names.variable(node.name)
        try:
            code = self.writer.value(node.value, Scope(self.known, is_rule=False))
            self.lines.append(f"{name} = {code.text}")
        except NeedsRule:
            self.rule(f"{name}_rolled", node.value)
            code = Code("odds", "")
            self.lines.append(f"{name} = rw.odds({name}_rolled())")
        self.known[node.name] = code

    def loop(self, node: tree.Loop) -> None:
        """A loop; one with outputs is written out, turn by turn."""
        outputs = any(isinstance(one, (tree.Output, tree.Set)) for one in _inside(node))
        if not outputs:
            body = _Body(self, Scope(self.known, is_rule=False))
            body.statement(node, "")
            self.lines += body.lines
            return
        turns = numbers_in(node.over)
        if turns is None or len(turns) > MOST_TURNS:
            raise Untranslated("loop", node.span, most=MOST_TURNS)
        for turn in turns:
            self.known[node.name] = number(turn)._replace(is_inline=True)
            for one in node.body:
                self.statement(one)

    def call(self, node: tree.Call, scope: Scope, rolled: bool) -> Code | None:
        """A call of a function that the program defines; None for those that there are."""
        function = self.functions.get(node.pattern)
        if function is None:
            if self.defined[node.pattern]:
                raise Untranslated("defined-twice", node.span)
            return None
        takes = [parameter.takes for parameter in function.node.parameters]
        given = [
            self.given(take, value, scope) for take, value in zip(takes, node.values, strict=True)
        ]
        kinds = tuple(code.kind for code in given)
        again = function.is_open and self.cut_off
        if again:
            self._check_cut(node, function)
        if function.kinds is None:
            self.define(function, given)
        elif function.kinds != kinds:
            raise Untranslated("kinds", node.span)
        if function.is_cut and self.written and not again:
            raise Untranslated("recursion", node.span)
        if function.may_fail and node is not self.alone:
            raise Untranslated("no-result", function.node.span)
        if not scope.is_rule:
            raise NeedsRule
        thrown = function.throws or any("await" in code.text for code in given)
        if thrown and not rolled:
            raise Untranslated("held", node.span)
        counted = [f"{self.names.own('left')} - 1"] if again else []
        arguments = ", ".join([*(code.text for code in given), *counted])
        return Code(function.kind, f"await {self.names.function(node.pattern)}({arguments})", 2)

    def _check_cut(self, node: tree.Call, function: _Function) -> None:
        """Calls within calls can be counted where a function adds what it calls itself for."""
        called = [one for one in _inside(function.node) if isinstance(one, tree.Call)]
        others = [one for one in called if one.pattern != node.pattern]
        added = [
            side
            for one in _inside(function.node)
            if isinstance(one, tree.Binary) and one.sign in ("+", "-")
            for side in (one.left, one.right)
        ]
        is_added = any(side is node for side in added)
        if not is_added or self.written != [function] or any(map(self._is_own, others)):
            raise Untranslated("recursion", node.span)
        function.is_cut = True

    def _is_own(self, node: tree.Call) -> bool:
        return bool(self.defined[node.pattern])

    def given(self, takes: str, value: tree.Value, scope: Scope) -> Code:
        """An argument as a parameter takes it."""
        if takes == "n":
            return self.writer.number(value, scope)
        found = self.writer.value(value, scope)
        if takes == "s":
            return self.writer.rolled_row(found, scope)
        if takes == "d":
            if found.kind in ("number", "row"):
                single = self.writer.as_number(found, scope)
                return Code("dice", f"Die([{single.text}])", size=1)
            return self.writer.die(found, scope)
        return self.writer.die(found, scope) if found.kind == "odds" else found

    def define(self, function: _Function, given: list[Code]) -> None:
        """Write a function as a rule, when it is known what it is given."""
        node = function.node
        function.kinds = tuple(code.kind for code in given)
        parameters = [parameter.name for parameter in node.parameters]
        self._check_reads(function, parameters)
        kinds = {**self.known}
        for name, code in zip(parameters, given, strict=True):
            kinds[name] = Code(code.kind, "", size=None)
        body = _Body(self, Scope(kinds, is_rule=True), function)
        function.is_open = True
        self.written.append(function)
        if not body.block(node.body, "    "):
            body.lines.append("    return None")
            function.may_fail = True
        self.written.pop()
        function.is_open = False
        function.throws = any("await" in line for line in body.lines)
        listed = ", ".join(
            f"{self.names.variable(name)}: {TYPES[code.kind]}"
            for name, code in zip(parameters, given, strict=True)
        )
        if function.is_cut:
            left = self.names.own("left")
            listed += f"{', ' if listed else ''}{left}: int = {self.settings.function_depth}"
            body.lines[:0] = [f"    if not {left}:", "        return 0"]
        gap = ["", ""] if self.lines else []
        head = f"async def {self.names.function(node.pattern)}({listed}):"
        self.lines += [*gap, "@rule", head, *body.lines, "", ""]

    def _check_reads(self, function: _Function, parameters: list[str]) -> None:
        """Refuse variables that are not the function's own and change, or are a caller's."""
        own = {*parameters, *_assigned(function.node.body)}
        for part in _inside(function.node):
            if not isinstance(part, tree.Variable) or part.name in own:
                continue
            if part.name not in self.known or self.assigned[part.name] > 1:
                raise Untranslated("outer", part.span, name=part.name)


class _Body:
    """Statements inside of a function, or of a block at the top."""

    def __init__(self, whole: _Translator, scope: Scope, function: _Function | None = None) -> None:
        self.whole, self.scope, self.function = whole, scope, function
        self.writer = whole.writer
        self.lines: list[str] = []

    def block(self, statements: tuple[tree.Statement, ...], indent: str) -> bool:
        """Statements in order; whether they surely come to a result."""
        start = len(self.lines)
        ended = False
        for one in statements:
            ended = self.statement(one, indent)
            if ended:
                break
        if len(self.lines) == start:
            self.lines.append(f"{indent}pass")
        return ended

    def statement(self, node: tree.Statement, indent: str) -> bool:
        """One statement; whether it surely comes to a result."""
        if isinstance(node, tree.Result):
            return self.result(node, indent)
        if isinstance(node, tree.Assign):
            self.assign(node, indent)
        elif isinstance(node, tree.If):
            return self.decide(node, indent)
        elif isinstance(node, tree.Loop):
            self.loop(node, indent)
        else:
            raise Untranslated("inside", node.span)
        return False

    def result(self, node: tree.Result, indent: str) -> bool:
        """What a function comes to."""
        assert self.function is not None
        found = self.writer.value(node.value, self.scope, rolled=True)
        if found.kind == "row":
            self.function.kind = "row"
        elif self.function.kind == "row":
            raise Untranslated("kinds", node.span)
        code = found if found.kind == "row" else self.writer.as_number(found, self.scope)
        self.lines.append(f"{indent}return {code.text}")
        return True

    def assign(self, node: tree.Assign, indent: str) -> None:
        """A variable, which holds dice as they are."""
        code = self.writer.value(node.value, self.scope)
        if "await" in code.text:
            raise Untranslated("held", node.span)
        before = self.scope.kinds.get(node.name)
        if before is not None and before.kind != code.kind:
            raise Untranslated("kinds", node.span)
        self.scope.kinds[node.name] = Code(code.kind, "", size=code.size)
        self.lines.append(f"{indent}{self.whole.names.variable(node.name)} = {code.text}")

    def decide(self, node: tree.If, indent: str) -> bool:
        """Cases in order."""
        ends = []
        for place, (condition, block) in enumerate(node.cases):
            code = self.writer.value(condition, self.scope)
            if code.kind != "number":
                raise Untranslated("condition", condition.span)
            self.lines.append(f"{indent}{'elif' if place else 'if'} {code.text}:")
            ends.append(self.block(block, indent + "    "))
        if not node.otherwise:
            return False
        self.lines.append(f"{indent}else:")
        ends.append(self.block(node.otherwise, indent + "    "))
        return all(ends)

    def loop(self, node: tree.Loop, indent: str) -> None:
        """Each element in turn."""
        over = self.writer.value(node.over, self.scope)
        if over.kind != "row":
            raise Untranslated("loop-over", node.over.span)
        self.scope.kinds[node.name] = Code("number", "")
        name = self.whole.names.variable(node.name)
        text = (
            over.text.removeprefix("tuple(")[:-1] if over.text.startswith("tuple(") else over.text
        )
        self.lines.append(f"{indent}for {name} in {text}:")
        self.block(node.body, indent + "    ")


def _shown(code: Code) -> str:
    """What an output shows."""
    if code.kind == "number":
        return f"Dist.sure({code.text})"
    if code.kind == "row":
        if code.text == "()":
            raise NeedsRule
        return f"Die({code.text})"
    return f"rw.odds({code.text})" if code.text.startswith("explode(") else code.text


def _inside(node: object) -> list[object]:
    """Everything inside statements, values and tuples of them."""
    found: list[object] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif hasattr(one, "__dataclass_fields__"):
            found.append(one)
            waiting += [getattr(one, name) for name in one.__dataclass_fields__ if name != "span"]
    return found


def _assigned(statements: object) -> list[str]:
    """The variables that statements give something to; a loop does so more than once."""
    found = []
    for one in _inside(statements):
        if isinstance(one, tree.Assign):
            found.append(one.name)
        elif isinstance(one, tree.Loop):
            found += [one.name, one.name]
            found += _assigned(one.body)
    return found
