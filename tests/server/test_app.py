"""The app over HTTP: its routes, its headers, its page, and how it fails."""

import asyncio
import socket
from urllib.parse import unquote

import httpx
import pytest
from nacl.signing import SigningKey
from starlette.routing import Route

from rollwright.server.app import behind_checks
from rollwright.server.routes.site import PageFiles
from rollwright.server.settings import Settings
from rollwright.table.events import chain_hash, digest_of, first_hash
from rollwright.table.fairness import handover_commitment, handover_of
from rollwright.table.imports import rebase
from rollwright.table.verify.log import verify_log
from tests.server.guests import API, CLIENT, Guest, Serving, new_id, new_token

PAGE = {
    "index.html": "<!doctype html><title>Rollwright</title>",
    "assets/page-ABCD2345.js": "console.log(1)\n" * 200,
    "manifest.webmanifest": "{}",
    "secret.map": "{}",
}


class Inside:
    """An app that is asked without a network."""

    def __init__(self, endpoint):
        self.app = behind_checks([Route("/{path:path}", endpoint)], Settings())

    def get(self, path, headers=None):
        """One request."""

        async def asked():
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
                return await client.get(path, headers=headers)

        return asyncio.run(asked())


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for all tests of this module."""
    with Serving(tmp_path_factory.mktemp("app") / "table.sqlite") as server:
        yield server


@pytest.fixture
def page(tmp_path):
    """The app of a page that has been built."""
    for name, text in PAGE.items():
        place = tmp_path / "page" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return Inside(PageFiles(tmp_path / "page").serve)


def get(serving, path, **headers):
    """One request without a token."""
    return CLIENT.get(serving.address + path, headers=headers)


def test_it_lives_and_is_ready(serving):
    """Health says that the process answers, readiness that the database does."""
    assert {"ok": True} == get(serving, "/health").json()
    ready = get(serving, "/ready")
    assert 200 == ready.status_code
    told = {"ok": True, "database": "up", "redis": "none", "closing": False, "backup": "off"}
    assert told == ready.json()


def test_a_table_is_made_joined_rolled_at_and_read_again(serving, table):
    """The main job over HTTP alone: create, join, roll, look, and the log has it all."""
    bo = table.join("Bo")
    ack = bo.rolls("4d6kh3")
    assert ["roll.started", "roll.thrown"] == [event["kind"] for event in ack["events"]]
    looked = table.referee.ask("GET").json()
    assert ack["last"] == looked["head"]
    assert ["Ada", "Bo"] == [seat["name"] for seat in looked["seats"]]
    part = bo.ask("GET", f"/events?after={ack['first'] - 1}").json()
    assert ack["events"] == part["events"]


def test_making_a_table_twice_with_the_same_id_makes_one(serving, table):
    """A retry of a creation whose answer was lost finds the table that was made."""
    again = Guest(serving.address).ask("POST", body=table.asked)
    assert (200, table.id) == (again.status_code, again.json()["table"])


def test_joining_twice_with_the_same_id_takes_one_seat(table):
    """A retry of a join whose answer was lost finds the seat that was taken."""
    _, hashed = new_token()
    asked = {"id": new_id(), "name": "Bo", "token_hash": hashed}
    first = table.link().ask("POST", "/join", asked).json()
    assert first == table.link().ask("POST", "/join", asked).json()
    assert 2 == len(table.referee.ask("GET").json()["seats"])


def test_a_command_sent_twice_happens_once(table):
    """The second time it gets the first one's acknowledgement, whatever it says now."""
    command = {"id": new_id(), "do": "roll.start", "expression": "2d6", "nonce": ""}
    first = table.referee.ask("POST", "/commands", command).json()
    again = table.referee.ask("POST", "/commands", {**command, "expression": "3d8"}).json()
    assert first == again
    assert first["last"] == table.referee.ask("GET").json()["head"]


