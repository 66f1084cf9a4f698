"""The worked example for translators runs as it stands on its page."""

import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from rollwright import kit
from rollwright.gamecheck.messages import names_of
from rollwright.i18n.catalogs import Folder, words_of
from rollwright.i18n.check import problems_in
from rollwright.kit.games import find_game, own_games

PAGE = (Path(__file__).parents[2] / "docs" / "words.md").read_text("utf-8")


@pytest.fixture
def guns(tmp_path, monkeypatch):
    """The game of the page: its folder, with the catalogs that the page shows."""
    folder = tmp_path / "guns" / "words"
    folder.mkdir(parents=True)
    (tmp_path / "guns" / "__init__.py").write_text("", "utf-8")
    for name, text in re.findall(r"`words/(\w+\.json)`.*?```json\n(.*?)```", PAGE, re.S):
        (folder / name).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    sys.modules.pop("guns", None)
    words_of.cache_clear()


def test_the_worked_example_runs(guns):
    """Two catalogs and a few lines of Python."""
    assert {"en", "pl"} == set(Folder(guns))
    assert [] == problems_in(Folder(guns))
    [example] = re.findall(r"```python3\n(.*?)```", PAGE, re.S)
    exec(compile(example, "docs/words.md", "exec"), {})


def test_every_name_that_is_found_by_itself_is_in_the_table():
    """All that a game needs to be whole in another language, by what its ids begin with."""
    table = PAGE.partition("## Names that are found by themselves")[2].partition("##")[0]
    told = set(re.findall(r"`([a-z]+)[.`]", table))
    wanted = {
        id.partition(".")[0]
        for name in own_games()
        for _, ids in names_of(find_game(name))
        for id in ids
    }
    assert set() == wanted - told
    assert {"effect", "option", "role", "name", "die", "more"} <= told


TABLE = [
    [cell.strip(" `") for cell in line.strip("|").split(" | ")]
    for line in PAGE.partition("| in Python |")[2].partition("\n\n")[0].splitlines()[2:]
]
SHOWN = [row for row in TABLE if len(row) == 4 and row[3] and "`" not in row[0]]


def test_the_table_shows_values():
    """Most rows give both languages; the others depend on the game or on who reads."""
    assert 7 == len(SHOWN)


@pytest.mark.parametrize(("python", "plain", "english", "german"), SHOWN)
def test_values_are_written_as_the_table_says(python, plain, english, german):
    """Python makes that JSON, and both languages write it so."""
    names = {"Fraction": Fraction, **{name: getattr(kit, name) for name in kit.__all__}}
    words = words_of("rollwright")
    value = words.msg("x", v=eval(python, names)).values["v"]
    assert json.loads(plain) == value
    assert english == words.say(value, "en")
    assert german.replace(" %", "\u202f%") == words.say(value, "de")
