"""Pushing: what is thrown again, what it costs, and who pays; checked against raw faces."""

from collections import defaultdict
from fractions import Fraction

import pytest
from tests.games.twilight2000 import oracle

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.twilight2000 import Group, House, Opposed, Skill, game

DICE = [("D", None), ("B", None), ("C", "D"), ("A", "B"), ("A", "A")]


def skill_fields(reading, pushed, payer="damage", reliability=0):
    """The outcome of a skill roll, worked out apart from the rules."""
    successes, ones = reading[:2]
    owed = ones if pushed else 0
    loss = min(owed, reliability) if payer == "gear" else 0
    return (
        successes,
        ones,
        pushed,
        owed if payer == "damage" else 0,
        owed if payer == "stress" else 0,
        loss,
        payer == "gear" and pushed and loss == reliability,
    )


@pytest.mark.parametrize("policy", oracle.POLICIES)
@pytest.mark.parametrize(("attribute", "skill"), DICE)
def test_skill_rolls_agree_with_raw_faces(attribute, skill, policy):
    """The whole joint outcome, under every fixed policy (T2K R5, R10, R11, R12, R13)."""
    sides = [oracle.SIDES[level] for level in (attribute, skill) if level]
    expected = oracle.count(sides, 0, oracle.POLICIES[policy], skill_fields)
    assert expected == oracle.chances(rw.odds(Skill(attribute=attribute, skill=skill), policy))


@pytest.mark.parametrize(
    ("goal", "worth"),
    [
        ("just-succeed", lambda s, damage: s > 0),
        ("two-successes", lambda s, damage: s >= 2),
        ("three-successes", lambda s, damage: s >= 3),
        ("most-successes", lambda s, damage: s),
        ("stay-unhurt", lambda s, damage: -damage),
        ("succeed-cheaply", lambda s, damage: (s > 0) - Fraction(3, 10) * damage),
        ("successes=1,damage=-0.5", lambda s, damage: s - Fraction(1, 2) * damage),
    ],
)
@pytest.mark.parametrize(("attribute", "skill"), DICE)
def test_best_pushing_agrees_with_raw_faces(attribute, skill, goal, worth):
    """Best play over every raw face is worth as much as ours (T2K R10, R11)."""
    sides = [oracle.SIDES[level] for level in (attribute, skill) if level]
    expected = oracle.best_value(sides, 0, lambda r, pushed: worth(r[0], r[1] if pushed else 0))
    assert expected == rw.advise(Skill(attribute=attribute, skill=skill), goal).value


def test_ones_and_successes_stay_in_a_push():
    """Only the die that shows neither is thrown again (T2K R11)."""
    lying = rw.roll(Skill(attribute="A", skill="C"), faces=[1, 4]).choose("push")
    assert "D12" == repr(lying.step.pool)
    lying = rw.roll(Skill(attribute="A", skill="C"), faces=[3, 11]).choose("push")
    assert "D8" == repr(lying.step.pool)


def test_the_new_faces_stand():
    """After the throw of the push the roll is over: no second push, no way back (T2K R11, R12)."""
    done = rw.roll(Skill(attribute="A", skill="C"), faces=[3, 4]).choose("push")
    done = rw.roll(done, faces=[2, 2])
    assert done.is_done
    assert 0 == done.outcome.successes


def test_a_roll_may_be_pushed_for_more():
    """A success does not forbid the push (T2K R10)."""
    assert ("keep", "push") == rw.roll(Skill(attribute="A", skill="C"), faces=[7, 4]).step.options


def test_ones_of_the_first_roll_are_charged():
    """A 1 that lay there before the push costs as much as a new one (D12, T2K R13)."""
    lying = rw.roll(Skill(attribute="A", skill="C"), faces=[1, 4]).choose("push")
    assert 2 == rw.roll(lying, faces=[1]).outcome.damage
    assert 1 == rw.roll(lying, faces=[9]).outcome.damage


