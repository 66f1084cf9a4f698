"""What is said at the table: to everybody, to somebody, and never what was meant for a program."""

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.moments import seated
from tests.page.people import DESKTOP, PHONE, wait_until
from tests.page.playing import at, part


def heard(seat):
    """To whom each thing was said that a seat can read."""
    bodies = [event.get("body") or {} for event in seat.events()]
    return [body["to"] for body in bodies if "text" in body]


@pytest.mark.parametrize("size", first([PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_a_line_that_begins_with_a_slash_is_said_to_nobody(somebody, host, size):
    """`/w Marta secret` would be read by everybody: it is refused, with what helps, and stays."""
    rosa, bo = seated(host, "twilight2000")
    person = at(somebody, bo, size=size)
    feed = part(person, "Feed")
    box = feed.get_by_label("Say something")
    box.fill(" /w Marta the key is under the mat")
    box.press("Enter")
    expect(box).to_have_value(" /w Marta the key is under the mat")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(feed.get_by_role("alert")).to_contain_text("choose who hears it")
    assert [] == person.barriers()
    box.fill("the key is under the mat")
    expect(feed.get_by_role("alert")).to_have_count(0)
    feed.get_by_label("To whom").select_option("Rosa")
    box.press("Enter")
    expect(box).to_have_value("")
    wait_until(person.page, lambda: heard(rosa))
    assert [[rosa.seat]] == heard(rosa)
