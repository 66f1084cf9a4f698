"""Servers are killed with kill -9 in the middle of load: what was acknowledged is never lost."""

import resource
import sqlite3

import pytest
from benchmarks.soak.report import HEAD, PAGE
from benchmarks.soak.storm import KINDS, Plan, blown

from rollwright.table.verify.log import verify_log
from tests.gates import thorough
from tests.server.harness import found, nonce, one_app

pytestmark = pytest.mark.storm

PLANS = [("sqlite", 2), ("app", 2)]
"""How often each kind is killed; a kill strikes five tables, of five games. The soak in the docs
kills 300 times."""
PLANS += [pytest.param(kind, 6, marks=thorough) for kind in KINDS]


@pytest.mark.parametrize(("kind", "kills"), PLANS)
def test_nothing_is_lost_when_servers_are_killed(kind, kills):
    """After some kills under load every acknowledged command is in the log exactly once.

    The logs have no gaps and verify, everybody saw what the log tells them, rolls that waited at
    a choice end, and no process of a killed app is left.
    """
    outcome = blown(Plan(kind, kills, players=2))
    assert [] == outcome.faults
    assert kills == outcome.kills
    assert kills <= outcome.in_flight  # it struck while answers were awaited
    assert outcome.waited > 0


def test_the_soak_is_reported():
    """The docs tell of 300 kills of each kind, with nothing lost."""
    told = refreshed_part(PAGE.read_text("utf-8"))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.splitlines()]
    figures = {row[0]: row[1:] for row in rows if len(row) == len(HEAD)}
    for what in KINDS.values():
        kills, *_, faults = figures[what]
        assert 300 <= int(kills)
        assert "0" == faults


def refreshed_part(page):
    """What the soak wrote into its page."""
    return page.partition("<!-- soak: begin -->")[2].partition("<!-- soak: end -->")[0]


def allow_files_of(app, size):
    """Let the files of a running app grow so far and no farther; None for as far as they like."""
    most = resource.RLIM_INFINITY
    resource.prlimit(app.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))


def test_a_full_disk_is_told_and_nothing_breaks():
    """Without room a command is refused as disk_full, and done once when there is room again."""
    with one_app() as app:
        table = found([app.address])
        referee = table.referee
        told = [referee.do("chat.send", text=f"before {number}", to="all") for number in range(5)]
        log = app.folder / "tables.db-wal"
        allow_files_of(app, log.stat().st_size + 50_000)
        refused = []
        for number in range(40):
            id, text = f"crowded-{number}", f"{number} " + "x" * 3900
            answer = referee.post(
                "/commands", {"id": id, "do": "chat.send", "text": text, "to": "all"}
            )
            if answer.status == 200:
                told.append(answer.json["events"])
            else:
                refused.append((id, text, answer))
        assert {507} == {answer.status for _, _, answer in refused}
        assert {"disk_full"} == {answer.json["error"]["code"] for _, _, answer in refused}
        assert 200 == referee.get("").status  # reading goes on
        assert len(told) + 2 == len(referee.log()["events"])
        allow_files_of(app, None)
        for id, text, _ in refused:
            answer = referee.post(
                "/commands", {"id": id, "do": "chat.send", "text": text, "to": "all"}
            )
            assert 200 == answer.status, answer.text
            told.append(answer.json["events"])
        app.kill9()
        app.start()
        log = referee.log()
        assert [event for events in told for event in events] == log["events"][2:]
        assert verify_log(log).ok
        assert referee.do("roll.start", expression="1d6", nonce=nonce())
        table.close()
        app.stop()
        with sqlite3.connect(app.folder / "tables.db") as database:
            assert [("ok",)] == database.execute("pragma integrity_check").fetchall()
        database.close()
