"""Transcripts: stored, resumed elsewhere, replayed, verified; what is not true is refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rollwright.dice import D6, D8, D12, Die, Pool
from rollwright.engine.best.advice import advise
from rollwright.engine.odds.count import odds
from rollwright.engine.sources import SeededSource, TypedSource
from rollwright.engine.transcript import Transcript, play, verify
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.errors import BadAnswer, BadTranscript
from tests.engine.examples import (
    Check,
    any_doubles,
    choice_in_parts,
    duel,
    look_later,
    push_roll,
    secret_number,
    until_six,
)

ROOT = Path(__file__).parent.parent.parent


def open_push():
    """A push roll that waits for its choice."""
    return play(push_roll(Pool([D8, D12])), source=TypedSource([3, 7]))


def test_a_roll_stops_at_a_choice():
    """Without a policy a roll waits for whoever must choose."""
    transcript = open_push()
    assert not transcript.is_done
    assert transcript.step.options == ("keep", "push")


def test_a_transcript_goes_to_json_and_back():
    """What was written is what is read, open or ended."""
    for transcript in (open_push(), open_push().choose("push").throw([6])):
        again = Transcript.from_json(transcript.to_json())
        assert again == transcript
        assert again.to_json() == transcript.to_json()


RESUME = """
import sys
import tests.engine.examples
from rollwright.engine.transcript import play
from rollwright.engine.sources import SeededSource
from rollwright.engine.transcript import Transcript
transcript = Transcript.from_json(sys.stdin.read()).choose("push")
print(play(transcript, source=SeededSource("later")).to_json())
"""


def test_a_suspended_roll_is_resumed_in_another_process():
    """Written to JSON at a choice and taken up in a fresh process: the same as played through."""
    stored = open_push().to_json()
    done = subprocess.run(
        [sys.executable, "-c", RESUME],
        input=stored,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    here = play(open_push().choose("push"), source=SeededSource("later"))
    assert json.loads(done.stdout) == json.loads(here.to_json())


def tampered(change):
    """A finished transcript as plain JSON with one thing changed."""
    plain = json.loads(open_push().choose("push").throw([6]).to_json())
    change(plain)
    return plain


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda p: p["answers"][0]["faces"].__setitem__(1, 13), "answers[0].faces[1]"),
        (lambda p: p["answers"][0]["faces"].__setitem__(0, 6), "answers[1]"),
        (lambda p: p["answers"][0]["faces"].append(1), "answers[0].faces"),
        (lambda p: p["answers"][1].__setitem__("option", "pull"), "answers[1]"),
        (lambda p: p["answers"][1].__setitem__("by", "foe"), "answers[1]"),
        (lambda p: p["answers"].append({"faces": [1]}), "answers[3].faces"),
        (lambda p: p["answers"].pop(), "outcome"),
        (lambda p: p["answers"].__setitem__(1, {"faces": [2]}), "answers[1].faces"),
        (lambda p: p["answers"].__setitem__(1, 7), "answers[1]"),
        (lambda p: p["outcome"]["fields"].__setitem__("successes", 4), "outcome"),
        (lambda p: p.pop("outcome"), "outcome"),
        (lambda p: p.__setitem__("format", 99), "format"),
        (lambda p: p.__setitem__("rule", "tests.engine.examples:pull_roll"), "rule"),
        (lambda p: p["args"].__setitem__("bonus", 3), "args.bonus"),
        (lambda p: p["args"].__setitem__("pool", {"pool": 3}), "args.pool"),
        (lambda p: p["args"].__setitem__("pool", {"type": "os:system", "fields": {}}), "args.pool"),
        (lambda p: p.__setitem__("answers", "none"), "answers"),
    ],
)
def test_a_tampered_transcript_is_refused_with_the_place(change, place):
    """Whatever is changed, the refusal names where."""
    with pytest.raises(BadTranscript) as refusal:
        verify(tampered(change))
    assert refusal.value.place == place


def test_text_that_is_no_transcript_is_refused():
    """Broken JSON, other JSON and deep nesting are refused alike."""
    for text in ("", "{", "[]", "3", '{"format": 1}', "[" * 100_000):
        with pytest.raises(BadTranscript):
            verify(text)


def test_looks_follow_from_the_faces():
    """A look is answered by what lies there, and leaves no entry of its own."""
    transcript = play(look_later(Pool([D6, D6])), source=TypedSource([5, 2]))
    assert transcript.outcome == 5
    assert len(transcript.entries) == 1
    assert verify(transcript.to_json()).outcome == 5


def test_an_entry_can_be_taken_back():
    """A mistyped face or a wrong choice is taken back by leaving out the last entry."""
    transcript = open_push().choose("push")
    assert transcript.back() == open_push()
    with pytest.raises(BadAnswer, match="nothing has happened"):
        Transcript(push_roll(Pool([D6]))).back()


def test_a_refused_entry_leaves_the_transcript_usable():
    """After a wrong answer the right one can still be given."""
    transcript = open_push()
    with pytest.raises(BadAnswer):
        transcript.choose("pull")
    with pytest.raises(BadAnswer):
        transcript.throw([1])
    assert transcript.choose("keep").outcome == Check(1)


def test_odds_and_advice_from_an_open_roll():
    """The position of an open roll knows what is still to come."""
    transcript = open_push()
    after = odds(transcript.position, lambda situation: "push")
    assert after.p(lambda check: check.successes == 2) == after.p(Check(2, 0, True))
    assert advise(transcript.position, lambda check: check.successes).best == "push"


def test_a_secret_is_not_in_what_a_seat_can_know():
    """The player's cloud holds all six secret faces, the referee's only the one that lies there."""
    transcript = play(secret_number(), source=TypedSource([5]))
    player = transcript.seen_by("player")
    assert len(player.members) == 6
    assert len(transcript.seen_by("referee").members) == 1
    advice = advise(player, int)
    assert advice.best == "high"
    assert [worth.value for worth in advice.options] == [advice.value, 1 - advice.value]
    other = play(secret_number(), source=TypedSource([1]))
    assert repr(advise(other.seen_by("player"), int)) == repr(advice)


def test_how_faces_came_is_kept():
    """Typed faces are marked as such."""
    assert open_push().entries[0].how == "typed"
    assert play(any_doubles(2), source=SeededSource(1)).entries[0].how == "rolled"


def test_every_example_rule_survives_json():
    """Parts, loops, tails and choices: each transcript replays to the same outcome."""
    for call in (duel(2), until_six(1), any_doubles(3), choice_in_parts()):
        for seed in range(5):
            done = play(call, source=SeededSource(seed), policy=lambda s: s.options[-1])
            assert verify(done.to_json()).outcome == done.outcome


def test_values_go_to_json_and_back():
    """Numbers of any size, fractions, tuples, sets, dice and frozen values are kept exactly."""
    from fractions import Fraction

    values = [
        None, True, 0, -3, 2**80, "text", Fraction(-1, 3), (1, ("a", None)), frozenset({1, 2}),
        D6, Die({"hit": 2, "miss": 1}, name="fate"), Pool([D6, D6, D8]), Check(1, 2, True),
        push_roll(Pool([D6])), push_roll,
    ]  # fmt: skip
    for value in values:
        again = value_from_json(json.loads(json.dumps(value_to_json(value))))
        assert again == value
        assert type(again) is type(value)


def test_loading_runs_no_strangers_code():
    """A transcript may only name frozen values and rules of modules that are loaded."""
    for plain in (
        {"type": "subprocess:Popen", "fields": {"args": "x"}},
        {"function": "os:system"},
        {"type": "no.such.module:Thing", "fields": {}},
        {"enum": "os:path", "name": "x"},
        {"rule": "os:system", "args": []},
        {"mystery": 1},
        [1, 2],
    ):
        with pytest.raises(BadTranscript):
            value_from_json(plain)
