"""Events as typed values, and a follower who loses nothing and hears nothing twice."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.client import ServerError, parse_event
from rollwright.client.events import (
    ChatSent,
    DiceThrown,
    HiddenEvent,
    OptionChosen,
    OtherEvent,
    RollEnded,
    RollStarted,
    SeatJoined,
    SeatRenamed,
)
from rollwright.client.narration import TableFormatter
from rollwright.client.rolls import RollView
from rollwright.client.sockets import LogFollower
from rollwright.jsonable import json_text, parse_json
from tests.table.tables import Host

BOTH = ("keep", "push")
SKILL = {"roll": "skill", "attribute": "C", "skill": "C"}


def heard(host: Host, seat: str = "s2") -> list[Any]:
    """What a seat sees of all that happened, as typed values."""
    return [parse_event(event) for event in host.seen(seat)]


def test_a_roll_is_told_step_by_step() -> None:
    """It begins, is thrown, pushed, and ends in the event of its last throw."""
    host = Host("twilight2000", players=2)
    host.do("s1", "roll.start", request=SKILL, physical=True)
    host.do("s1", "roll.enter", roll="r1", faces=[3, 2])
    host.do("s1", "roll.choose", roll="r1", option="push")
    host.do("s1", "roll.enter", roll="r1", faces=[8, 1])
    began, thrown, chosen, ended = heard(host)[-4:]
    assert isinstance(began, RollStarted)
    assert ("s1", "throw") == (began.by, began.roll.waits_for)
    assert DiceThrown(thrown.roll, "s1", ("d8", "d8"), (3, 2), True) == thrown
    assert OptionChosen(chosen.roll, "s1", "push") == chosen
    assert isinstance(ended, RollEnded)
    assert ended.roll.outcome["successes"] == 1


def test_what_a_roll_tells_is_a_text() -> None:
    """By the words of its game, which an outcome names; a voice says it all the way."""
    host = Host("twilight2000", players=2)
    host.do("s1", "roll.start", request=SKILL, physical=True)
    host.do("s1", "roll.enter", roll="r1", faces=[3, 2])
    host.do("s1", "roll.choose", roll="r1", option="keep")
    *_, thrown, ended = host.seen("s2")
    voice = TableFormatter(host.snapshot("s2", recent=0))
    assert parse_event(thrown, voice).roll.told.endswith("Ada may choose: keep / push.")
    assert parse_event(ended).roll.told.startswith("D8 3 and D8 2 kept: no success")
    assert parse_event(ended).roll.told == parse_event(ended, voice).roll.told


def test_what_may_be_chosen_lies_beside_the_event() -> None:
    """It is read from there, or in an older log from inside; else the number alone is known."""
    host = Host("twilight2000", players=2)
    host.do("s1", "roll.start", request=SKILL, physical=True)
    host.do("s1", "roll.enter", roll="r1", faces=[3, 2])
    told = host.snapshot("s2", recent=1)["recent"]
    (bare,) = host.seen("s2")[-1:]
    listed = {"options": told[0]["offers"]["options"]}
    older = {**bare, "body": {**bare["body"], "after": {**bare["body"]["after"], **listed}}}
    for event, options in ((told[0], BOTH), (older, BOTH), (bare, ())):
        roll = RollView.from_events([event])
        assert ("choice", options, 2) == (roll.waits_for, roll.options, roll.option_count)


def test_why_nothing_is_listed_is_said() -> None:
    """With the question, in the language of whoever reads it."""
    after = {"step": "choice", "question": "Which?", "count": 2, "options": []}
    looked = {"table": {"game": "twilight2000"}, "seats": [], "sheets": []}
    told = TableFormatter(looked, "de").narrate({**after, "why": ["choice.unlisted"]})
    assert (2, ()) == (told.options, told.offers)
    assert told.asked.startswith("Which? Was zur Wahl steht, lässt sich nicht auflisten")


def test_people_come_speak_and_are_called_otherwise() -> None:
    """Names and words lie beside the event, and are found there."""
    host = Host(players=2)
    host.do("s2", "chat.send", text="Ready?")
    host.do("s2", "seat.rename", seat="s2", name="Boris")
    found = heard(host)
    assert any(isinstance(one, SeatJoined) and one.seat == "s2" for one in found)
    assert [ChatSent("s2", "Ready?"), SeatRenamed("s2", "Boris")] == found[-2:]
    assert isinstance(found[0], OtherEvent)


def test_what_is_not_ours_is_sealed() -> None:
    """A secret roll is no more than that there is one."""
    host = Host(players=2)
    host.do("s1", "roll.start", expression="2d6", visibility="private")
    assert all(isinstance(one, HiddenEvent) for one in heard(host)[-2:])


def frame(*events: Any) -> str:
    """Events as a server sends them."""
    return json_text({"events": list(events)})


def event(seq: int, **more: Any) -> dict[str, Any]:
    """An event with a number."""
    return {"seq": seq, "hash": f"h{seq}", "kind": "chat.sent", "at": 0, "open": {}, **more}


def test_a_follower_hears_everything_once() -> None:
    """Of frames that come again after a lost connection, only what is new."""
    following = LogFollower("token", 2)
    first = following.receive(frame(event(3, body={}), event(4, body={})))
    assert [3, 4] == [one["seq"] for one in first.events]
    assert (4, "h4") == (hello(following)["after"], hello(following)["hash"])
    again = following.receive(frame(event(4, body={}), event(5, body={})))
    assert [5] == [one["seq"] for one in again.events]


def hello(following: LogFollower) -> dict[str, Any]:
    """What it says on a new connection."""
    said: Any = parse_json(following.hello())
    found: dict[str, Any] = said["hello"]
    return found


def test_what_is_opened_later_comes_once_more() -> None:
    """A secret event that is revealed is heard in full, and then not again."""
    following = LogFollower("token", 2)
    assert [3] == [one["seq"] for one in following.receive(frame(event(3))).events]
    assert [3] == [one["seq"] for one in following.receive(frame(event(3, body={}))).events]
    assert [] == following.receive(frame(event(3, body={}))).events


def test_a_witness_offers_what_is_wanted() -> None:
    """At most eight numbers at a time, however many a server asks for."""
    heard = LogFollower("token", 0).receive(json_text({"want": {"witness": 99}}))
    assert (8, False) == (heard.want, heard.is_asked)


def test_a_witness_hears_that_a_number_is_asked_for() -> None:
    """Whosever it is: what it is asked for is read in the log, and not from the socket."""
    asks = event(3, body={}) | {"open": {"witness": {"seat": "s2", "offer": "0" * 64}}}
    following = LogFollower("token", 2)
    assert following.receive(frame(asks)).is_asked
    assert not following.receive(frame(asks)).is_asked


def test_a_last_goodbye_is_raised() -> None:
    """What is of no use to try again is a refusal; a restart is waited out."""
    following = LogFollower("token", 0)
    assert [] == following.receive(json_text({"bye": {"code": "shutdown", "message": ""}})).events
    with pytest.raises(ServerError) as caught:
        following.receive(json_text({"bye": {"code": "removed", "message": "gone"}}))
    assert "removed" == caught.value.code
