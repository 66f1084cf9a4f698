"""What is told in passing lies before everything, also before a dialog, and can be put away."""

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.people import DESKTOP, PHONE
from tests.page.playing import around, close

IN_FRONT = """toast => {
  const { left, top, width, height } = toast.getBoundingClientRect();
  return toast.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
READ_OUT = """() => {
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
  return !modal || modal.contains(document.getElementById("announcements"));
}"""


@pytest.mark.parametrize("size", first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_a_toast_lies_before_every_dialog(somebody, size):
    """Before the one that it comes from it is seen, read out and put away, and it stays when that
    is closed; before one that is opened later it is still to be read.
    """
    rosa = somebody(size=size)
    rosa.open_table("Free dice", "Rosa")
    links = around(rosa, "Links and seats")
    copying = links.get_by_role("button", name="Copy", exact=True).first
    copying.click()
    toast = rosa.page.locator(".toast")
    expect(toast).to_have_count(1)
    assert toast.evaluate(IN_FRONT)
    assert rosa.page.evaluate(READ_OUT)
    rosa.hears("copied")
    assert {7000, 12000} <= {*rosa.page.evaluate("timeless")}  # else it goes while tests look
    assert [] == rosa.barriers()
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)
    expect(links).to_be_visible()
    copying.click()
    close(links)
    expect(toast).to_have_count(1)
    assert toast.evaluate(IN_FRONT)
    assert rosa.page.evaluate(READ_OUT)
    rosa.page.get_by_role("button", name="Settings").click()
    expect(rosa.page.get_by_role("dialog")).to_be_visible()
    assert toast.evaluate(IN_FRONT)
    assert rosa.page.evaluate(READ_OUT)
    rosa.page.keyboard.press("Escape")
    expect(rosa.page.get_by_role("dialog")).to_have_count(0)
    assert toast.evaluate(IN_FRONT)
    assert rosa.page.evaluate(READ_OUT)
