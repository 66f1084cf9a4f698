"""Whose dice are waited for, so that people with real dice know who throws."""

from __future__ import annotations

from rollwright.games.kleptonomicon.casts import Cast, casts_of
from rollwright.games.kleptonomicon.requests import Contest, Group
from rollwright.games.kleptonomicon.story import awaited
from rollwright.kit import Request
from rollwright.steps import Throw
from rollwright.transcript import Transcript


def whose(request: Request, transcript: Transcript) -> str:
    """The name of whoever throws now; empty where it is the roller, or nobody in particular."""
    if not isinstance(transcript.step, Throw):
        return ""
    if isinstance(request, Group):
        return awaited(request, transcript)
    return _side(request, transcript) if isinstance(request, Contest) else ""


def _side(request: Contest, transcript: Transcript) -> str:
    """The side of a Contest that is not done with its dice; nobody for the toss between them."""
    casts = [cast for cast in casts_of(transcript) if isinstance(cast, Cast)]
    done = len([cast for cast in casts if not cast.is_open])
    return request.names[done] if done < len(request.names) else ""
