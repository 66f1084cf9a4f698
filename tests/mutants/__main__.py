"""`./dev mutate`: try the mutants of games in a copy of the project, and say which survive."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.mutants import __doc__ as ABOUT
from tests.mutants.changes import TABLE, Mutant, modules_of, mutants_of
from tests.mutants.trials import (
    DOUBTFUL,
    KILLED,
    NEVER_ENDS,
    OPTIONS,
    SURVIVED,
    Result,
    Trials,
    afresh,
    apart,
)
from tests.mutants.watch import watched

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / ".dev" / "mutants"
BRIEF_ONES = ["-m", "not long and not storm and not thorough"]
LEFT_BEHIND = (".*", "node_modules", "site", "web", "benchmarks", "__pycache__")


def mutate(game: str, *, again: bool, only: str, tests: list[str], sample: int) -> None:
    """Try all mutants of a game, or some of them, or those again that survived."""
    if game == TABLE:
        folders = ["tests/table", *BRIEF_ONES]
    else:
        folders = [f"tests/games/{game}", f"src/rollwright/games/{game}"]  # with examples
        folders.append("tests/games/test_house_rules.py")
    arguments = [*OPTIONS, *(tests or folders)]
    suite = watched(game, arguments)
    suite.brief = not again
    print(f"{game}: {len(suite.tests)} quick tests", flush=True)
    found = [m for module in modules_of(game) for m in mutants_of(module) if only in m.module]
    if sample and sample < len(found):  # the same ones every time
        found = sorted(Random(0).sample(found, sample))
    results = _results(game)
    known = _read(results)
    lasts = [SURVIVED] if again else [None, DOUBTFUL]
    todo = [mutant for mutant in found if known.get(mutant) in lasts]
    print(f"{game}: {len(todo)} mutants to try", flush=True)
    with results.open("a", encoding="utf-8") as into:

        def told(mutant: Mutant, result: Result) -> None:
            into.write(json.dumps([*mutant, *result]) + "\n")
            into.flush()
            if result.what == SURVIVED:
                print(mutant, flush=True)

        apart(lambda: pytest.main(arguments, [Trials(todo, suite, told)]))
        known = _read(results)
        for mutant in todo:
            if known.get(mutant) == DOUBTFUL:
                told(mutant, afresh(mutant, suite, arguments))
    known = _read(results)
    score(game, {mutant: known[mutant] for mutant in found if mutant in known})


def _results(game: str) -> Path:
    """The file of what is known of mutants: another one as soon as a rule is written anew."""
    sources = b"".join(path.read_bytes() for path in modules_of(game))
    return Path("..", f"{game}-{hashlib.sha256(sources).hexdigest()[:16]}.jsonl")


def _read(results: Path) -> dict[Mutant, str]:
    """What is known of mutants; what was said last holds."""
    if not results.exists():
        return {}
    lines = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    return {Mutant(*mutant): result for *mutant, result, _ in lines}


def score(game: str, known: dict[Mutant, str]) -> None:
    """Say how many mutants of each module were killed."""
    for module in sorted({mutant.module for mutant in known}):
        counts = Counter(result for mutant, result in known.items() if mutant.module == module)
        print(f"{module}: {dict(counts)}")
    counts = Counter(known.values())
    killed = counts[KILLED] + counts[NEVER_ENDS]
    print(f"{game}: {killed} of {counts.total()} mutants killed, {counts[SURVIVED]} survived")


def copied(game: str) -> Path:
    """A copy of the project in which files may be changed."""
    copy = COPY / game
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    return copy


def main() -> int:
    """Copy the project, and try the mutants in there."""
    parser = argparse.ArgumentParser(prog="./dev mutate", description=ABOUT)
    games = sorted(path.parent.name for path in (ROOT / "tests" / "games").glob("*/oracle.py"))
    parser.add_argument(
        "games", nargs="*", choices=[[], *games, TABLE], default=games, metavar="GAME"
    )
    parser.add_argument("--survivors", action="store_true", help="try those again that survived")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants, drawn by lot")
    parser.add_argument("--only", default="", help="a part of the paths of modules")
    parser.add_argument("--tests", nargs="+", default=[], help="files of tests, instead of all")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    for game in chosen.games:
        if chosen.inside:
            how = {"only": chosen.only, "tests": chosen.tests, "sample": chosen.sample}
            mutate(game, again=chosen.survivors, **how)
            continue
        copy = copied(game)
        env = {**os.environ, "PYTHONPATH": str(copy / "src"), "CI": "1"}
        command = [sys.executable, "-m", "tests.mutants", "--inside", game, f"--only={chosen.only}"]
        command += [f"--sample={chosen.sample}"]
        command += ["--survivors"] if chosen.survivors else []
        command += ["--tests", *chosen.tests] if chosen.tests else []
        if code := subprocess.run(command, cwd=copy, env=env).returncode:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
