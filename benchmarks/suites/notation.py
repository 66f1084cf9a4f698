"""The notation: rolling against d20, and what abuse costs in time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measuring import Settings, environment
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, milliseconds, text_table

CHILD = Path(__file__).parent.parent / "notation_child.py"
EXPRESSIONS = ("1d20+5", "4d6kh3", "10d10>=6", "2d20kh1+1d8+7", "100d6")
WARM_BAR, COLD_BAR = 5, 3
TEXT_EXPRESSIONS = {"1d20+5": "1d20+5", "4d6kh3": "4d6kh3", "100d6": "100d6", "10d6!": "10d6e6"}
"""What most people call: `str(rw.roll(text))`, with how d20 spells it."""
TEXT_BAR = 3
HEAD = (
    "expression", "warm µs", "d20 µs", "ratio", "bar", "cold µs", "d20 µs", "ratio", "bar", "ok?",
)  # fmt: skip
ABUSE_HEAD = ("abuse", "ms to roll", "MB", "", "ms to count", "MB", "")

ABUSE = {
    "1000d6kh999": "1000d6kh999",
    "999d6!>0, ten times": "+".join(["999d6!>0"] * 10),
    "999d6!, ten times": "+".join(["999d6!"] * 10),
    "999d6u": "999d6u",
    "a thousand parentheses": "(" * 1_000 + "1d6" + ")" * 1_000,
    "1d6/0": "1d6/0",
    "1d6rr<7": "1d6rr<7",
    "999999999d999999999": "999999999d999999999",
    "5,000 terms": "+".join(["1d6"] * 5_000),
    "64 kB of terms": "+".join(["1d6"] * 16_000),
    "9**9**9": "9**9**9",
    "2**2**2**…": "2**" * 20_000 + "2",
    "64 kB of brackets": "(" * 65_536,
    "64 kB of nonsense": "x" * 65_536,
    "100d100*100d100": "100d100*100d100",
    "(100d100)d100": "(100d100)d100",
    "50d100kh25": "50d100kh25",
}


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether every bar is met."""
    if find_spec("d20") is None:
        print("d20 is not installed, so there is nothing to compare with.")
        return False
    rolls = {text: rolled(text, settings) for text in EXPRESSIONS}
    texts = {
        f"str(rw.roll({ours!r}))": rolled(ours, settings, theirs, ("rw text", "d20 text"))
        for ours, theirs in TEXT_EXPRESSIONS.items()
    }
    made = [*rows(rolls), *rows(texts, TEXT_BAR, TEXT_BAR)]
    print(text_table(HEAD, made))
    abuse = {
        name: {way: child(way, text) for way in ("roll", "odds")} for name, text in ABUSE.items()
    }
    print(f"\n{text_table(ABUSE_HEAD, abuse_rows(abuse))}")
    save_json("notation", {"unit": "seconds", "rolls": rolls, "texts": texts, "abuse": abuse})
    tables = [markdown_table(HEAD, made), markdown_table(ABUSE_HEAD, abuse_rows(abuse))]
    refresh_page("notation", "\n\n".join([*tables, when_and_where()]))
    met = [is_met(found) for found in rolls.values()]
    return all([*met, *[is_met(found, TEXT_BAR, TEXT_BAR) for found in texts.values()]])


def rolled(
    text: str, settings: Settings, theirs: str = "", ways: tuple[str, str] = ("ours", "d20")
) -> dict[str, dict[str, float]]:
    """The medians of several processes, ours and d20's taking turns."""
    samples: dict[str, list[dict[str, Any]]] = {"ours": [], "d20": []}
    lines = {"ours": (ways[0], text), "d20": (ways[1], theirs or text)}
    for way, line in lines.values():  # so that all its modules are compiled
        child(way, line)
    for _ in range(settings.most):
        for library, found in samples.items():
            found.append(child(*lines[library]))
    return {
        library: {key: median(one[key] for one in found) for key in ("cold", "warm")}
        for library, found in samples.items()
    }


def child(what: str, text: str) -> dict[str, Any]:
    """One fresh process."""
    command = [sys.executable, "-W", "ignore", str(CHILD), what]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, check=True, env=environment()
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ratio(found: dict[str, dict[str, float]], key: str) -> float:
    """How many times slower d20 is."""
    return found["d20"][key] / found["ours"][key]


def is_met(
    found: dict[str, dict[str, float]], warm: float = WARM_BAR, cold: float = COLD_BAR
) -> bool:
    """Whether both bars are met."""
    return ratio(found, "warm") >= warm and ratio(found, "cold") >= cold


def rows(
    rolls: dict[str, Any], warm: float = WARM_BAR, cold: float = COLD_BAR
) -> list[tuple[str, ...]]:
    """The table of ratios."""
    made = []
    for text, found in rolls.items():
        cells = [text]
        for key, bar in (("warm", warm), ("cold", cold)):
            cells += [f"{found[library][key] * 1e6:.1f}" for library in ("ours", "d20")]
            cells += [f"{ratio(found, key):.1f}×", f"{bar}×"]
        made.append((*cells, "ok" if is_met(found, warm, cold) else "MISS"))
    return made


def abuse_rows(abuse: dict[str, Any]) -> list[tuple[str, ...]]:
    """The table of times and memory."""
    made = []
    for name, ways in abuse.items():
        cells = [name]
        for found in ways.values():
            megabytes = f"{found['kilobytes'] / 1024:.1f}"
            cells += [milliseconds(found["seconds"]), megabytes, found["answer"]]
        made.append(tuple(cells))
    return made
