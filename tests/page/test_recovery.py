"""Nothing is lost or doubled by reloads, other devices, cut networks, restarts and second tabs."""

import json

import pytest
from playwright.sync_api import expect

from rollwright.client import Server
from tests.page.conftest import a_server
from tests.page.people import KEEPING, PATIENCE, PHONE
from tests.page.playing import (
    at,
    card,
    close,
    enter,
    odds,
    option,
    panel,
    part,
    roll,
    tab,
    true_log,
)

GONE = "No connection. The table comes back by itself."
WAITS = "1 action waits to be sent"
SKILL = {"roll": "skill", "attribute": "B", "skill": "C"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that these tests may end and begin again."""
    with a_server(tmp_path_factory.mktemp("tables")) as serving:
        yield serving


@pytest.fixture
def two(host):
    """Rosa, the referee of a Twilight: 2000 table, and Bo, whose real dice show no success."""
    rosa = host.create_table("twilight2000", name="Rosa")
    bo = host.join(rosa.links["player"], name="Bo")
    bo.enter(bo.roll(SKILL, physical=True), [3, 2])
    return rosa, bo


def log_of(rosa, folder):
    """The kinds of all events, in their order, of a log that is true."""
    path = folder / "log.json"
    path.write_text(json.dumps(rosa.log()), "utf-8")
    return [event["kind"] for event in true_log(path)]


class Wire:
    """The socket of one page, which can be cut, or lose an answer, while all else still works."""

    def __init__(self, page):
        self.broken = False
        self.lines = []
        self.loses = ""
        """Once this is done, the line breaks before the page hears of it."""
        self.asked = []
        self.lost = []
        page.route_web_socket("**/socket*", self.plug)

    def plug(self, line):
        """Let a socket through, unless the wire is cut."""
        if self.broken:
            return line.close()
        server = line.connect_to_server()
        self.lines.append(line)

        def up(message):
            command = json.loads(message).get("command", {})
            if self.loses and command.get("call", {}).get("command", {}).get("do") == self.loses:
                self.asked.append(command["id"])
            server.send(message)

        def down(message):
            if self.lost or not self.asked:
                line.send(message)
            elif json.loads(message).get("ack", {}).get("id") in self.asked:
                self.lost.append(message)
                line.close()

        line.on_message(up)
        server.on_message(down)

    def cut(self):
        """Break the line, and every new one."""
        self.broken = True
        self.lines.pop().close()


def test_an_open_choice_goes_on_in_every_tab_and_on_another_device(two, somebody, tmp_path):
    """Two tabs and a laptop sit on Bo's seat: each thing is done once, and all know of it."""
    rosa, bo = two
    phone, laptop = somebody(size=PHONE), somebody()
    wire = Wire(phone.page)
    phone.page.goto(str(bo.move()))
    second = phone.new_page()
    second.goto(phone.page.url)
    two_tabs_of_one_seat_agree(phone, second, wire)
    an_answer_lost_on_the_way_doubles_nothing(phone, second, wire)
    another_device_goes_on(phone, second, laptop)
    kinds = log_of(rosa, tmp_path)
    expected = {"roll.started": 2, "roll.chosen": 1, "roll.thrown": 3, "chat.sent": 1}
    assert expected == {kind: kinds.count(kind) for kind in expected}
    assert kinds.index("chat.sent") < kinds.index("roll.chosen")
    rosa.do("seat.remove", seat=bo.seat)
    a_removed_seat_is_told_and_stops(phone, second, laptop)


def two_tabs_of_one_seat_agree(phone, second, wire):
    """What one tab chooses is gone in the other; neither loses what the other has yet to send.

    The choice outlives a reload, before it is sent and after.
    """
    mine, there = card(phone, "Skill roll"), second.locator(".stage-pane .roll-card")
    expect(option(mine, "Push")).to_contain_text("best")
    expect(option(there, "Push")).to_contain_text("best")
    wire.cut()
    expect(phone.seen(GONE)).to_be_visible()
    option(mine, "Push").click()
    expect(phone.seen(WAITS)).to_be_visible()
    second.locator("nav .tab-feed").click()
    second.get_by_label("Say something").fill("From the other tab")
    second.get_by_role("button", name="Send").click()
    expect(second.locator(".feed-item", has_text="From the other tab")).to_have_count(1)
    phone.page.reload()
    expect(phone.seen(WAITS)).to_be_visible()
    wire.broken = False
    expect(phone.seen(GONE)).to_have_count(0)
    expect(phone.feed("From the other tab")).to_have_count(1)
    for place in (mine, there):
        expect(option(place, "Push")).to_have_count(0)


def an_answer_lost_on_the_way_doubles_nothing(phone, second, wire):
    """The line breaks after the server has rolled and before the page has heard: one roll."""
    wire.loses = "roll.start"
    place = panel(phone, "Any dice")
    place.get_by_label("Dice", exact=True).fill("3d6")
    expect(odds(place)).to_have_text("10.5")
    roll(place)
    expect(card(phone, "3d6").locator(".told")).to_be_visible()
    expect(phone.seen(GONE)).to_have_count(0)
    expect(second.locator(".feed-item.is-roll", has_text="3d6")).to_have_count(1)
    assert 1 == len(wire.lost) == len(set(wire.asked)) < len(wire.asked)


def another_device_goes_on(phone, second, laptop):
    """The link of the seat takes it to another device, which goes on with the roll."""
    part(phone, "More").get_by_role("button", name="What can be done with Bo's seat").click()
    dialog = phone.page.get_by_role("dialog", name="Bo")
    dialog.get_by_role("button", name="Link for another device").click()
    link = dialog.get_by_role("textbox", name="Link for another device").input_value()
    close(dialog)
    laptop.page.goto(link)
    strip = laptop.page.locator(".waiting-strip")
    strip.click()
    enter(card(laptop, "Skill roll"), 8, 2)
    for page in (phone.page, second, laptop.page):
        told = page.locator(".feed-item.is-roll", has_text="Skill roll")
        expect(told).to_contain_text("Success")
        expect(page.get_by_role("alert")).to_have_count(0)  # nobody finds the log changed


def a_removed_seat_is_told_and_stops(phone, second, laptop):
    """Every page of whoever is removed says so, and the link leads nowhere."""
    for page in (phone.page, second, laptop.page):
        expect(page.get_by_role("heading", name="removed")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("your seat was removed")
    phone.page.reload()
    expect(phone.page.get_by_role("heading", name="The door is shut")).to_be_visible()


def test_what_is_done_without_a_network_happens_once(two, somebody, tmp_path):
    """A push pressed and a word typed offline outlive a reload, and are sent once, in order."""
    rosa, bo = two
    phone = at(somebody, bo, size=PHONE, **KEEPING)
    mine = card(phone, "Skill roll")
    expect(option(mine, "Push")).to_be_visible()
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    phone.context.set_offline(True)
    expect(phone.seen(GONE)).to_be_visible()
    option(mine, "Push").click()
    tab(phone, "Feed")
    phone.page.get_by_label("Say something").fill("I push!")
    phone.page.get_by_role("button", name="Send").click()
    expect(phone.seen("2 actions wait to be sent")).to_be_visible()
    phone.page.reload()
    expect(phone.seen(GONE)).to_be_visible()
    expect(phone.seen("2 actions wait to be sent")).to_be_visible()
    assert not {"roll.chosen", "chat.sent"} & {*log_of(rosa, tmp_path)}

    phone.context.set_offline(False)

    expect(phone.feed("I push!")).to_have_count(1)
    expect(phone.seen(GONE)).to_have_count(0)
    enter(card(phone, "Skill roll"), 8, 2)
    expect(card(phone, "Skill roll").locator(".told")).to_contain_text("pushed")
    kinds = log_of(rosa, tmp_path)
    assert (1, 1) == (kinds.count("roll.chosen"), kinds.count("chat.sent"))
    assert kinds.index("roll.chosen") < kinds.index("chat.sent")


def test_open_rolls_outlive_an_end_and_a_power_cut(two, somebody, server, tmp_path):
    """The page says that it waits, comes back by itself, and the roll and the odds go on."""
    rosa, bo = two
    person = at(somebody, bo)
    mine, place = card(person, "Skill roll"), panel(person, "Attack")
    expect(odds(place)).to_contain_text("%")

    def without_server(act, *, kill):
        server.end(kill=kill)
        expect(person.seen(GONE)).to_be_visible()
        place.get_by_role("button", name="Modifier: less").click()
        expect(place.get_by_text("The server cannot be reached")).to_be_visible()
        act()
        expect(person.seen(WAITS)).to_be_visible()
        server.begin()
        expect(person.seen(GONE)).to_have_count(0, timeout=2 * PATIENCE)
        expect(place.get_by_text("The server cannot be reached")).to_have_count(0)
        expect(odds(place)).to_contain_text("%")

    without_server(option(mine, "Push").click, kill=False)
    without_server(lambda: enter(mine, 8, 2), kill=True)
    expect(mine.locator(".told")).to_contain_text("pushed")
    with Server(server.address) as again:
        kinds = log_of(again.table(rosa.link), tmp_path)
    assert [1, 1, 2] == [
        kinds.count(kind) for kind in ("roll.started", "roll.chosen", "roll.thrown")
    ]
