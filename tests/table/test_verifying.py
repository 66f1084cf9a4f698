"""A log is true, or it is said what was altered: naively, or with every hash made to fit again."""

import copy
import json
import re
from pathlib import Path

import pytest

from rollwright.engine.values import value_from_json
from rollwright.table.fairness import FairDice, call_hash, slot_at
from rollwright.table.verify.log import verify_log
from rollwright.table.verify.report import NAMES
from tests.table.tables import Host
from tests.table.written_logs import SKILL, WrittenLog, rechained


def a_session():
    """An evening: fair throws, pushes, real dice, steps back, secrets, a sheet."""
    log = WrittenLog()
    pushed(log)
    log.play("4d6kh3", by="s3")
    log.say("hello")
    name = log.start(by="s3", physical=True)
    log.type(name, [3, 2])
    log.back(name)
    log.type(name, [3, 4])
    log.choose(name, "push")
    log.back(name)
    log.choose(name, "push")
    log.throw(name)
    log.play(visibility="blind")
    log.play(visibility="private", announce=False)
    log.sheet("s2", damage=0)
    log.change("s2", damage=(0, 1))
    log.change("s2", damage=(1, 2), stress=(0, 1))
    log.play("1d20")
    return log


def pushed(log):
    """A roll that was pushed and lies open: it may take some tries."""
    while len(log.rolls[log.play()][1].entries) < 3:
        pass


SESSION = a_session()
ROOT = Path(__file__).parent.parent.parent


def flipped(digits):
    """Other hexadecimal digits."""
    return ("1" if digits[0] == "0" else "0") + digits[1:]


def of_kind(log, kind, place=0):
    """One of the events of a kind that are shown."""
    return [event for event in log["events"] if event["kind"] == kind and "body" in event][place]


def thrown(log, place=-1):
    """One of the fair throws that are shown; the last is a single d20."""
    return [
        event
        for event in log["events"]
        if event["kind"] == "roll.thrown" and (event.get("body") or {}).get("how") == "fair"
    ][place]


def test_a_true_log_is_true():
    """Everything is counted, and what cannot be looked into is said."""
    report = verify_log(SESSION.log())
    assert () == report.problems
    assert report.ok
    counts = report.counts
    assert len(SESSION.events) == counts["events"]
    assert counts["rolls replayed"] == counts["rolls"]
    assert 2 == counts["typed throws"]
    assert (counts["throws"], 0) == (counts["unsigned throws"], counts["signatures"])
    assert SESSION.events[-1]["hash"] == report.head


def test_the_hosts_own_copy_is_true():
    """With every secret laid open, all rolls are replayed and all throws proven."""
    report = verify_log(SESSION.log(everything=True))
    assert () == report.problems
    assert len(SESSION.rolls) == report.counts["rolls replayed"]
    assert len(all_throws(SESSION)) == report.counts["throws"]
    assert 0 == report.counts["withheld events"]


def all_throws(log):
    """Every fair throw of a log that is written by hand."""
    bodies = [event["body"] for event in log.events]
    return [body for body in bodies if body.get("how") == "fair"]


def altered_face(log):
    """A better face, with the outcome left as it was."""
    faces = thrown(log)["body"]["faces"]
    faces[0] = faces[0] % 20 + 1


def altered_face_and_outcome(log):
    """A better face, and the outcome that belongs to it."""
    body = thrown(log)["body"]
    body["faces"][0] = body["after"]["outcome"] = body["faces"][0] % 20 + 1


def altered_one_face_of_many(log):
    """One face of ten, with its outcome: the other nine give it away."""
    body = thrown(log)["body"]
    body["faces"][3] = body["faces"][3] % 10 + 1
    body["after"]["outcome"] = sum(body["faces"])


def altered_key(log):
    """Another key."""
    fair = thrown(log)["body"]["fair"]
    fair["key"] = flipped(fair["key"])


def altered_number(log):
    """Another number of the roller."""
    call = at(log, thrown(log)["body"]["fair"]["call"])["body"]["call"]
    call["number"] = flipped(call["number"])


