"""The local network: which address is served there, to whom, and the code that phones take."""

import pytest

from rollwright.cli.commands import serve as serve_command
from rollwright.server import network
from rollwright.server.network import on_the_network, qr_code
from rollwright.server.settings import BadSetting, Settings


@pytest.fixture
def machine(monkeypatch):
    """A machine with the addresses that are said."""
    return lambda *found: monkeypatch.setattr(network, "addresses", lambda: list(found))


def test_the_address_of_the_local_network_is_served(machine):
    """Neither loopback nor an address that the world can reach, and only that one."""
    machine("127.0.1.1", "8.8.8.8", "192.168.1.7", "10.0.0.3")
    assert "192.168.1.7" == on_the_network(Settings(lan=True)).host
    assert "10.0.0.3" == on_the_network(Settings(lan=True, host="10.0.0.3")).host
    assert Settings() == on_the_network(Settings())


@pytest.mark.parametrize(
    ("found", "word"), [((), "no network"), (("127.0.0.1", "8.8.8.8"), r"addresses \(8\.8\.8\.8\)")]
)
def test_a_machine_without_a_local_network_is_told_so(machine, found, word):
    """With what it has instead, and with what would do."""
    machine(*found)
    with pytest.raises(BadSetting, match=word):
        on_the_network(Settings(lan=True))


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
    serve_command.tell(Settings(lan=True, host="192.168.1.7"), address)
    told = capsys.readouterr()
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
    monkeypatch.setattr("rollwright.server.process.address_of", lambda *_: "")
    monkeypatch.setattr(
        "rollwright.server.process.serve_one", lambda settings, *_: asked.append(settings)
    )
    assert 0 == serve_command.run_server(Settings(lan=True))
    assert [("192.168.1.7", "host")] * 2 == [(one.host, one.makers) for one in asked]
