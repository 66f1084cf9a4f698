"""Tests of rolls at the table: started, gone on with, taken back, abandoned, thrown again."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from vectors.devices import offers

from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_from_json
from rollwright.kit.card.texts import say
from rollwright.kit.games import find_game, own_games
from rollwright.table import LIMITS, TableState, rule_seat_of, transcript_of
from rollwright.table.commands.entries import may_enter_faces
from rollwright.table.errors import CodedError
from rollwright.table.fairness import FairDice, call_hash, commitment_of, key_of, slot_at, slot_of
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import TABLE, Host, forget_transcripts, hashed, soldiers
from tests.table.test_properties import ROLLS

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
PARTS = {
    "twilight2000": [{"roll": "opposed", "skill_name": "recon", "modifier": 1}],
    "dust": [{"roll": "opposing", "attribute": "Wits"}],
    "kleptonomicon": [{"roll": "contest", "score_name": "Sneaking"}],
}
"""Fields that belong to whoever the sheet is of, within a roll of several."""


def waiting(host: Host, faces: tuple[int, ...] = (2, 3), **fields: Any) -> str:
    """A skill roll with physical dice that waits for keep or push."""
    host.do("s2", "roll.start", request=SKILL, physical=True, **fields)
    roll = f"r{len(host.state.rolls)}"
    host.do("s2", "roll.enter", roll=roll, faces=list(faces))
    return roll


def test_an_expression_rolls_to_its_end() -> None:
    """Virtual dice are thrown at once; the last event says what they came to."""
    host = Host()
    events = host.do("s2", "roll.start", expression="2d6+3", nonce=hashed("n"))
    assert ["roll.started", "roll.thrown"] == host.kinds(events)
    after = host.last["after"]
    assert sum(host.last["faces"]) + 3 == after["outcome"] == after["fields"]["value"]
    assert f"= {after['outcome']}" in after["told"]
    assert {} == host.state.going


def test_every_throw_is_fair() -> None:
    """Faces follow from the key that was committed to and from the call, and from nothing else."""
    host = Host(signed=True)
    host.do("s2", "roll.start", expression="5d6", nonce=hashed("n"))
    began, event = host.events[-2], host.events[-1]
    key = key_of(host.secret, "d2", 1)
    joined = host.events[2]
    assert slot_of(key) == joined.open["slots"]["d2"] == began.body["call"]["slot"]
    assert slot_at(host.secret, "d2", 2) == began.open["slots"]["d2"]
    assert {"call": began.seq, "throw": 0, "key": key.hex()} == event.body["fair"]
    made = call_hash(TABLE, host.events[0].hash, "s2", began.body["call"])
    dice = FairDice(key, made)
    assert host.last["faces"] == list(dice.throw(value_from_json(host.last["pool"])))
    assert hashed("n") == began.body["call"]["number"]


def test_the_witness_is_somebody_else() -> None:
    """Nobody witnesses their own throw, and neither does a seat that was removed."""
    host = Host(witnesses=True)
    host.offer("s2", "own")
    host.offer("s3", "gone")
    host.do("s1", "seat.remove", seat="s3")
    assert "roll.thrown" == host.do("s2", "roll.start", expression="1d6")[-1].kind
    (event,) = host.do("s1", "roll.start", expression="1d6")
    assert "s2" == event.open["witness"]["seat"] == event.body["after"]["witness"]


def test_dice_wait_for_the_number_of_a_live_witness() -> None:
    """The host has the commitment only; the dice follow from the number, once it is told."""
    host = Host(witnesses=True, signed=True)
    host.offer("s3", "w")
    (began,) = host.do("s2", "roll.start", expression="5d6")
    assert {"seat": "s3", "offer": commitment_of(bytes.fromhex(hashed("w")))} == began.open[
        "witness"
    ]
    assert "conflict" == host.refused("s2", "roll.throw", roll="r1").code
    assert "conflict" == host.refused("s1", "witness.reveal", asked=began.seq, number="0" * 64).code
    wrong = host.refused("s3", "witness.reveal", asked=began.seq, number=hashed("v"))
    assert "bad_field" == wrong.code
    told, thrown = host.open("s3", "w")
    assert ("witness.revealed", "roll.thrown") == (told.kind, thrown.kind)
    made = call_hash(TABLE, host.events[0].hash, "s2", began.body["call"])
    dice = FairDice(key_of(host.secret, "d2", 1), made, 0, bytes.fromhex(hashed("w")))
    assert list(thrown.body["faces"]) == list(dice.throw(value_from_json(thrown.body["pool"])))
    assert ("s2", began.seq) == (thrown.body["by"], thrown.body["fair"]["call"])
    assert {} == host.state.offers
    assert () == verify_log(host.log("s3")).problems


def test_a_silent_witness_is_passed_over_and_named() -> None:
    """The next one is asked, or the dice follow; all offers of the silent lapse."""
    host = Host(players=3, witnesses=True)
    host.offer("s3", "a", "b")
    host.offer("s4", "c")
    host.do("s2", "roll.start", expression="1d6")
    (silent,) = host.pass_over()
    assert ("witness.timed_out", "s3") == (silent.kind, silent.body["seat"])
    assert "s4" == silent.open["witness"]["seat"]
    events = host.pass_over()
    assert ["witness.timed_out", "roll.thrown"] == host.kinds(events)
    assert {} == host.state.offers
    report = verify_log(host.log("s2"))
    assert ((), 2) == (report.problems, report.counts["silent witnesses"])


def test_a_throw_by_hand_waits_for_a_witness_too() -> None:
    """There is no event yet that could hold the call, so one is written."""
    host = Host(witnesses=True, signed=True)
    host.offer("s3", "w")
    host.do("s2", "roll.start", expression="2d6", physical=True)
    (called,) = host.do("s2", "roll.throw", roll="r1")
    assert ("roll.called", "s3") == (called.kind, called.body["after"]["witness"])
    assert "roll.thrown" == host.open("s3", "w")[-1].kind
    assert () == verify_log(host.log("s1")).problems


def test_offers_are_taken_once() -> None:
    """A number that was ever offered is not offered again."""
    host = Host(witnesses=True)
    host.offer("s2", "a")
    taken = {"commitments": offers(hashed("a"))}
    assert "bad_field" == host.refused("s2", "witness.commit", **taken).code
    host.do("s1", "roll.start", expression="1d6")
    assert "bad_field" == host.refused("s3", "witness.commit", **taken).code
    for number in range(2):
        host.offer("s2", *[f"{number} {n}" for n in range(8)])
    more = {"commitments": offers(hashed("z"))}
    assert "too_many" == host.refused("s2", "witness.commit", **more).code


def test_a_push_has_a_key_of_its_own() -> None:
    """The throw after a choice uses the next slot and the number of whoever chose."""
    host = Host(signed=True)
    host.do("s2", "roll.start", request=SKILL, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s2", "roll.choose", roll="r1", option="push")
    host.do("s2", "roll.throw", roll="r1", nonce=hashed("late"))
    thrown = host.events[-1].body
    assert hashed("late") == thrown["call"]["number"]
    assert key_of(host.secret, "d2", 3).hex() == thrown["fair"]["key"]
    assert (2, "fair", "done") == (thrown["index"], thrown["how"], thrown["after"]["step"])


def test_a_choice_waits() -> None:
    """A roll stops at a choice and says who must choose, from what, and what it turns on."""
    host = Host()
    waiting(host)
    after = host.last["after"]
    assert (["s2"], "roller", ["ask.push"]) == (after["by"], after["role"], after["question"])
    assert [("keep", ["option.keep"]), ("push", ["option.push"])] == [
        (o["option"], o["said"]) for o in host.offered
    ]
    assert (0, 2) == (after["about"]["successes"], after["about"]["loose"])
    assert "lie there: no success" in say(after["told"], "twilight2000")
    assert "r1" in host.state.going


@pytest.mark.parametrize("answer", [{"option": "push"}, {"number": 1}])
def test_choosing(answer: dict[str, Any]) -> None:
    """An option is chosen as it was offered, or by its number."""
    host = Host()
    roll = waiting(host)
    host.do("s2", "roll.choose", roll=roll, **answer)
    assert ("push", ["option.push"], "roller", 1) == tuple(
        host.last[name] for name in ("option", "said", "role", "index")
    )
    assert {"step": "throw", "by": "s2"}.items() <= host.last["after"].items()


def test_who_may_choose() -> None:
    """The choice is for whoever plays that seat of the rule, or for a referee in their place."""
    host = Host(spectators=1)
    roll = waiting(host, roles={"roller": "s3"})
    assert ["s3"] == host.last["after"]["by"]
    assert "the choice is for s3" == host.refused("s2", "roll.choose", roll=roll, number=0).message
    host.do("s1", "roll.choose", roll=roll, option="push")
    host.do("s1", "roll.take_back", roll=roll)
    host.do("s3", "roll.choose", roll=roll, option="keep")
    assert "s3" == host.last["by"]


def test_refused_choices() -> None:
    """What is not offered cannot be chosen; neither can both ways of saying it be used."""
    host = Host()
    roll = waiting(host)
    refusal = host.refused("s2", "roll.choose", roll=roll, option="pusch")
    assert ("bad_answer", True) == (refusal.code, "'keep', 'push'" in refusal.message)
    assert "0 to 1" in host.refused("s2", "roll.choose", roll=roll, number=2).message
    assert "bad_request" == host.refused("s2", "roll.choose", roll=roll).code
    assert (
        "bad_request" == host.refused("s2", "roll.choose", roll=roll, number=0, option="keep").code
    )
    assert "waits for a choice" in host.refused("s2", "roll.enter", roll=roll, faces=[1]).message
    assert "waits for a choice" in host.refused("s2", "roll.throw", roll=roll).message
    assert "not_found" == host.refused("s2", "roll.choose", roll="r9", number=0).code


def test_physical_dice() -> None:
    """Faces are typed in the order of the dice; what dice cannot show is refused with its place."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, physical=True)
    assert (["d8", "d10"], "s2") == (host.last["after"]["dice"], host.last["after"]["by"])
    refusal = host.refused("s2", "roll.enter", roll="r1", faces=[9, 3])
    assert ("bad_answer", True) == (refusal.code, "face 1" in refusal.message)
    assert (
        "needs 2 faces, 3 came"
        in host.refused("s2", "roll.enter", roll="r1", faces=[1, 2, 3]).message
    )
    assert "forbidden" == host.refused("s3", "roll.enter", roll="r1", faces=[1, 2]).code
    assert "waits for dice" in host.refused("s2", "roll.choose", roll="r1", number=0).message
    host.do("s1", "roll.enter", roll="r1", faces=["4", 5])
    assert ([4, 5], "typed", None) == tuple(host.last[name] for name in ("faces", "how", "fair"))
    assert {} == host.events[-1].open


