"""Whatever is given to be checked: an answer, never an error, and never one that is too late."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.table.verify.chain import MOST_EVENTS
from rollwright.table.verify.log import verify_log
from rollwright.table.verify.report import MOST_PROBLEMS
from tests.steps import calls_of
from tests.table.test_verifying import SESSION, of_kind, thrown
from tests.table.written_logs import WrittenLog, rechained

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
WORDS = st.sampled_from(
    ["open", "done", "push", "s1", "r1", "@s2", "fair", "typed", "0" * 64, "t1.0"]
)
NUMBERS = st.sampled_from([0, 1, 2, -1, 7, 2**53, 10**30, 0.5, True, None])
ODD = JSON | WORDS | NUMBERS


def places_in(value, path=()):
    """The way to every part of a piece of JSON."""
    yield path
    if isinstance(value, dict):
        for name, part in value.items():
            yield from places_in(part, (*path, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places_in(part, (*path, number))


EVENTS = SESSION.log()["events"]
PLACES = [path for path in places_in(EVENTS) if path]


def replaced(path, new):
    """The session's log with one part of it exchanged, and what was there."""
    log = SESSION.log()
    holder = log["events"]
    for step in path[:-1]:
        holder = holder[step]
    old, holder[path[-1]] = holder[path[-1]], new
    return log, old


@given(JSON)
def test_anything_is_answered(value):
    """Any piece of JSON is judged."""
    assert not verify_log(value).ok


@given(st.lists(JSON, max_size=4))
def test_any_events_are_answered(events):
    """Also inside the frame of a log."""
    log = {"format": 3, "table": "abcdefgh2345", "for": "s1", "events": events}
    assert not verify_log(log).ok


@pytest.mark.long
@settings(max_examples=100)
@given(st.sampled_from(PLACES), ODD)
def test_any_one_exchange_is_found(path, new):
    """Whatever part of an event is exchanged for something else, the log is not true any more.

    But for what may be missing: a text that was erased, a body that is withheld.
    """
    log, old = replaced(path, new)
    missing = path[1:] == ("body",) and new is None
    missing |= path[1:2] == ("texts",) and len(path) < 4 and not new
    same = json.dumps(new, sort_keys=True) == json.dumps(old, sort_keys=True)
    assert missing or same == verify_log(log).ok


@pytest.mark.long
@settings(max_examples=100)
@given(st.sampled_from(PLACES), ODD)
def test_any_exchange_with_a_new_chain_is_answered(path, new):
    """The rules themselves are given the oddest things, and nothing is raised."""
    log, _ = replaced(path, new)
    try:
        rechained(log)
    except Exception:
        return  # what cannot even be hashed
    report = verify_log(log)
    assert report.ok == (not report.problems)


@pytest.mark.parametrize(
    ("log", "what"),
    [
        (None, "not a log"),
        ([], "not a log"),
        ({}, "unknown format"),
        ({"format": 1, "table": "t", "events": [1]}, "unknown format"),
        ({"format": True, "table": "t", "events": [1]}, "unknown format"),
        ({"format": 3}, "not a log"),
        ({"format": 3, "table": "é", "events": [1]}, "not a log"),
        ({"format": 3, "table": "t", "events": []}, "not a log"),
        ({"format": 3, "table": "t", "events": {}}, "not a log"),
        ({"format": 3, "table": "t", "events": [None] * (MOST_EVENTS + 1)}, "too large"),
        ({"format": 3, "table": "t", "events": [7]}, "malformed event"),
    ],
)
def test_what_is_no_log_is_told(log, what):
    """By name."""
    assert what == verify_log(log).problems[0].what


@pytest.mark.parametrize("name", ["seq", "at"])
def test_numbers_are_those_that_a_browser_can_tell_apart(name):
    """2**53 is the first whole number that JavaScript takes for another one."""
    log = SESSION.log()
    log["events"][-1][name] = 2**53
    assert "malformed event" in [problem.what for problem in verify_log(log).problems]


