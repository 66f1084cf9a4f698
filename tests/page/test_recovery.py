"""Nothing is lost or doubled by reloads, other devices, cut networks, restarts and second tabs."""

import json

import pytest
from playwright.sync_api import expect

from tests.page.conftest import a_server
from tests.page.people import KEEPING, PATIENCE, PHONE
from tests.page.playing import (
    card,
    close,
    enter,
    export,
    odds,
    option,
    options,
    panel,
    part,
    roll,
    tab,
    true_log,
)

GONE = "No connection. The table comes back by itself."


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that these tests may end and begin again."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


def sat_down(somebody, **how):
    """Rosa, the referee of a Twilight: 2000 table, and Bo with a phone of some kind."""
    rosa, bo = somebody(), somebody(size=PHONE, **how)
    rosa.open_table("Twilight: 2000", "Rosa")
    bo.join(rosa.link(), "Bo")
    expect(bo.feed("Bo sits down")).to_be_visible()
    return rosa, bo


@pytest.fixture
def two(somebody):
    """Rosa and Bo at her table."""
    return sat_down(somebody)


def failed_roll(bo):
    """Bo throws real dice, which show no success: the choice is his. The card of that roll."""
    place = panel(bo, "Skill")
    options(place, own_dice=True)
    roll(place)
    mine = card(bo, "Skill roll")
    enter(mine, 3, 2)
    expect(option(mine, "Push")).to_be_visible()
    return mine


def log_of(rosa, folder):
    """The kinds of all events, in their order, of a log that is true."""
    return [event["kind"] for event in true_log(export(rosa, "Log, to verify", folder))]


def test_a_push_goes_on_after_a_reload_and_on_another_device(two, somebody, tmp_path):
    """The open choice outlives a reload, and the seat's link takes it to another device."""
    rosa, bo = two
    failed_roll(bo)
    bo.page.reload()
    mine = card(bo, "Skill roll")
    expect(option(mine, "Push")).to_contain_text("best")
    part(bo, "More").get_by_role("button", name="What can be done with Bo's seat").click()
    dialog = bo.page.get_by_role("dialog", name="Bo")
    dialog.get_by_role("button", name="Link for another device").click()
    link = dialog.get_by_role("textbox", name="Link for another device").input_value()
    close(dialog)

    laptop = somebody()
    laptop.page.goto(link)
    option(card(laptop, "Skill roll"), "Push").click()
    enter(card(laptop, "Skill roll"), 8, 2)

    for person in (rosa, bo, laptop):
        expect(card(person, "Skill roll").locator(".told")).to_contain_text("1 success")
    assert 1 == log_of(rosa, tmp_path).count("roll.chosen")


def test_what_is_done_without_a_network_happens_once(somebody, tmp_path):
    """A push pressed and a word typed offline outlive a reload, and are sent once, in order."""
    rosa, bo = sat_down(somebody, **KEEPING)
    mine = failed_roll(bo)
    bo.page.evaluate("navigator.serviceWorker.ready")
    bo.context.set_offline(True)
    expect(bo.seen(GONE)).to_be_visible()
    option(mine, "Push").click()
    tab(bo, "Feed")
    bo.page.get_by_label("Say something").fill("I push!")
    bo.page.get_by_role("button", name="Send").click()
    expect(bo.seen("2 actions wait to be sent")).to_be_visible()
    bo.page.reload()
    expect(bo.seen(GONE)).to_be_visible()
    expect(bo.seen("2 actions wait to be sent")).to_be_visible()
    expect(rosa.seen("Waiting for Bo: Keep or push?")).to_be_visible()

    bo.context.set_offline(False)

    expect(rosa.feed("I push!")).to_have_count(1)
    expect(bo.seen(GONE)).to_have_count(0)
    enter(card(bo, "Skill roll"), 8, 2)
    expect(card(rosa, "Skill roll").locator(".told")).to_contain_text("pushed")
    bo.page.reload()
    expect(card(bo, "Skill roll").locator(".told")).to_contain_text("pushed")
    kinds = log_of(rosa, tmp_path)
    assert (1, 1) == (kinds.count("roll.chosen"), kinds.count("chat.sent"))
    assert kinds.index("roll.chosen") < kinds.index("chat.sent")


