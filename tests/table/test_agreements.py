"""What is agreed before a roll is chosen for the roller, logged so, and can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.api import new_transcript as begun
from rollwright.kit.agreements import agreed_option
from rollwright.kit.games import find_game
from rollwright.table.events import Event
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import SOLDIER, Host, check
from tests.table.written_logs import rechained

RECON = drafted({"roll": "skill", "skill_name": "recon"})
SHOT = drafted({"roll": "attack", "weapon": "M4", "ammo_dice": 0})


def soldiers(**fields: Any) -> Host:
    """A table where s2 and s3 have sheets."""
    host = Host(**fields)
    for seat in ("s2", "s3"):
        host.do(seat, "sheet.create", values={**SOLDIER, "name": f"soldier {seat}"})
    return host


def started(host: Host, draft: dict[str, Any], faces: list[int], **fields: Any) -> list[Event]:
    """A roll of s2 with these faces, and the events of typing them."""
    host.do("s2", "roll.start", draft=draft, physical=True, **fields)
    return host.do("s2", "roll.enter", roll=f"r{host.state.rolled}", faces=faces)


def rounds(host: Host) -> int:
    """What lies in the magazine of s2."""
    found: int = host.state.sheets["s2"].values["weapons"][0].get("rounds", 30)
    return found


def kinds(events: list[Event]) -> list[str]:
    """What happened."""
    return [event.kind for event in events]


def test_never_push_does_not_ask() -> None:
    """A failure under `never` is kept within the command that threw, as the roller's choice."""
    host = soldiers()
    events = started(host, RECON, [3, 4], policy="never")
    assert ["roll.thrown", "roll.chosen"] == kinds(events)
    chosen = events[1].body
    assert ("s2", "keep", True) == (chosen["by"], chosen["option"], chosen["agreed"])
    assert "done" == host.state.rolls["r1"].status
    check(host)


def test_without_an_agreement_somebody_is_asked() -> None:
    """A roll that says nothing of it asks, as rolls always did; its beginning says nothing."""
    host = soldiers()
    events = started(host, RECON, [3, 8])
    assert ["roll.thrown"] == kinds(events)
    assert "policy" not in next(e for e in host.events if e.kind == "roll.started").body


def test_where_nothing_is_to_gain_nobody_is_asked() -> None:
    """Under `ask` a success of a check is kept, and a failure asks."""
    host = soldiers()
    assert ["roll.thrown", "roll.chosen"] == kinds(started(host, RECON, [3, 8], policy="ask"))
    assert ["roll.thrown"] == kinds(started(host, RECON, [3, 4], policy="ask"))
    check(host)


def test_a_goal_that_wants_more_asks() -> None:
    """Whoever wants two successes is asked with one of them."""
    host = soldiers()
    events = started(host, RECON, [3, 8], policy="ask", goal="two-successes")
    assert ["roll.thrown"] == kinds(events)


def test_a_hit_asks_since_damage_is_to_gain() -> None:
    """A push may raise the damage of a hit."""
    host = soldiers()
    assert ["roll.thrown"] == kinds(started(host, SHOT, [3, 8], policy="ask"))


def test_where_bullets_go_is_asked_under_every_agreement() -> None:
    """`never` says nothing of ammo sixes: the shooter hands them out."""
    host = soldiers()
    aims = [{"name": "Guard"}, {"name": "Dog"}]
    burst = drafted({"roll": "attack", "weapon": "M4", "ammo_dice": 2, "targets": aims})
    events = started(host, burst, [8, 3, 6, 6], policy="never")
    assert ["roll.thrown", "roll.chosen"] == kinds(events)
    after = events[-1].body["after"]
    assert ("choice", "shooter") == (after["step"], after["role"])


def test_taking_back_what_was_agreed_opens_the_roll_again() -> None:
    """Push takes the choice back, also of a roll that ended by it; then the push is chosen."""
    host = soldiers()
    started(host, RECON, [3, 8], policy="ask")
    events = host.do("s2", "roll.take_back", roll="r1")
    assert ["roll.taken_back"] == kinds(events)
    assert "choice" == events[0].body["after"]["step"]
    assert host.state.rolls["r1"].is_open
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.enter", roll="r1", faces=[6])
    assert "done" == host.state.rolls["r1"].status
    check(host)


