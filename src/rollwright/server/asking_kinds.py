"""What the server knows about questions without loading what answers them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def is_settled(question: Mapping[str, Any]) -> bool:
    """Whether the answer is the same every time, so that it may be kept and shared."""
    if question.get("ask") != "roll":
        return True
    return question.get("seed") is not None or question.get("faces") is not None
