"""A game in one file, played by two browsers in two languages, from the link to the export."""

import json
import os
import re
import sys

import pytest
from playwright.sync_api import expect

from tests import nursery
from tests.game.conftest import EXAMPLES
from tests.page.conftest import Serving
from tests.page.people import PHONE
from tests.page.playing import card, enter, export, option, part, take
from tests.page.test_outside_game import begin, dora_at, newest, type_in


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with both games, each taken as its file."""
    files = ",".join(str(EXAMPLES / f"{name}.py") for name in ("duality", "marsh_race"))
    serving = Serving(tmp_path_factory.mktemp("files"), f"--game={files}").begin()
    yield serving
    serving.end()


def choose(place, group, name):
    """Tap one of several, by how it begins."""
    found = place.get_by_role("group", name=group, exact=True)
    take(found.get_by_role("radio", name=re.compile(f"^{name}")))


def crew(somebody, server, title):
    """Rosa, who runs the game, and Dora with a German phone; both have sheets."""
    rosa = somebody(address=server.address)
    dora = somebody(address=server.address, size=PHONE, locale="de-DE")
    rosa.open_table_by_hand(title, "Rosa")
    dora.page.goto(rosa.link())
    dora.page.get_by_label("Dein Name").fill("Dora")
    dora.page.get_by_role("button", name="Hinsetzen").click()
    sheet = part(rosa, "Sheet")
    sheet.get_by_label("Name of the character").fill("Ash")
    sheet.get_by_role("button", name="Make the sheet").click()
    expect(sheet.get_by_role("article")).to_be_visible()
    sheet = dora_at(dora, "Bogen")
    sheet.get_by_label("Name der Figur").fill("Bo")
    sheet.get_by_role("button", name="Bogen anlegen").click()
    expect(sheet.get_by_role("article")).to_be_visible()
    return rosa, dora


def true_log(person, folder):
    """The events of the exported log, which is true where the games are known."""
    log = export(person, "Log, to verify", folder)
    games = ",".join(str(one) for one in sorted(EXAMPLES.glob("*.py")))
    done = nursery.run(
        [sys.executable, "-m", "rollwright", "verify", str(log)],
        env={**os.environ, "ROLLWRIGHT_GAME": games},
    )
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    return json.loads(log.read_text("utf-8"))["events"]


def test_duality_is_played_in_two_languages(somebody, server, tmp_path):
    """Help from another seat, dice thrown again for Stress, and Hope on both sheets."""
    rosa, dora = crew(somebody, server, "Duality")
    place = begin(dora, "Handlung")
    choose(place, "Eigenschaft", "Gewandtheit")
    choose(place, "Hilfe von", "Ash")
    place.get_by_role("button", name="Augen eingeben").last.click()
    mine = newest(dora)
    expect(mine).to_contain_text("Handlung: Gewandtheit")
    hers = card(rosa, "Action: Agility")
    option(hers, "Help").click()
    type_in(mine, "4")
    type_in(mine, "3", "8")
    mine.get_by_role("button", name=re.compile("^Furcht noch einmal")).click()
    type_in(mine, "5")
    mine.get_by_role("button", name=re.compile("^Behalten")).click()
    expect(mine).to_contain_text("Erfolg")
    expect(mine.locator(".told p")).to_contain_text("Furcht noch einmal (Stress +1)")
    expect(card(rosa, "Success").locator(".told p")).to_contain_text("Success with hope (Hope +1)")
    stress = dora_at(dora, "Bogen").get_by_role("group", name="Stress: 1 von 6")
    expect(stress).to_be_visible()
    hope = part(rosa, "Sheet").get_by_label("Hope: 1 of 6")
    expect(hope).to_be_visible()
    assert [] == [*rosa.barriers(), *dora.barriers()]
    events = true_log(rosa, tmp_path)
    assert any(event["kind"] == "sheet.changed" for event in events)


def test_the_race_is_run_by_two(somebody, server, tmp_path):
    """Each throws and decides in turn, and the first one home has won."""
    rosa, dora = crew(somebody, server, "Marsh Race")
    place = begin(dora, "Lauf")
    choose(place, "Gegner", "Ash")
    place.get_by_role("button", name="Augen eingeben").last.click()
    mine, hers = newest(dora), card(rosa, "Race")
    type_in(mine, "1")
    expect(hers.locator(".die")).to_have_count(1)
    enter(hers, 5)
    option(hers, "Stop").click()
    expect(mine.locator(".die")).to_have_count(2)
    type_in(mine, "6")
    mine.get_by_role("button", name=re.compile("^Weiterlaufen")).click()
    type_in(mine, "6")
    expect(mine).to_contain_text("Zu Hause")
    true_log(rosa, tmp_path)
