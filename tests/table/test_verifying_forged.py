"""A host that writes wrong events from the start, with hashes that all fit: the rules tell."""

import copy

import pytest

from rollwright.table import LIMITS, CodedError
from rollwright.table.imports import import_log
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import SOLDIER, Host, hashed
from tests.table.test_verifying import of_kind
from tests.table.written_logs import rechained

DRIVER = {"name": "Mara", "stats": [{"name": "Drive", "rating": 4}], "adrenaline": 2}
ROLL = {"roll": "roll", "pool": 8}


def until_doubles(host, **more):
    """Roll until the sheet of s2 gains something by it; the roll."""
    for number in range(40):
        before = len(host.state.changes)
        host.do("s2", "roll.start", request=ROLL, nonce=hashed(f"forged {number}"), **more)
        name = host.latest("roll")
        if len(host.state.changes) > before or host.state.rolls[name].waits:
            return name
    raise AssertionError("no doubles in forty rolls")


def a_drive():
    """A chase: a roll that changes the driver's sheet, one from the sheet, changes by hand."""
    host = Host("dust", players=2)
    host.do("s2", "sheet.create", values=DRIVER)
    until_doubles(host)
    skill = {"roll": "roll", "attribute": "Drive", "ability": "Drive"}
    host.do("s2", "roll.start", draft=drafted(skill), nonce=hashed("skill"))
    host.do("s2", "sheet.change", sheet="s2", values={"adrenaline": 1})
    host.do("s1", "session.end")
    host.do("s1", "roll.undo", roll=f"r{host.state.rolled - 1}")
    return host


DRIVE = a_drive().log("s3")


def last(log, kind):
    """The last event of a kind."""
    return of_kind(log, kind, -1)


def put_in(log, kind, **body):
    """An event in the middle of the log."""
    event = copy.deepcopy(log["events"][5])
    log["events"].insert(5, event | {"kind": kind, "open": {}, "texts": {}, "body": body})


def changed_by(log, cause):
    """The change of a sheet with that cause."""
    changes = [event for event in log["events"] if event["kind"] == "sheet.changed"]
    return next(event for event in changes if cause in event["body"]["cause"])


def other_value(log):
    """What a roll did to a sheet, with another value."""
    for both in changed_by(log, "roll")["body"]["changes"].values():
        both["after"] = 0


def no_change(log):
    """What a roll did to a sheet, left out."""
    log["events"].remove(changed_by(log, "roll"))


def another_sheet(log):
    """What a roll did, done to somebody else."""
    changed_by(log, "roll")["body"]["sheet"] = "s3"


def other_effects(log):
    """A change with other effects behind it."""
    changed_by(log, "roll")["body"]["cause"]["effects"] = []


def changed_twice(log):
    """What a roll did to a sheet, and once more."""
    event = changed_by(log, "roll")
    again = copy.deepcopy(event)
    for both in again["body"]["changes"].values():
        both |= {"before": both["after"], "after": 9}
    log["events"].insert(log["events"].index(event) + 1, again)


def another_undo(log):
    """A change that is taken back only halfway."""
    for both in changed_by(log, "undo")["body"]["changes"].values():
        both["after"] = 7


def no_undo(log):
    """A roll that was undone, though its change stays."""
    log["events"].remove(changed_by(log, "undo"))


def undone_by_a_player(log):
    """A roll undone by somebody who is no referee."""
    last(log, "roll.undone")["body"]["by"] = "s3"


def better_skill(log):
    """Rolled with more dice than the sheet has."""
    last(log, "roll.started")["body"]["draft"]["pick"]["spend"] = 1


def other_house(log):
    """House rules that a roll was not made by."""
    of_kind(log, "table.created")["body"]["house"] = {"pool_cap": 3}


def house_by_a_player(log):
    """A player changes the house rules, to what they are."""
    put_in(log, "table.changed", by="s2", house={})


def self_made_referee(log):
    """A player makes themself a referee."""
    put_in(log, "seat.role_changed", by="s2", seat="s2", role="referee")


def stranger(log):
    """Somebody who never came says something."""
    put_in(log, "chat.sent", by="s99", to="all", text=None)