def test_what_the_roll_did_to_a_sheet_goes_back_with_the_choice() -> None:
    """Rounds that an attack spent (2 + 3 and one more) lie in the magazine again for the push."""
    host = soldiers()
    burst = drafted({"roll": "attack", "weapon": "M4", "ammo_dice": 2})
    before = rounds(host)
    events = started(host, burst, [8, 3, 2, 3], policy="never")
    assert ["roll.thrown", "roll.chosen", "sheet.changed"] == kinds(events)
    assert before - 6 == rounds(host)
    assert ["roll.taken_back", "sheet.changed"] == kinds(host.do("s2", "roll.take_back", roll="r1"))
    assert before == rounds(host)
    host.do("s2", "roll.choose", roll="r1", option="push", anyway=True)
    host.do("s2", "roll.enter", roll="r1", faces=[3, 2, 2])
    assert before - 5 == rounds(host)
    check(host)


def test_the_next_roll_of_the_sheet_settles_it() -> None:
    """Nobody takes back what was agreed after the character has rolled again; others may roll."""
    host = soldiers()
    started(host, RECON, [3, 8], policy="ask")
    host.do("s3", "roll.start", draft=RECON)
    host.do("s2", "roll.take_back", roll="r1")
    host.do("s2", "roll.choose", roll="r1", option="keep")
    started(host, RECON, [3, 8], policy="ask")
    started(host, RECON, [3, 8], policy="ask")
    assert "conflict" == host.refused("s2", "roll.take_back", roll="r3").code
    assert [] == host.state.rolls["r3"].entries
    check(host)


def test_taking_back_is_for_the_roller_and_referees() -> None:
    """Somebody else does not open a roll again."""
    host = soldiers()
    started(host, RECON, [3, 8], policy="ask")
    assert "forbidden" == host.refused("s3", "roll.take_back", roll="r1").code
    host.do("s1", "roll.take_back", roll="r1")
    check(host)


def test_a_choice_that_somebody_made_is_not_opened_again() -> None:
    """Only what was agreed goes back after the end."""
    host = soldiers()
    started(host, RECON, [3, 8])
    host.do("s2", "roll.choose", roll="r1", option="keep")
    assert "conflict" == host.refused("s2", "roll.take_back", roll="r1").code


def test_an_undone_roll_is_not_opened_again() -> None:
    """What counts no more is not gone on with."""
    host = soldiers()
    started(host, RECON, [3, 8], policy="ask")
    host.do("s1", "roll.undo", roll="r1")
    assert "conflict" == host.refused("s2", "roll.take_back", roll="r1").code
    check(host)


def test_what_a_referee_asked_for_is_not_the_rollers_to_take_back() -> None:
    """A roll that was asked for without a push is thrown so; a referee may open it again."""
    host = soldiers()
    host.do("s1", "roll_request.create", who=["s2"], draft=RECON, policy="never")
    host.do("s2", "roll.start", ask="a1", policy="always", physical=True)
    events = host.do("s2", "roll.enter", roll="r1", faces=[3, 4])
    assert ["roll.thrown", "roll.chosen"] == kinds(events)
    assert "forbidden" == host.refused("s2", "roll.take_back", roll="r1").code
    host.do("s1", "roll.take_back", roll="r1")
    check(host)


@pytest.mark.parametrize("policy", ["best", "sometimes", "best:just-succeed"])
def test_what_cannot_be_agreed_is_refused(policy: str) -> None:
    """Best play would have to be counted at the table, and what nobody knows says nothing."""
    host = soldiers()
    refusal = host.refused("s2", "roll.start", draft=RECON, policy=policy)
    assert "policy" == refusal.field
    assert (
        "policy"
        == host.refused("s1", "roll_request.create", who="all", draft=RECON, policy=policy).field
    )


