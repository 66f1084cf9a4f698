"""One thing of a list on a sheet, changed by hand while others change it too."""

from __future__ import annotations

from tests.table.tables import soldiers

KNIFE = {"name": "knife"}


def test_a_thing_is_added_changed_and_taken_away() -> None:
    """Each is one change of the list, by hand, and nothing else on the sheet moves."""
    host = soldiers()
    before = host.state.sheets["s2"].values
    weapons = list(before.get("weapons", []))
    host.do("s2", "sheet.change_item", sheet="s2", list="tools", after=KNIFE)
    [made] = host.state.sheets["s2"].values["tools"]
    assert "knife" == made["name"]
    host.do("s2", "sheet.change_item", sheet="s2", list="tools", before=made, after={"name": "saw"})
    [saw] = host.state.sheets["s2"].values["tools"]
    assert "saw" == saw["name"]
    host.do("s2", "sheet.change_item", sheet="s2", list="tools", before=saw)
    assert not host.state.sheets["s2"].values.get("tools")
    assert weapons == host.state.sheets["s2"].values.get("weapons", [])


def test_what_somebody_has_changed_meanwhile_is_not_overwritten() -> None:
    """Two edit the same thing: the second is told, and the first stays."""
    host = soldiers()
    host.do("s2", "sheet.change_item", sheet="s2", list="tools", after=KNIFE)
    [made] = host.state.sheets["s2"].values["tools"]
    host.do("s1", "sheet.change_item", sheet="s2", list="tools", before=made, after={"name": "saw"})
    late = {"before": made, "after": {"name": "axe"}}
    refusal = host.refused("s2", "sheet.change_item", sheet="s2", list="tools", **late)
    assert ("conflict", "before") == (refusal.code, refusal.field)
    assert ["saw"] == [one["name"] for one in host.state.sheets["s2"].values["tools"]]


def test_what_is_no_thing_is_refused() -> None:
    """A list that is none, nothing at all, a thing the game does not know, somebody else's."""
    host = soldiers()
    assert (
        "bad_field"
        == host.refused("s2", "sheet.change_item", sheet="s2", list="STR", after={}).code
    )
    assert "bad_request" == host.refused("s2", "sheet.change_item", sheet="s2", list="tools").code
    odd = {"nonsense": 1}
    assert (
        "bad_field"
        == host.refused("s2", "sheet.change_item", sheet="s2", list="tools", after=odd).code
    )
    assert (
        "forbidden"
        == host.refused("s3", "sheet.change_item", sheet="s2", list="tools", after=KNIFE).code
    )
