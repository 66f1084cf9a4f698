"""Deliveries of a table's open events, and how the receiver checks them.

    from rollwright.client import webhooks

    delivery = webhooks.verify(secret, request.headers, request.body, after=last_number)

The signature is the HMAC-SHA256 of the timestamp, a point and the body, with the secret's text as
its key, written as `v1=` and 64 hexadecimal digits. It needs nothing but the standard library to
be made again in any language.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any, NamedTuple

from rollwright.client.events import TypedEvent, parse_event
from rollwright.client.rolls import EventData
from rollwright.errors import RollwrightError
from rollwright.jsonable import json_text, parse_json

SIGNATURE, TIMESTAMP = "rollwright-signature", "rollwright-timestamp"
VERSION = "v1"
OLDEST = 300
"""Seconds that a delivery may be old, or a clock be off."""
LONGEST_TIMESTAMP = 15


class BadDelivery(RollwrightError):
    """Something that came and is not to be believed."""


class Forged(BadDelivery):
    """It is not signed with the secret."""


class Stale(BadDelivery):
    """It was signed too long ago, or a clock is wrong."""


class Replayed(BadDelivery):
    """It came before. Answer it as the first time: the sender may not have heard that."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(f"delivery {number} came before")


class Delivery(NamedTuple):
    """An event of a table, as its spectators see it."""

    table: str
    number: int
    """1, 2, 3 and so on: none is left out, and one that comes again has the same."""
    event: EventData

    @property
    def typed_event(self) -> TypedEvent:
        """Return the event as a typed value."""
        return parse_event(self.event)

    @property
    def body(self) -> bytes:
        """The body that is sent."""
        return json_text(self._asdict()).encode()


def new_secret() -> str:
    """A secret that nobody guesses."""
    return token_urlsafe(32)


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Sign a delivery, as `printf 1789000000.{} | openssl dgst -sha256 -hmac secret` does.

    >>> signature("secret", "1789000000", b"{}")[:19]
    'v1=0869dd033a375505'
    """
    signed = hmac.new(secret.encode(), timestamp.encode() + b"." + body, sha256)
    return f"{VERSION}={signed.hexdigest()}"


def sign_headers(secret: str, body: bytes, now: float | None = None) -> dict[str, str]:
    """The headers of a delivery that is sent now."""
    timestamp = str(int(time.time() if now is None else now))
    return {TIMESTAMP: timestamp, SIGNATURE: signature(secret, timestamp, body)}


def verify(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    after: int | None = None,
    now: float | None = None,
) -> Delivery:
    """Return the delivery; raise Forged, Stale, or Replayed if its number is not after `after`.

    `after` is the number of the last delivery that you have taken; keep it with what you made of
    that delivery.
    """
    if not secret:
        raise ValueError("a secret is needed")
    held = {name.lower(): value for name, value in headers.items()}
    timestamp, came = held.get(TIMESTAMP, ""), held.get(SIGNATURE, "")
    due = signature(secret, timestamp, body)
    if not hmac.compare_digest(due.encode(), came.encode(errors="replace")):
        raise Forged("the signature is not that of the body and its time")
    _check_time(timestamp, time.time() if now is None else now)
    delivery = _read(body)
    if after is not None and delivery.number <= after:
        raise Replayed(delivery.number)
    return delivery


def _check_time(timestamp: str, now: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= LONGEST_TIMESTAMP):
        raise Forged("the timestamp is no number")
    if abs(now - int(timestamp)) > OLDEST:
        raise Stale("it was signed too long ago, or a clock is wrong")


def _read(body: bytes) -> Delivery:
    try:
        plain: Any = parse_json(body)
        return Delivery(str(plain["table"]), int(plain["number"]), plain["event"])
    except (RollwrightError, KeyError, TypeError, ValueError):
        raise Forged("this is no delivery") from None
