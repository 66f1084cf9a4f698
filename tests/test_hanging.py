"""What hangs or ends a worker is one failure, and all other tests are run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gates import but

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="no signals")]
ROOT = Path(__file__).parent.parent
PLUGINS = "--disable-plugin-autoload -pxdist.plugin -ppytest_timeout"
"""All that is needed here: others take a second to load, in each process."""
CONFTEST = """
from tests import hanging
from tests.conftest import pytest_xdist_make_scheduler

def pytest_configure(config):
    config.pluginmanager.register(hanging.Plugin(seconds=1))
"""
HANGS = """
import os, queue, threading, time, pytest

def forever():
    queue.Queue().get()

def waits():
    forever()

def tries():
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            pass

@pytest.mark.parametrize("how", [waits, tries])
def test_hangs(how):
    how()

@pytest.fixture
def late():
    yield
    waits()

def test_ends_late(late):
    pass

def test_after():
    pass
"""
DIES = """
import os, pytest

def test_before():
    pass

def test_dies():
    os._exit(3)

@pytest.mark.parametrize("n", range({after}))
def test_after(n):
    pass
"""


def run(folder, files, *options):
    """What pytest says of files of tests."""
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-rA", *options]
    settings += ["-o", f"addopts={PLUGINS}"]
    command = [sys.executable, "-m", "pytest", *settings, str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout


@pytest.mark.parametrize("options", ["-n 0", "-n 2 --dist loadfile"])
def test_a_hang_is_one_failure_that_shows_where(tmp_path, options):
    """In a test that waits, in one that catches every error, and in the end of a fixture."""
    said = run(tmp_path, {"test_it.py": HANGS}, *options.split())
    assert "2 failed, 2 passed, 1 error" in said
    assert "it hangs: it has run for 1 s" in said
    assert re.search(r"in forever\n.*in waits\n", said), said


@pytest.mark.parametrize("after", but([0, 1, 5], 0, 5))
def test_a_worker_that_dies_is_one_failure(tmp_path, after):
    """The test that it was at; what else was given to it is run elsewhere, and once."""
    files = {f"test_{name}.py": DIES.format(after=after) for name in "abc"}
    files["test_last.py"] = "def test_last(): pass"
    said = run(tmp_path, files, "-n", "2", "--dist", "loadfile")
    assert f"3 failed, {3 * (after + 1) + 1} passed" in said, said
    assert 3 == len(re.findall("^FAILED .*::test_dies", said, re.M))
