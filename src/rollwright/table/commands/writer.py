"""Writes the events of one command: places, seals and keys in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rollwright.table.events import (
    NOTHING_SHOWN,
    SALT_BYTES,
    SEALED,
    Audience,
    Draft,
    Offers,
    Sealed,
    Seat,
    Shown,
    seal_of,
)
from rollwright.table.fairness import Fair, key_of, next_commitment, nonce_of
from rollwright.table.limits import Limits
from rollwright.table.refusals import Heavy, MissingNonce
from rollwright.table.schemas import FairThrow, Happened, SealedText, Witness
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
    limits: Limits
    nonce: bytes = b""
    light: int | None = None
    """How much may be worked on here; None for anything."""
    throws: int = 0
    """How many fair throws the command has made."""
    _weight: int = 0
    _drafts: list[Draft] = field(default_factory=list)
    _sides: list[Side] = field(default_factory=list)
    _texts: dict[str, Sealed] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    @property
    def by(self) -> str:
        """The seat whose command it is."""
        return self.seat.id

    def weigh(self, dice: int, throws: int = 1) -> None:
        """So much is about to be worked on; raises Heavy where that is too much for here."""
        self._weight += dice + throws * A_THROW
        if self.light is not None and self._weight > self.light:
            raise Heavy

    @property
    def seq(self) -> int:
        """The place of the next event."""
        return self.state.head + 1 + len(self._drafts)

    def seal(self, text: str, seat: str = "") -> SealedText | None:
        """A text for the next event, outside the chain; what stands for it in the body."""
        if not text:
            return None
        ref = f"t{self.seq}.{len(self._texts)}"
        salt = self.entropy(SALT_BYTES).hex()
        self._texts[ref] = Sealed(seat or self.seat.id, salt, text)
        return {"text": ref, "seal": seal_of(salt, text)}

    def write(
        self,
        kind: str,
        body: Happened,
        audience: Audience = None,
        open: Shown = NOTHING_SHOWN,
        *,
        unnamed: bool = False,
        offers: Offers | None = None,
    ) -> None:
        """The next event; an `unnamed` one does not say to others what it is.

        The `offers` are told beside it, and are no part of the log.
        """
        whole: Mapping[str, object] = {"kind": kind, **body} if unnamed else body
        kind = SEALED if unnamed else kind
        self._drafts.append(Draft(kind, whole, audience, open, self._texts, offers))
        self._texts = {}

    def side(self, side: Side) -> None:
        """Something to be done beside the log."""
        self._sides.append(side)

    @property
    def decision(self) -> Decision:
        """All that was written."""
        return Decision(tuple(self._drafts), tuple(self._sides))

    def fair_throw(self, roll: str, index: int) -> tuple[Fair, FairThrow, Shown]:
        """The dice of the next fair throw, what its body says of them, and what everybody sees."""
        state, secret = self.state, self.secrets.table_secret
        number = state.number + self.throws
        key = key_of(secret, number)
        nonce = nonce_of(self.nonce, self.throws)
        witness = self._witness()
        dice = Fair(
            key,
            table=state.table,
            roll=roll,
            index=index,
            number=number,
            nonce=nonce,
            witness=b"" if witness is None else bytes.fromhex(witness["nonce"]),
        )
        self.throws += 1
        fair: FairThrow = {
            "number": number,
            "key": key.hex(),
            "nonce": nonce.hex(),
            "witness": witness,
        }
        return dice, fair, {"number": number, "next": next_commitment(secret, number + 1)}

    def _witness(self) -> Witness | None:
        """The oldest unused offer of somebody else than the one whose command throws."""
        for commitment, seat in self.state.offers.items():
            if commitment in self._used or seat == self.seat.id:
                continue
            if self.state.seats[seat].is_here:
                nonce = self.secrets.nonces.get(commitment)
                if nonce is None:
                    raise MissingNonce(seat)
                self._used.add(commitment)
                self.side(UseNonce(commitment))
                return {"seat": seat, "nonce": nonce.hex()}
        return None


Entropy = Callable[[int], bytes]
"""So many random bytes."""


class Secrets(NamedTuple):
    """What the host knows of a table that no seat may know."""

    table_secret: bytes
    """The 32 bytes behind every key of the table."""
    nonces: Mapping[str, bytes] = {}
    """The unused nonces of witnesses, by their commitment."""


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
    """All links of a role, or all tokens of a seat, are good no more; done before any AddToken."""

    kind: str
    role: str = ""
    seat: str = ""
    but: int = 0
    """So many of the newest stay good."""


class AddNonces(NamedTuple):
    """A witness has offered nonces: to be kept secret until they are used."""

    seat: str
    nonces: Mapping[str, bytes]
    """By their commitment."""


class UseNonce(NamedTuple):
    """A witness's nonce was used: it can be forgotten."""

    commitment: str


class EraseTexts(NamedTuple):
    """Every sealed text of a seat is to be erased, in the transaction of the events."""

    seat: str


Side = AddToken | RevokeTokens | AddNonces | UseNonce | EraseTexts


class Decision(NamedTuple):
    """What a command comes to; the events are committed together with the sides, or not at all."""

    drafts: tuple[Draft, ...] = ()
    side: tuple[Side, ...] = ()
