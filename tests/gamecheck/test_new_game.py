"""`rollwright new-game` writes a game that passes its own tests and the check."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from rollwright.cli.commands.check import new_game
from rollwright.errors import BadField
from rollwright.scaffold import PLACES, TEMPLATE, write_game

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was begun, installed as far as Python can tell."""
    folder = write_game("lantern_watch", tmp_path_factory.mktemp("games"))
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    about = folder / "lantern_watch-0.1.dist-info"
    about.mkdir()
    header = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(header)
    ((name, place),) = project["entry-points"]["rollwright.games"].items()
    (about / "entry_points.txt").write_text(f"[rollwright.games]\n{name} = {place}\n")
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A program of Python in that folder, which finds the game."""
    path = os.pathsep.join(map(str, (folder, SOURCE)))
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.long
def test_it_passes_the_check(begun):
    """Installed by its entry point, found by its name, and sound in every part."""
    done = run(begun, "-m", "rollwright", "check", "lantern_watch", "--json")
    assert 0 == done.returncode, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["ok"]
    assert {"lantern_watch", "Lantern Watch"} == {found["game"], found["title"]}
    assert [] == [note for part in found["parts"] for note in part["notes"]]


@pytest.mark.long
def test_it_passes_its_own_tests(begun):
    """Those that were written with it."""
    done = run(begun, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert 0 == done.returncode, done.stdout
    assert "3 passed" in done.stdout


def test_it_is_tidy(begun):
    """It has no lint and needs no formatting, as long as its name is short."""
    rules = "--select=E,F,I,UP,B,D1"
    done = run(begun, "-m", "ruff", "check", "--isolated", "--line-length=100", rules, ".")
    assert 0 == done.returncode, done.stdout


@pytest.mark.long
def test_it_is_counted_and_rolled(begun):
    """The commands that it names work."""
    assert 0 == run(begun, "-m", "rollwright", "odds", "lantern_watch", "--dice", "4").returncode
    rolled = run(
        begun, "-m", "rollwright", "roll", "lantern_watch", "--dice", "2", "--push", "never"
    )
    assert 0 == rolled.returncode, rolled.stderr


def test_nothing_is_overwritten(tmp_path):
    """A folder that is there is left as it is."""
    (tmp_path / "ferry").mkdir()
    (tmp_path / "ferry" / "mine.txt").write_text("mine")
    with pytest.raises(BadField, match="ferry is there already; another name or --into would do"):
        write_game("ferry", tmp_path)
    assert ["mine.txt"] == [path.name for path in (tmp_path / "ferry").iterdir()]


@pytest.mark.parametrize("name", ["", "Ferry", "my-ferry", "../up", "3d", "ferry_", "a b"])
def test_what_is_no_name_is_refused(tmp_path, name):
    """It is to be the name of a package."""
    with pytest.raises(BadField, match="is no name of a package; small letters, digits and _"):
        write_game(name, tmp_path)
    assert [] == list(tmp_path.iterdir())


def test_a_name_that_is_taken_is_refused(tmp_path):
    """Nobody could play it."""
    with pytest.raises(BadField, match="there is a game 'dust' already"):
        write_game("dust", tmp_path)


def test_every_file_of_the_template_is_used():
    """None is forgotten, and none is made up."""
    files = {
        path.relative_to(TEMPLATE).as_posix() for path in TEMPLATE.rglob("*") if path.is_file()
    }
    assert set(PLACES) == files


def test_the_command_says_how_to_go_on(tmp_path):
    """What to type next, with the folder's own name."""
    done = CliRunner().invoke(new_game, ["ferry_two", "--into", str(tmp_path)])
    assert 0 == done.exit_code
    assert "rollwright check ferry_two" in done.output
    assert "rollwright odds ferry_two --dice 4" in done.output
    assert (tmp_path / "ferry_two" / "ferry_two" / "words" / "de.json").is_file()
