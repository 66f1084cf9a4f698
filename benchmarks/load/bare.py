"""A bare Starlette broadcast: what a roll costs when nothing but sending is done.

`python -m benchmarks.load.bare PORT BYTES`: every message of a client is answered by a frame of
BYTES bytes to everybody in the room.
"""

from __future__ import annotations

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect


def bare_app(size: int) -> Starlette:
    """Rooms that send the same text to everybody in them."""
    text = '{"events":"' + "x" * (size - 13) + '"}'
    rooms: dict[str, set[WebSocket]] = {}

    async def room(socket: WebSocket) -> None:
        await socket.accept()
        there = rooms.setdefault(socket.path_params["room"], set())
        there.add(socket)
        await socket.send_text('{"welcome":{}}')
        try:
            while True:
                await socket.receive_text()
                for other in list(there):
                    await other.send_text(text)
        except WebSocketDisconnect:
            there.discard(socket)

    return Starlette(routes=[WebSocketRoute("/{room}", room)])


if __name__ == "__main__":
    uvicorn.run(
        bare_app(int(sys.argv[2])),
        port=int(sys.argv[1]),
        log_level="warning",
        ws_per_message_deflate=False,
        loop="uvloop",
        http="httptools",
    )
