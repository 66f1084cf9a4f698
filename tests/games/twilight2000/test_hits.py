"""Spending sixes on targets: legal plans, locations, armour, kills; checked by brute force."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.games.twilight2000 import Attack, House, game
from rollwright.games.twilight2000.gunnery import best_shooting, how_to_spend_sixes
from rollwright.games.twilight2000.outcomes import SkillOutcome
from rollwright.games.twilight2000.targets import Plan, Target, is_legal, mean_damage

PLACES = ("legs", "torso", "torso", "torso", "arms", "head")
TARGETS = (
    {"name": "A", "torso": 2, "arms": 1, "capacity": 3},
    {"name": "B", "torso": 1, "head": 3, "capacity": 2},
)


def plans_by_hand(sixes, names, primary):
    """Every way to spend sixes one by one: a set of sorted lists of (target, plus, is primary)."""
    found = {((primary, 0, True),)}
    for _ in range(sixes):
        grown = set()
        for hits in found:
            for place, (name, plus, first) in enumerate(hits):
                raised = (name, plus + 1, first)
                grown.add(tuple(sorted((*hits[:place], raised, *hits[place + 1 :]))))
            for name in names:
                grown.add(tuple(sorted((*hits, (name, 0, False)))))
        found = grown
    return found


def wounds_by_hand(hits, places, targets, base, extra, armour_modifier=0):
    """What each target takes, hit by hit."""
    took = {t["name"]: [] for t in targets}
    by_name = {t["name"]: t for t in targets}
    for (name, plus, first), place in zip(hits, places):
        rating = by_name[name].get(place, 0)
        armour = max(0, rating + armour_modifier) if rating else 0
        took[name].append(max(0, base + plus + (extra if first else 0) - armour))
    return took


@cache
def spending_value(successes, sixes, goal, modifier=0, free=False):
    """The best plan's value over all locations, by brute force."""
    if not successes:
        return Fraction(0)
    extra, spare = successes - 1, sixes
    if free:
        extra, spare = 0, sixes + successes - 1
    names = [t["name"] for t in TARGETS]
    best = None
    for hits in plans_by_hand(spare, names, "A"):
        value = Fraction(0)
        for places in product(PLACES, repeat=len(hits)):
            took = wounds_by_hand(hits, places, TARGETS, 2, extra, modifier)
            value += goal(took)
        value /= 6 ** len(hits)
        best = value if best is None or value > best else best
    return best


def damage(took):
    """All that came through."""
    return sum(map(sum, took.values()))


def kills(took):
    """Who has had enough."""
    return sum(sum(took[t["name"]]) >= t["capacity"] for t in TARGETS)


def crits(took):
    """Whether any hit was critical at threshold 3."""
    return any(hit >= 3 for hits in took.values() for hit in hits)


GOALS = {"most-damage": damage, "kill": kills, "wound": crits}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("free", [False, True])
def test_best_spending_under_the_best_push_agrees_with_brute_force(goal, free):
    """Every face, every plan, every location (D9, T2K R23, R25, R27, R69-R72)."""
    request = Attack(
        attribute="A", ammo_dice=2, targets=TARGETS, house=House(successes_buy_hits=free)
    )
    expected = oracle.best_value(
        [12], 2, lambda r, pushed: spending_value(r[0], r[2], GOALS[goal], 0, free)
    )
    assert expected == best_shooting(request, goal).value


@pytest.mark.parametrize("modifier", [-1, 0, 2])
def test_the_weapons_armour_modifier(modifier):
    """It shifts armour that is there and adds none where there is none (T2K R70)."""
    request = Attack(attribute="B", ammo_dice=1, targets=TARGETS, armour_modifier=modifier)
    expected = oracle.best_value(
        [10], 1, lambda r, pushed: spending_value(r[0], r[2], damage, modifier)
    )
    assert expected == rw.advise(request, "most-damage").value


def test_best_shooting_is_the_advice_for_its_goal():
    """The question and the advice give one value (T2K R23)."""
    request = Attack(attribute="C", ammo_dice=1, targets=TARGETS)
    assert rw.advise(request, "kill").value == best_shooting(request, "kill").value


