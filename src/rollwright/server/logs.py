"""The access log and the audit log: lines of JSON without secrets, names or texts."""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import json
import logging
import os
import secrets
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import PurePath

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rollwright.jsonable import Json
from rollwright.server.limits import rate_limit_key
from rollwright.server.settings import BadSetting, Settings

STANDARD_ERROR = "-"
SALT = "ROLLWRIGHT_LOG_SALT"
"""The variable by which workers have the salt of hashed addresses in common; it is of one run."""
SHORT = {4: 24, 6: 48}
"""How much of an address is left of it when it is shortened."""

log = logging.getLogger("rollwright.server.logs")


class LineFile:
    """A file that lines are added to, by several processes too.

    It is opened again when somebody has moved it away, and a line always goes to the end, so it can
    be rotated either way: by moving it, or by copying and cutting it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = -1
        self._failing = False
        if path and path != STANDARD_ERROR:
            try:
                self._reopen()
            except OSError as problem:
                raise BadSetting(f"{path} cannot be written: {problem.strerror}") from None

    def write(self, told: dict[str, Json]) -> None:
        """Add a line. A full disk costs lines, never an answer; the host is warned once."""
        if not self.path:
            return
        line = json.dumps(told, ensure_ascii=False) + "\n"
        if self.path == STANDARD_ERROR:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.write(line)
            return
        try:
            self._follow_rotation()
            os.write(self._file, line.encode())
            self._failing = False
        except OSError as problem:
            if not self._failing:
                log.error("a log cannot be written", extra={"code": problem.errno})
            self._failing = True

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _follow_rotation(self) -> None:
        """Open it again if there is another file of that name by now, or none."""
        try:
            there, ours = os.stat(self.path), os.fstat(self._file)
            moved = (there.st_ino, there.st_dev) != (ours.st_ino, ours.st_dev)
        except OSError:
            moved = True
        if moved:
            self._reopen()

    def _reopen(self) -> None:
        self.close()
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


class AddressFormat:
    """The way addresses are logged: not at all, shortened, as a hash of this run, or in full."""

    def __init__(self, way: str) -> None:
        self._way = way
        self._salt = os.environ.setdefault(SALT, secrets.token_hex(16)).encode()

    def format(self, address: str) -> str | None:
        """An address as it may be written down."""
        if self._way == "none" or not address:
            return None
        if self._way == "hash":
            household = rate_limit_key(address).encode()
            return hmac.new(self._salt, household, "sha256").hexdigest()[:16]
        return _short(address) if self._way == "short" else address


def _short(address: str) -> str:
    try:
        read = ipaddress.ip_interface(rate_limit_key(address)).ip
    except ValueError:
        return "local"
    return str(ipaddress.ip_network((read, SHORT[read.version]), strict=False))


class Audit:
    """Who administered what: seats by their ids, the host as `host`."""

    def __init__(self, settings: Settings) -> None:
        self._lines = LineFile(settings.audit_log)
        self._addresses = AddressFormat(settings.log_addresses)

    def note(self, did: str, *, who: str = "", address: str = "", **about: str | int) -> None:
        """Something was done, or refused."""
        if self._lines.path:
            told = {"at": _time(), "did": did, "who": who or "somebody", **about}
            self._lines.write({**told, "address": self._addresses.format(address)})

    def close(self) -> None:
        """Let go of the file."""
        self._lines.close()


class AccessLog:
    """A line about each request, and about each socket at its end."""

    def __init__(
        self, app: ASGIApp, lines: LineFile, addresses: AddressFormat, templates: dict[int, str]
    ) -> None:
        self.app = app
        self._lines = lines
        self._addresses = addresses
        self._templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and write down how it went."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        status: int | None = None
        sent = 0

        async def log_receive() -> Message:
            nonlocal status
            message = await receive()
            if message["type"] == "websocket.disconnect":
                status = status or message.get("code")
            return message

        async def log_send(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            sent += len(message.get("body") or b"")
            await send(message)

        try:
            await self.app(scope, log_receive, log_send)
        finally:
            self._write(scope, status, sent, time.perf_counter() - begun)

    def _write(self, scope: Scope, status: int | None, sent: int, seconds: float) -> None:
        is_socket = scope["type"] == "websocket"
        client = scope.get("client")
        self._lines.write(
            {
                "at": _time(),
                "method": "SOCKET" if is_socket else scope["method"],
                "route": self._templates.get(id(scope.get("endpoint")), "?"),
                "status": status,
                "ms": round(seconds * 1000, 1),
                "bytes": None if is_socket else sent,
                "address": self._addresses.format(client[0] if client else ""),
            }
        )


def templates_of(routes: Sequence[BaseRoute], before: str = "") -> dict[int, str]:
    """The path of every route with the names of its parts, never what stood there."""
    found: dict[int, str] = {}
    for route in routes:
        if isinstance(route, Mount):
            found |= templates_of(route.routes, before + route.path)
        elif isinstance(route, Route | WebSocketRoute):
            found[id(route.endpoint)] = before + route.path_format
    return found


def _time() -> str:
    now = time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03}Z"


LOGGED_FIELDS = ("failure", "table", "code", "count", "seconds", "process", "state")


class JsonLines(logging.Formatter):
    """One object for each record.

    Of an exception only its type and the way to it are written: its text could hold what somebody
    typed.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        told: dict[str, Json] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage().replace("\n", " ").strip(),
        }
        told |= {name: getattr(record, name) for name in LOGGED_FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[1] is not None:
            told["problem"] = type(record.exc_info[1]).__name__
            told["way"] = _traceback(record.exc_info[1])
        return json.dumps(told, ensure_ascii=False)


def _traceback(problem: BaseException) -> list[Json]:
    frames = traceback.extract_tb(problem.__traceback__)
    return [f"{PurePath(at.filename).name}:{at.lineno} {at.name}" for at in frames]


class _UvicornFilter(logging.Filter):
    """Leaves out what uvicorn says about requests: their addresses are nobody's business."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "uvicorn.error" and record.levelno < logging.ERROR:
            return False
        return "Invalid UTF-8" not in str(record.msg)  # a client's mistake, answered already


def start_logging(level: str) -> None:
    """Send every log line of the server to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_UvicornFilter())
    for name in ("rollwright.server", "rollwright.table", "uvicorn.error", "asyncio", "websockets"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper() if name == "rollwright.server" else "WARNING")
    logging.getLogger("uvicorn.access").handlers = []
