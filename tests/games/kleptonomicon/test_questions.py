"""The questions players ask, against the same answers worked out by hand or by enumeration."""

from fractions import Fraction
from itertools import product

import pytest
from tests.games.kleptonomicon import oracle

import rollwright as rw
from rollwright.errors import BadAnswer, BadField, TooMuchWork
from rollwright.games.kleptonomicon import Contest, Group, House, Test, game
from rollwright.games.kleptonomicon import questions as ask


def enumerated(net, modifier, test):
    """The chance that the number of a kept die passes a test."""
    ways = oracle.kept(net).items()
    return sum(p for die, p in ways if test(oracle.scored(die, modifier)[0]))


def test_every_question_is_listed_with_an_example():
    """The game offers each question by name, each with an example in its docstring."""
    assert all(">>>" in question.__doc__ for question in game.questions.values())
    assert 11 == len(game.questions)


@pytest.mark.parametrize("net", range(-3, 4))
def test_band_chances(net):
    """KLEP R20: each band for any Modifier and net Advantage."""
    table = ask.band_table([-2, 0, 3], [net])
    for modifier in (-2, 0, 3):
        low, mixed, high = table[modifier, net]
        assert low == enumerated(net, modifier, lambda score: score < 7)
        assert high == enumerated(net, modifier, lambda score: score >= 10)
        assert table[modifier, net].passes == 1 - low == mixed + high


@pytest.mark.parametrize(("modifier", "net", "goal"), [(0, 0, 7), (2, 1, 10), (4, -1, 7)])
def test_worth_of_an_advantage_and_of_a_point(modifier, net, goal):
    """KLEP R14: one more die against one more point."""
    fields = {"advantages": max(0, net), "disadvantages": max(0, -net)}
    found = ask.worth_of_an_advantage(Test(modifier=modifier, **fields), goal=goal)
    now = enumerated(net, modifier, lambda score: score >= goal)
    die = enumerated(net + 1, modifier, lambda score: score >= goal)
    point = enumerated(net, modifier + 1, lambda score: score >= goal)
    assert (now, die - now, point - now) == found


def test_a_fourth_advantage_is_worth_nothing():
    """KLEP R17: beyond the cap another Advantage adds nothing."""
    assert 0 == ask.worth_of_an_advantage(Test(advantages=3)).advantage


@pytest.mark.parametrize(
    ("net", "expected"),
    [(0, ("1/20", "1/20")), (1, ("1/400", "39/400")), (-1, ("39/400", "1/400"))],
)
def test_criticals_are_as_likely_as_the_list_says(net, expected):
    """KLEP R11: 5 % each way, 0.25 % and 9.75 % with one Advantage, mirrored with one against."""
    assert expected == tuple(map(str, ask.critical_chances(net)))


def test_contest_chances_share_the_tie():
    """KLEP R34: half of all ties go to each side."""
    first, second, tie = ask.contest_chances(Contest(first={"modifier": 2}))
    wins = ties = Fraction(0)
    for (a, p), (b, q) in product(oracle.kept(0).items(), repeat=2):
        one, other = oracle.scored(a, 2)[0], oracle.scored(b, 0)[0]
        wins += p * q * (one > other)
        ties += p * q * (one == other)
    assert (wins + ties / 2, 1 - wins - ties / 2, ties) == (first, second, tie)


def test_range_chances():
    """KLEP R22, KLEP R36: each range by itself, though they overlap, and the chance of none."""
    found = ask.range_chances(Test(modifier=1, ranges=("[4..6]", "[6..9]", "[0!]")))
    expected = {"[4..6]": "3/10", "[6..9]": "2/5", "[0!]": "1/20", "": "7/20"}
    assert expected == {text: str(chance) for text, chance in found.items()}


@pytest.mark.parametrize("nets", [(0, 0), (1, -1)])
def test_group_chances_without_and_with_help(nets):
    """KLEP R24: no help, the best split at once, the best help one by one."""
    mods = (3, 0)
    members = [
        {"modifier": mod, "advantages": max(0, net), "disadvantages": max(0, -net)}
        for mod, net in zip(mods, nets)
    ]
    without = GroupChance(mods, nets).chance_of_goal(None)
    at_once = GroupChance(mods, nets, group_looking="at_once").best_chance()
    one_by_one = GroupChance(mods, nets).best_chance()
    assert (without, at_once, one_by_one) == ask.group_chances(Group(members=members))


GroupChance = oracle.GroupOracle


