"""A server and a seat at one of its tables: questions, rolls, choices, advice, the log."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from rollwright.client.http import PATIENCE, Asking, Link, hash_of, new_id, new_nonce, new_token
from rollwright.client.rolls import Ack, Event, OwnNonces, Roll

What = str | Mapping[str, object]
"""An expression such as "4d6kh3", or a request as data."""
ROLES = ("referee", "player", "spectator")
PAGE = 500
MOST_OFFERED = 8


class Table:
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    def __init__(
        self,
        asking: Asking,
        table: str,
        token: str,
        *,
        seat: str = "",
        links: Mapping[str, Link] | None = None,
    ) -> None:
        self.asking = asking
        self.id = table
        self.token = token
        self.seat = seat
        """Our seat; empty for somebody who came by a seat's link and has not looked yet."""
        self.links = dict(links or {})
        """The links of a table that we made, by role."""
        self.nonces = OwnNonces()
        """What we gave to throws: each must be in the log as we gave it."""

    @property
    def link(self) -> Link:
        """Our own seat's link, to move to another device: whoever has it acts for us."""
        return Link(self.asking.address, self.id, self.token)

    def do(self, do: str, **fields: object) -> Ack:
        """Send a command: `table.do("say", text="Ready?")`.

        Raises Unfair if dice were not thrown with the nonce that came with it.
        """
        command = {"id": new_id(), "do": do, **fields}
        ack = Ack.read(self._ask("POST", "/commands", command))
        self.nonces.expect(command, ack)
        return ack

    def roll(
        self,
        what: What | None = None,
        *,
        draft: Mapping[str, object] | None = None,
        **fields: object,
    ) -> Roll:
        """Start a roll of an expression, a request or a draft; `visibility`, `physical`, `goal`…"""
        asked: dict[str, object] = {} if draft is None else {"draft": draft}
        asked = about(what) if what is not None else asked
        ack = self.do("roll.start", **{"nonce": new_nonce(), **asked, **fields})
        return Roll.read(ack.events)

    def choose(self, roll: Roll | str, option: object) -> Roll:
        """Choose an option of an open roll."""
        return self._on(roll, "roll.choose", option=option, nonce=new_nonce())

    def enter(self, roll: Roll | str, faces: Sequence[object]) -> Roll:
        """Enter the faces of real dice."""
        return self._on(roll, "roll.enter", faces=faces, nonce=new_nonce())

    def throw(self, roll: Roll | str) -> Roll:
        """Let the table throw the dice that a roll waits for."""
        return self._on(roll, "roll.throw", nonce=new_nonce())

    def back(self, roll: Roll | str) -> Roll:
        """Take the last faces or choice of an open roll back."""
        return self._on(roll, "roll.back")

    def reveal(self, roll: Roll | str) -> Roll:
        """Show a secret roll to everybody."""
        return self._on(roll, "roll.reveal")

    def apply(self, roll: Roll | str, sheet: str = "") -> Roll:
        """Let happen what waits of a roll, on one sheet or on all that are ours to decide."""
        return self._on(roll, "roll.apply", **({"sheet": sheet} if sheet else {}))

    def decline(self, roll: Roll | str, sheet: str = "") -> Roll:
        """Do not let it happen."""
        return self._on(roll, "roll.decline", **({"sheet": sheet} if sheet else {}))

    def advise(self, roll: Roll | str, goal: str = "") -> dict[str, Any]:
        """What each option of an open roll is worth, as far as we can know."""
        body = {"goal": goal} if goal else {}
        return self._object("POST", f"/rolls/{_name(roll)}/advice", body)

    def preview(self, **fields: object) -> dict[str, Any]:
        """A roll not made yet; takes what `roll` takes, and `policy`, `goal`, `parts`, `vary`."""
        return self._object("POST", "/preview", fields)

    def offer_witness(self, count: int = MOST_OFFERED) -> Ack:
        """Offer nonces for the throws of others, so that no throw is settled by two alone."""
        return self.do("witness.offer", nonces=[new_nonce() for _ in range(count)])

    def look(self, recent: int = 100) -> dict[str, Any]:
        """The table as we see it now."""
        found = self._object("GET", "", query={"recent": recent})
        self.seat = (found.get("you") or {}).get("seat", self.seat)
        return found

    def events(self, after: int = 0) -> Iterator[Event]:
        """The log behind a seq, up to where it stands now."""
        while True:
            query = {"after": after, "limit": PAGE}
            page = self._object("GET", "/events", query=query)
            fresh = [event for event in page["events"] if event["seq"] > after]
            if not fresh:
                return
            self.nonces.check(page["events"])
            yield from page["events"]
            after = fresh[-1]["seq"]

    def listen(self, after: int | None = None) -> AsyncGenerator[Event, None]:
        """Events as they happen, from now on or behind a seq, through every lost connection.

        async for event in table.listen():
            print(event["kind"])

        Offers nonces as a witness whenever the table wants some.
        """
        from rollwright.client.sockets import Listening

        return Listening(self.asking.address, self.id, self.token, after, self.nonces).events()

    def log(self) -> dict[str, Any]:
        """The whole log as we see it, to be verified or kept; raises Unfair as `do` does."""
        log = self._object("GET", "/log.json")
        self.nonces.check(log["events"])
        return log

    def history(self, form: str = "md") -> str:
        """The history as Markdown (`md`) or CSV (`csv`)."""
        return str(self._ask("GET", f"/history.{form}"))

    def statistics(self) -> dict[str, Any]:
        """Observed against expected, for each seat."""
        return self._object("GET", "/statistics")

    def recap(self, session: int = 0) -> dict[str, Any]:
        """A session looked back on: the last that ended, or the one that is asked for."""
        return self._object("GET", "/recap", query={"session": session})

    def delete(self) -> None:
        """Delete the table with everything of it."""
        self._ask("DELETE", "")

    def _on(self, roll: Roll | str, do: str, **fields: object) -> Roll:
        ack = self.do(do, roll=_name(roll), **fields)
        return Roll.read(ack.events, _name(roll))

    def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int] | None = None,
    ) -> dict[str, Any]:
        found: dict[str, Any] = self._ask(method, path, body, query)
        return found

    def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int] | None = None,
    ) -> Any:
        place = f"/tables/{self.id}{path}"
        return self.asking.ask(method, place, body, token=self.token, query=query)

    def __repr__(self) -> str:
        return f"<table {self.id}, seat {self.seat or 'unknown'}>"


