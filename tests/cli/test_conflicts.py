"""Options that would be ignored are refused, and hints name what would do."""

import pytest

from tests.cli.running import rollwright, saved

SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]


def refused(*words):
    """The one line of a refusal."""
    done = rollwright(*words)
    assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines())), done
    return done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["odds", "2d6", "--vary", "n=1..3"], "there is no @n in the dice"),
        (["odds", "2d6", "--set", "m=4"], "there is no @m in the dice"),
        (["roll", "2d6", "--set", "m=4"], "there is no @m in the dice"),
        (["roll", "2d6+@n", "--set", "n=4", "--set", "n=5"], "'n' is set twice"),
        (["odds", *SKILL, "--set", "m=4"], "--set is for the names of dice"),
        (["odds", "(@n)d6", "--vary", "n=1..3", "--set", "m=1"], "there is no @m in the dice"),
        (["roll", *SKILL, "--goal", "foo"], "there is no goal 'foo'"),
        (["roll", *SKILL, "--goal", "just-succeed"], "goes with --policy best"),
        (["odds", *SKILL, "--goal", "just-succeed", "--push", "never"], "goes with --policy best"),
        (["roll", "2d6", "--goal", "x"], "only games have goals"),
        (["roll", *SKILL, "-i", "--choose", "push"], "--choose does not go with -i"),
        (["roll", *SKILL, "-i", "--policy", "never"], "--policy does not go with -i"),
        (["roll", *SKILL, "-i", "--json"], "--json does not go with -i"),
        (["roll", *SKILL, "--physical", "--seed", "3"], "--seed does not go with --physical"),
        (["roll", *SKILL, "--physical", "--json"], "--json does not go with --physical"),
        (["roll", *SKILL, "--physical", "-I"], "--no-interactive does not go with --physical"),
        (["roll", *SKILL, "--tree"], "--tree is for dice"),
        (["roll", "2d6", "--save", ""], "--save was given nothing; FILE would do"),
        (["roll", "2d6", "--save", "-"], "--json prints it"),
        (["odds", *SKILL, "--of", ""], "--of was given nothing; FIELD,… would do"),
        (["odds", "2d6", "--where", ""], "--where was given nothing; EVENT would do"),
        (["odds", "2d6", "--json", "--csv", "-"], "--json and --csv - both print"),
        (["advise", *SKILL, "--json", "--csv", "-"], "--json and --csv - both print"),
        (["compare", "2d6", "1d12", "--json", "--csv", "-"], "--json and --csv - both print"),
        (
            ["odds", "twilight2000", "opposed", "--active", "attribute=B,attribute=A"],
            "active.attribute: it is given twice",
        ),
        (
            ["odds", *SKILL, "--house", "jam_rule=ammo", "--house", "jam_rule=together"],
            "'jam_rule' is given twice",
        ),
        (["odds", "1d6+@n", "--set", f"n={'9' * 42}"], "of at most 40 signs"),
        (["odds", "1d6+@n", "--set", "n=1e9999999999"], "is not a number"),
    ],
)
def test_nothing_is_ignored(words, said):
    """What has no use here is refused, with what would do."""
    assert said in refused(*words)


