"""Beside the API: the page, and whether the server lives, can serve, and what it counted."""

from __future__ import annotations

import asyncio
import gzip
import re
from hashlib import sha256
from hmac import compare_digest
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from rollwright import __version__
from rollwright.server.access import address_of, admit, note_failure, services_of
from rollwright.server.answers import DoneAnswer, ReadyAnswer
from rollwright.server.keys import is_host, token_of
from rollwright.server.metrics import measure
from rollwright.server.responses import answer
from rollwright.server.tokens import hash_of
from rollwright.table.errors import CodedError

if TYPE_CHECKING:
    from rollwright.server.app import Services


async def health(request: Request) -> Response:
    """The process answers."""
    return answer(DoneAnswer())


async def ready(request: Request) -> Response:
    """Whether new clients should be sent here: we can read and write, and are not ending.

    One word names the trouble with the storage; the host finds the rest in the log. A lost Redis is
    reported but does not count: tables go on, only with a delay. Neither does a backup that is late
    or could not be made.
    """
    services = services_of(request)
    trouble = await services.storage_watch.check()
    fit = trouble.is_fit and not services.is_closing
    told = ReadyAnswer(
        ok=fit,
        database=trouble.value,
        redis=services.bus.state,
        closing=services.is_closing,
        backup=services.backups.state,
    )
    return answer(told, 200 if fit else 503)


async def metrics(request: Request) -> Response:
    """The numbers, for Prometheus."""
    services = services_of(request)
    await _check_may_read(services, request)
    await measure(services)
    page = await asyncio.to_thread(services.metrics.page)
    return Response(page, media_type=CONTENT_TYPE_LATEST, headers={"cache-control": "no-store"})


async def _check_may_read(services: Services, request: Request) -> None:
    """Refuse anyone without a token for the metrics, unless the host allows everybody."""
    who = services.settings.metrics
    if who == "off":
        raise CodedError("not_found", "this server tells no numbers")
    if who == "open":
        return
    admit(request)
    token, own = token_of(request), services.settings.metrics_token
    if own and compare_digest(hash_of(token), hash_of(own)):
        return
    if await is_host(services, token):
        return
    if token:
        note_failure(services, address_of(request), "metrics")
    raise CodedError("unauthorized", "the numbers need the metrics token, or the host's")


routes = [
    Route("/health", health, methods=["GET"]),
    Route("/ready", ready, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]


FOLDER = Path(__file__).parents[1] / "page"
INDEX = "index.html"
NAMED_BY_HASH = re.compile(r"(assets|python)/.+-[0-9A-Z]{8}\.\w+")
POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')
"""The policy of the page as it was built: it names the one script inside it."""
EMBEDDED = (b"/workbench", b"/workbench/")
EMBED = re.compile(rb"(?:^|&)embed(?:$|[=&])")
"""The one screen that other sites may show in a frame: it has no table and no token in it."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
COMPRESSIBLE = (
    "text/",
    "application/javascript",
    "application/json",
    "image/svg",
    "application/manifest",
)
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}
LEAST_COMPRESSIBLE = 1000

NOT_BUILT = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Rollwright</title>
<h1>The page has not been built</h1>
<p>This Rollwright {__version__} serves tables, but the files of its page are missing: it was
started from a source folder in which the page has not been built yet. Installing the package
builds it.</p>
<p>Everything works over <a href="/api/v1/">the API</a>.</p>
</html>
"""


class PageFile(NamedTuple):
    """A file of the page, as it is sent."""

    body: bytes
    squeezed: bytes | None
    type: str
    tag: str
    cache: str


class PageFiles:
    """All files of the page, read once: what is not among them is not there."""

    def __init__(self, folder: Path = FOLDER, *, root_path: str = "") -> None:
        self._root_path = root_path.encode()
        self.not_built = _under_root_path(NOT_BUILT.encode(), root_path)
        self.files: dict[str, PageFile] = {}
        if folder.is_dir():
            for path in sorted(folder.rglob("*")):
                name = path.relative_to(folder).as_posix()
                if path.is_file() and not name.endswith((".gz", ".map")):
                    body = path.read_bytes()
                    self.files[name] = _file(
                        _under_root_path(body, root_path) if name == INDEX else body, name
                    )

    async def serve(self, request: Request) -> Response:
        """A file, or the page itself for every address that it knows how to show."""
        name = request.url.path.lstrip("/") or INDEX
        file = self.files.get(name)
        if file is None and name != INDEX and "." in name.rpartition("/")[2]:
            raise CodedError("not_found", "there is no such file")
        file = file or self.files.get(INDEX)
        if file is None:
            return HTMLResponse(self.not_built, 503, {"cache-control": "no-store"})
        answer = _file_response(request, file)
        if file is self.files.get(INDEX):
            answer.headers.update(self._policy(request, file))
        return answer

    def _policy(self, request: Request, file: PageFile) -> dict[str, str]:
        """Return headers for what the page may load, and who may show it in a frame."""
        if not (found := POLICY.search(file.body)):
            return {}
        framed = self._is_in_frame(request.scope)
        headers = {} if framed else {"x-frame-options": "DENY"}
        ancestors = "*" if framed else "'none'"
        policy = f"{found[1].decode()}; frame-ancestors {ancestors}"
        return headers | {"content-security-policy": policy}

    def _is_in_frame(self, scope: Scope) -> bool:
        """Whether the page will show its workbench, as a part of another.

        It reads its address as it is written: what only decodes to that of the workbench shows the
        rest of the app.
        """
        path: bytes = scope.get("raw_path") or b""
        below = path.removeprefix(self._root_path)
        return below in EMBEDDED and EMBED.search(scope.get("query_string", b"")) is not None


def _file_response(request: Request, file: PageFile) -> Response:
    headers = {"etag": file.tag, "cache-control": file.cache, "vary": "accept-encoding"}
    if request.headers.get("if-none-match", "") == file.tag:
        return Response(status_code=304, headers=headers)
    body = file.body
    if file.squeezed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = file.squeezed, "gzip"
    return Response(body, headers=headers, media_type=file.type)


def _under_root_path(page: bytes, root_path: str) -> bytes:
    """The page as it names its files where it lies; all others name theirs from where they lie."""
    return page.replace(b'="/', f'="{root_path}/'.encode())


def _file(body: bytes, name: str) -> PageFile:
    kind = (
        TYPES.get(PurePosixPath(name).suffix) or guess_type(name)[0] or "application/octet-stream"
    )
    squeezed = None
    if kind.startswith(COMPRESSIBLE) and len(body) >= LEAST_COMPRESSIBLE:
        squeezed = gzip.compress(body, 9, mtime=0)
    tag = f'"{sha256(body).hexdigest()[:20]}"'
    for_ever = name != INDEX and NAMED_BY_HASH.fullmatch(name)
    return PageFile(body, squeezed, kind, tag, FOR_EVER if for_ever else ASK_FIRST)
