"""The page for people from other tools: what stands there for icepool and dyce gives the same."""

import re
from fractions import Fraction

import dyce
import icepool
import pytest

from rollwright.anydice import run
from tests.docs.examples import ROOT, names_of

pytestmark = pytest.mark.filterwarnings("ignore::dyce.lifecycle.ExperimentalWarning")

PAGE = ROOT / "docs" / "howto" / "coming-from.md"
TEXT = PAGE.read_text("utf-8")
PEERS = ("icepool", "dyce")
COUNTED = (icepool.Die, dyce.H)
SNIPPET = re.compile(r'^``` \{ \.\w+ \.(\w+) title="\w+" \}\n(.*?)^```', re.M | re.S)
IMPORTS = dict(SNIPPET.findall(TEXT.partition("\n## ")[0]))
TASKS = [part for part in TEXT.split("\n## ")[1:] if 'class="beside"' in part]
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| ")][1:]


@pytest.fixture(scope="module")
def ours():
    """What our examples leave behind."""
    return names_of(PAGE)


def chances(distribution):
    """The exact chance of every outcome, whichever library counted it."""
    weights = dict(distribution.items())
    return {outcome: Fraction(ways, sum(weights.values())) for outcome, ways in weights.items()}


def imported(peer):
    """The names that the first lines of the page bring for a peer."""
    names = {}
    exec(IMPORTS[peer], names)
    return names


def snippets(task):
    """What each of the others writes for a task."""
    return dict(SNIPPET.findall(task))


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.splitlines()[0])
def test_a_task_comes_to_the_same_with_a_peer(ours, task, peer):
    """What the peer's lines call by a name has the chances that ours have by that name."""
    known = imported(peer)
    names = dict(known)
    exec(snippets(task)[peer], names)
    made = {name: names[name] for name in names.keys() & ours.keys() - known.keys()}
    made = {name: found for name, found in made.items() if isinstance(found, COUNTED)}
    assert made
    for name, found in made.items():
        assert chances(ours[name]) == chances(found)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.splitlines()[0])
def test_a_task_comes_to_the_same_as_a_program_of_anydice(ours, task):
    """The last output of its program has the chances of the last name that icepool's lines give."""
    *_, shown = run(snippets(task)["anydice"]).outputs
    *_, name = re.findall(r"^(\w+) = ", snippets(task)["icepool"], re.M)
    assert chances(ours[name]) == chances(shown.odds)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.splitlines()[0])
def test_every_task_is_told_for_all_four(task):
    """AnyDice, icepool, dyce, and then ours."""
    assert ["anydice", "icepool", "dyce"] == list(snippets(task))
    assert '```pycon title="Rollwright"' in task


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("| "))
def test_what_the_table_says_can_be_written(ours, row):
    """Every cell of the table at the top is Python that works, but for AnyDice's column."""
    bound = {"die": icepool.d12, "h": dyce.H(12), "dist": ours["total"], "dice": ours["D12"]}
    columns = {"": row[1], "icepool": row[3], "dyce": row[4]}
    for peer, cell in columns.items():
        known = imported(peer) if peer else ours
        for written in re.findall("`([^`]+)`", cell):
            assert eval(written, {**known, **bound}) is not None
