"""What cannot be rolled as it is set: no old odds beside the button, and the reason on it."""

import pytest
from playwright.sync_api import expect

from tests.gates import first_row
from tests.page.people import PHONE
from tests.page.playing import card, make_sheet, odds, panel, part, pick, roll
from tests.page.test_at_the_table import start

AK = {"name": "AK", "rounds": 20}


def why(place):
    """What is said beside the button."""
    return place.locator(".dock-why")


def button(place):
    """The large one."""
    return place.locator(".roll-button")


def test_refused_dice_leave_no_odds_behind(somebody):
    """Dice that cannot be thrown take the odds of the dice before them away."""
    ann = somebody(size=PHONE)
    ann.page.goto(f"{ann.address}roll?dice=1000d6")
    expect(odds(ann.page)).to_have_text("3,500")
    dice = ann.page.get_by_label("Dice", exact=True)
    for text, reason in (("99999d6", "At most 20,000 dice"), ("d0", "sides"), ("🎲", "means")):
        dice.fill(text)
        expect(why(ann.page)).to_contain_text(reason)
        expect(odds(ann.page)).to_have_text("–")
        expect(ann.page.locator(".chart-bar")).to_have_count(0)
        expect(button(ann.page)).to_be_disabled()
    dice.fill("2d6")
    expect(odds(ann.page)).to_have_text("7")
    expect(why(ann.page)).to_have_count(0)
    expect(button(ann.page)).to_be_enabled()


def test_what_is_too_much_to_count_can_be_rolled(somebody):
    """A product of many dice has no odds here, is not called wrong, and is thrown all the same."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=100d100*100d100")
    expect(why(ann.page)).to_have_text("Too much to count, but it can be rolled.")
    expect(odds(ann.page)).to_have_text("–")
    expect(ann.page.locator(".refusal")).to_have_count(0)
    button(ann.page).click()
    expect(ann.page.locator(".play .told")).to_be_visible()


def test_swapped_letters_are_what_was_meant(somebody):
    """`4d6hk3` is most likely `4d6kh3`, and that is offered first."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=4d6hk3")
    expect(ann.page.locator(".refusal").get_by_role("button").first).to_have_text("4d6kh3")


def test_without_the_server_no_old_odds_stand(somebody):
    """A roll that cannot be asked about shows no chance; the answer comes with the server."""
    ann = somebody()
    first = []

    def only_the_first(route):
        """Nothing else is answered, not even what the slider asks ahead."""
        asked = route.request.post_data_json["draft"]
        first[:] = first or [asked]
        route.continue_() if [asked] == first else route.abort()

    ann.page.route("**/api/v1/preview", only_the_first)
    ann.page.goto(f"{ann.address}roll?game=dust&roll=roll")
    expect(odds(ann.page)).to_contain_text("%")
    slider = ann.page.get_by_role("slider", name="Dice in the pool")
    slider.press("ArrowRight")
    expect(odds(ann.page)).to_have_text("–")
    expect(why(ann.page)).to_contain_text("cannot be reached")
    expect(button(ann.page)).to_be_disabled()
    ann.page.get_by_role("button", name="Extended roll", exact=True).click()
    expect(odds(ann.page)).to_have_text("–")
    ann.page.unroute("**/api/v1/preview")
    ann.page.get_by_role("button", name="Pool roll", exact=True).click()
    slider.press("ArrowLeft")
    expect(odds(ann.page)).to_contain_text("%")
    expect(button(ann.page)).to_be_enabled()


def test_a_weapon_that_does_not_fire_says_so(somebody):
    """Empty or jammed, it has no odds and no roll; a jam is a tap away from being cleared."""
    rosa = somebody(size=PHONE)
    rosa.open_table("Twilight: 2000", "Rosa")
    make_sheet(rosa, "Ron")
    start(rosa, {"do": "sheet.change", "sheet": "s1", "values": {"weapons": [AK]}})
    place = panel(rosa, "Attack")
    expect(odds(place)).to_contain_text("%")

    empty = {"weapons": [{**AK, "rounds": 0}]}
    start(rosa, {"do": "sheet.change", "sheet": "s1", "values": empty})
    expect(why(place)).to_contain_text("The AK is empty")
    expect(odds(place)).to_have_text("–")
    expect(button(place)).to_be_disabled()

    jammed = {"weapons": [{**AK, "jammed": True}]}
    start(rosa, {"do": "sheet.change", "sheet": "s1", "values": jammed})
    expect(why(place)).to_contain_text("The AK is jammed")
    place.get_by_role("button", name="Clear a jam").last.click()
    kinds = place.get_by_role("group", name="Kinds of rolls")
    kind = kinds.get_by_role("button", name="Clear a jam")
    expect(kind).to_have_attribute("aria-pressed", "true")
    expect(odds(place)).to_contain_text("%")
    expect(button(place)).to_be_enabled()


