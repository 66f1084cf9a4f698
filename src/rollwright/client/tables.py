"""A server and a seat at one of its tables: questions, rolls, choices, advice, the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

from rollwright.client.http import PATIENCE, Asking, Link
from rollwright.client.rolls import Ack, Event, Roll
from rollwright.client.seats import PAGE, Joining, Making, Questions, SeatAt, id_of, on_roll

Data = dict[str, Any]


class Table(SeatAt[Asking, Data, Ack, Roll, str, None]):
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    def look(self, recent: int = 100) -> Data:
        """The table as we see it now."""
        found = self._object("GET", "", query={"recent": recent})
        self.seat = (found.get("you") or {}).get("seat", self.seat)
        return found

    def events(self, after: int = 0) -> Iterator[Event]:
        """The log behind a seq, up to where it stands now."""
        while True:
            page = self._object("GET", "/events", query={"after": after, "limit": PAGE})
            fresh = [event for event in page["events"] if event["seq"] > after]
            if not fresh:
                return
            self.nonces.check(page["events"])
            yield from page["events"]
            after = fresh[-1]["seq"]

    def watch(self, after: int | None = None, *, quiet: float | None = None) -> Iterator[Event]:
        """As `listen`, without an event loop; with `quiet`, until nothing came for so many seconds.

        for event in table.watch():
            print(event["kind"])
        """
        from rollwright.client.sockets import watching

        return watching(self.socket, self.following(after), quiet)

    def picture(self, roll: Roll | str, form: str = "svg", *, light: str = "") -> bytes:
        """A roll as a picture, `svg` or `png`; by `light` or `dark`, or as whoever looks has it."""
        return self.asking.raw(self.picture_call(roll, form, light)).content

    def log(self) -> Data:
        """The whole log as we see it, to be verified or kept; raises Unfair as `do` does."""
        log = self._object("GET", "/log.json")
        self.nonces.check(log["events"])
        return log

    def _commanded(self, command: dict[str, object]) -> Ack:
        ack = Ack.read(self._object("POST", "/commands", command))
        self.nonces.expect(command, ack)
        return ack

    def _on(self, roll: Roll | str, do: str, **fields: object) -> Roll:
        return Roll.read(self.do(do, **on_roll(roll, fields)).events, id_of(roll))

    def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int] | None = None,
    ) -> Data:
        place = f"/tables/{self.id}{path}"
        found: Data = self.asking.ask(method, place, body, token=self.token, query=query)
        return found

    def _text(self, path: str) -> str:
        return str(self._object("GET", path))

    def _done(self, method: str, path: str) -> None:
        self._object(method, path)


class Server(Questions[Data]):
    """A server at an address.

    with Server("http://127.0.0.1:7655") as server:
        print(server.odds("2d6", where="it >= 10")["chance"])
    """

    def __init__(
        self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0, language: str = ""
    ) -> None:
        self.address = address.rstrip("/")
        self.asking = Asking(address, patience=patience, timeout=timeout, language=language)

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

    def games(self) -> list[Data]:
        """All games, in short."""
        games: list[Data] = self._object("GET", "/games")["games"]
        return games

    def create_table(self, game: str = "", *, name: str, key: str = "", **more: object) -> Table:
        """A new table with us as its referee; `house`, `title`, `knock` and `lists` as in the API.

        Its links are in `table.links`: give one to each who shall join. Where not everybody may
        make tables, `key` is one from the host, or `key_of(passphrase)`.
        """
        making = Making(game, name, more)
        made = self.asking.ask("POST", "/tables", making.body, token=key)
        links = making.links(self.address, made["table"])
        token = making.tokens["seat"]
        return Table(self.asking, made["table"], token, seat=made["seat"], links=links)

    def join(self, link: Link | str, *, name: str) -> Table:
        """A seat at the table of a link; where it knocks, a referee must let us in first."""
        joining = Joining(Link.of(link), name)
        joined = self.asking.ask("POST", joining.path, joining.body, token=joining.link.token)
        return Table(self.asking, joining.link.table, joining.token, seat=joined["seat"])

    def table(self, link: Link | str) -> Table:
        """A table that we sit at already, or watch, by a seat's or a spectator's link."""
        found = Link.of(link)
        return Table(self.asking, found.table, found.token)

    def import_table(self, log: Mapping[str, object], *, key: str = "", **more: object) -> Data:
        """A table made again from its log; `key` as for a new one."""
        made: Data = self.asking.ask("POST", "/tables/import", {**log, **more}, token=key)
        return made

    def _object(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Data:
        found: Data = self.asking.ask(method, path, body)
        return found

    def __repr__(self) -> str:
        return f"<server {self.address}>"
