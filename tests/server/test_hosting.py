"""What a host decides and sees: who makes tables, administration, bans, quotas, logs, numbers."""

import json
import os
import signal

import pytest
from sqlalchemy import text

from rollwright.client import Server, key_of
from rollwright.server.administration import DatabaseAdmin
from rollwright.server.bans import Ban, Bans, add_ban, network_of
from rollwright.server.keys import ADMIN, MAKE, add_key, hashes_of, new_token
from rollwright.server.logs import AddressFormat, LineFile
from rollwright.server.settings import BadSetting, Settings
from rollwright.server.storage.backups import backup, open_connection, restore
from rollwright.server.storage.databases import address
from rollwright.server.storage.inventory import upgrade_database
from rollwright.table.errors import CodedError
from tests.server.guests import API, CLIENT, Founded, Guest, Serving, new_id, wait_until
from tests.server.guests import new_token as new_seat_token

pytestmark = pytest.mark.long

HOSTS = "h" * 40
PHRASE = "open sesame, please"
USUAL_JOINS = {
    "joins_per_minute": Settings().joins_per_minute,
    "trust_proxy": ("127.0.0.1",),
    "tables": "anybody",
}


def serving(tmp_path, **settings):
    """A server whose host has a token."""
    return Serving(tmp_path / "table.sqlite", admin_token=HOSTS, **settings)


def asked():
    """The body of a request for a new table."""
    hashes = {role: new_seat_token()[1] for role in ("seat", "referee", "player", "spectator")}
    return {"id": new_id(), "name": "Ada", "tokens": hashes}


def make(server, key="", **headers):
    """Try to make a table; what the server answers."""
    return Guest(server.address, token=key).ask("POST", body=asked(), headers=headers)


def admin(server, method, path, body=None, token=HOSTS):
    """What the host asks for."""
    headers = {"authorization": f"Bearer {token}"}
    sent = {} if body is None else {"json": body}
    return CLIENT.request(method, f"{server.address}{API}/admin{path}", headers=headers, **sent)


def lines(file):
    """What a log says."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("settings", "who"),
    [
        ({}, "anybody"),
        ({"host": "::1"}, "anybody"),
        ({"host": "0.0.0.0"}, "host"),
        ({"host": "192.0.2.7"}, "host"),
        ({"lan": True}, "host"),
        ({"trust_proxy": ("127.0.0.1",)}, "host"),
        ({"origins": ("https://dice.example",)}, "host"),
        ({"root_path": "/dice"}, "host"),
        ({"host": "0.0.0.0", "tables": "anybody"}, "anybody"),
        ({"tables": "passphrase", "passphrase": PHRASE}, "passphrase"),
    ],
)
def test_who_makes_tables_depends_on_who_can_come(settings, who):
    """On one's own machine anybody; where others can come only the host, unless it is said."""
    assert who == Settings(**settings).makers


def test_only_the_host_makes_tables_where_it_is_said_so(tmp_path):
    """A stranger is told plainly; the host's token and a key that the host gave are good."""
    with serving(tmp_path, tables="host") as server:
        assert "host" == CLIENT.get(f"{server.address}{API}/").json()["tables"]
        refused = make(server)
        assert 401 == refused.status_code
        assert "only the host makes tables here" in refused.json()["error"]["message"]
        assert 401 == make(server, new_token()).status_code
        assert 201 == make(server, HOSTS).status_code
        key = admin(server, "POST", "/keys", {"days": 3}).json()["key"]
        assert 201 == make(server, key).status_code
        assert {"ok": True, "keys": 1} == admin(server, "DELETE", "/keys").json()
        assert 401 == make(server, key).status_code


def test_a_key_to_make_tables_does_not_administer(tmp_path):
    """It is for that alone."""
    with serving(tmp_path, tables="host") as server:
        key = admin(server, "POST", "/keys", {"days": 3}).json()["key"]
        assert 401 == admin(server, "GET", "/tables", token=key).status_code


