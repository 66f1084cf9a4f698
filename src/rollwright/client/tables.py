"""A server and a seat at one of its tables: questions, rolls, choices, advice, the log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from rollwright.client.http import PATIENCE, HttpClient, Link, ServerError
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


class Table(TableClient[HttpClient, Data, Ack, RollView, str, None]):
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    def snapshot(self, recent: int = 100) -> Data:
        """The table as we see it now."""
        found = self._object("GET", "", query={"recent": recent})
        self._remember(found)
        return found

    def events(self, after: int = 0) -> Iterator[EventData]:
        """Yield the events of the log after a seq, up to its present end."""
        while True:
            page = self._object("GET", "/events", query={"after": after, "limit": PAGE})
            fresh = [event for event in page["events"] if event["seq"] > after]
            if not fresh:
                return
            self.check(page["events"])
            yield from page["events"]
            after = fresh[-1]["seq"]

    def watch(self, after: int | None = None, *, quiet: float | None = None) -> Iterator[EventData]:
        """As `listen`, without an event loop; with `quiet`, until nothing came for so many seconds.

        for event in table.watch():
            print(event["kind"])
        """
        from rollwright.client.sockets import watch

        return watch(self.socket, self.follower(after), quiet)

    def picture(
        self, roll: RollView | str, form: str = "svg", *, light: str = "", own: bool = False
    ) -> bytes:
        """Return a roll as a picture, `svg` or `png`, in `light`, `dark` or the viewer's colours.

        Of a secret roll there is only a copy of our `own`.
        """
        return self.asking.send(self.picture_request(roll, form, light, own)).content

    def log(self) -> Data:
        """The whole log as we see it, to be verified or kept; raises Unfair as `do` does."""
        log = self._object("GET", "/log.json")
        self.check_log(log["events"])
        return log

    def move(self, *, keep_old: bool = True, signs: bool | None = None, held: str = "") -> Link:
        """Return a link by which our seat continues from another device too, or there alone.

        It holds a token and, if we sign, a key of its own: anyone who has it acts for us.
        """
        signs = self.device is not None if signs is None else signs
        moving = MoveRequest(self.link, KeySetup(signs, held))
        self.do("seat.move", keep_old=keep_old, **moving.fields)
        return moving.link

    def _command(self, command: dict[str, object]) -> Ack:
        if self.device is None or not self._signs(command):
            return self._run(send_command(command))
        with self.device.turn:
            ack = self._run(sign_and_send(self.device, command))
        return self._run(wait_for_dice(ack))

    async def attend(self, want: int) -> None:
        """Offer so many numbers, and open those that dice wait for."""
        await asyncio.to_thread(self._attend, want)

    def _attend(self, want: int) -> None:
        if self.device is not None:
            with self.device.turn:
                self._run(attend_as_witness(self.device, want))

    def _run(self, steps: Steps[T]) -> T:
        """Ask for everything that some steps ask for, one after the other."""
        try:
            step = next(steps)
            while True:
                try:
                    found = self._run_step(step)
                except RollwrightError as problem:
                    step = steps.throw(problem)
                else:
                    step = steps.send(found)
        except StopIteration as end:
            made: T = end.value
            return made

    def _run_step(self, step: TableRequest | Pause) -> Data:
        if isinstance(step, TableRequest):
            return self._object(*step)
        time.sleep(step.seconds)
        return {}

    def _command_roll(self, roll: RollView | str, do: str, **fields: object) -> RollView:
        made = RollView.from_events(self.do(do, **roll_fields(roll, fields)).events, id_of(roll))
        if self._needs_snapshot(made):
            with suppress(RollwrightError):  # the roll was made, whatever becomes of this
                self.snapshot(recent=0)
        return self._narrate(made)

    def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int | str] | None = None,
    ) -> Data:
        place = f"/tables/{self.id}{path}"
        found: Data = self.asking.fetch(method, place, body, token=self.token, query=query)
        return found

    def _text(self, path: str, query: Mapping[str, str]) -> str:
        return str(self._object("GET", path, query=query))

    def _send_only(self, method: str, path: str) -> None:
        self._object(method, path)


class Server(QueryClient[Data]):
    """A server at an address.

    with Server("http://127.0.0.1:7655") as server:
        print(server.odds("2d6", where="it >= 10")["chance"])
    """

    def __init__(
        self, address: str, *, patience: float = PATIENCE, timeout: float = 30.0, language: str = ""
    ) -> None:
        self.address = address.rstrip("/")
        self.asking = HttpClient(address, patience=patience, timeout=timeout, language=language)

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

    def create_table(
        self,
        game: str = "",
        *,
        name: str,
        key: str = "",
        signs: bool = True,
        held: str = "",
        keep: SeatStoreLike = None,
        **more: object,
    ) -> Table:
        """A new table with us as its referee; `house`, `title`, `knock` and `lists` as in the API.

        Its links are in `table.links`: give one to each who shall join. Where not everybody may
        make tables, `key` is one from the host, or `key_of(passphrase)`. The rest is as in `join`.
        """
        making = TableCreation(game, name, more, KeySetup(signs, held))
        made = self.asking.fetch("POST", "/tables", making.body, token=key)
        links = making.links(self.address, made["table"])
        token, device = making.tokens["seat"], making.device(made, keep)
        seat = made["seat"]
        return Table(self.asking, made["table"], token, seat=seat, links=links, device=device)

    def join(
        self,
        link: Link | str,
        *,
        name: str,
        signs: bool = True,
        held: str = "",
        keep: SeatStoreLike = None,
        numbered: bool = False,
    ) -> Table:
        """A seat at the table of a link; where it knocks, a referee must let us in first.

        With `keep`, the path of a file, the seat is kept there with its key and what it has
        signed; who sat down from there before has that seat again. A bot that holds the key for
        somebody says in `held` which bot it is. Without `signs` there is no key, and our dice
        rest on the host's word. Where somebody at the table looks to be called so, we are
        refused, or with `numbered` have a number behind our name.
        """
        joining = JoinRequest(Link.of(link), name, KeySetup(signs, held), keep, numbered=numbered)
        path, token = joining.path, joining.link.token
        seat = joining.seat
        while not seat:
            try:
                seat = self.asking.fetch("POST", path, joining.body, token=token)["seat"]
            except ServerError as problem:
                if not joining.try_next_name(problem):
                    raise
        device = joining.device(seat)
        return Table(self.asking, joining.link.table, joining.token, seat=seat, device=device)

    def table(self, link: Link | str, *, keep: SeatStoreLike = None) -> Table:
        """A table that we sit at already, or watch, by a seat's or a spectator's link."""
        found = Link.of(link)
        return Table(self.asking, found.table, found.token, device=load_device(found, keep))

    def seat(self, keep: SeatStoreLike) -> Table:
        """The seat that is kept in a file."""
        claiming = ClaimRequest(keep)
        table, token, seat, device = claiming.seat_data
        return Table(self.asking, table, token, seat=seat, device=device)

    def claim(self, keep: SeatStoreLike) -> Table:
        """Our seat at a table that has come to another host: our key says that it is ours."""
        claiming = ClaimRequest(keep)
        epoch = self.asking.fetch("GET", claiming.path)["epoch"]
        taken = self.asking.fetch("POST", claiming.path, claiming.body(epoch))
        claiming.keep(taken["seat"])
        return self.seat(keep)

    def import_table(self, log: Mapping[str, object], *, key: str = "", **more: object) -> Data:
        """A table made again from its log; `key` as for a new one."""
        made: Data = self.asking.fetch("POST", "/tables/import", {**log, **more}, token=key)
        return made

    def _object(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Data:
        found: Data = self.asking.fetch(method, path, body)
        return found

    def __repr__(self) -> str:
        return f"<server {self.address}>"