def test_nobody_in_a_group_is_refused_in_words_of_the_table(somebody):
    """The reason names the field as the panel does, and the rule only as a small reference."""
    rosa = somebody()
    rosa.open_table("The Kleptonomicon", "Rosa")
    place = panel(rosa, "Contest")
    expect(odds(place)).to_contain_text("%")
    panel(rosa, "Group Test")
    for player in ("Player 2", "Player 1"):
        place.get_by_role("button", name=f"Take away {player}").click()
    expect(why(place)).to_contain_text("Who takes part: 0 cannot make a Group Test")
    expect(why(place).locator("small")).to_have_text("Rule 24")
    expect(odds(place)).to_have_text("–")
    expect(button(place)).to_be_disabled()


def test_the_sheet_rules_what_there_is_to_spend(somebody):
    """With typed skills too, Luck and Adrenaline are those of the sheet."""
    rosa = somebody()
    rosa.open_table("GHOST/BURN", "Rosa")
    make_sheet(rosa, "Cy")
    start(rosa, {"do": "sheet.change", "sheet": "s1", "values": {"luck_points": 0}})
    place = panel(rosa, "Skill roll")
    expect(place).to_contain_text("Luck Points on the sheet: 0")
    with rosa.page.expect_response("**/preview") as answered:
        pick(place, "Difficulty Level", "Hard")
    assert 0 == answered.value.json()["request"]["luck_points"]
    roll(place)
    expect(card(rosa, "Skill roll").locator(".told")).to_be_visible()

    bo = somebody()
    bo.open_table("A Thousand Miles of Dust", "Bo")
    make_sheet(bo, "Kim")
    start(bo, {"do": "sheet.change", "sheet": "s1", "values": {"adrenaline": 1}})
    place = panel(bo, "Pool roll")
    expect(place).to_contain_text("You have 1.")
    expect(place.get_by_role("slider", name="Adrenaline spent")).to_have_attribute("max", "1")


def test_a_referee_rolls_as_whom_they_say(somebody):
    """A sheet that is looked at is not rolled with; whom the roll is for stands above it."""
    rosa = somebody()
    rosa.open_table("Twilight: 2000", "Rosa")
    start(rosa, {"do": "sheet.create", "sheet": "npc", "values": {"name": "Kessler"}})
    part(rosa, "Sheet").get_by_role("tab", name="Kessler").click()
    expect(part(rosa, "Sheet").get_by_role("heading", name="Kessler")).to_be_visible()
    place = part(rosa, "Roll")
    chooser = place.get_by_label("Rolling as")
    expect(chooser.locator("option:checked")).to_have_text("Rosa, without a sheet")
    expect(place.locator(".skill-board")).to_have_count(0)
    chooser.select_option("Kessler")
    expect(place.locator(".skill-board")).to_be_visible()
    roll(place)
    expect(card(rosa, "Skill roll: recon")).to_contain_text("Kessler")


@pytest.mark.parametrize(
    ("game", "kind", "add", "group"),
    first_row(
        [
            ("edge20", "turn", "One more check", "Check 3"),
            ("dust", "plan", "One more roll", "Roll 3"),
            ("ghostburn", "session", "One more roll", "Roll 4"),
        ]
    ),
)
def test_rolls_in_a_row_have_cards(somebody, game, kind, add, group):
    """A turn, a plan and a session are cards with the controls of a roll, and say their unit."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?game={game}&roll={kind}")
    expect(ann.page.locator(".dock .chance")).to_contain_text("successes on average")
    ann.page.get_by_role("button", name=add).click()
    made = ann.page.get_by_role("group", name=group)
    expect(made).to_be_visible()
    ann.page.get_by_role("button", name=f"Take away {group}").click()
    expect(made).to_have_count(0)
    expect(ann.seen("Set:")).to_have_count(0)
