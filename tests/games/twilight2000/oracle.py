"""Independent counts for the tests: plain loops over raw faces, sharing nothing with the rules."""

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import product

SIDES = {"A": 12, "B": 10, "C": 8, "D": 6}


def successes_on(face):
    """What a base die is worth."""
    return 2 if face >= 10 else 1 if face >= 6 else 0


def throws(sides):
    """Every throw of dice with these sides."""
    return product(*(range(1, n + 1) for n in sides))


def read(base, ammo):
    """(successes, base ones, sixes, ammo ones, ammo sum) of raw faces."""
    return (
        sum(map(successes_on, base)),
        base.count(1),
        ammo.count(6),
        ammo.count(1),
        sum(ammo),
    )


def loose_dice(base, ammo):
    """The places of base and of ammo dice that a push throws again."""
    return (
        [i for i, face in enumerate(base) if 2 <= face <= 5],
        [i for i, face in enumerate(ammo) if 2 <= face <= 5],
    )


def pushed_ways(sides, base, ammo, again_base, again_ammo):
    """What lies after these dice were thrown again: reading -> chance."""
    found = defaultdict(Fraction)
    kinds = [sides[i] for i in again_base] + [6] * len(again_ammo)
    ways = 1
    for n in kinds:
        ways *= n
    for faces in throws(kinds):
        new_base, new_ammo = list(base), list(ammo)
        for place, face in zip(again_base, faces):
            new_base[place] = face
        for place, face in zip(again_ammo, faces[len(again_base) :]):
            new_ammo[place] = face
        found[read(tuple(new_base), tuple(new_ammo))] += Fraction(1, ways)
    return found


def count(sides, ammo, decide, finish):
    """Outcome -> chance, pushing where `decide(reading, loose base, loose ammo)` says so.

    `finish(reading, pushed)` makes the outcome.
    """
    found = defaultdict(Fraction)
    total = 6**ammo
    for n in sides:
        total *= n
    for faces in throws([*sides, *([6] * ammo)]):
        base, shots = faces[: len(sides)], faces[len(sides) :]
        lying = read(base, shots)
        again = loose_dice(base, shots)
        if decide(lying, *map(len, again)):
            for reading, chance in _cached_push(tuple(sides), base, shots).items():
                found[finish(reading, True)] += chance / total
        else:
            found[finish(lying, False)] += Fraction(1, total)
    return dict(found)


@lru_cache(maxsize=100_000)
def _cached_push(sides, base, ammo):
    return pushed_ways(sides, base, ammo, *loose_dice(base, ammo))


def best_value(sides, ammo, worth):
    """The value of best pushing, every face known: `worth(reading, pushed)`."""
    value = Fraction(0)
    total = 6**ammo
    for n in sides:
        total *= n
    for faces in throws([*sides, *([6] * ammo)]):
        base, shots = faces[: len(sides)], faces[len(sides) :]
        keep = Fraction(worth(read(base, shots), False))
        again = loose_dice(base, shots)
        push = keep
        if again[0] or again[1]:
            ways = _cached_push(tuple(sides), base, shots)
            push = sum(chance * worth(reading, True) for reading, chance in ways.items())
        value += max(keep, push) / total
    return value


def never(lying, base, ammo):
    """Never push."""
    return False


def always(lying, base, ammo):
    """Push whenever a die can be thrown again."""
    return base + ammo > 0


def if_failed(lying, base, ammo):
    """Push a failure with a base die to throw again."""
    return lying[0] == 0 and base > 0


def below_two(lying, base, ammo):
    """Push with fewer than two successes and a base die to throw again."""
    return lying[0] < 2 and base > 0


POLICIES = {"never": never, "always": always, "if-failed": if_failed, "below:2": below_two}


def jams(ones, ammo_ones, rule="together"):
    """Whether 1s jam, by each of the three readings."""
    if rule == "together":
        return ones + ammo_ones >= 2
    if rule == "one-kind":
        return ones >= 2 or ammo_ones >= 2
    return ammo_ones >= 1 and ones + ammo_ones >= 2


def attack_fields(
    reading, pushed, *, rounds=100, reliability=5, jam="together", plus=True, damage=2
):
    """The fields of an attack without targets, by name."""
    successes, ones, sixes, ammo_ones, ammo_sum = reading
    rolled = ammo_sum + 1 if plus else max(1, ammo_sum)
    spent = min(rolled, rounds)
    loss = min(reliability, ones + ammo_ones) if pushed else 0
    return {
        "hit": successes >= 1,
        "successes": successes,
        "ones": ones + ammo_ones,
        "ammo_ones": ammo_ones,
        "sixes": sixes,
        "pushed": pushed,
        "damage": 0,
        "stress": 0,
        "reliability_loss": loss,
        "broken": loss == reliability,
        "jammed": pushed and jams(ones, ammo_ones, jam),
        "rounds_rolled": rolled,
        "rounds_spent": spent,
        "rounds_left": rounds - spent,
        "emptied": rounds == spent,
        "can_suppress": successes == 0 and sixes >= 1,
        "hits": 1 if successes else 0,
        "damage_dealt": damage + successes - 1 if successes else 0,
    }


def chances(dist, *names):
    """An exact distribution as a plain mapping; with names, of those fields only."""
    dist = dist.of(*names) if names else dist
    return {outcome: Fraction(weight, dist.total) for outcome, weight in dist.items()}


def by_fields(counted, names):
    """A count of mappings of fields, as tuples of the named ones."""
    found = defaultdict(Fraction)
    for fields, chance in counted:
        found[tuple(fields[name] for name in names)] += chance
    return dict(found)
