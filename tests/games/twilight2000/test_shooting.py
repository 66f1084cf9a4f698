"""Attacks without targets: ammo dice, jams, wear and rounds, checked against raw faces."""

from fractions import Fraction

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import Attack, House, game
from rollwright.games.twilight2000.dice import Handful, pool_of
from rollwright.games.twilight2000.outcomes import SkillOutcome
from rollwright.games.twilight2000.rules import POLICIES, clear_at_last
from rollwright.kit.games import from_plain
from rollwright.kit.requests import to_plain

FIELDS = (
    "hit",
    "successes",
    "ones",
    "ammo_ones",
    "sixes",
    "pushed",
    "damage",
    "stress",
    "reliability_loss",
    "broken",
    "jammed",
    "rounds_rolled",
    "rounds_spent",
    "rounds_left",
    "emptied",
    "can_suppress",
    "hits",
    "damage_dealt",
)
PLAIN = {"attribute": "C", "ammo_dice": 2}


def counted(decide, sides=(8,), ammo=2, **settings):
    """The joint odds of all fields, from raw faces."""
    return oracle.count(
        list(sides),
        ammo,
        decide,
        lambda r, p: tuple(oracle.attack_fields(r, p, **settings)[name] for name in FIELDS),
    )


def test_the_outcome_has_the_fields_that_are_counted_here():
    """The oracle covers every field but those of targets (T2K R20-R33)."""
    names = Attack.outcome._fields
    assert set(names) - set(FIELDS) == {"kills", "crits", "wounds", "injuries"}


@pytest.mark.parametrize("policy", oracle.POLICIES)
def test_attacks_agree_with_raw_faces(policy):
    """The full joint of hit, sixes, 1s, jam, wear and rounds (T2K R22, R28, R29, R31, R33)."""
    expected = counted(oracle.POLICIES[policy])
    assert expected == oracle.chances(rw.odds(Attack(**PLAIN), policy), *FIELDS)


@pytest.mark.parametrize("policy", oracle.POLICIES)
def test_attacks_with_two_base_dice_agree_with_raw_faces(policy):
    """Two base dice and one ammo die (T2K R5, R22, R28)."""
    request = Attack(attribute="B", skill="D", ammo_dice=1)
    expected = counted(oracle.POLICIES[policy], (6, 10), 1)
    assert expected == oracle.chances(rw.odds(request, policy), *FIELDS)


@pytest.mark.parametrize("jam", ["together", "one-kind", "ammo"])
@pytest.mark.parametrize("plus", [True, False])
def test_house_rules_of_attacks_agree_with_raw_faces(jam, plus):
    """D3 and D4, every reading of both, with wear and an empty magazine (T2K R31, R33)."""
    request = Attack(
        attribute="D",
        skill="D",
        ammo_dice=1,
        rounds=4,
        reliability=2,
        house=House(jam_rule=jam, ammo_plus_one=plus),
    )
    expected = counted(oracle.always, (6, 6), 1, rounds=4, reliability=2, jam=jam, plus=plus)
    assert expected == oracle.chances(rw.odds(request, "always"), *FIELDS)


@pytest.mark.parametrize("suppresses", [False, True])
def test_whether_a_hit_suppresses(suppresses):
    """D17: a miss with a six can suppress; a hit only as a house rule (T2K R26)."""
    request = Attack(**PLAIN, house=House(hit_suppresses=suppresses))
    expected = oracle.count(
        [8],
        2,
        oracle.if_failed,
        lambda r, p: (r[0] > 0, suppresses if r[0] else r[2] > 0),
    )
    assert expected == oracle.chances(rw.odds(request, "if-failed"), "hit", "can_suppress")


@pytest.mark.parametrize(
    ("goal", "worth"),
    [
        ("just-succeed", lambda f: f["hit"]),
        ("hit-without-a-jam", lambda f: f["hit"] and not f["jammed"] and not f["broken"]),
        ("most-damage", lambda f: f["damage_dealt"]),
        ("suppress-or-hit", lambda f: f["hit"] or f["can_suppress"]),
        ("succeed-cheaply", lambda f: f["hit"] - Fraction(3, 10) * f["reliability_loss"]),
        (
            "hit=1,sixes=0.5,jammed=-1,rounds_spent=-0.05",
            lambda f: (
                f["hit"]
                + Fraction(1, 2) * f["sixes"]
                - f["jammed"]
                - Fraction(1, 20) * f["rounds_spent"]
            ),
        ),
    ],
)
def test_best_pushing_of_attacks_agrees_with_raw_faces(goal, worth):
    """Best play with every face known, for each goal and for prices (T2K R10, R28)."""
    settings = {"rounds": 9, "reliability": 2}
    expected = oracle.best_value([8], 2, lambda r, p: worth(oracle.attack_fields(r, p, **settings)))
    assert expected == rw.advise(Attack(**PLAIN, **settings), goal).value