def test_faces_by_their_names() -> None:
    """The faces of a coin are typed as words, however they are written."""
    host = Host(game="kleptonomicon")
    host.do("s2", "roll.start", request={"roll": "test"}, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[10])
    assert ["coin"] == host.last["after"]["dice"]
    host.do("s2", "roll.enter", roll="r1", faces=["Won"])
    thrown = [event.body for event in host.events if event.kind == "roll.thrown"]
    assert (["won"], "10!") == (thrown[-1]["faces"], thrown[-1]["after"]["fields"]["critical"])


def test_taking_back() -> None:
    """Typed faces and choices go back one by one while nothing was thrown after them."""
    host = Host()
    roll = waiting(host)
    host.do("s2", "roll.choose", roll=roll, option="push")
    host.do("s2", "roll.take_back", roll=roll)
    assert ("choice", 1, "choice") == (
        host.last["taken"],
        host.last["index"],
        host.last["after"]["step"],
    )
    host.do("s2", "roll.take_back", roll=roll)
    assert ("faces", 0, "throw") == (
        host.last["taken"],
        host.last["index"],
        host.last["after"]["step"],
    )
    assert "conflict" == host.refused("s2", "roll.take_back", roll=roll).code
    host.do("s2", "roll.enter", roll=roll, faces=[4, 4])
    assert "forbidden" == host.refused("s3", "roll.take_back", roll=roll).code


