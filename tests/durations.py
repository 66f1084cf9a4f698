"""What a run of the tests costs: every test and fixture, in seconds by the clock and of processors.

`tests/conftest.py` loads this as a plugin. A run writes `.dev/durations.json`, the one before it is
kept beside as `durations.before.json`; `./dev durations` makes the tables of them:

    ./dev durations              by folder, by cause, and what costs most
    ./dev durations tests/page   the same of a folder or a file

A cause is a fixture, or what a test says it is doing with `spent`: loading a page, looking for
barriers, starting a server. What is left is called after the kind of test.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from time import perf_counter  # tests exchange the clock of others
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent
WRITTEN = ROOT / ".dev" / "durations.json"
KINDS = ("browser", "storm", "long")
SELDOM = 0.5
"""Seconds between two looks at what processors did: a look costs some milliseconds."""


class Cost(NamedTuple):
    """What something costs."""

    seconds: float
    cpu: float
    """Of the test's own process and of all that it started."""


class Taken(NamedTuple):
    """What a test cost, and where it ran."""

    test: str
    worker: str
    kind: str
    began: float
    seconds: float
    cpu: float
    causes: dict[str, list[float]]
    """Of each fixture and each thing that was `spent`: how often, seconds, and those of CPU."""


class Processors:
    """Seconds of processors that this process and all its descendants have used so far."""

    def __init__(self) -> None:
        self.total = 0.0
        self.own: dict[int, float] = {}
        self.ended = 0.0

    def used(self) -> float:
        """Look again. Who ended since then has told it to who waited for it, or to nobody."""
        own, ended = _family()
        seen = sum(now - self.own.get(pid, 0.0) for pid, now in own.items())
        gone = sum(before for pid, before in self.own.items() if pid not in own)
        self.total += seen + max(ended - self.ended - gone, 0.0)
        self.own, self.ended = own, ended
        return self.total


def _family() -> tuple[dict[int, float], float]:
    """What this process and each living descendant has used, and all of theirs that ended."""
    me, times = os.getpid(), os.times()
    own, ended = {me: times.user + times.system}, times.children_user + times.children_system
    if not _has_children(me):
        return own, ended
    tick = os.sysconf("SC_CLK_TCK")
    known = dict(filter(None, map(_stat, filter(str.isdigit, os.listdir("/proc")))))
    fresh = {me}
    while fresh:
        fresh = {pid for pid, (parent, *_) in known.items() if parent in fresh} - own.keys()
        for pid in fresh:
            _, user, system, *of_ended = known[pid]
            own[pid] = (user + system) / tick
            ended += sum(of_ended) / tick
    return own, ended


def _has_children(pid: int) -> bool:
    """Whether there is anybody to look for; where it cannot be known, nobody is looked for."""
    with contextlib.suppress(OSError):
        threads = os.listdir(f"/proc/{pid}/task")
        return any(_read(f"/proc/{pid}/task/{thread}/children") for thread in threads)
    return False


def _stat(pid: str) -> tuple[int, list[int]] | None:
    """The parent of a process, and the ticks that it and its children have used."""
    with contextlib.suppress(OSError):
        words = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
        return int(pid), [int(words[n]) for n in (1, 11, 12, 13, 14)]
    return None


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


PROCESSORS = Processors()
processors = PROCESSORS.used


class Recorder:
    """Takes down what this process spends; each report of a test carries its share away."""

    def __init__(self) -> None:
        self.causes: dict[str, list[float]] = {}
        self.inside: list[Cost] = []
        """Of each thing that is being measured: what was measured within it."""
        self.looked = perf_counter()
        self.cpu = 0.0

    @contextlib.contextmanager
    def spent(self, cause: str, *, dear: bool = True, times: int = 1) -> Iterator[None]:
        """Measure what is done meanwhile, without what is measured in there by another name.

        Of what is not dear no look is taken at the processors.
        """
        began, used = perf_counter(), processors() if dear else 0.0
        self.inside.append(Cost(0.0, 0.0))
        try:
            yield
        finally:
            cpu = processors() - used if dear else 0.0
            took = Cost(perf_counter() - began, max(cpu, 0.0))
            within = self.inside.pop()
            known = self.causes.setdefault(cause, [0, 0.0, 0.0])
            known[0] += times
            known[1] += took.seconds - within.seconds
            known[2] += max(took.cpu - within.cpu, 0.0)
            if self.inside:
                above = self.inside.pop()
                self.inside.append(Cost(above.seconds + took.seconds, above.cpu + took.cpu))

    def taken(self) -> dict[str, Any]:
        """What was spent since this was last asked."""
        causes, self.causes = self.causes, {}
        return {"causes": causes, "cpu": self._processors()}

    def _processors(self) -> float:
        now = perf_counter()
        if now - self.looked < SELDOM:
            return 0.0
        self.looked = now
        used = processors()
        since, self.cpu = used - self.cpu, used
        return max(since, 0.0)


RECORDER = Recorder()
spent = RECORDER.spent


