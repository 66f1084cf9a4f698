"""What a Test, a Contest and a Group Test come to, as fields that can be counted."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.games.kleptonomicon.scores import Band


class TestOutcome(NamedTuple):
    """What a Test comes to."""

    score: int
    """The Score; 0! counts -99 and 10! counts 99, beyond every number."""
    critical: str
    """`0!`, `10!`, or empty: which side effect is due."""
    band: Band
    """low, mixed or high."""
    passed: bool
    ranges: tuple[str, ...]
    """Every range of the Test that takes effect, as it was written."""


class ContestOutcome(NamedTuple):
    """What a Contest comes to."""

    winner: str
    """first or second: who takes [Win]; the other takes [Lose]."""
    tied: bool
    """Whether a coin toss had to decide."""
    first_score: int
    second_score: int
    first_critical: str
    second_critical: str


class GroupOutcome(NamedTuple):
    """What a Group Test comes to; None where the request did not ask to read that much."""

    reached: bool
    """Whether the lowest Score is at least the goal."""
    band: Band
    """As far as it is known: `mixed or high` where no more than a goal of 7 was read."""
    critical: str | None = None
    score: int | None = None
    helped: tuple[int, ...] | None = None
    """How many Advantages each player was given, in the order of the list."""
    ranges: tuple[str, ...] | None = None

    def counted_with(self) -> dict[str, str]:
        """What has to be given so that a field is counted."""
        return dict.fromkeys(("critical", "score", "helped", "ranges"), "read")
