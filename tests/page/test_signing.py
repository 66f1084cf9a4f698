"""Rolls are signed on the device that asks for them, witnesses answer, and devices protest."""

import json
import re

import pytest
from playwright.sync_api import expect

from rollwright.table.verify.log import verify_log
from tests.browsers import launched
from tests.page.people import Person, wait_until
from tests.page.playing import options, part

LOG = """async () => {
  const id = location.pathname.split("/").at(-1);
  const name = Object.keys(localStorage).find((one) => one.endsWith("tables"));
  const { token } = JSON.parse(localStorage.getItem(name))[id];
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`/api/v1/tables/${id}/log.json`, { headers })).text();
}"""
CHANGE = """([ending, change]) => {
  const name = Object.keys(localStorage).find((one) => one.includes(ending));
  const held = JSON.parse(localStorage.getItem(name));
  localStorage.setItem(name, JSON.stringify(new Function("held", change)(held)));
}"""


def log_of(person):
    """The log of the table that somebody sits at, as they have it."""
    return json.loads(person.page.evaluate(LOG))


def checked(person):
    """What a check of their log says; nothing is ever wrong with it."""
    report = verify_log(log_of(person))
    assert () == report.problems
    return report.counts


def remember(person, ending, change):
    """Change what the browser of somebody remembers under a name."""
    person.page.evaluate(CHANGE, [ending, change])


def throw(page, dice):
    """Roll some dice at a table without a game."""
    page.locator(".roll-pane input").first.fill(dice)
    page.locator(".roll-button").click()


def told(page, dice):
    """The card of a roll that has ended."""
    return page.locator(".roll-card", has_text=dice).locator(".told")


def calls_in(log):
    """The signed calls of a log."""
    calls = [(event.get("body") or {}).get("call") or {} for event in log["events"]]
    return [call for call in calls if "device" in call]


class Line:
    """What goes between a page and the server, which can be kept back or changed on its way."""

    def __init__(self, page):
        self.up = self.down = lambda message: message
        self.sent = []
        """The commands that left the page."""
        self._lines = []
        page.route_web_socket("**/socket*", self._plug)

    def _plug(self, line):
        server = line.connect_to_server()
        self._lines.append(line)

        def upwards(text):
            message = json.loads(text)
            if "command" in message:
                self.sent.append(message["command"])
            if (message := self.up(message)) is not None:
                server.send(json.dumps(message))

        def downwards(text):
            if (message := self.down(json.loads(text))) is not None:
                line.send(json.dumps(message))

        line.on_message(upwards)
        server.on_message(downwards)

    def cut(self):
        """Break the line; the page comes back by itself."""
        self._lines.pop().close()


@pytest.fixture
def rosa(somebody):
    """Somebody who has opened a table for dice alone."""
    rosa = somebody()
    rosa.open_table("Free dice", "Rosa")
    return rosa


@pytest.fixture
def bo(rosa, somebody):
    """Somebody who has joined it."""
    bo = somebody()
    bo.join(rosa.link(), "Bo")
    bo.page.get_by_role("region", name="Stage", exact=True).wait_for()
    return bo


def wait_for_a_witness(rosa):
    """Let the dice of the table wait for a witness."""
    rosa.page.get_by_role("navigation", name="Table").get_by_role("button", name="More").click()
    rosa.page.get_by_role("button", name="House rules").click()
    dialog = rosa.page.get_by_role("dialog", name="House rules")
    dialog.get_by_label("Dice wait for a witness").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    rosa.page.get_by_role("navigation", name="Table").get_by_role("button", name="Roll").click()


def test_rolls_are_signed_also_after_the_page_was_loaded_anew(rosa):
    """The counter goes on, every slot is spent once, and the dialog says who signed."""
    throw(rosa.page, "2d6")
    expect(told(rosa.page, "2d6")).to_be_visible()
    rosa.page.reload()
    throw(rosa.page, "3d6")
    rosa.page.get_by_role("button", name="Dice verified").click()
    step = rosa.page.locator(".fair-step", has_text="Your own device signed").first
    expect(step).to_have_attribute("data-good", "true")
    expect(rosa.page.locator(".fair-step[data-good=false]")).to_have_count(0)
    assert [1, 2] == [call["counter"] for call in calls_in(log_of(rosa))]
    counts = checked(rosa)
    assert (2, 0, 0) == (counts["signatures"], counts["unsigned throws"], counts["insertions"])


