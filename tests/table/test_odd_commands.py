"""Odd commands that a client may send: done or refused, they leave a log that is true for all."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from vectors.devices import digits
from vectors.logs import Host, crossed

from rollwright.kit.games import find_game
from rollwright.table import CodedError
from rollwright.table.events import seal_of
from rollwright.table.verify.log import verify_log

TASK = {"roll": "roll", "pool": 5}


def send(host: Host, fields: dict[str, Any], texts: Any = None, **other: Any) -> None:
    """A command of s2, signed, with something else in its call."""
    device = host.devices["s2"]
    call, _ = device.call(host.state, fields, throws=True)
    host.act("s2", {"call": device.sign(host.state, "s2", call | other), "texts": texts or {}})


def check(host: Host) -> None:
    """Everybody's copy is true, and the device goes on."""
    host.roll("s2", "1d6")
    for seat in (*host.state.seats, ""):
        assert () == verify_log(host.log(seat)).problems


@pytest.mark.parametrize(
    "odd",
    [
        {"visibility": "nobody"},
        {"physical": "yes"},
        {"what": 1},
        {"announce": False, "visibility": "hidden", "what": 1},
        {"expression": "  1d20 "},
    ],
    ids=str,
)
def test_what_cannot_be_read_is_refused_with_its_key(odd: dict[str, Any]) -> None:
    """The slot that the call names is spent; space around dice is none of them."""
    host = Host()
    send(host, {"do": "roll.start", "expression": "1d20"} | odd)
    check(host)


@pytest.mark.parametrize("lane", ["d2", "table"])
def test_a_slot_of_another_is_stale(lane: str) -> None:
    """Also where nothing else of the command can be read."""
    host = Host()
    send(host, {"do": "roll.start", "what": 1}, lane=lane, slot="ab" * 32)
    assert "stale_slot" == host.events[-1].body["code"]
    check(host)


def test_a_slot_that_was_not_seen_is_stale() -> None:
    """It names the right slot and a head from before it: the host is not to blame."""
    host = Host()
    host.roll("s2", "1d6")
    first = host.events[1]
    about = {"seen": first.seq, "head": first.hash[:32]}
    send(host, {"do": "roll.start", "expression": "1d20"}, **about)
    assert "stale_slot" == host.events[-1].body["code"]
    check(host)


def test_only_texts_of_people_are_sealed() -> None:
    """What else is sealed is no field of its kind; and a text has no space around it."""
    host = Host()
    roll = host.roll("s2", "2d6", physical=True)
    for name, held, text in (("roll", "roll.throw", roll), ("note", "roll.start", " hm ")):
        salt = digits(name)
        seal = seal_of(salt, text)
        fields = {"do": held, "expression": "1d6", name: {"seal": seal}}
        with suppress(CodedError):
            send(host, fields, {seal: {"salt": salt, "text": text}})
    check(host)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"physical": True}, {"physical": False}),
        ({"policy": "never"}, {"policy": "ask"}),
        ({"roles": {"opponent": "s3"}}, {"roles": {"opponent": "s1"}}),
    ],
    ids=str,
)
def test_an_ask_is_answered_as_it_binds(asked: Any, answer: Any) -> None:
    """Whoever answers may say otherwise, and is not accused of what the ask says."""
    host = Host("twilight2000")
    sides = {"roll": "opposed", "active": {"attribute": "A"}, "passive": {"attribute": "B"}}
    host.do("s1", "roll_request.create", who=["s2"], request=sides, **asked)
    host.do("s2", "roll.start", ask="a1", **answer)
    check(host)


def test_who_is_away_matters_only_where_each_throws() -> None:
    """Else it is left out."""
    host = Host("dust")
    host.do("s2", "roll.start", request=TASK, away=["s3"])
    assert "away" not in host.events[-2].body
    check(host)


