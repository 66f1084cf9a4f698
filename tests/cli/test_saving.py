"""Saving: what was there stays until the new is whole, and nothing that was thrown is lost."""

import json
import os
import resource
import subprocess
import sys

import pytest

import rollwright as rw
from rollwright.cli.files import write_bytes
from tests.cli.running import ROOT, Terminal, in_a_process, rollwright, saved

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]
CHOICE = "help: "


def no_room():
    """Let this process write no byte into a file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_a_failed_write_leaves_the_old_roll(tmp_path):
    """With no room on the disk the saved roll stays, the new throw is shown, and it is refused."""
    file = saved(tmp_path)
    before = file.read_bytes()
    words = ["roll", "--resume", str(file), "--choose", "push", "--faces", "6,6"]
    done = in_a_process(*words, "--save", str(file), preexec_fn=no_room)
    assert 2 == done.returncode
    assert "pushed (D8 6 and D10 6)" in done.stdout
    assert "cannot be written" in done.stderr
    assert before == file.read_bytes()
    assert [file.name] == os.listdir(tmp_path)


def test_a_place_that_cannot_be_written_is_refused_before_the_throw(tmp_path):
    """No dice are thrown for a folder that is not there, and no odds are counted for it."""
    nowhere = str(tmp_path / "nowhere" / "x")
    for words in (
        ["roll", "2d6", "--save", nowhere],
        ["roll", *SKILL, "--save", str(tmp_path)],
        ["odds", "2d6", "--csv", nowhere],
        ["odds", "2d6", "--plot", f"{nowhere}.svg"],
    ):
        done = rollwright(*words)
        assert (2, "") == (done.code, done.out)
        assert "cannot be written" in done.err


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    """What is overwritten is the contents, nothing else; a device is written to as it is."""
    file, link = tmp_path / "a.csv", tmp_path / "link.csv"
    file.write_text("old", "utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    write_bytes(str(link), b"new")
    assert (b"new", 0o640) == (file.read_bytes(), file.stat().st_mode & 0o777)
    assert link.is_symlink()
    write_bytes(os.devnull, b"new")
    assert not os.path.isfile(os.devnull)


def test_a_saved_roll_needs_no_ending(tmp_path, monkeypatch):
    """A file that is there is a saved roll whatever it is called, unless a game is called so."""
    monkeypatch.chdir(tmp_path)
    plain = saved(tmp_path).read_text("utf-8")
    for name in ("openroll", "dust", "1stroll", "2d6"):
        (tmp_path / name).write_text(plain, "utf-8")
    assert "Best: push" in rollwright("advise", "openroll").out
    assert "Best: push" in rollwright("advise", "1stroll").out
    assert "roller must choose" in " ".join(rollwright("roll", "1stroll").out.split())
    assert rollwright("odds", "2d6").out.startswith("2d6\nmean 7")
    assert "there is nothing to roll" in rollwright("advise", "dust").err


def test_a_seed_goes_on_where_it_stopped(tmp_path):
    """In steps or at once, the same seed gives the same faces."""
    file = tmp_path / "roll.json"
    rollwright("roll", *SKILL, "--seed", "q1", "--save", file)
    rollwright("roll", "--resume", file, "--seed", "q1", "--choose", "push", "--save", file)
    whole = rollwright("roll", *SKILL, "--seed", "q1", "--choose", "push", "--json").out
    stepwise = json.loads(file.read_text("utf-8"))
    assert json.loads(whole)["transcript"]["answers"] == stepwise["answers"]


def test_typed_faces_use_nothing_of_a_seed(tmp_path):
    """After real dice the seed begins at its first faces."""
    file = saved(tmp_path)
    again = rollwright("roll", "--resume", file, "--seed", "7", "--choose", "push", "--json").out
    first = rw.roll(rw.verify(file.read_text("utf-8")).choose("push"), seed=7)
    assert list(first.throws[-1][1]) == json.loads(again)["transcript"]["answers"][-1]["faces"]


def test_an_interrupt_saves_the_roll(tmp_path):
    """Ctrl-C with `--save` keeps what was thrown, says so, and ends with 130."""
    file = tmp_path / "roll.json"
    table = Terminal("roll", *SKILL, "--seed", "5", "--save", str(file))
    table.wait_for(CHOICE)
    table.interrupt()
    done = table.end()
    assert 130 == done.code
    assert "Saved to" in done.out
    assert [(1, 2)] == [faces for _, faces in rw.verify(file.read_text("utf-8")).throws]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["verify", "-"], "standard input is closed"),
        (["odds", "2d6"], "standard output is closed"),
        (["roll", "2d6"], "standard output is closed"),
        (["roll", *SKILL, "--faces", "3,2", "-i"], "the roll is not saved"),
    ],
)
def test_closed_channels_are_no_mistake_of_ours(words, said):
    """A closed input is the end of all answers, a closed output is refused."""
    closed = 1 if "output" in said else 0
    done = subprocess.run(
        [sys.executable, "-m", "rollwright.cli", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        preexec_fn=lambda: os.close(closed),
    )
    assert ("-i" not in words) * 2 == done.returncode
    assert said in " ".join((done.stdout + done.stderr).split())
    assert "should not have happened" not in done.stderr