def test_thrown_dice_never_go_back() -> None:
    """A fair throw cannot be taken back, nor the choice before it, nor anything after the end."""
    host = Host(house={"push_with_nothing": True})
    host.do("s2", "roll.start", request=SKILL)
    assert "choice" == host.last["after"]["step"]
    assert "the dice have been thrown" in host.refused("s1", "roll.take_back", roll="r1").message
    second = waiting(host)
    host.do("s2", "roll.choose", roll=second, option="keep")
    assert "has ended" in host.refused("s1", "roll.take_back", roll=second).message


def test_what_is_asked_for() -> None:
    """One way of saying what is rolled is needed, of the table's own game."""
    host = soldiers()
    assert "bad_request" == host.refused("s2", "roll.start").code
    assert "together" in host.refused("s2", "roll.start", expression="1d6", request=SKILL).message
    wrong = {"game": "dust", "roll": "roll"}
    assert "plays twilight2000" in host.refused("s2", "roll.start", request=wrong).message
    refusal = host.refused("s2", "roll.start", request={"roll": "skill", "attribute": "Z"})
    assert ("bad_field", "request.attribute") == (refusal.code, refusal.field)
    refusal = host.refused("s2", "roll.start", draft=drafted({"roll": "skil"}))
    assert "did you mean 'skill'" in refusal.message
    refusal = host.refused("s2", "roll.start", draft=drafted({"skill_name": "recon", "modifer": 1}))
    assert ("bad_field", "draft.modifer") == (refusal.code, refusal.field)
    assert "did you mean 'modifier'" in refusal.message
    strange = {"roll": "group", "skill_name": "recon", "members": 3}
    assert "bad_field" == host.refused("s2", "roll.start", draft=drafted(strange)).code
    assert "no goal" in host.refused("s2", "roll.start", request=SKILL, goal="win").message
    assert "goal" == host.refused("s2", "roll.start", expression="1d6", goal="win").field
    assert "forbidden" == host.refused("s3", "roll.start", expression="1d6", sheet="s2").code
    free = Host(game="")
    assert "plays no game" in free.refused("s2", "roll.start", request=SKILL).message


