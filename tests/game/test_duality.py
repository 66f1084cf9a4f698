"""A game in one file: counted, rolled, stored and told, from its request alone."""

import json
from fractions import Fraction
from itertools import product

import pytest

import rollwright as rw
from rollwright.errors import BadField
from rollwright.kit import to_plain

ROLL = {"game": "duality", "roll": "action", "trait": "agility", "agility": 1, "difficulty": 14}


def whole(game, **fields):
    """A request with all of its fields."""
    return to_plain(game.request("action", **fields), whole=True)


def test_the_signature_is_the_request(duality):
    """What is asked comes first, then what the roll may read of sheets, and nothing else."""
    request = duality.request(
        "action", **{k: v for k, v in ROLL.items() if k not in ("game", "roll")}
    )
    plain = to_plain(request, whole=True)
    assert [
        *("game", "roll", "trait", "difficulty", "using", "damage"),
        *("name", "agility", "strength", "hope", "stress", "fear", "helper", "target", "house"),
    ] == list(plain)
    assert {"name", "hope"} == {
        *to_plain(duality.request("action", helper={}), whole=True)["helper"]
    }
    target = to_plain(duality.request("action", target={}), whole=True)["target"]
    assert {"name", "marks", "major", "severe"} == {*target}


def test_odds_without_choices_are_those_of_plain_loops(duality):
    """With six stress nobody throws again: 144 pairs of faces, counted by hand."""
    odds = rw.odds({**ROLL, "stress": 6, "hope": 5})
    counted = {}
    for hope, fear in product(range(1, 13), repeat=2):
        word = "critical" if hope == fear else "success" if hope + fear + 1 >= 14 else "failure"
        key = (
            word,
            "with hope" if hope >= fear else "with fear",
            int(hope >= fear),
            int(hope < fear),
        )
        counted[key] = counted.get(key, 0) + Fraction(1, 144)
    found = {(str(end.verdict), end.detail, end.hope, end.fear): odds.p(end) for end in odds}
    assert counted == found


def test_gains_are_cut_at_the_bounds_of_a_field(duality):
    """Six Hope stay six."""
    odds = rw.odds({**ROLL, "stress": 6, "hope": 6})
    assert {0} == {end.hope for end in odds}


def test_what_cannot_be_paid_is_refused_before_dice_fall(duality):
    """Three experiences cost three Hope."""
    with pytest.raises(BadField, match="hope: 3 is too high; 0 to 2"):
        rw.roll({**ROLL, "using": ["sailor", "thief", "cook"], "hope": 2})


def test_a_roll_is_played_and_told(duality):
    """Everything that happened, with its names, and where the sum comes from."""
    helped = {**ROLL, "name": "Ash", "helper": {"name": "Bo", "hope": 2}, "using": ["sailor"]}
    begun = rw.roll(helped)
    assert ("stay out", "help") == begun.step.options
    assert "helper" == begun.step.by
    rolled = rw.roll(begun.choose("help"), faces=[4, 5, 8])
    assert [str(one) for one in rolled.step.options] == ["keep", "Hope D12", "Fear D12"]
    again = rw.roll(rolled.choose(rolled.step.options[1]), faces=[9])
    done = again.choose("keep")
    assert done.is_done
    assert (
        "Ash: Action with Agility. Hope −1. Bo: Help (Hope −1). Bo: Advantage 4. Fear 5, Hope 8. "
        "Hope again (Stress +1). Hope 9. Keep. Total 21: 5 + 9, Agility +1, Using +2, Help +4. "
        "Success with hope (Hope +1)."
    ) == duality.tell(done.request, done)
    end = done.outcome
    assert ("success", "with hope", 0, 0, 1, -1) == (
        end.verdict,
        end.detail,
        end.damage,
        end.hope,
        end.stress,
        end.helper_hope,
    )
    assert done == rw.verify(done.to_json())
    assert [("stress", 1), ("hope", -1)] == [
        (one.kind, one.amount) for one in duality.effects(done.request, end)
    ]


def test_house_rules_change_the_odds_of_a_forced_roll(duality):
    """The higher die alone, or both."""
    feared = {**ROLL, "fear": 1, "stress": 6}
    both = rw.odds(feared, "best", of=lambda end: end.verdict >= "success").p(True)
    higher = rw.odds(
        {**feared, "house": {"forced": "higher"}}, "best", of=lambda end: end.verdict >= "success"
    ).p(True)
    assert both != higher


def test_the_verdict_can_be_asked_for_by_what_it_names(duality):
    """Events, goals by price and fields go by the outcome's names."""
    found = rw.advise({**ROLL}, "stress=-1")
    assert 0 == found.value
    assert 0 < rw.advise(ROLL, "success").value < 1


def test_requests_travel_as_json(duality):
    """A request is plain data, and means the same when it comes back."""
    request = duality.request("action", trait="strength", helper={"hope": 1})
    plain = json.loads(json.dumps(to_plain(request, whole=True)))
    assert request == duality.request(
        plain.pop("roll"), **{name: held for name, held in plain.items() if name != "game"}
    )
