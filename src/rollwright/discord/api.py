"""Sends messages, late answers and commands to Discord until it takes them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from typing import Any

import httpx

from rollwright.discord.commands import clip, commands
from rollwright.discord.messages import PICTURE, DiscordReply
from rollwright.errors import RollwrightError
from rollwright.jsonable import json_text

API = "https://discord.com/api/v10"
TRIES, FIRST_PAUSE, LONGEST_PAUSE = 7, 0.1, 30.0
NOT_YET = (404, 429)
"""Statuses when the first answer did not reach Discord yet, or it is asked too often."""
log = logging.getLogger("rollwright.discord")


class RegistrationError(RollwrightError):
    """Discord did not take the commands."""


async def send(
    http: httpx.AsyncClient, method: str, path: str, reply: DiscordReply, token: str = ""
) -> bool:
    """Send a message, as the bot where it needs its token; whether it was taken."""
    headers, pause = {"authorization": f"Bot {token}"} if token else {}, FIRST_PAUSE
    for _ in range(TRIES):
        try:
            body = request_arguments(reply.data, reply.picture)
            answer = await http.request(method, f"{API}{path}", headers=headers, **body)
        except httpx.TransportError:
            answer = httpx.Response(503)
        if answer.status_code < 500 and answer.status_code not in NOT_YET:
            if answer.is_error:
                log.error("Discord refused a message: %s", clip(answer.text, 400))
            return answer.is_success
        wait = answer.headers.get("retry-after", "")
        pause = float(wait) if re.fullmatch(r"\d{1,4}(\.\d+)?", wait) else 2 * pause
        await asyncio.sleep(min(pause, LONGEST_PAUSE))
    log.error("a message was not taken by Discord")
    return False


def request_arguments(data: Mapping[str, Any], picture: bytes) -> dict[str, Any]:
    """A message with its picture, as a request of httpx has it."""
    if not picture:
        return {"json": dict(data)}
    payload = (None, json_text(data), "application/json")
    return {"files": {"payload_json": payload, "files[0]": (PICTURE, picture, "image/png")}}


def register(http: httpx.Client, application: str, token: str, guild: str = "") -> int:
    """Register all commands with Discord, for everybody or for one server; return how many."""
    where = f"guilds/{guild}/commands" if guild else "commands"
    made, headers = commands(), {"authorization": f"Bot {token}"}
    try:
        answer = http.put(f"{API}/applications/{application}/{where}", json=made, headers=headers)
    except httpx.TransportError as problem:
        raise RegistrationError(f"Discord cannot be reached: {problem}") from None
    if answer.is_error:
        raise RegistrationError(f"Discord answered {answer.status_code}: {clip(answer.text, 600)}")
    return len(made)
