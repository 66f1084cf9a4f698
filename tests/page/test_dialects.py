"""Dice as other tools write them, on the page: pasted, asked for, offered, and meant otherwise."""

from playwright.sync_api import expect


def dice(place):
    """The field for dice."""
    return place.get_by_label("Dice", exact=True)


def test_a_line_from_elsewhere_is_pasted_and_rolled(somebody):
    """Whose spelling it is stays this device's habit; what the tool asks for is typed."""
    ann = somebody()
    what_may_be_meant_otherwise_is_a_tap_away(ann)
    ann.page.goto(f"{ann.address}roll")
    dice(ann.page).fill("1d1r<2")
    expect(ann.page.locator(".refusal")).to_be_visible()
    dice(ann.page).fill("4d6r<2")
    offered = ann.page.locator(".readings")
    expect(offered.get_by_text("In Foundry it is")).to_be_visible()
    offered.get_by_role("button", name="4d6rr<=2").click()
    expect(dice(ann.page)).to_have_value("4d6rr<=2")
    ann.seen("Written as in Rollwright").click()
    ann.page.get_by_label("Dice are written as in").select_option("Roll20")
    dice(ann.page).fill("1d1 + ?{Bonus|2}")
    expect(ann.page.locator(".dock .chance strong")).to_have_text("3")
    ann.page.get_by_label("Bonus").fill("5")
    ann.page.get_by_label("Bonus").press("Tab")
    expect(ann.page.locator(".dock .chance strong")).to_have_text("6")
    expect(ann.seen("Read as in Roll20:")).to_be_visible()
    ann.page.wait_for_url("**dialect=roll20**")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .told")).to_contain_text("= 6")
    assert [] == ann.barriers()
    ann.page.goto(f"{ann.address}roll")
    expect(ann.seen("Written as in Roll20")).to_be_visible()


def what_may_be_meant_otherwise_is_a_tap_away(ann):
    """Beside the field before the roll, and beside the result."""
    ann.page.goto(f"{ann.address}roll?dice=3d1>2")
    remarks = ann.page.get_by_role("list", name="May have been meant otherwise")
    expect(remarks).to_contain_text("counts dice one by one")
    ann.page.locator(".roll-button").click()
    beside = ann.page.locator(".play .remarks")
    expect(beside).to_contain_text("counts dice")
    beside.get_by_role("button", name="{3d1}>2").click()
    expect(dice(ann.page)).to_have_value("{3d1}>2")
    expect(remarks).to_have_count(1)  # only that of the roll that was made
