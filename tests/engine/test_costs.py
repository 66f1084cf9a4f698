"""What is spent on the way: exact means and variances over loops, and prices in a goal."""

from fractions import Fraction

import pytest

import rollwright as rw
from rollwright import D6, D20
from rollwright.errors import Misuse, NeverEnds, RollwrightError
from rollwright.rules import choose, repeat, roll, rule, spend


@rule
async def all_faces():
    """Throw until every face has come."""
    seen = set()
    while len(seen) < 6:
        await spend(1)
        seen.add(sum(await roll(D6)))


def test_throws_until_all_faces_have_come():
    """The coupon collector: 147/10 throws, and a variance of 3899/100 (both in closed form)."""
    left = [Fraction(n, 6) for n in range(1, 7)]
    mean, variance = sum(1 / p for p in left), sum((1 - p) / p**2 for p in left)
    assert (mean, variance) == rw.cost(all_faces())


@rule
async def strike():
    """A part that spends by itself, and tells what it did."""
    await spend(Fraction(1, 2))
    return sum(await roll(D6))


@rule
async def fell(health):
    """Strike until nothing is left; the last blow costs two more if it was a six."""
    blow = 0
    while health > 0:
        blow = await strike()
        health -= blow
    if blow == 6:
        await spend(2)


def walked(health, spent=Fraction(0), chance=Fraction(1), blow=0):
    """Every way of the same, one by one: what was spent with its chance."""
    if health <= 0:
        yield spent + (2 if blow == 6 else 0), chance
        return
    for face in range(1, 7):
        yield from walked(health - face, spent + Fraction(1, 2), chance / 6, face)


@pytest.mark.parametrize("health", [1, 4, 7])
def test_what_parts_spend_is_counted_way_by_way(health):
    """Brute force over every way gives the same mean and variance."""
    ways = list(walked(health))
    mean = sum(spent * chance for spent, chance in ways)
    square = sum(spent * spent * chance for spent, chance in ways)
    assert (mean, square - mean * mean) == rw.cost(fell(health))


@rule
async def last_counts():
    """The last throw counts, and each costs something."""
    while True:
        await spend(1)
        face = sum(await roll(D20))
        if await choose("stop", "again", about=face) == "stop":
            return face


@pytest.mark.parametrize("price", [Fraction(1, 2), 1, 2, 0.25])
def test_best_stopping_with_a_price_for_each_throw(price):
    """Against the best of all thresholds, in closed form."""
    each = Fraction(str(price)) if isinstance(price, float) else Fraction(price)
    thresholds = []
    for mark in range(1, 21):
        stops = 21 - mark
        thresholds.append(Fraction(mark + 20, 2) - each * Fraction(20, stops))
    assert rw.advise(last_counts(), lambda face: face, price=price).value == max(thresholds)


@rule
async def pig(target):
    """Pig for one: each turn costs one."""
    bank = 0
    while True:
        await spend(1)
        turn = 0
        while True:
            face = sum(await roll(D6))
            if face == 1:
                break
            turn += face
            if bank + turn >= target:
                return
            if await choose("roll", "hold", about=(bank, turn)) == "hold":
                bank += turn
                break


def fewest_turns(target):
    """From the highest bank down: policy iteration over one unknown, the turns from a bank on."""
    worth = {}
    for bank in range(target - 1, -1, -1):
        before, guess = None, Fraction(1)
        while before != guess:
            before, (slope, rest) = guess, _line(bank, target, worth, guess)
            guess = (1 + rest) / (1 - slope)
        worth[bank] = guess
    return worth[0]


def _line(bank, target, worth, guess):
    """Turns after this one, as slope times the unknown and a rest, under play best for a guess."""

    def after(turn):
        lines = [(Fraction(1), Fraction(0))]  # a 1: the bank as it was
        for face in range(2, 7):
            total = turn + face
            if bank + total >= target:
                lines.append((Fraction(0), Fraction(0)))
            else:
                hold, on = (Fraction(0), worth[bank + total]), after(total)
                lines.append(min(hold, on, key=lambda line: line[0] * guess + line[1]))
        return tuple(sum(part) / 6 for part in zip(*lines, strict=True))

    return after(0)


@pytest.mark.parametrize("target", [3, 6, 9])
def test_fewest_expected_turns_of_pig(target):
    """Best play for the fewest turns, against an independent policy iteration."""
    assert -rw.advise(pig(target), lambda end: 0, price=1).value == fewest_turns(target)


def test_a_policy_costs_what_it_costs():
    """Never holding below the target wins a turn with a fixed chance: geometric turns."""
    found = rw.cost(pig(4), lambda now: "roll")

    wins = Fraction(3, 6) + Fraction(2, 6) * Fraction(5, 6)
    assert found == (1 / wins, (1 - wins) / wins**2)


def test_spending_changes_nothing_else():
    """Odds, live play, transcripts and advice without a price are as if nothing was spent."""
    assert rw.odds(last_counts(), lambda now: "stop") == rw.odds(1 * D20)
    rolled = rw.roll(last_counts(), faces=[7])
    assert (7, ("stop", "again")) == (rolled.step.about, rolled.step.options)
    done = rolled.choose("stop")
    assert rw.verify(done.to_json()) == done
    assert done.outcome == 7
    assert rw.advise(last_counts(), lambda face: face).value == 20
    assert rw.advise(rolled, lambda face: face, price=1).best == "again"


@rule
async def counting():
    """A number that only grows, beside what is spent."""
    turns = 0
    while 6 not in await roll(D6):
        await spend(1)
        turns += 1
    return turns


@rule
async def for_ever():
    """Never ends."""
    while True:
        await spend(1)
        await roll(D6)


@pytest.mark.parametrize("call", [counting(), for_ever(), repeat(strike(), until=6)], ids=repr)
def test_what_has_no_exact_cost_is_refused(call):
    """A count that is cut off, one that never ends, and a repetition of parts that spend."""
    with pytest.raises(RollwrightError):
        rw.cost(call)


@pytest.mark.parametrize("amount", [-1, 0.5, "1", None, True])
def test_only_exact_amounts_are_spent(amount):
    """Whole numbers and fractions from 0 on."""
    with pytest.raises(Misuse, match="spent"):
        spend(amount)


def test_an_endless_cost_says_what_to_write():
    """The number that grows is to be spent instead of kept."""
    with pytest.raises(NeverEnds, match="spend it"):
        rw.cost(counting())
