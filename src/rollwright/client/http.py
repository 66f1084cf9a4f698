"""Requests that are tried again: a lost connection or a server that is restarted is waited out."""

from __future__ import annotations

import asyncio
import random
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from os import urandom
from typing import Any, NamedTuple
from unicodedata import normalize

import httpx

from rollwright.errors import RollwrightError
from rollwright.i18n.codes import ENGLISH, best_language
from rollwright.i18n.messages import Message, msg

API = "/api/v1"
PATIENCE = 15.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0


class ServerError(RollwrightError):
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


class HttpRequest(NamedTuple):
    """One request: what is asked of a server, and by whom."""

    method: str
    path: str
    body: Mapping[str, object] | None = None
    token: str = ""
    query: Mapping[str, int | str] | None = None

    @property
    def headers(self) -> dict[str, str]:
        """Who asks."""
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    @property
    def arguments(self) -> dict[str, Any]:
        """The same as the HTTP client takes it."""
        return {"json": self.body, "headers": self.headers, "params": self.query}


class RetryTimer:
    """How long one request is tried: what was lost is waited out, with longer and longer pauses.

    Whatever changes something has an id of its own in its body, so that it is done once.
    """

    def __init__(self, patience: float) -> None:
        self._until = time.monotonic() + patience
        self._pause = FIRST_PAUSE

    def pause_after(self, lost: RollwrightError) -> float:
        """How long to wait before it is tried again; raises what was lost where that is no use."""
        wait = _retry_pause(lost, self._pause) if isinstance(lost, ServerError) else self._pause
        if not wait or time.monotonic() + wait > self._until:
            raise lost
        self._pause = min(2 * self._pause, LONGEST_PAUSE) * random.uniform(0.75, 1.25)
        return wait


class HttpClient:
    """Sends requests to one server, and sends them again when they were lost."""

    def __init__(
        self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0, language: str = ""
    ) -> None:
        self.address = address.rstrip("/")
        self.patience = patience
        self.language = best_language(language) or ENGLISH
        headers = {"accept-language": language} if language else None
        self._http = httpx.Client(base_url=self.address + API, timeout=timeout, headers=headers)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def fetch(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        token: str = "",
        query: Mapping[str, int | str] | None = None,
    ) -> Any:
        """The answer as data, as text where it is text."""
        return parse_answer(self.send(HttpRequest(method, path, body, token, query)))

    def send(self, call: HttpRequest) -> httpx.Response:
        """The answer as it came; tried again while the server cannot be reached or is not ready."""
        trying = RetryTimer(self.patience)
        while True:
            try:
                answer = self._http.request(call.method, call.path, **call.arguments)
            except httpx.TransportError as problem:
                lost: RollwrightError = Unreachable(f"{self.address}: {_describe(problem)}")
            else:
                if answer.is_success:
                    return answer
                lost = error_from(answer)
            time.sleep(trying.pause_after(lost))


class AsyncHttpClient:
    """The same for an event loop."""

    def __init__(
        self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0, language: str = ""
    ) -> None:
        self.address = address.rstrip("/")
        self.patience = patience
        self.language = best_language(language) or ENGLISH
        headers = {"accept-language": language} if language else None
        base = self.address + API
        self._http = httpx.AsyncClient(base_url=base, timeout=timeout, headers=headers)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def fetch(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        token: str = "",
        query: Mapping[str, int | str] | None = None,
    ) -> Any:
        """The answer as data, as text where it is text."""
        return parse_answer(await self.send(HttpRequest(method, path, body, token, query)))

    async def send(self, call: HttpRequest) -> httpx.Response:
        """The answer as it came; tried again while the server cannot be reached or is not ready."""
        trying = RetryTimer(self.patience)
        while True:
            try:
                answer = await self._http.request(call.method, call.path, **call.arguments)
            except httpx.TransportError as problem:
                lost: RollwrightError = Unreachable(f"{self.address}: {_describe(problem)}")
            else:
                if answer.is_success:
                    return answer
                lost = error_from(answer)
            await asyncio.sleep(trying.pause_after(lost))


