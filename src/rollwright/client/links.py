"""Tokens that a client makes, and the links they travel in."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from os import urandom
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import urlsplit

from rollwright.errors import RollwrightError

TOKEN_BYTES = 32


class BadLink(RollwrightError):
    """A text that is no link to a table."""


def new_token() -> str:
    """A token that nobody can guess: 32 random bytes as base64url."""
    return urlsafe_b64encode(urandom(TOKEN_BYTES)).rstrip(b"=").decode()


def new_id() -> str:
    """A name of our own for a command, so that sending it again does it once."""
    return urandom(12).hex()


def new_nonce() -> str:
    """What we add to a throw, so that the server alone cannot settle it."""
    return urandom(TOKEN_BYTES).hex()


def hash_of(token: str) -> str:
    """What the server is told of a token.

    >>> hash_of("A" * 43)[:8]
    '0f007385'
    """
    return sha256(token.encode()).hexdigest()


def key_of(passphrase: str) -> str:
    """What a passphrase is sent as where one is needed to make tables.

    >>> key_of("open sesame")
    'Qe9LsLI2YeZjAarDYGaRLawDeCe0rmOnsRZaWqk-1Os'
    """
    said = normalize("NFC", passphrase.strip()).encode()
    return urlsafe_b64encode(sha256(said).digest()).rstrip(b"=").decode()


class Link(NamedTuple):
    """A link to a table: its server, its id, and a token that stays in the browser.

    >>> Link.read("https://dice.example/t/abcdefgh2345#secret").table
    'abcdefgh2345'
    """

    server: str
    table: str
    token: str

    def __str__(self) -> str:
        return f"{self.server}/t/{self.table}#{self.token}"

    @classmethod
    def read(cls, text: str) -> Link:
        """The link in a text."""
        parts = urlsplit(text.strip())
        before, mark, table = parts.path.rpartition("/t/")
        if not (parts.scheme and parts.netloc and mark and table and parts.fragment):
            raise BadLink(f"{text[:40]!r}… is no link; https://SERVER/t/TABLE#TOKEN would do")
        return cls(f"{parts.scheme}://{parts.netloc}{before}", table.rstrip("/"), parts.fragment)
