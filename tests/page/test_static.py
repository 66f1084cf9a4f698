"""The site on a host of files, below a path: it rolls, draws and runs its examples by itself."""

import re
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from rollwright.server.routes.site import FOLDER
from tests.docs.built import the_site
from tests.page.people import KEEPING, PHONE, Person, resize, speak, wait_until
from tests.page.test_workbench import Quiet

OURS = ".example-bar, .example-place"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation with the screens that need no server, as any host of files has it."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "dice").mkdir()
    (folder / "dice" / "site").symlink_to(the_site(tmp_path_factory.getbasetemp()))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}/dice/site/"
        host.shutdown()


@pytest.fixture(scope="module")
def anna(browser, site):
    """Somebody whose browser keeps what it has fetched; nothing but files of the site is."""
    person = Person(browser, site, **KEEPING)
    asked = []
    person.context.on("request", lambda request: asked.append((request.method, request.url)))
    yield person
    inside = ("blob:", "data:", "about:", site)
    assert [] == [one for one in asked if one[0] != "GET" or not one[1].startswith(inside)]
    assert [] == [url for _, url in asked if "/api/" in url]
    assert person.complaints == []
    person.context.close()


def run(person, number):
    """Run an example of the page, by its number among those that run."""
    person.page.locator(".example-bar").nth(number).get_by_role("button", name="Run").click()


def write(person, text):
    """Write something else into the example that is being changed."""
    person.page.get_by_role("textbox", name="Example").click()
    person.page.keyboard.press("ControlOrMeta+a")
    person.page.keyboard.insert_text(text)


def test_an_example_is_run_and_changed(anna, site):
    """With those above it; a slip is told at its line.

    How one that never ends is stopped is in web/tests/example.test.tsx.
    """
    page = anna.page
    page.goto(f"{site}tutorial.html")
    expect(page.locator(".example-bar")).to_have_count(17)
    assert not [frame for frame in page.frames if frame.url == "about:srcdoc"]
    run(anna, 4)
    shown = page.get_by_role("region", name="What the example shows")
    expect(shown.locator("svg[role=img]")).to_be_visible()
    expect(shown).to_contain_text("139/160")
    page.locator(".example-bar").nth(4).get_by_role("button", name="Edit").click()
    editor = page.get_by_role("textbox", name="Example")
    expect(editor).to_contain_text('odds = rw.odds(skill, "if-failed")')
    write(anna, "print(rw.odds(skill, 'never').p(lambda end: end.successes > 0))\n\nod")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(shown).to_contain_text("Nothing is called od here")
    expect(shown.get_by_role("button", name="Line 3")).to_be_visible()
    expect(shown.locator("pre").first).to_contain_text("/")
    bar = page.locator(".example-bar").nth(4)
    bar.get_by_role("button", name="As it was").click()
    expect(editor).to_have_count(0)
    run(anna, 4)
    expect(shown).to_contain_text("139/160")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_examples_have_no_barriers_and_fit_a_phone(anna, theme):
    """What the last test has left there, by day and by night, with the editor open."""
    page = anna.page
    page.emulate_media(color_scheme=theme)
    resize(page, PHONE)
    if theme == "light":
        page.locator(".example-bar").nth(4).get_by_role("button", name="Edit").click()
    expect(page.locator(f".example-place[data-theme={theme}]").first).to_be_attached()
    expect(page.locator(".cm-content")).to_be_visible()
    assert anna.barriers(inside=OURS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_no_browser_runs_says_so(anna, site):
    """It has no button, and names what it needs."""
    anna.page.goto(f"{site}table/client.html")
    needs = anna.seen("No browser runs this: it needs rollwright.client.")
    expect(needs).to_have_count(5)
    expect(anna.page.get_by_role("button", name="Run")).to_have_count(0)


def test_just_roll_rolls_without_a_server(anna, site):
    """From the page one comes from: dice and a game's roll with their odds, and a choice."""
    page = anna.page
    page.goto(site)
    page.get_by_role("link", name="Just roll").first.click()
    page.get_by_label("Dice", exact=True).fill("4d6kh3")
    expect(page.locator(".dock")).to_contain_text("12.2")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".play .told").first).to_contain_text("4d6kh3")
    page.get_by_role("radio", name="GHOST/BURN").check()
    expect(page.locator(".dock .chance strong")).to_contain_text("%")
    assert "label." not in page.locator("main").inner_text()
    page.get_by_role("button", name="Roll", exact=True).click()
    choice = page.get_by_role("group", name="Your choice")
    expect(choice.get_by_role("button", name="Keep")).to_contain_text("%")
    choice.get_by_role("button", name="Keep").click()
    expect(choice).to_have_count(0)
    expect(page.locator(".play").first).to_have_attribute("data-good", re.compile("good|bad|even"))


def test_explore_draws_without_a_server(anna):
    """Reached from Just roll, on the same Python: a curve over one field, a map over two."""
    page = anna.page
    page.get_by_role("link", name="Explore odds").click()
    expect(page.locator(".vary svg[role=img]")).to_be_visible()
    page.get_by_role("button", name="Heat map").click()
    expect(page.locator(".chart-cell").first).to_be_visible()
    assert anna.barriers() == []


def test_both_open_without_a_network(anna):
    """Kept by the browser from the first visit on, Python too."""
    page = anna.page
    page.evaluate("navigator.serviceWorker.ready")
    wait_until(page, lambda: page.evaluate("caches.keys().then((names) => names.length > 1)"))
    anna.context.set_offline(True)
    page.reload()
    expect(page.locator(".vary svg[role=img]")).to_be_visible()
    page.get_by_role("link", name="Just roll").click()
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".play .told").first).not_to_be_empty()
    anna.context.set_offline(False)


def test_what_only_the_documentation_needs_is_not_stored_ahead():
    """The browser of a player keeps no file of the buttons on pages of the documentation."""
    kept = (FOLDER / "worker.js").read_text("utf-8")
    of_the_docs = {path.name for path in (FOLDER / "assets").glob("docs-*")}
    assert {".css", ".js"} == {Path(name).suffix for name in of_the_docs}
    assert [] == [name for name in of_the_docs if name in kept]


def test_just_roll_has_no_barriers_in_german_by_night(anna):
    """Without a server it speaks its reader's language too: so do the games' forms."""
    speak(anna.page, "de-DE")
    anna.page.emulate_media(color_scheme="dark")
    expect(anna.page.get_by_role("button", name="Würfeln", exact=True)).to_be_visible()
    assert anna.barriers() == []
