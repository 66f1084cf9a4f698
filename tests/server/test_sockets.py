"""The socket of a table: what was missed, what comes, and nothing twice."""

import json
import secrets
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from rollwright.server.routes.sockets import MOST_MISTAKES
from tests.server.guests import (
    Founded,
    Guest,
    Line,
    Serving,
    new_id,
    new_token,
    wait_until,
)
from tests.server.harness import nonce


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for all tests of this module."""
    with Serving(tmp_path_factory.mktemp("sockets") / "table.sqlite") as server:
        yield server


def test_whoever_knows_nothing_gets_a_snapshot(table):
    """The welcome holds the table, the seats and the latest events up to its head."""
    last = table.referee.rolls()["last"]
    with table.referee.socket() as line:
        told = line.welcome
        assert {"seat": "s1", "role": "referee", "status": "here"} == told["you"]
        assert last == told["head"]
        assert [*range(1, last + 1)] == [event["seq"] for event in told["snapshot"]["recent"]]
        assert ["s1"] == told["connected"]


def test_whoever_comes_again_gets_what_they_missed(table):
    """Behind `after` everything comes in order, then what happens now, without a snapshot."""
    for _ in range(3):
        table.referee.rolls()
    with table.referee.socket(after=4) as line:
        assert "snapshot" not in line.welcome
        line.until_seq(8)
        last = table.referee.rolls()["last"]
        line.until_seq(last)
        assert [*range(5, last + 1)] == line.seqs


def test_whoever_knows_of_another_log_begins_anew(table):
    """`after` beyond the head, as after a restore of the host's backup, brings a snapshot."""
    with table.referee.socket(after=1000) as line:
        assert line.welcome["head"] == line.welcome["snapshot"]["table"]["head"]


def test_a_log_of_the_same_length_is_known_by_its_hashes(table):
    """After a restore numbers agree and hashes do not: whoever has another hash begins anew."""
    last = table.referee.rolls()["last"]
    with table.referee.socket() as line:
        hashes = {event["seq"]: event["hash"] for event in line.welcome["snapshot"]["recent"]}
    for after in (4, last):
        for hash, anew in ((hashes[after], False), ("0" * 64, True), ("", False)):
            with table.referee.socket(hello=False) as line:
                hello = {"protocol": 3, "token": table.referee.token, "after": after}
                line.send({"hello": {**hello, "hash": hash}})
                assert anew == ("snapshot" in line.until("welcome")["welcome"])


@pytest.mark.parametrize("hash", [7, "short", "G" * 64])
def test_a_hash_that_is_none_is_refused(table, hash):
    """The hash of the last event is 64 hexadecimal digits, or is left out."""
    with table.referee.socket(hello=False) as line:
        hello = {"protocol": 3, "token": table.referee.token, "after": 1, "hash": hash}
        line.send({"hello": hello})
        assert "bad_field" == line.until("bye")["bye"]["code"]


def test_a_command_is_acknowledged_and_told_to_everybody(table):
    """One frame with all events of the command reaches the roller and the others."""
    bo = table.join()
    with table.referee.socket() as mine, bo.socket() as theirs:
        ack = mine.command("roll.start", expression="2d6", nonce=nonce())
        assert ack["ok"]
        theirs.until_seq(ack["last"])
        (frame,) = [frame for frame in theirs.frames if "events" in frame]
        assert [ack["first"], ack["last"]] == [event["seq"] for event in frame["events"]]
        assert frame in mine.frames


def test_a_refused_command_is_answered_with_its_error(table):
    """A code, a sentence and the id; nothing is told to anybody."""
    with table.referee.socket() as line:
        ack = line.command("roll.start", expression="2d", nonce=nonce())
        assert (False, "bad_expression") == (ack["ok"], ack["error"]["code"])
        assert line.welcome["head"] == table.referee.ask("GET").json()["head"]


def test_a_command_repeated_over_another_socket_happens_once(table):
    """The acknowledgement of a lost line is had again by sending the same command."""
    sent = {"id": new_id(), "do": "roll.start", "expression": "2d6", "nonce": nonce()}
    with table.referee.socket() as first, table.referee.socket() as second:
        first.send({"command": sent})
        ack = first.until("ack")
        second.send({"command": sent})
        assert ack == second.until("ack")
        assert ack["ack"]["last"] == table.referee.ask("GET").json()["head"]


