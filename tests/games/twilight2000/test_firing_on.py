"""Clearing jams, emptying magazines, wearing weapons out: chains checked by recursion."""

from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.budget import Budget
from rollwright.errors import BadField
from rollwright.games.twilight2000 import ClearJam, House, Magazine
from rollwright.games.twilight2000.firearms import Attack
from rollwright.games.twilight2000.gunnery import (
    full_burst_empties,
    how_long_it_lasts,
    how_long_the_weapon_lasts,
)
from rollwright.games.twilight2000.outcomes import MagazineOutcome
from rollwright.games.twilight2000.questions import clear_or_draw
from rollwright.games.twilight2000.rules import POLICIES
from rollwright.games.twilight2000.shooting import Stock, burst, fire_on, reloaded, wear_out
from rollwright.rules import rule


def clearing_by_hand(sides, reliability, tries, decide):
    """(cleared, tries, reliability lost, broken) -> chance."""
    found = defaultdict(Fraction)
    each = oracle.count(sides, 0, decide, lambda r, p: (r[0] > 0, r[1] if p else 0))

    def go_on(spent, lost, chance):
        for (success, ones), share in each.items():
            now = min(reliability, lost + ones)
            broken = ones > 0 and now == reliability
            if success or broken or spent + 1 == tries:
                found[success, spent + 1, now, broken] += chance * share
            else:
                go_on(spent + 1, now, chance * share)

    go_on(0, 0, Fraction(1))
    return dict(found)


@pytest.mark.parametrize("policy", oracle.POLICIES)
def test_clearing_agrees_with_recursion(policy):
    """Tries, wear and success together, with a push at the weapon's cost (D11, T2K R15, R32)."""
    request = ClearJam(attribute="D", skill="D", tries=3, reliability=2)
    expected = clearing_by_hand([6, 6], 2, 3, oracle.POLICIES[policy])
    assert expected == oracle.chances(rw.odds(request, policy))


def test_clearing_without_pushes_as_a_house_rule():
    """D11: then the policy does not matter (T2K R32)."""
    request = ClearJam(attribute="D", skill="D", tries=3, house=House(push_jam_clearing=False))
    expected = clearing_by_hand([6, 6], 5, 3, oracle.never)
    assert expected == oracle.chances(rw.odds(request, "always"))


@pytest.mark.parametrize("policy", oracle.POLICIES)
def test_a_roll_is_one_slow_action(policy):
    """Unless somebody thinks ahead there is one try, and then another roll (T2K R32)."""
    request = ClearJam(attribute="D", skill="D", reliability=2)
    assert ("slow", 1) == (request.action, request.tries)
    expected = clearing_by_hand([6, 6], 2, 1, oracle.POLICIES[policy])
    assert expected == oracle.chances(rw.odds(request, policy))
    assert {1} == set(rw.odds(request, policy).of("tries"))


def test_clearing_is_geometric():
    """1 - (1 - p)^n within n tries, 1/p on average (T2K R32)."""
    answer = clear_or_draw(ClearJam(attribute="C", tries=4))
    assert Fraction(3, 8) == answer.each
    assert tuple(1 - Fraction(5, 8) ** n for n in range(1, 5)) == answer.within
    assert (Fraction(8, 3), 1) == (answer.tries, answer.at_last)


def test_pushing_a_jam_may_break_the_weapon():
    """With the last point of reliability at stake it need not end well (T2K R32, R66)."""
    answer = clear_or_draw(ClearJam(attribute="D", reliability=1), "if-failed")
    first, pushed = Fraction(1, 6), Fraction(4, 6)
    cleared, broken = first + pushed / 6, pushed / 6
    assert cleared / (cleared + broken) == answer.at_last
    assert 1 / (cleared + broken) == answer.tries


def test_the_best_way_to_clear_a_jam():
    """Pushing every failure is best for whoever just wants it cleared (T2K R32)."""
    request = ClearJam(attribute="B", skill="C", reliability=10)
    assert rw.advise(request).value == rw.odds(request, "if-failed").p(lambda o: o.cleared)


def test_the_weapons_skill_clears_it():
    """RANGED COMBAT or HEAVY WEAPONS, nothing else (T2K R32)."""
    assert "STR" == ClearJam(attribute="B", skill_name="heavy weapons").named_attribute
    with pytest.raises(BadField, match="skill_name"):
        ClearJam(attribute="B", skill_name="tech")


