"""The code itself: strict types for us and for users of the API, format and lint."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FIRST

ROOT = Path(__file__).parent.parent


def test_what_is_said_to_take_longest_is_there():
    """Every beginning in the order of the tests is that of some file of theirs."""
    paths = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    assert [] == [begins for begins in FIRST if not any(p.startswith(begins) for p in paths)]


TYPES = pytest.param("mypy", marks=pytest.mark.long)  # ./dev check has looked at them before


@pytest.mark.parametrize("check", [TYPES, "ruff check", "ruff format --check"])
def test_the_code_passes_its_checks(check):
    """Strict types (tests/typing holds a user's code), lint and format find nothing."""
    done = subprocess.run(
        [sys.executable, "-m", *check.split()], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
