"""`--dialect`: dice as other tools write them, on the command line."""

from __future__ import annotations

import json
from itertools import product

import pytest

from rollwright.cli import commands
from rollwright.queries import answer
from tests.cli.running import rollwright

ROLL20 = ("--dialect", "roll20")


def test_dice_of_another_tool_are_rolled_and_the_changes_told():
    """What came of it, and beside it what was spelled anew and why."""
    done = rollwright("roll", *ROLL20, "/r 2d6r<2", "--faces", "1,5,3")
    assert "2d6rr<=2 [1→3 5] = 8\n" == done.out
    assert [
        "/r → (nothing): a command of the chat",
        "r<2 → rr<=2: a bare r re-rolls until it passes there; a plain > or < includes the number "
        "itself there",
    ] == done.err.splitlines()


def test_a_line_out_of_a_chat_is_told_what_it_means_there():
    """It is read as ours, and the option for the other reading stands beside it."""
    done = rollwright("roll", "/r 2d6>5", "--faces", "5,6")
    assert "2d6>5 [5 6✓] = 1\n" == done.out
    assert "--dialect roll20 reads it as '2d6>=5'" in done.err
    assert "" == rollwright("roll", "/r 2d6", "--faces", "5,6").err


@pytest.mark.parametrize("command", ["/r ", "/roll ", "!r ", "/gmroll ", "[["])
def test_words_behind_a_line_out_of_a_chat_are_told_or_refused_in_one_line(command):
    """Some tools read a word there and others none: looking for what they mean never breaks."""
    dice = ("1d20+5", "d", "@{str}+1d6")
    for line, word, asked in product(dice, (" to hit", " damage"), ("roll", "compare")):
        done = rollwright(asked, command + line + word)
        assert done.code in (0, 2)
        assert 2 != done.code or 1 == len(done.err.splitlines())


def test_a_refusal_that_cannot_be_put_into_words_is_one_line_all_the_same(monkeypatch):
    """Telling of an error must not fail."""

    def breaks(problem):
        raise problem

    monkeypatch.setattr(commands, "sentence", breaks)
    done = rollwright("roll", "--json", "2d6+kq")
    assert 2 == done.code
    assert "kq" in done.err
    assert 1 == len(done.err.splitlines())


def test_what_a_tool_asks_for_is_set_like_a_name():
    """Its own number is told, with the option that says another."""
    line = "1d6+?{Bonus|2}"
    usual = rollwright("roll", *ROLL20, line, "--faces", "3")
    assert "1d6 [3]+@Bonus = 5\n" == usual.out
    assert "@Bonus is 2; --set Bonus=N says otherwise" in usual.err
    other = rollwright("roll", *ROLL20, line, "--faces", "3", "--set", "Bonus=4")
    assert "1d6 [3]+@Bonus = 7\n" == other.out
    assert "says otherwise" not in other.err


def test_odds_and_comparisons_are_of_what_is_meant():
    """A group that brings its lines along need not translate them by hand."""
    assert rollwright("odds", "10d10>=8").out == rollwright("odds", *ROLL20, "10d10>8").out
    shown = rollwright("compare", "--dialect", "wod", "6wod7", "6wod8").out
    assert "6d10>=7f=1" in shown
    assert "6d10>=8f=1" in shown


def test_json_is_what_every_surface_answers():
    """The translation belongs to the answer."""
    printed = json.loads(rollwright("odds", *ROLL20, "4d6r<2", "--json").out)
    assert answer("odds", {"expression": "4d6r<2", "dialect": "roll20"}) == printed


def test_a_refused_line_is_offered_the_option_that_reads_it():
    """Each reading that is not among the suggestions already."""
    assert (
        "'4d6rr<2'? (--dialect roll20 reads it as '4d6rr<=2')" in rollwright("roll", "4d6r<2").err
    )
    german = rollwright("--language", "de", "roll", "6yz").err
    assert "(--dialect yearzero liest es als '6d6=6')" in german


def test_a_dialect_is_one_of_dice_that_are_typed():
    """A slip in its name is guessed, and a game has none."""
    assert "did you mean 'roll20'?" in rollwright("roll", "--dialect", "rol20", "1d6").err
    assert "dice that are typed" in rollwright("roll", *ROLL20, "dust", "roll").err
    assert "dice that are typed" in rollwright("roll", *ROLL20).err