def test_a_link_shows_the_door_and_no_more(table):
    """Who may join but has not sees the game and the title, no seat and no event."""
    door = table.link("player").ask("GET").json()
    assert {"door"} == set(door)
    assert ("player", False) == (door["door"]["role"], door["door"]["knock"])
    assert 403 == table.link("player").ask("GET", "/events").status_code


def test_a_spectators_link_watches_without_a_seat(table):
    """It reads everything that is open, and does nothing."""
    table.referee.rolls()
    watcher = table.link("spectator")
    assert watcher.ask("GET").json()["you"] is None
    assert "body" in watcher.ask("GET", "/events?after=3").json()["events"][0]
    assert "forbidden" == watcher.tries("chat.send", text="hello")["error"]["code"]


def test_the_log_is_paged_in_both_directions(table):
    """`after` goes on from a place, `before` goes back from one, both in the log's order."""
    for _ in range(4):
        table.referee.rolls()

    def seqs(query):
        return [
            event["seq"] for event in table.referee.ask("GET", f"/events?{query}").json()["events"]
        ]

    assert [3, 4, 5] == seqs("after=2&limit=3")
    assert [6, 7] == seqs("before=8&limit=2")
    assert [1, 2] == seqs("before=3&limit=50")
    assert [] == seqs("after=10")
    assert [] == seqs("before=1")


ZEROS = "0" * 17


@pytest.mark.parametrize(
    "query",
    [
        *("after=-1", "limit=0", "limit=x", "recent=9999999", "before=²"),
        *(f"limit={ZEROS}5000", f"recent={ZEROS}99999", f"before={ZEROS}{'9' * 5000}"),
    ],
)
def test_wrong_numbers_are_refused(table, query):
    """A number that is none, or out of bounds, is named."""
    path = "" if "recent" in query else "/events"
    answer = table.referee.ask("GET", f"{path}?{query}")
    assert (422, "bad_field") == (answer.status_code, answer.json()["error"]["code"])


@pytest.mark.long
def test_what_is_taken_away_is_there_in_every_form(table):
    """The log, the history in words and as a table, and the statistics."""
    table.referee.rolls("4d6")
    log = table.referee.ask("GET", "/log.json")
    assert [1, 2, 3, 4] == [event["seq"] for event in log.json()["events"]]
    assert "attachment" in log.headers["content-disposition"]
    assert "Ada" in table.referee.ask("GET", "/history.md").text
    assert "4d6" in table.referee.ask("GET", "/history.csv").text
    assert 200 == table.referee.ask("GET", "/statistics").status_code


@pytest.mark.long
def test_a_table_is_taken_to_another_server(tmp_path, table):
    """The referee's log is checked and gone on with; a changed one is refused, as is a second."""
    bo = table.join("Bo")
    bo.rolls("4d6")
    log = table.referee.ask("GET", "/log.json").json()
    token, hashed = new_token()
    asked = {**log, "id": new_id(), "tokens": {"seat": hashed}}
    with Serving(tmp_path / "other.sqlite") as server:
        made = Guest(server.address).ask("POST", "/import", asked)
        assert (201, table.id, "s1") == (
            made.status_code,
            made.json()["table"],
            made.json()["seat"],
        ), made.text
        referee = Guest(server.address, table.id, token)
        ack = referee.rolls("2d6")
        assert len(log["events"]) + 2 == ack["first"]
        again = Guest(server.address).ask("POST", "/import", {**asked, "id": new_id()})
        assert 409 == again.status_code
    log["events"][-1]["body"]["faces"][0] = log["events"][-1]["body"]["faces"][0] % 6 + 1
    forged = Guest(table.address).ask("POST", "/import", asked)
    assert (400, "bad_request") == (forged.status_code, forged.json()["error"]["code"])


