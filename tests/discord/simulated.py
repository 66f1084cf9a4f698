"""A Discord of our own: signs as the real one does, holds its limits, and takes follow-ups.

Time has no part in it: the first answer of the bot must come without waiting for any count, which
the tests show by holding one back.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from itertools import count
from typing import Any

import httpx
from nacl.signing import SigningKey
from starlette.testclient import TestClient

from tests.discord.limits import (
    BOOLEAN,
    INTEGER,
    STRING,
    SUBCOMMAND,
    Broken,
    check_choices,
    check_commands,
    check_message,
    hold,
)
from tests.loaded import LoadedTable, Numbers, Throw, seed_for

APPLICATION, BOT_TOKEN = "1190000000000000001", "bot.token"
COMMAND, COMPONENT, AUTOCOMPLETE = 2, 3, 4
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES = 4, 5, 6, 7, 8
EPHEMERAL = 64
PATIENCE = 120
KINDS = {STRING: str, INTEGER: int, BOOLEAN: bool}


@dataclass
class Message:
    """A message in a channel, as whoever sees it has it."""

    id: str
    data: dict[str, Any]
    picture: bytes = b""
    owner: str = ""
    """Who alone sees it; empty for everybody."""

    @property
    def is_private(self) -> bool:
        """Whether only whoever asked sees it."""
        return bool(self.owner)

    @property
    def text(self) -> str:
        """All that is written on it."""
        embeds = self.data.get("embeds") or []
        parts = [self.data.get("content", "")]
        for embed in embeds:
            author = embed.get("author", {}).get("name", "")
            parts += [author, embed.get("title", ""), embed.get("description", "")]
        return "\n".join(filter(None, parts)).replace("\\", "")

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Buttons and menus."""
        return [part for row in self.data.get("components", ()) for part in row["components"]]

    @property
    def labels(self) -> list[str]:
        """What can be pressed or picked."""
        options = [option for part in self.parts for option in part.get("options", ())]
        return [part["label"] for part in self.parts if "label" in part] + [
            option["label"] for option in options
        ]


@dataclass
class Waiting:
    """An interaction that was answered or deferred, and what followed."""

    user: User
    message: Message | None = None
    """The message it is answered with; of a press, that it was pressed on."""
    deferred: bool = False
    private: bool = False
    follow_ups: list[Message] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)


