"""The bodies and answers of the routes of a table, for the documentation of the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

Id = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{8,64}$",
        description="Your own name for this: sent again it is done once, and answered alike.",
    ),
]
Hash = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 of a token, in hexadecimal digits.")
]
Seat = Annotated[str, Meta(description="A seat: s1, s2, …")]
Role = Literal["referee", "player", "spectator"]
Event = Annotated[
    dict[str, Any],
    Meta(description="An event as the seat sees it: seq, at, kind, open, digest, hash, and body."),
]


class Tokens(Struct):
    """Hashes of the tokens of a new table: yours, and those of its links."""

    seat: Hash
    referee: Hash
    player: Hash
    spectator: Hash


class NewTable(Struct):
    """Makes a table."""

    id: Id
    tokens: Tokens
    name: Annotated[str, Meta(description="Your name at the table.")]
    game: Annotated[str, Meta(description="The name of a game; empty for dice alone.")] = ""
    house: dict[str, Any] = {}
    title: str | None = None
    knock: Annotated[bool, Meta(description="Whether a referee lets each newcomer in.")] = False
    lists: Any = None


class MadeTable(Struct):
    """A table that was made, now or when its id was first sent."""

    ok: Literal[True]
    table: str
    seat: Seat


class Joining(Struct):
    """Takes a seat; the token in the header is that of a link."""

    id: Id
    name: str
    token_hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="Of your own token.")]


class Joined(Struct):
    """A seat that was taken."""

    ok: Literal[True]
    seat: Seat
    role: Role
    status: Literal["here", "knocking"]


class Command(Struct):
    """Something to be done at the table; its other fields depend on `do`."""

    id: Id
    do: Annotated[str, Meta(description="What is to be done.")]


class Ack(Struct):
    """A command that is committed, with the events it made as its seat sees them."""

    ok: Literal[True]
    id: str
    first: int | None
    last: int | None
    events: list[Event]


class Looked(Struct):
    """The table as a seat sees it; with a link to join by, its door."""

    you: dict[str, Any] | UnsetType | None = UNSET
    head: int | UnsetType = UNSET
    hash: str | UnsetType = UNSET
    connected: list[str] | UnsetType = UNSET
    table: dict[str, Any] | UnsetType = UNSET
    seats: list[dict[str, Any]] | UnsetType = UNSET
    sheets: list[dict[str, Any]] | UnsetType = UNSET
    door: dict[str, Any] | UnsetType = UNSET


class Events(Struct):
    """A part of the log as a seat sees it."""

    head: int
    events: list[Event]


class Log(Struct):
    """A whole log as a seat sees it, to be kept, verified or imported."""

    format: Literal[2]
    rollwright: str
    table: str
    seen_by: Annotated[str, Meta(description="Whose copy it is: a seat, or everybody.")] = field(
        name="for"
    )
    events: list[Event]


class Statistics(Struct):
    """Faces and luck, observed against expected, with a verdict."""

    seats: list[dict[str, Any]]
    table: dict[str, Any]
    compared: Annotated[int, Meta(description="How many comparisons were made.")]
    unseen: Annotated[int, Meta(description="Secret throws, which are not counted.")]
    caution: str


class Done(Struct):
    """It is done."""

    ok: Literal[True]


class Ready(Struct):
    """Whether clients should be sent here."""

    ok: bool
    database: str
    redis: str
    closing: bool
    backup: str


Time = Annotated[int, Meta(description="Milliseconds since 1970.")]


class ListedTable(Struct):
    """A table as the host sees it: how old, how long, how large, and how many are there."""

    table: str
    created_at: Time
    touched_at: Time
    events: int
    bytes: Annotated[int, Meta(description="Of its log.")]
    connected: Annotated[int, Meta(description="Seats, as far as the asked process knows.")]


class ListedTables(Struct):
    """Some tables."""

    tables: list[ListedTable]


class Quotas(Struct):
    """What everything takes up."""

    tables: int
    events: int
    log_bytes: Annotated[int, Meta(description="Of all logs, as disk_bytes limits them.")]
    database_bytes: Annotated[int, Meta(description="Of the database on its disk.")]
    rooms: int
    connections: int
    limits: dict[str, int]


class NewBan(Struct):
    """Keeps somebody out."""

    network: Annotated[str, Meta(description="An address or a network.")]
    hours: Annotated[float, Meta(description="For how long; until lifted without it.")] | None = (
        None
    )


class Ban(Struct):
    """A network that is kept out."""

    network: str
    made_at: Time
    ends_at: Time | None


class Bans(Struct):
    """Everybody who is kept out."""

    bans: list[Ban]


class NewKey(Struct):
    """Makes a key to make tables with."""

    days: Annotated[int, Meta(ge=1, le=3650, description="How long it is good.")] = 30


class MadeKey(Struct):
    """A key, which is told this once."""

    ok: Literal[True]
    key: str
    days: int


class TakenBack(Struct):
    """How many keys are good no more."""

    ok: Literal[True]
    keys: int
