"""The page expects the dice of a line before the server has thrown them: those that it throws."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from typing import Any

import pytest
from hatch_build import WEB, node_from_pypi, node_on_path

import rollwright as rw
from tests.notation.test_conformance import FILE, read

AGAIN = re.compile(
    r"(?<!^)!|(?<![a-z])(?:xo?(?!\w)|xo|e\d|r[oar][\d<>=])|^\dx |if\(|d[({]|[)\]]d\d"
    r"|(?:k[hl]|>=?|min|max|d[hl]|ms)\("
)
"""What may be thrown only when other dice lie there, or has faces of its own."""
CASES = [case for case in FILE["rolls"] if not AGAIN.search(case["expression"].lower())]


@pytest.fixture(scope="module")
def expected() -> list[list[str]]:
    """The dice that the page expects of each line."""
    node = node_on_path() or node_from_pypi()
    done = subprocess.run(
        [node.node, "notation_conformance.mjs"],
        cwd=WEB,
        input=json.dumps([case["expression"] for case in CASES]),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert "" == done.stderr
    found: list[list[str]] = json.loads(done.stdout)
    return found


def thrown(case: dict[str, Any]) -> Counter[str]:
    """The dice of a case by their names on the page."""
    faces = [read(face) for throw in case["faces"] for face in throw]
    pools = [step.pool for step, _ in rw.roll(case["expression"], faces=faces).throws]
    return Counter(
        "df" if die.faces == (-1, 0, 1) else f"d{len(die.faces)}" for p in pools for die in p.dice
    )


def test_the_page_expects_the_dice_that_are_thrown(expected: list[list[str]]) -> None:
    """For each line of the conformance file whose dice are all thrown at once."""
    assert len(CASES) > 200
    for case, dice in zip(CASES, expected, strict=True):
        assert thrown(case) == Counter(dice), case["expression"]
