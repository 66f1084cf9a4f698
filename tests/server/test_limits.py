"""Every limit: what is beyond it is refused with how long to wait, or closed with why."""

import contextlib
import json
import secrets
import socket
import time

import pytest
from websockets.exceptions import ConnectionClosed

from rollwright.server.limits import Buckets, RateLimitError, SlotLimiter
from rollwright.server.routes.sockets import SocketSession
from tests.server.guests import API, CLIENT, Founded, Guest, Line, Serving, new_id, wait_until


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def serving(tmp_path, **settings):
    """A server with some of its limits set low."""
    return Serving(tmp_path / "table.sqlite", **settings)


def test_a_bucket_empties_and_fills_again():
    """A burst at once, then as many as come back with time; the refusal says how long to wait."""
    clock = Clock()
    buckets = Buckets("too fast", rate=2, burst=3, clock=clock)
    for _ in range(3):
        buckets.take("a")
    with pytest.raises(RateLimitError) as refused:
        buckets.take("a")
    assert (500, "too_many") == (refused.value.wait, refused.value.code)
    buckets.take("b")
    clock.now = 0.5
    buckets.take("a")
    clock.now = 100
    for _ in range(3):
        buckets.take("a")


def test_a_costly_thing_is_never_refused_for_ever():
    """What costs more than a bucket holds takes all of it."""
    clock = Clock()
    buckets = Buckets("too fast", rate=1, burst=2, clock=clock)
    buckets.take("a", 10)
    with pytest.raises(RateLimitError):
        buckets.take("a", 10)
    clock.now = 2
    buckets.take("a", 10)


def test_buckets_do_not_grow_without_end(monkeypatch):
    """The names of all the world do not fill the memory."""
    monkeypatch.setattr("rollwright.server.limits.MOST_BUCKETS", 10)
    buckets = Buckets("too fast", rate=1, burst=1, clock=Clock())
    for number in range(100):
        buckets.take(str(number))
    assert 10 == len(buckets)


def test_places_are_taken_and_given_back():
    """In all, and for each address."""
    places = SlotLimiter(3, 2)
    places.take("a")
    places.take("a")
    with pytest.raises(RateLimitError):
        places.take("a")
    places.take("b")
    with pytest.raises(RateLimitError):
        places.take("c")
    places.release("a")
    places.take("c")
    assert 3 == places.taken


@pytest.mark.long
def test_a_seat_that_asks_too_often_must_wait(tmp_path, countable):
    """Over HTTP with Retry-After, over the socket with the milliseconds; others go on."""
    with serving(tmp_path, seat_rate=1, seat_burst=5) as server:
        table = Founded(server.address)
        bo = table.join()
        answers = [
            bo.ask("POST", "/commands", {"id": new_id(), "do": "chat.send", "text": "x"})
            for _ in range(8)
        ]
        assert [200] * 5 + [429] * 3 == [answer.status_code for answer in answers]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 2
        with bo.socket() as line:
            ack = line.command("chat.send", text="x")
            assert "too_many" == ack["error"]["code"]
            assert 0 < ack["error"]["wait"] <= 1000
        table.referee.does("chat.send", text="I may")


def test_an_address_that_asks_too_often_must_wait(tmp_path, countable):
    """Whatever it asks for, with a token or without one."""
    with serving(tmp_path, address_rate=1, address_burst=6) as server:
        codes = [CLIENT.get(f"{server.address}{API}/").status_code for _ in range(10)]
        assert [200] * 6 + [429] * 4 == codes
        assert 200 == CLIENT.get(f"{server.address}/health").status_code


def test_an_address_that_guesses_tokens_must_wait(tmp_path, countable):
    """After some wrong ones, on both ways; whoever there has a right one never waits for that."""
    with serving(tmp_path, wrong_tokens=5) as server:
        table = Founded(server.address)
        guessed = Guest(server.address, table.id, secrets.token_urlsafe(32))
        assert [401] * 5 == [guessed.ask("GET").status_code for _ in range(5)]
        answer = guessed.ask("GET")
        assert (429, "too_many") == (answer.status_code, answer.json()["error"]["code"])
        with Line(guessed, hello=False) as line:
            line.send({"hello": {"protocol": 3, "token": guessed.token}})
            assert 4429 == line.closed()
        assert 200 == table.referee.ask("GET").status_code
        with table.referee.socket() as line:
            assert "s1" == line.welcome["you"]["seat"]


def test_a_token_that_was_taken_back_is_no_guess(tmp_path, countable):
    """The page of somebody who was removed asks on; it is told no, and uses up no guesses."""
    with serving(tmp_path, wrong_tokens=2) as server:
        table = Founded(server.address)
        bo = table.join()
        table.referee.does("seat.remove", seat=bo.seat)
        assert [401] * 5 == [bo.ask("GET").status_code for _ in range(5)]


def test_an_address_makes_only_so_many_tables(tmp_path):
    """The next one is refused with a sentence."""
    with serving(tmp_path, tables_per_hour=2) as server:
        table = Founded(server.address)
        Founded(server.address)
        third = Guest(server.address).ask("POST", body={**table.asked, "id": new_id()})
        assert (429, "too_many") == (third.status_code, third.json()["error"]["code"])


@pytest.mark.long
def test_an_address_has_only_so_many_sockets(tmp_path):
    """One more is told so and closed; when one leaves, there is room again."""
    with serving(tmp_path, connections_per_address=2) as server:
        table = Founded(server.address)
        first, second = table.referee.socket(), table.referee.socket()
        with Line(table.referee, hello=False) as third:
            assert 4429 == third.closed()
            assert "too_many" == third.bye["code"]
        first.close()
        wait_until(lambda: len(server.services.connections) == 1)
        with table.referee.socket():
            second.close()


