"""What is printed fits: at 80 columns, at 40, and for every command."""

import pytest

from tests.cli.running import rollwright

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
