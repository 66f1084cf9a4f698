"""`rollwright roll`, `verify` and `advise` on saved rolls."""

import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.dice import D6, Pool
from rollwright.rules import choose, roll, rule
from tests.cli.running import ROOT, in_a_process, rollwright, saved

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]


def test_dice_are_rolled_in_one_line():
    """Typed faces, the dropped die marked, and the total."""
    assert "4d6kh3 [6 ~1~ 3 5] = 14\n" == rollwright("roll", "4d6kh3", "--faces", "6,1,3,5").out


def test_words_of_an_expression_are_one_expression():
    """No quotes are needed where the shell leaves the words alone."""
    assert "2d6 [1 2] + 3 = 6\n" == rollwright("roll", "2d6", "+", "3", "--faces", "1 2").out


def test_a_seed_settles_a_roll():
    """The same seed gives the same faces, in the library too."""
    first, second = (rollwright("roll", "20d100", "--seed", "table").out for _ in range(2))
    assert first == second
    plain = json.loads(rollwright("roll", "3d6", "--seed", "7", "--json").out)
    assert plain["step"]["outcome"] == rw.roll("3d6", seed=7).outcome


def test_a_tree_shows_every_part():
    """Each part on a line of its own."""
    shown = rollwright("roll", "1d6+2d4", "--tree", "--faces", "3,1,2").out
    assert ["6  1d6+2d4", "├ 3  1d6  [3]", "└ 3  2d4  [1 2]"] == shown.splitlines()


def test_names_in_an_expression_are_set():
    """`--set` gives a value to @name, quick or with JSON."""
    words = ["1d20 + @str", "--set", "str=3", "--faces", "10"]
    assert "= 13" in rollwright("roll", *words).out
    assert 13 == json.loads(rollwright("roll", *words, "--json").out)["step"]["outcome"]


def test_a_roll_as_json_has_its_transcript():
    """What `--json` prints can be verified by the library and by the command."""
    done = rollwright("roll", "4d6kh3", "--json")
    assert rw.verify(json.loads(done.out)["transcript"]).is_done
    assert 0 == rollwright("verify", "-", pipe=done.out).code


def test_a_roll_stops_at_a_choice(tmp_path):
    """An open roll says what it waits for, in words and in JSON."""
    shown = rollwright("roll", *SKILL, "--faces", "3,2")
    assert "roller must choose" in " ".join(shown.out.split())
    plain = json.loads(rollwright("roll", *SKILL, "--faces", "3,2", "--json").out)
    assert ("choice", "roller") == (plain["step"]["step"], plain["step"]["by"])
    assert ["keep", "push"] == [option["said"] for option in plain["step"]["options"]]
    assert not rw.Transcript.from_plain(plain["transcript"]).is_done


def test_a_saved_roll_is_taken_up(tmp_path):
    """Saved at the choice, resumed with the choice and the next faces, then verified."""
    file = saved(tmp_path)
    done = rollwright(
        "roll", "--resume", file, "--choose", "push", "--faces", "6,1", "--save", file
    )
    assert "1 success" in done.out
    assert "Changes: damage 1" in done.out
    assert 0 == rollwright("verify", file).code
    assert 1 == rw.verify(file.read_text("utf-8")).outcome.successes


def test_a_roll_of_real_dice_waits_for_faces(tmp_path):
    """A choice without faces for the next throw leaves the roll open there."""
    file = saved(tmp_path, "--choose", "push")
    plain = json.loads(file.read_text("utf-8"))
    assert ["faces", "option"] == [next(iter(answer)) for answer in plain["answers"]]
    assert "waits for D8 + D10" in rollwright("roll", "--resume", file, "-I", "--faces", "").out


def test_a_policy_makes_the_choices():
    """`--policy`, `--push` and `best` with a goal play the roll to its end."""
    for option in (["--push", "if-failed"], ["--policy", "best", "--goal", "succeed-cheaply"]):
        plain = json.loads(rollwright("roll", *SKILL, *option, "--seed", "1", "--json").out)
        assert "outcome" in plain["transcript"]


