"""How cost grows with the number of dice: W1 with 10 to 300, sums of 100 to 10,000."""

from __future__ import annotations

from benchmarks.cases import GROWTH, LIBRARIES, Case
from benchmarks.measuring import Settings, Timing, Timings, disagreement, measure
from benchmarks.pictures import Line, Panel, curves
from benchmarks.records import refresh_page, save_json, save_picture, when_and_where
from benchmarks.tables import markdown_table, text_table, time_of

HEAD = ("dice", "ms, computation only", "ours", "icepool", "dyce")
TITLE = "How the time grows with the number of dice"

Series = list[tuple[Case, Timings]]


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether every answer is the same."""
    found = {name: series(cases, settings) for name, (_, cases) in GROWTH.items()}
    rows = [row(*size) for each in found.values() for size in each]
    print(text_table(HEAD, rows))
    save_json("growth", {"unit": "seconds", "series": {n: data(s) for n, s in found.items()}})
    save_picture("benchmarks-growth", picture(found))
    refresh_page("growth", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return not any(disagreement(timings) for each in found.values() for _, timings in each)


def series(cases: tuple[Case, ...], settings: Settings) -> Series:
    """One workload at rising sizes; a library that was too slow is not asked for more."""
    found: Series = []
    lost: Timings = {}
    for case in cases:
        print(f"{case.key} …", flush=True)
        asked = [library for library in LIBRARIES if library not in lost]
        timings = measure(case, settings, asked)
        lost |= {library: t for library, t in timings.items() if t.status != "ok"}
        left_out = {library: Timing("–", why="too slow before") for library in lost}
        found.append((case, {library: (left_out | timings)[library] for library in LIBRARIES}))
    return found


def row(case: Case, timings: Timings) -> tuple[str, ...]:
    """One size in the table."""
    return case.key, case.title, *[time_of(timings[library]) for library in LIBRARIES]


def data(found: Series) -> list[dict[str, object]]:
    """One workload for the JSON."""
    return [
        {"dice": case.size[0], "libraries": {n: t._asdict() for n, t in timings.items()}}
        for case, timings in found
    ]


def picture(found: dict[str, Series]) -> str:
    """A panel for each workload."""
    panels = []
    for name, each in found.items():
        lines = []
        for library in LIBRARIES:
            points = [
                (case.size[0], timings[library].computed)
                for case, timings in each
                if timings[library].status == "ok"
            ]
            lines += [Line(library, points)] if points else []
        panels.append(Panel(GROWTH[name][0], lines))
    return curves(TITLE, panels)
