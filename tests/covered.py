"""Which lines of the library and of the page the tests run: `./dev coverage`.

    ./dev coverage               by the quick tests, and by those of the page in its own language
    ./dev coverage tests/table   by the tests that are named

Lines that run in processes which the tests start are counted too. Watching lines makes tests
slower: one that measures what something costs may fail here and nowhere else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests import web

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".dev" / "coverage"


def main(*arguments: str) -> int:
    """Run the tests, and tell of each package how many of its lines they ran."""
    HOME.mkdir(parents=True, exist_ok=True)
    for left in HOME.glob("lines*"):
        left.unlink()
    os.environ["COVERAGE_FILE"] = str(HOME / "lines")
    os.environ["COVERAGE_RCFILE"] = str(ROOT / "pyproject.toml")
    failed = _coverage("run", "-m", "pytest", *arguments)
    told = HOME / "lines.json"
    _coverage("combine", "-q")
    _coverage("json", "-q", "-o", str(told))
    files = json.loads(told.read_text("utf-8"))["files"].items()
    _tell({Path(name).parts[2:]: one["summary"] for name, one in files}, "num_statements")
    if any(argument.startswith(("tests", "src")) for argument in arguments):
        return failed
    failed = web.main("--coverage") or failed
    lines = json.loads(web.COVERED.read_text("utf-8"))
    del lines["total"]
    of_page = {Path(name).relative_to(ROOT).parts[1:]: one["lines"] for name, one in lines.items()}
    _tell(of_page, "total", "covered")
    return failed


def _coverage(*words: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *words], cwd=ROOT).returncode


def _tell(
    files: dict[tuple[str, ...], dict[str, int]], of: str, ran: str = "covered_lines"
) -> None:
    """A row for each package, and one for all."""
    groups: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for path, lines in files.items():
        for name in (path[0] if len(path) > 1 else "(beside)", "all"):
            groups[name][0] += lines[ran]
            groups[name][1] += lines[of]
    for name, (some, every) in sorted(groups.items(), key=lambda one: one[0] == "all"):
        print(f"{name:12} {some:7,} of {every:7,} lines  {100 * some / (every or 1):5.1f} %")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