@pytest.mark.long
def test_nobody_misses_an_event_or_gets_it_twice(table):
    """People come and go while others roll: each reads the log without a gap, in its order."""
    people = [table.join(name) for name in ("Bo", "Cy", "Di")]
    done = threading.Event()
    problems = []

    def roll(guest):
        with guest.socket() as line:
            for _ in range(40):
                if not line.command("roll.start", expression="1d6", nonce=nonce())["ok"]:
                    problems.append(line.frames[-1])

    def come_and_go(guest):
        known = 0
        while not done.is_set() or known < guest_head():
            with guest.socket(after=known) as line:
                line.until_seq(min(known + 7, max(known + 1, guest_head())))
                if line.seqs != [*range(known + 1, known + 1 + len(line.seqs))]:
                    problems.append((known, line.seqs))
                known = line.seqs[-1]
            if known >= guest_head() and done.is_set():
                return

    def guest_head():
        return table.referee.ask("GET", "?recent=0").json()["head"]

    rollers = [threading.Thread(target=roll, args=(guest,)) for guest in people[:2]]
    readers = [
        threading.Thread(target=come_and_go, args=(guest,)) for guest in (people[2], table.referee)
    ]
    for thread in (*rollers, *readers):
        thread.start()
    for thread in rollers:
        thread.join(300)
    done.set()
    table.referee.rolls()
    for thread in readers:
        thread.join(300)
    assert not any(thread.is_alive() for thread in (*rollers, *readers))
    assert [] == problems


def test_a_secret_roll_reaches_its_audience_alone(table):
    """Others get the event without body, salt and texts; at the reveal they get it whole."""
    bo, cy = table.join("Bo"), table.join("Cy")
    with bo.socket() as mine, cy.socket() as theirs, table.referee.socket() as referees:
        ack = mine.command("roll.start", expression="2d6", nonce=nonce(), visibility="private")
        for line in (theirs, referees):
            line.until_seq(ack["last"])
        told = [event for frame in theirs.frames for event in frame.get("events", [])]
        assert ["seq", "at", "kind", "open", "digest", "hash"] == list(told[-1])
        assert all("body" in event for event in referees.frames[-1]["events"])
        roll = referees.frames[-1]["events"][0]["body"]["roll"]
        assert mine.command("roll.reveal", roll=roll)["ok"]
        theirs.until_seq(ack["last"] + 1)
        again = theirs.frames[-1]["events"]
        assert {ack["first"], ack["last"], ack["last"] + 1} == {event["seq"] for event in again}
        assert all("body" in event for event in again)


def test_a_reveal_that_was_missed_brings_the_roll_again(table):
    """Who has the sealed events and comes back after the reveal gets them whole."""
    bo, cy = table.join("Bo"), table.join("Cy")
    ack = bo.rolls(visibility="private")
    bo.does("roll.reveal", roll=ack["events"][0]["body"]["roll"])
    with cy.socket(after=ack["last"]) as line:
        line.until_seq(ack["last"] + 1)
        told = {event["seq"]: event for event in line.frames[-1]["events"]}
    assert {ack["first"], ack["last"], ack["last"] + 1} == set(told)
    assert all("body" in event for event in told.values())


def test_everybody_learns_who_is_connected(table):
    """Whoever comes or goes is told to the others."""
    bo = table.join()
    with table.referee.socket() as line:
        with bo.socket():
            while line.until("present")["present"]["seats"] != ["s1", bo.seat]:
                pass
        while line.until("present")["present"]["seats"] != ["s1"]:
            pass


def test_a_few_browsers_are_asked_to_be_witnesses(serving, monkeypatch):
    """Two seats are asked, not everybody, and not again while they have enough."""
    monkeypatch.setattr("rollwright.server.live.broadcast.PATIENCE", 600)  # whoever is slow is so
    table = Founded(serving.address, witnesses=True)
    people = [table.referee, *(table.join(name) for name in ("Bo", "Cy", "Di"))]
    lines = [person.socket() for person in people]
    for line in lines:
        line.send({"ping": 1})
        line.until("pong")
    asked = [line for line in lines if any("want" in frame for frame in line.frames)]
    assert 2 == len(asked)
    for line in asked:
        offered = line.command("witness.commit", commitments=[nonce() for _ in range(8)])
        assert offered["ok"], offered
    ack = lines[3].command("roll.start", expression="1d6", nonce=nonce())
    lines[3].until_seq(ack["last"]) if ack["last"] not in lines[3].seqs else None
    begun = table.referee.ask("GET", f"/events?after={ack['first'] - 1}").json()["events"][0]
    others = {line.guest.seat for line in asked} - {people[3].seat}
    assert begun["open"]["witness"]["seat"] in others
    for line in lines:
        line.send({"ping": 2})
        line.until("pong")
        assert (line in asked) == (1 == sum("want" in frame for frame in line.frames))
    for line in lines:  # only now: whoever leaves may have to be replaced as a witness
        line.close()


