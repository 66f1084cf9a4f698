"""A roll in a terminal of 80 by 24: dice stay in sight, words stay whole; good suggestions."""

import pytest

from tests.cli.running import rollwright

ROLLS = {
    "ghostburn": [
        *("ghostburn", "roll", "--ability", "3", "--skill", "2", "--dl", "Hard"),
        *("--luck-points", "1", "--faces", "2,3"),
    ],
    "edge20": [
        *("edge20", "check", "--modifier", "5", "--dc", "15", "--advantages", "1"),
        *("--rerolls", "1", "--effect", "2d6", "--faces", "4,8,3,5"),
    ],
    "twilight2000": [
        *("twilight2000", "attack", "--attribute", "B", "--skill", "C", "--ammo-dice", "3"),
        *("--faces", "3,4,1,2,5"),
    ],
    "kleptonomicon": [
        *("kleptonomicon", "group", "--members", "name=Alice,modifier=2", "--members", "name=Bob"),
        *("--members", "name=Cy", "--faces", "9,3,2"),
    ],
}
DICE = {
    "ghostburn": "│  2  │ │  3  │",
    "edge20": "│  4  │ │  8  │",
    "twilight2000": "│  3  │ │  4  │",
    "kleptonomicon": "│  9  │",
}


def screens(arguments, answers):
    """What is printed before each question for an answer, line by line."""
    done = rollwright("roll", *arguments, "-i", pipe="\n".join(answers) + "\n")
    return [part.splitlines() for part in done.out.split(", or ? for help: ")]


@pytest.fixture(autouse=True)
def _a_small_terminal(monkeypatch):
    monkeypatch.setenv("LINES", "24")


@pytest.mark.parametrize("name", ROLLS)
def test_the_dice_stay_in_sight_at_the_first_choice(name):
    """Dice, what they come to, every option and the question fit one screen of 24 lines."""
    first, *_ = screens(ROLLS[name], ["1"])
    assert any(DICE[name] in line for line in first[-24:])
    assert max(map(len, first)) <= 80


def test_the_dice_are_said_again_where_they_have_left_the_screen():
    """At the second choice of a group, which throws nothing, all dice stand in one line."""
    _, second, *_ = screens(ROLLS["kleptonomicon"], ["1", "1"])
    assert "On the table: D10 9, D10 3, D10 2" in second
    assert len(second) <= 24


def test_a_tall_terminal_shows_all_there_is(monkeypatch):
    """With room for it, each option has all of its fields."""
    monkeypatch.setenv("LINES", "60")
    done = rollwright("roll", *ROLLS["edge20"], "-i", pipe="1\n")
    assert "total" in done.out
    assert "natural number" in done.out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3d6,2d8", "3d6; 2d8"),
        ("3d6, 2d8, 1d4", "3d6; 2d8; 1d4"),
        ("4d6k4r1", "4d6ro1k4"),
        ("4d6kh3r<2", "4d6ro<2kh3"),
        ("2d6 or 3d6", "2d6; 3d6"),
        ("2d6 and 1d4", "2d6 + 1d4"),
    ],
)
def test_suggestions_are_what_was_meant(typed, meant):
    """The first suggestion keeps every die and every number that was typed."""
    done = rollwright("odds", typed)
    assert 2 == done.code
    assert f"did you mean '{meant}'" in done.err


@pytest.mark.parametrize("command", ["odds", "roll", "games", "ask", "check", "compare"])
def test_a_game_that_is_nearly_right_is_suggested(command):
    """In every command that takes a game."""
    done = rollwright(command, "twilight200", *(["d6"] if command == "compare" else []))
    assert 2 == done.code
    assert "did you mean 'twilight2000'?" in done.err


BURST = [
    *("twilight2000", "attack", "--attribute", "B", "--skill", "C", "--ammo-dice", "6"),
    *("--targets", "name=guard", "--targets", "name=sniper", "--targets", "name=medic"),
    *("--faces", "8,10,6,6,6,2,3,4"),
]


def test_many_options_are_the_best_ones_that_fit():
    """35 ways to spend three sixes: dice, the best of them and the question fit one screen."""
    _, second, all_of_them, *_ = screens(BURST, ["keep", "options", "quit"])
    assert "On the table: D8 8, D10 10, ammo D6 6 6 6 2 3 4" in second
    assert len(second) <= 24
    assert any("more that are worth no more; options lists them all" in line for line in second)
    assert " 9  +1 damage; hit sniper +1" in "\n".join(second)
    assert "\n  10  +1 damage" in "\n".join(second)
    assert any(line.startswith("  35  ") for line in all_of_them)


def test_what_is_listed_first_is_worth_most():
    """With damage in mind the ways that do most of it are listed, whatever their number."""
    _, _, third, *_ = screens(BURST, ["keep", "goal most-damage", "quit"])
    marked = [line for line in third if "◀" in line]
    assert 10 == len(marked)
    assert len(third) - third.index("  Goal: do as much damage as possible") <= 25


def test_dice_of_several_people_lie_side_by_side_with_their_names():
    """A Group Test of three takes the lines of one throw, and says whose each die is."""
    first, *_ = screens(ROLLS["kleptonomicon"], ["1"])
    (row,) = [line for line in first if "│" in line]
    assert "│  9  │  │  3  │ │  2  │" == row.strip()
    names = [" ".join(line.split()) for line in first]
    assert "Alice D10 Bob D10 Cy D10" in names
