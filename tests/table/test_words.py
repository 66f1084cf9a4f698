"""Tests of what people read on a card: titles, questions, dice, fields."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from rollwright.api import roll
from rollwright.dice import Die
from rollwright.kit.card.endings import is_good
from rollwright.kit.card.texts import say
from rollwright.kit.games import find_game
from rollwright.kit.words import format_die, outcome_fields, question, readable
from rollwright.table.transcripts import title_of

UNPUSHED = {"game": "twilight2000", "roll": "skill", "attribute": "D", "pushable": False}


class Colour(Enum):
    RED = 1


class Pair(NamedTuple):
    one: int
    parts: tuple[Any, ...]


@pytest.mark.parametrize(
    ("die", "expected"),
    [
        (Die(8), "d8"),
        (Die(6, name="ammo"), "ammo d6"),
        (Die(["lost", "won"], name="coin"), "coin"),
        (Die([-1, 0, 1]), "dF"),
        (Die([2, 4, 8]), "d3"),
    ],
)
def test_dice_by_name(die: Die, expected: str) -> None:
    """A die is called as people call it."""
    assert expected == format_die(die)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (2**60, str(2**60)),
        (Fraction(1, 3), "1/3"),
        (Colour.RED, "Colour.RED"),
        (Pair(1, (2, "a")), {"one": 1, "parts": [2, "a"]}),
        (None, None),
    ],
)
def test_readable(value: Any, expected: Any) -> None:
    """Values become JSON that a person can read."""
    assert expected == readable(value)


def test_a_bare_outcome_is_called_value() -> None:
    """A number alone is the field `value`."""
    assert {"value": 7} == outcome_fields(7)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("keep", "push"), "Keep or push?"),
        (("keep", "@s2", "@s3"), "Keep, @s2 or @s3?"),
        (("go",), "Go?"),
        ((1, 2, 3, 4, 5, 6), "1, 2, 3 or one of 3 more?"),
    ],
)
def test_questions(options: tuple[Any, ...], expected: str) -> None:
    """A choice is asked as a question."""
    assert expected == question(options)


def test_titles() -> None:
    """A roll is titled by its kind and what it is of."""
    game = find_game("twilight2000")
    asked = game.request("skill", attribute="B", skill_name="recon")
    assert "Skill roll: recon" == say(title_of(asked), "twilight2000")
    assert "Skill roll" == say(title_of(game.request("skill", attribute="B")), "twilight2000")
    assert 100 == len(title_of("1d6+" * 100))


@pytest.mark.parametrize(
    ("what", "faces", "expected"),
    [
        (UNPUSHED, [6], True),
        (UNPUSHED, [1], False),
        ("1d20 vs 10", [15], True),
        ("1d20 vs 10", [5], False),
        ("1d20", [5], None),
    ],
)
def test_whether_it_went_well(what: Any, faces: list[int], expected: bool | None) -> None:
    """An outcome is good by the game's usual goal, or by its degree of success."""
    assert expected is is_good(roll(what, faces=faces))
