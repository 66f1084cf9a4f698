"""`./dev fuzz`: try random lines for a while, and name every one that breaks a promise."""

from __future__ import annotations

import argparse
import time
from itertools import count
from traceback import format_exc

from tests.fuzz import __doc__ as ABOUT
from tests.fuzz.lines import KINDS, line_of
from tests.fuzz.trials import try_all

LONGEST_SHOWN = 300


def tried(text: str, slow: float) -> str:
    """What is wrong with a line, if anything is."""
    start = time.process_time()
    try:
        try_all(text)
    except Exception:
        return format_exc(limit=-3)
    took = time.process_time() - start
    return f"took {took:.1f} seconds of work" if took > slow else ""


def main() -> int:
    """Try line after line; 1 if any of them broke a promise."""
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=ABOUT)
    parser.add_argument("seconds", nargs="?", type=float, default=60, help="how long (60)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="where to begin")
    parser.add_argument("--kind", choices=KINDS, help="one kind of lines instead of all")
    parser.add_argument("--slow", type=float, default=3, help="seconds of work to be told (3)")
    asked = parser.parse_args()
    print(f"Trying random lines from seed {asked.seed} on.", flush=True)
    kinds = [asked.kind] if asked.kind else list(KINDS)
    until = time.monotonic() + asked.seconds
    found = lines = 0
    for seed in count(asked.seed):
        if time.monotonic() > until:
            break
        for kind in kinds:
            lines += 1
            text = line_of(kind, seed)
            if wrong := tried(text, asked.slow):
                found += 1
                shown = repr(text[:LONGEST_SHOWN])
                print(f"{shown} (--kind {kind} --seed {seed}): {wrong}", flush=True)
    print(f"{found} of {lines:,} lines broke a promise.")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
