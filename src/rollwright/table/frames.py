"""The bytes that are hashed: fields with their lengths, and JSON written in one way only."""

from __future__ import annotations

from hashlib import sha256

from rollwright.plain import EXACT_IN_EVERY_PARSER, BadValue, canonical, check_plain

__all__ = [
    "EXACT_IN_EVERY_PARSER",
    "BadValue",
    "canonical",
    "check_plain",
    "frame",
    "framed_hash",
]


def frame(*fields: bytes) -> bytes:
    """The fields one after the other, each behind its length, so that no two lists look alike.

    >>> frame(b"ab", b"") == b"\\x00\\x00\\x00\\x02ab\\x00\\x00\\x00\\x00"
    True
    """
    return b"".join([len(field).to_bytes(4, "big") + field for field in fields])


def framed_hash(*fields: bytes) -> bytes:
    """SHA-256 over the framed fields."""
    return sha256(frame(*fields)).digest()
