"""Live play: faces from a source, choices from whoever must choose."""

from __future__ import annotations

from rollwright.engine.best.advice import best
from rollwright.engine.odds.count import Policy, Situation
from rollwright.engine.replay import Run
from rollwright.engine.sources import Source, System, Typed
from rollwright.engine.steps import Call, Choice, Throw
from rollwright.engine.transcript import Chosen, Entry, Thrown, Transcript


def play(
    what: Call[object] | Transcript,
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
    thumb = None if isinstance(policy, best) else policy
    while True:
        transcript = transcript.follow(lambda run: _entry(run, source, how, thumb))
        if transcript.is_done or not isinstance(policy, best):
            break
        transcript = transcript.choose(policy.choose_in(transcript))
    if isinstance(source, Typed) and transcript.is_done:
        source.finish()
    return transcript


def _entry(run: Run, source: Source, how: str, policy: Policy | None) -> Entry | None:
    """What happens next: faces, or what the policy chooses; nothing where the roll stops."""
    step = run.step
    if isinstance(step, Throw):
        return Thrown(source.throw(step.pool), how)
    if type(step) is Choice and policy is not None:
        return Chosen(policy(Situation(step, run)), step.by)
    return None
