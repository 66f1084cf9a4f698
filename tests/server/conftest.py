"""Real servers for the tests of the table server, started when a test first asks for one."""

import contextlib
import math
import os
import shutil
from functools import partial

import pytest

from rollwright.client import http
from rollwright.server import app as server_app
from rollwright.server import limits
from rollwright.server.storage import versions
from rollwright.server.storage.store import Store
from rollwright.workers import costs
from tests.server import guests, harness, parts

LATER = '''
"""A version of the future: something more is known of a table."""
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{newest}"


def upgrade():
    # SQLite makes the table anew: what refers to it must stay.
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "never"
    with op.batch_alter_table("tables", recreate=recreate) as table:
        table.add_column(sa.Column("colour", sa.Text, nullable=False, server_default="red"))
    op.create_table("later", sa.Column("id", sa.Text, primary_key=True))
'''

# Limits of file sizes and kill -9 are of Unix.
collect_ignore = ["test_parts.py", "test_store_failures.py"] if os.name == "nt" else []


@pytest.fixture(scope="session", autouse=True)
def patient():
    """Who waits for a process waits for as long as a busy machine takes to start it.

    Servers in this process wait for what counts; clients that are not told how long to try wait
    for a server that was killed, which is 15 s elsewhere.
    """
    usual = server_app._worker_limits

    def limits_of(settings):
        return usual(settings)._replace(wait=600)

    def trying(patience):
        return usual_trying(120 if patience == http.PATIENCE else patience)

    usual_trying = http.RetryTimer
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_app, "_worker_limits", limits_of)
        patch.setattr(http, "RetryTimer", trying)
        yield


@pytest.fixture(scope="session")
def servers():
    """The servers of this process, stopped at the end."""
    yield parts
    parts.stop_all()


@pytest.fixture
def postgres(servers):
    """A PostgreSQL that runs, even if the test before has killed it."""
    return servers.running_postgres()


@pytest.fixture
def redis_server(servers):
    """A Redis that runs, even if the test before has killed it."""
    return servers.running_redis()


@pytest.fixture(scope="module")
def app():
    """A server with an address, on SQLite, for all tests of a module."""
    with harness.one_app() as found:
        yield found


@pytest.fixture(scope="module")
def address(app):
    """Where that server is."""
    return app.address


@pytest.fixture
def table(serving):
    """A new table at the server that a module has."""
    return guests.Founded(serving.address)


@pytest.fixture
def unfilled(monkeypatch):
    """Servers whose buckets do not fill again, however long a test takes."""
    monkeypatch.setattr(limits, "Buckets", partial(limits.Buckets, clock=lambda: 0.0))


@pytest.fixture
def countable(unfilled, monkeypatch):
    """Besides, work is charged by what it writes and sends alone, however slow the machine is."""
    monkeypatch.setattr(costs, "UNIT_SECONDS", math.inf)


@pytest.fixture
def sqlite_url(tmp_path):
    """The address of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path}/table.sqlite"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.storm)])
def database_url(request):
    """The address of an empty database, one of each kind."""
    if request.param == "sqlite":
        return request.getfixturevalue("sqlite_url")
    return request.getfixturevalue("postgres").fresh()


@pytest.fixture
def open_store():
    """`async with open_store(url, …) as store`: closed again whatever happens."""

    @contextlib.asynccontextmanager
    async def opened(url, **settings):
        store = await Store.open(url, **settings)
        try:
            yield store
        finally:
            await store.close()

    return opened


@pytest.fixture
def later(tmp_path):
    """The versions there are, and one more behind them."""
    scripts = shutil.copytree(versions.SCRIPTS, tmp_path / "migrations")
    script = LATER.format(newest=versions.newest())
    (scripts / "versions" / "later.py").write_text(script)
    return scripts
