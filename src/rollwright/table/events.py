"""Events of a table's log, each chained to the one before by hashes; seats, and who sees what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from re import compile as pattern
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from rollwright import __version__
from rollwright.hooks import Text
from rollwright.jsonable import canonical_json
from rollwright.kit.card.shapes import OptionView
from rollwright.table.fairness import framed_hash

FORMAT = 3
"""How a log is written."""
SALT_BYTES = 32
WITNESS_KINDS = frozenset(("roll.started", "roll.chosen", "roll.called", "witness.timed_out"))
"""Kinds of events that ask a witness: those behind which dice would be thrown."""
SEALED = "sealed"
"""The kind of an event that does not even say what it is; its body holds the true `kind`."""
Writes = Callable[[object], bytes]
"""Plain data in its one form, as `canonical` writes it."""
Audience = tuple[str, ...] | None
"""Seat ids and the word "referee"; None for everybody."""


class ErasableText(NamedTuple):
    """A text that people wrote, kept outside the chain so that it can be erased."""

    seat: str
    """Whose text it is."""
    salt: str
    text: str


class SecretStepData(TypedDict):
    """The step at which a secret roll waits."""

    step: Annotated[str, "`throw`, `choice`, `done` or `stopped`."]
    by: NotRequired[Annotated[str | list[str], "Whose turn it is."]]


class WitnessRequest(TypedDict):
    """Whose number the dice of a call wait for."""

    seat: Annotated[str, "The witness."]
    offer: Annotated[str, "The commitment that is to be opened."]


class PublicPart(TypedDict):
    """The part of an event that everybody may see."""

    slots: NotRequired[Annotated[dict[str, str], "The next slot of each lane that has a new one."]]
    witness: NotRequired[Annotated[WitnessRequest, "The witness whose number is waited for."]]
    by: NotRequired[Annotated[str, "The seat that did it."]]
    roll: NotRequired[Annotated[str, "The secret roll that it belongs to."]]
    visibility: NotRequired[Annotated[str, "Who sees that roll."]]
    after: NotRequired[Annotated[SecretStepData, "What that roll waits for."]]


NO_PUBLIC_PART: PublicPart = {}


class OptionsData(TypedDict):
    """Options of the open choice: worked out by the rules, and sent beside an event of the log."""

    options: Annotated[list[OptionView], "The options; of very many, the first."]
    why: NotRequired[Annotated[Text, "Why none can be listed."]]


class EventDraft(NamedTuple):
    """An event before it has its place in the log."""

    kind: str
    body: Mapping[str, Any]
    """The body, as `schemas.EVENTS` describes its kind."""
    audience: Audience = None
    open: PublicPart = NO_PUBLIC_PART
    texts: Mapping[str, ErasableText] = {}
    offers: OptionsData | None = None


class Event(NamedTuple):
    """Something that happened at the table, in its place in the log."""

    seq: int
    at: int
    """Milliseconds since 1970."""
    kind: str
    open: PublicPart
    body: Mapping[str, Any]
    salt: str
    digest: str
    hash: str
    audience: Audience = None
    texts: Mapping[str, ErasableText] = {}
    offers: OptionsData | None = None
    """Options of a choice that was just decided; they are no part of the log."""


def true_kind(kind: str, body: Mapping[str, object] | None) -> str:
    """Return the kind of an event that may be sealed, as far as its body is known."""
    return str(body.get("kind", "")) if kind == SEALED and body is not None else kind


def kind_of(event: Event) -> str:
    """Return an event's kind even if only its audience may know it; "" if it cannot be known."""
    return str(event.body.get("kind", "")) if event.kind == SEALED else event.kind


def first_hash(table: str) -> str:
    """Return the hash that the first event of a table's log is chained to."""
    return framed_hash(b"rollwright/log/1", table.encode()).hex()


def digest_of(salt: str, body: Mapping[str, object], write: Writes = canonical_json) -> str:
    """Return the salted hash of a body: it reveals nothing of the body while the salt is secret."""
    return framed_hash(b"rollwright/body/1", bytes.fromhex(salt), write(body)).hex()


def chain_hash(
    before: str,
    seq: int,
    at: int,
    kind: str,
    open: Mapping[str, object],
    digest: str,
    write: Writes = canonical_json,
) -> str:
    """The hash of an event: it holds everything before it in place."""
    return framed_hash(
        b"rollwright/event/1",
        bytes.fromhex(before),
        str(seq).encode(),
        str(at).encode(),
        kind.encode(),
        write(open),
        bytes.fromhex(digest),
    ).hex()


def seal_of(salt: str, text: str) -> str:
    """Return the hash that the chain holds in place of a text."""
    return framed_hash(b"rollwright/text/1", bytes.fromhex(salt), text.encode()).hex()


def place_events(
    drafts: Iterable[EventDraft],
    *,
    before: str,
    seq: int,
    at: int,
    entropy: Callable[[int], bytes],
    write: Writes = canonical_json,
) -> tuple[Event, ...]:
    """Return the drafts in their places after an event with the hash `before` and that `seq`.

    A caller with a quicker way to `write` plain data in its one form may bring it.
    """
    events: list[Event] = []
    for number, draft in enumerate(drafts, seq + 1):
        salt = entropy(SALT_BYTES).hex()
        events.append(place_event(draft, before=before, seq=number, at=at, salt=salt, write=write))
        before = events[-1].hash
    return tuple(events)


