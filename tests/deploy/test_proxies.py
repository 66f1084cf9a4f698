"""The examples for nginx and Caddy with TLS, run in front of a real server."""

import contextlib

import pytest
from benchmarks.soak.servers import App
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

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
    """A socket through the proxy."""
    place = f"wss{address[5:]}{API}/tables/{table.id}/socket"
    return connect(place, ssl=UNKNOWN, compression=None, open_timeout=PATIENCE, **headers)


def test_people_play_through_the_proxy(address):
    """Requests and sockets pass, also those of a browser, which say where they come from."""
    table = Founded(address)
    with socket(address, table, origin=address) as line:
        line.send(f'{{"hello": {{"protocol": 3, "token": "{table.referee.token}", "after": 0}}}}')
        assert "welcome" in line.recv(timeout=PATIENCE)
        table.referee.rolls()
        while "roll.thrown" not in line.recv(timeout=PATIENCE):
            pass


def test_a_page_of_another_site_is_still_refused(address):
    """The proxy passes on the host that the browser asked for, so that origins can be compared."""
    table = Founded(address)
    with (
        pytest.raises(InvalidStatus),
        contextlib.closing(socket(address, table, origin="https://evil.example")),
    ):
        pass
    asked = {"json": {"expression": "1d6"}, "headers": {"origin": "https://evil.example"}}
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
