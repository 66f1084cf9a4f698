"""Examples that run on the site: in the browser's Python each does what its page shows."""

import doctest
import json
import re
from html import unescape

import pytest

from docs.examples import examples_of, marked
from tests.docs.examples import FENCE, PAGES, ROOT
from tests.workbench.test_pyodide import asked_in_pyodide

ON_THE_SITE = [page for page in PAGES if page.parent != ROOT]
TEXTS = {
    page.relative_to(ROOT).as_posix(): FENCE.findall(page.read_text("utf-8"))
    for page in ON_THE_SITE
}
EXAMPLES = {page: list(examples_of(texts)) for page, texts in TEXTS.items() if texts}
MARKED = re.compile(r'data-example="([^"]*)"')
ELSEWHERE = [page for page, found in EXAMPLES.items() if any(one.needs for one in found)]

pytestmark = pytest.mark.long


def refusals(text):
    """How many lines of an example are there to be refused."""
    if not text.lstrip().startswith(">>>"):
        return 0
    return sum(one.exc_msg is not None for one in doctest.DocTestParser().get_examples(text))


def question(sources):
    """Asks what the examples of a page show, one below the other."""
    return {"kind": "example", "question": {"text": "\n\n".join(sources)}}


@pytest.fixture(scope="module")
def replies():
    """By page what those of its examples show that run, and what all of them do."""
    here = {
        page: question(one.source for one in found if not one.needs)
        for page, found in EXAMPLES.items()
    }
    everything = {
        f"{page} all": question(one.source for one in EXAMPLES[page]) for page in ELSEWHERE
    }
    asked = here | everything
    return dict(zip(asked, asked_in_pyodide(asked.values()), strict=True))


@pytest.mark.parametrize("page", EXAMPLES)
def test_what_has_a_button_runs(replies, page):
    """Nothing goes wrong but what its page shows to be refused."""
    wrong = replies[page]["answer"]["problems"]
    expected = sum(
        refusals(text)
        for text, one in zip(TEXTS[page], EXAMPLES[page], strict=True)
        if not one.needs
    )
    assert expected == len(wrong), json.dumps(wrong, indent=1)


@pytest.mark.parametrize("page", ELSEWHERE)
def test_what_has_none_does_not_run(replies, page):
    """With the examples that are said to need more, something goes wrong that no page shows."""
    wrong = replies[f"{page} all"]["answer"]["problems"]
    assert [one for one in wrong if one["code"] in ("unknown_name", "failed")]


def test_every_example_of_the_site_is_marked(site):
    """As many blocks as its source has, with the same Python; each knows whether it runs."""
    for page, found in EXAMPLES.items():
        built = (site / page.removeprefix("docs/")).with_suffix(".html").read_text("utf-8")
        assert [one.source for one in found] == [unescape(text) for text in MARKED.findall(built)]
        assert len(found) == built.count('class="language-py') - others(built), page
        assert sum(bool(one.needs) for one in found) == built.count("data-needs=")
        assert 'type="module" src="' in built


def others(page):
    """Blocks that are no examples of ours: signatures, what other libraries write, pieces."""
    kinds = ("signature", "icepool", "dyce")
    return page.count("language-python3") + sum(
        page.count(f"language-python {one}") for one in kinds
    )


def test_an_example_keeps_its_text_in_its_mark():
    """Quotes, signs and lines come through HTML as they were written."""
    code = '&gt;&gt;&gt; "a" &lt; "b"\n&gt;&gt;&gt; 1\n1\n'
    page = f'<div class="language-pycon highlight"><pre><code>{code}</code></pre></div>'
    assert '<div data-example="&quot;a&quot; &lt; &quot;b&quot;&#10;1" class=' in marked(page)
