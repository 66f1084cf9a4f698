"""What is asked on the command line is answered, or refused with what would do."""

import json

import pytest

from rollwright.errors import RollwrightError
from rollwright.notation import parse
from tests.cli.running import printed, rollwright

RULES = '''"""Rules of our house."""
from rollwright.dice import D6, D20, Die, Pool
from rollwright.rules import choose, roll, rule, tally


@rule
async def check(bonus: int = 0) -> int:
    """A d20 and a bonus."""
    return tally(D20, start=bonus)


@rule
async def some(dice: int) -> int:
    """So many D6."""
    return tally(dice * D6)


@rule
async def hits(pool: Pool) -> int:
    """How many dice show a 5 or a 6."""
    return (await roll(pool)).count([5, 6])


@rule
async def sides(faces: list[int] = [6, 8]) -> int:
    """Dice with so many faces."""
    return sum([sum(await roll(Die(n))) for n in faces])


@rule
async def highest(dice: tuple[Die, ...]) -> int:
    """The highest of several dice."""
    return max(await roll(Pool(dice)))


@rule
async def twice(dice: int) -> int:
    """Throw, and throw again if you like."""
    hand = await roll(dice * D6)
    if await choose("keep", "again") == "again":
        hand = await roll(dice * D6)
    return hand.count(6)
'''


def refused(*arguments):
    """What a command says instead."""
    done = rollwright(*arguments)
    assert (2, "") == (done.code, done.out)
    return done.err


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """A folder with a file of rules."""
    (tmp_path / "our_rules.py").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("event", "chance"),
    [
        ("≥ 15", "30.0 %"),
        ("≤ 2 and ≠ 1", "5.0 %"),
        ("=> 15", "30.0 %"),
        ("= 19-20", "10.0 %"),
        ("!= 19-20", "90.0 %"),
        ("= 1 or 19..20", "15.0 %"),
        ("total = 5–7", "15.0 %"),
    ],
)
def test_events_are_written_as_people_write_them(event, chance):
    """Signs of print, and numbers from one to another."""
    assert f"{event}: {chance}" in printed("odds", "d20", "--where", event)


@pytest.mark.parametrize("name", ["rounds spent", "rounds-spent", "Rounds Spent", "rounds_spent"])
def test_a_field_of_several_words_is_written_as_it_is_said(name):
    """An attack without ammo dice spends one round."""
    attack = ["twilight2000", "attack", "--attribute", "B"]
    assert "100 %" in printed("odds", *attack, "--where", f"{name} = 1")


@pytest.mark.parametrize(
    ("dice", "event", "words"),
    [
        ("d20", "19-20", "`= 19-20`"),
        ("d20", ">= 19-20", "`= 19-20`"),
        ("d20", "= 20-19", "`= 19-20`"),
        ("2d6; 1d8", ">= 7", "several values here, such as 2, 1"),
        ("2d6; 1d8", "= 7", "each roll by itself"),
    ],
)
def test_what_is_no_event_says_what_is(dice, event, words):
    """Also where an outcome is several values, which `= 7` never was without a word."""
    assert words in refused("odds", dice, "--where", event)


def test_an_outcome_with_fields_is_asked_by_one_of_them():
    """`= 1` was 0 %."""
    skill = ["twilight2000", "skill", "--attribute", "B"]
    for event in ("= 1", ">= 1"):
        assert "`successes >= 1`" in refused("odds", *skill, "--where", event)


def test_what_never_comes_about_is_told_as_such():
    """A contradiction, or more than the dice can show."""
    never = "No outcome is like that: they go from 2 to 12."
    assert never in printed("odds", "2d6", "--where", ">= 9 and <= 3")
    assert never in printed("odds", "2d6", "--where", "= 13")
    assert "No outcome" not in printed("odds", "2d6", "--where", "= 12")


@pytest.mark.parametrize(
    "way",
    [
        ["odds", "d20+@x", "--vary", "x=1..3"],
        ["odds", "d20+@x", "--over", "x", "--target", "50%", "--where", ">= 15"],
        ["odds", "d20+@x", "--set", "x=3", "--sensitivity"],
        ["odds", "2d6", "--where", ">= 7"],
        ["compare", "2d6", "3d6", "--where", ">= 7"],
    ],
)
@pytest.mark.parametrize(("view", "sign"), [("--at-least", ">="), ("--at-most", "<=")])
def test_a_view_of_each_outcome_is_not_dropped_where_one_number_is_asked_for(way, view, sign):
    """It was, without a word."""
    words = refused(*way, view)
    assert view in words
    assert f'--where "{sign} 7"' in words


