"""Processes of Rollwright that are split off from one that has everything imported.

Most of what a server costs in a test is its start: a second to import what it needs, and half of
one more for its counting process. A nursery imports all of it once, and whoever wants a process
is given a copy of it, with the arguments, variables, pipes and session that were asked for. The
copy is a child of who asked, as if it had been started: it is waited for, killed and looked for
in the same way.

    process = nursery.Popen([sys.executable, "-m", "rollwright", "serve"], env=…)

What a nursery does not know is started as always: other programs, another PYTHONPATH (games of
somebody else), systems other than Linux. `tests/server/test_serve.py` and the containers of
`tests/deploy` start nothing but real ones.
"""

from __future__ import annotations

import atexit
import contextlib
import contextvars
import ctypes
import inspect
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

SUBREAPER = 36
"""What prctl calls it: whose parent ends becomes a child of this process."""
LONGEST = 2**20
SERVES = ["-m", "rollwright"]


class Asked(NamedTuple):
    """What a copy is to become."""

    count: bool
    """A counting process; otherwise a command line."""
    words: list[str]
    path: list[str]
    env: dict[str, str]
    cwd: str | None
    session: bool
    group: bool


class Nursery:
    """The process with everything imported, as who asks it sees it."""

    def __init__(self, line: socket.socket, path: list[str]) -> None:
        self.line = line
        self.path = path
        """Where what it has imported was found."""
        self.about_python = _about_python(os.environ)
        self._lock = threading.Lock()

    def split_off(self, asked: Asked, *pipes: int) -> int:
        """A new child of this process; its number."""
        with self._lock, _adopting():
            socket.send_fds(self.line, [json.dumps(asked).encode()], pipes)
            said = self.line.recv(64)
        if not said:
            raise OSError("the nursery has ended")
        return int(said)


def _about_python(env: Any) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith("PYTHON")}


@contextlib.contextmanager
def _adopting() -> Iterator[None]:
    """While it lasts, whose parent ends becomes a child of this process."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(SUBREAPER, 0, 0, 0, 0)


_nursery: Nursery | None = None
_opening = threading.Lock()
_in_use = contextvars.ContextVar("_in_use", default=False)


def _opened() -> Nursery:
    """The nursery of this process, begun when first asked for; it ends with this process."""
    global _nursery
    with _opening:
        if _nursery is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                command = [sys.executable, __file__, str(theirs.fileno())]
                pipes: Any = {"stdin": subprocess.DEVNULL, "pass_fds": [theirs.fileno()]}
                process = subprocess.Popen(command, start_new_session=True, **pipes)
            _nursery = Nursery(ours, json.loads(ours.recv(LONGEST)))
            atexit.register(process.wait)
            atexit.register(ours.close)
        return _nursery


class Popen(subprocess.Popen):
    """A process of Rollwright from the nursery; any other is started."""

    def _execute_child(self, *positional: Any) -> None:
        start = super()._execute_child
        told = inspect.signature(start).bind(*positional).arguments
        asked = _asked(told)
        if asked is None:
            start(*positional)
            return
        inside = ("p2cread", "c2pwrite", "errwrite")
        pipes = [number if told[n] == -1 else told[n] for number, n in enumerate(inside)]
        self.pid = _opened().split_off(asked, *pipes)
        self._child_created = True
        ends = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*[told[name] for name in ends])


def run(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command line of Rollwright to its end, and take down what it says."""
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    with Popen(command, **pipes, **more) as process:
        said = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, *said)


def _asked(told: dict[str, Any]) -> Asked | None:
    """What is asked of a nursery; None where it has to be started."""
    words, env = told["args"], told["env"]
    env = dict(os.environ if env is None else env)
    if sys.platform != "linux" or isinstance(words, str) or str(words[0]) != sys.executable:
        return None
    if any(told[name] for name in ("preexec_fn", "executable", "shell", "pass_fds")):
        return None
    if told["uid"] is not None or told["gid"] is not None or told["gids"] is not None:
        return None
    rest = [str(word) for word in words[1:]]
    is_count = rest[:1] == ["-c"] and "counting.fork_server import main" in rest[1]
    if not is_count and rest[:2] != SERVES:
        return None
    nursery = _opened()
    path = json.loads(rest[2]) if is_count else nursery.path
    if _about_python(env) != nursery.about_python or not _finds_the_same(path, nursery.path):
        return None
    cwd = None if told["cwd"] is None else os.fspath(told["cwd"])
    group = told["process_group"] == 0
    return Asked(is_count, rest[2:], path, env, cwd, told["start_new_session"], group)


def _finds_the_same(path: list[str], known: list[str]) -> bool:
    """Whether the same packages are found; the project's own folder holds none with a game."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    here = {"", root, os.path.join(root, "tests"), os.getcwd(), os.path.dirname(sys.executable)}
    return set(path) - here == set(known) - here


@contextlib.contextmanager
def in_use() -> Iterator[None]:
    """Servers that are begun meanwhile, in this thread, have counting processes from here."""
    from rollwright.workers import worker

    worker.subprocess = SimpleNamespace(Popen=_popen, PIPE=subprocess.PIPE)
    before = _in_use.set(True)
    try:
        yield
    finally:
        _in_use.reset(before)


def _popen(*arguments: Any, **more: Any) -> Any:
    return (Popen if _in_use.get() else subprocess.Popen)(*arguments, **more)


def _imported() -> None:
    """Everything that a server and its counting process need."""
    import gc

    from rollwright.workers.tasks import warm_up

    warm_up()
    gc.collect()
    gc.freeze()


def _tend(line: socket.socket) -> Asked:
    """Split off whatever is asked for. Returns in the copies alone."""
    while True:
        said, pipes, *_ = socket.recv_fds(line, LONGEST, 3)
        if not said:
            os._exit(0)  # who asked has ended
        near, far = os.pipe()
        between = os.fork()
        if between == 0:
            copy = os.fork()
            if copy:
                os.write(far, str(copy).encode())
                os._exit(0)
            line.close()
            os.close(near)
            os.close(far)
            return _begun(Asked(*json.loads(said)), pipes)
        os.waitpid(between, 0)  # then its child is a child of who asked
        line.send(os.read(near, 64))
        for pipe in (near, far, *pipes):
            os.close(pipe)


def _begun(asked: Asked, pipes: list[int]) -> Asked:
    """Be a process as if it had just been started."""
    if asked.session:
        os.setsid()
    elif asked.group:
        os.setpgid(0, 0)
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if asked.cwd is not None:
        os.chdir(asked.cwd)
    os.environ.clear()
    os.environ.update(asked.env)
    sys.path[:] = asked.path
    ways: Any = {"encoding": "utf-8", "closefd": False}
    sys.stdin, sys.stdout = os.fdopen(0, **ways), os.fdopen(1, "w", **ways)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", **ways)
    return asked


def _become(asked: Asked) -> None:
    """Run what was asked for, to its end."""
    global _nursery
    if asked.count:
        from rollwright.workers.fork_server import main

        main()
    sys.argv = ["rollwright", *asked.words]
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:  # a server has a nursery of its own, since it has children of its own
        ours.close()
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        theirs.set_inheritable(False)
        _become(_tend(theirs))
    theirs.close()
    _nursery = Nursery(ours, [*sys.path])
    from rollwright.cli import main as command

    with in_use():
        sys.exit(command())


if __name__ == "__main__":
    sys.path.pop(0)  # this folder
    sys.modules["tests.nursery"] = sys.modules["__main__"]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _line = socket.socket(fileno=int(sys.argv[1]))
    _imported()
    _line.send(json.dumps(sys.path).encode())
    _become(_tend(_line))
