"""What is printed fits: at 80 columns, at 40, and for every command."""

import pytest

from tests.cli.running import in_a_process, rollwright

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]
ATTACK = ["twilight2000", "attack", "--attribute", "B", "--skill", "C", "--ammo-dice", "2"]
LINES = [
    ["odds", "4d6kh3"],
    ["odds", "100d6"],
    ["odds", "4d6kh3", "--exact"],
    ["odds", *ATTACK],
    ["odds", *ATTACK, "--of", "hit,jammed"],
    ["odds", *ATTACK, "--where", "hit and not jammed"],
    ["odds", *ATTACK, "--vary", "modifier=-3..3"],
    ["odds", *ATTACK, "--vary", "modifier=-3..3", "--vary", "helpers=0..3"],
    ["odds", *ATTACK, "--vary", "policy=never,always", "--vary", "helpers=0..3", "--of", "jammed"],
    ["odds", "twilight2000", "opposed", "--active", "attribute=B", "--passive", "attribute=C"],
    ["compare", "2d20kh1", "1d20+1d4", "1d20+2"],
    ["compare", *SKILL, "--of", "successes"],
    ["compare", *SKILL, "--where", "successes > 0"],
    ["advise", *SKILL],
    ["advise", *SKILL, "--faces", "3,2"],
    ["advise", "ghostburn", "roll", "--ability", "3", "--dl", "Hard", "--all"],
    ["roll", *SKILL, "--faces", "3,2"],
    ["games", "twilight2000"],
    ["games", "twilight2000", "attack"],
    ["games", "kleptonomicon", "group"],
    ["games"],
    ["--help"],
    ["odds", "twilight2000", "attack", "--help"],
]


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_lines_fit_the_paper(words, columns):
    """No line is longer than the terminal is wide, and none is empty of content."""
    done = rollwright(*words, columns=columns)
    assert 0 == done.code, done.err
    widest = max(done.out.splitlines(), key=len)
    assert len(widest) <= columns, widest


def test_bars_use_the_room():
    """The longest bar of a picture ends near the edge, at any width."""
    for columns in (40, 60, 80, 100):
        shown = rollwright("odds", "4d6kh3", columns=columns).out
        assert columns - 3 <= max(map(len, shown.splitlines())) <= columns


def test_paper_has_a_least_width():
    """A terminal that claims no width at all is still written on."""
    assert 0 == rollwright("odds", "4d6kh3", columns=1).code


@pytest.mark.parametrize(
    "words",
    [
        ["advise", "ghostburn", "roll", "--ability", "3", "--dl", "Hard"],
        ["advise", *SKILL, "--faces", "3,2"],
        ["odds", *ATTACK, "--vary", "modifier=-1..1", "--vary", "helpers=0..1"],
        ["roll", "1d6!+2d4", "--tree", "--faces", "6,3,1,2"],
    ],
    ids=" ".join,
)
def test_plain_paper_has_a_sign_for_every_sign(words):
    """In ASCII rules, lines, marks and shades are drawn in other signs, never as ?."""
    env = {"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}
    done = in_a_process(*words, env=env)
    assert 0 == done.returncode, done.stderr
    assert "?" not in done.stdout


def test_names_of_files_are_not_broken(tmp_path):
    """What is to be copied stands in one piece, however narrow the paper."""
    folder = tmp_path / "a-folder-with-a-rather-long-name"
    folder.mkdir()
    file = folder / "roll.json"
    done = rollwright("roll", *SKILL, "--faces", "3,2", "--save", str(file), columns=40)
    assert str(file) in done.out
