"""Group Tests: who may help whom, what help does, and how the end is read."""

import pytest

import rollwright as rw
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadAnswer
from rollwright.games.kleptonomicon import Group, House
from rollwright.games.kleptonomicon.casts import who_helped_whom

FOUR = (
    {"name": "Alice"},
    {"name": "Bob", "modifier": 2},
    {"name": "Carol"},
    {"name": "David"},
)


def group(*faces, members=FOUR, **fields):
    """A Group Test in which everybody has rolled."""
    house = House(**fields.pop("house", {}))
    request = Group(members=members, house=house, **fields)
    return rw.roll(request, faces=faces)


def test_the_example_with_extra_dice():
    """C5 (a), KLEP R24, KLEP R25: 8, 11, 5, 6; David rolls 7, Carol 7 and 3; the lowest is 7."""
    lying = group(8, 9, 5, 6).choose("David").throw([7]).choose("Carol").throw([7])
    end = lying.choose("Carol").throw([3])
    assert (7, "mixed", True) == (end.outcome.score, end.outcome.band, end.outcome.reached)
    assert (0, 0, 2, 1) == end.outcome.helped


def test_the_example_with_one_point_each():
    """C5 (b), KLEP R32: without dice 6 becomes 7 and 5 becomes 7."""
    lying = group(8, 9, 5, 6, house={"group_help": "plus_one"})
    end = lying.choose("David").choose("Carol").choose("Carol")
    assert (7, (0, 0, 2, 1)) == (end.outcome.score, end.outcome.helped)


def test_the_example_with_all_help_at_once():
    """KLEP R30: all Advantages are given, then their dice are rolled together."""
    lying = group(8, 9, 5, 6, house={"group_looking": "at_once"})
    end = lying.choose("David").choose("Carol").choose("Carol").throw([7, 3]).throw([7])
    assert 7 == end.outcome.score


def test_seven_to_nine_gives_one_advantage():
    """KLEP R26: Alice with an 8 decides once, then it is Bob's turn."""
    lying = group(8, 9, 5, 6)
    assert "Alice" == lying.step.by
    assert "Bob" == lying.choose("keep").step.by


def test_ten_or_more_gives_two_in_all():
    """KLEP R27: Bob with an 11 gives twice, to one or to two, and not three times."""
    lying = group(6, 9, 5, 6)
    assert "Bob" == lying.step.by
    once = lying.choose("Carol").throw([1])
    assert "Bob" == once.step.by
    assert once.choose("David").throw([2]).is_done
    assert once.choose("Carol").throw([2]).is_done


def test_nobody_has_to_give():
    """KLEP R28: with every Advantage kept, the first Scores stand."""
    end = group(8, 9, 5, 6).choose("keep").choose("keep").choose("keep")
    assert (5, (0, 0, 0, 0)) == (end.outcome.score, end.outcome.helped)


def test_nobody_gives_to_themselves():
    """KLEP R29: Alice is not among those Alice can help."""
    lying = group(8, 9, 5, 6)
    assert ("keep", "Bob", "Carol", "David") == lying.step.options
    with pytest.raises(BadAnswer, match="'Alice' is not offered to Alice"):
        lying.choose("Alice")


def test_help_comes_after_all_have_rolled():
    """KLEP R30: nobody chooses before the last die lies, and no Score is read before help ends."""
    request = Group(members=FOUR)
    lying = Transcript(request.call(), request=request).throw([8]).throw([9]).throw([5])
    assert not hasattr(lying.step, "options")
    with pytest.raises(BadAnswer, match="still waits"):
        _ = lying.throw([6]).outcome


def test_the_lowest_score_is_the_groups():
    """KLEP R25, KLEP R31: the lowest is read against the ranges like any Score."""
    end = group(5, 3, 4, 6, ranges=("[4..]", "[..4]"))
    assert (4, ("[4..]", "[..4]")) == (end.outcome.score, end.outcome.ranges)


