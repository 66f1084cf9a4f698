"""What one roll costs the server, in microseconds of a processor, step by step."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.load.servers import bare, load, table
from benchmarks.load.steps import Steps
from benchmarks.measuring import Settings
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.suites.table import BAR, SHAPES
from benchmarks.tables import markdown_table, text_table

HEAD = ("what", "", "µs of CPU")
SHAPE = SHAPES["200 × 5"]
BATCHES = 100
TURNS = 3
"""How often each server is measured; the middle one counts."""
SAID = {
    "read": "read the message",
    "decide": "decide: check it, play the rule with fair dice, put it into words",
    "hash": "salt, digest and chain of two events",
    "rows": "the same as rows of the database",
    "fold": "fold them into the table",
    "frame": "the frame for those who watch, and the acknowledgement",
}
BARE, DURABLE, OURS = "bare", "bare, durable", "ours"


def run(settings: Settings) -> bool:
    """Measure and write down; nothing is asked of it that the suite `table` does not ask."""
    turns = TURNS if settings.most > 3 else 1
    steps = Steps().measured(BATCHES if settings.most > 3 else BATCHES // 5)
    taken = [_servers(settings.seconds) for _ in range(turns)]
    servers = {name: median([one[name] for one in taken]) for name in taken[0]}
    rows = [tuple(row) for row in _rows(steps, servers)]
    print(text_table(HEAD, rows))
    save_json("roll", {"unit": "seconds of CPU a roll", "steps": steps, "servers": servers})
    refresh_page("roll", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return True


def _servers(seconds: float) -> dict[str, float]:
    """The seconds of CPU that a roll takes in each server, everything included."""
    found: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        with table(f"sqlite:///{place / 'ours.sqlite'}", "--synchronous=full") as server:
            found[OURS] = load("table", [server], seconds=seconds, **SHAPE)
        size = round(found[OURS]["bytes"])
        with bare(size) as server:
            found[BARE] = load("bare", [server], seconds=seconds, **SHAPE)
        with bare(size, str(place / "bare.sqlite")) as server:
            found[DURABLE] = load("bare", [server], seconds=seconds, **SHAPE)
    return {name: figures["computed"] for name, figures in found.items()}


def _rows(steps: dict[str, float], servers: dict[str, float]) -> list[tuple[str, str, str]]:
    whole, durable, together = servers[OURS], servers[DURABLE], sum(steps.values())
    told = {
        **{SAID[name]: seconds for name, seconds in steps.items()},
        "**these steps together**": together,
        "a bare server: receive, and send to five": servers[BARE],
        "**a bare server that also commits to SQLite**": durable,
        "**our whole server**": whole,
        "ours, beyond the steps and the bare server": whole - together - durable,
        f"what ours may take for {BAR:g}× of the bare one": durable / BAR,
    }
    return [(name, "", f"{1e6 * seconds:,.0f}") for name, seconds in told.items()]