@pytest.mark.parametrize(
    ("name", "payer"),
    [("STR", "damage"), ("AGL", "damage"), ("INT", "stress"), ("EMP", "stress")],
)
def test_who_pays_for_a_push(name, payer):
    """The body takes damage, the mind stress (T2K R13)."""
    request = Skill(attribute="A", skill="C", attribute_name=name)
    expected = oracle.count([8, 12], 0, oracle.always, lambda r, p: skill_fields(r, p, payer))
    assert expected == oracle.chances(rw.odds(request, "always"))


@pytest.mark.parametrize("reliability", [1, 2, 5])
def test_a_tool_pays_on_body_rolls(reliability):
    """Its reliability goes instead of the roller's health, and never below 0 (D7, T2K R15, R66)."""
    request = Skill(attribute="A", skill="C", skill_name="driving", gear_reliability=reliability)
    expected = oracle.count(
        [8, 12], 0, oracle.always, lambda r, p: skill_fields(r, p, "gear", reliability)
    )
    assert expected == oracle.chances(rw.odds(request, "always"))


def test_a_tool_that_is_named_pays_also_without_its_number():
    """It is one in good condition then: 5 (T2K R15, R64)."""
    rope = {"attribute": "A", "gear": "rope"}
    named = Skill(**rope, skill_name="stamina")
    assert rw.odds(named, "always") == rw.odds(named.but(gear_reliability=5), "always")
    assert ("gear", 5) == named.price == Opposed(active=named, passive=named).sides[1]
    everybody = Group(members=[{"name": "A", "attribute": "A"}], skill_name="stamina", gear="rope")
    assert ("gear", 5) == everybody.candidates[0].price
    assert "stress" == Skill(**rope, skill_name="recon").price.payer
    assert "damage" == named.but(gear="").price.payer


@pytest.mark.parametrize(("strain", "payer"), [(False, "stress"), (True, "gear")])
def test_a_tool_on_a_roll_of_the_mind(strain, payer):
    """D8: stress to the person, or, as a house rule, wear to the tool (T2K R15)."""
    request = Skill(
        attribute="B",
        skill="C",
        skill_name="medical aid",
        gear_reliability=2,
        house=House(gear_takes_strain=strain),
    )
    expected = oracle.count([8, 10], 0, oracle.always, lambda r, p: skill_fields(r, p, payer, 2))
    assert expected == oracle.chances(rw.odds(request, "always"))


def test_without_a_push_ones_do_nothing():
    """Whatever is rolled, nobody pays (T2K R16)."""
    outcomes = rw.odds(Skill(attribute="D", skill="D"), "never")
    assert {(0, 0, 0)} == set(outcomes.of("damage", "stress", "reliability_loss"))


@pytest.mark.parametrize("flag", [{"passive": True}, {"pushable": False}])
@pytest.mark.parametrize("policy", ["never", "always", "eager", "best:most-successes"])
def test_some_rolls_are_never_pushed(flag, policy):
    """Passive rolls, promotion and coolness under fire end with the first throw (T2K R17, R18).

    Whatever somebody would like, the odds are those of two dice thrown once.
    """
    request = Skill(attribute="B", skill="C", **flag)
    expected = oracle.count([8, 10], 0, oracle.never, lambda r, p: skill_fields(r, p))
    assert expected == oracle.chances(rw.odds(request, policy))
    pushed = oracle.count([8, 10], 0, oracle.always, lambda r, p: skill_fields(r, p))
    assert expected != pushed


@pytest.mark.parametrize(
    ("request_", "faces"),
    [
        (Skill(attribute="B", skill="C", pushable=False), [2, 2]),
        (game.request("attack", attribute="B", ammo_dice=2, pushable=False), [2, 2, 2]),
        (game.request("clear_jam", attribute="B", tries=1, pushable=False), [2]),
        (
            game.request(
                "opposed",
                active={"attribute": "B", "pushable": False},
                passive={"attribute": "C"},
            ),
            [2, 2],
        ),
    ],
    ids=lambda held: getattr(held, "roll", None),
)
def test_a_roll_that_is_never_pushed_offers_no_choice(request_, faces):
    """Faces that anybody else might push end the roll at once (T2K R18)."""
    done = rw.roll(request_, faces=faces)
    assert done.is_done
    assert 1 == len({entry.how for entry in done.entries})
    may = {"active": request_.active.but(pushable=True)} if request_.roll == "opposed" else {}
    other = request_.but(**may) if may else request_.but(pushable=True)
    assert ("keep", "push") == rw.roll(other, faces=faces).step.options


