"""The command line run inside this process, in a process of its own, and in a terminal."""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from rollwright.cli import main

ROOT = Path(__file__).parent.parent.parent
PROMPT_SECONDS = 60


class Done(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


class Pipe(io.TextIOWrapper):
    """Standard output as a pipe that knows UTF-8."""

    def __init__(self, text: str = "") -> None:
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()


@contextlib.contextmanager
def environment(**settings: str):
    """Some environment variables for a while."""
    before = dict(os.environ)
    for name in ("NO_COLOR", "COLUMNS", "FORCE_COLOR"):
        os.environ.pop(name, None)
    os.environ.update(settings)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def rollwright(*arguments: str, pipe: str = "", columns: int = 80) -> Done:
    """Run a command line in this process, with pipes all around it."""
    out, err, before = Pipe(), Pipe(), sys.stdin
    sys.stdin = Pipe(pipe)
    try:
        with (
            environment(COLUMNS=str(columns)),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = main([str(argument) for argument in arguments])
        return Done(code, out.text(), err.text())
    finally:
        sys.stdin = before


def in_a_process(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
    """Run a command line as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rollwright.cli", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        **more,
    )


class Terminal:
    """The command in a terminal, with somebody who reads and types."""

    def __init__(self, *arguments: str, columns: int = 80, **settings: str) -> None:
        import pty
        import termios

        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, columns))
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        env |= {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **settings}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rollwright.cli", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=env,
            cwd=ROOT,
            start_new_session=True,
        )
        os.close(theirs)
        self.ours = ours
        self.text = ""
        self._read = 0

    def _more(self, until: float) -> bool:
        """Read what has come; False at the end."""
        ready, _, _ = select.select([self.ours], [], [], max(until - time.monotonic(), 0))
        if not ready:
            raise TimeoutError(f"the terminal shows only:\n{self.text}")
        try:
            data = os.read(self.ours, 65536)
        except OSError:
            return False
        self.text += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)

    def wait_for(self, words: str) -> str:
        """Everything up to these words, from where reading stopped last."""
        until = time.monotonic() + PROMPT_SECONDS
        while words not in self.text[self._read :]:
            if not self._more(until):
                raise AssertionError(f"it ended without {words!r}:\n{self.text}")
        end = self.text.index(words, self._read) + len(words)
        start, self._read = self._read, end
        return self.text[start:end]

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.ours, f"{line}\n".encode())

    def answer(self, prompt: str, line: str) -> str:
        """Wait for a prompt and answer it."""
        shown = self.wait_for(prompt)
        self.type(line)
        return shown

    def interrupt(self) -> None:
        """Press Ctrl-C until it is noticed: just before a question it may be overheard."""
        for _ in range(10):
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
                return

    def end(self) -> Done:
        """Read to the end."""
        until = time.monotonic() + PROMPT_SECONDS
        with contextlib.suppress(AssertionError):
            while self._more(until):
                pass
        os.close(self.ours)
        return Done(self.process.wait(PROMPT_SECONDS), self.text[self._read :], "")


def saved(folder: Path, *arguments: str) -> Path:
    """A roll of a skill in Twilight: 2000, saved at its choice or beyond."""
    file = folder / "roll.json"
    faces = [] if "--faces" in arguments else ["--faces", "3,2"]
    skill = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]
    done = rollwright("roll", *skill, *faces, *arguments, "--save", str(file))
    assert not done.code, done.err
    return file


def printed(*arguments: str) -> str:
    """What a command prints; it does what it is told."""
    done = rollwright(*arguments)
    assert not done.code, done.err
    return done.out
