"""What the function of a roll says: who takes part, what is asked, what it may read and change.

The signature is the form and the request. What of a sheet belongs into the request is read off the
function: one that is read, changed by `+=` or `-=`, or set by `=` there.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Callable, Collection, Iterator, Mapping
from inspect import Parameter, signature
from types import CodeType, FunctionType, NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, cast, get_args, get_origin

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.source import tree_of
from rollwright.errors import BadGame
from rollwright.game.fields import HouseRules, Shared, Sheet, traits_of
from rollwright.kit.fields import REQUIRED, Value, fields_of, types_in

VERDICT = "Verdict"
NAMING = ("by", "about", "who")
"""Keywords that name somebody without reading their sheet."""
TELL = "tell"


def names_only(call: ast.Call, keyword: ast.keyword) -> bool:
    """Whether a keyword of a call only names somebody: all of a sentence of the story do."""
    return keyword.arg in NAMING or (isinstance(call.func, ast.Name) and call.func.id == TELL)


class Role(NamedTuple):
    """Somebody who takes part in a roll, or what the table shares."""

    name: str
    kind: type[Value]
    optional: bool
    reads: tuple[str, ...]
    """The fields that the roll may read, in the order of the sheet."""
    changes: tuple[str, ...]
    sets: frozenset[str]
    """Those of them that are given a value rather than changed by an amount."""


class Signature(NamedTuple):
    """All that a function says of its roll."""

    me: Role | None
    others: tuple[Role, ...]
    table: Role | None
    house: tuple[str, type[HouseRules]] | None
    """The argument that the house rules are, and their class."""
    fields: Mapping[str, tuple[Any, Any]]
    """Everything else that is asked: its type and its default."""
    values: Mapping[str, type]
    """What its verdicts name beside their word: whether it is so, or how much."""
    has_details: bool

    @property
    def roles(self) -> tuple[Role, ...]:
        """Everybody who takes part, and the table."""
        return tuple(role for role in (self.me, *self.others, self.table) if role is not None)


def read_signature(game: str, function: FunctionType) -> Signature:
    """What a function says of its roll."""
    hints = types_in(function)
    kinds: dict[str, tuple[type[Value], bool]] = {}
    house, fields = None, {}
    for name, about in signature(function).parameters.items():
        if name not in hints:
            place, would_do = f"{function.__name__}({name})", f"{name}: int = 1"
            raise BadGame(game, place, "it has no type", would_do)
        kind, optional = _class_of(hints[name])
        if isinstance(kind, type) and issubclass(kind, HouseRules):
            house = name, kind
        elif isinstance(kind, type) and issubclass(kind, (Sheet, Shared)):
            kinds[name] = cast("type[Value]", kind), optional
        else:
            default = REQUIRED if about.default is Parameter.empty else about.default
            fields[name] = hints[name], default
    uses = _Uses(function, {name: kind for name, (kind, _) in kinds.items()})
    roles = []
    for name, (kind, optional) in kinds.items():
        reads, changes, sets = uses.of(name)
        roles.append(Role(name, kind, optional, reads, changes, sets))
    sheets = [role for role in roles if issubclass(role.kind, Sheet)]
    table = next((role for role in roles if issubclass(role.kind, Shared)), None)
    me = sheets[0] if sheets and not sheets[0].optional else None
    others = tuple(sheets[1:] if me else sheets)
    return Signature(me, others, table, house, fields, uses.values, uses.has_details)


def _class_of(hint: Any) -> tuple[Any, bool]:
    """The class that an annotation means, and whether it may be None."""
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(hint) in (Union, UnionType):
        parts = [part for part in get_args(hint) if part is not NoneType]
        return (parts[0] if len(parts) == 1 else hint), len(parts) < len(get_args(hint))
    return hint, False


class _Uses(ast.NodeVisitor):
    """What a function does with the sheets that it is given."""

    def __init__(self, function: FunctionType, kinds: Mapping[str, type[Value]]) -> None:
        self.kinds = kinds
        self.reads: dict[str, set[str]] = {name: set() for name in kinds}
        self.changes: dict[str, set[str]] = {name: set() for name in kinds}
        self.sets: dict[str, set[str]] = {name: set() for name in kinds}
        self.values: dict[str, type] = {}
        self.has_details = False
        self._elsewhere = _names_in(function, function.__module__)
        try:
            tree = tree_of(function.__code__, function.__globals__)
        except CannotCompile:  # typed where its source cannot be read: anything may be used
            for name in kinds:
                self._escape(name)
        else:
            for statement in tree.body:
                self.visit(statement)

    def of(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
        """The fields of a sheet that are read, changed and set, in the order of the sheet."""
        known = fields_of(self.kinds[name])
        changes = tuple(one for one in known if one in self.changes[name])
        always = {"name"} & {*known}
        reads = tuple(one for one in known if one in self.reads[name] | {*changes} | always)
        return reads, changes, frozenset(self.sets[name] & {*changes})

    def _role(self, node: ast.expr) -> str:
        return node.id if isinstance(node, ast.Name) and node.id in self.kinds else ""

    def _escape(self, name: str) -> None:
        """A sheet goes where it is not followed: whatever is named anywhere may be used of it."""
        for used, known in (
            (self.reads, self._elsewhere.reads),
            (self.changes, self._elsewhere.changes | self._elsewhere.sets),
            (self.sets, self._elsewhere.sets),
        ):
            used[name] |= known & {*fields_of(self.kinds[name])}

    def _use(self, name: str, attribute: str) -> None:
        known, kind = fields_of(self.kinds[name]), self.kinds[name]
        self.reads[name].add(attribute)
        if attribute in known:
            return
        found = getattr(kind, attribute, None)  # a method or a property of the author's
        found = found.fget if isinstance(found, property) else found
        if isinstance(found, FunctionType):
            used = _names_in(found, found.__module__)
            self.reads[name] |= used.reads
            self.changes[name] |= used.changes | used.sets
            self.sets[name] |= used.sets

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = self._role(node.value)
        if not name:
            self.generic_visit(node)
        elif isinstance(node.ctx, ast.Load):
            self._use(name, node.attr)
        else:
            self.changes[name].add(node.attr)
            self.sets[name].add(node.attr)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Attribute) and (name := self._role(target.value)):
            self.changes[name].add(target.attr)
        else:
            self.visit(target)
        self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if name := self._role(node.value):
            self.reads[name] |= {*traits_of(self.kinds[name])}
        else:
            self.visit(node.value)
        self.visit(node.slice)

    def visit_Call(self, node: ast.Call) -> None:
        called, parts = node.func, [*node.args]
        if isinstance(called, ast.Attribute) and called.attr == "pay":
            if name := self._role(called.value):
                self.changes[name] |= {one.arg for one in node.keywords if one.arg}
                if any(one.arg is None for one in node.keywords):
                    self._escape(name)
        else:
            self.visit(called)
        if getattr(called, "id", getattr(called, "attr", "")) == VERDICT:
            self._note_verdict(node)
        named = [k for k in node.keywords if not (names_only(node, k) and self._role(k.value))]
        for part in (*parts, *(one.value for one in named)):
            self.visit(part)

    def _note_verdict(self, node: ast.Call) -> None:
        self.has_details = self.has_details or len(node.args) > 1
        for one in node.keywords:
            if one.arg:
                kind = bool if _is_truth(one.value) else int
                self.values[one.arg] = bool if self.values.get(one.arg) is bool else kind

    def visit_Name(self, node: ast.Name) -> None:
        if name := self._role(node):
            self._escape(name)

    def visit_Compare(self, node: ast.Compare) -> None:
        if not (isinstance(node.ops[0], (ast.Is, ast.IsNot)) and self._role(node.left)):
            self.generic_visit(node)

    def _test(self, node: ast.expr) -> None:
        """Visit a test: whether somebody is there reads nothing of their sheet."""
        if self._role(node):
            return
        if isinstance(node, ast.BoolOp):
            for part in node.values:
                self._test(part)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._test(node.operand)
        else:
            self.visit(node)

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> None:
        self._test(node.test)
        for name in ("body", "orelse"):
            held = getattr(node, name)
            for part in held if isinstance(held, list) else [held]:
                self.visit(part)

    visit_While = visit_IfExp = visit_If


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression says that something is so."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, ast.BoolOp):
        return all(map(_is_truth, node.values))
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


class _Names(NamedTuple):
    """Attributes that code names: read, changed by an amount, set; arguments count as read."""

    reads: frozenset[str]
    changes: frozenset[str]
    sets: frozenset[str]


def _names_in(function: FunctionType, home: str) -> _Names:
    """All attributes that a function and those it calls in its package name."""
    reads, changes, sets = set[str](), set[str](), set[str]()
    for code in _codes_of(function, home.partition(".")[0]):
        before = ""
        for one in dis.get_instructions(code):
            if one.opname == "STORE_ATTR":
                (changes if before == "SWAP" else sets).add(str(one.argval))
            elif one.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
                reads.add(str(one.argval))
            before = one.opname
        for held in code.co_consts:  # names of keywords, as in pay(hope=1)
            if isinstance(held, tuple) and all(isinstance(name, str) for name in held):
                reads |= {*held}
                changes |= {*held} if "pay" in code.co_names else set()
    return _Names(frozenset(reads), frozenset(changes), frozenset(sets))


def _codes_of(function: FunctionType, package: str) -> Iterator[CodeType]:
    waiting: list[Any] = [function]
    seen: set[CodeType] = set()
    while waiting:
        one = waiting.pop()
        code: CodeType = one if isinstance(one, CodeType) else one.__code__
        if code in seen:
            continue
        seen.add(code)
        yield code
        scope = getattr(one, "__globals__", function.__globals__)
        waiting += [held for held in code.co_consts if isinstance(held, CodeType)]
        waiting += _functions_in([scope.get(name) for name in code.co_names], package)


def _functions_in(held: Collection[Any], package: str) -> list[FunctionType]:
    found: list[Callable[..., Any]] = [getattr(one, "function", one) for one in held]
    return [
        one
        for one in found
        if isinstance(one, FunctionType) and one.__module__.partition(".")[0] == package
    ]
