"""`rollwright anydice`: programs from a file, the pipe or the line, as odds or as Python."""

from __future__ import annotations

import json

from tests.cli.running import rollwright


def test_outputs_are_shown_as_odds_are(tmp_path):
    """Each with its mean and its bars, and several side by side."""
    file = tmp_path / "program.txt"
    file.write_text('output d20 named "flat" output [highest 1 of 2d20] named "best"', "utf-8")
    done = rollwright("anydice", str(file), "--at-least")
    assert 0 == done.code
    assert "flat\nmean 10.5" in done.out
    assert "flat against best: higher 30.9 %, level 5.0 %, lower 64.1 %" in done.out


def test_files_of_numbers_and_pictures(tmp_path):
    """CSV to the pipe, and an SVG."""
    done = rollwright("anydice", "output 2d2", "--csv", "-")
    assert ["outcome,output 1", "2,0.25", "3,0.5", "4,0.25"] == done.out.splitlines()
    picture = tmp_path / "odds.svg"
    rollwright("anydice", "output", "2d2", "--plot", str(picture))
    assert picture.read_text("utf-8").startswith("<svg")


def test_the_same_in_python():
    """With our words, and what has no form there beside it."""
    done = rollwright("anydice", "--python", "output 3d6 output d{}")
    assert "3 * D6" == done.out.splitlines()[0]
    assert "line 1: a die without faces" in done.err


def test_the_answer_as_data():
    """What `ask` answers."""
    found = json.loads(rollwright("anydice", "output 2d2", "--json").out)
    assert ["output 1", "4"] == [found["outputs"][0]["name"], found["outputs"][0]["total"]]


def test_slips_are_one_line():
    """A program that cannot be read, none at all, and one that shows nothing."""
    assert "X has no value here (line 1, at 'X')" in rollwright("anydice", "output X").err
    assert "rollwright: say which program" in rollwright("anydice").err
    assert "no output with outcomes" in rollwright("anydice", "X: 3").err


def test_too_much_work_is_named_with_its_line():
    """And with the option that allows more, as for all odds."""
    program = "function: f S:s { result: 1@S }\noutput [f 9d9]"
    said = rollwright("anydice", program, "--work", "1000").err
    assert "'[f 9d9]' in line 2 needs about" in said
    assert "--work" in said