def test_a_forged_agreement_is_found() -> None:
    """A log that says of a free choice that it was agreed, or of an agreed one otherwise, lies."""
    host = soldiers()
    started(host, RECON, [3, 8], policy="ask")
    started(host, RECON, [3, 4])
    host.do("s2", "roll.choose", roll="r2", option="keep")
    log = host.log("s1")
    chosen = [event for event in log["events"] if event["kind"] == "roll.chosen"]
    chosen[1]["body"]["agreed"] = True
    problems = verify_log(rechained(log)).problems
    assert [("forged event", chosen[1]["seq"])] == [(one.what, one.seq) for one in problems]
    del chosen[1]["body"]["agreed"]
    begun = next(event for event in log["events"] if event["kind"] == "roll.started")
    begun["body"]["goal"] = "two-successes"
    problems = verify_log(rechained(log)).problems
    assert [("altered option", chosen[0]["seq"])] == [(one.what, one.seq) for one in problems]


GROUP = {"members": [{"name": "@s2", "modifier": 2}, {"name": "@s3"}, {"name": "@s4"}]}


ABLE = {"members": [{"name": f"@s{n}", "modifier": 3} for n in (2, 3, 4)]}
"""The same, each good enough to come to a High Score without a 10."""


def group(host: Host, *faces: int, members: dict[str, Any] = GROUP, **fields: Any) -> list[Event]:
    """A Group Test of s2, s3 and s4 that s2 began, and the events of the last typed face."""
    draft = {"roll": "group", "set": members}
    host.do("s2", "roll.start", draft=draft, physical=True, policy="ask", **fields)
    roll = f"r{host.state.rolled}"
    seat = "s1" if fields.get("visibility") == "blind" else "s2"
    return [host.do(seat, "roll.enter", roll=roll, faces=[face]) for face in faces][-1]


def test_where_nothing_is_to_gain_no_helper_is_asked_either() -> None:
    """KLEP R25: all are High, so that no Advantage helps: nobody is waited for, as is said."""
    host = Host("kleptonomicon", players=3)
    events = group(host, 9, 8, 8, members=ABLE)
    assert ["roll.thrown", *["roll.chosen"] * 6] == kinds(events)
    chosen = [event.body for event in events[1:]]
    assert {("s2", "keep", True)} == {(one["by"], one["option"], one["agreed"]) for one in chosen}
    assert [f"@s{n}" for n in (2, 2, 3, 3, 4, 4)] == [one["role"] for one in chosen]
    assert "done" == host.state.rolls["r1"].status
    check(host)
    host.do("s2", "roll.take_back", roll="r1")
    after = host.events[-1].body["after"]
    assert ("choice", ["s4"]) == (after["step"], after["by"])
    check(host)


def test_a_helper_with_something_to_gain_is_asked() -> None:
    """One of them has failed, or a High Score is wanted: whoever has an Advantage decides."""
    host = Host("kleptonomicon", players=3)
    assert ["roll.thrown"] == kinds(group(host, 9, 8, 8, goal="high"))
    assert ["roll.thrown"] == kinds(group(host, 9, 8, 3))
    assert ["roll.thrown"] == kinds(group(host, 9, 7, 7, goal="high"))


def test_nobody_is_skipped_in_a_roll_that_others_may_not_see() -> None:
    """That nothing is to gain would tell of a blind roll how it went: the referee is asked."""
    host = Host("kleptonomicon", players=3)
    assert ["roll.thrown"] == kinds(group(host, 9, 8, 8, visibility="blind"))
    host = Host("edge20", players=2)
    draft = {"roll": "check", "set": {"modifier": 5, "dc": 15, "rerolls": 1}}
    host.do("s2", "roll.start", draft=draft, physical=True, policy="ask", visibility="blind")
    assert ["roll.thrown"] == kinds(host.do("s1", "roll.enter", roll="r1", faces=[20]))


