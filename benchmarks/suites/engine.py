"""The counting engine: workloads W1 to W9, X1 and X2 against icepool and dyce."""

from __future__ import annotations

from typing import Any

from benchmarks.cases import ENGINE, LIBRARIES, Case
from benchmarks.measuring import Settings, Timing, Timings, disagreement, measure, ratio
from benchmarks.pictures import Mark, bars
from benchmarks.records import refresh_page, save_json, save_picture, when_and_where
from benchmarks.tables import markdown_table, text_table, time_of, times

HEAD = ("", "ms, computation only", "ours", "icepool", "dyce", "ratio", "bar", "ok?")
COLD_HEAD = ("", "ms, cold with import", "ours", "icepool", "dyce")
ROOM_HEAD = ("", "MB at the most, with Python", "ours", "icepool", "dyce")
TITLE = "Time to an exact answer, first computation in a fresh process"

Found = list[tuple[Case, Timings]]


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether every bar is met and every answer the same."""
    found: Found = []
    for case in ENGINE:
        print(f"{case.key}: {case.title} …", flush=True)
        found.append((case, measure(case, settings)))
    print(f"\n{text_table(HEAD, rows(found))}\n\n{text_table(COLD_HEAD, cold_rows(found))}")
    print(f"\n{text_table(ROOM_HEAD, room_rows(found))}")
    save_json("engine", {"unit": "seconds", "workloads": [data(*each) for each in found]})
    save_picture("benchmarks-engine", picture(found))
    write_page(found)
    return all(verdict(*each) in ("ok", "") for each in found)


def write_page(found: Found) -> None:
    """Put the tables into the page."""
    tables = [
        markdown_table(HEAD, rows(found)),
        markdown_table(COLD_HEAD, cold_rows(found)),
        markdown_table(ROOM_HEAD, room_rows(found)),
    ]
    refresh_page("engine", "\n\n".join([*tables, when_and_where()]))


def verdict(case: Case, timings: Timings) -> str:
    """What to say of a workload: a difference weighs more than a bar."""
    if timings["ours"].status != "ok":
        return "FAIL"
    if disagreement(timings):
        return "DIFF"
    better = ratio(timings).times
    if case.bar is None:
        return ""
    return "ok" if better is None or better >= case.bar else "MISS"


def rows(found: Found) -> list[tuple[str, ...]]:
    """The table of ratios."""
    return [
        (
            case.key,
            case.title,
            *[time_of(timings[library]) for library in LIBRARIES],
            times(ratio(timings)),
            f"{case.bar}×" if case.bar else "",
            verdict(case, timings),
        )
        for case, timings in found
    ]


def cold_rows(found: Found) -> list[tuple[str, ...]]:
    """The times with importing the library."""
    return [
        (
            case.key,
            case.title,
            *[time_of(timings[library], timings[library].cold) for library in LIBRARIES],
        )
        for case, timings in found
    ]


def room_rows(found: Found) -> list[tuple[str, ...]]:
    """The most memory that the whole process had."""
    return [
        (case.key, case.title, *[megabytes(timings[library]) for library in LIBRARIES])
        for case, timings in found
    ]


def megabytes(timing: Timing) -> str:
    """What a table says of the memory of one library; nothing where it has no answer."""
    if timing.status != "ok":
        return time_of(timing)
    return f"{timing.kilobytes / 1024:,.0f}" if timing.kilobytes else "–"


def data(case: Case, timings: Timings) -> dict[str, Any]:
    """One workload for the JSON."""
    better = ratio(timings)
    return {
        "key": case.key,
        "title": case.title,
        "size": case.size,
        "bar": case.bar,
        "ratio": better.times,
        "ratio_is_at_least": better.at_least,
        "verdict": verdict(case, timings),
        "libraries": {library: timing._asdict() for library, timing in timings.items()},
    }


def picture(found: Found) -> str:
    """Bars of every workload of which something is asked."""
    groups = []
    for case, timings in [(case, timings) for case, timings in found if case.bar]:
        marks = [
            Mark(library, t.computed or None, said(time_of(t)), t.status == "over")
            for library, t in timings.items()
        ]
        groups.append((f"{case.key}  {case.title}", marks))
    return bars(TITLE, groups)


def said(time: str) -> str:
    """A time as a picture says it."""
    return f"{time} ms" if time[0].isdigit() else time
