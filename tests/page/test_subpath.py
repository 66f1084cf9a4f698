"""The page below a path of a host that serves other things too, behind real proxies and none."""

from functools import partial

import pytest
from playwright.sync_api import expect

from rollwright.client import Link, Server
from tests.deploy.proxies import in_front
from tests.gates import but
from tests.page.conftest import Serving
from tests.page.people import KEEPING
from tests.page.playing import card, panel, part, roll, tab

KINDS = ["nothing", "nginx", "nginx cutting", "caddy", "caddy cutting"]
ASKED = """() => performance.getEntriesByType("resource").map(one => new URL(one.name).pathname)"""
STORED = """async () => {
    await navigator.serviceWorker.ready;
    const names = await caches.keys();
    const found = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
    return [names, found.flat().map(request => new URL(request.url).pathname)];
}"""


@pytest.fixture(scope="module")
def below(tmp_path_factory):
    """A server that lies below /dice."""
    options = ["--root-path=/dice", "--trust-proxy=127.0.0.1"]
    serving = Serving(tmp_path_factory.mktemp("tables"), *options).begin()
    yield serving
    serving.end()


@pytest.fixture(params=but(KINDS, "nginx cutting"))
def address(request, below, tmp_path):
    """Where the page is reached: directly, or through a proxy that keeps or cuts off the path."""
    with in_front(request.param, tmp_path, below.port) as place:
        yield place


@pytest.fixture
def people(somebody, address):
    """People with browsers of their own at that address, whose pages raised no error."""
    return partial(somebody, address=address)


def test_a_table_is_opened_joined_and_rolled_at_below_a_path(people, address):
    """Links, assets, API and socket all lie below it, and what the browser keeps has its name: the
    service worker keeps what lies below the path and nothing else, and opens it without a network.
    """
    rosa, bo = people(**KEEPING), people()
    rosa.page.goto(address.rstrip("/"))
    expect(rosa.page).to_have_url(address)
    rosa.page.get_by_role("radio", name="Dust").check()
    rosa.open_table_as_it_is("Rosa")
    assert rosa.page.url.startswith(f"{address}t/")
    rosa.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    rosa.page.get_by_role("button", name="Copy the link").click()
    link = rosa.page.evaluate("navigator.clipboard.readText()")
    assert rosa.link() == link
    bo.join(link, "Bo")
    roll(panel(bo, "Pool roll"))
    expect(card(bo, "Roll").locator(".told")).to_be_visible()
    tab(rosa, "Stage")
    expect(card(rosa, "Roll").locator(".told")).to_be_visible()
    with Server(Link.parse(link).server) as server:
        pia = server.join(link, name="Pia")
        assert pia.roll("2d6") is not None
    tab(rosa, "Stage")
    expect(rosa.feed("Pia").first).to_be_visible()
    asked = [path for path in rosa.page.evaluate(ASKED) if not path.startswith("/dice/")]
    assert [] == asked
    names = rosa.page.evaluate("Object.keys(localStorage)")
    assert [] == [name for name in names if not name.startswith("rollwright/dice.")]
    names, stored = rosa.page.evaluate(STORED)
    assert ["rollwright /dice/"] == [name.rpartition(" ")[0] for name in names]
    assert "/dice/" in stored
    assert [] == [path for path in stored if not path.startswith("/dice/")]
    part(rosa, "More").get_by_role("link", name="Verify").click()
    expect(rosa.page).to_have_url(f"{address}verify#{Link.parse(link).table}")
    rosa.page.get_by_role("link", name="Rollwright").click()
    expect(rosa.page).to_have_url(address)
    rosa.page.reload()
    rosa.context.set_offline(True)
    rosa.page.goto(f"{address}t/abcdefgh2345")
    start = rosa.page.get_by_role("link", name="To the start")
    expect(start).to_have_attribute("href", "/dice/")
    rosa.context.set_offline(False)
