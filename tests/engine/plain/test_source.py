"""How the source of a function is found and gone over."""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from rollwright.engine.compiled import source
from rollwright.games.twilight2000 import rules as twilight
from tests.engine.plain import test_python, test_rules

FILES = [Path(module.__file__ or "") for module in (twilight, test_python, test_rules)]
SIGNS = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name + file.stem)
def test_all_nodes_but_signs_are_gone_over(file: Path) -> None:
    """Python's own `ast.walk` comes to the same nodes, in whatever order, and to signs."""
    tree = ast.parse(file.read_text())
    expected = {id(node) for node in ast.walk(tree) if not isinstance(node, SIGNS)}
    found = [id(node) for node in source.walk(tree)]
    assert expected == {*found}
    assert len(expected) == len(found)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name + file.stem)
def test_missing_places_are_those_of_what_is_around(file: Path) -> None:
    """Python's own `ast.fix_missing_locations` gives the same places."""
    tree = ast.parse(file.read_text())
    for number, node in enumerate(ast.walk(tree)):
        if number % 3 and hasattr(node, "lineno"):
            for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                delattr(node, name)
    expected = ast.fix_missing_locations(deepcopy(tree))
    found = source.fill_places(tree)
    assert ast.dump(expected, include_attributes=True) == ast.dump(found, include_attributes=True)


@pytest.mark.parametrize("function", [twilight.first_throw, twilight.push_or_keep])
def test_what_calls_something_imported_is_read_by_itself(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python makes other code of `Shown.of()` where Shown is imported; no file is read for that."""
    monkeypatch.setattr(source, "tree_of_file", lambda *_: pytest.fail("the file was read"))
    tree = source.tree_of(function.__code__, function.__globals__)
    assert function.__name__ == tree.name