def test_what_cannot_matter_is_refused() -> None:
    """Nobody who asks for other rules, a part or a sheet in vain is left to believe they got it."""
    host = soldiers(house={"push_with_nothing": True})
    for way, field in (
        ({"expression": "1d6", "roles": {"foe": "s3"}}, "roles"),
        ({"expression": "1d6", "sheet": "s2"}, "sheet"),
        ({"expression": "1d6", "announce": False}, "announce"),
        ({"expression": "1d6", "visibility": "open", "announce": False}, "announce"),
        ({"request": {**SKILL, "house": {}}}, "request.house"),
        ({"draft": {"set": {"skill_name": "recon", "house": {}}}}, "draft.set.house"),
    ):
        refusal = host.refused("s2", "roll.start", **way)
        assert ("bad_field", field) == (refusal.code, refusal.field)
        assert "would do" in refusal.message
    asked = host.refused(
        "s1", "roll_request.create", who="all", expression="1d6", roles={"foe": "s3"}
    )
    assert "roles" == asked.field
    asked = host.refused("s1", "roll_request.create", who="all", expression="1d6", announce=False)
    assert "announce" == asked.field


@pytest.mark.parametrize("shown", [{}, {"visibility": "hidden"}])
def test_an_answer_is_told_as_the_ask_wants_it(shown: dict[str, str]) -> None:
    """Nobody can answer in silence where the ask is for a roll of which others learn."""
    host = soldiers()
    host.do("s1", "roll_request.create", who=["s2"], request=SKILL, **shown)
    refusal = host.refused("s2", "roll.start", ask=host.latest("ask"), announce=False)
    assert ("bad_field", "announce") == (refusal.code, refusal.field)
    host.do(
        "s1", "roll_request.create", who=["s2"], request=SKILL, visibility="hidden", announce=False
    )
    host.do("s2", "roll.start", ask=host.latest("ask"), announce=False)
    assert not host.state.rolls[host.latest("roll")].announce


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        ({"draft": {"set": {"skill_name": "recon", "modifer": 1}}}, "draft.set.modifer"),
        ({"draft": {"set": {"skill_name": "recon", "sheet": "s2"}}}, "draft.set.sheet"),
        ({"draft": {"set": {"skill_name": "recon", "house": {"x": 1}}}}, "draft.set.house"),
        ({"draft": {"set": {"skill_name": "recon"}}, "goal": "win"}, "goal"),
        ({"draft": {"set": {"skill_name": "recon"}}, "goal": "hitz=1"}, "goal"),
        ({"request": SKILL, "roles": {"roller": "s9"}}, "roles.roller"),
    ],
)
def test_nobody_is_asked_for_what_cannot_be_rolled(draft: dict[str, Any], field: str) -> None:
    """A slip in a draft is told to whoever asks, not to those who are asked."""
    host = soldiers()
    assert field == host.refused("s1", "roll_request.create", who="all", **draft).field