def test_looking_between_two_gifts_is_worth_something():
    """KLEP R30: from 8 + 3 and two misses, one by one is better than a split at once."""
    members = [{"name": n, "modifier": m} for n, m in (("A", 3), ("B", 3), ("C", 0), ("D", 1))]
    ways = {}
    for looking in ("at_once", "one_by_one"):
        request = Group(members=members, house=House(group_looking=looking))
        ways[looking] = ask.whom_to_help(rw.roll(request, faces=[8, 9, 2, 3]))[0].value
    misses = (Fraction(13, 20), Fraction(11, 20))
    split, chance = ask.best_split(misses, 4)
    assert ((2, 2), chance) == (split, ways["at_once"])
    tries = product((0, 1), repeat=8)
    by_hand = Fraction(0)
    for hits in tries:
        first = next((n for n in range(3) if hits[n]), 9)
        second = next((n for n in range(3) if hits[4 + n]), 9)
        if first + second + 2 <= 4:
            weight = Fraction(1)
            for n, hit in enumerate(hits):
                miss = misses[n // 4]
                weight *= 1 - miss if hit else miss
            by_hand += weight
    assert by_hand == ways["one_by_one"] > ways["at_once"]


@pytest.mark.parametrize("gifts", range(7))
def test_the_spare_die_goes_to_the_lower_modifier(gifts):
    """KLEP R27: the best split at once is the best of all splits, tried one by one."""
    misses = (Fraction(3, 4), Fraction(1, 2), Fraction(2, 3))
    split, chance = ask.best_split(misses, gifts)
    tried = [
        (1 - misses[0] ** a) * (1 - misses[1] ** b) * (1 - misses[2] ** c)
        for a, b, c in product(range(4), repeat=3)
        if a + b + c <= gifts
    ]
    assert max(tried) == chance
    if gifts == 4:
        assert (2, 1, 1) == split


def test_whom_to_help_lists_every_option():
    """KLEP R28: keeping is an option too, and here it loses the goal."""
    request = Group(members=[{"name": "A", "modifier": 3}, {"name": "C"}, {"name": "D"}])
    found = ask.whom_to_help(rw.roll(request, faces=[9, 3, 3]))
    seven_twentieths_twice = Fraction(7, 20) ** 2
    assert {"C": seven_twentieths_twice, "D": seven_twentieths_twice, "keep": 0} == dict(found)


def test_whom_to_help_needs_somebody_who_can():
    """KLEP R26: with nobody at 7 there is nothing to decide."""
    with pytest.raises(BadAnswer, match="nobody can give"):
        ask.whom_to_help(rw.roll(Group(members=[{}, {}]), faces=[3, 3]))


def test_should_a_pass_be_raised():
    """KLEP R20: all pass already; High for all needs two 10s won in four dice, both ways round."""
    request = Group(members=[{"modifier": 3}, {}, {}])
    passing, high = ask.should_a_pass_be_raised(rw.roll(request, faces=[9, 8, 9]))
    p = Fraction(1, 20)
    assert 1 == passing
    assert 1 - (1 - p) ** 4 - 4 * p * (1 - p) ** 3 == high


def dice_needed(miss):
    """How many given dice a player needs until one is good enough: at most three may come."""
    return {1: 1 - miss, 2: miss * (1 - miss), 3: miss**2 * (1 - miss)}


def chance_of_six(mods, goal):
    """The chance that all reach the goal, by who rolled what and how many dice each one needs.

    Help suffices when there are Advantages for all dice needed, and for each player enough that
    are not their own.
    """
    first = [
        [(gave, good, enumerated(0, mod, test)) for gave, good, test in first_rolls(goal)]
        for mod in mods
    ]
    miss = [1 - enumerated(0, mod, lambda score: score >= goal) for mod in mods]
    whole = Fraction(0)
    for rolled in product(*first):
        chance = Fraction(1)
        for _, _, part in rolled:
            chance *= part
        needy = [n for n, (_, good, _) in enumerate(rolled) if not good]
        total = sum(gave for gave, _, _ in rolled)
        ways = {0: Fraction(1)} if chance else {}
        for n in needy:
            grown = {}
            for used, so_far in ways.items():
                for dice, part in dice_needed(miss[n]).items():
                    if used + dice <= total and dice <= total - rolled[n][0]:
                        grown[used + dice] = grown.get(used + dice, 0) + so_far * part
            ways = grown
        whole += chance * sum(ways.values())
    return whole


def first_rolls(goal):
    """Low, Mixed and High first Scores: Advantages to give, whether it is enough, the test."""
    return [
        (0, goal <= 6, lambda score: score < 7),
        (1, goal <= 7, lambda score: 7 <= score < 10),
        (2, goal <= 10, lambda score: score >= 10),
    ]


@pytest.mark.long
@pytest.mark.parametrize("goal", [7, 10])
def test_six_different_players_are_solved(goal):
    """KLEP R24: the best help equals a count of the dice needed, and reports on its way."""
    request = Group(members=[{"modifier": modifier} for modifier in range(6)], goal=goal)
    without = Fraction(1)
    for modifier in range(6):
        without *= enumerated(0, modifier, lambda score: score >= goal)
    assert without == rw.odds(request, "never").p(lambda outcome: outcome.reached)
    reports = []
    best = rw.advise(request, budget=rw.Budget(progress=reports.append)).value
    assert chance_of_six(range(6), goal) == best > 15 * without
    assert reports == sorted(reports) != []


def test_the_chance_from_here_is_the_same_however_the_dice_are_read():
    """KLEP R26: asked in the middle of giving, every Score or only the goal, it is one answer."""
    members = [{"name": n, "modifier": m} for n, m in (("A", 3), ("B", 0), ("C", 1), ("D", 1))]
    fine = rw.roll(Group(members=members), faces=[9, 8, 2, 3]).choose("C").throw([4])
    coarse = rw.roll(Group(members=members, goal=7), faces=[9, 8, 2, 3]).choose("C").throw([4])
    assert ask.chance_of_goal(coarse) == ask.chance_of_goal(fine) == rw.advise(coarse).value
    worths = dict(ask.whom_to_help(fine))
    assert {name: worths[name] for name in ("keep", "C", "D")} == dict(ask.whom_to_help(coarse))


@pytest.mark.parametrize("looking", ["one_by_one", "at_once"])
def test_help_is_weighed_for_another_goal_in_the_middle(looking):
    """KLEP R20: the exact Scores tell what High would take, also with an Advantage given."""
    house = House(group_looking=looking)
    lying = rw.roll(Group(members=[{"modifier": 3}, {}], house=house), faces=[9, 5])
    p = Fraction(1, 20)
    chances = [p, 1 - (1 - p) ** 2]
    assert chances[1] == ask.chance_of_goal(lying, 10)
    given = lying.choose("player 2")
    assert chances[1] == ask.chance_of_goal(given, 10)
    if looking == "one_by_one":
        after = given.throw([9])
        assert (chances[0], 1) == (ask.chance_of_goal(after, 10), ask.chance_of_goal(after, 7))
        end = after.choose("keep")
        assert (1, 0) == (ask.chance_of_goal(end, 9), ask.chance_of_goal(end, 10))


def test_a_goal_that_was_not_read_cannot_be_asked_about_later():
    """KLEP R31: at first the faces still tell: two 10s to be won in two dice; later they do not."""
    members = [{"modifier": 3}, {}, {}]
    lying = rw.roll(Group(members=members, goal=7), faces=[9, 5, 5])
    assert Fraction(1, 400) == ask.chance_of_goal(lying, 10)
    with pytest.raises(BadAnswer, match="read for 7 alone"):
        ask.chance_of_goal(lying.choose("player 2").throw([8]), 10)


def test_half_rolled_help_has_to_be_rolled_first():
    """KLEP R18: a 10 of a given die waits for its coin before anything is weighed."""
    lying = rw.roll(Group(members=[{"modifier": 3}, {}]), faces=[9, 5])
    with pytest.raises(BadAnswer, match="roll them first"):
        ask.chance_of_goal(lying.choose("player 2").throw([10]))


def test_a_range_listed_twice_is_counted_once():
    """KLEP R36: a chance is a chance, however often its range is written down."""
    assert {"[7..9]": Fraction(3, 10), "": Fraction(7, 10)} == ask.range_chances(
        Test(ranges=("[7..9]", "[7..9]"))
    )


def test_the_best_split_is_found_at_once_for_any_group():
    """KLEP R26, R27: twelve players and all the Advantages there can be."""
    split, chance = ask.best_split([Fraction(1, 2)] * 12, 24)
    assert ((2,) * 12, Fraction(3, 4) ** 12) == (split, chance)
    assert ((0, 0), 0) == ask.best_split([Fraction(1, 2)] * 2, 1)
    with pytest.raises(BadField, match=r"gifts.*KLEP R26"):
        ask.best_split([Fraction(1, 2)], -1)


def test_a_split_takes_chances_and_bounded_work():
    """What is no chance is refused by its place; many players are too much work, and said so."""
    with pytest.raises(BadField, match=r"misses\[1\]: that is no chance"):
        ask.best_split([Fraction(1, 2), Fraction(-3)], 3)
    with pytest.raises(TooMuchWork, match="handing out 300 gifts"):
        ask.best_split([Fraction(1, n) for n in range(2, 102)], 300)
