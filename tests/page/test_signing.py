"""Rolls are signed in the browser that asks for them, witnesses answer, and browsers protest.

What is signed and what a browser protests against is shown call by call in
web/tests/calling.test.tsx; here real browsers sign, a real server writes it down, and `verify_log`
finds it true.
"""

import json
import re

from playwright.sync_api import expect

from rollwright.client.seats import KeySetup, MoveRequest
from rollwright.table.fairness import words_to_head
from rollwright.table.verify.log import verify_log
from tests.page.people import wait_until
from tests.page.playing import at, options, part, tab

LOG = """async () => {
  const id = location.pathname.split("/").at(-1);
  const name = Object.keys(localStorage).find((one) => one.endsWith("tables"));
  const { token } = JSON.parse(localStorage.getItem(name))[id];
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`/api/v1/tables/${id}/log.json`, { headers })).text();
}"""
FORGET_KEYS = """() => {
  const name = Object.keys(localStorage).find((one) => one.endsWith("tables"));
  const held = JSON.parse(localStorage.getItem(name));
  for (const one of Object.values(held)) delete one.seed;
  localStorage.setItem(name, JSON.stringify(held));
}"""
SILENT = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (!text.includes('"witness.reveal"')) send.call(this, text);
  };
}"""


def log_of(person):
    """The log of the table that somebody sits at, as they have it."""
    return json.loads(person.page.evaluate(LOG))


def checked(person):
    """What a check of their log says; nothing is ever wrong with it."""
    report = verify_log(log_of(person))
    assert () == report.problems
    return report.counts


def throw(person, dice):
    """Roll some dice at a table without a game, and wait until they lie."""
    begin(person, dice)
    lies(person, dice)


def begin(person, dice):
    """Ask for some dice at a table without a game."""
    person.page.locator(".roll-pane input").first.fill(dice)
    person.page.locator(".roll-button").click()


def lies(person, dice):
    """A roll has ended."""
    expect(person.page.locator(".roll-card", has_text=dice).locator(".told")).to_be_visible()


def step(person, text):
    """A step of the check of the newest roll, which all can look at."""
    return person.page.locator(".fair-step", has_text=text).first


def calls_in(log):
    """The signed calls of a log."""
    calls = [(event.get("body") or {}).get("call") or {} for event in log["events"]]
    return [call for call in calls if "device" in call]


def test_the_rolls_of_a_browser_are_signed_and_true(somebody, host):
    """All that it rolls at one table, with a host that at last puts words into its mouth."""
    rosa = somebody()
    rosa.open_table("Free dice", "Rosa")
    counts_go_on_after_a_reload(rosa)
    secret_rolls_have_a_count_of_their_own(rosa)
    words_are_sealed(rosa)
    the_log_has_a_name_of_eight_words(rosa)
    another_device_has_a_count_of_its_own(rosa, host)
    words_in_its_mouth_are_found_out(rosa)


def counts_go_on_after_a_reload(rosa):
    """Every slot is spent once, and the dialog says who signed."""
    throw(rosa, "2d6")
    rosa.page.reload()
    throw(rosa, "3d6")
    rosa.page.get_by_role("button", name="Dice verified").click()
    expect(step(rosa, "Your own device signed")).to_have_attribute("data-good", "true")
    expect(rosa.page.locator(".fair-step[data-good=false]")).to_have_count(0)
    rosa.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert [1, 2] == [call["counter"] for call in calls_in(log_of(rosa))]
    counts = checked(rosa)
    assert (2, 0, 0) == (counts["signatures"], counts["unsigned throws"], counts["insertions"])


def secret_rolls_have_a_count_of_their_own(rosa):
    """In the lane of the table: a gap in the other count would tell of it."""
    place = part(rosa, "Roll")
    options(place, way="Private")
    place.get_by_role("checkbox", name=re.compile("Others see that")).uncheck()
    throw(rosa, "1d20")
    calls = calls_in(log_of(rosa))
    assert [("d1", 1), ("d1", 2), ("table", 1)] == [(one["lane"], one["counter"]) for one in calls]
    assert 3 == checked(rosa)["signatures"]


def words_are_sealed(rosa):
    """They stand beside the log, where they can be erased."""
    place = part(rosa, "Roll")
    options(place)
    place.get_by_role("textbox", name="Why").fill("for luck")
    throw(rosa, "4d6")
    expect(rosa.page.locator(".roll-card", has_text="for luck")).to_be_visible()
    assert ["seal"] == list(calls_in(log_of(rosa))[-1]["command"]["note"])
    assert 4 == checked(rosa)["signatures"]


def the_log_has_a_name_of_eight_words(rosa):
    """Whoever has the same log has the same words to compare."""
    tab(rosa, "More")
    words = rosa.page.locator(".more .spoken").text_content()
    assert 8 == len(words.split("-"))
    assert words_to_head(words) == log_of(rosa)["events"][-1]["hash"][:32]


def another_device_has_a_count_of_its_own(rosa, host):
    """A link hands token and key over; both sign, and neither takes the other for itself."""
    part(rosa, "More").get_by_role("button", name="What can be done with Rosa's seat").click()
    dialog = rosa.page.get_by_role("dialog", name="Rosa")
    dialog.get_by_role("button", name="Link for another device").click()
    link = dialog.get_by_label("Link for another device").input_value()
    dialog.get_by_role("button", name="Close").click()
    host.table(link).roll("5d6")
    tab(rosa, "Roll")
    lies(rosa, "5d6")
    throw(rosa, "6d6")
    calls = [(one["device"], one["counter"]) for one in calls_in(log_of(rosa))[-2:]]
    assert [("d2", 1), ("d1", 5)] == calls
    assert 0 == checked(rosa)["keys replaced"]


def words_in_its_mouth_are_found_out(rosa):
    """An event in the name of this device that it never signed is protested against."""

    def plug(line):
        server = line.connect_to_server()
        server.on_message(lambda text: line.send(json.dumps(meddled(json.loads(text)))))

    def meddled(message):
        for event in message.get("events", []):
            if "number" in (call := event.get("body", {}).get("call", {})):
                call["number"] = "0" * 64
        return message

    rosa.page.route_web_socket("**/socket*", plug)
    rosa.page.reload()
    throw(rosa, "7d6")
    alert = rosa.page.get_by_role("alert").filter(has_text="what the log says")
    expect(alert).to_contain_text("is in your name, but this browser never signed it")
    rosa.page.get_by_role("button", name="Does not add up").click()
    expect(step(rosa, "Your browser never signed for this")).to_have_attribute("data-good", "false")


def test_a_witness_answers_by_itself_and_is_named_where_it_does_not(somebody, host):
    """Nobody presses anything; where its answer is kept from the log, the witness says so."""
    rosa = host.create_table(name="Rosa")
    bo = at(somebody, host.join(rosa.links["player"], name="Bo"))
    rosa.do("table.change", witnesses=True)
    wait_until(bo.page, lambda: "witness.committed" in kinds_in(log_of(bo)))
    rosa.roll("2d6")
    lies(bo, "2d6")
    bo.page.get_by_role("button", name="Dice verified").click()
    expect(step(bo, "as a witness")).to_have_attribute("data-good", "true")
    bo.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    bo.page.evaluate(SILENT)
    rosa.roll("3d6")
    lies(bo, "3d6")
    bo.page.get_by_role("button", name="Dice verified").click()
    expect(step(bo, "Bo was asked as a witness")).to_have_attribute("data-good", "unknown")
    bo.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    alert = bo.page.get_by_role("alert").filter(has_text="what the log says")
    expect(alert).to_contain_text("Your device told its number as a witness")
    alert.get_by_role("button", name="I have seen this").click()
    expect(alert).to_have_count(0)
    counts = checked(bo)
    assert (1, 1) == (counts["witnessed throws"], counts["silent witnesses"])


def kinds_in(log):
    """The kinds of the events of a log."""
    return [event["kind"] for event in log["events"]]


def test_a_lost_key_is_replaced_by_a_referee(somebody, host):
    """The page says what to do; by the referee's link the seat rolls again, and the check tells."""
    rosa = host.create_table(name="Rosa")
    seat = host.join(rosa.links["player"], name="Bo")
    bo = at(somebody, seat)
    bo.page.evaluate(FORGET_KEYS)
    bo.page.reload()
    expect(bo.seen("This browser cannot sign for you")).to_be_visible()
    begin(bo, "2d6")
    expect(bo.seen("ask a referee for a “link for another device”").first).to_be_visible()
    moving = MoveRequest(seat.link, KeySetup(signs=True))
    rosa.do("seat.move", seat=seat.seat, keep_old=False, **moving.fields)
    bo.page.goto(str(moving.link))
    expect(bo.seen("This browser cannot sign for you")).to_have_count(0)
    throw(bo, "3d6")
    assert 1 == checked(bo)["keys replaced"]
    assert "#" not in bo.page.url


def test_rolls_are_signed_without_tls(somebody, server):
    """In a local network on plain http the browser offers no cryptography: the page has its own."""
    ann = somebody(address=server.address.replace("127.0.0.1", "0.0.0.0"))
    ann.open_table_by_hand("Free dice", "Ann")
    assert not ann.page.evaluate("isSecureContext || !!crypto.subtle")
    throw(ann, "2d6")
    assert 1 == checked(ann)["signatures"]
