"""French is files and nothing else: the house's words, one game's, and the page's."""

import json
from pathlib import Path

import pytest

from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.check import problems_in
from rollwright.i18n.locale import format_text, use_locale
from rollwright.kit.games import find_game

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "web" / "src" / "i18n"
GAME = "ghostburn"


@pytest.mark.parametrize("home", ["rollwright", f"rollwright.games.{GAME}"])
def test_french_says_everything(home):
    """The same check as for German: every message, with its values and forms."""
    words = words_of(home)
    assert "fr" in words.sources[0]
    assert [] == problems_in({code: words.sources[0][code] for code in ("en", "fr")})


def test_the_page_has_the_same_keys_in_every_language():
    """German and French beside each other; the build compares both with English."""
    german, french = (
        json.loads((PAGE / f"{code}.json").read_text("utf-8")) for code in ("de", "fr")
    )
    assert german.keys() == french.keys()
    assert "Français" == french["language.name"]


def test_no_line_of_code_names_a_language_but_english():
    """Languages are found from files, so that another one is another file."""
    sources = [*(ROOT / "src" / "rollwright").rglob("*.py"), *(ROOT / "web" / "src").rglob("*.ts*")]
    named = [
        path.relative_to(ROOT).as_posix()
        for path in sources
        if "server/page" not in path.as_posix()
        and any(sign in path.read_text("utf-8") for sign in ('"fr"', "'fr'", "fr.json", "de.json"))
    ]
    assert [] == [name for name in named if not name.startswith("src/rollwright/i18n/")]


def test_a_roll_is_told_in_french():
    """A stored roll, from beginning to end."""
    path = ROOT / "tests" / "games" / GAME / "transcripts" / "bouncer-open.json"
    roll = Transcript.from_plain(json.loads(path.read_text("utf-8")))
    told = find_game(GAME).tell(roll.request, roll, "fr")
    assert "3 et 9 sur les dés font 12" in told
    assert "un niveau au-dessous de Difficile (20) : Fade" in told


def test_a_refusal_is_said_in_french():
    """With what would do, and numbers as they are typed."""
    with pytest.raises(BadField) as refused:
        find_game(GAME).request("roll", ability=30, dl="Hard")
    with use_locale("fr"):
        said = format_text(refused.value.wording)
    assert "ability : 30 est trop haut (GHOST R5) ; possible : -20 à 20" == said