def test_a_roll_that_nobody_is_told_of_has_a_count_of_its_own(rosa):
    """In the lane of the table: a gap in the other count would tell of it."""
    page = rosa.page
    throw(page, "2d6")
    expect(told(page, "2d6")).to_be_visible()
    place = page.locator(".roll-pane")
    options(place, way="Private")
    place.get_by_role("checkbox", name=re.compile("Others see that")).uncheck()
    throw(page, "1d20")
    expect(told(page, "1d20")).to_be_visible()
    calls = calls_in(log_of(rosa))
    assert [("d1", 1), ("table", 1)] == [(call["lane"], call["counter"]) for call in calls]
    assert 2 == checked(rosa)["signatures"]


def test_what_is_written_to_a_roll_is_signed_as_a_seal(rosa):
    """The words themselves stand beside the log, where they can be erased."""
    page = rosa.page
    options(page.locator(".roll-pane"))
    page.get_by_role("textbox", name="Why").fill("for luck")
    throw(page, "2d6")
    expect(page.locator(".roll-card", has_text="for luck")).to_be_visible()
    [call] = calls_in(log_of(rosa))
    assert ["seal"] == list(call["command"]["note"])
    assert 1 == checked(rosa)["signatures"]


def test_the_same_bytes_are_sent_again(rosa):
    """A call without an answer is sent as it was, after the line broke and after a reload."""
    line = Line(rosa.page)
    rosa.page.reload()
    line.up = lambda message: None if "command" in message else message
    throw(rosa.page, "2d6")
    wait_until(rosa.page, lambda: len(line.sent) == 1)
    line.cut()
    wait_until(rosa.page, lambda: len(line.sent) == 2)
    rosa.page.reload()
    wait_until(rosa.page, lambda: len(line.sent) == 3)
    line.up = lambda message: message
    line.cut()
    expect(told(rosa.page, "2d6")).to_be_visible()
    assert 4 == len(line.sent)
    assert all(sent == line.sent[0] for sent in line.sent)
    assert 0 == checked(rosa)["calls never answered"]


def test_a_roll_that_another_was_quicker_than_is_called_for_anew(rosa):
    """Two tabs spend one slot: the log says that the second was refused, and its dice fall."""
    page, second = rosa.page, rosa.new_page()
    line = Line(second)
    second.goto(page.url)
    expect(second.locator(".roll-button")).to_be_visible()
    kept = []

    def hold(message):
        """The second tab hears of nothing until it was refused."""
        if "events" in message:
            kept.append(message)
            return None
        return message

    line.down = hold
    throw(page, "2d6")
    expect(told(page, "2d6")).to_be_visible()

    def let_go(message):
        if kept and "ack" in message:
            merged = [event for held in kept for event in held["events"]]
            kept.clear()
            line.down = lambda message: message
            line._lines[-1].send(json.dumps({"events": merged}))
        return hold(message) if line.down is let_go else message

    wait_until(page, lambda: kept)
    line.down = let_go
    throw(second, "3d6")
    expect(told(second, "3d6")).to_be_visible()
    counts = checked(rosa)
    assert (1, 3, 0) == (
        counts["calls refused"],
        counts["signatures"],
        counts["calls never answered"],
    )


def test_what_was_changed_just_before_is_told(somebody):
    """A roll that was signed before the house rules changed is refused, and the person told."""
    rosa, bo = somebody(), somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    line = Line(bo.page)
    bo.join(rosa.link(), "Bo")
    place = part(bo, "Roll")
    place.locator(".roll-button").wait_for()
    line.down = lambda message: None if "events" in message else message
    part(rosa, "More").get_by_role("button", name="House rules").click()
    dialog = rosa.page.get_by_role("dialog", name="House rules")
    dialog.locator(".rule > summary").last.click()
    dialog.get_by_role("radio").last.check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    place.locator(".roll-button").click()
    expect(bo.seen("changed just before; nothing was rolled").first).to_be_visible()
    counts = checked(rosa)
    assert (1, 0) == (counts["calls refused"], counts["throws"])


def test_dice_wait_for_a_witness_who_answers_by_itself(rosa, bo):
    """Nobody presses anything: the other device tells its number, and the check says so."""
    wait_for_a_witness(rosa)
    expect_offers(rosa)
    throw(rosa.page, "2d6")
    expect(told(rosa.page, "2d6")).to_be_visible()
    rosa.page.get_by_role("button", name="Dice verified").click()
    step = rosa.page.locator(".fair-step", has_text="Bo's device, as a witness").first
    expect(step).to_have_attribute("data-good", "true")
    counts = checked(bo)
    assert (1, 0) == (counts["witnessed throws"], counts["silent witnesses"])


