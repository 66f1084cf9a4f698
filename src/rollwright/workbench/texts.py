"""The text of a program: dice expressions at its head, one a line, and Python below them."""

from __future__ import annotations

import ast
import re
from codeop import compile_command
from collections.abc import Collection
from keyword import iskeyword
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

from rollwright.errors import RollwrightError
from rollwright.notation import parse
from rollwright.workbench.shapes import TextPlace

NAMED = re.compile(r"\s*([^\W\d][\w '’-]{0,59}?)\s*:(?!=)\s*(?=\S)")
"""A name before an expression: `attack: 2d6+3`."""
DICE_LIKE = re.compile(r"(?<![\w.])\d*[dDwW](\d|%|F\b)|(?<![\w.])\d")
"""Pattern of text that looks as if dice or numbers were meant, though it cannot be read."""
REMARK = re.compile(r"\s#.*$")
"""Pattern of a note after a line."""
STARTS = re.compile(
    r"\s*(@\w|(import|from|def|class|async|if|for|while|with|try|return|await|raise|assert|del)\b|[A-Za-z_]\w*\s*=(?!=))"
)
"""Pattern of beginnings that only Python has."""


class ExpressionLine(NamedTuple):
    """A dice expression at the head of a program."""

    name: str
    """As it is called; empty where nobody gave it a name."""
    expression: str
    number: int
    """Its line, from 1."""
    column: int
    """Start of the expression, in characters."""

    @property
    def place(self) -> TextPlace:
        """The place of the expression."""
        end = self.column + len(self.expression)
        return text_place(self.number, self.column, self.number, end)


class ProgramText(NamedTuple):
    """A program in its two parts."""

    whole: str
    head: tuple[ExpressionLine, ...]
    python: str
    """The Python part on its own lines of the whole: those of the head are blank."""

    def place_of(self, node: ast.AST) -> TextPlace:
        """Return the place of something that Python has read; Python counts bytes."""
        line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", None)
        column, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None)
        end_line, end = end_line or line, column if end is None else end
        return text_place(
            line, self.character(line, column), end_line, self.character(end_line, end)
        )

    def character(self, line: int, byte: int) -> int:
        """The column in characters of one in bytes."""
        lines = self.python.split("\n")
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return len(text.encode()[:byte].decode(errors="ignore"))

    def title_of(self, node: ast.expr) -> str:
        """Return an expression's name: the note above it, its title, or its text in one line."""
        above = self.whole.split("\n")[node.lineno - 2].strip() if node.lineno > 1 else ""
        if above.startswith("#") and above.strip("# "):
            return above.lstrip("# ")
        for word in node.keywords if isinstance(node, ast.Call) else ():
            if word.arg == "title" and isinstance(word.value, ast.Constant) and word.value.value:
                return str(word.value.value)
        written = ast.get_source_segment(self.python, node) or ""
        return ast.unparse(node) if "\n" in written else written


def text_place(line: int, column: int = 0, end_line: int = 0, end_column: int = 0) -> TextPlace:
    """A place in the text."""
    return {
        "line": line,
        "column": column,
        "end_line": end_line or line,
        "end_column": end_column if end_line else column,
    }


def plain(whole: str) -> ProgramText:
    """A text that is Python from its first line on."""
    whole = whole.replace("\r\n", "\n").replace("\r", "\n")
    return ProgramText(whole, (), whole)


def read(whole: str, words: Collection[str]) -> ProgramText:
    """The parts of a program; `words` are those that are there without an import.

    >>> read("4d6kh3\\nattack: d20+5\\nx = 2\\n", ()).head[1]
    ExpressionLine(name='attack', expression='d20+5', number=2, column=8)
    """
    whole = whole.replace("\r\n", "\n").replace("\r", "\n")
    head: list[ExpressionLine] = []
    lines = whole.split("\n")
    first = len(lines)
    for number, text in enumerate(lines):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        found = _expression(text, number + 1, words)
        if found is None:
            first = number
            break
        head.append(found)
    if first == len(lines):
        return ProgramText(whole, tuple(head), "")
    return ProgramText(whole, tuple(head), "\n" * first + "\n".join(lines[first:]))


def _expression(text: str, number: int, words: Collection[str]) -> ExpressionLine | None:
    """A line of dice; None where Python begins."""
    code = REMARK.sub("", text).rstrip()
    plain = ExpressionLine("", code.strip(), number, len(code) - len(code.lstrip()))
    if STARTS.match(code):
        return None
    if not _has_words(code, words) and _reads(plain.expression):
        return plain
    name = NAMED.match(code)
    if name is not None and not iskeyword(name[1]):
        named = ExpressionLine(name[1], code[name.end() :], number, name.end())
        if _reads(named.expression) or (_is_dice_like(named.expression) and not _is_python(code)):
            return named
    return plain if _is_dice_like(code) and not _is_python(code) else None


def _has_words(code: str, words: Collection[str]) -> bool:
    """Whether a line means something to Python: `4 * D6` is four dice there, and a product here."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            tree = ast.parse(code.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.Name) and node.id in words for node in ast.walk(tree))


def _reads(expression: str) -> bool:
    try:
        parse(expression)
    except (RollwrightError, RecursionError):
        return False
    return True


def _is_dice_like(code: str) -> bool:
    return DICE_LIKE.search(code) is not None


def _is_python(code: str) -> bool:
    """Whether a line is Python, or the beginning of some."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            compile_command(code.strip() + "\n")
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return True
