"""What `import rollwright` adds to bare Python's start."""

from __future__ import annotations

from benchmarks.measuring import Settings, start_cost
from benchmarks.records import refresh_page, save_json, when_and_where
from benchmarks.tables import markdown_table, milliseconds, text_table

BAR = 0.040
HEAD = ("import", "", "bare Python ms", "more ms", "bar ms", "ok?")


def run(settings: Settings) -> bool:
    """Measure, write down, and say whether the bar is met."""
    rows, found = [], {}
    for what in ("rollwright", "icepool", "dyce"):
        bare, more = start_cost(settings, what)
        found[what] = {"bare": bare, "more": more}
        ours = what == "rollwright"
        verdict = ("40", "ok" if more <= BAR else "MISS") if ours else ("", "")
        rows.append((what, "", milliseconds(bare), milliseconds(more), *verdict))
    print(text_table(HEAD, rows))
    save_json("start", {"unit": "seconds", "bar": BAR, "imports": found})
    refresh_page("start", f"{markdown_table(HEAD, rows)}\n\n{when_and_where()}")
    return found["rollwright"]["more"] <= BAR
