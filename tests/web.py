"""Runs the tests and checks of the page's own language, which need Node and no browser.

`./dev test` runs them beside those of Python; `./dev test web/tests/form.test.tsx` runs some alone.
What each cost is written to `.dev/web.xml`. With `--all` they repeat what they show once
otherwise, as `./dev test --all` does, and with `--coverage` the lines that they run are counted,
as `./dev coverage` does. With `--check` it looks at format, lint and types
instead, as `./dev check` does, and with `--fix` it formats and mends, as `./dev fix` does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import hatch_build

ROOT = Path(__file__).parent.parent
WRITTEN = ROOT / ".dev" / "web.xml"
BIOME = ["@biomejs/biome/bin/biome", "check", "--error-on-warnings"]
INSTEAD = {
    "--check": [BIOME, ["typescript/bin/tsc", "--noEmit"]],
    "--fix": [[*BIOME, "--write"]],
}
"""What is run in place of the tests: programs of npm's packages, with what they are told."""

COVERAGE = ["--coverage.enabled", "--coverage.include=src/**", "--coverage.reporter=json-summary"]
COVERED = ROOT / ".dev" / "coverage" / "web" / "coverage-summary.json"


def main(*arguments: str) -> int:
    """Run all of them, or those in the files named from the project's folder."""
    node = hatch_build.node_on_path() or hatch_build.node_from_pypi()
    if node is None:
        print("the tests of the page need Node, and there is none on this machine")
        return 1
    hatch_build.fetch_packages(node, checked=True, deadline=hatch_build.Deadline(None))
    if arguments[:1] and arguments[0] in INSTEAD:
        return max(_run(node, *command) for command in INSTEAD[arguments[0]])
    if "--all" in arguments:
        os.environ["VITE_ALL"] = "1"
    WRITTEN.parent.mkdir(exist_ok=True)
    command = ["vitest/vitest.mjs", "run", "--reporter=default"]
    command += ["--reporter=junit", f"--outputFile.junit={WRITTEN}"]
    if "--coverage" in arguments:
        command += [*COVERAGE, f"--coverage.reportsDirectory={COVERED.parent}"]
    return _run(
        node, *command, *(word.removeprefix("web/") for word in arguments if word[0] != "-")
    )


def _run(node: hatch_build.Node, program: str, *arguments: str) -> int:
    # A variable of Python's tests would otherwise decide what Vite takes this for.
    env = {**os.environ, "NODE_ENV": "test"}
    command = [node.node, f"node_modules/{program}", *arguments]
    return subprocess.run(command, cwd=hatch_build.WEB, env=env).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
