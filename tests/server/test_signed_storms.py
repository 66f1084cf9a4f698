"""Signed rolls over two processes that are killed: nobody's log is called false."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from rollwright.client import Server, Table
from rollwright.table.verify.log import verify_log
from tests.server.harness import two_apps

pytestmark = pytest.mark.storm

ROLLS = 8
TASK = {"roll": "extended", "pool": 6, "target": 9, "limit": 6, "adrenaline": 1}


def rolling(table: Table, done: list[str], after: Callable[[int], None]) -> None:
    """Somebody rolls again and again: with a choice in between, in the open and in secret."""
    for number in range(ROLLS):
        seen = {"visibility": "private"} if number % 3 == 2 else {}
        roll = table.roll(TASK if number % 2 else "2d6", **seen)
        while roll.waits_for == "choice":
            roll = table.choose(roll, roll.options[0])
        assert roll.has_outcome
        done.append(roll.id)
        after(number)


def test_signed_rolls_go_on_over_two_processes_that_are_killed(tmp_path: Path) -> None:
    """Every roll that was told of is there once, signed; each seat's copy is true.

    What was called for when a process died is called for again by the same bytes, so that
    neither a roll is made twice nor a gap is left in anybody's count.
    """
    with two_apps() as servers:
        one, other = servers.apps
        with (
            Server(one.address, patience=60) as here,
            Server(other.address, patience=60) as there,
        ):
            ana = here.create_table("dust", name="Ana", keep=tmp_path / "ana.json")
            link = str(ana.links["player"])
            bo = here.join(link, name="Bo", keep=tmp_path / "bo.json")
            beyond = link.replace(one.address, other.address)
            cy = there.join(beyond, name="Cy", keep=tmp_path / "cy.json")
            done: dict[str, list[str]] = {table.seat: [] for table in (bo, cy)}

            def kill(number: int) -> None:
                app = one if number % 4 == 1 else other if number % 4 == 3 else None
                if app is not None:
                    app.kill9()
                    app.start()

            at_once = threading.Thread(target=rolling, args=(cy, done[cy.seat], lambda _: None))
            at_once.start()
            rolling(bo, done[bo.seat], kill)
            at_once.join(120)
            assert [ROLLS, ROLLS] == [len(rolls) for rolls in done.values()]
            for table in (ana, bo, cy):
                log = table.log()
                report = verify_log(log)
                assert ([], "true") == ([str(one) for one in report.problems], report.verdict)
                assert 0 == report.counts["unsigned throws"]
                assert 0 == report.counts["calls never answered"]
                begun = [event for event in log["events"] if event["kind"] == "roll.started"]
                assert len(begun) == 2 * ROLLS
                assert [] == table.protests
