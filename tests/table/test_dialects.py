"""Dice as other tools write them, at a table: the log has them in our spelling."""

from __future__ import annotations

import pytest

from rollwright.table.errors import CodedError
from rollwright.table.imports import check_bounds
from rollwright.table.verify.log import verify_log
from rollwright.table.visibility import table_summary
from tests.table.tables import TABLE, Host


def rolled(host: Host) -> str:
    """What the last roll of the log is of."""
    events = [event for event in host.events if event.kind == "roll.started"]
    return str(events[-1].body["what"]["expression"])


def test_a_roll_says_in_whose_spelling_it_is() -> None:
    """What is written down is ours, so that every verifier reads it."""
    host = Host()
    host.do("s2", "roll.start", expression="/r 10d10>8 + ?{Bonus|-2}", dialect="roll20")
    assert "10d10>=8 + (-2)" == rolled(host)
    assert verify_log(host.log("s2")).ok


def test_a_table_has_a_spelling_of_its_own() -> None:
    """What referees settle holds for rolls and asks that say no other."""
    host = Host()
    host.do("s1", "table.change", dialect="Roll20")
    host.do("s2", "roll.start", expression="4d6r<2")
    assert "4d6rr<=2" == rolled(host)
    host.do("s2", "roll.start", expression="4d6r<2", dialect="foundry")
    assert "4d6ro<2" == rolled(host)
    host.do("s2", "roll.start", expression="10d10>8", dialect="rollwright")
    assert "10d10>8" == rolled(host)
    host.do("s1", "roll_request.create", expression="10d10>8", who="all")
    assert {"expression": "10d10>=8"} == host.state.asks["a1"].roll
    assert check_bounds(TABLE, host.events).dialect == "roll20"
    host.do("s1", "table.change", dialect="rollwright")
    host.do("s2", "roll.start", expression="10d10>8")
    assert "10d10>8" == rolled(host)


def test_everybody_at_the_table_is_told_of_it() -> None:
    """It is part of what the table is."""
    host = Host()
    host.do("s1", "table.change", dialect="avrae")
    assert "avrae" == table_summary(host.state, host.state.seats["s2"])["table"]["dialect"]


@pytest.mark.parametrize(
    ("seat", "command", "field"),
    [
        ("s1", {"do": "table.change", "dialect": "rol20"}, "dialect"),
        ("s2", {"do": "roll.start", "expression": "1d6", "dialect": "rol20"}, "dialect"),
        ("s2", {"do": "roll.start", "request": {"roll": "skill"}, "dialect": "wod"}, "dialect"),
        ("s2", {"do": "roll.start", "expression": "%{a|b}", "dialect": "roll20"}, "expression"),
        ("s2", {"do": "roll.start", "expression": "2b" * 400, "dialect": "yearzero"}, "expression"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_its_field(
    seat: str, command: dict[str, object], field: str
) -> None:
    """Unknown tools, tools for what is no dice, dice that have no words here or too many."""
    host = Host()
    do = str(command.pop("do"))
    with pytest.raises(CodedError) as caught:
        host.do(seat, do, **command)
    assert field == caught.value.field
