"""A seat at a table: rolls, choices, sheets, advice, the log, and what happens as it happens."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import Any

from rollwright.client.http import Asking, Link, new_id, new_nonce
from rollwright.client.rolls import Ack, Event, OwnNonces, Roll

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

    def do(self, do: str, **fields: Any) -> Ack:
        """Send a command: `table.do("say", text="Ready?")`.

        Raises Unfair if dice were not thrown with the nonce that came with it.
        """
        command = {"id": new_id(), "do": do, **fields}
        ack = Ack.read(self._ask("POST", "/commands", command))
        self.nonces.expect(command, ack)
        return ack

    def roll(
        self,
        what: str | dict[str, Any] | None = None,
        *,
        from_sheet: dict[str, Any] | None = None,
        **fields: Any,
    ) -> Roll:
        """Start a roll of an expression, a request or a sheet; `visibility`, `physical`, `goal`…"""
        asked: dict[str, Any] = {} if from_sheet is None else {"from_sheet": from_sheet}
        if what is not None:
            asked = {"expression": what} if isinstance(what, str) else {"request": what}
        ack = self.do("roll.start", **asked, nonce=new_nonce(), **fields)
        return Roll.read(ack.events)

    def choose(self, roll: Roll | str, option: Any) -> Roll:
        """Choose an option of an open roll."""
        return self._on(roll, "roll.choose", option=option, nonce=new_nonce())

    def enter(self, roll: Roll | str, faces: list[Any]) -> Roll:
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

    def preview(self, **fields: Any) -> dict[str, Any]:
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

    def delete(self) -> None:
        """Delete the table with everything of it."""
        self._ask("DELETE", "")

    def _on(self, roll: Roll | str, do: str, **fields: Any) -> Roll:
        ack = self.do(do, roll=_name(roll), **fields)
        return Roll.read(ack.events, _name(roll))

    def _object(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        query: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        found: dict[str, Any] = self._ask(method, path, body, query)
        return found

    def _ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        query: dict[str, Any] | None = None,
    ) -> Any:
        place = f"/tables/{self.id}{path}"
        return self.asking.ask(method, place, body, token=self.token, query=query)

    def __repr__(self) -> str:
        return f"<table {self.id}, seat {self.seat or 'unknown'}>"


def _name(roll: Roll | str) -> str:
    return roll.id if isinstance(roll, Roll) else roll
