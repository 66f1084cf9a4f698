"""Live rolls against exact odds, and stored rolls replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rollwright as rw
from rollwright.engine.sources import SeededSource
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadTranscript
from rollwright.games.edge20 import Check, Repair, Turn, game

HERE = Path(__file__).parent
STORED = sorted((HERE / "transcripts").glob("*.json"))
SAID: dict[str, str] = json.loads((HERE / "said.json").read_text())

CASES: list[tuple[Any, str, tuple[str, ...]]] = [
    (Check(dc=15, modifier=4, advantages=1, edges=2), "never", ("tier", "swapped")),
    (Check(dc=15, modifier=4, rerolls=1, effect="1d4"), "if-failed", ("tier", "effect")),
    (Turn(checks=[Check(dc=12, modifier=6)] * 3), "stop-if-failed", ("successes", "cut_short")),
    (Repair(tier=6), "never", ("attempts",)),
]


@pytest.mark.parametrize(
    ("request_", "policy", "fields"), CASES, ids=["edge", "re-roll", "turn", "repair"]
)
def test_live_frequencies(request_: Any, policy: str, fields: tuple[str, ...]) -> None:
    """EDGE R12: 2000 seeded rolls agree with the odds, by chi-square within five deviations."""
    odds = rw.odds(request_, policy).of(*fields)
    source, rolls = SeededSource("edge20"), 2000
    seen: dict[Any, int] = {}
    for _ in range(rolls):
        outcome = rw.roll(request_, source=source, policy=policy).outcome
        values = tuple(getattr(outcome, name) for name in fields)
        found = values if len(values) > 1 else values[0]
        seen[found] = seen.get(found, 0) + 1
    assert set(seen) <= set(odds.outcomes)
    common = [found for found in odds.outcomes if odds.p(found) * rolls >= 5]
    square = sum(
        (seen.get(found, 0) - float(odds.p(found)) * rolls) ** 2 / (float(odds.p(found)) * rolls)
        for found in common
    )
    assert square < len(common) + 5 * (2 * len(common)) ** 0.5


def test_there_are_stored_rolls() -> None:
    """Finished and unfinished rolls of every kind are stored."""
    kinds = {json.loads(path.read_text())["request"]["roll"] for path in STORED}
    assert set(game.requests) == kinds
    assert {True, False} == {Transcript.from_json(path.read_text()).is_done for path in STORED}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_rolls_replay(path: Path) -> None:
    """A stored roll is verified, says the same as ever, and is written the same again."""
    stored = json.loads(path.read_text())
    transcript = rw.verify(stored)
    assert stored == json.loads(transcript.to_json())
    assert SAID[path.stem] == game.tell(transcript.request, transcript)


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_changed_rolls_are_refused(path: Path) -> None:
    """A stored roll with a face that no die has is refused with its place."""
    stored = json.loads(path.read_text())
    thrown = next(answer for answer in stored["answers"] if "faces" in answer)
    thrown["faces"][0] = 21
    with pytest.raises(BadTranscript, match=r"answers\[\d\].faces\[0\]"):
        rw.verify(stored)


def test_unfinished_rolls_go_on() -> None:
    """EDGE R20: a stored roll that waits for a choice is taken up and asked for advice."""
    transcript = rw.verify((HERE / "transcripts" / "check-waits-for-reroll.json").read_text())
    assert "re-roll lower" == rw.advise(transcript).best
    assert rw.roll(transcript, seed=1, policy="best").is_done
