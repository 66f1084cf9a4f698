"""The questions players ask, each held against plain enumeration."""

from fractions import Fraction

import pytest
from tests.games.dust import oracle

from rollwright.games.dust import ExtendedRoll, House, Opposing, PlannedRoll, Roll, game
from rollwright.games.dust.questions import (
    adrenaline_after,
    adrenaline_income,
    botch_by_dice,
    chances,
    fair_difficulty,
    gain_of_spending,
    grades,
    match_chances,
    riskier_dice,
    rolls_until,
    spend_now,
    spending_blind,
    task_by_botch_rule,
    task_chances,
    worth_of_a_die,
    worth_of_a_point,
)


def nets(dice, difficulty=6, automatic=0, **house):
    """The chance of each net, by enumeration."""
    found = {}
    for (net, _), chance in oracle.turn(dice, difficulty, automatic, **house).items():
        found[net] = found.get(net, 0) + chance
    return found


def at_least(need, *args, **house):
    """The chance of so many successes, by enumeration."""
    return sum(chance for net, chance in nets(*args, **house).items() if net >= need)


@pytest.mark.parametrize("spend", [0, 1])
def test_chances_and_grades(spend):
    """DUST R9, DUST R10, DUST R11: the chance of each net, of a botch, of 1, 3 and 5."""
    roll = Roll(pool=5, difficulty=7, spend=spend)
    expected = nets(5, 7, spend)
    found = chances(roll)
    assert expected == {net: found.net.p(net) for net in found.net}
    assert sum(c for n, c in expected.items() if n < 0) == found.botch
    assert expected[0] == found.failure
    assert [at_least(n, 5, 7, spend) for n in (1, 3, 5)] == list(found[3:])
    assert {name: grades(roll).p(name) for name in grades(roll)} == {
        name: sum(c for n, c in expected.items() if oracle.grade(n) == name)
        for name in {oracle.grade(n) for n in expected}
    }


@pytest.mark.parametrize("protected", [False, True])
def test_what_a_point_adds(protected):
    """DUST R19: the chance with it less the chance without."""
    house = {"automatic_success_protected": protected}
    found = gain_of_spending(Roll(pool=3, difficulty=8, house=house), need=2)
    assert (at_least(2, 3, 8, 0, **house), at_least(2, 3, 8, 1, **house)) == found
    assert found.spent - found.kept == found.gain


def test_a_point_adds_more_to_small_pools_and_hard_rolls():
    """DUST R19: two dice gain more than eight, difficulty 9 more than 5."""
    gains = {
        (dice, difficulty): gain_of_spending(Roll(pool=dice, difficulty=difficulty)).gain
        for dice in (2, 8)
        for difficulty in (5, 9)
    }
    assert gains[2, 9] > gains[8, 9] > gains[8, 5]
    assert gains[2, 9] > gains[2, 5] > gains[8, 5]


@pytest.mark.long
def test_spend_now_or_keep_it():
    """DUST R20: the worth of both options over all planned rolls, played best."""
    rolls = [(5, 5, 1, 1), (2, 9, 1, 1)]
    _, options = oracle.best_plan(rolls, 1)
    now, later = (PlannedRoll(pool=r[0], difficulty=r[1]) for r in rolls)
    found = spend_now(now, [later], adrenaline=1)
    assert (options[1], options[0]) == (found.if_spent, found.if_kept)
    assert (False, True) == (found.spend, found.matters)
    assert spend_now(later, [now], adrenaline=1).spend


def test_without_adrenaline_there_is_nothing_to_decide():
    """DUST R19: nothing can be spent out of 0."""
    found = spend_now(PlannedRoll(pool=3), adrenaline=0)
    assert (False, False, found.if_kept) == (found.spend, found.matters, found.if_spent)


def test_the_worth_of_a_point_later():
    """DUST R19: the difference between two purses, both played best."""
    rolls = [(3, 7, 1, 1), (2, 8, 1, 1)]
    planned = [PlannedRoll(pool=dice, difficulty=d) for dice, d, _, _ in rolls]
    expected = oracle.best_plan(rolls, 2)[0] - oracle.best_plan(rolls, 1)[0]
    assert expected == worth_of_a_point(planned, adrenaline=1)


def test_botches_by_number_of_dice():
    """DUST R9: the chance of more 1s than successes."""
    found = botch_by_dice(9, most=4)
    expected = {n: sum(c for net, c in nets(n, 9).items() if net < 0) for n in range(1, 5)}
    assert expected == found


@pytest.mark.parametrize(
    ("difficulty", "dice"),
    [
        (2, (3, 5, 7, 9)),
        (3, (3,)),
        (4, ()),
        (5, ()),
        (6, ()),
        (7, (2,)),
        (8, (2, 3)),
        (9, (2, 3, 4, 5, 6)),
        (10, (2, 3, 4, 5, 6, 7, 8, 9, 10)),
    ],
)
def test_more_dice_are_not_always_safer(difficulty, dice):
    """DUST R9: which dice make a botch likelier; at 2 every odd one does."""
    assert dice == riskier_dice(difficulty)


def test_at_difficulty_ten_the_risk_grows_from_ten_to_thirty_five_percent():
    """DUST R9: one die botches once in ten, ten dice in 35 of 100."""
    risks = botch_by_dice(10)
    assert (Fraction(1, 10), 35) == (risks[1], round(100 * risks[10]))


def test_a_second_reading_of_riskier_dice_by_binomials():
    """DUST R9: at difficulty 2 a botch is a majority of 1s, counted without the engine."""
    from math import comb

    def botch(dice):
        ways = sum(comb(dice, k) * 9 ** (dice - k) for k in range(dice + 1) if 2 * k > dice)
        return Fraction(ways, 10**dice)

    assert {dice: botch(dice) for dice in range(1, 11)} == botch_by_dice(2)