def test_fractions_are_shown_wherever_they_are_asked_for():
    """Sweeps, searches and what moves a roll have them too."""
    of = ["--where", ">= 15", "--exact"]
    assert "9/20" in printed("odds", "d20+@x", "--vary", "x=1..3", *of)
    assert "9/20" in printed("odds", "d20+@x", "--over", "x", "--target", "50%", *of)
    assert "-1/20" in printed("odds", "d20+@x", "--set", "x=3", "--sensitivity", *of)


def test_a_comparison_of_a_field_where_something_is_known():
    """As in the odds of one roll: of a D10 that succeeded, none shows a 1."""
    skill = ["twilight2000", "skill", "--attribute", "B", "--push", "never", "--push", "best"]
    words = printed("compare", *skill, "--of", "ones", "--where", "successes >= 1")
    assert "ones, given successes >= 1:" in words
    found = json.loads(
        printed("compare", *skill, "--of", "ones", "--where", "successes >= 1", "--json")
    )
    assert ["0"] == [row["label"] for row in found["rolls"][0]["fields"][0]["rows"]]


def test_a_name_in_an_event_is_given_a_number():
    """By --set, by a search, or by an argument of the same name."""
    assert "30.0 %" in printed("odds", "d20", "--set", "tn=15", "--where", ">= @tn")
    assert "45.0 %" in printed(
        "odds", "d20+@x", "--set", "tn=15", "--set", "x=3", "--where", ">= @tn"
    )
    search = ["--over", "x", "--target", "50%", "--set", "tn=15", "--where", ">= @tn"]
    assert "4 gives 50.0 %" in printed("odds", "d20+@x", *search)
    found = printed("odds", "d20", "--over", "tn", "--target", "50%", "--where", ">= @tn")
    assert "11 gives 50.0 %" in found
    assert "21.0 %" in printed("compare", "d20", "2d10", "--set", "tn=15", "--where", ">= @tn")
    assert "no @tm" in refused("odds", "d20", "--set", "tm=15", "--where", ">= @tn")


def test_a_name_in_an_event_of_ones_own_rule(rules):
    """The chance of 12 on a d20 with 3 more is 60 %."""
    rule = ["odds", "our_rules.py:check", "--arg", "bonus=3"]
    assert "60.0 %" in printed(*rule, "--set", "tn=12", "--where", ">= @tn")
    assert "100 %" in printed(*rule, "--where", ">= @bonus")
    assert "--set" in refused(*rule, "--set", "tm=12", "--where", ">= @tn")


def test_searches_of_ones_own_rules_begin_where_there_is_something(rules):
    """No number of dice below 0 can be thrown; 4 dice give a 12 in 76.1 % of all throws."""
    event = ["--target", "50%", "--where", ">= 12"]
    assert "4 gives 76.1 %. Tried: 0 to 30." in printed(
        "odds", "our_rules.py:some", "--over", "dice", *event
    )
    found = printed("odds", "our_rules.py:sides", "--arg", "faces=6,6", "--over", "faces", *event)
    assert "15 gives 50.0 %" in found
    pools = ["odds", "our_rules.py:hits", "--over", "pool=2d6,3d6", "--target", "60%"]
    assert "3d6 gives 70.4 %" in printed(*pools, "--where", ">= 1")


def test_rules_take_lists_and_several_dice(rules):
    """A list stands for a tuple, and its preset breaks nothing."""
    assert "mean 8" in printed("odds", "our_rules.py:sides")
    assert "mean 5.23" in printed("odds", "our_rules.py:highest", "--arg", "dice=d6,d8")
    assert "d6,d8 would do" in refused("odds", "our_rules.py:highest", "--arg", "dice=d6,x")


def test_a_saved_roll_of_ones_own_rule_goes_on_as_it_says(rules):
    """The rule is named again: no file is loaded because a saved roll names it."""
    rule = "our_rules.py:twice"
    words = printed(
        "roll", rule, "--arg", "dice=3", "--faces", "6,6,1", "--save", "roll.json", "-I"
    )
    assert f"Go on with {rule} --resume roll.json" in " ".join(words.split())
    assert "makes 2" in printed("roll", rule, "--resume", "roll.json", "--choose", "keep")
    assert "Best: keep" in printed("advise", rule, "--from", "roll.json")
    stored = json.loads((rules / "roll.json").read_text("utf-8"))
    stored["request"]["game"] = "elsewhere"
    (rules / "roll.json").write_text(json.dumps(stored), encoding="utf-8")
    assert "elsewhere.py:twice --resume FILE" in refused("roll", "--resume", "roll.json")
    assert "elsewhere.py:twice" in refused("odds", "roll.json")


