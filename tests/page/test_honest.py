"""Two logs are never mixed.

That what was agreed is not asked, and that one question has one number, is looked at in
web/tests/panel.test.tsx; what is agreed at all is the table's (tests/table/test_agreements.py).
"""

import re
import shutil

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.page.conftest import a_server
from tests.page.playing import at

CHECK = {"roll": "skill", "attribute": "B", "skill": "C"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that these tests may end and begin again."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


def rolls(server, link, times):
    """Somebody makes checks with real dice that succeed, so that nothing is asked of them."""
    with Server(server.address) as api:
        seat = api.table(link)
        for _ in range(times):
            seat.enter(seat.roll(CHECK, physical=True, policy="never"), [6, 2])


def rolls_of(name, person):
    """The lines of somebody's rolls in the feed of a person."""
    return person.page.locator(".feed-item.is-roll", has_text=re.compile(rf"{name}\s*Skill roll"))


def test_a_restored_log_is_not_mixed_with_the_other(somebody, server, tmp_path):
    """After a restore the numbers of events agree; the page shows what is in the log of now."""
    with Server(server.address) as api:
        rosa = api.create_table("twilight2000", name="Rosa", signs=False)
        bo, ann = (api.join(rosa.links["player"], name=name, signs=False) for name in ("Bo", "Ann"))
        person = at(somebody, bo)
    server.end()
    shutil.copytree(server.folder, tmp_path / "kept")
    server.begin()
    rolls(server, bo.link, 1)
    expect(rolls_of("Bo", person)).to_have_count(1)
    expect(person.page.locator(".roll-card", has_text="Bo Skill roll")).to_have_count(1)
    person.context.set_offline(True)
    server.end()
    for path in server.folder.glob("tables.sqlite*"):
        path.unlink()
    for path in (tmp_path / "kept").glob("tables.sqlite*"):
        shutil.copy(path, server.folder / path.name)
    server.begin()
    rolls(server, ann.link, 2)
    person.context.set_offline(False)
    expect(rolls_of("Ann", person)).to_have_count(2)
    expect(rolls_of("Bo", person)).to_have_count(0)
    expect(person.page.locator(".roll-card", has_text="Bo Skill roll")).to_have_count(0)
