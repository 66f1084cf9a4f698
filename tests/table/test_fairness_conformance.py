"""The published file of fair throws: up to date, and true by an independent reading of it."""

import copy
import hashlib
import hmac
import json

import pytest
from vectors.fairness import PATH, written

from rollwright.engine.values import value_from_json, value_to_json
from rollwright.table.events import chain_hash, digest_of, seal_of
from rollwright.table.fairness import FairDice, words_to_head
from rollwright.table.signatures import has_valid_signature
from rollwright.table.verify.log import verify_log
from tests.table.test_fairness import framed

FILE = json.loads(PATH.read_text("utf-8"))


@pytest.mark.long
def test_the_file_is_up_to_date():
    """It is what the script writes today; run `python -m vectors.fairness` after a change."""
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


@pytest.mark.parametrize("case", FILE["keys"], ids=lambda case: f"{case['lane']} {case['number']}")
def test_keys(case):
    """HMAC and SHA-256 by Python's own hands."""
    fields = (b"rollwright/key/2", case["lane"].encode(), str(case["number"]).encode())
    key = hmac.new(bytes.fromhex(case["secret"]), framed(*fields), "sha256").digest()
    assert case["key"] == key.hex()
    made = hashlib.sha256(framed(b"rollwright/slot/1", key)).hexdigest()
    assert case["slot"] == made


@pytest.mark.parametrize("case", FILE["offers"], ids=lambda case: case["number"][:8])
def test_offers(case):
    """What a witness publishes is the hash of the number."""
    fields = (b"rollwright/witness/2", bytes.fromhex(case["number"]))
    assert case["offer"] == hashlib.sha256(framed(*fields)).hexdigest()


@pytest.mark.parametrize("case", FILE["calls"], ids=lambda case: case["seat"] or "unsigned")
def test_calls(case):
    """The hash of a call is over all of it but the signature, which is of that hash."""
    call = {name: held for name, held in case["call"].items() if name != "signature"}
    text = json.dumps(call, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    ends = (case["table"].encode(), bytes.fromhex(case["epoch"]), case["seat"].encode())
    made = hashlib.sha256(framed(b"rollwright/call/1", *ends, text.encode())).digest()
    assert case["hash"] == made.hex()
    if case["key"]:
        signature = bytes.fromhex(case["call"]["signature"])
        assert has_valid_signature(bytes.fromhex(case["key"]), made, signature)


@pytest.mark.parametrize("case", FILE["spoken"], ids=lambda case: case["words"])
def test_heads_said_aloud(case):
    """Eight words stand for the first 128 bits, and for no others."""
    assert case["head"][:32] == words_to_head(case["words"])


@pytest.mark.parametrize("case", FILE["throws"], ids=lambda case: case["key"][:8])
def test_throws(case):
    """The faces follow from key, call, witness and the place among the throws of the call."""
    key, call, witness = (bytes.fromhex(case[name]) for name in ("key", "call", "witness"))
    stream = FairDice(key, call, case["throw"], witness)
    assert case["faces"] == [
        value_to_json(face) for face in stream.throw(value_from_json(case["pool"]))
    ]


def test_the_chain():
    """Each event is chained to the one before it; the text fits its seal."""
    (case,) = FILE["chain"]
    before = case["before"]
    for event in case["events"]:
        assert event["digest"] == digest_of(event["salt"], event["body"])
        parts = (event[name] for name in ("seq", "at", "kind", "open", "digest"))
        assert event["hash"] == chain_hash(before, *parts)
        before = event["hash"]
    body, texts = case["events"][1]["body"], case["events"][1]["texts"]
    held = texts[body["text"]["text"]]
    assert body["text"]["seal"] == seal_of(held["salt"], held["text"])


def copy_of(case):
    """The true log that a forged one was made of."""
    same = (case["of"], case["for"])
    [log] = [one["log"] for one in FILE["logs"] if (one["name"], one["log"]["for"]) == same]
    return copy.deepcopy(log)


def patched(log, patch):
    """A JSON Patch (RFC 6902), as far as the file uses it."""
    for change in patch:
        *way, last = change["path"].split("/")[1:]
        at = log
        for name in way:
            at = at[int(name)] if isinstance(at, list) else at[name]
        if isinstance(at, list):
            place = int(last)
            at[place : place + (change["op"] != "add")] = [
                change[k] for k in ("value",) if k in change
            ]
        elif change["op"] == "remove":
            del at[last]
        else:
            at[last] = change["value"]
    return log


@pytest.mark.parametrize(
    "case", FILE["logs"], ids=lambda case: f"{case['name']} {case['log']['for']}"
)
def test_true_logs(case):
    """They are true, and every value in between is as published, by Python's own hands."""
    log, values = case["log"], case["values"]
    assert () == verify_log(log).problems
    before = values["first"]
    assert before == hashlib.sha256(framed(b"rollwright/log/1", log["table"].encode())).hexdigest()
    for event, made in zip(log["events"], values["events"], strict=True):
        numbers = [str(event[name]).encode() for name in ("seq", "at")]
        ends = [event["kind"].encode(), made["open"].encode(), bytes.fromhex(event["digest"])]
        fields = [b"rollwright/event/1", bytes.fromhex(before), *numbers, *ends]
        before = hashlib.sha256(framed(*fields)).hexdigest()
        assert event["hash"] == before
        if "body" in event:
            fields = [b"rollwright/body/1", bytes.fromhex(event["salt"]), made["body"].encode()]
            assert event["digest"] == hashlib.sha256(framed(*fields)).hexdigest()
    for throw in values["throws"]:
        fair = log["events"][throw["seq"] - 1]["body"]["fair"]
        for counter, block in enumerate(throw["blocks"]):
            message = bytes.fromhex(throw["context"]) + counter.to_bytes(8, "big")
            assert block == hmac.new(bytes.fromhex(fair["key"]), message, "sha256").hexdigest()


@pytest.mark.parametrize(
    "case", FILE["forged"], ids=lambda case: case["name"] + " fitted" * case["fitted"]
)
def test_forged_logs(case):
    """Each problem is found where it is, by a name that is right for it."""
    problems = verify_log(patched(copy_of(case), case["patch"])).problems
    found = {(problem.seq, problem.what) for problem in problems}
    for expected in case["problems"]:
        assert found & {(expected["seq"], what) for what in expected["what"]}


def turned(value):
    """The same JSON with the names of every object in the opposite order."""
    if isinstance(value, dict):
        return {name: turned(part) for name, part in reversed(value.items())}
    return [turned(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "case", FILE["logs"], ids=lambda case: f"{case['name']} {case['log']['for']}"
)
def test_the_order_of_names_in_a_file_means_nothing(case):
    """JSON has none: a log that some program wrote anew is as true as before."""
    assert () == verify_log(turned(case["log"])).problems
    assert () == verify_log(json.loads(json.dumps(case["log"], sort_keys=True))).problems
