"""Opposed rolls and group rolls, checked against raw faces."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import prod

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.twilight2000 import Group, House, Opposed, Skill, game
from rollwright.games.twilight2000.questions import who_should_roll

JONESY = {"attribute": "B", "skill": "D", "skill_name": "persuasion"}
FARMER = {"attribute": "C", "skill_name": "persuasion"}
DUEL = Opposed(active=JONESY, passive=FARMER)


def opposed_by_hand(decide):
    """(margin, ones, pushed) -> chance, from the raw faces of both sides."""
    found = defaultdict(Fraction)
    for (theirs,) in oracle.throws([8]):
        against = oracle.successes_on(theirs)
        mine = oracle.count(
            [6, 10],
            0,
            lambda lying, base, ammo, against=against: decide(lying, base, against),
            lambda r, pushed: (r[0], r[1], pushed),
        )
        for (successes, ones, pushed), chance in mine.items():
            found[successes - against, ones, pushed] += chance / 8
    return dict(found)


@pytest.mark.parametrize(
    ("policy", "decide"),
    [
        ("never", lambda lying, base, against: False),
        ("always", lambda lying, base, against: base > 0),
        ("if-failed", lambda lying, base, against: lying[0] == 0 and base > 0),
        ("if-not-ahead", lambda lying, base, against: lying[0] <= against and base > 0),
    ],
)
def test_opposed_rolls_agree_with_raw_faces(policy, decide):
    """Margin, 1s and push together, the push decided after both rolls (T2K R57, R58, R59)."""
    assert opposed_by_hand(decide) == oracle.chances(
        rw.odds(DUEL, policy), "margin", "ones", "pushed"
    )


def test_best_pushing_against_somebody():
    """To win, push whenever not ahead and a die is loose; nothing is better (T2K R59)."""
    best = rw.advise(DUEL).value
    assert best == rw.odds(DUEL, "if-not-ahead").p(lambda o: o.winner == "active")
    value = Fraction(0)
    for (theirs,) in oracle.throws([8]):
        against = oracle.successes_on(theirs)
        value += oracle.best_value([6, 10], 0, lambda r, p, a=against: r[0] > a) / 8
    assert value == best


def test_the_winner_goes_with_the_margin():
    """More wins, level or less does not (T2K R57, R58)."""
    for outcome in rw.odds(DUEL, "always"):
        assert outcome.margin == outcome.successes - outcome.opposing
        assert ("active" if outcome.margin > 0 else "passive") == outcome.winner


def test_only_the_active_side_is_asked():
    """No choice is ever the passive side's (T2K R17, R59)."""
    assert {"roller"} == {line.by for line in rw.advise(DUEL).lines}
    assert not DUEL.passive_side.may_push


def test_the_active_side_pays_for_its_push():
    """EMP costs stress, in an opposed roll as anywhere (T2K R13, R59)."""
    outcomes = rw.odds(DUEL, "always")
    assert {0} == set(outcomes.of("damage"))
    assert {True} == {o.stress == o.ones for o in outcomes if o.pushed}


def margins(mine, theirs):
    """The margins of two throws, face by face: successes of each side -> chance."""
    found = Counter(
        (sum(map(oracle.successes_on, one)), sum(map(oracle.successes_on, other)))
        for one in oracle.throws(mine)
        for other in oracle.throws(theirs)
    )
    total = prod(mine) * prod(theirs)
    return {both: Fraction(count, total) for both, count in found.items()}


def test_different_skills_may_meet():
    """MOBILITY on D8 and D10 against RECON on D6 and D8, each side with its own dice (T2K R60)."""
    request = Opposed(
        active={"attribute": "B", "skill": "C", "skill_name": "mobility"},
        passive={"attribute": "C", "skill": "D", "skill_name": "recon"},
    )
    kept = rw.odds(request, "never")
    assert margins([8, 10], [6, 8]) == oracle.chances(kept.of("successes", "opposing"))
    assert margins([8, 10], [6, 8]) != margins([6, 8], [8, 10])
    won = sum(
        chance for (mine, theirs), chance in margins([8, 10], [6, 8]).items() if mine > theirs
    )
    assert won == kept.p(lambda end: end.winner == "active")


