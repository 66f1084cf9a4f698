"""Rolls of a table shown elsewhere: pictures, texts and links, for whoever may see the roll."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from benchmarks.soak.servers import App

from rollwright import queries
from rollwright.client import Server, ServerError, Table
from rollwright.queries.shares import roll_links

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}


@pytest.fixture(scope="module")
def table(app: App) -> Iterator[Table]:
    """A table with a referee."""
    with Server(app.address, patience=60) as server:
        yield server.create_table("twilight2000", name="Ana", title="Kalisz")


def link_in(text: str) -> str:
    """The link at the end of what is pasted."""
    return text.split()[-1]


def test_a_pushed_roll_is_pasted_with_its_odds_and_a_link_that_verifies(
    table: Table, app: App
) -> None:
    """Every throw is drawn again from the link alone, and the text names roller, odds and play."""
    roll = table.roll(SKILL)
    while roll.waits_for:
        roll = table.choose(roll, roll.options[-1])
    text = table.text(roll)
    assert text.startswith("Ana: Skill roll")
    assert "68.8 % if you never push" in text
    found = queries.answer("verify", {"link": link_in(text)})
    assert found["true"] is True
    assert link_in(text).startswith(f"{app.address}/verify#roll:")
    assert f"the log of table {table.id}" in found["said"][-1]


def test_a_link_with_another_face_is_found_out(table: Table) -> None:
    """A face that somebody changed follows from no key, though the rules allow it."""
    held = roll_links.read(link_in(table.text(table.roll("2d6"))))
    told = held["roll"]
    assert isinstance(told, dict)
    first, second = told["answers"][0]["faces"]
    told["answers"][0]["faces"] = [first % 6 + 1, second]
    told["outcome"] = first % 6 + 1 + second
    forged = roll_links.pack(held)
    found = queries.answer("verify", {"link": forged})
    assert (False, "answers[0].faces") == (found["true"], found["place"])


def test_a_picture_is_an_svg_and_a_png(table: Table) -> None:
    """The SVG is one document with a title and a text for those who hear it; the PNG is one."""
    roll = table.roll({"roll": "skill", "attribute": "A", "skill": "A"}, policy="never")
    drawn = ElementTree.fromstring(table.picture(roll))
    assert "{http://www.w3.org/2000/svg}svg" == drawn.tag
    assert "Ana: Skill roll" in "".join(drawn.itertext())
    assert table.picture(roll, "png").startswith(b"\x89PNG")


def test_a_secret_roll_has_no_picture_for_others(table: Table, app: App) -> None:
    """Who may not see a roll gets neither picture nor text; when it is revealed, they do.

    Whoever sees it has no more to show, but a copy of their own.
    """
    with Server(app.address) as server:
        bo = server.join(table.links["player"], name="Bo")
        watching = server.table(table.links["spectator"])
        secret = table.roll("3d6", visibility="private")
        hidden = table.roll("4d6", visibility="private", announce=False)
        assert table.text(secret, own=True).startswith("Ana: 3d6 (private)")
        assert b"(private)" in table.picture(secret, own=True)
        assert {"forbidden"} == {refusal(table, one.id, "svg") for one in (secret, hidden)}
        for who in (bo, watching):
            for kind in ("svg", "png", "text"):
                assert "forbidden" == refusal(who, secret.id, kind)
                assert "not_found" == refusal(who, hidden.id, kind)
        table.reveal(secret)
        assert bo.text(secret) == watching.text(secret) == table.text(secret, own=True)


def refusal(who: Table, roll: str, kind: str) -> str:
    """The code of the refusal that somebody gets."""
    with pytest.raises(ServerError) as caught:
        who.text(roll) if kind == "text" else who.picture(roll, kind)
    return caught.value.code


def test_a_roll_that_was_taken_back_is_not_shown(table: Table) -> None:
    """What counts no more is no roll to show."""
    roll = table.roll("2d6")
    table.do("roll.undo", roll=roll.id)
    assert "conflict" == refusal(table, roll.id, "svg")
    assert "not_found" == refusal(table, "r999", "text")


def test_people_are_called_by_their_names(app: App) -> None:
    """A text of a table names people where the log has their seats."""
    with Server(app.address, patience=60) as server:
        table = server.create_table("kleptonomicon", name="Ana")
        server.join(table.links["player"], name="Bo")
        people = {"first": {"name": "@s1", "modifier": 1}, "second": {"name": "@s2", "modifier": 1}}
        told = table.text(table.roll({"roll": "contest", **people}))
        assert ("Contest against Bo" in told, "Ana" in told, "@s" in told) == (True, True, False)
