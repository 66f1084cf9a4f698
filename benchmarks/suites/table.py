"""How many rolls a table server carries, beside a bare Starlette broadcast of the same bytes."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.load.joining import joins
from benchmarks.load.servers import Server, bare, load, table
from benchmarks.measuring import Settings
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, milliseconds, text_table

BAR = 0.5
JOIN_BAR = 1.0
SHAPES = {
    "1 × 200": {"rooms": 1, "clients": 200, "senders": 8, "rate": 50},
    "200 × 5": {"rooms": 200, "clients": 5, "senders": 1, "rate": 400},
}
HEAD = ("tables × people", "server", "rolls/s", "of bare", "bar", "ok?", "p50 ms", "p99 ms",
        "kB/client")  # fmt: skip


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether the bars are met."""
    seconds = settings.seconds
    found = {name: measured(shape, seconds) for name, shape in SHAPES.items()}
    rows = [row for name, servers in found.items() for row in _rows(name, servers)]
    joined = joins()
    print(text_table(HEAD, rows))
    print(f"\n10,000 events: {_joined(joined)}")
    save_json("table", {"bar": BAR, "load": _figures(found), "join": joined})
    text = f"{markdown_table(HEAD, rows)}\n\nJoining a table with a log of 10,000 events: "
    refresh_page("table", f"{text}{_joined(joined)}.\n\n{when_and_where()}")
    return all(row[5] != "MISS" for row in rows) and joined["first"] < JOIN_BAR


def measured(shape: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The bare server and ours on each storage, one after the other."""
    from tests.server.parts import Postgres, Redis

    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for synchronous in ("full", "normal"):
            address = f"sqlite:///{Path(folder) / synchronous}.sqlite"
            with table(address, f"--synchronous={synchronous}") as server:
                name = f"SQLite, {synchronous}"
                figures[name] = load("table", [server], seconds=seconds, **shape)
        size = round(figures["SQLite, full"]["bytes"])
        with bare(size) as server:
            figures["bare"] = load("bare", [server], seconds=seconds, **shape)
        with ExitStack() as stack:
            postgres, redis = Postgres(), Redis()
            for part in (postgres, redis):
                stack.callback(part.stop)
                part.start()
            options = (f"--redis={redis.url}", "--upgrade")
            both: list[Server] = []
            for processes in (1, 2):
                both.append(stack.enter_context(table(postgres.url(), *options)))
                figures[f"PostgreSQL + Redis, {processes}"] = load(
                    "table", both, seconds=seconds, **shape
                )
    return figures


def _figures(found: dict[str, Any]) -> dict[str, Any]:
    """What was measured, without the way into a table that is gone."""
    return {
        shape: {
            server: {what: one for what, one in figures.items() if what not in ("table", "token")}
            for server, figures in servers.items()
        }
        for shape, servers in found.items()
    }


def _rows(name: str, servers: dict[str, Any]) -> list[tuple[str, ...]]:
    order = ["bare", *(server for server in servers if server != "bare")]
    return [_row(name, server, servers[server], servers["bare"]) for server in order]


def _row(name: str, server: str, ours: dict[str, Any], bare: dict[str, Any]) -> tuple[str, ...]:
    ratio = ours["rolls"] / bare["rolls"]
    bound = server == "SQLite, full"
    return (
        name,
        server,
        f"{ours['rolls']:,.0f}",
        "" if ours is bare else f"{ratio:.2f}×",
        f"{BAR:g}×" if bound else "",
        ("ok" if ratio >= BAR else "MISS") if bound else "",
        milliseconds(ours["p50"]),
        milliseconds(ours["p99"]),
        f"{ours['bytes_per_client'] / 1000:.0f}",
    )


def _joined(joined: dict[str, float]) -> str:
    return (
        f"{joined['first']:.2f} s to everything as the first after a start of the server, "
        f"{joined['second']:.2f} s as the second"
    )
