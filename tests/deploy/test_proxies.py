"""The examples for nginx and Caddy with TLS, run in front of a real server."""

import asyncio
import json
from functools import partial

import pytest
from benchmarks.soak.servers import App
from websockets.asyncio.client import connect

from rollwright.client import sockets
from rollwright.client.sockets import PROTOCOL
from tests.deploy.proxies import (
    UNKNOWN,
    caddy,
    caddy_with_tls,
    nginx,
    nginx_with_tls,
    until_serves,
)
from tests.server.guests import API, CLIENT, PATIENCE, Founded, new_token
from tests.server.parts import free_port

pytestmark = pytest.mark.storm

GUESSES = 5


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server that trusts the proxy of this machine."""
    folder = tmp_path_factory.mktemp("proxied")
    settings = {"trust_proxy": "127.0.0.1", "tables": "anybody", "wrong_tokens": GUESSES}
    app = App(folder, "app", database=folder / "table.sqlite", **settings)
    app.start()
    yield app
    app.stop()


@pytest.fixture(params=["nginx", "caddy"])
def address(request, serving, tmp_path):
    """Where the proxy is reached."""
    port = free_port()
    if request.param == "nginx":
        proxy = nginx(tmp_path, nginx_with_tls(tmp_path, port, serving.port))
    else:
        proxy = caddy(tmp_path, caddy_with_tls(port, serving.port))
    with proxy:
        until_serves(f"https://localhost:{port}")
        yield f"https://localhost:{port}"


def socket(address, table, **headers):
    """A socket through the proxy.

    One of an event loop: where a thread reads and another writes, OpenSSL mixes up what it holds.
    """
    place = f"wss{address[5:]}{API}/tables/{table.id}/socket"
    return connect(place, ssl=UNKNOWN, compression=None, open_timeout=PATIENCE, **headers)


async def played(address, table):
    """Somebody hears of a roll as it is made."""
    async with socket(address, table, origin=address) as line, asyncio.timeout(PATIENCE):
        hello = {"protocol": PROTOCOL, "token": table.referee.token, "after": 0}
        await line.send(json.dumps({"hello": hello}))
        assert "welcome" in await line.recv()
        await asyncio.to_thread(table.referee.rolls)
        while "roll.thrown" not in await line.recv():
            pass


def test_people_play_through_the_proxy(address):
    """Requests and sockets pass, also those of a browser, which say where they come from."""
    asyncio.run(played(address, Founded(address)))


def test_a_client_of_ours_watches_through_the_proxy(address, monkeypatch):
    """It hears of everything, also while nobody reads what it says, over an encrypted line."""
    monkeypatch.setattr(sockets, "connect", partial(sockets.connect, ssl=UNKNOWN))
    table = Founded(address)
    following = sockets.LogFollower(table.referee.token, 0)
    place = sockets.socket_address(address, table.id)
    for _ in range(5):
        table.referee.rolls()
    heard = sockets.watch(place, following, quiet=PATIENCE)
    kinds = (event["kind"] for event in heard)
    for _ in range(5):
        assert "roll.thrown" in kinds
        table.referee.rolls()
    heard.close()
    assert following.last > 10


def test_a_page_of_another_site_is_still_refused(address):
    """The proxy passes on the host that the browser asked for, so that origins can be compared."""
    evil, table = {"origin": "https://evil.example"}, Founded(address)
    key = {"sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
    upgrade = {"connection": "upgrade", "upgrade": "websocket", **key, **evil}
    place = f"{address}{API}/tables/{table.id}/socket"
    assert 403 == CLIENT.get(place, headers=upgrade).status_code
    asked = {"json": {"expression": "1d6"}, "headers": evil}
    assert 403 == CLIENT.post(f"{address}{API}/roll", **asked).status_code


def test_nobody_claims_another_address(address):
    """Whoever guesses tokens must wait, also where each guess claims to come from elsewhere."""
    table = Founded(address)
    statuses = []
    for number in range(3 * GUESSES):
        token, _ = new_token()
        elsewhere = {"x-forwarded-for": f"203.0.113.{number}", "x-real-ip": f"203.0.113.{number}"}
        headers = {**elsewhere, "authorization": f"Bearer {token}"}
        place = f"{address}{API}/tables/{table.id}"
        statuses.append(CLIENT.get(place, headers=headers).status_code)
    assert 429 in statuses


def test_a_long_log_passes(address):
    """A body of several megabytes reaches the server, which judges it itself."""
    body = b'{"log": {"events": "' + b"x" * 3_000_000 + b'"}}'
    headers = {"content-type": "application/json"}
    place = f"{address}{API}/verify"
    sent = CLIENT.post(place, content=body, headers=headers)
    assert 413 != sent.status_code
    assert "application/json" == sent.headers["content-type"]