def expect_offers(person):
    """Somebody has numbers ready for throws of others."""

    def offered():
        return "witness.committed" in [event["kind"] for event in log_of(person)["events"]]

    wait_until(person.page, offered)


def test_a_witness_who_is_silent_is_passed_over_and_named(rosa, bo):
    """The card says whom it waits for; then the dice fall, and the log says why without them."""
    wait_for_a_witness(rosa)
    expect_offers(rosa)
    wait_until(rosa.page, lambda: len(offers_of(log_of(rosa), "s2")) >= 1)
    bo.page.close()
    throw(rosa.page, "2d6")
    expect(rosa.seen("Waiting for Bo's device, as a witness")).to_be_visible()
    expect(told(rosa.page, "2d6")).to_be_visible()
    rosa.page.get_by_role("button", name="Dice verified").click()
    step = rosa.page.locator(".fair-step", has_text="Bo was asked as a witness").first
    expect(step).to_have_attribute("data-good", "unknown")
    counts = checked(rosa)
    assert (0, 1) == (counts["witnessed throws"], counts["silent witnesses"])


def offers_of(log, seat):
    """What a seat has offered as a witness."""
    bodies = [event.get("body") or {} for event in log["events"]]
    return [one for body in bodies if body.get("by") == seat for one in body.get("commitments", [])]


def test_a_witness_who_had_answered_protests(rosa, bo):
    """A host that says so of somebody who told their number is found out by them."""
    line = Line(bo.page)
    bo.page.reload()
    wait_for_a_witness(rosa)
    wait_until(rosa.page, lambda: offers_of(log_of(rosa), "s2"))

    def keep_back(message):
        call = message.get("command", {}).get("call", {})
        return None if call.get("command", {}).get("do") == "witness.reveal" else message

    line.up = keep_back
    throw(rosa.page, "2d6")
    expect(told(rosa.page, "2d6")).to_be_visible()
    alert = bo.page.get_by_role("alert").filter(has_text="what the log says")
    expect(alert).to_contain_text("Your device told its number as a witness")
    alert.get_by_role("button", name="I have seen this").click()
    expect(alert).to_have_count(0)


def test_a_host_that_puts_words_into_ones_mouth_is_found_out(rosa):
    """An event in the name of this device that it never signed is protested against."""
    line = Line(rosa.page)
    rosa.page.reload()

    def meddle(message):
        for event in message.get("events", []):
            if "number" in (call := event.get("body", {}).get("call", {})):
                call["number"] = "0" * 64
        return message

    line.down = meddle
    throw(rosa.page, "2d6")
    alert = rosa.page.get_by_role("alert").filter(has_text="what the log says")
    expect(alert).to_contain_text("is in your name, but this browser never signed it")
    rosa.page.get_by_role("button", name="Does not add up").click()
    step = rosa.page.locator(".fair-step[data-good=false]")
    expect(step.filter(has_text="Your browser never signed for this")).to_be_visible()


def test_a_log_that_was_rewritten_is_found_out(rosa):
    """What this browser had seen is no longer there: the page says so when it comes back."""
    throw(rosa.page, "2d6")
    expect(told(rosa.page, "2d6")).to_be_visible()
    remember(rosa, "head.", "return {...held, hash: '0'.repeat(64)}")
    rosa.page.reload()
    alert = rosa.page.get_by_role("alert").filter(has_text="what the log says")
    expect(alert).to_contain_text("the log has another in its place")


def test_a_seat_goes_on_from_another_device(rosa, bo, somebody):
    """A link hands token and key over; both devices sign, each with a count of its own."""
    link = moving_link(bo, "Bo")
    phone = somebody()
    phone.page.goto(link)
    throw(phone.page, "2d6")
    expect(told(phone.page, "2d6")).to_be_visible()
    throw(bo.page, "3d6")
    expect(told(bo.page, "3d6")).to_be_visible()
    calls = calls_in(log_of(rosa))
    assert [("d2", 1), ("d3", 1), ("d2", 2)] == [
        (call["device"], call["counter"]) for call in calls
    ]
    assert 0 == checked(rosa)["keys replaced"]
    assert "#" not in phone.page.url