def test_who_knocks_waits_at_the_door(serving):
    """Before the referee lets them in they see nothing of the table, then all of it."""
    table = Founded(serving.address, knock=True, title="Secret plans")
    bo = table.join()
    with bo.socket() as line:
        assert "knocking" == line.welcome["you"]["status"]
        assert {"protocol", "table", "you"} == set(line.welcome)
        assert {"you"} == set(bo.ask("GET").json())
        table.referee.does("chat.send", text="who is it?")
        assert "forbidden" == line.command("chat.send", text="me")["error"]["code"]
        table.referee.does("seat.admit", seat=bo.seat)
        told = line.until("welcome")["welcome"]
        assert "here" == told["you"]["status"]
        assert "Secret plans" == told["snapshot"]["table"]["title"]
        assert line.command("chat.send", text="me")["ok"]


def test_who_is_refused_at_the_door_is_sent_away(serving):
    """The line is closed with the reason, and not a word more is said about the table."""
    table = Founded(serving.address, knock=True)
    bo = table.join()
    with bo.socket() as line:
        table.referee.does("seat.refuse", seat=bo.seat)
        assert line.closed() in (4401, 4410)
        assert 0 == len(line.seqs)
        assert [{"protocol": 3, "table": bo.table, "you": line.welcome["you"]}] == [
            frame["welcome"] for frame in line.frames if "welcome" in frame
        ]


def test_a_removed_seat_is_sent_away_at_once(table):
    """Its socket is closed, and its token is good no more."""
    bo = table.join()
    with bo.socket() as line:
        table.referee.does("seat.remove", seat=bo.seat)
        assert line.closed() in (4401, 4410)
    assert bo.ask("GET").status_code in (401, 410)
    assert not bo.tries("chat.send", text="still here")["ok"]


def test_a_moved_seat_leaves_the_old_device(table):
    """The old token's socket is closed, the new one works."""
    token, hashed = new_token()
    bo = table.join()
    with bo.socket() as line:
        bo.does("seat.move", token_hash=hashed)
        assert 4401 == line.closed()
    with Guest(table.address, table.id, token).socket() as line:
        assert bo.seat == line.welcome["you"]["seat"]


def test_a_rotated_link_closes_the_sockets_that_watch_by_it(table):
    """Whoever watched with the old link is sent away."""
    _, hashed = new_token()
    with table.link("spectator").socket() as line:
        table.referee.does("link.rotate", role="spectator", token_hash=hashed)
        assert 4401 == line.closed()


def test_ping_is_answered(table):
    """With the same sign, so that a client can measure."""
    with table.referee.socket() as line:
        line.send({"ping": 7})
        assert {"pong": 7} == line.until("pong")


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "null",
        "[]",
        "7",
        '{"hello": {}}',
        '{"ping": {}}',
        '{"unknown": 1}',
        "[" * 5000,
        '{"ping": "' + "x" * 100 + '"}',
        b"\x00\x01",
    ],
)
def test_a_message_that_is_none_is_told_so(table, message):
    """The client gets an error and may go on."""
    with table.referee.socket() as line:
        line.send(message)
        assert "bad_request" == line.until("error")["error"]["code"]
        line.send({"ping": 1})
        line.until("pong")


def test_too_many_wrong_messages_end_the_talk(table):
    """A client that only talks nonsense is closed with a reason."""
    with table.referee.socket() as line:
        for _ in range(MOST_MISTAKES + 1):
            line.send("nonsense")
        assert 1008 == line.closed()
        assert "bad_request" == line.bye["code"]


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ("nonsense", 1008),
        ({"ping": 1}, 1008),
        ({"hello": {"protocol": 3, "token": "short"}}, 4401),
        ({"hello": {"protocol": 3, "token": None}}, 4401),
        ({"hello": {"protocol": 3, "token": "A" * 43}}, 4401),
        ({"hello": {"protocol": 3, "token": "A" * 43, "after": -1}}, 1008),
        ({"hello": {"protocol": 3, "token": "A" * 43, "after": True}}, 1008),
        ({"hello": {"protocol": 3, "token": "A" * 43, "recent": 10**9}}, 1008),
        ({"hello": {"token": "A" * 43}}, 4426),
        ({"hello": {"protocol": 2, "token": "A" * 43}}, 4426),
        ({"hello": {"protocol": 4, "token": "A" * 43}}, 4426),
        ({"hello": {"protocol": True, "token": "A" * 43}}, 4426),
        ({"hello": {"protocol": "3" * 10_000, "token": "A" * 43}}, 4426),
    ],
)
def test_who_does_not_say_hello_properly_is_sent_away(table, hello, code):
    """With the reason, and without a word about the table."""
    with Line(table.referee, hello=False) as line:
        line.send(hello)
        assert code == line.closed()
        assert ["bye"] == [key for frame in line.frames for key in frame]


