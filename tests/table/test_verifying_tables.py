"""Logs of the real table, as each seat takes them home: all true, for every game."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from vectors.devices import Device
from vectors.logs import Host as Signing

from rollwright.kit.games import find_game, own_games
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import Host, hashed

ROLLS = {
    "twilight2000": {"roll": "skill", "attribute": "B", "skill": "C"},
    "dust": {"roll": "roll", "pool": 5},
    "kleptonomicon": {"roll": "test", "modifier": 2},
    "edge20": {"roll": "check", "modifier": 5, "dc": 15},
    "ghostburn": {"roll": "roll", "ability": 3, "dl": "Hard"},
}


def finish(host, seat, **more):
    """Go on with the last roll until it is done: the last option each time."""
    roll = list(host.state.rolls.values())[-1]
    for step in range(60):
        host.answer()
        if not roll.is_open:
            return roll
        nonce = hashed(f"{roll.id} {step}")
        if roll.after["step"] == "throw":
            host.do(seat, "roll.throw", roll=roll.id, nonce=nonce)
            continue
        who = roll.after["by"][0]
        number = roll.after["count"] - 1
        chooser = "s1" if who == "referee" else who
        host.do(chooser, "roll.choose", roll=roll.id, number=number, nonce=nonce)
    raise AssertionError(f"{roll.id} does not end")


def an_evening(game):
    """Everybody rolls in every way, with witnesses."""
    host = Host(game, players=2, spectators=1, signed=True, witnesses=True)
    for seat in ("s2", "s3", "s1"):
        host.offer(seat, *[f"{seat} {n}" for n in range(8)])
    for seat in ("s2", "s3"):
        for visibility in ("open", "private", "blind", "hidden"):
            for announce in (True, False):
                way = {"expression": "2d6!+3"}
                if game:
                    way = {"request": {"game": game, **ROLLS[game]}}
                told = announce or visibility == "open"
                host.do(
                    seat, "roll.start", visibility=visibility, announce=told, note="because",
                    nonce=hashed(f"{seat} {visibility} {announce}"), **way,
                )  # fmt: skip
                finish(host, seat)
    host.do("s2", "chat.send", text="done", to="all")
    host.do("s2", "chat.send", text="psst", to=["s3"])
    return host


@pytest.fixture(scope="module", params=["", *own_games()])
def evening(request):
    """A table of a game after an evening."""
    return an_evening(request.param)


@pytest.mark.parametrize("seat", ["", "s1", "s2", "s3", "s4"])
def test_every_seats_copy_is_true(evening, seat):
    """Whoever takes the log home can check all that they may know, and that the rest stands."""
    report = verify_log(evening.log(seat))
    assert () == report.problems
    assert len(evening.events) == report.counts["events"]
    assert "true" == report.verdict
    if seat == "s1":
        assert report.counts["signatures"] > 30
        assert report.counts["witnessed throws"] > 0


def test_all_copies_have_one_head(evening):
    """What one seat noted holds the copies of all others."""
    heads = {verify_log(evening.log(seat)).head for seat in ("", "s1", "s2", "s3", "s4")}
    assert {evening.state.hash} == heads


def test_everything_revealed_is_replayed(evening):
    """After all secrets are out, everybody's copy proves every roll."""
    for roll in list(evening.state.rolls.values()):
        if roll.is_secret:
            evening.do("s1", "roll.reveal", roll=roll.id)
    report = verify_log(evening.log(""))
    assert () == report.problems
    assert len(evening.state.rolls) == report.counts["rolls replayed"]
    throws = [event for event in evening.events if event.body.get("how") == "fair"]
    assert len(throws) == report.counts["throws"]


def test_sheets_and_their_effects_are_true():
    """Pushed rolls that wound, changes by hand, undone ones: each begins where the last ended."""
    host = Host()
    host.do("s2", "sheet.create", values={"name": "Bo", "STR": "B", "recon": "B"})
    for number in range(6):
        host.do(
            "s2", "roll.start", sheet="s2", nonce=hashed(f"sheet {number}"),
            draft=drafted({"roll": "skill", "skill_name": "recon"}),
            visibility=("open", "blind", "private")[number % 3],
        )  # fmt: skip
        roll = finish(host, "s2")
    host.do("s2", "sheet.change", sheet="s2", values={"damage": 1})
    host.do("s1", "roll.undo", roll=roll.id)
    for seat in ("", "s1", "s2", "s3"):
        report = verify_log(host.log(seat))
        assert () == report.problems
    assert report.counts["sheet changes"] > 0


