"""The published file of fair throws: up to date, and true by an independent reading of it."""

import hashlib
import hmac
import json

import pytest
from conformance.fairness import PATH, written

from rollwright.table.events import chained, digest_of, seal_of
from rollwright.table.fairness import Fair
from rollwright.values import from_plain, to_plain

FILE = json.loads(PATH.read_text("utf-8"))


def framed(*fields):
    """Fields behind their lengths."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def test_the_file_is_up_to_date():
    """It is what the script writes today; run `python -m conformance.fairness` after a change."""
    assert PATH.read_text("utf-8") == written()


@pytest.mark.parametrize("case", FILE["frames"], ids=lambda case: case["bytes"][:16])
def test_frames(case):
    """Lengths of four bytes, the largest first."""
    assert case["bytes"] == framed(*map(bytes.fromhex, case["fields"])).hex()


@pytest.mark.parametrize("case", FILE["canonical"], ids=lambda case: case["text"][:16])
def test_canonical_texts(case):
    """They hold the value, and have no space that was not in it."""
    assert case["value"] == json.loads(case["text"])
    assert "🎲" not in case["text"] or ": " not in case["text"]


@pytest.mark.parametrize("case", FILE["keys"], ids=lambda case: str(case["number"]))
def test_keys(case):
    """HMAC and SHA-256 by Python's own hands."""
    message = framed(b"rollwright/key/1", str(case["number"]).encode())
    key = hmac.new(bytes.fromhex(case["secret"]), message, "sha256").digest()
    assert case["key"] == key.hex()
    made = hashlib.sha256(framed(b"rollwright/commit/1", key)).hexdigest()
    assert case["commitment"] == made


@pytest.mark.parametrize("case", FILE["throws"], ids=lambda case: case["roll"])
def test_throws(case):
    """The faces follow from key, nonces and place."""
    place = {name: case[name] for name in ("table", "roll", "index", "number")}
    nonces = {name: bytes.fromhex(case[name]) for name in ("nonce", "witness")}
    stream = Fair(bytes.fromhex(case["key"]), **place, **nonces)
    assert case["faces"] == [to_plain(face) for face in stream.throw(from_plain(case["pool"]))]


def test_the_chain():
    """Each event is chained to the one before it; the text fits its seal."""
    (case,) = FILE["chain"]
    before = case["before"]
    for event in case["events"]:
        assert event["digest"] == digest_of(event["salt"], event["body"])
        parts = (event[name] for name in ("seq", "at", "kind", "open", "digest"))
        assert event["hash"] == chained(before, *parts)
        before = event["hash"]
    body, texts = case["events"][1]["body"], case["events"][1]["texts"]
    held = texts[body["text"]["text"]]
    assert body["text"]["seal"] == seal_of(held["salt"], held["text"])