def second_arrival(log):
    """Somebody comes who is there."""
    put_in(log, "seat.joined", by="s3", seat="s3", role="referee", name=None, status="here")


def after_leaving(log):
    """Somebody who has left says something."""
    put_in(log, "chat.sent", by="s3", to="all", text=None)
    put_in(log, "seat.removed", by="s1", seat="s3")


def sheet_of_another(log):
    """A player changes somebody else's sheet by hand."""
    changed_by(log, "hand")["body"]["by"] = "s3"


def thrown_by_another(log):
    """A throw of somebody who has no part in the roll."""
    last(log, "roll.thrown")["body"]["by"] = "s3"


def rolled_by_another(log):
    """A roll said to be somebody else's."""
    of_kind(log, "roll.started")["body"]["by"] = "s3"


def typed(log):
    """A fair throw said to have been typed in."""
    event = last(log, "roll.thrown")
    event["body"] |= {"how": "typed", "fair": None}
    event["open"] = {}


def withheld_throw(log):
    """An open throw that is kept from this copy."""
    event = of_kind(log, "roll.thrown")
    for part in ("body", "salt", "texts"):
        event.pop(part)


def withheld_house(log):
    """A change of the table that is kept from this copy."""
    put_in(log, "table.changed", by="s1", house={})
    for part in ("body", "salt", "texts"):
        log["events"][5].pop(part)


def other_fields(log):
    """Fields that a page shows, unlike the outcome."""
    last(log, "roll.thrown")["body"]["after"]["fields"] = {}


def told_otherwise(log):
    """An effect that is said to have changed nothing."""
    roll = changed_by(log, "roll")["body"]["cause"]["roll"]
    thrown = [e for e in log["events"] if e["kind"] == "roll.thrown" and e["body"]["roll"] == roll]
    for effect in thrown[-1]["body"]["after"]["effects"]:
        effect["applied"] = not effect["applied"]


def changed_in_secret(log):
    """At the end, something on a sheet that all may see is changed where only some see it."""
    changes = {"name": {"before": DRIVER["name"], "after": "Another"}}
    cause = {"hand": True, "why": None}
    body = {"by": "s1", "kind": "sheet.changed", "sheet": "s2", "changes": changes, "cause": cause}
    last = copy.deepcopy(log["events"][-1])
    log["events"].append(last | {"kind": "sealed", "open": {}, "texts": {}, "body": body})


FORGED = {
    other_value: "altered sheet",
    no_change: "dropped event",
    another_sheet: "dropped event",
    other_effects: "altered sheet",
    changed_twice: "forged event",
    another_undo: "altered sheet",
    no_undo: "dropped event",
    changed_in_secret: "forged event",
    undone_by_a_player: "forbidden act",
    better_skill: "altered request",
    other_house: "altered request",
    house_by_a_player: "forbidden act",
    self_made_referee: "forbidden act",
    stranger: "forbidden act",
    second_arrival: "forbidden act",
    after_leaving: "forbidden act",
    sheet_of_another: "forbidden act",
    thrown_by_another: "forbidden act",
    rolled_by_another: "forbidden act",
    typed: "unproven throw",
    withheld_throw: "withheld event",
    withheld_house: "withheld event",
    other_fields: "altered outcome",
    told_otherwise: "altered outcome",
}


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_what_could_not_happen_is_named(forge):
    """The log is true; with one thing written otherwise, and all hashes anew, it is not."""
    log = copy.deepcopy(DRIVE)
    assert () == verify_log(log).problems
    forge(log)
    assert FORGED[forge] in [problem.what for problem in verify_log(rechained(log)).problems]


def test_a_sheet_that_was_changed_in_secret_is_not_imported():
    """Its next open change would show everybody what it was changed to."""
    log = a_drive().log("s1")
    assert import_log(copy.deepcopy(log)).table == log["table"]
    changed_in_secret(log)
    with pytest.raises(CodedError, match="not what was done to it"):
        import_log(rechained(log))


def secretly(visibility, **more):
    """A table at which a secret roll is to change a sheet that all may see."""
    host = Host("dust", players=2)
    host.do("s2", "sheet.create", values=DRIVER)
    return host, until_doubles(host, visibility=visibility, **more)