def chained_anew(log, imported=False):
    """The log with a handover of one's own: founded with it, or brought by it in the end."""
    secret, before, events = bytes(32), first_hash(log["table"]), []
    drafts = [(event["kind"], event["body"], event["open"], event) for event in log["events"]]
    if imported:
        own = rebase(len(drafts), secret, (), by="s1")
        drafts.append((own.kind, own.body, own.open, {**log["events"][-1], "texts": {}}))
    else:
        drafts[0][1]["handover"] = handover_commitment(handover_of(secret))
    for seq, (kind, body, open_, event) in enumerate(drafts, 1):
        digest = digest_of(event["salt"], body)
        hash_ = chain_hash(before, seq, event["at"], kind, open_, digest)
        told = {"seq": seq, "kind": kind, "body": body, "open": open_}
        events.append({**event, **told, "digest": digest, "hash": hash_})
        before = hash_
    forged = {**log, "for": "s1", "handover": handover_of(secret).hex(), "events": events}
    assert verify_log(forged).ok
    return forged


@pytest.mark.long
def test_a_player_who_kept_the_log_does_not_become_referee(table):
    """A deleted table comes back by a referee's copy, and says who brought it; by no other."""
    bo = table.join("Bo")
    before = bo.ask("GET", "/log.json").json()  # dice would not follow from another first event
    bo.rolls("4d6")
    # What a log proves it proves by hashes that anybody can make: so the server remembers the id.
    kept, referees = (who.ask("GET", "/log.json").json() for who in (bo, table.referee))
    assert ("handover" in referees, "handover" in kept) == (True, False)
    assert 200 == table.referee.ask("DELETE").status_code
    token, hashed = new_token()
    for claimed in (kept, {**kept, "for": "s1"}, {**kept, "handover": "ab" * 32}):
        asked = {**claimed, "id": new_id(), "seat": "s1", "tokens": {"seat": hashed}}
        refused = Guest(table.address).ask("POST", "/import", asked)
        assert (403, "forbidden") == (refused.status_code, refused.json()["error"]["code"])
    for own in (chained_anew(before), chained_anew(kept, imported=True)):
        asked = {**own, "id": new_id(), "tokens": {"seat": hashed}}
        refused = Guest(table.address).ask("POST", "/import", asked)
        assert (403, True) == (refused.status_code, "was deleted here" in refused.text)
    asked = {**referees, "id": new_id(), "tokens": {"seat": hashed}}
    assert 201 == Guest(table.address).ask("POST", "/import", asked).status_code
    events = Guest(table.address, table.id, token).ask("GET", "/events?after=0").json()["events"]
    assert ("table.imported", "s1") == (events[-1]["kind"], events[-1]["body"]["by"])
    assert 401 == bo.ask("GET").status_code


def test_a_referee_who_brings_a_log_signs_from_another_device(table):
    """A page of another host has no key of before; the log says that nobody signed the new one in.

    A key that is none, and one that the log knows already, bring no device. The first key of all
    is one that nobody signed in either.
    """
    known = SigningKey.generate().verify_key.encode().hex()
    table.referee.does("seat.move", token_hash=new_token()[1], keep_old=True, key=known)
    log = table.referee.ask("GET", "/log.json").json()
    assert 200 == table.referee.ask("DELETE").status_code
    token, hashed = new_token()
    asked = {**log, "tokens": {"seat": hashed}}
    refused = Guest(table.address).ask("POST", "/import", {**asked, "id": new_id(), "key": "no"})
    assert (422, "bad_field") == (refused.status_code, refused.json()["error"]["code"])
    fresh = SigningKey.generate().verify_key.encode().hex()
    for number, key in enumerate((known, fresh)):
        brought = Guest(table.address).ask("POST", "/import", {**asked, "id": new_id(), "key": key})
        assert 201 == brought.status_code, brought.text
        referee = Guest(table.address, table.id, token)
        taken = referee.ask("GET", "/log.json").json()
        assert ["table.imported", "seat.moved"][: number + 1] == [
            event["kind"] for event in taken["events"][len(log["events"]) :]
        ]
        report = verify_log(taken)
        assert report.ok, report.sentences()
        assert 1 + number == report.counts["keys replaced unsigned"]
        assert 200 == referee.ask("DELETE").status_code