def place_event(
    draft: EventDraft, *, before: str, seq: int, at: int, salt: str, write: Writes = canonical_json
) -> Event:
    """The draft in its place in the log."""
    kind, body, audience, open_, texts, offers = draft
    digest = digest_of(salt, body, write)
    hash_ = chain_hash(before, seq, at, kind, open_, digest, write)
    return Event(seq, at, kind, open_, body, salt, digest, hash_, audience, texts, offers)


PUBLIC_COPY = "everybody"
"""Whose a copy of the log is that shows what everybody may see."""


def export(
    table: str, events: Iterable[Mapping[str, object]], seat: str = "", handover: str = ""
) -> dict[str, object]:
    """The log as one JSON value, of events as the seat sees them; no seat is everybody.

    A referee's copy also has the `handover`: with it the table can be gone on with elsewhere.

    >>> export("abcdefgh2345", [], "s2")["for"]
    's2'
    """
    return {
        "format": FORMAT,
        "rollwright": __version__,
        "table": table,
        "for": seat or PUBLIC_COPY,
        **({"handover": handover} if handover else {}),
        "events": [dict(event) for event in events],
    }


def is_log(plain: object) -> bool:
    """Whether parsed JSON is meant to be a log of a table, and not a roll."""
    return isinstance(plain, dict) and "events" in plain


REFEREE, PLAYER, SPECTATOR = "referee", "player", "spectator"
ROLES = (REFEREE, PLAYER, SPECTATOR)
HERE, KNOCKING, REMOVED = "here", "knocking", "removed"

COLOURS = ("", "green", "orange", "violet", "olive", "blue", "red", "amber", "pink")
"""Colours of a seat; without one it has the colour of its place."""
SYMBOLS = (
    "", "star", "crown", "skull", "bolt", "heart", "compass", "flag", "clover", "wrench",
    "bullet", "hourglass", "burst",
)  # fmt: skip
"""Symbols of a seat; without one it has its letters."""
DICE_SETS = ("", "own", "bone", "coal", "brass", "glass")
"""Dice to throw with: those of the game, those in one's own colour, or another set."""


class SeatStyle(NamedTuple):
    """The look of a seat and its dice to everybody."""

    colour: str = ""
    symbol: str = ""
    dice: str = ""


class Seat(NamedTuple):
    """Somebody at the table."""

    id: str
    role: str
    status: str
    """here, knocking or removed."""
    name: ErasableText | None = None
    """None once the person is forgotten."""
    look: SeatStyle = SeatStyle()

    @property
    def is_here(self) -> bool:
        """Whether the seat takes part."""
        return self.status == HERE

    @property
    def is_referee(self) -> bool:
        """Whether the seat is a referee who takes part."""
        return self.role == REFEREE and self.status == HERE


OPEN, PRIVATE, BLIND, HIDDEN = "open", "private", "blind", "hidden"
VISIBILITIES = (OPEN, PRIVATE, BLIND, HIDDEN)


def audience_of(visibility: str, by: str) -> Audience:
    """Who sees a roll of that visibility."""
    return {OPEN: None, PRIVATE: (by, "referee"), BLIND: ("referee",), HIDDEN: (by,)}[visibility]


def is_in_audience(seat: Seat | None, audience: Audience) -> bool:
    """Whether a seat belongs to an audience as it is now; None only watches."""
    if seat is not None and not seat.is_here:
        return False
    if audience is None:
        return True
    return seat is not None and (seat.id in audience or (REFEREE in audience and seat.is_referee))


def is_within(one: Audience, other: Audience) -> bool:
    """Whether everybody who belongs to one audience belongs to the other."""
    if other is None or one is None:
        return other is None
    return all(who in other for who in one)


def intersection(one: Audience, other: Audience) -> Audience:
    """The audience of what only those may see who may see both."""
    if one is None or other is None:
        return other if one is None else one
    return tuple(who for who in one if who in other)


TABLE_ID = pattern("[a-z2-7]{12}")


def next_id(kind: str, counted: int, seq: int, *, secret: bool) -> str:
    """Return the id of a new roll, ask or sheet, which begins with the event `seq`.

    Announced ones are counted. A secret one is called by the place of its event, after a 0: it
    takes no number, so that no gap among the others gives it away.

    >>> next_id("r", 6, 40, secret=False), next_id("r", 6, 40, secret=True)
    ('r7', 'r040')
    """
    return f"{kind}0{seq}" if secret else f"{kind}{counted + 1}"


def count_of(kind: str, name: object) -> int:
    """The number in an id of a kind that is counted, such as r7; 0 for none.

    >>> count_of("r", "r7"), count_of("r", "r040"), count_of("r", "a7")
    (7, 0, 0)
    """
    counted = _counted.fullmatch(name) if isinstance(name, str) else None
    return int(counted[2]) if counted is not None and counted[1] == kind else 0


_counted = pattern("([a-z])([1-9][0-9]{0,8})")