@pytest.mark.parametrize("count", ["roll", "face", "pair"])
def test_adrenaline_income(count):
    """DUST R17: the points that doubles bring on average."""
    expected = sum(
        points * chance for (_, points), chance in oracle.turn(4, 5, doubles_count=count).items()
    )
    roll = Roll(pool=4, difficulty=5, house=House(doubles_count=count))
    assert expected == adrenaline_income(roll)


def test_rolls_until_full():
    """DUST R17, DUST R18: one point at most a roll, so ten points take ten times as long."""
    one = sum(chance for (_, points), chance in oracle.turn(4).items() if points)
    assert 10 / one == rolls_until(Roll(pool=4))
    assert 3 / one == rolls_until(Roll(pool=4), adrenaline=7)
    assert 0 == rolls_until(Roll(pool=4), adrenaline=10)


def test_rolls_until_with_several_points_a_roll():
    """DUST R17: two points may come at once, so the steps are of different sizes."""
    steps = oracle.turn(4, 3, doubles_count="pair")

    def needed(points):
        if points >= 5:
            return Fraction(0)
        still = sum(c for (_, gain), c in steps.items() if not gain)
        onward = sum(c * needed(points + gain) for (_, gain), c in steps.items() if gain)
        return (1 + onward) / (1 - still)

    roll = Roll(pool=4, difficulty=3, house=House(doubles_count="pair"))
    assert needed(0) == rolls_until(roll, goal=5)


def test_one_die_never_earns():
    """DUST R17: doubles need two dice."""
    assert rolls_until(Roll(pool=1)) is None
    assert rolls_until(Roll(pool=0)) is None
    assert 0 == adrenaline_income(Roll(pool=1))


def test_adrenaline_after_some_rolls():
    """DUST R17, DUST R18: points add up, to ten at most."""
    one = sum(chance for (_, points), chance in oracle.turn(3).items() if points)
    found = adrenaline_after(Roll(pool=3), 2, adrenaline=9)
    assert ((1 - one) ** 2, 1 - (1 - one) ** 2) == (found.p(9), found.p(10))


@pytest.mark.parametrize("botch", ["nothing", "subtract", "reset", "end"])
def test_a_task_turn_by_turn(botch):
    """DUST R15: done by each turn, average turns, a botch on the way."""
    task = ExtendedRoll(pool=3, difficulty=7, target=3, limit=4)
    expected = oracle.task(3, 7, 3, 4, adrenaline=None, spend=lambda *_: 0, botch=botch)
    found = task_by_botch_rule(task)[botch]
    assert {
        turn: sum(c for o, c in expected.items() if o[0] and o[2] <= turn) for turn in range(1, 5)
    } == found.done_by
    assert sum(c for o, c in expected.items() if o[0]) == found.done
    assert sum(c * o[2] for o, c in expected.items()) == found.turns
    assert sum(c for o, c in expected.items() if o[3]) == found.botched


@pytest.mark.parametrize("botch", ["nothing", "subtract", "reset", "end"])
def test_a_task_without_limit(botch):
    """DUST R15: average turns, done and botched, by solving the chain a second way."""
    task = ExtendedRoll(pool=2, difficulty=7, target=4, house={"extended_botch": botch})
    found = task_chances(task)
    turns, done, botched = oracle.endless(2, 7, 4, botch)
    assert (turns, done, botched, {}) == (found.turns, found.done, found.botched, found.done_by)


def test_a_task_under_a_policy():
    """DUST R15, DUST R19: spending gets it done sooner."""
    task = ExtendedRoll(pool=3, target=4, limit=3, adrenaline=2)
    never, always = (task_chances(task, policy=name) for name in ("never", "always"))
    assert always.done > never.done
    assert always.turns < never.turns


def test_who_wins_and_by_how_much():
    """DUST R16: win, tie, lose and the margin."""
    expected = oracle.match(oracle.turn(4), oracle.turn(3))
    found = match_chances(Opposing(actor={"pool": 4}, defender={"pool": 3}))
    for name, chance in (("actor", found.win), ("nobody", found.tie), ("defender", found.lose)):
        assert chance == sum(c for o, c in expected.items() if o[1] == name)
    for margin in found.margin:
        assert found.margin.p(margin) == sum(c for o, c in expected.items() if o[0] == margin)


def test_spending_blind():
    """DUST R20, DUST R16: the table of what both sides may declare."""
    table = spending_blind(Opposing(actor={"pool": 3}, defender={"pool": 2}))
    for (mine, theirs), found in table.items():
        expected = oracle.match(oracle.turn(3, 6, mine), oracle.turn(2, 6, theirs))
        assert found.win == sum(c for o, c in expected.items() if o[1] == "actor")


def test_a_fair_difficulty():
    """DUST R5: the chance at every difficulty, and the one nearest to what is wanted."""
    found = fair_difficulty(Roll(pool=4), need=2)
    assert {d: at_least(2, 4, d) for d in range(2, 11)} == found.table
    nearest = min(found.table, key=lambda d: abs(found.table[d] - Fraction(1, 2)))
    assert (nearest, found.table[nearest]) == found[:2]
    assert 2 == fair_difficulty(Roll(pool=4), chance="1").difficulty


def test_the_worth_of_a_die():
    """DUST R3: the chance with a die more less the chance as it is."""
    assert at_least(1, 4, 6) - at_least(1, 3, 6) == worth_of_a_die(Roll(pool=3))


def test_every_question_is_listed_with_an_example():
    """Each question of the game has a sentence and a doctest."""
    assert 16 == len(game.questions)
    for ask in game.questions.values():
        assert ">>>" in ask.__doc__