def another_call(log):
    """A throw that follows from a call of another roll."""
    thrown(log)["body"]["fair"]["call"] = thrown(log, 0)["body"]["fair"]["call"]


def another_throw(log):
    """A throw that is not the next one of its call."""
    thrown(log)["body"]["fair"]["throw"] = 3


def at(log, seq):
    """The event with that number."""
    return next(event for event in log["events"] if event["seq"] == seq)


def altered_outcome(log):
    """Another outcome."""
    thrown(log)["body"]["after"]["outcome"] = 99


def altered_option(log):
    """Kept, not pushed."""
    of_kind(log, "roll.chosen")["body"]["option"] = "keep"


def unknown_option(log):
    """An option that nobody was offered."""
    of_kind(log, "roll.chosen")["body"]["option"] = "cheat"


def altered_request(log):
    """A better attribute."""
    of_kind(log, "roll.started")["body"]["what"]["request"]["attribute"] = "A"


def altered_dice(log):
    """Another die."""
    thrown(log, 0)["body"]["pool"]["pool"][0][0]["die"] = 12


def reused_key(log):
    """The key of the first throw again."""
    thrown(log)["body"]["fair"]["key"] = thrown(log, 0)["body"]["fair"]["key"]


def replaced_key(log):
    """A key that was not committed to, with the faces and the outcome that follow from it."""
    body = thrown(log)["body"]
    fair = body["fair"]
    fair["key"] = flipped(fair["key"])
    call = at(log, fair["call"])["body"]["call"]
    made = call_hash(log["table"], log["events"][0]["hash"], "", call)
    stream = FairDice(bytes.fromhex(fair["key"]), made, fair["throw"])
    body["faces"] = list(stream.throw(value_from_json(body["pool"])))
    body["after"]["outcome"] = body["faces"][0]


def altered_commitment(log):
    """Another commitment to the first key: it is found at the call that should spend it."""
    slots = log["events"][0]["open"]["slots"]
    slots["table"] = flipped(slots["table"])


def missing_commitment(log):
    """No slot for the next call."""
    del of_kind(log, "roll.started", -1)["open"]["slots"]


def altered_index(log):
    """A throw at another place in its roll."""
    thrown(log)["body"]["index"] = 5


def dropped_throw(log):
    """A throw that somebody did not like."""
    log["events"].remove(thrown(log, 0))


def dropped_choice(log):
    """A choice that somebody regrets."""
    log["events"].remove(of_kind(log, "roll.chosen"))


def dropped_start(log):
    """The beginning of a roll."""
    log["events"].remove(of_kind(log, "roll.started"))


def dropped_secret(log):
    """A secret throw of which nobody knew more than that it was."""
    log["events"].remove(
        next(e for e in log["events"] if e["kind"] == "sealed" and "slots" in e["open"])
    )


def dropped_sheet_change(log):
    """A wound."""
    log["events"].remove(of_kind(log, "sheet.changed"))


def swapped(log):
    """A throw before the roll that it belongs to."""
    place = log["events"].index(thrown(log))
    log["events"][place - 1 : place + 1] = reversed(log["events"][place - 1 : place + 1])


def swapped_at_one_time(log):
    """Two throws in another order, with times that do not give it away."""
    places = [log["events"].index(thrown(log, place)) for place in (0, 2)]
    first, second = (log["events"][place] for place in places)
    for event in log["events"]:
        event["at"] = 1
    log["events"][places[0]], log["events"][places[1]] = second, first


def altered_text(log):
    """Words put into somebody's mouth."""
    texts = of_kind(log, "chat.sent")["texts"]
    next(iter(texts.values()))["text"] = "goodbye"


def stray_text(log):
    """Words that nothing refers to."""
    of_kind(log, "chat.sent")["texts"]["t0.0"] = {"salt": "00" * 32, "text": "boo"}


def altered_sheet(log):
    """A wound that was not there before."""
    of_kind(log, "sheet.changed", 1)["body"]["changes"]["damage"]["before"] = 0


