"""Parts of a screen that are fetched when they are first needed."""

import pytest
from playwright.sync_api import expect

from tests.page.test_form import bundled

HARNESS = """
import { render } from "preact";
import { later } from "./src/ui/later";
const Part = ({ name }) => <p>{name}</p>;

/** Two places for one part, and what ends its fetching one way or the other. */
export function mount() {
  const fetches = [];
  const Later = later(() => new Promise((came, failed) => fetches.push({ came: () => came(Part), failed })));
  const places = ["stage", "feed"].map((name) => document.body.appendChild(document.createElement(name)));
  const show = (n) => render(<Later name={places[n].localName} />, places[n]);
  return { fetches, show };
}
"""  # noqa: E501


@pytest.fixture
def tab(browser):
    """An empty page with what fetches parts."""
    tab = browser.new_page()
    tab.evaluate(bundled(HARNESS))
    yield tab
    tab.close()


def test_a_part_that_comes_while_a_second_place_is_drawn_is_drawn_in_both(tab):
    """The second place has no part yet and has not asked for it when the first one's comes."""
    tab.evaluate("page = { ...page, held: page.mount() }; page.held.show(0)")
    tab.wait_for_function("page.held.fetches.length == 1")
    tab.evaluate("page.held.show(1); page.held.fetches[0].came()")
    expect(tab.locator("stage p")).to_have_text("stage")
    tab.wait_for_function("page.held.fetches.length == 2")
    tab.evaluate("page.held.fetches[1].came()")
    expect(tab.locator("feed p")).to_have_text("feed")


def test_a_part_that_did_not_come_is_fetched_again(tab):
    """After a pause, as often as it takes."""
    tab.evaluate("page = { ...page, held: page.mount() }; page.held.show(0)")
    tab.wait_for_function("page.held.fetches.length == 1")
    tab.evaluate("page.held.fetches[0].failed(new Error('no network'))")
    tab.wait_for_function("page.held.fetches.length == 2")
    tab.evaluate("page.held.fetches[1].came()")
    expect(tab.locator("stage p")).to_have_text("stage")
