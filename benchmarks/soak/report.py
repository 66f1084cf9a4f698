"""What a soak leaves behind: figures as JSON, and its part of docs/table/soak.md."""

from __future__ import annotations

import os
import platform
from datetime import date

from benchmarks.records import ROOT, refresh_page
from benchmarks.soak.storm import KINDS, Outcome

PAGE = ROOT / "docs" / "table" / "soak.md"
HEAD = (
    "killed with kill -9",
    "kills",
    "seconds",
    "acknowledged",
    "in flight at a kill",
    "sent again",
    "reconnected",
    "longest silence",
    "lost or doubled",
)


def row(outcome: Outcome) -> str:
    """One storm as a row of the table."""
    cells = (
        KINDS[outcome.plan.kind],
        f"{outcome.kills:,}",
        f"{outcome.seconds:,.0f}",
        f"{outcome.commands:,}",
        f"{outcome.in_flight:,}",
        f"{outcome.lost:,}",
        f"{outcome.reconnected:,}",
        f"{outcome.longest:.1f} s",
        f"{len(outcome.faults):,}",
    )
    return "| " + " | ".join(cells) + " |"


def told(outcomes: list[Outcome]) -> str:
    """The report: the table, and one line about when and where."""
    rule = "| :-- |" + " --: |" * (len(HEAD) - 1)
    rows = ["| " + " | ".join(HEAD) + " |", rule, *map(row, outcomes)]
    waited = sum(outcome.waited for outcome in outcomes)
    minutes = sum(outcome.seconds for outcome in outcomes) / 60
    return "\n".join(rows) + (
        f"\n\n{sum(outcome.events for outcome in outcomes):,} events in "
        f"{sum(outcome.plan.tables for outcome in outcomes)} logs: "
        f"{sum(outcome.rolls for outcome in outcomes):,} rolls, "
        f"{sum(outcome.secret for outcome in outcomes):,} of them secret, and "
        f"{sum(outcome.witnessed for outcome in outcomes):,} throws with a witness; "
        f"{waited} rolls waited at a choice through all kills of their storm and were ended "
        f"afterwards. {minutes:.0f} minutes of storm on {date.today().isoformat()}, "
        f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}, "
        f"{os.cpu_count()} CPUs."
    )


def refresh(outcomes: list[Outcome]) -> bool:
    """Put the report into the page."""
    return refresh_page("soak", told(outcomes), PAGE)
