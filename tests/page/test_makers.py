"""Who may open tables: the first page asks for what is needed, and remembers it."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from rollwright.server.routes.site import FOLDER
from tests.page.conftest import Serving

PHRASE = "open sesame, bitte"


@pytest.fixture
def served(tmp_path):
    """Servers with options of their own."""
    assert (FOLDER / "index.html").exists(), "the page is not built: ./dev page builds it"
    running = []

    def serve(*options):
        running.append(Serving(tmp_path, *options).begin())
        return running[-1]

    yield serve
    for serving in running:
        serving.end()


def test_a_passphrase_is_asked_for_once(somebody, served):
    """A wrong one is told and asked for again; the right one opens a table and is remembered."""
    server = served("--tables=passphrase", f"--passphrase={PHRASE}")
    ana = somebody(address=server.address)
    page = ana.page
    page.goto(server.address)
    page.get_by_label("Your name").fill("Ana")
    field, opens = (
        page.get_by_label("Passphrase"),
        page.get_by_role("button", name="Open the table"),
    )
    opens.click()
    expect(ana.seen("Please say the passphrase")).to_be_visible()
    expect(field).to_be_focused()
    field.fill("something else")
    opens.click()
    expect(ana.seen("This is not the passphrase of this server.")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert [] == ana.barriers()
    field.fill(f" {PHRASE} ")
    opens.click()
    page.get_by_role("region", name="Stage", exact=True).wait_for()
    assert PHRASE not in page.evaluate("JSON.stringify(localStorage)")
    page.goto(server.address)
    expect(ana.seen("This device remembers the passphrase.")).to_be_visible()
    expect(field).to_have_count(0)
    ana.open_table_as_it_is("Ana")
    assert 2 == len(ana.tables)


def test_only_the_host_opens_tables_and_the_page_says_so(somebody, served):
    """A stranger sees why there is no form, in both languages; the host's link brings it."""
    server = served("--tables=host")
    bo = somebody(address=server.address, locale="de-DE")
    bo.page.goto(server.address)
    heading = bo.page.get_by_role(
        "heading", name="Tische eröffnet hier nur, wer den Server betreibt"
    )
    expect(heading).to_be_visible()
    expect(bo.page.get_by_role("button", name="Tisch eröffnen")).to_have_count(0)
    host = somebody(address=server.address)
    host.page.goto(server.address)
    expect(host.page.get_by_role("heading", name="Only the host opens tables here")).to_be_visible()
    assert [] == host.barriers()
    host.page.goto("about:blank")
    host.page.goto(invited(server))
    expect(host.page).to_have_url(server.address)
    host.open_table_as_it_is("Ana")


def invited(server):
    """The link that `rollwright admin invite` gives."""
    command = [sys.executable, "-m", "rollwright", "admin", "invite"]
    command += ["--page", server.address, "--database", f"{server.folder / 'tables.sqlite'}"]
    link = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert re.fullmatch(re.escape(server.address) + "#[A-Za-z0-9_-]{43}", link)
    return link


def test_a_crowd_at_the_door_is_told_to_the_referee(somebody):
    """Many newcomers at once: one tap lets others knock, closes the link, removes them."""
    ana = somebody()
    ana.open_table_by_hand("Twilight", "Ana")
    link = ana.link()
    crowd(ana, link, 11)
    notice = ana.page.get_by_role("status").filter(has_text="11 people sat down")
    expect(notice).to_be_visible()
    notice.get_by_role("button", name="Newcomers must knock").click()
    notice.get_by_role("button", name="Close the players' link").click()
    expect(notice.get_by_role("button", name="Close the players' link")).to_have_count(0)
    assert 401 == join(ana, link, "late")
    assert [] == ana.barriers()
    notice.get_by_role("button", name="Remove several").click()
    assert [] == ana.barriers()
    ana.page.get_by_role("button", name="Remove 11 seats").click()
    expect(notice).to_have_count(0)
    expect(ana.seen("Stranger 3", exact=True)).to_have_count(0)


def crowd(ana, link, count):
    """So many strangers sit down by a link."""
    for number in range(count):
        assert 201 == join(ana, link, f"Stranger {number}")


def join(ana, link, name):
    """A stranger tries to sit down with a program; the status of the answer."""
    from tests.server.guests import CLIENT, new_id, new_token

    table, token = re.search(r"/t/(\w+)#(.+)", link).groups()
    body = {"id": new_id(), "name": name, "token_hash": new_token()[1]}
    headers = {"authorization": f"Bearer {token}"}
    place = f"{ana.address}api/v1/tables/{table}/join"
    return CLIENT.post(place, json=body, headers=headers).status_code
