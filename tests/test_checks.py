"""The code itself: strict types for us and for users of the API, format and lint."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FIRST

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"


def test_what_is_said_to_take_longest_is_there():
    """Every beginning in the order of the tests is that of some file of theirs."""
    paths = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    assert [] == [begins for begins in FIRST if not any(p.startswith(begins) for p in paths)]


TYPES = pytest.param("mypy", marks=pytest.mark.long)  # ./dev check has looked at them before


@pytest.mark.long
@pytest.mark.parametrize("check", [TYPES, "ruff check", "ruff format --check", "tests.web --check"])
def test_the_code_passes_its_checks(check):
    """Strict types (tests/typing holds a user's code), lint and format find nothing."""
    done = subprocess.run(
        [sys.executable, "-m", *check.split()], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_packages_of_the_page_are_pinned_without_addresses():
    """Versions and hashes of all, as package.json asks for them, whichever registry serves."""
    text = (WEB / "package-lock.json").read_text("utf-8")
    assert "://" not in text
    asked = json.loads((WEB / "package.json").read_text("utf-8"))
    root, *packages = json.loads(text)["packages"].items()
    kinds = ("dependencies", "devDependencies")
    assert [asked[kind] for kind in kinds] == [root[1][kind] for kind in kinds]
    assert [] == [name for name, about in packages if not about["integrity"].startswith("sha512-")]
