"""Texts in ICU MessageFormat syntax, made into small lists that Python and the page evaluate.

Of the syntax there are `{x}`, `plural`, `selectordinal` and `select`; how a number is written
lies in the value. Whatever is accepted here means the same to other readers of the syntax.

>>> compile_text("{who} hits {n, plural, =0 {nobody} one {once} other {# times}}")
[['who'], ' hits ', ['n', 'cardinal', {'=0': 'nobody', 'one': 'once', 'other': [['n'], ' times']}]]
"""

from __future__ import annotations

import re
from typing import TypeAlias, Union

from rollwright.errors import BadCatalog

Compiled: TypeAlias = Union[str, "list[Part]"]
"""A text that holds no value, or its parts in order."""
Part: TypeAlias = Union[str, "list[str | dict[str, Compiled]]"]
"""A text; `[name]`, a value; `[name, kind, forms]`, one of several texts chosen by a value."""

KINDS = {"plural": "cardinal", "selectordinal": "ordinal", "select": "select"}
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
DEEPEST = 20

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"\w+")
_SELECTOR = re.compile(r"=?\w+(:\d+)?")
_EXACT = re.compile(r"=(0|[1-9]\d*)\Z")


def compile_text(text: str) -> Compiled:
    """The lists of a text, or a BadCatalog that says where it goes wrong."""
    return _TextReader(text).whole()


class _TextReader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Compiled:
        found = self.message("", 0)
        if self.at < len(self.text):
            raise self.wrong("this bracket closes nothing", "'}' in apostrophes")
        return found

    def message(self, counted: str, depth: int) -> Compiled:
        """Return the text up to its closing bracket; within a plural `#` means `counted`."""
        if depth > DEEPEST:
            raise self.wrong("this is nested too deeply", f"at most {DEEPEST} levels")
        parts: list[Part] = []
        signs: list[str] = []
        while (sign := self.text[self.at : self.at + 1]) not in ("", "}"):
            if sign == "'":
                signs.append(self.read_quote(bool(counted)))
            elif sign == "{" or (sign == "#" and counted):
                if signs:
                    parts.append("".join(signs))
                    signs = []
                self.at += 1
                parts.append([counted] if sign == "#" else self.value(depth))
            else:
                signs.append(sign)
                self.at += 1
        if not parts:
            return "".join(signs)
        return [*parts, "".join(signs)] if signs else parts

    def read_quote(self, counting: bool) -> str:
        """Read an apostrophe: one itself, or characters that would otherwise have a meaning."""
        text, start = self.text, self.at + 1
        self.at = start
        if text[start : start + 1] == "'":
            self.at = start + 1
            return "'"
        if text[start : start + 1] not in ("{", "}", *("#" if counting else ())):
            return "'"
        signs = []
        while (end := text.find("'", self.at)) >= 0:
            signs.append(text[self.at : end])
            self.at = end + 1
            if text[self.at : self.at + 1] != "'":
                return "".join(signs)
            signs.append("'")
            self.at += 1
        signs.append(text[self.at :])
        self.at = len(text)
        return "".join(signs)

    def value(self, depth: int) -> list[str | dict[str, Compiled]]:
        """Read brackets: a name, or a name and the texts that its value chooses from."""
        self.skip()
        name = self.take(_NAME, "the name of a value is missing", "a name such as {n}")
        self.skip()
        if self.accept_sign("}"):
            return [name]
        if not self.accept_sign(","):
            raise self.wrong("a value is a name, or a name and a comma", "{n} or {n, plural, …}")
        self.skip()
        kind = self.take(_NAME, "how to choose is missing", ", ".join(KINDS))
        if kind not in KINDS:
            self.at -= len(kind)
            raise self.wrong(f"{kind} is no way to choose", ", ".join(KINDS))
        self.skip()
        if not self.accept_sign(","):
            raise self.wrong(f"after {kind} a comma and its texts are missing", "one {…} other {…}")
        return [name, KINDS[kind], self.forms(name, kind, depth)]

    def forms(self, name: str, kind: str, depth: int) -> dict[str, Compiled]:
        """The texts to choose from, up to the closing bracket."""
        found: dict[str, Compiled] = {}
        while True:
            self.skip()
            if self.accept_sign("}"):
                break
            start = self.at
            key = self.take(_SELECTOR, f"a text of {kind} is missing", "other {…}")
            if problem := _unfit(key, kind) or ("it is there twice" if key in found else ""):
                self.at = start
                raise self.wrong(f"{key}: {problem}", _fit(kind))
            self.skip()
            if not self.accept_sign("{"):
                raise self.wrong(f"after {key} its text is missing", f"{key} {{…}}")
            found[key] = self.message("" if kind == "select" else name, depth + 1)
            if not self.accept_sign("}"):
                raise self.wrong("a bracket is not closed", "}")
        if "other" not in found:
            raise self.wrong(f"{kind} has no text for all the others", "other {…}")
        return found

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def accept_sign(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += 1
        return True

    def take(self, pattern: re.Pattern[str], problem: str, would_do: str) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise self.wrong(problem, would_do)
        self.at = found.end()
        return found[0]

    def wrong(self, problem: str, would_do: str) -> BadCatalog:
        return BadCatalog(problem, text=self.text, place=self.at, would_do=would_do)


def _unfit(key: str, kind: str) -> str:
    if kind == "select" or _EXACT.match(key):
        return ""
    if key.startswith("offset:"):
        return "there are no offsets here"
    return "" if key in CATEGORIES else "that is no form of a number"


def _fit(kind: str) -> str:
    return "each word once" if kind == "select" else f"{', '.join(CATEGORIES)} or =0"