def test_an_answer_lost_on_the_way_doubles_nothing(two, tmp_path):
    """The line breaks after the server has rolled and before the page has heard: one roll."""
    rosa, bo = two
    rolls, cut = [], []

    def between(line):
        server = line.connect_to_server()

        def up(message):
            command = json.loads(message).get("command", {})
            if command.get("call", {}).get("command", {}).get("do") == "roll.start":
                rolls.append(command["id"])
            server.send(message)

        def down(message):
            if cut or not rolls:
                line.send(message)
            elif json.loads(message).get("ack", {}).get("id") in rolls:
                cut.append(message)
                line.close()

        line.on_message(up)
        server.on_message(down)

    bo.page.route_web_socket("**/socket*", between)
    bo.page.reload()
    place = panel(bo, "Any dice")
    place.get_by_label("Dice", exact=True).fill("3d6")
    expect(odds(place)).to_have_text("10.5")
    roll(place)

    expect(card(bo, "3d6").locator(".told")).to_be_visible()
    expect(bo.seen(GONE)).to_have_count(0)
    kinds = log_of(rosa, tmp_path)
    assert 1 == len(cut) == len(set(rolls)) < len(rolls)
    assert (1, 1) == (kinds.count("roll.started"), kinds.count("roll.thrown"))


def test_open_rolls_outlive_an_end_and_a_power_cut(two, server, tmp_path):
    """The page says that it waits, comes back by itself, and the roll and the odds go on."""
    rosa, bo = two
    place = panel(rosa, "Attack")
    for kill in (False, True):
        mine = failed_roll(bo)
        server.end(kill=kill)
        for person in (rosa, bo):
            expect(person.seen(GONE)).to_be_visible()
        place.get_by_role("button", name="Modifier: less").click()
        expect(place.get_by_text("The server cannot be reached")).to_be_visible()
        option(mine, "Push").click()
        expect(bo.seen("1 action waits to be sent")).to_be_visible()

        server.begin()

        for person in (rosa, bo):
            expect(person.seen(GONE)).to_have_count(0, timeout=2 * PATIENCE)
        expect(place.get_by_text("The server cannot be reached")).to_have_count(0)
        expect(odds(place)).to_contain_text("%")
        enter(mine, 8, 2)
        for person in (bo, rosa):
            expect(card(person, "Skill roll").locator(".told")).to_contain_text("pushed")
    kinds = log_of(rosa, tmp_path)
    assert (2, 2, 4) == tuple(
        kinds.count(kind) for kind in ("roll.started", "roll.chosen", "roll.thrown")
    )


def test_a_removed_seat_is_told_and_stops(two):
    """Both tabs of whoever is removed say so, and what still waited there is never sent."""
    rosa, bo = two
    second = bo.new_page()
    second.goto(bo.page.url)
    second.locator("nav .tab-feed").click()
    expect(second.get_by_label("Say something")).to_be_visible()
    part(rosa, "More").get_by_role("button", name="What can be done with Bo's seat").click()
    dialog = rosa.page.get_by_role("dialog", name="Bo")
    dialog.get_by_role("button", name="Remove the seat").click()
    dialog.get_by_role("button", name="Yes, remove").click()
    for page in (bo.page, second):
        expect(page.get_by_role("heading", name="removed")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("your seat was removed")
    expect(rosa.feed("Bo was removed by Rosa")).to_be_visible()

    bo.page.reload()
    expect(bo.page.get_by_role("heading", name="The door is shut")).to_be_visible()


class Wire:
    """The socket of one page, which can be cut while everything else still works."""

    def __init__(self, page):
        self.broken = False
        self.lines = []
        page.route_web_socket("**/socket*", self.plug)

    def plug(self, line):
        """Let a socket through, unless the wire is cut."""
        if self.broken:
            line.close()
        else:
            line.connect_to_server()
            self.lines.append(line)

    def cut(self):
        """Break the line, and every new one."""
        self.broken = True
        self.lines.pop().close()


def test_two_tabs_of_one_seat_agree(two, tmp_path):
    """What one tab chooses is gone in the other; neither loses what the other has yet to send."""
    rosa, bo = two
    wire = Wire(bo.page)
    bo.page.reload()
    mine = failed_roll(bo)
    second = bo.new_page()
    second.goto(bo.page.url)
    there = second.locator(".roll-card").last
    expect(option(there, "Push")).to_be_visible()

    wire.cut()
    expect(bo.seen(GONE)).to_be_visible()
    option(mine, "Push").click()
    expect(bo.seen("1 action waits to be sent")).to_be_visible()
    second.locator("nav .tab-feed").click()
    second.get_by_label("Say something").fill("From the other tab")
    second.get_by_role("button", name="Send").click()
    expect(rosa.feed("From the other tab")).to_have_count(1)
    bo.page.reload()
    expect(bo.seen("1 action waits to be sent")).to_be_visible()
    wire.broken = False

    enter(mine, 8, 2)
    for place in (mine, there, card(rosa, "Skill roll")):
        expect(place.locator(".told")).to_contain_text("pushed")
    expect(option(there, "Push")).to_have_count(0)
    assert 1 == log_of(rosa, tmp_path).count("roll.chosen")
