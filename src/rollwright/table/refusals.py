"""Why a command was not done."""

from __future__ import annotations

from collections.abc import Sequence

from rollwright.errors import RollwrightError


class Refusal(RollwrightError):
    """A command that was refused: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class Recall(Refusal):
    """A command about something so old that only the log has it: read these events, ask again."""

    def __init__(self, seqs: Sequence[int]) -> None:
        super().__init__("unavailable", "this is so old that it must be read again; try again")
        self.seqs = tuple(seqs)
