"""Nobody gets in who may not: tokens, origins, frames, paths, headers and methods that lie."""

import json
import secrets
import socket
from base64 import b64encode

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.guests import (
    API,
    CLIENT,
    PATIENCE,
    Founded,
    Guest,
    Line,
    Serving,
    new_id,
    read_all,
    wait_until,
)

ELSEWHERE = "https://evil.example"


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for all tests of this module."""
    with Serving(tmp_path_factory.mktemp("entry") / "table.sqlite") as server:
        yield server


def ways(guest):
    """Every way to a table over HTTP, with the status that the guest gets."""
    command = {"id": new_id(), "do": "chat.send", "text": "hello"}
    asked = [
        ("GET", "", None),
        ("GET", "/events", None),
        ("GET", "/log.json", None),
        ("GET", "/history.md", None),
        ("GET", "/history.csv", None),
        ("GET", "/statistics", None),
        ("POST", "/commands", command),
        ("POST", "/preview", {"expression": "2d6"}),
        ("POST", "/rolls/r1/advice", {}),
        ("POST", "/join", {"id": new_id(), "name": "Eve", "token_hash": "0" * 64}),
        ("DELETE", "", None),
    ]
    return {guest.ask(method, path, body).status_code for method, path, body in asked}


def test_a_guessed_token_opens_nothing(table):
    """On no way, whatever it looks like."""
    assert {401} == ways(Guest(table.address, table.id, secrets.token_urlsafe(32)))
    assert {401} == ways(Guest(table.address, table.id, ""))
    assert {401} == ways(Guest(table.address, table.id, table.referee.token[:-1]))
    assert {401} == ways(Guest(table.address, table.id, table.referee.token + "A"))


def test_a_stolen_hash_opens_nothing(serving, table):
    """What the database holds of a token is of no use to anybody who reads it."""
    hashes = table.asked["tokens"].values()
    for hashed in hashes:
        assert {401} == ways(Guest(table.address, table.id, hashed))
        assert {401} == ways(Guest(table.address, table.id, hashed[:43]))


def test_a_token_of_another_table_opens_nothing(serving, table):
    """Neither a seat's nor a link's, and not on the socket."""
    other = Founded(serving.address)
    for token in (other.referee.token, *other.links.values()):
        stranger = Guest(table.address, table.id, token)
        assert {401} == ways(stranger)
        with Line(stranger, hello=False) as line:
            line.send({"hello": {"protocol": 3, "token": token}})
            assert 4401 == line.closed()


def test_a_spectators_seat_only_says_what_it_may(table):
    """A seat that joined to watch can neither roll nor rule."""
    eve = table.join("Eve", "spectator")
    for do, fields in (
        ("roll.start", {"expression": "2d6", "nonce": ""}),
        ("chat.send", {"text": "hello"}),
        ("seat.remove", {"seat": "s1"}),
        ("table.change", {"knock": True}),
        ("link.rotate", {"role": "player", "token_hash": "0" * 64}),
    ):
        assert "forbidden" == eve.tries(do, **fields)["error"]["code"]
    assert 403 == eve.ask("DELETE").status_code


def test_a_player_is_no_referee(table):
    """What only referees do is refused to players."""
    bo = table.join()
    for do, fields in (
        ("seat.remove", {"seat": "s1"}),
        ("seat.change_role", {"seat": bo.seat, "role": "referee"}),
        ("link.rotate", {"role": "referee", "token_hash": "0" * 64}),
        ("session.end", {}),
    ):
        assert "forbidden" == bo.tries(do, **fields)["error"]["code"]


def test_a_removed_seat_does_nothing_any_more(table):
    """Its token opens no way at all."""
    bo = table.join()
    table.referee.does("seat.remove", seat=bo.seat)
    assert ways(bo) <= {401, 410}


def test_a_link_cannot_be_used_as_a_seat(table):
    """Player and referee links let one join, and nothing else."""
    for role in ("player", "referee"):
        link = table.link(role)
        assert "forbidden" == link.tries("chat.send", text="hello")["error"]["code"]
        assert 403 == link.ask("DELETE").status_code
        with Line(link, hello=False) as line:
            line.send({"hello": {"protocol": 3, "token": link.token}})
            assert 4403 == line.closed()


def test_a_rotated_link_opens_nothing(table):
    """The old link is dead at once."""
    table.referee.does("link.rotate", role="player", token_hash=secrets.token_hex(32))
    assert {401} == ways(table.link("player"))


def test_a_token_in_the_address_is_not_looked_at(serving, table):
    """Addresses end up in logs, so tokens there are no tokens."""
    path = f"{API}/tables/{table.id}?token={table.referee.token}&access_token={table.referee.token}"
    assert 401 == CLIENT.get(serving.address + path).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ELSEWHERE},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://127.0.0.1.evil.example"},
        {"origin": "https://"},
        {"origin": "http://[::1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_site_changes_nothing_and_gets_no_socket(table, headers):
    """With a valid token even: a forged or foreign origin is refused before anything is done."""
    command = {"id": new_id(), "do": "chat.send", "text": "hello"}
    answer = table.referee.ask("POST", "/commands", command, headers)
    assert (403, "forbidden") == (answer.status_code, answer.json()["error"]["code"])
    assert 403 == table.referee.ask("DELETE", headers=headers).status_code
    with pytest.raises(InvalidStatus) as refused:
        Line(table.referee, hello=False, headers=headers)
    assert 403 == refused.value.response.status_code


def test_the_own_page_may(serving, table):
    """The same host and port is us, however it is written."""
    for origin in (serving.address, f"http://127.0.0.1:{serving.port}"):
        command = {"id": new_id(), "do": "chat.send", "text": "hello"}
        assert (
            200 == table.referee.ask("POST", "/commands", command, {"origin": origin}).status_code
        )
        with Line(table.referee, headers={"origin": origin}) as line:
            assert "s1" == line.welcome["you"]["seat"]


def test_another_address_of_the_page_may_if_the_host_names_it(tmp_path):
    """--origins, for a page that is reached by another name than the proxy passes on."""
    with Serving(tmp_path / "t.sqlite", origins=("https://dice.example",)) as server:
        table = Founded(server.address)
        command = {"id": new_id(), "do": "chat.send", "text": "hello"}
        named = {"origin": "https://dice.example"}
        assert 200 == table.referee.ask("POST", "/commands", command, named).status_code
        other = {"origin": "https://dice.example.org"}
        assert 403 == table.referee.ask("POST", "/commands", command, other).status_code


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_another_site_could_send_unasked_is_refused(serving, kind):
    """Forms and plain text need no leave of a browser, so they are not read as JSON."""
    answer = CLIENT.post(
        f"{serving.address}{API}/tables",
        content=b'{"id": "12345678"}',
        headers={"content-type": kind},
    )
    assert (400, "bad_request") == (answer.status_code, answer.json()["error"]["code"])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"[" * 10_000,
        b'{"id": "12345678", "name": 1e999}',
        b'{"id": "12345678", "name": "\\ud800", "tokens": {}}',
        b'{"id": "12345678", "name": 1.5, "tokens": {}}',
        b'{"id": "12345678", "name": {"a": [[[[[[]]]]]]}, "tokens": []}',
        b'{"id": 5}',
        b'{"id": "1234 678"}',
        b'{"id": "12345678", "tokens": {"seat": "' + b"0" * 64 + b'"}}',
        b'{"id": "12345678", "name": "\\u0000", "tokens": {"seat": "' + b"0" * 64 + b'"}}',
    ],
)
def test_a_body_that_is_none_is_refused(serving, table, body):
    """With a code and never with a failure of the server, on every route that takes one."""
    headers = {**table.referee.headers, "content-type": "application/json"}
    for path in ("", f"/{table.id}/commands", f"/{table.id}/join", f"/{table.id}/preview"):
        place = f"{serving.address}{API}/tables{path}"
        answer = CLIENT.post(place, content=body, headers=headers)
        assert answer.status_code in (400, 401, 403, 409, 422), (path, answer.text)
        assert "internal" != answer.json()["error"]["code"]


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"id": "short", "do": "chat.send"},
        {"id": "x" * 65, "do": "chat.send"},
        {"id": "12345678", "do": 7},
        {"id": "12345678", "do": "no.such"},
        {"id": "12345678", "do": "chat.send", "text": 2**60},
        {"id": "12345678", "do": "chat.send", "text": "a\u0000b"},
        {"id": "12345678", "do": "chat.send", "text": "x" * 5000},
        {"id": "12345678", "do": "roll.start"},
        {"id": "12345678", "do": "roll.start", "expression": "2d6", "nonce": "zz"},
        {"id": "12345678", "do": "roll.choose", "roll": "r999", "option": []},
        {"id": "12345678", "do": "witness.commit", "commitments": "x"},
    ],
)
def test_a_command_that_is_none_is_refused_alike_on_both_ways(table, command):
    """Over HTTP and the socket the same code, and nothing is written."""
    head = table.referee.ask("GET").json()["head"]
    over_http = table.referee.ask("POST", "/commands", command).json()
    with table.referee.socket() as line:
        line.send({"command": command})
        over_socket = line.until("ack")["ack"]
    assert over_http == over_socket
    assert not over_http["ok"]
    assert over_http["error"]["code"] not in ("internal", "unavailable")
    assert head == table.referee.ask("GET").json()["head"]


def test_an_oversized_frame_ends_the_line_before_it_is_read(serving, table):
    """Longer than the limit: closed with 1009, and the server goes on."""
    with table.referee.socket() as line:
        line.send(json.dumps({"ping": "x" * 70_000}))
        assert 1009 == line.closed()
    with table.referee.socket() as line:
        line.send({"ping": 1})
        line.until("pong")


def upgrade(serving, table, extra=b""):
    """A raw line that has been made a socket."""
    line = socket.create_connection(("127.0.0.1", serving.port), timeout=PATIENCE)
    key = b64encode(secrets.token_bytes(16))
    line.sendall(
        f"GET {API}/tables/{table.id}/socket HTTP/1.1\r\nHost: 127.0.0.1:{serving.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key.decode()}\r\n".encode()
        + extra
        + b"\r\n"
    )
    return line


@pytest.mark.parametrize(
    "frame",
    [
        b"\x81\x05hello",  # not masked
        b"\xf1\x80\x00\x00\x00\x00",  # reserved bits
        b"\x83\x80\x00\x00\x00\x00",  # an opcode that is none
        b"\x89\xfe\x01\x00\x00\x00\x00\x00" + b"x" * 256,  # a ping that is too long
        b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",  # a length beyond all bounds
        b"\x81\x82\x00\x00\x00\x00\xff\xfe",  # no UTF-8
        b"\x80\x80\x00\x00\x00\x00",  # goes on with nothing
        b"\x88\x81\x00\x00\x00\x00\x01",  # half a close code
        b"\x01\x80\x00\x00\x00\x00\x81\x80\x00\x00\x00\x00",  # begins anew in the middle
    ],
)
def test_a_broken_frame_ends_the_line_with_a_close(serving, table, frame):
    """Frames that break the protocol are answered with a close frame, and the server goes on."""
    with upgrade(serving, table) as line:
        came = line.recv(4096)
        assert came.startswith(b"HTTP/1.1 101")
        line.sendall(frame)
        rest = came.partition(b"\r\n\r\n")[2] + read_all(line)
        assert b"\x88" in rest
    assert 200 == CLIENT.get(f"{serving.address}/ready").status_code


def test_frames_are_not_compressed(serving, table):
    """A small frame that unfolds into a large one is no danger: compression is never agreed on."""
    offer = b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
    with upgrade(serving, table, offer) as line:
        assert b"permessage" not in line.recv(4096).lower()


PATHS = [
    b"/../../etc/passwd",
    b"/%2e%2e/%2e%2e/etc/passwd",
    b"/assets/..%2f..%2fsettings.py",
    b"/assets/..\\..\\settings.py",
    b"/..%c0%af..%c0%afetc/passwd",
    b"//etc/passwd.txt",
    b"/index.html%00.js",
    b"/%00",
    b"/api/v1/tables/..%2f..%2fready",
    b"/api/v1/tables/%00",
    b"/api/v1/tables/" + b"a" * 3000,
    b"/api/v1/../../health.py",
    b"http://evil.example/api/v1/tables/x",
    b"/api/v1/games/..%2f..%2f..%2fpyproject.toml",
    b"*",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_tricks_leads_nowhere(serving, path):
    """No file, no table and no failure: the page itself, or a refusal."""
    request = b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    answer = serving.raw(request)
    status = answer.split(b" ", 2)[1]
    assert status in (b"200", b"400", b"401", b"404", b"405", b"503")
    assert b"root:" not in answer
    assert b"def " not in answer
    if status in (b"200", b"503"):
        assert b"<!doctype html>" in answer


REQUESTS = {
    "two tokens": b"GET /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
    b"Authorization: Bearer %s\r\n\r\n",
    "a null in the token": b"GET /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\n"
    b"Authorization: Bearer %s\x00%s\r\n\r\n",
    "a folded header": b"GET /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\n"
    b"Authorization: Bearer\r\n %s%s\r\n\r\n",
    "two lengths": b"POST /api/v1/tables/%s/commands HTTP/1.1\r\nHost: x\r\n"
    b"Authorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
    b"Content-Length: 40\r\n\r\n{}%s",
    "a length and pieces": b"POST /api/v1/tables/%s/commands HTTP/1.1\r\nHost: x\r\n"
    b"Authorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s",
    "no such method": b"BREW /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\nX: %s%s\r\n\r\n",
    "trace": b"TRACE /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
    b"X: %s\r\n\r\n",
    "another method in a header": b"POST /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\n"
    b"Authorization: Bearer %s\r\nX-HTTP-Method-Override: DELETE\r\nX: %s\r\n"
    b"Content-Length: 0\r\n\r\n",
    "no host": b"DELETE /api/v1/tables/%s HTTP/1.1\r\nOrigin: http://x\r\n"
    b"Authorization: Bearer %s\r\nX: %s\r\n\r\n",
    "two origins": b"DELETE /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n"
    b"Origin: http://evil.example\r\nAuthorization: Bearer %s\r\nX: %s\r\n\r\n",
    "two hosts": b"DELETE /api/v1/tables/%s HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n"
    b"Origin: http://evil.example\r\nAuthorization: Bearer %s\r\nX: %s\r\n\r\n",
    "no protocol": b"GET /api/v1/tables/%s %s %s\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n%s%s%s",
    "connect": b"CONNECT /api/v1/tables/%s HTTP/1.1\r\nHost: %s\r\nX: %s\r\n\r\n",
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_that_tricks_is_refused(serving, table, name):
    """Doubled headers, nulls, two lengths, odd methods: refused, and the table is still there."""
    token = table.referee.token.encode()
    answer = serving.raw(REQUESTS[name] % (table.id.encode(), token, token))
    assert answer.split(b" ", 2)[1] in (b"400", b"401", b"403", b"404", b"405"), answer
    assert b"Traceback" not in answer
    assert 200 == table.referee.ask("GET").status_code


def test_a_proxy_nobody_trusts_is_not_believed(serving, table):
    """X-Forwarded-For changes nothing unless its sender was named."""
    forwarded = {"x-forwarded-for": "203.0.113.9", "x-forwarded-host": "evil.example"}
    with Line(table.referee, headers=forwarded):
        addresses = {connection.address for connection in serving.services.connections}
    assert {"127.0.0.1"} == addresses
    command = {"id": new_id(), "do": "chat.send", "text": "hello"}
    hidden = {**forwarded, "origin": "https://evil.example"}
    assert 403 == table.referee.ask("POST", "/commands", command, hidden).status_code


def test_a_trusted_proxy_is_believed(tmp_path):
    """With --trust-proxy the address of the client is the one that the proxy names."""
    with Serving(tmp_path / "t.sqlite", trust_proxy=("127.0.0.1",)) as server:
        table = Founded(server.address)
        forwarded = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
        with Line(table.referee, headers=forwarded):
            addresses = {connection.address for connection in server.services.connections}
        assert {"203.0.113.9"} == addresses


def test_a_head_that_has_no_end_is_cut_off(serving):
    """Headers or an address that grow and grow are refused instead of kept."""
    for start in (b"GET /" + b"a" * 200_000, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000):
        assert serving.raw(start)[:12] in (b"HTTP/1.1 400", b"")
    many = b"".join(b"X-%d: y\r\n" % number for number in range(10_000))
    assert b"HTTP/1.1 400" == serving.raw(b"GET / HTTP/1.1\r\nHost: x\r\n" + many + b"\r\n")[:12]


def test_nothing_secret_is_logged(tmp_path, capfd):
    """Neither tokens nor names nor texts nor table secrets, at the most talkative level."""
    from rollwright.server.logs import start_logging

    with Serving(tmp_path / "t.sqlite", log_level="debug") as server:
        start_logging("debug")
        table = Founded(server.address, title="Hidden title")
        bo = table.join("Boswell")
        bo.does("chat.send", text="a private word")
        Guest(server.address, table.id, secrets.token_urlsafe(32)).ask("GET")
        with bo.socket() as line:
            line.send("nonsense Boswell")
            line.until("error")
        wait_until(lambda: not server.services.connections)
    logged = capfd.readouterr().err
    for word in ("Boswell", "private word", "Hidden title", bo.token, *table.links.values()):
        assert word not in logged
