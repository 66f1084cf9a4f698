"""The messages between a program and its counting processes, and their framing.

Each message is JSON after its length; what is long follows as pieces, up to an empty one.
"""

from __future__ import annotations

import os
import sys
from typing import IO, NamedTuple, NotRequired, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas import ErrorData

LENGTH_BYTES = 4
"""Bytes of the length before each message."""
AT_ONCE = 2**20
FORKS = hasattr(os, "fork") and sys.platform != "darwin"
"""Whether a process may be split in two: Windows cannot, and libraries of macOS do not bear it."""


class WorkerBounds(NamedTuple):
    """The limits of one counting process; the first message that it gets."""

    work: int
    memory: int
    """Bytes that the count of a question may take; 0 for no limit. Linux only."""
    long_memory: int = 0
    """The same for what is worked on in a long body."""
    idle_memory: int = 0
    """Bytes that a process may hold between two questions; one that holds more ends."""
    forks: bool = FORKS
    """Whether it may split itself in two; else it starts others."""
    gives_way: bool = False
    """Whether it is less urgent than others already."""


class JobHeader(TypedDict):
    """The message before a question, or one that takes it back."""

    number: int
    asks: bool
    payload: bool
    scope: NotRequired[str]
    long: NotRequired[bool]
    """Whether the payload is long, and needs more memory than a question."""
    drops: NotRequired[str]
    """The scope whose process is to end, because it has grown."""


class WorkerReply(TypedDict):
    """A process's reply to a question: `answer` or `error`, and what it took."""

    number: int
    spent: int
    seconds: float
    raw: bool
    """Whether the answer is what was made of something long, and follows as bytes."""
    grown: bool
    """Whether the process holds so much by now that it must end."""
    answer: NotRequired[dict[str, Json] | bytes | None]
    error: NotRequired[ErrorData]


def frame(body: bytes) -> bytes:
    """Bytes behind their length."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def read_frame(pipe: IO[bytes]) -> bytes | None:
    """The next bytes behind their length; None where the pipe ends before."""
    head = _read_exactly(pipe, LENGTH_BYTES)
    return None if head is None else _read_exactly(pipe, int.from_bytes(head, "big"))


def _read_exactly(pipe: IO[bytes], size: int) -> bytes | None:
    parts = []
    while size:
        part = pipe.read(min(size, AT_ONCE))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