def test_a_request_comes_from_a_file_or_a_pipe(tmp_path):
    """`--from` takes the request; options beside it win."""
    request = '{"game": "twilight2000", "roll": "skill", "attribute": "B", "house": {}}'
    file = tmp_path / "request.json"
    file.write_text(request, "utf-8")
    for source in (str(file), "-"):
        done = rollwright(
            "roll", "--from", source, "--skill", "C", "--faces", "3,2", "--json", pipe=request
        )
        assert "C" == json.loads(done.out)["transcript"]["request"]["skill"]
    assert 0 == rollwright("roll", file, "--faces", "3").code


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda plain: plain["answers"][0]["faces"].__setitem__(0, 99), "answers[0].faces[0]"),
        (lambda plain: plain["answers"].append({"option": "fly", "by": "roller"}), "answers[1]"),
        (lambda plain: plain.update(format="99"), "format"),
    ],
)
def test_a_false_roll_is_found_out(tmp_path, change, place):
    """Exit code 1, with the place that is not true."""
    file = saved(tmp_path)
    plain = json.loads(file.read_text("utf-8"))
    change(plain)
    file.write_text(json.dumps(plain), "utf-8")
    done = rollwright("verify", file)
    assert 1 == done.code
    assert f"Not true. {place}" in done.out
    found = json.loads(rollwright("verify", file, "--json").out)
    assert (False, place) == (found["true"], found["place"])


def test_a_true_roll_is_told(tmp_path):
    """`verify` says what happened."""
    file = saved(tmp_path)
    assert rollwright("verify", file).out.startswith("True. D8 3 and D10 2 lie there")
    found = json.loads(rollwright("verify", file, "--json").out)
    assert (True, "open") == (found["true"], found["state"])


def test_advice_on_a_saved_roll_says_what_to_do(tmp_path):
    """`advise FILE` takes the roll from where it stands."""
    file = saved(tmp_path)
    assert "Best: push" in rollwright("advise", file).out
    plain = json.loads(rollwright("advise", file, "--json").out)
    assert ("push", "11/16") == (plain["best"], plain["value"]["exact"])
    assert [("keep", "0"), ("push", "11/16")] == [
        (option["option"], option["value"]["exact"]) for option in plain["options"]
    ]


@rule
async def guess() -> bool:
    """Somebody else throws in secret; guess whether it is even."""
    (face,) = await roll(Pool([D6]), sees=("referee",))
    return ((await choose("even", "odd")) == "even") == (face % 2 == 0)


def test_advice_never_tells_of_a_hidden_throw():
    """What the options are worth does not turn on a throw that the chooser cannot see."""
    worths = [rw.advise(rw.roll(guess(), faces=[face]), bool).options for face in (2, 3)]
    assert worths[0] == worths[1]
    assert [Fraction(1, 2)] * 2 == [worth.value for worth in worths[0]]


@pytest.mark.long
def test_a_broken_pipe_is_quiet():
    """Whoever stops reading gets no traceback, and no error."""
    command = [sys.executable, "-m", "rollwright.cli", "odds", "3000d6", "--all"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd=ROOT)
    os.close(writer)
    assert (0, b"") == (done.returncode, done.stderr)


def test_the_module_is_the_command():
    """`python -m rollwright.cli` does what `rollwright` does."""
    assert "2d6 [1 2] = 3\n" == in_a_process("roll", "2d6", "--faces", "1,2").stdout


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda plain: plain.update(format=99), "format"),
        (lambda plain: plain.update(version="77"), "version"),
        (lambda plain: plain["request"].update(game="chess"), "request"),
    ],
)
def test_a_roll_of_other_rules_cannot_be_checked(tmp_path, change, place):
    """Neither true nor untrue: it says so, and the check has not succeeded."""
    file = saved(tmp_path)
    plain = json.loads(file.read_text("utf-8"))
    change(plain)
    file.write_text(json.dumps(plain), "utf-8")
    done = rollwright("verify", file)
    assert 3 == done.code
    assert done.out.startswith(f"Cannot be checked here: {place}")
    found = json.loads(rollwright("verify", file, "--json").out)
    assert (None, "partly", place) == (found["true"], found["verdict"], found["place"])


def test_a_log_of_a_newer_format_cannot_be_checked(tmp_path):
    """A log that says it is of another format is not called untrue; an empty head is refused."""
    file = tmp_path / "log.json"
    file.write_text('{"format": 99, "table": "t", "events": []}', "utf-8")
    done = rollwright("verify", file)
    assert (3, True) == (done.code, done.out.startswith("Cannot be checked here: format 99"))
    assert json.loads(rollwright("verify", file, "--json").out)["true"] is None
    assert "--head was given nothing" in rollwright("verify", file, "--head", "").err


@pytest.mark.parametrize("kind", ['"answers": []', '"table": "t", "events": []'])
def test_an_old_format_is_refused_with_a_sentence(kind):
    """What was written before the first release is not read, and that is said."""
    done = rollwright("verify", "-", pipe=f'{{"format": 1, {kind}}}')
    assert (3, "") == (done.code, done.err)
    assert "format 1 is older than any release" in " ".join(done.out.split())


def test_a_request_that_is_none_is_named_once():
    """The place of the mistake is said, and said once."""
    roll = '{"format": 2, "answers": [], "request": null}'
    assert rollwright("verify", "-", pipe=roll).out.startswith("Not true. request: None is not")
