"""What a link to a roll is made of: the roll as it was told, and nothing that has not happened."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.table.shares import share_query
from tests.table.tables import Host

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}


def asked(host: Host) -> dict[str, Any]:
    """The question to `share` about the only roll, as everybody sees it."""
    told = [event for event in host.log("")["events"] if event["kind"].startswith("roll.")]
    question: dict[str, Any] = share_query(host.state, None, host.state.rolls["r1"], told)
    return question["transcript"]


@pytest.mark.parametrize("is_pushable", [False, True], ids=["done", "open"])
def test_a_link_tells_what_came_of_a_roll_once_it_is_done(is_pushable: bool) -> None:
    """Of a roll that still waits for a choice it tells the dice alone."""
    host = Host()
    request = {**SKILL, "pushable": is_pushable}
    host.do("s2", "roll.start", request=request, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[2, 3])
    transcript = asked(host)
    assert [{"faces": [2, 3], "how": "typed"}] == transcript["answers"]
    assert ("outcome" in transcript) is not is_pushable
    assert ("r1" in host.state.going) is is_pushable
