"""In the browser's Python everything comes to the same: asked in Node, with the same sources."""

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
from hatch_build import node_from_pypi, node_on_path

from rollwright import workbench
from rollwright.workbench.gallery import programs
from tests.workbench.recorded import settled

ROOT = Path(__file__).parents[2]
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
SCRIPT = Path(__file__).with_name("pyodide.mjs")
PROGRAMS = {one.name: {"kind": "program", "question": {"text": one.text}} for one in programs()}
OTHERS = {
    "an event": {"kind": "event", "question": {"expression": "2d6", "where": "it >= 10"}},
    "a refusal": {"kind": "odds", "question": {"expression": "4d6zz"}},
    "a slip": {"kind": "program", "question": {"text": "x = (3\n"}},
    "a wrong name": {"kind": "program", "question": {"text": "x = 1\nrool(D6)"}},
    "in German": {"kind": "program", "question": {"text": "4d6kh3", "language": "de"}},
    "the gallery": {"kind": "gallery", "question": {}},
}
ASKED = PROGRAMS | OTHERS

pytestmark = pytest.mark.long


def asked_in_pyodide(questions):
    """What Pyodide replies to questions, one after the other."""
    assert PYODIDE.is_dir(), "the page's packages are not there: ./dev page fetches them"
    node = node_on_path() or node_from_pypi()
    run = subprocess.run(
        [node.node, SCRIPT, PYODIDE, ROOT / "src"],
        input=json.dumps([*questions]),
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(run.stdout)
    assert told["version"].startswith("3.1")
    return [json.loads(reply) for reply in told["replies"]]


@pytest.fixture(scope="module")
def replies():
    """What Pyodide replies to each question, by name."""
    return dict(zip(ASKED, asked_in_pyodide(ASKED.values()), strict=True))


@cache
def here(name):
    """What this Python replies to a question."""
    asked = ASKED[name]
    return json.loads(workbench.reply(asked["kind"], json.dumps(asked["question"])))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_shows_something_and_nothing_is_wrong_with_it(name):
    """Each program of the gallery has outputs, and no problem at any line."""
    answer = here(name)["answer"]
    assert [] == answer["problems"]
    assert answer["outputs"]


@pytest.mark.parametrize("name", ASKED)
def test_the_browsers_python_answers_the_same(replies, name):
    """To the letter: rows, weights, pictures, sentences."""
    assert settled(here(name)) == settled(replies[name])
