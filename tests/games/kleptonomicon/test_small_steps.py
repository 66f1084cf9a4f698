"""Single steps of the rules, each by an example that can be counted on one's fingers."""

from itertools import pairwise

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.kleptonomicon import Contest, Group, House, Test, rules, standings
from rollwright.games.kleptonomicon.casts import Cast, casts_of, lying, story_of, whose
from rollwright.games.kleptonomicon.outcomes import Band, Score, band_of, range_of, shorthand_of
from rollwright.games.kleptonomicon.rules import dice_in_order
from rollwright.games.kleptonomicon.standings import LOST, Mark, Party, Standing


@pytest.mark.parametrize(
    ("coins", "values"), [(("lost", "won"), [0, 4, 10]), (("won", "lost"), [10, 4, 0])]
)
def test_every_ten_has_the_coin_that_was_flipped_for_it(coins, values):
    """KLEP R18, D6: the first coin is of the first 10."""
    cast = Cast((10, 4, 10), ((0, 0), (0, 1), (0, 2)), coins)
    assert values == [die.value for die in cast.dice]


@pytest.mark.parametrize(("coin", "value"), [("won", 10), ("lost", 0)])
def test_one_coin_may_be_for_all_tens(coin, value):
    """KLEP R18, D6: those that were thrown together."""
    cast = Cast((10, 4, 10), ((0, 0), (0, 1), (0, 2)), (coin,))
    assert [value, 4, value] == [die.value for die in cast.dice]


def test_a_coin_is_of_the_cast_before_it():
    """KLEP R18, KLEP R33: the second side's 10 is decided by the second side's coin."""
    contest = Contest(first={"modifier": 0}, second={"modifier": 0})
    first, second = casts_of(rw.roll(contest, faces=[5, 10, "won"]))
    assert ((5,), ()) == (first.faces, first.deciders)
    assert ((10,), ("won",)) == (second.faces, second.deciders)


@pytest.mark.parametrize(
    ("faces", "name"), [((), "Ann"), ((10,), "Ann"), ((5,), "Bob"), ((5, 10), "Bob"), ((5, 5), "")]
)
def test_whose_dice_come_next_in_a_contest(faces, name):
    """KLEP R33, KLEP R34: a coin is of whoever threw the 10, and the toss of a tie is of nobody."""
    contest = Contest(first={"name": "Ann"}, second={"name": "Bob"})
    begun = rw.Transcript(contest.call(), request=contest)
    for face in faces:
        begun = begun.throw([face])
    assert name == whose(contest, begun)


def test_of_a_single_die_nothing_is_said():
    """KLEP R5: dice of a shorthand are summed, so that none of them counts alone."""
    for test in (Test(dice="2d6"), Test(modifier=2)):
        assert {} == lying(test, rw.roll(test, faces=[3, 4][: 1 + bool(test.dice)]))
    two = Test(advantages=1)
    assert {(0, 0): False, (0, 1): True} == lying(two, rw.roll(two, faces=[3, 4]))


@pytest.mark.parametrize(
    ("method", "faces", "kept"),
    [
        ("coin", [4, 9, 6], (4, 4, 4)),
        ("coin", [4, 10, 6, "lost"], (0, 0, 4)),
        ("coin", [4, 10, 6, "won"], (4, 4, 4)),
        ("coin", [4, 6, 10, "lost"], (0, 4, 4)),
        ("odd_even", [10, 6, 4, 3], (0, 0, 0)),
        ("odd_even", [10, 6, 4, 8], (4, 6, 10)),
    ],
)
def test_dice_that_may_be_taken_away_again(method, faces, kept):
    """KLEP R16, KLEP R18, D2, D6: the lowest of all, then without the last die, and so on."""
    assert kept == rw.roll(dice_in_order(3, method, "one"), faces=faces).outcome


def test_the_toss_names_the_side_that_wins():
    """KLEP R34: its first face is the first side's."""
    assert [1, 0] == [rules._tossed(face) for face in ("first", "second")]


@pytest.mark.parametrize(("critical", "worth"), [("", 1), ("10!", 1), ("0!", 0)])
def test_anything_but_a_critical_failure_is_safe(critical, worth):
    """KLEP R23: a 10! is no failure."""
    outcome = rw.roll(Test(), faces=[5]).outcome._replace(critical=critical)
    assert worth == rules.GOALS["no-critical-failure"].worth(outcome)


@pytest.mark.parametrize(
    ("goal", "reached", "bands"),
    [
        (7, True, "mixed or high"),
        (10, True, "high"),
        (7, False, "low"),
        (8, False, "low or mixed"),
        (11, False, "low or mixed or high"),
    ],
)
def test_what_the_lowest_score_may_be_where_only_the_goal_was_read(goal, reached, bands):
    """KLEP R25, KLEP R31: below 11 there is a 10, which is High."""
    assert bands == rules._known_band(goal, reached)


