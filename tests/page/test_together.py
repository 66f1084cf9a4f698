"""Two people at one list of a sheet: nothing that either of them typed is lost."""

from playwright.sync_api import expect

from tests.page.playing import part

TOOL = "Add to: Tools"


def both(somebody):
    """A player with a sheet, and the referee looking at the same sheet."""
    rosa, bo = somebody(), somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    bo.join(rosa.link(), "Bo")
    bo.page.locator(".next-step").get_by_role("button", name="Kasia Nowak").click()
    mine, theirs = part(bo, "Sheet"), part(rosa, "Sheet")
    expect(mine.get_by_text("med kit").first).to_be_visible()
    expect(theirs.get_by_text("med kit").first).to_be_visible()
    for sheet in (mine, theirs):
        sheet.get_by_role("button", name="Change", exact=True).click()
    return bo, mine, rosa, theirs


def test_two_who_add_at_once_both_have_added(somebody):
    """While one types a new entry, another's entry comes: it stays theirs, and ours a new one."""
    bo, mine, rosa, theirs = both(somebody)
    mine.get_by_role("button", name=TOOL).click()
    dialog = bo.page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("rope")
    theirs.get_by_role("button", name=TOOL).click()
    other = rosa.page.get_by_role("dialog")
    other.get_by_label("Name", exact=True).fill("lantern")
    other.get_by_role("button", name="Save").click()
    expect(mine.get_by_text("lantern").first).to_be_attached()
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("rope")
    dialog.get_by_role("button", name="Save").click()
    for sheet in (mine, theirs):
        for name in ("med kit", "lantern", "rope"):
            expect(sheet.get_by_role("button", name=f"Edit {name}")).to_have_count(1)


def test_two_who_change_the_same_thing_are_told_and_lose_nothing(somebody):
    """The second is shown both, and may keep both or put theirs in its place."""
    bo, mine, rosa, theirs = both(somebody)
    mine.get_by_role("button", name="Edit med kit").click()
    dialog = bo.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Reliability: one less").click()
    theirs.get_by_role("button", name="Edit med kit").click()
    other = rosa.page.get_by_role("dialog")
    for _ in range(3):
        other.get_by_role("button", name="Reliability: one less").click()
    other.get_by_role("button", name="Save").click()
    expect(other).to_have_count(0)
    expect(mine.get_by_text("2").first).to_be_attached()
    dialog.get_by_role("button", name="Save").click()
    told = bo.page.get_by_role("alert").filter(has_text="changed this meanwhile")
    expect(told).to_contain_text("there 2, here 4")
    assert [] == bo.barriers()
    told.get_by_role("button", name="Keep both").click()
    for sheet in (mine, theirs):
        expect(sheet.get_by_role("button", name="Edit med kit", exact=True)).to_have_count(1)
        expect(sheet.get_by_role("button", name="Edit med kit (2)")).to_have_count(1)
