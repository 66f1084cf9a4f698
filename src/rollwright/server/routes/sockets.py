"""The socket of a table: hello, what was missed, what comes, and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from rollwright.errors import RollwrightError
from rollwright.jsonable import Json
from rollwright.queries.schemas import ErrorData
from rollwright.server.access import address_of, authenticate, seat_of
from rollwright.server.json_codec import parse_json
from rollwright.server.live.broadcast import view_line
from rollwright.server.live.commands import handle_command
from rollwright.server.live.connections import ClientGoneError, Connection, SocketMessage
from rollwright.server.live.snapshots import PROTOCOL, Hello, own_seat, parse_hello, send_welcome
from rollwright.server.responses import error_of
from rollwright.server.storage.appends import LogLine
from rollwright.server.tokens import hash_of
from rollwright.table.errors import CodedError, command_error
from rollwright.table.events import KNOCKING, Event, Seat
from rollwright.table.visibility import reopened_seqs

if TYPE_CHECKING:
    from rollwright.server.app import Services
    from rollwright.server.live.live_table import LiveTable

BATCH, BATCH_BYTES = 200, 131_072
"""Missed events in one frame: of few bytes for those who do not read, of enough for a long log."""
MOST_MISTAKES = 20
"""Wrong messages in a row before the client is sent away."""
MOST_COMMANDS = 16
"""Commands of a client that may wait; more of them wait with the client."""
SHORT = 4096
"""Longer messages wait as they came, alone, and are read when it is their turn: as values they
take twenty times as much."""
NO_MORE: list[Json] = []
"""Put behind the last command."""
LONGEST_REST = 1.0


class SocketClosedError(Exception):
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
        connection.on_close = lambda code: services.metrics.byes.labels(code).inc()
        connection.start()
        try:
            services.limits.sockets.take(address)
        except RollwrightError as refusal:
            _close_with_error(connection, refusal)
            await connection.finish()
            return
        services.connections.add(connection)
        services.metrics.connections.inc()
        try:
            await SocketSession(services, connection, receive).run(scope["path_params"]["table"])
        finally:
            services.limits.sockets.release(address)
            services.connections.discard(connection)
            services.metrics.connections.dec()
            await connection.finish()


class SocketSession:
    """The conversation over one socket."""

    def __init__(self, services: Services, connection: Connection, receive: Receive) -> None:
        self.services = services
        self.connection = connection
        self._receive = receive
        self._command_queue: asyncio.Queue[Json] = asyncio.Queue(MOST_COMMANDS)
        """Commands that came and are not done yet, so that a ping need not wait for them."""
        self._progress = asyncio.Event()
        """Set when a command is done."""
        self._mistakes = 0
        self._live: LiveTable | None = None
        self._until: float | None = None
        """How long the message that is waited for may take to come."""
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, table: str) -> None:
        """Hello, welcome, then messages until somebody leaves."""
        telling = obeying = None
        try:
            if self.services.is_closing:
                raise command_error("unavailable", "server.restart")
            hello = parse_hello(parse_json(await self._text(self.services.settings.hello_seconds)))
            self._live = room = await self._enter(table, hello)
            telling = asyncio.create_task(self._send_events(room, hello))
            obeying = asyncio.create_task(self._run_commands(room))
            while self.connection.is_open:
                await self._handle_next()
        except SocketClosedError:
            pass
        except Exception as problem:
            _close_with_error(self.connection, problem)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._live is not None:
                self._leave(self._live)
            if telling is not None:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)
            if obeying is not None:
                await self._end_commands(obeying)

    async def _enter(self, table: str, hello: Hello) -> LiveTable:
        """Find the room for a token, and be known in it."""
        connection = self.connection
        self.services.limits.address.take(connection.address)
        token, room = await authenticate(self.services, table, hello.token, connection.address)
        seat = seat_of(room, token, knocking=True)
        connection.token = hash_of(hello.token)
        connection.seat = seat.id if seat is not None else ""
        room.broadcast.guests.add(connection)
        try:  # the token may have been taken back before the room knew of us
            await authenticate(self.services, table, hello.token, connection.address)
        except BaseException:
            room.broadcast.guests.discard(connection)
            raise
        return room

    def _leave(self, room: LiveTable) -> None:
        room.broadcast.guests.discard(self.connection)
        if self.connection in room.broadcast.live:
            room.broadcast.live.discard(self.connection)
            room.broadcast.presence.update()

    async def _run_commands(self, room: LiveTable) -> None:
        """Do the commands one after the other, in the order in which they came."""
        while (order := await self._command_queue.get()) is not NO_MORE:
            error = await self._run_command(room, order)
            self.connection.pending_commands -= 1
            self._progress.set()
            order = None  # it may be long
            await self._slow_down(error)

    async def _run_command(self, room: LiveTable, order: Json) -> ErrorData | None:
        """Do a command and acknowledge it; what was wrong with it is given back."""
        address = self.connection.address
        try:
            command = self._command_in(order) if isinstance(order, str) else order
        except RollwrightError as problem:
            error = error_of(problem)
            self.connection.send_json({"error": error})
            return error
        ack = await handle_command(
            self.services, room, room.seat(self.connection), address, command
        )
        self.connection.send_json({"ack": ack})
        return ack.get("error")

    def _command_in(self, text: str) -> Json:
        """The command in a long message."""
        try:
            match parse_json(text):
                case {"command": command}:
                    return command
        except CodedError:
            pass
        self.services.limits.address.take(self.connection.address)
        raise CodedError("bad_request", "this is no command")

    async def _end_commands(self, obeying: asyncio.Task[None]) -> None:
        """Let the command that is under way end, and leave out those that only wait.

        Broken off, it might be committed all the same, and the others would learn of it late.
        """
        while not self._command_queue.empty():
            self._command_queue.get_nowait()
        self._command_queue.put_nowait(NO_MORE)
        await asyncio.gather(obeying, return_exceptions=True)

    async def _send_events(self, room: LiveTable, hello: Hello) -> None:
        """Welcome, what was missed, and from then on what comes."""
        try:
            await self._wait_for_admission(room)
            await send_welcome(room, self.connection, hello, self.services.settings)
            await self.connection.drain()
            await self._catch_up(room)
        except ClientGoneError:
            pass
        except Exception as problem:
            _close_with_error(self.connection, problem)

    async def _wait_for_admission(self, room: LiveTable) -> None:
        """Somebody who knocked sees nothing of the table until a referee lets them in."""
        seat = room.seat(self.connection)
        if seat is None or seat.status != KNOCKING:
            return
        told = {"protocol": PROTOCOL, "table": room.table, "you": own_seat(seat)}
        self.connection.send_json({"welcome": told})
        while seat is not None and seat.status == KNOCKING:
            self.connection.news.clear()
            await self.connection.news.wait()
            seat = room.seat(self.connection)
        self._check_is_here(seat)

    def _check_is_here(self, seat: Seat | None) -> None:
        """Send away a client that has no seat any more, without another word about the table."""
        if seat is not None and not seat.is_here:
            self.connection.close("removed", "your seat was removed from the table")
            raise ClientGoneError

    async def _catch_up(self, room: LiveTable) -> None:
        """Send what was missed, piece by piece, until there is nothing more; then go live.

        Between the last look at the head and going live nothing is awaited, so that no event can
        come in between: none is left out and none comes twice.
        """
        connection = self.connection
        while connection.sent < room.state.head:
            lines = await room.lines_after(connection.sent, BATCH, BATCH_BYTES)
            if not lines:
                raise command_error("gone", "server.table.deleted")
            read = [line for line in lines if isinstance(line, Event)]
            earlier = [seq for seq in reopened_seqs(read, room.state) if seq <= connection.sent]
            again = await room.events_at(earlier)
            await room.list_options()
            missed = partial(self._missed_events, (*lines, *again), room)
            connection.push(await self.services.limits.pace.make(missed, connection.address))
            connection.sent = lines[-1].seq
            await connection.drain()
        if connection.is_open and connection in room.broadcast.guests:
            room.broadcast.live.add(connection)
            room.broadcast.presence.update()
            room.broadcast.request_witnesses()

    def _missed_events(self, lines: Sequence[LogLine], room: LiveTable) -> SocketMessage:
        """Missed events; the address is charged for them, the seat may still act at once."""
        seat = room.seat(self.connection)
        self._check_is_here(seat)
        return SocketMessage({"events": [view_line(line, seat, room.state) for line in lines]})

    async def _text(self, seconds: float) -> str:
        """The next message of the client, as it came; nobody is waited for longer than this.

        One timer looks after all messages: one for each takes longer than to read it.
        """
        loop = asyncio.get_running_loop()
        self._until = until = loop.time() + seconds
        if self._timer is None or self._timer.when() > until:
            self._set_timer(until)
        message = await self._receive()
        self._until = None
        if message["type"] != "websocket.receive" or not self.connection.is_open:
            raise SocketClosedError
        text: str | None = message.get("text")
        if text is None:
            raise CodedError("bad_request", "bytes came; text with JSON in it would do")
        return text

    def _set_timer(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(when, self._check_idle)

    def _check_idle(self) -> None:
        """Send away a client of whom nothing has come for too long."""
        self._timer = None
        if self._until is None:
            return
        if self._until > asyncio.get_running_loop().time():
            self._set_timer(self._until)
        else:
            self.connection.close("idle", "nothing came for too long; come again")
            if self._live is not None:
                self._leave(self._live)

    async def _handle_next(self) -> None:
        """Handle one more message; a mistake gets an error, many of them end the conversation."""
        try:
            text = await self._text(self.services.settings.idle_seconds)
            if len(text) > SHORT:
                await self._wait_for_commands()
                await self._enqueue(text)
            else:
                await self._handle(parse_json(text))
            self._mistakes = 0
        except RollwrightError as problem:
            error = error_of(problem)
            self.connection.send_json({"error": error})
            self._mistakes += 1
            if self._mistakes > MOST_MISTAKES:
                raise CodedError("bad_request", "too many wrong messages came") from None
            await self._slow_down(error)

    async def _handle(self, message: Json) -> None:
        match message:
            case {"command": command}:
                await self._enqueue(command)
            case {"ping": bool() | int() | str() | None as sign} if len(str(sign)) <= 64:
                self.services.limits.address.take(self.connection.address)
                self.connection.send_json({"pong": sign})
            case _:
                self.services.limits.address.take(self.connection.address)
                raise CodedError("bad_request", "unknown message; a command or a ping would do")

    async def _enqueue(self, order: Json) -> None:
        self.connection.pending_commands += 1
        await self._command_queue.put(order)

    async def _wait_for_commands(self) -> None:
        """Wait until nothing waits that came before."""
        while self.connection.pending_commands and self.connection.is_open:
            self._progress.clear()
            await self._progress.wait()

    async def _slow_down(self, error: ErrorData | None) -> None:
        """Read on later from somebody who asks too often: what they send waits with them."""
        if error is not None and error["code"] == "too_many":
            await asyncio.sleep(min(error.get("wait", 0) / 1000, LONGEST_REST))


def _close_with_error(connection: Connection, problem: BaseException) -> None:
    error = error_of(problem)
    connection.close(error["code"], error["message"])
