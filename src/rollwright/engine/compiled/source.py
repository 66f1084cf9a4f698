"""The source of a function, believed only if compiling it gives the function's own code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.inspection import codes_in
from rollwright.source_files import lines_of, tree_of_file

FUTURE = 0x1FE0000
"""The flags of code that say which features of the future its file had."""
CLOSING = 2
"""So many lines of brackets may close a definition after its last instruction."""
NESTED = 0x10
"""The flag of code inside another function."""
METHOD = 0x8000000
"""The flag of code right inside a class, since Python 3.14."""


def tree_of(code: CodeType, scope: dict[str, Any]) -> ast.AsyncFunctionDef:
    """Return the definition of an async function, as it is in its file."""
    lines = lines_of(code.co_filename, scope)
    if not lines:
        raise CannotCompile(
            "its source cannot be read", remedy="write the rule in a file or in a notebook"
        )
    alone = _alone(code, lines)
    if alone is not None:
        return alone
    tree = tree_of_file(code.co_filename, scope)
    if tree is None:
        raise CannotCompile("its source is not what was loaded")
    for node in walk(tree):
        if isinstance(node, ast.AsyncFunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == code.co_firstlineno and compiles_to(node, code, tree):
                return node
    raise CannotCompile("its source has changed since it was loaded")


def _alone(code: CodeType, lines: list[str]) -> ast.AsyncFunctionDef | None:
    """Return a definition read from its own lines; None where the whole file is to be read.

    The last line is that of its last instruction, and perhaps one or two more that close brackets.
    """
    first = code.co_firstlineno - 1
    last = max([place[1] or 0 for one in (code, *codes_in(code)) for place in one.co_positions()])
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
        is_it = isinstance(node, ast.AsyncFunctionDef) and compiles_to(node, code, None)
        return node if is_it else None  # type: ignore[return-value]
    return None


def compiles_to(node: ast.AsyncFunctionDef, code: CodeType, file: ast.Module | None) -> bool:
    """Whether compiling a definition of a file, or one by itself, gives this code.

    What the file imports goes with it: Python calls `math.sqrt` otherwise where math is imported.
    A program that is run statement by statement, as in a notebook, was compiled without it.
    """
    nested = code.co_flags & NESTED
    module = in_scope([node], code.co_freevars, node) if nested else ast.Module([node], [])
    alone = list(module.body)
    for body in ([*_imports_of(file), *alone], alone) if file is not None else (alone,):
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
    return ast.Module([ast.fix_missing_locations(scope)], [])


# --- all nodes of a tree, sooner than Python's `ast` lists them ---


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right inside a node, in the order of its fields."""
    found: list[ast.AST] = []
    for value in vars(node).values():
        if type(value) is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all nodes inside it."""
    found = [node]
    add = found.append
    for each in found:  # which grows meanwhile
        for value in vars(each).values():
            if type(value) is list:
                for one in value:
                    if isinstance(one, ast.AST):
                        add(one)
            elif isinstance(value, ast.AST):
                add(value)
    return found
