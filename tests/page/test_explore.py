"""What if, without rolling: curves, heat maps and comparisons."""

import re

from playwright.sync_api import expect

import rollwright as rw
from tests.page.playing import panel
from tests.page.test_panel import percent

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
FIELDS = "%7B%22attribute%22%3A%22B%22%2C%22skill%22%3A%22C%22%7D"


def pictures_of(person, about):
    """What Explore draws of a roll."""
    person.page.goto(f"{person.address}explore?{about}")
    return person.page.get_by_role("region", name="Pictures")


def table_of(pictures):
    """The table of the picture: a list of cells for each row."""
    pictures.get_by_text("As a table").click()
    rows = pictures.get_by_role("table").locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def succeeds(end):
    """Whether a roll of a game with a word for it is a success."""
    return end.success


def test_a_roll_is_explored_in_every_picture(somebody):
    """The skill roll of Twilight: 2000 as a curve, as a heat map, and beside other builds."""
    pictures = pictures_of(somebody(), f"game=twilight2000&roll=skill&with={FIELDS}")
    a_curve_is_exact_for_every_way_to_play(pictures)
    pictures.get_by_role("button", name="Heat map").click()
    a_heat_map_says_its_numbers(pictures)
    pictures.get_by_role("button", name="Compare").click()
    builds_of_the_game_at_hand_come_first(pictures)


def a_curve_is_exact_for_every_way_to_play(pictures):
    """The curve over the modifier has a row for each value with the chance under each policy."""
    expect(pictures.locator(".chart-wide .chart-line").first).to_be_visible()
    rows = {row[0]: row[1:] for row in table_of(pictures)}

    for said, modifier in (("−2", -2), ("0", 0), ("3", 3)):
        request = {**SKILL, "modifier": modifier}
        expected = [
            f"{percent(rw.odds(request, policy).p(lambda found: found.successes > 0))} %"
            for policy in ("never", "if-failed", "best")
        ]
        assert expected == rows[said]


def a_heat_map_says_its_numbers(pictures):
    """Every cell of a heat map has its number in it, and can be read with the arrow keys."""
    cells = pictures.locator(".chart-cell text")
    expect(cells.first).to_contain_text("%")
    reader = pictures.get_by_role("slider")
    reader.press("ArrowRight")
    expect(reader).to_have_attribute("aria-valuetext", re.compile("%"))
    assert cells.count() == sum(len(row) - 1 for row in table_of(pictures))


def builds_of_the_game_at_hand_come_first(pictures):
    """Compare begins with three builds of the roll that is set, each with its exact chance."""
    builds = ({}, {"attribute": "A", "skill": "D"}, {"helpers": 1})
    expected = [
        f"{percent(rw.odds({**SKILL, **build}, 'never').p(lambda found: found.successes > 0))} %"
        for build in builds
    ]
    expect(pictures.locator(".compare-chances b")).to_have_text(expected)


def test_dice_and_house_rules_are_explored_too(somebody):
    """What is not a roll of a game by its book."""
    ann = somebody()
    builds_are_compared(ann)
    house_rules_are_drawn_too(ann)


def builds_are_compared(ann):
    """Dice as they are set and any others stand beside each other with their distributions."""
    pictures = pictures_of(ann, "dice=4d6kh3")
    expect(pictures.locator(".chart-legend li")).to_have_count(3)
    pictures.get_by_label("Or dice").fill("3d6")
    pictures.get_by_role("button", name="Add", exact=True).click()
    expect(pictures.locator(".chart-legend li")).to_have_count(4)
    rows = {row[0]: row[1:] for row in table_of(pictures)}

    assert f"{percent(rw.odds('3d6').p(lambda total: total == 9))} %" == rows["9"][3]


def house_rules_are_drawn_too(ann):
    """With a house rule of the game set, the curve is that of the house."""
    pictures = pictures_of(ann, "game=edge20&roll=check&with=%7B%22dc%22%3A15%7D")
    ann.seen("House rules").click()
    ann.page.locator(".rule > summary", has_text="A total equal to the DC").click()
    ann.page.get_by_role("radio", name="the DC must be exceeded").check()
    pictures.get_by_label("Across").select_option("modifier")
    ruled = {"game": "edge20", "roll": "check", "dc": 15, "house": {"tie": "failure"}}
    expected = {
        str(modifier): f"{percent(rw.odds({**ruled, 'modifier': modifier}).p(succeeds))} %"
        for modifier in (0, 3)
    }
    pictures.get_by_text("As a table").click()
    for modifier, chance in expected.items():
        name = ann.page.get_by_role("rowheader", name=modifier, exact=True)
        row = pictures.get_by_role("row").filter(has=name)
        expect(row.get_by_role("cell").first).to_have_text(chance)


def test_the_way_back_to_the_table(somebody):
    """Pictures of a roll at a table lead back to it, and the roll is set there as it was."""
    ann = somebody()
    ann.open_table("A Thousand Miles of Dust", "Ann")
    place = panel(ann, "Extended roll")
    place.get_by_role("button", name="Successes wanted: more").click()
    link = place.get_by_role("link", name="Explore this roll")
    expect(link).to_have_attribute("href", re.compile("target%22%3A11"))
    link.press("Enter")
    expect(ann.page.get_by_role("region", name="Pictures")).to_be_visible()
    ann.page.get_by_role("link", name="Back to the table").click()
    expect(place.get_by_role("textbox", name="Successes wanted")).to_have_value("11")
