"""The questions of section E, answered exactly and checked by hand or by raw faces."""

from fractions import Fraction

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.games.twilight2000 import Attack, Group, Opposed, Skill, game
from rollwright.games.twilight2000.gunnery import frontier, how_many_ammo_dice
from rollwright.games.twilight2000.questions import (
    modifier_table,
    my_chances,
    push_against,
    should_push,
    who_should_roll,
)

STAMINA = Skill(attribute="A", skill="C", skill_name="stamina")


@pytest.mark.parametrize("policy", oracle.POLICIES)
def test_my_chances(policy):
    """What are my chances? The joint of successes and 1s (T2K R6, R7, R10)."""
    expected = oracle.count([8, 12], 0, oracle.POLICIES[policy], lambda r, p: r[:2])
    assert expected == oracle.chances(my_chances(STAMINA, policy))


@pytest.mark.parametrize("faces", [(3, 4), (1, 4), (7, 4), (3, 11)])
@pytest.mark.parametrize("need", [1, 2])
def test_should_i_push(faces, need):
    """Now against later, the price and its odds, by raw faces (T2K R10, R13)."""
    answer = should_push(STAMINA, faces, need=need, can_take=2)
    ways = oracle.pushed_ways([8, 12], faces, (), *oracle.loose_dice(faces, ()))
    assert Fraction(oracle.read(faces, ())[0] >= need) == answer.now
    assert sum(p for r, p in ways.items() if r[0] >= need) == answer.pushed
    assert sum(p * r[1] for r, p in ways.items()) == answer.ones
    assert sum(p for r, p in ways.items() if r[1] >= 2) == answer.falls
    most = max(r[1] for r in ways)
    assert (
        tuple(sum(p for r, p in ways.items() if r[1] >= n) for n in range(1, most + 1))
        == answer.price
    )
    gain = answer.pushed - answer.now
    assert (answer.ones / gain if gain > 0 else None) == answer.break_even


def test_should_i_push_an_attack():
    """Jam and break are told with it (T2K R29, R31)."""
    answer = should_push(Attack(attribute="B", skill="C", ammo_dice=1, reliability=2), [1, 4, 3])
    ways = oracle.pushed_ways([8, 10], (1, 4), (3,), [1], [0])
    both = sum(p for r, p in ways.items() if r[1] + r[3] >= 2)
    assert (both, both) == (answer.jam, answer.breaks)
    assert sum(p for r, p in ways.items() if r[0]) == answer.pushed


def test_should_i_push_with_nothing_to_throw_again():
    """Where no push is possible, both answers are the same (T2K R11)."""
    answer = should_push(STAMINA, [1, 9])
    assert (1, 1, None) == (answer.now, answer.pushed, answer.break_even)


def test_a_passive_roll_has_nothing_to_ask():
    """It cannot be pushed, so nothing changes and nothing is paid (T2K R17)."""
    answer = should_push(STAMINA.but(passive=True), [3, 4])
    assert (0, 0, ()) == (answer.now, answer.pushed, answer.price)


def test_how_many_ammo_dice():
    """Each row against raw faces: damage, rounds, empty, suppressed, jammed (T2K R20-R33)."""
    request = Attack(
        attribute="C", rate_of_fire=2, rounds=6, targets=({"name": "A", "capacity": 4},)
    )
    for row in how_many_ammo_dice(request, "if-failed"):
        n = row.ammo_dice
        ways = oracle.count([8], n, oracle.if_failed, lambda r, p: (r, p))
        fields = [(oracle.attack_fields(*key, rounds=6), p) for key, p in ways.items()]
        assert sum(p * f["rounds_spent"] for f, p in fields) == row.rounds
        assert sum(p for f, p in fields if f["emptied"]) == row.emptied
        assert sum(p for f, p in fields if f["jammed"]) == row.jam
        missed = sum(p for f, p in fields if not f["hit"])
        assert sum(p for f, p in fields if f["can_suppress"]) / missed == row.suppress
        dealt = [(f["damage_dealt"] + 2 * f["sixes"] * f["hit"], p) for f, p in fields]
        assert sum(p * d for d, p in dealt) == row.damage
        assert sum(p for d, p in dealt if d >= 4) == row.kill
        assert row.damage / row.rounds == row.per_round


def test_rows_stop_at_what_is_allowed():
    """One row for each number of dice up to the bound (T2K R20)."""
    assert 4 == len(how_many_ammo_dice(Attack(attribute="B", rounds=4)))


