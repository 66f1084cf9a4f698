"""Coming to a table: an invitation works for whom it is meant, and a phone can read its code.

What an invitation, a door and a newcomer's next step say is in web/tests (`coming.test.tsx`).
"""

import re

from playwright.sync_api import expect

from rollwright.server import settings
from tests.page.people import PHONE
from tests.page.qr import read
from tests.server.guests import Serving

SQUARES = "svg => svg.querySelector('path').getAttribute('d')"
QUIET = 4


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