@pytest.mark.parametrize("sixes", range(5))
def test_every_legal_plan_is_offered_once(sixes):
    """As many plans as spending the sixes one by one can lead to (T2K R23, R25)."""
    rows = how_to_spend_sixes(Attack(attribute="A", ammo_dice=6, targets=TARGETS), 1, sixes)
    assert len(plans_by_hand(sixes, ["A", "B"], "A")) == len(rows)
    assert len({row.plan for row in rows}) == len(rows)


def test_the_rows_of_the_plans_agree_with_brute_force():
    """Mean damage, kills and crits of each plan over all locations (T2K R69-R72)."""
    rows = {
        row.plan: row
        for row in how_to_spend_sixes(Attack(attribute="A", ammo_dice=2, targets=TARGETS), 2, 2)
    }
    hits = (("A", 0, True), ("B", 1, False))
    took = [wounds_by_hand(hits, places, TARGETS, 2, 1) for places in product(PLACES, repeat=2)]
    row = rows["hit B +1"]
    assert Fraction(sum(map(damage, took)), 36) == row.damage
    assert Fraction(sum(map(kills, took)), 36) == row.kills
    assert Fraction(sum(kills(t) > 0 for t in took), 36) == row.kill


@pytest.mark.parametrize(
    ("primary", "other", "legal"),
    [
        ({}, {}, True),
        ({}, {"modifier": -1}, False),
        ({"modifier": -1}, {"modifier": -1}, True),
        ({"modifier": -1}, {}, True),
        ({"hex": "1"}, {"hex": "2"}, False),
        ({}, {"torso": 9}, True),
    ],
)
def test_who_may_be_hit_besides(primary, other, legal):
    """Same hex and no harder to hit; equal will do, armour does not matter (D10, T2K R24)."""
    assert legal is is_legal(Target(name="A", **primary), Target(name="B", **other))


def test_the_primary_target_may_be_named():
    """Whoever is aimed at takes the primary hit, and his modifier counts (T2K R24, R40)."""
    targets = ({"name": "A"}, {"name": "B", "modifier": -1})
    request = Attack(attribute="A", skill="A", targets=targets, primary="B")
    assert (-1, (10, 12)) == (request.net, request.dice.sides)
    lying = rw.roll(request, faces=[7, 2])
    done = rw.roll(lying.choose("keep"), faces=[3])
    assert (0, 2) == done.outcome.wounds


def test_a_miss_spends_nothing():
    """No location is rolled and nobody is hurt (T2K R22, R26)."""
    lying = rw.roll(Attack(attribute="B", ammo_dice=2, targets=TARGETS), faces=[1, 6, 6])
    assert lying.is_done
    assert (0, 0, (0, 0), True) == (
        lying.outcome.hits,
        lying.outcome.damage_dealt,
        lying.outcome.wounds,
        lying.outcome.can_suppress,
    )


def test_without_sixes_only_the_place_is_rolled():
    """A hit without sixes leaves nothing to choose (T2K R69)."""
    done = rw.roll(Attack(attribute="B", targets=TARGETS), faces=[7, 3])
    assert ["D10", "A 2 D6"] == [repr(step.pool) for step, _ in done.throws]


@pytest.mark.parametrize(("face", "place"), [(3, "torso"), (5, "arms"), (6, "head")])
def test_where_a_hit_strikes(face, place):
    """3 is the torso, 5 an arm, 6 the head, as the example shows (T2K R69, R70)."""
    request = Attack(attribute="B", base_damage=5, targets=({"name": "A", place: 4},))
    assert 1 == rw.roll(request, faces=[7, face]).outcome.damage_dealt


def test_the_places_may_be_changed():
    """A table with other places for 1, 2 and 4 says so (T2K R69)."""
    request = Attack(
        attribute="B",
        targets=({"name": "A", "legs": 2},),
        locations=("legs", "legs", "torso", "arms", "arms", "head"),
    )
    assert 0 == rw.roll(request, faces=[7, 2]).outcome.damage_dealt


