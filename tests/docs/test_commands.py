"""The page of the commands names every command with its fields, and every kind of event."""

import re
from pathlib import Path

import pytest

from rollwright.kit.fields import fields_of
from rollwright.table.commands.dispatch import COMMANDS
from rollwright.table.reducer import REDUCERS

PAGE = (Path(__file__).parents[2] / "docs" / "table" / "commands.md").read_text("utf-8")
ROWS = [
    line.split("|")[1:-1]
    for line in PAGE.splitlines()
    if line.startswith("| `") and "`do`" not in line
]


def named(cell):
    """What stands between backticks."""
    return re.findall(r"`([\w.]+)`", cell)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_told_with_its_fields(name):
    """No field is left out, and none is made up."""
    [row] = [row for row in ROWS if len(row) == 4 and name in named(row[0])]
    assert set(fields_of(COMMANDS[name])) == set(named(row[2]))


@pytest.mark.parametrize("name", COMMANDS)
def test_brackets_stand_around_what_may_be_left_out(name):
    """What must be given has none; of several ways one is given, so they have none either."""
    [row] = [row for row in ROWS if len(row) == 4 and name in named(row[0])]
    ways = named(" ".join(re.findall(r"one of ([^;|]*)", row[2])))
    bare = set(named(re.sub(r"\[`\w+`\]", "", row[2]))) - set(ways)
    required = {field for field, about in fields_of(COMMANDS[name]).items() if about.is_required}
    assert required == bare


def test_no_command_is_made_up():
    """Whatever stands in the tables of commands can be done."""
    assert set(COMMANDS) == {name for row in ROWS if len(row) == 4 for name in named(row[0])}


def test_every_kind_of_event_is_told():
    """Each kind that changes a table, and those that only tell something."""
    kinds = {name for row in ROWS if len(row) == 2 for name in named(row[0])}
    assert {*REDUCERS, "chat.sent", "seat.moved", "roll.refused", "sealed"} == kinds
