"""A roll in a message elsewhere: for everybody's eyes, or for those of the seat that rolled."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.client.narration import TableFormatter
from rollwright.client.roll_view import RollMessage, roll_message
from tests.table.tables import Host


class Drawn:
    """A table that notes for whose eyes pictures are asked for."""

    id = "abcdefgh2345"

    def __init__(self) -> None:
        self.own: list[bool] = []

    def picture(self, roll: object, form: str, *, light: str, own: bool) -> bytes:
        """A picture."""
        self.own.append(own)
        return b"drawn"


def message(host: Host, seat: str) -> tuple[RollMessage, list[bool]]:
    """The last roll as a bot with that seat has it, and for whose eyes its picture was made."""
    table: Any = Drawn()
    name = host.latest("roll")
    events: Any = [one for one in host.seen(seat) if one.get("body", {}).get("roll") == name]
    looked = host.snapshot(seat)
    found = roll_message(table, lambda own: TableFormatter(looked, own=own), events, name)
    return found, table.own


def contest(**how: Any) -> Host:
    """The referee rolls for a hidden character against Bo, with dice that are typed."""
    host = Host("kleptonomicon", players=1)
    host.do("s1", "sheet.create", sheet="npc", values={"name": "The Traitor"})
    first = {"name": f"@{host.latest('sheet')}", "modifier": 9}
    request = {"roll": "contest", "first": first, "second": {"name": "@s2"}}
    host.do("s1", "roll.start", request=request, physical=True, **how)
    roll = host.latest("roll")
    while roll in host.state.going:
        after = host.state.rolls[roll].after
        assert after is not None
        assert after["step"] == "throw"
        host.do("s1", "roll.enter", roll=roll, faces=[5] * len(after["dice"]))
    return host


def test_what_a_channel_is_shown_names_nobody_whom_not_everybody_knows() -> None:
    """The referee's bot knows the hidden character; the message about an open roll does not."""
    found, own = message(contest(), "s1")
    assert (False, [False]) == (found.private, own)
    assert "Traitor" not in f"{found.told} {found.title} {found.who}"


@pytest.mark.parametrize("announce", [True, False])
def test_a_secret_roll_is_private_whether_announced_or_not(announce: bool) -> None:
    """It is told and drawn for the seat alone, with the names that the seat knows."""
    found, own = message(contest(visibility="private", announce=announce), "s1")
    assert (True, [True]) == (found.private, own)
    assert "Traitor" in f"{found.told} {found.title}"
