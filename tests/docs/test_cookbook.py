"""Every recipe of the cookbook is counted a second time, by icepool or through all throws."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import icepool
import pytest
from benchmarks.workloads import five_alike
from icepool import Vector, d6, d8, d10, d20, d100

from tests.docs.examples import ROOT, run_examples
from tests.engine.oracles import fractions

pytestmark = pytest.mark.long

PAGE = ROOT / "docs" / "howto" / "cookbook.md"


@pytest.fixture(scope="module")
def page():
    """What the recipes come to, by the names they have on the page.

    Its examples run from top to bottom and print what they show.
    """
    return run_examples(PAGE)


def theirs(die):
    """The same of a die of icepool's."""
    chances = {}
    for outcome, ways in die.items():
        plain = tuple(outcome) if isinstance(outcome, Vector) else outcome
        chances[plain] = Fraction(ways, die.denominator())
    return chances


def counted(outcomes):
    """The same of equally likely outcomes, each listed."""
    found = Counter(outcomes)
    return {outcome: Fraction(ways, found.total()) for outcome, ways in found.items()}


def sure(value):
    """The same of something that is no distribution."""
    return {value: Fraction(1)}


def arrays(page):
    """Six of icepool's 4d6 keep 3."""
    score = d6.highest(4, 3)
    yield fractions(page["score"]), theirs(score)
    yield fractions(page["best_score"]), theirs(score.highest(6))
    yield fractions(page["array_total"]), theirs(6 @ score)


def opposed_pools(page):
    """Counts of two pools, subtracted."""
    hit = (d6 >= 5).map({True: 1, False: 0})
    yield fractions(page["margin"]), theirs(5 @ hit - 4 @ hit)


@cache
def clash(attack, defence):
    """What one clash costs both sides, through all throws."""
    lost = []
    for throw in product(range(1, 7), repeat=attack + defence):
        mine, other = sorted(throw[:attack])[::-1], sorted(throw[attack:])[::-1]
        fallen = sum(a <= b for a, b in zip(mine, other))
        lost.append((fallen, min(attack, defence) - fallen))
    return icepool.Die(lost)


def risk(page):
    """Every clash through all throws, mapped by icepool until one side is gone."""

    def after(state):
        attack, defence = state
        if not attack or not defence:
            return state
        lost = clash(min(attack, 3), min(defence, 2))
        return lost.map(lambda both: (attack - both[0], defence - both[1]), star=False)

    start = icepool.Die([(5, 4)])
    yield fractions(page["left"]), theirs(start.map(after, star=False, repeat="inf"))


def cortex(page):
    """All 3,840 throws: of the ways to reach the highest total, that with the largest effect."""
    sizes = (6, 8, 8, 10)

    def read(faces):
        dice = [(face, size) for face, size in zip(faces, sizes) if face > 1]
        ways = [(sum(face for face, _ in dice), 4)]
        for rest in combinations(range(len(dice)), max(len(dice) - 2, 0)):
            total = sum(face for n, (face, _) in enumerate(dice) if n not in rest)
            ways.append((total, max((dice[n][1] for n in rest), default=4)))
        return (*max(ways[1:] if len(dice) > 2 else ways), faces.count(1))

    throws = product(*[range(1, size + 1) for size in sizes])
    yield fractions(page["effort"]), counted(read(throw) for throw in throws)


def ironsworn(page):
    """The action beside both challenge dice, as icepool's map."""

    def read(die, first, second):
        action = min(die + 2, 10)
        return int(action > first) + int(action > second), first == second

    yield fractions(page["moved"]), theirs(icepool.map(read, d6, d10, d10, star=False))


def year_zero(page):
    """Sixes and ones as vectors; the best call is the better mean of every throw."""
    face = icepool.Die([Vector(one) for one in [(1, 0), (0, 1), *[(0, 0)] * 4]])
    nothing = icepool.Die([Vector((0, 0))])
    thrown = 5 @ face

    def again(throw):
        left = 5 - sum(throw)
        return (left @ face if left else nothing).map(lambda more: throw + more, star=False)

    def played(throw):
        return Vector((throw[0], 0)) if throw[0] else again(throw)

    def worth(end):
        return int(end[0] > 0) - Fraction(end[1], 4)

    def best(throw):
        pushed = again(throw)
        mean = sum(worth(end) * ways for end, ways in pushed.items()) / pushed.denominator()
        return max(Fraction(throw[0] > 0), mean)

    yield fractions(page["pushed"]), theirs(thrown.map(played, star=False))
    value = sum(best(throw) * ways for throw, ways in thrown.items()) / thrown.denominator()
    yield sure(page["push_value"]), sure(value)


