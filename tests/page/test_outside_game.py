"""A game from outside, played by two browsers in two languages, from the link to the export.

Its package is built and installed as a stranger's would be; the page knows nothing of it.
"""

import json
import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests import outside
from tests.page.conftest import Serving
from tests.page.people import PHONE
from tests.page.playing import (
    card,
    export,
    labelled,
    option,
    options,
    panel,
    part,
    roll,
    tab,
    take,
)
from tests.page.playing import enter as enter_faces


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Where the package of the game is installed."""
    return outside.installed(tmp_path_factory.mktemp("outside"))


@pytest.fixture(scope="module")
def harbour(site, tmp_path_factory):
    """A server that has the game installed."""
    serving = Serving(tmp_path_factory.mktemp("harbour"), path=site).begin()
    yield serving
    serving.end()


@pytest.fixture
def crew(somebody, harbour):
    """Rosa, who runs the game and plays a pilot, and Dora with a German phone."""
    rosa = somebody(address=harbour.address)
    dora = somebody(address=harbour.address, size=PHONE, locale="de-DE")
    rosa.open_table_by_hand("Harbour Lights", "Rosa")
    part(rosa, "Sheet").get_by_label("Name of the character").fill("Rosa")
    part(rosa, "Sheet").get_by_role("button", name="A pilot").click()
    expect(part(rosa, "Sheet").get_by_role("article")).to_be_visible()
    with Server(harbour.address) as server:
        seat = server.join(rosa.link(), name="Dora")
        seat.do("sheet.create", values={"name": "Lise"})
        dora.page.goto(str(seat.move()))
    return rosa, dora


def dora_at(dora, name):
    """A part of the table on the German phone, brought into sight."""
    tabs = dora.page.get_by_role("navigation", name="Teile des Tisches")
    tabs.get_by_role("button", name=re.compile(f"^{name}")).click()
    return dora.page.get_by_role("region", name=name, exact=True)


def begin(dora, kind):
    """Dora's panel with a kind of roll, to be rolled with dice of her own."""
    place = dora_at(dora, "Würfeln")
    kinds = place.get_by_role("group", name="Arten von Würfen")
    kinds.get_by_role("button", name=kind, exact=True).click()
    box = place.locator("details.roll-options")
    if not box.evaluate("box => box.open"):
        place.get_by_text("Wie gewürfelt wird").click()
    place.get_by_role("checkbox", name="Eigene Würfel").set_checked(True)
    return place


def choose(place, group, name):
    """Tap one of several."""
    found = place.get_by_role("group", name=group, exact=True)
    take(found.get_by_role("radio", name=name, exact=True))


def type_in(place, *faces):
    """Dora reads her dice, sign by sign."""
    group = place.get_by_role("group", name="Augen echter Würfel")
    for face in faces:
        group.get_by_role("button", name=face, exact=True).click()
    group.get_by_role("button", name="Eintragen").click()


def newest(dora):
    """The newest roll on Dora's stage."""
    dora_at(dora, "Bühne")
    return dora.page.locator(".roll-card").last


def shares(rosa, dora, light, alarm):
    """Both see what the table shares, each in their words."""
    tab(rosa, "Stage")
    everybody = rosa.page.get_by_role("region", name="Everybody")
    for said in (f"Light: {light} of 6", f"Alarm: {alarm} of 10"):
        expect(everybody.get_by_role("group", name=said)).to_be_visible()
    dora_at(dora, "Bogen")
    alle = dora.page.get_by_role("region", name="Alle")
    for said in (f"Licht: {light} von 6", f"Alarm: {alarm} von 10"):
        expect(alle.get_by_role("group", name=said)).to_be_visible()
    return everybody, alle