def test_a_proxy_that_nobody_named_lets_no_stranger_make_tables(tmp_path):
    """On a loopback address without a word anybody may, but not through a proxy."""
    with serving(tmp_path, tables="auto") as server:
        assert 201 == make(server).status_code
        assert 401 == make(server, **{"x-forwarded-for": "203.0.113.9"}).status_code


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:7655", 201),
        ("dice.localhost", 201),
        ("127.0.0.1:80", 201),
        ("[::1]:7655", 201),
        ("dice.example", 401),
        ("localhost.example:7655", 401),
        ("192.0.2.7:7655", 401),
        ("x:y:z", 401),
    ],
)
def test_a_server_that_goes_by_another_name_is_no_private_one(tmp_path, host, status):
    """A proxy that passes on nothing but the name, or a name that leads here, lets nobody make."""
    with serving(tmp_path, tables="auto") as server:
        assert status == make(server, host=host).status_code


def test_an_import_counts_as_making_a_table(tmp_path):
    """Whoever may not make tables may not bring one either, and its log is not even read."""
    with serving(tmp_path) as server:
        log = Founded(server.address).referee.ask("GET", "/log.json").json()
    with serving(tmp_path, tables="host") as server:
        brought = Guest(server.address).ask("POST", "/import", {**log, "id": new_id()})
        assert 401 == brought.status_code
        allowed = Guest(server.address, token=HOSTS).ask("POST", "/import", {**log, "id": "short"})
        assert (422, "id") == (allowed.status_code, allowed.json()["error"]["field"])


def test_a_passphrase_lets_people_make_tables(tmp_path):
    """It is sent as a token that is made from it; spaces around it do not matter."""
    chosen = {"tables": "passphrase", "passphrase": PHRASE}
    with serving(tmp_path, **chosen) as server:
        assert "passphrase" == CLIENT.get(f"{server.address}{API}/").json()["tables"]
        assert 401 == make(server).status_code
        assert 401 == make(server, key_of("open sesame")).status_code
        assert 201 == make(server, key_of(f" {PHRASE} ")).status_code
        with Server(server.address) as client:
            assert client.create_table(name="Ana", key=key_of(PHRASE)).links


def test_whoever_guesses_a_passphrase_must_wait_even_with_the_right_one(tmp_path, countable):
    """A passphrase can be guessed, so that the right guess must not come through the throttle."""
    chosen = {"tables": "passphrase", "passphrase": PHRASE, "wrong_tokens": 4}
    with serving(tmp_path, **chosen) as server:
        for number in range(4):
            assert 401 == make(server, key_of(f"guess {number}")).status_code
        assert 429 == make(server, key_of(PHRASE)).status_code
        page = CLIENT.get(f"{server.address}/metrics").text
        assert 'rollwright_wrong_tokens_total{kind="make"} 4.0' in page


@pytest.mark.parametrize(
    ("chosen", "word"),
    [
        ({"tables": "passphrase"}, "set passphrase too"),
        ({"passphrase": PHRASE}, "nobody is asked for it"),
        ({"tables": "passphrase", "passphrase": "short"}, "8 or more"),
        ({"admin_token": "short"}, "32 or more"),
        ({"metrics_token": "ü" * 40}, "letters and digits"),
        ({"tables": "friends"}, "auto or anybody"),
    ],
)
def test_secrets_that_cannot_be_are_refused_without_being_said(chosen, word):
    """Each with what would do; the secret itself is in no message and no repr."""
    with pytest.raises(BadSetting, match=word) as refused:
        Settings(**chosen)
    assert "short" not in str(refused.value)
    assert HOSTS not in repr(Settings(admin_token=HOSTS))