@pytest.mark.parametrize("game", sorted(own_games()))
def test_every_draft_of_a_game_can_be_asked_for(game: str) -> None:
    """Whatever a game fills in from a sheet may stand in a draft, of parts of a roll too."""
    host = Host(game)
    drafts = [roll for roll in ROLLS[game] if "draft" in roll]
    assert drafts
    for draft in (*drafts, *({"draft": drafted(one)} for one in PARTS.get(game, ()))):
        host.do("s1", "roll_request.create", who="all", **draft)


def test_a_goal_is_kept() -> None:
    """What the player aims for is written with the roll, for the advice."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, physical=True, goal="two-successes")
    assert "two-successes" == host.last["goal"] == host.state.rolls["r1"].goal


def test_house_rules_go_into_every_request() -> None:
    """The table's house rules hold for requests and sheets, and for what is rolled again."""
    host = Host(house={"push_with_nothing": True})
    host.do("s2", "sheet.create", values={"recon": "B"})
    host.do("s2", "roll.start", request=SKILL, physical=True)
    assert host.last["what"]["request"]["house"]["push_with_nothing"]
    assert host.state.house == host.last["what"]["request"]["house"]
    host.do("s2", "roll.start", draft=drafted({"skill_name": "recon"}), physical=True)
    assert host.state.house == host.last["what"]["request"]["house"]
    host.do("s2", "roll.start", request={**SKILL, "house": host.state.house}, physical=True)
    assert host.state.house == host.last["what"]["request"]["house"]
    host.do("s1", "table.change", house={})
    host.do("s2", "roll.repeat", roll="r1")
    assert not host.last["what"]["request"]["house"]["push_with_nothing"]
    assert host.state.house == host.last["what"]["request"]["house"]


def test_a_push_with_nothing_needs_no_faces() -> None:
    """Physical dice are not asked for where there are none to throw."""
    host = Host(house={"push_with_nothing": True})
    roll = waiting(host, faces=(6, 7))
    host.do("s2", "roll.choose", roll=roll, option="push")
    assert ([], "done") == (host.last["faces"], host.last["after"]["step"])


def test_too_many_dice() -> None:
    """A table throws at most a thousand dice at once, and nothing is begun where it cannot."""
    host = Host()
    host.do("s2", "roll.start", expression="1000d6")
    refusal = host.refused("s2", "roll.start", expression="1001d6")
    assert ("too_much_work", True) == (refusal.code, "at most 1,000" in refusal.message)


def test_a_long_roll_waits_in_between() -> None:
    """A roll with very many throws is gone on with command by command: nothing thrown is lost."""
    host = Host(limits=LIMITS._replace(throws=2, entries=5))
    line = "; ".join(["1d6"] * 7)
    host.do("s2", "roll.start", expression=line)
    assert ("throw", 2) == (host.last["after"]["step"], len(host.state.rolls["r1"].entries))
    host.do("s2", "roll.throw", roll="r1")
    host.do("s2", "roll.throw", roll="r1")
    assert 5 == len(host.state.rolls["r1"].entries)
    assert "too_much_work" == host.refused("s2", "roll.throw", roll="r1").code
    host.do("s2", "roll.cancel", roll="r1")


