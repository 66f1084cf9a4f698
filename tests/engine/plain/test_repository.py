"""The compiled form of every game's rules agrees with the coroutine on random ways."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rollwright.engine.compiled.errors import CannotCompile
from rollwright.engine.compiled.machine import NO_STEP, At, Stepper
from rollwright.engine.play import ChoiceEntry, OpenRoll, ThrowEntry
from rollwright.engine.position import token_of_faces
from rollwright.engine.replay import Done
from rollwright.engine.steps import Call, Choice, CutStep, LookStep, Together, public_part
from rollwright.gamecheck.samples import samples_of
from rollwright.kit.games import find_game, list_games

WAYS = 6
REQUESTS = 4
STEPS = 300


def agrees(call: Call[Any], dice: random.Random) -> bool:
    """Play one way with both; False where the rule, or what it comes to, is not compiled."""
    stepper, playing = Stepper(), OpenRoll(call)
    try:
        asked, frame = stepper.begin(call)
        for _ in range(STEPS):
            while type(asked) is Call or type(asked) is Together:
                asked, frame = stepper.enter(asked, frame)
            step = playing.run.step
            if type(asked) is LookStep or type(asked) is CutStep:
                return False
            if type(step) is Done:
                assert asked is NO_STEP
                assert (type(frame), frame) == (type(step.outcome), step.outcome)
                return True
            assert public_part(asked) == public_part(step)
            if isinstance(step, Choice):
                assert (type(asked.about), asked.about) == (type(step.about), step.about)
                token: Any = dice.choice(step.options)
                playing.take(ChoiceEntry(token))
            else:
                faces = tuple([dice.choice(die.faces) for die in step.pool.dice])
                token = token_of_faces(step, faces)
                playing.take(ThrowEntry(faces))
            ((asked, frame),) = stepper.ways(At(asked, frame, True), [token])
    except CannotCompile:
        return False
    return True


@pytest.mark.parametrize("name", sorted(list_games()))
def test_rules_of_games_are_compiled_as_played(name: str) -> None:
    """What is asked, what it is about, and the outcome are the same; most ways are compiled."""
    game = find_game(name)
    told = []
    for roll in game.requests:
        for number, sample in enumerate(samples_of(game, getattr(roll, "roll", roll))[:REQUESTS]):
            dice = random.Random(f"{name} {roll} {number}")
            told += [agrees(sample.request.call(), dice) for _ in range(WAYS)]
    assert told.count(True) > len(told) / 2, f"{told.count(True)} of {len(told)}"