def firing_by_hand(request, decide, jam="together", plus=True, keep=False):
    """(attacks, emptied, jammed, broken, reliability lost, rounds left) -> chance."""
    found = defaultdict(Fraction)
    sides = list(request.dice.sides)

    @cache
    def burst(ammo):
        return oracle.count(
            sides,
            ammo,
            decide,
            lambda r, p: (
                r[4] + 1 if plus else max(1, r[4]),
                r[1] + r[3] if p else 0,
                p and oracle.jams(r[1], r[3], jam),
            ),
        )

    waiting = {((request.rounds, request.spare_magazines, ()), 0, 0): Fraction(1)}
    while waiting:
        ((rounds, spares, partials), lost, attacks), chance = waiting.popitem()
        for (spent, ones, jammed), share in burst(min(request.ammo_dice, rounds - 1)).items():
            now = min(request.reliability, lost + ones)
            left = max(0, rounds - spent)
            full, kept = spares, partials
            if full and (left == 0 or left < request.reload_below):
                if keep and left:
                    kept = tuple(sorted((*kept, left), reverse=True))
                left, full = request.magazine_size, full - 1
            elif left == 0 and kept:
                left, kept = kept[0], kept[1:]
            broken = now == request.reliability
            if broken or left == 0 or (jammed and request.stop_at_jam):
                end = (attacks + 1, left == 0, jammed, broken, now, left)
                found[end] += chance * share
            else:
                key = ((left, full, kept), now, attacks + 1)
                waiting[key] = waiting.get(key, Fraction(0)) + chance * share
    return dict(found)


SHORT = {"attribute": "D", "ammo_dice": 1, "rounds": 7, "magazine_size": 7}


@pytest.mark.parametrize("policy", ["never", "always", "if-failed"])
@pytest.mark.parametrize("stop", [True, False])
def test_magazines_agree_with_recursion(policy, stop):
    """Attacks, wear, jams and rounds until silence (T2K R20, R21, R29, R31, R33, R73)."""
    request = Magazine(**SHORT, reliability=3, stop_at_jam=stop)
    expected = firing_by_hand(request, oracle.POLICIES[policy])
    assert expected == oracle.chances(rw.odds(request, policy))


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("below", [0, 3])
def test_reloading_agrees_with_recursion(keep, below):
    """D13: part-used magazines are gone, or kept for last (T2K R34)."""
    request = Magazine(
        **SHORT,
        spare_magazines=1,
        reload_below=below,
        house=House(keep_partial_magazines=keep),
    )
    expected = firing_by_hand(request, oracle.if_failed, keep=keep)
    assert expected == oracle.chances(rw.odds(request, "if-failed"))


@pytest.mark.parametrize("jam", ["together", "one-kind", "ammo"])
@pytest.mark.parametrize("plus", [True, False])
def test_house_rules_of_magazines_agree_with_recursion(jam, plus):
    """D3 and D4 over many attacks (T2K R31, R33)."""
    request = Magazine(**SHORT, house=House(jam_rule=jam, ammo_plus_one=plus))
    expected = firing_by_hand(request, oracle.always, jam=jam, plus=plus)
    assert expected == oracle.chances(rw.odds(request, "always"))


def test_best_play_fires_longest_by_never_pushing():
    """Whoever wants to keep firing and nothing else does not push (T2K R29)."""
    request = Magazine(attribute="D", rounds=4, reliability=1)
    assert 4 == rw.advise(request, "most-attacks").value
    assert 4 == how_long_it_lasts(request).mean


@rule
async def fire_again(habit, stock, lost, attacks):
    """The same as `fire_on`, with all that matters said in its arguments."""
    hand = habit.hands[min(len(habit.hands), stock.rounds) - 1]
    shot = await burst(hand, habit.house.jam_rule, habit.house.ammo_plus_one)
    lost = min(lost + shot.loss, habit.reliability)
    stock = reloaded(stock._replace(rounds=max(0, stock.rounds - shot.rounds)), habit)
    broken = lost == habit.reliability
    if broken or (shot.jammed and habit.stop_at_jam) or not stock.rounds:
        emptied = not stock.rounds
        return MagazineOutcome(attacks + 1, emptied, shot.jammed, broken, lost, stock.rounds)
    return fire_again(habit, stock, lost, attacks + 1)


def decisions(advice):
    """Everything that is decided, with its chance: a line may stand once for each way to it."""
    found = defaultdict(Fraction)
    for line in advice.lines:
        found[line._replace(chance=None)] += line.chance
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "habit",
    [
        Magazine(attribute="C", skill="D", rate_of_fire=2, rounds=8, magazine_size=8),
        Magazine(attribute="D", rounds=15, ammo_dice=1, reliability=3, stop_at_jam=False),
        Magazine(**SHORT, spare_magazines=1, reload_below=3),
    ],
)
def test_advice_for_a_magazine_is_that_of_the_attacks_one_after_another(habit):
    """Worth, lines and chances are the same as where each attack is a roll of its own."""
    apart = fire_again(habit, Stock(habit.rounds, habit.spare_magazines), 0, 0)
    for goal in (lambda end: end.attacks, lambda end: end.emptied - end.reliability_loss):
        found, expected = (rw.advise(what, goal) for what in (fire_on(habit), apart))
        assert expected.value == found.value
        assert decisions(expected) == decisions(found)


@pytest.mark.long
def test_advice_for_whole_magazines_is_no_great_count():
    """An M249 with two belts of a hundred: 200 attacks, each with its push (T2K R20, R29, R34)."""
    belts = {"rate_of_fire": 6, "rounds": 100, "magazine_size": 100, "spare_magazines": 1}
    gun = Magazine(attribute="A", skill="B", skill_name="heavy weapons", **belts)
    assert 200 == rw.advise(gun, "most-attacks", budget=Budget(5_000_000)).value


