"""Calls that came to nothing stand wherever an evening is summed up, as in a check of its log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rollwright.client import ServerError, Table, Unreachable
from rollwright.i18n.locale import use_locale
from rollwright.table.history.documents import history_markdown
from rollwright.table.history.recap import recap
from rollwright.table.history.rolls import UnfinishedCounts, unfinished_by_seat
from rollwright.table.history.statistics import statistics
from rollwright.table.verify.log import verify_log
from tests.client.hosted import asking_of, sit_down
from tests.table.tables import Host


def lose(table: Table, **fields: Any) -> None:
    """Somebody calls for dice, and the host never answers."""
    asking = asking_of(table)

    def lost(command: dict[str, Any]) -> dict[str, Any]:
        raise Unreachable("lost")

    asking.before = lost
    with pytest.raises(Unreachable):
        table.roll("1d20", **fields)
    asking.before = lambda command: command


def refuse(table: Table, **fields: Any) -> None:
    """Somebody calls for what cannot be rolled."""
    with pytest.raises(ServerError):
        table.do("roll.start", expression="1d", **fields)


def quiet(table: Table) -> None:
    """Nothing happens."""


def secret(table: Table) -> None:
    """Somebody rolls of whom nobody is told, and one such call is refused, another lost."""
    hidden = {"visibility": "private", "announce": False}
    table.roll("1d20", **hidden)
    refuse(table, **hidden)
    lose(table, **hidden)
    table.roll("1d20", **hidden)


def an_evening(between: Callable[[Table], None] = quiet) -> Host:
    """Of the first player two calls are lost and one is refused, of the second one is refused."""
    host = Host("", players=0)
    one, other = sit_down(host), sit_down(host)
    one.roll("1d20")
    between(one)
    lose(one)
    between(other)
    lose(one)
    refuse(one)
    between(one)
    other.roll("1d6")
    refuse(other, visibility="private")
    one.roll("1d20")
    host.do("s1", "session.end")
    return host


ONE, OTHER = UnfinishedCounts(refused=1, unanswered=2), UnfinishedCounts(refused=1)


def test_calls_that_came_to_nothing_stand_in_recap_and_statistics() -> None:
    """Also where the call was refused before there was a roll, and an announced one in secret."""
    shown = an_evening().seen("")
    assert [("s2", 1, 2), ("s3", 1, 0)] == [
        (one["seat"], one["refused"], one["unanswered"]) for one in recap(shown)["given_up"]
    ]
    found = statistics(shown)
    assert {"s2": ONE, "s3": OTHER} == {one.seat: one.given_up for one in found.seats}
    assert (2, 2) == (found.table.given_up.refused, found.table.given_up.unanswered)
    assert "1 call refused · 2 calls never answered" == found.seats[0].given_up.text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Bo: 1 call refused · 2 calls never answered."),
        ("de", "Bo: 1 Aufruf abgelehnt · 2 Aufrufe nie beantwortet."),
        ("fr", "Bo : 1 appel refusé · 2 appels restés sans réponse."),
    ],
)
def test_a_history_says_so_at_the_end_of_the_session(language: str, said: str) -> None:
    """In the language of whoever reads."""
    with use_locale(language):
        assert said in history_markdown(an_evening().seen(""))


def test_they_are_as_many_as_a_check_counts() -> None:
    """Of the same copy of the log, here of one who may see all of it."""
    host = an_evening()
    counts = verify_log(host.log("s1")).counts
    sums = statistics(host.seen("s1")).table.given_up
    assert (2, 2) == (sums.refused, sums.unanswered)
    assert (2, 2) == (counts["calls refused"], counts["calls never answered"])


def test_of_another_session_nothing_is_told() -> None:
    """A recap is of its evening; statistics are of the whole table."""
    host = an_evening()
    other = sit_down(host)
    refuse(other)
    other.roll("1d6")
    host.do("s1", "session.end")
    assert [("s4", 1)] == [
        (one["seat"], one["refused"]) for one in recap(host.seen(""), 2)["given_up"]
    ]
    assert 3 == statistics(host.seen("")).table.given_up.refused


def test_no_secret_changes_them() -> None:
    """What is rolled, refused or lost in secret is neither counted nor does it hide a gap."""
    without, other = (an_evening(between).seen("") for between in (quiet, secret))
    assert recap(without)["given_up"] == recap(other)["given_up"]
    assert statistics(without).table.given_up == statistics(other).table.given_up


def reveal(one: Table) -> None:
    """Somebody reveals a roll of which nobody had been told."""
    one.do("roll.reveal", roll=one.roll("1d20", visibility="private", announce=False).id)


def test_what_is_revealed_tells_nothing_of_what_is_not() -> None:
    """The number of a call counts the secret ones before it: no gap is told of by it.

    How many rolls were not shown is told, by the event that shows one, and nothing else.
    """

    def evening(between: Callable[[Table], None]) -> list[Any]:
        host = Host("", players=0)
        one = sit_down(host)
        reveal(one)
        between(one)
        reveal(one)
        unshown = host.last["unshown"]
        sums = statistics(host.seen("")).table.given_up
        assert [UnfinishedCounts(secret=unshown)._asdict() | {"seat": "s2"}] * bool(
            unshown
        ) == recap(host.seen(""))["given_up"]
        return [unshown, sums._replace(secret=0), sums.secret]

    assert [0, UnfinishedCounts(), 0] == evening(quiet)
    assert [2, UnfinishedCounts(), 2] == evening(secret)


def test_nobody_whose_calls_were_answered_is_named() -> None:
    """Nor is anything said of them."""
    host = Host("", players=0)
    sit_down(host).roll("1d20")
    assert {} == unfinished_by_seat((), ())
    assert [] == recap(host.seen(""))["given_up"]