def test_a_file_of_rules_without_a_rule_lists_them(rules):
    """It is read for that, and not run."""
    words = refused("odds", "our_rules.py")
    assert "our_rules.py:check, our_rules.py:some" in words
    assert "no such file" in refused("odds", "your_rules.py")
    (rules / "empty.py").write_text("raise SystemExit", encoding="utf-8")
    assert "no rule in empty.py" in refused("odds", "empty.py")


def test_suggestions_are_what_people_mean():
    """Two rolls with a comma between them are two, or a sum."""
    assert "'3d6; 2d8' or '3d6 + 2d8'?" in refused("odds", "3d6,2d8")
    with pytest.raises(RollwrightError):
        parse("3d6,2d8")


def test_numbers_without_dice_say_so():
    """`19-20` is a difference."""
    assert "no dice in this" in printed("odds", "19-20")
    assert "'7 vs 9'?" in refused("odds", "7 <= 9")


def test_fields_of_a_game_are_shown_whole_and_with_fractions():
    """Where each field is told in a line, --exact and --all were dropped."""
    skill = ["odds", "twilight2000", "skill", "--attribute", "A"]
    exactly = printed(*skill, "--exact")
    assert "4/12" in exactly
    assert "11/12" in exactly
    assert "always: pushed no" in exactly
    whole = printed(*skill, "--all")
    assert ["successes:", "ones:"] == [line for line in whole.splitlines() if line.endswith(":")]


@pytest.mark.long
def test_advice_is_read_to_its_end_at_80_columns():
    """A long situation goes on in the next line."""
    attack = ["twilight2000", "attack", "--attribute", "A", "--skill", "B", "--ammo-dice", "2"]
    targets = ["--targets", "name=Bo,capacity=5", "--targets", "name=Al,capacity=3"]
    words = printed("advise", *attack, *targets, "--goal", "kill")
    assert "…\n" not in words
    assert "bullets 0, ones on ammo dice 0" in " ".join(words.split())
    assert all(len(line) <= 80 for line in words.splitlines())


def test_what_is_varied_without_values_says_what_it_may_be():
    """And `push` is the policy, as the option of that name is."""
    skill = ["odds", "twilight2000", "skill", "--attribute", "B", "--skill", "B"]
    assert "modifier=-20..20" in refused(*skill, "--vary", "modifier")
    assert "policy=never,always" in refused(*skill, "--vary", "push")
    found = printed(*skill, "--vary", "push=always,never")
    assert printed(*skill, "--vary", "policy=always,never") == found


def test_a_mean_with_a_loss_is_no_lower_bound():
    """Only chances are at least what is shown."""
    rest = "what is shown goes by the rest alone"
    assert rest in printed("odds", "3d6!+@x", "--vary", "x=1..3")
    assert rest not in printed("odds", "3d6!+@x", "--vary", "x=1..3", "--where", ">= 10")


def test_a_folder_of_a_game_that_is_not_installed(tmp_path, monkeypatch):
    """It says what to do first; a folder of an installed game is that game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lanterns").mkdir()
    assert "pip install -e ./lanterns" in refused("check", "./lanterns")


def test_options_are_read_in_ones_language_with_the_name_to_type():
    """German advice had English options."""
    skill = ["twilight2000", "skill", "--attribute", "B", "--skill", "C", "--faces", "3,2"]
    words = printed("--language", "de", "advise", *skill)
    assert "1  behalten (keep)" in words
    assert "Am besten: strapazieren" in words
    assert "1  keep" in printed("advise", *skill)


def test_who_has_to_choose_is_read_in_ones_language():
    """A roll that is open said "roller muss wählen"."""
    skill = ["twilight2000", "skill", "--attribute", "B", "--skill", "C", "--faces", "3,2"]
    german = " ".join(printed("--language", "de", "roll", *skill).split())
    assert "Offen: die würfelnde Person muss wählen" in german
    assert "Open: roller must choose" in " ".join(printed("roll", *skill).split())


@pytest.mark.parametrize(("view", "sign"), [("--at-least", ">="), ("--at-most", "<=")])
def test_a_number_behind_a_view_is_an_event(view, sign):
    """`--at-least 10` is what people type first; it suggested to add 10."""
    assert f'--where "{sign} 10"' in refused("odds", "3d6", view, "10")
    assert printed("odds", "3d6", "--where", "sum >= 10").endswith("62.5 %  (5/8)\n")
