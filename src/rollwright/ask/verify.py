"""Whether a roll or the log of a table is true; what is wrong with it is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rollwright.ask.rolls import transcript_said
from rollwright.ask.subjects import read_transcript
from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError

if TYPE_CHECKING:
    from rollwright.ask.kinds import Verify
    from rollwright.budget import Budget

RULES = {"format": int, "version": str, "rule": str}
"""What says by which rules a roll is replayed."""
NO_GAME = "request: there is no game"
BEYOND = ("unknown format", "too large")
"""Problems of a log that say nothing about whether it is true."""


def verify(question: Verify, budget: Budget) -> dict[str, Any]:
    """Whether it is true: yes, no, or null where it goes by rules that are not here."""
    if question.log is None:
        return verified_roll(question.transcript)

    def left() -> bool:
        """Whether nobody waits for the answer any more."""
        try:
            budget.spend(0)
        except RollwrightError:
            return True
        return False

    return verified_log(question.log, question.head or "", left)


def verified_roll(
    plain: Any, read: Callable[[Any], Transcript] = read_transcript
) -> dict[str, Any]:
    """Whether a saved roll is true; `read` says which rules it may be of."""
    try:
        transcript = read(plain)
    except RollwrightError as problem:
        found = None if _is_beyond(problem, plain) else False
        return {"true": found, "place": getattr(problem, "place", ""), "problem": str(problem)}
    state = "done" if transcript.is_done else "open"
    return {"true": True, "state": state, "told": transcript_said(transcript)}


def _is_beyond(problem: RollwrightError, plain: Any) -> bool:
    """Whether a roll goes by other rules than those here, so that nothing can be said about it."""
    place = getattr(problem, "place", "")
    if place not in RULES:
        return str(problem).startswith(NO_GAME)
    return isinstance(plain, Mapping) and type(plain.get(place)) is RULES[place]


def verified_log(
    log: Mapping[str, Any], head: str = "", stop: Callable[[], bool] | None = None
) -> dict[str, Any]:
    """Whether the log of a table is true; with `head`, whether it still has that event."""
    from rollwright.table.verify.log import verify_log

    report = verify_log(log, head=head, stop=stop)
    answer = {**report.to_plain(), "said": report.said()}
    numbered = type(log.get("format")) is int
    unchecked = [one for one in report.problems if one.what in BEYOND and numbered]
    if unchecked:
        answer |= {"true": None, "said": [f"Cannot be checked here: {unchecked[0].message}"]}
    return answer
