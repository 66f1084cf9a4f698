"""A roll as it is counted: what it assigns to sheets are local variables.

The author's function is played as it is, with sheets as objects. For counting the same statements
are written with a variable in the place of each field that changes, so that positions know no more
than what is read later. Where that cannot be done (a sheet goes into another function, say) the
function is counted as it is played.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from types import CodeType, FunctionType
from typing import Any

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.source import FUTURE, GIVEN_TREES, tree_of, walk
from rollwright.game.signature import Role, Signature, names_only
from rollwright.kit.fields import fields_of

ASKED = ".asked"
"""The argument: the request. No author can write such a name."""
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
INNER = (*SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _NotSo(Exception):
    """It cannot be written with variables."""


def write_counted(function: FunctionType, told: Signature) -> FunctionType | None:
    """The function of a request that is counted in place of a roll's; None where there is none."""
    if function.__closure__:
        return None
    try:
        tree = deepcopy(tree_of(function.__code__, function.__globals__))
        changing = {role.name: role for role in told.roles if role.changes}
        body = _Fields(changing).body(tree.body)
    except (CannotCompile, _NotSo):
        return None
    names = [*told.fields, *([told.house[0]] if told.house else [])]
    first = [_assign(name, _call("argument", ast.Constant(name))) for name in names]
    first += [
        _assign(role.name, _call("sheet_before", ast.Constant(role.name))) for role in told.roles
    ]
    for role in changing.values():
        first += [
            _assign(
                _local(role, field), _call("value_before", *map(ast.Constant, (role.name, field)))
            )
            for field in role.changes
        ]
    last = ast.Return(_finish(ast.Constant(None), changing))
    tree.body = [*first, *body, last]
    tree.args = ast.arguments([], [ast.arg(ASKED)], None, [], [], None, [])
    tree.decorator_list, tree.returns = [], None
    for node in walk(tree):  # what is new stands where the function begins
        if isinstance(node, (ast.stmt, ast.expr, ast.arg)) and not hasattr(node, "lineno"):
            ast.copy_location(node, tree)
    ast.fix_missing_locations(tree)
    return _compile(function, tree)


def _compile(function: FunctionType, tree: ast.AsyncFunctionDef) -> FunctionType:
    code = function.__code__
    module = ast.Module([tree], [])
    made = compile(module, code.co_filename, "exec", code.co_flags & FUTURE, dont_inherit=True)
    (own,) = [one for one in made.co_consts if isinstance(one, CodeType)]
    GIVEN_TREES[own] = tree
    found = FunctionType(own, function.__globals__, function.__name__)
    found.__module__, found.__doc__ = function.__module__, function.__doc__
    return found


def _local(role: Role, field: str) -> str:
    return f"{role.name}.{field}"


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(method: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(_name(ASKED), method, ast.Load()), [*args], [])


def _finish(found: ast.expr, changing: dict[str, Role]) -> ast.expr:
    """The outcome of what was returned, with each field that may have changed as it is then."""
    held = [_name(_local(role, field)) for role in changing.values() for field in role.changes]
    return _call("finish", found, ast.Tuple(held, ast.Load()))


class _Fields(ast.NodeTransformer):
    """Puts variables in the place of fields."""

    def __init__(self, changing: dict[str, Role]) -> None:
        self.changing = changing

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """These statements with variables."""
        found: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            found += made if isinstance(made, list) else [made]
        return found

    def _role(self, node: ast.AST) -> Role | None:
        return self.changing.get(node.id) if isinstance(node, ast.Name) else None

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, INNER):
            if any(self._role(one) for one in walk(node)):
                raise _NotSo
            return node if isinstance(node, SCOPES) else self.generic_visit(node)
        return super().visit(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        value = ast.Constant(None) if node.value is None else self.visit(node.value)
        return ast.copy_location(ast.Return(_finish(value, self.changing)), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        role = self._role(node.value)
        if role is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        if not isinstance(node.ctx, ast.Load):
            raise _NotSo
        if node.attr in role.changes:
            return ast.copy_location(_name(_local(role, node.attr)), node)
        if node.attr not in fields_of(role.kind):  # a method or a property reads the sheet itself
            raise _NotSo
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if self._role(node.value) is not None:
            node.slice = self.visit(node.slice)
            return node
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if self._role(node) is not None:
            raise _NotSo  # it goes somewhere
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Attribute):
            role = self._role(target.value)
            if role is not None:
                return self._store(role, target.attr, self.visit(node.value), node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target = node.target
        if isinstance(target, ast.Attribute) and (role := self._role(target.value)):
            value = ast.BinOp(_name(_local(role, target.attr)), node.op, self.visit(node.value))
            return self._store(role, target.attr, value, node)
        return self.generic_visit(node)

    def _store(self, role: Role, field: str, value: ast.expr, node: ast.AST) -> ast.stmt:
        """An assignment, cut where the field ends."""
        about = fields_of(role.kind).get(field)
        if about is None or field not in role.changes:
            raise _NotSo
        if about.kind == "int" and (about.low is not None or about.high is not None):
            value = _call("cut", value, ast.Constant(about.low), ast.Constant(about.high))
        made: ast.stmt = _locate(_assign(_local(role, field), value), node)
        return made

    def visit_Expr(self, node: ast.Expr) -> Any:
        called = node.value
        if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Attribute):
            return self.generic_visit(node)
        role = self._role(called.func.value)
        if role is None or called.func.attr != "pay":
            return self.generic_visit(node)
        made = []
        for one in called.keywords:
            if one.arg is None or called.args:
                raise _NotSo
            field = _local(role, one.arg)
            words = map(ast.Constant, (role.name, one.arg))
            paid = _call("pay", *words, _name(field), self.visit(one.value))
            made.append(_locate(_assign(field, paid), node))
        return made

    def visit_Call(self, node: ast.Call) -> ast.expr:
        node.func, node.args = self.visit(node.func), [self.visit(one) for one in node.args]
        for one in node.keywords:
            if not (names_only(node, one) and self._role(one.value)):
                one.value = self.visit(one.value)
        return node

    def _test(self, node: ast.expr) -> ast.expr:
        """A test: whether somebody is there reads nothing of their sheet."""
        if self._role(node) is not None:
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(one) for one in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
            return node
        found: ast.expr = self.visit(node)
        return found

    def visit_If(self, node: ast.If) -> ast.stmt:
        node.test = self._test(node.test)
        node.body, node.orelse = self.body(node.body), self.body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        node.test = self._test(node.test)
        node.body, node.orelse = self.body(node.body), self.body(node.orelse)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)) and self._role(node.left) is not None:
            return node
        return self.generic_visit(node)  # type: ignore[return-value]


def _locate(made: Any, node: ast.AST) -> Any:
    """New code with the place of the statement that it is made of."""
    for one in walk(made):
        if not hasattr(one, "lineno"):
            ast.copy_location(one, node)
    return made
