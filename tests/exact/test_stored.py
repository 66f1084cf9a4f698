"""Distributions as JSON, exact there and back."""

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.errors import BadDist
from rollwright.exact import Dist

plain = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.fractions())
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)
dists = st.dictionaries(values, st.integers(1, 10**30), min_size=1, max_size=6)


class Attack(NamedTuple):
    hits: int
    chance: Fraction


@dataclass(frozen=True, order=True)
class Check:
    total: int
    passed: bool


class Odd(NamedTuple):
    tuple: int


@pytest.mark.long
@given(dists, st.integers(0, 10**30))
def test_there_and_back(weights, lost):
    """Every plain value comes back as it was, through real JSON text."""
    dist = Dist(weights, lost=lost)
    back = Dist.from_json(json.dumps(dist.to_plain()))
    assert (dist, dist.total, dist.lost) == (back, back.total, back.lost)
    assert [repr(o) for o in dist] == [repr(o) for o in back]


def test_the_shape_others_rely_on():
    """Total, outcomes and loss, with weights as strings (`design.md` section 6)."""
    data = Dist({1: 1, (2, None): 3}, lost=2).to_plain()
    assert {
        "total": "6",
        "outcomes": [
            {"value": 1, "weight": "1"},
            {"value": {"tuple": [2, None]}, "weight": "3"},
        ],
        "lost": "2",
    } == data


@pytest.mark.parametrize("outcome", [Attack(1, Fraction(1, 3)), Check(3, True), Odd(4)])
def test_structured_outcomes(outcome):
    """Fields are written as an object, and read back with the type they had."""
    data = Dist.sure(outcome).to_plain()
    assert outcome in Dist.from_json(data, shape=type(outcome))


def test_fields_are_named():
    """A structured outcome is an object of its fields."""
    value = Dist.sure(Attack(1, Fraction(1, 3))).to_plain()["outcomes"][0]["value"]
    assert {"hits": 1, "chance": {"fraction": "1/3"}} == value


def test_shapes_inside_tuples():
    """A shape also fits the parts of a tuple."""
    dist = Dist.sure((3, Check(1, False)))
    assert dist == Dist.from_json(dist.to_plain(), shape=Check)


def test_very_long_weights():
    """Weights of thousands of digits are no trouble, though Python minds such numbers."""
    dist = Dist({1: 6**10_000, 2: 10**9_000, 3: 10**20_000 - 1, 4: 1})
    data = dist.to_plain()
    assert ["7782", "9001", "20000", "1"] == [str(len(o["weight"])) for o in data["outcomes"]]
    assert "9" * 20_000 == data["outcomes"][2]["weight"]
    assert dist.items() == Dist.from_json(data).items()


def test_long_whole_numbers_are_strings():
    """A number that other people's parsers would round is not written as a number."""
    dist = Dist.uniform([-(10**20), 2**53])
    assert {"int": "-100000000000000000000"} == dist.to_plain()["outcomes"][0]["value"]
    assert dist == Dist.from_json(dist.to_plain())


@pytest.mark.parametrize(
    "wrong",
    [
        "not json",
        "[]",
        "{}",
        {"total": "1", "outcomes": [{"value": 1}]},
        {"total": "1", "outcomes": [{"value": 1, "weight": 1}]},
        {"total": "1", "outcomes": [{"value": 1, "weight": "x"}]},
        {"total": "2", "outcomes": [{"value": 1, "weight": "1"}]},
        {"total": "1", "outcomes": [{"value": 0.5, "weight": "1"}]},
        {"total": "1", "outcomes": [{"value": {"hits": 1}, "weight": "1"}]},
        {"total": "0", "outcomes": []},
        {"total": "1", "outcomes": [{"value": {"fraction": "1/0"}, "weight": "1"}]},
        {"total": "1", "outcomes": 5},
    ],
)
def test_what_is_no_distribution_is_refused(wrong):
    """Data that cannot have come from a distribution is refused with a sentence."""
    with pytest.raises(BadDist, match=r"\w+ \w+"):
        Dist.from_json(wrong)


def test_a_wrong_shape_is_refused():
    """Fields that do not fit the type are named."""
    with pytest.raises(BadDist, match="hits, chance"):
        Dist.from_json(Dist.sure(Attack(1, Fraction(1))).to_plain(), shape=Check)


def test_what_json_has_no_form_for_is_refused():
    """A set, say, must be mapped to something plain first."""
    with pytest.raises(BadDist, match="map"):
        Dist.sure(frozenset([1])).to_plain()
