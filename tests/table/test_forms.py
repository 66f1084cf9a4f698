"""Tests of what a command may look like: whatever else comes is refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.kit.fields import fields_of
from rollwright.table import LIMITS, CodedError, Secrets, decide
from rollwright.table.commands.dispatch import COMMANDS
from tests.table.tables import Host, hashed, soldiers

HOST = soldiers(spectators=1)
HOST.do("s2", "roll.start", expression="2d6", physical=True)
CODES = {
    "bad_request", "unauthorized", "forbidden", "not_found", "conflict", "gone", "too_large",
    "too_many", "too_much_work", "bad_field", "bad_answer", "bad_expression",
}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "code", "part"),
    [
        ({"do": "roll.strat"}, "bad_request", "did you mean 'roll.start'"),
        ({"do": None}, "bad_request", "no command"),
        ({"do": "chat.send", "txt": "a"}, "bad_field", "did you mean 'text'"),
        ({"do": "chat.send"}, "bad_field", "text is missing"),
        ({"do": "chat.send", "text": 3}, "bad_field", "not a text"),
        ({"do": "chat.send", "text": "/w Marta secret"}, "bad_field", "begins with /"),
        ({"do": "chat.send", "text": " \n /roll 2d6", "to": ["s1"]}, "bad_field", "begins with /"),
        ({"do": "chat.send", "text": "Hm.\n/w Marta secret"}, "bad_field", "begins with /"),
        ({"do": "chat.send", "text": "\u200b/w Marta secret"}, "bad_field", "begins with /"),
        ({"do": "chat.send", "text": "\uff0fw Marta secret"}, "bad_field", "begins with /"),
        ({"do": "chat.send", "text": "x" * 5000}, "too_large", "at most 4000"),
        ({"do": "chat.send", "text": "hello", "to": ["s9"]}, "not_found", "no seat 's9'"),
        ({"do": "chat.send", "text": "hello", "to": ["s1", "s1"]}, "bad_field", "twice"),
        ({"do": "chat.send", "text": "hello", "to": []}, "bad_field", "a list"),
        ({"do": "chat.send", "text": "hello", "id": "short"}, "bad_field", "8 to 64"),
        ({"do": "chat.send", "text": "\ud800"}, "bad_request", "half a character"),
        ({"do": "witness.commit", "commitments": [hashed("a")] * 9}, "too_many", "at most 8"),
        ({"do": "witness.commit", "commitments": ["ab"]}, "bad_field", "64 hexadecimal"),
        ({"do": "sheet.undo", "seq": 0}, "bad_field", "a whole number"),
        ({"do": "sheet.undo", "seq": True}, "bad_field", "a whole number"),
        ({"do": "roll.start", "expression": "2d"}, "bad_expression", "did you mean"),
        ({"do": "roll.start", "nonce": "xyz", "expression": "1d6"}, "bad_field", "nonce"),
        ({"do": "roll.start", "roles": {"a": 1}, "expression": "1d6"}, "bad_field", "roles"),
        ({"do": "roll.start", "expression": "1d6", "visibility": "secret"}, "bad_field", "hidden"),
    ],
)
def test_refused_fields(fields: dict[str, Any], code: str, part: str) -> None:
    """Each field that will not do is named, with what would."""
    with pytest.raises(CodedError) as caught:
        decide(HOST.state, "s1", fields, Secrets(HOST.secret), 0, HOST.entropy)
    assert (code, True) == (caught.value.code, part in caught.value.message)


def test_a_command_is_an_object() -> None:
    """A list is no command."""
    with pytest.raises(CodedError, match="an object"):
        decide(HOST.state, "s1", [], Secrets(HOST.secret), 0, HOST.entropy)  # type: ignore[arg-type]


def test_nesting_is_bounded() -> None:
    """A command nested without end is refused."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert "bad_request" == HOST.refused("s1", "sheet.create", values={"a": deep}).code


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 60) | st.text(max_size=8),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
likely = st.sampled_from(["s1", "s2", "n1", "r1", "a1", "all", "referee", "npc", hashed("n"), 1, 0])


def refusal_of(seat: str, do: str, fields: dict[str, Any]) -> CodedError | None:
    """Why a command is refused; None where it is not."""
    try:
        HOST.decide(seat, do, **fields)
    except CodedError as refusal:
        return refusal
    return None


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_anything_is_answered(data: st.DataObject) -> None:
    """Whatever fields a command has, it is decided or refused with one of the known codes."""
    do = data.draw(st.sampled_from(sorted(COMMANDS)))
    form = fields_of(COMMANDS[do])
    fields = {
        name: data.draw(likely | plain, label=name) for name in form if data.draw(st.booleans())
    }
    seat = data.draw(st.sampled_from(["s1", "s2", "s4"]))
    refusal = refusal_of(seat, do, fields)
    assert refusal is None or refusal.code in CODES
    assert refusal is None or len(refusal.message) < 1000


def test_limits_are_the_hosts() -> None:
    """A host may set other limits than the usual ones."""
    host = Host(limits=LIMITS._replace(said=5, open_rolls_each=2, open_rolls=3, asks=1, sheets=1))
    assert "too_large" == host.refused("s2", "chat.send", text="too long").code
    for seat in ("s2", "s2", "s3"):
        host.do(seat, "roll.start", expression="1d6", physical=True)
    for seat, told in (("s2", "2 of your rolls are open"), ("s3", "3 rolls are open at this")):
        refused = host.refused(seat, "roll.start", expression="1d6")
        assert ("too_many", True) == (refused.code, told in refused.message)
    host.do("s1", "roll_request.create", who="all", expression="1d6")
    assert "too_many" == host.refused("s1", "roll_request.create", who="all", expression="1d6").code
    host.do("s2", "sheet.create")
    assert "too_many" == host.refused("s3", "sheet.create").code
