"""Phrases that sentences of every game are made of."""

from typing import Any

import pytest

from rollwright.dice import D6
from rollwright.engine.transcript import Transcript
from rollwright.kit.words import join_parts, many, plus, sentence, waits_for
from rollwright.rules import choose, roll, rule


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (many(0, "success"), "0 successes"),
        (many(0, "die", "dice", none="no"), "no dice"),
        (many(1, "die", "dice"), "1 die"),
        (many(2, "die", "dice"), "2 dice"),
        (many(12, "round"), "12 rounds"),
        (join_parts([]), ""),
        (join_parts(["a"]), "a"),
        (join_parts(["a", "b"]), "a and b"),
        (join_parts(["a", "b", "c"], "or"), "a, b or c"),
        (plus(0), "+ 0"),
        (plus(3), "+ 3"),
        (plus(-3), "- 3"),
        (sentence("it rains"), "It rains."),
        (sentence(""), "."),
    ],
)
def test_phrases(said, expected):
    """Numbers with nouns, lists, terms of a sum, sentences."""
    assert said == expected


@rule
async def wander(options: int) -> Any:
    """Throw, then choose a way."""
    await roll(2 * D6)
    await roll(D6)
    return await choose(*(f"way {n}" for n in range(options)), by="guide")


def said(transcript: Transcript, **more: Any) -> str:
    """What it waits for, in our words."""
    return waits_for(transcript, "{by}: {options}", "{dice} {are} open, {count}", **more)


def test_what_an_open_roll_waits_for():
    """Dice, one or many; a choice with its options, the first of many; nothing at the end."""
    start = Transcript(wander(4))
    assert said(start) == "2D6 are open, 2 dice"
    assert said(start.throw([1, 2])) == "D6 is open, 1 die"
    choice = start.throw([1, 2]).throw([3])
    assert said(choice) == "guide: way 0 or way 1 or way 2 or way 3"
    assert said(choice, between=" / ", most=2) == "guide: way 0 / way 1 / … (4 in all)"
    assert said(choice.choose("way 1")) == ""
