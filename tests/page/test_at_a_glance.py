"""What is in sight at once: all of a choice, the chances beside the button, rows of dice."""

import re

import pytest
from playwright.sync_api import expect

from tests.gates import first, thorough
from tests.page.moments import check, luck, push, seated, thrown
from tests.page.people import AT_REST, resize
from tests.page.people import PHONE as SMALL
from tests.page.playing import at, part, tab
from tests.page.test_beginning import GAMES

PHONE, LAPTOP, DESKTOP = (390, 844), (1024, 768), (1440, 900)
EIGHT = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6}
"""A burst of eight dice: keep, or push all of them (T2K R32)."""
BEYOND = """pane => Math.max(pane.scrollHeight - pane.clientHeight,
  ...[...pane.querySelectorAll(".option, .die")].map((one) => one.getBoundingClientRect().bottom
    - pane.getBoundingClientRect().bottom))"""
EVEN = """all => {
  const tops = all.map((die) => Math.round(die.getBoundingClientRect().top / 20));
  const rows = Object.values(Object.groupBy(tops, (top) => top)).map((row) => row.length);
  return Math.max(...rows) - Math.min(...rows);
}"""


def is_in_sight_whole(person):
    """Dice take the room that is left: nothing of a choice has to be scrolled for."""
    tab(person, "Stage")
    stage = person.page.locator(".stage-pane")
    expect(stage.locator(".option-worth").first).to_be_visible()
    expect(stage.locator(".option-worth")).to_have_count(stage.locator(".option").count())
    for size in (DESKTOP, LAPTOP, PHONE):
        resize(person.page, size)
        assert 1 > stage.evaluate(BEYOND)
        assert 36 < min(
            stage.locator(".die-picture").evaluate_all("all => all.map(d => d.clientWidth)")
        )


@pytest.mark.parametrize("game", first([*GAMES]))
def test_the_first_roll_of_a_starter_is_in_sight(somebody, host, game):
    """Whoever takes a starter on a phone sees something to tap, and then chances and a button."""
    rosa = host.create_table(game, name="Rosa")
    seat = host.join(rosa.links["player"], name="Bo")
    bo = at(somebody, seat, size=PHONE)
    bo.page.locator(".next-step .starter").first.click()
    row = bo.page.locator(".sheet-pane").get_by_role("button", name="Roll with").first
    expect(row).to_be_in_viewport(ratio=1)
    if game == "twilight2000":
        both_chances_stand_side_by_side(bo)
        thrown(seat, EIGHT, [3, 5, 2, 4, 3, 2, 4, 5])
        is_in_sight_whole(bo)


def both_chances_stand_side_by_side(bo):
    """With and without a push at one size, each with when it holds; the button below them."""
    sheet = part(bo, "Sheet")
    sheet.get_by_role("button", name=re.compile("^Roll with Recon")).click()
    dock = sheet.locator(".laid .dock")
    never, pushed = dock.locator(".chance strong"), dock.locator(".play-chance b").first
    expect(pushed).to_have_text(re.compile(r"^\d+ %$"))
    expect(dock.locator(".chance")).to_contain_text("if you never push")
    tops = [one.bounding_box() for one in (never, pushed, dock.locator(".roll-button"))]
    assert 2 > abs(tops[0]["y"] - tops[1]["y"])
    assert 2 > abs(tops[0]["height"] - tops[1]["height"])
    assert tops[2]["y"] > tops[0]["y"] + tops[0]["height"]


def test_a_number_of_a_form_is_one_row(somebody, host):
    """Its name on the left, the steps on the right, in the middle of the same row."""
    person = at(somebody, host.create_table("ghostburn", name="Rosa"), size=DESKTOP)
    field = (
        part(person, "Roll").locator("fieldset.field", has=person.page.locator(".stepper")).first
    )
    name, steps = field.locator("legend").bounding_box(), field.locator(".stepper").bounding_box()
    assert name["x"] + name["width"] <= steps["x"]
    assert 3 > abs(name["y"] + name["height"] / 2 - steps["y"] - steps["height"] / 2)


def test_a_ladder_of_luck_is_in_sight_whole(somebody, host):
    """A choice of another shape too."""
    _, bo = seated(host, "ghostburn")
    luck(bo)
    is_in_sight_whole(at(somebody, bo, size=PHONE))


@thorough
@pytest.mark.parametrize(("game", "play"), [("twilight2000", push), ("edge20", check)])
def test_every_other_choice_is_in_sight_whole(somebody, host, game, play):
    """Fewer dice, and a re-roll."""
    _, bo = seated(host, game)
    play(bo)
    is_in_sight_whole(at(somebody, bo, size=PHONE))


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
    dice_below_a_name_lie_in_even_rows(person, bo)


def dice_below_a_name_lie_in_even_rows(person, bo):
    """The sides of an opposing roll: eight are four and four there too."""
    sides = {"actor": {"pool": 8}, "defender": {"pool": 2, "name": "Raider"}}
    thrown(bo, {"roll": "opposing", **sides}, [8, 8, 3, 3, 3, 3, 3, 3], [2, 3])
    stage = person.page.locator(".roll-card.staged")
    expect(stage.locator(".tray-whose")).to_have_count(2)
    for size in (SMALL, LAPTOP):
        resize(person.page, size)
        person.page.wait_for_function(AT_REST)
        assert 0 == stage.locator(".tray-throw").first.locator(".die").evaluate_all(EVEN)
