"""People at a table, through the network alone: each keeps what was acknowledged and what it saw.

An answer that was lost with its connection is asked for again, with the same id, until it comes.
Whoever offered a number as a witness tells it as soon as dice wait for it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.soak.doors import (
    AGAIN_SECONDS,
    ANSWER_SECONDS,
    PASSING,
    Doors,
    Json,
    Lost,
    Refused,
)
from rollwright.table.fairness import commitment_of

LOOK_SECONDS = 0.25
"""So often does somebody without a socket ask for the news."""


class Done(NamedTuple):
    """A command that was acknowledged."""

    command: Json
    ack: Json

    @property
    def seqs(self) -> range:
        """The events it made."""
        first, last = self.ack["first"], self.ack["last"]
        return range(0) if first is None else range(first, last + 1)


class Counts:
    """What a load has come to, for all its people together."""

    def __init__(self) -> None:
        self.acked = 0
        self.rolls = 0
        """Rolls that were begun."""
        self.lost = 0
        """Answers that did not come, so that the command was sent again."""
        self.reconnected = 0
        self.waiting = 0
        """Commands whose answer is just now being waited for."""
        self.calm = 1
        """So many times longer than usual do people wait between two deeds."""


class Person:
    """Somebody with a seat, or with a spectator's link, who never forgets."""

    def __init__(self, doors: Doors, table: str, seat: str, token: str, counts: Counts) -> None:
        self.doors = doors
        self.table = table
        self.seat = seat
        self.token = token
        self.counts = counts
        self.done: dict[str, Done] = {}
        self.events: dict[int, Json] = {}
        self.last = 0
        self.faults: list[str] = []
        self.late: list[int] = []
        """Events that asked for a number which came too late."""
        self._numbers: dict[str, str] = {}
        """What is kept as a witness, by the commitments to it."""
        self._answers: set[asyncio.Task[None]] = set()
        """Numbers that are just now being told."""
        self._news = asyncio.Condition()

    async def do(self, what: str, id: str = "", **fields: Any) -> Done:
        """Send a command until it is acknowledged; the acknowledgement is kept."""
        command = {"id": id or secrets.token_urlsafe(12), "do": what, **fields}
        self.counts.waiting += 1
        try:
            ack = await self._acknowledged(command)
        finally:
            self.counts.waiting -= 1
        self.counts.acked += 1
        self.counts.rolls += what == "roll.start"
        done = Done(command, {name: ack[name] for name in ("ok", "id", "first", "last")})
        self.done[command["id"]] = done
        return done

    async def _acknowledged(self, command: Json) -> Json:
        while True:
            try:
                return await self._sent(command)
            except Lost:
                self.counts.lost += 1
                await asyncio.sleep(AGAIN_SECONDS)

    async def _sent(self, command: Json) -> Json:
        raise NotImplementedError

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that events bring."""
        async with self._news:
            await self._news.wait_for(condition)

    async def caught_up(self, seq: int) -> None:
        """Wait until the events up to that one have been seen."""
        await self.until(lambda: self.last >= seq)

    def since(self, seq: int) -> list[Json]:
        """What was seen of the log behind an event."""
        return [self.events[one] for one in range(seq + 1, self.last + 1)]

    async def seen(self, done: Done) -> list[Json]:
        """The events of a command, as they reached this person."""
        if done.seqs:
            await self.caught_up(done.seqs[-1])
        return [self.events[seq] for seq in done.seqs]

    async def take(self, events: list[Json]) -> None:
        """Events that came, in the order of the log; one that was opened may come again."""
        async with self._news:
            for event in events:
                self._take(event)
            self._news.notify_all()

    def _take(self, event: Json) -> None:
        offers = event.pop("offers", None)  # what may be chosen now is no part of the log
        if offers is not None and not _fit(offers, event["body"]["after"]):
            self.faults.append(f"{self.seat} was not told what may be chosen at {event['seq']}")
        seq, before = event["seq"], self.events.get(event["seq"])
        if seq > self.last + 1:
            self.faults.append(f"{self.seat} saw {seq} after {self.last}")
        elif before is not None and not before.items() <= event.items():
            self.faults.append(f"{self.seat} got another {seq} than before")
        self.events[seq] = event
        self.last = max(self.last, seq)
        if before is None:
            self._attend(event)

    def offers(self, count: int) -> list[str]:
        """Commitments to so many new numbers, which are kept until dice wait for them."""
        fresh = [secrets.token_bytes(32) for _ in range(count)]
        made = {commitment_of(number): number.hex() for number in fresh}
        self._numbers |= made
        return [*made]

    def _attend(self, event: Json) -> None:
        """Tell the number that an event asks for, if it was kept."""
        asked = event["open"].get("witness", {})
        if asked.get("seat") == self.seat and asked["offer"] in self._numbers:
            number = self._numbers.pop(asked["offer"])
            answer = asyncio.create_task(self._tell(event["seq"], number))
            self._answers.add(answer)
            answer.add_done_callback(self._answers.discard)

    async def _tell(self, asked: int, number: str) -> None:
        try:
            await self.do("witness.reveal", asked=asked, number=number)
        except Refused as refused:
            if refused.code != "conflict":
                self.faults.append(f"{self.seat} could not be a witness at {asked}: {refused}")
            self.late.append(asked)

    async def rest(self) -> None:
        """Wait until no number is being told."""
        while self._answers:
            await asyncio.gather(*self._answers)

    async def wander(self) -> None:
        """Come again at another app, if one is held on to."""

    async def leave(self) -> None:
        """Go away."""
        for answer in self._answers:
            answer.cancel()
        await asyncio.gather(*self._answers, return_exceptions=True)


class Caller(Person):
    """Somebody who uses REST: each command is a request, and then it asks for the news.

    It also does so now and then, since dice may wait for it.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._looking = asyncio.Lock()
        """An older answer behind a newer one would take back what was revealed."""
        self._task = asyncio.create_task(self._look_on())

    async def _sent(self, command: Json) -> Json:
        path = f"/tables/{self.table}/commands"
        ack: Json = await self.doors.ask("POST", path, self.token, json=command)
        await self.look()
        return ack

    async def look(self) -> None:
        """Ask for what happened since."""
        path = f"/tables/{self.table}/events"
        async with self._looking:
            while True:
                asked = {"after": self.last}
                news = await self.doors.ask_on("GET", path, self.token, params=asked)
                await self.take(news["events"])
                if self.last >= news["head"]:
                    return

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()

    async def leave(self) -> None:
        """Ask for nothing more."""
        await super().leave()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


