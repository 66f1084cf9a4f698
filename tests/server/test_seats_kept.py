"""Seats that are kept, moved and taken again: by what a client has of them, at real servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.soak.servers import App

from rollwright.client import Link, Server, ServerError, Table, UnfairHostError
from rollwright.client.http import hash_of, new_token
from rollwright.client.seat_stores import BadSeatError, MemorySeatStore
from rollwright.errors import BadField
from tests.server.harness import one_app

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def apps() -> Iterator[tuple[App, App]]:
    """Two hosts."""
    with one_app() as one, one_app() as other:
        yield one, other


@pytest.fixture
def server(apps: tuple[App, App]) -> Iterator[Server]:
    """The first of them."""
    with Server(apps[0].address, patience=60) as server:
        yield server


@pytest.fixture
def other(apps: tuple[App, App]) -> Iterator[Server]:
    """Where tables are brought to."""
    with Server(apps[1].address, patience=60) as server:
        yield server


def checked(server: Server, table: Table, throws: int) -> dict[str, int]:
    """What was counted in a log that is true and has so many throws."""
    found = server.verify(log=table.log())
    assert (True, throws) == (found["true"], found["checked"]["throws"])
    counted: dict[str, int] = found["checked"]
    return counted


def test_who_sat_down_from_a_file_has_that_seat_again(server: Server, tmp_path: Path) -> None:
    """The same seat and the same device, however often a program is started."""
    table = server.create_table(name="Ana", keep=tmp_path / "ana.json")
    link = table.links["player"]
    for _ in range(3):
        bo = server.join(link, name="Bo", keep=tmp_path / "bo.json")
        assert ("s2", True) == (bo.seat, bo.roll("1d20").has_outcome)
    assert server.seat(tmp_path / "ana.json").roll("1d20").has_outcome
    assert ["d1", "d2"] == [one["id"] for one in table.snapshot()["table"]["devices"]]
    assert 0 == checked(server, bo, 4)["unsigned throws"]


def test_a_file_that_holds_no_seat(server: Server, tmp_path: Path) -> None:
    """It is said, and nothing is sat down for."""
    with pytest.raises(BadField, match="no seat is kept there"):
        server.seat(tmp_path / "none.json")
    (tmp_path / "none.json").write_text("[]")
    with pytest.raises(BadSeatError):
        server.seat(tmp_path / "none.json")


def test_a_seat_is_taken_along_by_a_link(server: Server, tmp_path: Path) -> None:
    """The link has a token and a key; both devices roll, or the new one alone."""
    table = server.create_table(name="Ana")
    phone = server.table(table.move(), keep=tmp_path / "phone.json")
    assert phone.roll("1d20").has_outcome
    assert table.roll("1d20").has_outcome
    assert server.seat(tmp_path / "phone.json").roll("1d20").has_outcome
    link = phone.move(keep_old=False)
    assert link == Link.parse(str(link))
    with pytest.raises(ServerError):
        table.roll("1d20")
    assert server.table(str(link)).roll("1d20").has_outcome
    checked(server, server.table(link), 4)


def test_a_file_may_be_opened_again_beside(server: Server, tmp_path: Path) -> None:
    """What is kept there counts, and not what somebody remembers who opened it before."""
    table = server.create_table(name="Ana", keep=tmp_path / "ana.json")
    for _ in range(2):
        again = server.seat(tmp_path / "ana.json")
        for seat in (table, again, again, table):
            assert seat.roll("1d20").has_outcome
    checked(server, table, 8)
    assert [] == table.protests


def test_a_seat_that_signs_cannot_roll_without_its_key(server: Server) -> None:
    """Whoever has the token alone sees what it sees, and rolls nothing."""
    table = server.create_table(name="Ana")
    with pytest.raises(ServerError) as caught:
        server.table(table.link).roll("1d20")
    assert "unsigned" == caught.value.code


def test_a_bot_is_named_that_holds_a_key(server: Server) -> None:
    """So is one that takes a seat along, and one that signs nothing rests on the host's word."""
    table = server.create_table(name="Ana")
    bo = server.join(table.links["player"], name="Bo", held="chat")
    cy = server.join(table.links["player"], name="Cy", signs=False)
    also = server.table(table.move(held="other"))
    for seat in (bo, cy, also):
        assert seat.roll("1d20").has_outcome
    counted = checked(server, table, 3)
    assert (2, 1) == (counted["held throws"], counted["unsigned throws"])
    held = [one.get("held") for one in table.snapshot()["table"]["devices"]]
    assert [None, "chat", "other"] == held


