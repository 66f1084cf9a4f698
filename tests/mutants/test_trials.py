"""Whether what is said of mutants can be relied on: which tests are tried, and what decides."""

import importlib.util
import itertools
from pathlib import Path

import pytest

pytest.importorskip("resource")  # forks are of Unix

from tests.mutants import trials
from tests.mutants.changes import Around, alive, exchange, lines_around, modules_of, mutants_of
from tests.mutants.trials import CRASHED, KILLED, NEVER_ENDS, Known, Result, Suite, in_fork

ROOT = Path(__file__).parents[2]
SOURCE = """LIMIT = 3


def more(n: int = 1, *, twice: bool = False) -> int:
    if n > LIMIT:
        return n + 1
    return n


def maker():
    def within(n):
        return n < LIMIT
    return within


within = maker()
"""


@pytest.fixture
def module(tmp_path):
    """A module that could be a game's."""
    path = tmp_path / "small.py"
    path.write_text(SOURCE, "utf-8")
    return path


def mutant_at(module, line, kind=""):
    """The first mutant of a line."""
    return next(m for m in mutants_of(module) if m.line == line and kind in m.kind)


def test_every_mutant_can_be_read(module):
    """The star of a signature is no multiplication, and nothing is changed in it."""
    for mutant in mutants_of(module):
        compile(mutant.source(), "small.py", "exec")
        assert mutant.source() != SOURCE


@pytest.mark.parametrize(
    ("line", "around"),
    [
        (1, None),
        (4, Around(range(5, 8), range(4, 8))),
        (5, Around(range(5, 8), range(5, 6))),
        (6, Around(range(5, 8), range(6, 7))),
        (12, Around(range(11, 14), range(12, 13))),
    ],
)
def test_where_a_mutant_lies(module, line, around):
    """Outside of functions, in a head, or in a statement of a function."""
    assert around == lines_around(mutant_at(module, line))


def test_the_tests_that_run_the_changed_line_are_tried_in_turn(module):
    """The quickest first, unless another one has killed neighbours; for a constant all that are."""
    path = str(module)
    runs = {"slow": [5, 6], "quick": [5, 6], "beside": [5, 7], "long": [12]}
    seconds = {"slow": 0.01, "quick": 0.005, "beside": 0.001, "long": 0.09}
    tests = [Known(t, seconds[t], frozenset((path, n) for n in runs[t])) for t in runs]
    suite = Suite(tests, frozenset())
    added, limit = mutant_at(module, 6), mutant_at(module, 1)
    assert ["quick", "slow"] == suite.in_turn(added)
    suite.kills[path, "slow"] = 2
    assert ["slow", "quick"] == suite.in_turn(added)
    assert {"slow", "quick", "beside"} == set(suite.in_turn(limit))
    suite.brief = False
    assert set(runs) == set(suite.in_turn(limit))


def test_a_fork_decides_only_where_nothing_came_of_the_function_yet(module):
    """What a function has made while the tests were collected still is as it was."""
    early = frozenset((str(module), line) for line in (1, 4, 10, 11, 13, 16))
    suite = Suite([], early)
    decided = {line: suite.decided_in_fork(mutant_at(module, line)) for line in (1, 5, 6, 12)}
    assert {1: False, 5: True, 6: True, 12: False} == decided


@pytest.mark.long
def test_a_function_gets_the_code_of_the_mutant(module):
    """In a fork: here it stays as it was; what stands outside of functions cannot be exchanged."""
    spec = importlib.util.spec_from_file_location("small", module)
    small = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(small)
    functions = alive(module.parent)
    added = mutant_at(module, 6, "Add_Sub")

    def work():
        return Result(KILLED, f"{exchange(added, functions)} {small.more(5)}")

    assert Result(KILLED, "True 4") == in_fork(work)
    assert 6 == small.more(5)
    assert not exchange(mutant_at(module, 1), functions)


def test_what_a_fork_comes_to(monkeypatch):
    """An error of the runner is no kill, and what never ends is ended."""
    monkeypatch.setattr(trials, "PATIENCE", 0.05)

    def fail():
        raise ValueError

    monkeypatch.setattr(trials.sys, "stderr", None)
    assert CRASHED == in_fork(fail).what
    assert NEVER_ENDS == in_fork(lambda: Result(str(sum(itertools.count())))).what


@pytest.mark.parametrize(
    ("part", "module"),
    [("dust", "rollwright/games/dust/rules.py"), ("table", "rollwright/table/verify/chain.py")],
)
def test_a_part_has_its_modules_with_those_below(part, module, monkeypatch):
    """The rules of a game, and all of the table: its commands and its verifier too."""
    monkeypatch.chdir(ROOT)
    assert Path("src", module) in modules_of(part)
