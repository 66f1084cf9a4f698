"""One fresh process for the notation: roll an expression, or withstand a piece of abuse."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

WARM_SECONDS = 0.15
BATCH = 50


def roller(library: str) -> Callable[[str], Any]:
    """The public function that rolls an expression; what ends in `text` makes its text as well."""
    roll: Callable[[str], Any]
    if library.startswith("d20"):
        import d20

        roll = d20.roll
    elif library.startswith("rw"):
        import rollwright

        roll = rollwright.roll
    else:
        from rollwright import notation

        roll = notation.roll
    return (lambda text: str(roll(text))) if library.endswith("text") else roll


def rolled(library: str, text: str) -> dict[str, float]:
    """The first roll of the process, and the best of many batches after it, in seconds."""
    roll = roller(library)
    start = perf_counter()
    roll(text)
    cold = perf_counter() - start
    warm = cold
    until = perf_counter() + WARM_SECONDS
    while perf_counter() < until:
        start = perf_counter()
        for _ in range(BATCH):
            roll(text)
        warm = min(warm, (perf_counter() - start) / BATCH)
    return {"cold": cold, "warm": warm}


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
    found = withstood(what, text) if what in ("roll", "odds") else rolled(what, text)
    print(json.dumps(found))
