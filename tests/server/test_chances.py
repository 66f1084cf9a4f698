"""The rows of a sheet have their chances, the same that the button says, for who may see it."""

import pytest

from tests.server.guests import Founded, Serving

SOLDIER = {
    "name": "Bo",
    "INT": "B",
    "recon": "C",
    "weapons": [{"name": "M4", "rate_of_fire": 6, "rounds": 30, "magazine_size": 30}],
}


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server for all tests of this module."""
    with Serving(tmp_path_factory.mktemp("chances") / "table.sqlite") as server:
        yield server


@pytest.fixture
def table(serving):
    """A new table of Twilight: 2000."""
    return Founded(serving.address, game="twilight2000")


def chances(guest, sheet):
    """The chances of a sheet's rows, by what is picked in each."""
    found = guest.ask("GET", f"/sheets/{sheet}/chances").json()["chances"]
    return {str(row["begins"].get("pick")): row for row in found}


@pytest.mark.long
def test_each_row_has_the_number_of_its_button(table):
    """What the row of a skill says is what a preview of its form says."""
    bo = table.join()
    bo.does("sheet.create", values=SOLDIER)
    rows = chances(bo, bo.seat)
    row = rows[str({"skill_name": "recon"})]
    # A d10 and a d8 miss in 5 * 5 of 80 throws (T2K R31).
    assert "11/16" == row["chance"]["exact"]
    assert "never" == row["play"]["policy"]
    form = bo.ask("POST", "/form", {"n": 1, "draft": row["begins"]}).json()
    button = bo.ask("POST", "/preview", {"draft": form["draft"], "parts": ["odds"]}).json()
    assert button["chance"] == row["chance"]
    assert button["play"] == row["play"]


def test_chances_follow_the_sheet(table):
    """A better skill is a better chance."""
    bo = table.join()
    bo.does("sheet.create", values=SOLDIER)
    before = chances(bo, bo.seat)[str({"skill_name": "recon"})]["chance"]["number"]
    bo.does("sheet.change", sheet=bo.seat, values={"recon": "A"})
    assert before < chances(bo, bo.seat)[str({"skill_name": "recon"})]["chance"]["number"]


def test_a_hidden_sheet_has_no_chances_for_others(table):
    """What somebody may not see is not counted for them either."""
    bo = table.join()
    guard = {**SOLDIER, "name": "Guard"}
    made = table.referee.does("sheet.create", values=guard, sheet="npc", shown=False)
    sheet = made["events"][0]["body"]["sheet"]
    assert 200 == table.referee.ask("GET", f"/sheets/{sheet}/chances").status_code
    assert 404 == bo.ask("GET", f"/sheets/{sheet}/chances").status_code