@pytest.mark.parametrize(
    ("mine", "theirs", "pays"),
    [
        ("mobility", "recon", "damage"),
        ("recon", "mobility", "stress"),
        ("recon", "recon", "stress"),
    ],
)
def test_the_active_skill_says_what_a_push_costs(mine, theirs, pays):
    """The price follows the attribute of the active side, whatever the other rolls (T2K R13, R60).

    D8 3 and D10 4 against D6 5, pushed into two 1s: two points.
    """
    request = Opposed(
        active={"attribute": "B", "skill": "C", "skill_name": mine},
        passive={"attribute": "D", "skill_name": theirs},
    )
    done = rw.roll(request, faces=[3, 4, 5]).choose("push").throw([1, 1])
    owed = {"damage": done.outcome.damage, "stress": done.outcome.stress}
    assert {"damage": 0, "stress": 0, pays: 2} == owed


def test_whoever_only_spots_somebody_does_not_push():
    """RECON of the passive side is thrown once, pushable or not; the sneaker chooses (T2K R17)."""
    request = Opposed(
        active={"attribute": "B", "skill_name": "recon"},
        passive={"attribute": "C", "skill_name": "recon", "pushable": True},
    )
    lying = rw.roll(request, faces=[7, 3])
    assert lying.is_done  # a success has nothing to throw again, and the 3 of the other side stays
    lying = rw.roll(request, faces=[3, 3])
    assert ("roller", ("keep", "push")) == (lying.step.by, lying.step.options)
    (again, _), *_ = rw.roll(lying.choose("push"), faces=[6]).throws[2:]
    assert (10,) == tuple(len(die.faces) for die in again.pool.dice)
    pushed = rw.odds(request, "always")
    alone = margins([8], [])
    theirs = {opposing: chance for (opposing, _), chance in alone.items()}
    assert theirs == oracle.chances(pushed.of("opposing"))
    assert rw.roll(Skill(attribute="C", skill_name="recon", passive=True), faces=[3]).is_done


def test_a_secret_roll_is_the_referees():
    """The roll is hidden from all but the Referee, who alone decides on the push (T2K R61)."""
    secret = DUEL.but(secret=True)
    lying = rw.roll(secret, faces=[6, 4, 7])
    assert "referee" == lying.step.by
    assert ("referee",) == lying.throws[1][0].sees
    assert len(lying.seen_by("roller").members) > len(lying.seen_by("referee").members)
    assert rw.odds(secret, "if-not-ahead") == rw.odds(DUEL, "if-not-ahead")
    assert rw.advise(secret).value == rw.advise(DUEL).value


def test_opposed_requests_travel():
    """The same roll comes back from its plain form (T2K R57)."""
    from rollwright.kit import from_plain, to_plain

    assert DUEL == from_plain(to_plain(DUEL))


def test_a_bad_side_is_named():
    """The refusal says which side it is about (T2K R4)."""
    with pytest.raises(BadField, match=r"passive\.attribute.*T2K R4"):
        game.request("opposed", active=JONESY, passive={"attribute": "E"})


TEAM = Group(
    members=(
        {"name": "Kasia", "attribute": "A", "skill": "D"},
        {"name": "Diaz", "attribute": "B", "skill": "D"},
        {"name": "Chen", "attribute": "C", "skill": "C"},
        {"name": "Ghost", "attribute": "D", "can_help": False},
    ),
    skill_name="survival",
)


def group_chance(sides):
    """The chance of a success with these dice, by counting raw faces."""
    ways = [faces for faces in oracle.throws(sides)]
    return Fraction(sum(oracle.read(faces, ())[0] > 0 for faces in ways), len(ways))


