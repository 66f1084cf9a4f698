"""Posts to channels of what is rolled elsewhere at their tables, such as on phones.

A table is followed by its spectators' link, so that there is nothing secret to post; the place is
kept, and a message that was sent twice is shown once, by its nonce.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial

import httpx

from rollwright.client import AsyncServer, Link, parse_event
from rollwright.client.events import RollEnded
from rollwright.client.relays import Relay
from rollwright.client.rolls import EventData
from rollwright.discord.api import log, send
from rollwright.discord.interactions import ChannelTable, InteractionHandler
from rollwright.errors import RollwrightError

LOOK_EVERY = 2.0
"""Seconds between two looks at which channels want posts."""
MOST_FOLLOWED = 1000
OLDEST = 900
"""Seconds after which a roll is no news any more."""
MOST_BEGUN = 200
REST = 300.0
"""Seconds until a feed that has failed is tried again."""


class MessageRejectedError(RollwrightError):
    """Discord does not take messages for a channel."""


class Feeds:
    """Follows the tables of all channels that want it."""

    def __init__(self, desk: InteractionHandler, http: httpx.AsyncClient, token: str) -> None:
        self.desk = desk
        self.http = http
        self.token = token
        self.followed: dict[tuple[str, ChannelTable], asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Look which channels want posts, again and again."""
        try:
            while self.token:
                self._update()
                await asyncio.sleep(LOOK_EVERY)
        finally:
            for task in self.followed.values():
                task.cancel()
            await asyncio.gather(*self.followed.values(), return_exceptions=True)

    def _update(self) -> None:
        names = self.desk.storage.names("channel")
        bound = [(channel, self.desk.channel_table(channel)) for channel in names]
        wanted = [(channel, one) for channel, one in bound if one and one.watch][:MOST_FOLLOWED]
        for gone in self.followed.keys() - set(wanted):
            self.followed.pop(gone).cancel()
        for new in set(wanted) - self.followed.keys():
            self.followed[new] = asyncio.create_task(self._follow(*new))

    async def _follow(self, channel: str, bound: ChannelTable) -> None:
        while True:
            try:
                await Feed(self, channel, bound).run()
            except RollwrightError as problem:
                log.error("channel %s is told nothing for now: %s", channel, problem)
            await asyncio.sleep(REST)


class Feed:
    """One channel and its table."""

    def __init__(self, feeds: Feeds, channel: str, bound: ChannelTable) -> None:
        self.feeds, self.channel, self.bound = feeds, channel, bound
        self._begun: dict[str, EventData] = {}

    async def run(self) -> None:
        """Post what is rolled to the channel, from where it stopped."""
        link, storage = Link.parse(self.bound.watch), self.feeds.desk.storage
        async with AsyncServer(link.server) as server:
            name = f"{self.channel} {link.table}"
            await Relay(server.table(link), storage, name).run(self._post)

    async def _post(self, number: int, event: EventData) -> None:
        roll = str((event.get("body") or {}).get("roll", ""))
        if event["kind"] == "roll.started":
            self._begun[roll] = event
            for old in [*self._begun][:-MOST_BEGUN]:
                del self._begun[old]
        if (
            not isinstance(parse_event(event), RollEnded)
            or time.time() - event["at"] / 1000 > OLDEST
        ):
            return
        desk, channel = self.feeds.desk, self.channel
        while desk.is_rolling(channel):  # it may be the roll that is just being shown there
            await asyncio.sleep(0.05)
        begun = self._begun.get(roll)
        reply = await asyncio.to_thread(
            partial(desk.end_message, channel, self.bound, begun, event)
        )
        if reply is None:
            return
        nonce = f"{self.bound.link.table}-{number}"
        reply = reply._replace(data={**reply.data, "nonce": nonce, "enforce_nonce": True})
        path = f"/channels/{channel}/messages"
        if not await send(self.feeds.http, "POST", path, reply, self.feeds.token):
            raise MessageRejectedError("Discord does not take its messages")
