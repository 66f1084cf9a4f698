"""Two people at one list of a sheet; step by step it is in web/tests/together.test.tsx."""

from playwright.sync_api import expect

from tests.page.playing import at, part

KIT = {"name": "med kit", "reliability": 4}


def test_two_who_change_the_same_thing_are_told_and_lose_nothing(somebody, host):
    """The second is shown both, and keeps both: there are two from then on."""
    rosa = host.create_table("twilight2000", name="Rosa")
    seat = host.join(rosa.links["player"], name="Bo")
    seat.do("sheet.create", values={"name": "Kasia", "tools": [KIT]})
    bo = at(somebody, seat)
    sheet = part(bo, "Sheet")
    sheet.get_by_role("button", name="Change", exact=True).click()
    sheet.get_by_role("button", name="Edit med kit").click()
    dialog = bo.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Reliability: one less").click()
    worse = {**KIT, "reliability": 2}
    rosa.do("sheet.change_item", sheet=seat.seat, list="tools", before=KIT, after=worse)
    dialog.get_by_role("button", name="Save").click()
    told = bo.page.get_by_role("alert").filter(has_text="changed this meanwhile")
    expect(told).to_contain_text("there 2, here 3")
    assert [] == bo.barriers()
    told.get_by_role("button", name="Keep both").click()
    expect(sheet.get_by_role("button", name="Edit med kit", exact=True)).to_have_count(1)
    expect(sheet.get_by_role("button", name="Edit med kit (2)")).to_have_count(1)
