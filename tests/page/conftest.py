"""A real server for the tests of the page, and people with real browsers."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from rollwright.client import Server
from rollwright.server.routes.site import FOLDER
from tests import nursery
from tests.browsers import a_browser
from tests.durations import spent
from tests.page.people import Person
from tests.server.parts import free_port

SERVES = re.compile(r"http://[^\s]+/")
PLENTY = ["--address-rate=1000", "--address-burst=5000", "--tables-per-hour=5000"]
PLENTY += ["--seat-rate=1000", "--seat-burst=5000", "--joins-per-minute=5000"]
# However busy the machine is, odds come: what may take 8 s takes a third of a second of its own.
PLENTY += ["--count-seconds=25"]
OPEN = {"ROLLWRIGHT_TABLES": "anybody"}


class Serving:
    """`rollwright serve` in a process of its own, which can be ended and begun again."""

    def __init__(self, folder, *options, path=""):
        self.folder = folder
        self.options = options
        self.path = path
        self.port = free_port()
        self.address = ""
        self.process = None

    def begin(self):
        """Start it, on the same port as before, and wait until it serves."""
        with spent("starting a server"):
            return self._begin()

    def _begin(self):
        command = [sys.executable, "-m", "rollwright", "serve", "--no-open", *PLENTY]
        command += [f"--port={self.port}", f"--database={self.folder / 'tables.sqlite'}"]
        command += self.options
        log = self.folder / "log.txt"  # a pipe that nobody reads on would fill and stop the server
        with log.open("a") as errors:
            self.process = nursery.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                env={**os.environ, **OPEN, **({"PYTHONPATH": str(self.path)} if self.path else {})},
            )
        for line in self.process.stdout:
            if found := SERVES.search(line):
                self.address = found.group()
                return self
        raise AssertionError(f"it ended with {self.process.wait()}: {log.read_text('utf-8')}")

    def end(self, *, kill=False):
        """End it, or kill it as a power cut would."""
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait(timeout=60)
        self.process.stdout.close()


def made(make, path=""):
    """Make pictures of the documentation anew, on a server and in a browser of their own."""
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        serving = Serving(Path(folder), path=path).begin()
        try:
            for picture in make(browser, serving.address):
                print(f"{picture.stat().st_size / 1000:6.1f} kB  {picture.name}", flush=True)
        finally:
            serving.end()
    return 0


@contextlib.contextmanager
def a_server(folder):
    """A server with a database of its own."""
    assert (FOLDER / "index.html").exists(), "the page is not built: ./dev page builds it"
    serving = Serving(folder).begin()
    yield serving
    serving.end()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The server that all tests of this process come to; tests that end it have their own."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


@pytest.fixture(scope="module")
def host(server):
    """The server, for programs."""
    with Server(server.address) as found:
        yield found


@pytest.fixture
def somebody(browser, driver, server):
    """People with browsers of their own; a page that raised an error fails the test.

    Another `browser` or `address` may be said. A browser that has died was one failure: whoever
    comes next gets another.
    """
    people = []

    def come(**how):
        how = {"browser": driver.browser(), "address": server.address} | how
        people.append(Person(how.pop("browser"), how.pop("address"), **how))
        return people[-1]

    yield come
    complaints = [complaint for person in people for complaint in person.complaints]
    for person in people:
        person.context.close()
    assert complaints == []
