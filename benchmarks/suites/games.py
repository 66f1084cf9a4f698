"""Questions players ask of the five games, beside a calibration loop of plain Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.measuring import Settings
from benchmarks.questions import LOOP, QUESTIONS
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, milliseconds, text_table

ROOT = Path(__file__).resolve().parent.parent.parent
HEAD = ("question", "", "ms", "bar ms", "loops", "ok?")
REPEATS, QUICK_REPEATS = 7, 3


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether every bar is met."""
    repeats = QUICK_REPEATS if settings == settings.quick() else REPEATS
    rows, found = [], {}
    for name, question in QUESTIONS.items():
        runs = [asked(name) for _ in range(repeats)]
        seconds = median(one["seconds"] for one in runs)
        loops = median(one["seconds"] / one["calibration"] for one in runs)
        verdict = "ok" if seconds <= question.bar else "MISS"
        found[name] = {"seconds": seconds, "bar": question.bar, "loops": loops}
        bar = milliseconds(question.bar)
        rows.append((question.words, "", milliseconds(seconds), bar, f"{loops:.2f}", verdict))
    print(text_table(HEAD, rows))
    save_json("games", {"unit": "seconds", "loop": LOOP, "questions": found})
    refresh_page("games", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return all(row[-1] == "ok" for row in rows)


def asked(name: str) -> dict[str, float]:
    """One question in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.questions", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, float] = json.loads(done.stdout)
    return answer
