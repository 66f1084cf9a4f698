"""The client for an event loop: the same server and the same seat, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import suppress
from functools import cached_property
from types import TracebackType
from typing import Any, TypeVar

from rollwright.client.http import PATIENCE, AsyncHttpClient, Link, ServerError
from rollwright.client.request_steps import (
    PAGE,
    Pause,
    Steps,
    TableRequest,
    attend_as_witness,
    send_command,
    sign_and_send,
    wait_for_dice,
)
from rollwright.client.rolls import Ack, EventData, RollView
from rollwright.client.seat_stores import SeatStoreLike
from rollwright.client.seats import (
    ClaimRequest,
    JoinRequest,
    KeySetup,
    MoveRequest,
    QueryClient,
    TableClient,
    TableCreation,
    id_of,
    load_device,
    roll_fields,
)
from rollwright.errors import RollwrightError

T = TypeVar("T")
Data = dict[str, Any]
Awaited = Coroutine[Any, Any, T]


class AsyncTable(
    TableClient[
        AsyncHttpClient, Awaited[Data], Awaited[Ack], Awaited[RollView], Awaited[str], Awaited[None]
    ]
):
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    async def snapshot(self, recent: int = 100) -> Data:
        """The table as we see it now."""
        found = await self._object("GET", "", query={"recent": recent})
        self._remember(found)
        return found

    async def events(self, after: int = 0) -> AsyncGenerator[EventData, None]:
        """Yield the events of the log after a seq, up to its present end."""
        while True:
            page = await self._object("GET", "/events", query={"after": after, "limit": PAGE})
            fresh = [event for event in page["events"] if event["seq"] > after]
            if not fresh:
                return
            self.check(page["events"])
            for event in page["events"]:
                yield event
            after = fresh[-1]["seq"]

    async def picture(
        self, roll: RollView | str, form: str = "svg", *, light: str = "", own: bool = False
    ) -> bytes:
        """Return a roll as a picture, `svg` or `png`, in `light`, `dark` or the viewer's colours.

        Of a secret roll there is only a copy of our `own`.
        """
        return (await self.asking.send(self.picture_request(roll, form, light, own))).content

    async def log(self) -> Data:
        """The whole log as we see it, to be verified or kept; raises Unfair as `do` does."""
        log = await self._object("GET", "/log.json")
        self.check_log(log["events"])
        return log

    async def move(
        self, *, keep_old: bool = True, signs: bool | None = None, held: str = ""
    ) -> Link:
        """A link by which our seat goes on from another device too; as `Table.move`."""
        signs = self.device is not None if signs is None else signs
        moving = MoveRequest(self.link, KeySetup(signs, held))
        await self.do("seat.move", keep_old=keep_old, **moving.fields)
        return moving.link

    async def _command(self, command: dict[str, object]) -> Ack:
        if self.device is None or not self._signs(command):
            return await self._run(send_command(command))
        async with self._turn:
            ack = await self._run(sign_and_send(self.device, command))
        return await self._run(wait_for_dice(ack))

    async def attend(self, want: int) -> None:
        """Offer so many numbers, and open those that dice wait for."""
        if self.device is not None:
            async with self._turn:
                await self._run(attend_as_witness(self.device, want))

    @cached_property
    def _turn(self) -> asyncio.Lock:
        return asyncio.Lock()

    async def _run(self, steps: Steps[T]) -> T:
        """Ask for everything that some steps ask for, one after the other."""
        try:
            step = next(steps)
            while True:
                try:
                    found = await self._run_step(step)
                except RollwrightError as problem:
                    step = steps.throw(problem)
                else:
                    step = steps.send(found)
        except StopIteration as end:
            made: T = end.value
            return made

    async def _run_step(self, step: TableRequest | Pause) -> Data:
        if isinstance(step, TableRequest):
            return await self._object(*step)
        await asyncio.sleep(step.seconds)
        return {}

    async def _command_roll(self, roll: RollView | str, do: str, **fields: object) -> RollView:
        made = RollView.from_events(
            (await self.do(do, **roll_fields(roll, fields))).events, id_of(roll)
        )
        if self._needs_snapshot(made):
            with suppress(RollwrightError):  # the roll was made, whatever becomes of this
                await self.snapshot(recent=0)
        return self._narrate(made)

    async def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int | str] | None = None,
    ) -> Data:
        place = f"/tables/{self.id}{path}"
        found: Data = await self.asking.fetch(method, place, body, token=self.token, query=query)
        return found

    async def _text(self, path: str, query: Mapping[str, str]) -> str:
        return str(await self._object("GET", path, query=query))

    async def _send_only(self, method: str, path: str) -> None:
        await self._object(method, path)


class AsyncServer(QueryClient[Awaited[Data]]):
    """A server at an address, for an event loop.

    async with AsyncServer("http://127.0.0.1:7655") as server:
        print((await server.odds("2d6", where="it >= 10"))["chance"])
    """

    def __init__(
        self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0, language: str = ""
    ) -> None:
        self.address = address.rstrip("/")
        self.asking = AsyncHttpClient(
            address, patience=patience, timeout=timeout, language=language
        )

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
        self,
        game: str = "",
        *,
        name: str,
        key: str = "",
        signs: bool = True,
        held: str = "",
        keep: SeatStoreLike = None,
        **more: object,
    ) -> AsyncTable:
        """A new table with us as its referee; as `Server.create_table`."""
        making = TableCreation(game, name, more, KeySetup(signs, held))
        made = await self.asking.fetch("POST", "/tables", making.body, token=key)
        links = making.links(self.address, made["table"])
        token, device = making.tokens["seat"], making.device(made, keep)
        seat = made["seat"]
        return AsyncTable(self.asking, made["table"], token, seat=seat, links=links, device=device)

    async def join(
        self,
        link: Link | str,
        *,
        name: str,
        signs: bool = True,
        held: str = "",
        keep: SeatStoreLike = None,
        numbered: bool = False,
    ) -> AsyncTable:
        """A seat at the table of a link; as `Server.join`."""
        joining = JoinRequest(Link.of(link), name, KeySetup(signs, held), keep, numbered=numbered)
        path, token = joining.path, joining.link.token
        seat = joining.seat
        while not seat:
            try:
                seat = (await self.asking.fetch("POST", path, joining.body, token=token))["seat"]
            except ServerError as problem:
                if not joining.try_next_name(problem):
                    raise
        device = joining.device(seat)
        return AsyncTable(self.asking, joining.link.table, joining.token, seat=seat, device=device)

    def table(self, link: Link | str, *, keep: SeatStoreLike = None) -> AsyncTable:
        """A table that we sit at already, or watch, by a seat's or a spectator's link."""
        found = Link.of(link)
        return AsyncTable(self.asking, found.table, found.token, device=load_device(found, keep))

    def seat(self, keep: SeatStoreLike) -> AsyncTable:
        """The seat that is kept in a file."""
        claiming = ClaimRequest(keep)
        table, token, seat, device = claiming.seat_data
        return AsyncTable(self.asking, table, token, seat=seat, device=device)

    async def claim(self, keep: SeatStoreLike) -> AsyncTable:
        """Our seat at a table that has come to another host; as `Server.claim`."""
        claiming = ClaimRequest(keep)
        epoch = (await self.asking.fetch("GET", claiming.path))["epoch"]
        taken = await self.asking.fetch("POST", claiming.path, claiming.body(epoch))
        claiming.keep(taken["seat"])
        return self.seat(keep)

    async def _object(
        self, method: str, path: str, body: Mapping[str, object] | None = None
    ) -> Data:
        found: Data = await self.asking.fetch(method, path, body)
        return found

    def __repr__(self) -> str:
        return f"<server {self.address}>"
