"""The roll panel: odds that follow the fingers, refusals in their place, and what is kept."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import rollwright as rw
from tests.gates import first_row
from tests.page.people import PHONE, await_answer, wait_until
from tests.page.playing import make_sheet, panel, take


def opened(person, game, roll, **fields):
    """The page without a table, with a roll of a game set up."""
    given = quote(json.dumps(fields)) if fields else ""
    person.page.goto(f"{person.address}roll?game={game}&roll={roll}&with={given}")
    expect(person.page.locator(".dock .chance strong")).not_to_have_text("–")
    return person.page


def percent(chance):
    """A chance as the page writes it."""
    shown = float(chance) * 100
    return f"{shown:.1f}".removesuffix(".0") if shown < 10 or shown > 95 else f"{shown:.0f}"


def test_the_odds_follow_a_slider(somebody):
    """At every step of the slider the page shows the exact chance that the library counts."""
    page = opened(somebody(), "dust", "roll", pool=1)
    slider = page.get_by_role("slider", name="Dice in the pool")
    slider.focus()
    for pool in range(1, 8):
        outcomes = rw.odds({"game": "dust", "roll": "roll", "pool": pool})
        expected = percent(outcomes.p(lambda outcome: outcome.net > 0))
        expect(page.locator(".dock .chance strong")).to_have_text(f"{expected} %")
        slider.press("ArrowRight")


def test_the_newest_question_wins(somebody):
    """An answer that comes late never takes the place of a newer one."""
    ann = somebody()
    page = opened(ann, "dust", "roll", pool=5)
    held = []

    def slow(route):
        if '"pool":6' in route.request.post_data and not held:
            held.append(route)
        else:
            route.continue_()

    expect(page.locator(".dock .chance strong")).to_contain_text("%")  # the first one is answered
    page.route("**/api/v1/preview", slow)
    slider = page.get_by_role("slider", name="Dice in the pool")
    slider.fill("6")
    wait_until(page, lambda: held)
    slider.fill("7")
    held[0].continue_()
    seven = rw.odds({"game": "dust", "roll": "roll", "pool": 7})
    expected = percent(seven.p(lambda outcome: outcome.net > 0))

    expect(page.locator(".dock .chance strong")).to_have_text(f"{expected} %")
    await_answer(page, held[0].request)
    expect(page.locator(".dock .chance strong")).to_have_text(f"{expected} %")


def test_one_more_says_what_it_is_worth_and_can_be_taken(somebody):
    """A tap on what one more helper is worth adds the helper, and the chance rises by that much."""
    page = opened(somebody(), "twilight2000", "skill", attribute="B", skill="C")
    more = page.locator(".one-more").get_by_role("button", name="one helper")
    expect(more).to_contain_text("points")
    more.click()

    helped = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C", "helpers": 1}
    expected = percent(rw.odds(helped, "never").p(lambda outcome: outcome.successes > 0))
    expect(page.locator(".dock .chance strong")).to_have_text(f"{expected} %")
    expect(page.get_by_role("radio", name="1", exact=True)).to_be_checked()


def test_costs_stand_beside_the_odds(somebody):
    """Pushing an attack shows the chance of a jam before anything is rolled."""
    page = opened(somebody(), "twilight2000", "attack", attribute="B", skill="C", ammo_dice=3)
    expect(page.locator(".costs")).to_contain_text("rounds fired")
    expect(page.locator(".costs")).not_to_contain_text("Jam")
    take(page.get_by_role("radio", name="Push a failure"))
    expect(page.locator(".costs")).to_contain_text("Jam")


def test_ammo_dice_end_at_the_legal_maximum(somebody):
    """The slider of the ammo dice ends at one fewer than the rounds left."""
    page = opened(somebody(), "twilight2000", "attack", attribute="B", skill="C", rounds=4)
    expect(page.get_by_role("slider", name="Ammo dice")).to_have_attribute("max", "3")


def test_a_refused_field_says_so_where_it_stands(somebody):
    """What the server refuses is said beside the field, with what would do."""
    fields = {"attribute": "B", "skill": "C", "modifier": 25}
    ann = somebody()
    given = quote(json.dumps(fields))
    ann.page.goto(f"{ann.address}roll?game=twilight2000&roll=skill&with={given}")
    modifier = ann.page.get_by_role("group", name="Modifier", exact=True).first
    expect(modifier.locator(".wrong")).to_contain_text("25 is too high")
    expect(modifier.locator(".wrong")).to_contain_text("−20 to 20 would do")
    expect(modifier.get_by_role("radio", name="+25", exact=True)).to_be_checked()
    expect(ann.page.locator(".dock-why")).to_contain_text("Modifier: 25 is too high")


def test_a_wrong_expression_shows_the_place_and_offers_the_fix(somebody):
    """The wrong part is marked, the sentence says what is wrong, and a tap mends it."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=4d6kq%2B2")
    refusal = ann.page.locator(".refusal")
    expect(refusal.locator("mark")).to_have_text("kq")
    expect(refusal).to_contain_text("this word means nothing here")
    refusal.get_by_role("button", name="4d6k+2").click()

    expect(refusal).to_have_count(0)
    expect(ann.page.get_by_label("Dice", exact=True)).to_have_value("4d6k+2")
    mean = float(rw.odds("4d6k+2").mean)
    expect(ann.page.locator(".dock .chance strong")).to_have_text(f"{mean:.2f}")


