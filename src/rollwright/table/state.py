"""The state of a table: nothing but its log, folded event by event without replaying a rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rollwright.table.asks import Ask
from rollwright.table.events import Event, Sealed, first_hash, kind_of
from rollwright.table.folding import FOLDS
from rollwright.table.ids import count_of
from rollwright.table.rolls import Roll
from rollwright.table.seats import Seat
from rollwright.table.sheets import Change, Sheet


@dataclass(slots=True)
class TableState:
    """Everything a table is at one place of its log."""

    table: str = ""
    head: int = 0
    """The seq of the last event."""
    hash: str = ""
    """The hash of the last event, or what the first one is chained to."""
    game: str = ""
    """Empty for free notation."""
    game_version: str = ""
    house: dict[str, Any] = field(default_factory=dict)
    knock: bool = False
    lists: Any = field(default_factory=dict)
    title: Sealed | None = None
    seats: dict[str, Seat] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    """The seq at which the link of each role was last rotated."""
    sheets: dict[str, Sheet] = field(default_factory=dict)
    npcs: int = 0
    changes: dict[int, Change] = field(default_factory=dict)
    """Every change of a sheet by its seq."""
    undone: dict[int, int] = field(default_factory=dict)
    """Changes that were taken back, with the change that did it."""
    rolls: dict[str, Roll] = field(default_factory=dict)
    rolled: int = 0
    """The highest number of a roll: of an imported log, rolls may be missing in between."""
    going: dict[str, Roll] = field(default_factory=dict)
    """The rolls that are open."""
    waiting: dict[str, Roll] = field(default_factory=dict)
    """The latest rolls that have ended, and of which something waits to be let happen."""
    asks: dict[str, Ask] = field(default_factory=dict)
    """The asks that are open."""
    asked: int = 0
    offers: dict[str, str] = field(default_factory=dict)
    """Unused witness offers: the commitment and the seat, the oldest first."""
    offered: set[str] = field(default_factory=set)
    """Every witness offer there ever was: none is taken twice."""
    number: int = 1
    """The number of the next fair throw."""
    session: int = 1

    @classmethod
    def new(cls, table: str) -> TableState:
        """A table in which nothing has happened."""
        return cls(table=table, hash=first_hash(table))

    @classmethod
    def of(cls, events: Iterable[Event]) -> TableState:
        """The table after these events, from the first."""
        state = cls()
        for event in events:
            state.apply(event)
        return state

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        number = event.open.get("number")
        if number is not None:
            self.number = number + 1
        self.rolled = max(self.rolled, count_of(event.open.get("roll")))
        change = FOLDS.get(kind_of(event))
        if change is not None and event.body:
            change(self, event)
        self.head = event.seq
        self.hash = event.hash
