"""Advice about a plain rule says what its locals are called."""

import pickle

import rollwright as rw
from rollwright.dice import D6
from rollwright.queries.plans import calls_of
from rollwright.rules import choose, roll, rule


@rule
async def turn(goal: int = 20) -> int:
    """A turn of Pig: stop, or lose all of it on a 1."""
    points, throws = 0, 0
    while points < goal:
        face = (await roll(D6)).sum
        if face == 1:
            return 0
        points += face
        throws += 1
        if await choose("stop", "on") == "stop":
            break
    return points + 0 * throws


def test_a_call_is_told_by_the_names_of_locals() -> None:
    """And by as few of them as decide it: how often was thrown changes nothing.

    Known of Pig: on below 20 points, where 5/6 of 4 more are worth the risk; at 20 either will do.
    """
    advice = rw.advise(turn(30), int)
    calls = {line["situation"]: line["best_call"] for line in calls_of(advice)}
    on = {f"points {points}": "on" for points in range(2, 20)}
    stop = {f"points {points}": "stop" for points in range(21, 26)}
    assert on | {"points 20": "stop (or not)"} | stop == calls


def test_names_pass_to_another_process() -> None:
    """Lines of advice are pickled where workers count: values keep their names there."""
    [line, *_] = rw.advise(turn(20), int).lines
    again = pickle.loads(pickle.dumps(line))
    assert line == again
    assert ("goal", "points", "throws") == again.situation._fields