@pytest.mark.long
def test_successes_and_sixes_may_be_thrown_again_as_a_house_rule():
    """D1: best play over every set of dice that are not 1s, ammo sixes included (T2K R11, R28)."""
    house = House(push_may_reroll_successes=True)
    request = Attack(attribute="B", ammo_dice=2, house=house)
    value = Fraction(0)
    for base, *ammo in oracle.throws([10, 6, 6]):
        options = [_thrifty(oracle.read((base,), tuple(ammo)), False)]
        loose_base, loose_ammo = oracle.loose_dice((base,), tuple(ammo))
        for lift in range(2 if base >= 6 else 1):
            sixes = [i for i, face in enumerate(ammo) if face == 6]
            for picked in range(2 ** len(sixes)):
                again = loose_ammo + [place for n, place in enumerate(sixes) if picked >> n & 1]
                if loose_base or lift or again:
                    places = [0] if loose_base or lift else []
                    ways = oracle.pushed_ways([10], (base,), tuple(ammo), places, again)
                    options.append(sum(p * _thrifty(r, True) for r, p in ways.items()))
        value += max(options) / 360
    assert value == rw.advise(request, "successes=1,rounds_spent=-0.2,reliability_loss=-0.1").value


def _thrifty(reading, pushed):
    """A success is worth 1, a round costs 0.2, a point of reliability 0.1."""
    fields = oracle.attack_fields(reading, pushed)
    spent, lost = fields["rounds_spent"], fields["reliability_loss"]
    return fields["successes"] - Fraction(spent, 5) - Fraction(lost, 10)


def test_best_play_is_what_its_odds_say():
    """The odds under `best` are worth as much as the advice promises (T2K R10)."""
    request = Attack(**PLAIN)
    outcomes = rw.odds(request, "best:hit-without-a-jam")
    chance = outcomes.p(lambda o: o.hit and not o.jammed and not o.broken)
    assert rw.advise(request, "hit-without-a-jam").value == chance


@pytest.mark.parametrize(
    ("rate", "rounds", "most"), [(6, 100, 6), (3, 100, 3), (6, 4, 3), (0, 9, 0)]
)
def test_ammo_dice_are_bounded_by_rate_and_rounds(rate, rounds, most):
    """The lower of rate of fire and rounds less one; more is an error (D15, T2K R20)."""
    fields = {"attribute": "B", "rate_of_fire": rate, "rounds": rounds}
    assert most == Attack(**fields, ammo_dice=most).ammo_dice
    with pytest.raises(BadField, match=r"ammo_dice.*T2K R20"):
        Attack(**fields, ammo_dice=most + 1)


def test_without_ammo_dice_one_round_is_fired():
    """Whether pushed or not (T2K R21)."""
    assert {1} == set(rw.odds(Attack(attribute="B"), "always").of("rounds_spent"))


def test_sixes_do_not_help_to_hit():
    """The chance to hit is that of the base dice alone (T2K R22)."""
    bare = rw.odds(Attack(attribute="B", skill="C"), "if-failed").p(lambda o: o.hit)
    assert bare == rw.odds(Attack(attribute="B", skill="C", ammo_dice=4), "if-failed").p(
        lambda o: o.hit
    )


def test_base_successes_add_damage():
    """Two, three, four successes are +1, +2, +3 on the primary hit (T2K R27)."""
    outcomes = rw.odds(Attack(attribute="A", skill="A", base_damage=3), "never")
    assert {(0, 0), (1, 3), (2, 4), (3, 5), (4, 6)} == set(outcomes.of("successes", "damage_dealt"))


def test_a_push_throws_loose_ammo_dice_again():
    """6s and 1s stay, the others go, together with the base dice (T2K R11, R28)."""
    lying = rw.roll(Attack(attribute="B", ammo_dice=4), faces=[8, 1, 3, 5, 6])
    assert "2 ammo D6" == repr(lying.choose("push").step.pool)


