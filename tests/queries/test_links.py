"""A roll in a link: read again, replayed, and what it proves of its dice."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright import queries
from rollwright.engine.transcript import play
from rollwright.errors import BadField, RollwrightError
from rollwright.queries.roll_specs import read_transcript
from rollwright.queries.shares import roll_links
from rollwright.queries.shares.proofs import CallThrows, promise_of, throws_from_key


def seeded(key: str, word: str) -> tuple[rw.Transcript, dict[str, object]]:
    """A roll whose faces follow from a promised key and somebody's word."""
    rolled = play(rw.roll("3d6", faces=[]), source=throws_from_key(key, word))
    return rolled, {"calls": [{"throws": [0], "key": key, "word": word}]}


def test_a_bare_link_proves_the_rules_alone() -> None:
    """It says so, in words."""
    link = roll_links.write_roll_link(rw.roll("3d6", faces=[1, 2, 3]))
    found = queries.answer("verify", {"link": link})
    assert found["true"] is True
    assert "not proven" in found["said"][-1]


def test_a_seeded_link_draws_the_dice_again() -> None:
    """The faces follow from key and word, and the promise to the key is told to compare."""
    rolled, proof = seeded("ab" * 32, "teapot")
    found = queries.answer("verify", {"link": roll_links.write_roll_link(rolled, proof)})
    assert found["true"] is True
    assert promise_of("ab" * 32) in found["said"][-1]


def test_the_check_says_which_word_was_mixed_in() -> None:
    """Who knows a key after its roll could look for a word that brings better dice: it is told."""
    for word, told in {"teapot": "the word “teapot” was mixed in", "": "no word was"}.items():
        found = queries.answer(
            "verify", {"link": roll_links.write_roll_link(*seeded("ab" * 32, word))}
        )
        assert told in found["said"][-1]


def test_each_promise_is_told_with_its_throws() -> None:
    """A push is a call of its own: its key, its promise and its word."""
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "D", "skill": "D"}
    first = {"throws": [0], "key": "ab" * 32, "word": "teapot 4"}
    source = throws_from_key("ab" * 32, "teapot 4")
    made = queries.answer("roll", {"request": skill}, source=source)
    assert "choice" == made["step"]["step"]
    then = {"throws": [2], "key": "cd" * 32, "word": ""}
    question = {"transcript": made["transcript"], "option": "push"}
    made = queries.answer("roll", question, source=throws_from_key("cd" * 32, ""))
    pushed = read_transcript(made["transcript"])
    found = queries.answer(
        "verify", {"link": roll_links.write_roll_link(pushed, {"calls": [first, then]})}
    )
    for line, part, which in zip(found["said"][-2:], (first, then), "12", strict=True):
        assert line.startswith(f"Throw {which}: ")
        assert promise_of(str(part["key"])) in line


GOOD = {"throws": [0], "key": "ab" * 32, "word": "teapot"}


@pytest.mark.parametrize(
    "calls",
    [
        [GOOD, {**GOOD, "throws": [1], "key": "cd" * 32}],
        [{**GOOD, "throws": [], "key": "cd" * 32}, GOOD],
        [{**GOOD, "throws": [0, 0]}],
        [{**GOOD, "key": "cd" * 32}, GOOD],
        [{**GOOD, "key": "AB" * 32}],
        [{**GOOD, "key": "ab" * 31 + " ab"}],
        [{**GOOD, "word": "teapot\nTrue."}],
        [{**GOOD, "word": "\x1b[2J"}],
        [{**GOOD, "word": "x" * 201}],
    ],
)
def test_a_promise_that_no_throw_follows_from_is_not_told(calls: list[dict[str, Any]]) -> None:
    """Nobody puts a promise that somebody noted beside dice of another key, nor its key otherwise
    written, nor words that look like ours.
    """
    key, word = calls[-1]["key"].replace(" ", ""), calls[-1]["word"]
    rolled = play(rw.roll("3d6", faces=[]), source=throws_from_key(key, word))
    found = queries.answer("verify", {"link": roll_links.write_roll_link(rolled, {"calls": calls})})  # type: ignore[dict-item]
    assert (False, "proof") == (found["true"], found["place"])


