"""The load itself: `python -m benchmarks.load.driver`, a plan as JSON on stdin, figures on stdout.

It runs in a process of its own, so that the server has a core to itself. Everybody in a room gets
every roll; a sender sends its next roll when it has seen those of all senders.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import hashlib
import json
import os
import secrets
import sys
from time import perf_counter, process_time
from typing import Any

import httpx
import psutil
import uvloop

from benchmarks.load.sockets import Socket, connected, masked

ROLL = {
    "game": "twilight2000",
    "roll": "skill",
    "attribute": "B",
    "skill": "C",
    "pushable": False,
}
COMMAND = json.dumps({"command": {"id": "%s", "do": "roll.start", "request": ROLL, "nonce": "%s"}})
AT_ONCE = 20
"""So many sockets are opened at a time."""


def roll_frame() -> bytes:
    """A roll that ends with one throw, as it is sent; it differs from others in two numbers."""
    number = os.urandom(44).hex()
    return masked((COMMAND % (number[:24], number[24:])).encode())


class Room:
    """One table with everybody at it."""

    def __init__(self, senders: int) -> None:
        self.sockets: list[Socket] = []
        self.senders = senders
        self.sent = 0
        self.waited_for = 0
        self.arrived: asyncio.Event = asyncio.Event()
        self.pressing = False
        self.table = self.token = ""

    def seen(self, socket: Socket) -> None:
        """A frame of events has come to somebody."""
        if self.pressing:
            if socket.is_sender and socket.rolls >= socket.answered + self.senders:
                socket.answered += self.senders
                self.sent += 1
                socket.put(roll_frame())
        elif self.waited_for:
            self.waited_for -= 1
            if not self.waited_for:
                self.arrived.set()

    def press(self) -> None:
        """Every sender sends, and goes on sending."""
        self.pressing = True
        for socket in self.sockets[: self.senders]:
            socket.rolls = socket.answered = 0
            self.sent += 1
            socket.put(roll_frame())

    async def one(self) -> float:
        """The seconds from sending one roll until the last in the room has it."""
        self.arrived.clear()
        self.waited_for = len(self.sockets)
        start = perf_counter()
        self.sent += 1
        self.sockets[0].put(roll_frame())
        await asyncio.wait_for(self.arrived.wait(), 30)
        return perf_counter() - start


def port_of(plan: dict[str, Any], room: int, client: int = 0) -> int:
    """Where somebody connects: rooms are dealt out to the servers, or the people in each are."""
    ports: list[int] = plan["ports"]
    return ports[(room if plan.get("dealt") else client) % len(ports)]


async def at_bare(plan: dict[str, Any], number: int, room: Room) -> None:
    """Everybody in a room of the bare server."""
    for client in range(plan["clients"]):
        port = port_of(plan, number, client)
        socket = await connected("127.0.0.1", port, f"/{number}", room.seen)
        socket.is_sender = client < plan["senders"]
        room.sockets.append(socket)


def token() -> tuple[str, str]:
    """A token and what the server may know of it."""
    made = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
    return made, hashlib.sha256(made.encode()).hexdigest()


async def at_table(plan: dict[str, Any], number: int, room: Room) -> None:
    """Everybody at a table: the founder and players send, spectators watch."""
    seats = [token() for _ in range(plan["senders"])]
    links = {role: token() for role in ("referee", "player", "spectator")}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port_of(plan, number)}/api/v1", timeout=60
    ) as http:
        made = await http.post(
            "/tables",
            json={
                "id": secrets.token_urlsafe(12),
                "game": "twilight2000",
                "name": "Founder",
                "tokens": {"seat": seats[0][1], **{r: h for r, (_, h) in links.items()}},
            },
        )
        made.raise_for_status()
        table = made.json()["table"]
        for _, hashed in seats[1:]:
            joined = await http.post(
                f"/tables/{table}/join",
                json={"id": secrets.token_urlsafe(12), "name": hashed[:20], "token_hash": hashed},
                headers={"Authorization": f"Bearer {links['player'][0]}"},
            )
            joined.raise_for_status()
    for client in range(plan["clients"]):
        port = port_of(plan, number, client)
        path = f"/api/v1/tables/{table}/socket"
        socket = await connected("127.0.0.1", port, path, room.seen)
        socket.is_sender = client < plan["senders"]
        key = seats[client][0] if socket.is_sender else links["spectator"][0]
        socket.send({"hello": {"protocol": 3, "token": key, "after": None, "recent": 0}})
        room.sockets.append(socket)
    room.table, room.token = table, seats[0][0]


async def filled(plan: dict[str, Any]) -> list[Room]:
    """All rooms with everybody in them, and nothing on its way any more."""
    rooms = [Room(plan["senders"]) for _ in range(plan["rooms"])]
    enter = at_bare if plan["kind"] == "bare" else at_table
    for start in range(0, len(rooms), AT_ONCE):
        part = rooms[start : start + AT_ONCE]
        await asyncio.gather(*(enter(plan, start + n, room) for n, room in enumerate(part)))
    while any(not socket.others for room in rooms for socket in room.sockets):
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    return rooms


def memory(plan: dict[str, Any]) -> int:
    """The bytes the servers hold."""
    return sum(psutil.Process(pid).memory_info().rss for pid in plan["pids"])


def refuse_errors(rooms: list[Room]) -> None:
    """A load that was refused is no load."""
    for room in rooms:
        for socket in room.sockets[: room.senders]:
            for text in socket.others:
                if b'"ok":false' in text or b'"bye"' in text:
                    raise SystemExit(text.decode())


def busy(plan: dict[str, Any]) -> float:
    """The seconds the servers have computed so far."""
    times = [psutil.Process(pid).cpu_times() for pid in plan["pids"]]
    return sum(time.user + time.system for time in times)


async def throughput(plan: dict[str, Any], rooms: list[Room]) -> dict[str, float]:
    """Rolls a second that reach everybody, after a second of warming up."""
    for room in rooms:
        room.press()
    await asyncio.sleep(1)
    counted = [(socket, socket.rolls, socket.bytes) for room in rooms for socket in room.sockets]
    start, computed, own = perf_counter(), busy(plan), process_time()
    await asyncio.sleep(plan["seconds"])
    while any(room.sent < plan.get("rolls", 0) for room in rooms):
        await asyncio.sleep(0.05)
    took, computed, own = perf_counter() - start, busy(plan) - computed, process_time() - own
    rolls = sum(socket.rolls - before for socket, before, _ in counted)
    size = sum(socket.bytes - before for socket, _, before in counted)
    for room in rooms:
        room.pressing = False
    refuse_errors(rooms)
    if not rolls:
        raise SystemExit(f"nothing came: {rooms[0].sockets[0].others[-3:]}")
    people = sum(len(room.sockets) for room in rooms) / len(rooms)
    await asyncio.sleep(1)
    each = rolls / people
    per_roll = {"computed": computed / each, "loading": own / each}
    return {"rolls": each / took, "bytes": size / rolls, **per_roll}


async def latencies(rooms: list[Room], rate: float, seconds: float) -> list[float]:
    """How long single rolls take at a steady rate until the last in the room has them."""
    found: list[float] = []
    start, number = perf_counter(), 0
    waiting: set[asyncio.Task[float]] = set()
    while perf_counter() - start < seconds:
        room = rooms[number % len(rooms)]
        if not room.waited_for:
            task = asyncio.create_task(room.one())
            waiting.add(task)
            task.add_done_callback(lambda done: found.append(done.result()))
            task.add_done_callback(waiting.discard)
        number += 1
        await asyncio.sleep(max(0, start + number / rate - perf_counter()))
    await asyncio.gather(*waiting)
    return sorted(found)


async def main() -> None:
    """Do what the plan says."""
    plan = json.load(sys.stdin)
    empty = memory(plan)
    rooms = await filled(plan)
    gc.freeze()
    gc.disable()  # to look for garbage here would be taken for a pause of the server
    people = plan["rooms"] * plan["clients"]
    full = memory(plan)
    took = await latencies(rooms, plan["rate"], plan["seconds"])
    figures: dict[str, Any] = await throughput(plan, rooms)
    figures |= {
        "p50": took[len(took) // 2],
        "p99": took[int(len(took) * 0.99)],
        "measured": len(took),
        "bytes_per_client": (full - empty) / people,
    }
    if plan["kind"] == "table":
        figures["table"], figures["token"] = rooms[0].table, rooms[0].token
    for room in rooms:
        for socket in room.sockets:
            socket.close()
    print(json.dumps(figures))


if __name__ == "__main__":
    uvloop.run(main())
