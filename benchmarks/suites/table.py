"""How many rolls a table server carries, beside bare Starlette broadcasts of the same bytes."""

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
"""Of a broadcast that commits every roll as well, which is what must be done."""
P99_BAR = 0.010
"""From sending a roll to the last who has it, at a steady rate."""
JOIN_BAR = 1.0
JOINS = 10
BOUND = "SQLite, full"
BARE, DURABLE = "bare", "bare, durable"
SHAPES = {
    "1 × 200": {"rooms": 1, "clients": 200, "senders": 8, "rate": 50},
    "200 × 5": {"rooms": 200, "clients": 5, "senders": 1, "rate": 400},
}
STEADY = {"200 × 5"}
"""Where the steady rate has a bar."""
HEAD = ("tables × people", "server", "rolls/s", "of bare", "of durable", "bar", "ok?", "p50 ms",
        "p99 ms", "bar", "ok?", "kB/client")  # fmt: skip
MISS = "MISS"


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether the bars are met."""
    seconds = settings.seconds
    found = {name: measured(shape, seconds) for name, shape in SHAPES.items()}
    rows = [row for name, servers in found.items() for row in _rows(name, servers)]
    joined = joins(JOINS)
    print(text_table(HEAD, rows))
    print(f"\n10,000 events: {_joined(joined)}")
    save_json("table", {"bar": BAR, "load": _figures(found), "join": joined})
    text = f"{markdown_table(HEAD, rows)}\n\nJoining a table with a log of 10,000 events: "
    refresh_page("table", f"{text}{_joined(joined)}.\n\n{when_and_where()}")
    return not any(MISS in row for row in rows) and _in_time(joined) >= JOINS - 1


def measured(shape: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The bare servers and ours on each storage, one after the other."""
    from tests.server.parts import Postgres, Redis

    figures: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for synchronous in ("full", "normal"):
            address = f"sqlite:///{Path(folder) / synchronous}.sqlite"
            with table(address, f"--synchronous={synchronous}") as server:
                name = f"SQLite, {synchronous}"
                figures[name] = load("table", [server], seconds=seconds, **shape)
        size = round(figures[BOUND]["bytes"])
        with bare(size) as server:
            figures[BARE] = load("bare", [server], seconds=seconds, **shape)
        with bare(size, str(Path(folder) / "bare.sqlite")) as server:
            figures[DURABLE] = load("bare", [server], seconds=seconds, **shape)
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
    order = [BARE, DURABLE, *(server for server in servers if server not in (BARE, DURABLE))]
    return [_row(name, server, servers) for server in order]


def _row(name: str, server: str, servers: dict[str, Any]) -> tuple[str, ...]:
    ours = servers[server]
    of_bare, of_durable = (ours["rolls"] / servers[other]["rolls"] for other in (BARE, DURABLE))
    is_bound, is_bare = server == BOUND, server in (BARE, DURABLE)
    is_steady = is_bound and name in STEADY
    return (
        name,
        server,
        f"{ours['rolls']:,.0f}",
        "" if is_bare else f"{of_bare:.2f}×",
        "" if is_bare else f"{of_durable:.2f}×",
        f"{BAR:g}×" if is_bound else "",
        _judged(of_durable >= BAR) if is_bound else "",
        milliseconds(ours["p50"]),
        milliseconds(ours["p99"]),
        f"{P99_BAR * 1000:g}" if is_steady else "",
        _judged(ours["p99"] < P99_BAR) if is_steady else "",
        f"{ours['bytes_per_client'] / 1000:.0f}",
    )


def _judged(fine: bool) -> str:
    return "ok" if fine else MISS


def _in_time(joined: dict[str, list[float]]) -> int:
    return sum(seconds < JOIN_BAR for seconds in joined["first"])


def _joined(joined: dict[str, list[float]]) -> str:
    first, second = (sorted(joined[who]) for who in ("first", "second"))
    middle = len(first) // 2
    return (
        f"{first[middle]:.2f} s to everything as the first after a start of the server "
        f"({first[0]:.2f} to {first[-1]:.2f} s in {len(first)} runs, {_in_time(joined)} of them "
        f"below {JOIN_BAR:g} s), {second[middle]:.2f} s as the second"
    )