PAIR = [{"name": "Ann", "advantages": 4}, {"name": "Bob", "disadvantages": 5}]


def test_beyond_the_cap_nothing_is_taken_in():
    """KLEP R17: of 4 Advantages 3 count, so there is no room; 2 of 5 Disadvantages are beyond."""
    group = Group(members=PAIR, read="scores")
    [ann] = standings.after_first_roll(group, 0, (8,)).standings
    [bob] = standings.after_first_roll(group, 1, (2, 3)).standings
    assert (0, 0) == (ann.room, ann.swallowed)
    assert (8, 2) == (bob.room, bob.swallowed)
    assert (0, 0) == rules.outcome_of(group, Party((ann, bob))).helped


def test_only_a_chain_earns_by_rising():
    """KLEP R26: whether a Score that help made earns Advantages is the house's word."""
    group = Group(members=PAIR, goal=8, read="goal")
    chain = group.but(house=House(group_chain=True))
    assert [0, 2] == [standings.mark_of(one, Score(11, 0)).earns for one in (group, chain)]
    marks = (Mark(2), Mark(8, earns=1), Mark(11, earns=2))
    risen = standings.received(chain, Standing(0, marks, 0, 3, 0))
    assert (marks[1:], 1) == (risen.marks, risen.gifts)
    again = standings.received(chain, risen)
    assert (marks[2:], 2) == (again.marks, again.gifts)


def test_a_plus_one_is_for_the_score_that_counts():
    """KLEP R32: of 2 and 8 the 2 counts, so it comes to 3, and 6 are needed for an 8."""
    group = Group(members=PAIR, goal=8, read="scores", house=House(group_help="plus_one"))
    low = Standing(1, (Mark(2), Mark(8)), 0, 8, 0)
    assert (Mark(3),) == standings.received(group, low).marks
    assert 6 == standings.needed(group, low)
    assert (Mark(5),) == low.raised(Mark(5)).marks


def test_whoever_can_still_rise_can_be_helped():
    """KLEP R16: what counts now is a 2, though a Disadvantage less would make it the best."""
    low = Standing(1, (Mark(2), Mark(standings.BEST)), 0, 8, 0)
    best = Standing(0, (Mark(standings.BEST),), 0, 3, 0)
    assert (low,) == Party((best, low), 1).receivers(None)


def test_nobody_needs_less_than_nothing():
    """KLEP R25: whoever is there already and has been promised one more needs none."""
    group = Group(members=PAIR, goal=8, read="goal", house=House(group_help="plus_one"))
    assert 0 == standings.needed(group, Standing(0, (Mark(8),), 0, 3, 0, promised=1))


@pytest.mark.parametrize(("looking", "room"), [("one_by_one", 2), ("at_once", 3)])
def test_who_looks_between_dice_stops_when_it_is_enough(looking, room):
    """KLEP R30: one is needed and two can be given; given at once, all three would be rolled."""
    group = Group(members=PAIR, goal=8, read="goal", house=House(group_looking=looking))
    low = Standing(0, (Mark(5),), 0, 3, 0)
    [left] = standings._towards_goal(group, Party((low,), 2)).standings
    assert room == left.room


@pytest.mark.parametrize(("pool", "is_lost"), [(0, True), (1, False)])
def test_a_chain_is_lost_when_nobody_has_anything_to_give(pool, is_lost):
    """KLEP R26: with one Advantage left, whoever rises by it may earn another."""
    group = Group(members=PAIR, goal=8, read="goal", house=House(group_chain=True))
    low = Standing(0, (Mark(5),), 0, 3, 0)
    assert is_lost == (standings._towards_goal(group, Party((low,), pool)) == LOST)


@pytest.mark.parametrize(
    ("value", "band", "gifts"), [(6, "low", 0), (7, "mixed", 1), (9, "mixed", 1), (10, "high", 2)]
)
def test_where_the_bands_begin_and_what_they_have_to_give(value, band, gifts):
    """KLEP R20, KLEP R25: 7 is Mixed and gives one, 10 is High and gives two."""
    assert (band, gifts) == (band_of(value), Score(value).gifts)


def test_bands_of_which_less_is_known_lie_between_the_others():
    """KLEP R31: from the lowest to the highest, none beside another."""
    bands = [*map(Band, Band.ranks)]
    assert all(low < high for low, high in pairwise(bands))


@pytest.mark.parametrize(("text", "critical"), [("[0!]", -1), ("[10!]", 1), ("[0..0]", 0)])
def test_a_range_of_a_critical_holds_that_critical_alone(text, critical):
    """KLEP R22: 0! and 10! are no numbers."""
    held = [sign for sign in (-1, 0, 1) if range_of(text).holds(Score(0, sign))]
    assert held == ([critical] if critical else [-1, 0, 1])


