"""Deliveries are believed once, now, and only with the secret; and they are sent until taken."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from rollwright.client import webhooks
from rollwright.client.deliveries import DeliveryError, Hook, Sender, check_address, hook_secret
from rollwright.client.events import ChatSent
from rollwright.client.relays import LARGEST_EVENT, limit_size
from rollwright.client.rolls import EventData
from rollwright.client.storage import Storage, StorageInUseError
from rollwright.errors import BadField

NOW = 1_789_000_000.0
SECRET = "a secret of theirs"
ADDRESS = "https://log.example/dice"
EVENT: EventData = {
    "seq": 9,
    "hash": "h9",
    "kind": "chat.sent",
    "at": 0,
    "open": {},
    "body": {"by": "s1", "text": {"text": "t1"}},
    "texts": {"t1": {"salt": "", "text": "Ready?"}},
}
BODY = webhooks.Delivery("abcdefgh2345", 7, EVENT).body


def by_hand(secret: str, message: bytes) -> str:
    """HMAC as RFC 2104 defines it, of hashes alone."""
    key = secret.encode().ljust(64, b"\0")
    inner = sha256(bytes(one ^ 0x36 for one in key) + message).digest()
    return sha256(bytes(one ^ 0x5C for one in key) + inner).hexdigest()


def test_a_stranger_can_check_a_signature() -> None:
    """By what the docs say of it, and nothing of ours: over the timestamp, a point and the body."""
    headers = webhooks.sign_headers(SECRET, BODY, NOW)
    made = by_hand(SECRET, headers["rollwright-timestamp"].encode() + b"." + BODY)
    assert f"v1={made}" == headers["rollwright-signature"]


def test_a_delivery_is_read_as_it_was_sent() -> None:
    """The number, the event, and what it says as a typed value, whatever case headers come in."""
    headers = {
        name.title(): value for name, value in webhooks.sign_headers(SECRET, BODY, NOW).items()
    }
    delivery = webhooks.verify(SECRET, headers, BODY, after=6, now=NOW + 299)
    assert ("abcdefgh2345", 7, EVENT) == delivery
    assert ChatSent("s1", "Ready?") == delivery.typed_event


def test_what_is_forged_is_refused() -> None:
    """Another secret, body or time than was signed, no signature, or half of one."""
    headers = webhooks.sign_headers(SECRET, BODY, NOW)
    whole = headers[webhooks.SIGNATURE]
    wrong: list[tuple[dict[str, str], bytes]] = [
        (webhooks.sign_headers("another", BODY, NOW), BODY),
        (headers, BODY.replace(b"Ready", b"Gold!")),
        ({**headers, webhooks.TIMESTAMP: str(int(NOW) + 1)}, BODY),
        ({**headers, webhooks.SIGNATURE: whole[:-1]}, BODY),
        ({**headers, webhooks.SIGNATURE: whole.removeprefix("v1=")}, BODY),
        ({**headers, webhooks.SIGNATURE: "ß"}, BODY),
        ({}, BODY),
        (webhooks.sign_headers(SECRET, b"[]", NOW), b"[]"),
    ]
    for forged, body in wrong:
        with pytest.raises(webhooks.Forged):
            webhooks.verify(SECRET, forged, body, now=NOW)
    with pytest.raises(ValueError, match="a secret is needed"):
        webhooks.verify("", webhooks.sign_headers("", BODY, NOW), BODY, now=NOW)


@pytest.mark.parametrize("off", [-301, 301])
def test_what_is_stale_is_refused(off: float) -> None:
    """However well it is signed; five minutes are let pass."""
    headers = webhooks.sign_headers(SECRET, BODY, NOW)
    with pytest.raises(webhooks.Stale):
        webhooks.verify(SECRET, headers, BODY, now=NOW + off)


def test_a_replay_is_known_by_its_number() -> None:
    """Whoever keeps the last number takes each delivery once."""
    headers = webhooks.sign_headers(SECRET, BODY, NOW)
    for after in (7, 8):
        with pytest.raises(webhooks.Replayed) as again:
            webhooks.verify(SECRET, headers, BODY, after=after, now=NOW)
        assert 7 == again.value.number


class Receiver:
    """Answers what it is told to, and keeps what came."""

    def __init__(self, *answers: int | httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.came: list[webhooks.Delivery] = []
        self.said: list[str] = []
        self.waits: list[float] = []

    def take(self, request: httpx.Request) -> httpx.Response:
        """One delivery."""
        self.came.append(webhooks.verify(SECRET, request.headers, request.content))
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer) if isinstance(answer, int) else answer

    async def sleep(self, seconds: float) -> None:
        """No time passes."""
        self.waits.append(seconds)

    def sent(self, hook: Hook = Hook(ADDRESS)) -> None:  # noqa: B008
        """Send one event here."""

        async def send() -> None:
            transport = httpx.MockTransport(self.take)
            async with httpx.AsyncClient(transport=transport) as http:
                sender = Sender(hook, SECRET, "abcdefgh2345", http, self.said.append, self.sleep)
                await sender.send(7, EVENT)

        asyncio.run(send())


def test_a_delivery_is_tried_until_it_is_taken() -> None:
    """With longer and longer pauses, under one number; whoever runs it is told once per reason."""
    lost = httpx.ConnectError("nobody there")
    receiver = Receiver(500, 500, lost, httpx.Response(429, headers={"retry-after": "60"}))
    receiver.sent()
    assert [(7, EVENT)] * 5 == [(one.number, one.event) for one in receiver.came]
    assert [1.0, 2.0, 4.0, 60.0] == receiver.waits
    assert [
        "delivery 7 is not taken yet: the address answered 500",
        "delivery 7 is not taken yet: nobody there",
        "delivery 7 is not taken yet: the address answered 429",
        "delivery 7 was taken",
    ] == receiver.said


def test_no_pause_is_longer_than_five_minutes() -> None:
    """Whatever the other side asks for, and however often it failed."""
    receiver = Receiver(httpx.Response(503, headers={"retry-after": "999999"}), *[500] * 12)
    receiver.sent(Hook(ADDRESS, patience=1e9))
    assert 300.0 == max(receiver.waits)
    assert 14 == len(receiver.came)


def test_a_redirect_is_not_followed() -> None:
    """Nobody sends deliveries on to an address that the operator did not name."""
    moved = httpx.Response(302, headers={"location": "http://169.254.169.254/"})
    receiver = Receiver(moved)
    receiver.sent()
    assert 2 == len(receiver.came)
    assert "answered 302, which is not followed" in receiver.said[0]


@pytest.mark.parametrize(
    ("hook", "answer", "why"),
    [(Hook(ADDRESS), 410, "wants no more"), (Hook(ADDRESS, patience=0), 500, "answered 500")],
)
def test_giving_up_is_said(hook: Hook, answer: int, why: str) -> None:
    """At once where the other side wants no more, else when patience has ended."""
    receiver = Receiver(answer)
    with pytest.raises(DeliveryError, match=f"delivery 7 was not taken: .*{why}"):
        receiver.sent(hook)
    assert 1 == len(receiver.came)


@pytest.mark.parametrize(
    "address", ["ftp://log.example", "log.example", "http://log.example/", "http://10.0.0.1/", ""]
)
def test_only_safe_addresses_are_sent_to(address: str) -> None:
    """Over TLS, or on this machine."""
    with pytest.raises(BadField, match="https://"):
        check_address(address)


def test_addresses_that_will_do() -> None:
    """With TLS anywhere, and without on this machine."""
    for address in (ADDRESS, "http://127.0.0.1:8000/a", "http://[::1]/", "http://localhost:1/"):
        assert address == check_address(address)


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    """It lies in the file from then on, another for each hook."""
    storage = Storage(tmp_path / "hooks.sqlite")
    first, is_new = hook_secret(storage, "a")
    assert (True, 43) == (is_new, len(first))
    assert (first, False) == hook_secret(storage, "a")
    assert first != hook_secret(storage, "b")[0]
    storage.close()


def test_one_program_at_a_time_has_the_file(tmp_path: Path) -> None:
    """A second one is told so; when the first has ended, the file is free."""
    path = tmp_path / "hooks.sqlite"
    storage = Storage(path, alone=True)
    with pytest.raises(
        StorageInUseError, match=r"hooks\.sqlite cannot be used: database is locked"
    ):
        Storage(path, alone=True)
    storage.put("secret", "a", "b")
    storage.close()
    again = Storage(path, alone=True)
    assert "b" == again.find("secret", "a")
    again.close()


def test_a_very_large_event_comes_without_its_inside() -> None:
    """It keeps its place and its hash, and says why it is bare."""
    large: Any = {**EVENT, "salt": "x", "body": {"faces": [1] * LARGEST_EVENT}}
    told: Any = limit_size(large)
    bare = {name: EVENT[name] for name in ("seq", "hash", "kind", "at", "open")}  # type: ignore[literal-required]
    assert {**bare, "too_large": True} == told
    assert limit_size(EVENT) is EVENT
