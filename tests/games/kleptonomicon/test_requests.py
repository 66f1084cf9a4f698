"""Requests: what is refused, and how; how they travel."""

import pytest

import rollwright as rw
from rollwright.errors import BadField, RollwrightError
from rollwright.games.kleptonomicon import Contest, Group, Test, game
from rollwright.kit import from_plain, schema_of, to_plain

REFUSED = [
    ("test", {"modifier": 31}, "modifier", "KLEP R4"),
    ("test", {"modifier": 1.5}, "modifier", "KLEP R4"),
    ("test", {"advantages": -1}, "advantages", "KLEP R14"),
    ("test", {"disadvantages": 21}, "disadvantages", "KLEP R15"),
    ("test", {"ranges": ["[9..7]"]}, "ranges", "KLEP R20"),
    ("test", {"dice": "2x12"}, "dice", "KLEP R5"),
    ("test", {"dice": "0d12"}, "dice", "KLEP R5"),
    ("test", {"dice": "2d12 +3", "modifier": 1}, "modifier", "KLEP R5"),
    ("test", {"dice": "2d12", "advantages": 1}, "advantages", "KLEP R14"),
    ("test", {"dice": "2d12", "disadvantages": 1}, "disadvantages", "KLEP R14"),
    ("test", {"method": "cards"}, "method", "KLEP R9"),
    ("contest", {"first": {"modifier": 99}}, "first.modifier", "KLEP R4"),
    ("group", {"members": [{"name": "Alice"}]}, "members", "KLEP R24"),
    ("group", {"members": [{}] * 13}, "members", "KLEP R24"),
    ("group", {"members": [{"name": "A"}, {"name": "A"}]}, "members[1].name", "KLEP R26"),
    ("group", {"members": [{"name": "keep"}, {}]}, "members[0].name", "KLEP R26"),
    ("group", {"members": [{}, {"advantages": 99}]}, "members[1].advantages", "KLEP R14"),
    ("group", {"members": [{}, {}], "goal": 43}, "goal", "KLEP R25"),
    ("group", {"members": [{}, {}], "ranges": ["[9..7]"]}, "ranges", "KLEP R20"),
]


@pytest.mark.parametrize(("roll", "fields", "field", "rule"), REFUSED)
def test_bad_input_is_refused_with_field_rule_and_what_would_do(roll, fields, field, rule):
    """An illegal request cannot be built."""
    with pytest.raises(BadField) as refusal:
        game.request(roll, **fields)
    assert (field, rule) == (refusal.value.field, refusal.value.rule)
    assert refusal.value.would_do


def test_an_unknown_field_gets_a_guess():
    """A slip of the pen is answered with the likely name."""
    with pytest.raises(BadField, match="advantages"):
        game.request("test", advantage=1)


@pytest.mark.parametrize(
    "request_",
    [
        Test(modifier=2, advantages=1, ranges=("[..6]", "[10!]"), method="d10ish"),
        Contest(first={"name": "Alice", "modifier": 2}),
        Group(members=[{"name": "Alice"}, {"modifier": 1}], goal=10, house={"coins": "one"}),
    ],
)
def test_a_request_travels_as_plain_data(request_):
    """What is written is read back as the same request."""
    assert request_ == from_plain(to_plain(request_))
    assert schema_of(type(request_))["properties"]["roll"] == {"const": request_.roll}


def test_a_request_works_as_a_mapping():
    """The JSON shape is understood everywhere."""
    plain = {"game": "kleptonomicon", "roll": "test", "modifier": 2}
    assert rw.odds(plain) == rw.odds(Test(modifier=2))


@pytest.mark.parametrize("goal", ["high", "best-band", "no-critical-failure"])
def test_a_goal_that_was_not_read_for_is_refused(goal):
    """KLEP R31: bands and 0! are only known where the request reads them."""
    members = [{"modifier": 1}, {"modifier": 3}]
    with pytest.raises(BadField, match="bands or scores"):
        rw.advise(Group(members=members, goal=7), goal)
    assert 0 < rw.advise(Group(members=members, read="bands"), goal).value


def test_prices_are_a_goal_too():
    """Any field that holds numbers can be given a price."""
    request = Group(members=[{"modifier": 1}, {"modifier": 3}])
    assert 2 * rw.advise(request).value == rw.advise(request, "reached=2").value


def test_an_unknown_policy_is_refused():
    """The refusal names those there are."""
    with pytest.raises(RollwrightError, match="lowest-first"):
        rw.odds(Group(members=[{}, {}]), "lowest-frist")


@pytest.mark.long
def test_best_is_a_policy():
    """Odds under best play come to the value of the advice."""
    request = Group(members=[{"modifier": 1}, {"modifier": 3}])
    best = rw.odds(request, "best").p(lambda outcome: outcome.reached)
    assert rw.advise(request).value == best


def test_test_and_contest_have_their_goals():
    """With nothing to choose, advice says what the roll is worth."""
    assert rw.advise(Test(modifier=2)).value == rw.odds(Test(modifier=2)).p(lambda o: o.passed)
    assert 2 * rw.advise(Contest()).value == 1
