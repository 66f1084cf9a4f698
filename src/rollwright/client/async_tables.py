"""The client for whoever has an event loop: the same server and the same seat, awaited."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine, Mapping
from types import TracebackType
from typing import Any, TypeVar

from rollwright.client.http import PATIENCE, AsyncAsking, Link
from rollwright.client.rolls import Ack, Event, Roll
from rollwright.client.seats import PAGE, Joining, Making, Questions, SeatAt, id_of, on_roll

T = TypeVar("T")
Data = dict[str, Any]
Awaited = Coroutine[Any, Any, T]


class AsyncTable(
    SeatAt[AsyncAsking, Awaited[Data], Awaited[Ack], Awaited[Roll], Awaited[str], Awaited[None]]
):
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    async def look(self, recent: int = 100) -> Data:
        """The table as we see it now."""
        found = await self._object("GET", "", query={"recent": recent})
        self.seat = (found.get("you") or {}).get("seat", self.seat)
        return found

    async def events(self, after: int = 0) -> AsyncGenerator[Event, None]:
        """The log behind a seq, up to where it stands now."""
        while True:
            page = await self._object("GET", "/events", query={"after": after, "limit": PAGE})
            fresh = [event for event in page["events"] if event["seq"] > after]
            if not fresh:
                return
            self.nonces.check(page["events"])
            for event in page["events"]:
                yield event
            after = fresh[-1]["seq"]

    async def picture(self, roll: Roll | str, form: str = "svg", *, light: str = "") -> bytes:
        """A roll as a picture, `svg` or `png`; by `light` or `dark`, or as whoever looks has it."""
        return (await self.asking.raw(self.picture_call(roll, form, light))).content

    async def log(self) -> Data:
        """The whole log as we see it, to be verified or kept; raises Unfair as `do` does."""
        log = await self._object("GET", "/log.json")
        self.nonces.check(log["events"])
        return log

    async def _commanded(self, command: dict[str, object]) -> Ack:
        ack = Ack.read(await self._object("POST", "/commands", command))
        self.nonces.expect(command, ack)
        return ack

    async def _on(self, roll: Roll | str, do: str, **fields: object) -> Roll:
        return Roll.read((await self.do(do, **on_roll(roll, fields))).events, id_of(roll))

    async def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int] | None = None,
    ) -> Data:
        place = f"/tables/{self.id}{path}"
        found: Data = await self.asking.ask(method, place, body, token=self.token, query=query)
        return found

    async def _text(self, path: str) -> str:
        return str(await self._object("GET", path))

    async def _done(self, method: str, path: str) -> None:
        await self._object(method, path)


class AsyncServer(Questions[Awaited[Data]]):
    """A server at an address, for whoever has an event loop.

    async with AsyncServer("http://127.0.0.1:7655") as server:
        print((await server.odds("2d6", where="it >= 10"))["chance"])
    """

    def __init__(
        self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0, language: str = ""
    ) -> None:
        self.address = address.rstrip("/")
        self.asking = AsyncAsking(address, patience=patience, timeout=timeout, language=language)

    async def __aenter__(self) -> AsyncServer:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self.asking.close()

    async def games(self) -> list[Data]:
        """All games, in short."""
        games: list[Data] = (await self._object("GET", "/games"))["games"]
        return games

    async def create_table(
        self, game: str = "", *, name: str, key: str = "", **more: object
    ) -> AsyncTable:
        """A new table with us as its referee; as `Server.create_table`."""
        making = Making(game, name, more)
        made = await self.asking.ask("POST", "/tables", making.body, token=key)
        links = making.links(self.address, made["table"])
        token = making.tokens["seat"]
        return AsyncTable(self.asking, made["table"], token, seat=made["seat"], links=links)

    async def join(self, link: Link | str, *, name: str) -> AsyncTable:
        """A seat at the table of a link; where it knocks, a referee must let us in first."""
        joining = Joining(Link.of(link), name)
        joined = await self.asking.ask("POST", joining.path, joining.body, token=joining.link.token)
        return AsyncTable(self.asking, joining.link.table, joining.token, seat=joined["seat"])

    def table(self, link: Link | str) -> AsyncTable:
        """A table that we sit at already, or watch, by a seat's or a spectator's link."""
        found = Link.of(link)
        return AsyncTable(self.asking, found.table, found.token)

    async def _object(
        self, method: str, path: str, body: Mapping[str, object] | None = None
    ) -> Data:
        found: Data = await self.asking.ask(method, path, body)
        return found

    def __repr__(self) -> str:
        return f"<server {self.address}>"