def test_a_referee_deletes_the_table(table):
    """Nobody else may; afterwards nothing of it is found, and its sockets are closed."""
    bo = table.join()
    assert 403 == bo.ask("DELETE").status_code
    with bo.socket() as line:
        assert 200 == table.referee.ask("DELETE").status_code
        assert 4410 == line.closed()
        assert "gone" == line.bye["code"]
    assert 401 == table.referee.ask("GET").status_code


def test_the_numbers_are_counted(serving, table):
    """Rolls, events and append latency can be read by Prometheus, and nothing else."""
    table.referee.rolls()
    page = get(serving, "/metrics").text
    assert 'rollwright_events_total{kind="roll.thrown"}' in page
    assert "rollwright_append_seconds_count" in page
    assert table.id not in page


def test_the_numbers_can_be_kept_back(tmp_path):
    """A host who does not want to tell them does not."""
    with Serving(tmp_path / "table.sqlite", metrics="off") as server:
        assert 404 == get(server, "/metrics").status_code


def test_every_answer_has_the_headers_that_keep_browsers_safe(serving):
    """No scripts of others, no guessing of types, no referrer, no frames."""
    for path in ("/", "/t/abc", f"{API}/", f"{API}/nothing", "/health"):
        headers = get(serving, path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "http" not in policy
        assert "nosniff" == headers["x-content-type-options"]
        assert "no-referrer" == headers["referrer-policy"]


ODDS = '{"expression": "1d6"}'
LENGTH = f"Content-Type: application/json\r\nContent-Length: {len(ODDS)}\r\n"
FRAMED = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'


@pytest.mark.parametrize("above", ["", "/dice"])
@pytest.mark.parametrize(
    ("path", "framed"),
    [
        ("/workbench?embed", True),
        ("/workbench/?x=1&embed", True),
        ("/workbench?embed=1", True),
        ("/workbench", False),
        ("/?embed", False),
        ("/t/abc?embed", False),
        ("//workbench?embed", False),
        ("/workbench//?embed", False),
        ("/%77orkbench?embed", False),
        ("/workbench%2f?embed", False),
        ("/workbench?%65mbed", False),
        ("/workbench?unembed", False),
    ],
)
def test_only_what_the_page_knows_as_its_workbench_may_be_framed(tmp_path, path, framed, above):
    """The page reads its address as it is written: what decodes to the workbench shows the rest of
    the app, with tables and tokens, and stays out of the frames of others.
    """
    (tmp_path / "index.html").write_text(FRAMED, "utf-8")
    route = Route("/{path:path}", PageFiles(tmp_path, root_path=above).serve)
    app = behind_checks([route], Settings(root_path=above))
    written, _, query = path.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "headers": [(b"host", b"x")],
        "path": above + unquote(written),
        "raw_path": (above + written).encode(),
        "query_string": query.encode(),
        "client": ("127.0.0.1", 1),
    }
    headers = asyncio.run(headers_of(app, scope))
    policy = headers["content-security-policy"]
    assert f"frame-ancestors {'*' if framed else chr(39) + 'none' + chr(39)}" in policy
    assert framed is ("x-frame-options" not in headers)


