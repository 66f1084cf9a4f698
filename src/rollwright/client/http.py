"""Requests that are tried again: a lost connection or a server that is restarted is waited out."""

from __future__ import annotations

import random
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from os import urandom
from typing import Any, NamedTuple
from unicodedata import normalize
from urllib.parse import urlsplit

import httpx

from rollwright.errors import RollwrightError

API = "/api/v1"
PATIENCE = 15.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


class Refused(RollwrightError):
    """The server did not do it: a code for programs, a sentence for people."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        self.status = status
        self.code = str(error.get("code", "internal"))
        self.message = str(error.get("message", "the server gave no reason"))
        self.field = str(error.get("field", ""))
        self.details = error
        """Everything the server said, such as `start`, `end` and `suggestions`."""
        super().__init__(self.message)


class Unreachable(RollwrightError):
    """The server could not be reached for as long as was waited."""


class Asking:
    """Sends requests to one server, and sends them again when they were lost."""

    def __init__(self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.patience = patience
        self._http = httpx.Client(base_url=self.address + API, timeout=timeout)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        token: str = "",
        query: Mapping[str, int] | None = None,
    ) -> Any:
        """The answer as data; tried again while the server cannot be reached or is not ready.

        Whatever changes something has an id of its own in its body, so that it is done once.
        """
        answer = self._answer(method, path, body, token=token, query=query)
        if "json" in answer.headers.get("content-type", ""):
            return answer.json()
        return answer.text

    def _answer(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        *,
        token: str,
        query: Mapping[str, int] | None,
    ) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        until = time.monotonic() + self.patience
        pause = FIRST_PAUSE
        while True:
            try:
                answer = self._http.request(method, path, json=body, headers=headers, params=query)
            except httpx.TransportError as problem:
                lost: RollwrightError = Unreachable(f"{self.address}: {_said(problem)}")
                wait = pause
            else:
                if answer.is_success:
                    return answer
                lost = refused(answer)
                wait = _worth_waiting(lost, pause)
            if not wait or time.monotonic() + wait > until:
                raise lost
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE) * random.uniform(0.75, 1.25)


def refused(answer: httpx.Response) -> Refused:
    """The refusal in an answer."""
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": "internal", "message": f"the server answered {answer.status_code}"}
    return Refused(answer.status_code, error)


def _worth_waiting(problem: Refused, pause: float) -> float:
    """How long to wait before it is tried again; 0 where that would not help."""
    if problem.code == "too_many":
        return float(problem.details.get("wait", 1000 * pause)) / 1000
    return pause if problem.code == "unavailable" or problem.status in (502, 503, 504) else 0.0


def _said(problem: Exception) -> str:
    return str(problem) or type(problem).__name__


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
