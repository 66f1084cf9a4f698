"""The memory for counting: one ceiling for a whole installation, and each program's part of it.

The server and its bots are programs of their own, each of which gets the same ceiling. Each takes
its part of it, so that they need not know of each other; a process that counts may then grow by so
many bytes beyond what it has when it is ready, and by none more.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

MEGABYTE = 2**20
QUESTIONS, LONG_BODIES, DECISIONS, BOT = 2, 3, 1, 1
"""The parts of the server's questions, of its one long body at a time, of rolls that take long,
and of each of two bots."""
PARTS = QUESTIONS + LONG_BODIES + DECISIONS + 2 * BOT
ONE_COUNT = 128 * MEGABYTE
"""Bytes that a question needs at the most; more is there for more of them at a time."""
STANDARD_CEILING = PARTS * ONE_COUNT
LEAST_CEILING = STANDARD_CEILING // 4
VARIABLE = "ROLLWRIGHT_COUNT_BYTES"
"""The environment variable with the ceiling, for every program of an installation."""
LEAST_PROCESSES, MOST_PROCESSES = 2, 8
"""Numbers of processes. With one alone, a large question would keep everybody waiting."""
SPARE = 4 * MEGABYTE
IN_WHOLE = 2
"""All bytes of a count, by those it notes as kept: a reader of odds makes another copy."""


class Ceilings(NamedTuple):
    """The parts of the ceiling that one server has."""

    processes: int
    """So many questions at a time there is room for."""
    question: int
    """Bytes that the count of one of them may take."""
    long: int
    """Bytes for a long body that is checked or narrated, of which there is one at a time."""
    decision: int
    """Bytes for what decides a roll that takes long."""


def server_ceilings(ceiling: int, workers: int, processors: int, counters: int = 0) -> Ceilings:
    """Return the part of the ceiling that each of a server's workers has.

    There are as many processes as suit the processors and the memory; `counters` says it instead.

    >>> server_ceilings(STANDARD_CEILING, workers=1, processors=8)
    Ceilings(processes=2, question=134217728, long=402653184, decision=134217728)
    >>> server_ceilings(4 * STANDARD_CEILING, workers=1, processors=8).processes
    8
    """
    part = ceiling // PARTS // workers
    suited = min(processors // workers, MOST_PROCESSES, QUESTIONS * part // ONE_COUNT)
    processes = counters or max(LEAST_PROCESSES, suited)
    question = min(ONE_COUNT, QUESTIONS * part // processes)
    return Ceilings(processes, question, LONG_BODIES * part, DECISIONS * part)


def bot_ceiling(ceiling: int) -> int:
    """Return the part of the ceiling that a bot has, for one count at a time."""
    return BOT * ceiling // PARTS


def own_bytes() -> int:
    """Return the memory that this process has for itself; 0 if the system does not say.

    Files that are mapped are not counted, since they are in memory once for all.
    """
    resident, mapped = _pages("resident"), _pages("mapped")
    return (resident - mapped) * _page_size()


def bound_growth(most: int) -> None:
    """Let this process take so many bytes more than it has; 0 for as many as it likes."""
    if most and sys.platform.startswith("linux"):
        import resource

        limit = _pages("data") * _page_size() + most
        resource.setrlimit(resource.RLIMIT_DATA, (limit - SPARE, limit))


def use_spare() -> None:
    """Let this process say that its memory is used up: that takes a little too."""
    if sys.platform.startswith("linux"):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


STATM_FIELDS = {"resident": 1, "mapped": 2, "data": 5}
"""The columns of Linux's statistics of a process."""


def _pages(what: str) -> int:
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[STATM_FIELDS[what]])
    except (OSError, ValueError, IndexError):
        return 0


def _page_size() -> int:
    return os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
