"""A roll in a link: read again, replayed, and what it proves of its dice."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollwright as rw
from rollwright import ask
from rollwright.ask.shares import links
from rollwright.errors import BadField, RollwrightError


def seeded(key: str, word: str) -> tuple[rw.Transcript, dict[str, object]]:
    """A roll whose faces follow from a promised key and somebody's word."""
    rolled = rw.roll("3d6", seed=links.seed_of(key, word))
    proof = {"seeds": [{"entry": 0, "last": 1, "key": key, "word": word}]}
    return rolled, proof


def test_a_bare_link_proves_the_rules_alone() -> None:
    """It says so, in words."""
    link = links.written(rw.roll("3d6", faces=[1, 2, 3]))
    found = ask.answer("verify", {"link": link})
    assert found["true"] is True
    assert "not proven" in found["said"][-1]


def test_a_seeded_link_draws_the_dice_again() -> None:
    """The faces follow from key and word, and the promise to the key is told to compare."""
    rolled, proof = seeded("ab" * 32, "teapot")
    found = ask.answer("verify", {"link": links.written(rolled, proof)})
    assert found["true"] is True
    assert links.promise_of("ab" * 32) in found["said"][-1]


@pytest.mark.parametrize("field", ["key", "word"])
def test_another_key_or_word_is_found_out(field: str) -> None:
    """Faces that follow from something else than the link names are not true."""
    rolled, proof = seeded("ab" * 32, "teapot")
    proof["seeds"][0][field] = "cd" * 32  # type: ignore[index]
    assert ask.answer("verify", {"link": links.written(rolled, proof)})["true"] is False


@pytest.mark.parametrize(
    "proof",
    [
        {"throws": 1},
        {"throws": [{}]},
        {"seeds": [{"entry": "x", "last": 1, "key": "", "word": ""}]},
        {"seeds": [{"entry": 0, "last": 1, "key": "zz", "word": ""}]},
        {"throws": [{"entry": 9, "number": 1, "key": "", "nonce": ""}], "table": "", "roll": ""},
    ],
)
def test_a_proof_that_is_none_proves_nothing(proof: dict[str, object]) -> None:
    """Whatever stands there: it is not true, and nothing breaks."""
    link = links.written(rw.roll("3d6", faces=[1, 2, 3]), proof)  # type: ignore[arg-type]
    assert ask.answer("verify", {"link": link})["true"] is False


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: "roll:" + b.hex()))
def test_any_text_gets_an_answer_or_a_refusal(text: str) -> None:
    """No text breaks what reads links."""
    with suppress(RollwrightError):
        assert ask.answer("verify", {"link": text})["true"] in (True, False, None)


def test_a_bomb_does_not_unfold() -> None:
    """A link that would become gigabytes is read as far as one may be long, and refused."""
    bomb = links.packed({"roll": "0" * (links.MOST_BYTES - 50)})
    assert bomb
    with pytest.raises(BadField, match="no link to a roll"):
        links.read(bomb)
    assert "" == links.packed({"roll": "0" * links.MOST_BYTES})


def test_a_link_lies_behind_the_sign_that_no_server_sees() -> None:
    """The roll stays in the reader's browser until it is checked."""
    link = links.link_at("https://dice.example/", "roll:x")
    assert "https://dice.example/verify#roll:x" == link
