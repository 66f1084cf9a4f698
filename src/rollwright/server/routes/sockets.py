"""The socket of a table: hello, what was missed, what comes, and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from rollwright.ask.shapes import Error
from rollwright.errors import RollwrightError
from rollwright.plain import Json
from rollwright.server.access import address_of, recognised, seat_of
from rollwright.server.json import received
from rollwright.server.responses import error_of
from rollwright.server.rooms.broadcast import told
from rollwright.server.rooms.commands import obey
from rollwright.server.rooms.connections import Connection, Gone, Message
from rollwright.server.rooms.hello import PROTOCOL, Hello, greet, hello_of, you
from rollwright.server.storage.appends import LogLine
from rollwright.server.tokens import hash_of
from rollwright.table.events import KNOCKING, Event, Seat
from rollwright.table.refusals import Refusal, refusal
from rollwright.table.visibility import opened

if TYPE_CHECKING:
    from rollwright.server.app import Services
    from rollwright.server.rooms.room import Room

BATCH, BATCH_BYTES = 200, 131_072
"""Missed events in one frame: of few bytes for those who do not read, of enough for a long log."""
MOST_SLIPS = 20
"""Wrong messages in a row before the client is sent away."""
MOST_ORDERS = 16
"""Commands of a client that may wait; more of them wait with the client."""
SHORT = 4096
"""Longer messages wait as they came, alone, and are read when it is their turn: as values they
take twenty times as much."""
NO_MORE: list[Json] = []
"""Put behind the last command."""
LONGEST_REST = 1.0


class Left(Exception):
    """The client has closed the socket."""


class TableSocket:
    """The ASGI app behind `/api/v1/tables/{table}/socket`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from its beginning to its end."""
        await receive()
        await send({"type": "websocket.accept"})
        services: Services = scope["app"].state.services
        address = address_of(HTTPConnection(scope))
        line = scope.get("extensions", {}).get("rollwright.line")
        connection = Connection(send, services.settings, address=address, line=line)
        connection.on_bye = lambda code: services.metrics.byes.labels(code).inc()
        connection.start()
        try:
            services.limits.sockets.take(address)
        except RollwrightError as refusal:
            _send_away(connection, refusal)
            await connection.finish()
            return
        services.connections.add(connection)
        services.metrics.connections.inc()
        try:
            await Talk(services, connection, receive).go(scope["path_params"]["table"])
        finally:
            services.limits.sockets.leave(address)
            services.connections.discard(connection)
            services.metrics.connections.dec()
            await connection.finish()


class Talk:
    """The conversation over one socket."""

    def __init__(self, services: Services, connection: Connection, receive: Receive) -> None:
        self.services = services
        self.connection = connection
        self._receive = receive
        self._orders: asyncio.Queue[Json] = asyncio.Queue(MOST_ORDERS)
        """Commands that came and are not done yet, so that a ping need not wait for them."""
        self._taken = asyncio.Event()
        """Set when a command is done."""
        self._slips = 0
        self._room: Room | None = None
        self._until: float | None = None
        """How long the message that is waited for may take to come."""
        self._timer: asyncio.TimerHandle | None = None

    async def go(self, table: str) -> None:
        """Hello, welcome, then messages until somebody leaves."""
        telling = obeying = None
        try:
            if self.services.closing:
                raise refusal("unavailable", "server.restart")
            hello = hello_of(received(await self._text(self.services.settings.hello_seconds)))
            self._room = room = await self._come_in(table, hello)
            telling = asyncio.create_task(self._tell(room, hello))
            obeying = asyncio.create_task(self._obey(room))
            while self.connection.is_open:
                await self._go_on()
        except Left:
            pass
        except Exception as problem:
            _send_away(self.connection, problem)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._room is not None:
                self._leave(self._room)
            if telling is not None:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)
            if obeying is not None:
                await self._end_orders(obeying)

    async def _come_in(self, table: str, hello: Hello) -> Room:
        """Find the room for a token, and be known in it."""
        connection = self.connection
        self.services.limits.address.take(connection.address)
        token, room = await recognised(self.services, table, hello.token, connection.address)
        seat = seat_of(room, token, knocking=True)
        connection.token = hash_of(hello.token)
        connection.seat = seat.id if seat is not None else ""
        room.everybody.guests.add(connection)
        try:  # the token may have been taken back before the room knew of us
            await recognised(self.services, table, hello.token, connection.address)
        except BaseException:
            room.everybody.guests.discard(connection)
            raise
        return room

    def _leave(self, room: Room) -> None:
        room.everybody.guests.discard(self.connection)
        if self.connection in room.everybody.live:
            room.everybody.live.discard(self.connection)
            room.everybody.presence.changed()

    async def _obey(self, room: Room) -> None:
        """Do the commands one after the other, in the order in which they came."""
        while (order := await self._orders.get()) is not NO_MORE:
            error = await self._do(room, order)
            self.connection.orders -= 1
            self._taken.set()
            order = None  # it may be long
            await self._rest(error)

    async def _do(self, room: Room, order: Json) -> Error | None:
        """Do a command and acknowledge it; what was wrong with it is given back."""
        address = self.connection.address
        try:
            command = self._command_in(order) if isinstance(order, str) else order
        except RollwrightError as problem:
            error = error_of(problem)
            self.connection.tell({"error": error})
            return error
        ack = await obey(self.services, room, room.seat(self.connection), address, command)
        self.connection.tell({"ack": ack})
        return ack.get("error")

    def _command_in(self, text: str) -> Json:
        """The command in a long message."""
        try:
            match received(text):
                case {"command": command}:
                    return command
        except Refusal:
            pass
        self.services.limits.address.take(self.connection.address)
        raise Refusal("bad_request", "this is no command")

    async def _end_orders(self, obeying: asyncio.Task[None]) -> None:
        """Let the command that is under way end, and leave out those that only wait.

        Broken off, it might be committed all the same, and the others would learn of it late.
        """
        while not self._orders.empty():
            self._orders.get_nowait()
        self._orders.put_nowait(NO_MORE)
        await asyncio.gather(obeying, return_exceptions=True)

    async def _tell(self, room: Room, hello: Hello) -> None:
        """Welcome, what was missed, and from then on what comes."""
        try:
            await self._wait_at_the_door(room)
            await greet(room, self.connection, hello, self.services.settings)
            await self.connection.drained()
            await self._catch_up(room)
        except Gone:
            pass
        except Exception as problem:
            _send_away(self.connection, problem)

    async def _wait_at_the_door(self, room: Room) -> None:
        """Somebody who knocked sees nothing of the table until a referee lets them in."""
        seat = room.seat(self.connection)
        if seat is None or seat.status != KNOCKING:
            return
        told = {"protocol": PROTOCOL, "table": room.table, "you": you(seat)}
        self.connection.tell({"welcome": told})
        while seat is not None and seat.status == KNOCKING:
            self.connection.news.clear()
            await self.connection.news.wait()
            seat = room.seat(self.connection)
        self._check_is_here(seat)

    def _check_is_here(self, seat: Seat | None) -> None:
        """Send away a client that has no seat any more, without another word about the table."""
        if seat is not None and not seat.is_here:
            self.connection.say_bye("removed", "your seat was removed from the table")
            raise Gone

    async def _catch_up(self, room: Room) -> None:
        """Send what was missed, piece by piece, until there is nothing more; then go live.

        Between the last look at the head and going live nothing is awaited, so that no event can
        come in between: none is left out and none comes twice.
        """
        connection = self.connection
        while connection.sent < room.state.head:
            lines = await room.lines_after(connection.sent, BATCH, BATCH_BYTES)
            if not lines:
                raise refusal("gone", "server.table.deleted")
            read = [line for line in lines if isinstance(line, Event)]
            earlier = [seq for seq in opened(read, room.state) if seq <= connection.sent]
            again = await room.events_at(earlier)
            await room.list_options()
            missed = partial(self._missed, (*lines, *again), room)
            connection.push(await self.services.limits.pace.made(missed, connection.address))
            connection.sent = lines[-1].seq
            await connection.drained()
        if connection.is_open and connection in room.everybody.guests:
            room.everybody.live.add(connection)
            room.everybody.presence.changed()
            room.everybody.want_witnesses()

    def _missed(self, lines: Sequence[LogLine], room: Room) -> Message:
        """Missed events; the address is charged for them, the seat may still act at once."""
        seat = room.seat(self.connection)
        self._check_is_here(seat)
        return Message({"events": [told(line, seat, room.state) for line in lines]})

    async def _text(self, seconds: float) -> str:
        """The next message of the client, as it came; nobody is waited for longer than this.

        One timer looks after all messages: one for each takes longer than to read it.
        """
        loop = asyncio.get_running_loop()
        self._until = until = loop.time() + seconds
        if self._timer is None or self._timer.when() > until:
            self._look_at(until)
        message = await self._receive()
        self._until = None
        if message["type"] != "websocket.receive" or not self.connection.is_open:
            raise Left
        text: str | None = message.get("text")
        if text is None:
            raise Refusal("bad_request", "bytes came; text with JSON in it would do")
        return text

    def _look_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._look)

    def _look(self) -> None:
        """Send away a client of whom nothing has come for too long."""
        self._timer = None
        if self._until is None:
            return
        if self._until > asyncio.get_running_loop().time():
            self._look_at(self._until)
        else:
            self.connection.say_bye("idle", "nothing came for too long; come again")
            if self._room is not None:
                self._leave(self._room)

    async def _go_on(self) -> None:
        """Handle one more message; a mistake gets an error, many of them end the conversation."""
        try:
            text = await self._text(self.services.settings.idle_seconds)
            if len(text) > SHORT:
                await self._wait_for_orders()
                await self._order(text)
            else:
                await self._answer(received(text))
            self._slips = 0
        except RollwrightError as problem:
            error = error_of(problem)
            self.connection.tell({"error": error})
            self._slips += 1
            if self._slips > MOST_SLIPS:
                raise Refusal("bad_request", "too many wrong messages came") from None
            await self._rest(error)

    async def _answer(self, message: Json) -> None:
        match message:
            case {"command": command}:
                await self._order(command)
            case {"ping": bool() | int() | str() | None as sign} if len(str(sign)) <= 64:
                self.services.limits.address.take(self.connection.address)
                self.connection.tell({"pong": sign})
            case _:
                self.services.limits.address.take(self.connection.address)
                raise Refusal("bad_request", "unknown message; a command or a ping would do")

    async def _order(self, order: Json) -> None:
        self.connection.orders += 1
        await self._orders.put(order)

    async def _wait_for_orders(self) -> None:
        """Wait until nothing waits that came before."""
        while self.connection.orders and self.connection.is_open:
            self._taken.clear()
            await self._taken.wait()

    async def _rest(self, error: Error | None) -> None:
        """Read on later from somebody who asks too often: what they send waits with them."""
        if error is not None and error["code"] == "too_many":
            await asyncio.sleep(min(error.get("wait", 0) / 1000, LONGEST_REST))


def _send_away(connection: Connection, problem: BaseException) -> None:
    error = error_of(problem)
    connection.say_bye(error["code"], error["message"])
