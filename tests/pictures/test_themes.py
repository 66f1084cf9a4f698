"""Colours that can be read whatever a game names, and pictures that do nothing but show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.errors import BadField
from rollwright.kit.card import Theme
from rollwright.kit.games import find_game, own_games
from rollwright.pictures.themes import (
    CONTRAST,
    FACES,
    LARGE,
    PAGE_COLOURS,
    contrast,
    icons_to_json,
    theme_to_json,
)

TOKENS = Path(__file__).parents[2] / "web" / "src" / "design" / "tokens.css"
FONTS = TOKENS.with_name("fonts.css")
COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


TONES = ("great", "good", "mixed", "bad", "awful")


def check(theme):
    """Every text of a look can be read on its ground, by day and by night."""
    for made in theme_to_json(theme).values():
        written = [("on-felt", "felt"), ("on-felt", "felt-edge"), ("on-felt-2", "felt")]
        written += [("on-felt-2", "felt-edge"), ("ink", "panel"), ("ink", "panel-2")]
        written += [("ink-2", "panel"), ("ink-2", "panel-2"), ("accent", "panel")]
        written += [("accent", "panel-2"), ("on-accent", "accent"), ("die-ink", "die")]
        written += [(tone, on) for tone in TONES for on in ("panel", "panel-2")]
        verdicts = [(made[tone], made[on]) for tone in TONES for on in ("felt", "felt-edge")]
        assert all(contrast(*pair) >= LARGE for pair in verdicts)
        pairs = [(text, ground, made[text], made[ground]) for text, ground in written]
        assert [] == [pair for pair in pairs if contrast(*pair[2:]) < CONTRAST]


@given(COLOURS, COLOURS, COLOURS)
def test_whatever_a_game_names_can_be_read(felt, accent, dice):
    """A colour that is too near to its ground is moved until it is not."""
    check(Theme(felt, accent, dice))


@given(COLOURS, COLOURS)
def test_whatever_a_game_names_by_day_can_be_read(day, accent):
    """A felt by day that is too dark is made lighter; the accent follows it."""
    check(Theme("#424d2d", "#ffb133", "#efe5cb", day=day, day_accent=accent))


@pytest.mark.parametrize("game", own_games())
def test_our_games_have_a_look_of_their_own(game):
    """Felt, accent, dice, a pattern and a face for names, all different from the other games'."""
    theme = find_game(game).card.theme
    assert all((theme.felt, theme.accent, theme.dice, theme.pattern, theme.display))
    check(theme)
    others = [find_game(other).card.theme for other in own_games() if other != game]
    for name in ("felt", "accent", "dice", "pattern", "display"):
        assert getattr(theme, name) not in [getattr(other, name) for other in others]


def test_the_house_is_as_the_page_has_it():
    """What is measured here is what the page draws on."""
    day, night, *_ = re.split(r"\n}\n", TOKENS.read_text("utf-8"))
    for text, when in ((day, "light"), (night, "dark")):
        held = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", text))
        names = ("felt", "felt-edge", "panel", "panel-2")
        assert tuple(PAGE_COLOURS[when][:4]) == tuple(held[name] for name in names)
        assert dict(PAGE_COLOURS[when].tones) == {tone: held[tone] for tone in TONES}


def test_the_faces_are_those_that_the_page_ships():
    """Each can be fetched, and none is shipped that no game may choose."""
    shipped = re.findall('font-family: "([^"]+)"', FONTS.read_text("utf-8"))
    assert sorted(set(shipped)) == sorted(FACES)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("display", "Comic Sans"), ("numbers", '"; }'), ("label", 3)),
        *(("weight", 1000), ("weight", "bold"), ("round", 99), ("round", "1px")),
        *(("pattern", "<script/>"), ("pattern", "<svg><image href='x'/></svg>")),
    ],
)
def test_what_is_no_look_is_refused(field, value):
    """A face that is not shipped, a weight that is none, a picture that does something."""
    with pytest.raises(BadField, match=rf"theme\.{field}: "):
        theme_to_json(Theme(**{field: value}))


@pytest.mark.parametrize("colour", ["red", "#12345", "#1234567", "url(x)", "#12345g", "rgb(1,2,3)"])
def test_what_is_no_colour_is_refused(colour):
    """With its place and an example."""
    with pytest.raises(BadField, match=r"theme.accent: .* is no colour; #1d5a4c would do"):
        theme_to_json(Theme(accent=colour))


BAD = [
    "<svg><script>alert(1)</script></svg>",
    "<svg><script/></svg>",
    '<svg onload="alert(1)"/>',
    '<svg><path onclick="x" d="M0 0"/></svg>',
    '<svg><image href="http://x/y.png"/></svg>',
    '<svg><use href="#a"/></svg>',
    '<svg><a href="javascript:x"><path d="M0 0"/></a></svg>',
    '<svg><path fill="url(http://x)"/></svg>',
    '<svg><path style="background:url(//x)"/></svg>',
    "<svg><style>*{}</style></svg>",
    "<svg><foreignObject><p/></foreignObject></svg>",
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
    '<svg xmlns:xlink="http://www.w3.org/1999/xlink"/>',
    "<svg><path></svg>",
    "<svg/><svg/>",
    "<svg></svg><path/>",
    "<path/>",
    "text",
    "",
    "<svg>&amp;</svg>",
    "<svg>" + "<g>" * 2000 + "</svg>",
]


@pytest.mark.parametrize("text", BAD)
def test_a_picture_that_could_do_something_is_refused(text):
    """Scripts, handlers, styles, references, and whatever is no single picture."""
    with pytest.raises(BadField, match=r"icons\.it: "):
        icons_to_json({"it": text})


def test_a_picture_of_shapes_stays_what_it_is():
    """With the namespace that an image needs; written once more it is the same."""
    path = "<path d='M0 0h4' transform='scale(2)'/>"
    text = f"<svg viewBox='0 0 24 24'><g fill=\"none\">{path}</g></svg>"
    shown = icons_to_json({"it": text})
    assert 'viewBox="0 0 24 24"' in shown["it"]
    assert 'transform="scale(2)"' in shown["it"]
    assert shown == icons_to_json(shown)
