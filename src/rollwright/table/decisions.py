"""What a command comes to: events to be written, and what is to be done beside the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rollwright.table.events import Draft

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
