"""Bad input is refused with the field, the rule and what would do."""

from __future__ import annotations

from typing import Any

import pytest

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.edge20 import Check, game
from rollwright.games.edge20.questions import highest_dc, which_die_to_reroll
from rollwright.kit import from_plain, schema_of, to_plain

BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("check", {}, "dc", "EDGE R7"),
    ("check", {"dc": 500}, "dc", "EDGE R7"),
    ("check", {"dc": "15"}, "dc", "EDGE R7"),
    ("check", {"dc": 15, "modifier": 2.5}, "modifier", "EDGE R4"),
    ("check", {"dc": 15, "advantages": -1}, "advantages", "EDGE R18"),
    ("check", {"dc": 15, "edges": [""]}, "edges", "EDGE R23"),
    ("check", {"dc": 15, "edges": True}, "edges", "EDGE R23"),
    ("check", {"dc": 15, "edges": 100}, "edges", "EDGE R23"),
    ("check", {"dc": 15, "edges": ["aid", 3]}, "edges[1]", "EDGE R23"),
    ("check", {"dc": 15, "dc_edges": 1.5}, "dc_edges", "EDGE R29"),
    ("check", {"dc": 15, "bonuses": [2, -1]}, "bonuses[1]", "EDGE R32"),
    ("check", {"dc": 15, "penalties": 3}, "penalties", "EDGE R33"),
    ("check", {"dc": 15, "nth_check": 0}, "nth_check", "EDGE R13"),
    ("check", {"dc": 15, "rerolls": 10}, "rerolls", "EDGE R20"),
    ("check", {"dc": 15, "effect": "2d6++3"}, "effect", "EDGE R5"),
    ("check", {"dc": 15, "effect": "2d6 3d4"}, "effect", "EDGE R5"),
    ("check", {"dc": 15, "effect": "2x6"}, "effect", "EDGE R5"),
    ("check", {"dc": 15, "effect": "2d1"}, "effect", "EDGE R5"),
    ("check", {"dc": 15, "effect": "2d6-1d4"}, "effect", "EDGE R5"),
    ("check", {"dc": 15, "effect": "99d6"}, "effect", "EDGE R5"),
    ("check", {"dc": 15, "item_tier": -1}, "item_tier", "EDGE R40"),
    ("turn", {}, "checks", "EDGE R13"),
    ("turn", {"checks": []}, "checks", "EDGE R12"),
    ("turn", {"checks": [{"dc": 15}, {"dc": 15, "effect": "many"}]}, "checks[1].effect", "EDGE R5"),
    (
        "turn",
        {"checks": [{"dc": 15}], "checks_before": 3, "house": {"max_checks": 3}},
        "checks_before",
        "EDGE R14",
    ),
    ("repair", {}, "tier", "EDGE R40"),
    ("repair", {"tier": 3, "limit": 0}, "limit", "EDGE R41"),
    ("repair", {"tier": 3, "attempt": 0}, "attempt", "EDGE R41"),
]


@pytest.mark.parametrize(("roll", "fields", "field", "rule"), BAD, ids=str)
def test_bad_fields(roll: str, fields: dict[str, Any], field: str, rule: str) -> None:
    """A refusal names the field and the rule and says what would do."""
    with pytest.raises(BadField) as refused:
        game.request(roll, **fields)
    assert (field, rule) == (refused.value.field, refused.value.rule)
    assert refused.value.would_do


def test_likely_slips_are_guessed() -> None:
    """A misspelt field, roll, house rule, policy or goal gets the likely name."""
    with pytest.raises(BadField, match="did you mean 'edges'"):
        game.request("check", dc=10, edgs=1)
    with pytest.raises(UnknownName, match="did you mean 'check'"):
        game.request("chek", dc=10)
    with pytest.raises(BadField, match=r"house.*did you mean 'tie'"):
        game.request("check", dc=10, house={"tye": "failure"})
    with pytest.raises(UnknownName, match="did you mean 'if-failed'"):
        rw.odds(Check(dc=10, rerolls=1), "if-faild")
    with pytest.raises(UnknownName, match="did you mean 'just-succeed'"):
        rw.advise(Check(dc=10, rerolls=1), "just-suceed")


def test_policies_with_arguments() -> None:
    """`stop-after` needs a number, and others take none."""
    with pytest.raises(BadField, match="stop-after:1 to stop-after:99"):
        rw.odds(Check(dc=10, rerolls=1), "stop-after:none")
    with pytest.raises(BadField, match="takes nothing"):
        rw.odds(Check(dc=10, rerolls=1), "never:2")


def test_goals_of_other_rolls() -> None:
    """A goal for turns is refused for a check."""
    with pytest.raises(BadField, match="not a goal of a check"):
        rw.advise(Check(dc=10, rerolls=1), "whole-plan")


def test_questions_refuse_as_well() -> None:
    """EDGE R20: no advice about a re-roll without one, no DC for a chance of nothing."""
    with pytest.raises(BadField, match=r"rerolls.*EDGE R20"):
        which_die_to_reroll(Check(dc=10), [5])
    with pytest.raises(BadField, match="chance"):
        highest_dc(Check(dc=10), 0)


@pytest.mark.parametrize(
    "plain",
    [
        {"game": "edge20", "roll": "check", "dc": 15, "edges": ["high ground", "-rain"]},
        {"game": "edge20", "roll": "check", "dc": 15, "edges": -2, "bonuses": [1, 2]},
        {"game": "edge20", "roll": "turn", "checks": [{"dc": 12, "item": "rifle"}, {"dc": 9}]},
        {"game": "edge20", "roll": "repair", "tier": 3, "house": {"repair_bonus_stacks": True}},
    ],
    ids=str,
)
def test_requests_travel_as_json(plain: dict[str, Any]) -> None:
    """A request goes to plain data and back without a change."""
    assert plain == to_plain(from_plain(plain))
    assert from_plain(plain) == from_plain(to_plain(from_plain(plain)))


def test_edges_are_read_from_text() -> None:
    """EDGE R23: a command line may write edges as a number or as names with commas."""
    assert 3 == game.request("check", dc=10, edges="3").edges
    assert -2 == game.request("check", dc=10, edges="-2").edges
    assert ("aid", "-rain") == game.request("check", dc=10, edges="aid, - rain").edges


def test_schema_has_every_field() -> None:
    """Each kind of request has a schema with help for every field."""
    for kind in game.requests.values():
        properties = schema_of(kind)["properties"]
        named = {name for name in properties if name not in ("game", "roll")}
        assert all(properties[name]["description"] for name in named)
