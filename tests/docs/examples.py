"""The Python examples of the pages, each page as one module whose lines are those of the page."""

from __future__ import annotations

import doctest
import linecache
import re
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?:python|py|pycon)\b[^\n]*\n(.*?)^```", re.M | re.S)


def module_of(page: Path) -> str:
    """What a page's examples are as a module; empty where it has none.

    What shows a refusal is left out: it is there to be wrong.
    """
    text = page.read_text("utf-8")
    lines = [""] * (text.count("\n") + 1)
    for block in FENCE.finditer(text):
        first = text.count("\n", 0, block.start(1))
        for number, line in _lines(block[1]):
            lines[first + number] = line
    return "\n".join(lines).rstrip() + "\n" if any(lines) else ""


def _lines(block: str) -> list[tuple[int, str]]:
    if not block.lstrip().startswith(">>>"):
        return list(enumerate(block.splitlines()))
    return [
        (example.lineno + number, line)
        for example in doctest.DocTestParser().get_examples(block)
        if example.exc_msg is None
        for number, line in enumerate(example.source.splitlines())
    ]


def compiled(text: str, page: Path) -> CodeType:
    """Code of a page, whose source can be read like that of a file: rules are compiled from it."""
    name = f"{page}, {sha256(text.encode()).hexdigest()[:12]}"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return compile(text, name, "exec", dont_inherit=True)


def run_examples(page: Path) -> dict[str, Any]:
    """Run the examples of a page from top to bottom, and return the names that they leave behind.

    What they print must be what the page shows.
    """
    names: dict[str, Any] = {"__name__": "example"}
    for text in FENCE.findall(page.read_text("utf-8")):
        if not text.lstrip().startswith(">>>"):
            exec(compiled(text, page), names)
            continue
        example = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        told: list[str] = []
        runner.run(example, out=told.append, clear_globs=False)
        names = example.globs
        assert 0 == runner.summarize(verbose=False).failed, "".join(told)
    return names


def names_of(page: Path) -> dict[str, Any]:
    """What the examples of a page leave behind, by name; what shows a refusal is left out."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compiled(module_of(page), page), names)
    return names
