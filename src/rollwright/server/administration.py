"""How the host's commands reach a server: on its database, or over HTTP while it runs."""

from __future__ import annotations

import ipaddress
import json
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from typing import Any, Protocol, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from rollwright.errors import RollwrightError
from rollwright.server import bans, keys
from rollwright.server.storage import inventory
from rollwright.server.storage.backups import check_exists, open_connection
from rollwright.server.storage.databases import is_sqlite, wipe
from rollwright.server.storage.transactions import delete_table
from rollwright.server.storage.versions import check_newest, version_of

T = TypeVar("T")
Record = dict[str, Any]
"""A table, a ban or numbers, as the host is shown them."""
SECONDS = 60.0
PIECE = 1 << 20


class AdminError(RollwrightError):
    """A server that cannot be reached, or did not do what the host asked for."""


class HostAdmin(Protocol):
    """Everything the host's commands can do, on a database or over HTTP."""

    def tables(self, order: str, limit: int) -> list[Record]: ...
    def table(self, table: str) -> Record: ...
    def delete(self, table: str) -> None: ...
    def export(self, table: str) -> Iterator[bytes]: ...
    def quotas(self) -> Record: ...
    def bans(self) -> list[Record]: ...
    def ban(self, network: str, hours: float | None) -> Record: ...
    def remove_ban(self, network: str) -> None: ...
    def create_key(self, days: int) -> str: ...
    def revoke_keys(self) -> int: ...


class DatabaseAdmin:
    """The host at the database itself; servers may run on it meanwhile, and notice."""

    def __init__(self, url: URL) -> None:
        check_exists(url)
        self.url = url

    def tables(self, order: str, limit: int) -> list[Record]:
        """Tables with their sizes and times."""
        found = self._read(lambda open_: inventory.list_tables(open_, order=order, limit=limit))
        return [one._asdict() for one in found]

    def table(self, table: str) -> Record:
        """One table."""
        found = self._read(lambda open_: inventory.find_table(open_, table))
        if found is None:
            raise AdminError(f"there is no table {table!r}; `rollwright admin tables` lists them")
        return found._asdict()

    def delete(self, table: str) -> None:
        """Delete a table with everything of it."""
        self.table(table)
        self._write(lambda open_: delete_table(open_, table))
        if is_sqlite(self.url):
            wipe(self.url)

    def export(self, table: str) -> Iterator[bytes]:
        """The whole log of a table."""
        self.table(table)
        with open_connection(self.url, reading=True) as connection:
            yield from inventory.whole_log(connection, table)

    def quotas(self) -> Record:
        """Return what everything takes up."""
        return self._read(inventory.usage)._asdict()

    def bans(self) -> list[Record]:
        """Who is kept out."""
        return [ban._asdict() for ban in self._read(lambda open_: bans.list_bans(open_, _now()))]

    def ban(self, network: str, hours: float | None) -> Record:
        """Keep somebody out."""
        made = bans.NewBan.from_plain({"network": network, "hours": hours}).ban(_now())
        self._write(lambda open_: bans.add_ban(open_, made))
        return made._asdict()

    def remove_ban(self, network: str) -> None:
        """Let somebody in again."""
        known = bans.ban_name(network)
        if not self._write(lambda open_: bans.remove_ban(open_, known)):
            raise AdminError(f"{known} is not kept out; `rollwright admin bans` lists who is")

    def create_key(self, days: int) -> str:
        """A new key to make tables with."""
        return self._create_key(keys.MAKE, days)

    def revoke_keys(self) -> int:
        """Make all keys to make tables with good for nothing."""
        return self._write(lambda open_: keys.revoke_keys(open_, keys.MAKE))

    def new_token(self) -> str:
        """A new token of the host, in the place of the old one."""
        return self._create_key(keys.ADMIN, None)

    def revoke_token(self) -> int:
        """Make the host's token good for nothing."""
        return self._write(lambda open_: keys.revoke_keys(open_, keys.ADMIN))

    def _create_key(self, kind: str, days: int | None) -> str:
        token = keys.new_token()
        self._write(lambda open_: keys.add_key(open_, token, kind, days))
        return token

    def _read(self, question: Callable[[Connection], T]) -> T:
        with open_connection(self.url, reading=True) as connection:
            check_newest(version_of(connection))
            return question(connection)

    def _write(self, task: Callable[[Connection], T]) -> T:
        self._read(lambda open_: None)
        with open_connection(self.url) as connection:
            return task(connection)