@pytest.mark.long
def test_the_server_has_only_so_many_sockets(tmp_path):
    """The total holds whatever address they come from."""
    with serving(tmp_path, connections=1) as server:
        table = Founded(server.address)
        with table.referee.socket(), Line(table.referee, hello=False) as second:
            assert 4429 == second.closed()


@pytest.mark.long
def test_lines_beyond_all_bounds_are_dropped(tmp_path):
    """Open lines that ask nothing do not pile up without end."""
    with serving(tmp_path, connections=1) as server:
        lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(110)]
        try:
            wait_until(lambda: 5 <= sum(map(_is_closed, lines)))
            assert 5 <= sum(map(_is_closed, lines)) <= 12
        finally:
            for line in lines:
                line.close()


def _is_closed(line):
    line.settimeout(0.001)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a_long_body_is_refused_before_it_is_read(tmp_path):
    """By its announced length, and when it only turns out to be long."""
    with serving(tmp_path, body_bytes=2000, message_bytes=1500) as server:
        table = Founded(server.address)
        long = {"id": new_id(), "do": "chat.send", "text": "x" * 3000}
        answer = table.referee.ask("POST", "/commands", long)
        assert (413, "too_large") == (answer.status_code, answer.json()["error"]["code"])

        def pieces():
            yield b'{"id": "'
            for _ in range(100):
                yield b"x" * 100

        headers = {"content-type": "application/json"}
        place = f"{server.address}{API}/tables"
        assert 413 == CLIENT.post(place, content=pieces(), headers=headers).status_code


@pytest.mark.long
def test_a_long_message_closes_the_socket(tmp_path):
    """The limit of a message is the host's to set."""
    with serving(tmp_path, message_bytes=2000) as server:
        table = Founded(server.address)
        with table.referee.socket() as line:
            assert 2000 == line.welcome["limits"]["message_bytes"]
            line.send(json.dumps({"ping": "x" * 2000}))
            assert 1009 == line.closed()


@pytest.mark.long
def test_who_says_nothing_is_closed(tmp_path, monkeypatch):
    """Before the hello soon, after it when nothing has come for the time that was told."""
    given, text = [], SocketSession._text

    async def watched(self, seconds):
        given.append(seconds)
        return await text(self, seconds)

    monkeypatch.setattr(SocketSession, "_text", watched)
    begun = time.monotonic()
    with serving(tmp_path, hello_seconds=1, idle_seconds=600) as server:
        with Line(Founded(server.address).referee, hello=False) as silent:
            assert 4408 == silent.closed()
        assert [1] == given
    with serving(tmp_path, hello_seconds=600, idle_seconds=1) as server:
        with Founded(server.address).referee.socket() as idle:
            assert 1 == idle.welcome["limits"]["idle_seconds"]
            assert 4408 == idle.closed()
            assert "idle" == idle.bye["code"]
        assert [1, 600, 1] == given
    assert 2 <= time.monotonic() - begun


@pytest.mark.long
def test_a_slow_client_is_sent_away_and_holds_up_nobody(tmp_path):
    """It reads nothing while the table goes on; it can come again and read what it missed."""
    with serving(tmp_path, queue_frames=50) as server:
        table = Founded(server.address)
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", server.port))
        slow = Line(table.referee, max_queue=1, sock=narrow)
        room = server.services.registry.find(table.id)
        with table.referee.socket() as quick:
            wait_until(
                lambda: len(room.broadcast.live) == 2
            )  # they are a moment after they were welcomed
            while len(room.broadcast.live) > 1:
                sent = quick.command("table.change", lists={"long": new_id() + "x" * 50_000})
                assert sent["ok"]
        wait_until(lambda: not server.services.connections)
        page = CLIENT.get(f"{server.address}/metrics").text
        assert 'rollwright_byes_total{code="too_slow"} 1.0' in page
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            while True:
                slow.read(5)
        known = max(slow.seqs)
        assert [*range(slow.welcome["head"] + 1, known + 1)] == slow.seqs
        with table.referee.socket(after=known) as again:
            again.until_seq(sent["last"])
            assert [*range(known + 1, sent["last"] + 1)] == again.seqs
        slow.close()


def test_limits_are_per_address_behind_a_trusted_proxy(tmp_path, countable):
    """Two clients behind one proxy do not use up each other's rate."""
    with serving(tmp_path, trust_proxy=("127.0.0.1",), address_rate=1, address_burst=3) as server:

        def ask(address):
            headers = {"x-forwarded-for": address}
            return CLIENT.get(f"{server.address}{API}/", headers=headers).status_code

        assert [200] * 3 + [429] * 3 == [ask("203.0.113.1") for _ in range(6)]
        assert 200 == ask("203.0.113.2")
        assert 429 == ask("203.0.113.99, 203.0.113.1")
        assert 429 == ask("127.0.0.1, 203.0.113.1, 127.0.0.1")
        assert [200] * 3 + [429] * 3 == [ask(f"no-address-{n}" + "x" * n) for n in range(6)]


@pytest.mark.long
def test_nobody_else_than_a_trusted_proxy_says_where_a_client_is(tmp_path, countable):
    """By default no header is believed, and with a proxy elsewhere not that of this line."""
    for number, proxies in enumerate([(), ("10.0.0.1",)]):
        settings = {"trust_proxy": proxies, "address_rate": 1, "address_burst": 3}
        with serving(tmp_path / str(number), **settings) as server:

            def ask(number, server=server):
                said = f"203.0.113.{number}"
                headers = {"x-forwarded-for": said, "forwarded": f"for={said}", "x-real-ip": said}
                return CLIENT.get(f"{server.address}{API}/", headers=headers).status_code

            assert [200] * 3 + [429] * 3 == [ask(number) for number in range(6)]
