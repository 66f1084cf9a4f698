"""Logs as files: taken home by a seat, told from rolls, and brought to another host."""

import copy
import json

import pytest

from rollwright import __version__
from rollwright.table import Refusal, TableState, placed, seen
from rollwright.table.fairness import next_commitment
from rollwright.table.importing import import_log
from rollwright.table.logs import export, is_log
from rollwright.table.verifying import verify_log
from tests.table.tables import Host, hashed
from tests.table.test_verifying_tables import an_evening, finish

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
SIDE = {"attribute": "B", "skill": "C"}
OPPOSED = {"game": "twilight2000", "roll": "opposed", "active": SIDE, "passive": SIDE}


@pytest.fixture(scope="module")
def plain_evening():
    """A table after an evening, with secret rolls, words and sheets."""
    host = an_evening("twilight2000")
    host.do("s2", "sheet.make", values={"name": "Bo", "STR": "B", "recon": "B"})
    host.do("s1", "sheet.make", sheet="npc", values={"name": "Wolf"}, shown=False)
    host.do("s1", "sheet.change", sheet="n1", values={"damage": 1})
    return host


@pytest.fixture(scope="module")
def evening():
    """A longer one, with every kind of secret; one hidden throw still lies there."""
    host = an_evening("twilight2000")
    host.do("s2", "sheet.make", values={"name": "Bo", "STR": "B", "recon": "B"})
    host.do("s1", "ask.make", who=["s2"], request=SKILL, visibility="private", note="look")
    host.do("s2", "roll.start", ask="a1", nonce=hashed("asked"))
    finish(host, "s2")
    host.do("s1", "ask.make", who=["s3"], request=SKILL, visibility="hidden", announce=False)
    host.do("s1", "ask.close", ask="a2")
    for number, visibility in enumerate(["blind", "private", "open", "blind", "private", "blind"]):
        host.do(
            "s2", "roll.start", sheet="s2", nonce=hashed(f"sheet {number}"), visibility=visibility,
            from_sheet={"roll": "skill", "skill_name": "recon"},
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
    assert (1, __version__, "abcdefgh2345", "s2") == tuple(log.values())[:4]
    assert len(evening.events) == len(log["events"])
    assert "everybody" == export("abcdefgh2345", [])["for"]


def test_a_log_survives_the_way_through_json(evening):
    """What is true stays true, however it is written down."""
    log = evening.log("s1")
    assert verify_log(json.loads(json.dumps(log))).ok
    assert verify_log(json.loads(json.dumps(log, indent=2, ensure_ascii=False))).ok


def test_a_log_is_told_from_a_roll():
    """By its events."""
    assert is_log({"format": 1, "events": []})
    assert not is_log({"format": 1, "rule": "a:b", "answers": []})
    assert not is_log([])


def shown_more(host, seat):
    """What somebody sees after a seat's copy was imported that they could not see before."""
    imported = import_log(host.log(seat))
    state = TableState.of(imported.events)
    more = []
    for viewer in ("", "s1", "s2", "s3", "s4"):
        here = [seen(event, state.seats.get(viewer), state) for event in imported.events]
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
    with pytest.raises(Refusal, match="the referee's copy would do"):
        import_log(evening.log(seat))


def test_an_imported_log_shows_its_owner_the_same(evening):
    """The referee's copy shows the referee what it showed before, and everybody what is open."""
    imported = import_log(evening.log("s1"))
    state = TableState.of(imported.events)
    here = [seen(event, state.seats["s1"], state) for event in imported.events]
    assert evening.seen("s1") == here
    everybody = [seen(event, None, state) for event in imported.events]
    assert evening.seen("") == everybody


def test_what_is_withheld_stays_withheld(plain_evening):
    """From everybody, the referee included; its place in the chain is kept."""
    imported = import_log(plain_evening.log(""))
    secret = [event for event in imported.events if not event.body]
    assert secret
    assert {()} == {event.audience for event in secret}
    state = TableState.of(imported.events)
    for event in secret:
        assert "body" not in seen(event, state.seats["s1"], state)


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
    host.nonces.clear()
    host.events = list(imported.events)
    host.state = TableState.of(imported.events)
    event = placed(
        imported.rebased(next_commitment(host.secret, imported.number)),
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
    before = evening.state.number
    for number in range(3):
        host.do("s2", "roll.start", request=SKILL, nonce=hashed(f"moved {number}"))
        finish(host, "s2")
    assert host.state.number > before
    for seat in ("", "s1", "s2", "s3", "s4"):
        report = verify_log(host.log(seat))
        assert () == report.problems
        assert 1 == report.counts["imports"]


def test_an_untrue_log_is_refused_with_its_first_problem(evening):
    """Nothing of it is stored, and it is said why."""
    log = copy.deepcopy(evening.log("s1"))
    thrown = next(e for e in log["events"] if e["kind"] == "roll.thrown" and "body" in e)
    thrown["body"]["faces"][0] = thrown["body"]["faces"][0] % 8 + 1
    with pytest.raises(Refusal, match=r"this log is not true: event .*: altered face") as caught:
        import_log(log)
    assert "bad_request" == caught.value.code


@pytest.mark.parametrize("plain", [None, {}, [], {"format": 1, "table": "t", "events": [{}]}])
def test_what_is_no_log_is_refused(plain):
    """Any JSON that is none."""
    with pytest.raises(Refusal, match="this log is not true"):
        import_log(plain)