def test_an_evening_from_link_to_export(crew, site, tmp_path):
    """A run with help and light, a hand on the pool, a duel in the dark, and a true log; then a
    draft is edited without a network.
    """
    rosa, dora = crew
    a_run_with_help(rosa, dora)
    hands_on_the_pool(rosa, dora)
    a_duel_in_the_dark(rosa, dora)
    assert [] == [*rosa.barriers(), *dora.barriers()]
    dice_of_the_table(rosa)
    what_is_left(rosa, site, tmp_path)
    a_draft_edited_offline_is_refilled_on_return(rosa, dora)


def a_run_with_help(rosa, dora):
    """HARBOUR R1 to R5: signs on dice, light burnt twice, a gull, and a helper who is asked."""
    shares(rosa, dora, 3, 0)
    place = begin(dora, "Fahrt")
    expect(place.get_by_text("Der Tisch hat 3 Lichter.")).to_be_visible()
    choose(place, "Können", "1")
    choose(place, "Gefahr", "1")
    choose(place, "Licht verbrennen", "1")
    choose(place, "Wer hilft", "Rosa")
    place.get_by_role("button", name="Augen eingeben").last.click()
    mine = newest(dora)
    expect(mine).to_contain_text("Fahrt mit Hilfe von Rosa")
    type_in(mine, "leer", "ein Stern und ein Tau", "zwei Sterne")
    type_in(mine, "eine Welle und eine Möwe")
    labelled(
        mine,
        "Tat zeigt leer",
        "Tat zeigt ein Stern und ein Tau",
        "Tat zeigt zwei Sterne",
        "Gefahr zeigt eine Welle und eine Möwe",
    )
    signs = [0, 2, 2, 2]
    dice = mine.locator(".die")
    assert signs == [dice.nth(n).locator("image").count() for n in range(4)]
    assert ["d8", "d6"] == [dice.nth(n).get_attribute("data-shape") for n in (0, 3)]
    assert 0 == dice.locator("text").count()
    choice = mine.get_by_role("group", name="Deine Wahl")
    expect(choice).to_contain_text("Bisher 2 Sterne")
    again = choice.get_by_role("button", name=re.compile("^Leere Würfel noch einmal"))
    expect(again).to_contain_text("Für ein Licht des Tisches")
    again.click()
    type_in(mine, "ein Tau")
    expect(mine).to_contain_text("Durchgekommen")
    expect(mine.locator(".told p")).to_have_text("2 Sterne bleiben. Eine Möwe schreit.")
    hers = card(rosa, "with the help of Rosa")
    expect(hers).to_contain_text("Through")
    expect(hers.locator(".told p")).to_have_text("2 stars are left. A gull cries.")
    labelled(
        hers,
        "deed shows blank, does not count",
        "deed shows a star and a rope",
        "deed shows two stars",
        "peril shows a wave and a gull",
        "deed shows a rope",
    )
    shares(rosa, dora, 2, 1)  # two ropes were a light for the table
    hers.get_by_role("button", name="Let it happen").click()
    expect(hers.get_by_text("let it happen.")).to_be_visible()
    tired = part(rosa, "Sheet").get_by_role("group", name="Tired: 1 of 3")
    expect(tired).to_be_visible()


def hands_on_the_pool(rosa, dora):
    """Everybody burns light by hand; the alarm is the referee's, and so is taking back."""
    everybody, alle = shares(rosa, dora, 2, 1)
    expect(alle.get_by_role("button", name="Alarm: auf 2 setzen")).to_be_disabled()
    alle.get_by_role("button", name="Licht: auf 5 setzen").click()
    shares(rosa, dora, 5, 1)
    line = rosa.feed("Dora changed what everybody shares")
    line.get_by_role("button", name="Undo this change").click()
    shares(rosa, dora, 2, 1)
    everybody.get_by_role("button", name="Alarm: set to 4").click()
    shares(rosa, dora, 2, 4)
    expect(dora.feed("Rosa hat Gemeinsames geändert")).to_be_visible()


