"""Questions at a table: previews with its sheets and house rules, advice as a seat knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import rollwright as rw
from rollwright.client import Server, ServerError, Table
from rollwright.kit.games import from_plain
from tests.drafts import drafted
from tests.server.harness import one_app

SECRET = {
    "roll": "opposed",
    "active": {"attribute": "B", "skill": "C"},
    "passive": {"attribute": "A", "skill": "B"},
    "secret": True,
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A real server."""
    with one_app() as app, Server(app.address, patience=60) as server:
        yield server


@pytest.fixture
def table(server: Server) -> Table:
    """A new table with its referee."""
    return server.create_table("twilight2000", name="Ana", house={"push_with_nothing": True})


@pytest.fixture
def bo(server: Server, table: Table) -> Table:
    """A player with a sheet."""
    seat = server.join(table.links["player"], name="Bo")
    seat.do("sheet.create", values={"name": "Bo", "INT": "B", "recon": "C"})
    return seat


def refusal(call: Any, *args: Any, **fields: Any) -> str:
    """The code with which something is refused."""
    with pytest.raises(ServerError) as caught:
        call(*args, **fields)
    return caught.value.code


@pytest.mark.long
def test_a_preview_is_of_the_roll_that_would_be_made(table: Table, bo: Table) -> None:
    """What is previewed from a sheet under house rules is what roll.start rolls."""
    fields = {"roll": "skill", "skill_name": "recon", "modifier": 1}
    preview = bo.preview(draft=drafted(fields))
    roll = bo.roll(draft=drafted(fields))
    started = next(
        event
        for event in bo.events()
        if event["kind"] == "roll.started" and event["body"]["roll"] == roll.id
    )
    assert from_plain(preview["request"]) == from_plain(started["body"]["what"]["request"])
    assert {"push_with_nothing": True} == preview["request"]["house"]
    chance = rw.odds(preview["request"]).p(lambda outcome: outcome.successes > 0)
    assert str(chance) == preview["chance"]["exact"]


def test_a_preview_without_a_sheet(table: Table, bo: Table) -> None:
    """A request and an expression are previewed too, in parts as they are asked for."""
    request = bo.preview(request={"roll": "skill", "attribute": "B"}, parts=["odds"], slot="slider")
    assert "1/2" == request["chance"]["exact"]
    assert "best" not in request
    assert "7" == bo.preview(expression="2d6")["chance"]["exact"]


def test_a_preview_of_somebody_elses_sheet(server: Server, table: Table, bo: Table) -> None:
    """Sheets that are shown can be previewed by all, those of the referee by the referee alone."""
    ack = table.do("sheet.create", sheet="npc", values={"name": "sniper", "AGL": "A"})
    sniper = ack.events[0]["body"]["sheet"]
    fields = {"roll": "skill", "skill_name": "mobility"}
    assert table.preview(draft=drafted(fields), sheet=sniper)["request"]["attribute"] == "A"
    assert "not_found" == refusal(bo.preview, draft=drafted(fields), sheet=sniper)
    assert "not_found" == refusal(bo.preview, draft=drafted(fields), sheet="n2")
    assert bo.seat
    assert table.preview(draft=drafted(fields), sheet=bo.seat)["request"]["attribute"] == "C"


def test_what_is_wrong_with_a_preview(table: Table, bo: Table) -> None:
    """Slips are refused with their codes."""
    assert "bad_request" == refusal(bo.preview)
    assert "bad_request" == refusal(bo.preview, expression="2d6", request={"roll": "skill"})
    assert "bad_expression" == refusal(bo.preview, expression="2d6+kq")
    assert "bad_field" == refusal(bo.preview, request={"roll": "skill", "attribute": "Z"})
    assert "bad_field" == refusal(bo.preview, request={"game": "dust", "roll": "roll"})
    assert "bad_field" == refusal(bo.preview, expression="2d6", colour="red")
    assert "bad_field" == refusal(bo.preview, expression="2d6", sheet=bo.seat)
    assert "bad_field" == refusal(bo.preview, expression="2d6", more=["n"], parts=["odds"])
    skill = {"roll": "skill", "attribute": "B"}
    assert "not_found" == refusal(bo.preview, request=skill, sheet="n9")
    assert "1/2" == bo.preview(request=skill, sheet=bo.seat)["chance"]["exact"]