def altered_time(log):
    """An event that claims to be older."""
    of_kind(log, "chat.sent")["at"] -= 60_000


def somebody_elses_choice(log):
    """Bob chooses in Ann's roll."""
    of_kind(log, "roll.chosen")["body"]["by"] = "s3"


def twice(log):
    """An event told twice."""
    log["events"].insert(5, copy.deepcopy(log["events"][4]))


def other_table(log):
    """A log that says it is another table's."""
    of_kind(log, "table.created")["body"]["table"] = "zzzzzzzzzzzz"


def taken_back_fair_throw(log):
    """Typed faces that are said to have been fair, after which the throw was taken back."""
    of_kind(log, "roll.taken_back")["body"]["taken"] = "choice"


ALTERED = {
    altered_face: ("altered face", "altered face"),
    altered_face_and_outcome: ("altered face or number", "altered face or number"),
    altered_key: ("altered key", "altered key"),
    another_call: ("forged call", "forged call"),
    another_throw: ("wrong order", "wrong order"),
    altered_outcome: ("altered outcome", "altered outcome"),
    altered_option: ("altered option", "altered option"),
    unknown_option: ("altered option", "altered option"),
    altered_request: ("altered request", "altered request"),
    altered_dice: ("altered dice", "altered dice"),
    reused_key: ("altered key", "altered key"),
    replaced_key: ("unopened commitment", "unopened commitment"),
    missing_commitment: ("missing commitment", "missing commitment"),
    altered_index: ("dropped event", "dropped event"),
    dropped_throw: ("dropped event", "dropped event"),
    dropped_sheet_change: ("dropped event", "altered sheet"),
    swapped: ("wrong order", "wrong order"),
    altered_text: ("altered text", "altered text"),
    stray_text: ("unsealed text", "unsealed text"),
    altered_sheet: ("altered sheet", "altered sheet"),
    altered_time: ("wrong order", "wrong order"),
    somebody_elses_choice: ("forged act", "forged act"),
    twice: ("repeated event", "replaced slot"),
    taken_back_fair_throw: ("forged event", "forged event"),
}


@pytest.mark.parametrize("drop", [dropped_choice, dropped_start])
def test_what_dice_follow_from_cannot_be_dropped(drop):
    """Its number is missing, and the throw behind it follows from no call."""
    log = SESSION.log()
    drop(log)
    told = [problem.what for problem in verify_log(log).problems]
    assert ["dropped event", "forged call"] == told
    told = {problem.what for problem in verify_log(rechained(log)).problems}
    assert {"dropped event", "replaced slot"} <= told


def test_a_secret_that_was_dropped_is_told_by_the_chain():
    """With a chain made anew it is told by whoever signed a call after it: they saw another log."""
    log = SESSION.log()
    dropped_secret(log)
    assert ["dropped event"] == [problem.what for problem in verify_log(log).problems]
    host = Host("", signed=True)
    host.do("s3", "roll.start", expression="1d6", visibility="hidden", announce=False)
    host.do("s2", "roll.start", expression="1d6")
    copy = host.log("s2")
    dropped_secret(copy)
    told = [problem.what for problem in verify_log(rechained(copy)).problems]
    assert "other log" in told


@pytest.mark.parametrize("alter", ALTERED, ids=lambda alter: alter.__name__)
def test_an_alteration_is_named(alter):
    """By its cause, once, whatever the hashes say."""
    log = SESSION.log()
    alter(log)
    report = verify_log(log)
    assert not report.ok
    assert [ALTERED[alter][0]] == [problem.what for problem in report.problems]


@pytest.mark.parametrize("alter", ALTERED, ids=lambda alter: alter.__name__)
def test_making_the_hashes_fit_does_not_help(alter):
    """Whoever recomputes the whole chain is found by commitments, faces and rules."""
    log = SESSION.log()
    alter(log)
    report = verify_log(rechained(log))
    assert not report.ok
    assert ALTERED[alter][1] in [problem.what for problem in report.problems]


