"""The way to the apps: tokens, requests, and what a lost or refused one means."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import httpx

ANSWER_SECONDS = 12.0
"""After that an answer counts as lost."""
AGAIN_SECONDS = 0.1
"""How long to wait before the next try."""

PASSING = {"unavailable"}
"""Refusals that mean: not now."""

Json = dict[str, Any]


def new_token() -> tuple[str, str]:
    """A token, and the hash of it that the server may know."""
    token = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
    return token, hashlib.sha256(token.encode()).hexdigest()


class Lost(Exception):
    """The connection died, or the server is just now not able: ask again."""


class Refused(Exception):
    """The server refused a command for good."""

    def __init__(self, answer: Json) -> None:
        super().__init__(json.dumps(answer))
        self.answer = answer
        self.code = str(answer["error"]["code"])


class Doors:
    """The addresses of the apps; every request and every socket goes to any of them.

    `seed` settles to which, so that no table has a home: what one app wrote, another goes on with.
    """

    def __init__(self, addresses: Sequence[str], seed: int = 1) -> None:
        self.addresses = list(addresses)
        self.used: Counter[tuple[str, str, int]] = Counter()
        """How often each table came through each door, by socket or by request."""
        self._dice = random.Random(f"doors {seed}")
        self.http = httpx.AsyncClient(
            timeout=ANSWER_SECONDS, verify=False, limits=httpx.Limits(max_connections=200)
        )

    def any(self, table: str, by: str) -> str:
        """The address of the app that somebody goes to next."""
        door = self._dice.randrange(len(self.addresses))
        self.used[table, by, door] += 1
        return self.addresses[door]

    async def ask(self, method: str, path: str, token: str = "", **more: Any) -> Any:
        """The JSON that some app answers, or Lost, or Refused."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = self.any(path.split("/")[2] if path.count("/") > 1 else "", "request")
        try:
            answer = await self.http.request(
                method, f"{address}/api/v1{path}", headers=headers, **more
            )
        except httpx.TransportError as problem:
            raise Lost from problem
        return self.read(answer)

    @staticmethod
    def read(answer: httpx.Response) -> Any:
        """What an answer says."""
        plain = answer.json()
        if answer.status_code < 400:
            return plain
        if plain["error"]["code"] in PASSING:
            raise Lost
        raise Refused(plain)

    async def ask_on(self, method: str, path: str, token: str = "", **more: Any) -> Any:
        """The JSON that an app answers, however long it takes."""
        while True:
            try:
                return await self.ask(method, path, token, **more)
            except Lost:
                await asyncio.sleep(AGAIN_SECONDS)

    async def close(self) -> None:
        """Let go of all connections."""
        await self.http.aclose()
