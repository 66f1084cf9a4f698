"""JSON in and out, and every failure as its JSON: a code for programs, a sentence for people."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing
from mmap import mmap
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from rollwright.errors import RollwrightError
from rollwright.i18n.locale import in_words
from rollwright.jsonable import Json
from rollwright.kit.bodies import Answer
from rollwright.queries import errors
from rollwright.queries.schemas import ErrorData
from rollwright.server.json_codec import encode, parse_json
from rollwright.server.limits import RateLimitError
from rollwright.server.storage.appends import (
    DiskFullError,
    DuplicateError,
    NoTableError,
    StoreDamageError,
    StoreError,
    StoreUnavailableError,
    UnstorableError,
)
from rollwright.table.errors import CodedError, NeedsWorker
from rollwright.timeouts import TooSlow, call_with_timeout

STATUS = {
    "bad_request": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "unsigned": 403,
    "bad_signature": 403,
    "not_found": 404,
    "conflict": 409,
    "superseded": 409,
    "stale_counter": 409,
    "stale_slot": 409,
    "unknown_head": 409,
    "changed": 409,
    "gone": 410,
    "too_large": 413,
    "too_many": 429,
    "too_much_work": 422,
    "bad_field": 422,
    "bad_answer": 422,
    "bad_expression": 422,
    "internal": 500,
    "storage_broken": 500,
    "unavailable": 503,
    "disk_full": 507,
}
"""The HTTP status of each code that the API documents."""

UNUSUAL = {"not_allowed": 405}
"""Status codes that no documented route gives."""
JSON = "application/json"
BODY_SECONDS = 60.0
PIECE = 2**20
"""Bytes of a long body that are handed on at once."""
WORKING, WAITING = 1.0, 6.0
"""Seconds that the rules of a game may work, and that may pass, while everybody waits."""
T = TypeVar("T")

log = logging.getLogger("rollwright.server")


def answer(
    value: Answer | Mapping[str, object],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The value as the answer to a request; no cache keeps it."""
    kept = {"cache-control": "no-store", **(headers or {})}
    told = value.plain if isinstance(value, Answer) else value
    return Response(encode(told), status, kept, JSON)


async def read_bytes(request: Request, limit: int) -> bytes:
    """The JSON in the body of a request as it came; what is too long is refused unread."""
    parts: list[bytes] = []
    await _read(request, limit, parts.append)
    return b"".join(parts)


class SpooledBody:
    """A body that may be long, in pages of its own, which the system has again when it is closed.

    As ordinary bytes some long bodies would leave holes in the memory of the process for good.
    """

    def __init__(self, limit: int) -> None:
        self._pages = mmap(-1, limit)  # only what is written to takes memory
        self.size = 0

    def add(self, part: bytes) -> None:
        """Take what comes next."""
        self._pages[self.size : self.size + len(part)] = part
        self.size += len(part)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body, piece by piece, as long as it is held."""
        for start in range(0, self.size, PIECE):
            if self._pages.closed:
                return
            yield self._pages[start : min(start + PIECE, self.size)]

    def close(self) -> None:
        """Let go of it."""
        self._pages.close()


@asynccontextmanager
async def spool_body(request: Request, limit: int) -> AsyncIterator[SpooledBody]:
    """The JSON in the body of a request as it came, held as long as it is worked on."""
    with closing(SpooledBody(limit)) as body:
        await _read(request, limit, body.add)
        yield body


async def _read(request: Request, limit: int, take: Callable[[bytes], None]) -> None:
    """Take part after part of a body; what is too long is refused.

    Other types are refused, since a page of another site may send those without asking first.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise CodedError("bad_request", f"the body is {kind or 'of no type'!r}; {JSON} would do")
    too_large = CodedError("too_large", f"the body is too long; at most {limit:,} bytes would do")
    said = request.headers.get("content-length", "")
    if said.isascii() and said.isdigit() and int(said[:20]) > limit:
        raise too_large
    length = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                length += len(part)
                if length > limit:
                    raise too_large
                take(part)
    except TimeoutError:
        raise CodedError("bad_request", "the body takes too long to come") from None


async def read_json(request: Request, limit: int) -> Json:
    """Return the JSON value in the body of a request."""
    return parse_json(await read_bytes(request, limit))


class SlowCallError(NeedsWorker):
    """Too much work for a game's rules to finish while everybody waits."""


def call_in_time(call: Callable[..., T], *args: object) -> T:
    """Call a game's rules, which may do anything, in a limited time: everybody waits here."""
    try:
        return call_with_timeout(call, *args, working=WORKING, waiting=WAITING)
    except TooSlow:
        raise SlowCallError from None
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as problem:  # a game that leaves is not to end the server
        what = type(problem).__name__
        raise CodedError("internal", f"the game stumbled over this ({what})") from problem


def error_of(problem: BaseException) -> ErrorData:
    """Return the error to send; an unexpected failure shows only its number in the log."""
    if isinstance(problem, RollwrightError):
        return _error_data(problem)
    number = secrets.token_hex(6)
    log.error("unexpected failure", exc_info=problem, extra={"failure": number})
    return {
        "code": "internal",
        "message": in_words("server.failed", number=number),
    }


def error_answer(problem: BaseException) -> Response:
    """A failure as the answer to a request."""
    error = error_of(problem)
    headers = {}
    if error["code"] == "too_many" and "wait" in error:
        headers["retry-after"] = str(max(1, round(error["wait"] / 1000 + 0.5)))
    if error["code"] == "unauthorized":
        headers["www-authenticate"] = "Bearer"
    status = {**STATUS, **UNUSUAL}.get(error["code"], 500)
    return answer({"ok": False, "error": error}, status, headers)


def _error_data(problem: RollwrightError) -> ErrorData:
    if isinstance(problem, StoreError):
        return {"code": _code(problem), "message": _without_details(problem)}
    told = errors.error_of(problem)
    if isinstance(problem, RateLimitError):
        told["wait"] = problem.wait
    return told


def _code(problem: StoreError) -> str:
    if isinstance(problem, DiskFullError):
        return "disk_full"
    if isinstance(problem, StoreDamageError):
        return "storage_broken"
    if isinstance(problem, NoTableError):
        return "not_found"
    if isinstance(problem, DuplicateError):
        return "conflict"
    return "bad_request" if isinstance(problem, UnstorableError) else "unavailable"


def _without_details(problem: StoreError) -> str:
    """A failure of the storage without what its driver said: that may name hosts and paths."""
    if isinstance(problem, StoreUnavailableError):
        return in_words("server.store.down")
    if isinstance(problem, DiskFullError):
        return in_words("server.store.full")
    if isinstance(problem, StoreDamageError):
        return in_words("server.store.broken")
    if isinstance(problem, NoTableError | UnstorableError):
        return str(problem)
    return in_words("server.store.later")