def test_a_commitment_is_missed_where_it_should_be_opened():
    """An altered slot breaks the chain, and with a new chain the call that spends it."""
    log = SESSION.log()
    altered_commitment(log)
    told = [(problem.seq, problem.what) for problem in verify_log(log).problems]
    spent = of_kind(log, "roll.started")["seq"]
    assert [(1, "broken chain"), (spent, "replaced slot")] == told
    told = [(problem.seq, problem.what) for problem in verify_log(rechained(log)).problems]
    assert (spent, "replaced slot") in told


def test_another_number_of_the_roller_gives_other_faces():
    """Of a call that nobody signed, the faces alone tell; a signed one has its signature."""
    log = SESSION.log()
    altered_number(log)
    told = {problem.what for problem in verify_log(log).problems}
    assert {"altered event", "altered face or number"} == told


def test_throws_in_another_order_are_found_without_their_times():
    """Numbers of throws and places in rolls tell, even if every time was made alike."""
    log = SESSION.log()
    swapped_at_one_time(log)
    told = {problem.what for problem in verify_log(rechained(log)).problems}
    assert "wrong order" in told


def test_the_other_faces_give_an_altered_one_away():
    """Of ten dice nine agree with the key: so it was the face, and not the number."""
    log = WrittenLog("")
    log.play("10d10")
    plain = log.log()
    altered_one_face_of_many(plain)
    assert ["altered face"] == [problem.what for problem in verify_log(plain).problems]
    assert ["altered face"] == [problem.what for problem in verify_log(rechained(plain)).problems]


def test_a_table_is_not_another():
    """The id of the table is in the chain and in every throw."""
    log = SESSION.log()
    other_table(log)
    assert {"altered event"} == {problem.what for problem in verify_log(log).problems}
    log = SESSION.log()
    log["table"] = "zzzzzzzzzzzz"
    told = {problem.what for problem in verify_log(rechained(log)).problems}
    assert {"altered event", "altered face", "altered face or number"} >= told
    assert "altered event" in told


def test_a_problem_says_whether_hashes_were_made_to_fit():
    """An alteration that left the hashes alone is told with that."""
    log = SESSION.log()
    altered_outcome(log)
    assert "; its hash does not fit either" in verify_log(log).problems[0].message
    assert "hash" not in verify_log(rechained(log)).problems[0].message


@pytest.mark.parametrize("renumbered", [False, True])
def test_an_event_taken_out_is_found_by_the_chain_alone(renumbered):
    """Words that somebody said: no rule misses them, but the hashes after them do."""
    log = SESSION.log()
    said = of_kind(log, "chat.sent")
    log["events"].remove(said)
    if renumbered:
        for seq, event in enumerate(log["events"], start=1):
            event["seq"] = seq
    report = verify_log(log)
    told = [(p.seq, p.what) for p in report.problems if p.what != "forged call"]
    assert [(said["seq"], "dropped event")] == told


def test_an_event_put_in_is_found_by_the_chain_alone():
    """Words that nobody said, with all numbers after them shifted."""
    log = SESSION.log()
    place = log["events"].index(of_kind(log, "chat.sent"))
    log["events"].insert(place, copy.deepcopy(log["events"][place]))
    for seq, event in enumerate(log["events"], start=1):
        event["seq"] = seq
    told = {problem.what for problem in verify_log(log).problems}
    assert {"broken chain", "forged event", "forged call"} >= told
    assert told


def test_two_events_that_changed_places_are_told_by_the_chain():
    """Words and a sheet change places, both at the same time: nothing but hashes tells."""
    log = WrittenLog("")
    log.say("one")
    log.now -= 1000
    log.say("two")
    plain = log.log()
    plain["events"][-2:] = reversed(plain["events"][-2:])
    for seq, event in enumerate(plain["events"], start=1):
        event["seq"] = seq
    assert [(5, "wrong order")] == [(p.seq, p.what) for p in verify_log(plain).problems]


def test_an_altered_story_is_found_by_its_digest():
    """What no rule settles, such as the sentence that tells a roll, is held by the hashes."""
    log = SESSION.log()
    thrown(log)["body"]["after"]["told"] = "A miracle."
    problems = verify_log(log).problems
    assert [(thrown(log)["seq"], "altered event")] == [(p.seq, p.what) for p in problems]


