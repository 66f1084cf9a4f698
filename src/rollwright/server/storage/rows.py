"""Events and what goes with them as rows of the database, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypedDict

import msgspec
from sqlalchemy import Row as DatabaseRow

from rollwright.server.json_codec import JsonError, encode
from rollwright.server.storage.appends import (
    Append,
    Creation,
    EncodedEvent,
    LogLine,
    UnstorableError,
)
from rollwright.table.commands.writer import (
    AddToken,
    EraseTexts,
    RevokeTokens,
    Side,
)
from rollwright.table.events import ErasableText, Event
from rollwright.table.visibility import full_view

Row = Mapping[str, object]
"""Values of the columns of one row, by their names."""
StoredEvent = DatabaseRow[int, int, str, str | None, str, str, str, str, str]
"""Columns read of an event: seq, at, kind, audience, open, body, salt, digest, hash."""
MOST_BYTES = 16_000_000
"""Bytes of one event at most: far beyond a table's needs, far below a database's limits."""
PIECE_BYTES = 1_048_576
"""Bytes of a log that are sent in one message or kept at hand; one event alone may be larger."""
EVENT_BYTES = 256
"""Bytes of an event beside its body: its salt, its hashes, its place."""


class EventRow(TypedDict):
    """An event as it is written."""

    table_id: str
    seq: int
    at: int
    kind: str
    roll: str
    audience: str | None
    open: str
    body: str
    salt: str
    digest: str
    hash: str


class TextRow(TypedDict):
    """A text that a person wrote, apart from its event, so that it can be erased."""

    table_id: str
    ref: str
    seq: int
    seat: str
    salt: str
    text: str


class Rows(NamedTuple):
    """Everything that one append writes, ready for the database."""

    events: list[EventRow]
    commands: list[Row]
    texts: list[TextRow]
    tokens: list[Row]
    revoked: list[Row]
    erased: list[Row]

    @property
    def is_barrier(self) -> bool:
        """Whether it takes away what others in the group may bring, so that order matters."""
        return bool(self.revoked or self.erased)


def rows_of(append: Append | Creation) -> Rows:
    """The rows of an append; raises Unstorable where no database would take them."""
    table = append.table
    rows = Rows(
        events=[_event_row(table, event) for event in append.events],
        commands=[_command_row(append)] if isinstance(append, Append) and append.command else [],
        texts=[row for event in append.events if event.texts for row in _text_rows(table, event)],
        tokens=[],
        revoked=[],
        erased=[],
    )
    for one in append.side:
        _add_side(rows, table, one, append.at)
    checked: tuple[Row, ...] = (*rows.texts, *rows.commands, *rows.tokens)
    for row in checked:
        _check_texts(row)
    return rows


def _add_side(rows: Rows, table: str, side: Side, at: int) -> None:
    """The rows of what is done beside the log."""
    if isinstance(side, AddToken):
        rows.tokens.append(_token_row(table, side, at))
    elif isinstance(side, RevokeTokens):
        rows.revoked.append(_revocation_row(table, side))
    else:
        rows.erased.append(_erasure_row(table, side))


def sizes_of(rows: Rows) -> list[int]:
    """How many bytes each event adds to the log, its texts too."""
    sizes = [size_of(row["open"], row["body"]) for row in rows.events]
    for row in rows.texts:
        sizes[row["seq"] - rows.events[0]["seq"]] += bytes_of(row["text"])
    return sizes


def size_of(open: str, body: str) -> int:
    """How many bytes an event takes in the log, without its texts."""
    return EVENT_BYTES + bytes_of(open) + bytes_of(body)


def bytes_of(text: str) -> int:
    """The bytes of a text; nothing is copied where every sign is one."""
    return len(text) if text.isascii() else len(text.encode())


def check_order(append: Append | Creation, after: int) -> None:
    """Raise Unstorable unless the events follow the head one by one."""
    if [event.seq for event in append.events] != list(
        range(after + 1, after + 1 + len(append.events))
    ):
        raise UnstorableError(
            f"the events of table {append.table!r} do not follow {after} one by one"
        )


def _event_row(table: str, event: Event) -> EventRow:
    return {
        "table_id": table,
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "roll": _roll_of(event),
        "audience": None if event.audience is None else _json(event.audience),
        "open": _json(dict(event.open)) if event.open else "{}",
        "body": _json(event.body),
        "salt": event.salt,
        "digest": event.digest,
        "hash": event.hash,
    }


def _roll_of(event: Event) -> str:
    roll = event.body.get("roll")
    return roll if isinstance(roll, str) else ""


def _json(value: object) -> str:
    try:
        data = encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError, JsonError) as problem:
        raise UnstorableError(f"an event cannot be written as JSON: {problem}") from None
    if len(data) > MOST_BYTES:
        raise UnstorableError(
            f"an event of {len(data):,} bytes is too large; {MOST_BYTES:,} would do"
        )
    return data.decode()


def _command_row(append: Append) -> Row:
    return {
        "table_id": append.table,
        "seat": append.seat,
        "command_id": append.command,
        "first": append.events[0].seq if append.events else None,
        "last": append.events[-1].seq if append.events else None,
    }


def _text_rows(table: str, event: Event) -> Iterable[TextRow]:
    for ref, sealed in event.texts.items():
        yield {
            "table_id": table,
            "ref": ref,
            "seq": event.seq,
            "seat": sealed.seat,
            "salt": sealed.salt,
            "text": sealed.text,
        }


def _token_row(table: str, token: AddToken, at: int) -> Row:
    return {
        "hash": token.hash,
        "table_id": table,
        "kind": token.kind,
        "role": token.role,
        "seat": token.seat,
        "created_at": at,
        "revoked": False,
    }


def _revocation_row(table: str, revoke: RevokeTokens) -> Row:
    return {
        "of_table": table,
        "of_kind": revoke.kind,
        "of_role": revoke.role,
        "of_seat": revoke.seat,
        "but": revoke.but,
    }


def _erasure_row(table: str, erase: EraseTexts) -> Row:
    return {"of_table": table, "of_seat": erase.seat}


def _check_texts(row: Row) -> None:
    """PostgreSQL takes no NUL and neither database takes half a character."""
    for value in row.values():
        if not isinstance(value, str):
            continue
        if "\0" in value or not _is_whole(value):
            raise UnstorableError("a text holds a sign that cannot be stored")


def _is_whole(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


_audience = msgspec.json.Decoder(tuple[str, ...])
_value: msgspec.json.Decoder[Any] = msgspec.json.Decoder(dict[str, Any])


def event_of(row: StoredEvent, texts: Mapping[str, ErasableText]) -> Event:
    """The event of a row."""
    seq, at, kind, audience, open_, body, salt, digest, hash_ = row
    seen_by = None if audience is None else _audience.decode(audience)
    open_read, body_read = _value.decode(open_), _value.decode(body)
    return Event(seq, at, kind, open_read, body_read, salt, digest, hash_, seen_by, texts)


OPENED, OPENED_NOTHING = '"opened":', '"opened":[]'
"""How the end of a roll names earlier events that everybody may see from then on."""


class _SkippedBody(msgspec.Struct):
    """Nothing of a body: to read it as this only finds out whether it is whole."""


_skimmed = msgspec.json.Decoder(_SkippedBody)


def line_of(row: StoredEvent, texts: Mapping[str, ErasableText]) -> LogLine:
    """The event of a row for somebody who passes it on: unread where that can be."""
    seq, at, kind, audience, open_, body, salt, digest, hash_ = row
    is_told_as_is = audience is None and kind.startswith("roll.") and kind != "roll.revealed"
    if not is_told_as_is or body.count(OPENED) > body.count(OPENED_NOTHING):
        return event_of(row, texts)
    for part in (open_, body):
        _skimmed.decode(part)
    unread: Any = msgspec.Raw  # in the place of what it would be read as
    event = Event(seq, at, kind, unread(open_), unread(body), salt, digest, hash_, texts=texts)
    return EncodedEvent(seq, msgspec.Raw(encode(full_view(event))))