def test_one_round_at_a_time_lasts_as_long_as_the_rounds():
    """Without ammo dice a magazine of 30 is 30 attacks (T2K R21)."""
    lasting = how_long_it_lasts(Magazine(attribute="B"))
    assert ({30}, 1) == (set(lasting.attacks), lasting.emptied)


def test_ammo_dice_shrink_with_the_magazine():
    """Three dice from 3 rounds are two, and those empty it for sure (T2K R20, R33)."""
    request = Magazine(attribute="B", ammo_dice=3, rounds=3)
    assert 1 == how_long_it_lasts(request).mean


@pytest.mark.parametrize("rounds", range(2, 8))
def test_a_full_burst_of_few_rounds_empties_them(rounds):
    """Bound by the rounds, n dice cost at least n + 1, which is all (T2K R20, R33)."""
    assert full_burst_empties(Attack(attribute="B", rounds=rounds, rate_of_fire=6)) is (rounds <= 7)


def test_a_full_burst_bound_by_the_rate_need_not():
    """Six dice from 8 rounds may leave one (T2K R20, R33)."""
    assert not full_burst_empties(Attack(attribute="B", rounds=8))


def test_weapons_wear_out():
    """A D6 always pushed loses a point with chance 4/6 * 1/6: nine attacks a point (T2K R29)."""
    gun = Magazine(attribute="D", reliability=3, stop_at_jam=False)
    assert 27 == how_long_the_weapon_lasts(gun)
    assert how_long_the_weapon_lasts(gun, "never") is None


def test_jams_end_a_weapons_turn():
    """Two D6s jam when both show 1 after a push; the first of jam and break counts (T2K R31)."""
    gun = Magazine(attribute="D", skill="D", reliability=10)
    each = oracle.count([6, 6], 0, oracle.always, lambda r, p: r[1] if p else 0)

    @cache
    def attacks(reliability):
        stay = each[0]
        return (1 + each[1] * (attacks(reliability - 1) if reliability > 1 else 0)) / (1 - stay)

    assert attacks(10) == how_long_the_weapon_lasts(gun)


@pytest.mark.parametrize(
    ("stock", "keep", "after"),
    [
        (Stock(0, 2), False, Stock(30, 1)),
        (Stock(3, 2), False, Stock(30, 1)),
        (Stock(3, 2), True, Stock(30, 1, (3,))),
        (Stock(7, 2), True, Stock(7, 2)),
        (Stock(3, 0), False, Stock(3, 0)),
        (Stock(0, 0, (4, 2)), True, Stock(4, 0, (2,))),
        (Stock(0, 0), True, Stock(0, 0)),
    ],
)
def test_when_and_how_one_reloads(stock, keep, after):
    """A full spare below five rounds; then the kept ones; then nothing (D13, T2K R34)."""
    house = House(keep_partial_magazines=keep)
    assert after == reloaded(stock, Magazine(attribute="B", reload_below=5, house=house))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rounds": 40}, r"rounds.*T2K R34.*1 to 30"),
        ({"rounds": 0}, r"rounds.*T2K R73"),
        ({"ammo_dice": 7}, r"ammo_dice.*rate of fire.*T2K R20"),
        ({"spare_magazines": -1}, r"spare_magazines.*T2K R34"),
    ],
)
def test_bad_magazines_are_refused_by_name(fields, message):
    """Too many rounds, none, too many dice, a negative spare (T2K R20, R34, R73)."""
    with pytest.raises(BadField, match=message):
        Magazine(attribute="B", **fields)


def test_a_spare_goes_in_below_the_mark_and_kept_ones_are_taken_fullest_first():
    """With 10 left and a mark of 10 nothing happens; with 9 it does (T2K R34, D13)."""
    habit = Magazine(attribute="B", reload_below=10, house=House(keep_partial_magazines=True))
    assert Stock(10, 1) == reloaded(Stock(10, 1), habit)
    assert Stock(30, 0, (12, 9)) == reloaded(Stock(9, 1, (12,)), habit)
    assert Stock(30, 0, (12, 9)) == reloaded(Stock(12, 1, (9,)), habit.but(reload_below=13))
    assert Stock(12, 0, (9,)) == reloaded(Stock(0, 0, (12, 9)), habit)
    assert Stock(9, 0, (12,)) == reloaded(Stock(9, 0, (12,)), habit)


def test_a_weapon_is_worn_out_with_all_the_ammo_dice_that_the_shooter_likes():
    """D6 and one ammo die, always pushed: of what costs anything 448 throws cost 1, 64 jam.

    With 3 left a jam must come first, 1/8; later two 1s break it (T2K R29, R31, R66).
    """
    always = POLICIES["always"].make("", None)
    odds = rw.odds(wear_out(Magazine(attribute="D", ammo_dice=1, reliability=3)), always)
    assert {"jammed": Fraction(1, 8), "broken": Fraction(7, 8)} == oracle.chances(odds)
