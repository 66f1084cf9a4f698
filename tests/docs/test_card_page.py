"""The reference of the card: every part of a card, every control and widget stands there."""

import inspect
import re
from pathlib import Path

import pytest

from rollwright.kit import card, controls, widgets
from rollwright.kit.games import own_games
from tests.page import one_roll
from tests.page.card_pictures import FOLDER, LIMIT, installed, names

PAGE = (Path(__file__).parent.parent.parent / "docs" / "reference" / "card.md").read_text("utf-8")
TOLD = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`\n]+)`", PAGE.lower()))))
CONTROLS = [
    "pick",
    "picks",
    "number",
    "numbers",
    "switch",
    "text",
    "parts",
    "group",
    "note",
    "jump",
    "act",
]


def own(module, kind):
    """The public classes or functions that a module, or a package with its modules, defines."""
    return [
        name
        for name, held in inspect.getmembers(module, kind)
        if f"{held.__module__}.".startswith(f"{module.__name__}.") and not name.startswith("_")
    ]


@pytest.mark.parametrize("part", [name for name in vars(card.Card) if not name.startswith("_")])
def test_every_part_of_a_card_is_there(part):
    """Data and functions, each with what it says."""
    assert part in TOLD


@pytest.mark.parametrize("name", [*own(card, inspect.isclass), "Choice", "Row"])
def test_every_type_is_there(name):
    """What parts are made of."""
    assert name.lower() in TOLD


@pytest.mark.parametrize("kind", [card.RollCard, card.Exploring, card.Offer, controls.Choice])
def test_every_field_is_there(kind):
    """All that can be said in it."""
    assert set() == {name.strip("_") for name in kind._fields} - TOLD


def test_all_that_a_form_goes_by_is_there():
    """What an author may use of a draft; what the kit itself needs is left out."""
    inside = {"game", "kind", "wrong", "inside", "about", "without", "roll", "path", "described"}
    public = {name for name in dir(card.Asked) if not name.startswith("_")}
    public |= set(card.Asked.__dataclass_fields__)
    assert set() == public - inside - TOLD


@pytest.mark.parametrize("control", CONTROLS)
def test_every_control_has_a_row(control):
    """With its data, and with what makes it."""
    assert re.search(rf"^\| `{control}` \|.*\|.*\|$", PAGE, re.M)


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in own(widgets, inspect.isfunction)
        if n not in ("widget", "words_of_list", "fields_sheet")
    ],
)
def test_every_widget_has_a_row_and_an_example(name):
    """A widget that the page does not show is one that nobody finds."""
    assert re.search(rf"^\| `{name}` \|", PAGE, re.M)
    assert f"widgets.{name}(" in PAGE


def test_the_pictures_are_all_there_and_small():
    """Each is shown once with its words; `./dev run tests.page.card_pictures` makes them."""
    shown = re.findall(r"!\[([^\]]+)\]\(\.\./pictures/card/([a-z-]+\.png)\)", PAGE)
    assert sorted(names()) == sorted(name for _, name in shown)
    assert sorted(names()) == sorted(path.name for path in FOLDER.iterdir())
    assert all(len(words) > 20 for words, _ in shown)
    assert [] == [name for name in names() if (FOLDER / name).stat().st_size > LIMIT]


def test_one_roll_of_each_game_is_shown_before_and_after():
    """Small pictures with words; `./dev run tests.page.one_roll` makes those of today."""
    page = one_roll.FOLDER.parents[1].joinpath("layouts.md").read_text("utf-8")
    shown = re.findall(r"!\[([^\]]+)\]\(pictures/layouts/([a-z0-9-]+\.webp)\)", page)
    assert sorted(one_roll.names()) == sorted(name for _, name in shown)
    assert set(own_games()) == set(one_roll.ROLLS)
    sizes = [(one_roll.FOLDER / name).stat().st_size for name in one_roll.names()]
    assert max(sizes) <= one_roll.LIMIT


def test_the_pictures_are_of_the_code_on_the_page(tmp_path):
    """The game is read from the page, with every part of its card, and has an entry point."""
    found = sorted(path.name for path in installed(tmp_path).glob("*.py"))
    wanted = ["lantern_tokens", "lanterns", "plain_lanterns"]
    assert [f"{name}_of_the_page.py" for name in wanted] == found
    source = (tmp_path / found[0]).read_text("utf-8")
    assert "class Judging(OpenChoice)" in source
    assert "class Dropped" not in source
