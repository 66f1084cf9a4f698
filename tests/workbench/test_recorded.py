"""What the page's own tests are told of the workbench is what Python answers today."""

import json

import pytest

from tests.workbench.recorded import FILE, questions, settled, told

RECORDED = json.loads(FILE.read_text("utf-8"))
ANEW = "Python says something else by now: ./dev run tests.workbench.recorded records it anew"


@pytest.fixture(scope="module")
def asked():
    """Every question as it is asked today."""
    return dict(questions())


@pytest.mark.parametrize("name", RECORDED)
def test_an_answer_is_given_as_it_was_recorded(asked, name):
    """The same question, and the same answer to the letter."""
    recorded = RECORDED[name]
    kind, question = asked[name]
    assert [recorded["kind"], recorded["question"]] == [kind, question], ANEW
    assert settled(recorded["reply"]) == settled(told((kind, question))), ANEW


def test_what_nobody_asks_is_not_kept(asked):
    """Every recorded answer is to a question that there is."""
    assert list(asked) == list(RECORDED), ANEW