def all_true(host):
    """Whether every seat finds its copy true."""
    return [() for _ in ("", *host.state.seats)] == [
        verify_log(host.log(seat)).problems for seat in ("", *host.state.seats)
    ]


@pytest.mark.parametrize("announce", [True, False])
@pytest.mark.parametrize("visibility", ["private", "blind", "hidden"])
def test_what_a_secret_roll_does_follows_when_it_is_shown(visibility, announce):
    """It is due then, on the sheet as it is at that moment; left out or altered, it is missed."""
    host, name = secretly(visibility, announce=announce)
    host.do("s2", "sheet.change", sheet="s2", values={"adrenaline": 4})
    assert all_true(host)
    host.do("s1", "roll.reveal", roll=name)
    assert all_true(host)
    assert ["roll.revealed", "sheet.changed"] == host.kinds(host.events[-2:])
    for forge, named in ((no_change, "dropped event"), (other_value, "altered sheet")):
        log = host.log("s3")
        forge(log)
        assert [named] == [problem.what for problem in verify_log(rechained(log)).problems]


def test_what_a_secret_roll_does_may_be_shown_alone():
    """Those who see the roll can check it; the others see a change of a roll they do not know."""
    host, name = secretly("private")
    host.do("s2", "roll.apply", roll=name)
    assert all_true(host)
    log = host.log("s2")
    no_change(log)
    assert ["dropped event"] == [problem.what for problem in verify_log(rechained(log)).problems]


def test_sheets_that_are_hidden_from_us():
    """An enemy's wounds, renewals and rolls from its sheet: true for all, whoever may see them."""
    host = Host("dust", players=1)
    host.do("s2", "sheet.create", values=DRIVER)
    host.do("s1", "sheet.create", sheet="npc", values=DRIVER)
    hidden = host.latest("sheet")
    host.do("s1", "sheet.create", sheet="npc", shown=True, values=DRIVER)
    for number, sheet in enumerate((hidden, "n1", hidden)):
        skill = {"roll": "roll", "attribute": "Drive", "ability": "Drive"}
        visibility = ("open", "hidden", "private")[number]
        for turn in range(6):
            host.do(
                "s1", "roll.start", draft=drafted(skill), sheet=sheet, visibility=visibility,
                nonce=hashed(f"{sheet} {number} {turn}"),
            )  # fmt: skip
    host.do("s1", "session.end")
    host.do("s1", "sheet.change", sheet=hidden, values={"adrenaline": 0})
    for roll in list(host.state.rolls.values()):
        if roll.is_secret:
            host.do("s1", "roll.reveal", roll=roll.id)
        if roll.changes:
            host.do("s1", "roll.undo", roll=roll.id)
    assert all_true(host)


def test_everything_that_people_may_do_is_true():
    """At the door and away, made a referee, forgotten, with other house rules, thrown again."""
    host = Host(players=2, spectators=1, knock=True)
    host.do("s1", "seat.admit", seat="s2")
    host.do("s3", "seat.rename", name="Cy")
    host.do("s1", "seat.admit", seat="s3")
    host.do("s4", "person.erase")
    host.do("s1", "seat.refuse", seat="s4")
    host.do("s2", "sheet.create", values=SOLDIER)
    request = {"roll": "skill", "attribute": "B", "skill": "C"}
    host.do("s2", "roll.start", request=request, physical=True)
    host.do("s2", "roll.start", draft=drafted({"skill_name": "recon"}), physical=True)
    host.do("s1", "table.change", house={"push_with_nothing": True})
    host.do("s1", "roll.repeat", roll="r1")
    host.do("s1", "roll.repeat", roll="r2")
    host.do("s1", "seat.change_role", seat="s3", role="referee")
    host.do(
        "s3",
        "roll_request.create",
        who=["s2"],
        request=request,
        visibility="private",
        announce=False,
    )
    host.do("s2", "roll.start", ask=host.latest("ask"), nonce=hashed("ask"))
    host.do("s3", "seat.change_role", seat="s2", role="spectator")
    host.do("s3", "roll.repeat", roll="r1", nonce=hashed("again"))
    host.do("s1", "seat.remove", seat="s2")
    host.do("s3", "person.erase", seat="s2")
    assert all_true(host)