def test_the_group_lets_the_best_suited_roll():
    """Kasia with both able helpers: D12 + D10 (T2K R36, R37)."""
    outcomes = rw.odds(TEAM, "never")
    assert {("Kasia", 2)} == set(outcomes.of("roller", "helpers"))
    assert group_chance([12, 10]) == outcomes.p(lambda o: o.successes > 0)


@pytest.mark.long
@pytest.mark.parametrize("goal", ["just-succeed", "most-successes"])
def test_best_play_of_a_group(goal):
    """Best over who rolls and who helps is the best single roll there is (T2K R36, R53)."""
    values = [
        rw.advise(TEAM.rolled_by(member, n), goal).value
        for member in TEAM.members
        for n in range(TEAM.most_helpers(member) + 1)
    ]
    assert max(values) == rw.advise(TEAM, goal).value


def test_one_roll_for_all():
    """The group throws once; a failure is everybody's (T2K R38)."""
    lying = rw.roll(TEAM).choose("Chen").choose(0)
    lying = rw.roll(lying, faces=[2, 3]).choose("keep")
    assert lying.is_done
    assert (0, "Chen") == (lying.outcome.successes, lying.outcome.roller)
    assert 1 == len(lying.throws)


def test_at_most_three_of_a_group_help():
    """With five others able, three are the most (T2K R54)."""
    crowd = Group(members=[{"name": str(n), "attribute": "D"} for n in range(6)])
    assert 3 == crowd.most_helpers(crowd.members[0])


def test_who_cannot_help_is_not_counted():
    """Ghost rolls with three helpers, the others with two (T2K R52)."""
    assert [2, 2, 2, 3] == [TEAM.most_helpers(member) for member in TEAM.members]


def test_help_is_declared_before_the_roll():
    """Who rolls and who helps is chosen before any die is thrown (T2K R51)."""
    lying = rw.roll(TEAM)
    assert "group" == lying.step.by
    lying = lying.choose("Kasia")
    assert ("helpers", (0, 1, 2)) == (lying.step.by, lying.step.options)


def test_helpers_beyond_the_ceiling_are_not_called():
    """Two D12s cannot be helped: nobody's action is wasted (T2K R43, R53)."""
    aces = Group(members=[{"name": n, "attribute": "A", "skill": "A"} for n in "XYZ"])
    assert {0} == set(rw.odds(aces, "never").of("helpers"))
    assert (0, 0) == who_should_roll(aces)[0].helpers


def test_npcs_help_alike():
    """Anybody can be a member: help knows no difference (T2K R56)."""
    npcs = Group(members=[{"name": f"guard {n}", "attribute": "C", "skill": "D"} for n in (1, 2)])
    assert (8, 8) == npcs.rolled_by(npcs.members[0], 1).dice.sides


def test_groups_that_cannot_be():
    """An empty group and two of one name are refused (T2K R36)."""
    with pytest.raises(BadField, match=r"members.*T2K R36"):
        Group(members=())
    with pytest.raises(BadField, match="there twice"):
        Group(members=[{"name": "A", "attribute": "B"}] * 2)


def test_group_rolls_of_the_mind_cost_the_roller_stress():
    """The push of a group roll is paid by who rolls (T2K R13, R36)."""
    lying = rw.roll(TEAM).choose("Kasia").choose(2)
    done = rw.roll(rw.roll(lying, faces=[2, 3]).choose("push"), faces=[1, 9])
    assert (1, 0) == (done.outcome.stress, done.outcome.damage)


def test_house_rules_reach_both_sides():
    """An opposed roll's house rules hold for either side (D18, T2K R46)."""
    request = Opposed(
        active={"attribute": "D", "modifier": 3},
        passive={"attribute": "D", "modifier": 3},
        house=House(unskilled_steps="added"),
    )
    assert (6, 10) == request.active_side.dice.sides == request.passive_side.dice.sides
    assert isinstance(request.active_side, Skill)