@pytest.mark.parametrize("field", ["at", "kind", "open", "digest", "hash", "salt"])
def test_every_part_of_an_event_is_held(field):
    """Whatever is altered in the shell of an event, its hashes tell."""
    log = SESSION.log()
    event = of_kind(log, "chat.sent")
    new = {"at": event["at"] + 1, "kind": "noted", "open": {"a": 1}}
    event[field] = new.get(field) or flipped(event[field])
    told = {(problem.seq, problem.what) for problem in verify_log(log).problems}
    assert told <= {(event["seq"], "altered event"), (event["seq"], "broken chain")}
    assert told


def test_a_noted_head_holds_a_log():
    """Whoever noted a hash finds a log shortened, or rewritten with all hashes made to fit."""
    head = SESSION.events[-1]["hash"]
    early = SESSION.events[7]["hash"]
    whole = SESSION.log()
    assert verify_log(whole, head=head).ok
    assert verify_log(whole, head=early).ok
    assert verify_log(whole, head=f" {early[:32].upper()}\n").ok
    short = SESSION.log()
    del short["events"][-2:]  # the last roll
    assert verify_log(short).ok
    assert verify_log(short, head=early).ok
    assert ["missing head"] == [p.what for p in verify_log(short, head=head).problems]
    rewritten = SESSION.log()
    rewritten["events"].remove(of_kind(rewritten, "chat.sent"))
    assert verify_log(rechained(rewritten)).ok
    assert ["missing head"] == [p.what for p in verify_log(rewritten, head=head).problems]


@pytest.mark.parametrize("head", ["abc", "z" * 64, "0" * 64, "é" * 16])
def test_a_head_that_is_none_is_told(head):
    """Too short, or not that of any event."""
    assert ["missing head"] == [p.what for p in verify_log(SESSION.log(), head=head).problems]


def test_erased_texts_are_counted():
    """Somebody was forgotten: the chain stands without their words."""
    log = SESSION.log()
    of_kind(log, "chat.sent")["texts"] = {}
    del of_kind(log, "seat.joined", 1)["texts"]
    report = verify_log(log)
    assert report.ok
    assert 2 == report.counts["erased texts"]


def test_another_version_of_a_game_is_not_called_false():
    """The dice are still proven; that the rule was not played again is said."""
    log = WrittenLog()
    log.play(version="0", by="s2")
    log.play(version="0", by="s3")
    log.play("1d6")
    report = verify_log(log.log())
    assert () == report.problems
    assert 2 == report.counts["rolls not replayable here"]
    assert 1 == report.counts["rolls replayed"]
    assert len(all_throws(log)) == report.counts["throws"]
    plain = log.log()
    body = thrown(plain, 0)["body"]
    body["faces"][0] = body["faces"][0] % 8 + 1
    assert verify_log(rechained(plain)).problems[0].what.startswith("altered face")


def test_a_game_that_is_not_installed_is_not_called_false():
    """Likewise a game that somebody else has and we have not."""
    log = WrittenLog()
    log.events[0]["body"]["game"] = "elsewhere"
    log.events = rechained(log.log())["events"]
    log.play()
    plain = log.log()
    of_kind(plain, "roll.started")["body"]["what"]["request"]["game"] = "elsewhere"
    report = verify_log(rechained(plain))
    assert () == report.problems
    assert 1 == report.counts["rolls not replayable here"]


def test_what_is_withheld_stands():
    """Secret calls spend slots that all can see, and are said to be unknown."""
    log = WrittenLog()
    log.play()
    log.play(visibility="hidden")
    log.play(visibility="blind", announce=False)
    log.play()
    report = verify_log(log.log())
    assert report.ok
    assert 2 == report.counts["rolls"]
    secret = report.counts["withheld events"]
    throws = report.counts["throws"]
    assert report.sentences()[1].startswith(
        f"Not checked: the contents of {secret} secret events and"
    )
    assert {"secret events": secret, "unsigned throws": throws} == report.open_counts


