"""JSON as the server writes and reads it: one encoder, one decoder, one kind of failure.

What is hashed is written as `rollwright.jsonable` does it, byte by byte, and as a browser can too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from rollwright.errors import CodedError
from rollwright.jsonable import Json, canonical_json

JsonError = msgspec.MsgspecError
"""Bytes that are no JSON, or none of the expected shape; or a value that JSON cannot hold."""


def _encode_word(value: object) -> str:
    """A word of a game that knows its place in an order, such as a Grade, is a text in JSON."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


encode: Callable[[object], bytes] = msgspec.json.Encoder(enc_hook=_encode_word).encode
"""The value as JSON."""
encode_sorted: Callable[[object], bytes] = msgspec.json.Encoder(
    enc_hook=_encode_word, order="deterministic"
).encode
"""The same with sorted keys, so that equal values are equal bytes."""
decode: Callable[[bytes | str], Any] = msgspec.json.Decoder().decode
"""The value in some JSON."""


def encode_canonical(value: object) -> bytes:
    """Plain data as `canonical` writes it, in a fifth of the time; what is none is left to it."""
    try:
        return encode_sorted(value)
    except (TypeError, ValueError, OverflowError, RecursionError, NotImplementedError):
        return canonical_json(value)


def parse_json(data: bytes | str) -> Json:
    """The value in JSON that somebody sent, or a refusal."""
    try:
        value: Json = decode(data)
        return value
    except (JsonError, ValueError):
        raise CodedError("bad_request", "this is no JSON") from None
    except RecursionError:
        raise CodedError("bad_request", "this JSON is nested too deeply") from None
