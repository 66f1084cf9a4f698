"""Tests of founding a table, and of everything about the people at it."""

from __future__ import annotations

import pytest

from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game
from rollwright.table import (
    LIMITS,
    AddToken,
    CodedError,
    EraseTexts,
    RevokeTokens,
    TableLimits,
    TableState,
    create_table,
    join,
)
from rollwright.table.verify.log import verify_log
from tests.table.tables import TABLE, Host, hashed

TOKENS = {name: hashed(name) for name in ("seat", "referee", "player", "spectator")}


def found_with(**fields: object) -> object:
    """A founding with some fields changed."""
    command = {"game": "dust", "name": "Ada", "tokens": TOKENS, **fields}
    return create_table(command, table=TABLE, secret=bytes(32), entropy=bytes)


def test_founding() -> None:
    """A new table has its founder as the referee s1, and a token for each link."""
    host = Host(game="dust", players=0, title="Roads", house={"pool_cap": 12}, knock=True)
    state = host.state
    assert ["table.created", "seat.joined"] == host.kinds(host.events)
    assert ("dust", 12, True) == (state.game, state.house["pool_cap"], state.knock)
    assert list(fields_of(find_game("dust").house)) == list(state.house)
    assert ("Roads", "Ada") == (state.title.text, state.seats["s1"].name.text)
    assert "referee" == state.seats["s1"].role
    kinds = [(side.kind, side.role, side.seat) for side in host.sides]
    assert ("seat", "referee", "s1") == kinds[0]
    assert [("link", role, "") for role in ("referee", "player", "spectator")] == kinds[1:]


def test_no_name_stands_in_a_body() -> None:
    """Names and titles are sealed: the chain holds only their hash."""
    host = Host(players=1, title="The Road")
    for event in host.events:
        assert "Ada" not in str(event.body)
        assert "The Road" not in str(event.body)
        assert "player 0" not in str(event.body)


@pytest.mark.parametrize(
    ("fields", "code", "part"),
    [
        ({"game": "dusk"}, "bad_field", "did you mean 'dust'"),
        ({"house": {"pool_cup": 3}}, "bad_field", "did you mean 'pool_cap'"),
        ({"game": "", "house": {"pool_cap": 3}}, "bad_field", "no house rules"),
        ({"name": "  "}, "bad_field", "empty"),
        ({"name": "x" * 61}, "too_large", "at most 60"),
        ({"name": "a\u202eb"}, "bad_field", "cannot be seen"),
        ({"nam": "Ada"}, "bad_field", "did you mean 'name'"),
        ({"knock": "yes"}, "bad_field", "true or false"),
        ({"tokens": {}}, "bad_field", "seat is missing"),
        ({"tokens": {**TOKENS, "seat": "abc"}}, "bad_field", "64 hexadecimal"),
        ({"tokens": {**TOKENS, "seat": hashed("player")}}, "bad_field", "two are alike"),
        ({"title": 1.5}, "bad_request", "float"),
        ({"lists": {"a": "x" * 70_000}}, "too_large", "64,000"),
    ],
)
def test_founding_refused(fields: dict[str, object], code: str, part: str) -> None:
    """A table that cannot be is refused with a sentence that says what would do."""
    with pytest.raises(CodedError, match=part) as caught:
        found_with(**fields)
    assert code == caught.value.code


def test_free_notation() -> None:
    """A table without a game has no house rules."""
    host = Host(game="", players=0)
    assert ("", {}) == (host.state.game, host.state.house)


def test_joining() -> None:
    """Who joins gets the next seat in the role of the link, and a token for it."""
    host = Host(players=1, spectators=1)
    roles = [(seat.id, seat.role, seat.status) for seat in host.state.seats.values()]
    assert [("s2", "player", "here"), ("s3", "spectator", "here")] == roles[1:]
    assert ("seat", "spectator", "s3") == host.sides[-1][1:]


