"""The local network: which address is served there, to whom, and the code that phones take."""

import socket
from types import SimpleNamespace

import pytest
from starlette.requests import HTTPConnection

from rollwright.cli.commands import serve as serve_command
from rollwright.server import network, process, settings
from rollwright.server.keys import makers_for
from rollwright.server.network import qr_code, with_lan_address
from rollwright.server.process import address_of, bind, close, port_of
from rollwright.server.settings import BadSetting, Settings
from tests.server.guests import API, CLIENT, Founded, Serving

NEIGHBOUR = "127.0.0.2"
"""Another address of this machine, which stands for the one that it has in a network."""


@pytest.fixture
def in_a_network(monkeypatch):
    """A machine whose local network is reached at the address that stands for it."""
    monkeypatch.setattr(settings, "is_local", lambda host: host == NEIGHBOUR)


@pytest.fixture
def machine(monkeypatch):
    """A machine with the addresses that are said."""
    return lambda *found: monkeypatch.setattr(network, "addresses", lambda: list(found))


def test_the_address_of_the_local_network_is_served(machine):
    """Neither loopback nor an address that the world can reach, and only that one."""
    machine("127.0.1.1", "8.8.8.8", "192.168.1.7", "10.0.0.3")
    assert "192.168.1.7" == with_lan_address(Settings(lan=True)).host
    assert "10.0.0.3" == with_lan_address(Settings(lan=True, host="10.0.0.3")).host
    assert Settings() == with_lan_address(Settings())


@pytest.mark.parametrize(
    ("found", "word"), [((), "no network"), (("127.0.0.1", "8.8.8.8"), r"addresses \(8\.8\.8\.8\)")]
)
def test_a_machine_without_a_local_network_is_told_so(machine, found, word):
    """With what it has instead, and with what would do."""
    machine(*found)
    with pytest.raises(BadSetting, match=word):
        with_lan_address(Settings(lan=True))


@pytest.mark.parametrize("host", ["0.0.0.0", "8.8.8.8", "dice.example"])
def test_the_world_is_no_local_network(host):
    """An address that others can reach too is not served by this word."""
    with pytest.raises(BadSetting, match="leave host away"):
        Settings(lan=True, host=host)


def test_in_the_network_only_the_host_makes_tables_until_it_is_said():
    """As wherever others can come."""
    assert "host" == Settings(lan=True).makers
    assert "anybody" == Settings(lan=True, tables="anybody").makers


def test_the_code_is_told_with_the_address(capsys):
    """And that nothing is encrypted there; the code is a square with a quiet zone around it."""
    address = "http://192.168.1.7:7655/"
    served = Settings(lan=True, host="192.168.1.7")
    serve_command.tell(served, address_of(served))
    told = capsys.readouterr()
    assert "serves tables at http://127.0.0.1:7655/\n" in told.out
    assert "Open it to make a table" in told.out
    assert qr_code(address) in told.out
    assert "not encrypted" in told.out
    assert "" == told.err
    rows = qr_code(address).splitlines()
    assert {len(rows[0])} == {len(row) for row in rows}


def test_what_is_served_listens_on_the_address_in_the_network(machine, monkeypatch):
    """The one that the machine has there, with tables for the host alone."""
    machine("192.168.1.7")
    asked = []
    monkeypatch.setattr("rollwright.server.process.bind", asked.append)
    monkeypatch.setattr("rollwright.server.process.port_of", lambda _: 7655)
    monkeypatch.setattr(
        "rollwright.server.process.serve_one", lambda settings, *_: asked.append(settings)
    )
    assert 0 == serve_command.run_server(Settings(lan=True))
    assert [("192.168.1.7", "host")] * 2 == [(one.host, one.makers) for one in asked]


def test_the_host_keeps_the_address_of_this_machine(in_a_network):
    """Both are served at one port, a free one too: a browser keeps seats by the address."""
    listeners = bind(Settings(lan=True, host=NEIGHBOUR, port=0))
    try:
        port = port_of(listeners)
        places = [listener.getsockname() for listener in listeners]
        assert [(NEIGHBOUR, port), ("127.0.0.1", port)] == places
        served = Settings(lan=True, host=NEIGHBOUR, port=port)
        assert f"http://127.0.0.1:{port}/" == address_of(served)
        assert f"http://{NEIGHBOUR}:{port}/" == served.lan_address
    finally:
        close(listeners)


