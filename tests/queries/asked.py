"""Arguments for every question of every game, as data; kept whole by a test."""

from __future__ import annotations

from functools import cache
from typing import Any

import rollwright as rw

SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}
ATTACK = {
    "attribute": "B",
    "skill": "C",
    "rate_of_fire": 3,
    "targets": [{"name": "A", "capacity": 4}],
}
POOL = {"pool": 5}
TASK = {"pool": 4, "target": 3, "limit": 2}
CHECK = {"modifier": 5, "dc": 15}
TURN = {"checks": [{"dc": 9}, {"dc": 12}]}
TALK = {"ability": 3, "skill": [2], "dl": "Hard"}
TEST = {"modifier": 1}
GROUP = {"members": [{"name": "A", "modifier": 1}, {"name": "B"}], "goal": 7}


def _group_roll() -> dict[str, Any]:
    """A group roll that waits for somebody's help."""
    request = {"game": "kleptonomicon", "roll": "group", **GROUP}
    return rw.roll(request, faces=[8, 5]).to_plain()


@cache
def _ammo_rows() -> list[Any]:
    from rollwright.queries import answer

    question = {"game": "twilight2000", "question": "how_many_ammo_dice"}
    return list(answer("question", {**question, "arguments": {"request": ATTACK}})["answer"])


def arguments() -> dict[str, dict[str, dict[str, Any]]]:
    """What each question is asked with, by game and question."""
    group_roll = _group_roll()
    return {
        "dust": {
            "chances": {"roll": POOL},
            "grades": {"roll": POOL},
            "gain_of_spending": {"roll": POOL, "need": 2},
            "spend_now": {"now": {"pool": 7}, "later": [{"pool": 2}], "adrenaline": 1},
            "worth_of_a_point": {"rolls": [{"pool": 3}, {"pool": 2}], "adrenaline": 1},
            "botch_by_dice": {"difficulty": 6, "most": 4},
            "riskier_dice": {"difficulty": 9, "house": {"doubles_on_failure": False}},
            "adrenaline_income": {"roll": POOL},
            "rolls_until": {"roll": POOL, "adrenaline": 8},
            "adrenaline_after": {"roll": POOL, "rolls": 2},
            "task_chances": {"task": TASK},
            "task_by_botch_rule": {"task": TASK},
            "match_chances": {"match": {"actor": {"pool": 3}, "defender": {"pool": 2}}},
            "spending_blind": {"match": {"actor": {"pool": 3}, "defender": {"pool": 2}}},
            "fair_difficulty": {"roll": POOL, "chance": "2/5"},
            "worth_of_a_die": {"roll": POOL},
        },
        "edge20": {
            "tier_odds": {"check": CHECK},
            "worth_of_help": {"check": CHECK},
            "how_many_checks": {"turn": TURN, "harm": "1/2"},
            "best_order": {"turn": TURN, "harm": 2},
            "which_die_to_reroll": {
                "check": {**CHECK, "advantages": 1, "rerolls": 1},
                "faces": [3, 9],
            },
            "another_bonus": {"bonuses": [2, 1], "new": 3},
            "how_long_to_clear": {"repair": {"tier": 2, "modifier": 4}},
            "expected_effect": {"check": {**CHECK, "effect": "2d6"}},
            "hit_or_damage": {"check": {**CHECK, "effect": "2d6"}},
            "highest_dc": {"check": CHECK, "chance": "0.65"},
            "dc_table": {"check": CHECK, "chances": ["1/4", 0.5]},
            "tier_table": {"check": CHECK, "modifiers": [1, 2], "dcs": [10]},
        },
        "ghostburn": {
            "outcome_odds": {"roll": TALK},
            "outcome_table": {"bonuses": [3, 5], "dls": ["Easy", 20]},
            "how_near": {"roll": TALK, "result": 19},
            "nearness_odds": {"roll": TALK},
            "spend_luck_now": {"session": {"rolls": [TALK, TALK]}, "faces": [3, 9]},
            "bonus_or_avoid": {"roll": TALK, "faces": [3, 9]},
            "best_choice": {"ways": {"talk": TALK, "push": {"ability": 1, "dl": "Easy"}}},
            "point_worth": {"roll": TALK, "points": 2},
            "fair_level": {"bonus": 5, "wanted": "0.4", "house": {"luck_carries": True}},
            "fair_table": {"bonuses": [0, 5]},
        },
        "kleptonomicon": {
            "band_chances": {"request": TEST},
            "band_table": {"modifiers": [0, 1], "nets": [-1, 0]},
            "worth_of_an_advantage": {"request": TEST, "goal": 7},
            "whom_to_help": {"transcript": group_roll},
            "chance_of_goal": {"transcript": group_roll, "goal": 6},
            "best_split": {"misses": ["1/2", "3/4"], "gifts": 3},
            "group_chances": {"request": GROUP},
            "should_a_pass_be_raised": {"transcript": group_roll},
            "contest_chances": {"request": {"first": {"modifier": 2}}},
            "critical_chances": {"net": 1},
            "range_chances": {"request": TEST},
        },
        "twilight2000": {
            "my_chances": {"request": SKILL},
            "should_push": {"request": SKILL, "faces": [3, 2]},
            "how_many_ammo_dice": {"request": ATTACK},
            "frontier": {"rows": _ammo_rows()},
            "who_should_roll": {
                "request": {
                    "members": [{"name": "A", "attribute": "B"}, {"name": "B", "attribute": "C"}]
                }
            },
            "how_to_spend_sixes": {
                "request": {**ATTACK, "ammo_dice": 2},
                "successes": 2,
                "sixes": 2,
            },
            "best_shooting": {"request": ATTACK},
            "push_against": {
                "request": {"active": {"attribute": "B"}, "passive": {"attribute": "C"}},
                "faces": [3, 2],
            },
            "how_long_it_lasts": {"request": {"attribute": "B", "rounds": 3, "ammo_dice": 2}},
            "how_long_the_weapon_lasts": {"request": {"attribute": "B", "ammo_dice": 2}},
            "full_burst_empties": {"request": {**ATTACK, "rounds": 2}},
            "clear_or_draw": {"request": {"attribute": "B", "tries": 2}},
            "modifier_table": {"attribute": "B", "skill": "C"},
        },
    }
