"""Settings for every test: no deadlines, since machines differ; the same examples in CI."""

import gc
import os
import signal
import sys
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import durations, hanging
from tests.scheduling import Scheduling

FIRST = (
    "tests/server/test_nothing_lost.py",
    "tests/page/test_accessibility.py",
    "tests/page/test_recovery.py",
    "tests/page/test_session",
    "tests/page/test_workbench.py",
    "tests/page/",
    "tests/test_checks.py",
    "tests/docs/test_running.py",
    "tests/test_rulebooks.py",
    "tests/gamecheck/test_check.py",
    "tests/server/test_storage_health.py",
    "tests/games/kleptonomicon/test_group_odds.py",
    "tests/server/test_evening.py",
    "tests/server/test_upgrade.py",
    "tests/games/edge20/test_at_the_limits.py",
    "tests/server/test_no_leak.py",
    "tests/server/test_bounds.py",
    "tests/deploy/",
    "tests/server/test_hosting.py",
    "tests/exact/",
    "tests/server/",
)
"""What takes longest, by how its path begins, as measured on two cores."""
HERE = Path(__file__).parent
PAGES = "tests/page/"
STARTED = {
    "browser": "browser",
    "postgres": "storm",
    "postgresql": "storm",
    "redis_server": "storm",
}
"""How what asks for these fixtures is marked."""
collect_ignore = ["cli/test_playing.py"] if os.name == "nt" else []  # it needs a terminal of Unix

if not os.environ.get("CI"):
    slow_machine = [HealthCheck.too_slow]
    settings.register_profile("local", deadline=None, suppress_health_check=slow_machine)
    settings.load_profile("local")

os.environ["ROLLWRIGHT_LANGUAGE"] = "en"  # whatever the machine speaks

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a script; what the tests start must hear Ctrl-C all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if os.name != "nt" and signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


gc.disable()  # until all tests are known


class Doctests:
    """Looks for doctests only where there are any: to import and search all takes seconds."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        """Of the tests themselves, which have none, and of modules without a prompt, no doctest."""
        found = yield
        has_any = not file_path.is_relative_to(HERE) and b">>> " in file_path.read_bytes()
        return [one for one in found if has_any or "Doctest" not in type(one).__name__]


def pytest_configure(config):
    """What every test and fixture costs is taken down; a test that hangs is one failure."""
    config.pluginmanager.register(Doctests(), "doctests")
    config.pluginmanager.register(durations.Plugin(), "durations")
    config.pluginmanager.register(hanging.Plugin(), "hanging")


@pytest.fixture(scope="session")
def driver():
    """Starts browsers, and keeps them for all tests of this process."""
    from tests.browsers import DRIVER

    yield DRIVER
    DRIVER.end()


@pytest.fixture(scope="session")
def browser(driver):
    """Chromium, without a window."""
    return driver.browser()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Playwright's loop is there for who asks for a browser; all others may run their own."""
    if "tests.browsers" in sys.modules:
        from tests.browsers import DRIVER

        DRIVER.is_used("driver" in getattr(item, "fixturenames", ()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Whole files, also after a worker has died."""
    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish():
    """Eight thousand tests live to the end: nobody looks through them for garbage again."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    """Whatever asks for a browser or a server is marked so; what takes long begins first."""
    for item in items:
        for name in STARTED.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(STARTED[name])
    turns = turns_of([item.nodeid.split("::")[0] for item in items])
    items.sort(key=lambda item: turns[item.nodeid.split("::")[0]])


def turns_of(files):
    """Where each file stands among all: what takes long first, browsers and servers by turns.

    A worker takes a file at a time, so that what is started for a file is started once. Browsers
    compute and servers mostly wait, so that half of the workers at each keep the processors busy
    without crowding them. The order within a file stays as it is.
    """
    long = sorted(dict.fromkeys(files), key=length)
    pages = [file for file in long if file.startswith(PAGES)]
    others = [file for file in long if not file.startswith(PAGES) and length(file) < len(FIRST)]
    by_turns = [file for both in zip_longest(pages, others) for file in both if file]
    return {file: n for n, file in enumerate(dict.fromkeys([*by_turns, *long]))}


def length(file):
    """Which place a file has among those that take longest; what is not there is last."""
    return next((n for n, begins in enumerate(FIRST) if file.startswith(begins)), len(FIRST))