def parse_answer(answer: httpx.Response) -> Any:
    """Read the body of an answer: data, or a text."""
    is_data = "json" in answer.headers.get("content-type", "")
    return answer.json() if is_data else answer.text


def error_from(answer: httpx.Response) -> ServerError:
    """The refusal in an answer."""
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": "internal", "message": f"the server answered {answer.status_code}"}
    return ServerError(answer.status_code, error)


def _retry_pause(problem: ServerError, pause: float) -> float:
    """How long to wait before it is tried again; 0 where that would not help."""
    if problem.code == "too_many":
        return float(problem.details.get("wait", 1000 * pause)) / 1000
    return pause if problem.code == "unavailable" or problem.status in (502, 503, 504) else 0.0


def _describe(problem: Exception) -> str:
    return str(problem) or type(problem).__name__


TOKEN_BYTES = 32


LINK = re.compile(
    r"(https?://[^\s/?#@\\]+(?:/[^\s?#]*)?)/t/([a-z2-7]{12})/?#([\w-]{1,200})(?:\.([\w-]{43}))?",
    re.A,
)
LONGEST_NAMED = 40
"""Signs of what is no link that are repeated."""


class BadLink(RollwrightError):
    """A text that is no link to a table."""

    def __init__(self, text: str) -> None:
        named = text if len(text) <= LONGEST_NAMED else f"{text[:LONGEST_NAMED]}…"
        self._wording = msg("bot.no_link", text=named)
        super().__init__(str(self._wording))

    @property
    def wording(self) -> Message:
        """The message."""
        return self._wording


def to_base64url(data: bytes) -> str:
    """Return bytes as they are written in a link: base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def new_token() -> str:
    """A token that nobody can guess: 32 random bytes as base64url."""
    return to_base64url(urandom(TOKEN_BYTES))


def new_id() -> str:
    """A name of our own for a command, so that sending it again does it once."""
    return urandom(12).hex()


def new_nonce() -> str:
    """Make a nonce for a throw, so that the server alone cannot settle it."""
    return urandom(TOKEN_BYTES).hex()


def hash_of(token: str) -> str:
    """Return the hash of a token, which is all that the server gets.

    >>> hash_of("A" * 43)[:8]
    '0f007385'
    """
    return sha256(token.encode()).hexdigest()


def key_of(passphrase: str) -> str:
    """Return the form in which a passphrase for making tables is sent.

    >>> key_of("open sesame")
    'Qe9LsLI2YeZjAarDYGaRLawDeCe0rmOnsRZaWqk-1Os'
    """
    said = normalize("NFC", passphrase.strip()).encode()
    return to_base64url(sha256(said).digest())


class Link(NamedTuple):
    """A link to a table: its server, its id, and a token that stays in the browser.

    The link by which a seat moves to another device also has the seed of its key.

    >>> Link.parse("https://dice.example/t/abcdefgh2345#secret").table
    'abcdefgh2345'
    """

    server: str
    table: str
    token: str
    seed: str = ""
    """Hexadecimal digits."""

    def __str__(self) -> str:
        seed = f".{to_base64url(bytes.fromhex(self.seed))}" if self.seed else ""
        return f"{self.server}/t/{self.table}#{self.token}{seed}"

    @classmethod
    def of(cls, link: Link | str) -> Link:
        """A link, or the one in a text."""
        return link if isinstance(link, Link) else cls.parse(link)

    @classmethod
    def parse(cls, text: str) -> Link:
        """The link in a text."""
        found = LINK.fullmatch(text.strip())
        if found is None:
            raise BadLink(text.strip())
        server, table, token, seed = found.groups()
        return cls(server, table, token, urlsafe_b64decode(f"{seed}=").hex() if seed else "")
