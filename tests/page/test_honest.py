"""What was agreed is not asked, one question has one number, and two logs are never mixed."""

import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.page.conftest import a_server
from tests.page.playing import card, enter, odds, option, options, panel, pick, roll


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that these tests may end and begin again."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


@pytest.fixture
def bo(somebody):
    """Bo alone at a table of Twilight: 2000, with the form of a check before him."""
    bo = somebody()
    bo.open_table("Twilight: 2000", "Bo")
    return bo


def throw(bo, *faces):
    """Bo throws real dice for a check; the card of that roll."""
    place = panel(bo, "Skill")
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Skill roll")
    enter(mine, *faces)
    return mine


def test_never_push_is_not_asked(bo):
    """Set before the roll it settles the choice, which is told as agreed and can be taken back."""
    pick(panel(bo, "Skill"), "If there is a choice", "Never push")
    mine = throw(bo, 3, 2)
    expect(mine.locator(".told")).to_be_visible()
    expect(mine).to_contain_text("as agreed")
    mine.get_by_role("button", name="Take back").click()
    expect(option(mine, "Push")).to_be_visible()
    option(mine, "Push").click()
    enter(mine, 6, 2)
    expect(mine.locator(".told")).to_be_visible()


def test_a_success_with_nothing_to_gain_is_not_asked(bo):
    """Whoever wants to be asked is asked after a failure, and not after a success."""
    mine = throw(bo, 6, 2)
    expect(mine.locator(".told")).to_be_visible()
    mine = throw(bo, 3, 2)
    expect(option(mine, "Push")).to_be_visible()


@pytest.mark.parametrize(
    ("play", "said", "when"),
    [
        ("Ask me", "69 %", "if you never push"),
        ("Never push", "69 %", "if you never push"),
        ("Push a failure", "87 %", "with a push of a failure"),
    ],
)
def test_one_question_has_one_number(bo, play, said, when):
    """The button, the pictures and the card of the roll afterwards say the same, and its play.

    By hand: D8 and D10 show no 6 or more in 5 of 8 by 5 of 10 throws, which leaves 55 of 80. Pushed
    then, a 1 stays and 4 faces are thrown again: a D8 fails in 1/8 + 4/8 · 5/8 = 7/16, a D10 in
    1/10 + 4/10 · 5/10 = 3/10, both in 21 of 160.
    """
    place = panel(bo, "Skill")
    pick(place, "If there is a choice", play)
    expect(odds(place)).to_have_text(said)
    expect(place.locator(".plays")).to_contain_text(when)
    mine = throw(bo, 6, 2)
    expect(mine.locator(".odds-line")).to_contain_text(said)
    expect(mine.locator(".odds-line")).to_contain_text(when)
    panel(bo, "Skill").get_by_role("link", name="Explore this roll").click()
    expect(bo.page.locator(".chance strong")).to_have_text(said)


def rolls_of(name, person):
    """The lines of somebody's rolls in the feed of a person."""
    return person.page.locator(".feed-item.is-roll", has_text=re.compile(rf"{name}\s*Skill roll"))


def test_a_restored_log_is_not_mixed_with_the_other(bo, somebody, server, tmp_path):
    """After a restore the numbers of events agree; the page shows what is in the log of now."""
    ann = somebody()
    ann.join(bo.link(), "Ann")
    expect(bo.feed("Ann sits down")).to_be_visible()
    server.end()
    shutil.copytree(server.folder, tmp_path / "kept")
    server.begin()
    expect(throw(bo, 6, 2).locator(".told")).to_be_visible()
    expect(rolls_of("Bo", bo)).to_have_count(1)
    bo.context.set_offline(True)
    server.end()
    for path in server.folder.glob("tables.sqlite*"):
        path.unlink()
    for path in (tmp_path / "kept").glob("tables.sqlite*"):
        shutil.copy(path, server.folder / path.name)
    server.begin()
    ann.page.reload()
    for _ in range(2):
        expect(throw(ann, 6, 2).locator(".told")).to_be_visible()
    bo.context.set_offline(False)
    expect(rolls_of("Ann", bo)).to_have_count(2)
    expect(rolls_of("Bo", bo)).to_have_count(0)
    expect(bo.page.locator(".roll-card", has_text="Bo Skill roll")).to_have_count(0)
