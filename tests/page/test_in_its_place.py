"""Everything in its place at 1280 by 720 and on a phone: nothing lies over what is read."""

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.moments import push, seated
from tests.page.people import PHONE, resize
from tests.page.playing import around, at, part

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
OVER = """([toast, line]) => {
  const [one, other] = [toast, line].map((found) => found.getBoundingClientRect());
  return one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
}"""


def test_nothing_lies_over_the_head_of_a_card(somebody, host):
    """On the stage while somebody decides, and of a card that is opened in the feed."""
    rosa, bo = seated(host, "twilight2000")
    bo.choose(push(bo), "keep")
    push(bo)
    person = at(somebody, bo, size=LAPTOP)
    staged = person.page.locator(".stage-pane .roll-card")
    expect(staged.locator(".option-worth")).to_have_count(2)
    assert [] == staged.locator(".roll-head").evaluate(COVERED)
    for number in range(12):
        rosa.do("chat.send", text=f"Rain, hour {number}.")
    expect(person.feed("Rain, hour 11.")).to_be_visible()
    settled = person.page.locator(".feed-item.is-roll", has_text="Miss")
    settled.locator(".feed-line").click()
    opened = settled.locator(".roll-card")
    opened.scroll_into_view_if_needed()
    assert [] == opened.locator(".roll-head").evaluate(COVERED)


@pytest.mark.parametrize("size", first([PHONE, LAPTOP]), ids=["phone", "laptop"])
def test_who_sees_a_roll_is_said_beside_its_button(somebody, host, size):
    """Both are in sight at once; a tap leads to the choice, and what folds turns its chevron."""
    _, bo = seated(host, "twilight2000")
    person = at(somebody, bo, size=size)
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


@pytest.mark.parametrize("size", first([PHONE, LAPTOP]), ids=["phone", "laptop"])
def test_what_is_told_in_passing_leaves_the_newest_line_in_sight(somebody, host, size):
    """The sentence stands at the top, the newest line at the bottom."""
    rosa, _ = seated(host, "twilight2000")
    for number in range(12):
        rosa.do("chat.send", text=f"Rain, hour {number}.")
    person = at(somebody, rosa, size=size)
    dialog = around(person, "House rules")
    dialog.get_by_label("Name of the table").fill("Night shift")
    dialog.get_by_role("button", name="Save").click()
    toast = person.page.locator(".toast")
    expect(toast).to_be_visible()
    newest = person.feed("Rosa changed the table or its house rules")
    expect(newest).to_be_in_viewport(ratio=0.99)
    handles = [toast.element_handle(), newest.element_handle()]
    assert person.page.evaluate(OVER, handles) is False


def test_real_dice_are_asked_for_as_whose_they_are(somebody, host):
    """Bo's are Bo's own; the referee, who may type them too, reads whose they are."""
    rosa, bo = seated(host, "twilight2000")
    bo.roll("2d6", physical=True)
    player, referee = at(somebody, bo), at(somebody, rosa)
    asked = ".stage-pane .faces .decision-ask"
    expect(player.page.locator(asked)).to_have_text("What do your dice show?")
    expect(referee.page.locator(asked)).to_have_text("What do Bo's dice show?")


def test_the_table_itself_never_scrolls(somebody, host):
    """Whatever is brought into sight in a part of it, its top stays where it is."""
    _, bo = seated(host, "twilight2000")
    person = at(somebody, bo, size=PHONE)
    person.page.locator(".sheet-pane .roll-row").first.wait_for(state="attached")
    for size in (PHONE, LAPTOP):
        resize(person.page, size)
        assert 0 == person.page.evaluate(
            """() => {
              const table = document.querySelector(".table-page");
              table.scrollTo(0, 1000);
              return table.scrollTop;
            }"""
        )
