"""One SQLite file, one server: by whatever name, and whatever is deleted beside it."""

import contextlib
import os
import sqlite3

import pytest

from rollwright.server.storage import databases
from rollwright.server.storage.appends import BadDatabaseError
from rollwright.server.storage.inventory import upgrade_database
from rollwright.server.storage.locks import Claim, FileInUseError, owner_of
from rollwright.server.storage.retention import backup_into
from rollwright.server.storage.store import Store
from tests.cli.running import rollwright
from tests.server.stored_logs import make, run
from tests.server.test_store_failures import OPEN, child

pytestmark = pytest.mark.storm

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")


@pytest.fixture
def served(sqlite_url):
    """A file that another process serves; and the number of that process."""
    with child(OPEN, sqlite_url) as process:
        assert "open\n" == process.stdout.readline()
        yield databases.file_of(databases.address(sqlite_url)), process.pid


def second(file):
    """Try to serve a file here; what it says."""
    with pytest.raises(BadDatabaseError) as refused:
        run(Store.open(str(file)))
    return refused.value


@needs_links
def test_a_symbolic_link_is_the_same_file(served, tmp_path):
    """A second server through a symbolic link is refused, and told the first one's number."""
    file, pid = served
    (tmp_path / "other").mkdir()
    link = tmp_path / "other" / "table.sqlite"
    link.symlink_to(file)
    problem = second(link)
    assert (FileInUseError, pid) == (type(problem), problem.pid)
    (tmp_path / "folder").symlink_to(tmp_path, target_is_directory=True)
    assert FileInUseError is type(second(tmp_path / "folder" / file.name))


@needs_links
def test_a_hard_link_is_refused(served, tmp_path):
    """A second name on the disk is refused whoever serves: SQLite keeps a log beside each name."""
    file, _ = served
    link = tmp_path / "second.sqlite"
    os.link(file, link)
    assert "has 2 names" in str(second(link))
    with pytest.raises(BadDatabaseError, match=r"hard link.*remove the other"):
        Claim(link)
    for words in (["backup", str(tmp_path / "copy.sqlite")], ["purge", "--days", "1"]):
        done = rollwright("db", *words, "--database", str(link))
        assert (2, True) == (done.code, "has 2 names" in done.err)


def test_a_deleted_lock_frees_nothing(served):
    """Whoever deletes the file with the number still meets the lock, which is on the database."""
    file, _ = served
    lock = file.with_name(f"{file.name}.lock")
    if os.name == "nt":  # where nobody can delete what is open
        with pytest.raises(PermissionError):
            lock.unlink()
        return
    lock.unlink()
    assert FileInUseError is type(second(file))
    assert "another process" in str(second(file))
    assert 0 == owner_of(file)


@pytest.mark.parametrize("way", ["restore", "move", "upgrade"])
def test_commands_find_out_who_serves(served, tmp_path, way):
    """What writes a whole database is refused while a server runs, through a link too."""
    if os.name == "nt":
        pytest.skip("links need rights on Windows")
    file, _ = served
    link = tmp_path / "link.sqlite"
    link.symlink_to(file)
    file.with_name(f"{file.name}.lock").unlink()
    backup = str(tmp_path / "backup.sqlite")
    assert 0 == rollwright("db", "backup", backup, "--database", str(link)).code
    words = {
        "restore": ["restore", backup, "--replace"],
        "move": ["move", "--to", str(tmp_path / "new.sqlite")],
        "upgrade": ["upgrade"],
    }[way]
    done = rollwright("db", *words, "--database", str(link))
    assert (2, True) == (done.code, "is in use by" in done.err)


def test_a_claim_outlives_what_sqlite_closes(sqlite_url):
    """Closing connections to the file, here or in SQLite, does not give the claim away."""

    async def story():
        store = await Store.open(sqlite_url)
        await make(store, "abc")
        file = databases.file_of(databases.address(sqlite_url))
        with contextlib.closing(sqlite3.connect(file)) as other:
            other.execute("SELECT count(*) FROM tables").fetchone()
        with child(OPEN, sqlite_url, stderr=-3) as process:
            assert "" == process.stdout.readline()
        await store.close()
        with child(OPEN, sqlite_url) as process:
            assert "open\n" == process.stdout.readline()

    run(story())


@pytest.fixture
def given(monkeypatch):
    """Root, as far as this process knows; and to whom it gave what it made."""
    owners = []
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(os, "fchown", lambda _, *whose: owners.append(whose), raising=False)
    return owners


def test_what_root_makes_belongs_to_the_owner_of_the_database(tmp_path, given):
    """A lock that root left beside a service's file would keep the service from starting."""
    file = tmp_path / "table.sqlite"
    whose = (tmp_path.stat().st_uid, tmp_path.stat().st_gid)
    with Claim(file):
        assert [whose, whose] == given
    with Claim(file):
        assert [whose, whose] == given


def test_so_does_a_new_database_and_the_lock_of_a_folder_of_backups(tmp_path, given):
    """As `db restore` and `db backup --into` make them."""
    url = databases.address(f"{tmp_path}/table.sqlite")
    upgrade_database(url)
    made = len(given)
    assert made == 2
    (tmp_path / "backups").mkdir()
    backup_into(url, tmp_path / "backups", ())
    assert made + 2 == len(given)  # the lock, and the backup itself


@needs_links
def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path, given):
    """Or whoever has the folder could let root make a file for them anywhere."""
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "table.sqlite.lock").symlink_to(elsewhere)
    with pytest.raises(BadDatabaseError, match=r"table\.sqlite\.lock cannot be written"):
        Claim(tmp_path / "table.sqlite")
    assert not elsewhere.exists()
