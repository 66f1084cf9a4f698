"""Rolling without a table: from a link, through every choice, on a phone."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import rollwright as rw
from tests.gates import first
from tests.page.people import MOVING, PHONE
from tests.page.playing import labelled, take
from tests.page.test_panel import percent

SKILL = quote(json.dumps({"attribute": "B", "skill": "C"}))
CHECK = quote(json.dumps({"dc": 15, "modifier": 5}))
GAMES = ["twilight2000", "dust", "kleptonomicon", "edge20", "ghostburn"]


def test_a_link_brings_the_roll_back(somebody):
    """What is set stands in the address, and the address opens it again for somebody else."""
    ann, bo = somebody(), somebody()
    ann.page.goto(f"{ann.address}roll?game=dust&roll=roll")
    take(ann.page.get_by_role("radio", name="8", exact=True))
    expect(ann.page.get_by_role("radio", name="8", exact=True)).to_be_checked()
    ann.page.wait_for_url("**difficulty**")
    bo.page.goto(ann.page.url)
    expect(bo.page.get_by_role("radio", name="8", exact=True)).to_be_checked()


def test_a_choice_is_played_to_its_end(somebody):
    """A roll stops at its choice, says what each option is worth, and goes on with the answer."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?game=ghostburn&roll=roll")
    ann.page.locator(".roll-button").click()
    choice = ann.page.get_by_role("group", name="Your choice")
    expect(choice.get_by_role("button", name="Keep")).to_contain_text("%")
    choice.get_by_role("button", name="Keep").click()
    expect(choice).to_have_count(0)
    told = ann.page.locator(".play .told").inner_text()
    total = ann.page.locator(".play .added b").inner_text().removeprefix("= ")
    assert f"that is {total}:" in told
    tones = {"Success.": "good", "Fade.": "even", "Glitch.": "bad"}
    [good] = [tone for word, tone in tones.items() if told.endswith(word)]
    expect(ann.page.locator(".play")).to_have_attribute("data-good", good)


def test_of_many_rolls_the_last_six_are_in_sight_and_the_others_a_tap_away(somebody):
    """Cards are drawn again whenever another lies on top: an evening must not pile up."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=1d6")
    plays = ann.page.get_by_role("region", name="Rolls", exact=True)
    for number in range(1, 9):
        ann.page.locator(".roll-button").click()
        expect(plays.locator(".play .told")).to_have_count(number)
    told = plays.locator(".play .told").all_text_contents()
    expect(plays.locator("> .play")).to_have_count(6)
    expect(plays.locator(".play:visible")).to_have_count(6)
    plays.get_by_text("2 earlier rolls").click()
    expect(plays.locator(".play:visible")).to_have_count(8)
    assert told == plays.locator(".play .told").all_text_contents()
    assert [] == ann.barriers()


@pytest.mark.parametrize("game", first(GAMES))
def test_every_game_rolls_on_a_phone(somebody, game):
    """At 360 pixels nothing sticks out, the button is in sight, and a tap throws dice."""
    ann = somebody(size=PHONE, color_scheme="dark", **MOVING)
    ann.page.goto(f"{ann.address}roll?game={game}")
    expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
    expect(ann.page.locator(".roll-button")).to_be_in_viewport(ratio=1)
    assert 360 >= ann.page.evaluate("document.documentElement.scrollWidth")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .die").first).to_be_in_viewport()
    expect(ann.page.locator(".play .told")).not_to_be_empty()


def test_the_page_speaks_german_too(somebody):
    """A browser that prefers German finds the panel in German."""
    ute = somebody(locale="de-DE")
    ute.page.goto(f"{ute.address}roll?game=dust")
    expect(ute.page.get_by_role("heading", name="Einfach würfeln")).to_be_visible()
    expect(ute.page.locator(".roll-button")).to_have_text("Würfeln")
    expect(ute.page.get_by_role("slider", name="Würfel im Pool")).to_be_visible()


def enter(card, *faces):
    """Type the faces of real dice in, one tap a die."""
    group = card.get_by_role("group", name="Faces of real dice")
    for face in faces:
        group.get_by_role("button", name=str(face), exact=True).click()
    group.get_by_role("button", name="Enter").click()


def test_real_dice_are_typed_in_throw_by_throw(somebody):
    """With dice of one's own the roll waits for their faces, before and after a choice."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?game=twilight2000&roll=skill&with={SKILL}")
    ann.page.get_by_role("checkbox", name="My own dice").check()
    ann.page.get_by_role("button", name="Enter faces").click()
    card = ann.page.locator(".play").first
    enter(card, 3, 5)
    card.get_by_role("button", name="Push").click()
    enter(card, 8, 1)
    expect(card.locator(".told")).to_contain_text("8")

    labelled(
        card,
        "d8 shows 3, does not count",
        "d10 shows 5, does not count",
        "d8 shows 8, success",
        "d10 shows 1, a 1, which costs you after a push",
    )


def test_a_location_die_is_asked_for_by_what_it_decides(somebody):
    """Guard 3 D6 would read as three dice: 3 is what the hit does (T2K R69)."""
    attack = {"attribute": "B", "skill": "B", "ammo_dice": 0, "targets": [{"name": "Guard"}]}
    ann = somebody()
    address = f"{ann.address}roll?game=twilight2000&roll=attack&with={quote(json.dumps(attack))}"
    ann.page.goto(address)
    ann.page.get_by_role("checkbox", name="My own dice").check()
    ann.page.get_by_role("button", name="Enter faces").click()
    card = ann.page.locator(".play").first
    enter(card, 7, 7)
    expect(card.locator(".faces .chip")).to_have_text(["where it hits Guard for 3"])
    enter(card, 4)
    labelled(
        card,
        "d10 shows 7, success",
        "d10 shows 7, success",
        "where it hits Guard for 3 shows 4, torso",
    )


def test_a_throw_can_be_left_to_the_server(somebody):
    """Whoever has no die at hand lets the server throw, and the roll goes on by itself."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=2d6")
    ann.page.get_by_role("checkbox", name="My own dice").check()
    ann.page.get_by_role("button", name="Enter faces").click()
    ann.page.get_by_role("button", name="Throw for me").click()
    expect(ann.page.locator(".play .told")).to_contain_text("2d6")
    expect(ann.page.locator(".play .die")).to_have_count(2)


def test_house_rules_change_the_odds_and_stand_in_the_link(somebody):
    """A house rule of the game changes the chance, and the address brings it back."""
    ann, bo = somebody(), somebody()
    check = {"game": "edge20", "roll": "check", "dc": 15, "modifier": 5}
    usual, ruled = (
        f"{percent(rw.odds(one).p(lambda end: end.success))} %"
        for one in (check, {**check, "house": {"tie": "failure"}})
    )
    assert usual != ruled
    ann.page.goto(f"{ann.address}roll?game=edge20&roll=check&with={CHECK}")
    chance = ann.page.locator(".dock .chance strong")
    expect(chance).to_have_text(usual)
    ann.seen("House rules").click()
    ann.page.locator(".rule > summary", has_text="A total equal to the DC").click()
    ann.page.get_by_role("radio", name="the DC must be exceeded").check()
    expect(chance).to_have_text(ruled)
    ann.page.wait_for_url("**tie**")
    bo.page.goto(ann.page.url)
    expect(bo.page.locator(".dock .chance strong")).to_have_text(ruled)
    expect(bo.page.locator(".house-rules > summary")).to_contain_text("1 changed")
