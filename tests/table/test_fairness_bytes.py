"""The bytes that feed hashes: framed fields, canonical JSON, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.jsonable import BadValue, canonical_json, check_jsonable
from rollwright.server.json_codec import encode_canonical
from rollwright.table.fairness import frame

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def unframed(data):
    """The fields that were framed, taken apart by their lengths."""
    fields = []
    while data:
        size = int.from_bytes(data[:4], "big")
        fields.append(data[4 : 4 + size])
        data = data[4 + size :]
    return fields


@given(st.lists(st.binary(max_size=9), max_size=6))
def test_framed_fields_can_be_taken_apart_again(fields):
    """So no two lists of fields have the same bytes."""
    assert fields == unframed(frame(*fields))


@given(PLAIN)
def test_canonical_json_holds_the_value(value):
    """Whatever may be written is read again as it was."""
    check_jsonable(value)
    assert value == json.loads(canonical_json(value))


@given(PLAIN | st.text('\0\x1f\x7f"\\/\u2028\uffff\U0001f600\n\b'))
def test_a_server_writes_what_is_hashed_byte_by_byte_as_the_library_does(value):
    """It has a quicker encoder, and a log must verify wherever it is checked."""
    assert canonical_json(value) == encode_canonical(value)
    assert canonical_json({"a": value}) == encode_canonical({"a": value})


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, {"a": ["\ud800"]}, object()])
def test_a_server_refuses_to_hash_what_the_library_refuses(value):
    """Half a character and what is no data."""
    for write in (canonical_json, encode_canonical):
        with pytest.raises(BadValue):
            write(value)


@given(st.dictionaries(TEXTS, st.integers(0, 9), max_size=6))
def test_the_order_of_fields_does_not_matter(fields):
    """A mapping has one way to be written, whoever wrote it."""
    turned = dict(reversed(fields.items()))
    assert canonical_json(fields) == canonical_json(turned)


def test_canonical_json_is_written_as_browsers_do():
    """No spaces, no escapes beyond those that JSON needs, names by their characters."""
    value = {"é": "\u2028\x7f", "a": '"\\\n\x01', "10": 1, "9": [True, None]}
    expected = '{"10":1,"9":[true,null],"a":"\\"\\\\\\n\\u0001","é":"\u2028\x7f"}'
    assert expected == canonical_json(value).decode()


def nested(depth):
    """A list in a list in a list."""
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.5, "float"),
        (float("nan"), "float"),
        (2**53, "too large"),
        (-(2**53), "too large"),
        ("\ud800", "half a character"),
        ({"\udfff": 1}, "half a character"),
        ({1: 2}, "names of fields"),
        ((1, 2), "tuple"),
        (b"", "bytes"),
        (nested(41), "nested too deeply"),
        ([{"a": [1.0]}], "float"),
    ],
)
def test_what_is_not_written_alike_everywhere_is_refused(value, words):
    """Each with a sentence that says what it is."""
    with pytest.raises(BadValue, match=words):
        check_jsonable(value)


def test_a_usual_depth_is_enough():
    """Requests and sheets are a few levels deep; forty are allowed."""
    assert check_jsonable(nested(40)) is None
    assert check_jsonable(2**53 - 1) is None


def test_canonical_refuses_what_json_cannot_hold():
    """Also where nobody has looked before: never a bare error of Python."""
    endless = []
    endless.append(endless)
    for value in (float("inf"), {1, 2}, {None: 1, "a": 2}, endless, "\ud800"):
        with pytest.raises(BadValue):
            canonical_json(value)
