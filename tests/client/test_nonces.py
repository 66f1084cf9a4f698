"""A client keeps the random numbers that it gives, and notices a throw made with another one."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.client import Table, Unfair
from rollwright.client.http import Asking
from rollwright.client.rolls import OwnNonces
from tests.table.tables import Host, hashed


class Hosted(Asking):
    """A server in memory; a dishonest one changes commands before it does them."""

    def __init__(self, host: Host, seat: str = "s2", **instead: Any) -> None:
        self.host, self.seat, self.instead = host, seat, instead

    def ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        token: str = "",
        query: dict[str, Any] | None = None,
    ) -> Any:
        """Do a command, or show the log."""
        if path.endswith("/log.json"):
            return self.host.log(self.seat)
        if path.endswith("/events"):
            after = (query or {})["after"]
            events = self.host.seen(self.seat)
            return {"events": [event for event in events if event["seq"] > after]}
        command = dict(body or {}) | self.instead
        made = self.host.do(self.seat, command.pop("do"), **command)
        seen = self.host.seen(self.seat, made)
        return {"id": command["id"], "first": made[0].seq, "last": made[-1].seq, "events": seen}


def seated(game: str = "", **instead: Any) -> Table:
    """A seat at a table of a host, honest or not."""
    host = Host(game, players=2)
    return Table(Hosted(host, **instead), host.state.table, "token", seat="s2")


def test_our_own_numbers_are_found_again() -> None:
    """In a throw, in several throws of one command, and in those that follow a choice."""
    table = seated("twilight2000")
    for _ in range(8):
        roll = table.roll({"roll": "skill", "attribute": "C", "skill": "C"})
        if roll.waits_for == "choice":
            roll = table.choose(roll, "push")
        assert roll.is_done
    table = seated()
    assert 12 == len(table.roll("; ".join(["1d6"] * 12)).faces)
    assert 4 + 1 + 12 == len(list(table.events())) == len(table.log()["events"])


def test_another_number_is_noticed() -> None:
    """A host that writes a number of its own choice could have chosen the face."""
    with pytest.raises(Unfair, match=r"event 6: .* another random number than ours") as caught:
        seated(nonce=hashed("the host's own")).roll("1d20")
    assert (6, "r1") == (caught.value.seq, caught.value.roll)


def test_no_number_at_all_is_noticed() -> None:
    """Nor may ours be left out."""
    with pytest.raises(Unfair):
        seated(nonce="").roll("1d20")


def test_faces_that_nobody_typed_are_noticed() -> None:
    """A throw that claims to be of real dice has no number; but we typed nothing."""
    table = seated(do="roll.enter", faces=[1])
    assert isinstance(table.asking, Hosted)
    table.asking.host.do("s2", "roll.start", expression="1d20", physical=True)
    with pytest.raises(Unfair, match="we typed none"):
        table.throw("r1")
    table = seated()
    assert ((1,),) == table.enter(table.roll("1d20", physical=True), [1]).faces


def test_a_blind_throw_is_checked_when_it_is_shown() -> None:
    """Whoever cannot see the dice at first compares the number later."""
    for nonce in ({}, {"nonce": hashed("the host's own")}):
        table = seated(**nonce)
        roll = table.roll("1d20", visibility="blind")
        assert isinstance(table.asking, Hosted)
        assert () == roll.faces
        table.asking.host.do("s1", "roll.reveal", roll="r1")
        if not nonce:
            assert 7 == len(list(table.events()))
            continue
        with pytest.raises(Unfair):
            list(table.events())
        with pytest.raises(Unfair):
            table.log()


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first."""
    monkeypatch.setattr("rollwright.client.rolls.MOST_KEPT", 3)
    table = seated()
    for _ in range(5):
        table.roll("1d20")
    assert isinstance(table.nonces, OwnNonces)
    assert 3 == len(table.nonces._due)


@pytest.mark.parametrize("fields", [{}, {"nonce": None}, {"nonce": ""}])
def test_a_throw_without_a_number_of_ours_is_no_mistake(fields: dict[str, Any]) -> None:
    """Whoever gives none leaves the throw to the table: it is made, and nothing is raised."""
    thrown = seated().do("roll.start", expression="2d6", **fields).events[-1]
    assert ("roll.thrown", "") == (thrown["kind"], thrown["body"]["fair"]["nonce"])
    assert seated().roll("2d6", **fields).is_done
