"""Tokens: capabilities that clients make, of which the server keeps the hashes alone."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TypeGuard
from unicodedata import normalize

from starlette.requests import HTTPConnection

from rollwright.table.errors import CodedError

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
HASH = re.compile(r"[0-9a-f]{64}")


def hash_of(token: str) -> str:
    """Return what is stored of a token.

    >>> hash_of("A" * 43)[:8]
    '0f007385'
    """
    return sha256(token.encode()).hexdigest()


def key_of(passphrase: str) -> str:
    """The token that a passphrase is sent as, so that it looks like every other one.

    >>> key_of("open sesame")
    'Qe9LsLI2YeZjAarDYGaRLawDeCe0rmOnsRZaWqk-1Os'
    """
    said = normalize("NFC", passphrase.strip()).encode()
    return urlsafe_b64encode(sha256(said).digest()).rstrip(b"=").decode()


def is_token(text: object) -> TypeGuard[str]:
    """Whether something has the form of a token: 32 bytes as base64url, without padding."""
    return isinstance(text, str) and TOKEN.fullmatch(text) is not None


def is_hash(text: object) -> TypeGuard[str]:
    """Whether something has the form of a token's hash."""
    return isinstance(text, str) and HASH.fullmatch(text) is not None


def bearer(connection: HTTPConnection) -> str:
    """The token of a request; it comes in one header and never in an address."""
    given = connection.headers.getlist("authorization")
    if not given:
        raise CodedError(
            "unauthorized", "no token came; 'Authorization: Bearer TOKEN' with one would do"
        )
    scheme, _, token = given[0].partition(" ")
    if len(given) > 1 or scheme.lower() != "bearer" or not is_token(token.strip()):
        raise CodedError(
            "unauthorized",
            "this is no token; one header 'Authorization: Bearer TOKEN' with 43 letters, digits, "
            "- or _ would do",
        )
    return token.strip()
