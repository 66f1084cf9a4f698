"""Rolling without a table: from a link, through every choice, on a phone."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import rollwright as rw
from tests.gates import first
from tests.page.people import MOVING, PHONE, speak
from tests.page.playing import enter, labelled, take
from tests.page.test_panel import percent

SKILL = quote(json.dumps({"attribute": "B", "skill": "C"}))
CHECK = quote(json.dumps({"dc": 15, "modifier": 5}))
GAMES = ["ghostburn", "twilight2000", "dust", "kleptonomicon", "edge20"]


@pytest.fixture
def ann(somebody):
    """Somebody who rolls without a table."""
    return somebody()


def rolling(person, address):
    """Go to a roll by its link, as a page of its own; its newest card."""
    person.page.goto(f"{person.address}roll?{address}")
    return person.page.locator(".play").first


def test_a_link_brings_the_roll_back(ann):
    """What is set stands in the address, and the address opens it again; a house rule too, with
    the chance that it changes.
    """
    page = ann.page
    rolling(ann, "game=dust&roll=roll")
    take(page.get_by_role("radio", name="8", exact=True))
    page.wait_for_url("**difficulty**")
    link = page.url

    check = {"game": "edge20", "roll": "check", "dc": 15, "modifier": 5}
    usual, ruled = (
        f"{percent(rw.odds(one).p(lambda end: end.success))} %"
        for one in (check, {**check, "house": {"tie": "failure"}})
    )
    assert usual != ruled
    rolling(ann, f"game=edge20&roll=check&with={CHECK}")
    chance = page.locator(".dock .chance strong")
    expect(chance).to_have_text(usual)
    ann.seen("House rules").click()
    page.locator(".rule > summary", has_text="A total equal to the DC").click()
    page.get_by_role("radio", name="the DC must be exceeded").check()
    expect(chance).to_have_text(ruled)
    page.wait_for_url("**tie**")
    page.reload()
    expect(chance).to_have_text(ruled)
    expect(page.locator(".house-rules > summary")).to_contain_text("1 changed")

    page.goto(link)
    expect(page.get_by_role("radio", name="8", exact=True)).to_be_checked()
    speak(page, "de-DE")
    expect(page.get_by_role("heading", name="Einfach würfeln")).to_be_visible()
    expect(page.locator(".roll-button")).to_have_text("Würfeln")
    expect(page.get_by_role("slider", name="Würfel im Pool")).to_be_visible()


def test_of_many_rolls_the_last_six_are_in_sight_and_the_others_a_tap_away(ann):
    """Cards are drawn again whenever another lies on top: an evening must not pile up."""
    rolling(ann, "dice=1d6")
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
    a_throw_can_be_left_to_the_server(ann)


@pytest.mark.parametrize("game", first(GAMES))
def test_every_game_rolls_on_a_phone(somebody, game):
    """At 360 pixels nothing sticks out, the button is in sight, and a tap throws dice. A roll stops
    at its choice, says what each option is worth, and goes on with the answer.
    """
    ann = somebody(size=PHONE, color_scheme="dark", **MOVING)
    play = rolling(ann, f"game={game}")
    expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
    expect(ann.page.locator(".roll-button")).to_be_in_viewport(ratio=1)
    assert 360 >= ann.page.evaluate("document.documentElement.scrollWidth")
    ann.page.locator(".roll-button").click()
    expect(ann.page.locator(".play .die").first).to_be_in_viewport()
    if game == "ghostburn":
        a_choice_is_played_to_its_end(ann, play)
    expect(play.locator(".told")).not_to_be_empty()


def a_choice_is_played_to_its_end(ann, play):
    """The Luck is kept: what is told, what is added up and how it is coloured agree."""
    choice = ann.page.get_by_role("group", name="Your choice")
    expect(choice.get_by_role("button", name="Keep")).to_contain_text("%")
    choice.get_by_role("button", name="Keep").click()
    expect(choice).to_have_count(0)
    told = play.locator(".told").inner_text()
    total = play.locator(".added b").inner_text().removeprefix("= ")
    assert f"that is {total}:" in told
    tones = {"Success.": "good", "Fade.": "even", "Glitch.": "bad"}
    [good] = [tone for word, tone in tones.items() if told.endswith(word)]
    expect(play).to_have_attribute("data-good", good)


def test_real_dice_are_typed_in_throw_by_throw(ann):
    """With dice of one's own the roll waits for their faces, before and after a choice."""
    card = rolling(ann, f"game=twilight2000&roll=skill&with={SKILL}")
    own_dice(ann)
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
    a_location_die_is_asked_for_by_what_it_decides(ann)


def own_dice(person):
    """Roll with real dice."""
    person.page.get_by_role("checkbox", name="My own dice").check()
    person.page.get_by_role("button", name="Enter faces").click()


def a_location_die_is_asked_for_by_what_it_decides(ann):
    """Guard 3 D6 would read as three dice: 3 is what the hit does (T2K R69)."""
    attack = {"attribute": "B", "skill": "B", "ammo_dice": 0, "targets": [{"name": "Guard"}]}
    card = rolling(ann, f"game=twilight2000&roll=attack&with={quote(json.dumps(attack))}")
    own_dice(ann)
    enter(card, 7, 7)
    expect(card.locator(".faces .chip")).to_have_text(["where it hits Guard for 3"])
    enter(card, 4)
    labelled(
        card,
        "d10 shows 7, success",
        "d10 shows 7, success",
        "where it hits Guard for 3 shows 4, torso",
    )


def a_throw_can_be_left_to_the_server(ann):
    """Whoever has no die at hand lets the server throw, and the roll goes on by itself."""
    own_dice(ann)
    ann.page.get_by_role("button", name="Throw for me").click()
    card = ann.page.locator(".play").first
    expect(card.locator(".told")).to_contain_text("1d6")
    expect(card.locator(".die")).to_have_count(1)