def test_faces_may_be_typed_once_a_roll_is_too_long() -> None:
    """So many throws since its last choice: with each choice it begins to be short again."""
    host = Host()
    host.do("s2", "roll.start", expression="1d6")
    thrown = {"faces": [3], "how": "fair"}
    for entries, is_long in (
        ([thrown], False),
        ([thrown, thrown], True),
        ([thrown, thrown, {"option": "push", "by": "roller"}, thrown], False),
        ([thrown, {"option": "push", "by": "roller"}, thrown, thrown], True),
    ):
        roll = dataclasses.replace(host.state.rolls["r1"], entries=entries)
        assert is_long is may_enter_faces(roll, 2)


def test_abandoning() -> None:
    """An open roll is let go by its roller or a referee; an ended one is not."""
    host = Host()
    roll = waiting(host)
    assert "forbidden" == host.refused("s3", "roll.cancel", roll=roll).code
    host.do("s2", "roll.cancel", roll=roll)
    assert ("cancelled", {}) == (host.state.rolls[roll].status, host.state.going)
    assert "has ended" in host.refused("s2", "roll.cancel", roll=roll).message
    assert "not undone" in host.refused("s1", "roll.undo", roll=roll).message


def test_again() -> None:
    """The same roll anew: an open one is let go first, and a sheet is read as it is now."""
    host = soldiers()
    host.do("s2", "roll.start", draft=drafted({"skill_name": "recon"}), physical=True)
    host.do("s2", "sheet.change", sheet="s2", values={"recon": "A"})
    events = host.do("s1", "roll.repeat", roll="r1")
    assert ["roll.cancelled", "roll.started"] == host.kinds(events)
    assert ("r2", "s2", "A") == (
        host.last["roll"],
        host.last["by"],
        host.last["what"]["request"]["skill"],
    )
    host.do("s2", "roll.start", expression="1d6")
    host.do("s2", "roll.repeat", roll="r3")
    assert {"expression": "1d6"} == host.state.rolls["r4"].what
    assert "forbidden" == host.refused("s3", "roll.repeat", roll="r3").code


def test_again_without_somebody_who_has_left() -> None:
    """A part in the roll of a seat that was removed is not given to it again."""
    host = soldiers()
    host.do("s2", "roll.start", request=SKILL, roles={"roller": "s3"}, physical=True)
    host.do("s1", "seat.remove", seat="s3")
    refusal = host.refused("s2", "roll.repeat", roll="r1")
    assert ("gone", "roles.roller") == (refusal.code, refusal.field)
    assert host.state.rolls["r1"].is_open