def test_rounds_of_a_pushed_attack_are_the_final_faces():
    """D5: 6 + 2 + 1 after the push, whatever lay there before (T2K R33)."""
    lying = rw.roll(Attack(attribute="B", ammo_dice=2), faces=[3, 6, 5]).choose("push")
    assert 9 == rw.roll(lying, faces=[7, 2]).outcome.rounds_spent


def test_no_push_no_wear():
    """Unpushed attacks never cost reliability nor jam, however many 1s (T2K R29, R31)."""
    outcomes = rw.odds(Attack(**PLAIN), "never")
    assert {(0, False, False)} == set(outcomes.of("reliability_loss", "broken", "jammed"))


def test_a_jammed_attack_still_counts():
    """A hit with its damage and sixes stands beside the jam (T2K R30, R31)."""
    outcomes = rw.odds(Attack(attribute="B", ammo_dice=3), "always")
    assert outcomes.p(lambda o: o.jammed and o.hit and o.sixes) > 0


def test_rolled_and_spent_are_told_apart():
    """More than there is empties the magazine and no more (D6, T2K R33)."""
    lying = rw.roll(Attack(attribute="B", ammo_dice=3, rounds=10), faces=[8, 6, 5, 4])
    outcome = lying.choose("keep").outcome
    assert (16, 10, 0, True) == (
        outcome.rounds_rolled,
        outcome.rounds_spent,
        outcome.rounds_left,
        outcome.emptied,
    )


@pytest.mark.parametrize("track", ["everything", "no-rounds", "wounds"])
def test_an_attack_stored_with_what_it_was_to_track_is_read_without_it(track):
    """Rounds, 1s and jams are there whatever an older request says of them (T2K R29, R31, R33)."""
    stored = {"game": "twilight2000", "roll": "attack", **PLAIN, "track": track}
    assert rw.odds(Attack(**PLAIN), "if-failed") == rw.odds(stored, "if-failed")
    assert Attack(**PLAIN) == from_plain(stored)
    assert "track" not in to_plain(from_plain(stored), whole=True)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rounds": 0}, r"rounds: 0.*T2K R73"),
        ({"rounds": -5}, r"rounds: -5.*T2K R73"),
        ({"reliability": 0}, r"reliability: 0.*T2K R66"),
        ({"ammo_dice": -1}, r"ammo_dice: -1.*T2K R20"),
        ({"primary": "Z"}, r"primary.*'Z'.*T2K R24"),
        ({"targets": [{"name": "A"}], "primary": "B"}, r"primary.*'B'.*A would do"),
        ({"targets": [{"name": "A"}, {"name": "A"}]}, r"targets\[1\].*there twice"),
        ({"targets": [{"name": "A", "torso": -1}]}, r"targets\[0\].*torso.*T2K R70"),
        ({"targets": [{"hex": "x"}]}, r"targets\[0\].*name.*missing"),
        ({"locations": ["head"]}, r"locations.*T2K R69"),
        ({"locations": ["tail"] * 6}, r"locations\[0\].*T2K R69"),
        ({"skill_name": "driving"}, r"skill_name"),
    ],
)
def test_bad_attacks_are_refused_by_name(fields, message):
    """An empty magazine, a broken weapon, an unknown target (T2K R66, R73)."""
    with pytest.raises(BadField, match=message):
        Attack(attribute="B", **fields)


@pytest.mark.parametrize(
    ("first", "again", "jammed"),
    [
        ([1, 3, 2, 2], [4, 1, 2], {"together", "ammo"}),
        ([1, 1, 2, 2], [2, 3], {"together", "one-kind"}),
        ([1, 3, 2, 2], [4, 2, 3], set()),
        ([1, 3, 2, 2], [1, 2, 3], {"together", "one-kind"}),
        ([3, 3, 1, 1], [4, 4], {"together", "one-kind", "ammo"}),
        ([3, 3, 1, 3], [4, 4, 5], set()),
    ],
)
def test_which_ones_jam_a_pushed_weapon(first, again, jammed):
    """Two 1s that lie there in the end, together or of a kind by the house (T2K R31, D3)."""
    for rule in ("together", "one-kind", "ammo"):
        shot = Attack(attribute="B", skill="C", ammo_dice=2, house=House(jam_rule=rule))
        pushed = rw.roll(shot, faces=first).choose("push").throw(again).outcome
        assert (rule in jammed) == pushed.jammed
        assert not rw.roll(shot, faces=first).choose("keep").outcome.jammed


