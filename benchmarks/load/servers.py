"""Servers for a measurement, each in a process of its own that ends with it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection, socket
from time import monotonic, sleep
from typing import Any, NamedTuple

from benchmarks.measuring import environment

ROOT = Path(__file__).resolve().parent.parent.parent
PLENTY = "1000000"
NO_LIMITS = [
    f"--{name}={PLENTY}"
    for name in (
        "seat-rate",
        "seat-burst",
        "address-rate",
        "address-burst",
        "tables-per-hour",
        "joins-per-minute",
        "connections",
        "connections-per-address",
    )
]
"""A measurement comes from one address and wants all there is."""


class Server(NamedTuple):
    """A server that listens."""

    port: int
    pid: int


def free_port() -> int:
    """A port that nobody listens on."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(*command: str, port: int) -> Iterator[Server]:
    """A process that listens on a port, until the block ends."""
    process = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL
    )
    try:
        _wait(process, port)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    last = monotonic() + 30
    while True:
        with contextlib.suppress(OSError), create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None or monotonic() > last:
            raise SystemExit("the server to be measured did not start")
        sleep(0.05)


@contextlib.contextmanager
def bare(size: int, *file: str) -> Iterator[Server]:
    """The bare broadcast, with frames of so many bytes; with a file it commits them there."""
    port = free_port()
    with running("-m", "benchmarks.load.bare", str(port), str(size), *file, port=port) as server:
        yield server


@contextlib.contextmanager
def table(database: str, *options: str) -> Iterator[Server]:
    """The table server on a database."""
    port = free_port()
    command = ("-m", "rollwright", "serve", "--no-open", f"--port={port}", f"--database={database}")
    with running(*command, *NO_LIMITS, *options, port=port) as server:
        yield server


def load(kind: str, servers: list[Server], **plan: Any) -> dict[str, Any]:
    """What a process full of clients finds out about the servers."""
    said = {
        "kind": kind,
        "ports": [server.port for server in servers],
        "pids": [server.pid for server in servers],
        **plan,
    }
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load.driver"],
        input=json.dumps(said),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
    )
    if done.returncode:
        raise SystemExit(f"the load failed: {(done.stderr or done.stdout).strip()[-500:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
