"""The engine beside icepool 2.2, under a Python 3.12 or newer, if there is one.

The checks run on Python 3.11, which icepool 2.2 does not support, so the tables of the engine have
the last icepool that does. Here all three libraries run in a newer interpreter of this machine,
with an environment of its own in .dev/ that is made when it is first asked for.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any

from benchmarks.cases import ENGINE, LIBRARIES
from benchmarks.measuring import Settings, disagreement, environment, measure, ratio
from benchmarks.records import ROOT, refresh_page, save_json
from benchmarks.suites.engine import Found, data
from benchmarks.tables import markdown_table, text_table, time_of, times

HEAD = ("", "ms, computation only", "ours", "icepool", "dyce", "ratio")
KEYS = ("W1", "W3", "W4", "W5", "W7a", "W7d", "W8", "W9", "X2", "D1", "D2", "D3", "D4")
"""The workloads in which a better icepool may make a difference."""
PACKAGES = ("icepool>=2.2,<2.3", "dyce==0.7.0")
ASKED = "icepool", "dyce"


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether every answer is the same."""
    python = prepared()
    if python is None:
        print("There is no Python 3.12 or newer here: nothing is measured, and the page stays.")
        return True
    found: Found = []
    for case in ENGINE:
        if case.key in KEYS:
            print(f"{case.key}: {case.title} …", flush=True)
            found.append((case, measure(case, settings._replace(python=python))))
    print(f"\n{text_table(HEAD, rows(found))}")
    about = said_by(python)
    save_json("newer", {**about, "unit": "seconds", "workloads": [data(*each) for each in found]})
    peers = ", ".join(f"{name} {about['versions'][name]}" for name in ASKED)
    refresh_page("newer", f"{markdown_table(HEAD, rows(found))}\n\n{about['python']}; {peers}.")
    return not any(disagreement(timings) for _, timings in found)


def rows(found: Found) -> list[tuple[str, ...]]:
    """The table of ratios."""
    return [
        (case.key, case.title, *[time_of(timings[library]) for library in LIBRARIES],
         times(ratio(timings)))
        for case, timings in found
    ]  # fmt: skip


def prepared() -> str | None:
    """The interpreter of an environment with the newer packages; None where none can be had."""
    for number in (14, 13, 12):
        base = newest(number)
        if base is None:
            continue
        home = ROOT / ".dev" / f"newer-3.{number}"
        python = home / "bin" / "python"
        if python.exists() and (home / "made").exists():
            return str(python)
        done = [
            subprocess.run(command, capture_output=True, env=environment()).returncode
            for command in (
                [base, "-m", "venv", "--clear", str(home)],
                [str(python), "-m", "pip", "install", "-q", *PACKAGES],
            )
        ]
        if not any(done):
            (site,) = home.glob("lib/python*/site-packages")
            (site / "rollwright.pth").write_text(f"{ROOT / 'src'}\n", "utf-8")
            (home / "made").touch()
            return str(python)
    return None


def newest(number: int) -> str | None:
    """A Python 3 of that number: on the path, or among those of pyenv."""
    for found in (which(f"python3.{number}"), *pyenv(number)):
        if found and runs(found, number):
            return found
    return None


def pyenv(number: int) -> list[str]:
    """The interpreters that pyenv has, the newest first."""
    there = Path.home().glob(f".pyenv/versions/3.{number}.*/bin/python")
    return sorted(map(str, there), key=lambda path: [*map(int, re.findall(r"\d+", path))])[::-1]


def runs(python: str, number: int) -> bool:
    """Whether it starts, and is what its name says."""
    asks = "import sys, venv; print(sys.version_info[1])"
    try:
        done = subprocess.run([python, "-c", asks], capture_output=True, text=True, timeout=60)
    except OSError:
        return False
    return done.stdout.strip() == str(number)


def said_by(python: str) -> dict[str, Any]:
    """What the interpreter says of itself and of the libraries in it."""
    asks = (
        "import json, platform; from importlib.metadata import version; "
        f"print(json.dumps([platform.python_version(), *map(version, {ASKED!r})]))"
    )
    done = subprocess.run([python, "-c", asks], capture_output=True, text=True, check=True)
    python_version, *versions = json.loads(done.stdout)
    return {"python": f"CPython {python_version}", "versions": dict(zip(ASKED, versions))}
