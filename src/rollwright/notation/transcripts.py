"""The roll of an expression as a transcript that is written down only when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.engine.transcript import Transcript
from rollwright.notation.results import Result, roll

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.engine.sources import Source


class ExpressionTranscript(Transcript):
    """A finished roll: its dice were thrown the quick way, and the rule can be played from them.

    Most people want the outcome or the text, and both are there. The entries are made of the dice
    when they are first asked for, and replayed when the rule itself is.
    """

    __slots__ = ("result",)

    result: Result

    def __getattr__(self, name: str) -> object:
        if name == "entries":
            from rollwright.engine.play import ThrowEntry

            self.entries = tuple([ThrowEntry(tuple(faces)) for faces in self.result.throws])
        elif name == "call":
            from rollwright.notation.counter import expression

            self.call = expression(self.result.text, ())
        elif name in ("request", "_playing"):
            setattr(self, name, None)
        else:
            raise AttributeError(name)
        return getattr(self, name)

    @property
    def is_done(self) -> bool:
        """It has come to its outcome."""
        return True

    @property
    def outcome(self) -> Outcome:
        """The result."""
        return self.result.value

    def __str__(self) -> str:
        return str(self.result)


def roll_transcript(text: str, source: Source | None = None) -> ExpressionTranscript:
    """Roll an expression; what is given back is a transcript like every other.

    >>> from rollwright.engine.sources import TypedSource
    >>> print(roll_transcript("4d6kh3 + 2", TypedSource([6, 1, 3, 5])))
    4d6kh3 [6 ~1~ 3 5] + 2 = 16
    """
    transcript = ExpressionTranscript.__new__(ExpressionTranscript)
    transcript.result = roll(text, source=source)
    return transcript
