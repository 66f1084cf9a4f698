"""A chance says under what play it holds, and the same question has one number everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.queries import answer

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}


def test_both_numbers_where_somebody_chooses() -> None:
    """A d10 and a d8 miss in 5 * 5 of 80 throws, and show no 1 either in 4 * 4 of them (T2K R31).

    A push of a failure throws the loose dice again: of 25 failures 16 have two loose dice, which
    miss in 25 of 80, 4 have a d10 alone (1 in 2), 4 a d8 alone (5 in 8), and one has none.
    """
    found = answer("preview", {"request": SKILL, "parts": ["odds", "plays"]})
    missed = 16 * 25 / 80 + 4 * 5 / 10 + 4 * 5 / 8 + 1
    never, pushed = (1 - 25 / 80), 1 - missed / 80
    assert pytest.approx(never) == found["chance"]["number"]
    assert {"policy": "never", "label": "Never push"} == found["play"]
    assert ["never", "if-failed"] == [play["policy"] for play in found["plays"]]
    assert pytest.approx([never, pushed]) == [p["chance"]["number"] for p in found["plays"]]
    assert [
        "68.8 % if you never push",
        f"{pushed:.1%}".replace("%", " %") + " with a push of a failure",
    ] == [play["said"] for play in found["plays"]]


def test_nothing_is_said_of_play_where_nobody_chooses() -> None:
    """A Dust roll has nothing to decide, so its chance holds as it is."""
    request = {"game": "dust", "roll": "roll", "pool": 5}
    found = answer("preview", {"request": request, "parts": ["odds", "plays"]})
    assert "play" not in found
    assert [] == found["plays"]


def test_best_play_is_said_only_where_somebody_chooses() -> None:
    """A roll without a choice has one number, whatever play is asked about."""
    dust = {"game": "dust", "roll": "roll", "pool": 5}
    assert "play" not in answer("preview", {"request": dust, "policy": "best", "parts": ["odds"]})
    found = answer("preview", {"request": SKILL, "policy": "best", "parts": ["odds"]})
    assert "best" == found["play"]["policy"]


@pytest.mark.parametrize("policy", ["never", "if-failed"])
def test_one_number_for_one_question(policy: str) -> None:
    """On the button, in a list of plays, as odds and in a comparison it is the same."""
    asked: dict[str, Any] = {"request": SKILL, "policy": policy}
    shown = answer("preview", {**asked, "parts": ["odds", "plays"]})
    alone = answer("event", {**asked, "where": "successes >= 1"})
    beside = answer("compare", {"rolls": [asked, asked]})["rolls"][0]
    play = next(play for play in shown["plays"] if play["policy"] == policy)
    numbers = {shown["chance"]["exact"], play["chance"]["exact"], alone["chance"]}
    assert {beside["chance"]["exact"]} == numbers
    assert [policy] * 3 == [shown["policy"], alone["policy"], beside["policy"]]


def test_to_be_asked_is_counted_as_the_usual_play() -> None:
    """Whoever wants to be asked has the number of the game's usual way, which is said."""
    asked = answer("preview", {"request": SKILL, "policy": "ask", "parts": ["odds"]})
    assert "never" == asked["policy"] == asked["play"]["policy"]


def test_plays_in_german() -> None:
    """What a number holds under is said as the reader understands it."""
    found = answer("preview", {"request": SKILL, "parts": ["plays"], "language": "de"})
    assert "68,8\u202f%, wenn du nie strapazierst" == found["plays"][0]["said"]


@pytest.mark.parametrize(
    ("request_", "policies"),
    [
        ({"game": "edge20", "roll": "check", "modifier": 5, "dc": 15, "rerolls": 1}, 2),
        ({"game": "edge20", "roll": "check", "modifier": 5, "dc": 15}, 0),
        ({"game": "ghostburn", "ability": 3, "skill": [2], "dl": "Hard", "luck_points": 1}, 2),
        (
            {
                "game": "dust",
                "roll": "extended",
                "pool": 5,
                "target": 6,
                "limit": 3,
                "adrenaline": 3,
            },
            2,
        ),
    ],
)
def test_each_game_says_it(request_: dict[str, Any], policies: int) -> None:
    """Where a game asks, its card has two ways to decide, each with words of its own."""
    found = answer("preview", {"request": request_, "parts": ["odds", "plays"]})
    assert policies == len(found["plays"])
    assert bool(policies) == ("play" in found)
    for play in found["plays"]:
        assert not play["said"].endswith(")"), "the game has no words for it"
