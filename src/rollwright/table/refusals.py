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


def bad_field(name: str, problem: str, would_do: str = "") -> Refusal:
    """The refusal of one field."""
    remedy = f"; {would_do} would do" if would_do else ""
    return Refusal("bad_field", f"{name}: {problem}{remedy}", name)


class MissingNonce(Refusal):
    """A throw that must take a nonce which its seat has offered and the host does not have.

    Thrown without it, the log would say that the host passed over a witness.
    """

    def __init__(self, seat: str) -> None:
        super().__init__(
            "internal",
            f"the random number that {seat} offered as a witness is lost, so nothing was thrown; "
            "whoever runs the server must restore it",
        )
        self.seat = seat


class Heavy(Refusal):
    """A command that takes longer than it may here: decide it where nobody else waits."""

    def __init__(self) -> None:
        super().__init__("too_much_work", "this takes too long to be decided here")


class Recall(Refusal):
    """A command about something so old that only the log has it: read these events, ask again."""

    def __init__(self, seqs: Sequence[int]) -> None:
        super().__init__("unavailable", "this is so old that it must be read again; try again")
        self.seqs = tuple(seqs)
