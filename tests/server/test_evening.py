"""An evening of all five games over two processes: nobody can tell that there are two."""

import asyncio

import pytest
from benchmarks.soak.playing import GAMES
from benchmarks.soak.storm import Plan, storm

from tests.gates import first
from tests.server.guests import Guest, new_id, new_token
from tests.server.harness import one_app, two_apps

pytestmark = pytest.mark.storm


@pytest.mark.parametrize("rolls", first([100, 500]))
def test_an_evening_over_two_processes_verifies_from_every_seat(rolls):
    """Many rolls, hidden ones among them, with every request and socket at either process.

    Everybody saw what the log tells them, it verifies for each of them, and it is taken elsewhere.
    """
    plan = Plan("app", kills=0, rolls=rolls, players=2, pause=0.05)
    with two_apps() as servers:
        outcome = asyncio.run(storm(plan, servers))
    assert [] == outcome.faults
    assert outcome.rolls >= rolls
    assert outcome.secret > rolls // 50
    assert outcome.witnessed > rolls // 50
    ways = {(by, door) for _, by, door in outcome.used}
    assert {("request", 0), ("request", 1), ("socket", 0), ("socket", 1)} == ways
    assert len(GAMES) == len(outcome.logs)
    with one_app() as elsewhere:
        for log in outcome.logs:
            asked = {**log, "id": new_id(), "tokens": {"seat": new_token()[1]}}
            answer = Guest(elsewhere.address).ask("POST", "/import", asked)
            assert 201 == answer.status_code, answer.text
