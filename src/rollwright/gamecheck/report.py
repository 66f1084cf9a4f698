"""The findings of a check: by part, each fault with its place and the author's lines."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, TypedDict

from rollwright.errors import Cancelled, RollwrightError, TooMuchWork

MOST_FAULTS = 12
"""Faults of a part shown to people; of more, only their number."""
MOST_PLAIN = 2000
"""Faults of a part given as data."""
LONGEST_PROBLEM = 400


class GameFault(NamedTuple):
    """Something that is wrong: where, what, and the lines of the author's code that led there."""

    where: str
    problem: str
    lines: tuple[str, ...] = ()


class FaultData(TypedDict):
    """A fault as data."""

    where: str
    problem: str
    lines: list[str]


class CheckPartData(TypedDict):
    """A part of a check as data."""

    part: str
    ok: bool
    looked_at: str
    faults: list[FaultData]
    more_faults: int
    unchecked: list[str]
    notes: list[str]


class GameReportData(TypedDict):
    """A check as data."""

    game: str
    title: str
    api: int
    ok: bool
    parts: list[CheckPartData]


class CheckPart:
    """One thing that is checked, while it is being checked and afterwards."""

    def __init__(self, name: str, home: Path | None) -> None:
        self.name = name
        self.looked_at = ""
        """The things tried, in a few words with figures."""
        self.notes: list[str] = []
        """Remarks that are no faults."""
        self.unchecked: list[str] = []
        """Things that could not be checked, and why: they may be wrong."""
        self._home = home
        self._faults: dict[tuple[str, tuple[str, ...]], GameFault] = {}

    @property
    def faults(self) -> list[GameFault]:
        """The faults; those from one line of code, once."""
        return list(self._faults.values())

    def fault(self, where: str, problem: str, lines: tuple[str, ...] = ()) -> None:
        """Note a fault; the same one elsewhere is not repeated."""
        said = problem if len(problem) <= LONGEST_PROBLEM else f"{problem[:LONGEST_PROBLEM]}…"
        self._faults.setdefault((said, lines), GameFault(where, said, lines))

    def note(self, text: str) -> None:
        """Note something once."""
        if text not in self.notes:
            self.notes.append(text)

    def leave_out(self, where: str, why: object) -> None:
        """Note once that something could not be checked."""
        text = f"{where}: {why}"
        if text not in self.unchecked:
            self.unchecked.append(text)

    @contextmanager
    def trying(self, where: str) -> Iterator[None]:
        """Note what the author's code raises as a fault, a count that is too long as unchecked."""
        try:
            yield
        except Cancelled:
            raise
        except TooMuchWork as refusal:
            self.leave_out(where, refusal.needs)
        except Exception as problem:  # it is the author's, who gets the message
            kind = "" if isinstance(problem, RollwrightError) else f"{type(problem).__name__}: "
            cause = problem.__cause__ or problem
            lines = own_lines(cause.__traceback__, self._home)
            self.fault(where, f"{kind}{problem}", tuple(lines))

    def to_json(self) -> CheckPartData:
        """As data."""
        faults = self.faults
        return {
            "part": self.name,
            "ok": not faults and not self.unchecked,
            "looked_at": self.looked_at,
            "faults": [
                {"where": one.where, "problem": one.problem, "lines": list(one.lines)}
                for one in faults[:MOST_PLAIN]
            ],
            "more_faults": max(len(faults) - MOST_PLAIN, 0),
            "unchecked": self.unchecked,
            "notes": self.notes,
        }


def own_lines(found: TracebackType | None, home: Path | None) -> list[str]:
    """Return the steps of a traceback in a folder: file, line, function and the line's text."""
    lines = []
    while found is not None and home is not None:
        code = found.tb_frame.f_code
        file = Path(code.co_filename)
        if file.is_relative_to(home):
            text = linecache.getline(code.co_filename, found.tb_lineno).strip()
            place = f"{file.relative_to(home.parent)}:{found.tb_lineno}"
            lines.append(f"{place} in {code.co_name}: {text}")
        found = found.tb_next
    return lines
