"""Words for people at a table: no codes, no tokens, one word for one thing."""

import json
import re
from pathlib import Path

import pytest
from hatch_build import WEB

from rollwright.i18n.catalogs import words_of
from rollwright.kit.games import find_game, own_games

HOMES = ["rollwright", *(f"rollwright.games.{name}" for name in own_games())]
PAGE = [*sorted((Path(WEB) / "src" / "i18n").glob("en*.ts"))]
PAGE += [*sorted((Path(WEB) / "src" / "i18n").glob("*.json"))]
CODE = re.compile(r"\b(T2K|DUST|KLEP|EDGE|GHOST) R\d+")


def texts(home):
    """Every text of a home in every language, by its language and name."""
    for language, catalog in words_of(home).sources[0].items():
        for id in catalog:
            yield (language, id), json.dumps(catalog.find(id), ensure_ascii=False)


@pytest.mark.parametrize("home", HOMES)
def test_no_text_names_a_rule_by_its_code(home):
    """A rule is said in words; its number is a small reference that the page adds."""
    assert [] == [where for where, text in texts(home) if CODE.search(text)]


@pytest.mark.parametrize("path", PAGE, ids=lambda path: path.name)
def test_no_text_of_the_page_does(path):
    """In its English, and in every translation."""
    assert [] == CODE.findall(path.read_text("utf-8"))


def test_a_link_that_opens_nothing_is_called_a_link():
    """Nobody at a table knows of tokens: they were sent a link, and can ask for another."""
    words = words_of("rollwright")
    told = {code: words.say(["server.token"], code) for code in ("en", "de", "fr")}
    assert "this link does not open this table; ask for a new one" == told["en"]
    assert "dieser Link öffnet diesen Tisch nicht; lass dir einen neuen geben" == told["de"]
    assert "ce lien n’ouvre pas cette table ; demande-en un nouveau" == told["fr"]


def test_who_cannot_push_is_not_asked_against_whom():
    """T2K R17: the switch says what it does; whom somebody is up against is another question."""
    words = words_of("rollwright.games.twilight2000")
    switch, side = ([*map(words.say, [[id]] * 2, ("en", "de"))] for id in
                    ("label.passive", "label.opposed.passive"))  # fmt: skip
    assert ["Cannot push: unaware or acted upon", "Passiv: ahnungslos oder betroffen"] == switch
    assert ["Who is acted upon", "Die andere Seite"] == side


@pytest.mark.parametrize("home", HOMES)
def test_to_succeed_has_one_name(home):
    """What one aims for reads the same on the button, in Explore and on the card."""
    assert [] == [where for where, text in texts(home) if "just succeed" in text.lower()]
    goals = [goal for name in own_games() for goal in find_game(name).goals.values()]
    assert [] == [goal.title for goal in goals if "just succeed" in goal.title]
