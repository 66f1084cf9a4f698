"""Questions that are the same whenever they are asked: made once, and only where that is so."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import pytest

from rollwright import advise
from rollwright.dice import D6, D8, Die, Pool
from rollwright.engine.compiled.machine import Stepper
from rollwright.engine.steps import Choice, Step
from rollwright.hands import Hand
from rollwright.rules import choose, roll, rule

DICE = 2 * D6
WORD = "stop"


@rule
async def thrown_twice() -> int:
    """Two throws and a choice, each of which is always the same."""
    first = await roll(DICE)
    second = await roll(DICE + D8)
    if await choose("on", WORD) == WORD:
        return sum(first) + sum(second)
    return 0


def asked_in(rule_of_one: Any) -> list[Any]:
    """What a rule asks for where every die shows its first face."""
    stepper = Stepper()
    asked: Any
    asked, frame = stepper.begin(rule_of_one)
    found = [asked]
    while isinstance(asked, Step) and type(asked) is not Choice:
        hand = Hand([(die, die.faces[0]) for die in asked.pool.dice])
        ((asked, frame),) = stepper.ways(stepper.at(asked, frame, False), [hand])
        found.append(asked)
    return found


def test_the_same_question_is_the_same_object() -> None:
    """It is made once for a function."""
    stepper = Stepper()
    one, frame = stepper.begin(thrown_twice())
    assert stepper.begin(thrown_twice())[0] is one
    assert frame is not None
    machine = frame[0]
    assert [type(step).__name__ for step in machine.asks if step is not None] == [
        "Roll",
        "Roll",
        "Choice",
    ]


def test_a_question_is_made_anew_where_its_names_mean_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name of the file may be given another value."""
    stepper = Stepper()
    before, frame = stepper.begin(thrown_twice())
    assert before.pool == 2 * D6
    monkeypatch.setattr(sys.modules[__name__], "DICE", 3 * D6)
    assert stepper.begin(thrown_twice())[0].pool == 3 * D6
    hand = Hand([(D6, 1), (D6, 1)])
    ((asked, _),) = stepper.ways(stepper.at(before, frame, False), [hand])
    assert asked.pool == 3 * D6 + D8
    monkeypatch.undo()
    assert stepper.begin(thrown_twice())[0] is before


def test_dice_that_are_no_dice_are_left_to_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is an option that is no text, and was one."""
    monkeypatch.setattr(sys.modules[__name__], "WORD", 7)
    *_, choice = asked_in(thrown_twice())
    assert type(choice) is Choice
    assert choice.options == ("on", 7)


@rule
async def words_of_its_own(dice: Pool) -> int:
    """The words mean something else in here."""

    def roll_of(pool: Pool | Die) -> Step[Hand[int]]:
        return roll(pool + D8)

    total = 0
    for _ in range(3):
        total += (await roll_of(dice)).sum
        if await choose("stop", "on", by="anna") == "stop":
            break
    return total


def test_other_words_are_asked_each_time() -> None:
    """What only looks like a word of ours is called as it is."""
    assert [step.pool for step in asked_in(words_of_its_own(2 * D6))[:-1]] == [2 * D6 + D8]
    assert advise(words_of_its_own(1 * D6), lambda total: total).value == 3 * 8


@rule
async def counts_up(target: int) -> bool:
    """Throw until there is enough; then say whether the total is even."""
    total, turns = 0, 0
    while total < target:
        turns += 1
        face = (await roll(D6)).sum
        if face == 1:
            return False
        total += face
        if turns > 4:
            return True
    return await choose("even", "odd") == ("even" if total % 2 == 0 else "odd")


def by_hand(target: int, total: int = 0, turns: int = 0) -> Fraction:
    """The same with best play: whoever sees the total chooses the right word."""
    if total >= target:
        return Fraction(1)
    if turns > 4:
        return Fraction(1)
    thrown = [by_hand(target, total + face, turns + 1) for face in range(2, 7)]
    return sum(thrown, Fraction(0)) / 6


def test_plain_positions_are_one_as_others_are() -> None:
    """Best play comes to what it does by hand."""
    assert advise(counts_up(12), lambda won: won).value == by_hand(12)