def test_faces_are_typed_only_where_dice_are_real() -> None:
    """A roll that waits for dice of the table, as after an import, takes no others."""
    host = Host(witnesses=True)
    host.offer("s3", "w1")
    roll = host.roll("s2", "1d20")
    host.move("another host")
    with pytest.raises(CodedError, match="not with real ones"):
        host.do("s2", "roll.enter", roll=roll, faces=[20])
    host.do("s2", "roll.throw", roll=roll)
    assert 1 == verify_log(host.log()).counts["calls never answered"] - 1  # and the one above
    check(host)


def test_what_is_said_of_dice_must_have_been_seen() -> None:
    """A spelling or an ask that came after the call is refused in the log."""
    for change in (
        {"do": "table.change", "dialect": "wod"},
        {"do": "roll_request.create", "who": ["s2"]},
    ):
        host = Host()
        fields = {"do": "roll.start", "expression": "5d10"}
        fields = fields if "dialect" in change else {"do": "roll.start", "ask": "a1"}
        sent = host.devices["s2"].command(host.state, "s2", fields)
        host.act("s1", change if "dialect" in change else {**change, "expression": "1d20"})
        host.act("s2", sent)
        assert "changed" == host.events[-1].body["code"]
        check(host)


LATE = {
    "a sheet": ({"do": "sheet.remove", "sheet": "s2"}, {"name": "Bo"}, {"dc": 10}),
    "a name": ({"do": "seat.rename", "seat": "s1", "name": "Vex"}, {}, {"dc": 10, "target": "Vex"}),
    "somebody": ({"do": "seat.remove", "seat": "s3"}, {}, {"dc": 10, "target": "Cy"}),
}


@pytest.mark.parametrize(("change", "sheet", "fields"), LATE.values(), ids=LATE)
def test_what_a_form_reads_must_have_been_seen(
    change: dict[str, Any], sheet: dict[str, Any], fields: dict[str, Any]
) -> None:
    """A sheet that was removed after the call, or names that changed, are refused in the log."""
    host = Host("edge20")
    if sheet:
        host.do("s2", "sheet.create", values=sheet)
    draft = {"roll": "check", "pick": {}, "set": fields}
    command = {"do": "roll.start", "draft": draft}
    sent = host.devices["s2"].command(host.state, "s2", command)
    host.act("s1", change)
    host.act("s2", sent)
    assert "changed" == host.events[-1].body["code"]
    check(host)


def test_names_that_were_chosen_or_are_hidden_keep_no_roll_up() -> None:
    """Only a name that was typed could come to mean another, and only one that may be seen."""
    chosen, typed = {"dc": 10, "target": "@s1"}, {"dc": 10, "target": "Cy"}
    seen, hidden = {"do": "seat.rename", "seat": "s1", "name": "Vex"}, {"do": "sheet.create"}
    for fields, change in ((chosen, seen), (typed, {**hidden, "sheet": "npc", "values": {}})):
        host = Host("edge20")
        command = {"do": "roll.start", "draft": {"roll": "check", "pick": {}, "set": fields}}
        sent = host.devices["s2"].command(host.state, "s2", command)
        host.act("s1", change)
        host.act("s2", sent)
        assert "roll.refused" != host.events[-1].kind
        check(host)


def test_who_was_asked_in_between_is_counted() -> None:
    """One witness was asked for another call; one offered a number too late for a third."""
    counts = verify_log(crossed().log()).counts
    assert (1, 3, 4) == tuple(counts[name] for name in ("insertions", "witnessed throws", "throws"))


def test_an_ask_is_answered_by_a_form_of_ones_own_without_what_the_sheet_lacks() -> None:
    """What is left out of it is no fault, whoever filled it in."""
    host = Host("ghostburn")
    host.do("s2", "sheet.create", values=find_game("ghostburn").card.starters[0].values)
    lacked = {"ability": "Focus", "skill": "Underwater basket weaving"}
    draft = {"roll": "roll", "pick": lacked, "set": {"dl": "Moderate"}}
    host.do("s1", "roll_request.create", who=["s2"], draft={"roll": "roll", "set": {"dl": "Hard"}})
    (started, *_) = host.do("s2", "roll.start", ask="a1", draft=draft)
    assert {"ability": "Focus"} == started.body["draft"]["pick"]
    check(host)