def yahtzee(page):
    """From the last throw backwards, with icepool's hands."""
    yield {page["five_alike"]: 1}, five_alike.icepool(5, 3)()["value"]


def farkle(page):
    """From 1,000 points downwards: what is set aside leaves so many points and so many dice."""

    def scores(hand):
        """What can be set aside of a hand: points, and how many dice they take."""
        ways = {(0, 0)}
        for face in set(hand):
            many = hand.count(face)
            each = {1: 100, 5: 50}.get(face)
            options = [(each * n, n) for n in range(1, min(many, 2) + 1)] if each else []
            triple = 1000 if face == 1 else 100 * face
            options += [(triple * 2 ** (n - 3), n) for n in range(3, many + 1)]
            ways |= {(a + c, b + d) for a, b in ways for c, d in options}
        return ways - {(0, 0)}

    hands = {
        dice: [(scores(hand), ways) for hand, ways in d6.pool(dice).expand().items()]
        for dice in range(1, 7)
    }

    @cache
    def worth(points, dice):
        """What throwing on is worth."""
        if points >= 1000:
            return points
        total = 0
        for ways_to_score, ways in hands[dice]:
            after = [
                max(points + more, worth(points + more, dice - used or 6))
                for more, used in ways_to_score
            ]
            total += ways * max(after, default=0)
        return Fraction(total) / 6**dice

    yield sure(page["farkle_turn"].value), sure(worth(0, 6))


def fight(page):
    """Every state again and again, each side taking its best, until nothing changes any more."""
    hits = {"strike": (Fraction(12, 20), 2), "swing": (Fraction(6, 20), 5)}
    top = 8 + 6
    sides = product(range(1, top + 1), range(1, top + 1), (0, 1), (0, 1))
    value = dict.fromkeys(sides, 0.5)
    """The chance that whoever is to act wins: own health, the other's, and who may still drink."""

    def best(mine, other, draught, theirs):
        ways = []
        for chance, harm in hits.values():
            miss = 1 - value[other, mine, theirs, draught]
            hit = 1.0 if other <= harm else 1 - value[other - harm, mine, theirs, draught]
            ways.append(float(chance) * hit + float(1 - chance) * miss)
        if draught:
            healed = [value[other, min(mine + n, top), theirs, 0] for n in range(1, 7)]
            ways.append(1 - sum(healed) / 6)
        return max(ways)

    for _ in range(400):
        value = {state: best(*state) for state in value}
    assert abs(value[8, 8, 1, 1] - float(page["ash_value"])) < 1e-12
    yield sure(page["ash_value"]), sure(page["fought"].p(page["ash_wins"]))
    assert not page["fought"].lost


def roll_and_keep(page):
    """icepool's exploding d10, the highest three of six."""
    yield fractions(page["six_keep_three"]), theirs(d10.explode(depth=4).highest(6, 3))


def dogs(page):
    """The raise by icepool's mixed pool; the answer out of every sorted hand of six dice."""
    hands = d6.pool(6).expand()

    def needed(hand, raised):
        sums = [sum(sorted(hand)[-n:]) for n in range(1, 7)]
        return next((n for n, total in enumerate(sums, 1) if total >= raised), 0)

    raised = icepool.Pool([d6] * 4 + [d8] * 2).highest(2).sum()
    expected = raised.map(lambda total: hands.map(lambda hand: needed(hand, total), star=False))
    yield fractions(page["needed"]), theirs(expected)


def criticals(page):
    """The natural throw mapped to damage."""

    def damage(natural):
        if natural == 20:
            return d8 + d8 + 4
        return d8 + 4 if natural >= 8 else 0

    yield fractions(page["plain_attack"]), theirs(d20.map(damage))
    yield fractions(page["with_advantage"]), theirs(d20.highest(2).map(damage))