def test_knocking() -> None:
    """At a table where one knocks, players wait until a referee lets them in; referees do not."""
    host = Host(players=2, knock=True)
    host.join("referee", "Eve")
    assert ["here", "knocking", "knocking", "here"] == [s.status for s in host.state.seats.values()]
    assert "forbidden" == host.refused("s2", "chat.send", text="hello").code
    host.do("s1", "seat.admit", seat="s2")
    host.do("s2", "chat.send", text="hello")
    host.do("s1", "seat.refuse", seat="s3")
    assert "removed" == host.state.seats["s3"].status
    assert RevokeTokens("seat", seat="s3") == host.sides[-1]
    assert "conflict" == host.refused("s1", "seat.admit", seat="s2").code
    assert "gone" == host.refused("s1", "seat.admit", seat="s3").code
    assert "forbidden" == host.refused("s3", "chat.send", text="hello").code


def test_who_knocks_may_leave_and_be_renamed() -> None:
    """Somebody who waits outside can still change their name, be forgotten, and go."""
    host = Host(players=1, knock=True)
    host.do("s2", "seat.rename", name="Bo")
    host.do("s2", "person.erase")
    host.do("s2", "seat.remove")
    assert ("removed", None) == (host.state.seats["s2"].status, host.state.seats["s2"].name)


def test_a_seat_looks_as_its_person_chose() -> None:
    """One's own colour, symbol and dice, from those there are; forgetting takes them away."""
    host = Host(players=2)
    host.do("s2", "seat.style", colour="blue", symbol="skull", dice="own")
    assert ("blue", "skull", "own") == host.state.seats["s2"].look
    assert "seat.styled" == host.kinds(host.events)[-1]
    count = len(host.events)
    host.do("s2", "seat.style", colour="blue", symbol="skull", dice="own")
    assert count == len(host.events)
    assert "forbidden" == host.refused("s3", "seat.style", seat="s2", colour="red").code
    assert "bad_field" == host.refused("s2", "seat.style", colour="#ff0000").code
    assert "bad_field" == host.refused("s2", "seat.style", symbol="https://spy.example").code
    assert verify_log(host.log("s1")).ok
    host.do("s2", "person.erase")
    assert ("", "", "") == host.state.seats["s2"].look


def test_a_full_table() -> None:
    """No more seats than the limit; removed ones make room."""
    host = Host(players=1)
    limits = TableLimits(seats=2)
    fields = {"role": "player", "name": "Bo", "token_hash": hashed("x"), "entropy": bytes}
    with pytest.raises(CodedError, match="full"):
        join(host.state, **fields, limits=limits)
    host.do("s1", "seat.remove", seat="s2")
    assert "s3" == join(host.state, **fields, limits=limits).drafts[0].body["seat"]


def test_rotating_a_link() -> None:
    """A rotated link revokes the old one of its role before the new one is good."""
    host = Host()
    host.do("s1", "link.rotate", role="player", token_hash=hashed("new"))
    assert [RevokeTokens("link", "player"), AddToken(hashed("new"), "link", "player")] == (
        host.sides[-2:]
    )
    assert host.state.links["player"] == host.state.head


def test_changing_the_table() -> None:
    """House rules, knocking, title and lists change one by one; what is not said stays."""
    host = Host(game="dust", title="Roads")
    host.do("s1", "table.change", house={"pool_cap": 12})
    host.do("s1", "table.change", knock=True, lists={"weapons": ["pipe"]})
    state = host.state
    assert (12, True, {"weapons": ["pipe"]}) == (
        state.house["pool_cap"],
        state.knock,
        state.lists,
    )
    assert "Roads" == state.title.text
    host.do("s1", "table.change", title="")
    assert state.title is None
    assert "bad_request" == host.refused("s1", "table.change").code
    assert "house.pool_cap" == host.refused("s1", "table.change", house={"pool_cap": -1}).field


def test_the_last_referee_stays() -> None:
    """A table is never left without a referee."""
    host = Host(players=1)
    assert "conflict" == host.refused("s1", "seat.remove").code
    assert "conflict" == host.refused("s1", "seat.change_role", seat="s1", role="player").code
    host.do("s1", "seat.change_role", seat="s2", role="referee")
    host.do("s1", "seat.remove")
    assert "removed" == host.state.seats["s1"].status