@pytest.mark.parametrize(("threshold", "crit"), [(1, 1), (2, 1), (3, 0)])
def test_critical_injuries(threshold, crit):
    """What comes through at or above the threshold is critical (T2K R72)."""
    request = Attack(attribute="B", crit_threshold=threshold, targets=({"name": "A"},))
    assert crit == rw.roll(request, faces=[7, 3]).outcome.crits


def test_kills_are_counted_against_capacity():
    """Two through armour put down who had two left; without a capacity nobody counts (T2K R71)."""
    for capacity, killed in [(2, 1), (3, 0), (0, 0)]:
        request = Attack(attribute="B", targets=({"name": "A", "capacity": capacity},))
        assert killed == rw.roll(request, faces=[7, 3]).outcome.kills


def test_fixed_policies_spend_for_damage():
    """Whoever has no plan takes the one with most damage on average (T2K R23)."""
    request = Attack(attribute="C", ammo_dice=2, targets=TARGETS)
    expected = oracle.count([8], 2, oracle.if_failed, lambda r, p: (r[0], r[2]))
    mean = sum(chance * spending_value(*lying, damage) for lying, chance in expected.items())
    assert mean == rw.odds(request, "if-failed").map(lambda o: o.damage_dealt).mean


@pytest.mark.parametrize(
    ("plan", "faces", "wounds"),
    [("+1 damage", [3], (3, 0)), ("hit A", [3, 4], (4, 0)), ("hit B", [3, 4], (2, 2))],
)
def test_a_further_success_buys_what_a_six_buys_where_the_table_says_so(plan, faces, wounds):
    """A 10 is two successes: the second is spent like a six, raising nothing itself (T2K R27).

    By the book it raises the primary hit.
    """
    shot = Attack(attribute="A", base_damage=2, targets=[{"name": "A"}, {"name": "B"}])
    bought = shot.but(house=House(successes_buy_hits=True))
    lying = rw.roll(bought, faces=[10])
    assert ("+1 damage", "hit A", "hit B") == lying.step.options
    assert wounds == lying.choose(plan).throw(faces).outcome.wounds
    assert (3, 0) == rw.roll(shot, faces=[10, 3]).outcome.wounds


@pytest.mark.parametrize(
    ("armour", "modifier", "damage"), [(1, 0, 1), (1, -3, 2), (1, 1, 0), (3, 0, 0), (0, 2, 2)]
)
def test_armour_is_never_less_than_nothing_and_none_stays_none(armour, modifier, damage):
    """2 damage to the torso through 1 of armour, less or more by the weapon (T2K R70)."""
    target = {"name": "A", "torso": armour, "capacity": 1}
    shot = Attack(attribute="B", base_damage=2, armour_modifier=modifier, targets=[target])
    end = rw.roll(shot, faces=[7, 3]).outcome
    assert ((damage,), int(damage > 0)) == (end.wounds, end.kills)


def test_what_a_plan_does_on_average():
    """Base damage 2 against 1 on three of six places: 3/2; one more for a six (T2K R23, R70)."""
    aim = Attack(attribute="B", base_damage=2, targets=[{"name": "A", "torso": 1}]).aim
    assert (Fraction(3, 2), Fraction(5, 2)) == tuple(mean_damage(aim, Plan(n), 0) for n in (0, 1))


def test_what_players_want_of_an_outcome():
    """A wound is one critical injury or more; to stay unhurt is to lose nothing (T2K R13, R72)."""
    shot = Attack(attribute="B", base_damage=3, crit_threshold=3, targets=[{"name": "A"}])
    end = rw.roll(shot, faces=[7, 3]).outcome
    wound = game.goal("wound", shot)
    assert [False, True, True] == [wound(end._replace(crits=crits)) for crits in (0, 1, 2)]
    unhurt = game.goal("stay-unhurt", game.request("skill", attribute="B"))
    assert -5 == unhurt(SkillOutcome(0, 5, True, 2, 3, 0, False))
