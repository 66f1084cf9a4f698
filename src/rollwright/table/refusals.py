"""Why a command was not done."""

from __future__ import annotations

from rollwright.errors import RollwrightError


class Refusal(RollwrightError):
    """A command that was refused: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


class Heavy(Refusal):
    """A command that takes longer than it may here: decide it where nobody else waits."""

    def __init__(self) -> None:
        super().__init__("too_much_work", "this takes too long to be decided here")