def test_a_roll_that_became_too_long_may_be_typed_on():
    """Where the table waits in between, real dice may go on."""
    host = Host("")
    host.do("s2", "roll.start", expression="; ".join(["1d6"] * (LIMITS.throws + 2)))
    host.do("s2", "roll.enter", roll="r1", faces=[6])
    assert all_true(host)


def test_the_verdict_is_told_and_not_compared():
    """Whether a roll went well follows the usual goal, which may change: no log is false by it."""
    log = copy.deepcopy(DRIVE)
    after = last(log, "roll.thrown")["body"]["after"]
    after["good"] = not after["good"]
    assert () == verify_log(rechained(log)).problems


def asked():
    """Somebody asks two for a roll, who answer and close it, and one for one that binds."""
    host = Host(players=3)
    host.do("s1", "roll_request.create", who=["s2", "s3"], expression="2d6")
    host.do("s2", "roll.start", ask="a1")
    host.do("s3", "roll_request.close", ask="a1")
    skill = {"roll": "skill", "set": {"attribute": "B"}}
    host.do(
        "s1", "roll_request.create", who=["s2"], draft=skill, policy="never", visibility="private"
    )
    host.do("s2", "roll.start", ask=host.latest("ask"))
    host.do("s1", "roll_request.create", who="all", expression="1d6")
    host.do("s4", "roll.start", ask="a2")
    host.do("s1", "roll_request.close", ask="a2")
    return host


@pytest.mark.parametrize("seat", ["s1", "s2", "s3", "s4"])
def test_what_was_asked_for_is_true(seat):
    """As everybody sees it, also those from whom some of it is withheld."""
    assert () == verify_log(asked().log(seat)).problems


def test_a_silent_ask_that_several_answer_is_true_for_all():
    """Whoever did not see the answers of the others sees it closed by one of them."""
    host = Host(players=3)
    three = ["s2", "s3", "s4"]
    host.do(
        "s1",
        "roll_request.create",
        who=three,
        expression="1d6",
        visibility="private",
        announce=False,
    )
    ask = host.latest("ask")
    for seat in three:
        host.do(seat, "roll.start", ask=ask)
    for seat in host.state.seats:
        assert () == verify_log(host.log(seat)).problems


@pytest.mark.parametrize(
    ("kind", "place", "forged", "seqs"),
    [
        ("roll.started", 0, {"ask": "a9"}, 2),  # which there never was
        ("roll.started", 1, {"policy": "ask"}, 1),
        ("roll.started", 1, {"bound": False}, 1),
        ("roll.started", 2, {"announce": False}, 1),
        (
            "roll_request.answered",
            0,
            {"seat": "s3"},
            2,
        ),  # so that s2 has not, and s3 could not close it
        ("roll_request.answered", 1, {"roll": "r1"}, 1),
        ("roll_request.closed", 0, {"by": "s4"}, 1),
        ("roll_request.closed", 2, {"by": "s4"}, 1),  # one for everybody is a referee's to close
    ],
)
def test_a_forged_answer_to_an_ask_is_told(kind, place, forged, seqs):
    """Who answers and closes, with which roll, and how it is played, is as was asked for."""
    log = copy.deepcopy(asked().log("s1"))
    of_kind(log, kind, place)["body"].update(forged)
    assert seqs == len({problem.seq for problem in verify_log(rechained(log)).problems})


def test_a_truth_is_no_number():
    """A log that says 1 where an event says true is not what a host writes."""
    host = Host()
    sides = {"roll": "opposed", "active": {"attribute": "B"}, "passive": {"attribute": "C"}}
    host.do("s2", "roll.start", request=sides, roles={"passive": "s3"}, each=True)
    log = copy.deepcopy(host.log("s1"))
    of_kind(log, "roll.started")["body"]["each"] = 1
    assert "malformed event" in [one.what for one in verify_log(rechained(log)).problems]
