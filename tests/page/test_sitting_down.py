"""From a link in the chat to a seat at the table.

What is said without a network and happens once it is back is looked at in test_recovery.py.
"""

import json

from hatch_build import PAGE
from playwright.sync_api import expect

from tests.page.people import PHONE

FIRST_LOAD = 60_000


def test_a_table_is_opened_and_somebody_joins_by_the_link(somebody):
    """Two browsers at one table see each other, and a roll of one reaches the other verified.

    With knocking on, a newcomer sees nothing of the table until a referee lets them in. Once
    seated, the secret part of a link no longer stands in the address.
    """
    rosa, bo = somebody(), somebody(size=PHONE, color_scheme="dark")
    rosa.page.goto(rosa.address)
    rosa.page.get_by_role("radio", name="Twilight: 2000").check()
    rosa.seen("House rules and more").click()
    rosa.page.get_by_role("switch", name="Newcomers knock").check()
    rosa.open_table_as_it_is("Rosa")
    bo.join(rosa.link(), "Bo")
    expect(bo.page.get_by_role("heading", name="You have knocked")).to_be_visible()
    expect(bo.page.get_by_role("region", name="Stage", exact=True)).to_have_count(0)

    rosa.page.get_by_role("button", name="More", exact=True).click()
    rosa.page.get_by_role("button", name="Let in").click()
    expect(rosa.feed("Bo was let in")).to_be_visible()
    expect(bo.page.get_by_role("list", name="At the table: Rosa, Bo")).to_be_visible()
    table, known = bo.first_table()
    address = f"{bo.address}t/{table}"
    assert address == bo.page.url

    bo.page.get_by_role("button", name="Roll", exact=True).first.click()
    bo.page.locator(".roll-button").click()
    for person in (rosa, bo):
        card = person.page.locator(".roll-card")
        expect(card).to_contain_text("Bo Skill roll")
        expect(card.get_by_role("button", name="Verified")).to_have_class(
            "button quiet verified good"
        )

    bo.page.goto("about:blank")
    bo.page.goto(f"{address}#{known['token']}")
    expect(bo.feed("Bo was let in")).to_be_visible()
    assert address == bo.page.url


def test_the_first_load_is_small():
    """A table shows itself with less than 60 kB of compressed script."""
    sizes = json.loads((PAGE / "sizes.json").read_text("utf-8"))
    assert sizes["first"] < sizes["table"] < FIRST_LOAD
