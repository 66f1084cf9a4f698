"""A roll at the table as data: what was asked for, what has happened, who may see it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from rollwright.table.events import Event
from rollwright.table.seats import Audience

OPEN, PRIVATE, BLIND, HIDDEN = "open", "private", "blind", "hidden"
VISIBILITIES = (OPEN, PRIVATE, BLIND, HIDDEN)
GOING, DONE, UNDONE, ABANDONED = "open", "done", "undone", "abandoned"
TYPED, FAIR = "typed", "fair"
MOST_HELD = 8
"""Events of a roll that waits; of more, only the first and the last are held."""


@dataclass(slots=True)
class Roll:
    """A roll with everything that is needed to go on with it, to reveal, undo or repeat it."""

    id: str
    by: str
    """The seat that rolls."""
    what: dict[str, Any]
    """`{"request": …}` or `{"expression": …}`."""
    game_version: str
    title: str = ""
    sheet: str = ""
    from_sheet: dict[str, Any] | None = None
    visibility: str = OPEN
    announce: bool = True
    audience: Audience = None
    """Who sees it while it is not revealed."""
    roles: dict[str, str] = field(default_factory=dict)
    ask: str = ""
    physical: bool = False
    goal: str = ""
    status: str = GOING
    revealed: bool = False
    waits: tuple[str, ...] = ()
    """Once it has ended, the sheets on which what it does waits until somebody lets it happen."""
    entries: list[dict[str, Any]] = field(default_factory=list)
    """Faces and options in order, as a stored transcript has them."""
    authors: list[str] = field(default_factory=list)
    """The seat that made each entry, while the roll is open."""
    after: dict[str, Any] | None = None
    """What an open roll waits for."""
    seqs: list[int] = field(default_factory=list)
    """Its events, those that changed sheets included."""
    veiled: list[int] = field(default_factory=list)
    """The throws among them that the rule hides while the roll is open."""
    changes: list[int] = field(default_factory=list)
    """The changes of sheets among them."""
    events: list[Event] = field(default_factory=list)
    """Its events while it is open; while something of it waits, what is needed to decide that."""

    @property
    def is_open(self) -> bool:
        """Whether it still waits for something."""
        return self.status == GOING

    @property
    def dice(self) -> int:
        """How many dice it has thrown so far."""
        return sum(len(entry.get("faces", ())) for entry in self.entries)

    @property
    def is_secret(self) -> bool:
        """Whether not everybody may see it now."""
        return self.audience is not None and not self.revealed

    @property
    def seers(self) -> Audience:
        """Who may see it now."""
        return None if self.revealed else self.audience

    def close(self, status: str) -> None:
        """The roll is over; what only an open roll needs is let go."""
        waits = (self.after or {}).get("waits") if status == DONE else None
        self.status = status
        self.waits = tuple(waits or ())
        self.after = None
        if len(self.events) > MOST_HELD:
            self.events = [self.events[0], self.events[-1]]
        self.authors = []

    def let(self, sheets: Collection[str]) -> None:
        """Nothing waits on these sheets any more."""
        self.waits = tuple([sheet for sheet in self.waits if sheet not in sheets])


def audience_of(visibility: str, by: str) -> Audience:
    """Who sees a roll of that visibility."""
    return {
        OPEN: None,
        PRIVATE: (by, "referee"),
        BLIND: ("referee",),
        HIDDEN: (by,),
    }[visibility]