def test_keys_build_an_expression(somebody):
    """Tapping dice writes the expression: two d6 and a d8 are 2d6+1d8."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll")
    keys = ann.page.get_by_role("group", name="Add to the dice")
    keys.get_by_role("button", name="Clear").click()
    for die in ("d6", "d6", "d8"):
        keys.get_by_role("button", name=die, exact=True).click()
    expect(ann.page.get_by_label("Dice", exact=True)).to_have_value("2d6+1d8")


def test_a_favourite_is_there_after_a_reload(somebody):
    """A starred roll is kept by the browser, and a tap brings its fields back."""
    ann = somebody()
    page = opened(ann, "dust", "roll", pool=7, difficulty=8)
    page.get_by_role("button", name="Keep as a favourite").click()
    page.goto(f"{ann.address}roll?game=dust")
    page.get_by_role("list", name="Favourites and recent rolls").get_by_role("button").click()
    expect(page.get_by_role("slider", name="Dice in the pool")).to_have_value("7")
    expect(page.get_by_role("radio", name="8", exact=True)).to_be_checked()


CHARTS = [
    ("twilight2000", "attack", {"attribute": "B", "skill": "C", "ammo_dice": 2}),
    ("edge20", "check", {"dc": 15, "modifier": 5}),
    ("ghostburn", "roll", {"ability": 3, "dl": "Hard"}),
]


@pytest.mark.parametrize(
    ("game", "roll", "fields"), first_row(CHARTS), ids=["T2K", "edge20", "GHOST"]
)
def test_every_chart_is_also_a_table(somebody, game, roll, fields):
    """Each chart has a name, a table with a row for every bar, and values that arrow keys read."""
    page = opened(somebody(), game, roll, **fields)
    charts = page.locator("figure.chart")
    expect(charts.first).to_be_visible()
    expect(page.locator("[data-waits]")).to_have_count(0)
    for chart in charts.all():
        bars = chart.locator("rect.chart-bar").count()
        chart.get_by_text("As a table").click()
        expect(chart.get_by_role("table").locator("tbody tr")).to_have_count(bars)
        assert chart.locator("svg > title").text_content()
        reader = chart.get_by_role("slider")
        first = reader.get_attribute("aria-valuetext")
        reader.press("ArrowRight")
        expect(reader).not_to_have_attribute("aria-valuetext", first)


def test_the_panel_of_a_table_explains_who_sees_a_roll(somebody):
    """Each way to hide a roll is explained in a sentence, and the one chosen is shown.

    A blind roll is hidden from the player who makes it, and not from a referee.
    """
    rosa, bo = somebody(), somebody()
    rosa.open_table("Free dice", "Rosa")
    bo.join(rosa.link(), "Bo")
    explained = {
        bo: "Only the referee sees it; not even you.",
        rosa: "Only the referees see it; the players see that you roll.",
    }
    for person, said in explained.items():
        panel = person.page.locator(".roll-panel")
        panel.get_by_text("How it is rolled").click()
        blind = panel.locator("label", has=person.page.get_by_role("radio", name="Blind"))
        expect(blind.locator("small")).to_have_text(said)
    take(panel.get_by_role("radio", name="Blind"))
    expect(panel.locator("summary .chip").first).to_have_text("Blind")


def test_control_and_enter_roll(somebody):
    """The shortcut rolls from inside a field."""
    ann = somebody()
    ann.page.goto(f"{ann.address}roll?dice=2d6")
    expect(ann.page.locator(".dock .chance strong")).to_have_text("7")
    field = ann.page.get_by_label("Dice", exact=True)
    field.press("Control+Enter")
    expect(ann.page.locator(".play .told")).to_be_visible()


def test_an_expression_may_name_numbers_of_the_sheet(somebody):
    """At a table `@luck_points` is the number that stands on one's sheet, and a tap writes it."""
    rosa = somebody()
    rosa.open_table("GHOST/BURN", "Rosa")
    make_sheet(rosa, "Vera")
    place = panel(rosa, "Any dice")
    written = place.get_by_label("Dice", exact=True)
    written.fill("1d20")
    place.get_by_text("Numbers of the sheet").click()
    place.get_by_role("button", name="@luck_points").click()
    expect(written).to_have_value("1d20+@luck_points")
    expect(place.locator(".dock .chance strong")).to_have_text("11.5")


STICKING_OUT = """
() => [...document.querySelectorAll('.roll-panel, .dock').values()]
  .flatMap((place) => [...place.querySelectorAll('button, label, input, summary')])
  .filter((one) => one.checkVisibility() && !one.closest('.kinds, .kept, .game-picker'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.textContent || one.getAttribute('aria-label') || one.className)
"""
ROLLS = {
    "twilight2000": "attack",
    "dust": "roll",
    "kleptonomicon": "test",
    "edge20": "check",
    "ghostburn": "roll",
    "": "",
}


def test_at_twice_the_text_size_everything_is_within_reach(somebody):
    """On a phone with text at 200 % no control of the panel lies past the edge of the screen."""
    ann = somebody(size=PHONE)
    ann.context.add_init_script("localStorage.setItem('rollwright.text', '2')")
    out = {}
    for game, roll in ROLLS.items():
        ann.page.goto(f"{ann.address}roll?game={game}&roll={roll}")
        expect(ann.page.locator(".dock .chance strong")).not_to_have_text("–")
        expect(ann.page.locator(".roll-button")).to_be_in_viewport(ratio=1)
        out[game] = ann.page.evaluate(STICKING_OUT)
        assert 360 >= ann.page.evaluate("document.documentElement.scrollWidth")
    ann.page.goto(f"{ann.address}roll?game=dust&roll=roll")
    difficulty = ann.page.get_by_role("group", name="Difficulty")
    difficulty.get_by_role("radio", name="8", exact=True).check()
    expect(difficulty.get_by_role("radio", name="8", exact=True)).to_be_checked()
    assert dict.fromkeys(ROLLS, ()) == {game: tuple(found) for game, found in out.items()}