@pytest.mark.parametrize(
    ("reliability", "lost", "broken"), [(1, 1, True), (2, 2, True), (3, 2, False)]
)
def test_a_pushed_weapon_breaks_at_its_last_point_of_reliability(reliability, lost, broken):
    """Two 1s cost two points, or the one that there is (T2K R29, R66)."""
    shot = Attack(attribute="B", skill="C", ammo_dice=1, reliability=reliability)
    pushed = rw.roll(shot, faces=[1, 3, 1]).choose("push").throw([4]).outcome
    assert (lost, broken) == (pushed.reliability_loss, pushed.broken)
    kept = rw.roll(shot, faces=[1, 3, 1]).choose("keep").outcome
    assert (0, False) == (kept.reliability_loss, kept.broken)


def test_what_a_push_would_throw_again_is_told():
    """One ammo die of four is neither a 6 nor a 1; one base die of two is loose (T2K R11, R28)."""
    shot = Attack(attribute="B", skill="C", ammo_dice=4)
    about = rw.roll(shot, faces=[1, 3, 6, 1, 1, 2]).step.about
    assert (0, 1, 1, 1, 2, 1, 10) == about[:7]


def test_a_jam_is_cleared_at_last_unless_the_weapon_breaks():
    """One D6, always pushed: 10 throws of 36 clear it, 4 wear it; 45/49 with 2 left (T2K R29, R32).

    A loose die is thrown again. So 5/7 of what changes anything clears the jam, and
    5/7 + 2/7 x 5/7 do before the second point is lost.
    """
    always = POLICIES["always"].make("", None)
    odds = rw.odds(clear_at_last(Handful(pool_of((6,))), 2), always)
    assert Fraction(45, 49) == odds.p(True)


@pytest.mark.parametrize(
    ("goal", "worths"),
    [
        ("just-succeed", [0, 1, 1, 1, 1]),
        ("two-successes", [0, 0, 1, 1, 1]),
        ("three-successes", [0, 0, 0, 1, 1]),
        ("most-successes", [0, 1, 2, 3, 4]),
        ("stay-unhurt", [-5] * 5),
    ],
)
def test_what_no_to_four_successes_are_worth(goal, worths):
    """As the goals say it, with 2 points of damage and 3 of stress in each (T2K R8, R13)."""
    worth = game.goal(goal, game.request("skill", attribute="B"))
    paid = {"damage": 2, "stress": 3, "reliability_loss": 0, "broken": False}
    found = [worth(SkillOutcome(successes, 0, True, **paid)) for successes in range(5)]
    assert worths == found


@pytest.mark.parametrize(("faces", "worth"), [([8, 2], 1), ([3, 6], 1), ([3, 2], 0)])
def test_a_hit_or_a_six_beside_a_miss_keeps_heads_down(faces, worth):
    """Either is enough for whoever wants one of the two (T2K R8, R26)."""
    shot = Attack(attribute="B", ammo_dice=1, house=House(hit_suppresses=False))
    end = rw.roll(shot, faces=faces).choose("keep").outcome
    assert worth == game.goal("suppress-or-hit", shot)(end)


def test_every_price_counts_alike_for_whoever_wants_to_succeed_cheaply():
    """A success less 0.3 for each point of damage, stress and reliability (T2K R13, R15)."""
    worth = game.goal("succeed-cheaply", game.request("skill", attribute="B"))
    lost = {"damage": 2, "stress": 3, "reliability_loss": 4}
    paid = SkillOutcome(1, 9, True, **lost, broken=False)
    assert 1 - Fraction(3, 10) * 9 == worth(paid)
    assert -Fraction(3, 10) * 9 == worth(paid._replace(successes=0))


def test_ones_and_ammo_dice_of_a_pushed_attack_are_all_counted():
    """1s wear and jam a pushed weapon, ammo dice use up rounds (T2K R29, R31, R33)."""
    shot = Attack(attribute="B", skill="C", ammo_dice=2)
    end = rw.roll(shot, faces=[1, 3, 1, 4]).choose("push").throw([7, 2]).outcome
    assert (2, 2, True) == (end.ones, end.reliability_loss, end.jammed)
    assert (True, 4) == (end.hit, end.rounds_rolled)
