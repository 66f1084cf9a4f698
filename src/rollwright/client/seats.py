"""What is said to a server and from a seat: one description, for who waits and for who awaits.

A question gives `Found`, a roll `Rolled`, and so on: for `Server` and `Table` these are the things
themselves, for `AsyncServer` and `AsyncTable` something to be awaited.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from rollwright.client.http import (
    Asking,
    AsyncAsking,
    Call,
    Link,
    hash_of,
    new_id,
    new_nonce,
    new_token,
)
from rollwright.client.rolls import Event, OwnNonces, Roll

if TYPE_CHECKING:
    from rollwright.client.sockets import Following

What = str | Mapping[str, object]
"""An expression such as "4d6kh3", or a request as data."""
ROLES = ("referee", "player", "spectator")
PAGE = 500
MOST_OFFERED = 8

Asks = TypeVar("Asks", Asking, AsyncAsking)
Found = TypeVar("Found")
Acked = TypeVar("Acked")
Rolled = TypeVar("Rolled")
Written = TypeVar("Written")
Nothing = TypeVar("Nothing")


class Questions(ABC, Generic[Found]):
    """What a server answers without a table."""

    def game(self, name: str) -> Found:
        """Everything about one game."""
        return self._object("GET", f"/games/{name}")

    def roll(self, what: What, **more: object) -> Found:
        """Roll something without a table; `seed`, `faces` and `policy` as in the API."""
        return self._object("POST", "/roll", about(what) | more)

    def go_on(self, transcript: Mapping[str, object], **more: object) -> Found:
        """Go on with such a roll, with `option` or `faces`."""
        return self._object("POST", "/roll", {"transcript": transcript, **more})

    def odds(self, what: What, **more: object) -> Found:
        """The exact odds; `policy`, `of` and `where` as in the API."""
        return self._object("POST", "/odds", about(what) | more)

    def advise(self, what: What, **more: object) -> Found:
        """The best call for a `goal`."""
        return self._object("POST", "/advise", about(what) | more)

    def preview(self, what: What, **more: object) -> Found:
        """A roll not made yet: its chance, costs, best calls, what one more is worth."""
        return self._object("POST", "/preview", about(what) | more)

    def compare(self, *rolls: What, **more: object) -> Found:
        """Several rolls side by side."""
        return self._object("POST", "/compare", {"rolls": [about(roll) for roll in rolls], **more})

    def verify(
        self,
        *,
        transcript: Mapping[str, object] | None = None,
        log: Mapping[str, object] | None = None,
        link: str = "",
    ) -> Found:
        """Whether a saved roll, a log, or the roll in a link is true."""
        if link:
            return self._object("POST", "/verify", {"link": link})
        body = {"transcript": transcript} if log is None else {"log": log}
        return self._object("POST", "/verify", body)

    def share(self, transcript: Mapping[str, object], **more: object) -> Found:
        """A roll as a picture, a text to paste and a link; `who`, `address`, `light`…"""
        return self._object("POST", "/share", {"transcript": transcript, **more})

    @abstractmethod
    def _object(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Found:
        """The answer to a request, as data."""


class SeatAt(ABC, Generic[Asks, Found, Acked, Rolled, Written, Nothing]):
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    def __init__(
        self,
        asking: Asks,
        table: str,
        token: str,
        *,
        seat: str = "",
        links: Mapping[str, Link] | None = None,
    ) -> None:
        self.asking: Asks = asking
        self.id = table
        self.token = token
        self.seat: str = seat
        """Our seat; empty for somebody who came by a seat's link and has not looked yet."""
        self.links = dict(links or {})
        """The links of a table that we made, by role."""
        self.nonces = OwnNonces()
        """What we gave to throws: each must be in the log as we gave it."""

    @property
    def link(self) -> Link:
        """Our own seat's link, to move to another device: whoever has it acts for us."""
        return Link(self.asking.address, self.id, self.token)

    def do(self, do: str, **fields: object) -> Acked:
        """Send a command: `table.do("say", text="Ready?")`.

        It has an `id` of its own, so that it is done once however often it is sent; give one to
        send the same command again later. Raises Unfair if dice were not thrown with the nonce
        that came with it.
        """
        return self._commanded({"id": new_id(), "do": do, **fields})

    def roll(
        self,
        what: What | None = None,
        *,
        draft: Mapping[str, object] | None = None,
        **fields: object,
    ) -> Rolled:
        """Start a roll of an expression, a request or a draft; `visibility`, `physical`, `goal`…"""
        return self._on("", "roll.start", **starting(what, draft, fields))

    def choose(self, roll: Roll | str, option: object) -> Rolled:
        """Choose an option of an open roll."""
        return self._on(roll, "roll.choose", option=option, nonce=new_nonce())

    def enter(self, roll: Roll | str, faces: Sequence[object]) -> Rolled:
        """Enter the faces of real dice."""
        return self._on(roll, "roll.enter", faces=faces, nonce=new_nonce())

    def throw(self, roll: Roll | str) -> Rolled:
        """Let the table throw the dice that a roll waits for."""
        return self._on(roll, "roll.throw", nonce=new_nonce())

    def back(self, roll: Roll | str) -> Rolled:
        """Take the last faces or choice of an open roll back."""
        return self._on(roll, "roll.back")

    def reveal(self, roll: Roll | str) -> Rolled:
        """Show a secret roll to everybody."""
        return self._on(roll, "roll.reveal")

    def apply(self, roll: Roll | str, sheet: str = "") -> Rolled:
        """Let happen what waits of a roll, on one sheet or on all that are ours to decide."""
        return self._on(roll, "roll.apply", **({"sheet": sheet} if sheet else {}))

    def decline(self, roll: Roll | str, sheet: str = "") -> Rolled:
        """Do not let it happen."""
        return self._on(roll, "roll.decline", **({"sheet": sheet} if sheet else {}))

    def advise(self, roll: Roll | str, goal: str = "") -> Found:
        """What each option of an open roll is worth, as far as we can know."""
        body = {"goal": goal} if goal else {}
        return self._object("POST", f"/rolls/{id_of(roll)}/advice", body)

    def preview(self, **fields: object) -> Found:
        """A roll not made yet; takes what `roll` takes, and `policy`, `goal`, `parts`, `vary`."""
        return self._object("POST", "/preview", fields)

    def form(self, **fields: object) -> Found:
        """The form of a roll that is being made up: `draft`, and `sheet` for whose it is."""
        return self._object("POST", "/form", fields)

    def offer_witness(self, count: int = MOST_OFFERED) -> Acked:
        """Offer nonces for the throws of others, so that no throw is settled by two alone."""
        return self.do("witness.offer", nonces=[new_nonce() for _ in range(count)])

    def statistics(self) -> Found:
        """Observed against expected, for each seat."""
        return self._object("GET", "/statistics")

    def recap(self, session: int = 0) -> Found:
        """A session looked back on: the last that ended, or the one that is asked for."""
        return self._object("GET", "/recap", query={"session": session})

    def history(self, form: str = "md") -> Written:
        """The history as Markdown (`md`) or CSV (`csv`)."""
        return self._text(f"/history.{form}")

    def text(self, roll: Roll | str) -> Written:
        """A roll as lines to paste into a chat, with its odds and a link that verifies."""
        return self._text(f"/rolls/{id_of(roll)}/text")

    def delete(self) -> Nothing:
        """Delete the table with everything of it."""
        return self._done("DELETE", "")

    def listen(self, after: int | None = None) -> AsyncGenerator[Event, None]:
        """Events as they happen, from now on or behind a seq, through every lost connection.

        async for event in table.listen():
            print(event["kind"])

        Offers nonces as a witness whenever the table wants some.
        """
        from rollwright.client.sockets import listening

        return listening(self.socket, self.following(after))

    @property
    def socket(self) -> str:
        """Where the table is listened to."""
        from rollwright.client.sockets import socket_address

        return socket_address(self.asking.address, self.id)

    def following(self, after: int | None = None, hash: str = "") -> Following:
        """Somebody who follows the log from now on, or behind an event."""
        from rollwright.client.sockets import Following

        return Following(self.token, after, self.nonces, hash)

    def picture_call(self, roll: Roll | str, form: str, light: str) -> Call:
        """What a picture is asked for with."""
        path = f"/tables/{self.id}/rolls/{id_of(roll)}/picture.{form}"
        return Call("GET", path, None, self.token, {"light": light} if light else None)

    @abstractmethod
    def _commanded(self, command: dict[str, object]) -> Acked:
        """What a command came to."""

    @abstractmethod
    def _on(self, roll: Roll | str, do: str, **fields: object) -> Rolled:
        """A roll after a command about it."""

    @abstractmethod
    def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int] | None = None,
    ) -> Found:
        """The answer to a request about the table, as data."""

    @abstractmethod
    def _text(self, path: str) -> Written:
        """The answer to a request that is a text."""

    @abstractmethod
    def _done(self, method: str, path: str) -> Nothing:
        """A request to which nothing is answered."""

    def __repr__(self) -> str:
        return f"<table {self.id}, seat {self.seat or 'unknown'}>"


