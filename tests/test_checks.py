"""The code itself: strict types for us and for users of the API, format and lint."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("check", ["mypy", "ruff check", "ruff format --check"])
def test_the_code_passes_its_checks(check):
    """Strict types (tests/typing holds a user's code), lint and format find nothing."""
    done = subprocess.run(
        [sys.executable, "-m", *check.split()], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