def is_insecure(address: str) -> bool:
    """Whether others can read what goes to that address: plain http that leaves the machine.

    >>> is_insecure("http://dice.example"), is_insecure("https://dice.example")
    (True, False)
    >>> is_insecure("http://127.0.0.1:8000"), is_insecure("http://[::1]:8000")
    (False, False)
    """
    parts = urlsplit(address)
    if parts.scheme != "http" or parts.hostname == "localhost":
        return False
    try:
        return not ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return True


class HttpAdmin:
    """The host at a server that runs, by its address and the host's token."""

    def __init__(self, address: str, token: str) -> None:
        if urlsplit(address).scheme not in ("http", "https"):
            raise AdminError(
                f"{address!r} is no address of a server; https://dice.example would do"
            )
        self.address = address.rstrip("/")
        self._token = token

    def tables(self, order: str, limit: int) -> list[Record]:
        """Tables with their sizes and times, and how many are connected."""
        query = {"order": order, "limit": min(limit, inventory.MOST_LISTED)}
        found: list[Record] = self._request("GET", "/tables", query=query)["tables"]
        return found

    def table(self, table: str) -> Record:
        """One table."""
        return self._request("GET", f"/tables/{_id(table)}")

    def delete(self, table: str) -> None:
        """Delete a table with everything of it."""
        self._request("DELETE", f"/tables/{_id(table)}")

    def export(self, table: str) -> Iterator[bytes]:
        """The whole log of a table."""
        with self._open("GET", f"/tables/{_id(table)}/log.json") as answer:
            while piece := answer.read(PIECE):
                yield piece

    def quotas(self) -> Record:
        """Return what everything takes up, and its limits."""
        return self._request("GET", "/quotas")

    def bans(self) -> list[Record]:
        """Who is kept out."""
        found: list[Record] = self._request("GET", "/bans")["bans"]
        return found

    def ban(self, network: str, hours: float | None) -> Record:
        """Keep somebody out."""
        return self._request("POST", "/bans", {"network": network, "hours": hours})

    def remove_ban(self, network: str) -> None:
        """Let somebody in again."""
        self._request("DELETE", "/bans", query={"network": network})

    def create_key(self, days: int) -> str:
        """A new key to make tables with."""
        return str(self._request("POST", "/keys", {"days": days})["key"])

    def revoke_keys(self) -> int:
        """Make all keys to make tables with good for nothing."""
        return int(self._request("DELETE", "/keys")["keys"])

    def _request(
        self, method: str, path: str, body: Record | None = None, query: Record | None = None
    ) -> Record:
        with self._open(method, path, body, query) as answer:
            found: Record = json.load(answer)
            return found

    def _open(
        self, method: str, path: str, body: Record | None = None, query: Record | None = None
    ) -> HTTPResponse:
        where = f"{self.address}/api/v1/admin{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            asked = Request(where, data, headers, method=method)
            answer: HTTPResponse = build_opener(_NoRedirect).open(asked, timeout=SECONDS)
            return answer
        except HTTPError as refused:
            raise AdminError(_error_text(refused)) from None
        except (URLError, HTTPException, OSError, ValueError) as problem:
            why = getattr(problem, "reason", None) or problem
            raise AdminError(f"{self.address} cannot be reached: {why}") from None


class _NoRedirect(HTTPRedirectHandler):
    """Follows nobody elsewhere: the token is for the server that the host named."""

    def redirect_request(self, *_: object) -> None:
        """No request."""


def _error_text(refused: HTTPError) -> str:
    """Return the server's message, or one made from its status."""
    try:
        return str(json.load(refused)["error"]["message"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"the server answered {refused.code}; is this its whole address?"


def _id(table: str) -> str:
    if not (table.isascii() and table.isalnum()):
        raise AdminError(f"{table!r} is no table; 12 letters and digits would do")
    return table


def _now() -> int:
    return time.time_ns() // 1_000_000
