"""Backups into a folder: made while people play, checked, and let go of whatever the clock says."""

import json
import logging
import os
import re
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.server import maintenance
from rollwright.server.maintenance import Backups
from rollwright.server.metrics import Metrics
from rollwright.server.settings import Settings
from rollwright.server.storage import retention
from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.backups import restore
from rollwright.server.storage.copies import CopyError
from rollwright.server.storage.databases import address
from rollwright.server.storage.retention import (
    Backup,
    BadRetentionError,
    FolderBusyError,
    backup_into,
    backups_in,
    backups_to_delete,
    is_fresh,
    parse_rules,
)
from rollwright.server.storage.store import Store
from tests.cli.running import rollwright
from tests.server.guests import CLIENT, Founded, Serving, wait_until
from tests.server.stored_logs import Log, run

pytestmark = pytest.mark.storm

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
USUAL = parse_rules(retention.KEEP)


def kept_after(times, rules):
    """The numbers that are left when backups are made at these times, one after the other."""
    there = []
    for number, at in enumerate(times, 1):
        there.append(Backup(number, at, Path(f"{number}")))
        gone = backups_to_delete(there, rules)
        there = [one for one in there if one not in gone]
    return [one.number for one in there]


@pytest.fixture
def filled(tmp_path):
    """A database with a table in it."""
    url = f"sqlite:///{tmp_path}/table.sqlite"

    async def fill():
        store = await Store.open(url)
        await store.create_table(Log("abc").creation())
        await store.close()

    run(fill())
    return address(url)


def test_a_year_of_backups_leaves_days_weeks_and_months():
    """Counted by hand for 3,7d,4w,6m on the last day of 2026, a Thursday.

    The days 25 to 31 of December; the ends of the weeks 52, 51 and 50 beside this one; the last
    days of July to November beside this month.
    """
    days = [datetime(2026, 1, 1, 3, tzinfo=UTC) + timedelta(days=n) for n in range(365)]
    kept = [days[number - 1] for number in kept_after(days, USUAL)]
    assert (31, 12) == (kept[-1].day, kept[-1].month)
    december = [at.day for at in kept if at.month == 12]
    assert [13, 20, 25, 26, 27, 28, 29, 30, 31] == december
    assert [(31, 7), (31, 8), (30, 9), (31, 10), (30, 11)] == [
        (at.day, at.month) for at in kept if at.month < 12
    ]


@given(
    times=st.lists(st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1)), max_size=30),
    rules=st.lists(
        st.builds(retention.RetentionRule, st.integers(1, 9), st.sampled_from([*retention.LABELS])),
        max_size=4,
    ),
)
def test_whatever_the_clock_says_the_newest_stay(times, rules):
    """The one made last is always kept, however it is dated, and a plain number keeps so many."""
    times = [at.replace(tzinfo=UTC) for at in times]
    kept = kept_after(times, rules)
    assert ([len(times)] if times else []) == kept[-1:]
    most = max((rule.most for rule in rules if not rule.period), default=0)
    assert set(range(1, len(times) + 1)[-most:] if most else ()) <= set(kept)
    assert len(kept) <= 1 + sum(rule.most for rule in rules)


def test_a_clock_that_was_400_days_ahead_costs_one_backup_of_each_rule():
    """What was kept before stays, but for the oldest of a day, a week and a month."""
    days = [NOON + timedelta(days=n) for n in range(200)]
    before = kept_after(days, USUAL)
    after = kept_after([*days, days[-1] + timedelta(days=400)], USUAL)
    assert 3 >= len(set(before) - set(after))
    later = [*days, days[-1] + timedelta(days=400), days[-1] + timedelta(days=1)]
    assert [201, 202] == kept_after(later, USUAL)[-2:]


def test_a_backup_from_the_future_is_not_fresh():
    """A clock that was put back makes a backup at once, and then waits as ever."""
    there = [Backup(1, NOON, Path("1"))]
    assert is_fresh(there, 24, NOON + timedelta(hours=23))
    assert not is_fresh(there, 24, NOON + timedelta(hours=24))
    assert not is_fresh(there, 24, NOON - timedelta(seconds=1))
    assert not is_fresh([], 24, NOON)