class Plugin:
    """Measures in every process that runs tests, and writes in the one that is told of all."""

    def __init__(self, written: Path = WRITTEN) -> None:
        self.written = written
        self.tests: dict[str, dict[str, Any]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Measure the set-up of a fixture, and, when its time has come, its end."""
        if fixturedef.func.__name__ == "get_direct_param_fixture_func":
            return (yield)  # a parameter
        name, dear = f"fixture {fixturedef.argname}", fixturedef.scope != "function"
        ends = contextlib.ExitStack()
        fixturedef.addfinalizer(ends.close)  # the first to be added is the last to be called
        try:
            with spent(name, dear=dear):
                return (yield)
        finally:
            end = spent(name, dear=dear, times=0)
            fixturedef.addfinalizer(lambda: ends.enter_context(end))

    def pytest_collection_finish(self) -> None:
        """What it cost to find the tests is no test's."""
        RECORDER.looked = 0.0
        RECORDER.taken()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any) -> Generator[None, Any, Any]:
        """Let the report of a test carry what it cost."""
        report = yield
        marks = [kind for kind in KINDS if item.get_closest_marker(kind)]
        report.spent = {"kind": (marks or ["plain"])[0], **RECORDER.taken()}
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Take down what a test cost; of workers, where all of them are told of."""
        empty = {"seconds": 0.0, "cpu": 0.0, "causes": {}, "began": report.start}
        one = self.tests.setdefault(report.nodeid, empty)
        one["worker"] = getattr(report, "worker_id", "main")
        told = getattr(report, "spent", None) or {"kind": "plain", "cpu": 0.0, "causes": {}}
        one["kind"] = told["kind"]
        one["seconds"] += report.duration
        one["cpu"] += told["cpu"]
        for cause, cost in told["causes"].items():
            known = one["causes"].get(cause, [0, 0.0, 0.0])
            one["causes"][cause] = [a + b for a, b in zip(known, cost)]

    def pytest_sessionfinish(self, session: Any) -> None:
        """Write it down, once."""
        if hasattr(session.config, "workerinput") or not self.tests:
            return
        self.written.parent.mkdir(exist_ok=True)
        if self.written.exists():
            self.written.replace(self.written.with_suffix(".before.json"))
        found = [{"test": name, **one} for name, one in self.tests.items()]
        self.written.write_text(json.dumps(found), "utf-8")


def read(path: Path) -> list[Taken]:
    """What a run has written, with that of the page's own language if it lies beside."""
    taken = [Taken(**one) for one in json.loads(path.read_text("utf-8"))]
    return [*taken, *_of_web(path.with_name("web.xml"))]


def _of_web(path: Path) -> Iterator[Taken]:
    """What each test of the page's own language took; it is computed from beginning to end."""
    for case in ElementTree.parse(path).iter("testcase") if path.exists() else ():
        seconds = float(case.get("time") or 0)
        name = f"web/{case.get('classname')}::{case.get('name')}"
        yield Taken(name, "web", "plain", 0.0, seconds, seconds, {})


def folder_of(name: str) -> str:
    """The folder that a test is counted with; doctests are all one."""
    parts = name.partition("::")[0].split("/")
    if parts[0] == "src":
        return "src (doctests)"
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def by_folder(tests: list[Taken]) -> Iterator[tuple[str, int, Cost]]:
    """How many tests each folder has, and what they cost, the dearest first."""
    groups: dict[str, list[Taken]] = defaultdict(list)
    for test in tests:
        groups[folder_of(test.test)].append(test)
    for name, group in sorted(groups.items(), key=lambda one: -total(one[1]).seconds):
        yield name, len(group), total(group)


def total(tests: list[Taken]) -> Cost:
    """What tests cost together."""
    return Cost(sum(test.seconds for test in tests), sum(test.cpu for test in tests))


def by_cause(tests: list[Taken]) -> Iterator[tuple[str, int, Cost]]:
    """What time is spent on, how often, and what it costs."""
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for test in tests:
        measured = list(test.causes.items())
        seconds = test.seconds - sum(cost[1] for _, cost in measured)
        cpu = test.cpu - sum(cost[2] for _, cost in measured)
        for cause, cost in (*measured, (f"tests: {test.kind}", [1, seconds, cpu])):
            found[cause] = [a + b for a, b in zip(found[cause], cost)]
    for cause, (times, seconds, cpu) in sorted(found.items(), key=lambda one: -one[1][1]):
        yield cause, int(times), Cost(seconds, cpu)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="./dev durations", description="What the tests cost.")
    parser.add_argument("path", nargs="?", default="", help="only what begins so: tests/page")
    parser.add_argument("--of", type=Path, default=WRITTEN, help="what a run has written")
    parser.add_argument("--most", type=int, default=30, help="how many of the dearest are named")
    asked = parser.parse_args()
    if not asked.of.exists():
        print("No run has written its durations yet: ./dev test does.")
        return 1
    tests = [test for test in read(asked.of) if test.test.startswith(asked.path)]
    for line in told(tests, asked.most):
        print(line)
    return 0


def told(tests: list[Taken], most: int) -> Iterator[str]:
    """The tables, line by line."""
    yield f"{'folder or file':42}{'tests':>7}{'seconds':>9}{'of CPU':>9}"
    for name, count, cost in by_folder(tests):
        yield f"{name:42}{count:7}{cost.seconds:9.1f}{cost.cpu:9.1f}"
    all_of_it = total(tests)
    yield f"{'all':42}{len(tests):7}{all_of_it.seconds:9.1f}{all_of_it.cpu:9.1f}"
    timed = [test for test in tests if test.began]
    workers = {test.worker for test in timed}
    began = min((test.began for test in timed), default=0.0)
    ended = max((test.began + test.seconds for test in timed), default=0.0)
    yield f"by the clock {ended - began:.0f} s in {len(workers)} processes"
    yield f"\n{'cause':42}{'times':>7}{'seconds':>9}{'of CPU':>9}"
    for cause, times, cost in list(by_cause(tests))[:most]:
        yield f"{cause:42}{times:7}{cost.seconds:9.1f}{cost.cpu:9.1f}"
    yield f"\n{'seconds':>9}{'of CPU':>9}  test"
    for test in sorted(tests, key=lambda one: -one.seconds)[:most]:
        yield f"{test.seconds:9.1f}{test.cpu:9.1f}  {test.test}"


if __name__ == "__main__":
    raise SystemExit(main())