class Discord:
    """The service: an application, its commands, channels with messages, and a webhook."""

    def __init__(self) -> None:
        self.key = SigningKey.generate()
        self.commands: dict[str, Mapping[str, Any]] = {}
        self.broken: list[str] = []
        """What the bot sent against the limits."""
        self.bot: TestClient | None = None
        self.desk: Any = None
        self.stop: Callable[[], None] = lambda: None
        self.following: Callable[[], list[Any]] = list
        """The feeds of the bot that runs."""
        self.numbers = Numbers()
        """What the bot rolls with: its dice fall as a test has loaded them."""
        self.deferrals = 0
        self.posts: dict[str, list[Message]] = {}
        """What the bot has posted by itself, by channel."""
        self.moods: list[httpx.Response | str] = []
        """What becomes of the next posts: an answer, `lost`, or taken and `unheard`."""
        self.tries = 0
        self._nonces: set[tuple[str, str]] = set()
        self._numbers = count(1)
        self._waiting: dict[str, Waiting] = {}
        self.transport = httpx.MockTransport(self._asked)

    @property
    def public_key(self) -> str:
        """As the developer portal shows it."""
        return self.key.verify_key.encode().hex()

    def user(self, name: str, channel: str = "700") -> User:
        """Somebody in a channel."""
        return User(self, str(500 + next(self._numbers)), name, channel)

    # What the bot asks of Discord

    def _asked(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v10")
        try:
            if path == f"/applications/{APPLICATION}/commands" and request.method == "PUT":
                return self._registered(request)
            if path.startswith(f"/webhooks/{APPLICATION}/"):
                return self._followed(request, path.split("/")[3])
            if found := re.fullmatch(r"/channels/(\d+)/messages", path):
                return self._posted(request, found[1])
        except Broken as problem:
            self.broken.append(str(problem))
            return httpx.Response(400, json={"message": str(problem)})
        return httpx.Response(404, json={"message": "404: Not Found"})

    def _registered(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("authorization") != f"Bot {BOT_TOKEN}":
            return httpx.Response(401, json={"message": "401: Unauthorized"})
        commands = json.loads(request.content)
        check_commands(commands)
        self.commands = {command["name"]: command for command in commands}
        return httpx.Response(200, json=commands)

    def _posted(self, request: httpx.Request, channel: str) -> httpx.Response:
        """A message of the bot's own; the same nonce within some minutes is the same message."""
        if request.headers.get("authorization") != f"Bot {BOT_TOKEN}" or request.method != "POST":
            return httpx.Response(401, json={"message": "401: Unauthorized"})
        self.tries += 1
        mood = self.moods.pop(0) if self.moods else ""
        if isinstance(mood, httpx.Response):
            return mood
        if mood == "lost":
            raise httpx.ConnectError("lost")
        data, files = read_body(request.headers["content-type"], request.content)
        nonce = data.pop("nonce")
        hold(isinstance(nonce, str) and 1 <= len(nonce) <= 25, f"no nonce: {nonce!r}")
        hold(data.pop("enforce_nonce") is True, "a nonce that is not looked at")
        hold(not data.get("flags"), "a message in a channel is nobody's alone")
        check_message(data, files)
        if (channel, nonce) not in self._nonces:
            self._nonces.add((channel, nonce))
            message = Message(str(next(self._numbers)), data, files.get("files[0]", b""))
            self.posts.setdefault(channel, []).append(message)
        if mood == "unheard":
            raise httpx.ReadError("unheard")
        return httpx.Response(200, json={"id": "1"})

    def _followed(self, request: httpx.Request, token: str) -> httpx.Response:
        waiting = self._waiting.get(token)
        if waiting is None or not waiting.deferred:  # the first answer is still on its way
            return httpx.Response(404, json={"message": "Unknown Webhook"})
        if request.method == "DELETE":
            waiting.message = None
            return httpx.Response(204)
        data, files = read_body(request.headers["content-type"], request.content)
        check_message(data, files)
        if request.method == "PATCH":
            hold(waiting.message is not None, "there is no message to change")
            hold("flags" not in data or waiting.private, "a message does not become secret")
            assert waiting.message is not None
            _change(waiting.message, data, files)
        else:
            waiting.follow_ups.append(self._message(data, files, waiting.user))
        waiting.is_over.set()
        return httpx.Response(200, json={"id": "1"})

    def _message(self, data: dict[str, Any], files: Mapping[str, bytes], user: User) -> Message:
        owner = user.id if data.get("flags", 0) & EPHEMERAL else ""
        return Message(str(next(self._numbers)), data, files.get("files[0]", b""), owner)

    # What Discord asks of the bot

    def signed(self, body: bytes, at: float | None = None) -> dict[str, str]:
        """The headers of a request that Discord has signed."""
        timestamp = str(int(time.time() if at is None else at))
        signature = self.key.sign(timestamp.encode() + body).signature.hex()
        return {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": timestamp}

    def post(self, body: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """A request to the bot's endpoint."""
        assert self.bot is not None
        return self.bot.post("/interactions", content=body, headers=dict(headers))

    def interact(self, user: User, kind: int, data: Mapping[str, Any], on: Message | None) -> Any:
        """Send an interaction and take its first answer."""
        token = f"token-{next(self._numbers)}"
        body = json.dumps(user.interaction(kind, data, token, on)).encode()
        waiting = Waiting(user, on if kind == COMPONENT else None)
        self._waiting[token] = waiting
        answer = self.post(body, self.signed(body))
        hold(answer.status_code == 200, f"the endpoint answered {answer.status_code}")
        plain, files = read_body(answer.headers["content-type"], answer.content)
        try:
            return self._taken(waiting, kind, plain, files)
        except Broken as problem:
            self.broken.append(str(problem))
            raise

    def _taken(
        self, waiting: Waiting, kind: int, plain: Mapping[str, Any], files: Mapping[str, bytes]
    ) -> Any:
        kinds = {COMMAND: (MESSAGE, DEFERRED), AUTOCOMPLETE: (CHOICES,)}
        kinds[COMPONENT] = (MESSAGE, DEFERRED_UPDATE, UPDATE)
        hold(plain["type"] in kinds[kind], f"an answer of type {plain['type']} to {kind}")
        data = plain.get("data") or {}
        if plain["type"] == CHOICES:
            check_choices(data["choices"])
            return data["choices"]
        if plain["type"] in (DEFERRED, DEFERRED_UPDATE):
            self.deferrals += 1
            waiting.deferred = True
            waiting.private = bool(data.get("flags", 0) & EPHEMERAL)
            if kind == COMMAND:
                waiting.message = self._message(dict(data), {}, waiting.user)
            return waiting
        check_message(data, files)
        if plain["type"] == UPDATE:
            assert waiting.message is not None
            _change(waiting.message, data, files)
        else:
            waiting.message = self._message(data, files, waiting.user)
        return waiting


def _change(message: Message, data: dict[str, Any], files: Mapping[str, bytes]) -> None:
    message.data = {**message.data, **data}
    if "attachments" in data:
        message.picture = files.get("files[0]", b"")


def read_body(kind: str, content: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A body of JSON, or one with files beside it."""
    if not kind.startswith("multipart/form-data"):
        return json.loads(content), {}
    head = f"Content-Type: {kind}\r\n\r\n".encode()
    parts = BytesParser(policy=HTTP).parsebytes(head + content).iter_parts()
    held = {
        str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True)
        for part in parts
    }
    return json.loads(held.pop("payload_json")), held


@dataclass(frozen=True)
class User:
    """Somebody in a channel of Discord."""

    discord: Discord
    id: str
    name: str
    channel: str
    locale: str = "en-US"

    def interaction(
        self, kind: int, data: Mapping[str, Any], token: str, on: Message | None
    ) -> dict[str, Any]:
        """What is sent when they do something."""
        user = {"id": self.id, "username": self.name.lower(), "global_name": self.name}
        about = {"id": str(next(self.discord._numbers)), "application_id": APPLICATION}
        flags = {} if on is None or not on.owner else {"flags": EPHEMERAL}
        message = {} if on is None else {"message": {"id": on.id, **on.data, **flags}}
        return {
            **about,
            "type": kind,
            "token": token,
            "version": 1,
            "guild_id": "600",
            "channel_id": self.channel,
            "member": {"user": user, "nick": None},
            "locale": self.locale,
            "data": data,
            **message,
        }

    def does(self, command: str, roll: str = "", **options: Any) -> Message:
        """Give a command, as far as Discord lets them, and wait for its answer."""
        return self.seen(self.begins(command, roll, **options))

    def begins(self, command: str, roll: str = "", **options: Any) -> Waiting:
        """Give a command, and take the first answer."""
        data = self._data(command, roll, options)
        waiting: Waiting = self.discord.interact(self, COMMAND, data, None)
        return waiting

    def completes(self, command: str, roll: str, option: str, typed: str = "") -> list[Any]:
        """What an option that is being typed may go on with."""
        data = self._data(command, roll, {option: typed}, focused=option)
        found: list[Any] = self.discord.interact(self, AUTOCOMPLETE, data, None)
        return found

    def throws(self, *throws: Throw, at: LoadedTable | None = None) -> None:
        """What the dice of their next roll show, in a channel without a table or at a table."""
        [alone, *_] = throws
        self.discord.numbers.load(lambda call: at.number(call, *throws) if at else seed_for(alone))

    def presses(self, message: Message, label: str = "") -> Message:
        """Press what begins so, or the first; what they then see."""
        hold(not message.owner or message.owner == self.id, "they do not see this message")
        waiting = self.discord.interact(self, COMPONENT, _pressed(message, label), message)
        return self.seen(waiting)

    def seen(self, waiting: Waiting) -> Message:
        """What they see in the end."""
        if waiting.deferred:
            assert waiting.is_over.wait(PATIENCE), "nothing followed"
        found = waiting.follow_ups[0] if waiting.follow_ups else waiting.message
        assert found is not None
        return found

    def _data(
        self, command: str, roll: str, options: Mapping[str, Any], focused: str = ""
    ) -> dict[str, Any]:
        about: Mapping[str, Any] = self.discord.commands[command]
        if roll:
            about = next(one for one in about["options"] if one["name"] == roll)
        known = {one["name"]: one for one in about.get("options", ())}
        given = [_given(known[name], value, focused == name) for name, value in options.items()]
        missing = [n for n, one in known.items() if one.get("required") and n not in options]
        hold(not missing, f"{missing} must be given")
        inner = {"type": SUBCOMMAND, "name": roll, "options": given}
        return {"id": "1", "name": command, "type": 1, "options": [inner] if roll else given}


def _given(option: Mapping[str, Any], value: Any, focused: bool) -> dict[str, Any]:
    """An option as Discord lets somebody give it."""
    hold(type(value) is KINDS[option["type"]], f"{option['name']} takes no {value!r}")
    if not focused:
        choices = [choice["value"] for choice in option.get("choices", ())]
        hold(not choices or value in choices, f"{value!r} is no choice of {option['name']}")
        if option["type"] == INTEGER:
            hold(
                option.get("min_value", value) <= value <= option.get("max_value", value), "bounds"
            )
    asked = {"focused": True} if focused else {}
    return {"name": option["name"], "type": option["type"], "value": value, **asked}


def _pressed(message: Message, label: str) -> dict[str, Any]:
    for part in message.parts:
        if part["type"] == 3:
            option = next(one for one in part["options"] if one["label"].startswith(label))
            values = [option["value"]]
            return {"custom_id": part["custom_id"], "component_type": 3, "values": values}
        if part["label"].startswith(label):
            return {"custom_id": part["custom_id"], "component_type": 2}
    raise AssertionError(f"{label!r} is none of {message.labels}")