def test_a_request_from_a_file_stands_alone(tmp_path):
    """`--from` and words both say what is asked; `--resume` is all there is."""
    file = tmp_path / "request.json"
    file.write_text('{"game": "dust", "pool": 3}', "utf-8")
    assert "'2d6' is one word too many" in refused("odds", "--from", str(file), "2d6")
    roll = str(saved(tmp_path))
    assert "nothing else" in refused("roll", "--resume", roll, "--house", "jam_rule=ammo")
    assert "saved roll has its own" in refused("odds", roll, "--house", "jam_rule=ammo")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["roll", "twilight2000", "atack", "--attribute", "B"], "did you mean 'attack'?"),
        (["compare", "twilight2000", "2d6"], "there is no roll '2d6'; there are attack"),
        (["compare", *SKILL, "--policy", "nope"], "there is no policy 'nope'"),
        (["odds", "2d6", "--work", "1"], "--work 50000000 allows more"),
        (["odds", *SKILL, "--work", "1"], "allows more, or ask for fewer dice"),
        (["odds", "(@n)d6"], "nothing is known under @n; --set n=3 would do"),
        (["odds", *SKILL, "--vary", "modifier=1..1000000000"], "1 to 500 values would do"),
        (["odds", *SKILL, "--vary", "modifier=1..5..-1"], "a step is at least 1"),
        (["odds", *SKILL, "--vary", "modifier=a..b"], "whole numbers such as 0..6"),
        (["odds", *SKILL, "--vary", "skill=A..D"], "skill=A,B,C,D would do, or some of it"),
        (["roll", "-1d6"], "put -- before them"),
        (["roll", "-d6+10"], "put -- before them"),
        (["roll", "2d6", "-5"], "put -- before them"),
        (["odds", "2d6", "--faces", "3"], "it belongs to rollwright roll and rollwright advise"),
        (["advise", *SKILL, "--seed", "3"], "it belongs to rollwright roll"),
        (["odds", "2d6", "--of"], "--of needs a value after it"),
        (["serve", "--host", "999.1.1.1", "--no-open"], "--host 127.0.0.1, 0.0.0.0"),
        (["serve", "extra"], "'extra' is one word too many: rollwright serve would do"),
        (["verify", "a", "b"], "'b' is one word too many: rollwright verify FILE would do"),
        (["completion"], "rollwright completion bash|zsh|fish would do"),
        (["db", "purge"], "--days is missing: rollwright db purge --days N would do"),
        (["roll", "2d6", "--faces", "3"], "2D6 needs 2 faces, only 1 is left"),
        (["roll", "2d6", "--faces", "3,4,5,6"], "no throw asked for: 5, 6"),
    ],
)
def test_hints_lead_somewhere(words, said):
    """The refusal names the option, the name or the shape that would do."""
    assert said in refused(*words)


@pytest.mark.long
def test_the_work_that_is_named_is_enough():
    """What a refused count says it needs lets it be counted."""
    for line in (["2d6", "--work", "1"], ["200d20kh100"], ["20d10!kh3", "--work", "2000"]):
        words = refused("odds", *line).split()
        allowed = words[words.index("--work") + 1]
        assert 0 == rollwright("odds", line[0], "--work", allowed).code


def test_a_minus_after_two_dashes_is_dice():
    """`--` ends the options, as the refusal says."""
    assert "= -3" in rollwright("roll", "--faces", "3", "--", "-1d6").out


@pytest.mark.parametrize("words", [["--seed", "²"], ["--seed", "٣"], ["--choose", "²"]])
def test_digits_of_other_scripts_are_words(words):
    """They settle a roll like any text, or are not offered; nothing breaks."""
    done = rollwright("roll", *SKILL, *words)
    assert "please report it" not in done.err
    assert (2 if "--choose" in words else 0) == done.code


def test_a_refusal_quotes_no_more_than_can_be_read():
    """A hundred thousand signs come back as a line of about a thousand, with its end."""
    line = refused("odds", "2d6", "--vary", "x" * 100_000)
    assert len(line) < 1100
    assert "name=A,B,C would do" in line


def test_databases_are_files(tmp_path):
    """A folder is no database, and no folder is made for a backup."""
    assert "is a folder" in refused("db", "status", "--database", str(tmp_path))
    base = str(tmp_path / "a.sqlite")
    assert 0 == rollwright("db", "upgrade", "--database", base).code
    nowhere = tmp_path / "no" / "such" / "b.sqlite"
    assert "there is no folder" in refused("db", "backup", str(nowhere), "--database", base)
    assert not nowhere.parent.exists()
