"""A server that watches its own event loop: `python -m benchmarks.attacks.watching FILE serve …`.

A beat comes every two milliseconds. What the loop's thread computed between two beats is the time
for which nobody else was served. That is processor time and no time of the clock, so that a busy
machine does not spoil it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

BEAT = 0.002
BEATS = 100
"""So many beats lie between two writings."""
KEPT = 5
"""How many of the longest holds are told."""


class Holds(NamedTuple):
    """How long the loop was held, the longest first, and what it computed in all; milliseconds."""

    longest: list[float]
    computed: float


def taken(file: Path) -> Holds:
    """What the server has seen since this was last asked."""
    plain = json.loads(file.read_text())
    file.unlink()
    return Holds(**plain)


async def watch(file: Path) -> None:
    """Write the longest holds into a file now and then; begin anew when the file was taken."""
    longest: list[float] = []
    begun = last = thread_time()
    while True:
        for _ in range(BEATS):
            await asyncio.sleep(BEAT)
            now = thread_time()
            longest.append(1000 * (now - last))
            last = now
        if not file.exists():
            longest, begun = [], last
        longest = sorted(longest, reverse=True)[:KEPT]
        told = {"longest": longest, "computed": 1000 * (last - begun)}
        file.with_suffix(".new").write_text(json.dumps(told))
        file.with_suffix(".new").replace(file)
        last = thread_time()


def main() -> None:
    """Serve as the command does, with a beat beside it."""
    from rollwright.cli import main as command
    from rollwright.server import app

    file, *arguments = sys.argv[1:]
    keep_time = app.start_timers

    def with_a_beat(house: Any) -> list[asyncio.Task[None]]:
        return [*keep_time(house), asyncio.create_task(watch(Path(file)))]

    app.start_timers = with_a_beat
    sys.exit(command(arguments))


if __name__ == "__main__":
    main()
