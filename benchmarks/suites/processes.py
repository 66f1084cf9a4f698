"""What a second process brings: tables dealt out to servers with a database file each."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.load.servers import bare, load, table
from benchmarks.measuring import Settings
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.suites.table import BAR, SHAPES
from benchmarks.tables import markdown_table, text_table

SHAPE = {**SHAPES["200 × 5"], "dealt": True}
TURNS = 3
"""How often each is measured; the middle one counts."""
OURS, DURABLE = "ours", "bare, durable"
CORES = 2
HEAD = ("server", "processes", "rolls/s", "of durable, 1", "µs of the servers", "µs of the load",
        "two processors carry, rolls/s")  # fmt: skip
Figures = dict[tuple[str, int], dict[str, float]]


def run(settings: Settings) -> bool:
    """Measure and write down; the bar is that of the suite `table`, for one process."""
    turns = [_turn(settings.seconds) for _ in range(TURNS if settings.most > 3 else 1)]
    found = {which: _middle([turn[which] for turn in turns]) for which in turns[0]}
    rows = [_row(which, found) for which in found]
    print(text_table(HEAD, rows))
    save_json("processes", {"bar": BAR, "load": {f"{a}, {n}": f for (a, n), f in found.items()}})
    refresh_page("processes", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return True


def _turn(seconds: float) -> Figures:
    """Each server as one process and as two."""
    found: Figures = {}
    for processes in (1, 2):
        found[OURS, processes] = _load("table", processes, seconds)
    for processes in (1, 2):
        size = round(found[OURS, 1]["bytes"])
        found[DURABLE, processes] = _load("bare", processes, seconds, size)
    return found


def _load(kind: str, processes: int, seconds: float, size: int = 0) -> dict[str, Any]:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        files = [Path(folder) / f"{number}.sqlite" for number in range(processes)]
        servers = [
            table(f"sqlite:///{file}", "--synchronous=full")
            if kind == "table"
            else bare(size, f"{file}")
            for file in files
        ]
        running = [stack.enter_context(server) for server in servers]
        return load(kind, running, seconds=seconds, **SHAPE)


def _middle(turns: list[dict[str, float]]) -> dict[str, float]:
    names = ("rolls", "computed", "loading")
    return {name: median([turn[name] for turn in turns]) for name in names}


def _row(which: tuple[str, int], found: Figures) -> tuple[str, ...]:
    name, processes = which
    own = found[which]
    most = CORES / (own["computed"] + own["loading"])
    return (
        name,
        f"{processes}",
        f"{own['rolls']:,.0f}",
        f"{own['rolls'] / found[DURABLE, 1]['rolls']:.2f}×",
        f"{1e6 * own['computed']:,.0f}",
        f"{1e6 * own['loading']:,.0f}",
        f"{most:,.0f}",
    )
