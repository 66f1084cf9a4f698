"""Writes the events of one command: places, seals and keys in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rollwright.table.commands.signed_commands import SlotUse
from rollwright.table.errors import CodedError, NeedsWorker
from rollwright.table.events import (
    NO_PUBLIC_PART,
    SALT_BYTES,
    SEALED,
    Audience,
    ErasableText,
    EventDraft,
    OptionsData,
    PublicPart,
    Seat,
    WitnessRequest,
    seal_of,
)
from rollwright.table.fairness import FairDice, key_of, slot_at
from rollwright.table.limits import TableLimits
from rollwright.table.schemas import EventBody, FairThrow, SealedText
from rollwright.table.state import TableState

A_THROW = 25
"""A throw without its dice takes as long as so many dice."""


@dataclass(slots=True)
class EventWriter:
    """Writes drafts for the places right after the head of a table's log."""

    state: TableState
    seat: Seat
    """Whose command it is."""
    secrets: Secrets
    entropy: Entropy
    limits: TableLimits
    call: SlotUse | None = None
    """The call that the dice of the command follow from."""
    salts: Mapping[str, str] = field(default_factory=dict)
    """The salts that a client made for its texts."""
    light: int | None = None
    """How much may be worked on here; None for anything."""
    _weight: int = 0
    _drafts: list[EventDraft] = field(default_factory=list)
    _sides: list[Side] = field(default_factory=list)
    _texts: dict[str, ErasableText] = field(default_factory=dict)

    @property
    def by(self) -> str:
        """The seat whose command it is."""
        return self.seat.id

    def weigh(self, dice: int, throws: int = 1) -> None:
        """So much is about to be worked on; raises Heavy where that is too much for here."""
        self._weight += dice + throws * A_THROW
        if self.light is not None and self._weight > self.light:
            raise NeedsWorker

    @property
    def device_head(self) -> int | None:
        """The last event that the device which calls had seen; None where nobody signed."""
        return None if self.call is None else self.call.command.get("seen")

    @property
    def seq(self) -> int:
        """The place of the next event."""
        return self.state.head + 1 + len(self._drafts)

    def seal(self, text: str, seat: str = "") -> SealedText | None:
        """Return the reference to a text that the next event holds outside the chain."""
        if not text:
            return None
        ref = f"t{self.seq}.{len(self._texts)}"
        salt = self.salts.get(text) or self.entropy(SALT_BYTES).hex()
        self._texts[ref] = ErasableText(seat or self.seat.id, salt, text)
        return {"text": ref, "seal": seal_of(salt, text)}

    def write(
        self,
        kind: str,
        body: EventBody,
        audience: Audience = None,
        open: PublicPart = NO_PUBLIC_PART,
        *,
        unnamed: bool = False,
        offers: OptionsData | None = None,
        is_act: bool = True,
    ) -> None:
        """Add the next event; an `unnamed` one hides its kind from others.

        The `offers` are sent beside it, and are no part of the log. The first event that is the act
        of the command holds its call.
        """
        whole: Mapping[str, object] = {"kind": kind, **body} if unnamed else body
        kind = SEALED if unnamed else kind
        call = self.call
        if call is not None and not call.seq and is_act:
            call.seq = self.seq
            whole = {**whole, "call": call.command}
            if call.lane:
                following = slot_at(self.secrets.table_secret, call.lane, call.number + 1)
                open = {**open, "slots": {**open.get("slots", {}), call.lane: following}}
        self._drafts.append(EventDraft(kind, whole, audience, open, self._texts, offers))
        self._texts = {}

    def add_side(self, side: Side) -> None:
        """Something to be done beside the log."""
        self._sides.append(side)

    @property
    def decision(self) -> Decision:
        """All that was written."""
        return Decision(tuple(self._drafts), tuple(self._sides))

    def fair_throw(self) -> tuple[FairDice, FairThrow]:
        """The dice of the next fair throw of the call, and what its body says of them."""
        call = self.call
        assert call is not None
        key = self.key_of(call.lane, call.number)
        dice = FairDice(key, call.hash, call.throws, call.witness)
        fair: FairThrow = {"call": call.seq or self.seq, "throw": call.throws, "key": key.hex()}
        call.throws += 1
        return dice, fair

    def key_of(self, lane: str, number: int) -> bytes:
        """The key behind a slot."""
        return key_of(self.secrets.table_secret, lane, number)

    def find_witness(self) -> WitnessRequest | None:
        """Return the witness whose number dice wait for: the oldest offer of another.

        The offers and the people count as the device which called had seen them: whoever offers a
        number, comes or leaves after that may have known the number of the call.
        """
        state, by = self.state, self.call.by if self.call is not None else self.by
        seen = state.head if self.device_head is None else self.device_head
        if not state.had_witnesses(seen):
            return None
        for offer, (seat, at) in state.offers.items():
            if at > seen:
                return None
            if seat != by and state.was_here(seat, seen):
                return {"seat": seat, "offer": offer}
        return None


Entropy = Callable[[int], bytes]
"""So many random bytes."""


class Secrets(NamedTuple):
    """The host's secrets of a table, which no seat may know."""

    table_secret: bytes
    """The 32 bytes behind every key of the table."""


class AddToken(NamedTuple):
    """A token is good from now on."""

    hash: str
    """SHA-256 of the token, in hexadecimal digits."""
    kind: str
    """`link` (joining in a role) or `seat` (acting as a seat)."""
    role: str
    seat: str = ""
    """The seat of a seat's token."""


class RevokeTokens(NamedTuple):
    """Revocation of all links of a role, or all tokens of a seat; done before any AddToken."""

    kind: str
    role: str = ""
    seat: str = ""
    but: int = 0
    """So many of the newest stay good."""


class EraseTexts(NamedTuple):
    """Every sealed text of a seat is to be erased, in the transaction of the events."""

    seat: str


Side = AddToken | RevokeTokens | EraseTexts


class Decision(NamedTuple):
    """The result of a command; the events are committed together with the sides, or not at all."""

    drafts: tuple[EventDraft, ...] = ()
    side: tuple[Side, ...] = ()
    refusal: CodedError | None = None
    """Why nothing was done, where the log says so: the number of the call was known."""
