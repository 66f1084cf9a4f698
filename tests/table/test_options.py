"""Choices among very many options: bounded in an event, and still checked to the last."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rollwright.table.transcripts import LISTED_BYTES, options_differ, options_plain
from rollwright.table.verify.log import verify_log
from tests.table.tables import Host
from tests.table.written_logs import rechained

AIMS = [{"name": name, "capacity": 9} for name in ("A", "B", "C", "D")]
ATTACK = {"roll": "attack", "attribute": "A", "skill": "A", "ammo_dice": 6, "targets": AIMS}


def burst(sixes: int = 6) -> tuple[Host, dict[str, Any]]:
    """A burst at four targets with sixes to spend: the host, and what it waits for."""
    host = Host(players=1)
    host.do("s2", "roll.start", request={**ATTACK, "ammo_dice": sixes}, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[6, 7, *[6] * sixes])
    return host, host.last["after"]


def test_an_event_of_many_options_is_bounded() -> None:
    """It names the first options, how many there are, and a digest of all."""
    host, after = burst()
    assert after["count"] > 900 > len(after["options"]) > 20
    assert 64 == len(after["digest"])
    assert len(json.dumps(host.last)) < LISTED_BYTES + 3_000
    assert ["ask.spend"] == after["question"]
    assert (6, ["", "A", "B", "C", "D"]) == (
        after["assign"]["tokens"],
        [place["at"] for place in after["assign"]["places"]],
    )


def test_few_options_are_all_listed() -> None:
    """Where all fit, the list is whole and needs no digest."""
    assert {"options"} == options_plain(("keep", "push")).keys()


def test_every_option_can_be_chosen() -> None:
    """By its number, also behind those that are named; and not beyond the last."""
    host, after = burst()
    assert "bad_field" == host.refused("s2", "roll.choose", roll="r1", number=after["count"]).code
    host.do("s2", "roll.choose", roll="r1", number=after["count"] - 1)
    assert () == verify_log(host.log("s1")).problems


@pytest.mark.parametrize(
    "forge",
    [
        lambda after: after.update(count=after["count"] - 1),
        lambda after: after.update(digest="0" * 64),
        lambda after: after["options"].pop(0),
        lambda after: after.pop("digest"),
        lambda after: after.update(options=None),
    ],
)
def test_other_options_than_by_the_rules_are_told(forge: Any) -> None:
    """Number, digest and the options that are named are those of the rule, or the log is false."""
    host, _ = burst()
    log = host.log("s1")
    forge(log["events"][-1]["body"]["after"])
    told = [problem.what for problem in verify_log(rechained(log)).problems]
    assert ["altered face or outcome"] == told


def test_the_digest_is_of_the_order_too() -> None:
    """The same options in another order are other options: they are chosen by their number."""
    many = tuple(f"option number {number} of very many" for number in range(400))
    plain = options_plain(many)
    assert not options_differ(plain, many)
    assert options_differ(plain, (*many[:-2], many[-1], many[-2]))