def percentile(page):
    """Every one of the hundred throws, read again."""
    doubles = {11, 22, 33, 44, 55, 66, 77, 88, 99, 100}

    def read(thrown):
        good = thrown < 6 or thrown <= 45
        return good, 4 - thrown // 10, thrown in doubles

    yield fractions(page["tested"]), counted(read(thrown) for thrown in range(1, 101))
    mine, other = (skill // 10 - d100 // 10 for skill in (45, 38))
    yield sure(page["met"].greater), sure((mine > other).probability(True))
    yield sure(page["met"].equal), sure((mine == other).probability(True))


def symbols(page):
    """The same dice of vectors, added up by icepool."""
    good, better, bad = (
        icepool.Die([Vector(face) for face, ways in page[name].items for _ in range(ways)])
        for name in ("good", "better", "bad")
    )
    yield fractions(page["symbols"]), theirs(good + good + better + bad)


def arrivals(state, step, is_over, times):
    """How likely it is over at each time, as icepool maps a state again and again."""
    before, chances = Fraction(0), {}
    for time in range(1, times + 1):
        state = state.map(step)
        over = Fraction(
            sum(ways for one, ways in state.items() if is_over(one)), state.denominator()
        )
        if over > before:
            chances[time] = over - before
        before = over
    return chances


def counted_out(dist, state, step, is_over):
    """A count without a last time beside icepool's, up to the times where it was cut off."""
    found = fractions(dist)
    assert 1 - sum(found.values()) < Fraction(1, 10**29)
    times = max(found) - 5
    expected = arrivals(state, step, is_over, times)
    return {time: chance for time, chance in found.items() if time <= times}, expected


def until_all_faces(page):
    """How many faces have been seen is enough to know."""

    def step(seen):
        return seen if seen == 6 else seen + (d6 > seen).map({True: 1, False: 0})

    yield counted_out(page["until_all"], icepool.Die([0]), step, lambda seen: seen == 6)


def attacks_to_kill(page):
    """What is left of twenty, attack by attack."""
    strike = d20.map(lambda natural: d8 + 3 if natural >= 13 else 0)

    def step(left):
        return strike.map(lambda done: max(left - done, 0)) if left else left

    yield counted_out(page["to_kill"], icepool.Die([20]), step, lambda left: not left)


def one_roll(page):
    """Every sorted hand of seven d10, its sets looked through."""

    def best(hand):
        sets = [(hand.count(face), face) for face in hand if hand.count(face) > 1]
        return max(sets, default=(0, 0))

    yield fractions(page["sets"]), theirs(d10.pool(7).expand().map(best, star=False))


def blades(page):
    """Every sorted hand of so many d6; without dice the lower of two."""

    def read(hand):
        if hand.count(6) > 1:
            return "critical"
        return "good" if 6 in hand else "price" if max(hand) > 3 else "bad"

    for dice in range(1, 6):
        expected = theirs(d6.pool(dice).expand().map(read, star=False))
        yield fractions(page["blades"](dice)), expected
    none = d6.lowest(2).map(lambda face: read((face,)))
    yield fractions(page["blades"](0)), theirs(none)


RECIPES = {
    "Arrays of 4d6 drop lowest": arrays,
    "Opposed pools": opposed_pools,
    "RISK": risk,
    "Cortex": cortex,
    "Ironsworn": ironsworn,
    "Year Zero": year_zero,
    "Yahtzee": yahtzee,
    "Farkle: press your luck": farkle,
    "A fight to the end": fight,
    "L5R roll and keep": roll_and_keep,
    "Dogs in the Vineyard": dogs,
    "d20 with criticals": criticals,
    "WFRP": percentile,
    "Genesys: dice with symbols": symbols,
    "Until all faces": until_all_faces,
    "Attacks to kill": attacks_to_kill,
    "One-Roll Engine": one_roll,
    "Blades in the Dark": blades,
}


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_is_what_an_independent_count_gives(page, recipe):
    """Outcome by outcome, as fractions, against icepool or all throws."""
    pairs = list(RECIPES[recipe](page))
    assert pairs
    for found, expected in pairs:
        assert expected == found


def test_every_recipe_is_counted_twice():
    """No heading of the page is without a count of its own here."""
    headings = re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.M)
    assert list(RECIPES) == headings
