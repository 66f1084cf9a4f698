"""A whole session without a mouse: every step by keys, every result read out, focus never lost."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.page.people import MOVING, PHONE

MOST_STOPS = 90
AT = """wanted => {
  const at = document.activeElement;
  return [at !== document.body && at.checkVisibility(), at === wanted, !wanted?.isConnected];
}"""
"""Whether the focus is in sight, whether it is where it is wanted, and whether that is gone."""


class Hands:
    """Somebody with a keyboard alone; after every key, something in sight has the focus."""

    def __init__(self, person):
        self.person = person
        self.page = person.page

    def press(self, *keys):
        """Press keys; whatever they take away, the focus must be somewhere."""
        for key in keys:
            self.page.keyboard.press(key)
            self._looks()

    def _looks(self, wanted=None):
        """Whether it is wanted what has the focus, and whether that is gone."""
        in_sight, *found = self.page.evaluate(AT, wanted)
        if not in_sight:  # what has it comes in a moment
            expect(self.page.locator(":focus")).to_be_visible()
        return found

    def write(self, text):
        """Type a text over what is in the field."""
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def reach(self, found, key="Tab"):
        """Go on with Tab, or back with Shift and Tab, until something has the focus."""
        wanted = found.element_handle()
        _, is_there, is_gone = self.page.evaluate(AT, wanted)
        for _ in range(MOST_STOPS):
            if is_there:
                return
            if is_gone:  # it was drawn anew
                wanted = found.element_handle()
            self.page.keyboard.press(key)
            is_there, is_gone = self._looks(wanted)
        raise AssertionError(f"{found} cannot be reached by {key}")

    def button(self, name, place=None):
        """Reach a button and press it."""
        self.reach((place or self.page).get_by_role("button", name=name).first)
        self.press("Enter")

    def fill(self, label, text, place=None):
        """Reach a field and write into it."""
        self.reach((place or self.page).get_by_label(label, exact=True))
        self.write(text)

    def hears(self, text):
        """What a screen reader reads out."""
        self.person.hears(text)

    def part(self, name):
        """A part of the table."""
        return self.page.get_by_role("region", name=name, exact=True)


@pytest.fixture
def hands(somebody):
    """Ann, who opens the table, and Bo, each with a keyboard."""
    return Hands(somebody()), Hands(somebody())


def test_a_session_by_keyboard_alone(hands, tmp_path):
    """Create, join, fill in a sheet, build a roll, throw, choose, read, end and export."""
    ann, bo = hands
    create(ann)
    join(bo, the_link(ann), ann)
    a_sheet(bo)
    a_roll(bo)
    a_choice(bo, ann)
    reading(bo)
    the_end(ann, tmp_path)


def create(ann):
    """Pick a game with the arrow keys, say a name, press Enter."""
    ann.page.goto(ann.person.address)
    ann.page.get_by_role("radio", name="Twilight: 2000").wait_for()
    wanted = ann.page.get_by_role("radio", name="GHOST/BURN")
    ann.reach(ann.page.locator("input[name=game]:checked"))
    for _ in range(6):
        if wanted.is_checked():
            break
        ann.press("ArrowDown")
    expect(wanted).to_be_checked()
    ann.fill("Your name", "Ann")
    ann.press("Enter")
    expect(ann.person.feed("Ann sits down")).to_be_visible()


def the_link(ann):
    """The link for players, found in a dialog that gives the focus back."""
    ann.press("g")
    ann.button("Links and seats")
    link = ann.page.get_by_role("dialog").get_by_label("For players")
    ann.reach(link)
    found = link.input_value()
    ann.press("Escape")
    expect(ann.page.get_by_role("button", name="Links and seats")).to_be_focused()
    return found


def join(bo, link, ann):
    """Follow the link, say a name, press Enter; the other one sees it."""
    bo.page.goto(link)
    bo.page.get_by_label("Your name").wait_for()
    bo.fill("Your name", "Bo")
    bo.press("Enter")
    expect(ann.person.feed("Bo sits down")).to_be_visible()
    expect(bo.person.feed("Bo sits down")).to_be_visible()


def a_sheet(bo):
    """Make a character, which gets an ability, and give it a skill in a dialog."""
    sheet = bo.part("Sheet")
    sheet.get_by_label("Name of the character").wait_for()
    bo.press("s")
    bo.fill("Name of the character", "Hex")
    bo.press("Enter")
    expect(sheet.get_by_role("article")).to_be_visible()
    seat = bo.person.seat()
    ability = {"name": "Presence", "score": 3}
    seat.do("sheet.change_item", sheet="s2", list="abilities", after=ability)
    expect(sheet.get_by_text("Presence")).to_be_visible()
    bo.press("s")  # skills stand above abilities
    bo.button("Add to: Skills")
    for label, value in (("Name", "Persuade"), ("Ability", "Presence"), ("Bonus", "2")):
        bo.fill(label, value, bo.page.get_by_role("dialog"))
    bo.press("Enter")
    expect(sheet.get_by_text("Persuade")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Add to: Skills")).to_be_focused()


def a_roll(bo):
    """Set the level with the arrow keys, own dice with Space, and roll with Control and Enter."""
    bo.press("r")
    place = bo.part("Roll")
    ladder = place.get_by_role("group", name="Difficulty Level")
    bo.reach(ladder.get_by_role("radio", name="Moderate"))
    bo.press("ArrowRight")
    expect(ladder.get_by_role("radio", name="Hard")).to_be_checked()
    expect(place.locator(".dock .chance strong")).to_have_text("21 %")
    bo.reach(place.locator("details.roll-options > summary"))
    bo.press("Enter")
    bo.reach(place.get_by_role("checkbox", name="My own dice"))
    bo.press("Space")
    bo.press("Control+Enter")
    bo.hears("Enter the faces of your dice.")


def a_choice(bo, ann):
    """Enter the faces, hear that it is one's turn, look at the options, spend the Luck."""
    table = bo.part("Stage")
    table.get_by_role("group", name="Faces of real dice").wait_for()
    bo.press("c")
    faces = table.get_by_role("group", name="Faces of real dice")
    bo.reach(faces.get_by_role("button", name="1", exact=True))
    bo.press("Enter", "Tab", "Enter")
    expect(faces.get_by_role("button", name="Enter")).to_be_focused()
    bo.press("Enter")
    bo.hears("Your turn to choose: Spend Luck?")
    bo.hears("Keep the Luck, spend Luck: +2 or spend Luck: avoid the Glitch.")
    ann.hears("The table waits for Bo.")
    choice = table.get_by_role("group", name="Your choice")
    choice.get_by_role("button", name="Spend Luck: avoid the Glitch").wait_for()
    bo.press("c")
    expect(choice.get_by_role("button", name="Keep the Luck")).to_be_focused()
    bo.button("Spend Luck: avoid the Glitch", choice)
    for hands in (bo, ann):
        hands.hears("Luck avoids the Glitch: Fade instead")
    expect(table.locator(".roll-card")).to_be_focused()


