"""What is said about a roll, finished or not."""

from __future__ import annotations

from typing import Any

import pytest

import rollwright as rw
from rollwright.api import new_transcript
from rollwright.games.edge20 import Check, Repair, Tier, Turn, game
from rollwright.kit import Request

SAID: list[tuple[Request, list[int], str]] = [
    (
        Check(dc=10, edges=3),
        [4, 7],
        "Success: the d20 shows 4, the edge D8 7; natural 7, total 4 + 7 = 11, DC 10 met by 1; "
        "the edge die is the natural roll.",
    ),
    (
        Check(dc=10, modifier=15),
        [1],
        "Failure: the d20 shows 1; natural 1, total 1 + 15 = 16, DC 10 met by 6; a natural 1 "
        "turns the success into a failure; the action is wasted.",
    ),
    (
        Check(dc=20, modifier=5, advantages=1, effect="2d6+3"),
        [6, 16, 3, 4],
        "Success: the d20s show 6 and 16, the 16 counts (advantage); natural 16, total "
        "16 + 5 = 21, DC 20 met by 1; effect 3 + 4 + 3 = 10.",
    ),
    (
        Check(dc=15, modifier=-2, edges=-1, disadvantages=1),
        [14, 16, 3],
        "Failure: the d20s show 14 and 16, the 14 counts (disadvantage), the edge D4 3; natural "
        "14, total 14 − 3 − 2 = 9, DC 15 missed by 6; the action is wasted.",
    ),
    (
        Check(dc=5, effect="2d6+3", attack=True, target="the orc"),
        [15, 2, 1],
        "Critical success: the d20 shows 15; natural 15, total 15, DC 5 met by 10; a helpful "
        "extra comes with it; the effect dice count their highest: 15; the "
        "orc suffers a critical effect.",
    ),
    (
        Check(dc=15, item="rifle", item_tier=3),
        [4],
        "Critical failure: the d20 shows 4; natural 4, total 4, DC 15 missed by 11; the action is "
        "wasted and the turn is over; the rifle no longer works (DC 13 to get it going again).",
    ),
    (
        Repair(tier=5, item="rifle"),
        [9, 12],
        "Attempt 1: failure: the d20 shows 9; natural 9, total 9, DC 15 missed by 6; the action is "
        "wasted; attempt 2 (+5): success: the d20 shows 12; natural 12, total 12 + 5 = 17, DC 15 "
        "met by 2; the rifle works again.",
    ),
    (
        Repair(tier=5, limit=1),
        [9],
        "Attempt 1: failure: the d20 shows 9; natural 9, total 9, DC 15 missed by 6; the action is "
        "wasted; that is where trying ends.",
    ),
    (
        Turn(checks=[Check(skill="Brawn", dc=10), Check(dc=10), Check(dc=10)]),
        [12, 3],
        "Brawn: success: the d20 shows 12; natural 12, total 12, DC 10 met by 2; check 2: critical "
        "failure: the d20 shows 3; natural 3, total 3 − 5 = −2, DC 10 missed by 12; check 2 of the "
        "turn is at −5; the action is wasted and the turn is over; something harmful happens, "
        "which the GM names; 1 planned check cut off.",
    ),
]


@pytest.mark.parametrize(("request_", "faces", "said"), SAID, ids=[said[:40] for *_, said in SAID])
def test_sentences(request_: Request, faces: list[int], said: str) -> None:
    """EDGE R7: the result is told with its dice, its sum and what follows from it."""
    assert said == game.tell(request_, rw.roll(request_, faces=faces, policy="never"))


def test_an_open_reroll() -> None:
    """EDGE R20: a roll that waits says what lies there and what can be chosen, at every step."""
    check = Check(dc=15, modifier=5, advantages=1, rerolls=1, effect="2d6")
    assert "2D20 + 2 effect D6 are still to be thrown." == game.tell(check, new_transcript(check))
    lying = rw.roll(check, faces=[4, 8, 2, 3])
    assert game.tell(check, lying).startswith("So far a failure: the d20s show 4 and 8")
    assert "the effect dice come to 2 + 3 = 5" in game.tell(check, lying)
    assert game.tell(check, lying).endswith("chosen: keep or re-roll lower or re-roll higher.")
    chosen = lying.choose("re-roll lower")
    assert game.tell(check, chosen).endswith("D20 is still to be thrown.")
    thrown = chosen.throw([12])
    assert "rolled again for 12, the d20s show 8 and 12" in game.tell(check, thrown)
    assert game.tell(check, thrown).endswith("effect 2 + 3 = 5.")


def test_the_other_die_is_told_too() -> None:
    """EDGE R20: whichever die is rolled again, the words show which one stays."""
    check = Check(dc=15, disadvantages=1, rerolls=2)
    told = rw.roll(check, faces=[4, 8]).choose("re-roll higher").throw([6])
    assert "the d20s show 4 and 6, the 4 counts" in game.tell(check, told)
    told = told.choose("keep")
    assert game.tell(check, told).startswith("Critical failure")


def test_an_open_turn() -> None:
    """EDGE R12: a turn says where it stands and that it was left at that."""
    turn = Turn(checks=[Check(dc=10), Check(dc=10)], any_order=True)
    assert "To be chosen: check 1 or check 2." == game.tell(turn, new_transcript(turn))
    after = new_transcript(turn).choose("check 2").throw([12])
    assert game.tell(turn, after).startswith("Check 2: success")
    assert game.tell(turn, after).endswith("to be chosen: stop or check 1.")
    assert game.tell(turn, after.choose("stop")).endswith("the turn is left at that.")


def test_every_result_has_its_words() -> None:
    """EDGE R8 to R11: whatever the dice show, the sentence begins with the result."""
    for fields in ({}, {"edges": -2}, {"edges": 2}, {"effect": "7"}, {"attack": True}):
        check = Check(dc=11, **fields)
        for d20 in range(1, 21):
            faces = [d20, 3] if "edges" in fields else [d20]
            transcript = rw.roll(check, faces=faces)
            told = game.tell(check, transcript)
            tier: Tier = transcript.outcome.tier
            assert told.startswith(tier.capitalize() + ":")
            assert f"total {d20}" in told
            assert told.endswith(".")


@pytest.mark.parametrize(
    "fields",
    [
        {"checks": [{"dc": 12, "rerolls": 1, "effect": "1d6"}, {"dc": 12, "edges": 1}]},
        {"checks": [{"dc": 9, "advantages": 1}] * 3, "house": {"max_checks": 2}},
    ],
)
def test_any_stretch_of_a_turn_can_be_told(fields: dict[str, Any]) -> None:
    """EDGE R12: with each entry taken back one by one, something true is still said."""
    turn = Turn(**fields)
    for seed in range(20):
        transcript = rw.roll(turn, seed=seed, policy="if-failed")
        assert transcript.outcome.checks == game.tell(turn, transcript).count("natural ") - sum(
            game.tell(turn, transcript).count(word) for word in ("a natural", "the natural roll")
        )
        while transcript.entries:
            transcript = transcript.back()
            assert game.tell(turn, transcript).endswith(".")
