"""Logs of rolls in which the rule hides dice from some: every copy is true at every moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from vectors.logs import Host

from rollwright.dice import D6
from rollwright.engine.steps import Call
from rollwright.errors import RollwrightError
from rollwright.kit import Game, Request, Value, add_game, field
from rollwright.rules import choose, roll, rule
from rollwright.table.verify.log import verify_log

WAYS = ("hc", "hkoc", "hoc", "ohhoc", "ch", "chohco", "hh", "kho")
"""Hidden dice, open ones, and choices of the roller and of the keeper, in turn."""
SECRET = [("open", True), ("private", True), ("private", False), ("hidden", False)]


class House(Value):
    """No house rules."""


@rule
async def peek(way: str) -> int:
    """Dice that the keeper alone sees, some of them behind or before others."""
    total = 0
    for part in way:
        if part == "h":
            total += sum((await roll(D6, sees=("keeper",))).readings)
        elif part == "o":
            total += sum((await roll(2 * D6)).readings)
        else:
            await choose("on", "further", by="roller" if part == "c" else "keeper")
    return total


class Peek(Request, roll="peek", title="Peek", outcome=int):
    """Look under the cup."""

    way: str = field(default="h", help="what comes in turn")

    def call(self) -> Call[Any]:
        """The rule."""
        return peek(self.way)


CUPS = Game(
    name="cups",
    title="Cups",
    summary="Dice under cups.",
    requests=(Peek,),
    house=House,
    prefix="CUP",
    rulebook={},
)


def moments(way: str, *, keeper: str, physical: bool, **fields: Any) -> Iterator[Host]:
    """A roll of s2 at every moment at which it waits for somebody."""
    with suppress(RollwrightError):  # it is known already
        add_game(CUPS)
    host = Host(CUPS.name)
    request = {"roll": "peek", "way": way}
    roles = {"keeper": keeper}
    host.do("s2", "roll.start", request=request, roles=roles, physical=physical, **fields)
    yield host
    while host.state.going:
        (going,) = host.state.going.values()
        assert going.after is not None
        by = going.after["by"]
        who = by[0] if isinstance(by, list) else by
        seat = "s1" if who == "referee" else who
        if going.after["step"] == "throw":
            host.do(seat, "roll.throw", roll=going.id)
        else:
            host.do(seat, "roll.choose", roll=going.id, number=0)
        yield host
        host.roll("s3", "1d6", visibility="hidden", announce=False)
    yield host


@pytest.mark.parametrize(("visibility", "announce"), SECRET)
@pytest.mark.parametrize("physical", [False, True], ids=["thrown", "by hand"])
@pytest.mark.parametrize("way", WAYS)
def test_what_a_rule_hides_is_missed_by_nobody(
    way: str, physical: bool, visibility: str, announce: bool
) -> None:
    """Announced or not, before and behind dice that all see, and however the roll goes on."""
    for keeper in ("s1", "s3"):
        fields = {"visibility": visibility, "announce": announce}
        for host in moments(way, keeper=keeper, physical=physical, **fields):
            for seat in ("", "s1", "s2", "s3"):
                told = [str(one) for one in verify_log(host.log(seat)).problems]
                assert (seat, []) == (seat, told)
