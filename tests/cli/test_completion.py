"""Completion: commands, games, rolls, options and their values, as a shell asks for them."""

import os
import subprocess
import sys

import pytest

from tests.cli.running import in_a_process


@pytest.mark.long
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
        (
            "rollwright odds twilight2000 attack --house jam_rule=",
            {"jam_rule=together", "jam_rule=one-kind", "jam_rule=ammo"},
        ),
        ("rollwright odds twilight2000 attack --of ja", {"jammed"}),
        ("rollwright odds twilight2000 attack --of hit,ja", {"hit,jammed"}),
        ("rollwright odds twilight2000 attack --vary ammo", {"ammo_dice="}),
        ("rollwright odds twilight2000 attack --vary skill=A,", {f"skill=A,{s}" for s in "ABCD"}),
        ("rollwright odds twilight2000 attack --vary policy=nev", {"policy=never"}),
        ("rollwright games gho", {"ghostburn"}),
        ("rollwright odds edge20 check --over d", {"disadvantages", "dc", "dc_edges"}),
        ("rollwright ask ed", {"edge20"}),
        ("rollwright ask edge20 tier", {"tier-odds", "tier-table"}),
        ("rollwright ask edge20 highest-dc --mod", {"--modifier"}),
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


@pytest.mark.parametrize("line", ["advise mine", "odds mine", "compare 2d6 mine"])
def test_saved_files_are_completed(line, tmp_path):
    """A saved roll is offered where one can stand; options that take a file leave it to bash."""
    (tmp_path / "mine.json").write_text("{}", "utf-8")
    words = f"rollwright {line}"
    env = {**os.environ, "_ROLLWRIGHT_COMPLETE": "bash_complete", "COMP_WORDS": words}
    env["COMP_CWORD"] = str(len(words.split()) - 1)
    done = subprocess.run(
        [sys.executable, "-m", "rollwright.cli"], capture_output=True, text=True, env=env,
        cwd=tmp_path,
    )  # fmt: skip
    assert "plain,mine.json\n" == done.stdout, done.stderr


def test_file_options_are_left_to_the_shell():
    """`--resume` and its like take whatever file there is."""
    env = {**os.environ, "_ROLLWRIGHT_COMPLETE": "bash_complete"}
    env |= {"COMP_WORDS": "rollwright roll --resume x", "COMP_CWORD": "3"}
    assert "file,x\n" == in_a_process(env=env).stdout