def test_rules_that_changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A roll begun under other rules never goes on silently: it is thrown anew, or let go."""
    host = Host()
    roll = waiting(host)
    monkeypatch.setattr(find_game("twilight2000").requests["skill"], "version", "newer")
    for do, fields in (("roll.choose", {"number": 0}), ("roll.take_back", {})):
        refusal = host.refused("s2", do, roll=roll, **fields)
        assert ("conflict", True) == (refusal.code, "roll.repeat" in refusal.message)
    with pytest.raises(CodedError, match=r"roll\.repeat"):
        transcript_of(host.state, roll)
    host.do("s2", "roll.repeat", roll=roll)
    assert ("cancelled", "newer") == (host.state.rolls[roll].status, host.last["version"])


def test_going_on_after_a_restart() -> None:
    """A roll rebuilt from the log goes on exactly as one that was kept at hand."""
    kept, rebuilt = Host(), Host()
    for host in (kept, rebuilt):
        waiting(host, faces=(2, 3))
    forget_transcripts()
    rebuilt.state = TableState.of(rebuilt.events)
    for host in (kept, rebuilt):
        host.do("s2", "roll.choose", roll="r1", option="push")
        host.do("s2", "roll.throw", roll="r1", nonce=hashed("n"))
    assert [e.body for e in kept.events] == [e.body for e in rebuilt.events]


def test_a_decision_that_was_not_committed() -> None:
    """A command decided twice, because something came between, comes to the same."""
    host = Host()
    roll = waiting(host)
    first = host.decide("s2", "roll.choose", roll=roll, option="push")
    second = host.decide("s2", "roll.choose", roll=roll, option="push")
    assert [d.body for d in first.drafts] == [d.body for d in second.drafts]
    host.commit(second)
    host.do("s2", "roll.enter", roll=roll, faces=[6, 6])
    assert "done" == host.last["after"]["step"]


def test_a_transcript_for_counting() -> None:
    """An open roll is a plain transcript that any process can take up; so is an expression."""
    host = Host()
    roll = waiting(host)
    plain = transcript_of(host.state, roll)
    assert "choice of roller: keep or push" == repr(Transcript.from_plain(plain).step)
    host.do("s2", "roll.start", expression="2d6+1d4", physical=True)
    assert not Transcript.from_plain(transcript_of(host.state, "r2")).is_done
    host.do("s2", "roll.choose", roll=roll, option="keep")
    with pytest.raises(CodedError, match="has ended"):
        transcript_of(host.state, roll)
    with pytest.raises(CodedError, match="no roll"):
        transcript_of(host.state, "r9")


def test_by_whose_knowledge_one_is_advised() -> None:
    """Where the rule hides nothing, all who see the roll know what whoever must choose knows."""
    host = Host(spectators=1)
    roll = waiting(host)
    seats = ("s2", "s1", "s3", "s4")
    assert ["roller"] * 4 == [rule_seat_of(host.state, roll, seat) for seat in seats]


def test_rolls_of_a_non_player_character() -> None:
    """A referee rolls with a sheet of their own, and only referees see what it does to it."""
    host = Host()
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Guard", "recon": "B"})
    guard = host.latest("sheet")
    ask = {"draft": drafted({"skill_name": "recon"}), "sheet": guard, "physical": True}
    host.do("s1", "roll.start", **ask)
    host.do("s1", "roll.enter", roll="r1", faces=[2, 3])
    host.do("s1", "roll.choose", roll="r1", option="push")
    host.do("s1", "roll.enter", roll="r1", faces=[1, 1])
    assert ("sheet.changed", ("referee",)) == (host.events[-1].kind, host.events[-1].audience)
    assert 2 == host.state.sheets[guard].values["stress"]
    assert "body" not in host.seen("s2")[-1]
    assert "body" in host.seen("s1")[-1]
    assert "not_found" == host.refused("s2", "roll.start", **ask).code


def test_several_people_choose() -> None:
    """In a Group Test each helper chooses for themselves, from their own seat."""
    host = Host(game="kleptonomicon")
    members = [{"name": "@s2", "modifier": 2}, {"name": "@s3", "modifier": -2}]
    host.do("s1", "roll.start", request={"roll": "group", "members": members}, physical=True)
    while host.last["after"]["step"] == "throw":
        high = not host.state.rolls["r1"].entries
        faces = [9 if high else 2] * len(host.last["after"]["dice"])
        host.do("s1", "roll.enter", roll="r1", faces=faces)
    after = host.last["after"]
    assert (["s2"], "@s2") == (after["by"], after["role"])
    assert "@s3" in [option.get("who") for option in host.offered]
    assert "forbidden" == host.refused("s3", "roll.choose", roll="r1", number=0).code
    host.do("s2", "roll.choose", roll="r1", option="@s3")


def test_an_open_choice_is_told_of_whoever_makes_it() -> None:
    """The rule knows a roller, the table a seat; whoever reads it reads a name."""
    host = Host()
    request = {"game": "twilight2000", "roll": "skill", "attribute": "B"}
    roll = host.do("s2", "roll.start", request=request, physical=True)[0].body["roll"]
    told = host.do("s2", "roll.enter", roll=roll, faces=[2])[0].body["after"]["told"]
    words = find_game("twilight2000").words
    english, german = (
        words.say(told, language, who={"@s2": "Bo"}.get) for language in ("en", "de")
    )
    assert english.endswith("; Bo may choose: keep / push.")
    assert "; Bo hat die Wahl: " in german
