"""Every kind of question with the function that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rollwright.ask.advice import advise
from rollwright.ask.curves import curve
from rollwright.ask.describe import describe
from rollwright.ask.find import find
from rollwright.ask.kinds import KINDS
from rollwright.ask.odds import compare, event, odds
from rollwright.ask.preview import preview
from rollwright.ask.questions import ask
from rollwright.ask.rolls import roll, verify
from rollwright.ask.sensitivity import sensitivity
from rollwright.budget import Budget
from rollwright.errors import BadField

Answer = dict[str, Any]

ANSWERS: dict[str, Callable[[Any, Budget], Answer]] = {
    "describe": describe,
    "odds": odds,
    "event": event,
    "compare": compare,
    "curve": curve,
    "map": curve,
    "advise": advise,
    "preview": preview,
    "roll": roll,
    "find": find,
    "sensitivity": sensitivity,
    "question": ask,
    "verify": verify,
}
"""Each takes the question as `kinds` reads it, and a budget."""


def answer(kind: str, plain: Mapping[str, Any], budget: Budget | None = None) -> Answer:
    """The answer to a question; refusals are raised.

    >>> answer("odds", {"expression": "2d6", "where": "it >= 10"})["chance"]
    '1/6'
    """
    if kind not in ANSWERS:
        raise BadField("ask", "this is no question", would_do=", ".join(ANSWERS))
    return ANSWERS[kind](KINDS[kind].from_plain(plain), budget or Budget())
