"""A command loads only what it needs, so that it starts at once."""

import subprocess
import sys

import pytest

from rollwright.cli.quick import is_plain_roll
from tests.cli.running import ROOT

LOADED = """
import sys
from rollwright.cli import main
code = main(sys.argv[1:])
print(code, *sorted(sys.modules), file=sys.stderr)
"""


def modules_of(*words):
    """What a fresh Python has loaded after a command."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, cwd=ROOT
    )
    code, *names = done.stderr.split()
    assert "0" == code, done.stderr
    return set(names)


def test_a_plain_roll_loads_neither_click_nor_the_engine():
    """The commonest command needs the notation and nothing else."""
    loaded = modules_of("roll", "4d6kh3")
    assert not {"click", "rich", "rollwright.engine.odds.count", "rollwright.kit", "json"} & loaded


def test_help_loads_no_command_and_no_game():
    """The list of commands is known without loading them."""
    loaded = modules_of("--help")
    assert not {name for name in loaded if name.startswith(("rich", "rollwright.games."))}
    assert not {name for name in loaded if name.endswith("_command")}


def test_dice_load_no_game():
    """Odds of an expression need no game, no entry points and no rich."""
    loaded = modules_of("odds", "2d6")
    assert not {"rich", "rollwright.kit.games", "importlib.metadata"} & loaded


def test_a_game_loads_no_other_game():
    """Only the game that is asked about."""
    loaded = modules_of("odds", "ghostburn", "roll", "--ability", "3", "--dl", "Hard")
    games = {name.split(".")[2] for name in loaded if name.startswith("rollwright.games.")}
    assert {"ghostburn"} == games
    assert "rich" not in loaded


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("roll 2d6", True),
        ("roll d20 + 5", True),
        ("roll 2d6 --json", False),
        ("roll dust", False),
        ("roll dd6", False),
        ("roll 2.json", False),
        ("roll", False),
        ("odds 2d6", False),
    ],
)
def test_which_rolls_are_plain(line, plain):
    """Dice alone are rolled without click; whatever has an option or a name is not."""
    assert plain == is_plain_roll(line.split())


def test_a_plain_roll_is_refused_like_any_other():
    """One line and exit code 2, with the suggestion of the notation."""
    done = subprocess.run(
        [sys.executable, "-m", "rollwright.cli", "roll", "4d"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert (2, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert "did you mean '4d6'" in done.stderr
