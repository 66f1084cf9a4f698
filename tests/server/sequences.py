"""Who told whom what, and when: runs of the webhooks and of the bridge as pictures for the docs.

`./dev run tests.server.sequences` makes them anew.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from rollwright.client import AsyncServer, AsyncTable, Server
from rollwright.client.deliveries import Hook, Sender
from rollwright.client.relays import Relay
from rollwright.client.rolls import EventData
from rollwright.client.storage import Storage
from rollwright.client.webhooks import new_secret, verify
from rollwright.dice import D6
from tests.docs.examples import ROOT, names_of
from tests.loaded import LoadedTable
from tests.server.chat import Chat
from tests.server.harness import one_app

FOLDER = ROOT / "docs" / "pictures"
WEBHOOKS = ("the table", "rollwright webhooks", "your address")
BRIDGE = ("the room", "the bridge", "the table")
PATIENCE = 120
LEFT, APART, TOP, ROW = 110, 290, 66, 36
STYLE = """
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #23262b; text-anchor: middle; }
.who { font-weight: 700; font-size: 14px; }
.note { font-style: italic; paint-order: stroke; stroke: #faf8f2; stroke-width: 8px; }
line, path { stroke: #6a5f4b; fill: none; } .life { stroke-dasharray: 2 4; }
.bad { fill: #b3261e; } .bad-line { stroke: #b3261e; } rect { fill: #faf8f2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e7e9ee; } line, path { stroke: #aeb4c0; } rect { fill: #22252b; }
  .bad { fill: #ff9d94; } .bad-line { stroke: #ff9d94; } .note { stroke: #22252b; }
}
"""


class Step(NamedTuple):
    """Something that somebody tells somebody, by their places; to oneself it is a remark."""

    teller: int
    hearer: int
    text: str
    bad: bool = False


def drawn(actors: Sequence[str], steps: Sequence[Step], told: str) -> str:
    """Steps from above to below, as an SVG that says itself what it shows."""
    across = [LEFT + APART * place for place in range(len(actors))]
    width, height = across[-1] + LEFT, TOP + ROW * len(steps) + 10
    parts = [f'<text class="who" x="{x}" y="26">{escape(a)}</text>' for a, x in zip(actors, across)]
    parts += [f'<line class="life" x1="{x}" x2="{x}" y1="36" y2="{height}"/>' for x in across]
    for number, step in enumerate(steps):
        parts += _step(step, across, TOP + ROW * number)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(told)}</title><style>{STYLE}</style>"
        f'<rect width="{width}" height="{height}" rx="10"/>{"".join(parts)}</svg>\n'
    )


def _step(step: Step, across: Sequence[int], y: int) -> list[str]:
    begin, end = across[step.teller], across[step.hearer]
    bad = (" bad", " bad-line") if step.bad else ("", "")
    said = f'<text class="said{bad[0]}" x="{(begin + end) // 2}" y="{y}">{escape(step.text)}</text>'
    if begin == end:
        return [said.replace('class="said', 'class="note')]
    tip = 7 if end > begin else -7
    arrow = f"M{begin} {y + 7}H{end}m{-tip} -4l{tip} 4l{-tip} 4"
    return [said, f'<path class="{bad[1].strip()}" d="{arrow}"/>']


async def come(ready: Callable[[], object]) -> None:
    """Wait until something has come about."""
    async with asyncio.timeout(PATIENCE):
        while not ready():
            await asyncio.sleep(0.01)


def webhooks_run(folder: Path) -> list[Step]:
    """Deliveries of one table: one that is refused at first, and a secret until it is revealed."""
    steps: list[Step] = []
    secret, answers = new_secret(), [500, 204, 204, 204, 204, 204]
    begun: dict[int, str] = {}

    def taken(request: httpx.Request) -> httpx.Response:
        number = verify(secret, request.headers, request.content).number
        again = f"delivery {number} again" if number in begun else f"delivery {number}"
        steps.append(Step(1, 2, f"POST {again}, signed"))
        begun[number] = again
        status = answers.pop(0)
        steps.append(Step(2, 1, str(status), bad=status >= 300))
        return httpx.Response(status)

    async def rests(seconds: float) -> None:
        steps.append(Step(1, 1, f"waits {seconds:g} s"))

    async def run(address: str) -> None:
        with Server(address, patience=60) as server:
            ana = await asyncio.to_thread(server.create_table, "", name="Ana")
            async with (
                AsyncServer(address) as away,
                httpx.AsyncClient(transport=httpx.MockTransport(taken)) as http,
            ):
                hook = Hook("https://log.example/dice")
                sender = Sender(hook, secret, ana.id, http, sleep=rests)
                storage = Storage(folder / "hooks.sqlite")
                relay = Relay(
                    away.table(ana.links["spectator"]), storage, "hook", ana.snapshot()["head"]
                )

                async def tell(number: int, event: EventData) -> None:
                    steps.append(Step(0, 1, f"event {event['seq']}: {event['kind']}"))
                    await sender.send(number, event)

                running = asyncio.create_task(relay.run(tell))
                await asyncio.to_thread(ana.do, "chat.send", text="Ready?")
                await come(lambda: relay.position.number == 1)
                secretly = await asyncio.to_thread(ana.roll, "3d6", visibility="private")
                head = ana.snapshot()["head"]
                await come(lambda: relay.position.last == head)
                steps.append(Step(0, 1, f"events {head - 1} and {head}: sealed"))
                steps.append(Step(1, 1, "nothing is sent"))
                await asyncio.to_thread(ana.reveal, secretly)
                await come(lambda: relay.position.number == 4)
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running
                storage.close()

    with one_app() as app:
        asyncio.run(run(app.address))
    return steps


def bridge_run(folder: Path) -> list[Step]:
    """A room that rolls through the bridge of the docs, and is cut off before it has said OK."""
    steps: list[Step] = []
    names = names_of(ROOT / "docs" / "howto" / "bridge.md")

    class Room(names["Room"]):  # type: ignore[misc]
        async def say(self, name: str, text: str) -> None:
            await super().say(name, text)
            steps.append(Step(0, 1, f"OK {name}"))

    class Noted(Chat):
        async def _say(self, rest: str, writer: asyncio.StreamWriter) -> None:
            name, nick, text = rest.split(" ", 2)
            again, cut = name in self._names, self.silent
            steps.append(Step(1, 0, f"SAY {name} {nick} {text}"))
            steps.append(Step(0, 0, "was told before" if again else "tells the room"))
            if cut:
                steps.append(Step(0, 1, "cut off before its OK", bad=True))
            await super()._say(rest, writer)

    class Seat(AsyncTable):
        async def _command(self, command: dict[str, Any]) -> Any:
            steps.append(Step(1, 2, f"{command['do']}, id {command['id']}"))
            return await super()._command(command)

    loaded: list[LoadedTable] = []

    class Bridge(names["Bridge"]):  # type: ignore[misc]
        def __init__(self, room: Any, seat: AsyncTable, *more: Any) -> None:
            seat.__class__ = Seat
            assert seat.device is not None
            seat.device.numbers = lambda call: loaded[0].number(call, (2 * D6, (3, 4)))
            super().__init__(room, seat, *more)

        async def tell(self, number: int, event: EventData) -> None:
            steps.append(Step(2, 1, f"event {event['seq']}: {event['kind']}"))
            await super().tell(number, event)

    async def run(app: Any) -> None:
        with Server(app.address, patience=60) as server:
            rosa = await asyncio.to_thread(server.create_table, "", name="Rosa")
            loaded.append(LoadedTable.of(app, rosa))
            names.update(Bridge=Bridge)
            storage = Storage(folder / "bridge.sqlite")
            async with Noted().open() as chat:
                chat.silent = 1
                links = str(rosa.links["player"]), str(rosa.links["spectator"])
                room = Room("127.0.0.1", chat.port)
                running = asyncio.create_task(names["bridged"](room, *links, storage))
                await come(lambda: storage.find("place", "bridge"))
                text = "!roll 2d6+1"
                steps.append(Step(0, 1, f"LINE 1 ana {text}"))
                await chat.says("ana", text)
                await come(lambda: any(step.text.startswith("OK ") for step in steps))
                running.cancel()
                with suppress(asyncio.CancelledError, ExceptionGroup):
                    await running
            storage.close()

    with one_app() as app:
        asyncio.run(run(app))
    return steps


PICTURES: dict[str, tuple[Sequence[str], Callable[[Path], list[Step]], str]] = {
    "webhooks.svg": (
        WEBHOOKS,
        webhooks_run,
        "Deliveries in order: one is refused and sent again, a secret is sent when it is shown",
    ),
    "bridge.svg": (
        BRIDGE,
        bridge_run,
        "A line of the room is rolled once, and its result told once, though the line is cut off",
    ),
}


def picture(name: str) -> str:
    """A picture, from a run of today."""
    actors, run, told = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        return drawn(actors, run(Path(folder)), told)


def main() -> int:
    """Make the pictures."""
    for name in PICTURES:
        (FOLDER / name).write_text(picture(name), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
