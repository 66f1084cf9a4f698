"""What is in sight at once: all of a choice, what is certain, the chances beside the button."""

import re

import pytest
from playwright.sync_api import expect

from tests.gates import first
from tests.page.moments import check, luck, push, seated, thrown
from tests.page.people import AT_REST, resize, speak
from tests.page.people import PHONE as SMALL
from tests.page.playing import at, part
from tests.page.test_beginning import GAMES

PHONE, LAPTOP, DESKTOP = (390, 844), (1024, 768), (1440, 900)
EIGHT = {"roll": "attack", "weapon": "M249", "ammo_dice": 6}
SHORT = {"roll": "roll", "ability": 4, "dl": "Hard"}
"""13 with a 5 and a 4 is two levels below Hard: a Glitch, which Luck makes a Fade."""
BEYOND = """pane => Math.max(pane.scrollHeight - pane.clientHeight,
  ...[...pane.querySelectorAll(".option, .die")].map((one) => one.getBoundingClientRect().bottom
    - pane.getBoundingClientRect().bottom))"""


def eight(seat):
    """A burst of eight dice that misses (T2K R32): keep, or push all of them."""
    return thrown(seat, EIGHT, [3, 5, 2, 4, 3, 2, 4, 5])


CHOICES = {"eight dice": ("twilight2000", eight), "luck": ("ghostburn", luck)}
CHOICES |= {"push": ("twilight2000", push), "re-roll": ("edge20", check)}


@pytest.mark.parametrize(("game", "play"), CHOICES.values(), ids=CHOICES)
def test_a_choice_is_in_sight_whole(somebody, host, game, play):
    """Dice take the room that is left: nothing of a choice has to be scrolled for."""
    _, bo = seated(host, game)
    play(bo)
    person = at(somebody, bo, size=PHONE)
    stage = person.page.locator(".stage-pane")
    expect(stage.locator(".option-worth")).to_have_count(stage.locator(".option").count())
    expect(stage.locator(".option-worth").first).to_be_visible()
    for size in (PHONE, LAPTOP, DESKTOP):
        resize(person.page, size)
        assert 1 > stage.evaluate(BEYOND)
        assert 36 < min(
            stage.locator(".die-picture").evaluate_all("all => all.map(d => d.clientWidth)")
        )


EVEN = """all => {
  const tops = all.map((die) => Math.round(die.getBoundingClientRect().top / 20));
  const rows = Object.values(Object.groupBy(tops, (top) => top)).map((row) => row.length);
  return Math.max(...rows) - Math.min(...rows);
}"""


def test_dice_lie_in_even_rows(somebody, host):
    """Eight are four and four, and never seven and one; so is every even number of them."""
    _, bo = seated(host, "dust")
    person = at(somebody, bo)
    stage = person.page.locator(".roll-card.staged")
    for dice in (4, 6, 8, 10):
        roll = {"roll": "roll", "pool": dice, "adrenaline": 2, "doubles": "ask"}
        thrown(bo, roll, [8, 8, *[3] * (dice - 2)])
        expect(stage.locator(".die")).to_have_count(dice)
        expect(stage.locator(".option")).to_have_count(2)
        for size in (SMALL, PHONE, LAPTOP):
            resize(person.page, size)
            person.page.wait_for_function(AT_REST)
            uneven = stage.locator(".die").evaluate_all(EVEN)
            assert uneven <= (1 if dice == 10 else 0), (dice, size)


def test_dice_below_a_name_lie_in_even_rows(somebody, host):
    """The sides of an opposing roll: eight are four and four there too."""
    _, bo = seated(host, "dust")
    sides = {"actor": {"pool": 8}, "defender": {"pool": 2, "name": "Raider"}}
    thrown(bo, {"roll": "opposing", **sides}, [8, 8, 3, 3, 3, 3, 3, 3], [2, 3])
    stage = at(somebody, bo).page.locator(".roll-card.staged")
    expect(stage.locator(".tray-whose")).to_have_count(2)
    for size in (SMALL, LAPTOP):
        resize(stage.page, size)
        stage.page.wait_for_function(AT_REST)
        assert 0 == stage.locator(".tray-throw").first.locator(".die").evaluate_all(EVEN)


def test_both_chances_stand_side_by_side_above_the_button(somebody, host):
    """With and without a push at one size, each with when it holds; the button below them."""
    _, bo = seated(host, "twilight2000")
    person = at(somebody, bo, size=PHONE)
    sheet = part(person, "Sheet")
    sheet.get_by_role("button", name=re.compile("^Roll with Recon")).click()
    dock = sheet.locator(".laid .dock")
    never, pushed = dock.locator(".chance strong"), dock.locator(".play-chance b").first
    expect(pushed).to_have_text(re.compile(r"^\d+ %$"))
    expect(dock.locator(".chance")).to_contain_text("if you never push")
    tops = [one.bounding_box() for one in (never, pushed, dock.locator(".roll-button"))]
    assert 2 > abs(tops[0]["y"] - tops[1]["y"])
    assert 2 > abs(tops[0]["height"] - tops[1]["height"])
    assert tops[2]["y"] > tops[0]["y"] + tops[0]["height"]


@pytest.mark.parametrize("title", first(GAMES.values()), ids=GAMES)
def test_the_first_roll_of_a_starter_is_in_sight(somebody, title):
    """Whoever takes a starter on a phone sees something to tap without scrolling."""
    rosa, bo = somebody(), somebody(size=PHONE)
    rosa.open_table(title, "Rosa")
    bo.join(rosa.link(), "Bo")
    bo.page.locator(".next-step .starter").first.click()
    row = bo.page.locator(".sheet-pane").get_by_role("button", name="Roll with").first
    expect(row).to_be_in_viewport(ratio=1)


def test_house_rules_on_the_first_page_are_in_the_readers_words(somebody):
    """What a rule is called and how it is read comes from the game, though another is on trial."""
    person = somebody()
    person.page.goto(person.address)
    person.page.get_by_role("radio", name="GHOST/BURN").check()
    person.seen("House rules and more").click()
    rules = person.page.locator(".house-list")
    expect(rules).to_contain_text("Difficulty Level in the open")
    speak(person.page, "de-DE")
    expect(rules).to_contain_text("Offener Schwierigkeitsgrad")
    expect(rules).not_to_contain_text("the GM tells it")


def test_a_number_of_a_form_is_one_row(somebody, host):
    """Its name on the left, the steps on the right, in the middle of the same row."""
    rosa, _ = seated(host, "ghostburn")
    person = at(somebody, rosa, size=DESKTOP)
    field = (
        part(person, "Roll").locator("fieldset.field", has=person.page.locator(".stepper")).first
    )
    name, steps = field.locator("legend").bounding_box(), field.locator(".stepper").bounding_box()
    assert name["x"] + name["width"] <= steps["x"]
    assert 3 > abs(name["y"] + name["height"] / 2 - steps["y"] - steps["height"] / 2)
