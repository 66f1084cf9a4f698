"""Live rolls against the counted odds, and stored rolls replayed."""

import json
from pathlib import Path

import pytest

import rollwright as rw
from rollwright.engine.sources import SeededSource
from rollwright.errors import BadTranscript
from rollwright.games.kleptonomicon import Contest, Group, House, Test, game

STORED = sorted((Path(__file__).parent / "transcripts").glob("*.json"))
ROLLS = 3000
PAIR = ({"name": "Alice", "modifier": 3}, {"name": "Carol", "modifier": 1, "disadvantages": 1})
LIVE = [
    Test(modifier=1, advantages=2),
    Test(disadvantages=1, method="odd_even"),
    Test(advantages=1, method="d10ish", house=House(coins="one")),
    Contest(first={"modifier": 2}, second={"advantages": 1}),
    Group(members=PAIR, read="bands"),
    Group(members=PAIR, read="bands", house=House(group_looking="at_once", coins="one")),
]


@pytest.mark.parametrize("request_", LIVE, ids=lambda request: request.roll)
def test_live_frequencies_fit_the_odds(request_):
    """KLEP R11, KLEP R18, KLEP R34: chi-square over a fixed seed stays below its 99.9 % mark."""
    source = SeededSource("kleptonomicon")
    field = "winner" if request_.roll == "contest" else "band"
    seen = {}
    for _ in range(ROLLS if request_.roll != "group" else 1000):
        end = rw.roll(request_, source=source, policy="lowest-first").outcome
        key = (getattr(end, field), getattr(end, "critical", ""))
        seen[key] = seen.get(key, 0) + 1
    counted = {}
    odds = rw.odds(request_, "lowest-first")
    for end in odds:
        key = (getattr(end, field), getattr(end, "critical", ""))
        counted[key] = counted.get(key, 0) + float(odds.p(end))
    assert seen.keys() <= counted.keys()
    rolls = sum(seen.values())
    chi_square = sum((seen.get(k, 0) - p * rolls) ** 2 / (p * rolls) for k, p in counted.items())
    assert chi_square < {2: 10.8, 3: 13.8, 4: 16.3, 5: 18.5}[len(counted)]


def test_there_are_stored_rolls_of_every_kind():
    """Finished and unfinished ones of each request."""
    kinds = {
        (json.loads(p.read_text())["request"]["roll"], "outcome" in p.read_text()) for p in STORED
    }
    assert {"test", "contest", "group"} == {roll for roll, _ in kinds}
    assert {True, False} == {done for roll, done in kinds if roll == "group"}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_roll_replays_to_the_same(path):
    """What was rolled once comes to the same outcome, the same words and the same text."""
    text = path.read_text("utf-8")
    transcript = rw.verify(text)
    plain = json.loads(text)
    assert plain.pop("tell") == game.tell(transcript.request, transcript)
    again = transcript.to_plain()
    del plain["rollwright"], again["rollwright"]
    assert plain == again


def test_a_changed_face_is_found_out():
    """A stored roll whose face was changed no longer comes to its outcome."""
    plain = json.loads(next(p for p in STORED if p.stem == "test-advantage").read_text("utf-8"))
    plain["answers"][0]["faces"][0] = 9
    with pytest.raises(BadTranscript, match="outcome"):
        rw.verify(plain)


def test_an_unfinished_roll_is_taken_up_again():
    """Stored at a helper's choice, it goes on from there and can be advised on."""
    lying = rw.verify(next(p for p in STORED if p.stem == "group-unfinished").read_text("utf-8"))
    assert not lying.is_done
    assert rw.advise(lying).best in lying.step.options
    assert rw.roll(lying, seed=1, policy="best").is_done
