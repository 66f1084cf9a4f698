"""The soak: `python -m benchmarks.soak [--kills 300] [--kind KIND ...]`.

Each kind of server is killed that often while people play; in the end everything that was
acknowledged is looked for in the log. 1 where anything is lost, doubled or out of order.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.soak.report import refresh, row, told
from benchmarks.soak.storm import KINDS, Outcome, Plan, blown

DEFAULT_KILLS = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the storms one after the other and write the report."""
    asked = parsed(arguments)
    outcomes = [told_of(Plan(kind, asked.kills, seed=asked.seed)) for kind in asked.kind or KINDS]
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    print("\n".join([*faults, "", told(outcomes)]))
    if not asked.kind and asked.kills >= DEFAULT_KILLS and not faults:
        refresh(outcomes)
    return 1 if faults else 0


def told_of(plan: Plan) -> Outcome:
    """One storm, told before and after."""
    print(f"{plan.kind}: {plan.kills} kills of {KINDS[plan.kind]} …", flush=True)
    outcome = blown(plan)
    print(row(outcome), flush=True)
    return outcome


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--kills", type=int, default=DEFAULT_KILLS, help="of each kind")
    parser.add_argument("--kind", action="append", choices=[*KINDS], help="default: all")
    parser.add_argument(
        "--seed", type=int, default=1, help="of what people do, and when it strikes"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
