"""Tests of secrecy: what reaches whom, when it opens, and that nothing else gives it away."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rollwright.budget import Budget
from rollwright.dice import D6
from rollwright.engine.steps import Call
from rollwright.engine.transcript import Transcript
from rollwright.kit import Game, Request, add_game, field
from rollwright.kit.card import Card
from rollwright.kit.card.texts import say
from rollwright.kit.games import find_game
from rollwright.queries.form import marks
from rollwright.queries.kinds import FaceLabelsQuery
from rollwright.rules import choose, roll, rule
from rollwright.table import (
    CodedError,
    TableState,
    reopened_seqs,
    rule_seat_of,
    transcript_of,
    transcripts,
)
from rollwright.table.commands import roll_specs
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.hidden_games import GAME
from tests.table.tables import Host, forget_transcripts, hashed, soldiers

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
SEERS = {
    "open": {"s1", "s2", "s3", "s4", ""},
    "private": {"s1", "s2"},
    "blind": {"s1"},
    "hidden": {"s2"},
}
OPPOSED = {
    "roll": "opposed",
    "active": {"attribute": "B", "skill": "C"},
    "passive": {"attribute": "B", "skill": "C"},
    "secret": True,
}


def who_sees(host: Host, place: int = -1) -> set[str]:
    """The seats that see the body of an event."""
    return {seat for seat in (*host.state.seats, "") if "body" in host.seen(seat)[place]}


def closed(shown: dict[str, Any]) -> bool:
    """Whether an event gives away nothing but its open part."""
    return shown.keys() == {"seq", "at", "kind", "open", "digest", "hash"}


@pytest.mark.parametrize(
    ("visibility", "announce"),
    [(name, told) for name in SEERS for told in (True, False) if told or name != "open"],
)
def test_who_sees_a_roll(visibility: str, announce: bool) -> None:
    """Open, private, blind and hidden rolls reach exactly those they are for."""
    host = Host(spectators=1)
    host.do(
        "s2", "roll.start", request=SKILL, visibility=visibility, announce=announce,
        note="psst", nonce=hashed("n"),
    )  # fmt: skip
    for place in range(6, len(host.events) + 1):
        assert SEERS[visibility] == who_sees(host, place - 1)
    for seat in {"s1", "s2", "s3", "s4", ""} - SEERS[visibility]:
        assert all(closed(shown) for shown in host.seen(seat)[5:])
        assert "psst" not in json.dumps(host.seen(seat))


def test_an_announced_secret() -> None:
    """Others learn of an announced secret that it is rolled, by whom, and whom it waits for."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, visibility="private", physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    started, thrown = host.seen("s3")[-2:]
    assert ("roll.started", "roll.thrown") == (started["kind"], thrown["kind"])
    assert {
        "by": "s2",
        "roll": "r1",
        "visibility": "private",
        "after": {"step": "choice", "by": ["s2"]},
    } == thrown["open"]


def test_a_silent_secret() -> None:
    """Of a silent secret others see sealed events, and that a slot of the table was spent."""
    host = Host()
    host.do("s2", "roll.start", expression="1d20", visibility="hidden", announce=False)
    for shown in host.seen("s3")[-2:]:
        assert "sealed" == shown["kind"]
        assert shown["open"].keys() <= {"slots"}
        assert shown["open"].get("slots", {}).keys() <= {"table"}
    assert "roll.thrown" == host.seen("s2")[-1]["body"]["kind"]
    roll = host.latest("roll")
    assert "not_found" == host.refused("s3", "roll.reveal", roll=roll).code
    assert host.refused("s3", "roll.reveal", roll=roll).message == host.refused(
        "s3", "roll.reveal", roll="r7"
    ).message.replace("r7", roll)