def test_the_host_sees_sizes_and_times_and_no_words(tmp_path):
    """Tables in every order, with who is connected; no title and no name."""
    with serving(tmp_path) as server:
        small = Founded(server.address, title="Whispering Oaks")
        large = Founded(server.address)
        for _ in range(3):
            large.referee.does("chat.send", text="x" * 1000)
        with small.referee.socket():
            wait_until(lambda: server.services.registry.find(small.id).broadcast.presence.seats)
            found = admin(server, "GET", "/tables?order=size")
        assert "Whispering" not in found.text
        assert "Ada" not in found.text
        first, second = found.json()["tables"]
        assert (large.id, 5, 0) == (first["table"], first["events"], first["connected"])
        assert (small.id, 2, 1) == (second["table"], second["events"], second["connected"])
        assert 3000 < first["bytes"] - second["bytes"] < 6000
        assert first == admin(server, "GET", f"/tables/{large.id}").json()
        assert [second] == [
            {**one, "connected": 1}
            for one in admin(server, "GET", "/tables?order=size&skip=1").json()["tables"]
        ]
        assert 422 == admin(server, "GET", "/tables?order=title").status_code


@pytest.mark.parametrize("number", ["-1", "x", "1001", "0" * 17 + "5000", "0" * 17 + "9" * 5000])
def test_no_number_gets_past_its_bound(tmp_path, number):
    """However many zeros it begins with."""
    with serving(tmp_path) as server:
        refused = admin(server, "GET", f"/tables?limit={number}")
        assert (422, "limit") == (refused.status_code, refused.json()["error"]["field"])


def test_the_size_of_a_table_is_what_its_room_counts(tmp_path):
    """The number in the database and the one that `--table-bytes` limits are the same."""
    with serving(tmp_path) as server:
        table = Founded(server.address, title="Oaks")
        table.join().does("chat.send", text="ä" * 100)
        table.referee.rolls("3d6")
        kept = admin(server, "GET", f"/tables/{table.id}").json()["bytes"]
        assert server.services.registry.find(table.id).log_bytes == kept


def test_the_host_deletes_and_exports_a_table(tmp_path):
    """The export holds what is secret and verifies; deleted, its sockets are closed."""
    with serving(tmp_path) as server:
        table = Founded(server.address)
        bo = table.join()
        bo.rolls("2d6", visibility="private")
        log = admin(server, "GET", f"/tables/{table.id}/log.json").json()
        assert "host" == log["for"]
        assert all("body" in event for event in log["events"])
        checked = CLIENT.post(f"{server.address}{API}/verify", json={"log": log}).json()
        assert checked["true"], checked
        with bo.socket() as line:
            assert 200 == admin(server, "DELETE", f"/tables/{table.id}").status_code
            assert 4410 == line.closed()
        assert 404 == admin(server, "DELETE", f"/tables/{table.id}").status_code
        assert 404 == admin(server, "GET", "/tables/..%2fsecret").status_code


def test_nobody_else_administers(tmp_path, countable):
    """No token, a seat's and a guessed one are refused; guesses are counted and throttled."""
    with serving(tmp_path, wrong_tokens=3) as server:
        table = Founded(server.address)
        assert 401 == CLIENT.get(f"{server.address}{API}/admin/tables").status_code
        for token in (table.referee.token, new_token(), new_token()):
            assert 401 == admin(server, "GET", "/tables", token=token).status_code
        assert 429 == admin(server, "GET", "/tables", token=new_token()).status_code
        assert 200 == admin(server, "GET", "/tables").status_code
        page = CLIENT.get(f"{server.address}/metrics").text
        assert 'rollwright_wrong_tokens_total{kind="admin"} 4.0' in page


def test_the_token_of_the_database_is_good_until_a_new_one_is_made(tmp_path):
    """Only its hash lies there."""
    with Serving(tmp_path / "table.sqlite") as server:
        url, first, second = address(server.settings.database), new_token(), new_token()
        for token in (first, second):
            with open_connection(url) as connection:
                add_key(connection, token, ADMIN)
            assert 200 == admin(server, "GET", "/quotas", token=token).status_code
        assert 401 == admin(server, "GET", "/quotas", token=first).status_code
        with open_connection(url, reading=True) as connection:
            rows = connection.execute(text("SELECT * FROM keys")).all()
        assert 1 == len(rows)
        assert second not in str(rows)


def test_a_key_to_make_tables_ends(tmp_path):
    """After its days it is good for nothing."""
    with serving(tmp_path, tables="host") as server:
        key = new_token()
        with open_connection(address(server.settings.database)) as connection:
            add_key(connection, key, MAKE, -1)
        assert 401 == make(server, key).status_code


