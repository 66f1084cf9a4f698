"""Whether a database is whole: pages, version, every log to its head, and what lies beside them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, Select, Table, func, or_, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from rollwright.jsonable import BadValue
from rollwright.server.json_codec import JsonError
from rollwright.server.storage import reader
from rollwright.server.storage.appends import BadDatabaseError, StoreError
from rollwright.server.storage.backups import check_exists, open_connection
from rollwright.server.storage.copies import Progress
from rollwright.server.storage.databases import file_of, format_address, is_sqlite
from rollwright.server.storage.health import reason
from rollwright.server.storage.inventory import size_of_database
from rollwright.server.storage.locks import check_no_hard_links
from rollwright.server.storage.schema import commands, events, idle, tables, texts, tokens
from rollwright.server.storage.versions import can_start_from, newest, version_of
from rollwright.table.events import Event, chain_hash, digest_of, first_hash, seal_of
from rollwright.table.fairness import slot_at
from rollwright.table.verify.chain import sealed_in

MOST_FAULTS = 100
MOST_OF_PAGES = 20
AT_ONCE, BYTES_AT_ONCE = 500, 4_000_000
LARGEST = 5

RESTORE = (
    "stop the server, put this database aside with what lies beside it (-wal, -shm), and fill a "
    "new one with `rollwright db restore` from a backup that `rollwright db check` finds whole"
)
GONE = "nothing at the tables needs it; it goes with `rollwright db backup` and `db restore`"
REKEY = "give it new keys: `rollwright db backup`, then `db restore` of that backup"


class DatabaseFault(NamedTuple):
    """Something that is wrong, and what to do about it."""

    where: str
    """`file`, `pages`, `version`, `table …`, or a part of the database."""
    what: str
    remedy: str


class TableSize(NamedTuple):
    """A table and what its log takes."""

    table: str
    events: int
    bytes: int


class CheckResult(NamedTuple):
    """The findings of a check."""

    database: str
    version: str
    newest: str
    tables: int
    events: int
    bytes: int
    """Bytes that the database takes on its disk."""
    log_bytes: int
    """Bytes that the logs in it take."""
    largest: list[TableSize]
    faults: list[DatabaseFault]
    more: int
    """How many faults there are beyond those."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check(url: URL, progress: Progress | None = None) -> CheckResult:
    """Look through a whole database without changing it; raises only if it cannot be opened."""
    check_exists(url)
    checking = _DatabaseCheck(url, progress)
    if is_sqlite(url):
        checking.names()
        checking.run_part("pages", checking.start)
        if checking.has_known_version:  # what is not ours may be for everybody
            checking.rights()
    else:
        with open_connection(url, reading=True) as connection:
            checking.start(connection)
    if checking.has_known_version:
        for part in (checking.pages, checking.logs, checking.orphans, checking.beside):
            checking.run_part(part.__name__, part)
    return checking.result()


