"""The rules written a second time, by plain enumeration of raw faces: what the odds must equal."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

FACES = range(1, 11)


def doubles_among(dice, count):
    """Doubles among success dice: by roll, by face or by pair."""
    shown = Counter(dice)
    if count == "pair":
        return sum(number // 2 for number in shown.values())
    faces = sum(number >= 2 for number in shown.values())
    return min(faces, 1) if count == "roll" else faces


def most_doubles(dice, ones, automatic, count):
    """The doubles left when the player picks what each 1 takes, by trying every pick."""
    things = [*dice, *["automatic"] * automatic]
    keep = len(things) - min(ones, len(things))
    return max(
        doubles_among([thing for thing in kept if thing != "automatic"], count)
        for kept in combinations(things, keep)
    )


def settle(faces, difficulty=6, automatic=0, **house):
    """(net, successes, ones, doubles, points) of a throw, die by die."""
    dice = [face for face in faces if face >= difficulty]
    ones = [face for face in faces if face == 1]
    protected = house.get("automatic_success_protected", False)
    if protected and automatic:
        net = automatic + max(0, len(dice) - len(ones))
    else:
        net = automatic + len(dice) - len(ones)
    count = house.get("doubles_count", "roll")
    if house.get("doubles_must_survive", False):
        doubles = most_doubles(dice, len(ones), 0 if protected else automatic, count)
    else:
        doubles = doubles_among(dice, count)
    points = doubles if net >= 1 or house.get("doubles_on_failure", True) else 0
    return net, len(dice), len(ones), doubles, points


def grade(net):
    """The name of a net."""
    for least, name in ((5, "overwhelming"), (4, "complete+"), (3, "complete"), (2, "barely+")):
        if net >= least:
            return name
    return "barely" if net == 1 else "failure" if net == 0 else "botch"


def _key(house):
    return tuple(sorted(house.items()))


@cache
def _settled(dice, difficulty, automatic, key):
    house = dict(key)
    found = Counter()
    for faces in product(FACES, repeat=dice):
        found[settle(faces, difficulty, automatic, **house)] += 1
    return found


def settled(dice, difficulty=6, automatic=0, **house):
    """How many throws of so many dice come to each (net, successes, ones, doubles, points)."""
    return _settled(dice, difficulty, automatic, _key(house))


@cache
def _turn(dice, difficulty, automatic, key):
    found = Counter()
    for (net, _, _, _, points), ways in _settled(dice, difficulty, automatic, key).items():
        found[net, points] += Fraction(ways, 10**dice)
    return found


def turn(dice, difficulty=6, automatic=0, **house):
    """The chance of each (net, points) of a throw."""
    return _turn(dice, difficulty, automatic, _key(house))


def match(actor, defender, *, tie="nobody", floor=False, fails=""):
    """The chance of (margin, winner, nets, gains), each side a table of (net, points).

    `fails` is the side whose action fails by itself.
    """
    found = Counter()
    for (mine, my_points), my_chance in actor.items():
        for (theirs, their_points), their_chance in defender.items():
            margin = max(mine, 0) - max(theirs, 0) if floor else mine - theirs
            winner = "actor" if margin > 0 else "defender" if margin < 0 else "nobody"
            if winner == "nobody" and tie == "defender":
                winner = "defender"
            if winner == fails:
                margin, winner = 0, "nobody"
            outcome = (margin, winner, mine, theirs, my_points, their_points)
            found[outcome] += my_chance * their_chance
    if tie == "reroll":
        settled_chance = sum(c for o, c in found.items() if o[1] != "nobody")
        found = Counter({o: c / settled_chance for o, c in found.items() if o[1] != "nobody"})
    return found


def after_botch(total, net, rule):
    """The total after a botch."""
    return {"nothing": total, "end": total, "subtract": max(0, total + net), "reset": 0}[rule]


def task(dice, difficulty, target, limit, *, adrenaline, spend, botch="nothing", most=1, **house):
    """The chance of (done, total, turns, botched, adrenaline, botches), turn by turn.

    `spend(points there are, total, turns left)` says what is spent; `adrenaline` None leaves it
    out of account.
    """
    found = Counter()
    states = Counter({(0, 0, adrenaline): Fraction(1)})
    for turns in range(1, limit + 1):
        later = Counter()
        for (total, botches, points), chance in states.items():
            paid = 0 if not points else min(spend(points, total, limit - turns + 1), most, points)
            for (net, gain), share in turn(dice, difficulty, paid, **house).items():
                new = total + net if net >= 0 else after_botch(total, net, botch)
                left = None if points is None else min(10, points - paid + gain)
                bad = botches + (net < 0)
                if new >= target or turns == limit or (net < 0 and botch == "end"):
                    found[new >= target, new, turns, bad > 0, left, bad] += chance * share
                else:
                    later[new, bad, left] += chance * share
        states = later
    return found


def best_task(dice, difficulty, target, limit, *, adrenaline, botch="nothing", most=1, **house):
    """The best chance to get a task done, spending as well as can be."""

    @cache
    def value(total, turns, points):
        return max(spending(total, turns, points, paid) for paid in range(min(most, points) + 1))

    def spending(total, turns, points, paid):
        worth = Fraction(0)
        for (net, gain), share in turn(dice, difficulty, paid, **house).items():
            new = total + net if net >= 0 else after_botch(total, net, botch)
            if new >= target:
                worth += share
            elif turns > 1 and not (net < 0 and botch == "end"):
                worth += share * value(new, turns - 1, min(10, points - paid + gain))
        return worth

    return value(0, limit, adrenaline)


def endless(dice, difficulty, target, botch="nothing"):
    """Without a limit: average turns, chance to get done, chance of a botch, by linear algebra."""
    throw = turn(dice, difficulty)
    states = [(total, ever) for total in range(target) for ever in (False, True)]
    rows = {state: Counter() for state in states}
    ends = {state: Counter() for state in states}
    for total, ever in states:
        for (net, _), share in throw.items():
            new = total + net if net >= 0 else after_botch(total, net, botch)
            after = ever or net < 0
            if new >= target or (net < 0 and botch == "end"):
                ends[total, ever]["done"] += share * (new >= target)
                ends[total, ever]["botched"] += share * after
            else:
                rows[total, ever][new, after] += share
    return tuple(
        solve(rows, {state: fixed(state) for state in states})[0, False]
        for fixed in (
            lambda state: Fraction(1),
            lambda state: Fraction(ends[state]["done"]),
            lambda state: Fraction(ends[state]["botched"]),
        )
    )


def solve(rows, fixed):
    """x = fixed + rows · x, by plain elimination."""
    names = list(rows)
    matrix = [[Fraction(a == b) - rows[a][b] for b in names] + [Fraction(fixed[a])] for a in names]
    size = len(names)
    for column in range(size):
        pivot = next(r for r in range(column, size) if matrix[r][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [value / matrix[column][column] for value in matrix[column]]
        for row in range(size):
            factor = matrix[row][column]
            if row != column and factor:
                matrix[row] = [
                    value - factor * other
                    for value, other in zip(matrix[row], matrix[column], strict=True)
                ]
    return {name: matrix[place][size] for place, name in enumerate(names)}


def best_plan(rolls, adrenaline, most=1, **house):
    """The best worth of a plan of (dice, difficulty, need, worth)."""

    @cache
    def value(place, points):
        if place == len(rolls):
            return Fraction(0)
        return max(option(place, points, paid) for paid in range(min(most, points) + 1))

    def option(place, points, paid):
        dice, difficulty, need, worth = rolls[place]
        total = Fraction(0)
        for (net, gain), share in turn(dice, difficulty, paid, **house).items():
            made = worth if net >= need else 0
            total += share * (made + value(place + 1, min(10, points - paid + gain)))
        return total

    return value(0, adrenaline), {
        paid: option(0, adrenaline, paid) for paid in range(min(most, adrenaline) + 1)
    }


def plan(rolls, adrenaline, spend, most=1, **house):
    """The chance of (worth, met, adrenaline, botches); `spend(points)` says what is spent."""
    states = Counter({(0, 0, adrenaline, 0): Fraction(1)})
    for dice, difficulty, need, worth in rolls:
        later = Counter()
        for (gathered, met, points, botches), chance in states.items():
            paid = min(spend(points), most, points)
            for (net, gain), share in turn(dice, difficulty, paid, **house).items():
                made = net >= need
                left = min(10, points - paid + gain)
                after = (gathered + worth * made, met + made, left, botches + (net < 0))
                later[after] += chance * share
        states = later
    return states


def as_chances(dist):
    """A distribution as exact chances of plain tuples."""
    return {tuple(outcome): Fraction(ways, dist.total) for outcome, ways in dist.items()}
