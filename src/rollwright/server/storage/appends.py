"""The requests to the storage, its answers, and its failures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Raw

from rollwright.errors import RollwrightError
from rollwright.table.events import Event

if TYPE_CHECKING:
    from rollwright.table.commands.writer import Side

SECRET_BYTES = 32
"""How long the secret of a table is."""


class Append(NamedTuple):
    """The addition of one command to a table's log, written as a whole or not at all."""

    table: str
    after: int
    """The head that the events follow: written only if the log still ends there."""
    before: str
    """The hash of that head: another log may end at the same place."""
    events: tuple[Event, ...]
    """With the sequence numbers `after + 1`, `after + 2`, …; there may be none."""
    at: int
    """Milliseconds since 1970: the table was touched then."""
    seat: str = ""
    command: str = ""
    """The id that the client gave to its command; "" for one that is never repeated."""
    side: tuple[Side, ...] = ()
    """Changes beside the log: tokens, texts."""


class AppendResult(NamedTuple):
    """The append is committed; `first` and `last` are None where there was no event."""

    first: int | None
    last: int | None


class AppendRepeat(NamedTuple):
    """The command was stored before, with these events; nothing was written now."""

    first: int | None
    last: int | None


class AppendConflict(NamedTuple):
    """The log has gone on meanwhile, to this head; nothing was written."""

    head: int


class Creation(NamedTuple):
    """A new table with its first events."""

    table: str
    create_id: str
    """The id that the client gave: asked for again, it is the same table."""
    secret: bytes
    events: tuple[Event, ...]
    at: int
    side: tuple[Side, ...] = ()
    handovers: tuple[str, ...] = ()
    """Every commitment to a handover that an imported log holds."""


class CreationResult(NamedTuple):
    """The table with that `create_id`, and whether it is new."""

    table: str
    new: bool


class TableToken(NamedTuple):
    """The rights of a token, known by its hash."""

    hash: str
    table: str
    kind: str
    """`link` or `seat`."""
    role: str
    seat: str
    created_at: int
    revoked: bool


class TableRow(NamedTuple):
    """The storage's knowledge of a table beside its log."""

    id: str
    create_id: str
    created_at: int
    touched_at: int
    head: int
    hash: str
    secret: bytes
    size: int = 0
    """Bytes of its log, as far as it was ever written; what is forgotten still counts."""


class EncodedEvent(NamedTuple):
    """An event of a roll that everybody sees whole, as it is sent: nobody has to read it for that.

    It opens nothing of earlier events.
    """

    seq: int
    json: Raw


LogLine = Event | EncodedEvent
"""An event that is only passed on."""


class EventRange(NamedTuple):
    """Some events of a log that follow each other, and the bytes of each."""

    events: list[Event]
    sizes: list[int]


class LogUpdate(NamedTuple):
    """The continuation of a log after a place, in one view of the database.

    Tokens are revoked with the log alone, so they are those of its end, and are read only if the
    events reach it. Events of rolls revoke none, so with nothing else there are none.
    """

    row: TableRow
    events: list[Event]
    sizes: list[int]
    """The bytes of each event."""
    is_all: bool
    """Whether the log ends with these events; otherwise there is more behind them."""
    revoked: frozenset[str]
    """Tokens of the guests, by their hashes, that are no longer valid."""


class TableContents(NamedTuple):
    """Everything that is needed to serve a table."""

    row: TableRow
    events: list[Event]
    tokens: list[TableToken]


class StoreError(RollwrightError):
    """The storage could not do what it was asked for."""


class StoreUnavailableError(StoreError):
    """The database does not answer.

    Whether an append was written is unknown: ask again with the same command id, or look
    for it with `find_command`.
    """

    def __init__(self, why: str = "") -> None:
        super().__init__(f"the database does not answer{f': {why}' if why else ''}; try again")
        self.why = why


class TableLockedError(StoreUnavailableError):
    """Another process keeps a table locked; nothing was written."""


class DiskFullError(StoreError):
    """There is no room left where the database lies; nothing of the append was written."""

    def __init__(self, why: str = "") -> None:
        said = f" ({why})" if why else ""
        super().__init__(f"the disk of the server is full{said}; nothing was written")


class StoreDamageError(StoreError):
    """The storage is damaged, failing or not to be written: to try again will not help."""

    def __init__(self, why: str = "") -> None:
        said = f" ({why})" if why else ""
        super().__init__(f"the storage of the server is broken{said}; its host must look")


class NoTableError(StoreError):
    """An append for a table that does not exist, or does no more."""

    def __init__(self, table: str) -> None:
        super().__init__(f"there is no table {table!r}")
        self.table = table


class UnstorableError(StoreError):
    """An append that no database takes, such as a text with a NUL in it."""


class DuplicateError(UnstorableError):
    """A token or a text that exists already, so that the append was not written."""

    def __init__(self) -> None:
        super().__init__("a token or a text of this exists already; make a new one")


class OtherLogError(StoreError):
    """A log for the id of a table that was deleted here, but not the log of that table."""

    def __init__(self, table: str) -> None:
        super().__init__(f"the table {table!r} was deleted here, and this is another log")


class BadDatabaseError(StoreError):
    """An address, a file or a version of a database that cannot be used.

    `why` is what the database itself said, where it said something.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why


AppendOutcome = AppendResult | AppendConflict | AppendRepeat
