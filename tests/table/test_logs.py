"""Logs as files: taken home by a seat, told from rolls, and brought to another host."""

import copy
import json

import pytest

from rollwright import __version__
from rollwright.table import CodedError, Decision, TableLimits, TableState, place_event, view_event
from rollwright.table.events import EventDraft, export, is_log
from rollwright.table.imports import check_handover, import_log
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table import tables
from tests.table.tables import Host, hashed
from tests.table.test_verifying import of_kind
from tests.table.test_verifying_tables import an_evening, finish
from tests.table.written_logs import rechained

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
SIDE = {"attribute": "B", "skill": "C"}
SHEET = {"sheet": "s1", "owner": "s1", "values": {}, "shown": True, "version": "1"}
OPPOSED = {"game": "twilight2000", "roll": "opposed", "active": SIDE, "passive": SIDE}


@pytest.fixture(scope="module")
def plain_evening():
    """A table after an evening, with secret rolls, words and sheets."""
    host = an_evening("twilight2000")
    host.do("s2", "sheet.create", values={"name": "Bo", "STR": "B", "recon": "B"})
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Wolf"}, shown=False)
    host.do("s1", "sheet.change", sheet=host.latest("sheet"), values={"damage": 1})
    return host


@pytest.fixture(scope="module")
def evening():
    """A longer one, with every kind of secret; one hidden throw still lies there."""
    host = an_evening("twilight2000")
    host.do("s2", "sheet.create", values={"name": "Bo", "STR": "B", "recon": "B"})
    host.do(
        "s1", "roll_request.create", who=["s2"], request=SKILL, visibility="private", note="look"
    )
    host.do("s2", "roll.start", ask=host.latest("ask"), nonce=hashed("asked"))
    finish(host, "s2")
    host.do(
        "s1", "roll_request.create", who=["s3"], request=SKILL, visibility="hidden", announce=False
    )
    host.do("s1", "roll_request.close", ask=host.latest("ask"))
    for number, visibility in enumerate(["blind", "private", "open", "blind", "private", "blind"]):
        host.do(
            "s2", "roll.start", sheet="s2", nonce=hashed(f"sheet {number}"), visibility=visibility,
            draft=drafted({"roll": "skill", "skill_name": "recon"}),
        )  # fmt: skip
        roll = finish(host, "s2")
    host.do("s1", "roll.undo", roll=roll.id)
    host.do("s1", "roll.reveal", roll="r3")
    for number in range(20):
        host.do("s2", "roll.start", request={**OPPOSED, "secret": True}, nonce=hashed(str(number)))
        if host.state.going:
            return host
    raise AssertionError("no roll lies open")


def test_a_log_says_whose_it_is(evening):
    """Format, version, table and seat stand in front."""
    log = export(evening.state.table, evening.seen("s2"), "s2")
    assert ["format", "rollwright", "table", "for", "events"] == list(log)
    assert (3, __version__, "abcdefgh2345", "s2") == tuple(log.values())[:4]
    assert len(evening.events) == len(log["events"])
    assert "everybody" == export("abcdefgh2345", [])["for"]


def test_a_log_survives_the_way_through_json(evening):
    """What is true stays true, however it is written down."""
    log = evening.log("s1")
    assert verify_log(json.loads(json.dumps(log))).ok
    assert verify_log(json.loads(json.dumps(log, indent=2, ensure_ascii=False))).ok


def test_a_log_is_told_from_a_roll():
    """By its events."""
    assert is_log({"format": 2, "events": []})
    assert not is_log({"format": 2, "rule": "a:b", "answers": []})
    assert not is_log([])


def shown_more(host, seat):
    """What somebody sees after a seat's copy was imported that they could not see before."""
    imported = import_log(host.log(seat))
    state = TableState.of(imported.events)
    more = []
    for viewer in ("", "s1", "s2", "s3", "s4"):
        here = [view_event(event, state.seats.get(viewer), state) for event in imported.events]
        both = zip(here, host.seen(viewer), strict=True)
        more += [(viewer, new["seq"]) for new, old in both if "body" in new and "body" not in old]
    return more


@pytest.mark.parametrize("seat", ["", "s1", "s2", "s3", "s4"])
def test_an_imported_log_shows_nobody_more(plain_evening, seat):
    """Whoever brings a copy: nobody sees an event there that they could not see before."""
    assert [] == shown_more(plain_evening, seat)


def test_no_kind_of_secret_is_let_out(evening):
    """The referee's copy of rolls, asks, sheets, effects, and of a throw that a rule hides."""
    assert [] == shown_more(evening, "s1")


@pytest.mark.parametrize("seat", ["", "s2", "s3"])
def test_a_copy_that_shows_too_little_is_refused(evening, seat):
    """With an open roll half in the dark, or answers to an ask that is not there."""
    with pytest.raises(CodedError, match="the referee's copy would do"):
        import_log(evening.log(seat))


