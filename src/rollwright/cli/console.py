"""The output: its width, its colours, and the characters it can show."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.progress import Progress

NARROWEST, WIDEST = 20, 100
SHORTEST = 8
LONGEST_LINE = 1_000
"""A refusal that quotes more than this is cut in the middle."""
PATIENCE = 1.0
"""Seconds after which a progress bar appears."""


class Console(NamedTuple):
    """The output's properties."""

    width: int = 80
    colour: bool = False
    unicode: bool = True
    height: int = 24

    def bold(self, text: str) -> str:
        """The text with weight, where that can be."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def colorize(self, text: str, colour: int) -> str:
        """The text in one of the terminal's 256 colours."""
        return f"\x1b[38;5;{colour}m{text}\x1b[0m" if self.colour else text

    def plain(self, text: str) -> str:
        """The text in signs that the paper has."""
        if self.unicode:
            return text
        for sign, instead in _INSTEAD.items():
            text = text.replace(sign, instead)
        return text.encode("ascii", "replace").decode()


_INSTEAD = {
    **{"–": "-", "…": "...", "·": "-", "×": "x", "≥": ">=", "≤": "<=", "±": "+-", "−": "-"},
    **{"─": "-", "│": "|", "├": "|", "└": "`", "┼": "+", "◀": "<", "’": "'", "“": '"', "”": '"'},
    **{"→": "->", "⇒": "=>", "‖": "|", "✓": "+", "✗": "-", "↑": "^", "↓": "v"},
    **dict.fromkeys("╭╮╰╯", "+"),
    **dict.fromkeys("▏▎▍▌", "."),
    **dict.fromkeys("▋▊▉█", "#"),
    **dict(zip("░▒▓", ".:*")),
}


def paper() -> Console:
    """The paper that standard output is."""
    return Console(width(), _has_colours(), _has_signs(), height())


def width() -> int:
    """How many signs fit in a line: as COLUMNS says, else as the terminal says, else 80."""
    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
    except (ValueError, OSError):
        columns = 80
    return max(NARROWEST, min(columns or 80, WIDEST))


def height() -> int:
    """How many lines are seen at once: as LINES says, else as the terminal says, else 24."""
    try:
        lines = int(os.environ.get("LINES") or os.get_terminal_size().lines)
    except (ValueError, OSError):
        lines = 24
    return max(lines or 24, SHORTEST)


def _has_colours() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def _has_signs() -> bool:
    return "utf" in (sys.stdout.encoding or "").lower()


def show(text: str, on: Console | None = None, end: str = "\n") -> None:
    """Print for people, in signs that can be shown."""
    on = on or Console(unicode=_has_signs())
    encoding = sys.stdout.encoding or "ascii"
    print(on.plain(text).encode(encoding, "replace").decode(encoding), end=end, flush=not end)


def note(text: str) -> None:
    """Say something beside the output, which stays readable for programs."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def legible(text: str) -> str:
    """Return a stranger's text without what a terminal would obey.

    >>> legible("a name\\x1b[2J")
    'a name�[2J'
    """
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "�" for sign in text)


def show_json(data: object) -> None:
    """Print for programs."""
    from json import dumps

    print(dumps(data, ensure_ascii=not _has_signs()))


def shorten(text: str, most: int = LONGEST_LINE) -> str:
    """Return the text; a very long one without its middle, since its end has the advice.

    >>> shorten("there is no game 'aaaaaaaaaaaa'; did you mean 'dust'?", 40)
    "there is no game 'aa … did you mean 'dust'?"
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2]} … {text[-(most // 2) :]}"


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Progress of so many, as a bar when there is a terminal and it takes more than a moment."""
    from time import monotonic

    start = monotonic()
    bars: list[Progress] = []

    def progress(done: int, total: int) -> None:
        if not bars and sys.stderr.isatty() and monotonic() - start > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bars.append(Progress(console=Console(stderr=True), transient=True))
            bars[0].start()
            bars[0].add_task(what, total=total)
        for bar in bars:
            bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield progress
    finally:
        for bar in bars:
            bar.stop()
