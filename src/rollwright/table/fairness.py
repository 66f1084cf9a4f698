"""The bytes that are hashed, and dice that nobody can steer.

Keys are committed to beforehand and mixed with the nonces of people.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from struct import Struct

from rollwright.engine.sources import Dicebox


def frame(*fields: bytes) -> bytes:
    """The fields one after the other, each behind its length, so that no two lists look alike.

    >>> frame(b"ab", b"") == b"\\x00\\x00\\x00\\x02ab\\x00\\x00\\x00\\x00"
    True
    """
    return b"".join([_size(len(field)) + field for field in fields])


_size = Struct(">I").pack


def framed_hash(*fields: bytes) -> bytes:
    """SHA-256 over the framed fields."""
    return sha256(frame(*fields)).digest()


def _mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256. `hmac.digest` would take twice as long, and let other threads in each time."""
    return hmac.new(key, message, "sha256").digest()


def key_of(secret: bytes, number: int) -> bytes:
    """The key of a table's throw with that number."""
    return _mac(secret, frame(b"rollwright/key/1", str(number).encode()))


def commitment(key: bytes) -> str:
    """What is published of a key before it is used."""
    return framed_hash(b"rollwright/commit/1", key).hex()


def next_commitment(secret: bytes, number: int) -> str:
    """The commitment to the key of that throw."""
    return commitment(key_of(secret, number))


def witness_commitment(nonce: bytes) -> str:
    """What is published of a witness's nonce before it is used."""
    return framed_hash(b"rollwright/witness/1", nonce).hex()


def nonce_of(nonce: bytes, throw: int) -> bytes:
    """The roller's nonce for the throw with that place among the throws of one command."""
    return framed_hash(b"rollwright/nonce/1", nonce, str(throw).encode()) if nonce else b""


def handover_of(secret: bytes) -> bytes:
    """What a referee's copy of the log holds beside the events: who has it may go on elsewhere."""
    return _mac(secret, frame(b"rollwright/handover/1"))


def handover_commitment(handover: bytes) -> str:
    """What the log says of it, so that every host can check it."""
    return framed_hash(b"rollwright/handed/1", handover).hex()


class Fair(Dicebox):
    """Faces that a key, the nonces and the place in the log settle: anybody can draw them again."""

    def __init__(
        self,
        key: bytes,
        *,
        table: str,
        roll: str,
        index: int,
        number: int,
        nonce: bytes,
        witness: bytes = b"",
    ) -> None:
        super().__init__()
        self._key = key
        self._context = frame(
            b"rollwright/throw/1",
            table.encode(),
            roll.encode(),
            str(index).encode(),
            str(number).encode(),
            nonce,
            witness,
        )
        self._counter = 0

    def block(self) -> bytes:
        """The next 32 bytes of the stream."""
        message = self._context + self._counter.to_bytes(8, "big")
        self._counter += 1
        return _mac(self._key, message)
