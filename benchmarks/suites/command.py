"""How long a cold `rollwright roll 2d6` and `rollwright --help` take, in starts of bare Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.measuring import Settings, environment
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, milliseconds, text_table

BAR = 6.0
HEAD = ("command", "", "ms", "starts", "bar", "ok?")
SCRIPT = Path(sys.executable).with_name("rollwright")
BARE = "bare Python"
COMMANDS: dict[str, list[str]] = {
    BARE: [sys.executable, "-c", "pass"],
    "import click": [sys.executable, "-c", "import click"],
    "rollwright roll 2d6": [str(SCRIPT), "roll", "2d6"],
    "rollwright --help": [str(SCRIPT), "--help"],
    "rollwright odds 4d6kh3": [str(SCRIPT), "odds", "4d6kh3"],
}
BOUND = ("rollwright roll 2d6", "rollwright --help")


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether the bar is met."""
    times = measured(settings.most * 3)
    starts = {name: found / times[BARE] for name, found in times.items()}
    rows = [(name, "", milliseconds(times[name]), f"{starts[name]:.1f}×", *_verdict(name, starts))
            for name in COMMANDS]  # fmt: skip
    print(text_table(HEAD, rows))
    save_json("command", {"unit": "seconds", "bar": BAR, "times": times})
    refresh_page("command", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return all(starts[name] <= BAR for name in BOUND)


def _verdict(name: str, starts: dict[str, float]) -> tuple[str, str]:
    if name not in BOUND:
        return "", ""
    return f"{BAR:g}×", "ok" if starts[name] <= BAR else "MISS"


def measured(rounds: int) -> dict[str, float]:
    """The median time of each command over fresh processes, taken in turns."""
    for command in COMMANDS.values():  # so that all modules are compiled
        whole_process(command)
    samples: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            samples[name].append(whole_process(command))
    return {name: median(found) for name, found in samples.items()}


def whole_process(command: list[str]) -> float:
    """The seconds from starting a process to its end."""
    start = perf_counter()
    subprocess.run(command, check=True, env=environment(), stdout=subprocess.DEVNULL)
    return perf_counter() - start
