"""Whoever sits at the table throws the dice of a roll that are theirs, if the roll says so."""

from __future__ import annotations

from typing import Any

from rollwright.table.verify.log import verify_log
from tests.table.tables import Host, check
from tests.table.written_logs import rechained

SIDES = {
    "roll": "opposed",
    "active": {"attribute": "B", "skill": "C"},
    "passive": {"attribute": "C"},
}


def opposed(host: Host, **fields: Any) -> list[Any]:
    """s2 against s3."""
    return host.do("s2", "roll.start", request=SIDES, roles={"passive": "s3"}, **fields)


def test_the_opponent_throws_their_own_dice() -> None:
    """The roll waits for s3 after the throw of s2, and s3 throws; the log says who did."""
    host = Host()
    events = opposed(host, each=True)
    assert ["roll.started", "roll.thrown"] == [event.kind for event in events]
    assert {"step": "throw", "by": "s3"}.items() <= events[-1].body["after"].items()
    thrown = host.do("s3", "roll.throw", roll="r1")[0]
    assert ("roll.thrown", "s3", "passive") == (
        thrown.kind,
        thrown.body["by"],
        thrown.body["whose"],
    )
    check(host)


def test_without_a_word_the_table_throws_for_all() -> None:
    """A roll that does not say so is thrown at once, as ever."""
    host = Host()
    events = opposed(host)
    assert 2 == sum(event.kind == "roll.thrown" for event in events)


def test_the_roller_and_referees_throw_for_the_absent() -> None:
    """Whoever waits for somebody who does not throw may do it; nobody else."""
    for seat in ("s2", "s1"):
        host = Host(players=3)
        opposed(host, each=True)
        assert "forbidden" == host.refused("s4", "roll.throw", roll="r1").code
        assert seat == host.do(seat, "roll.throw", roll="r1")[0].body["by"]
        check(host)


def test_somebody_who_left_is_not_waited_for() -> None:
    """Dice of a seat that is not at the table any more are thrown with the others."""
    host = Host()
    host.do("s1", "roll_request.create", who="all", expression="2d6")
    host.do("s3", "seat.remove")
    assert "gone" == host.refused("s2", "roll.start", request=SIDES, roles={"passive": "s3"}).code
    members = [{"name": "@s2"}, {"name": "@s3"}]
    test = Host(game="kleptonomicon")
    test.do("s3", "seat.remove")
    events = test.do("s2", "roll.start", request={"roll": "group", "members": members}, each=True)
    assert 2 <= sum(event.kind == "roll.thrown" for event in events)
    check(test)


def test_somebody_who_is_away_is_not_waited_for() -> None:
    """The roll says who is not there; their dice are thrown, and of others each throws theirs."""
    host = Host(game="kleptonomicon", players=3)
    members = [{"name": f"@s{n}"} for n in (2, 3, 4)]
    request = {"roll": "group", "members": members}
    host.do("s2", "roll.start", request=request, each=True, away=["s3"])
    after = host.state.rolls["r1"].after
    assert after is not None
    assert ("throw", "s4") == (after["step"], after["by"])
    assert "forbidden" == host.refused("s3", "roll.throw", roll="r1").code
    host.do("s4", "roll.throw", roll="r1")
    check(host)


def test_what_came_of_own_dice_need_not_be_let() -> None:
    """Whoever threw them has agreed: Adrenaline for doubles is theirs at once (DUST R17)."""
    for each, waits in ((True, []), (False, ["s3"])):
        host = Host(game="dust")
        host.do("s3", "sheet.create", values={"name": "Jory"})
        side = {"name": "@s3", "pool": 2}
        request = {"roll": "opposing", "actor": {"pool": 2}, "defender": side}
        host.do("s2", "roll.start", request=request, each=each, physical=True)
        host.do("s2", "roll.enter", roll="r1", faces=[9, 3])
        host.do("s3" if each else "s2", "roll.enter", roll="r1", faces=[7, 7])
        assert waits == [*host.state.rolls["r1"].waits]
        assert (0 if waits else 1) == host.state.sheets["s3"].values.get("adrenaline", 0)
        check(host)


def test_whoever_throws_reads_what_they_throw() -> None:
    """Their skill, or their bonus, with the dice: the roll is somebody else's."""
    host = Host()
    sides = {**SIDES, "passive": {"attribute": "C", "skill_name": "recon"}}
    host.do("s2", "roll.start", request=sides, roles={"passive": "s3"}, each=True)
    after = host.state.rolls["r1"].after
    assert after is not None
    assert after["step"] == "throw"
    assert "recon" in str(after["said"])
    check(host)


def test_group_members_throw_one_after_the_other() -> None:
    """Each of a Group Test throws their own d10; the roller's is thrown with the beginning."""
    host = Host(game="kleptonomicon", players=3)
    members = [{"name": f"@s{n}"} for n in (2, 3, 4)]
    host.do("s2", "roll.start", request={"roll": "group", "members": members}, each=True)
    waited = []
    while (after := host.state.rolls["r1"].after) and after["step"] == "throw":
        waited.append(after["by"])
        host.do(after["by"], "roll.throw", roll="r1")
    assert ["s3", "s4"] == waited[:2]
    check(host)


def test_typed_faces_are_the_owners_too() -> None:
    """Of real dice each types what they threw."""
    host = Host()
    opposed(host, each=True, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[6, 2])
    host.do("s3", "roll.enter", roll="r1", faces=[3])
    assert "choice" == (host.state.rolls["r1"].after or {})["step"]
    check(host)


def test_somebody_elses_throw_is_found() -> None:
    """A log in which s4 threw the dice of s3 is not true."""
    host = Host(players=3)
    opposed(host, each=True)
    host.do("s3", "roll.throw", roll="r1")
    log = host.log("s1")
    thrown = [event for event in log["events"] if event["kind"] == "roll.thrown"]
    thrown[0]["body"]["after"]["by"] = thrown[1]["body"]["by"] = "s4"
    problems = verify_log(rechained(log)).problems
    assert [("altered outcome", thrown[0]["seq"]), ("forged act", thrown[1]["seq"])] == [
        (one.what, one.seq) for one in problems
    ]


def test_whoever_throws_for_others_has_agreed_to_nothing() -> None:
    """A referee who throws for s3 has not thrown own dice: what comes of it for them would wait."""
    host = Host(players=3)
    opposed(host, each=True)
    host.do("s1", "roll.throw", roll="r1")
    assert () == host.state.rolls["r1"].threw
    opposed(host, each=True)
    host.do("s3", "roll.throw", roll="r2")
    assert ("s3",) == host.state.rolls["r2"].threw
    check(host)


def test_whose_dice_they_are_is_checked() -> None:
    """Whoever threw their own has agreed to what comes of it, so that nobody may say it of them."""
    host = Host(players=3)
    opposed(host, each=True)
    host.do("s1", "roll.throw", roll="r1")
    log = host.log("s1")
    thrown = [event for event in log["events"] if event["kind"] == "roll.thrown"]
    thrown[1]["body"]["whose"] = "active"
    problems = verify_log(rechained(log)).problems
    assert [("altered dice", thrown[1]["seq"])] == [(one.what, one.seq) for one in problems]
