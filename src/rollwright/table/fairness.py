"""The bytes that are hashed, and dice that nobody alone can steer.

The host commits to a key before it learns of a call, the roller signs the call with a number of
their own, and the dice follow from both: no id, no clock and no event of the host enters them.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from hashlib import sha256
from struct import Struct

from rollwright.engine.sources import Dicebox
from rollwright.jsonable import canonical_json


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


TABLE_LANE = "table"
"""The lane of rolls that are not announced, and of commands without a signature."""
HEAD_DIGITS = 32
"""Hexadecimal digits of the hash of an event by which a call says what its device has seen."""


def key_of(secret: bytes, lane: str, number: int) -> bytes:
    """The key behind the slot of a lane with that number."""
    return _mac(secret, frame(b"rollwright/key/2", lane.encode(), str(number).encode()))


def slot_of(key: bytes) -> str:
    """The commitment to a key, which is published before anybody can use it."""
    return framed_hash(b"rollwright/slot/1", key).hex()


def slot_at(secret: bytes, lane: str, number: int) -> str:
    """The commitment to the key of a lane with that number."""
    return slot_of(key_of(secret, lane, number))


def commitment_of(number: bytes) -> str:
    """The commitment to a witness's number: all that the host learns of it before the call."""
    return framed_hash(b"rollwright/witness/2", number).hex()


def call_hash(
    table: str,
    epoch: str,
    seat: str,
    call: Mapping[str, object],
    write: Callable[[object], bytes] = canonical_json,
) -> bytes:
    """The hash of a call without its signature: what a device signs, and what the dice follow."""
    plain = {name: value for name, value in call.items() if name != "signature"}
    return framed_hash(
        b"rollwright/call/1", table.encode(), bytes.fromhex(epoch), seat.encode(), write(plain)
    )


def claim_hash(table: str, epoch: str, device: str, token_hash: str) -> bytes:
    """Return the hash that a device signs to take its seat again at another host."""
    return framed_hash(
        b"rollwright/claim/1",
        table.encode(),
        bytes.fromhex(epoch),
        device.encode(),
        bytes.fromhex(token_hash),
    )


def handover_of(secret: bytes) -> bytes:
    """Return the secret that a referee's copy of the log has: its holder may continue elsewhere."""
    return _mac(secret, frame(b"rollwright/handover/1"))


def handover_commitment(handover: bytes) -> str:
    """Return the log's commitment to the handover, so that every host can check it."""
    return framed_hash(b"rollwright/handed/1", handover).hex()


class FairDice(Dicebox):
    """Faces that a key, a call and a witness settle: anybody who has these draws them again."""

    def __init__(self, key: bytes, call: bytes, throw: int = 0, witness: bytes = b"") -> None:
        super().__init__()
        self._key = key
        self._context = frame(b"rollwright/throw/2", call, witness, str(throw).encode())
        self._counter = 0

    def block(self) -> bytes:
        """The next 32 bytes of the stream."""
        message = self._context + self._counter.to_bytes(8, "big")
        self._counter += 1
        return _mac(self._key, message)


CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
SPOKEN_BITS = 128
"""Whoever shows two people two logs tries endings of both until two sound alike: of n bits that
takes the root of 2^n tries, so half as many bits as are said must be out of reach.
"""


def head_to_words(head: str) -> str:
    """The first 128 bits of a hash as eight words that people can compare aloud.

    >>> head_to_words("576309f308f89524929815b9fcf69fa8")
    'jitog-bolug-bogum-nihoh-napim-dikun-zuguk-nuvom'
    """
    bits = int(head[: SPOKEN_BITS // 4], 16)
    return "-".join([_word(bits >> place & 0xFFFF) for place in range(SPOKEN_BITS - 16, -1, -16)])


def _word(bits: int) -> str:
    """Sixteen bits as a consonant, a vowel, a consonant, a vowel and a consonant."""
    places = (12, CONSONANTS), (10, VOWELS), (6, CONSONANTS), (4, VOWELS), (0, CONSONANTS)
    return "".join([signs[bits >> place & (len(signs) - 1)] for place, signs in places])


def words_to_head(words: str) -> str:
    """Return the hexadecimal digits of eight spoken words; empty if they are not such words.

    >>> words_to_head("Jitog bolug bogum nihoh napim dikun zuguk nuvom")
    '576309f308f89524929815b9fcf69fa8'
    >>> words_to_head("no such words")
    ''
    """
    parts = words.lower().replace("-", " ").split()
    found = 0
    for word in parts:
        if len(word) != 5:
            return ""
        for sign, signs in zip(word, (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS)):
            if sign not in signs:
                return ""
            found = found * len(signs) + signs.index(sign)
    return f"{found:0{SPOKEN_BITS // 4}x}" if len(parts) == SPOKEN_BITS // 16 else ""
