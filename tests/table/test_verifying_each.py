"""Logs of rolls in which everybody throws and chooses for themselves, and one leads to another."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from rollwright.client import Table
from rollwright.dice import D6
from rollwright.engine.steps import Call
from rollwright.errors import RollwrightError
from rollwright.kit import Game, Request, Value, add_game
from rollwright.rules import choose, roll, rule
from rollwright.table.verify.log import verify_log
from tests.client.hosted import device_of, sit_down
from tests.table.tables import Host


class House(Value):
    """No house rules."""


@rule
async def climb() -> int:
    """Somebody else says whether to hold the rope; then whoever climbs throws."""
    total = 0
    for who in ("helper", "rival"):
        if await choose("hold", "let go", by=who) == "hold":
            total += sum((await roll(2 * D6)).readings)
    return total


class Climb(Request, roll="climb", title="Climb", outcome=int):
    """Up the wall."""

    def call(self) -> Call[Any]:
        """The rule."""
        return climb()


ROPES = Game(
    name="ropes",
    title="Ropes",
    summary="Others hold the rope.",
    requests=(Climb,),
    house=House,
    prefix="ROP",
    rulebook={},
)


def attend(*people: Table) -> None:
    """Whoever is asked for their number tells it."""
    for one in people:
        one._attend(0)


def climbed(*, witnesses: bool, is_rival_signed: bool) -> Host:
    """A roll of s2, whose rope s3 holds, and then s4."""
    with suppress(RollwrightError):  # it is known already
        add_game(ROPES)
    host = Host(ROPES.name, players=0, witnesses=witnesses)
    people = [sit_down(host), sit_down(host)]
    if is_rival_signed:
        people.append(sit_down(host))
    else:
        host.join("player", "rival")
    attend(*people)
    roles = {"helper": "s3", "rival": "s4"}
    people[0].do("roll.start", request={"roll": "climb"}, roles=roles, each=True)
    people[1].do("roll.choose", roll="r1", option="hold")
    attend(*people)
    if is_rival_signed:
        people[2].do("roll.choose", roll="r1", option="hold")
    else:
        host.do("s4", "roll.choose", roll="r1", option="hold")
    attend(*people)
    assert "r1" not in host.state.going
    assert all(device_of(one).id for one in people)
    return host


@pytest.mark.parametrize("witnesses", [False, True], ids=["alone", "with witnesses"])
@pytest.mark.parametrize("is_rival_signed", [False, True], ids=["unsigned", "signed"])
def test_somebody_else_may_lead_to_dice_of_the_roller(
    witnesses: bool, is_rival_signed: bool
) -> None:
    """They fall in that seat's command and by its call, and are the roller's: all copies say so."""
    host = climbed(witnesses=witnesses, is_rival_signed=is_rival_signed)
    thrown = [body for body in map(body_of, host.events) if "faces" in body]
    assert ["s3", "s4"] == [body["by"] for body in thrown]
    for seat in ("", "s1", "s2", "s3", "s4"):
        report = verify_log(host.log(seat))
        assert ([], "true") == ([str(one) for one in report.problems], report.verdict)
        assert 0 < report.counts["signatures"]


def body_of(event: Any) -> dict[str, Any]:
    """What an event holds."""
    return dict(event.body)


def test_whoever_called_for_nothing_threw_no_dice() -> None:
    """A host that writes such dice as somebody else's is found out."""
    host = climbed(witnesses=False, is_rival_signed=True)
    log = host.log("s1")
    assert verify_log(log).verdict == "true"
    thrown = next(one for one in log["events"] if one["kind"] == "roll.thrown")
    thrown["body"]["by"] = "s4"
    found = {one.what for one in verify_log(log).problems}
    assert found & {"forged call", "forbidden act"}