def test_a_push_with_nothing_to_throw_again_is_refused():
    """D2: all 1s and successes end the roll (T2K R11)."""
    assert rw.roll(Skill(attribute="A", skill="C"), faces=[1, 9]).is_done


def test_a_push_for_nothing_as_a_house_rule():
    """D2: allowed, it charges the 1s that lie there and throws nothing (T2K R11, R13)."""
    request = Skill(attribute="A", skill="C", house=House(push_with_nothing=True))
    lying = rw.roll(request, faces=[1, 9])
    assert ("keep", "push") == lying.step.options
    done = rw.roll(lying.choose("push"), faces=[])
    assert (1, 1, True) == (done.outcome.successes, done.outcome.damage, done.outcome.pushed)
    expected = oracle.count([8, 12], 0, lambda *_: True, skill_fields)
    assert expected == oracle.chances(rw.odds(request, "eager"))


@pytest.mark.parametrize("sides", [[12], [10, 12], [12, 12]])
@pytest.mark.parametrize("need", [2, 3])
def test_successes_may_be_thrown_again_as_a_house_rule(sides, need):
    """D1: best play over every set of dice that are not 1s (T2K R11)."""
    levels = {10: "B", 12: "A"}
    request = Skill(
        attribute=levels[sides[-1]],
        skill=levels[sides[0]] if len(sides) > 1 else None,
        house=House(push_may_reroll_successes=True),
    )
    value = Fraction(0)
    for faces in oracle.throws(sides):
        options = [Fraction(oracle.read(faces, ())[0] >= need)]
        loose, _ = oracle.loose_dice(faces, ())
        extra = [i for i, face in enumerate(faces) if face >= 6]
        for picked in range(2 ** len(extra)):
            again = loose + [place for bit, place in enumerate(extra) if picked >> bit & 1]
            if again:
                ways = oracle.pushed_ways(sides, faces, (), again, [])
                options.append(sum(p for r, p in ways.items() if r[0] >= need))
        value += max(options)
    for n in sides:
        value /= n
    goal = "two-successes" if need == 2 else "three-successes"
    assert value == rw.advise(request, goal).value


def test_the_house_rule_on_successes_changes_no_plain_push():
    """D1: whoever pushes plainly has the same odds under both readings (T2K R11)."""
    for policy in oracle.POLICIES:
        plain = rw.odds(Skill(attribute="A", skill="B"), policy)
        free = rw.odds(
            Skill(attribute="A", skill="B", house=House(push_may_reroll_successes=True)), policy
        )
        assert plain == free


def test_policies_by_name():
    """`below` takes a number; a wrong name or number is refused (T2K R10)."""
    request = Skill(attribute="A", skill="B")
    assert rw.odds(request, "below:1") == rw.odds(request, "if-failed")
    with pytest.raises(BadField, match="below:0 to below:99"):
        game.policy("below:many", request)
    with pytest.raises(UnknownName, match="if-failed"):
        game.policy("if-faild", request)
    with pytest.raises(BadField, match="hit-without-a-jam"):
        game.goal("hit-without-a-jam", request)


def test_the_default_goal_pushes_failures_only():
    """To just succeed, a success is kept and a failure pushed (T2K R8, R10)."""
    advice = rw.advise(Skill(attribute="A", skill="C"))
    by_call = defaultdict(set)
    for line in advice.lines:
        by_call[line.choose].add(line.situation.successes > 0)
    assert {"keep": {True}, "push": {False}} == by_call