async def headers_of(app, scope):
    """The headers of what an app answers."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(scope, receive, send)
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize("kind", ["GET", "POST", "socket"])
def test_a_request_with_two_hosts_is_refused(serving, table, kind):
    """Whoever stands before us may have gone by the other one (RFC 9112, 3.2)."""
    path = f"{API}/tables/{table.id}/socket" if kind == "socket" else f"{API}/odds"
    upgrade = (
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    )
    own = f"Host: 127.0.0.1:{serving.port}\r\n"
    method = "POST" if kind == "POST" else "GET"
    for hosts in (own + own, own + "Host: elsewhere.example\r\n"):
        rest = upgrade if kind == "socket" else f"Connection: close\r\n{LENGTH}"
        with socket.create_connection(("127.0.0.1", serving.port), timeout=60) as line:
            line.sendall(f"{method} {path} HTTP/1.1\r\n{hosts}{rest}\r\n{ODDS}".encode())
            assert (b"HTTP/1.1 403" if kind == "socket" else b"HTTP/1.1 400") == line.recv(12)


def test_what_is_not_there_is_told_as_json(serving):
    """An unknown route of the API and a wrong method have a code and a sentence."""
    lost = get(serving, f"{API}/nothing")
    assert (404, "not_found") == (lost.status_code, lost.json()["error"]["code"])
    wrong = CLIENT.put(f"{serving.address}{API}/games")
    assert (405, "not_allowed") == (wrong.status_code, wrong.json()["error"]["code"])
    assert "GET" in wrong.headers["allow"]


def test_a_page_that_was_not_built_is_told_honestly(tmp_path):
    """It says so, and where the API is, with a status that no monitor takes for success."""
    answer = Inside(PageFiles(tmp_path / "nothing").serve).get("/")
    assert 503 == answer.status_code
    assert "has not been built" in answer.text
    assert "<script" not in answer.text


def test_the_page_is_served_for_every_address_it_shows(page):
    """Links to tables and to its views lead to the page itself, asked for anew each time."""
    for path in ("/", "/t/abcdefghij23", "/roll", "/explore", "/index.html"):
        answer = page.get(path)
        assert (200, PAGE["index.html"]) == (answer.status_code, answer.text)
        assert "no-cache" == answer.headers["cache-control"]
        tag = answer.headers["etag"]
        assert 304 == page.get(path, headers={"if-none-match": tag}).status_code


def test_files_named_by_their_hash_are_kept_for_ever(page):
    """They are compressed too, and typed."""
    answer = page.get("/assets/page-ABCD2345.js")
    assert PAGE["assets/page-ABCD2345.js"] == answer.text
    assert "public, max-age=31536000, immutable" == answer.headers["cache-control"]
    assert "gzip" == answer.headers["content-encoding"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "no-cache" == page.get("/manifest.webmanifest").headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/secret.map", "/../settings.py", "/assets/%2e%2e/%2e%2e/app.py", "//etc/passwd.txt"]
)
def test_only_files_of_the_page_are_served(page, path):
    """A path that leads out of the folder leads nowhere."""
    assert 404 == page.get(path).status_code


def test_a_failure_that_nobody_expected_tells_nothing(caplog):
    """Its number is in the answer and in the log; what went wrong only in the log."""

    async def broken(request):
        raise ZeroDivisionError("the secret is Rumpelstilzchen")

    answer = Inside(broken).get("/")
    assert (500, "internal") == (answer.status_code, answer.json()["error"]["code"])
    assert "Rumpelstilzchen" not in answer.text
    (record,) = [record for record in caplog.records if hasattr(record, "failure")]
    assert record.failure in answer.text


@pytest.mark.long
def test_other_sites_may_use_the_api_only_when_they_are_named(tmp_path, serving):
    """Without --cors no header invites them; with it, those that are named and no others."""
    asking = {"origin": "https://tool.example"}
    assert "access-control-allow-origin" not in get(serving, f"{API}/games", **asking).headers
    with Serving(tmp_path / "t.sqlite", cors=("https://tool.example",)) as server:
        answer = get(server, f"{API}/games", **asking)
        assert "https://tool.example" == answer.headers["access-control-allow-origin"]
        assert "access-control-allow-credentials" not in answer.headers
        other = get(server, f"{API}/games", origin="https://other.example")
        assert "access-control-allow-origin" not in other.headers
        posted = CLIENT.post(
            f"{server.address}{API}/odds", json={"expression": "d6"}, headers=asking
        )
        assert 200 == posted.status_code