def test_secret_open_rolls_in_a_snapshot() -> None:
    """A snapshot holds an open secret closed for others, and not at all if it is silent."""
    host = Host()
    for announce in (True, False):
        host.do(
            "s2", "roll.start", request=SKILL, visibility="private", announce=announce,
            physical=True,
        )  # fmt: skip
    assert ["r1"] == list(host.snapshot("s3")["rolls"])
    assert all(closed(shown) for shown in host.snapshot("s3")["rolls"]["r1"])
    assert ["r1", host.latest("roll")] == list(host.snapshot("s1")["rolls"])
    assert "attribute" not in json.dumps(host.snapshot("s3", recent=50))


def test_revealing() -> None:
    """A reveal opens everything of the roll to everybody, and names what has to be sent again."""
    host = Host(spectators=1)
    host.do("s2", "roll.start", request=SKILL, visibility="private", announce=False)
    roll = host.latest("roll")
    secret = [event.seq for event in host.events[5:]]
    events = host.do("s2", "roll.reveal", roll=roll)
    assert tuple(secret) == reopened_seqs(events, host.state)
    for place in secret:
        assert {"s1", "s2", "s3", "s4", ""} == who_sees(host, place - 1)
    assert "conflict" == host.refused("s1", "roll.reveal", roll=roll).code
    assert TableState.of(host.events) == host.state


@pytest.mark.parametrize(
    ("visibility", "who"),
    [("private", {"s1", "s2"}), ("hidden", {"s1", "s2"}), ("blind", {"s1"})],
)
def test_who_may_reveal(visibility: str, who: set[str]) -> None:
    """The roller reveals private and hidden rolls, a referee all, unseen ones too."""
    for seat in ("s1", "s2", "s3"):
        host = Host()
        host.do("s2", "roll.start", expression="1d6", visibility=visibility)
        if seat in who:
            host.do(seat, "roll.reveal", roll="r1")
            assert host.state.rolls["r1"].revealed
        else:
            assert "forbidden" == host.refused(seat, "roll.reveal", roll="r1").code


def test_an_open_roll_that_is_revealed_goes_on_openly() -> None:
    """What happens in a roll after its reveal is seen by everybody, under its own name."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, visibility="hidden", announce=False, physical=True)
    roll = host.latest("roll")
    host.do("s2", "roll.reveal", roll=roll)
    host.do("s2", "roll.enter", roll=roll, faces=[2, 3])
    assert ("roll.thrown", None) == (host.events[-1].kind, host.events[-1].audience)
    host.do("s2", "roll.choose", roll=roll, option="keep")
    assert {"s1", "s2", "s3", ""} == who_sees(host)


def test_blind_choices_are_the_referees() -> None:
    """In a blind roll the roller neither sees nor chooses anything."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, visibility="blind", physical=True)
    assert "referee" == host.events[-1].body["after"]["by"]
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    assert ["referee"] == host.events[-1].body["after"]["by"]
    assert "forbidden" == host.refused("s2", "roll.choose", roll="r1", number=0).code
    assert "forbidden" == host.refused("s2", "roll.throw", roll="r1").code
    with pytest.raises(CodedError, match="may not see"):
        rule_seat_of(host.state, "r1", "s2")
    assert "roller" == rule_seat_of(host.state, "r1", "s1")
    host.do("s1", "roll.choose", roll="r1", option="keep")