def test_a_forgotten_person_leaves_a_true_log():
    """Their words are gone, and are counted as erased."""
    host = Host()
    host.do("s2", "chat.send", text="my address is …", to="all")
    host.do("s2", "person.erase", seat="s2")
    report = verify_log(host.log("s1"))
    assert () == report.problems
    assert 2 == report.counts["erased texts"]


def test_typed_faces_and_steps_back_are_true():
    """Real dice, mistyped and taken back; a choice taken back; then dice of the table."""
    host = Host()
    request = {"game": "twilight2000", **ROLLS["twilight2000"]}
    host.do("s2", "roll.start", request=request, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[1, 2])
    host.do("s2", "roll.take_back", roll="r1")
    host.do("s2", "roll.enter", roll="r1", faces=[1, 3])
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.take_back", roll="r1")
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.throw", roll="r1", nonce=hashed("x"))
    report = verify_log(host.log("s3"))
    assert () == report.problems
    assert (2, 1) == (report.counts["typed throws"], report.counts["throws"])


@pytest.mark.parametrize("seat", ["", "s1", "s2", "s3"])
def test_a_throw_that_a_rule_hides_is_true_for_all(seat):
    """The referee rolls in secret for the passive side: open to all when the roll has ended."""
    host = Host()
    side = {"attribute": "B", "skill": "C"}
    request = {"game": "twilight2000", "roll": "opposed", "active": side, "passive": side}
    for number in range(8):
        nonce = hashed(f"hidden {number}")
        host.do("s2", "roll.start", request={**request, "secret": True}, nonce=nonce)
        report = verify_log(host.log(seat))
        assert () == report.problems
        if host.state.going and seat != "s1":
            assert 1 == report.counts["rolls with withheld parts"]
            break
        finish(host, "s2")
    finish(host, "s2")
    report = verify_log(host.log(seat))
    assert () == report.problems
    assert len(host.state.rolls) == report.counts["rolls replayed"]


@pytest.mark.parametrize("seat", ["s1", "s2", "s3", ""])
def test_a_hidden_throw_that_is_taken_back_is_true_for_all(seat):
    """Typed in unseen, after one thrown in sight: what is taken back is not the latter."""
    host = Host(players=3)
    side = {"attribute": "B", "skill": "C"}
    secret = {"roll": "opposed", "active": side, "passive": side, "secret": True}
    while not host.state.going:  # until the one in sight is good enough for the other to matter
        host.do("s1", "roll.start", request=secret, physical=True)
        roll = list(host.state.rolls)[-1]
        host.do("s1", "roll.throw", roll=roll)
        host.do("s1", "roll.enter", roll=roll, faces=[2, 3])
    host.do("s1", "roll.take_back", roll=roll)
    report = verify_log(host.log(seat))
    assert report.ok, report.problems


def test_somebody_who_was_removed_can_still_check_the_chain():
    """Their copy withholds nearly everything: what stands in the open is checked."""
    host = an_evening("")
    host.do("s1", "seat.remove", seat="s3")
    report = verify_log(host.log("s3"))
    assert () == report.problems
    assert (0, "partly") == (report.counts["throws"], report.verdict)
    assert report.counts["withheld events"] == report.open_counts["outside events"]
    host.do("s2", "roll.start", expression="1d6", nonce=hashed("on"))
    host.answer()
    assert () == verify_log(host.log("")).problems


def test_a_removed_seat_is_no_witness():
    """Its offers are left alone from then on, which is no fault."""
    host = Host("", witnesses=True)
    host.offer("s3", *[f"w {n}" for n in range(3)])
    host.do("s2", "roll.start", expression="1d6", nonce=hashed("1"))
    host.answer()
    host.do("s1", "seat.remove", seat="s3")
    host.do("s2", "roll.start", expression="1d6", nonce=hashed("2"))
    report = verify_log(host.log("s2"))
    assert () == report.problems
    assert (2, 1) == (report.counts["throws"], report.counts["witnessed throws"])


STORED = sorted((Path(__file__).parent.parent / "games").glob("*/transcripts/*.json"))


@pytest.mark.parametrize("game", own_games())
def test_every_kind_of_roll_of_a_game_is_true(game):
    """The requests of all stored rolls, rolled at the table to their end and checked."""
    requests = {}
    for path in STORED:
        request = json.loads(path.read_text("utf-8")).get("request", {})
        request.pop("house", None)  # at a table, those of the table hold
        if request.get("game") == game:
            requests.setdefault(request.get("roll"), []).append(request)
    assert set(find_game(game).requests) == set(requests)
    host = Host(game, signed=True, witnesses=True)
    host.offer("s3", *[f"stored {n}" for n in range(8)])
    for roll, listed in requests.items():
        for number, request in enumerate(listed[:2]):
            nonce = hashed(f"{roll} {number}")
            host.do("s2", "roll.start", request=request, nonce=nonce)
            finish(host, "s2")
    for seat in ("", "s1", "s2"):
        report = verify_log(host.log(seat))
        assert () == report.problems
        assert len(host.state.rolls) == report.counts["rolls replayed"]


