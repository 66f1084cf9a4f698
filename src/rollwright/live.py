"""Live play: faces from a source, choices from whoever must choose."""

from __future__ import annotations

from typing import Any

from rollwright.advice import best
from rollwright.count import Policy, Situation
from rollwright.sources import Source, System, Typed
from rollwright.steps import Call, Choice
from rollwright.transcript import Transcript


def play(
    what: Call[Any] | Transcript,
    *,
    source: Source | None = None,
    policy: Policy | best | None = None,
) -> Transcript:
    """Play a rule until it ends, or until somebody must choose and no policy says how.

    A transcript is taken up where it stopped.

    >>> from rollwright.dice import D6
    >>> from rollwright.rules import roll, rule
    >>> @rule
    ... async def boxcars() -> bool:
    ...     return sum(await roll(2 * D6)) == 12
    >>> play(boxcars(), source=Typed([6, 6])).outcome
    True
    """
    transcript = what if isinstance(what, Transcript) else Transcript(what)
    source = System() if source is None else source
    how = "typed" if isinstance(source, Typed) else "rolled"
    while not transcript.is_done:
        step = transcript.step
        if type(step) is not Choice:
            transcript = transcript.throw(source.throw(step.pool), how)
        elif policy is None:
            break
        elif isinstance(policy, best):
            transcript = transcript.choose(policy.choose_in(transcript))
        else:
            transcript = transcript.choose(policy(Situation(step, transcript._play().run)))
    if isinstance(source, Typed) and transcript.is_done:
        source.finish()
    return transcript
