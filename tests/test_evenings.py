"""Random evenings, a few under fixed seeds: `./dev evenings` plays many more."""

import pytest

from rollwright.table.history.documents import history_csv, history_markdown
from rollwright.table.history.recap import recap
from rollwright.table.history.statistics import statistics
from rollwright.table.verify.log import verify_log
from tests.evenings import Evening, played


@pytest.fixture(scope="module", params=[1000, 1006, 1011, 1365, 9012])
def evening(request: pytest.FixtureRequest) -> Evening:
    """Whoever did what, over whichever game."""
    return played(request.param)


def test_every_copy_of_a_random_evening_is_true(evening: Evening) -> None:
    """Nothing is wrong with what people have done."""
    assert [] == [str(one) for log in evening.copies() for one in verify_log(log).problems]


@pytest.mark.long
def test_every_copy_of_a_random_evening_can_be_summed_up(evening: Evening) -> None:
    """Whatever happened, refused calls among it, and whatever of it is withheld."""
    refused = 0
    for log in evening.copies():
        events = log["events"]
        recap(events), history_markdown(events), history_csv(events)
        sums = statistics(events).table.given_up
        counts = verify_log(log).counts
        assert sums.refused >= counts["calls refused"]
        assert sums.unanswered <= counts["calls never answered"]
        refused += sums.refused
    assert refused