def moved(server: Server, other: Server, table: Table) -> Table:
    """A table that its referee has brought to another host."""
    token = new_token()
    log, tokens = table.log(), {"seat": hash_of(token)}
    other.import_table(log, id="brought-here", tokens=tokens)
    return Table(other.asking, table.id, token, seat="s1", device=table.device)


def test_people_take_their_seats_again_by_signing(server: Server, other: Server) -> None:
    """Nobody has a token there, and everybody who signs has their key."""
    table = server.create_table(name="Ana")
    keep = MemorySeatStore()
    bo = server.join(table.links["player"], name="Bo", keep=keep)
    assert bo.roll("1d20").has_outcome
    ana = moved(server, other, table)
    with pytest.raises(ServerError):
        other.seat(keep).snapshot()
    again = other.claim(keep)
    assert ("s2", True) == (again.seat, again.roll("1d20").has_outcome)
    assert other.seat(keep).roll("1d20").has_outcome
    assert ana.roll("1d20").has_outcome
    assert 1 == checked(other, again, 4)["imports"]


def test_nobody_else_takes_a_seat(server: Server, other: Server) -> None:
    """Not with another key, another device, another epoch, nor the seat of who was removed."""
    table = server.create_table(name="Ana")
    keeps = [MemorySeatStore(), MemorySeatStore()]
    for name, keep in zip(("Bo", "Cy"), keeps, strict=True):
        server.join(table.links["player"], name=name, keep=keep).roll("1d20")
    path = f"/tables/{table.id}/claim"
    bo, cy = (server.seat(keep).device for keep in keeps)
    assert bo is not None
    assert cy is not None
    epoch = server.asking.fetch("GET", path)["epoch"]
    token = hash_of(new_token())
    good = bo.claim(table.id, epoch, token)
    bad = [
        {**good, "device": cy.id},
        {**good, "device": "d9"},
        {**good, "token_hash": hash_of("another")},
        bo.claim(table.id, "0" * 64, token),
        bo.claim("abcdefgh2345", epoch, token),
    ]
    for body in bad:
        with pytest.raises(ServerError) as caught:
            server.asking.fetch("POST", path, body)
        assert (403, "bad_signature") == (caught.value.status, caught.value.code)
    for _ in range(2):
        assert "s2" == server.asking.fetch("POST", path, good)["seat"]
    table.do("seat.remove", seat="s3")
    with pytest.raises(ServerError) as caught:
        server.claim(keeps[1])
    assert 410 == caught.value.status
    with pytest.raises(ServerError) as caught:
        other.claim(keeps[0])
    assert 404 == caught.value.status


def test_a_referee_replaces_a_lost_key(server: Server) -> None:
    """The seat signs with the new one, and the report says so for ever."""
    table = server.create_table(name="Ana")
    bo = server.join(table.links["player"], name="Bo")
    assert bo.roll("1d20").has_outcome
    link = server.join(table.links["player"], name="Cy").move()
    token, key = new_token(), server.table(link).device
    assert key is not None
    fresh = type(key)("ab" * 32)
    table.do("seat.move", seat="s2", token_hash=hash_of(token), key=fresh.key)
    again = Table(server.asking, table.id, token, device=fresh)
    assert again.roll("1d20").has_outcome
    assert 1 == checked(server, table, 2)["keys replaced"]


def test_a_copy_of_a_file_is_noticed(server: Server, tmp_path: Path) -> None:
    """Who signs with a key that somebody else signs with too is told so."""
    table = server.create_table(name="Ana", keep=tmp_path / "ana.json")
    (tmp_path / "copy.json").write_bytes((tmp_path / "ana.json").read_bytes())
    assert server.seat(tmp_path / "copy.json").roll("1d20").has_outcome
    assert table.roll("1d20").has_outcome  # it had not looked at the table before
    copy = server.seat(tmp_path / "copy.json")
    assert copy.roll("1d20").has_outcome
    assert "did not sign" in copy.protests[0]
    with pytest.raises(UnfairHostError, match="did not sign"):
        table.roll("1d20")
