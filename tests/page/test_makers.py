"""Who may open tables, at a real server: a passphrase opens one, and a crowd there is told.

What the first page asks for, says and remembers is in web/tests (`makers.test.tsx`), what a server
takes in `tests/server/test_hosting.py`.
"""

import re

from playwright.sync_api import expect

from tests.page.conftest import Serving
from tests.server.guests import CLIENT, new_id, new_token

PHRASE = "open sesame, bitte"


def test_a_passphrase_opens_a_table_and_a_crowd_at_its_door_is_told(somebody, tmp_path):
    """A wrong one is told and asked for again. Where many newcomers come at once one tap closes
    the link. That another removes them is in web/tests (`coming.test.tsx`).
    """
    server = Serving(tmp_path, "--tables=passphrase", f"--passphrase={PHRASE}").begin()
    try:
        ana = somebody(address=server.address)
        page = ana.page
        page.goto(server.address)
        page.get_by_label("Your name").fill("Ana")
        field = page.get_by_label("Passphrase")
        opens = page.get_by_role("button", name="Open the table")
        field.fill("something else")
        opens.click()
        expect(ana.seen("This is not the passphrase of this server.")).to_be_visible()
        expect(field).to_be_focused()
        assert [] == ana.barriers()
        field.fill(f" {PHRASE} ")
        opens.click()
        page.get_by_role("region", name="Stage", exact=True).wait_for()

        link = ana.link()
        for number in range(11):
            assert 201 == join(ana, link, f"Stranger {number}")
        notice = page.get_by_role("status").filter(has_text="11 people sat down")
        notice.get_by_role("button", name="Close the players' link").click()
        expect(notice.get_by_role("button", name="Close the players' link")).to_have_count(0)
        assert 401 == join(ana, link, "late")
        notice.get_by_role("button", name="Remove several").click()
        assert [] == ana.barriers()
        expect(page.get_by_role("button", name="Remove 11 seats")).to_be_enabled()
    finally:
        server.end()


def join(ana, link, name):
    """A stranger tries to sit down with a program; the status of the answer."""
    table, token = re.search(r"/t/(\w+)#(.+)", link).groups()
    body = {"id": new_id(), "name": name, "token_hash": new_token()[1]}
    headers = {"authorization": f"Bearer {token}"}
    place = f"{ana.address}api/v1/tables/{table}/join"
    return CLIENT.post(place, json=body, headers=headers).status_code
