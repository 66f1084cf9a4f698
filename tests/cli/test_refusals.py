"""Refusals: one line, what came, what would do, the likely slip, exit code 2."""

import contextlib
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollwright as rw
from rollwright.cli import main
from rollwright.cli.commands import COMMANDS
from tests.cli.running import in_a_process, rollwright, saved

ATTACK = ["twilight2000", "attack", "--attribute", "B"]


@pytest.fixture(autouse=True, scope="module")
def elsewhere(tmp_path_factory):
    """Whatever is written by a command line that means nothing, is written elsewhere."""
    with contextlib.chdir(tmp_path_factory.mktemp("elsewhere")):
        yield


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rol", "2d6"], "there is no command 'rol'; did you mean 'roll'?"),
        (["2d6"], "rollwright roll '2d6'"),
        (["roll"], "say what: dice such as 4d6kh3"),
        (["roll", "foo"], "there is no game 'foo'; there are dust"),
        (["roll", "twilight"], "did you mean 'twilight2000'?"),
        (["odds", "twilight2000", "atack"], "there is no roll 'atack'; did you mean 'attack'?"),
        (["odds", "twilight2000", "attack", "skill"], "one word too many"),
        (["odds", *ATTACK, "--amo-dice", "3"], "did you mean '--ammo-dice'?"),
        (["odds", "2d6", "--nonsense-here"], "--help lists the options"),
        (["odds", "twilight2000", "attack"], "attribute: is missing"),
        (["odds", "twilight2000", "attack", "--attribute", "Q"], "A, B, C, D"),
        (["odds", *ATTACK, "--ammo-dice", "99"], "99 is too high (T2K R20); 0 to 12 would do"),
        (["odds", *ATTACK, "--ammo-dice", "x"], "'x' is not a whole number"),
        (["odds", *ATTACK, "--targets", "nonsense"], "is not a Target"),
        (["odds", *ATTACK, "--push", "if-faild"], "did you mean 'if-failed'?"),
        (["odds", *ATTACK, "--goal", "kil"], "did you mean 'kill'?"),
        (["odds", *ATTACK, "--of", "hitt"], "did you mean 'hit'?"),
        (["odds", *ATTACK, "--where", "jamed"], "did you mean 'jammed'?"),
        (["odds", *ATTACK, "--house", "jam_rul=ammo"], "did you mean 'jam_rule'?"),
        (["odds", *ATTACK, "--house", "jam_rule"], "name=value would do"),
        (["odds", "2d6", "--house", "jam_rule=ammo"], "dice have no house rules"),
        (["odds", "2d6", "--push", "always"], "only the rolls of a game have policies"),
        (["odds", "2d6", "--of", "hit"], "this outcome is one value and has no fields"),
        (["odds", "2d6", "--plot", "x.gif"], "'x.gif'"),
        (["odds", "2d6", "--vary", "n"], "name=0..6"),
        (["odds", "2d6", "--vary", "n=0..99999"], "values would do"),
        (["odds", "2d6", "--set", "n=x"], "'x' is not a number"),
        (["odds", "4d"], "how many sides"),
        (["odds", "--from", "nowhere.json"], "cannot be read"),
        (["odds", "--from", "-"], "is not JSON"),
        (["roll", "2d6", "--faces", "1,2", "--seed", "3"], "not both"),
        (["roll", "2d6", "--faces", "1,9"], "cannot show 9"),
        (["roll", *ATTACK, "--faces", "1,2,3"], "left over"),
        (["roll", "--resume", "nowhere.json"], "cannot be read"),
        (["advise", "2d6"], "dice offer no choice"),
        (["compare", "2d6"], "name two to 6"),
        (["compare", "2d6", "2d6"], "named twice"),
        (["compare", *ATTACK], "say what to compare"),
        (["verify", "nowhere.json"], "cannot be read"),
        (["verify"], "FILE is missing: rollwright verify FILE would do"),
        (["games", "dusty"], "did you mean 'dust'?"),
        (["games", "dust", "rol"], "did you mean 'roll'?"),
        (["completion", "tcsh"], "bash"),
        (["verify", "\ud83d"], "is not a text file"),
        (["verify", "\0"], "is not a text file"),
    ],
)
def test_a_refusal_is_one_line(words, said):
    """Nothing on standard output, one line of words on the other, exit code 2."""
    done = rollwright(*words)
    assert (2, "") == (done.code, done.out)
    assert said in done.err
    assert 1 == len(done.err.splitlines())
    assert done.err.startswith("rollwright: ")


def test_an_option_that_was_not_offered(tmp_path):
    """A choice that the roll does not offer, and one that never comes."""
    file = saved(tmp_path)
    assert "did you mean 'push'?" in rollwright("roll", "--resume", file, "--choose", "psh").err
    done = rollwright("roll", "--resume", file, "--choose", "keep", "--choose", "keep")
    assert (2, True) == (done.code, "never came up" in done.err)


def test_without_words_the_help_is_shown():
    """`rollwright` alone explains itself, with the exit code of a usage that is not complete."""
    done = rollwright()
    assert 2 == done.code
    assert "Commands:" in done.out


def test_help_and_version():
    """Both end well."""
    assert (0, True) == (rollwright("--help").code, "Commands:" in rollwright("--help").out)
    assert rollwright("--version").out.startswith("rollwright ")
    for name in COMMANDS:
        assert 0 == rollwright(name, "--help").code