def test_a_client_of_another_time_is_told_what_to_do(table):
    """With a code of its own and the server's number; the welcome of others has it too."""
    with Line(table.referee, hello=False) as line:
        line.send({"hello": {"protocol": 2, "token": table.referee.token}})
        assert 4426 == line.closed()
        assert "protocol" == line.bye["code"]
        assert "protocol 3" in line.bye["message"]
        assert "reload" in line.bye["message"]
    with table.referee.socket() as line:
        assert 3 == line.welcome["protocol"]


@pytest.mark.long
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=200),
            st.binary(max_size=200),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(
                        st.sampled_from(["command", "ping", "hello", "id", "do", "token", "x"]),
                        inner,
                        max_size=3,
                    )
                ),
                max_leaves=8,
            ).map(json.dumps),
        ),
        max_size=15,
    )
)
def test_whatever_comes_the_server_goes_on(serving, messages):
    """Any text, bytes or JSON: an error, an ack or a close, and never an internal failure."""
    table = Founded(serving.address)
    with table.referee.socket() as line:
        for message in messages:
            line.send(message)
        line.send({"ping": "end"})
        while line.read().get("pong") != "end":
            pass
        assert "internal" not in json.dumps(line.frames)


def test_a_table_that_does_not_exist_has_no_socket_to_talk_on(serving):
    """The token is refused, whatever the table is called."""
    for name in ("aaaaaaaaaaaa", "x", "a" * 500, "..%2f..", "%00"):
        guest = Guest(serving.address, name, secrets.token_urlsafe(32))
        try:
            with Line(guest, hello=False) as line:
                line.send({"hello": {"protocol": 3, "token": guest.token}})
                assert 4401 == line.closed()
        except InvalidStatus as refused:
            assert refused.response.status_code in (400, 403)  # noqa: PT017


def test_who_left_is_forgotten(serving, table):
    """Nothing of a connection stays behind when it is closed or torn."""
    wait_until(lambda: not serving.services.connections)  # those of other tests
    with table.referee.socket():
        torn = table.referee.socket()
        torn.line.socket.close()
    room = serving.services.registry.find(table.id)
    wait_until(lambda: not serving.services.connections)
    assert (set(), set()) == (room.broadcast.live, room.broadcast.guests)


def test_the_end_of_the_server_is_told(tmp_path):
    """Everybody gets a goodbye and a close that says: come again."""
    with Serving(tmp_path / "table.sqlite") as server:
        table = Founded(server.address)
        line = table.referee.socket()
    assert 1012 == line.closed()
    assert "shutdown" == line.bye["code"]
    line.close()


def test_a_roll_waits_for_its_choice_across_a_restart(tmp_path):
    """An open roll goes on in another process, from the log alone."""
    token = secrets.token_urlsafe(32)
    with Serving(tmp_path / "table.sqlite") as server:
        table = Founded(server.address, game="twilight2000")
        asked = {"roll": "skill", "attribute": "B", "skill": "C"}
        ack = table.referee.does(
            "roll.start", request=asked, physical=True, nonce=nonce(), note=token
        )
        roll = ack["events"][0]["body"]["roll"]
    with Serving(tmp_path / "table.sqlite") as server:
        referee = Guest(server.address, table.id, table.referee.token)
        assert [roll] == [*referee.ask("GET").json()["rolls"]]
        assert "choice" == _after(referee.does("roll.enter", roll=roll, faces=[2, 3]))["step"]
        pushed = referee.does("roll.choose", roll=roll, option="push", nonce=nonce())
        assert _after(pushed)["step"] in ("throw", "done")


def _after(ack):
    return [event["body"]["after"] for event in ack["events"] if "after" in event["body"]][-1]


@pytest.mark.parametrize("way", ["query", "header"])
def test_a_refusal_comes_in_the_language_of_the_socket(table, way):
    """As the page asks for it, or the browser; the code stays the same for programs."""
    bo = table.join()
    asked = {"language": "de"} if way == "query" else {"headers": {"accept-language": "de-AT"}}
    with bo.socket(**asked) as line:
        error = line.command("session.end")["error"]
    assert "forbidden" == error["code"]
    assert "session.end darf nur die Spielleitung; du spielst mit" == error["message"]
    with bo.socket() as line:
        error = line.command("session.end")["error"]
    assert "session.end is for a referee; you are a player" == error["message"]


def test_what_http_refuses_is_in_the_readers_language(table):
    """Who may do what, also where no command is given."""
    stranger = Guest(table.referee.address, table.referee.table, new_token()[0])
    answer = stranger.ask("GET", "/log.json", headers={"accept-language": "fr"})
    said = answer.json()["error"]["message"]
    assert "ce lien n’ouvre pas cette table ; demande-en un nouveau" == said
