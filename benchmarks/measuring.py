"""Times of fresh processes: one workload, every library in turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.cases import LIBRARIES, Case

CHILD = Path(__file__).with_name("child.py")


class Settings(NamedTuple):
    """How much time a measurement may take."""

    limit: float = 30
    """After so many seconds a run is stopped, and counts as at least that slow."""
    most: int = 15
    """So many fresh processes at most for one time."""
    python: str = sys.executable
    """The interpreter that all libraries run in."""
    seconds: float = 4
    """A library gets no further process for a workload when it has had so many seconds."""

    def quick(self) -> Settings:
        """The same with few repeats."""
        return self._replace(most=3, seconds=1)


class Timing(NamedTuple):
    """How one library did on one workload."""

    status: str
    """`ok`, or why there is no time: `over` the limit, `fails`, `no` way to ask."""
    computed: float = 0
    """Seconds of computation: the median of the first computation in each process."""
    cold: float = 0
    """The same with importing the library."""
    answer: str = ""
    runs: int = 0
    why: str = ""
    late: tuple[str, ...] = ()
    """Modules that were imported only during the computation."""
    kilobytes: int = 0
    """The most memory that a process had, with Python and the library; 0 where nobody says."""


Timings = dict[str, Timing]


def measure(case: Case, settings: Settings, libraries: Iterable[str] = LIBRARIES) -> Timings:
    """Time a workload with each library, the libraries taking turns."""
    samples: dict[str, list[dict[str, Any]]] = {library: [] for library in libraries}
    done: Timings = {}
    for library in samples:
        if refusal := case.refusal(library):
            done[library] = Timing("no", why=refusal)
        else:  # so that all its modules are compiled
            run(case._replace(size=case.small), library, settings.limit, settings.python)
    spent = dict.fromkeys(samples, 0.0)
    while len(done) < len(samples):
        for library, found in samples.items():
            if library in done:
                continue
            start = perf_counter()
            sample = run(case, library, settings.limit, settings.python)
            spent[library] += (took := perf_counter() - start)
            if isinstance(sample, Timing):
                done[library] = sample
                continue
            found.append(sample)
            if len(found) >= settings.most or spent[library] + took > settings.seconds:
                done[library] = summed_up(found)
    return {library: done[library] for library in samples}


def run(
    case: Case, library: str, limit: float, python: str = sys.executable
) -> dict[str, Any] | Timing:
    """One fresh process: what it measured, or why it did not."""
    begin = [python, "-W", "ignore"]  # printing a warning would count
    command = [*begin, str(CHILD), case.module, library, *map(str, case.size)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, env=environment()
        )
    except subprocess.TimeoutExpired:
        return Timing("over", computed=limit, cold=limit)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return Timing("fails", why=lines[-1][:200])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def environment() -> dict[str, str]:
    """What processes are started with: compiled modules are kept, as for any ordinary user."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if name not in unwanted}


def summed_up(samples: list[dict[str, Any]]) -> Timing:
    """The medians of several runs, which must all have found the same."""
    answers = {sample["answer"] for sample in samples}
    return Timing(
        "ok",
        computed=median(sample["computed"] for sample in samples),
        cold=median(sample["cold"] for sample in samples),
        answer=answers.pop() if len(answers) == 1 else "differs from run to run",
        runs=len(samples),
        late=tuple(samples[0]["late"]),
        kilobytes=max(sample["kilobytes"] for sample in samples),
    )


def disagreement(timings: Timings) -> bool:
    """Whether two libraries, or two runs of one, have found different answers."""
    return len({timing.answer for timing in timings.values() if timing.status == "ok"}) > 1


class Ratio(NamedTuple):
    """How many times slower the better peer is."""

    times: float | None
    """None where no peer has a time."""
    at_least: bool = False
    """Whether the peers were stopped, so that it may be more."""


def ratio(timings: Timings) -> Ratio:
    """Rollwright against the better peer, by computation only."""
    ours = timings["ours"]
    peers = [timing for library, timing in timings.items() if library != "ours"]
    timed = [timing.computed for timing in peers if timing.status == "ok"]
    stopped = [timing.computed for timing in peers if timing.status == "over"]
    if ours.status != "ok" or not (timed or stopped):
        return Ratio(None)
    best = min(timed or stopped)
    return Ratio(best / ours.computed, at_least=not timed)


def start_cost(settings: Settings, what: str = "rollwright") -> tuple[float, float]:
    """Bare Python's start and what importing adds to it, in seconds: medians, taken in turns."""
    whole_process(f"import {what}")  # so that all its modules are compiled
    bare, loaded = [], []
    for _ in range(settings.most * 3):
        bare.append(whole_process("pass"))
        loaded.append(whole_process(f"import {what}"))
    differences = [more - less for less, more in zip(bare, loaded, strict=True)]
    return median(bare), median(differences)


def whole_process(code: str) -> float:
    """The seconds from starting a Python to its end."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=environment())
    return perf_counter() - start
