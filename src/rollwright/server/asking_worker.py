"""A counting process: it reads questions from its input, answers them, and dies with its parent."""

from __future__ import annotations

import os
import sys
from queue import SimpleQueue
from threading import Lock, Thread
from time import process_time
from typing import Any, BinaryIO

HEAD = 4
READY = b'{"ready":true}'


def main() -> None:
    """Serve questions until the other end of the pipe is gone."""
    reading, writing = _pipes()
    settings = _received(reading)
    if settings is None:
        return
    _behave(settings)
    import gc

    from rollwright.server.questions import warm_up

    warm_up()
    gc.collect()
    gc.freeze()  # what is loaded now stays for good
    _send(writing, READY)
    _Desk(reading, writing, int(settings["work"])).serve()


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the parent; whatever prints from now on prints to the error stream."""
    writing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return os.fdopen(os.dup(0), "rb"), writing


def _behave(settings: dict[str, Any]) -> None:
    """Leave signals of the terminal to the parent, give way to it, and bound the memory."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(2)
    bound_memory(int(settings["memory"]))


def bound_memory(most: int) -> None:
    """Let this process have so many bytes; 0 for as many as it likes."""
    if most and sys.platform.startswith("linux"):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


class _Desk:
    """Where questions are taken one after the other; a thread beside it hears cancellations."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO, work: int) -> None:
        self._reading = reading
        self._writing = writing
        self._work = work
        self._questions: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._lock = Lock()
        self._open: dict[int, Any] = {}

    def serve(self) -> None:
        """Answer questions for ever."""
        Thread(target=self._listen, daemon=True).start()
        while True:
            self._answer(self._questions.get())

    def _listen(self) -> None:
        """Take messages; when the parent is gone, however it went, nobody waits for an answer."""
        from rollwright.budget import Budget

        while (message := _received(self._reading)) is not None:
            number = message["number"]
            with self._lock:
                if "question" in message:
                    self._open[number] = Budget(self._work)
                elif number in self._open:
                    self._open[number].cancel()
            if "question" in message:
                if message.get("payload"):
                    message["pieces"] = _pieces(self._reading)
                self._questions.put(message)
        os._exit(0)

    def _answer(self, message: dict[str, Any]) -> None:
        from msgspec import json

        from rollwright.server.questions import settled

        number, begun = message["number"], process_time()
        with self._lock:
            budget = self._open[number]
        found = settled(message["question"], budget, message.get("pieces"))
        with self._lock:
            del self._open[number]
        raw = found.pop("raw", None)
        answer = {"number": number, "spent": budget.spent, **found, "raw": raw is not None}
        answer["seconds"] = process_time() - begun
        _send(self._writing, json.encode(answer, enc_hook=_plain_word))
        if raw is not None:
            _send(self._writing, raw)


def _plain_word(value: Any) -> str:
    """A word of a game that knows its place in an order, such as a Grade, is a text in JSON."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


def _received(reading: BinaryIO) -> dict[str, Any] | None:
    from msgspec import json

    body = _framed(reading)
    return None if body is None else json.decode(body)


def _pieces(reading: BinaryIO) -> list[bytes]:
    """Everything up to an empty piece."""
    pieces = []
    while piece := _framed(reading):
        pieces.append(piece)
    return pieces


def _framed(reading: BinaryIO) -> bytes | None:
    """The next bytes behind their length; None where the pipe ends before."""
    head = reading.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head, "big")
    body = reading.read(size)
    return body if len(body) == size else None


def _send(writing: BinaryIO, body: bytes) -> None:
    writing.write(len(body).to_bytes(HEAD, "big") + body)
    writing.flush()
