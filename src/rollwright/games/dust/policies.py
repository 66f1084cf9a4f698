"""Named ways to play: when to spend Adrenaline, and whether to take the point for doubles."""

from __future__ import annotations

from functools import partial
from typing import Any

from rollwright.count import Situation
from rollwright.games.dust.rules import DoublesPoint
from rollwright.games.dust.tasks import SPENDING
from rollwright.games.dust.throws import FULL
from rollwright.kit import Policy


def _decide(situation: Situation, reserve: int) -> Any:
    """Take doubles; spend as much as is allowed without touching the reserve."""
    if isinstance(situation.about, DoublesPoint):
        return "take"
    spare = situation.about.adrenaline - reserve
    return [option for option in situation.options if SPENDING[option] <= max(0, spare)][-1]


POLICIES = {
    "never": Policy.of(
        "spend no Adrenaline, take every point for doubles", partial(_decide, reserve=FULL)
    ),
    "always": Policy.of("spend Adrenaline whenever there is some", partial(_decide, reserve=0)),
    "reserve": Policy.numbered(
        "spend only what is above a reserve of N points",
        lambda points: partial(_decide, reserve=points),
        name="reserve",
        says="how many points to keep",
        low=0,
        high=FULL,
        rule="DUST R18",
    ),
    "leave": Policy.of(
        "spend nothing and leave the points for doubles", lambda situation: situation.options[0]
    ),
}
