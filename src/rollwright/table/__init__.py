"""The shared table: its log, its fairness and its commands, without any network or disk."""

from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.seats import found, join
from rollwright.table.commands.writer import (
    AddToken,
    Decision,
    EraseTexts,
    RevokeTokens,
    Secrets,
    Side,
)
from rollwright.table.events import Draft, Event, Sealed, Seat, first_hash, kind_of, placed
from rollwright.table.limits import LIMITS, Limits
from rollwright.table.refusals import Refusal
from rollwright.table.state import TableState
from rollwright.table.transcripts import rule_seat_of, transcript_of
from rollwright.table.visibility import may_see, opened, seen, snapshot

__all__ = [
    "AddToken",
    "Decision",
    "Draft",
    "EraseTexts",
    "Event",
    "LIMITS",
    "Limits",
    "Refusal",
    "RevokeTokens",
    "Seat",
    "Sealed",
    "Secrets",
    "Side",
    "TableState",
    "decide",
    "first_hash",
    "found",
    "join",
    "kind_of",
    "may_see",
    "opened",
    "placed",
    "rule_seat_of",
    "seen",
    "snapshot",
    "transcript_of",
]