def test_a_log_whose_rules_are_not_here_is_not_called_true_by_them():
    """The headline says that it was checked in part: no roll was replayed by its rules."""
    log = WrittenLog()
    log.play()
    plain = log.log()
    for event in plain["events"]:
        if "version" in event["body"]:
            event["body"]["version"] = "none that is installed"
    report = verify_log(rechained(plain))
    first, second, *_ = report.sentences()
    assert report.ok
    assert ("partly", None) == (report.verdict, report.to_json()["true"])
    assert first.startswith("Partly checked: chain and dice. ")
    assert second.startswith("Not checked: the rules of 1 roll and who called for ")
    assert 1 == report.to_json()["unchecked"]["rolls not replayed"]


def test_a_revealed_roll_is_checked_in_full():
    """Once its key is out, a secret roll is a roll like any other."""
    log = WrittenLog()
    name = log.play(visibility="hidden")
    log.play()
    assert 1 == verify_log(log.log()).counts["rolls"]
    log.reveal(name)
    report = verify_log(log.log())
    assert (True, 2) == (report.ok, report.counts["rolls replayed"])
    plain = log.log()
    body = thrown(plain, 0)["body"]
    body["fair"]["key"] = flipped(body["fair"]["key"])
    assert ["altered key"] == [problem.what for problem in verify_log(rechained(plain)).problems]


def test_a_secret_cannot_be_exchanged_before_it_is_revealed():
    """The digest of a secret event is in the chain: what is revealed later must fit it."""
    log = WrittenLog()
    name = log.play("1d20", visibility="hidden")
    noted = log.events[-1]["hash"]
    log.reveal(name)
    plain = log.log()
    altered_face_and_outcome(plain)
    assert not verify_log(plain).ok
    assert ["missing head", "altered face or number"] == [
        problem.what for problem in verify_log(rechained(plain), head=noted).problems
    ]


def test_a_secret_is_no_excuse_for_another_value():
    """What a secret roll does to a sheet that everybody sees waits until it is shown."""
    log = WrittenLog()
    log.sheet("s2", damage=0)
    log.play("1d20", visibility="hidden", announce=False)
    log.change("s2", damage=(0, 3))
    assert verify_log(log.log()).ok
    log.change("s2", damage=(5, 6))
    told = [problem.what for problem in verify_log(log.log()).problems]
    assert ["altered sheet"] == told


def test_a_default_is_what_a_sheet_begins_with():
    """A field that nobody has set has the game's default before its first change."""
    log = WrittenLog()
    log.sheet("s2")
    log.change("s2", damage=(0, 1))
    assert verify_log(log.log()).ok
    log.change("s2", stress=(3, 4))
    told = [problem.what for problem in verify_log(log.log()).problems]
    assert ["altered sheet"] == told


def test_a_choice_is_for_whoever_the_roll_names():
    """The seat that plays the rule's seat, or a referee; in a blind roll a referee alone."""
    for by, roles, visibility, fine in [
        ("s2", {}, "open", True),
        ("s1", {}, "open", True),
        ("s3", {}, "open", False),
        ("s3", {"roller": "s3"}, "open", True),
        ("s2", {"roller": "s3"}, "open", False),
        ("s2", {}, "blind", False),
        ("s1", {}, "blind", True),
        ("s2", {"roller": "s3"}, "private", True),
    ]:
        log = WrittenLog()
        name = log.start(roles=roles, visibility=visibility, physical=True)
        log.type(name, [1, 2])
        log.choose(name, "push", by)
        report = verify_log(log.log(everything=True))
        assert (by, roles, visibility, fine) == (by, roles, visibility, report.ok)


def test_typed_faces_prove_nothing_but_lead_somewhere():
    """Real dice have no key: what is checked is that the outcome follows from them."""
    log = WrittenLog()
    log.type(log.start("2d6", physical=True), [3, 4])
    assert verify_log(log.log()).ok
    plain = log.log()
    plain["events"][-1]["body"]["faces"][0] = 6
    told = [problem.what for problem in verify_log(rechained(plain)).problems]
    assert ["altered face or outcome"] == told