@pytest.mark.parametrize("text", ["", "7", "7d", " 3, 7d ,4w,6m,1y,12h"])
def test_rules_are_read(text):
    """Numbers with the letter of a time, or with none."""
    if text:
        assert len(text.split(",")) == len(parse_rules(text))
    else:
        with pytest.raises(BadRetentionError, match="3,7d,4w,6m would do"):
            parse_rules(text)


@pytest.mark.parametrize("text", ["0d", "7x", "d", "7d,,4w", "-1", "99999", "1001"])
def test_rules_that_cannot_be_are_refused(text):
    """With what would do."""
    with pytest.raises(BadRetentionError, match="3,7d,4w,6m would do"):
        parse_rules(text)


def test_a_folder_is_filled_and_emptied_by_the_rules(filled, tmp_path):
    """Each backup can be restored; what else lies in the folder is left alone."""
    folder = tmp_path / "backups"
    folder.mkdir()
    other = folder / "rollwright-notes.sqlite"
    other.write_text("mine", "utf-8")
    for day in range(5):
        made = backup_into(filled, folder, parse_rules("2"), now=NOON + timedelta(days=day))
        assert 1 == made.copied.tables
    assert [4, 5] == [one.number for one in backups_in(folder)]
    assert "rollwright-000005-20260305T120000Z.sqlite" == made.file.name
    assert [backups_in(folder)[0].number - 1] == [
        int(re.search(r"\d{6}", file.name)[0]) for file in made.let_go
    ]
    assert 0o600 == made.file.stat().st_mode & 0o777
    assert "mine" == other.read_text("utf-8")
    assert 1 == restore(made.file, address(f"{tmp_path}/again.sqlite")).tables


def test_nothing_is_deleted_when_no_backup_can_be_made(filled, tmp_path):
    """A log with a gap is not backed up, and the good backups of before stay, all of them."""
    folder = tmp_path / "backups"
    for day in range(3):
        backup_into(filled, folder, parse_rules("9"), now=NOON + timedelta(days=day))
    with sqlite3.connect(filled.database) as database:
        database.execute("UPDATE tables SET head = head + 1")
    database.close()
    with pytest.raises(CopyError, match="not whole"):
        backup_into(filled, folder, parse_rules("1"), now=NOON + timedelta(days=9))
    assert [1, 2, 3] == [one.number for one in backups_in(folder)]
    assert [] == [name for name in os.listdir(folder) if "part" in name]


def test_what_a_killed_backup_left_is_swept_away(filled, tmp_path):
    """Half a file never has the name of a backup, and is gone after the next one."""
    folder = tmp_path / "backups"
    folder.mkdir()
    half = folder / "rollwright-000001-20260301T120000Z.sqlite.part"
    half.write_bytes(b"half")
    assert [] == backups_in(folder)
    backup_into(filled, folder, USUAL, now=NOON)
    assert not half.exists()
    assert 1 == len(backups_in(folder))


def test_one_process_at_a_time_fills_a_folder(filled, tmp_path):
    """A second one is refused; one that only comes by the clock leaves it to the first."""
    folder = tmp_path / "backups"
    with retention._lock_folder(folder):
        with pytest.raises(FolderBusyError, match="another process"):
            backup_into(filled, folder, USUAL)
        assert backup_into(filled, folder, USUAL, hours=24) is None


def test_a_folder_that_is_none_is_told(filled, tmp_path):
    """With why, and no traceback."""
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(BadDatabaseError, match="cannot hold backups"):
        backup_into(filled, tmp_path / "file", USUAL)


def test_the_command_fills_a_folder(filled, tmp_path):
    """It says what it did; with --hours it does it only when it is time."""
    folder, where = tmp_path / "backups", ["--database", str(filled.database)]
    done = rollwright("db", "backup", "--into", str(folder), "--keep", "1", *where)
    assert 0 == done.code
    assert "1 table and" in done.out
    again = rollwright("db", "backup", "--into", str(folder), "--hours", "24", *where)
    assert "new enough" in again.out
    told = rollwright("db", "backup", "--into", str(folder), "--keep", "1", "--json", *where)
    assert [1] == [len(json.loads(told.out)["let_go"])]
    for words in (
        ["x.sqlite", "--into", "y"],
        [],
        ["x", "--keep", "1"],
        ["--into", "y", "--replace"],
    ):
        assert 2 == rollwright("db", "backup", *words, *where).code