def about(what: What) -> dict[str, object]:
    """What a question is about: a text is an expression, data a request."""
    return {"expression": what} if isinstance(what, str) else {"request": what}


def id_of(roll: Roll | str) -> str:
    """The id of a roll."""
    return roll.id if isinstance(roll, Roll) else roll


def on_roll(roll: Roll | str, fields: Mapping[str, object]) -> dict[str, object]:
    """The fields of a command about a roll; of one that starts, nothing is added."""
    return {**({"roll": id_of(roll)} if roll else {}), **fields}


def starting(
    what: What | None, draft: Mapping[str, object] | None, fields: Mapping[str, object]
) -> dict[str, object]:
    """The fields of a command that starts a roll, with a nonce of ours."""
    asked: dict[str, object] = {} if draft is None else {"draft": draft}
    return {"nonce": new_nonce(), **(about(what) if what is not None else asked), **fields}


class Making:
    """A table that is being made: tokens of our own, of which the server gets the hashes."""

    def __init__(self, game: str, name: str, more: Mapping[str, object]) -> None:
        self.tokens = {role: new_token() for role in ("seat", *ROLES)}
        hashes = {role: hash_of(token) for role, token in self.tokens.items()}
        self.body = {"id": new_id(), "game": game, "name": name, "tokens": hashes, **more}

    def links(self, address: str, table: str) -> dict[str, Link]:
        """The links to give away, by role."""
        return {role: Link(address, table, self.tokens[role]) for role in ROLES}


class Joining:
    """Somebody who sits down by a link, with a token of their own."""

    def __init__(self, link: Link, name: str) -> None:
        self.link = link
        self.token = new_token()
        self.path = f"/tables/{link.table}/join"
        self.body = {"id": new_id(), "name": name, "token_hash": hash_of(self.token)}
