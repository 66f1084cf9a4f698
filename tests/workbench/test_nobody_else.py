"""A program runs whatever is written in it, so no server and no table ever comes here."""

import subprocess
import sys

import pytest

from rollwright.queries.kinds import KINDS as ASKED
from rollwright.workbench.kinds import KINDS
from tests.test_architecture import imported, modules

SERVED = ("server", "table", "queries", "client", "kit", "games", "notation", "anydice", "engine")
LOADED = """
import sys
import rollwright.server.app, rollwright.server.process
from rollwright.workers import payloads, worker
from rollwright.server.routes import endpoints
print([name for name in sys.modules if name.startswith("rollwright.workbench")])
"""


@pytest.mark.long
def test_nothing_that_is_served_imports_the_workbench():
    """Neither at the top of a module nor inside a function."""
    found = {
        name
        for name in modules()
        if name.split(".")[1:2] and name.split(".")[1] in SERVED
        for other, _ in imported(name)
        if other.startswith("rollwright.workbench")
    }
    assert set() == found


@pytest.mark.long
def test_a_server_has_not_even_loaded_it():
    """With the app, its routes and the processes that count, nothing of it is there."""
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert "[]" == run.stdout.strip()


def test_no_question_over_http_runs_a_program():
    """The kinds of question that HTTP answers are those of `ask` alone, and none runs code."""
    assert set() == set(ASKED) & set(KINDS)
