"""The source of a function, believed only if compiling it gives the function's own code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any

from rollwright.engine.compiled.refusal import CannotCompile
from rollwright.engine.outside import codes_in
from rollwright.files import lines_of, tree_of_file

FUTURE = 0x1FE0000
"""The flags of code that say which features of the future its file had."""
NESTED = 0x10
"""The flag of code inside another function."""


def tree_of(code: CodeType, scope: dict[str, Any]) -> ast.AsyncFunctionDef:
    """Return the definition of an async function, as it is in its file."""
    if not lines_of(code.co_filename, scope):
        raise CannotCompile(
            "its source cannot be read", remedy="write the rule in a file or in a notebook"
        )
    tree = tree_of_file(code.co_filename, scope)
    if tree is None:
        raise CannotCompile("its source is not what was loaded")
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first == code.co_firstlineno and compiles_to(node, code, tree):
                return node
    raise CannotCompile("its source has changed since it was loaded")


def compiles_to(node: ast.AsyncFunctionDef, code: CodeType, file: ast.Module) -> bool:
    """Whether compiling a definition of a file gives this code.

    What the file imports goes with it: Python calls `math.sqrt` otherwise where math is imported.
    A program that is run statement by statement, as in a notebook, was compiled without it.
    """
    nested = code.co_flags & NESTED
    module = in_scope([node], code.co_freevars, node) if nested else ast.Module([node], [])
    alone = list(module.body)
    for body in ([*_imports_of(file), *alone], alone):
        module.body = body
        made = compile(module, code.co_filename, "exec", code.co_flags & FUTURE, dont_inherit=True)
        if any(found == code for found in codes_in(made) if found.co_name == code.co_name):
            return True
    return False


def _imports_of(scope: ast.AST) -> Iterator[ast.stmt]:
    """Yield the imports of a file outside of its functions and classes."""
    for node in ast.iter_child_nodes(scope):
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
