"""What a player looks up on the site: tables with heads, explained numbers, pages for phones."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from docs import build, reference_pages, screens
from rollwright.kit.games import find_game, own_games

DOCS = Path(__file__).parent.parent.parent / "docs"
PHONE = {"width": 360, "height": 800}


@pytest.mark.parametrize("game", own_games())
def test_the_tables_come_before_any_python(game):
    """Each game begins with its tables, all columns with a head, and examples come after them."""
    text = (DOCS / "games" / f"{game}.md").read_text("utf-8")
    before, screen = text.split("\n## Beside the screen\n")
    assert "```" not in before
    assert "```" not in screen.split("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", screen.split(screens.END)[0], re.M)
    assert tables
    for table in tables:
        head, _, *rows = [line.strip("|").split("|") for line in table.splitlines()]
        assert all(cell.strip() for cell in head)
        assert all(len(head) == len(row) for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("game", own_games())
def test_the_tables_are_what_the_program_counts(game):
    """A page on which a number was changed by hand would be written anew."""
    text = (DOCS / "games" / f"{game}.md").read_text("utf-8")
    assert text == screens.with_screen(game, text)


def test_a_chance_in_a_table_is_never_rounded_to_certainty():
    """What can happen is not said to be never, and a half goes up."""
    chances = [Fraction(0), Fraction(1, 400), Fraction(1, 8), Fraction(999, 1000), Fraction(1)]
    assert ["0", "<1", "13", ">99", "100"] == [screens.percent(chance) for chance in chances]


@pytest.mark.parametrize("game", own_games())
def test_the_numbers_of_house_rules_are_explained(game):
    """A page that says (D3) says what that means, once."""
    page = build.house_page(find_game(game))
    assert 1 == page.count("The number behind a switch, such as D3,")


def test_the_proofs_of_a_rule_are_folded():
    """The rules can be read one after the other; each names how many tests prove it."""
    assert "<details><summary>2 tests</summary>`a`<br>`b`</details>" == build.folded(["a", "b"])
    assert "" == build.folded([])


def test_the_start_page_leads_to_the_table_in_three_lines():
    """The shared table is mentioned, and the example is as short as it is said to be."""
    text = (DOCS / "index.md").read_text("utf-8")
    assert "(table/index.md)" in text
    first = text.split("```pycon\n")[1].split("```")[0]
    assert 3 == first.count(">>> ")


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("rollwright.notation", ("as_rule", "odds_of_each")),
        ("rollwright.client", ("Server", "Table")),
    ],
)
def test_what_other_pages_use_is_in_the_reference(module, names):
    """The reference has a page for expressions and one for the client."""
    page = reference_pages.page(module)
    assert all(f"## `{name}`" in page for name in names)
    assert "ForwardRef" not in page


@pytest.mark.long
def test_a_phone_shows_pages_that_fit(browser, site):
    """At 360 pixels nothing sticks out; a picture stays large enough to be read and scrolls."""
    page = browser.new_page(viewport=PHONE)
    for name in ("benchmarks", "rules", "games/twilight2000", "index"):
        page.goto((site / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    wide = "document.querySelector('article img[src$=\"svg\"]').clientWidth"
    assert page.evaluate(wide) > 1.5 * PHONE["width"]
    page.goto((site / "rules.html").as_uri())
    tall = "Math.max(...[...document.querySelectorAll('tbody tr')].map(r => r.clientHeight))"
    assert page.evaluate(tall) < PHONE["height"]
    page.close()
