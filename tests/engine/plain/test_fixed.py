"""Questions that are the same whenever they are asked: made once, and only where that is so."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rollwright import advise
from rollwright.dice import D6, D8, Die, Pool
from rollwright.engine.compiled.fixed import are_own_keys, is_pure
from rollwright.engine.compiled.machine import Stepper
from rollwright.engine.compiled.positions import Compiling
from rollwright.engine.steps import Choice, RollStep, Step
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
    while type(asked) is RollStep:
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
        "RollStep",
        "RollStep",
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


TABLE = {1: "one"}
asked_so_often: list[object] = []


def keeps(hand: tuple[int, ...], most: int = 2) -> list[tuple[int, ...]]:
    """Every choice of at most so many dice."""
    found: set[tuple[int, ...]] = {()}
    for face in hand:
        found |= {(*kept, face) for kept in found if len(kept) < most}
    return sorted(found)


def lengths(hand: tuple[int, ...]) -> list[int]:
    """Calls another pure one."""
    return sorted({len(kept) for kept in keeps(hand)})


def counts_itself(hand: tuple[int, ...]) -> list[str]:
    """Recurses."""
    return ["none"] if not hand else [*counts_itself(hand[1:]), f"{len(hand)}"]


def looks_up(hand: tuple[int, ...]) -> list[str]:
    """Uses a table that may change."""
    return [TABLE.get(face, "more") for face in hand[:1]]


def notes(hand: tuple[int, ...]) -> list[int]:
    """Notes what it is asked, outside."""
    asked_so_often.append(hand)
    return [len(hand)]


def has_a_list(hand: tuple[int, ...], seen: list[int] = []) -> list[int]:  # noqa: B006
    """Keeps a list from call to call."""
    return [len(seen), *hand]


def opens(hand: tuple[int, ...]) -> list[str]:
    """Asks what lies outside."""
    return [*open("/dev/null"), f"{hand}"]


def has_attributes(hand: tuple[int, ...]) -> list[object]:
    """Holds something itself."""
    return [len(hand)]


has_attributes.calls = 0  # type: ignore[attr-defined]


def imports(hand: tuple[int, ...]) -> list[int]:
    """Loads a module."""
    import math

    return [math.prod(hand)]


@pytest.mark.parametrize("function", [keeps, lengths, counts_itself])
def test_a_pure_function_rests_on_its_arguments(function: Any) -> None:
    """It names what it is given, constants, others like it and what changes nothing."""
    assert is_pure(function)


@pytest.mark.parametrize(
    "function", [looks_up, notes, has_a_list, opens, has_attributes, imports, len, sorted, rule]
)
def test_any_other_is_asked_each_time(function: Any) -> None:
    """It may rest on something else, or change it."""
    assert not is_pure(function)


def test_one_that_closes_over_something_is_asked_each_time() -> None:
    """What it closes over may change."""
    most = 1

    def closes(hand: tuple[int, ...]) -> list[int]:
        return [*hand[:most]]

    assert not is_pure(closes)


def test_what_only_equals_an_argument_is_another_one() -> None:
    """`True` is not `1`, and a list may change."""
    assert are_own_keys((1, "a", (1, 2), None))
    assert not are_own_keys((True,))
    assert not are_own_keys(((1, True),))
    assert not are_own_keys((1.0,))
    assert not are_own_keys(([1],))
    assert not are_own_keys(((1, (2,)),))


def sides(number: object) -> list[str]:
    """Options that tell a truth value from a number."""
    return ["yes", "no"] if number is True else ["one", "none"]


@rule
async def yes_or_one(low: int) -> str:
    """The argument is `True` on one way, and `1` on others."""
    face = (await roll(D6)).sum
    number: object = True if face > low else 1
    return str(await choose(*sides(number)))


@rule
async def holds_some(dice: int, throws: int) -> int:
    """Hold what you like, up to two dice a throw."""
    held: tuple[int, ...] = ()
    for _ in range(throws):
        hand = await roll((dice - len(held)) * D6)
        held = (*held, *await choose(*keeps(tuple(sorted(hand)))))
        if len(held) == dice:
            break
    return sum(held)


def best_sum(dice: int, throws: int, held: int = 0) -> Fraction:
    """The same by hand: what is held counts as it lies."""
    if not throws or not dice:
        return Fraction(held)
    worth = Fraction(0)
    for hand in product(range(1, 7), repeat=dice):
        options = [
            best_sum(dice - len(kept), throws - 1, held + sum(kept))
            for kept in keeps(tuple(sorted(hand)))
        ]
        worth += max(options, default=Fraction(0))
    return Fraction(worth, 6**dice)


@pytest.mark.long
def test_options_are_listed_once_for_equal_arguments() -> None:
    """Best play is the same as by hand."""
    assert advise(holds_some(3, 2), lambda total: total).value == best_sum(3, 2)
    told = advise(yes_or_one(3), lambda said: {"yes": 4, "no": 1, "one": 2, "none": 0}[said])
    assert told.value == 3
    assert {line.choose for line in told.lines} == {"yes", "one"}


def test_where_an_option_leads_rests_on_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told apart by merging nothing, too."""
    merged = advise(holds_some(2, 3), lambda total: total % 7)
    monkeypatch.setattr(Compiling, "straight", lambda *_: None)
    monkeypatch.setattr("rollwright.engine.best.trees.MOST_STEPS_REPLAYED", 0)
    stepped = advise(holds_some(2, 3), lambda total: total % 7)
    assert merged.value == stepped.value
    assert sorted(map(repr, merged.lines)) == sorted(map(repr, stepped.lines))


def test_words_that_a_function_around_knows_are_words_of_ours_too() -> None:
    """A rule inside a function finds them in its closure."""
    from rollwright.rules import choose as pick
    from rollwright.rules import roll

    @rule
    async def inside() -> int:
        """Names of the function around it."""
        total = (await roll(DICE)).sum
        return total if await pick("keep", "drop") == "keep" else 0

    stepper = Stepper()
    asked, frame = stepper.begin(inside())
    assert frame is not None
    assert asked is frame[0].asks[frame[1]]
