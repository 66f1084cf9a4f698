"""Processes from the nursery are like those that are started."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from tests import nursery

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there it is always started")
COMMAND = [sys.executable, "-m", "rollwright"]
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


@pytest.mark.parametrize("words", [["odds", "2d6", "--json"], ["roll", "2d6", "--no-such"]])
def test_the_same_is_said_and_told_by_the_exit_code(words):
    """What a command line prints, complains of and ends with."""
    started = subprocess.run([*COMMAND, *words], capture_output=True, text=True)
    split_off = nursery.run([*COMMAND, *words])
    expected = (started.returncode, started.stdout, started.stderr)
    assert expected == (split_off.returncode, split_off.stdout, split_off.stderr)


def test_folder_variables_and_session_are_those_asked_for(tmp_path):
    """A server keeps its tables where it is told to, has a session of its own, and ends."""
    env = {**os.environ, "ROLLWRIGHT_DATABASE": "here.sqlite", "ROLLWRIGHT_PORT": "0"}
    command = [*COMMAND, "serve", "--no-open"]
    how = {"cwd": tmp_path, "env": env, "start_new_session": True, **PIPES}
    with nursery.Popen(command, **how) as server:
        while "Ctrl+C" not in server.stdout.readline():
            assert server.poll() is None
        assert (tmp_path / "here.sqlite").exists()
        process = psutil.Process(server.pid)
        assert os.getpid() == process.ppid()
        assert any("nursery" in word for word in process.cmdline())  # it was split off
        assert server.pid == os.getsid(server.pid) != os.getsid(0)
        server.send_signal(signal.SIGTERM)
        assert 0 == server.wait(60)


def test_what_it_does_not_know_is_started(tmp_path):
    """Games of somebody else are found on another path: there nothing is split off."""
    (tmp_path / "sitecustomize.py").write_text("print('started')")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with nursery.Popen([*COMMAND, "roll", "1d1"], env=env, **PIPES) as process:
        assert process.communicate()[0].startswith("started")