def _name(roll: Roll | str) -> str:
    return roll.id if isinstance(roll, Roll) else roll


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

    def roll(self, what: What, **more: object) -> dict[str, Any]:
        """Roll something without a table; `seed`, `faces` and `policy` as in the API."""
        return self._object("POST", "/roll", about(what) | more)

    def go_on(self, transcript: Mapping[str, object], **more: object) -> dict[str, Any]:
        """Go on with such a roll, with `option` or `faces`."""
        return self._object("POST", "/roll", {"transcript": transcript, **more})

    def odds(self, what: What, **more: object) -> dict[str, Any]:
        """The exact odds; `policy`, `of` and `where` as in the API."""
        return self._object("POST", "/odds", about(what) | more)

    def advise(self, what: What, **more: object) -> dict[str, Any]:
        """The best call for a `goal`."""
        return self._object("POST", "/advise", about(what) | more)

    def preview(self, what: What, **more: object) -> dict[str, Any]:
        """A roll not made yet: its chance, costs, best calls, what one more is worth."""
        return self._object("POST", "/preview", about(what) | more)

    def compare(self, *rolls: What, **more: object) -> dict[str, Any]:
        """Several rolls side by side."""
        return self._object("POST", "/compare", {"rolls": [about(roll) for roll in rolls], **more})

    def verify(
        self,
        *,
        transcript: Mapping[str, object] | None = None,
        log: Mapping[str, object] | None = None,
    ) -> dict[str, Any]:
        """Whether a saved roll or a log is true."""
        body = {"transcript": transcript} if log is None else {"log": log}
        return self._object("POST", "/verify", body)

    def create_table(self, game: str = "", *, name: str, key: str = "", **more: object) -> Table:
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

    def import_table(
        self, log: Mapping[str, object], *, key: str = "", **more: object
    ) -> dict[str, Any]:
        """A table made again from its log; `key` as for a new one."""
        made: dict[str, Any] = self.asking.ask("POST", "/tables/import", {**log, **more}, token=key)
        return made

    def _object(
        self, method: str, path: str, body: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        found: dict[str, Any] = self.asking.ask(method, path, body)
        return found

    def __repr__(self) -> str:
        return f"<server {self.address}>"


def about(what: What) -> dict[str, object]:
    """What a question is about: a text is an expression, data a request."""
    return {"expression": what} if isinstance(what, str) else {"request": what}