def test_a_dropped_call_is_not_hidden_behind_a_secret():
    """What is not announced is called for in the lane of the table: it fills no gap of a device."""
    host = Host("", signed=True)
    host.command("s2", {"do": "roll.start", "expression": "1d20"})  # which the host drops
    host.do("s3", "roll.start", expression="1d6", visibility="hidden", announce=False)
    host.do("s3", "roll.start", expression="1d6", visibility="hidden")
    host.do("s2", "roll.start", expression="1d20")
    reports = [verify_log(host.log(seat)) for seat in ("s1", "s2", "")]
    assert [1, 1, 1] == [report.counts["calls never answered"] for report in reports]


def test_a_secret_that_was_revealed_is_made_again_in_secret():
    """By the lane of the table: that of a device would name who rolled."""
    host = Host("", signed=True)
    host.do("s2", "roll.start", expression="1d6", visibility="blind", announce=False)
    roll = host.latest("roll")
    host.do("s1", "roll.reveal", roll=roll)
    made = host.do("s2", "roll.repeat", roll=roll)
    assert [["table"], []] == [[*event.open.get("slots", {})] for event in made]
    assert [()] * 4 == [verify_log(host.log(seat)).problems for seat in ("s1", "s2", "s3", "")]


def test_somebody_who_moved_and_was_removed_can_still_check_the_chain():
    """What they signed is of an epoch whose beginning is withheld from them, but for its hash."""
    host = Host("", signed=True)
    host.do("s2", "seat.move", token_hash=hashed("another"), key=Device("d4", "another").key)
    host.do("s1", "seat.remove", seat="s2")
    report = verify_log(host.log("s2"))
    assert ((), 1) == (report.problems, report.counts["signatures"])


def test_what_somebody_called_for_as_a_referee_is_theirs_when_they_are_none_any_more():
    """The dice waited for a witness meanwhile, and fall by that call."""
    host = Signing(witnesses=True)
    host.join("Di")
    host.do("s1", "seat.change_role", seat="s4", role="referee")
    host.roll("s2", "1d20")
    host.offer("s3", "w1")
    host.do("s4", "roll.repeat", roll="r1")
    host.do("s1", "seat.change_role", seat="s4", role="player")
    host.open("s3", "w1")
    assert ("s4", "roll.thrown") == (host.events[-1].body["by"], host.events[-1].kind)
    for seat in ("", "s1", "s2"):
        assert () == verify_log(host.log(seat)).problems


def test_a_first_key_that_nobody_signed_in_is_told():
    """Whoever came without one may bring it later, but so may a host in their name."""
    host = Host(signed=True)
    host.is_signed = False
    host.join("player", "late")
    key = Device("d4", "at last").key
    host.do("s4", "seat.move", seat="s4", token_hash=hashed("at last"), key=key)
    report = verify_log(host.log("s1"))
    assert ((), 1) == (report.problems, report.counts["keys replaced unsigned"])


def test_a_name_is_believed_of_whoever_was_forgotten_since():
    """No copy has it any more, and nobody can tell whether it was theirs."""
    host = Host("edge20", signed=True)
    host.do("s3", "sheet.create", values={})
    host.do("s2", "roll.start", request={"roll": "check", "dc": 10, "target": "player 1"})
    assert "@s3" == host.state.rolls["r1"].what["request"]["target"]
    host.do("s3", "person.erase", seat="s3")
    assert () == verify_log(host.log("s1")).problems


def test_a_name_is_not_believed_of_whoever_had_none_any_more():
    """Whoever was forgotten before is called by no name that somebody could type."""
    host = Host("edge20", signed=True)
    host.do("s3", "sheet.create", values={})
    host.do("s3", "person.erase", seat="s3")
    with patch("rollwright.table.mentions._NameResolver._resolve_name", lambda *_: "@s3"):
        host.do("s2", "roll.start", request={"roll": "check", "dc": 10, "target": "player 1"})
    seq = next(one.seq for one in host.events if one.kind == "roll.started")
    found = [(one.seq, one.what) for one in verify_log(host.log("s1")).problems]
    assert [(seq, "forged act")] == found
