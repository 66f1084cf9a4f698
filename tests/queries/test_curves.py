"""Curves and maps: whatever a roll depends on can be varied, one by one or two together."""

from __future__ import annotations

from typing import Any

import rollwright as rw
from rollwright.queries import answer

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
ATTACK = {**SKILL, "roll": "attack", "ammo_dice": 3, "rate_of_fire": 6, "rounds": 30}


def curve(field: str, values: list[Any], **question: Any) -> dict[str, Any]:
    """A curve over one field."""
    return answer("curve", {**question, "vary": {"field": field, "values": values}})


def exact(answer: dict[str, Any]) -> list[str]:
    """The numbers of all cells."""
    return [cell["chance"]["exact"] for cell in answer["cells"]]


def test_a_curve_over_a_field() -> None:
    """Each cell is what the library says of the request with that value."""
    found = curve("ammo_dice", [0, 3], request=ATTACK, where="hit")
    expected = [str(rw.odds({**ATTACK, "ammo_dice": n}).p(lambda o: o.hit)) for n in (0, 3)]
    assert expected == exact(found)
    assert {"title": "chance of hit", "where": "hit"} == found["measure"]
    assert "ammo dice" not in found["title"]


def test_a_curve_over_a_house_rule() -> None:
    """A house rule is varied by its name alone."""
    found = curve("push_with_nothing", [False, True], request=SKILL, policy="always", of="ones")
    expected = [
        str(rw.odds({**SKILL, "house": {"push_with_nothing": on}}, "always").of("ones").mean)
        for on in (False, True)
    ]
    assert expected == exact(found)


def test_a_curve_over_a_name_in_dice() -> None:
    """Dice have no fields, but names."""
    found = curve("n", [1, 2, 3], expression="(@n)d6+@bonus", variables={"bonus": 1})
    assert ["9/2", "8", "23/2"] == exact(found)
    wrong = curve("m", [1], expression="(@n)d6", variables={"n": 1})
    assert "vary: there is no @m in the dice; there is only n" == wrong["cells"][0]["problem"]


def test_a_field_of_a_value_in_a_request() -> None:
    """What is inside is reached by a point."""
    duel = {"game": "dust", "roll": "opposing", "actor": {"pool": 4}, "defender": {"pool": 5}}
    found = curve("actor.pool", [3, 6], request=duel)
    assert 2 == len(set(exact(found)))


def test_a_map_over_two() -> None:
    """Every pair has a cell, the last field running fastest."""
    vary = [
        {"field": "modifier", "values": [-1, 0]},
        {"field": "policy", "values": ["never", "best"]},
    ]
    found = answer("map", {"request": SKILL, "vary": vary})
    assert [[-1, "never"], [-1, "best"], [0, "never"], [0, "best"]] == [
        cell["values"] for cell in found["cells"]
    ]
    assert "139/160" == exact(found)[-1]
    assert {"name": "just-succeed", "title": "to succeed"} == found["measure"]["goal"]


def test_what_the_rules_refuse_says_so_in_its_cell() -> None:
    """The other cells are counted all the same."""
    good, bad = curve("ammo_dice", [3, 7], request=ATTACK)["cells"]
    assert "chance" in good
    assert "too many" in bad["problem"]


def test_the_means_of_fields() -> None:
    """A field that is a number has a mean, one that is yes or no a chance."""
    mean = curve("modifier", [0], request=SKILL, of="successes")["cells"][0]["chance"]
    chance = curve("ammo_dice", [3], request=ATTACK, of="jammed")["cells"][0]["chance"]
    assert (False, True) == (mean["chance"], chance["chance"])
    assert str(rw.odds(SKILL).of("successes").mean) == mean["exact"]