def moving_link(person, name):
    """The link by which the seat of somebody goes on from another device."""
    table = person.page.get_by_role("navigation", name="Table")
    table.get_by_role("button", name="More").click()
    person.page.get_by_role("button", name=f"What can be done with {name}'s seat").click()
    dialog = person.page.get_by_role("dialog", name=name)
    dialog.get_by_role("button", name="Link for another device").click()
    link = dialog.get_by_label("Link for another device").input_value()
    dialog.get_by_role("button", name="Close").click()
    table.get_by_role("button", name="Roll").click()
    return link


def test_a_lost_key_is_replaced_by_a_referee(rosa, bo):
    """The page says what to do; by the referee's link the seat rolls again, and the check tells."""
    remember(bo, "tables", "for (const one of Object.values(held)) delete one.seed; return held")
    bo.page.reload()
    expect(bo.seen("This browser cannot sign for you")).to_be_visible()
    throw(bo.page, "2d6")
    expect(bo.seen("ask a referee for a “link for another device”").first).to_be_visible()
    bo.page.goto(moving_link(rosa, "Bo"))
    expect(bo.seen("This browser cannot sign for you")).to_have_count(0)
    throw(bo.page, "3d6")
    expect(told(bo.page, "3d6")).to_be_visible()
    assert 1 == checked(rosa)["keys replaced"]


def test_rolls_are_signed_without_tls(browser, server):
    """In a local network on plain http the browser offers no cryptography: the page has its own."""
    other = launched(browser.browser_type, "--host-resolver-rules=MAP table.test 127.0.0.1")
    ann = Person(other, server.address.replace("127.0.0.1", "table.test"))
    ann.open_table_by_hand("Free dice", "Ann")
    assert not ann.page.evaluate("!!globalThis.crypto.subtle")
    throw(ann.page, "2d6")
    expect(told(ann.page, "2d6")).to_be_visible()
    assert 1 == checked(ann)["signatures"]
    other.close()


def test_everybody_has_the_same_words_to_compare(rosa, bo):
    """The head in eight words, where the table is looked after and in the dialog of a roll."""
    throw(rosa.page, "2d6")
    expect(told(bo.page, "2d6")).to_be_visible()
    words = []
    for person in (rosa, bo):
        table = person.page.get_by_role("navigation", name="Table")
        table.get_by_role("button", name="More").click()
        words.append(person.page.locator(".more .spoken").text_content())
    assert words[0] == words[1]
    assert 8 == len(words[0].split("-"))


def test_nothing_is_rolled_unsigned_where_the_key_was_left_out(rosa, somebody):
    """A host that seats somebody without their key would have them roll on its word."""
    bo = somebody()

    def leave_out(route):
        body = route.request.post_data_json
        route.continue_(post_data=json.dumps({**body, "key": ""}))

    bo.page.route("**/join", leave_out)
    bo.join(rosa.link(), "Bo")
    bo.page.get_by_role("region", name="Stage", exact=True).wait_for()
    throw(bo.page, "2d6")
    expect(bo.seen("This browser rolls nothing unsigned").first).to_be_visible()
    assert [] == [event for event in log_of(rosa)["events"] if event["kind"] == "roll.started"]


def test_a_device_that_nobody_of_the_seat_asked_for_is_told(rosa, bo):
    """A referee may seat one for somebody who lost theirs; whoever did not is told of it."""
    line = Line(bo.page)
    bo.page.reload()
    bo.page.get_by_role("region", name="Stage", exact=True).wait_for()

    def seat_another(message):
        for event in message.get("events", []):
            device = {"id": "d9", "key": "ab" * 32}
            event["kind"] = "seat.moved"
            event["body"] = {"by": "s1", "seat": "s2", "keep_old": True, "device": device}
        return message

    line.down = seat_another
    throw(rosa.page, "2d6")
    alert = bo.page.get_by_role("alert").filter(has_text="what the log says")
    expect(alert).to_contain_text("lets another device sign for you")


def keys_in(log):
    """The public keys of devices that a log names."""
    bodies = [json.dumps([event.get("open"), event.get("body")]) for event in log["events"]]
    return {key for body in bodies for key in re.findall(r'"key": "([0-9a-f]{64})"', body)}


def test_two_tables_of_one_browser_cannot_be_told_to_have_the_same_player(rosa):
    """A key belongs to one device and one table: no key of the first stands in the second."""
    first = keys_in(log_of(rosa))
    rosa.open_table("Free dice", "Rosa")
    second = keys_in(log_of(rosa))
    assert first
    assert second
    assert not first & second
