"""The Python examples of a page: what each runs as, and which of them no browser can run.

An example needs what it imports, and what those above it need that made a name it uses. The tests
run all of them in the browser's Python: what is said here to run does, and the rest fails there.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from doctest import DocTestParser
from html import escape, unescape
from importlib import import_module
from symtable import SymbolTable, symtable
from typing import NamedTuple

from hatch_build import NOT_IN_BROWSERS

HOME = "rollwright"
NO_THREADS = frozenset({"asyncio", "concurrent", "multiprocessing", "subprocess"})
NO_NETWORK = frozenset({"http", "smtplib", "socket", "ssl", "urllib"})
"""Modules of Python that can be imported in a browser and do nothing there."""
BLOCK = re.compile(
    r'<div class="language-(?:python|py|pycon) highlight">(?:<span class="filename">[^<]*</span>)?'
    r"<pre>(?P<code>.*?)</pre></div>",
    re.S,
)
"""An example of ours; signatures and what other libraries write have a class more."""
MARK = "data-example="
TAG = re.compile(r"<[^>]+>")


class Example(NamedTuple):
    """An example as it can be run."""

    source: str
    """Its Python, without prompts and answers."""
    needs: str
    """A module that no browser has, needed here or by what it builds on; empty where it runs."""


def examples_of(texts: Iterable[str]) -> Iterator[Example]:
    """The examples of a page, from the top; each may use what those above it have made.

    >>> page = ["import asyncio", ">>> asyncio.run(work())", ">>> 1 + 1\\n2"]
    >>> [example.needs for example in examples_of(page)]
    ['asyncio', 'asyncio', '']
    """
    made: dict[str, str] = {}
    for text in texts:
        tree = ast.parse(source := source_of(text))
        wanted = [*map(missing, imported(tree)), *(made.get(name, "") for name in used(source))]
        needs = next(filter(None, wanted), "")
        made |= dict.fromkeys(bound(source, tree), needs)
        yield Example(source, needs)


def source_of(text: str) -> str:
    """The Python of an example: what stands behind its prompts, or all of it where it has none.

    >>> source_of(">>> x = 3\\n>>> x + 1\\n4\\n")
    'x = 3\\nx + 1'
    """
    if not text.lstrip().startswith(">>>"):
        return text.strip("\n")
    parts = [example.source.rstrip("\n") for example in DocTestParser().get_examples(text)]
    return "\n".join(f"{part}\n" if "\n" in part else part for part in parts).strip("\n")


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that an example imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def missing(module: str) -> str:
    """The module if no browser has it, else nothing.

    >>> [missing(name) for name in ("fractions", "rollwright.client.http", "icepool")]
    ['', 'rollwright.client', 'icepool']
    """
    first, *inner = module.split(".")
    if first == HOME:
        return f"{HOME}.{inner[0]}" if inner and inner[0] in NOT_IN_BROWSERS else ""
    here = first in sys.stdlib_module_names and first not in NO_THREADS | NO_NETWORK
    return "" if here else first


def used(source: str) -> set[str]:
    """The names that an example takes from around it, or from above."""
    whole = symtable(source, "<example>", "exec")
    names = {
        name.get_name()
        for table in _tables(whole)
        for name in table.get_symbols()
        if name.is_referenced() and (table is whole or name.is_global())
    }
    return names


def _tables(table: SymbolTable) -> Iterator[SymbolTable]:
    yield table
    for inner in table.get_children():
        yield from _tables(inner)


def bound(source: str, tree: ast.Module) -> set[str]:
    """The names that an example leaves behind."""
    found = symtable(source, "<example>", "exec").get_symbols()
    names = {name.get_name() for name in found if name.is_assigned() or name.is_imported()}
    stars = [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    ]
    return names.union(*(dir(import_module(module)) for module in stars if module))


def blocks(page: str) -> list[str]:
    """The texts of the examples in a built page."""
    return [_text(found) for found in BLOCK.finditer(page)]


def _text(found: re.Match[str]) -> str:
    return unescape(TAG.sub("", found["code"]))


def marked(page: str) -> str:
    """A built page, each of whose examples says what it runs as and what it needs."""
    known = examples_of(blocks(page))
    return BLOCK.sub(lambda found: _marked(found[0], next(known)), page)


def _marked(block: str, example: Example) -> str:
    needs = f' data-needs="{example.needs}"' if example.needs else ""
    return block.replace("<div ", f'<div {MARK}"{_quoted(example.source)}"{needs} ', 1)


def _quoted(source: str) -> str:
    return escape(source).replace("\n", "&#10;")