def test_of_a_range_that_cannot_be_read_forty_letters_are_told():
    """KLEP R22: enough to find it again."""
    with pytest.raises(BadField) as refused:
        range_of("x" * 41)
    assert repr("x" * 40) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "dice", "modifier"),
    [("d6", "D6", None), ("2d12+3", "2D12", 3), ("2D12 - 3", "2D12", -3), ("1d2", "D2", None)],
)
def test_dice_in_shorthand(text, dice, modifier):
    """KLEP R5: one die where no number says how many."""
    pool, added = shorthand_of(text)
    assert (dice, modifier) == (str(pool), added)


@pytest.mark.parametrize("text", ["100d6", "d1000"])
def test_the_most_dice_and_sides_of_a_shorthand(text):
    """KLEP R5: a hundred dice of a thousand sides, as said."""
    assert shorthand_of(text).pool


@pytest.mark.parametrize("text", ["0d6", "101d6", "2d1", "2d0", "2d1001", "six"])
def test_what_is_no_shorthand(text):
    """KLEP R5: refused, with what would do."""
    with pytest.raises(BadField):
        shorthand_of(text)


def test_the_dice_of_other_ways_to_settle_a_ten():
    """KLEP R6, D1: a d10 thrown again; a d20 of which one face is 0! and one is 10!."""
    assert tuple(range(1, 11)) == rules.AGAIN.faces
    twenty = rw.odds(rules.D10ISH)
    assert 20 == twenty.total
    assert {0: 1, 10: 1} | dict.fromkeys(range(1, 10), 2) == dict(twenty.items())


@pytest.mark.parametrize(("face", "worths"), [(3, (0, 0)), (8, (0, 1)), (9, (1, 2))])
def test_what_a_band_is_worth(face, worths):
    """KLEP R20: one point for Mixed, two for High; and whether it is High."""
    outcome = rw.roll(Test(modifier=int(face == 9)), faces=[face]).outcome
    assert worths == tuple(rules.GOALS[name].worth(outcome) for name in ("high", "best-band"))


@pytest.mark.parametrize(("promised", "thrown"), [(1, 0), (2, 1), (3, 2)])
def test_what_was_promised_takes_a_disadvantage_away_first(promised, thrown):
    """KLEP R16, KLEP R30: of so many Advantages one undoes, the others are dice."""
    house = House(group_looking="at_once")
    group = Group(members=[{"disadvantages": 1}, {}], read="scores", house=house)
    hurt = Standing(0, (Mark(2), Mark(4)), 0, 3, 0, promised=promised)
    faces = [5, 3][:thrown]
    kept = rw.roll(rules.kept_promise(group, hurt), faces=faces).outcome
    assert (Standing(0, (Mark(5 if thrown else 4),), 0, 3, 0),) == kept.standings


def test_a_promise_adds_to_those_before_it():
    """KLEP R30: given at once, Advantages wait until nobody gives any more."""
    house = House(group_looking="at_once")
    group = Group(members=[{"name": "Ann"}, {"name": "Bob"}], read="scores", house=house)
    ann, bob = Standing(0, (Mark(9),), 0, 3, 1), Standing(1, (Mark(2),), 0, 3, 1)
    begun = rw.Transcript(rules.give(group, Party((ann, bob)), bob))
    assert [("Bob", 1)] == [(plea.name, plea.promised) for plea in begun.step.about.pleas]
    kept = begun.choose("Bob").choose(rules.KEEP)
    assert 2 == len(kept.step.pool.dice)


@pytest.mark.parametrize(("earns", "settled"), [(0, False), (1, False), (2, True)])
def test_whoever_earns_all_there_is_needs_no_more_help(earns, settled):
    """KLEP R26: where help may earn Advantages beyond the goal, two are the most there are."""
    group = Group(members=PAIR, goal=8, read="goal", house=House(group_chain=True))
    assert settled == standings.is_settled(group, Standing(0, (Mark(8, earns=earns),), 0, 3, 0))


@pytest.mark.parametrize(("kept", "is_lost"), [(5, False), (4, True)])
def test_three_points_are_the_most_that_help_can_add(kept, is_lost):
    """KLEP R32: from a 5 an 8 can just be reached."""
    house = House(group_help="plus_one")
    group = Group(members=[{}, {}], goal=8, read="goal", house=house)
    assert is_lost == (standings.after_first_roll(group, 0, (kept,)) == LOST)


