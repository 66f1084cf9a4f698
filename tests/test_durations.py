"""What a run costs is taken down: every test and fixture, whoever ran it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import durations
from tests.durations import Recorder, Taken, by_cause, by_folder, read, told
from tests.test_hanging import PLUGINS

ROOT = Path(__file__).parent.parent
CONFTEST = """
from pathlib import Path
import pytest
from tests import durations

def pytest_configure(config):
    config.pluginmanager.register(durations.Plugin(Path(__file__).with_name("found.json")))

@pytest.fixture(scope="session")
def house():
    yield "built"

@pytest.fixture
def key(house):
    return house
"""
TESTS = """
import pytest
from tests.durations import spent

@pytest.mark.long
def test_long(key):
    with spent("counting"):
        sum(range(3_000_000))

@pytest.mark.parametrize("n", [1, 2])
def test_short(n, key):
    assert n
"""


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes when it is told to, and processors that are as busy as it goes."""
    now = [0.0]
    monkeypatch.setattr(durations, "perf_counter", lambda: now[0])
    monkeypatch.setattr(durations, "processors", lambda: now[0] / 2)

    def goes(seconds):
        now[0] += seconds

    return goes


@pytest.mark.long
def test_what_is_spent_within_something_is_counted_once(clock):
    """A page that is loaded while a fixture is set up is not counted with the fixture."""
    recorder = Recorder()
    with recorder.spent("fixture"):
        clock(1)
        with recorder.spent("loading"):
            clock(4)
        clock(2)
    assert {"fixture": [1, 3.0, 1.5], "loading": [1, 4.0, 2.0]} == recorder.taken()["causes"]
    assert {} == recorder.taken()["causes"]


def test_who_ended_is_counted_once(monkeypatch):
    """Whoever is waited for tells it all again; whoever nobody waits for is remembered."""
    looks = iter([
        ({1: 1.0, 2: 5.0, 3: 4.0}, 0.0),
        ({1: 2.0, 3: 4.0}, 6.0),  # the second had 5 seconds, then one more, and was waited for
        ({1: 2.0}, 6.0),  # nobody was told of the third
        ({1: 2.0}, 9.0),  # one that was never seen took 3
    ])  # fmt: skip
    monkeypatch.setattr(durations, "_family", lambda: next(looks))
    processors = durations.Processors()
    assert [10.0, 12.0, 12.0, 15.0] == [processors.used() for _ in range(4)]


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.long
def test_a_run_writes_what_each_test_and_fixture_cost(tmp_path, workers):
    """With the kind of each test, and under the name of each cause; one file a run."""
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    (tmp_path / "test_it.py").write_text(TESTS, "utf-8")
    settings = f"-c {ROOT / 'pyproject.toml'} --rootdir {tmp_path} -n {workers} -q".split()
    settings += ["-o", f"addopts={PLUGINS}"]
    command = [sys.executable, "-m", "pytest", *settings, str(tmp_path)]
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert 0 == done.returncode, done.stdout + done.stderr
    assert (tmp_path / "found.before.json").exists()
    found = {test.test.partition("::")[2]: test for test in read(tmp_path / "found.json")}
    assert {"test_long", "test_short[1]", "test_short[2]"} == found.keys()
    assert "long" == found["test_long"].kind
    assert "plain" == found["test_short[1]"].kind
    assert 1 == found["test_long"].causes["counting"][0]
    assert {"fixture key"} <= found["test_short[2]"].causes.keys()
    houses = [test for test in found.values() if "fixture house" in test.causes]
    assert houses
    assert all(test.worker for test in found.values())


def test_tables_are_made_by_folder_and_by_cause():
    """What is left when all causes are taken away is the test's own."""
    loaded = {"loading": [2, 3.0, 2.0]}
    tests = [
        Taken("tests/page/test_a.py::one", "gw0", "browser", 100.0, 10.0, 8.0, loaded),
        Taken("tests/page/test_b.py::two", "gw1", "browser", 105.0, 1.0, 1.0, {}),
        Taken("tests/test_c.py::three", "gw0", "plain", 110.0, 2.0, 2.0, {}),
        Taken("src/rollwright/dice.py::rollwright.dice", "gw0", "plain", 112.0, 0.5, 0.5, {}),
    ]
    folders = [("tests/page", 2, (11, 9)), ("tests", 1, (2, 2)), ("src (doctests)", 1, (0.5, 0.5))]
    assert folders == list(by_folder(tests))
    causes = [
        ("tests: browser", 2, (8, 7)),
        ("loading", 2, (3, 2)),
        ("tests: plain", 2, (2.5, 2.5)),
    ]
    assert causes == list(by_cause(tests))
    assert "by the clock 12 s in 2 processes" in list(told(tests, 5))
