"""From a link in the chat to a seat at the table."""

import json

from hatch_build import PAGE
from playwright.sync_api import expect

from tests.page.people import PHONE

FIRST_LOAD = 60_000


def test_a_table_is_opened_and_somebody_joins_by_the_link(somebody):
    """Two browsers at one table see each other, and a roll of one reaches the other verified."""
    rosa, bo = somebody(), somebody(size=PHONE, color_scheme="dark")
    rosa.open_table_by_hand("Twilight: 2000", "Rosa")
    bo.join(rosa.link(), "Bo")
    expect(rosa.feed("Bo sits down")).to_be_visible()
    expect(bo.page.get_by_role("list", name="At the table: Rosa, Bo")).to_be_visible()

    bo.page.get_by_role("button", name="Roll", exact=True).first.click()
    bo.page.locator(".roll-button").click()

    for person in (rosa, bo):
        card = person.page.locator(".roll-card")
        expect(card).to_contain_text("Bo Skill roll")
        expect(card.get_by_role("button", name="Verified")).to_have_class(
            "button quiet verified good"
        )


def test_an_address_keeps_no_secret(somebody):
    """Once seated, the secret part of a link no longer stands in the address."""
    rosa, bo = somebody(), somebody()
    rosa.open_table_by_hand("Free dice", "Rosa")
    bo.join(rosa.link(), "Bo")
    expect(bo.feed("Bo sits down")).to_be_visible()
    [(table, known)] = bo.tables.items()
    seat = f"{bo.address}t/{table}#{known['token']}"

    phone = somebody(size=PHONE)
    phone.page.goto(seat)
    expect(phone.feed("Bo sits down")).to_be_visible()

    assert f"{bo.address}t/{table}" == phone.page.url


def test_whoever_knocks_waits_for_the_referee(somebody):
    """With knocking on, a newcomer sees nothing of the table until a referee lets them in."""
    rosa, bo = somebody(), somebody()
    rosa.page.goto(rosa.address)
    rosa.seen("House rules and more").click()
    rosa.page.get_by_role("switch", name="Newcomers knock").check()
    rosa.open_table_as_it_is("Rosa")
    bo.join(rosa.link(), "Bo")
    expect(bo.page.get_by_role("heading", name="You have knocked")).to_be_visible()

    rosa.page.get_by_role("button", name="More", exact=True).click()
    rosa.page.get_by_role("button", name="Let in").click()

    expect(bo.feed("Bo was let in")).to_be_visible()


def test_a_command_sent_without_a_network_happens_once_it_is_back(somebody):
    """What is said while offline waits, is told as waiting, and arrives exactly once."""
    rosa = somebody()
    rosa.open_table_by_hand("Free dice", "Rosa")
    expect(rosa.page.get_by_label("Say something")).to_be_visible()
    rosa.context.set_offline(True)
    expect(rosa.seen("No connection")).to_be_visible()
    rosa.page.get_by_label("Say something").fill("Is anybody there?")
    rosa.page.get_by_role("button", name="Send").click()
    expect(rosa.seen("1 action waits to be sent")).to_be_visible()

    rosa.context.set_offline(False)

    expect(rosa.feed("Is anybody there?")).to_have_count(1)
    expect(rosa.seen("No connection")).to_have_count(0)
    rosa.page.reload()
    expect(rosa.feed("Is anybody there?")).to_have_count(1)


def test_the_first_load_is_small():
    """A table shows itself with less than 60 kB of compressed script."""
    sizes = json.loads((PAGE / "sizes.json").read_text("utf-8"))
    assert sizes["first"] < sizes["table"] < FIRST_LOAD


def test_the_page_speaks_german_to_a_german_browser(somebody):
    """The language of the browser is taken, and every word of the first screen with it."""
    uwe = somebody(locale="de-DE")
    uwe.page.goto(uwe.address)
    expect(uwe.page.get_by_role("heading", level=1)).to_have_text(
        "Zusammen würfeln. Die Chancen kennen."
    )
    assert "de" == uwe.page.evaluate("document.documentElement.lang")