def test_a_way_to_decide_by_name_is_the_rollers_own() -> None:
    """Whoever says never to give anything away says so for themselves."""
    host = Host("kleptonomicon", players=3)
    draft = {"roll": "group", "set": GROUP}
    host.do("s2", "roll.start", draft=draft, physical=True, policy="never")
    events = [host.do("s2", "roll.enter", roll="r1", faces=[face]) for face in (9, 8, 3)][-1]
    assert {"@s2"} == {event.body["role"] for event in events if event.kind == "roll.chosen"}
    assert ["s3"] == events[-1].body["after"]["by"]
    host.do("s3", "roll.choose", roll="r1", option="keep")
    check(host)
    log = host.log("s1")
    forged = [event for event in log["events"] if event["kind"] == "roll.chosen"][-1]
    forged["body"] |= {"by": "s2", "agreed": True}
    del forged["body"]["call"], forged["open"]["slots"]
    problems = verify_log(rechained(log)).problems
    assert [("forbidden choice", forged["seq"])] == [(one.what, one.seq) for one in problems]


def test_old_rolls_are_let_go_and_open_ones_stay() -> None:
    """What may be taken back is kept whole though everything else is let go."""
    host = soldiers()
    host.state.keep = 1
    started(host, RECON, [3, 8], policy="ask")
    for _ in range(3):
        host.do("s3", "roll.start", draft=RECON, policy="never")
    host.do("s2", "roll.take_back", roll="r1")
    for _ in range(3):
        host.do("s3", "roll.start", draft=RECON, policy="never")
    host.do("s2", "roll.choose", roll="r1", option="keep")
    assert "done" == (host.state.roll("r1") or host.state.rolls["r1"]).status
    assert verify_log(host.log("s1")).ok


PARTY = {"members": [{"name": "Quill"}, {"name": "Bram"}, {"name": "Orsolya"}]}
SURE = {"members": [{"name": name, "modifier": 3} for name in ("Quill", "Bram", "Orsolya")]}
CASES: list[tuple[str, str, dict[str, Any], list[list[int]], str, str | None]] = [
    ("twilight2000", "skill", {"attribute": "B", "skill": "C"}, [[6, 2]], "just-succeed", "keep"),
    ("twilight2000", "skill", {"attribute": "B", "skill": "C"}, [[5, 2]], "just-succeed", None),
    ("twilight2000", "skill", {"attribute": "B", "skill": "C"}, [[6, 2]], "most-successes", None),
    ("edge20", "check", {"modifier": 5, "dc": 15, "rerolls": 1}, [[10]], "just-succeed", "keep"),
    ("edge20", "check", {"modifier": 5, "dc": 15, "rerolls": 1}, [[10]], "critical", None),
    ("edge20", "check", {"modifier": 5, "dc": 15, "rerolls": 1}, [[9]], "just-succeed", None),
    ("kleptonomicon", "group", PARTY, [[9], [6], [9]], "just-succeed", None),
    ("kleptonomicon", "group", PARTY, [[9], [9], [9]], "just-succeed", "keep"),
    ("kleptonomicon", "group", PARTY, [[9], [9], [9]], "high", None),
    ("kleptonomicon", "group", SURE, [[9], [9], [9]], "just-succeed", "keep"),
    ("kleptonomicon", "group", PARTY, [[9], [1], [1]], "just-succeed", "keep"),
    ("kleptonomicon", "group", PARTY, [[9], [1], [9]], "just-succeed", None),
    (
        "ghostburn",
        "roll",
        {"ability": 3, "skill": [5], "dl": "Hard", "luck_points": 1},
        [[10, 10]],
        "value",
        "keep",
    ),
    (
        "ghostburn",
        "roll",
        {"ability": 3, "skill": [5], "dl": "Hard", "luck_points": 1},
        [[1, 2]],
        "value",
        None,
    ),
]


@pytest.mark.parametrize(("name", "roll", "fields", "throws", "goal", "kept"), CASES)
def test_cards_say_where_nothing_is_to_gain(
    name: str, roll: str, fields: dict[str, Any], throws: list[list[int]], goal: str, kept: Any
) -> None:
    """By the rules of each game: a check that has what is wanted of it is kept (T2K R31,
    EDGE R17, GHOST R14)."""
    transcript = begun(find_game(name).request(roll, **fields))
    for faces in throws:
        transcript = transcript.throw(faces)
    assert (() if kept is None else (kept,)) == agreed_option(transcript, "ask", goal)
