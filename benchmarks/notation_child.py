"""One fresh process for the notation: roll an expression, or withstand a piece of abuse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

WARM_SECONDS = 0.15
BATCH = 50
TIMES_BEFORE = 3


def roller(library: str, what: str) -> Callable[[str], Any]:
    """The public function that rolls an expression; for texts it makes its text as well."""
    roll: Callable[[str], Any]
    if library == "d20":
        import d20

        roll = d20.roll
    elif what == "texts":
        import rollwright

        roll = rollwright.roll
    else:
        from rollwright import notation

        roll = notation.roll
    return (lambda text: str(roll(text))) if what == "texts" else roll


def rolled(library: str, what: str, lines: dict[str, Any]) -> dict[str, float]:
    """A new line, the median of many; then a known one, the best of many batches, in seconds."""
    roll = roller(library, what)
    for line in lines["before"] * TIMES_BEFORE:
        roll(line)
    new = []
    for line in lines["new"]:
        start = perf_counter()
        roll(line)
        new.append(perf_counter() - start)
    return {"new": median(new), "warm": known(roll, lines["line"])}


def known(roll: Callable[[str], Any], line: str) -> float:
    """A line that has been rolled before."""
    roll(line)
    best, until = float("inf"), perf_counter() + WARM_SECONDS
    while perf_counter() < until:
        start = perf_counter()
        for _ in range(BATCH):
            roll(line)
        best = min(best, (perf_counter() - start) / BATCH)
    return best


def peak() -> int:
    """The most memory this process has had, in kilobytes; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return 0
    return int(status.partition("VmHWM:")[2].split()[0])


def withstood(way: str, text: str) -> dict[str, Any]:
    """How long a line takes to be answered or refused, and how much memory."""
    from rollwright import notation

    use = notation.odds if way == "odds" else notation.roll
    before = peak()
    start = perf_counter()
    try:
        use(text)
        answer = "answered"
    except notation.NotationError as problem:
        answer = f"refused: {problem.code}"
    seconds = perf_counter() - start
    return {"seconds": seconds, "kilobytes": peak() - before, "answer": answer}


if __name__ == "__main__":
    what, text = sys.argv[1], sys.stdin.read()
    if what in ("roll", "odds"):
        found = withstood(what, text)
    else:
        found = rolled(*what.split(), json.loads(text))
    print(json.dumps(found))
