"""The servers that tests start are real, can be killed, and leave nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.server.parts import is_dead, wait_until

pytestmark = pytest.mark.storm

ROOT = Path(__file__).parent.parent.parent
STARTED = """
import sys
from tests.server import parts
for server in (parts.running_redis(), parts.running_postgres()):
    print(server.process.pid, server.folder, flush=True)
sys.stdin.read()
"""


def test_a_killed_postgresql_keeps_its_data_and_port(postgres):
    """What was committed is there after kill -9 and a start; every process of it had ended."""
    url, before = postgres.fresh(), postgres.port
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE things AS SELECT 7 AS number")
        assert ("on",) == connection.execute("SHOW fsync").fetchone()
    processes = psutil.Process(postgres.process.pid).children(recursive=True)
    postgres.kill9()
    assert [] == [one for one in processes if one.is_running() and one.status() != "zombie"]
    postgres.start()
    with psycopg.connect(url) as connection:
        assert (7,) == connection.execute("SELECT number FROM things").fetchone()
    assert before == postgres.port


def test_a_killed_redis_comes_back_on_its_port(redis_server):
    """It answers again where it answered before."""
    before = redis_server.url
    redis_server.restart()
    assert (True, before) == (redis_server.is_ready(), redis_server.url)


def test_nothing_stays_when_the_tests_are_killed():
    """Even kill -9 of the tests ends their servers and removes what they wrote."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", STARTED], env=env, **pipes) as tests:
        started = [tests.stdout.readline().split() for _ in range(2)]
        servers = [psutil.Process(int(pid)) for pid, _ in started]
        tests.send_signal(signal.SIGKILL)
    wait_until(lambda: all(map(is_dead, servers)), what="the end of the servers")
    folders = [Path(folder) for _, folder in started]
    wait_until(lambda: not any(map(Path.exists, folders)), what="the end of their folders")
