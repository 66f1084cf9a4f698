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
from rollwright.pictures.themes import CONTRAST, GROUNDS, contrast, icons_shown, theme_shown

TOKENS = Path(__file__).parents[2] / "web" / "src" / "design" / "tokens.css"
COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


def check(theme):
    """Every text of a theme can be read on its ground, by day and by night."""
    for when, made in theme_shown(theme).items():
        ground = GROUNDS[when]
        pairs = [
            (made["felt-ink"], made["felt"]),
            (made["felt-ink"], made["felt-deep"]),
            (ground.ink, made["felt-soft"]),
            (made["link"], ground.nearest),
            (made["link"], ground.paper),
            (made["link"], made["felt-soft"]),
            (made["bone-ink"], made["bone"]),
        ]
        assert [] == [pair for pair in pairs if contrast(*pair) < CONTRAST]


@given(COLOURS, COLOURS, COLOURS)
def test_whatever_a_game_names_can_be_read(felt, accent, dice):
    """A colour that is too near to its ground is moved until it is not."""
    check(Theme(felt, accent, dice))


@pytest.mark.parametrize("game", own_games())
def test_our_games_have_colours_of_their_own(game):
    """Felt, accent and dice, all different from the other games'."""
    theme = find_game(game).card.theme
    assert all(theme)
    check(theme)
    others = [find_game(other).card.theme for other in own_games() if other != game]
    assert theme not in others


def test_the_grounds_are_those_of_the_page():
    """What is measured here is what the page draws on."""
    day, night, _ = re.split(r"\n}\n\n", TOKENS.read_text("utf-8"), maxsplit=2)
    for text, ground, nearest in ((day, "light", "ground-deep"), (night, "dark", "brass-soft")):
        held = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))
        names = (nearest, "ink", "paper", "felt-ink")
        assert tuple(GROUNDS[ground]) == tuple(held[name] for name in names)


@pytest.mark.parametrize("colour", ["red", "#12345", "#1234567", "url(x)", "#12345g", "rgb(1,2,3)"])
def test_what_is_no_colour_is_refused(colour):
    """With its place and an example."""
    with pytest.raises(BadField, match=r"theme.accent: .* is no colour; #1d5a4c would do"):
        theme_shown(Theme(accent=colour))


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
        icons_shown({"it": text})


def test_a_picture_of_shapes_stays_what_it_is():
    """With the namespace that an image needs; written once more it is the same."""
    path = "<path d='M0 0h4' transform='scale(2)'/>"
    text = f"<svg viewBox='0 0 24 24'><g fill=\"none\">{path}</g></svg>"
    shown = icons_shown({"it": text})
    assert 'viewBox="0 0 24 24"' in shown["it"]
    assert 'transform="scale(2)"' in shown["it"]
    assert shown == icons_shown(shown)
