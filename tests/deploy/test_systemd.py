"""The unit for systemd: understood, hardened, and its command does what the unit relies on."""

import configparser
import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from rollwright.server.settings import PREFIX, SETTINGS
from tests.deploy.proxies import DEPLOY, program
from tests.server.guests import CLIENT, wait_until
from tests.server.parts import free_port

pytestmark = pytest.mark.storm

UNIT = DEPLOY / "rollwright.service"
MOST_EXPOSED = 15
"""Tenths of the measure of `systemd-analyze security`, which calls up to 20 safe."""


class Values(dict):
    """A section of a unit, where a key that comes again adds a value."""

    def __setitem__(self, key, value):
        if isinstance(value, list) and key in self:
            value = self[key] + value
        super().__setitem__(key, value)


def service():
    """The section of the service; each key with all its values."""
    parser = configparser.RawConfigParser(strict=False, dict_type=Values, comment_prefixes="#")
    parser.optionxform = str
    parser.read_string(UNIT.read_text("utf-8"))
    return {key: value.splitlines() for key, value in parser["Service"].items()}


def variables(folder):
    """What the unit sets, with the folder of its state."""
    state = service()["StateDirectory"][0]
    told = dict(one.split("=", 1) for one in service()["Environment"])
    return {name: text.replace(f"/var/lib/{state}", str(folder)) for name, text in told.items()}


def started(folder, **more):
    """The command of the unit, run here."""
    path, *words = shlex.split(service()["ExecStart"][0])
    command = [Path(sys.executable).with_name(Path(path).name), *words]
    own = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    return subprocess.Popen(
        command,
        env={**own, **variables(folder), **more},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_systemd_understands_the_unit(tmp_path):
    """It finds nothing to complain about, given that the command is installed."""
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text("utf-8"), flags=re.M)
    (tmp_path / UNIT.name).write_text(text, "utf-8")
    command = [program("systemd-analyze"), "verify", "--man=no", str(tmp_path / UNIT.name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)


def test_the_unit_is_hardened():
    """What the service could do beyond its work is as little as systemd measures as safe."""
    command = [program("systemd-analyze"), "security", "--offline=true", "--no-pager"]
    done = subprocess.run(
        [*command, f"--threshold={MOST_EXPOSED}", str(UNIT)], capture_output=True, text=True
    )
    assert 0 == done.returncode, done.stdout


def test_the_command_of_the_unit_serves_and_ends_as_it_relies_on(tmp_path):
    """It serves from the folder of its state, backs up into it, and ends within the time it has."""
    port = free_port()
    process = started(tmp_path, ROLLWRIGHT_PORT=str(port))
    try:
        ready = f"http://127.0.0.1:{port}/ready"
        wait_until(lambda: is_ready(ready))
        wait_until(lambda: CLIENT.get(ready).json()["backup"] == "made")
        assert 1 == len(list((tmp_path / "backups").glob("*.sqlite")))
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(int(service()["TimeoutStopSec"][0]))
    finally:
        process.kill()
        process.communicate()


def is_ready(address):
    """Whether the server can be used."""
    with contextlib.suppress(httpx.TransportError):
        return CLIENT.get(address).status_code == 200
    return False


@pytest.mark.parametrize("wrong", [{"ROLLWRIGHT_PORT": "x"}, {"ROLLWRIGHT_BACKUP_KEEP": "x"}])
def test_settings_that_cannot_be_are_not_tried_again(tmp_path, wrong):
    """The exit code is the one for which the unit does not start it again."""
    process = started(tmp_path, **{"ROLLWRIGHT_PORT": "0", **wrong})
    _, said = process.communicate(timeout=60)
    assert service()["RestartPreventExitStatus"] == [str(process.returncode)]
    assert "would do" in said
    assert "Traceback" not in said


def test_where_memory_runs_out_the_tables_go_on():
    """One process is ended, not the unit: systemd's own policy would stop all of it."""
    assert ["continue"] == service()["OOMPolicy"]
    assert ["2G"] == service()["MemoryMax"]


def test_what_the_unit_sets_are_settings():
    """Each variable is known, and there is more time to end than the server takes."""
    assert {name.removeprefix(PREFIX).lower() for name in variables("/")} <= set(SETTINGS)
    assert int(service()["TimeoutStopSec"][0]) > SETTINGS["shutdown_seconds"].default
