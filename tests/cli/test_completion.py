"""Completion: commands, games, rolls, options and their values, as a shell asks for them."""

import os

import pytest

from tests.cli.running import in_a_process


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rollwright od", {"odds"}),
        ("rollwright odds twi", {"twilight2000"}),
        ("rollwright odds twilight2000 at", {"attack"}),
        ("rollwright odds twilight2000 attack --ammo", {"--ammo-dice"}),
        ("rollwright odds twilight2000 attack --attribute ", {"A", "B", "C", "D"}),
        ("rollwright odds twilight2000 attack --push if", {"if-failed", "if-not-ahead"}),
        ("rollwright odds twilight2000 attack --goal ki", {"kill"}),
        ("rollwright odds twilight2000 attack --house jam", {"jam_rule="}),
        ("rollwright games gho", {"ghostburn"}),
        ("rollwright completion f", {"fish"}),
    ],
)
def test_words_are_completed(line, expected):
    """What bash would offer for a line that is not finished."""
    words = line.split(" ")
    env = {
        **os.environ,
        "_ROLLWRIGHT_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = in_a_process(env=env)
    offered = {item.partition(",")[2] for item in done.stdout.split()}
    assert expected <= offered, done.stderr
    assert len(offered) <= len(expected) + 1