def reading(bo):
    """The feed by arrow keys, the menu of a roll, the sheet, and a word to the others."""
    table = bo.part("Stage")
    bo.button("More about this roll", table.locator(".roll-card"))
    expect(bo.page.get_by_role("menuitem").first).to_be_focused()
    bo.press("ArrowDown", "ArrowUp", "Escape")
    expect(table.get_by_role("button", name="More about this roll")).to_be_focused()
    bo.press("f")
    feed = bo.part("Feed")
    expect(feed.locator(".feed-item").last).to_be_focused()
    bo.press("ArrowUp")
    expect(feed.locator(".feed-item").nth(-2)).to_be_focused()
    bo.fill("Say something", "That was close.", feed)
    bo.press("Enter")
    expect(bo.person.feed("That was close.")).to_be_visible()
    bo.page.get_by_label("Say something").wait_for()
    bo.reach(bo.page.get_by_role("button", name="Settings"), "Shift+Tab")
    bo.press("s")
    sheet = bo.part("Sheet")
    expect(sheet.get_by_role("group", name="Luck: 0 of 1")).to_be_visible()
    bo.button("Luck: set to 1", sheet)
    expect(sheet.get_by_role("group", name="Luck: 1 of 1")).to_be_visible()


def the_end(ann, folder):
    """The session is ended after one more question, and the log is fetched."""
    ann.hears("Bo says: That was close.")
    ann.press("g")
    ann.button("End the session")
    expect(ann.page.get_by_role("button", name=re.compile("^Yes, end it"))).to_be_focused()
    ann.press("Enter")
    expect(ann.person.feed("Session 1 has ended")).to_be_visible()
    ann.press("g")
    ann.button("Export and delete")
    ann.reach(ann.page.get_by_role("button", name="Log, to verify"))
    with ann.page.expect_download() as download:
        ann.press("Enter")
    log = folder / "log.json"
    download.value.save_as(log)
    assert "session.ended" in [
        event["kind"] for event in json.loads(log.read_text("utf-8"))["events"]
    ]
    ann.press("Escape")
    expect(ann.page.get_by_role("button", name="Export and delete")).to_be_focused()


def test_on_a_phone_focus_goes_along_to_the_part_that_comes_into_sight(somebody):
    """A roll brings the table to the front; the button that was pressed is gone, focus is not."""
    ann = Hands(somebody(size=PHONE, **MOVING))
    ann.person.open_table("Free dice", "Ann")
    ann.page.locator(".roll-button").wait_for(state="attached")
    ann.press("r")
    ann.fill("Dice", "1d6")
    ann.reach(ann.page.locator(".roll-button"))
    ann.press("Enter")
    expect(ann.page.locator(".roll-card .told")).to_be_visible()
    expect(ann.page.locator(":focus")).to_be_visible()
    ann.press("Tab")