class _DatabaseCheck:
    """A check under way."""

    def __init__(self, url: URL, progress: Progress | None) -> None:
        self._url = url
        self._progress = progress
        self._version = ""
        self._bytes = 0
        self._sizes: list[TableSize] = []
        self._faults: list[DatabaseFault] = []
        self._more = 0

    @property
    def has_known_version(self) -> bool:
        """Whether it has the version that can be looked through."""
        return self._version == newest()

    def result(self) -> CheckResult:
        """All that was found."""
        largest = sorted(self._sizes, key=lambda one: one.bytes, reverse=True)[:LARGEST]
        return CheckResult(
            database=format_address(self._url),
            version=self._version,
            newest=newest(),
            tables=len(self._sizes),
            events=sum(one.events for one in self._sizes),
            bytes=self._bytes,
            log_bytes=sum(one.bytes for one in self._sizes),
            largest=largest,
            faults=self._faults,
            more=self._more,
        )

    def fault(self, where: str, what: str, remedy: str) -> None:
        """Note that something is wrong."""
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(DatabaseFault(where, what, remedy))
        else:
            self._more += 1

    def run_part(self, where: str, part: Callable[[Connection], None]) -> None:
        """One part of the check, in a view of its own; what breaks it is a fault too."""
        try:
            with open_connection(self._url, reading=True) as connection:
                part(connection)
        except StoreError as problem:
            why = getattr(problem, "why", "") or problem  # what to do about it is said beside
            self.fault(where, f"it cannot be read: {why}", RESTORE)

    def names(self) -> None:
        """The names of SQLite's file, of which there must be one."""
        try:
            check_no_hard_links(file_of(self._url))
        except BadDatabaseError as problem:
            self.fault("file", str(problem), "remove the other names")

    def rights(self) -> None:
        """Who may read SQLite's file."""
        file = file_of(self._url)
        if os.name != "nt" and file.stat().st_mode & 0o077:
            what = "others than its owner may read or write it, and it holds the tables' secrets"
            self.fault("file", what, f"chmod 600 {file}")

    def start(self, connection: Connection) -> None:
        """The version, without which nothing else can be looked at."""
        self._version = version_of(connection)
        self._bytes = size_of_database(connection, self._url)
        if not self._version:
            self.fault("version", "there is nothing in it", "run `rollwright db upgrade`")
        elif not can_start_from(self._version):
            what = f"version {self._version!r} is not known here, only {newest()!r} and older"
            self.fault("version", what, "use a newer Rollwright")
        elif self._version != newest():
            what = f"it has version {self._version!r}, {newest()!r} is needed"
            self.fault("version", what, "run `rollwright db upgrade`, then check again")

    def pages(self, connection: Connection) -> None:
        """Check SQLite's own pages and indexes; PostgreSQL's faults show when all is read."""
        if not is_sqlite(self._url):
            return
        for line in connection.scalars(text(f"PRAGMA integrity_check({MOST_OF_PAGES})")):
            if line != "ok":
                self.fault("pages", " ".join(str(line).split()), RESTORE)

    def logs(self, connection: Connection) -> None:
        """Every log from its first event to its head."""
        rows = connection.execute(select(tables.c.id, tables.c.head).order_by(tables.c.id)).all()
        total, done = sum(row.head for row in rows), 0
        for row in rows:
            with self._in_table(connection, row.id):
                self._log(connection, row.id)
            done += row.head
            if self._progress is not None:
                self._progress(done, total)

    @contextlib.contextmanager
    def _in_table(self, connection: Connection, table: str) -> Iterator[None]:
        """Note what goes wrong at one table, so that the others are still checked."""
        try:
            with connection.begin_nested():
                yield
        except SQLAlchemyError as problem:
            self.fault(f"table {table}", f"it cannot be read: {reason(problem)}", RESTORE)
        except (JsonError, BadValue, ValueError, TypeError) as problem:
            why = type(problem).__name__
            self.fault(f"table {table}", f"an event cannot be read ({why})", RESTORE)

    def _log(self, connection: Connection, table: str) -> None:
        row = reader.table_row(connection, table)
        assert row is not None
        log = _Log(table)
        while True:
            part = reader.events_after(
                connection, table, after=log.seq, limit=AT_ONCE, most_bytes=BYTES_AT_ONCE
            )
            for event, size in zip(part.events, part.sizes):
                for what in log.follow(event, size):
                    self.fault(f"table {table}", what, RESTORE)
            if not part.events:
                break
        self._sizes.append(TableSize(table, log.count, log.bytes))
        if (log.seq, log.hash) != (row.head, row.hash if row.head else log.hash):
            what = f"its log ends at event {log.seq}, but its head is {row.head} with another hash"
            if log.seq != row.head:
                what = f"its log ends at event {log.seq}, and should at {row.head}"
            self.fault(f"table {table}", what, RESTORE)
        if any(slot != slot_at(row.secret, lane, n) for lane, (slot, n) in log.lanes.items()):
            what = "its secret does not fit a slot that it has published"
            self.fault(f"table {table}", what, REKEY)

    def orphans(self, connection: Connection) -> None:
        """Rows of tables that do not exist."""
        for part in (events, commands, texts, tokens, idle):
            count = connection.scalar(_orphans_in(part)) or 0
            if count:
                rows = "a row belongs" if count == 1 else f"{count:,} rows belong"
                self.fault(part.name, f"{rows} to no table", GONE)

    def beside(self, connection: Connection) -> None:
        """Check what is stored beside the logs: commands that name no event."""
        places = (commands.c.first, commands.c.last)
        ahead = commands.join(tables, tables.c.id == commands.c.table_id)
        behind = or_(*(place > tables.c.head for place in places))
        if count := connection.scalar(select(func.count()).select_from(ahead).where(behind)):
            self.fault("commands", f"{count:,} name events behind their log's head", RESTORE)


def _orphans_in(part: Table) -> Select[int]:
    known = select(tables.c.id)
    return select(func.count()).select_from(part).where(part.c.table_id.not_in(known))


class _Log:
    """A log as far as it was followed."""

    def __init__(self, table: str) -> None:
        self.seq = 0
        self.hash = first_hash(table)
        self.lanes: dict[str, tuple[str, int]] = {}
        """The slot of each lane that is to be spent next, and its number."""
        self.count = 0
        self.bytes = 0

    def follow(self, event: Event, size: int) -> Iterator[str]:
        """Go on by an event; what is wrong with it."""
        if event.seq != self.seq + 1:
            yield f"events {self.seq + 1} to {event.seq - 1} are missing"
        elif event.hash != chain_hash(
            self.hash, event.seq, event.at, event.kind, event.open, event.digest
        ):
            yield f"event {event.seq} does not follow by its hash"
        # Without a salt its contents are withheld here too: it came with an imported log.
        if event.salt and digest_of(event.salt, event.body) != event.digest:
            yield f"the contents of event {event.seq} do not fit their digest"
        seals = sealed_in(event.body)
        for ref, sealed in event.texts.items():
            if seals.get(ref) != [seal_of(sealed.salt, sealed.text)]:
                yield f"a text of event {event.seq} does not fit its seal"
        self.seq, self.hash = event.seq, event.hash
        if event.kind == "table.imported":
            self.lanes = {}
        for lane, slot in event.open.get("slots", {}).items():
            self.lanes[lane] = slot, self.lanes.get(lane, ("", 0))[1] + 1
        self.count, self.bytes = self.count + 1, self.bytes + size
