"""The command: `python -m benchmarks [suite ...] [--quick] [--limit SECONDS]`, or `list`."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence

from benchmarks import suites
from benchmarks.measuring import Settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run suites; 1 where a bar is missed or answers differ."""
    asked = parsed(arguments)
    if asked.suites == ["list"]:
        print("\n".join(f"{name:8} {suites.described(name)}" for name in suites.names()))
        return 0
    settings = Settings(limit=asked.limit)
    if asked.quick:
        settings = settings.quick()
    failed = []
    for name in asked.suites or suites.names():
        print(f"\n{name}: {suites.described(name)}\n", flush=True)
        if not suites.load(name).run(settings):
            failed.append(name)
    print(f"\nNot met: {', '.join(failed)}." if failed else "\nEvery bar is met.")
    return 1 if failed else 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help="default: all; list shows them")
    parser.add_argument("--quick", action="store_true", help="few repeats")
    parser.add_argument(
        "--limit", type=float, default=Settings().limit, metavar="SECONDS", help="for one run"
    )
    asked = parser.parse_args(arguments)
    known = suites.names()
    for name in asked.suites:
        if name not in known and asked.suites != ["list"]:
            near = difflib.get_close_matches(name, known, n=1)
            guess = f'Did you mean "{near[0]}"?' if near else f"There are: {', '.join(known)}."
            parser.error(f'there is no suite "{name}". {guess}')
    return asked


if __name__ == "__main__":
    sys.exit(main())
