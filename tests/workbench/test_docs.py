"""The programs on the page of the workbench are programs."""

import re
from pathlib import Path

import pytest

from rollwright import workbench
from rollwright.workbench.kinds import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "workbench.md"
PROGRAMS = re.findall(r"^```text\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("text", PROGRAMS, ids=lambda text: text.splitlines()[0])
def test_a_program_of_the_page_runs(text):
    """Nothing is wrong with it, and it shows something or makes a game."""
    found = workbench.answer("program", {"text": text})
    assert [] == found["problems"]
    assert found["outputs"] or found["games"]


def test_every_kind_of_question_is_on_the_page():
    """With a line in its table."""
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.M)
    assert list(KINDS) == rows
