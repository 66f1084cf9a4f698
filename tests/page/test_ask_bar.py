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
    """In every size, on every tab, and when the stage is scrolled to its end."""
    rosa, bo = seated(host, "twilight2000")
    push(bo)
    person = at(somebody, bo, size=SMALLEST)
    asks(rosa, note="The climb is steep.")
    for size in (SMALLEST, PHONE, TABLET, DESKTOP):
        resize(person.page, size)
        _is_in_sight_on_every_tab(person)


def _is_in_sight_on_every_tab(person):
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
    assert [] == person.barriers()


def test_one_tap_rolls_it_from_any_tab(somebody, host):
    """From the sheet of a phone: the dice are then in sight, and nothing is asked any more."""
    rosa, bo = seated(host, "twilight2000")
    person = at(somebody, bo, size=PHONE)
    tab(person, "Sheet")
    asks(rosa)
    person.page.get_by_role("button", name="Roll it").click()
    expect(card(person, "Stamina").locator(".felt-tray")).to_be_in_viewport()
    expect(asked(person)).to_have_count(0)


def test_a_key_leads_to_what_one_is_asked_for(somebody, host):
    """It is read out when it comes, also while a dialog is open, and Enter rolls it."""
    rosa, bo = seated(host, "twilight2000")
    person = at(somebody, bo)
    person.page.get_by_role("button", name="Settings").click()
    expect(person.page.get_by_role("dialog")).to_contain_text("to what you are asked to roll")
    asks(rosa)
    person.hears("Rosa asks you to roll: Skill: stamina")
    expect(person.page.locator("dialog .toast")).to_contain_text("Rosa asks you to roll")
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog")).to_have_count(0)
    expect(asked(person)).to_contain_text("Skill: stamina")
    person.page.keyboard.press("a")
    expect(person.page.get_by_role("button", name="Roll it")).to_be_focused()
    person.page.keyboard.press("Enter")
    expect(card(person, "Stamina")).to_be_visible()


def test_several_asks_are_all_there(somebody, host):
    """Each can be answered or put off by itself."""
    rosa, bo = seated(host, "twilight2000")
    person = at(somebody, bo, size=PHONE)
    rosa.do("roll_request.create", who=[bo.seat], draft=STAMINA)
    rosa.do("roll_request.create", who=[bo.seat], expression="2d6", note="How long?")
    bar = asked(person)
    expect(bar.get_by_role("button", name="Roll it")).to_have_count(2)
    bar.get_by_role("button", name="Not now").first.click()
    expect(bar.get_by_role("button", name="Roll it")).to_have_count(1)
    expect(bar).to_contain_text("2d6")


def test_what_waits_for_one_is_told_on_every_tab_of_a_phone(somebody, host):
    """A choice is out of sight there too: a strip says it and leads to it."""
    _, bo = seated(host, "twilight2000")
    push(bo)
    person = at(somebody, bo, size=PHONE)
    strip = person.page.locator(".waiting-strip")
    for name in ("Sheet", "Roll", "Feed", "More"):
        tab(person, name)
        expect(strip).to_contain_text("Your turn: Keep or push?")
        expect(strip).to_be_in_viewport(ratio=1)
    strip.click()
    expect(person.page.get_by_role("button", name="Push")).to_be_in_viewport()