@pytest.mark.parametrize(
    ("given", "network"),
    [
        ("203.0.113.9", "203.0.113.9/32"),
        ("203.0.113.9/24", "203.0.113.0/24"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("::ffff:203.0.113.9", "203.0.113.9/32"),
    ],
)
def test_a_ban_covers_a_household(given, network):
    """An address is that address; of IPv6 it is the network that a household has."""
    assert network == network_of(given)


EVERYBODY = ("0.0.0.0/0", "::/0", "::ffff:0:0/96", "::ffff:10.0.0.0/100", "::/16")
OURSELVES = ("127.0.0.1", "127.0.0.0/8", "::1", "::ffff:127.0.0.1", "0.0.0.0")


@pytest.mark.parametrize("given", ["", "everybody", None, *EVERYBODY, *OURSELVES])
def test_what_cannot_be_banned_is_refused(given):
    """Neither nonsense, nor everybody, nor the server itself."""
    with pytest.raises(CodedError):
        network_of(given)


def test_bans_are_found_by_network_and_end():
    """Every length of prefix, each version by itself, and none that is over."""
    known = Bans()
    known.replace(
        [
            Ban("203.0.113.0/24", 0),
            Ban("198.51.100.7/32", 0),
            Ban("2001:db8::/64", 0),
            Ban("192.0.2.0/24", 0, 1),
        ]
    )
    kept_out = ("203.0.113.200", "198.51.100.7", "2001:db8::5", "::ffff:203.0.113.1")
    assert [True] * 4 == [known.has(one) for one in kept_out]
    let_in = ("203.0.114.1", "198.51.100.8", "2001:db8:0:1::5", "192.0.2.1", "local")
    assert [False] * 5 == [known.has(one) for one in let_in]


def test_a_ban_is_lifted_by_the_name_it_is_listed_under(tmp_path):
    """Also one that came from a database of somebody who could ban wider networks."""
    with serving(tmp_path) as server:
        wide = Ban("202.0.0.0/7", 1)
        with open_connection(address(str(tmp_path / "table.sqlite"))) as connection:
            add_ban(connection, wide)
        [listed] = admin(server, "GET", "/bans").json()["bans"]
        lifted = admin(server, "DELETE", f"/bans?network={listed['network']}")
        assert ({"ok": True}, []) == (lifted.json(), admin(server, "GET", "/bans").json()["bans"])


def test_whoever_is_banned_is_sent_away_and_stays_out(tmp_path):
    """Page, API and sockets; another address goes on; lifted, it may come again."""
    with serving(tmp_path, trust_proxy=("127.0.0.1",), tables="anybody") as server:
        table = Founded(server.address)
        bad, good = {"x-forwarded-for": "203.0.113.9"}, {"x-forwarded-for": "203.0.112.9"}
        with table.referee.socket(headers=bad) as line:
            made = admin(server, "POST", "/bans", {"network": "203.0.113.0/24", "hours": 1})
            assert (201, "203.0.113.0/24") == (made.status_code, made.json()["network"])
            assert 3_600_000 == made.json()["ends_at"] - made.json()["made_at"]
            assert 4403 == line.closed()
        for path in ("/", f"{API}/games", f"{API}/tables/{table.id}"):
            answer = CLIENT.get(f"{server.address}{path}", headers=bad)
            assert (403, "forbidden") == (answer.status_code, answer.json()["error"]["code"])
        assert 200 == CLIENT.get(f"{server.address}{API}/games", headers=good).status_code
        assert ["203.0.113.0/24"] == [
            one["network"] for one in admin(server, "GET", "/bans").json()["bans"]
        ]
        assert 404 == admin(server, "DELETE", "/bans?network=203.0.113.9").status_code
        assert 200 == admin(server, "DELETE", "/bans?network=203.0.113.0/24").status_code
        assert 200 == CLIENT.get(f"{server.address}{API}/games", headers=bad).status_code


def test_bans_survive_a_restart_and_reach_every_process(tmp_path, monkeypatch):
    """They lie in the database: the next server knows them, and one that runs learns of them."""
    chosen = {"trust_proxy": ("127.0.0.1",), "tables": "anybody"}
    bad = {"x-forwarded-for": "203.0.113.9"}
    with serving(tmp_path, **chosen) as server:
        assert 201 == admin(server, "POST", "/bans", {"network": "203.0.113.9"}).status_code
    monkeypatch.setattr("rollwright.server.maintenance.LEARN_SECONDS", 0.05)
    with serving(tmp_path, **chosen) as server:
        assert 403 == CLIENT.get(f"{server.address}{API}/", headers=bad).status_code
        with open_connection(address(server.settings.database)) as connection:
            connection.execute(text("DELETE FROM bans"))
        wait_until(lambda: CLIENT.get(f"{server.address}{API}/", headers=bad).status_code == 200)


def test_beyond_the_quota_of_the_disk_only_endings_are_taken(tmp_path):
    """New tables and events are refused and say why; an open roll can be ended."""
    with serving(tmp_path, disk_bytes=90_000) as server:
        table = Founded(server.address)
        waiting = table.referee.does("roll.start", expression="2d6", physical=True)
        event = table.referee.ask("GET", f"/events?after={waiting['first'] - 1}").json()["events"]
        while (ack := table.referee.tries("chat.send", text="x" * 1000))["ok"]:
            pass
        assert "disk_full" == ack["error"]["code"]
        assert "this server is full" in ack["error"]["message"]
        assert not any(sign.isdigit() for sign in ack["error"]["message"])
        refused = make(server)
        assert (507, "disk_full") == (refused.status_code, refused.json()["error"]["code"])
        table.referee.does("roll.cancel", roll=event[0]["body"]["roll"])
        used = admin(server, "GET", "/quotas").json()
        assert (1, 90_000) == (used["tables"], used["limits"]["disk_bytes"])
        assert 88_000 < used["log_bytes"] < 92_000
        assert used["database_bytes"] > used["log_bytes"]


def test_whether_a_full_server_takes_a_roll_does_not_go_by_its_dice(tmp_path):
    """Room for the longest throw is looked for before: else only the low rolls would stand."""
    with serving(tmp_path, disk_bytes=90_000) as server:
        table = Founded(server.address)
        bo = table.join()
        while (
            bo.tries("chat.send", text="x" * 1000)["ok"]
            and bo.tries("roll.start", expression="1d20", physical=True)["ok"]
        ):
            pass
        log = bo.ask("GET", "/log.json").json()["events"]
        refused = [bo.tries("roll.start", expression="100d1000")["error"] for _ in range(12)]
        assert {"disk_full"} == {error["code"] for error in refused}
        assert 1 == len({error["message"] for error in refused})
        assert log == bo.ask("GET", "/log.json").json()["events"]


def test_the_quota_counts_what_was_there_before(tmp_path):
    """After a restart a full server is still full, and deleting makes room."""
    with serving(tmp_path) as server:
        table = Founded(server.address)
        for _ in range(10):
            table.referee.does("chat.send", text="x" * 1000)
    with serving(tmp_path, disk_bytes=10_000) as server:
        assert 507 == make(server).status_code
        assert 200 == admin(server, "DELETE", f"/tables/{table.id}").status_code
        wait_until(lambda: make(server).status_code == 201)


def test_the_access_log_tells_routes_and_no_secrets(tmp_path):
    """Method, template, status, time, bytes; no token, no id, no name, and a short address."""
    file = tmp_path / "access.log"
    with serving(tmp_path, access_log=str(file)) as server:
        table = Founded(server.address, title="Oaks")
        bo = table.join("Bartholomew")
        with bo.socket():
            bo.rolls()
        CLIENT.get(f"{server.address}/t/{table.id}")
        CLIENT.get(f"{server.address}{API}/nothing/{bo.token}")
        wait_until(lambda: len(lines(file)) >= 6)
        told = file.read_text("utf-8")
    for secret in (bo.token, table.id, "Bartholomew", "Oaks", table.links["player"], "127.0.0.1"):
        assert secret not in told
    routes = {(one["method"], one["route"], one["status"]) for one in lines(file)}
    assert ("POST", f"{API}/tables", 201) in routes
    assert ("POST", f"{API}/tables/{{table}}/join", 201) in routes
    assert "SOCKET" in {method for method, _, _ in routes}
    first = lines(file)[0]
    assert {"at", "method", "route", "status", "ms", "bytes", "address"} == set(first)
    assert "127.0.0.0/24" == first["address"]
    assert first["bytes"] > 10


def test_the_audit_log_tells_who_administered_what(tmp_path):
    """Seats by their ids, the host as such; no names, no tokens."""
    file = tmp_path / "audit.log"
    with serving(tmp_path, audit_log=str(file), log_addresses="none") as server:
        table = Founded(server.address, title="Oaks")
        bo = table.join("Bartholomew")
        table.referee.does("link.rotate", role="player", token_hash=new_seat_token()[1])
        table.referee.does("seat.remove", seat="s2")
        admin(server, "GET", "/tables", token=new_token())
        admin(server, "POST", "/bans", {"network": "203.0.113.9"})
        admin(server, "DELETE", "/bans?network=203.0.113.9")
        admin(server, "GET", f"/tables/{table.id}/log.json")
        table.referee.ask("DELETE")
    told = file.read_text("utf-8")
    for secret in (bo.token, "Bartholomew", "Oaks", HOSTS, "127.0.0"):
        assert secret not in told
    assert [
        ("table.made", "anybody"),
        ("link.rotate", "seat s1"),
        ("seat.remove", "seat s1"),
        ("admin.refused", "somebody"),
        ("ban.made", "host"),
        ("ban.lifted", "host"),
        ("table.exported", "host"),
        ("table.deleted", "seat s1"),
    ] == [(one["did"], one["who"]) for one in lines(file)]
    assert {"table": table.id, "seat": "s2"}.items() <= lines(file)[2].items()


def test_a_log_can_be_moved_away_or_cut(tmp_path):
    """The next line goes to a new file, or to the beginning of the cut one."""
    path = tmp_path / "access.log"
    file = LineFile(str(path))
    file.write({"line": 1})
    path.rename(tmp_path / "access.log.1")
    file.write({"line": 2})
    assert [{"line": 2}] == lines(path)
    os.truncate(path, 0)
    file.write({"line": 3})
    assert [{"line": 3}] == lines(path)
    file.close()


def test_a_log_that_cannot_be_written_costs_no_answer(tmp_path, caplog):
    """The host is told once; a place that is not there is refused at the start."""
    folder = tmp_path / "logs"
    folder.mkdir()
    file = LineFile(str(folder / "access.log"))
    (folder / "access.log").unlink()
    folder.rmdir()
    file.write({"line": 1})
    file.write({"line": 2})
    assert 1 == len([one for one in caplog.records if "cannot be written" in one.message])
    with pytest.raises(BadSetting, match="cannot be written"):
        LineFile(str(folder / "access.log"))


def test_addresses_are_told_as_the_host_wants():
    """Not at all, shortened, as a hash that is alike for a household, or as they are."""
    one, other = "2001:db8:1:2::5", "2001:db8:1:2::6"
    assert None is AddressFormat("none").format(one)
    assert "2001:db8:1::/48" == AddressFormat("short").format(one)
    assert "203.0.113.0/24" == AddressFormat("short").format("203.0.113.77")
    assert one == AddressFormat("full").format(one)
    hashed = AddressFormat("hash")
    assert hashed.format(one) == hashed.format(other) != hashed.format("203.0.113.7")
    assert "2001" not in hashed.format(one)


def test_numbers_need_a_token_by_default(tmp_path, countable):
    """The host's, or one that is good for nothing else; guesses are throttled."""
    own = "m" * 40
    with serving(tmp_path, metrics="token", metrics_token=own, wrong_tokens=2) as server:
        place = f"{server.address}/metrics"

        def status(token):
            return CLIENT.get(place, headers={"authorization": f"Bearer {token}"}).status_code

        assert 401 == CLIENT.get(place).status_code
        assert [200, 200] == [status(own), status(HOSTS)]
        assert [401, 401, 429] == [status(new_token()) for _ in range(3)]
    assert "token" == Settings().metrics


def test_numbers_have_a_port_of_their_own_if_the_host_wants(tmp_path):
    """There they are open, while the public port tells nothing."""
    from tests.server.parts import free_port

    port = free_port()
    with serving(tmp_path, metrics="off", metrics_port=port) as server:
        assert 404 == CLIENT.get(f"{server.address}/metrics").status_code
        page = CLIENT.get(f"http://127.0.0.1:{port}/metrics").text
        assert "rollwright_process" in page


def test_the_numbers_tell_how_the_process_is(tmp_path):
    """Memory, processor, files, and how late the loop is; of the counting processes too."""
    with serving(tmp_path) as server:
        wait_until(
            lambda: server.services.metrics.lag._sum.get() >= 0 and server.services.workers.pids
        )
        page = CLIENT.get(f"{server.address}/metrics").text
    found = {}
    for line in page.splitlines():
        if line.startswith("rollwright_process{"):
            found[line.partition('"')[2].partition('"')[0]] = float(line.rpartition(" ")[2])
    assert found["resident_bytes"] > 10_000_000
    assert found["counters_resident_bytes"] > 10_000_000
    assert found["open_files"] > 3
    assert found["cpu_seconds"] > 0
    assert "rollwright_loop_lag_seconds_count" in page


def test_a_hangup_does_not_end_a_server_with_logs(tmp_path):
    """Logrotate sends one; without files to rotate it means what it always means."""
    from rollwright.server.process import hangups

    assert (signal.SIGHUP,) == hangups(Settings(access_log="access.log"))
    assert () == hangups(Settings(access_log="-"))
    assert () == hangups(Settings())


def test_a_flood_of_newcomers_does_not_fill_the_table(tmp_path, countable):
    """One address takes a dozen seats at once and no more; others still find one."""
    with serving(tmp_path, **USUAL_JOINS) as server:
        table = Founded(server.address)
        statuses = [_join(table, "203.0.113.9") for _ in range(64)]
        assert [201] * 12 + [429] * 52 == statuses
        assert [201] * 12 == [_join(table, f"198.51.100.{number}") for number in range(12)]
        assert 429 == _join(table, "198.51.100.99")
        assert 25 == len(server.services.registry.find(table.id).state.seats)


def test_a_household_sits_down_together(tmp_path, countable):
    """Eight people from one address in the same minute, at three tables."""
    with serving(tmp_path, **USUAL_JOINS) as server:
        for _ in range(3):
            table = Founded(server.address)
            assert [201] * 8 == [_join(table, "203.0.113.9") for _ in range(8)]


def _join(table, address):
    """Somebody from an address tries to sit down; the status of the answer."""
    token_hash = new_seat_token()[1]
    body = {"id": new_id(), "name": f"Bo {token_hash[:20]}", "token_hash": token_hash}
    forwarded = {"x-forwarded-for": address}
    return table.link().ask("POST", "/join", body, headers=forwarded).status_code


def test_bans_and_keys_go_with_a_backup(tmp_path):
    """A restored or moved server has the host, the bans and the keys of then, and no others."""
    url, other = address(str(tmp_path / "one.sqlite")), address(str(tmp_path / "two.sqlite"))
    for made in (url, other):
        upgrade_database(made)
    host, elsewhere = DatabaseAdmin(url), DatabaseAdmin(other)
    banned = host.ban("203.0.113.9", 2)
    host.new_token()
    host.create_key(3)
    elsewhere.ban("198.51.100.0/24", None)
    elsewhere.new_token()
    backup(url, tmp_path / "backup.sqlite")
    restore(tmp_path / "backup.sqlite", other)
    assert [banned] == elsewhere.bans()
    with open_connection(url, reading=True) as here, open_connection(other, reading=True) as there:
        for kind in (ADMIN, MAKE):
            assert hashes_of(here, kind) == hashes_of(there, kind) != []