def test_nobody_helps_themselves():
    """KLEP R25: the one Advantage there is belongs to the one who needs it."""
    group = Group(members=PAIR, goal=8, read="goal")
    low = Standing(0, (Mark(5),), 0, 3, 1)
    assert LOST == standings._towards_goal(group, Party((low,), 0))
    assert LOST != standings._towards_goal(group, Party((low,), 1))


@pytest.mark.parametrize(
    ("policy", "helped"), [("strongest-first", "Cy"), ("weakest-first", "Bob"), ("never", "keep")]
)
def test_whom_a_policy_helps(policy, helped):
    """KLEP R27: of two who are below the goal, by their Modifiers."""
    members = [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cy", "modifier": 1}]
    faces = [8, 2, 2, 6][: 3 if helped == "keep" else 4]
    group = Group(members=members, goal=7, read="scores")
    rolled = rw.roll(group, faces=faces, policy=policy)
    chosen = [entry.option for entry in rolled.entries if hasattr(entry, "option")]
    assert [helped] == chosen


def test_whoever_has_just_reached_the_goal_is_not_helped():
    """KLEP R27: a policy helps those who are below it."""
    group = Group(members=[{"name": "Ann"}, {"name": "Bob"}], goal=7, read="scores")
    rolled = rw.roll(group, faces=[8, 7], policy="weakest-first")
    assert {"keep"} == {entry.option for entry in rolled.entries if hasattr(entry, "option")}


def test_dice_given_at_once_are_told_with_everybody_who_gave_them():
    """KLEP R30: both who gave to Di gave the dice that she threw."""
    members = [{"name": "Ann", "modifier": 5}, {"name": "Bob", "modifier": 5}]
    members += [{"name": "Cy"}, {"name": "Di"}]
    house = House(group_looking="at_once")
    group = Group(members=members, goal=7, read="scores", house=house)
    begun = rw.Transcript(group.call(), request=group)
    for face in (8, 8, 2, 3):
        begun = begun.throw([face])
    for name in ("Cy", "Di", "Di", rules.KEEP):
        begun = begun.choose(name)
    gifts = story_of(group, begun.throw([5]).throw([4, 6])).gifts
    told = [(gift.giver, gift.receiver) for gift in gifts]
    assert [("Bob", ""), ("Ann", "Cy"), ("Ann", "Di"), ("Bob", "Di")] == told
    assert gifts[-1] == gifts[-2]._replace(giver="Bob")


def pair(first, second):
    """Two who want 7, each with the marks said, an Advantage of the first, and room for three."""
    group = Group(members=PAIR, goal=7)
    ann = Standing(0, tuple(map(Mark, first)), 0, 3, 1)
    return group, Party((ann, Standing(1, tuple(map(Mark, second)), 0, 3, 0)))


def test_who_may_become_the_best_still_needs_help_now():
    """KLEP R29: the Score now counts, not what fewer Disadvantages would make of it."""
    _, party = pair((standings.BEST,), (2, standings.BEST))
    assert party.can_help()


def test_the_lowest_score_is_the_one_that_counts_now():
    """KLEP R27: whatever it may become, 2 is below 7, and 7 is not."""
    group, low = pair((9,), (2, 9))
    _, enough = pair((9,), (7,))
    assert not standings.is_reached(group, low)
    assert standings.is_reached(group, enough)
    assert not standings.is_reached(group, LOST)


def test_what_is_reached_is_nothing_to_improve_to():
    """KLEP R27: with the goal alone to read, a lowest Score of the goal cannot become better."""
    group, reached = pair((9,), (7,))
    _, below = pair((9,), (6,))
    assert not standings.may_improve(group.but(read="goal"), reached)
    assert standings.may_improve(group.but(read="goal"), below)


def test_a_plea_says_a_score_or_that_it_is_low():
    """KLEP R29: a Score that is read as below every mark has no number."""
    assert "5" in str(rules.Plea("Bob", 5, 0, 3, 0).wording)
    low = str(rules.Plea("Bob", standings.BELOW_ALL, 0, 3, 0).wording)
    assert str(standings.BELOW_ALL) not in low


@pytest.mark.parametrize(
    ("kept", "bands", "goal"),
    [
        (0, (standings.BELOW_ALL, -1), (standings.BELOW_ALL, 0)),
        (1, (standings.BELOW_ALL, 0), (standings.BELOW_ALL, 0)),
        (8, (7, 0), (7, 0)),
        (10, (10, 0), (7, 0)),
    ],
)
def test_of_a_critical_only_bands_remember_the_failure(kept, bands, goal):
    """KLEP R23, KLEP R25: a 0! is told apart from a 1; a 10! is High, and the goal is reached."""
    group = Group(members=[{}, {}], goal=7, read="bands")
    for one, read in ((group, bands), (group.but(read="goal"), goal)):
        assert Mark(*read) == standings.mark_of_die(one, 0, kept)