def a_duel_in_the_dark(rosa, dora):
    """HARBOUR R6: Rosa's pilot throws unseen; Dora learns nothing of it before the end."""
    place = begin(dora, "Duell")
    choose(place, "Können", "1")
    choose(place, "Gegen wen", "Rosa")
    expect(place.get_by_role("group", name="Können des anderen")).to_be_visible()
    place.get_by_role("button", name="Augen eingeben").last.click()
    mine, hers = newest(dora), card(rosa, "against Rosa")
    expect(mine).to_contain_text("Duell gegen Rosa")
    expect(mine).to_contain_text("Wartet auf die Würfel von Rosa")
    enter_faces(hers, "a star", "blank", "two ropes")
    expect(mine).to_contain_text("Ein verdeckter Wurf")
    expect(mine.locator(".die")).to_have_count(0)
    expect(hers.get_by_role("group", name="Your choice")).to_contain_text("1 star so far")
    assert "Stern" not in mine.inner_text()
    option(hers, "Stand firm").click()
    type_in(mine, "zwei Sterne")
    expect(mine.locator(".told p")).to_have_text("Gewonnen mit 1 Stern Vorsprung.")
    expect(mine.locator(".die")).to_have_count(4)
    hers.get_by_role("button", name="Let it happen").click()
    nerve = part(rosa, "Sheet").get_by_role("group", name="Nerve: 2 of 5")
    expect(nerve).to_be_visible()


def dice_of_the_table(rosa):
    """Signs that the table throws are proved in the browser, whatever they are."""
    place = panel(rosa, "Duel")
    options(place)
    roll(place)
    mine = rosa.page.locator(".roll-card").last
    option(mine, "Stand firm").click()
    expect(mine.locator(".told")).to_be_visible()
    expect(mine.get_by_role("button", name="Verified")).to_have_class(re.compile("good"))


def what_is_left(rosa, site, folder):
    """The log says who shared, helped and opposed, and is true where the game is installed."""
    log = export(rosa, "Log, to verify", folder)
    command = [sys.executable, "-m", "rollwright", "verify", str(log)]
    env = {**os.environ, "PYTHONPATH": str(site)}
    verified = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=env)
    assert (0, "") == (verified.returncode, verified.stderr), verified.stdout
    events = json.loads(log.read_text("utf-8"))["events"]
    bodies = [event["body"] for event in events if event["kind"] == "roll.started"]
    assert [{"helper": "s1"}, {"opponent": "s1"}, {}] == [body["roles"] for body in bodies]
    changed = [event["body"] for event in events if event["kind"] == "sheet.changed"]
    assert 4 == sum(body["sheet"] == "table" for body in changed)
    history = export(rosa, "History to read", folder).read_text("utf-8")
    for said in ("the table: alarm 1 → 4", "2 stars are left.", "1 alarm in the harbour"):
        assert said in history


def a_draft_edited_offline_is_refilled_on_return(rosa, dora):
    """What was touched while nobody answered stays; the rest follows the pool of now."""
    tab(rosa, "Stage")
    rosa.page.get_by_role("button", name="Light: set to 3").click()
    place = begin(dora, "Fahrt")
    choose(place, "Licht verbrennen", "3")
    expect(place.locator(".dock .chance strong")).to_be_visible()
    dora.context.set_offline(True)
    expect(dora.page.locator(".offline")).to_be_visible()
    choose(place, "Gefahr", "4")
    rosa.page.get_by_role("button", name="Light: set to 1").click()
    dora.context.set_offline(False)
    expect(dora.page.locator(".offline")).to_have_count(0)
    expect(place.get_by_text("Der Tisch hat 1 Licht.")).to_be_visible()
    peril = place.get_by_role("group", name="Gefahr", exact=True)
    expect(peril.get_by_role("radio", name="4", exact=True)).to_be_checked()
    expect(place.get_by_text("der Tisch hat nur noch 1 Licht").first).to_be_visible()
    choose(place, "Licht verbrennen", "1")
    place.get_by_role("button", name="Augen eingeben").last.click()
    expect(newest(dora)).to_contain_text("Fahrt")
