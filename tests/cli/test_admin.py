"""`rollwright admin`: on a database and over HTTP, what it says, gives to programs and refuses."""

import json
import re

import click
import pytest

from rollwright.cli.commands.admin import admin as command
from rollwright.server.storage.databases import address
from rollwright.server.storage.inventory import upgrade_database
from tests.cli.running import ROOT, rollwright
from tests.server.guests import Founded, Serving

pytestmark = pytest.mark.long


@pytest.fixture
def database(tmp_path):
    """The address of a database without tables."""
    url = f"sqlite:///{tmp_path}/table.sqlite"
    upgrade_database(address(url))
    return url


@pytest.fixture
def hosted(database, monkeypatch):
    """A server with a table, whose token the commands have."""
    made = rollwright("admin", "token", "--database", database)
    with Serving(database) as server:
        monkeypatch.setenv("ROLLWRIGHT_ADMIN_TOKEN", made.out.strip())
        yield server, Founded(server.address, title="Oaks")


def facts(*words):
    """What a command gives to programs."""
    done = rollwright("admin", *words, "--json")
    assert (0, "") == (done.code, done.err), done
    return json.loads(done.out)


@pytest.fixture(params=["database", "http"])
def way(request, hosted, database):
    """Both ways to the same server."""
    server, _ = hosted
    if request.param == "database":
        return ("--database", database)
    return ("--server", server.address)


def test_both_ways_tell_the_same_of_tables(hosted, way):
    """Ids, times, events and bytes; no title and no name."""
    _, table = hosted
    [listed] = facts("tables", *way)["tables"]
    assert (table.id, 2) == (listed["table"], listed["events"])
    assert listed["bytes"] > 500
    assert listed == facts("table", table.id, *way)
    said = rollwright("admin", "tables", *way).out
    assert said.startswith(f"{table.id}, made ")
    assert "Oaks" not in said
    assert {"tables": 1, "events": 2}.items() <= facts("quotas", *way).items()
    assert "1 table, 2 events." in rollwright("admin", "quotas", *way).out


def test_a_table_is_exported_and_deleted(hosted, way, tmp_path):
    """The export is for the host's eyes, and its file too; deleting needs a word more."""
    _, table = hosted
    file = tmp_path / "whole.json"
    assert 0 == rollwright("admin", "export", table.id, str(file), *way).code
    log = json.loads(file.read_text("utf-8"))
    assert ("host", 2) == (log["for"], len(log["events"]))
    assert "Oaks" in file.read_text("utf-8")
    assert 0 == file.stat().st_mode & 0o077
    again = rollwright("admin", "export", table.id, str(file), *way)
    assert (2, True) == (again.code, "--replace" in again.err)
    unsure = rollwright("admin", "delete", table.id, *way)
    assert (2, True) == (unsure.code, "--yes" in unsure.err)
    assert {"deleted": table.id} == facts("delete", table.id, "--yes", *way)
    gone = rollwright("admin", "table", table.id, *way)
    assert (2, True) == (gone.code, "there is no" in gone.err)
    assert 401 == table.referee.ask("GET").status_code


def test_bans_are_made_listed_and_lifted(hosted, way):
    """With an end or without one; what is no address is refused in one line."""
    made = facts("ban", "203.0.113.9", "--hours", "2", *way)
    assert ("203.0.113.9/32", 7_200_000) == (made["network"], made["ends_at"] - made["made_at"])
    assert [made] == facts("bans", *way)["bans"]
    assert "is kept out until 2" in rollwright("admin", "bans", *way).out
    assert {"lifted": "203.0.113.9"} == facts("lift", "203.0.113.9", *way)
    assert "Nobody is kept out." == rollwright("admin", "bans", *way).out.strip()
    for words in (("lift", "203.0.113.9"), ("ban", "nobody")):
        refused = rollwright("admin", *words, *way)
        assert (2, 1) == (refused.code, len(refused.err.splitlines()))


def test_keys_are_made_and_taken_back(hosted, way):
    """A link with the key behind its #; all of them end together."""
    made = facts("invite", "--days", "2", "--page", "https://dice.example/", *way)
    assert f"https://dice.example/#{made['key']}" == made["link"]
    assert {"keys": 1} == facts("invite", "--take-back", *way)


def test_half_a_link_is_said_to_be_one(hosted, database):
    """On the database nobody knows where the page is: what stands before the # is missing."""
    made = rollwright("admin", "invite", "--database", database)
    assert re.fullmatch("/#[A-Za-z0-9_-]{43}", made.out.strip())
    assert "--page" in made.err


def test_the_token_can_be_taken_back(hosted, database):
    """Then nobody administers over HTTP any more."""
    server, _ = hosted
    assert {"tokens": 1} == facts("token", "--take-back", "--database", database)
    refused = rollwright("admin", "tables", "--server", server.address)
    assert (2, True) == (refused.code, "host's token" in refused.err)


def test_what_cannot_be_reached_is_told(monkeypatch, tmp_path):
    """No token, no server, no address, no database: one line each, and exit code 2."""
    monkeypatch.delenv("ROLLWRIGHT_ADMIN_TOKEN", raising=False)
    token = tmp_path / "token"
    token.write_text("t" * 43 + "\n", "utf-8")
    for words, told in (
        (("--server", "http://127.0.0.1:1"), "--token-file"),
        (("--server", "http://127.0.0.1:1", "--token-file", str(token)), "cannot be reached"),
        (("--server", "dice.example", "--token-file", str(token)), "https://dice.example would"),
        (("--server", "http://x", "--token-file", str(tmp_path / "none")), "none"),
        (("--database", str(tmp_path / "none.sqlite")), "there is no database"),
    ):
        refused = rollwright("admin", "tables", *words)
        assert (2, 1, True) == (refused.code, len(refused.err.splitlines()), told in refused.err)


def test_every_command_has_json_and_is_in_the_docs():
    """Each command of `admin`, and each of its options, stands on the page of servers' commands."""
    page = (ROOT / "docs" / "table" / "server-commands.md").read_text("utf-8")
    for name, one in command.commands.items():
        assert f"rollwright admin {name}" in page
        options = {
            word for found in one.params if isinstance(found, click.Option) for word in found.opts
        }
        assert {"--json", "--database"} <= options
        assert set() == {option for option in options if option not in page}


def test_a_slip_is_met_with_a_guess():
    """As everywhere."""
    assert "did you mean 'tables'?" in rollwright("admin", "tabels").err


def test_a_token_that_others_can_read_on_its_way_is_warned_of(tmp_path):
    """Over plain http to another machine; not over https, and not on this machine."""
    token = tmp_path / "token"
    token.write_text("secret")
    for server, warned in (
        ("http://dice.invalid", True),
        ("https://dice.invalid", False),
        ("http://127.0.0.1:1", False),
    ):
        told = rollwright("admin", "tables", "--server", server, "--token-file", str(token))
        assert warned == ("plain http" in told.err), told
        assert "secret" not in told.err + told.out