def test_a_hidden_roll_is_hidden_from_the_referee_too() -> None:
    """A referee neither chooses in a hidden roll nor enters faces, but can let it go."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, visibility="hidden", physical=True)
    assert "forbidden" == host.refused("s1", "roll.enter", roll="r1", faces=[1, 2]).code
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    assert "forbidden" == host.refused("s1", "roll.choose", roll="r1", number=0).code
    assert "forbidden" == host.refused("s1", "roll.take_back", roll="r1").code
    host.do("s1", "roll.cancel", roll="r1")


def pushed_in_secret(visibility: str, *, announce: bool = True) -> Host:
    """A roll of a soldier that ends with stress, which is to come on a sheet that all may see."""
    host = soldiers()
    ask = {"draft": drafted({"skill_name": "recon"}), "visibility": visibility, "physical": True}
    host.do("s2", "roll.start", **ask, announce=announce)
    roll = host.latest("roll")
    host.do("s2", "roll.enter", roll=roll, faces=[2, 3])
    chooser = "s1" if visibility == "blind" else "s2"
    host.do(chooser, "roll.choose", roll=roll, option="push")
    host.do(chooser, "roll.enter", roll=roll, faces=[1, 1])
    return host


def stress(host: Host) -> Any:
    """What everybody reads on the sheet."""
    (shown,) = {seen["sheets"][0]["values"].get("stress", 0) for seen in map(host.snapshot, SEATS)}
    return shown


SEATS = ("s1", "s2", "s3", "")


@pytest.mark.parametrize("announce", [True, False])
@pytest.mark.parametrize("visibility", ["private", "blind", "hidden"])
def test_what_a_secret_roll_does_to_a_sheet_waits(visibility: str, announce: bool) -> None:
    """Nothing on a sheet that others see tells of the roll until it is revealed."""
    host = pushed_in_secret(visibility, announce=announce)
    roll = host.latest("roll")
    assert "sheet.changed" not in [event.body.get("kind", event.kind) for event in host.events]
    assert host.last["after"]["waits"]
    assert [True] == [effect.get("waits") for effect in host.last["after"]["effects"]]
    assert (("s2",), 0) == (host.state.rolls[roll].waits, stress(host))
    host.do("s2", "sheet.change", sheet="s2", values={"stress": 3})
    assert {"before": 0, "after": 3} == host.last["changes"]["stress"]
    host.do("s1" if visibility == "blind" else "s2", "roll.reveal", roll=roll)
    assert ("sheet.changed", None) == (host.events[-1].kind, host.events[-1].audience)
    assert ((), 5) == (host.state.rolls[roll].waits, stress(host))
    host.do("s1", "roll.undo", roll=roll)
    assert 3 == stress(host)
    assert TableState.of(host.events) == host.state
    assert all(verify_log(host.log(seat)).ok for seat in SEATS[:3])


@pytest.mark.parametrize(("visibility", "who"), [("private", "s2"), ("blind", "s1")])
def test_putting_the_effects_of_a_secret_roll_on_the_sheet(visibility: str, who: str) -> None:
    """Whoever sees the roll may put its effects on the sheet; the roll itself stays secret."""
    host = pushed_in_secret(visibility)
    assert "forbidden" == host.refused("s3", "roll.apply", roll="r1").code
    if visibility == "blind":
        assert "forbidden" == host.refused("s2", "roll.apply", roll="r1").code
    host.do(who, "roll.apply", roll="r1")
    assert (2, True) == (stress(host), host.state.rolls["r1"].is_secret)
    assert SEERS[visibility] == who_sees(host, -2)
    assert "nothing of r1 waits" in host.refused(who, "roll.apply", roll="r1").message
    host.do("s1", "roll.reveal", roll="r1")
    assert ("roll.revealed", 2) == (host.events[-1].kind, stress(host))
    host.do("s1", "roll.undo", roll="r1")
    assert 0 == stress(host)
    assert all(verify_log(host.log(seat)).ok for seat in SEATS[:3])


def test_a_secret_roll_changes_a_sheet_that_only_its_seers_see() -> None:
    """The referee's own character behind the screen is changed at once, and nobody hears of it."""
    host = soldiers()
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Guard", "recon": "C"})
    guard = host.latest("sheet")
    ask = {"draft": drafted({"skill_name": "recon"}), "sheet": guard, "physical": True}
    host.do("s1", "roll.start", **ask, visibility="blind")
    host.do("s1", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s1", "roll.choose", roll="r1", option="push")
    host.do("s1", "roll.enter", roll="r1", faces=[1, 1])
    assert ("sealed", ("referee",)) == (host.events[-1].kind, host.events[-1].audience)
    assert 2 == host.state.sheets[guard].values["stress"]
    assert not host.state.rolls["r1"].waits
    assert "conflict" == host.refused("s1", "roll.apply", roll="r1").code


def test_who_chooses_is_not_told_what_changed_on_a_hidden_sheet() -> None:
    """A choice is refused when the sheet has changed; how is for those who may see the sheet."""
    host = soldiers()
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Guard", "recon": "C"})
    guard = host.latest("sheet")
    ask = {"draft": drafted({"skill_name": "recon"}), "sheet": guard, "physical": True}
    host.do("s1", "roll.start", **ask, roles={"roller": "s2"})
    host.do("s1", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s1", "sheet.change", sheet=guard, values={"recon": "A"})
    player, referee = (host.refused(seat, "roll.choose", roll="r1", option="keep") for seat in PAIR)
    assert "the sheet has changed since r1 began" == player.message
    assert "is A now" in referee.message


PAIR = ("s2", "s1")


def test_an_open_roll_does_not_say_why_a_hidden_sheet_cannot_bear_it() -> None:
    """The game's reason would tell what is on the sheet, so only the referee's sheet knows it."""
    host = Host(GAME.name, players=1)
    told = []
    for shown in (True, False):
        events = host.do("s1", "sheet.create", sheet="npc", values={"points": 8}, shown=shown)
        ask = {"request": {"roll": "stumble"}, "sheet": events[0].body["sheet"], "physical": True}
        roll = host.do("s1", "roll.start", **ask)[0].body["roll"]
        host.do("s1", "roll.enter", roll=roll, faces=[5])
        told.append(host.last["after"]["effects"][0])
    open_sheet, hidden = told
    assert "13" in say(open_sheet["why"])
    assert hidden["why"] == ["not_done.sheet"]
    assert verify_log(host.log("s2")).ok


@pytest.mark.parametrize("visibility", ["open", "private", "blind", "hidden"])
def test_a_secret_roll_leaves_nothing_where_all_tables_look(visibility: str) -> None:
    """What was rolled openly is known when it comes again, at any table; a secret is not."""
    host = soldiers()
    forget_transcripts()
    host.do("s1", "roll.start", expression="2d6", visibility=visibility)
    shared = len(transcripts.endings) + len(transcripts.ending_texts)
    assert (2 if visibility == "open" else 0) == shared


def test_what_somebody_rolls_is_remembered_for_nobody_else(monkeypatch: Any) -> None:
    """A request that the referee rolled is read anew for a player, and known to the referee."""
    host, read = soldiers(), []
    whole = roll_specs._of_request
    monkeypatch.setattr(roll_specs, "_of_request", lambda *came: read.append(1) or whole(*came))
    ask = {"request": {"roll": "skill", "attribute": "D", "skill": "D", "gear": "only here"}}
    counts = []
    for seat, visibility in (("s1", "hidden"), ("s1", "open"), ("s2", "open"), ("s3", "open")):
        host.do(seat, "roll.start", **ask, visibility=visibility, physical=True)
        counts.append(len(read))
    assert [1, 1, 2, 3] == counts


def test_an_open_roll_is_at_hand_for_itself_only() -> None:
    """An equal roll of somebody else, at this table or another, does not find it."""
    forget_transcripts()
    ask = {"request": {"roll": "skill", "attribute": "D", "skill": "D"}, "physical": True}
    host = soldiers()
    for seat in ("s1", "s2"):
        host.do(seat, "roll.start", **ask, visibility="hidden")
    one, other = host.state.rolls.values()
    assert 2 == len(transcripts.going)
    assert transcripts.live_transcript(host.state.table, one) is not transcripts.live_transcript(
        host.state.table, other
    )


def test_undoing_a_secret_roll_tells_nobody() -> None:
    """A secret roll that counts for nothing never reaches the sheet."""
    host = pushed_in_secret("private", announce=False)
    roll = host.latest("roll")
    host.do("s1", "roll.undo", roll=roll)
    assert {"s1", "s2"} == who_sees(host)
    assert closed(host.seen("s3")[-1])
    host.do("s1", "roll.reveal", roll=roll)
    assert ("roll.revealed", 0) == (host.events[-1].kind, stress(host))
    assert {"s1", "s2", "s3", ""} == who_sees(host, -2)


def test_one_of_many_silent_rolls() -> None:
    """A player who shows one roll that nobody heard of shows how many more there are."""
    host = Host()
    silent = []
    for _ in range(3):
        host.do("s2", "roll.start", expression="1d20", visibility="hidden", announce=False)
        silent.append(host.latest("roll"))
    host.do("s2", "roll.start", expression="1d20", visibility="hidden")
    host.do("s2", "roll.reveal", roll=silent[1])
    assert 2 == host.last["unshown"]
    host.do("s2", "roll.reveal", roll="r1")
    assert "unshown" not in host.last
    host.do("s1", "roll.start", expression="1d20", visibility="private", announce=False)
    host.do("s1", "roll.reveal", roll=host.latest("roll"))
    assert "unshown" not in host.last


def test_faces_that_do_not_fit_a_blind_roll() -> None:
    """How many dice explode is not told to a roller who may not see the roll."""
    host = Host()
    host.do("s2", "roll.start", expression="2d6!", visibility="blind", physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[6, 2])
    refused = host.refused("s2", "roll.enter", roll="r1", faces=[1, 1, 1])
    assert "these faces do not fit the dice" == refused.message
    assert "needs 1" in host.refused("s1", "roll.enter", roll="r1", faces=[1, 1, 1]).message


def test_a_throw_that_the_rule_hides() -> None:
    """The secret roll of a passive side is the referee's alone until the roll has ended."""
    host = Host()
    host.do("s2", "roll.start", request=OPPOSED, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    assert "referee" == host.last["after"]["by"]
    assert "forbidden" == host.refused("s2", "roll.enter", roll="r1", faces=[6, 7]).code
    assert "forbidden" == host.refused("s2", "roll.throw", roll="r1").code
    host.do("s1", "roll.enter", roll="r1", faces=[6, 7])
    assert {"s1"} == who_sees(host)
    assert {"step": "choice", "by": ["referee"]} == host.seen("s2")[-1]["open"]["after"]
    assert 2 == host.last["after"]["about"]["against"]
    veiled = host.events[-1].seq
    assert "forbidden" == host.refused("s2", "roll.choose", roll="r1", number=0).code
    events = host.do("s1", "roll.choose", roll="r1", option="keep")
    assert [veiled] == host.last["after"]["opened"] == list(reopened_seqs(events, host.state))
    assert {"s1", "s2", "s3", ""} == who_sees(host, veiled - 1)


def test_what_is_said_while_a_throw_is_hidden() -> None:
    """No event that others see says anything that follows from a hidden throw."""
    host = Host()
    host.do("s2", "roll.start", request=OPPOSED, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s1", "roll.enter", roll="r1", faces=[6, 7])
    host.do("s1", "roll.choose", roll="r1", option="push")
    assert "about" not in host.last["after"]
    host.do("s1", "roll.take_back", roll="r1")
    assert {"s1", "s2", "s3", ""} == who_sees(host)
    assert host.last["after"]["about"] is None
    assert "told" not in host.last["after"]


def test_a_hidden_throw_that_is_opened_by_giving_up() -> None:
    """A roll that is let go opens what its rule had hidden."""
    host = Host()
    host.do("s2", "roll.start", request=OPPOSED, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s1", "roll.enter", roll="r1", faces=[6, 7])
    veiled = host.events[-1].seq
    events = host.do("s2", "roll.cancel", roll="r1")
    assert (veiled,) == reopened_seqs(events, host.state)
    assert {"s1", "s2", "s3", ""} == who_sees(host, veiled - 1)


def test_a_reveal_leaves_the_rules_secrets() -> None:
    """Revealing an open roll does not open the throw that its rule still hides."""
    host = Host()
    host.do("s2", "roll.start", request=OPPOSED, physical=True, visibility="private")
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s1", "roll.enter", roll="r1", faces=[6, 7])
    veiled = host.events[-1].seq
    events = host.do("s2", "roll.reveal", roll="r1")
    assert veiled not in reopened_seqs(events, host.state)
    assert {"s1"} == who_sees(host, veiled - 1)


def test_choosing_without_having_seen() -> None:
    """Whoever must choose after a throw hidden from them is told so, without its faces."""
    host = Host(game=GAME.name)
    roles = {"keeper": "s3", "guesser": "s2"}
    host.do("s2", "roll.start", request={"roll": "guess"}, roles=roles)
    thrown, waits = host.events[-2:]
    assert ("roll.thrown", "roll.waiting") == (thrown.kind, waits.kind)
    assert ({"s3"}, {"s1", "s2", "s3", ""}) == (who_sees(host, -2), who_sees(host, -1))
    assert thrown.body["faces"][0] == thrown.body["after"]["about"]["value"]
    assert (["s2"], None) == (waits.body["after"]["by"], waits.body["after"]["about"])
    assert "guesser" == rule_seat_of(host.state, "r1", "s2")
    assert transcript_of(host.state, "r1")["answers"]
    host.do("s2", "roll.choose", roll="r1", option="high")
    assert "done" in str([event.body.get("after") for event in host.events[-2:]])
    assert {"s1", "s2", "s3", ""} == who_sees(host, thrown.seq - 1)
    assert TableState.of(host.events) == host.state
    assert verify_log(host.log("s1")).ok


def test_a_game_that_stumbles() -> None:
    """A mistake in a plugged-in game refuses the command, and never with a traceback."""
    host = Host(game=GAME.name)
    host.do("s2", "sheet.create", values={"name": "Bo", "points": 5})
    host.do("s2", "roll.start", request={"roll": "stumble"}, physical=True)
    refusal = host.refused("s2", "roll.enter", roll="r1", faces=[6])
    assert ("internal", True) == (refusal.code, "ZeroDivisionError" in refusal.message)
    host.do("s2", "roll.enter", roll="r1", faces=[4])
    done = host.events[-2].body["after"] if host.events[-1].kind == "sheet.changed" else (
        host.last["after"]
    )  # fmt: skip
    points, riddle = done["effects"]
    assert (True, False, True) == (points["applied"], riddle["applied"], "why" in riddle)
    assert 9 == host.state.sheets["s2"].values["points"]
    assert ("4", None) == (done["told"], done["good"])


def test_somebody_who_knocks_sees_nothing() -> None:
    """Outside the door one sees that one knocks, and nothing of what is going on."""
    host = Host(players=0, knock=True)
    host.do("s1", "chat.send", text="is this a secret?")
    host.join("player", "Bo")
    shown = host.seen("s2")
    assert [False, False, False, True] == ["body" in event for event in shown]
    view = host.snapshot("s2", recent=4)
    assert ["s2"] == [seat["seat"] for seat in view["seats"]]
    assert ([], [], {}) == (view["sheets"], view["asks"], view["rolls"])
    assert "secret" not in json.dumps(view)
    host.do("s1", "seat.admit", seat="s2")
    assert all("body" in event for event in host.seen("s2"))
    host.do("s1", "seat.remove", seat="s2")
    assert "secret" not in json.dumps(host.seen("s2"))


def test_what_is_said_to_some() -> None:
    """What is said to some reaches them and the speaker alone: no referee, no spectator."""
    host = Host(players=3, spectators=1)
    host.do("s2", "chat.send", text="to the cellar", to=["s3"])
    assert {"s2", "s3"} == who_sees(host)
    assert "cellar" not in json.dumps([host.seen(seat) for seat in ("s1", "s4", "s5", "")])
    host.do("s2", "chat.send", text="hello")
    assert {"s1", "s2", "s3", "s4", "s5", ""} == who_sees(host)


def test_a_new_referee_sees_what_referees_see() -> None:
    """The word referee in an audience means whoever is one when looking."""
    host = Host()
    host.do("s2", "roll.start", expression="1d6", visibility="blind")
    assert {"s1"} == who_sees(host)
    host.do("s1", "seat.change_role", seat="s3", role="referee")
    assert {"s1", "s3"} == who_sees(host, -2)
    host.do("s1", "seat.change_role", seat="s3", role="player")
    assert {"s1"} == who_sees(host, -3)


def test_asking() -> None:
    """A referee asks; each who is asked answers once, and the last answer closes the ask."""
    host = soldiers()
    ask = {"draft": drafted({"skill_name": "recon", "modifier": -1})}
    host.do("s1", "roll_request.create", who=["s2", "s3"], **ask, note="everybody: RECON -1")
    assert ("a1", ["s2", "s3"]) == (host.last["ask"], host.last["who"])
    events = host.do("s2", "roll.start", ask="a1", nonce=hashed("n"))
    assert "roll_request.answered" == events[-1].kind
    assert -1 == host.state.rolls["r1"].what["request"]["modifier"]
    assert "conflict" == host.refused("s2", "roll.start", ask="a1").code
    assert {"s2": "r1"} == host.snapshot("s3")["asks"][0]["answered"]
    host.do("s3", "roll.start", ask="a1", expression="1d6")
    assert ("roll_request.closed", {}) == (host.events[-1].kind, host.state.asks)
    assert "not_found" == host.refused("s3", "roll.start", ask="a1").code


def test_asking_everybody() -> None:
    """An ask to all stays open until it is closed."""
    host = Host()
    host.do("s1", "roll_request.create", who="all", expression="1d20")
    for seat in ("s2", "s3"):
        host.do(seat, "roll.start", ask="a1")
    assert {"s2", "s3"} == set(host.state.asks["a1"].answered)
    host.do("s1", "roll_request.close", ask="a1")
    assert "not_found" == host.refused("s1", "roll_request.close", ask="a1").code


def test_what_all_have_answered_is_put_away_by_the_next_ask() -> None:
    """While somebody who plays is left it stays open, and so does one that nobody has answered."""
    host = Host()
    host.do("s1", "roll_request.create", who="all", expression="1d20")
    host.do("s2", "roll.start", ask="a1")
    host.do("s1", "roll_request.create", who="all", expression="1d6")
    assert {"a1", "a2"} == host.state.asks.keys()
    host.do("s3", "roll.start", ask="a1")
    host.do("s1", "roll_request.create", who=["s2"], expression="1d8")
    assert {"a2", "a3"} == host.state.asks.keys()
    assert verify_log(host.log("s1")).ok


def test_who_alone_is_left_to_answer_may_say_no() -> None:
    """Whoever is asked alone closes the ask; while others are asked too, it is the referee's."""
    host = Host()
    host.do("s1", "roll_request.create", who=["s2", "s3"], expression="1d20")
    for seat in ("s2", "s3"):
        assert "forbidden" == host.refused(seat, "roll_request.close", ask="a1").code
    host.do("s2", "roll.start", ask="a1")
    assert "forbidden" == host.refused("s2", "roll_request.close", ask="a1").code
    host.do("s3", "roll_request.close", ask="a1")
    assert ({}, "s3") == (host.state.asks, host.last["by"])
    host.do("s1", "roll_request.create", who="all", expression="1d20")
    assert "forbidden" == host.refused("s2", "roll_request.close", ask="a2").code
    assert "forbidden" == host.refused("s2", "roll_request.close", ask="a9").code
    assert verify_log(host.log("s1")).ok


def test_a_secret_ask() -> None:
    """What is asked for in secret is known to those asked, and the answer is as secret."""
    host = Host()
    host.do(
        "s1", "roll_request.create", who=["s2"], request=SKILL, visibility="blind", announce=False
    )
    ask = host.latest("ask")
    assert {"s1", "s2"} == who_sees(host)
    assert [] == host.snapshot("s3")["asks"]
    refused = host.refused("s3", "roll.start", ask=ask)
    assert ("not_found", f"there is no open ask '{ask}'") == (refused.code, refused.message)
    assert "visibility" == host.refused("s2", "roll.start", ask=ask, visibility="open").field
    host.do("s2", "roll.start", ask=ask)
    assert "blind" == host.state.rolls[host.latest("roll")].visibility
    assert {"sealed"} == {shown["kind"] for shown in host.seen("s3")[4:]}
    assert all(closed(shown) for shown in host.seen("s3")[4:])
    host.do(
        "s1", "roll_request.create", who=["s2"], request=SKILL, visibility="blind", announce=False
    )
    host.do("s1", "roll_request.close", ask=host.latest("ask"))
    assert closed(host.seen("s3")[-1])


def test_refused_asks() -> None:
    """Nobody is asked for what cannot be rolled, and no spectator is asked."""
    host = Host(players=1, spectators=1)
    assert (
        "only watches"
        in host.refused("s1", "roll_request.create", who=["s3"], expression="1d6").message
    )
    assert (
        "bad_expression"
        == host.refused("s1", "roll_request.create", who="all", expression="1d").code
    )
    wrong = {"roll": "skil"}
    assert (
        "did you mean"
        in host.refused("s1", "roll_request.create", who="all", draft=drafted(wrong)).message
    )
    assert "bad_request" == host.refused("s1", "roll_request.create", who="all").code


@rule
async def peek(dice: int) -> int:
    """A die that only the keeper sees, one that all see, and then a choice."""
    (hidden,) = (await roll(D6, sees=("keeper",))).readings
    (shown,) = (await roll(dice * D6)).readings
    return hidden + shown if await choose("both", "one") == "both" else shown


class Peek(Request, roll="peek", title="Peek", outcome=int):
    """Look at a die, and not at another."""

    dice: int = field(default=1, help="how many", low=1, high=1)

    def call(self) -> Call[Any]:
        """The rule."""
        return peek(self.dice)


class Telling(Card):
    """A card that tells all it knows wherever it can."""

    def told(self, request: Request, transcript: Transcript) -> str:
        """Every face so far."""
        return f"the dice show {[faces for _, faces in transcript.throws]}"

    label = whose = standing = ask = told


def test_a_card_cannot_tell_of_a_hidden_throw() -> None:
    """What it says of a later throw is for those who have seen all; the end opens the rest."""
    game = Game(name="peeking", title="Peeking", summary="", requests=(Peek,), card=Telling())
    host = Host(add_game(game).name, players=2)
    host.do("s2", "roll.start", request={"roll": "peek"}, roles={"keeper": "s3"})
    assert ["s3"] == [s for s in ("s1", "s2", "s3") if "show [(" in str(host.seen(s))]
    host.do("s2", "roll.choose", roll="r1", option="one", nonce=hashed("n"))
    assert "the dice show [(" in str(host.seen("s2"))


def test_a_secret_roll_leaves_no_marks_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """How faces are read is kept for open rolls alone: a guess at a secret one is not read sooner,
    nor at what somebody only thinks about.
    """
    asked: list[Any] = []
    card = find_game("twilight2000").card
    read = type(card).marks
    monkeypatch.setattr(type(card), "marks", lambda card, one: asked.append(one) or read(card, one))
    host = Host()
    for modifier, visibility, times in ((-7, "hidden", 3), (-8, "open", 1)):
        request = {"game": "twilight2000", "roll": "skill", "attribute": "B", "modifier": modifier}
        host.do("s2", "roll.start", request=request, visibility=visibility)
        for _ in range(2):
            marks(FaceLabelsQuery(request=request), Budget())
        assert times == len(asked)
        asked.clear()