def test_the_kill_chance_under_best_pushing():
    """With `best` the push serves the kill as well (T2K R10, R23)."""
    request = Attack(attribute="C", rate_of_fire=1, targets=({"name": "A", "capacity": 4},))
    row = how_many_ammo_dice(request, "best:kill")[1]
    expected = oracle.best_value([8], 1, lambda r, p: r[0] > 0 and 2 + r[0] - 1 + 2 * r[2] >= 4)
    assert expected == row.kill


def test_the_frontier_leaves_out_what_is_worse():
    """A row with less damage for more rounds is not worth considering (T2K R33)."""
    rows = how_many_ammo_dice(Attack(attribute="B", rate_of_fire=3))
    worse = rows[1]._replace(damage=rows[0].damage, ammo_dice=9)
    assert rows == frontier((*rows, worse))


def test_who_should_roll():
    """By raw faces: the best chance first, and what each helper adds (T2K R36, R53)."""
    members = (
        {"name": "Diaz", "attribute": "B", "skill": "D"},
        {"name": "Kasia", "attribute": "A", "skill": "D"},
        {"name": "Chen", "attribute": "C"},
    )
    best = who_should_roll(Group(members=members))[0]
    chances = []
    for sides in ([6, 12], [8, 12], [10, 12]):
        ways = list(oracle.throws(sides))
        good = sum(oracle.read(faces, ())[0] > 0 for faces in ways)
        chances.append(Fraction(good, len(ways)))
    assert ("Kasia", chances[2], (10, 12)) == (best.name, best.chance, best.dice)
    assert (chances[1] - chances[0], chances[2] - chances[1]) == best.helpers


@pytest.mark.parametrize("faces", [(6, 4, 7), (2, 2, 3), (1, 4, 6), (6, 10, 2)])
def test_push_after_seeing_their_roll(faces):
    """P(win | their successes) now and after a push (T2K R57, R59)."""
    duel = Opposed(
        active={"attribute": "B", "skill": "D", "skill_name": "persuasion"},
        passive={"attribute": "C"},
    )
    answer = push_against(duel, faces)
    mine, against = faces[:2], oracle.successes_on(faces[2])
    ways = oracle.pushed_ways([6, 10], mine, (), *oracle.loose_dice(mine, ()))
    assert against == answer.against
    assert Fraction(oracle.read(mine, ())[0] > against) == answer.now
    assert sum(p for r, p in ways.items() if r[0] > against) == answer.pushed


def test_what_a_minus_two_costs():
    """The stepping table from -5 to +5, each chance by raw faces (T2K R41-R46)."""
    table = modifier_table("B", "C")
    assert list(range(-5, 6)) == [row.net for row in table]
    for row in table:
        ways = list(oracle.throws(row.dice))
        good = sum(oracle.read(faces, ())[0] > 0 for faces in ways)
        assert Fraction(good, len(ways)) == row.chance


def test_every_question_is_listed():
    """The game names each question of the players (T2K R1)."""
    assert 13 == len(game.questions)
    assert should_push is game.questions["should_push"].function
    assert game.questions["should_push"].title.startswith("Should I push now?")


def test_how_much_a_rule_of_thumb_gives_away():
    """To just succeed, `if-failed` gives nothing away and `never` gives 47/288 (T2K R10).

    By hand: failed first throws are 2-5 and 2-5 (16/96), 1 and 2-5 (4/96 twice) and 1 and 1.
    """
    goal = game.goal("just-succeed", STAMINA)
    lost = [
        rw.value_lost(STAMINA.call(), game.policy(p, STAMINA), goal) for p in ("if-failed", "never")
    ]
    by_hand = (
        Fraction(16, 96) * (1 - Fraction(5, 8) * Fraction(5, 12))
        + Fraction(4, 96) * Fraction(7, 12)
        + Fraction(4, 96) * Fraction(3, 8)
    )
    assert [0, by_hand] == lost
    assert Fraction(47, 288) == by_hand


def test_without_a_hit_capacity_no_kill_is_known():
    """T2K R71: where nobody keeps count, the chance to put somebody down is not 0 but unknown."""
    request = Attack(attribute="B", skill="C", rate_of_fire=2)
    unknown = [request, request.but(targets=({"name": "A"},))]
    assert [None] * 6 == [row.kill for one in unknown for row in how_many_ammo_dice(one)]
    counted = how_many_ammo_dice(request.but(targets=({"name": "A", "capacity": 3},)))
    assert all(row.kill for row in counted)
