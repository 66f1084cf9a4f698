"""A Group Test under way, read for a goal alone: what is counted when somebody asks for advice."""

from __future__ import annotations

from typing import Any

from rollwright.errors import BadAnswer
from rollwright.games.kleptonomicon.groups import give_help, onward, roll_gift, roll_promised
from rollwright.games.kleptonomicon.outcomes import GroupOutcome
from rollwright.games.kleptonomicon.requests import Group
from rollwright.games.kleptonomicon.scores import Band
from rollwright.games.kleptonomicon.standings import aimed, tidied
from rollwright.games.kleptonomicon.story import story_of
from rollwright.position import Entered, Position
from rollwright.rules import Call
from rollwright.transcript import Chosen, Transcript


def towards_goal(
    transcript: Transcript, goal: int | None = None
) -> Call[Any] | Position | GroupOutcome:
    """Where a Group Test stands, read for a goal: something to be counted, or the end of it."""
    request: Group = transcript.request
    coarse = request.but(goal=request.aim if goal is None else goal, read="goal")
    if transcript.is_done:
        scores = story_of(request, transcript).scores
        return GroupOutcome(min(score.value for _, score in scores) >= coarse.aim, Band(""))
    if not any(isinstance(entry, Chosen) for entry in transcript.entries):
        again = Transcript(coarse.call(), transcript.entries, request=coarse)
        return again.outcome if again.is_done else again.position
    if not request.reads_every_score:
        if coarse.aim == request.aim:
            return transcript.position
        raise BadAnswer(
            f"the Scores were read for {request.aim} alone, so nothing is known about {coarse.aim}"
        )
    return _aimed_rule(coarse, transcript.position)


def _aimed_rule(request: Group, position: Position) -> Call[Any] | GroupOutcome:
    if not all(isinstance(token, Entered) for token in position.tokens):
        raise BadAnswer("some dice of this Advantage are still to be rolled: roll them first")
    call = position.call
    party = aimed(request, call.args[1])  # type: ignore[arg-type]
    if call.rule is give_help:
        return onward(request, tidied(request, party))  # type: ignore[return-value]
    if call.rule is roll_gift:
        return roll_gift(request, party, call.args[2])  # type: ignore[arg-type]
    return roll_promised(request, party)
