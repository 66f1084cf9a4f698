"""A game in one file on the command line: the file is taken as it is."""

import json
import shutil

from tests.cli.running import rollwright
from tests.game.conftest import EXAMPLES

DUALITY = str(EXAMPLES / "duality.py")
ACTION = f"{DUALITY}:action"


def test_odds_of_a_roll_in_a_file():
    """Fields are options; what a sheet would know is typed by hand."""
    done = rollwright("odds", ACTION, "--trait", "agility", "--agility", "2", "--json")
    assert 0 == done.code, done.err
    assert "verdict" in done.out


def test_a_roll_is_told_on_the_command_line():
    """Real dice, one option, and the story."""
    done = rollwright(
        *("roll", ACTION, "--trait", "strength", "--stress", "6", "--faces", "7,7"),
    )
    assert 0 == done.code, done.err
    assert "Critical with hope" in done.out


def test_what_cannot_be_paid_is_one_line():
    """The field, what is needed and what is left."""
    done = rollwright("odds", ACTION, "--trait", "strength", "--using", "a,b,c")
    assert 2 == done.code
    assert "hope: 3 is too high" in done.err


def test_the_check_finds_both_games_sound():
    """Everything that `rollwright check` tries, and that it says what it tried."""
    for name in ("duality", "marsh_race"):
        done = rollwright("check", str(EXAMPLES / f"{name}.py"), "--json")
        found = json.loads(done.out)
        assert [] == [one for part in found["parts"] for one in part["faults"]]
        assert 0 == done.code
        assert all(part["looked_at"] for part in found["parts"])


def test_words_are_written_and_completed(tmp_path):
    """A file with every text of the game; what is translated stays, what is missing is empty."""
    shutil.copy(EXAMPLES / "duality.py", tmp_path / "hopeful.py")
    file = tmp_path / "hopeful.py"
    assert 0 == rollwright("words", str(file), "--add", "de").code
    path = tmp_path / "hopeful.de.json"
    held = json.loads(path.read_text("utf-8"))
    assert "" == held["word.critical"]
    assert "critical" == held["@word.critical"]
    path.write_text(json.dumps({**held, "word.critical": "kritisch"}), "utf-8")
    done = rollwright("words", str(file), "--add", "de")
    assert "hopeful.de.json: 1 of " in done.out
    again = json.loads(path.read_text("utf-8"))
    assert "kritisch" == again["word.critical"]
    assert "@word.critical" not in again


def test_both_games_are_short():
    """Each is one file of at most 120 lines, with a German file beside it."""
    for name in ("duality", "marsh_race"):
        assert len((EXAMPLES / f"{name}.py").read_text("utf-8").splitlines()) <= 120
        assert (EXAMPLES / f"{name}.de.json").is_file()


def test_a_file_without_a_roll_names_those_it_has():
    """What to type instead."""
    done = rollwright("odds", DUALITY)
    assert 2 == done.code
    assert "duality.py:action" in done.err.replace("\n", "")