def test_a_port_that_this_machine_uses_is_no_port_for_the_network(in_a_network):
    """It would be the network's only; said, or another one is taken where any would do."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(BadSetting, match=r"cannot listen on 127\.0\.0\.1 port"):
            bind(Settings(lan=True, host=NEIGHBOUR, port=other.getsockname()[1]))


def test_another_free_port_is_looked_for(in_a_network, monkeypatch):
    """Where the first one that the system gave is used on this machine."""
    free, asked = process._listener, []

    def listener(host, port):
        asked.append(host)
        if asked == [NEIGHBOUR, "127.0.0.1"]:
            raise BadSetting("taken")
        return free(host, port)

    monkeypatch.setattr(process, "_listener", listener)
    listeners = bind(Settings(lan=True, host=NEIGHBOUR, port=0))
    close(listeners)
    assert [NEIGHBOUR, "127.0.0.1"] * 2 == asked


def test_the_host_makes_tables_without_a_key(in_a_network, tmp_path):
    """On the own page, as before the network was let in."""
    with Serving(tmp_path / "t.sqlite", lan=True, host=NEIGHBOUR, tables="auto") as serving:
        assert "anybody" == CLIENT.get(f"{serving.address}{API}/").json()["tables"]
        assert Founded(serving.address).id


@pytest.mark.parametrize(
    ("client", "host", "headers", "makers"),
    [
        ("127.0.0.1", "127.0.0.1:7655", {}, "anybody"),
        ("127.0.0.1", "localhost:7655", {}, "anybody"),
        ("192.168.1.9", "127.0.0.1:7655", {}, "host"),
        ("127.0.0.1", "dice.example", {}, "host"),
        ("127.0.0.1", "127.0.0.1:7655", {"x-forwarded-for": "203.0.113.9"}, "host"),
        ("127.0.0.1", "127.0.0.1:7655", {"x-forwarded-for": "127.0.0.1"}, "host"),
        ("127.0.0.1", "127.0.0.1:7655", {"x-forwarded-proto": "https"}, "host"),
        ("127.0.0.1", "127.0.0.1:7655", {"x-forwarded-host": "dice.example"}, "host"),
        ("127.0.0.1", "127.0.0.1:7655", {"forwarded": "for=127.0.0.1"}, "host"),
        ("127.0.0.1", "127.0.0.1:7655", {"cf-connecting-ip": "203.0.113.9"}, "host"),
    ],
)
def test_whoever_makes_tables_is_known_by_the_line(client, host, headers, makers):
    """Whatever somebody from the network, or through a proxy, calls the server."""
    assert makers == makers_of(client, host, headers)


def test_whoever_speaks_old_http_came_through_a_proxy():
    """One that shows itself by nothing else: no browser does."""
    assert "host" == makers_of("127.0.0.1", "127.0.0.1:7655", {}, http_version="1.0")


def makers_of(client, host, headers, **more):
    """Who may make tables, as a client sees it that comes so."""
    served = SimpleNamespace(settings=Settings(lan=True, host="192.168.1.7"))
    sent = {"host": host, **headers}
    scope = {
        "type": "http",
        "client": (client, 50_000),
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        "app": SimpleNamespace(state=SimpleNamespace(services=served)),
        **more,
    }
    return makers_for(HTTPConnection(scope))


def test_a_proxy_that_is_named_lets_nobody_make_tables_by_loopback():
    """Whoever comes through it comes by loopback too."""
    assert "host" == Settings(lan=True, trust_proxy=("127.0.0.1",)).makers_here
    assert "anybody" == Settings(lan=True).makers_here


@pytest.mark.long
def test_the_page_on_this_machine_is_told_the_address_for_links(in_a_network, tmp_path):
    """So that a neighbour can follow a link that was made at 127.0.0.1."""
    with Serving(tmp_path / "t.sqlite", lan=True, host=NEIGHBOUR) as serving:
        table = Founded(serving.address)
        with table.referee.socket() as line:
            told = line.welcome["address"]
        assert serving.settings.lan_address == told == f"http://{NEIGHBOUR}:{serving.port}/"
        assert table.join("Bo", address=told.rstrip("/")).seat
    with Serving(tmp_path / "t.sqlite") as alone:
        table = Founded(alone.address)
        with table.referee.socket() as line:
            assert "" == line.welcome["address"]
