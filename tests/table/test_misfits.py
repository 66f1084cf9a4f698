"""Events whose data is not what their types say: found by the check, and harmless if imported."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.errors import UnknownName
from rollwright.table.errors import CodedError, as_field_errors
from rollwright.table.imports import import_log
from rollwright.table.schemas import EVENTS
from rollwright.table.verify.chain import misfit
from rollwright.table.verify.log import verify_log
from rollwright.table.visibility import reopened_seqs
from tests.table.tables import Host, hashed
from tests.table.written_logs import rechained

SKILL = {"roll": "skill", "attribute": "B", "skill": "C", "pushable": False}


@pytest.mark.parametrize(
    ("problem", "field"),
    [
        (TypeError("sheet() got an unexpected keyword argument 'lvel'"), "values.lvel"),
        (ZeroDivisionError("whatever a game may raise"), "values"),
        (UnknownName("field", "lvel", ["level"]), "values"),
    ],
)
def test_what_a_game_stumbles_over_is_refused_by_its_field(problem: Exception, field: str) -> None:
    """Also where its own code has a fault: nothing but a refusal comes out of what was sent."""
    with pytest.raises(CodedError) as refused, as_field_errors("values", ["level"]):
        raise problem
    assert field == refused.value.field


def rolled() -> Host:
    """A table with a roll that has ended."""
    host = Host()
    host.do("s2", "roll.start", request=SKILL, nonce=hashed("n"))
    return host


def last_of(log: dict[str, Any], kind: str) -> dict[str, Any]:
    """The body of the last event of a kind."""
    return next(e["body"] for e in reversed(log["events"]) if e["kind"] == kind)


@pytest.mark.parametrize(
    ("kind", "place", "wrong"),
    [
        ("roll.thrown", "dice", [None]),
        ("roll.thrown", "dice", "d6"),
        ("roll.started", "note", {"text": 1, "seal": ""}),
        ("roll.started", "roles", 1),
        ("roll.started", "visibility", "x"),
        ("roll.started", "physical", 0),
        ("seat.joined", "role", "x"),
        ("table.created", "house", []),
    ],
)
def test_what_no_event_holds_is_told(kind: str, place: str, wrong: Any) -> None:
    """A log that says such a thing is not true, and the event is named."""
    log = rolled().log("s1")
    last_of(log, kind)[place] = wrong
    told = {problem.what for problem in verify_log(rechained(log)).problems}
    assert "malformed event" in told


@pytest.mark.parametrize("wrong", [True, [None], [{}], "all"])
def test_what_an_ending_opens_is_a_list_of_numbers(wrong: Any) -> None:
    """Anything else is told, and opens nothing."""
    host = rolled()
    log = host.log("s1")
    last_of(log, "roll.thrown")["after"]["opened"] = wrong
    assert not verify_log(rechained(log)).ok
    host.events[-1].body["after"]["opened"] = wrong
    assert () == reopened_seqs(host.events[-1:], host.state)


def test_an_ending_opens_events_of_its_own_roll_alone() -> None:
    """However many it names: nobody is sent the whole log for asking after its end."""
    host = rolled()
    last = host.events[-1]
    last.body["after"]["opened"] = list(range(1, last.seq))
    own = set(host.state.rolls["r1"].seqs)
    assert set(reopened_seqs([last], host.state)) <= own


def test_true_events_fit() -> None:
    """What the table writes itself is as it is described."""
    for event in rolled().events:
        assert "" == misfit(EVENTS[event.kind], dict(event.body))


@pytest.mark.parametrize("seat", ["s1", "s3"])
@pytest.mark.parametrize("field", ["roll", "by", "visibility"])
def test_an_import_names_the_event_whose_open_part_makes_no_sense(field: str, seat: str) -> None:
    """Whoever brings a log is told where to look, whether or not they see the event itself."""
    host = Host()
    host.do("s2", "roll.start", expression="2d6", visibility="hidden")
    log = host.log(seat)
    (started,) = (event for event in log["events"] if event["kind"] == "roll.started")
    started["open"][field] = ["r1"]
    with pytest.raises(CodedError, match=rf"event {started['seq']}: .*open\.{field}"):
        import_log(rechained(log))
