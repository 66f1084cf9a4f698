"""Rolls of GHOST/BURN as data: stored ones replayed, live ones against the odds."""

import json
from collections import Counter
from pathlib import Path

import pytest

import rollwright as rw
from rollwright.engine.sources import SeededSource
from rollwright.games.ghostburn import game

STORED = sorted((Path(__file__).parent / "transcripts").glob("*.json"))
TOLD = json.loads((Path(__file__).parent / "told.json").read_text("utf-8"))
ROLL = {"ability": 3, "skill": [2], "dl": "Hard", "favored": True}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_roll_replays(path):
    """A stored transcript leads to the same outcome, the same words and the same JSON."""
    stored = json.loads(path.read_text("utf-8"))
    transcript = rw.verify(stored)
    assert TOLD[path.stem] == game.tell(transcript.request, transcript)
    again = json.loads(transcript.to_json())
    assert {**stored, "rollwright": rw.__version__} == again


def test_finished_and_unfinished_rolls_are_stored():
    """Both kinds of request are stored, some done and some waiting for a choice."""
    kinds = set()
    for path in STORED:
        stored = json.loads(path.read_text("utf-8"))
        kinds.add((stored["request"]["roll"], "outcome" in stored))
    assert {("roll", True), ("roll", False), ("session", True), ("session", False)} <= kinds


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"faces": [3, 11], "how": "rolled"}, "answers[0].faces[1]"),
        ({"faces": [3], "how": "rolled"}, "answers[0].faces"),
        ({"option": "bonus", "by": "player"}, "answers[0]"),
    ],
)
def test_a_false_transcript_is_refused(change, place):
    """A face no D10 shows, a missing die or a choice before the dice is met with its place."""
    plain = rw.roll(game.request("roll", **ROLL), faces=[3, 9]).to_plain()
    plain["answers"][0] = change
    with pytest.raises(rw.RollwrightError) as caught:
        rw.verify(plain)
    assert place == caught.value.place


def test_a_use_of_luck_that_is_not_legal_is_refused():
    """GHOST R15: a Fade cannot be avoided."""
    with pytest.raises(rw.RollwrightError, match="avoid-glitch"):
        rw.roll(game.request("roll", **ROLL), faces=[3, 9]).choose("avoid-glitch")


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "policy", "roll"),
    [
        (ROLL, "always", "roll"),
        ({"rolls": [ROLL, ROLL]}, "always", "session"),
    ],
)
def test_live_rolls_come_out_as_the_odds_say(fields, policy, roll):
    """3000 seeded rolls fit the exact odds by a chi-square test at one in a thousand."""
    request = game.request(roll, **fields)
    name = "outcome" if roll == "roll" else "value"
    odds = rw.odds(request, policy).of(name)
    source, count = SeededSource("ghostburn"), 3000
    seen = Counter(
        getattr(rw.roll(request, source=source, policy=policy).outcome, name) for _ in range(count)
    )
    expected = {value: float(odds.p(value)) * count for value in odds}
    chi_square = sum((seen[value] - mean) ** 2 / mean for value, mean in expected.items())
    assert set(seen) <= set(expected)
    assert (
        chi_square < {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46}[len(expected) - 1]
    )


def test_best_play_live():
    """GHOST R14: at the table best play takes the bonus that turns a Fade into a Success."""
    roll = game.request("roll", **ROLL)
    assert "Success" == rw.roll(roll, faces=[3, 9], policy="best").outcome.outcome
    assert not rw.roll(roll, faces=[9, 9], policy="best").outcome.luck_used