def test_an_imported_log_shows_its_owner_the_same(evening):
    """The referee's copy shows the referee what it showed before, and everybody what is open."""
    imported = import_log(evening.log("s1"))
    state = TableState.of(imported.events)
    here = [view_event(event, state.seats["s1"], state) for event in imported.events]
    assert evening.seen("s1") == here
    everybody = [view_event(event, None, state) for event in imported.events]
    assert evening.seen("") == everybody


def test_what_is_withheld_stays_withheld(plain_evening):
    """From everybody, the referee included; its place in the chain is kept."""
    imported = import_log(plain_evening.log(""))
    secret = [event for event in imported.events if not event.body]
    assert secret
    assert {()} == {event.audience for event in secret}
    state = TableState.of(imported.events)
    for event in secret:
        assert "body" not in view_event(event, state.seats["s1"], state)


def test_texts_keep_their_owners(evening):
    """So that somebody can still be forgotten after the move."""
    imported = import_log(evening.log("s1"))
    owners = {ref: text.seat for event in imported.events for ref, text in event.texts.items()}
    held = {ref: text.seat for event in evening.events for ref, text in event.texts.items()}
    assert owners == {ref: seat for ref, seat in held.items() if ref in owners}


def moved(evening, seat="s1"):
    """The table on another host, with its own secret."""
    imported = import_log(evening.log(seat))
    host = Host(seed="another")
    host.devices = dict(evening.devices)
    host.events = list(imported.events)
    host.state = TableState.of(imported.events)
    event = place_event(
        imported.rebase_event(host.secret, by="s1"),
        before=host.state.hash,
        seq=host.state.head + 1,
        at=host.events[-1].at,
        salt="00" * 32,
    )
    host.state.apply(event)
    host.events.append(event)
    return host


def test_a_moved_table_is_gone_on_with(evening):
    """Rolls on the new host are proven by its own commitments; the whole log is true."""
    host = moved(evening)
    for number in range(3):
        host.do("s2", "roll.start", request=SKILL, nonce=hashed(f"moved {number}"))
        finish(host, "s2")
    for seat in ("", "s1", "s2", "s3", "s4"):
        report = verify_log(host.log(seat))
        assert () == report.problems
        assert 1 == report.counts["imports"]


def test_an_untrue_log_is_refused_with_its_first_problem(evening):
    """Nothing of it is stored, and it is said why."""
    log = copy.deepcopy(evening.log("s1"))
    thrown = next(e for e in log["events"] if e["kind"] == "roll.thrown" and "body" in e)
    thrown["body"]["faces"][0] = thrown["body"]["faces"][0] % 8 + 1
    with pytest.raises(CodedError, match=r"this log is not true: event .*: altered face") as caught:
        import_log(log)
    assert "bad_request" == caught.value.code


@pytest.mark.parametrize("plain", [None, {}, [], {"format": 2, "table": "t", "events": [{}]}])
def test_what_is_no_log_is_refused(plain):
    """Any JSON that is none."""
    with pytest.raises(CodedError, match="this log is not true"):
        import_log(plain)


@pytest.mark.parametrize("seat", ["", "s2", "s3", "s4"])
def test_only_a_referees_copy_hands_the_table_over(plain_evening, seat):
    """Nobody becomes referee by a log that they kept, also if they say it is the referee's."""
    log = plain_evening.log(seat)
    assert "handover" not in log
    for claimed in (log, {**log, "handover": hashed("guess")}):
        with pytest.raises(CodedError, match="not a referee's") as caught:
            check_handover(claimed, import_log(claimed))
        assert "forbidden" == caught.value.code
    with pytest.raises(CodedError, match="may see it, but it is not shown"):
        import_log({**log, "for": "s1"})


def test_a_referees_copy_hands_the_table_over(plain_evening):
    """It holds what the log commits to; after a move it is another one, and the old one is void."""
    log = plain_evening.log("s1")
    check_handover(log, import_log(log))
    host = moved(plain_evening)
    newer = host.log("s1")
    check_handover(newer, import_log(newer))
    with pytest.raises(CodedError, match="not a referee's"):
        check_handover({**newer, "handover": log["handover"]}, import_log(newer))
    assert "s1" == host.last["by"]


FAR = TableLimits(
    name=10**6, title=10**6, note=10**6, said=10**6, sheets=10**4, seats=10**3, asks=10**3
)


def spacious(**fields):
    """A table on a host that lets in what it likes."""
    return Host("twilight2000", players=1, limits=FAR, **fields)


def with_a_long_name():
    """Somebody with a name of 100 kB."""
    host = spacious()
    host.do("s2", "seat.rename", name="x" * 100_000)
    return host


def with_a_strange_sheet(**values):
    """A sheet with values that the game does not have."""
    host = spacious()
    body = {"by": "s1", "sheet": "s1", "owner": "s1", "values": values, "shown": True}
    body["version"] = "1"
    host.commit(Decision((EventDraft("sheet.created", body),)))
    return host


