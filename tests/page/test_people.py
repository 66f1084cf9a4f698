"""How the tests look at a page: at what is in sight, and at what is read out, never at both."""

import ast
from pathlib import Path

from playwright.sync_api import expect

from tests.page.people import seen

HERE = Path(__file__).parent
TOLD = '<p>Sit down</p><p>Sit</p><div role="status" id="announcements">Sit down</div>'


def test_words_in_sight_are_not_the_words_read_out(browser):
    """The live region says the same words a moment later: a locator must not find both."""
    page = browser.new_page()
    page.set_content(TOLD)
    expect(page.get_by_text("Sit down")).to_have_count(2)
    expect(seen(page, "Sit down")).to_have_count(1)
    expect(seen(page, "Sit", exact=True)).to_have_text("Sit")
    page.close()


def test_something_read_out_in_passing_is_heard(somebody):
    """What the next words have replaced was said all the same; what came before them is past."""
    ann = somebody()
    ann.page.goto(ann.address)
    say = "words => document.getElementById('announcements').textContent = words"
    for words in ("One die.", "Two dice.", "Three dice."):
        ann.page.evaluate(say, words)
    ann.hears("Two")
    ann.hears("Three")
    assert ["Three dice."] == ann.page.evaluate("heard")


def test_no_test_looks_for_words_on_the_whole_page():
    """`Person.seen` looks at what is in sight; a part of the page may be searched by its words."""
    found = [
        f"{path.name}:{call.lineno}"
        for path in sorted(HERE.glob("*.py"))
        if path.name not in ("people.py", Path(__file__).name)
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Attribute) and call.attr == "get_by_text" and is_page(call.value)
    ]
    assert [] == found


def is_page(node):
    """Whether an expression is a page: `page`, or somebody's `.page`."""
    return "page" == (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", ""))
