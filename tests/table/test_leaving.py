"""Open rolls of people who leave, or that a session ends with: given up, for everybody to see."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from rollwright.table import Decision, TableState
from rollwright.table.events import EventDraft
from rollwright.table.history.documents import history_markdown
from rollwright.table.history.statistics import statistics
from rollwright.table.verify.log import verify_log
from tests.table.tables import Host, check, hashed
from tests.table.test_verifying import of_kind
from tests.table.written_logs import rechained

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
WAYS: dict[str, dict[str, Any]] = {
    "open": {},
    "secret": {"visibility": "private"},
    "silent": {"visibility": "private", "announce": False},
}
"""How a roll is made, and who hears of it."""


def waiting(signed: bool = True, **fields: Any) -> Host:
    """s2 has rolls that wait for a push, s3 has one."""
    host = Host(signed=signed, players=3, **fields)
    for seat, ways in (("s2", WAYS), ("s3", {"open": {}})):
        for number, way in enumerate(ways.values()):
            tries = 0
            while True:
                nonce = hashed(f"{seat} {number} {tries}")
                host.do(seat, "roll.start", request=SKILL, nonce=nonce, **way)
                if host.state.rolls[host.latest("roll")].is_open:
                    break
                tries += 1
    return host


def verdicts(host: Host) -> list[str]:
    """Whether every copy of the log is true."""
    reports = [verify_log(host.log(seat)) for seat in ("", *host.state.seats)]
    return [report.verdict if report.ok else str(report.problems) for report in reports]


@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
@pytest.mark.parametrize("by", ["s1", "s2"], ids=["removed", "leaves"])
def test_the_rolls_of_whoever_leaves_are_given_up(by: str, signed: bool) -> None:
    """By the event that says so, and verified for everybody; of others nothing is touched."""
    host = waiting(signed)
    events = host.do(by, "seat.remove", seat="s2")
    assert ["seat.removed", "roll.cancelled", "roll.cancelled"] == host.kinds(events)
    assert ["s3"] == [roll.by for roll in host.state.going.values()]
    check(host)
    assert {"true"} == set(verdicts(host)[:2])
    for viewer in ("", "s1", "s3"):
        counts = verify_log(host.log(viewer)).counts
        assert (2, 2) == (counts["rolls given up"], counts["rolls given up after dice"])
    [sums, _] = statistics(host.seen("")).seats
    assert ("s2", 2, 2) == (sums.seat, sums.given_up.rolls, sums.given_up.after_dice)


def test_nobody_learns_that_whoever_leaves_had_rolls_that_nobody_heard_of() -> None:
    """Nothing is written of them, and they are open no more."""
    host = Host(signed=True, players=2)
    host.do("s2", "roll.start", expression="2d6", physical=True, **WAYS["silent"])
    assert ["seat.removed"] == host.kinds(host.do("s1", "seat.remove", seat="s2"))
    assert not host.state.going
    check(host)
    assert 1 == verify_log(host.log("s1")).counts["open rolls"]


@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_a_session_ends_with_its_open_rolls(signed: bool) -> None:
    """Those are given up that somebody heard of; a referee may keep them for the next one."""
    host = waiting(signed)
    host.do("s1", "session.end", keep_open=True)
    assert 4 == len(host.state.going)
    assert "2 rolls left open" in statistics(host.seen("")).seats[0].given_up.text
    host.do("s2", "sheet.create", values={"name": "Bo", "STR": "B"})
    events = host.do("s1", "session.end")
    assert ["roll.cancelled"] * 3 == host.kinds(events)[-3:]
    assert [False] == [roll.announce for roll in host.state.going.values()]
    check(host)
    assert "true" == verdicts(host)[0]
    assert 3 == verify_log(host.log("")).counts["rolls given up"]


def test_what_a_session_ends_with_begins_no_other() -> None:
    """A history has a head over what somebody does, and not over what follows from the end."""
    host = Host("", signed=True)
    host.do("s2", "roll.start", expression="2d6", physical=True)
    host.do("s1", "session.end")
    told = history_markdown(host.seen(""))
    assert (1, "*player 0: 1 roll given up.*") == (told.count("## "), told.splitlines()[-1])


def test_a_session_ends_with_changes_of_sheets_and_then_its_rolls() -> None:
    """What a game changes at the end of a session stands before what is given up with it."""
    host = Host("dust", players=2, signed=True)
    values = {"name": "Mara", "stats": [{"name": "Drive", "rating": 4}], "adrenaline": 2}
    host.do("s2", "sheet.create", values=values)
    host.do("s2", "roll.start", expression="2d6", physical=True)
    host.do("s1", "session.end")
    check(host)
    assert not host.state.going


def test_hidden_dice_are_shown_to_be_fair_where_their_roller_leaves() -> None:
    """The event that gives the roll up opens their key."""
    opposed = {
        "roll": "opposed",
        "active": {"attribute": "B", "skill": "D"},
        "passive": {"attribute": "C"},
        "secret": True,
    }
    host = Host(signed=True)
    for number in range(20):
        host.do("s2", "roll.start", request=opposed, nonce=hashed(f"hidden {number}"))
        if host.state.rolls[host.latest("roll")].closed:
            break
    host.do("s1", "seat.remove", seat="s2")
    assert host.last["keys"]
    check(host)
    assert 0 == verify_log(host.log("s1")).counts["closed throws"]


@pytest.mark.parametrize("how", [{}, WAYS["silent"]], ids=["open", "silent"])
@pytest.mark.parametrize("do", ["seat.remove", "session.end"])
def test_dice_that_wait_for_a_witness_fall_all_the_same(do: str, how: dict[str, Any]) -> None:
    """They were called for: who ends the session may be a host that dislikes a number."""
    host = Host("", signed=True, players=2, witnesses=True)
    host.offer("s3", "one")
    host.do("s2", "roll.start", expression="2d6", **how)
    fields = {"seat": "s2"} if do == "seat.remove" else {}
    assert 1 == len(host.do("s1", do, **fields))
    host.answer()
    check(host)
    counts = verify_log(host.log("s1")).counts
    assert (1, 1, 0) == tuple(counts[n] for n in ("rolls", "witnessed throws", "rolls given up"))


def test_a_host_cannot_let_go_of_dice_that_wait_for_a_witness() -> None:
    """As if somebody had left, or the session had ended."""
    host = Host("", signed=True, players=2, witnesses=True)
    host.offer("s3", "one")
    host.do("s2", "roll.start", expression="2d6")
    host.do("s1", "session.end")
    body = {"by": "s1", "roll": "r1", "opened": []}
    host.commit(Decision((EventDraft("roll.cancelled", body),)))
    assert ["unsigned call"] == [one.what for one in verify_log(host.log("")).problems]


def forged(host: Host, forge: Any) -> list[str]:
    """The names of what is found in a log after somebody changed it."""
    log = deepcopy(host.log("s3"))
    forge(log)
    return [one.what for one in verify_log(rechained(log)).problems]


def test_a_host_cannot_give_up_the_rolls_of_others_with_somebody_who_leaves() -> None:
    """Neither in another name, nor later, nor of somebody who stays."""
    host = waiting()
    host.do("s1", "seat.remove", seat="s2")
    assert [] == forged(host, lambda log: None)

    def of_another(log: Any) -> None:
        of_kind(log, "roll.cancelled", 0)["body"]["roll"] = host.latest("roll")

    def by_another(log: Any) -> None:
        of_kind(log, "roll.cancelled", 0)["body"]["by"] = "s4"

    assert "unsigned call" in forged(host, of_another)
    assert "forbidden act" in forged(host, by_another)

    def later(log: Any) -> None:
        body = {"by": "s1", "text": None, "to": "all"}
        event = of_kind(log, "seat.removed", 0)
        said = event | {"kind": "chat.sent", "body": body, "open": {}, "texts": {}}
        log["events"].insert(log["events"].index(event) + 1, said)

    assert "unsigned call" in forged(host, later)


def test_a_host_cannot_say_that_fewer_rolls_were_kept_secret() -> None:
    """The copy of whoever rolled them knows better."""
    host = Host(signed=True)
    for _ in range(3):
        host.do("s2", "roll.start", expression="1d20", **WAYS["silent"])
    host.do("s2", "roll.reveal", roll=host.latest("roll"))
    check(host)
    for seat in ("", "s1", "s2", "s3"):
        assert 2 == verify_log(host.log(seat)).counts["secret rolls kept"]
    for unshown in (0, 1, None, "2"):
        log = deepcopy(host.log("s2"))
        of_kind(log, "roll.revealed", 0)["body"]["unshown"] = unshown
        assert ["forged event"] == [one.what for one in verify_log(rechained(log)).problems]
    assert TableState.of(host.events) == host.state
