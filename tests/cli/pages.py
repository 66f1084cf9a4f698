"""The console examples of the pages: lines that begin with `rollwright`, and what they print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.cli.running import ROOT, Done, rollwright

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^ *```console\n(.*?)^ *```", re.M | re.S)
EXIT = re.compile(r"#.*\bexit code (\d)")


class Example(NamedTuple):
    """A command line of a page; `shown` is what it must print, None where nothing is shown."""

    line: str
    shown: str | None

    @property
    def code(self) -> int:
        """The exit code that a comment behind the command names, else 0."""
        found = EXIT.search(self.line)
        return int(found[1]) if found else 0


def examples(page: Path) -> list[Example]:
    """The command lines of a page, in order."""
    blocks = FENCE.findall(page.read_text("utf-8"))
    return [example for block in blocks for example in _in_block(block)]


def _in_block(block: str) -> Iterator[Example]:
    line, shown = "", []
    for text in [*block.splitlines(), "$ "]:
        if text.startswith("$ "):
            if line.startswith("rollwright "):
                yield Example(line, "\n".join(shown) + "\n")
            line, shown = text[2:], []
        elif text.startswith("rollwright ") and not line:
            yield Example(text, None)
        else:
            shown.append(text)


def run(line: str) -> Done:
    """Run a command line, with its pipes."""
    words = shlex.split(line, comments=True)
    done = Done(0, "", "")
    while words:
        end = words.index("|") if "|" in words else len(words)
        assert "rollwright" == words[0]
        done = rollwright(*words[1:end], pipe=done.out)
        words = words[end + 1 :]
    return done
