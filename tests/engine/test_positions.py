"""Positions: what a rule waits for, where an answer leads, what is refused."""

import pytest

from rollwright.dice import D6, D8, Die, Pool
from rollwright.engine.position import Position
from rollwright.engine.steps import RollStep
from rollwright.errors import BadAnswer, Misuse
from rollwright.hands import Hand
from rollwright.rules import Choice, choose, roll, rule
from tests.engine.examples import Check, duel, five_alike, gambler, push_roll, until_six


def test_a_position_walks_through_a_rule():
    """Roll, choice, roll, outcome: each step is what the rule waits for."""
    start = Position(push_roll(Pool([D6, D8])))
    assert type(start.step) is RollStep
    chosen = start.then([3, 7])
    assert type(chosen.step) is Choice
    assert chosen.step.options == ("keep", "push")
    assert chosen.then("push").then([6]).outcome == Check(2, 0, True)


def test_positions_are_values():
    """The same answers make equal positions, and `then` leaves the old one as it was."""
    start = Position(push_roll(Pool([D6, D8])))
    one, two = start.then([3, 7]), start.then([2, 6])
    assert one == two
    assert hash(one) == hash(two)
    assert one != start
    assert start.then([1, 1]).is_done
    assert one.then("keep").outcome == one.then("keep").outcome


def test_faces_that_read_alike_are_one_position():
    """The rule sees marks, not faces, so a 2 and a 5 lead to the same place."""
    start = Position(push_roll(Pool([D6])))
    assert start.then([2]) == start.then([5])
    assert start.then([2]) != start.then([1])


def test_tail_rules_forget():
    """Two ways to the same state of the next rule are the same position."""
    start = Position(gambler(3, 7))
    there = start.then(["heads"]).then(["tails"])
    assert there == start


def test_parts_forget_how_they_came_about():
    """Once a part has its outcome, how it came about is forgotten."""
    start = Position(duel(2))
    assert start.then([5]).then([9]).outcome == "lose"


def test_an_impossible_face_is_refused():
    """The refusal names the die and what it can show."""
    with pytest.raises(BadAnswer, match="a D6 cannot show 7; it shows 1 to 6") as refusal:
        Position(push_roll(Pool([D6, D8]))).then([7, 1])
    assert refusal.value.face == 1


@pytest.mark.parametrize("faces", [[1], [1, 2, 3], "12", 3, [1, 2.0], [True, 2], [None, 1]])
def test_wrong_faces_are_refused(faces):
    """Too few, too many, texts and near misses are refused."""
    with pytest.raises(BadAnswer):
        Position(push_roll(Pool([D6, D8]))).then(faces)


def test_an_option_that_is_not_offered_is_refused():
    """The refusal names the options."""
    position = Position(push_roll(Pool([D6]))).then([3])
    with pytest.raises(BadAnswer, match="'keep', 'push'"):
        position.then("pull")
    assert position.then("keep").is_done


def test_answers_left_over_are_refused():
    """Nothing can be answered after the end."""
    with pytest.raises(BadAnswer, match="left over"):
        Position(push_roll(Pool([D6]))).then([6]).then([1])


def test_an_unfinished_rule_has_no_outcome():
    """Asking for it says what is waited for."""
    with pytest.raises(BadAnswer, match="still waits"):
        _ = Position(until_six(1)).outcome


def test_a_position_starts_from_a_call():
    """A rule without its arguments is not enough."""
    with pytest.raises(Misuse, match="with its arguments"):
        Position(push_roll)


def test_hands_can_be_answered_as_hands():
    """A hand of readings stands for every throw that reads so; wrong ones are refused."""
    position = Position(push_roll(Pool([D6])))
    assert position.then(Hand([(D6, "blank")])) == position.then([4])
    with pytest.raises(BadAnswer, match="cannot read"):
        position.then(Hand([(D6, "seven")]))
    with pytest.raises(BadAnswer, match="other dice"):
        position.then(Hand([(D8, "blank")]))


def test_options_can_be_any_plain_value():
    """Numbers, tuples and words are options; a look-alike of another type is not."""

    @rule
    async def pick():
        return await choose(1, (1, 2), "1", None)

    position = Position(pick())
    for option in (1, (1, 2), "1", None):
        assert position.then(option).outcome == option
    with pytest.raises(BadAnswer):
        position.then(True)


def test_mixed_pools_are_answered_small_dice_first():
    """Unnamed dice come first and small ones before large ones, named dice after them."""

    @rule
    async def see():
        hand = await roll(Die(12) + 2 * Die(4, name="ammo") + Die(8))
        return tuple(str(die) for die in hand.dice)

    position = Position(see())
    assert position.then([8, 12, 4, 4]).outcome == ("D8", "D12", "ammo D4", "ammo D4")


def test_repr_says_where_it_stands():
    """A position shows its rule and what it waits for."""
    position = Position(push_roll(Pool([D6]))).then([3])
    assert "push_roll(D6)" in repr(position)
    assert "keep or push" in repr(position)


def test_five_alike_can_be_walked():
    """A rule of several rules is walked like any other."""
    position = Position(five_alike(Hand(), 2)).then([6, 6, 6, 1, 2]).then((6, 6, 6))
    assert position.then([6, 6]).outcome is True