@pytest.mark.parametrize(
    ("request_", "faces", "option", "expected"),
    [
        (Skill(attribute="B", skill="C"), [[1, 3], [5]], "push", ["kept", "again"]),
        (Skill(attribute="B", skill="C"), [[2, 3], [5, 5]], "push", ["again", "again"]),
        (
            game.request("attack", attribute="B", ammo_dice=3, rate_of_fire=6, rounds=30),
            [[7, 6, 2, 1], [3]],
            "push",
            ["kept", "kept", "again", "kept"],
        ),
        (Skill(attribute="B", skill="C"), [[1, 3]], "keep", []),
    ],
)
def test_dice_that_stay(request_, faces, option, expected):
    """T2K R10: successes and 1s lie on beside the dice of a push; the others are taken up."""
    transcript = rw.roll(request_, faces=faces[0]).choose(option)
    for more in faces[1:]:
        transcript = transcript.throw(more)
    lies = {(0, place): lie for place, lie in enumerate(expected)}
    assert lies == game.card.lies(request_, transcript)


AGAIN = "push and re-roll"
ANY_DIE = House(push_may_reroll_successes=True)
BURST = game.request(
    "attack", attribute="B", skill="C", ammo_dice=2, rounds=30, reliability=5, house=ANY_DIE
)


def test_every_die_with_a_success_may_be_thrown_again_where_the_table_says_so():
    """D8 7, D10 10 and ammo 6, 3: any of the first three, alone or with others (T2K R11, D1)."""
    d10, d8, six = "a D10 with two successes", "a D8 with a success", "1 ammo six"
    picked = [six, d10, f"{d10} and {six}", d8, f"{d8} and {six}"]
    picked += [f"{d8} and {d10}", f"{d8} and {d10} and {six}"]
    options = rw.roll(BURST, faces=[7, 10, 6, 3]).step.options
    assert ("keep", "push", *(f"{AGAIN} {dice}" for dice in picked)) == options
    options = rw.roll(BURST, faces=[3, 1, 6, 1]).step.options
    assert ("keep", "push", f"{AGAIN} {six}") == options


@pytest.mark.parametrize(
    ("way", "faces", "successes", "sixes", "rounds"),
    [
        ("push", [5], 3, 1, 6 + 5 + 1),
        (f"{AGAIN} a D8 with a success", [5, 6], 2, 2, 6 + 6 + 1),
        (f"{AGAIN} 1 ammo six", [2, 5], 3, 0, 2 + 5 + 1),
        (f"{AGAIN} a D10 with two successes and 1 ammo six", [4, 2, 5], 1, 0, 2 + 5 + 1),
    ],
)
def test_what_is_thrown_again_counts_anew(way, faces, successes, sixes, rounds):
    """The dice taken up lose what they showed; all others stay (T2K R11, R28, R33, D1)."""
    end = rw.roll(BURST, faces=[7, 10, 6, 3]).choose(way).throw(faces).outcome
    assert (successes, sixes, rounds) == (end.successes, end.sixes, end.rounds_rolled)


@pytest.mark.parametrize(
    ("policy", "faces", "pushed"),
    [
        ("if-failed", [1, 1, 3], False),
        ("below:9", [1, 1, 3], False),
        ("if-not-ahead", [1, 1, 3], False),
        ("if-failed", [1, 5, 3, 4, 4], True),
        ("if-failed", [5, 6, 3], False),
        ("always", [1, 1, 3, 4], True),
        ("always", [1, 1, 6], False),
        ("eager", [1, 1, 6], True),
    ],
)
def test_a_rule_of_thumb_looks_at_what_would_be_thrown_again(policy, faces, pushed):
    """A push for a hit needs a loose base die; ammo dice never help to hit (T2K R10, R22, R28)."""
    shot = BURST.but(ammo_dice=1, house=House(push_with_nothing=True))
    assert pushed == rw.roll(shot, faces=faces, policy=policy).outcome.pushed
