"""Slips that can be seen in the source of a rule, and that would be counted without a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any, NoReturn

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.source import children, tree_of, walk
from rollwright.engine.inspection import is_async
from rollwright.errors import Misuse


def check_source(code: CodeType, scope: dict[str, Any]) -> None:
    """Look at the source of a function, if it is to be had."""
    try:
        tree = tree_of(code, scope)
    except CannotCompile:
        return
    check_tree(tree, scope)


def check_tree(tree: ast.AsyncFunctionDef, scope: dict[str, Any]) -> None:
    """Refuse what is not awaited, options taken for true or false, and hands that match no row."""
    slips = _Linter(tree, scope)
    for node in slips.nodes:
        for call in slips.unused_calls(node):
            name = ast.unparse(call.func)
            raise Misuse(
                f"line {call.lineno}: {name}(…) is an async function that is called and not "
                f"awaited, so nothing happens: write `await {name}(…)`"
            )
        for asked in _truths(node):
            slips.refuse_truth(asked)
        if isinstance(node, ast.Compare):
            slips.refuse_other_options(node)
        elif isinstance(node, ast.Match):
            slips.refuse_row(node)
            slips.refuse_other_cases(node)
        elif isinstance(node, ast.Call):
            _refuse_generator(node)


class _Linter:
    """Return the values of a function's names, as far as its source says so."""

    def __init__(self, tree: ast.AsyncFunctionDef, scope: dict[str, Any]) -> None:
        self.nodes = [*_own(tree)]
        self._scope = scope
        self._values: dict[str, list[ast.expr | None]] = {}
        """By local name, all that it is given; None where that is not a plain value."""
        for argument in walk(tree.args):
            if isinstance(argument, ast.arg):
                self._values[argument.arg] = [None]
        self._noted: set[int] = set()
        for node in self.nodes:
            self._note(node)

    def _note(self, node: ast.AST) -> None:
        named: list[tuple[ast.expr, ast.expr | None]] = []
        if isinstance(node, ast.Assign):
            named = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            named = [(node.target, node.value)]
        for target, value in named:
            if isinstance(target, ast.Name) and value is not None:
                self._values.setdefault(target.id, []).append(value)
                self._noted.add(id(target))
        is_stored = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        if is_stored and id(node) not in self._noted:
            self._values.setdefault(node.id, []).append(None)  # type: ignore[attr-defined]

    # --- async functions ---

    def unused_calls(self, node: ast.AST) -> Iterator[ast.Call]:
        """Yield calls of async functions whose result is left lying, or taken for another."""
        found: list[ast.expr] = []
        if isinstance(node, ast.Expr):
            found = [node.value]
        elif isinstance(node, ast.Compare):
            found = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp):
            found = [node.left, node.right]
        else:
            found = [*_truths(node)]
        for each in found:
            call = self._resolve(each)
            if not isinstance(call, ast.Call) or not self._is_async(call.func):
                continue
            if call is each or not self._has_await(each):
                yield call

    def _resolve(self, node: ast.expr) -> ast.expr:
        """An expression, or what the name was given that it is."""
        while isinstance(node, ast.NamedExpr):
            node = node.value
        if isinstance(node, ast.Name):
            values = self._values.get(node.id, [])
            if len(values) == 1 and values[0] is not None:
                return values[0]
        return node

    def _has_await(self, node: ast.expr) -> bool:
        """Whether a name that holds a coroutine is awaited somewhere."""
        return any(
            isinstance(one, ast.Await) and ast.dump(one.value) == ast.dump(node)
            for one in self.nodes
        )

    def _is_async(self, function: ast.expr) -> bool:
        if not isinstance(function, ast.Name) or function.id in self._values:
            return False
        return is_async(self._scope.get(function.id))

    # --- choices ---

    def refuse_truth(self, node: ast.expr) -> None:
        """Refuse an option that is taken for true or false, though every one of them is true."""
        options = self._options(self._resolve(node))
        if options and all(options):
            said, (first, *_) = self._constant_text(node), options
            raise Misuse(
                f"line {node.lineno}: {said} is the option that was chosen, which is always true, "
                f"whichever it is: write `{said} == {first!r}`"
            )

    def refuse_other_options(self, node: ast.Compare) -> None:
        """Refuse an option that is compared with a text that is none of the options."""
        for one, op, other in zip([node.left, *node.comparators], node.ops, node.comparators):
            if not isinstance(op, (ast.Eq, ast.NotEq)):
                continue
            for choice, text in ((one, other), (other, one)):
                options = self._options(self._resolve(choice))
                if options and isinstance(text, ast.Constant) and text.value not in options:
                    self._refuse_other(choice, text, options)

    def refuse_other_cases(self, node: ast.Match) -> None:
        """Refuse a case of a choice for a text that is none of the options."""
        options = self._options(self._resolve(node.subject))
        for case in node.cases if options else ():
            for pattern in walk(case.pattern):
                text = pattern.value if isinstance(pattern, ast.MatchValue) else None
                if isinstance(text, ast.Constant) and text.value not in options:  # type: ignore[operator]
                    self._refuse_other(node.subject, text, options)  # type: ignore[arg-type]

    def _refuse_other(self, choice: ast.expr, text: ast.Constant, options: list[str]) -> NoReturn:
        listed = ", ".join(map(repr, options))
        raise Misuse(
            f"line {text.lineno}: {self._constant_text(choice)} is never {text.value!r}: the "
            f"options are {listed}"
        )

    def _constant_text(self, node: ast.expr) -> str:
        while isinstance(node, ast.NamedExpr):
            node = node.target
        return ast.unparse(node)

    def _options(self, node: ast.expr) -> list[str] | None:
        """The options of an awaited choice among texts; None for anything else."""
        call = node.value if isinstance(node, ast.Await) else None
        if not isinstance(call, ast.Call) or not self._is_choose(call.func):
            return None
        found: list[Any] = []
        for each in call.args:
            if isinstance(each, ast.Starred):
                several = self._constant(each.value)
                if not isinstance(several, (tuple, list)):
                    return None
                found += several
            else:
                found.append(self._constant(each))
        return found if all([type(one) is str for one in found]) else None

    def _is_choose(self, function: ast.expr) -> bool:
        from rollwright import rules

        if isinstance(function, ast.Attribute):
            return function.attr == "choose" and isinstance(function.value, ast.Name)
        if not isinstance(function, ast.Name) or function.id in self._values:
            return False
        return self._scope.get(function.id) is rules.choose

    def _constant(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id not in self._values:
            return self._scope.get(node.id)
        return None

    # --- hands ---

    def refuse_row(self, node: ast.Match) -> None:
        """Refuse a hand that is matched with a row of faces, which it never is."""
        asked = self._resolve(node.subject)
        call = asked.value if isinstance(asked, ast.Await) else None
        if not isinstance(call, ast.Call) or _word(call.func) != "roll":
            return
        for case in node.cases:
            if isinstance(case.pattern, ast.MatchSequence):
                said = self._constant_text(node.subject)
                raise Misuse(
                    f"line {case.pattern.lineno}: a hand is no row of faces, so it never matches "
                    f"one: write `match sorted({said})`, which is one, lowest first"
                )


# --- generators ---


def _refuse_generator(call: ast.Call) -> None:
    """Refuse an await in a generator that is handed to a function: nothing but an await goes on."""
    for each in call.args:
        if not isinstance(each, ast.GeneratorExp):
            continue
        first, *others = each.generators
        if first.is_async:
            continue
        parts = [each.elt, *first.ifs, *others]
        if any([isinstance(one, ast.Await) for part in parts for one in (part, *_own(part))]):
            raise Misuse(
                f"line {each.lineno}: an `await` in a generator makes one that nothing can go "
                f"over: write a list, `{ast.unparse(call.func)}([…])`"
            )


def _word(function: ast.expr) -> str:
    return getattr(function, "attr", "") or getattr(function, "id", "")


def _own(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes of a function but those of functions and classes inside it."""
    for child in children(tree):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own(child)


def _truths(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what is asked whether it is true in a node, and by nothing inside it."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        yield from _conditions(node.test)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _conditions(node.operand)
    elif isinstance(node, ast.BoolOp):
        for each in node.values[:-1]:
            yield from _conditions(each)
    elif isinstance(node, ast.comprehension):
        for each in node.ifs:
            yield from _conditions(each)
    elif isinstance(node, ast.match_case) and node.guard is not None:
        yield from _conditions(node.guard)
    elif isinstance(node, ast.Call) and _word(node.func) == "bool" and len(node.args) == 1:
        yield from _conditions(node.args[0])


def _conditions(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what has to be true for an expression to be true."""
    if isinstance(node, ast.BoolOp):
        yield from _conditions(node.values[-1])
    elif isinstance(node, ast.IfExp):
        yield from _conditions(node.body)
        yield from _conditions(node.orelse)
    else:
        yield node
