"""Play in a terminal: dice drawn as dice, options with odds, answers, and second thoughts."""

import json

import pytest

import rollwright as rw
from tests.cli.running import Terminal, rollwright, saved

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]
CHOICE, FACES = "help: ", "faces: "


def test_a_roll_stops_and_takes_the_answer():
    """Dice in boxes, the options with their worth, the best one marked; then the outcome."""
    table = Terminal("roll", *SKILL, "--seed", "5")
    shown = table.answer(CHOICE, "2")
    assert "│  1  │ │  2  │" in shown
    assert "   D8     D10" in shown
    assert "2  push    50.0 %  ◀ best" in shown
    assert "successes      mean 0.6" in shown
    done = table.end()
    assert 0 == done.code
    assert "1 damage" in " ".join(done.out.split())


def test_the_goal_can_be_changed():
    """The worth of the options follows the goal; an unknown goal is answered with those known."""
    table = Terminal("roll", *SKILL, "--seed", "5", "--goal", "two-successes")
    assert "Goal: get two successes or more" in table.answer(CHOICE, "goal succeed-cheaply")
    assert "2  push      0.17  ◀ best" in table.answer(CHOICE, "goal nonsense")
    assert "Goals: just-succeed" in table.answer(CHOICE, "goal")
    assert "Goals: just-succeed" in table.answer(CHOICE, "keep")
    table.answer("anew: ", "")
    assert 0 == table.end().code


def test_mistyped_faces_are_refused_and_taken_back(tmp_path):
    """A face that no die shows is asked again; a wrong one and a choice are taken back."""
    file = tmp_path / "roll.json"
    table = Terminal("roll", *SKILL, "--physical", "--save", str(file))
    table.answer(FACES, "9 4")
    assert "a D8 cannot show 9; it shows 1 to 8" in table.answer(FACES, "1 4")
    table.answer(CHOICE, "back")
    assert "Taken back: 1, 4" in table.answer(FACES, "3,2")
    table.answer(CHOICE, "push")
    table.answer(FACES, "back")
    assert "Taken back: push" in table.answer(CHOICE, "push")
    table.answer(FACES, "6 6")
    table.answer("anew: ", "back")
    table.answer(FACES, "6 1")
    table.answer("anew: ", "")
    assert 0 == table.end().code
    transcript = rw.verify(file.read_text("utf-8"))
    assert [(3, 2), (6, 1)] == [faces for _, faces in transcript.throws]
    assert {"typed"} == {entry.how for entry in transcript.entries if hasattr(entry, "how")}


def test_virtual_dice_are_not_taken_back():
    """Once the computer has thrown, there is no going back."""
    table = Terminal("roll", *SKILL, "--seed", "5")
    table.answer(CHOICE, "back")
    assert "The dice have been thrown" in table.answer(CHOICE, "quit")
    assert "save FILE keeps the roll" in table.answer(CHOICE, "quit")
    assert "the roll is not saved" in " ".join(table.end().out.split())


def test_nothing_can_be_taken_back_before_the_first_throw():
    """`back` at the very start says so."""
    table = Terminal("roll", *SKILL, "--physical")
    table.answer(FACES, "back")
    assert "Nothing has happened yet" in table.answer(FACES, "quit")
    assert 0 == table.end().code


def test_a_roll_is_saved_left_and_taken_up(tmp_path):
    """`save` and `quit`, then `--resume` shows the dice that lie there and goes on."""
    file = tmp_path / "open.json"
    table = Terminal("roll", *SKILL, "--seed", "5")
    table.answer(CHOICE, f"save {file}")
    assert "Saved to" in table.answer(CHOICE, "quit")
    done = table.end()
    assert 0 == done.code
    assert f"Go on with --resume {file}" in " ".join(done.out.split())
    again = Terminal("roll", "--resume", str(file), "--save", str(file))
    assert "│  1  │ │  2  │" in again.answer(CHOICE, "keep")
    again.answer("anew: ", "")
    assert 0 == again.end().code
    assert rw.verify(file.read_text("utf-8")).is_done


def test_a_wrong_answer_is_asked_again():
    """A word that is no option gets a guess; `?` explains; the end of the input leaves the roll."""
    table = Terminal("roll", *SKILL, "--seed", "5")
    table.answer(CHOICE, "psh")
    assert "did you mean 'push'?" in table.answer(CHOICE, "?")
    assert "take back a typed face" in table.answer(CHOICE, "\x04")
    assert "Open: roller must choose" in table.end().out


def test_enter_alone_is_told_what_the_prompt_asked_for():
    """Nothing typed is no option of that name: the same answers would do as before."""
    table = Terminal("roll", *SKILL, "--seed", "5")
    table.answer(CHOICE, "")
    shown = table.answer(CHOICE, "keep")
    assert "roller must choose: 1-2 would do" in shown
    assert "''" not in shown
    table.answer("anew: ", "")
    assert 0 == table.end().code


def test_an_interrupt_ends_quietly():
    """Ctrl-C at a question: exit code 130, no traceback."""
    table = Terminal("roll", *SKILL, "--seed", "5")
    table.wait_for(CHOICE)
    table.interrupt()
    done = table.end()
    assert 130 == done.code
    assert "Traceback" not in table.text


def test_dice_are_asked_for_too():
    """An expression with real dice: faces are typed, the line is that of any other roll."""
    table = Terminal("roll", "2d6kh1", "--physical")
    table.answer("Throw 2D6 and type the faces: ", "3 4")
    table.answer("anew: ", "")
    assert "2d6kh1 [~3~ 4] = 4" in table.end().out


def test_answers_can_come_from_a_pipe():
    """`-i` asks even where no terminal is; ASCII and narrow paper are no obstacle."""
    done = rollwright("roll", *SKILL, "--seed", "5", "-i", pipe="push\n", columns=40)
    assert (0, "") == (done.code, done.err)
    assert "◀ best" in done.out
    assert max(map(len, done.out.splitlines())) <= 40


def test_a_terminal_without_signs_gets_plain_ones():
    """Boxes of + and -, and no colours where NO_COLOR is set."""
    table = Terminal("roll", *SKILL, "--seed", "5", PYTHONIOENCODING="ascii", NO_COLOR="1")
    shown = table.answer(CHOICE, "keep")
    assert "+-----+ +-----+" in shown
    assert "< best" in shown
    assert "\x1b[" not in shown
    table.answer("anew: ", "")
    assert 0 == table.end().code


@pytest.mark.parametrize(("settings", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals(settings, coloured):
    """A terminal gets colours unless NO_COLOR is set; a pipe never does."""
    done = Terminal("odds", "2d6", **settings).end()
    assert coloured == ("\x1b[" in done.out)
    assert "\x1b[" not in rollwright("odds", "2d6").out


@pytest.mark.long
def test_a_slow_sweep_shows_its_progress():
    """A bar appears on the error channel after a moment, and the table is all that stays."""
    words = ["twilight2000", "attack", "--attribute", "A", "--skill", "A", "--push", "best"]
    table = Terminal("odds", *words, "--vary", "ammo_dice=3..6", "--vary", "modifier=-2..1")
    done = table.end()
    assert 0 == done.code
    assert "by ammo dice and modifier" in done.out


def test_an_open_roll_in_a_pipe_is_data(tmp_path):
    """Nobody is asked in a pipe: the roll is printed open."""
    plain = json.loads(saved(tmp_path).read_text("utf-8"))
    assert "outcome" not in plain