def test_a_fair_throw_cannot_pass_for_typed():
    """Nobody was to type in the dice of that roll."""
    log = WrittenLog()
    log.play("1d6")
    log.play("1d6")
    plain = log.log()
    event = thrown(plain, 0)
    event["body"] |= {"how": "typed", "fair": None}
    told = [problem.what for problem in verify_log(rechained(plain)).problems]
    assert "unproven throw" in told


def test_a_moved_table_goes_on_with_new_keys():
    """After an import another host commits anew, and calls are of another epoch."""
    log = WrittenLog()
    log.play("1d6")
    log.host, log.number = b"another host" * 3, 1
    body = {"from_seq": len(log.events), "rollwright": "0", "by": ""}
    slots = {"table": slot_at(log.host, "table", 1)}
    log.epoch = log.write("table.imported", body, open={"slots": slots})["hash"]
    log.play("1d6")
    report = verify_log(log.log())
    assert (True, 1) == (report.ok, report.counts["imports"])
    plain = log.log()
    of_kind(plain, "table.imported")["body"]["from_seq"] = 3
    told = [problem.what for problem in verify_log(rechained(plain)).problems]
    assert "dropped event" == told[0]


def test_a_roll_that_is_still_open_is_true_so_far():
    """An open roll is counted, and checked as far as it has come."""
    log = WrittenLog()
    log.type(log.start(SKILL, physical=True), [1, 2])
    report = verify_log(log.log())
    assert (True, 1, 1) == (report.ok, report.counts["open rolls"], report.counts["rolls replayed"])


def test_a_report_can_be_read_by_people_and_programs():
    """A sentence first; the same facts as JSON, with the names of problems."""
    report = verify_log(SESSION.log("s2"))
    counts = report.counts
    first = (
        f"True: chain, dice and rules. {counts['events']} events, {counts['rolls']} rolls and "
        f"{counts['throws']} throws checked."
    )
    secret, typed = counts["withheld events"], counts["typed throws"]
    second = (
        f"Not checked: the contents of {secret} secret events, {typed} throws typed in from real "
        f"dice and who called for {counts['throws']} throws: nobody signed, so it rests on the "
        "host’s word."
    )
    assert [first, second] == report.sentences()[:2]
    plain = json.loads(json.dumps(report.to_json()))
    assert (True, "s2", []) == (plain["true"], plain["for"], plain["problems"])
    assert counts["throws"] == plain["checked"]["throws"]
    log = SESSION.log()
    altered_key(log)
    plain = verify_log(log).to_json()
    assert (False, "altered key") == (plain["true"], plain["problems"][0]["what"])


def test_every_name_of_a_problem_is_explained():
    """In one list, and in the docs; no check uses a name that is not there."""
    folder = ROOT / "src" / "rollwright" / "table" / "verify"
    code = "\n".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    used = {name for name in NAMES if code.count(f'"{name}"') > 1}
    assert set(NAMES) == used
    told = re.findall(r'problem\((?:told|row|row\.seq|None|seq|place), "([^"]+)"', code)
    told += re.findall(r'return "([a-z ]+)", ', code)
    assert set() == set(told) - set(NAMES)
    page = (ROOT / "docs" / "table" / "fairness.md").read_text("utf-8")
    assert [] == [name for name, means in NAMES.items() if f"| {name} | {means} |" not in page]


def test_a_log_that_is_made_up_whole_is_held_by_a_noted_head_alone():
    """With other keys, commitments and hashes from the first event on, a log is true in itself."""
    log, other = WrittenLog("", founded=False), WrittenLog("", founded=False)
    other.host = b"somebody else's secret bytes"
    for one in (log, other):
        one.found()
        one.play("1d20")
    assert verify_log(other.log()).ok
    noted = log.events[0]["hash"]
    assert verify_log(log.log(), head=noted).ok
    assert ["missing head"] == [p.what for p in verify_log(other.log(), head=noted).problems]
