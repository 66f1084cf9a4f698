"""Coming to a table: an invitation works for whom it is meant, and says what it is to."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from rollwright.server import settings
from tests.page.people import PHONE
from tests.page.playing import part
from tests.page.qr import read
from tests.server.guests import Serving

SQUARES = "svg => svg.querySelector('path').getAttribute('d')"
QUIET = 4


@pytest.fixture
def elsewhere(driver, server, somebody):
    """People who know the server by a name that is not of their own machine."""
    other = driver.browser("--host-resolver-rules=MAP table.test 127.0.0.1")
    address = server.address.replace("127.0.0.1", "table.test")
    return partial(somebody, browser=other, address=address)


def named_table(person, title, name):
    """Open a table of a game by a name of its own."""
    person.page.goto(person.address)
    person.page.get_by_role("radio", name="Twilight: 2000").check()
    person.seen("House rules and more").click()
    person.page.get_by_label("Name of the table").fill(title)
    person.open_table_as_it_is(name)


def modules(code):
    """The squares of a code as the page draws it, without the quiet zone around them."""
    found = {
        (int(x) - QUIET, int(y) - QUIET)
        for x, y in re.findall(r"M(\d+) (\d+)", code.evaluate(SQUARES))
    }
    size = 1 + max(x for x, _ in found)
    return [[(x, y) in found for x in range(size)] for y in range(size)]


def test_a_link_that_nobody_else_can_open_says_so(somebody):
    """On an address of this machine the invitation says what to do, and shows no code."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    invite = rosa.page.get_by_role("region", name="Bring your players")
    expect(invite.get_by_role("note")).to_contain_text("This link opens on this machine only")
    expect(invite.get_by_role("note")).to_contain_text("rollwright serve --lan")
    expect(invite.get_by_role("img", name="QR code")).to_have_count(0)
    assert [] == rosa.barriers()


def test_an_invitation_names_the_table_and_has_a_code_of_its_link(elsewhere):
    """Whoever scans the code reads the players' link."""
    rosa = elsewhere()
    named_table(rosa, "Sobieski's Ferry", "Rosa")
    invite = rosa.page.get_by_role("region", name="Bring your players")
    expect(invite).to_contain_text("Rosa invites you to Sobieski's Ferry, Twilight: 2000")
    expect(invite.get_by_role("note")).to_have_count(0)
    code = invite.get_by_role("img", name="QR code of the link to Sobieski's Ferry")
    assert rosa.link() == read(modules(code))
    assert [] == rosa.barriers()


def test_the_network_is_let_in_and_the_host_keeps_the_seat(somebody, tmp_path, monkeypatch):
    """As the invitation advises: the same page, the same seat, and a link that a phone can follow.

    Another address of this machine stands for the one that it has in a network.
    """
    neighbour = "127.0.0.2"
    monkeypatch.setattr(settings, "is_local", lambda host: host == neighbour)
    with Serving(tmp_path / "t.sqlite") as alone:
        rosa = somebody(address=f"{alone.address}/")
        named_table(rosa, "Sobieski's Ferry", "Rosa")
        invite = rosa.page.get_by_role("region", name="Bring your players")
        expect(invite.get_by_role("note")).to_contain_text("rollwright serve --lan")
    network = {"lan": True, "host": neighbour, "port": alone.port}
    with Serving(tmp_path / "t.sqlite", **network) as serving:
        code = invite.get_by_role("img", name="QR code of the link to Sobieski's Ferry")
        expect(code).to_be_visible(timeout=60_000)
        link = read(modules(code))
        assert link.startswith(f"http://{neighbour}:{serving.port}/t/")
        expect(invite.get_by_role("note")).to_have_count(0)
        rosa.page.goto(rosa.address)
        expect(rosa.page.get_by_role("main")).to_contain_text("Sobieski's Ferry")
        bo = somebody(address=f"http://{neighbour}:{serving.port}/", size=PHONE)
        bo.join(link, "Bo")
        expect(bo.page.locator(".next-step")).to_be_visible()
        assert [] == rosa.barriers()


def test_whoever_is_invited_sees_by_whom_and_to_what(somebody):
    """The host, the table, the game and the product, for players and for spectators, on the
    game's own felt.
    """
    rosa = somebody()
    named_table(rosa, "Sobieski's Ferry", "Rosa")
    for role in ("player", "spectator"):
        bo = somebody(size=PHONE)
        bo.page.goto(rosa.link(role))
        door = bo.page.get_by_role("main")
        expect(door.get_by_role("heading", level=1)).to_have_text("Sobieski's Ferry")
        for told in ("Rosa invites you", "Twilight: 2000", "A table of Rollwright"):
            expect(door).to_contain_text(told)
        bo.page.wait_for_function("document.documentElement.style.getPropertyValue('--felt')")
        assert [] == bo.barriers()


def test_a_newcomer_sees_the_next_step(somebody):
    """First whom to be, then how to roll, and nothing of it once they have rolled."""
    rosa, bo = somebody(), somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    bo.join(rosa.link(), "Bo")
    step = bo.page.locator(".next-step")
    expect(step).to_contain_text("Who will you be?")
    expect(bo.page.get_by_role("button", name="Bring your players")).to_have_count(0)
    rosa.page.get_by_role("button", name="Bring your players").click()
    links = rosa.page.get_by_role("dialog", name="Links and seats")
    expect(links.get_by_label("For players")).to_have_value(rosa.link())
    rosa.page.keyboard.press("Escape")
    assert [] == bo.barriers()
    step.get_by_role("button").first.click()
    expect(step).to_contain_text("Your first roll")
    part(bo, "Roll").locator(".roll-button:enabled").click()
    expect(bo.page.locator(".roll-card")).to_have_count(1)
    expect(step).to_have_count(0)
