"""What a referee asks of somebody stays in sight, wherever they are, with the roll one tap away."""

from playwright.sync_api import expect

from tests.drafts import drafted
from tests.page.moments import push, seated
from tests.page.people import DESKTOP, PHONE, TABLET, resize
from tests.page.playing import asked, at, card, tab
from tests.page.test_in_passing import IN_FRONT

SMALLEST = (320, 568)
STAMINA = drafted({"roll": "skill", "skill_name": "stamina"})


def asks(rosa, **more):
    """Rosa asks everybody for Stamina."""
    return rosa.do("roll_request.create", who="all", draft=STAMINA, **more)


def test_what_one_is_asked_for_stays_in_sight(somebody, host):
    """So does a choice that waits; and both are a tap or a key away, in every size."""
    rosa, bo = seated(host, "twilight2000")
    push(bo)
    person = at(somebody, bo, size=SMALLEST)
    asks(rosa, note="The climb is steep.")
    it_is_in_sight_on_every_tab(person)
    assert [] == person.barriers()
    for size in (PHONE, TABLET):
        resize(person.page, size)
        it_is_in_sight_on_every_tab(person)
    resize(person.page, PHONE)
    a_choice_is_told_on_every_tab(person)
    resize(person.page, DESKTOP)
    it_is_in_sight_on_every_tab(person)
    a_key_leads_to_it(person, rosa)
    resize(person.page, PHONE)
    one_tap_rolls_it_from_any_tab(person)


def it_is_in_sight_on_every_tab(person):
    """Also when all parts of the table are scrolled to their end."""
    bar = asked(person)
    roll = bar.get_by_role("button", name="Roll it")
    for name in ("Stage", "Sheet", "Roll", "Feed", "More"):
        tab(person, name)
        person.page.locator(".pane").evaluate_all(
            "panes => panes.forEach((pane) => pane.scrollTo(0, pane.scrollHeight))"
        )
        expect(bar).to_contain_text("Rosa asks you to roll: Skill: stamina")
        expect(bar.locator(".ask-odds")).to_contain_text("%")
        expect(roll).to_be_in_viewport(ratio=1)
        assert roll.evaluate(IN_FRONT)


def a_choice_is_told_on_every_tab(person):
    """Where it is out of sight a strip says it, and leads to it."""
    strip = person.page.locator(".waiting-strip")
    for name in ("Sheet", "Roll", "Feed", "More"):
        tab(person, name)
        expect(strip).to_contain_text("Your turn: Keep or push?")
        expect(strip).to_be_in_viewport(ratio=1)
    strip.click()
    expect(person.page.get_by_role("button", name="Push")).to_be_in_viewport()


def a_key_leads_to_it(person, rosa):
    """It is read out when it comes, also while a dialog is open, and Enter rolls it."""
    person.page.get_by_role("button", name="Settings").click()
    expect(person.page.get_by_role("dialog")).to_contain_text("to what you are asked to roll")
    asks(rosa)
    person.hears("Rosa asks you to roll: Skill: stamina")
    expect(person.page.locator("dialog .toast")).to_contain_text("Rosa asks you to roll")
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("button", name="Settings")).to_be_focused()
    roll = asked(person).get_by_role("button", name="Roll it")
    expect(roll).to_have_count(2)
    person.page.keyboard.press("a")
    expect(roll.first).to_be_focused()
    person.page.keyboard.press("Enter")
    expect(card(person, "Stamina")).to_be_visible()
    expect(roll).to_have_count(1)


def one_tap_rolls_it_from_any_tab(person):
    """From the sheet of a phone: the dice are then in sight, and nothing is asked any more."""
    tab(person, "Sheet")
    asked(person).get_by_role("button", name="Roll it").click()
    expect(asked(person)).to_have_count(0)
    expect(card(person, "Stamina").locator(".felt-tray")).to_be_in_viewport()
