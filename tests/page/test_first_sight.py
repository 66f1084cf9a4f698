"""What lies before one's eyes at a new table: the invitation, the dice, and then the result."""

from playwright.sync_api import expect

from tests.page.people import MOVING, PHONE, wait_until
from tests.page.playing import card, enter, options, panel, roll, tab

HIDDEN_WHILE_FLYING = """card => {
    const dice = card.querySelector('.felt-tray .die-picture');
    const told = card.querySelector('.told, .decision');
    const opacity = () => getComputedStyle(told).opacity;
    dice.setAttribute('data-flying', 'true');
    const flying = opacity();
    dice.removeAttribute('data-flying');
    return [flying, opacity()];
}"""


def in_sight(person, place):
    """Whether something lies whole in what the stage shows."""
    box = person.page.locator(".stage-pane").bounding_box()
    found = place.bounding_box()
    above = found["y"] >= box["y"]
    return above and found["y"] + found["height"] <= box["y"] + box["height"]


def test_whoever_opens_a_table_sees_the_link_first_and_then_the_dice(somebody):
    """On a phone: no link to skip to is in the way, and the invitation does not push dice away."""
    rosa = somebody(size=PHONE)
    rosa.open_table("Dust", "Rosa")
    expect(rosa.page.get_by_role("button", name="Copy the link")).to_be_in_viewport()
    expect(rosa.page.get_by_role("link", name="Skip to the content")).not_to_be_focused()
    place = panel(rosa, "Pool roll")
    options(place, own_dice=True)
    roll(place)
    enter(card(rosa, "Roll"), 7, 7, 3, 4, 5)
    expect(card(rosa, "Roll").locator(".told")).to_be_visible()
    expect(rosa.page.locator(".roll-card .felt-tray")).to_be_in_viewport(ratio=1)
    wait_until(rosa.page, lambda: in_sight(rosa, rosa.page.locator(".roll-card")))


def test_nothing_gives_the_result_away_while_dice_fly(somebody):
    """The sentence, the effects and the choice come when the dice lie."""
    rosa = somebody(**MOVING)
    rosa.open_table("Dust", "Rosa")
    roll(panel(rosa, "Pool roll"))
    tab(rosa, "Stage")
    mine = rosa.page.locator(".roll-card")
    expect(mine.locator(".told")).to_be_visible()
    expect(mine.locator("[data-flying]")).to_have_count(0)
    assert ["0", "1"] == mine.evaluate(HIDDEN_WHILE_FLYING)
