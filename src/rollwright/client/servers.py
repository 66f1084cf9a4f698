"""A Rollwright server: its games, its stateless questions, and the way to its tables."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rollwright.client.http import PATIENCE, Asking, Link, hash_of, new_id, new_token
from rollwright.client.tables import ROLES, Table

What = str | dict[str, Any]
"""An expression such as "4d6kh3", or a request as data."""


class Server:
    """A server at an address.

    with Server("http://127.0.0.1:7655") as server:
        print(server.odds("2d6", where="it >= 10")["chance"])
    """

    def __init__(self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.asking = Asking(address, patience=patience, timeout=timeout)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self.asking.close()

    def games(self) -> list[dict[str, Any]]:
        """All games, in short."""
        games: list[dict[str, Any]] = self.asking.ask("GET", "/games")["games"]
        return games

    def game(self, name: str) -> dict[str, Any]:
        """Everything about one game."""
        return self._object("GET", f"/games/{name}")

    def roll(self, what: What, **more: Any) -> dict[str, Any]:
        """Roll something without a table; `seed`, `faces` and `policy` as in the API."""
        return self._object("POST", "/roll", about(what) | more)

    def go_on(self, transcript: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Go on with such a roll, with `option` or `faces`."""
        return self._object("POST", "/roll", {"transcript": transcript, **more})

    def odds(self, what: What, **more: Any) -> dict[str, Any]:
        """The exact odds; `policy`, `of` and `where` as in the API."""
        return self._object("POST", "/odds", about(what) | more)

    def advise(self, what: What, **more: Any) -> dict[str, Any]:
        """The best call for a `goal`."""
        return self._object("POST", "/advise", about(what) | more)

    def preview(self, what: What, **more: Any) -> dict[str, Any]:
        """A roll not made yet: its chance, costs, best calls, what one more is worth."""
        return self._object("POST", "/preview", about(what) | more)

    def compare(self, *rolls: What, **more: Any) -> dict[str, Any]:
        """Several rolls side by side."""
        return self._object("POST", "/compare", {"rolls": [about(roll) for roll in rolls], **more})

    def verify(
        self, *, transcript: dict[str, Any] | None = None, log: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Whether a saved roll or a log is true."""
        body = {"transcript": transcript} if log is None else {"log": log}
        return self._object("POST", "/verify", body)

    def create_table(self, game: str = "", *, name: str, key: str = "", **more: Any) -> Table:
        """A new table with us as its referee; `house`, `title`, `knock` and `lists` as in the API.

        Its links are in `table.links`: give one to each who shall join. Where not everybody may
        make tables, `key` is one from the host, or `key_of(passphrase)`.
        """
        tokens = {role: new_token() for role in ("seat", *ROLES)}
        hashes = {role: hash_of(token) for role, token in tokens.items()}
        body = {"id": new_id(), "game": game, "name": name, "tokens": hashes, **more}
        made = self.asking.ask("POST", "/tables", body, token=key)
        links = {role: Link(self.address, made["table"], tokens[role]) for role in ROLES}
        return Table(self.asking, made["table"], tokens["seat"], seat=made["seat"], links=links)

    def join(self, link: Link | str, *, name: str) -> Table:
        """A seat at the table of a link; where it knocks, a referee must let us in first."""
        link = Link.read(link) if isinstance(link, str) else link
        token = new_token()
        body = {"id": new_id(), "name": name, "token_hash": hash_of(token)}
        path = f"/tables/{link.table}/join"
        joined = self.asking.ask("POST", path, body, token=link.token)
        return Table(self.asking, link.table, token, seat=joined["seat"])

    def table(self, link: Link | str) -> Table:
        """A table that we sit at already, or watch, by a seat's or a spectator's link."""
        link = Link.read(link) if isinstance(link, str) else link
        return Table(self.asking, link.table, link.token)

    def import_table(self, log: dict[str, Any], *, key: str = "", **more: Any) -> dict[str, Any]:
        """A table made again from its log; `key` as for a new one."""
        made: dict[str, Any] = self.asking.ask("POST", "/tables/import", {**log, **more}, token=key)
        return made

    def _object(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        found: dict[str, Any] = self.asking.ask(method, path, body)
        return found

    def __repr__(self) -> str:
        return f"<server {self.address}>"


def about(what: What) -> dict[str, Any]:
    """What a question is about: a text is an expression, data a request."""
    return {"expression": what} if isinstance(what, str) else {"request": what}
