"""The notation: rolling against d20, and what abuse costs in time and memory.

Three things are measured of a roll: a line that the process knows (warm), one that it has never
seen, though others (new), and all that `python -c` pays for beyond an empty Python (nothing).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any, NamedTuple

from benchmarks.measuring import Settings, environment
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, milliseconds, text_table

CHILD = Path(__file__).parent.parent / "notation_child.py"
Found = dict[str, dict[str, float]]
"""Seconds by library and by measure."""
USUAL_SIDES = (4, 6, 8, 10, 12, 20)


class Shape(NamedTuple):
    """A line that people type, and lines like it with other numbers."""

    line: str
    others: tuple[str, ...]
    theirs: Callable[[str], str] = str
    """How d20 spells such a line."""


def like(line: str, *others: str, theirs: Callable[[str], str] = str) -> Shape:
    """The line among others; it is not among those that are new."""
    return Shape(line, tuple([one for one in others if one != line]), theirs)


def exploding(line: str) -> str:
    """`10d6!` as d20 writes it: `10d6e6`."""
    return f"{line[:-1]}e{line[:-1].partition('d')[2]}"


ONE_DIE = like("1d20+5", *[f"1d{s}+{n}" for s in USUAL_SIDES for n in range(1, 12)])
KEPT = like(
    "4d6kh3", *[f"{n}d{s}kh{k}" for n in (3, 4, 5, 6) for s in USUAL_SIDES for k in (1, 2, 3)]
)
MANY = like("100d6", *[f"{n}d{s}" for n in range(90, 110) for s in (4, 6, 8)])
EXPLODING = like(
    "10d6!", *[f"{n}d{s}!" for n in range(8, 13) for s in (6, 8, 10, 12, 20)], theirs=exploding
)
COUNTED = like("10d10>=6", *[f"{n}d10>={k}" for n in range(5, 15) for k in range(4, 10)])
SUM = like(
    "2d20kh1+1d8+7",
    *[f"2d20kh1+{n}d{s}+{k}" for n in (1, 2) for s in USUAL_SIDES for k in (3, 7, 9)],
)
VALUES = (ONE_DIE, KEPT, COUNTED, SUM, MANY)
"""Rolled by `notation.roll` and `d20.roll`, where nobody asks for the text."""
TEXTS = (ONE_DIE, KEPT, MANY, EXPLODING)
"""What most people call: `str(rw.roll(text))` and `str(d20.roll(text))`."""
BEFORE = ("2d6+3", "1d8", "3d10+2", "1d20", "8d4", "3d8kl1", "2d12+1d4")
"""What a process has rolled before it meets a new line."""
MEASURES = ("warm", "new", "nothing")
BARS = {"values": (5, 3, 3), "texts": (3, 3, 3)}
HEAD = (
    "roll", "known µs", "d20 µs", "ratio", "new µs", "d20 µs", "ratio", "from nothing ms", "d20 ms",
    "ratio", "bars", "ok?",
)  # fmt: skip
UNITS = {"warm": 1e6, "new": 1e6, "nothing": 1e3}
CODE = {
    "values": (
        "from rollwright import notation; notation.roll({!r})",
        "import d20; d20.roll({!r})",
    ),
    "texts": ("import rollwright as rw; str(rw.roll({!r}))", "import d20; str(d20.roll({!r}))"),
}
"""What `python -c` is given, by us and by d20."""
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
    rolls = {
        what: {shape.line: measured(what, shape, settings) for shape in shapes}
        for what, shapes in (("values", VALUES), ("texts", TEXTS))
    }
    made = [row for what, found in rolls.items() for row in rows(what, found)]
    print(text_table(HEAD, made))
    abuse = {
        name: {way: child(way, text) for way in ("roll", "odds")} for name, text in ABUSE.items()
    }
    print(f"\n{text_table(ABUSE_HEAD, abuse_rows(abuse))}")
    save_json("notation", {"unit": "seconds", **rolls, "abuse": abuse})
    tables = [markdown_table(HEAD, made), markdown_table(ABUSE_HEAD, abuse_rows(abuse))]
    refresh_page("notation", "\n\n".join([*tables, when_and_where()]))
    return all(is_met(what, one) for what, found in rolls.items() for one in found.values())


def measured(what: str, shape: Shape, settings: Settings) -> Found:
    """The medians of several processes, ours and d20's taking turns."""
    samples: dict[str, list[dict[str, float]]] = {"ours": [], "d20": []}
    for turn in range(settings.most + 1):  # in the first all modules are compiled
        bare = seconds_of("pass")
        for library, found in samples.items():
            spell = shape.theirs if library == "d20" else str
            lines = {
                "line": spell(shape.line),
                "before": BEFORE,
                "new": [spell(one) for one in shape.others],
            }
            sample = child(f"{library} {what}", json.dumps(lines))
            code = CODE[what][library == "d20"].format(lines["line"])
            sample["nothing"] = max(seconds_of(code) - bare, 0.0)
            if turn:
                found.append(sample)
    return {
        library: {key: median(one[key] for one in found) for key in MEASURES}
        for library, found in samples.items()
    }


def seconds_of(code: str) -> float:
    """The processor's time of a fresh Python that is given this code."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, env=environment())
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def child(what: str, text: str) -> dict[str, Any]:
    """One fresh process."""
    command = [sys.executable, "-W", "ignore", str(CHILD), what]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, check=True, env=environment()
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ratio(found: Found, key: str) -> float:
    """How many times slower d20 is."""
    return found["d20"][key] / found["ours"][key]


def is_met(what: str, found: Found) -> bool:
    """Whether all bars are met."""
    return all(ratio(found, key) >= bar for key, bar in zip(MEASURES, BARS[what], strict=True))


def rows(what: str, rolls: dict[str, Found]) -> list[tuple[str, ...]]:
    """The table of ratios."""
    made = []
    for line, found in rolls.items():
        cells = [f"str(rw.roll({line!r}))" if what == "texts" else line]
        for key in MEASURES:
            cells += [f"{found[library][key] * UNITS[key]:.1f}" for library in ("ours", "d20")]
            cells.append(f"{ratio(found, key):.1f}×")
        cells.append(", ".join(f"{bar}×" for bar in BARS[what]))
        made.append((*cells, "ok" if is_met(what, found) else "MISS"))
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
