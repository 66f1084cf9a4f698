"""What the server knows about questions without loading what answers them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


def is_settled(question: Mapping[str, Any]) -> bool:
    """Whether the answer is the same every time, so that it may be kept and shared."""
    if question.get("ask") != "roll":
        return True
    return question.get("seed") is not None or question.get("faces") is not None


class Scope(NamedTuple):
    """Whose a question is: everybody's, or of somebody at a table.

    Whatever comes of a question stays within its scope: the answer that is kept, the count under
    way that an equal question could join, the memory of the process that counted it, and the
    numbers that are published. So nobody learns of it by asking the same, neither by what comes
    back nor by how soon.
    """

    table: str = ""
    whose: str = ""
    """What those have in common who may share: a seat, or something that all of them see."""

    @property
    def name(self) -> str:
        """The scope in one word; empty where it is everybody's."""
        return " ".join(self).strip()

    @property
    def is_public(self) -> bool:
        """Whether it is everybody's."""
        return self == PUBLIC


PUBLIC = Scope()


@dataclass
class Numbers:
    """How many questions came, and how they ended."""

    asked: int = 0
    answered: int = 0
    """Counted to the end by a process, refusals with it."""
    from_cache: int = 0
    joined: int = 0
    """Questions that were being counted for somebody else already."""
    refused: int = 0
    """Questions that were one too many."""
    superseded: int = 0
    cancelled: int = 0
    """Questions whose askers all went away."""
    killed: int = 0
    """Processes that counted for too long."""
    crashed: int = 0
    seconds: float = 0.0
    """Time that processes spent counting."""
    steps: int = 0

    def counted(self, seconds: float, steps: int) -> None:
        """Note one answer."""
        self.answered += 1
        self.seconds += seconds
        self.steps += steps

    def plain(self) -> dict[str, float]:
        """All numbers by name."""
        return asdict(self)
