"""How a mutant is tried: by the quick tests that call what was changed, in a process of its own.

Most mutants live in the body of a function. There the tests are collected once, and each mutant is
a fork of that process with the code of one function exchanged, which takes a fraction of a second.
What survives so, and what is changed outside of functions, is imported afresh from a changed file.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.changes import Alive, Mutant, alive, exchange, functions_around

QUICK = 0.1
"""Seconds of computing, watched, up to which a test is quick."""
PATIENCE = 20
"""Seconds of computing after which a mutant is taken for one that never ends."""
MEMORY = 2 << 30
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is here already
KILLED, SURVIVED, NEVER_ENDS, DOUBTFUL = "killed", "survived", "never ends", "doubtful"


class Tested(NamedTuple):
    """What is known of a test: how long it computes, and which functions it calls."""

    name: str
    seconds: float
    calls: frozenset[tuple[str, str]]


class Watch:
    """A run in which every test is timed, and the functions of the game that it calls are kept."""

    def __init__(self, folder: Path, into: Path) -> None:
        self.folder, self.into = str(folder.resolve()), into

    def pytest_collection(self) -> None:
        calm()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        found, calls = [], set()

        def called(frame: Any, event: str, argument: object) -> None:
            code = frame.f_code
            if code.co_filename.startswith(self.folder):
                calls.add((code.co_filename, code.co_qualname.split(".<locals>")[0]))

        gc.unfreeze()  # the tests hide what was imported from the search for garbage
        remembering = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
        for item, after in zip(session.items, [*session.items[1:], None], strict=True):
            for cached in remembering:  # so that a test is seen to call what it needs
                cached.cache_clear()
            calls.clear()
            began = time.process_time()
            sys.settrace(called)
            reports = runtestprotocol(item, nextitem=after, log=False)
            sys.settrace(None)
            took = time.process_time() - began
            if any(report.failed for report in reports):
                raise pytest.UsageError(f"{item.nodeid} fails without any change")
            found.append([item.nodeid, took, sorted(calls)])
        self.into.write_text(json.dumps(found), "utf-8")
        return True


class Trials:
    """A run in which the tests are collected once, and every mutant is tried in a fork of it."""

    def __init__(
        self, mutants: Iterable[Mutant], tests: list[Tested], told: Callable[[Mutant, str], None]
    ) -> None:
        self.mutants, self.tests, self.told = mutants, tests, told

    def pytest_collection(self) -> None:
        calm()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = alive(Path("src/rollwright/games"))
        for mutant in self.mutants:
            result = in_fork(lambda mutant=mutant: self._try(items, functions, mutant))
            self.told(mutant, DOUBTFUL if result == SURVIVED else result)
        return True

    def _try(self, items: dict[str, pytest.Item], functions: Alive, mutant: Mutant) -> str:
        if not exchange(mutant, functions):
            return SURVIVED
        return run([items[name] for name in in_turn(self.tests, mutant) if name in items])


class Trial:
    """A run of some tests, in that order, until one of them fails."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.result = KILLED

    def pytest_collection(self) -> None:
        calm()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        self.result = run([items[name] for name in self.names if name in items])
        return True


def calm() -> None:
    """The same examples every time, and no search for a smaller one."""
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    usual = hypothesis.settings(
        deadline=None,
        derandomize=True,
        database=None,
        phases=phases,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.register_profile("mutants", usual)
    hypothesis.settings.load_profile("mutants")


def in_turn(tests: list[Tested], mutant: Mutant | None) -> list[str]:
    """The quick tests that call what was changed, the quickest first.

    What is changed outside of functions may be read by any, so all are tried there.
    """
    near: set[tuple[str, str]] = set()
    if mutant:
        path = str(mutant.path.resolve())
        near = {(path, name) for name in functions_around(mutant)}
    chosen = [test for test in tests if test.calls & near] if near else tests
    return [test.name for test in sorted(chosen, key=lambda test: test.seconds)]


def run(items: list[pytest.Item]) -> str:
    """Run tests until one of them fails."""
    for item, after in zip(items, [*items[1:], None], strict=False):
        if any(report.failed for report in runtestprotocol(item, nextitem=after, log=False)):
            return KILLED
    return SURVIVED


def in_fork(work: Callable[[], str]) -> str:
    """What work comes to in a process of its own, which may crash or never end."""
    child = os.fork()
    if not child:
        code = 3
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            code = {KILLED: 0, SURVIVED: 1}[work()]
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return NEVER_ENDS
    return SURVIVED if os.WEXITSTATUS(status) == 1 else KILLED


def apart(work: Callable[[], object]) -> None:
    """Do work in a process of its own, so that this one knows nothing of the game."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.waitpid(child, 0)


_DAYS = itertools.count(1)


def afresh(mutant: Mutant, tests: list[Tested]) -> str:
    """The result of a mutant that is written to the copy and imported from there.

    The file with most of the tests that call what was changed comes first: it is often enough.
    """
    names = in_turn(tests, mutant)
    most = Counter(name.partition("::")[0] for name in names).most_common(1)
    near = [name for name in names if [name.partition("::")[0]] == [file for file, _ in most]]
    whole, kept = mutant.path.read_bytes(), mutant.path.stat()
    mutant.path.write_text(mutant.source(), "utf-8")
    later = kept.st_mtime + next(_DAYS) * 86_400
    os.utime(mutant.path, (later, later))  # so that no stored bytecode is taken for it
    try:
        result = tried(near)
        return tried(names) if result == SURVIVED else result
    finally:
        mutant.path.write_bytes(whole)
        os.utime(mutant.path, (kept.st_atime, kept.st_mtime))


def tried(names: list[str]) -> str:
    """The result of some tests in a process of their own."""

    def work() -> str:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        trial = Trial(names)
        pytest.main([*OPTIONS, *sorted({name.partition("::")[0] for name in names})], [trial])
        return trial.result

    return in_fork(work) if names else SURVIVED


def watched(game: str, arguments: list[str]) -> list[Tested]:
    """The quick tests of a game, with what they call; they pass in any order that is tried."""
    folder = Path("src/rollwright/games") / game
    files = sorted([*folder.glob("*.py"), *Path("tests/games", game).rglob("*.py")])
    sources = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    into = Path("..", f"{game}-{sources[:16]}.json")
    if not into.exists():
        apart(lambda: pytest.main(arguments, [Watch(folder, Path("watched.json"))]))
        if not Path("watched.json").exists():
            sys.exit(f"mutate: the tests of {game} fail without any change")
        if tried(in_turn(_quick(Path("watched.json")), None)) != SURVIVED:
            sys.exit(f"mutate: the quick tests of {game} fail in another order")
        Path("watched.json").rename(into)
    return _quick(into)


def _quick(path: Path) -> list[Tested]:
    found = [
        Tested(name, took, frozenset((path, function) for path, function in calls))
        for name, took, calls in json.loads(path.read_text("utf-8"))
    ]
    return [test for test in found if test.seconds <= QUICK]