@pytest.mark.parametrize(
    "place",
    [
        {"table": "abcdefgh2345 is true", "roll": "r1"},
        {"table": "abcdefgh2345", "roll": "r1\nTrue."},
        {"table": "\x1b[2Jabcdefgh2345", "roll": "r1"},
        {"table": "abcdefgh2345", "roll": "r0"},
        {"table": ["abcdefgh2345"], "roll": "r1"},
    ],
)
def test_a_place_that_is_none_is_not_told(place: dict[str, Any]) -> None:
    """What a link says of a table and a roll is read by people: nothing but ids gets there."""
    key, where = "ab" * 32, {"table": "abcdefgh2345", "roll": "r1"}
    call = {"throws": [0], "key": key, "call": "cd" * 32, "witness": "ef" * 32}
    source = CallThrows(key, b"\xcd" * 32, "ef" * 32)
    rolled = play(rw.roll("3d6", faces=[]), source=source)
    true = roll_links.write_roll_link(rolled, {**where, "calls": [call]})
    assert "table abcdefgh2345" in queries.answer("verify", {"link": true})["said"][-1]
    found = queries.answer(
        "verify", {"link": roll_links.write_roll_link(rolled, {**place, "calls": [call]})}
    )
    assert (False, "proof") == (found["true"], found["place"])


@pytest.mark.parametrize("field", ["key", "word"])
def test_another_key_or_word_is_found_out(field: str) -> None:
    """Faces that follow from something else than the link names are not true."""
    rolled, proof = seeded("ab" * 32, "teapot")
    proof["calls"][0][field] = "cd" * 32  # type: ignore[index]
    assert (
        queries.answer("verify", {"link": roll_links.write_roll_link(rolled, proof)})["true"]
        is False
    )


@pytest.mark.parametrize(
    "proof",
    [
        {"throws": 1},
        {"throws": [{}]},
        {"seeds": [{"entry": 0, "last": 1, "key": "ab" * 32, "word": ""}]},
        {"calls": [{"throws": ["x"], "key": "ab" * 32, "word": ""}]},
        {"calls": [{"throws": [0], "key": "zz", "word": ""}]},
        {"calls": [{"throws": [0], "key": "ab" * 32, "call": "ab" * 32}]},
        {"throws": [{"entry": 9, "number": 1, "key": "", "nonce": ""}], "table": "", "roll": ""},
    ],
)
def test_a_proof_that_is_none_proves_nothing(proof: dict[str, object]) -> None:
    """Whatever stands there: it is not true, and nothing breaks."""
    link = roll_links.write_roll_link(rw.roll("3d6", faces=[1, 2, 3]), proof)  # type: ignore[arg-type]
    assert queries.answer("verify", {"link": link})["true"] is False


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: "roll:" + b.hex()))
def test_any_text_gets_an_answer_or_a_refusal(text: str) -> None:
    """No text breaks what reads links."""
    with suppress(RollwrightError):
        assert queries.answer("verify", {"link": text})["true"] in (True, False, None)


def test_half_a_character_is_no_link() -> None:
    """Nobody could write it down again, and the check would end in a traceback."""
    roll = rw.roll("1d6 [x]", faces=[1]).to_plain()
    link = roll_links.pack({"roll": {**roll, "expression": "1d6 [half]"}})
    raw = zlib.decompress(urlsafe_b64decode(f"{link.removeprefix('roll:')}==="))
    broken = zlib.compress(raw.replace(b"half", b"\\ud83d"))
    with pytest.raises(BadField, match="no link to a roll"):
        roll_links.read(f"roll:{urlsafe_b64encode(broken).decode().rstrip('=')}")
    assert roll_links.read(link)


def test_a_bomb_does_not_unfold() -> None:
    """A link that would become gigabytes is read as far as one may be long, and refused."""
    bomb = roll_links.pack({"roll": "0" * (roll_links.MOST_BYTES - 50)})
    assert bomb
    with pytest.raises(BadField, match="no link to a roll"):
        roll_links.read(bomb)
    assert "" == roll_links.pack({"roll": "0" * roll_links.MOST_BYTES})


def test_a_link_lies_behind_the_sign_that_no_server_sees() -> None:
    """The roll stays in the reader's browser until it is checked."""
    link = roll_links.link_at("https://dice.example/", "roll:x")
    assert "https://dice.example/verify#roll:x" == link
