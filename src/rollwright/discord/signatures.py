"""Whether a request comes from Discord: signed by its key, just now, and for the first time."""

from __future__ import annotations

import time
from binascii import Error
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from rollwright.errors import BadField, RollwrightError

if TYPE_CHECKING:
    from rollwright.client.storage import Storage

OLDEST = 300
"""Seconds that a clock may be off; what was signed within them is remembered."""


class NotFromDiscordError(RollwrightError):
    """A request that Discord did not send, or not now, or not once."""


def key_of(public_key: str) -> VerifyKey:
    """The key that Discord signs an application's requests with."""
    try:
        return VerifyKey(bytes.fromhex(public_key.strip()))
    except (ValueError, TypeError):
        digits = "the 64 hexadecimal digits of the developer portal"
        raise BadField("public key", "this is none", would_do=digits) from None


class SignatureChecker:
    """Checks what a request is signed with."""

    def __init__(
        self, public_key: str, storage: Storage, clock: Callable[[], float] = time.time
    ) -> None:
        self._key = key_of(public_key)
        self._storage = storage
        self._clock = clock

    def check(self, signature: str, timestamp: str, body: bytes) -> None:
        """Refuse what is forged, stale or replayed."""
        try:
            self._key.verify(timestamp.encode() + body, bytes.fromhex(signature))
        except (BadSignatureError, ValueError, TypeError, Error):
            raise NotFromDiscordError("the signature is not Discord's") from None
        if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 15:
            raise NotFromDiscordError("the timestamp is no number")
        now = self._clock()
        if abs(now - int(timestamp)) > OLDEST:
            raise NotFromDiscordError("it was signed too long ago, or a clock is wrong")
        # The signed content counts, not the signature.
        if not self._storage.is_new(sha256(timestamp.encode() + body).hexdigest(), now):
            raise NotFromDiscordError("it came before")
