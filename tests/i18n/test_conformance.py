"""One file of cases, said by Python and by the page, and plurals by the rules of a browser."""

import json
import subprocess
from pathlib import Path

import pytest
from hatch_build import WEB, node_from_pypi, node_on_path

from rollwright.i18n.catalogs import Catalog
from rollwright.i18n.formatter import _WAYS, Formatter
from rollwright.i18n.languages import facts, language_of
from rollwright.i18n.parser import KINDS

CASES = json.loads((Path(WEB).parent / "vectors" / "words.json").read_text("utf-8"))
NUMBERS = [*range(1201), 9_999, 10_011, 999_999, 10**6, 10**6 + 1, 3 * 10**6, 10**9]


def texts_of(case):
    """The texts of a case, compiled."""
    catalog = Catalog(case["language"], case["texts"])
    return {id: catalog.find(id) for id in catalog}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']} {case['said'][:20]}")
def test_python_says_it(case):
    """The expected text of each case was written by hand."""
    people = case.get("people", {})
    texts = texts_of(case)
    voice = Formatter(language_of(case["language"]), texts.get, lambda ref: people.get(ref, ref))
    assert case["said"] == voice.say(case["message"])


def named_in(held):
    """How values are written in a message, and how texts choose."""
    if isinstance(held, dict):
        yield from held
    parts = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    for part in parts:
        yield from named_in(part)


def test_the_file_has_a_case_of_everything():
    """Every way to write a value and to choose a text, and languages with many plurals."""
    ways = {name for case in CASES for name in named_in(case["message"])}
    assert set(_WAYS) <= ways
    texts = " ".join(text for case in CASES for text in case["texts"].values())
    assert [] == [kind for kind in KINDS if f", {kind}," not in texts]
    spoken = {case["language"] for case in CASES if "plural" in str(case["texts"])}
    assert {6, 4} <= {len(language_of(code).plurals) + 1 for code in spoken}
    assert {"{n}", "nobody.wrote.it"} <= {case["said"] for case in CASES}


@pytest.fixture(scope="module")
def page():
    """What the page's evaluator makes of the cases, and a browser's forms of numbers."""
    node = node_on_path() or node_from_pypi()
    asked = {
        "cases": [{**case, "texts": texts_of(case)} for case in CASES],
        "plurals": {"languages": [*facts()], "numbers": NUMBERS},
    }
    done = subprocess.run(
        [node.node, "words_conformance.mjs"],
        cwd=WEB,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert "" == done.stderr
    return json.loads(done.stdout)


def test_the_page_says_the_same(page):
    """Case by case, the same text."""
    assert [case["said"] for case in CASES] == page["said"]


@pytest.mark.parametrize("code", facts())
def test_plurals_are_those_of_a_browser(code, page):
    """Intl.PluralRules is made from the same facts (CLDR) by other people."""
    language = language_of(code)
    cardinal, ordinal = page["forms"][code]
    assert dict(zip(NUMBERS, cardinal)) == {n: language.plural(n) for n in NUMBERS}
    assert dict(zip(NUMBERS, ordinal)) == {n: language.ordinal(n) for n in NUMBERS}