def test_the_last_resort_has_no_traceback(monkeypatch, capsys):
    """Even a mistake of ours is one line."""
    code = "def broken(*_, **__): raise ZeroDivisionError('oops')"
    ours = {}
    exec(compile(code, rw.__file__, "exec"), ours)  # as if it stood in one of our modules
    monkeypatch.setattr("rollwright.cli.commands.rollwright.main", ours["broken"])
    assert 2 == main(["odds", "2d6", "--exact"])
    assert "please report it: ZeroDivisionError('oops')" in capsys.readouterr().err


def test_an_interrupt_is_quiet(monkeypatch, capsys):
    """Ctrl-C ends with 130 and no words."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("rollwright.cli.commands.rollwright.main", interrupted)
    handler = signal.getsignal(signal.SIGINT)
    try:
        assert 130 == main(["odds", "2d6", "--exact"])
    finally:
        signal.signal(signal.SIGINT, handler)
    assert "" == capsys.readouterr().err


@pytest.mark.long
def test_signs_that_the_terminal_lacks_do_no_harm():
    """Output in ASCII has other signs, never a failure."""
    for words in (["odds", "4d6kh3"], ["roll", "4d6kh3"], ["games", "twilight2000"], ["odds", "é"]):
        done = in_a_process(*words, env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"})
        assert done.returncode in (0, 2)
        assert (done.stdout + done.stderr).isascii()
        assert "Traceback" not in done.stderr


WORDS = st.sampled_from(
    [
        *COMMANDS,
        "twilight2000",
        "ghostburn",
        "kleptonomicon",
        "edge20",
        "dust",
        "skill",
        "test",
        "check",
        "roll",
        "2d6",
        "4d6kh3",
        "1d20 vs 15",
        "--json",
        "--attribute",
        "B",
        "--skill",
        "C",
        "--modifier",
        "--dc",
        "--dl",
        "Hard",
        "--ability",
        "3",
        "-1",
        "--of",
        "successes",
        "hit,jammed",
        "--where",
        "successes > 0",
        "not (",
        "--policy",
        "--push",
        "best",
        "never",
        "--goal",
        "--house",
        "jam_rule=ammo",
        "x=y",
        "--faces",
        "1,2",
        "--seed",
        "--choose",
        "keep",
        "--vary",
        "modifier=0..2",
        "n=1..3",
        "--set",
        "n=2",
        "--csv",
        "-",
        "--from",
        "--resume",
        "--tree",
        "--exact",
        "--all",
        "--work",
        "100000",
        "--plot",
        "--help",
        "-I",
        "--members",
        "--rolls",
        "ability=3,dl=Hard",
        '{"name": "a"}',
        "[1, 2]",
        "bash",
        "",
    ]
)
ANYTHING = st.text(max_size=12)
PIPES = st.sampled_from(
    ["", "{}", "[]", "null", '{"answers": []}', '{"game": "dust"}', '{"format": 1, "answers": [3]}']
)


SERVING = {"serve", "workbench", "discord", "mcp", "webhooks"}
"""Commands that go on until somebody ends them."""


@pytest.mark.long
@settings(max_examples=250)
@given(
    st.sampled_from([name for name in COMMANDS if name not in SERVING]),
    st.lists(st.one_of(WORDS, WORDS, WORDS, ANYTHING), max_size=9),
    PIPES,
)
def test_no_command_line_ends_in_a_traceback(command, words, pipe):
    """Whatever is typed: exit code 0, 1 or 2, and for 2 one line that is no mistake of ours."""
    files = ("--save", "-i", "--interactive", "--physical")
    words = [word for word in words if word not in files and not word.endswith((".svg", ".png"))]
    done = rollwright(command, *words, pipe=pipe)
    assert done.code in (0, 1, 2)
    assert "Traceback" not in done.err
    assert "please report it" not in done.err
    if done.code == 2:
        assert len(done.err.splitlines()) <= 1


@pytest.mark.long
@settings(max_examples=150)
@given(st.text(max_size=40))
def test_no_expression_ends_in_a_traceback(text):
    """Any text as dice."""
    done = rollwright("odds", "--", text)
    assert done.code in (0, 2)
    assert "please report it" not in done.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("odds egde20 check --modifier 7", "there is no game 'egde20'; did you mean 'edge20'?"),
        ("roll edge21 check", "there is no game 'edge21'; did you mean 'edge20'?"),
        (
            "odds edge20 check --modifier 7 --target 65% --over dcc",
            "dcc: there is no such field; did you mean 'dc'?",
        ),
        (
            "odds edge20 check --modifier 7 --target 65%% --over dc",
            "target: '65%%' is no chance; 65%, 0.65 or 13/20 would do",
        ),
        (
            "odds edge20 check --modifier 7 --target 65% --over dc --plot",
            "--plot needs a file here: --plot curve.svg would do",
        ),
        (
            "odds edge20 check --modifier 7 --dc 15 --sensitivity --plot",
            "--plot does not go with --sensitivity, which is a table",
        ),
        (
            "ask twilight2000 should-push --attribute B --faces 3",
            "say which roll: should-push skill, should-push repair, should-push attack, "
            "should-push clear-jam, should-push magazine would do",
        ),
    ],
)
def test_what_a_newcomer_mistypes_is_named_itself(words, told):
    """Not the next thing that is missing, not the dice that a game's name is not."""
    done = rollwright(*words.split())
    assert (2, told) == (done.code, " ".join(done.err.removeprefix("rollwright: ").split()))
