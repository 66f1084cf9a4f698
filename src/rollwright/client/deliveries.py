"""Sends a table's open events to an address: signed, in order, until each was taken.

It watches by a spectator's link, so it cannot send what a spectator does not see. The table's log
is the queue: nothing more is read until a delivery was taken.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from rollwright.client.async_tables import AsyncServer, AsyncTable
from rollwright.client.http import Link, ServerError
from rollwright.client.relays import Relay
from rollwright.client.rolls import EventData
from rollwright.client.storage import Storage
from rollwright.client.webhooks import Delivery, new_secret, sign_headers
from rollwright.errors import BadField, RollwrightError

GONE = 410
"""Status of an address that wants no more deliveries."""
TIMEOUT = 15.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
PATIENCE = 24 * 3600.0
SECRET = "secret"
SECONDS = re.compile(r"\d{1,6}")


class DeliveryError(RollwrightError):
    """A delivery that was not taken; the next start begins with it again."""

    def __init__(self, number: int, why: str) -> None:
        self.number = number
        self.why = why
        super().__init__(f"delivery {number} was not taken: {why}")


class DeliveryResult(NamedTuple):
    """The result of a delivery: why it was refused, and how long the other side rests."""

    why: str = ""
    rest: float = 0.0
    for_good: bool = False


class Hook(NamedTuple):
    """An address that gets deliveries, and how long it is tried."""

    address: str
    patience: float = PATIENCE
    first_pause: float = FIRST_PAUSE


def check_address(address: str) -> str:
    """An address that deliveries may be sent to: over TLS, or on this machine."""
    parts = urlsplit(address)
    would_do = "https://…, or http:// on this machine"
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.fragment:
        raise BadField("address", "this is none", would_do=would_do)
    if parts.scheme == "http" and not _is_local(parts.hostname):
        raise BadField("address", "everybody on the way could read along", would_do=would_do)
    return address


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hook_secret(storage: Storage, hook: str) -> tuple[str, bool]:
    """The secret of a hook, and whether it was made just now.

    It is stored beside the numbers of its deliveries: anyone who loses the file begins with a new
    secret, and so under one secret no number ever comes again for something else.
    """
    held = storage.find(SECRET, hook)
    if held:
        return str(held), False
    made = new_secret()
    storage.put(SECRET, hook, made)
    return made, True


class Sender:
    """Posts deliveries of one table, one after the other."""

    def __init__(
        self,
        hook: Hook,
        secret: str,
        table: str,
        http: httpx.AsyncClient,
        says: Callable[[str], None] = lambda _: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._hook = hook
        self._secret = secret
        self._table = table
        self._http = http
        self._says = says
        self._sleep = sleep

    async def send(self, number: int, event: EventData) -> None:
        """Post an event until it is taken; raises GaveUp."""
        body = Delivery(self._table, number, event).body
        until, pause, before = time.monotonic() + self._hook.patience, self._hook.first_pause, ""
        while (came := await self._post(body)).why:
            wait = min(max(came.rest, pause), LONGEST_PAUSE)
            if came.for_good or time.monotonic() + wait > until:
                raise DeliveryError(number, came.why)
            if came.why != before:
                self._says(f"delivery {number} is not taken yet: {came.why}")
            await self._sleep(wait)
            pause, before = 2 * pause, came.why
        if before:
            self._says(f"delivery {number} was taken")

    async def _post(self, body: bytes) -> DeliveryResult:
        headers = {"content-type": "application/json", **sign_headers(self._secret, body)}
        post = self._http.stream("POST", self._hook.address, content=body, headers=headers)
        try:
            async with asyncio.timeout(TIMEOUT), post as answer:
                return _result_of(answer)  # what it says beside its status is not read
        except (httpx.HTTPError, TimeoutError) as problem:
            return DeliveryResult(str(problem) or type(problem).__name__)


def _result_of(answer: httpx.Response) -> DeliveryResult:
    if answer.is_success:
        return DeliveryResult()
    why = f"the address answered {answer.status_code}"
    if answer.status_code == GONE:
        return DeliveryResult(f"{why}, so it wants no more", for_good=True)
    rest = answer.headers.get("retry-after", "")
    followed = ", which is not followed" if answer.is_redirect else ""
    return DeliveryResult(why + followed, float(rest) if SECONDS.fullmatch(rest) else 0.0)


async def deliver(
    link: Link, hook: Hook, storage: Storage, says: Callable[[str], None], after: int | None = None
) -> None:
    """Follow a table and send what its spectators see; ends where either side wants no more."""
    name = f"{link.server} {link.table} {hook.address}"
    async with (
        AsyncServer(link.server, patience=TIMEOUT) as server,
        httpx.AsyncClient(timeout=TIMEOUT) as http,
    ):
        table = await spectator_table(server, link)
        secret, is_new = hook_secret(storage, name)
        if is_new:
            says(f"the secret of this hook, shown this once: {secret}")
        sender = Sender(hook, secret, link.table, http, says)
        await Relay(table, storage, name, after).run(sender.send)


async def spectator_table(server: AsyncServer, link: Link) -> AsyncTable:
    """The table of a spectator's link; no other link will do."""
    table = server.table(link)
    found = await table.snapshot(recent=0)
    if found.get("you") or found.get("door"):
        raise ServerError(403, {"code": "forbidden", "message": "a spectator's link is needed"})
    return table