def test_a_serving_server_makes_backups_by_itself(filled, tmp_path):
    """When the newest is too old, and no sooner; readiness and numbers tell of it."""
    folder = tmp_path / "backups"
    backup_into(filled, folder, USUAL, now=NOON - timedelta(days=2000))
    settings = {"backup_to": str(folder), "backup_keep": "2"}
    for _ in range(2):
        with Serving(filled.database, **settings) as server:
            wait_until(lambda server=server: server.services.backups.state == "made")
            told = CLIENT.get(f"{server.address}/ready")
            assert (200, "made") == (told.status_code, told.json()["backup"])
            assert b"rollwright_backup_failed 0.0" in server.services.metrics.page()
            assert [1, 2] == [one.number for one in backups_in(folder)]


def test_a_backup_that_fails_is_told_and_people_play_on(tmp_path, caplog):
    """One clear line in the log, a warning in readiness, and the server serves."""
    log = logging.getLogger("rollwright.server.time")
    (tmp_path / "file").write_text("", "utf-8")
    with Serving(tmp_path / "table.sqlite", backup_to=str(tmp_path / "file")) as server:
        wait_until(lambda: server.services.backups.state == "failed")
        told = CLIENT.get(f"{server.address}/ready")
        assert (200, "failed") == (told.status_code, told.json()["backup"])
        wait_until(lambda: b"rollwright_backup_failed 1.0" in server.services.metrics.page())
        Founded(server.address).referee.rolls()
    [line] = [record.getMessage() for record in caplog.records if record.name == log.name]
    assert re.fullmatch(r"no backup could be made: .*/file cannot hold backups: File exists", line)


def test_how_it_stands_is_told(tmp_path):
    """Off, waiting for the first one, or late when twice the hours have passed."""
    assert "off" == Backups(Settings(), Metrics()).state
    backups = Backups(Settings(backup_to=str(tmp_path / "backups")), Metrics())
    assert "waiting" == backups.state
    backups.last = Backup(1, datetime.now(UTC) - timedelta(hours=47), Path("1"))
    assert "made" == backups.state
    backups.last = Backup(1, datetime.now(UTC) - timedelta(hours=49), Path("1"))
    assert "late" == backups.state


def test_backups_of_a_busy_server_are_whole(tmp_path):
    """Made again and again while somebody rolls: each holds all logs without a gap."""
    database, folder = tmp_path / "table.sqlite", tmp_path / "backups"
    with Serving(database) as server:
        table = Founded(server.address)
        for number in range(6):
            table.referee.rolls()
            making = subprocess.Popen(
                [
                    *(sys.executable, "-m", "rollwright", "db", "backup", "--into", str(folder)),
                    *("--keep", "9", "--database", str(database), "--json"),
                ],
                stdout=subprocess.PIPE,
            )
            while making.poll() is None:
                table.referee.rolls()
            assert 0 == making.returncode, number
            making.stdout.close()
    assert 6 == len(backups_in(folder))
    for one in backups_in(folder):
        assert 1 == restore(one.file, address(f"{tmp_path}/{one.number}.sqlite")).tables


def test_a_backup_under_way_ends_with_the_server(tmp_path, monkeypatch):
    """The process that makes it does not outlive the server, and nobody waits for it."""

    def slow(self):
        return subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)"],
            stderr=subprocess.PIPE,
            text=True,
        )

    monkeypatch.setattr(maintenance.Backups, "_start", slow)
    with Serving(tmp_path / "table.sqlite", backup_to=str(tmp_path / "backups")) as server:
        wait_until(lambda: server.services.backups._process is not None)
        process = server.services.backups._process
    assert -signal.SIGTERM == process.wait(60)