def test_deep_nesting_is_answered():
    """Deeper than anything that could have been written."""
    deep = []
    for _ in range(5000):
        deep = [deep]
    log = SESSION.log()
    log["events"][3]["body"]["lists"] = deep
    assert "malformed event" in [problem.what for problem in verify_log(log).problems]


def test_problems_are_listed_up_to_a_limit():
    """A wholly spoilt log has a short report, and says how much more there is."""
    log = {"format": 3, "table": "t", "events": [None] * 500}
    report = verify_log(log)
    assert (MOST_PROBLEMS, 500 - MOST_PROBLEMS) == (len(report.problems), report.more)
    assert f"… and {report.more} more" == report.sentences()[-1]


def test_a_check_can_be_stopped():
    """Whoever has no more time gets a report that says so."""
    asked = []

    def enough():
        asked.append(1)
        return len(asked) > 5

    report = verify_log(SESSION.log(), stop=enough)
    assert [(None, "too large")] == [(problem.seq, problem.what) for problem in report.problems]
    assert 6 == len(asked)


def many_dice():
    """A million dice that nobody threw."""
    plain = one_die()
    thrown(plain)["body"]["pool"]["pool"][0][1] = 10**6
    return plain


def one_die():
    """A log with one throw of one die."""
    log = WrittenLog("")
    log.play("1d6")
    return log.log()


def a_huge_die():
    """A die with more sides than any."""
    plain = one_die()
    thrown(plain)["body"]["pool"]["pool"][0][0]["die"] = 10**5
    return plain


def a_huge_expression():
    """Dice that no table would throw."""
    plain = one_die()
    of_kind(plain, "roll.started")["body"]["what"]["expression"] = "999999d999999"
    return plain


@pytest.mark.parametrize("made", [many_dice, a_huge_die, a_huge_expression])
def test_what_is_made_to_take_long_is_refused_soon(made):
    """None of it is worked off."""
    plain = rechained(made())
    assert not verify_log(plain).ok
    assert calls_of(lambda: verify_log(plain)) < calls_of(lambda: verify_log(one_die()))


@pytest.mark.long
def test_many_offers_and_steps_back_are_checked_soon():
    """Thousands of offers that nobody uses and hundreds of typing mistakes: true, and of twice as
    many twice the work.
    """
    some, twice = changed_minds(50), changed_minds(100)
    assert verify_log(twice).ok
    assert calls_of(lambda: verify_log(twice)) < 2.2 * calls_of(lambda: verify_log(some))


def changed_minds(times):
    """A log with so many rolls, twice as many faces typed by mistake, and offers for them all."""
    log = WrittenLog()
    for number in range(3 * times):
        offered = [f"{number:060x}{n:04x}" for n in range(8)]
        log.write("witness.committed", {"by": "s2", "commitments": offered})
    name = log.start(physical=True)
    for _ in range(2 * times):
        log.type(name, [1, 2])
        log.back(name)
    for _ in range(times):
        log.play("1d6")
    return log.log()


def test_taking_back_without_end_is_no_fault(monkeypatch):
    """A roll that would take too long to be played again is left there, and that is said."""
    monkeypatch.setattr("rollwright.table.verify.entries.MOST_REPLAYED", 10)
    log = WrittenLog()
    name = log.start(physical=True)
    for _ in range(20):
        log.type(name, [1, 2])
        log.back(name)
    log.throw(name)
    report = verify_log(log.log())
    assert (True, 1, 1) == (
        report.ok,
        report.counts["rolls too long to replay"],
        report.counts["throws"],
    )
    assert "1 roll not replayed to the end: too much was taken back." in report.sentences()


def test_a_log_is_not_changed_by_being_checked():
    """Checking looks and touches nothing."""
    log = SESSION.log()
    before = copy.deepcopy(log)
    verify_log(log)
    assert before == log
