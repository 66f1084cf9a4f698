"""The files that authors write, as trees."""

from __future__ import annotations

import ast
import linecache
from typing import Any

_trees: dict[str, tuple[list[str], ast.Module | None]] = {}
"""The last tree of each file, with the lines that it was made of."""


def lines_of(name: str, scope: dict[str, Any] | None = None) -> list[str]:
    """The lines of a file as it is now; none if it cannot be read."""
    linecache.checkcache(name)
    return linecache.getlines(name, scope)


def tree_of_file(name: str, scope: dict[str, Any] | None = None) -> ast.Module | None:
    """A file as it is now; None if it cannot be read, or is no Python by now."""
    lines = lines_of(name, scope)
    if not lines:
        return None
    known = _trees.get(name)
    if known is None or known[0] != lines:
        try:
            tree = ast.parse("".join(lines), name)
        except SyntaxError:
            tree = None
        known = _trees[name] = (lines, tree)
    return known[1]
