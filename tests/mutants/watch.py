"""What each test of a game runs: watched once, line by line, before the rules are changed."""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import signal
import sys
import time
from collections.abc import Callable, Iterable
from functools import _lru_cache_wrapper
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.changes import TABLE, folder_of
from tests.mutants.trials import SURVIVED, Known, Suite, apart, calm, tried

QUICK = 0.1
"""Seconds of computing, watched line by line, up to which a test is quick."""
OWN = ("tests", "conftest", "rollwright.games.")
"""Modules that know a game, or may."""
OF_TABLES = (
    *("rollwright.table", "rollwright.client", "rollwright.server", "rollwright.cli"),
    *("rollwright.queries", "rollwright.workers", "rollwright.workbench"),
    *("benchmarks", "vectors"),
)
"""Besides, where the table is tried: modules that know it, or may."""


class Watch:
    """A run in which every test is timed, and the lines of the game that it runs are kept."""

    def __init__(self, part: str, into: Path) -> None:
        self.folder, self.into = str(folder_of(part).resolve()), into
        self.own = own(part)
        self.lines: set[tuple[str, int]] = set()

    def pytest_collection(self) -> None:
        calm()

    def trace(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        """Keep the line that is run, if it is one of the game."""
        if not frame.f_code.co_filename.startswith(self.folder):
            return None
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self.trace

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.settrace(None)
        early, found = list(self.lines), []
        signal.signal(signal.SIGPROF, lambda *_: sys.settrace(None))  # of slow tests nobody asks
        known = [name for name in sys.modules if not name.startswith(self.own)]
        gc.unfreeze()  # the tests hide what was imported from the search for garbage
        remembering = [one for one in gc.get_objects() if type(one) is _lru_cache_wrapper]
        for item, after in zip(session.items, [*session.items[1:], None], strict=True):
            for cached in remembering:  # so that a test is seen to run what it needs
                cached.cache_clear()
            self.lines.clear()
            began = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, QUICK)
            sys.settrace(self.trace)
            reports = runtestprotocol(item, nextitem=after, log=False)
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
            took = time.process_time() - began
            if failed := [report for report in reports if report.failed]:
                why = failed[0].longreprtext
                raise pytest.UsageError(f"{item.nodeid} fails without any change:\n{why}")
            found.append([item.nodeid, took, _within(self.lines)])
        told = {"early": _within(early), "modules": known, "tests": found}
        self.into.write_text(json.dumps(told), "utf-8")
        return True


def own(part: str) -> tuple[str, ...]:
    """How the names of modules begin that know what is changed, or may."""
    return OWN + OF_TABLES if part == TABLE else OWN


def watched(game: str, arguments: list[str]) -> Suite:
    """The quick tests of a game, with what they run; they pass in any order that is tried."""
    of_tests = [path for place in arguments for path in Path(place).rglob("*.py")]
    files = sorted({*folder_of(game).rglob("*.py"), *of_tests})
    parts = [*(path.read_bytes() for path in files), *(text.encode() for text in arguments)]
    sources = hashlib.sha256(b"".join(parts)).hexdigest()
    into, fresh = Path("..", f"{game}-{sources[:16]}.json"), Path("watched.json")
    if not into.exists():
        apart(lambda: _watch(arguments, Watch(game, fresh)))
        if not fresh.exists():
            sys.exit(f"mutate: the tests of {game} fail without any change")
    told = json.loads((into if into.exists() else fresh).read_text("utf-8"))
    _warm(told["modules"], own(game))
    found = [Known(name, took, _places(runs)) for name, took, runs in told["tests"]]
    suite = Suite([test for test in found if test.seconds <= QUICK], _places(told["early"]))
    if not into.exists():
        if (result := tried(suite.in_turn(None), arguments)).what != SURVIVED:
            sys.exit(f"mutate: in another order the quick tests of {game} fail: {result.by}")
        fresh.rename(into)
    return suite


def _watch(arguments: list[str], watch: Watch) -> None:
    sys.settrace(watch.trace)
    pytest.main(arguments, [watch])


def _warm(modules: list[str], own: tuple[str, ...]) -> None:
    """Import what knows nothing of any game, so that only the game is imported for a mutant."""
    for name in modules:
        if name not in sys.modules and name.split(".")[0] not in ("_pytest", "pytest"):
            try:
                importlib.import_module(name)
            except ImportError:  # made by a plugin, or by hand
                continue
    if any(name.startswith(own[2:]) for name in sys.modules):
        sys.exit("mutate: what is changed is imported by what should not know it")


def _within(lines: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Lines by paths inside of the copy, which may lie elsewhere the next time."""
    return sorted((Path(path).relative_to(Path.cwd()).as_posix(), line) for path, line in lines)


def _places(found: list[list[Any]]) -> frozenset[tuple[str, int]]:
    whole = {path: str(Path(path).resolve()) for path in {path for path, _ in found}}
    return frozenset((whole[path], line) for path, line in found)
