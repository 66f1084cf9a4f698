"""What people do at the table, in two browsers at once."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.people import PHONE
from tests.page.playing import ALL_TRUE


@pytest.fixture
def two(somebody):
    """Rosa, the referee of a Twilight: 2000 table, and Bo with a sheet on his phone."""
    rosa, bo = somebody(), somebody(size=PHONE)
    rosa.open_table("Twilight: 2000", "Rosa")
    bo.join(rosa.link(), "Bo")
    tab(bo, "Sheet")
    bo.page.get_by_label("Name of the character").fill("Novak")
    bo.page.get_by_role("button", name="Make the sheet").click()
    expect(bo.page.get_by_role("group", name="Damage: 0 of 5")).to_be_visible()
    return rosa, bo


def tab(person, name):
    """Go to a part of the table."""
    tabs = person.page.get_by_role("navigation")
    tabs.get_by_role("button", name=re.compile(f"^{name}")).click()


def enter(person, *faces):
    """Type the faces of real dice in."""
    for face in faces:
        person.page.get_by_role("group", name="Faces").get_by_role(
            "button", name=str(face), exact=True
        ).click()
    person.page.get_by_role("button", name="Enter").click()


def start(person, what):
    """Send a command as the person who sits at this browser."""
    person.seat().do(**what)


def physical(**fields):
    """A skill roll with real dice, filled in from Bo's sheet: one D8."""
    asked = {"roll": "skill", "skill_name": "recon"}
    return {"do": "roll.start", "sheet": "s2", "draft": drafted(asked), "physical": True, **fields}


def test_a_push_is_advised_chosen_after_a_reload_and_costs_stress(two):
    """The open choice outlives a reload; the push's price is on the sheet and in both feeds."""
    rosa, bo = two
    start(bo, physical())
    tab(bo, "Stage")
    enter(bo, 3)
    push = bo.page.get_by_role("button", name="Push")
    expect(push).to_contain_text("best")
    expect(push).to_contain_text("38 %")
    expect(rosa.seen("Waiting for Bo: Keep or push?")).to_be_visible()

    bo.page.reload()
    bo.page.get_by_role("button", name="Push").click()
    enter(bo, 1)

    for person in (rosa, bo):
        expect(person.page.locator(".roll-card .changes")).to_have_text("Stress 0 → 1")
    tab(bo, "Sheet")
    expect(bo.page.get_by_role("group", name="Stress: 1 of 5")).to_be_visible()


def test_a_mistyped_face_is_taken_back_in_front_of_everybody(two):
    """The face is crossed out in both feeds, and the dice are asked for again."""
    rosa, bo = two
    start(bo, physical())
    tab(bo, "Stage")
    enter(bo, 3)
    bo.page.get_by_role("button", name="Take back").click()
    expect(rosa.page.locator(".tray-throw[data-taken]")).to_have_count(1)
    enter(bo, 7)
    expect(rosa.page.locator(".told")).to_contain_text("1 success")


def test_the_referee_asks_and_the_asked_one_rolls(two):
    """An ask reaches whom it concerns; one tap rolls it, and the ask is answered."""
    rosa, bo = two
    tab(rosa, "More")
    rosa.page.get_by_role("button", name="Ask for a roll").click()
    rosa.page.get_by_role("dialog").get_by_role("button", name="Recon").click()
    rosa.page.get_by_role("button", name="Ask", exact=True).click()
    tab(bo, "Stage")
    bo.page.get_by_role("button", name="Roll it").click()
    expect(rosa.page.locator(".roll-card")).to_contain_text("Novak Skill roll: recon")
    expect(bo.page.get_by_role("button", name="Roll it")).to_have_count(0)


def test_a_change_by_hand_is_undone_by_the_referee(two):
    """Damage marked on a phone is seen at once, and the referee's undo takes it off again."""
    rosa, bo = two
    bo.page.get_by_role("button", name="Damage: set to 2").click()
    expect(rosa.feed("Bo changed the sheet of Novak")).to_contain_text("Damage 0 → 2")
    rosa.page.get_by_role("button", name="Undo this change").click()
    expect(bo.page.get_by_role("group", name="Damage: 0 of 5")).to_be_visible()


def test_a_hidden_roll_reaches_nobody_before_it_is_revealed(two):
    """Others see that something was rolled and no more, until the roller shows it."""
    rosa, bo = two
    start(bo, {"do": "roll.start", "expression": "3d6", "visibility": "hidden"})
    expect(rosa.page.locator(".roll-card")).to_contain_text("Bo rolls in secret")
    expect(rosa.page.get_by_role("list", name="3 dice")).to_have_count(0)
    tab(bo, "Stage")
    bo.page.get_by_role("button", name="More about this roll").click()
    bo.page.get_by_role("menuitem", name="Reveal to all").click()
    expect(rosa.page.get_by_role("list", name="3 dice")).to_be_visible()


def test_an_altered_log_is_found_out_in_the_browser(two, tmp_path):
    """The page says a true log is true, and names the event whose face was changed."""
    rosa, bo = two
    start(bo, {"do": "roll.start", "expression": "3d6"})
    expect(rosa.page.locator(".told")).to_be_visible()
    tab(rosa, "More")
    rosa.page.get_by_role("button", name="Export and delete").click()
    with rosa.page.expect_download() as download:
        rosa.page.get_by_role("button", name="Log, to verify").click()
    true = tmp_path / "log.json"
    download.value.save_as(true)
    log = json.loads(true.read_text("utf-8"))
    thrown = next(event for event in log["events"] if event["kind"] == "roll.thrown")
    thrown["body"]["faces"][0] = thrown["body"]["faces"][0] % 6 + 1
    altered = tmp_path / "altered.json"
    altered.write_text(json.dumps(log), "utf-8")

    rosa.page.goto(f"{rosa.address}verify")
    rosa.page.locator("input[type=file]").set_input_files(true)
    expect(rosa.page.get_by_role("heading", name=ALL_TRUE)).to_be_visible(
        timeout=60_000  # Python comes first
    )
    rosa.page.locator("input[type=file]").set_input_files(altered)

    expect(rosa.page.get_by_role("heading", name="Something does not add up")).to_be_visible()
    found = rosa.seen(f"Event {thrown['seq']}: the dice do not show what they should")
    expect(found).to_be_visible()
