"""The same suites in the browser's Python, run in Node."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hatch_build import node_from_pypi, node_on_path

from tests.gates import thorough

ROOT = Path(__file__).parents[3]
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
SUITES = ["test_rules.py", "test_python.py", "test_slips.py", "test_programs.py"]


@thorough
@pytest.mark.long
def test_plain_rules_in_pyodide() -> None:
    """Compiled, counted, refused and merged as here."""
    assert PYODIDE.is_dir(), "the page's packages are not there: ./dev page fetches them"
    node = node_on_path() or node_from_pypi()
    packages = Path(pytest.__file__).parents[1]
    files = [f"tests/engine/plain/{name}" for name in SUITES]
    script = Path(__file__).with_name("pyodide.mjs")
    run = subprocess.run(
        [node.node, script, PYODIDE, ROOT, packages, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert run.stdout.startswith("3.14")
