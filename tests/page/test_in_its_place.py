"""Everything in its place at 1280 by 720 and on a phone: nothing lies over what is read."""

from playwright.sync_api import expect

from tests.page.moments import push, seated
from tests.page.people import PHONE, resize
from tests.page.playing import about_roll, at, part

LAPTOP = (1280, 720)
COVERED = """head => {
  const box = head.getBoundingClientRect();
  const over = [];
  for (const x of [0.05, 0.3, 0.5, 0.7, 0.95]) for (const y of [0.1, 0.5, 0.9]) {
    const top = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    if (!top?.closest(".roll-card")) over.push(top?.outerHTML.slice(0, 100));
  }
  return over;
}"""
TURNED = "svg => getComputedStyle(svg).rotate"
SCROLLED = """() => {
  const table = document.querySelector(".table-page");
  table.scrollTo(0, 1000);
  return table.scrollTop;
}"""
OVER = """([toast, line]) => {
  const [one, other] = [toast, line].map((found) => found.getBoundingClientRect());
  return one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
}"""


def test_everything_is_in_its_place(somebody, host):
    """While somebody decides, rolls and reads, on a phone and on a laptop; whatever is brought
    into sight in a part of the table, its top stays where it is.
    """
    rosa, bo = seated(host, "twilight2000")
    bo.choose(push(bo), "keep")
    for number in range(12):
        rosa.do("chat.send", text=f"Rain, hour {number}.")
    push(bo)
    person = at(somebody, bo, size=PHONE)
    never_scrolls(person)
    what_is_told_leaves_the_newest_line_in_sight(person, bo)
    who_sees_a_roll_is_said_beside_its_button(person)
    resize(person.page, LAPTOP)
    never_scrolls(person)
    nothing_lies_over_the_head_of_a_card(person)


def nothing_lies_over_the_head_of_a_card(person):
    """On the stage while somebody decides, and of a card that is opened in the feed."""
    staged = person.page.locator(".stage-pane .roll-card")
    expect(staged.locator(".option-worth")).to_have_count(2)
    assert [] == staged.locator(".roll-head").evaluate(COVERED)
    settled = person.page.locator(".feed-item.is-roll", has_text="Miss")
    settled.locator(".feed-line").click()
    opened = settled.locator(".roll-card")
    opened.scroll_into_view_if_needed()
    assert [] == opened.locator(".roll-head").evaluate(COVERED)


def never_scrolls(person):
    """The table as a whole: only its parts do."""
    person.page.locator(".sheet-pane .roll-row").first.wait_for(state="attached")
    assert 0 == person.page.evaluate(SCROLLED)


def who_sees_a_roll_is_said_beside_its_button(person):
    """Both are in sight at once; a tap leads to the choice, and what folds turns its chevron."""
    panel = part(person, "Roll").locator(".roll-panel")
    button = panel.locator(".roll-button")
    who = panel.get_by_role("button", name="Who sees it: Open")
    expect(button).to_be_in_viewport(ratio=1)
    expect(who).to_be_in_viewport(ratio=1)
    chevron = panel.locator(".roll-options > summary > svg").first
    assert "none" == chevron.evaluate(TURNED)
    who.click()
    expect(panel.get_by_role("radio", name="Open")).to_be_focused()
    expect(panel.locator(".roll-options")).to_have_attribute("open", "")
    expect(button).to_be_in_viewport(ratio=1)
    person.page.wait_for_function(
        "svg => getComputedStyle(svg).rotate === '90deg'", arg=chevron.element_handle()
    )


def what_is_told_leaves_the_newest_line_in_sight(person, bo):
    """The sentence stands at the top, the newest line at the bottom."""
    about_roll(part(person, "Stage").locator(".roll-card"), "Share, with odds and a link")
    toast = person.page.locator(".toast")
    expect(toast).to_be_visible()
    bo.do("chat.send", text="It stops.")
    newest = person.feed("It stops.")
    expect(newest).to_be_in_viewport(ratio=0.99)
    handles = [toast.element_handle(), newest.element_handle()]
    assert person.page.evaluate(OVER, handles) is False
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).to_have_count(0)
