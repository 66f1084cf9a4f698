"""A question that came over HTTP: read into its shape, asked, and dropped when the asker leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request

from rollwright.ask.kinds import Question
from rollwright.server.access import address_of, services_of
from rollwright.server.bodies import body_of
from rollwright.server.counting.kinds import PUBLIC, Scope
from rollwright.server.limits import Spent
from rollwright.server.wire import JSON, read_bytes
from rollwright.table.refusals import Refusal

if TYPE_CHECKING:
    from rollwright.server.services import Services

T = TypeVar("T")


async def read_body(request: Request, shape: type[Question]) -> dict[str, Any]:
    """The fields of a body that were given, checked against its shape."""
    return body_of(await read_unread(request, services_of(request).settings.body_bytes), shape)


async def read_unread(request: Request, limit: int) -> bytes:
    """A body as it came: reading the JSON of a long one would hold up everybody."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise Refusal("bad_request", f"the body is {kind or 'of no type'!r}; {JSON} would do")
    return await read_bytes(request, limit)


@contextmanager
def place_for_body(request: Request, services: Services) -> Iterator[int]:
    """How long a body may be; a long one needs a place, for it is held until its turn comes."""
    said = request.headers.get("content-length", "")
    short = services.settings.body_bytes
    if said.isascii() and said.isdigit() and int(said[:20]) <= short:
        yield short
        return
    with services.limits.bodies.place(address_of(request)):
        yield services.settings.import_bytes


async def answered(
    request: Request,
    question: dict[str, Any],
    share: str,
    *,
    scope: Scope = PUBLIC,
    slot: str = "",
    payload: bytes = b"",
    seconds: float | None = None,
    spent: Spent | None = None,
) -> dict[str, Any]:
    """The answer to a question; when the asker hangs up, nobody counts on."""
    counting, address = services_of(request).counting, address_of(request)
    asking = counting.ask(
        question,
        share,
        scope=scope,
        address=address,
        slot=slot,
        payload=payload,
        seconds=seconds,
        spent=spent,
    )
    return await unless_left(request, asking)


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What some work comes to; it is stopped when whoever asked for it hangs up."""
    asked = asyncio.create_task(work)
    left = asyncio.create_task(_left(request))
    try:
        await asyncio.wait((asked, left), return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            raise Refusal("gone", "whoever asked has left")
        return await asked
    finally:
        asked.cancel()
        left.cancel()
        await asyncio.gather(asked, left, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
