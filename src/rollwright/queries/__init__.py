"""Questions about dice as plain data, and their answers as plain data.

The command line prints these answers, HTTP returns them, a table adds its seats and sheets. Nothing
here knows where a question comes from, and nothing needs more than the library itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwright.budget import Budget


def answer(
    kind: str, plain: Mapping[str, Any], budget: Budget | None = None, **more: object
) -> dict[str, Any]:
    """The answer to a question; refusals are raised. A roll takes a `source` of its dice.

    >>> answer("event", {"expression": "2d6", "where": "it >= 10"})["chance"]
    '1/6'
    """
    from rollwright.queries.answers import answer  # a command line loads only what it needs

    return answer(kind, plain, budget, **more)
