"""Witnesses whom secret rolls ask: what everybody may see of it is checked, whoever called."""

import copy
import json
from pathlib import Path

import pytest
from conformance.logs import fitted

from rollwright.table.verify.log import verify_log
from tests.table.tables import Host

LOGS = Path(__file__).parents[1] / "archive" / "3" / "logs"
EVENING = json.loads((LOGS / "twilight2000-everybody.json").read_text("utf-8"))
"""An evening with live witnesses, in the copy that everybody may see; two secret rolls ask one."""
ASKS = [
    place
    for place, event in enumerate(EVENING["events"])
    if "body" not in event and "witness" in event["open"]
]


def found(log):
    """What is wrong, by events, once all hashes were made to fit."""
    return {(problem.seq, problem.what) for problem in verify_log(fitted(log)).problems}


def offers_before(place):
    """The offers that stood there before an event and were never asked for, the oldest first."""
    events = EVENING["events"]
    asked = {event["open"]["witness"]["offer"] for event in events if "witness" in event["open"]}
    offered = [
        {"seat": event["body"]["by"], "offer": offer}
        for event in events[:place]
        if event["kind"] == "witness.offered"
        for offer in event["body"]["commitments"]
    ]
    return [offer for offer in offered if offer["offer"] not in asked]


@pytest.mark.parametrize("place", ASKS)
def test_a_secret_roll_asks_whose_turn_it_is(place):
    """By secret rolls that it only claims, a host could use up the offers of honest witnesses in
    any order, and leave those of an accomplice for the roll that matters.
    """
    log = copy.deepcopy(EVENING)
    event = log["events"][place]
    event["open"]["witness"] = offers_before(place)[-1]
    assert (event["seq"], "witness passed over") in found(log)


def test_nobody_is_silent_who_was_not_asked():
    """A secret in the log is no excuse: who is asked stands where everybody may see it."""
    log = copy.deepcopy(EVENING)
    last = log["events"][-1]
    body = {"by": "", "asked": last["seq"], "seat": "s3"}
    told = {"seq": last["seq"] + 1, "kind": "witness.silent", "open": {}, "body": body, "texts": {}}
    log["events"].append({**last, "salt": "0" * 64, **told})
    assert (last["seq"] + 1, "forged event") in found(log)


def test_throws_with_and_without_a_witness_are_told_apart() -> None:
    """Where some had one, the report does not say that there was none."""
    report = verify_log(EVENING)
    alone = report.counts["throws"] - report.counts["witnessed throws"]
    assert 0 < alone < report.counts["throws"]
    told = (
        f"{alone} throws without a live witness: they rest on host and roller not acting together."
    )
    assert told in report.said()
    assert not any(line.startswith("No live witness") for line in report.said())


@pytest.mark.parametrize("change", ["seat.role", "seat.remove"])
def test_whoever_leaves_while_dice_wait_has_called_for_them(change):
    """They might roll when they called; that a witness took a moment is no fault of theirs."""
    host = Host("", signed=True, witnesses=True)
    host.offer("s3", "w1")
    host.do("s2", "roll.start", expression="1d6; 1d8")
    role = {"role": "spectator"} if change == "seat.role" else {}
    host.do("s1", change, seat="s2", **role)
    host.answer()
    report = verify_log(host.log("s3"))
    assert ((), 2) == (report.problems, report.counts["witnessed throws"])
