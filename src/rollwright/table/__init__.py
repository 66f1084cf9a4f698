"""The shared table: its log, its fairness and its commands, without any network or disk."""

from rollwright.table.commands.dispatch import decide
from rollwright.table.commands.seats import create_table, join
from rollwright.table.commands.writer import (
    AddToken,
    Decision,
    EraseTexts,
    RevokeTokens,
    Secrets,
    Side,
)
from rollwright.table.errors import CodedError
from rollwright.table.events import (
    ErasableText,
    Event,
    EventDraft,
    Seat,
    first_hash,
    kind_of,
    place_event,
)
from rollwright.table.limits import LIMITS, TableLimits
from rollwright.table.state import TableState
from rollwright.table.transcripts import rule_seat_of, transcript_of
from rollwright.table.visibility import may_see, reopened_seqs, snapshot, view_event

__all__ = [
    "AddToken",
    "Decision",
    "EventDraft",
    "EraseTexts",
    "Event",
    "LIMITS",
    "TableLimits",
    "CodedError",
    "RevokeTokens",
    "Seat",
    "ErasableText",
    "Secrets",
    "Side",
    "TableState",
    "decide",
    "first_hash",
    "create_table",
    "join",
    "kind_of",
    "may_see",
    "reopened_seqs",
    "place_event",
    "rule_seat_of",
    "view_event",
    "snapshot",
    "transcript_of",
]
