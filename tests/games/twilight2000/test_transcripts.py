"""Stored rolls, finished and unfinished, replay to what was stored."""

import json
from pathlib import Path

import pytest

import rollwright as rw
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadTranscript
from rollwright.games.twilight2000 import game
from rollwright.kit import from_plain, to_plain

STORED = sorted((Path(__file__).parent / "transcripts").glob("*.json"))


def test_there_are_stored_rolls_of_every_kind():
    """Each request has a finished one, and some are unfinished (T2K R2)."""
    stored = [json.loads(path.read_text("utf-8")) for path in STORED]
    finished = {plain["request"]["roll"] for plain in stored if "outcome" in plain}
    assert set(game.requests) == finished
    assert any("outcome" not in plain for plain in stored)


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_rolls_replay(path):
    """The same request, answers and outcome, and the sentence written beside it (T2K R2)."""
    plain = json.loads(path.read_text("utf-8"))
    sentence = plain.pop("told")
    transcript = rw.verify(plain)
    again = transcript.to_plain()
    assert plain["answers"] == again["answers"]
    assert plain.get("outcome") == again.get("outcome")
    assert plain["request"] == again["request"]
    assert sentence == game.tell(transcript.request, transcript)
    assert transcript.request == from_plain(to_plain(transcript.request))


@pytest.mark.parametrize(
    "path", [p for p in STORED if "unfinished" in p.stem], ids=lambda path: path.stem
)
def test_unfinished_rolls_can_be_taken_up(path):
    """Odds and advice are given from where it stopped, and it can be played on (T2K R10)."""
    plain = json.loads(path.read_text("utf-8"))
    plain.pop("told")
    transcript = Transcript.from_plain(plain)
    assert not transcript.is_done
    assert rw.advise(transcript).best in transcript.step.options
    assert rw.roll(transcript, seed=1, policy="best").is_done


def test_a_forged_face_is_refused():
    """A 7 on a D6, a push that was not offered, a wrong outcome (T2K R11)."""
    path = next(path for path in STORED if path.stem == "attack-pushed")
    plain = json.loads(path.read_text("utf-8"))
    plain.pop("told")
    forged = json.loads(json.dumps(plain))
    forged["answers"][0]["faces"][-1] = 7
    with pytest.raises(BadTranscript, match=r"answers\[0\]\.faces"):
        rw.verify(forged)
    forged = json.loads(json.dumps(plain))
    forged["outcome"]["fields"]["jammed"] = not forged["outcome"]["fields"]["jammed"]
    with pytest.raises(BadTranscript, match="outcome"):
        rw.verify(forged)
