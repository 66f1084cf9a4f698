"""The source of a function, believed only if compiling it gives the function's own code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from types import CodeType
from typing import Any, TypeVar

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.inspection import codes_in
from rollwright.source_files import lines_of, tree_of_file

N = TypeVar("N", bound=ast.AST)
FUTURE = 0x1FE0000
"""The flags of code that say which features of the future its file had."""
CLOSING = 2
"""So many lines of brackets may close a definition after its last instruction."""
NESTED = 0x10
"""The flag of code inside another function."""
METHOD = 0x8000000
"""The flag of code right inside a class, since Python 3.14."""


GIVEN_TREES: dict[CodeType, ast.AsyncFunctionDef] = {}
"""Functions that were made from trees, with these: they have no source of their own."""


def tree_of(code: CodeType, scope: dict[str, Any]) -> ast.AsyncFunctionDef:
    """Return the definition of an async function, as it is in its file."""
    if code in GIVEN_TREES:
        return GIVEN_TREES[code]
    lines = lines_of(code.co_filename, scope)
    if not lines:
        raise CannotCompile(
            "its source cannot be read", remedy="write the rule in a file or in a notebook"
        )
    alone = _alone(code, lines, scope)
    if alone is not None:
        return alone
    tree = tree_of_file(code.co_filename, scope)
    if tree is None:
        raise CannotCompile("its source is not what was loaded")
    for node in walk(tree):
        if isinstance(node, ast.AsyncFunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == code.co_firstlineno and compiles_to(node, code, [*_imports_of(tree)]):
                return node
    raise CannotCompile("its source has changed since it was loaded")


def _alone(code: CodeType, lines: list[str], scope: dict[str, Any]) -> ast.AsyncFunctionDef | None:
    """Return a definition read from its own lines; None where the whole file is to be read.

    The last line is that of its last instruction, and perhaps one or two more that close brackets.
    """
    first = code.co_firstlineno - 1
    ends = chain.from_iterable([one.co_positions() for one in (code, *codes_in(code))])
    last = max(filter(None, map(itemgetter(1), ends)), default=0)
    if not 0 <= first < last <= len(lines):
        return None
    inside = lines[first][0].isspace()
    before = "\n" * (first - inside) + ("if 1:\n" if inside else "")
    for end in range(last, min(last + CLOSING, len(lines)) + 1):
        try:
            tree = ast.parse(before + "".join(lines[first:end]), code.co_filename)
        except SyntaxError:
            continue
        node = tree.body[0]
        if isinstance(node, ast.If):
            node = node.body[0]
        if not isinstance(node, ast.AsyncFunctionDef):
            return None
        return node if compiles_to(node, code, _likely_imports(node, scope)) else None
    return None


def _likely_imports(node: ast.AST, scope: dict[str, Any]) -> list[ast.stmt]:
    """Imports of names of which something is called, and that come from elsewhere.

    If a guess is wrong the code comes out another, and the whole file is read.
    """
    names = dict.fromkeys([
        each.func.value.id
        for each in walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
    ])  # fmt: skip
    here = scope.get("__name__")
    return [
        ast.Import([ast.alias(name, lineno=1, col_offset=0)], lineno=1, col_offset=0)
        for name in names
        if name in scope and getattr(scope[name], "__module__", None) != here
    ]


def compiles_to(node: ast.AsyncFunctionDef, code: CodeType, imports: list[ast.stmt]) -> bool:
    """Whether compiling a definition gives this code.

    What its file imports goes with it: Python calls `math.sqrt` otherwise where math is imported.
    A program that is run statement by statement, as in a notebook, was compiled without it.
    """
    nested = code.co_flags & NESTED
    module = in_scope([node], code.co_freevars, node) if nested else ast.Module([node], [])
    alone = list(module.body)
    for body in ([*imports, *alone], alone) if imports else (alone,):
        module.body = body
        made = compile(module, code.co_filename, "exec", code.co_flags & FUTURE, dont_inherit=True)
        alike = [found for found in codes_in(made) if found.co_name == code.co_name]
        if any(_set_flag(found, code.co_flags & METHOD) == code for found in alike):
            return True
    return False


def _set_flag(code: CodeType, flag: int) -> CodeType:
    return code.replace(co_flags=code.co_flags | flag) if flag else code


def _imports_of(scope: ast.AST) -> Iterator[ast.stmt]:
    """Yield the imports of a file outside of its functions and classes."""
    for node in children(scope):
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and node.module != "__future__"
        ):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield from _imports_of(node)


def in_scope(
    body: list[ast.stmt], free: tuple[str, ...], where: ast.stmt, name: str = ".scope"
) -> ast.Module:
    """A module with a function in which these names are bound, so that the body may use them."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(each, lineno=1, col_offset=0) for each in free],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    extra: Any = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}
    scope = ast.FunctionDef(name, arguments, body, [], **extra)
    ast.copy_location(scope, where)
    return ast.Module([fill_places(scope)], [])


# --- all nodes of a tree, sooner than Python's `ast` lists them ---

_NO_NODES = frozenset([
    *("id", "attr", "arg", "op", "ops", "ctx", "kind", "type_comment", "module", "asname", "level"),
    *("is_async", "conversion", "simple", "rest", "kwd_attrs"),
])  # fmt: skip
"""Fields of nodes that hold names, numbers, signs and no nodes that matter."""
_fields: dict[type, tuple[str, ...]] = {ast.Constant: ()}
"""By the kind of a node, the fields that may hold nodes."""


def _node_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    known = _fields[kind] = tuple([name for name in kind._fields if name not in _NO_NODES])
    return known


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right inside a node, but for signs, in the order of its fields."""
    kind = type(node)
    known = _fields.get(kind)
    found: list[ast.AST] = []
    for name in _node_fields(kind) if known is None else known:
        value = getattr(node, name)
        if type(value) is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif value is not None and isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all nodes inside it, but for signs."""
    found = [node]
    add, fields = found.append, _fields.get
    for each in found:  # which grows meanwhile
        kind = type(each)
        known = fields(kind)
        for name in _node_fields(kind) if known is None else known:
            value = getattr(each, name)
            if type(value) is list:
                for one in value:
                    if isinstance(one, ast.AST):
                        add(one)
            elif value is not None and isinstance(value, ast.AST):
                add(value)
    return found


def fill_places(node: N) -> N:
    """Give all nodes in a node the place of what they stand in, where they have none."""
    waiting: list[tuple[Any, tuple[int, ...]]] = [(node, (1, 0, 1, 0))]
    for each, place in waiting:  # which grows meanwhile
        known = vars(each)
        if "lineno" in known:
            line, column = known["lineno"], known["col_offset"]
            last, end = known.get("end_lineno"), known.get("end_col_offset")
            place = line, column, line if last is None else last, column if end is None else end
        elif each._attributes:
            each.lineno, each.col_offset, each.end_lineno, each.end_col_offset = place
        waiting += [(child, place) for child in children(each)]
    return node
