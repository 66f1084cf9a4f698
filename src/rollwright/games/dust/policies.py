"""Named ways to play: when to spend Adrenaline, and whether to take the point for doubles."""

from __future__ import annotations

import re
from typing import Any

from rollwright.count import Situation
from rollwright.errors import BadField
from rollwright.games.dust.rules import DoublesPoint
from rollwright.games.dust.tasks import SPENDING
from rollwright.games.dust.throws import FULL
from rollwright.kit import Policy, Request


def _never(argument: str, request: Request) -> Any:
    return lambda situation: _decide(situation, FULL)


def _always(argument: str, request: Request) -> Any:
    return lambda situation: _decide(situation, 0)


def _leave(argument: str, request: Request) -> Any:
    return lambda situation: situation.options[0]


def _reserve(argument: str, request: Request) -> Any:
    if not re.fullmatch("[0-9]{1,2}", argument) or int(argument) > FULL:
        raise BadField(
            "policy",
            f"reserve:{argument[:20]} does not say how many points to keep",
            rule="DUST R18",
            would_do=f"reserve:0 to reserve:{FULL}",
        )
    return lambda situation: _decide(situation, int(argument))


def _decide(situation: Situation, reserve: int) -> Any:
    """Take doubles; spend as much as is allowed without touching the reserve."""
    if isinstance(situation.about, DoublesPoint):
        return "take"
    spare = situation.about.adrenaline - reserve
    return [option for option in situation.options if SPENDING[option] <= max(0, spare)][-1]


POLICIES = {
    "never": Policy("spend no Adrenaline, take every point for doubles", _never),
    "always": Policy("spend Adrenaline whenever there is some", _always),
    "reserve": Policy("spend only what is above a reserve of N points", _reserve, "N"),
    "leave": Policy("spend nothing and leave the points for doubles", _leave),
}