def with_a_strange_change():
    """A sheet that is good at first."""
    host = spacious()
    host.do("s2", "sheet.create", values={"name": "Bo"})
    changes = {"STR": {"before": "C", "after": "Z" * 50_000}}
    body = {"by": "s2", "sheet": "s2", "changes": changes, "cause": {"hand": True, "why": None}}
    host.commit(Decision((EventDraft("sheet.changed", body),)))
    return host


def with_many(do, count, **fields):
    """A table with too many of something."""
    host = spacious()
    for _ in range(count):
        host.do("s1", do, **fields)
    return host


def with_a_crowd():
    """More people than a table has seats."""
    host = spacious()
    for number in range(70):
        host.join("player", f"somebody {number}")
    return host


def with_house_rules():
    """House rules that the game does not have."""
    host = spacious()
    host.commit(Decision((EventDraft("table.changed", {"by": "s1", "house": {"nonsense": 1}}),)))
    return host


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (with_a_long_name, "event 4: name: 100000 characters came, at most 60 would do"),
        (lambda: with_a_strange_sheet(STR="Z"), "event 4: "),
        (lambda: with_a_strange_sheet(nonsense=1), "event 4: "),
        (lambda: with_a_strange_sheet(name="x" * 60_000), "event 4: values: "),
        (with_a_strange_change, "event 5: "),
        (with_house_rules, "event 4: "),
        (with_a_crowd, "event 66: 65 seats came, at most 64 would do"),
        (lambda: with_many("sheet.create", 201, sheet="npc"), "201 sheets came"),
        (lambda: with_many("roll_request.create", 41, who="all", expression="1d6"), "41 asks came"),
        (lambda: with_many("chat.send", 1, text="x" * 5000), "event 4: text: 5000 characters"),
        (lambda: with_many("table.change", 1, title="x" * 500), "event 4: title: 500 characters"),
    ],
)
def test_a_log_holds_no_more_than_commands_let_in(make, said):
    """A true log of a host that lets in too much is refused, and it is said where."""
    log = make().log("s1")
    assert () == verify_log(log).problems
    with pytest.raises(CodedError) as caught:
        import_log(log)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "field", "held"),
    [
        ("roll.started", "policy", "x" * 201),
        ("roll.started", "goal", "x" * 201),
        ("roll.started", "away", ["s9"] * 101),
        ("roll.started", "away", ["x" * 500]),
        ("roll.started", "title", "x" * 60_000),
        ("roll.started", "marks", "x" * 100_000),
        ("roll.thrown", "label", "x" * 60_000),
    ],
)
def test_what_a_roll_holds_is_bounded_too(kind, field, held):
    """Also what cannot be true or false: how choices are made, who is away, what is said of it."""
    host = Host()
    host.do("s2", "roll.start", request=OPPOSED, each=True, away=["s3"])
    log = host.log("s1")
    import_log(log)
    of_kind(log, kind)["body"][field] = held
    with pytest.raises(CodedError, match="event"):
        import_log(rechained(log))


def test_a_long_goal_goes_elsewhere_with_its_roll():
    """A goal may name many prices; a log with one is taken in as it was written."""
    host = Host()
    goal = "successes=1,ones=-1/10,damage=-1/20,reliability_loss=-1/30,stress=-1/40"
    host.do("s2", "roll.start", request=SKILL, goal=goal)
    assert len(goal) > 60
    assert import_log(host.log("s1")).events


@pytest.mark.parametrize("table", ["../../../x", "abc", "ABCDEFGH2345", "abcdefgh2345x", "a" * 60])
def test_a_table_of_another_name_is_refused(monkeypatch, table):
    """Ids of tables stand in addresses and in names of files."""
    monkeypatch.setattr(tables, "TABLE", table)
    log = Host().log("s1")
    assert (table, True) == (log["table"], verify_log(log).ok)
    with pytest.raises(CodedError, match="is no id of a table"):
        import_log(log)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("sheet.created", {**SHEET, "sheet": "../x"}),
        ("sheet.created", {**SHEET, "owner": "x" * 5000}),
        ("sheet.created", {**SHEET, "version": "x" * 5000}),
        ("sheet.created", {**SHEET, "version": 1}),
        ("seat.role_changed", {"seat": "s2", "role": "emperor"}),
        ("seat.styled", {"seat": "s2", "look": {"colour": "x", "symbol": "", "dice": ""}}),
        ("table.changed", {"knock": "yes"}),
        ("table.changed", {"lists": ["x" * 70_000]}),
        ("link.changed", {"role": "emperor"}),
    ],
)
def test_a_log_holds_only_what_commands_write(kind, body):
    """Words, ids and values that no command would have written."""
    host = spacious()
    host.commit(Decision((EventDraft(kind, {"by": "s1", **body}),)))
    with pytest.raises(CodedError):
        import_log(host.log("s1"))