def test_moving_to_another_device() -> None:
    """A seat that moves gives the new device a token, and keeps the old one only if told so."""
    host = Host()
    host.do("s2", "seat.move", token_hash=hashed("phone"))
    assert [
        RevokeTokens("seat", seat="s2"),
        AddToken(hashed("phone"), "seat", "player", "s2"),
    ] == host.sides[-2:]
    before = len(host.sides)
    host.do("s1", "seat.move", seat="s2", token_hash=hashed("pad"), keep_old=True)
    assert [
        RevokeTokens("seat", seat="s2", but=LIMITS.tokens - 1),
        AddToken(hashed("pad"), "seat", "player", "s2"),
    ] == host.sides[before:]
    assert "forbidden" == host.refused("s3", "seat.move", seat="s2", token_hash=hashed("y")).code


def test_names_are_ones_own() -> None:
    """A seat renames itself, a referee anybody; others nobody."""
    host = Host()
    host.do("s2", "seat.rename", name="Bo")
    host.do("s1", "seat.rename", seat="s3", name="Cy")
    assert ["Bo", "Cy"] == [host.state.seats[seat].name.text for seat in ("s2", "s3")]
    assert "forbidden" == host.refused("s2", "seat.rename", seat="s3", name="Di").code


def test_a_role_that_is_the_same_changes_nothing() -> None:
    """Making a player a player writes no event."""
    assert [] == Host().do("s1", "seat.change_role", seat="s2", role="player")


def test_a_person_is_forgotten() -> None:
    """Every text of a person goes, also from what the state holds; the log folds to the same."""
    host = Host()
    host.do("s1", "seat.change_role", seat="s2", role="referee")
    host.do("s2", "table.change", title="Bo's table")
    host.do("s2", "roll_request.create", who=["s3"], expression="1d6", note="quick")
    host.do("s2", "roll.start", expression="1d6", physical=True, note="for Ada")
    host.do("s2", "person.erase")
    assert EraseTexts("s2") == host.sides[-1]
    state = host.state
    assert state.seats["s2"].name is None
    assert state.title is None
    assert state.asks["a1"].note is None
    assert TableState.of(host.events) == state
    assert "forbidden" == host.refused("s3", "person.erase", seat="s1").code


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("table.change", {"knock": True}),
        ("link.rotate", {"role": "player", "token_hash": hashed("x")}),
        ("seat.admit", {"seat": "s3"}),
        ("seat.refuse", {"seat": "s3"}),
        ("seat.remove", {"seat": "s1"}),
        ("seat.change_role", {"seat": "s2", "role": "referee"}),
        ("sheet.remove", {"sheet": "s2"}),
        ("sheet.undo", {"seq": 1}),
        ("roll.undo", {"roll": "r1"}),
        ("roll_request.create", {"who": "all", "expression": "1d6"}),
        ("roll_request.close", {"ask": "a1"}),
        ("session.end", {}),
    ],
)
def test_only_referees(do: str, fields: dict[str, object]) -> None:
    """What is for referees is refused to players and spectators."""
    host = Host(players=1, spectators=1)
    for seat in ("s2", "s3"):
        assert "forbidden" == host.refused(seat, do, **fields).code


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("chat.send", {"text": "hello"}),
        ("sheet.create", {}),
        ("roll.start", {"expression": "1d6"}),
        ("roll.choose", {"roll": "r1", "number": 0}),
        ("roll.enter", {"roll": "r1", "faces": [1]}),
    ],
)
def test_spectators_only_watch(do: str, fields: dict[str, object]) -> None:
    """A spectator neither speaks nor rolls."""
    host = Host(players=0, spectators=1)
    assert "spectator" in host.refused("s2", do, **fields).message


def test_no_seat_no_command() -> None:
    """Somebody without a seat commands nothing."""
    assert "unauthorized" == Host().refused("s9", "chat.send", text="hello").code
