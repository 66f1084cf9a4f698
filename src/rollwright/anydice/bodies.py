"""The functions of an AnyDice program as Python: their statements, and what is known after each."""

from __future__ import annotations

import re

from rollwright.anydice import tree
from rollwright.anydice.codes import (
    LOOSE,
    NameScope,
    NeedsRule,
    NoTranslation,
    PythonCode,
    numbers_in,
)
from rollwright.anydice.expressions import ExpressionWriter

PLAIN_RANGE = re.compile(r"tuple\((range\([^()]*\))\)")


class FunctionCode:
    """A function of the program, and what is known of it once it is written."""

    def __init__(self, node: tree.FunctionDefinition) -> None:
        self.node = node
        self.own = {one.name for one in node.parameters}.union(tree.assignments_in(node.body))
        """The names that are its own: parameters, and what it gives something to."""
        self.kinds: tuple[str, ...] | None = None
        self.kind = ""
        """The kind of its result, a `number` or a `row`, once that is known."""
        self.throws = True
        """Whether it may throw dice, so that what it gives is no fixed number."""
        self.calls_thrower = False
        """Whether it calls another that may."""
        self.gives_die = False
        """Whether it always comes to one die."""
        self.adds_up = False
        """Whether sequences that it comes to are added up, since it comes to numbers too."""
        self.calls_itself = False
        self.is_cut = False
        """Whether its calls of itself are counted, since they are cut off."""
        self.may_fail = False
        """Whether it may come to nothing, which is left out of the odds."""
        self.settings: dict[str, object] = {}
        """The settings that its text depends on, as they were when it was written."""


class TwoKinds(Exception):
    """A function that comes to a sequence here and to a number there."""


class FunctionBody:
    """Statements inside of a function, or of a block at the top."""

    def __init__(
        self, writer: ExpressionWriter, scope: NameScope, function: FunctionCode | None = None
    ) -> None:
        self.writer, self.scope, self.function = writer, scope, function
        self.lines: list[str] = []
        self.are_dice: list[bool] = []
        """For each result, whether it is certainly one die."""
        body = function.node.body if function else ()
        results = [one for one in tree.inside(body) if isinstance(one, tree.ResultStatement)]
        self.is_one_of_several = len(results) > 1

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
        try:
            if isinstance(node, tree.ResultStatement):
                return self.result(node, indent)
            if isinstance(node, tree.If):
                return self.decide(node, indent)
            if isinstance(node, tree.Loop):
                self.loop(node, indent)
            elif isinstance(node, tree.Assign):
                self.assign(node, indent)
        except NeedsRule:
            raise NoTranslation("throw", node.span) from None
        return False

    def result(self, node: tree.ResultStatement, indent: str) -> bool:
        """Write the result of a function."""
        assert self.function is not None
        found = self.writer.value(node.value, self.scope, rolled=True)
        self.are_dice.append(_is_one_die(found))
        is_row = found.kind == "row" and not self.function.adds_up
        code = found if is_row else self.writer.as_number(found, self.scope)
        if self.function.kind not in ("", code.kind) and not self.function.adds_up:
            raise TwoKinds
        self.function.kind = code.kind
        text = code.text
        if self.is_one_of_several and _is_truth(code):  # a rule ends in numbers or in truths
            text = f"int({text})"
        self.lines.append(f"{indent}return {text}")
        return True

    def assign(self, node: tree.Assign, indent: str) -> None:
        """A variable, which holds dice as they are."""
        code = self.writer.for_variable(self.writer.still(node.value, self.scope))
        before = self.scope.kinds.get(node.name)
        if before is not None and not _are_alike(before, code):
            raise NoTranslation("kinds", node.span)
        self.scope.kinds[node.name] = code._replace(text="", value=None)
        self.lines.append(f"{indent}{self.writer.name(node.name)} = {code.text}")

    def decide(self, node: tree.If, indent: str) -> bool:
        """Cases in order; what each leaves behind is known where all do."""
        before = {**self.scope.kinds}
        ways: list[dict[str, PythonCode]] = []
        ends = []
        for place, (condition, block) in enumerate(node.cases):
            code = self.writer.still(condition, NameScope(before, self.scope.is_rule))
            if code.kind != "number":
                raise NoTranslation("condition", condition.span)
            self.lines.append(f"{indent}{'elif' if place else 'if'} {code.text}:")
            ends.append(self.way(block, indent, before, ways))
        if node.otherwise:
            self.lines.append(f"{indent}else:")
            ends.append(self.way(node.otherwise, indent, before, ways))
        else:
            ways.append(before)
        self.known_after(ways)
        return bool(node.otherwise) and all(ends)

    def way(
        self,
        block: tuple[tree.Statement, ...],
        indent: str,
        before: dict[str, PythonCode],
        ways: list[dict[str, PythonCode]],
    ) -> bool:
        """One of the ways through a condition, with what is known at its end."""
        self.known_after([before])
        ended = self.block(block, indent + "    ")
        if not ended:
            ways.append({**self.scope.kinds})
        return ended

    def known_after(self, ways: list[dict[str, PythonCode]]) -> None:
        """From here on only that is known of variables which is the same on all ways here."""
        kinds = self.scope.kinds
        names = ways[0] if ways else ()
        found = {name: _alike([way.get(name) for way in ways]) for name in names}
        kinds.clear()
        kinds.update({name: code for name, code in found.items() if code is not None})

    def loop(self, node: tree.Loop, indent: str) -> None:
        """Each element in turn."""
        over = self.writer.still(node.over, self.scope)
        if over.kind != "row":
            raise NoTranslation("loop-over", node.over.span)
        kinds = self.scope.kinds
        for name in {*tree.assignments_in(node.body)}.intersection(kinds):
            kinds[name] = PythonCode(kinds[name].kind, "", is_thrown=kinds[name].is_thrown)
        before = {**kinds}
        turns = numbers_in(node.over)
        positive = min(turns or [0]) > 0 and node.name not in tree.assignments_in(node.body)
        kinds[node.name] = PythonCode("number", "", is_positive=positive)
        name = self.writer.name(node.name)
        plain = PLAIN_RANGE.fullmatch(over.text)
        self.lines.append(f"{indent}for {name} in {plain[1] if plain else over.text}:")
        self.block(node.body, indent + "    ")
        self.known_after([{**kinds}] if turns else [{**kinds}, before])


def _is_one_die(code: PythonCode) -> bool:
    """Whether AnyDice has one die here for sure."""
    return code.kind == "odds" or (code.kind == "dice" and code.size == 1) or code.is_die is True


def _is_truth(code: PythonCode) -> bool:
    """Whether this is True or False in Python, as comparisons are."""
    return code.kind == "number" and (code.rank == LOOSE or code.text.startswith("bool("))


def _are_alike(one: PythonCode, other: PythonCode) -> bool:
    """Whether two values may be in one variable."""
    alike = one.kind == other.kind and one.is_thrown == other.is_thrown
    return alike and one.is_inline == other.is_inline


def _alike(codes: list[PythonCode | None]) -> PythonCode | None:
    """Return what all paths know of a variable; None if it may be missing, or of two kinds."""
    first = codes[0]
    if first is None or any(code is None or not _are_alike(first, code) for code in codes):
        return None
    if all(code == first for code in codes):
        return first
    return PythonCode(first.kind, "", is_thrown=first.is_thrown)
