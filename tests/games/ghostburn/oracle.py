"""A second opinion on GHOST/BURN: every face of every die, one by one, from the book alone."""

from collections import Counter
from fractions import Fraction
from itertools import product

FACES = list(product(range(1, 11), repeat=2))
GRADES = ["Glitch", "Fade", "Success", "Cool Success"]
BOOK = {"Easy": 8, "Moderate": 14, "Hard": 20, "Severe": 26}
DEFAULT_HOUSE = {
    "below_easy": "level",
    "above_severe": "ladder",
    "double_ten_cool": False,
    "luck_carries": False,
    "dl_shown": True,
    "dl_between": "refuse",
}


def ladder(house):
    """Names of the levels with the number each begins at, lowest first."""
    levels = [("below Easy", -999), *BOOK.items()]
    if house["above_severe"] == "ladder":
        levels += [(f"Severe +{n}", 26 + 6 * n) for n in range(1, 17)]
    elif house["above_severe"] == "site":
        levels += [("Extreme", 32), ("Impossible", 38)]
    return levels


def place(number, house):
    """How many levels of the ladder a number reaches, less one."""
    return sum(number >= begin for _, begin in ladder(house)) - 1


def outcome(faces, result, dl, house):
    """The name of the outcome of a result against a DL number."""
    if house["double_ten_cool"] and faces == (10, 10):
        return "Cool Success"
    if house["below_easy"] == "failure" and result < 8:
        return "Glitch"
    difference = place(result, house) - place(dl, house)
    return GRADES[max(0, min(3, difference + 2))]


def parts(fields):
    """What is added, what Luck adds, the number of the DL and the house rules of a request."""
    house = {**DEFAULT_HOUSE, **fields.get("house", {})}
    lists = [fields.get(kind, ()) for kind in ("skill", "gear", "aug", "luck")]
    bonus = fields["ability"] + sum(max(given) for given in lists if given)
    luck = 3 if fields.get("favored") else 2
    if lists[3]:
        luck = max(0, luck - max(lists[3]))
    dl = BOOK.get(fields["dl"], fields["dl"])
    return bonus, luck, dl, house


def ends(faces, fields):
    """What each use of Luck makes of these faces, in the order they are offered."""
    bonus, luck, dl, house = parts(fields)

    def end(add, spent, becomes=None):
        result = sum(faces) + bonus + add
        name = becomes or outcome(faces, result, dl, house)
        level = ladder(house)[place(result, house)][0]
        steps = place(result, house) - place(dl, house)
        before = outcome(faces, sum(faces) + bonus, dl, house)
        success, glitch = int(name in GRADES[2:]), int(name == "Glitch")
        return (name, level, result, spent, steps, before, success, glitch)

    found = {"keep": end(0, False), "bonus": end(luck, True)}
    if found["keep"][0] == "Glitch":
        found["avoid-glitch"] = end(0, True, "Fade")
    return found


def rank(end):
    """How good an outcome is, from 0."""
    return GRADES.index(end[0])


def use(policy, found, goal=None):
    """Which use of Luck a policy takes."""
    if policy == "never":
        return "keep"
    if policy == "best":
        return max(found, key=lambda name: goal(found[name]))
    floor = {"if-failed": 1, "always": 3, "below:fade": 1, "below:success": 2, "below:cool": 3}
    if rank(found["keep"]) >= floor[policy]:
        return "keep"
    ranks = {name: rank(end) for name, end in found.items()}
    order = ["keep", "avoid-glitch", "bonus"]
    return max((name for name in order if name in ranks), key=lambda name: ranks[name])


def roll_odds(fields, policy="never", goal=None):
    """How many of the hundred throws come to each outcome."""
    counts = Counter()
    for faces in FACES:
        found = ends(faces, fields)
        if not fields.get("luck_points", 1):
            found = {"keep": found["keep"]}
        counts[found[use(policy, found, goal)]] += 1
    return counts


def session_odds(rolls, policy, luck, worths=(0, 1, 2, 3), stakes=None, house=None):
    """How the raw faces of all rolls come out, as (successes, value, glitches, cools, spent)."""
    stakes = stakes or [1] * len(rolls)
    tables = []
    for fields in rolls:
        fields = {**fields, "house": house or {}}
        tables.append([ends(faces, fields) for faces in FACES])
    states = Counter({(luck, 0, 0, 0, 0, 0): 1})
    for table, stake in zip(tables, stakes, strict=True):
        after = Counter()
        for (left, successes, value, glitches, cools, spent), ways in states.items():
            for found in table:
                taken = use(policy, found) if left else "keep"
                end = found[taken]
                used = taken != "keep"
                after[
                    left - used,
                    successes + end[6],
                    value + stake * worths[rank(end)],
                    glitches + end[7],
                    cools + (end[0] == "Cool Success"),
                    spent + used,
                ] += ways
        states = after
    counts = Counter()
    for (_, *score), ways in states.items():
        counts[tuple(score)] += ways
    return counts


def best_value(rolls, luck, worth, house=None):
    """The best average worth of a session, Luck weighed by looking at every later throw."""
    if not rolls:
        return Fraction(0)
    spent = best_value(rolls[1:], luck - 1, worth, house) if luck else None
    kept = best_value(rolls[1:], luck, worth, house)
    total = Fraction(0)
    for faces in FACES:
        found = ends(faces, {**rolls[0], "house": house or {}})
        values = [worth(found["keep"], len(rolls)) + kept]
        if luck:
            values += [worth(e, len(rolls)) + spent for n, e in found.items() if n != "keep"]
        total += max(values)
    return total / len(FACES)
