"""The conversation of a roll: who throws, second thoughts at the end, leaving, odd input."""

import json
import os

import pytest

import rollwright as rw
from rollwright.errors import BadAnswer
from tests.cli.running import Terminal, rollwright

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]
CHOICE = "help: "


def test_given_faces_come_first_then_you_are_asked():
    """In a terminal `--faces` is the first throw; the choice is still asked for."""
    table = Terminal("roll", *SKILL, "--faces", "3,2")
    assert "│  3  │ │  2  │" in table.answer(CHOICE, "push")
    table.answer("Throw D8 + D10 and type the faces: ", "6 1")
    table.answer("anew: ", "")
    done = table.end()
    assert 0 == done.code
    assert "1 success" in " ".join(done.out.split())


def test_given_faces_come_before_typed_ones():
    """`--physical` with some faces asks for the others only."""
    done = rollwright("roll", *SKILL, "--faces", "3,2", "--physical", pipe="push\n6 6\n")
    assert 1 == done.out.count("Throw ")
    assert "pushed (D8 6 and D10 6)" in done.out


def test_faces_that_nobody_needs_are_named():
    """A roll that ends sooner says which faces were left over."""
    done = rollwright("roll", *SKILL, "--faces", "3,2,5", "-i", pipe="keep\n")
    assert "no throw asked for: 5" in done.out


def test_a_last_choice_can_be_taken_back():
    """A mistyped choice that ends the roll is confirmed; then dice and options come again."""
    table = Terminal("roll", *SKILL, "--seed", "5")
    table.answer(CHOICE, "keep")
    table.answer("Enter to end the roll, back to choose anew: ", "back")
    shown = table.answer(CHOICE, "push")
    assert "Taken back: keep" in shown
    assert "│  1  │ │  2  │" in shown
    assert "◀ best" in shown
    assert "pushed" in table.end().out


def test_the_end_of_the_answers_ends_the_roll():
    """A pipe that says no more confirms what it said last."""
    done = rollwright("roll", *SKILL, "--seed", "5", "-i", pipe="keep\n")
    assert 0 == done.code
    assert "Open" not in done.out


def test_leaving_says_what_is_possible(tmp_path):
    """Saved: where to go on. Not saved: a warning at `quit`, and the truth at the end."""
    file = tmp_path / "roll.json"
    kept = rollwright("roll", *SKILL, "--seed", "5", "-i", pipe=f"save {file}\nquit\n")
    assert f"Go on with --resume {file}" in " ".join(kept.out.split())
    lost = " ".join(
        rollwright("roll", *SKILL, "--seed", "5", "-i", pipe="quit\nquit\n").out.split()
    )
    assert "Not saved: save FILE keeps the roll" in lost
    assert "the roll is not saved. Roll with --save FILE" in lost
    piped = " ".join(rollwright("roll", *SKILL, "--seed", "5").out.split())
    assert "the roll is not saved" in piped


def test_a_printed_zero_is_a_ten():
    """A d10 shows 0 for ten and a d100 shows 00, wherever faces are typed (KLEP R6)."""
    assert "so 0!" in rollwright("roll", "kleptonomicon", "test", "--faces", "0,lost").out
    typed = rollwright("roll", "kleptonomicon", "test", "--physical", pipe="0\nlost\n")
    assert "so 0!" in typed.out
    assert "1d% [100] = 100\n" == rollwright("roll", "1d%", "--faces", "00").out
    assert "10, 3" in rollwright("roll", "dust", "--pool", "2", "--faces", "0,3").out
    assert "cannot show 0" in rollwright("roll", "1d8", "--faces", "0").err
    with pytest.raises(BadAnswer, match="it shows 1 to 10; a printed 0 is a 10"):
        rw.roll("1d10", faces=[0])


def test_the_group_knows_who_throws():
    """Everybody's die is asked for by name, the coin too, in words a person would use."""
    names = ["--members", "name=Alice", "--members", "name=Bob,disadvantages=1"]
    words = ["roll", "kleptonomicon", "group", *names, "--house", "group_help=extra_die"]
    shown = rollwright(*words, "--physical", pipe="0\nwon\n4 5\n3\n6\nBob\n8\n\n").out
    assert "Alice: throw D10 and type the face: " in shown
    assert "Alice: throw coin (lost or won) and type the face: " in shown
    assert "D10 needs 1 face, 2 came" in shown
    assert shown.count("Bob: throw D10") >= 2


def test_the_sides_of_a_contest_are_named():
    """First one side throws, then the other; the toss between equals is nobody's."""
    words = ["roll", "kleptonomicon", "contest", "--first", "name=Ann", "--second", "name=Ben"]
    shown = rollwright(*words, "--physical", pipe="4\n4\nfirst\n\n").out
    assert "Ann: throw D10" in shown
    assert "Ben: throw D10" in shown
    assert "Throw toss (first or second) and type the face: " in shown


def test_a_location_die_is_asked_for_by_what_it_decides():
    """Guard 3 D6 would read as three dice: 3 is what the hit does (T2K R69)."""
    words = ["roll", "twilight2000", "attack", "--attribute", "B", "--skill", "B"]
    shot = [*words, "--ammo-dice", "2", "--targets", "name=Guard"]
    shown = rollwright(*shot, "--physical", pipe="7 7 6 2\nkeep\nhit Guard\n3 4\n\n").out
    asked = "Throw D6 (where it hits Guard for 2) + D6 (where it hits Guard for 3) and type"
    assert asked in " ".join(shown.split())
    assert "Guard 3 D6" not in shown
    faces = ["--faces", "7,7,6,2", "--choose", "keep", "--choose", "hit Guard"]
    open = rollwright("--language", "de", *shot, *faces, "-I").out
    told = "W6 (wo es Guard mit 2 Schaden trifft) + W6 (wo es Guard mit 3 Schaden trifft) sind noch"
    assert told in " ".join(open.split())


def test_long_input_is_neither_read_nor_echoed_in_full():
    """Ten megabytes in one line, or in many, are over soon; what comes back is short."""
    for pipe in ("x" * 10_000_000, "x\n" * 5_000_000):
        done = rollwright("roll", *SKILL, "--faces", "3,2", "-i", pipe=pipe)
        assert 0 == done.code
        assert len(done.out) < 30_000


def test_numbers_of_other_scripts_are_no_answers():
    """A raised two is not the second option."""
    done = rollwright("roll", *SKILL, "--faces", "3,2", "-i", pipe="²\n")
    assert "'²' is not offered to roller" in done.out


def test_text_that_is_no_text_leaves_the_roll(tmp_path):
    """Bytes that are no text end the conversation; with `--save` nothing is lost."""
    file = tmp_path / "roll.json"
    table = Terminal("roll", *SKILL, "--seed", "5", "--save", str(file))
    table.wait_for(CHOICE)
    os.write(table.ours, b"\xff\xfe\n")
    assert table.end().code in (0, 2)
    assert [1, 2] == json.loads(file.read_text("utf-8"))["answers"][0]["faces"]
