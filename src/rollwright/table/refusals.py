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