class Listener(Person):
    """Somebody on a socket, who comes back whenever it breaks and says what was seen last."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._socket: ClientConnection | None = None
        self._is_in = asyncio.Event()
        self._pending: dict[str, asyncio.Future[Json]] = {}
        self.welcomes: list[Json] = []
        self._task = asyncio.create_task(self._listen())

    async def _sent(self, command: Json) -> Json:
        await self._is_in.wait()
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._pending[command["id"]] = answer
        try:
            assert self._socket is not None
            await self._socket.send(json.dumps({"command": command}))
            ack = await asyncio.wait_for(answer, ANSWER_SECONDS)
        except (WebSocketException, TimeoutError) as problem:
            raise Lost from problem
        finally:
            self._pending.pop(command["id"], None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # sending may have failed first: then nobody asked for it
        if ack["ok"]:
            return ack
        if ack["error"]["code"] in PASSING:
            raise Lost
        raise Refused(ack)

    async def _listen(self) -> None:
        while True:
            try:
                await self._connected()
            except (OSError, WebSocketException, TimeoutError):
                pass
            finally:
                self._gone()
            self.counts.reconnected += 1
            await asyncio.sleep(AGAIN_SECONDS)

    def _gone(self) -> None:
        self._is_in.clear()
        self._socket = None
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(Lost())

    async def _connected(self) -> None:
        address = self.doors.any(self.table, "socket")
        path = f"ws{address[4:]}/api/v1/tables/{self.table}/socket"
        settings: Json = {"compression": None, "ping_interval": None, "max_size": None}
        async with connect(path, open_timeout=5, close_timeout=0.2, **settings) as socket:
            hello = {"protocol": 3, "token": self.token, "after": self.last}
            await socket.send(json.dumps({"hello": hello}))
            self._socket = socket
            async for text in socket:
                await self.heard(text)

    async def heard(self, text: str | bytes) -> None:
        """One frame of the server."""
        frame = json.loads(text)
        if "events" in frame:
            await self.take(frame["events"])
        elif "ack" in frame:
            answer = self._pending.get(frame["ack"]["id"])
            if answer is not None and not answer.done():
                answer.set_result(frame["ack"])
        elif "welcome" in frame:
            self.welcomes.append(frame["welcome"])
            self._is_in.set()

    async def wander(self) -> None:
        """Close the socket; the next one is opened wherever it comes to."""
        if self._socket is not None:
            await self._socket.close()

    async def leave(self) -> None:
        """Close the socket and stay away."""
        await super().leave()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def _fit(offers: Json, after: Json) -> bool:
    """Whether options are those of a choice, as far as that can be told without its rules."""
    many, listed = after["count"], len(offers["options"])
    return "why" not in offers and (0 < listed <= many or "assign" in after)
