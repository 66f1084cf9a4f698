"""How a mutant is tried: by the tests that run the changed line, in a process of its own.

Most mutants live in the body of a function. There the tests are collected once, and each mutant is
a fork of that process with the code of one function exchanged, which takes a fraction of a second.
That decides, unless the changed line is run while the tests are collected already: such a mutant,
and what is changed outside of functions, is imported afresh from a changed file.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.changes import Alive, Mutant, alive, exchange, lines_around

PATIENCE = 5
"""Seconds of computing in one test after which a mutant is taken for one that never ends.

A quick test computes for a tenth of a second at most, so this is fifty times as long."""
BRIEF = 0.01
"""Seconds of computing up to which a test is tried at once on what lies outside of functions."""
MEMORY = 2 << 30
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is here already
KILLED, SURVIVED, NEVER_ENDS, DOUBTFUL = "killed", "survived", "never ends", "doubtful"
CRASHED = "crashed"

Place = tuple[str, int]
"""A file and a line of it."""


class Known(NamedTuple):
    """What is known of a test: how long it computes, and which lines of the game it runs."""

    name: str
    seconds: float
    runs: frozenset[Place]


class Result(NamedTuple):
    """What became of a mutant, and the test that killed it."""

    what: str
    by: str = ""


class Suite:
    """The tests of a game, with what they run, and what runs while they are collected."""

    def __init__(self, tests: list[Known], early: frozenset[Place]) -> None:
        self.tests, self.early, self.brief = tests, early, True
        self.kills: Counter[tuple[str, str]] = Counter()

    def in_turn(self, mutant: Mutant | None) -> list[str]:
        """The tests that run what was changed: the quickest first, or that killed its neighbours.

        What is changed outside of functions may be read by any, so all are tried there: those that
        take longest only where a survivor is tried again.
        """
        chosen = self.tests
        if mutant and (around := lines_around(mutant)):
            near = places(mutant, around.statement)
            chosen = [test for test in self.tests if not test.runs.isdisjoint(near)]
        elif mutant and self.brief:
            chosen = [test for test in self.tests if test.seconds <= BRIEF]
        module = mutant.module if mutant else ""
        turns = {test.name: test.seconds / (1 + self.kills[module, test.name]) for test in chosen}
        return sorted(turns, key=turns.__getitem__)

    def decided_in_fork(self, mutant: Mutant) -> bool:
        """Whether nothing has come yet of the function that was changed."""
        around = lines_around(mutant)
        return around is not None and self.early.isdisjoint(places(mutant, around.function))


def places(mutant: Mutant, lines: range) -> frozenset[Place]:
    """Lines of the mutant's module."""
    path = str(mutant.path.resolve())
    return frozenset((path, line) for line in lines)


class Trials:
    """A run in which the tests are collected once, and every mutant is tried in a fork of it."""

    def __init__(
        self, mutants: Iterable[Mutant], suite: Suite, told: Callable[[Mutant, Result], None]
    ) -> None:
        self.mutants, self.suite, self.told = mutants, suite, told

    def pytest_collection(self) -> None:
        calm()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = alive(Path("src/rollwright"))
        for mutant in self.mutants:
            result = in_fork(partial(self._try, items, functions, mutant))
            if result.what == SURVIVED and not self.suite.decided_in_fork(mutant):
                result = Result(DOUBTFUL)
            self.suite.kills[mutant.module, result.by] += 1
            self.told(mutant, result)
        return True

    def _try(self, items: dict[str, pytest.Item], functions: Alive, mutant: Mutant) -> Result:
        if not exchange(mutant, functions):
            return Result(DOUBTFUL)
        return run([items[name] for name in self.suite.in_turn(mutant) if name in items])


class Trial:
    """A run of some tests, in that order, until one of them fails."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.result = Result(CRASHED)

    def pytest_collection(self) -> None:
        calm()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.result = Result(KILLED, f"import of {report.nodeid}")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        if self.result.what != KILLED:
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


def run(items: list[pytest.Item]) -> Result:
    """Run tests until one of them fails."""
    for item, after in itertools.zip_longest(items, items[1:]):
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        if any(report.failed for report in runtestprotocol(item, nextitem=after, log=False)):
            return Result(KILLED, item.nodeid)
    return Result(SURVIVED)


def in_fork(work: Callable[[], Result]) -> Result:
    """What work comes to in a process of its own, which may crash or never end."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.write(writer, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if said:
        return Result(*json.loads(said))
    ended = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
    return Result(NEVER_ENDS if ended else CRASHED)


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


def afresh(mutant: Mutant, suite: Suite, arguments: list[str]) -> Result:
    """The result of a mutant that is written to the copy and imported from there."""
    whole, kept = mutant.path.read_bytes(), mutant.path.stat()
    mutant.path.write_text(mutant.source(), "utf-8")
    later = kept.st_mtime + next(_DAYS) * 86_400
    os.utime(mutant.path, (later, later))  # so that no stored bytecode is taken for it
    try:
        result = tried(suite.in_turn(mutant), arguments)
        suite.kills[mutant.module, result.by] += 1
        return result
    finally:
        mutant.path.write_bytes(whole)
        os.utime(mutant.path, (kept.st_atime, kept.st_mtime))


def tried(names: list[str], arguments: list[str]) -> Result:
    """The result of some tests in a process of their own."""

    def work() -> Result:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        trial = Trial(names)
        pytest.main(arguments, [trial])
        return trial.result

    return in_fork(work)