def test_the_group_reads_zero_as_critical_for_all():
    """KLEP R31: a 0! is the group's Score, or just Low where the house says so."""
    ends = [
        group(5, 3, 10, "lost", 6, house={"group_zero": zero}, ranges=("[0!]", "[..6]")).outcome
        for zero in ("critical", "low")
    ]
    assert [("0!", "low", ("[0!]", "[..6]")), ("", "low", ("[..6]",))] == [
        (end.critical, end.band, end.ranges) for end in ends
    ]


def test_help_beyond_three_net_advantages_is_refused():
    """KLEP R17: whoever has three Advantages cannot be given a fourth."""
    members = ({"name": "Alice"}, {"name": "Carol", "advantages": 3})
    lying = group(9, 1, 2, 3, 4, members=members)
    assert lying.is_done
    three = ({"name": "Alice", "modifier": 3}, {"name": "Bob", "modifier": 3}, {"name": "Carol"})
    lying = group(9, 9, 2, members=three)
    for _ in range(3):
        lying = lying.choose("Carol").throw([1])
    assert ("keep", "Alice") == lying.step.options


def test_a_late_advantage_takes_the_last_disadvantage_die_away():
    """KLEP R16: Carol rolled 8 and then 2; the 2 goes, and no die is rolled."""
    members = ({"name": "Alice"}, {"name": "Carol", "disadvantages": 1})
    end = group(8, 8, 2, members=members).choose("Carol")
    assert 8 == end.outcome.score


def test_by_the_house_a_late_advantage_adds_a_die_to_disadvantage():
    """KLEP R32: of 8 and 2 the 2 counts, and the new 5 is better."""
    members = ({"name": "Alice"}, {"name": "Carol", "disadvantages": 1})
    lying = group(8, 8, 2, members=members, house={"late_advantage": "add_die"})
    assert 5 == lying.choose("Carol").throw([5]).outcome.score


@pytest.mark.parametrize("chain", [False, True])
def test_a_rescued_player_helps_in_turn_only_by_the_house(chain):
    """KLEP R26: Carol comes to 9 by help; whether that lets her help is the house's word."""
    lying = group(8, 4, 5, 6, house={"group_chain": chain}).choose("Carol").throw([9])
    assert chain is (not lying.is_done)
    if chain:
        assert "Carol" == lying.step.by


@pytest.mark.parametrize(("coin", "lowest"), [("won", 8), ("lost", 6)])
def test_a_late_ten_needs_its_coin(coin, lowest):
    """KLEP R18: a given die that shows a 10 is decided like any other."""
    lying = group(8, 4, members=FOUR[:2]).choose("Bob").throw([10])
    assert "coin" == lying.step.pool.dice[0].name
    assert lowest == lying.throw([coin]).outcome.score


def test_read_for_a_goal_the_helpers_choose_together():
    """KLEP R26: whoever reached the goal needs no help, and their Advantages are one pool."""
    lying = group(8, 9, 5, 6, goal=7)
    assert ("helpers", ("keep", "Carol", "David")) == (lying.step.by, lying.step.options)
    assert 3 == lying.step.about.gifts


def test_read_for_a_goal_help_ends_when_the_goal_is_lost():
    """KLEP R25: two need help and one Advantage is left, so the lowest cannot reach 7."""
    end = group(8, 4, 5, 9, goal=7).choose("Carol").throw([1])
    assert (False, "low", None) == end.outcome[:3]


def test_who_helped_whom_is_told_from_the_transcript():
    """KLEP R27: giver and receiver of every Advantage, also where the helpers are a pool."""
    lying = group(8, 9, 5, 6, goal=7).choose("David").throw([7]).choose("Carol").throw([4])
    end = lying.choose("Carol").throw([8])
    given = (("Alice", "David"), ("Bob", "Carol"), ("Bob", "Carol"))
    assert given == who_helped_whom(end.request, end)