def test_a_table_without_a_game(server: Server) -> None:
    """Free notation has expressions, and says so when a request comes."""
    table = server.create_table(name="Ana")
    assert "5/2" == table.preview(expression="1d4")["chance"]["exact"]
    assert "bad_request" == refusal(table.preview, request={"roll": "skill"})


def test_advice_on_an_open_roll(table: Table, bo: Table) -> None:
    """Whoever must choose is told what each option is worth and why."""
    roll = bo.roll({"roll": "skill", "attribute": "B", "skill": "C"}, physical=True)
    assert "Nothing is to be chosen before the dice are thrown." == bo.advise(roll)["why"]
    roll = bo.enter(roll, [3, 2])
    advice = bo.advise(roll)
    assert ("push", True) == (advice["best"], advice["matters"])
    assert ["keep", "push"] == [option["option"] for option in advice["options"]]
    assert "keep" == bo.advise(roll, goal="stay-unhurt")["best"]
    assert "push" == table.advise(roll)["best"]


def test_the_goal_of_a_roll_counts(table: Table, bo: Table) -> None:
    """What the roller aims for is what the advice aims for, unless somebody asks otherwise."""
    request = {"roll": "skill", "attribute": "B", "skill": "C"}
    roll = bo.enter(bo.roll(request, physical=True, goal="stay-unhurt"), [3, 2])
    assert "stay-unhurt" == bo.advise(roll)["goal"]["name"]
    assert "push" == bo.advise(roll, goal="just-succeed")["best"]


def test_advice_does_not_know_a_hidden_throw(table: Table, bo: Table) -> None:
    """A player's advice is the same whatever was thrown in secret; the referee's is not."""
    players, referees = [], []
    for hidden in ([1, 1], [10, 12]):
        roll = bo.enter(bo.roll(SECRET, physical=True), [3, 6])
        table.enter(roll, hidden)
        players.append(bo.advise(roll)["options"])
        referees.append(table.advise(roll)["value"]["exact"])
        table.do("roll.cancel", roll=roll.id)
    assert players[0] == players[1]
    assert referees[0] != referees[1]


def test_no_advice_on_what_one_may_not_see(server: Server, table: Table, bo: Table) -> None:
    """A secret roll is not advised on to others, and one that is not announced is not known."""
    request = {"roll": "skill", "attribute": "B", "skill": "C"}
    other = server.join(table.links["player"], name="Cy")
    told = bo.enter(bo.roll(request, physical=True, visibility="private"), [3, 2])
    silent = bo.enter(bo.roll(request, physical=True, visibility="private", announce=False), [3, 2])
    assert "forbidden" == refusal(other.advise, told)
    assert "not_found" == refusal(other.advise, silent)
    assert "push" == table.advise(silent)["best"]
    assert "not_found" == refusal(bo.advise, "r99")


def test_a_finished_roll_needs_no_advice(table: Table, bo: Table) -> None:
    """Asking about a roll that has ended is told so."""
    roll = bo.roll("2d6")
    assert "conflict" == refusal(bo.advise, roll)


def test_questions_need_a_seat(server: Server, table: Table, bo: Table) -> None:
    """A link to join by, a token of another table and no token at all get no answer."""
    assert "forbidden" == refusal(server.table(table.links["player"]).preview, expression="2d6")
    other = server.create_table("dust", name="Di")
    foreign = server.table(table.link._replace(token=other.token))
    assert "unauthorized" == refusal(foreign.preview, expression="2d6")
    watching = server.table(table.links["spectator"])
    assert "7" == watching.preview(expression="2d6")["chance"]["exact"]
