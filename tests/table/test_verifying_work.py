"""The work of a check grows with the log and no faster, whatever a host has written into it."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import pytest

from rollwright.engine.play import Playing
from rollwright.table.verify import entries
from rollwright.table.verify.log import verify_log
from tests.table.tables import hashed
from tests.table.written_logs import WrittenLog, rechained

Log = dict[str, Any]
MORE = 2.3
"""Twice as long a log may take so many times the steps."""


def thrown_otherwise(throws: int) -> Log:
    """A roll in which every throw shows another face than it should."""
    log = WrittenLog("")
    name = log.start("; ".join(["1d6"] * throws))
    for _ in range(throws):
        log.throw(name)
    return forged(log)


def played_otherwise(rolls: int) -> Log:
    """Rolls of which each shows another face than it should."""
    log = WrittenLog("")
    for _ in range(rolls):
        log.play("1d6")
    return forged(log)


def forged(log: WrittenLog) -> Log:
    """The log with other faces."""
    plain = log.log()
    for event in plain["events"]:
        if "faces" in event["body"]:
            event["body"]["faces"][0] = event["body"]["faces"][0] % 6 + 1
    return rechained(plain)


def chosen_otherwise(rolls: int) -> Log:
    """Rolls in which other options are written than were chosen."""
    log = WrittenLog()
    for _ in range(rolls):
        log.play()
    plain = log.log()
    for event in plain["events"]:
        if "option" in event["body"]:
            event["body"]["option"] = {"push": "keep"}.get(event["body"]["option"], "push")
    return rechained(plain)


def typed(throws: int, step: int = 1) -> Log:
    """Faces typed into a roll of the table's dice, or with entries left out."""
    log = WrittenLog("")
    name = log.start("1d6; 1d6", physical=step > 1)
    first = log.type(name, [3])
    for place in range(1, throws):
        body = {**copy.deepcopy(first["body"]), "index": place * step}
        log.write("roll.thrown", body)
    return log.log()


def left_out(throws: int) -> Log:
    """Every second entry of a roll is left out."""
    return typed(throws, 2)


def moved(times: int) -> Log:
    """Devices come, one after the other, and people roll."""
    log = WrittenLog("")
    for number in range(1, times + 1):
        device = {"id": f"d{number}", "key": hashed(f"key {number}")}
        body = {"seat": "s2", "by": "s2", "keep_old": False, "device": device}
        slots = {"slots": {f"d{number}": hashed(f"slot {number}")}}
        log.write("seat.moved", body, open=slots)
        log.play("1d6", by="s3")
    return log.log()


def offered(times: int) -> Log:
    """Numbers without end are ready of whoever rolls, who is no witness of their own."""
    log = WrittenLog("")
    log.write("table.changed", {"by": "s1", "witnesses": True})
    for number in range(times):
        commitments = [hashed(f"{number} {place}") for place in range(8)]
        log.write("witness.offered", {"by": "s2", "commitments": commitments})
        log.play("1d6")
    return log.log()


def silent(times: int) -> Log:
    """The same, and another witness is silent again and again."""
    log = WrittenLog("")
    for number in range(times):
        commitments = [hashed(f"{number} {place}") for place in range(8)]
        log.write("witness.offered", {"by": "s2", "commitments": commitments})
        log.write("witness.silent", {"by": "", "asked": 3, "seat": "s3"})
    return log.log()


def asked_in_secret(times: int) -> Log:
    """Secrets of nothing ask for numbers that nobody has, of somebody who has many."""
    log = WrittenLog("")
    log.write("table.changed", {"by": "s1", "witnesses": True})
    commitments = [hashed(f"ready {place}") for place in range(8 * times)]
    log.write("witness.offered", {"by": "s2", "commitments": commitments})
    plain = log.log()
    for number in range(times):
        shown = {"witness": {"seat": "s2", "offer": hashed(f"none {number}")}}
        seq = len(plain["events"]) + 1
        hidden = {"seq": seq, "at": plain["events"][-1]["at"], "kind": "sealed", "open": shown}
        plain["events"].append({**hidden, "digest": "0" * 64, "hash": "0" * 64})
    return plain


def steps(log: Log) -> int:
    """How many lines of the verifier a check goes through."""
    count = 0

    def line(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def called(frame: Any, event: str, _: Any) -> Any:
        return line if "/table/" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        verify_log(log)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.long
@pytest.mark.parametrize(
    "made",
    [
        thrown_otherwise,
        played_otherwise,
        chosen_otherwise,
        typed,
        left_out,
        moved,
        offered,
        silent,
        asked_in_secret,
    ],
)
def test_twice_as_long_a_log_takes_twice_the_work(made: Callable[[int], Log]) -> None:
    """No event goes through all that came before it."""
    once, twice = (steps(made(150 * times)) for times in (1, 2))
    assert twice < MORE * once


def test_what_was_altered_is_not_looked_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged log of any length has its entries played once, and a few again to say more."""
    taken, take = [0], Playing.take

    def counted(playing: Playing[Any], entry: Any) -> None:
        taken[0] += 1
        take(playing, entry)

    monkeypatch.setattr(entries, "MOST_EXPLAINED", 200)
    monkeypatch.setattr(Playing, "take", counted)
    for log in (thrown_otherwise(120), played_otherwise(120), chosen_otherwise(60)):
        taken[0] = 0
        assert not verify_log(log).ok
        assert taken[0] <= len(log["events"]) + 2 * 200
