"""`rollwright odds`, `compare`, `advise` and `games`: the library's answers, shown."""

import csv
import io
import json
from fractions import Fraction

import pytest

import rollwright as rw
from tests.cli.running import rollwright

ATTACK = ["twilight2000", "attack", "--attribute", "B", "--skill", "C", "--ammo-dice", "3"]
PLAIN = {"game": "twilight2000", "roll": "attack", "attribute": "B", "skill": "C", "ammo_dice": 3}
CHECK = ["ghostburn", "roll", "--ability", "3", "--dl", "Hard"]
CHECK_PLAIN = {"game": "ghostburn", "roll": "roll", "ability": 3, "dl": "Hard"}


def json_of(*arguments, **more):
    """What a command prints as JSON."""
    done = rollwright(*arguments, "--json", **more)
    assert not done.code, done.err
    return json.loads(done.out)


def dist_of(*arguments):
    """The distribution that a command prints as JSON, without its heading."""
    found = json_of(*arguments)
    return {name: found[name] for name in ("total", "outcomes", "lost")}


def test_odds_as_json_are_the_distribution():
    """Exactly the shape that scripts rely on: a heading, then total, outcomes, lost."""
    assert rw.odds("4d6kh3").to_plain() == dist_of("odds", "4d6kh3")
    names = ["title", "policy", "fields", "total", "outcomes", "lost"]
    assert names == list(json_of("odds", "2d6!"))


@pytest.mark.long
def test_a_long_distribution_is_printed_whole():
    """Whoever asks on a machine of their own gets all of it, however many outcomes there are."""
    assert 25_001 == len(json_of("odds", "5000d6")["outcomes"])


def test_odds_of_a_game_under_a_policy():
    """The policy, by either name of its option, and the marginal of two fields."""
    expected = rw.odds(PLAIN, "if-failed").of("hit", "jammed").to_plain()
    assert expected == dist_of("odds", *ATTACK, "--push", "if-failed", "--of", "hit,jammed")
    assert expected == dist_of("odds", *ATTACK, "--policy", "if-failed", "--of", "hit, jammed")


def test_the_usual_policy_is_the_games():
    """Without a policy the game's default is counted, as in the library."""
    assert rw.odds(PLAIN).to_plain() == dist_of("odds", *ATTACK)


def test_best_play_for_a_goal():
    """`--goal` alone, with best, and best:GOAL mean the same."""
    expected = rw.odds(CHECK_PLAIN, "best:no-glitch").to_plain()
    for words in (
        ["--goal", "no-glitch"],
        ["--policy", "best", "--goal", "no-glitch"],
        ["--policy", "best:no-glitch"],
    ):
        assert expected == dist_of("odds", *CHECK, *words)


def test_the_chance_of_an_event():
    """`--where` gives the exact chance; with `--of`, the rest is given the event."""
    dist = rw.odds(PLAIN)
    chance = dist.p(lambda o: o.hit and not o.jammed)
    found = json_of("odds", *ATTACK, "--where", "hit and not jammed")
    assert str(chance) == found["chance"]
    assert chance == Fraction(int(found["weight"]), int(found["total"]))
    given = dist_of("odds", *ATTACK, "--where", "hit", "--of", "successes")
    assert dist.where(lambda o: o.hit).of("successes").to_plain() == given
    assert "given hit" in rollwright("odds", *ATTACK, "--where", "hit", "--of", "successes").out


def test_house_rules_and_nested_values():
    """`--house` may be repeated; values with parts are short or JSON."""
    house = {"jam_rule": "ammo", "ammo_plus_one": False}
    expected = rw.odds({**PLAIN, "house": house}, "always").to_plain()
    words = ["--house", "jam_rule=ammo", "--house", "ammo-plus-one=no", "--push", "always"]
    assert expected == dist_of("odds", *ATTACK, *words)
    sides = {"actor": {"attribute": 3, "ability": 2}, "defender": {"pool": 4}}
    expected = rw.odds({"game": "dust", "roll": "opposing", **sides}).to_plain()
    words = ["--actor", "attribute=3,ability=2", "--defender", '{"pool": 4}']
    assert expected == dist_of("odds", "dust", "opposing", *words)


def test_lists_with_commas_as_json_or_repeated():
    """All three spell the same list."""
    expected = rw.odds({"game": "edge20", "dc": 15, "bonuses": [1, 2]}).to_plain()
    for words in (
        ["--bonuses", "1,2"],
        ["--bonuses", "1", "--bonuses", "2"],
        ["--bonuses", "[1, 2]"],
    ):
        assert expected == dist_of("odds", "edge20", "check", "--dc", "15", *words)


def test_a_list_of_values():
    """Parts of a list that are values themselves: one option each."""
    rolls = [{"ability": 3, "dl": "Hard"}, {"ability": 2, "dl": "Easy"}]
    expected = rw.odds({"game": "ghostburn", "roll": "session", "rolls": rolls}).to_plain()
    words = ["--rolls", "ability=3,dl=Hard", "--rolls", '{"ability": 2, "dl": "Easy"}']
    assert expected == dist_of("odds", "ghostburn", "session", *words)


def test_words_are_taken_in_any_case_and_flags_with_underscores_are_guessed():
    """Choices do not mind their case; the default roll may be left out."""
    words = ["twilight2000", "skill", "--attribute", "b"]
    assert json_of("odds", "twilight2000", "--attribute", "B") == json_of("odds", *words)


def test_people_see_the_fields_of_an_outcome():
    """Without `--of`, every field that can differ has a line, the others one together."""
    shown = rollwright("odds", *ATTACK).out
    assert "hit" in shown
    assert "always: pushed no" in " ".join(shown.split())


def test_fractions_on_demand():
    """`--exact` shows the fraction and the chance to reach each number."""
    lines = rollwright("odds", "2d6", "--exact").out.splitlines()
    assert ["7", "16.7", "%", "6/36", "58.3", "%"] == lines[-6].split()
    shown = rollwright("odds", *CHECK, "--of", "outcome", "--exact").out
    assert "outcome" in shown
    assert "/100" in shown


def test_many_outcomes_are_gathered():
    """Ranges where there are many numbers; `--all` shows every one."""
    assert len(rollwright("odds", "100d6").out.splitlines()) <= 26
    assert 501 + 2 == len(rollwright("odds", "100d6", "--all").out.splitlines())


def test_a_sweep_of_one():
    """A number for each value: the event, a field, the goal, or the mean."""
    found = json_of("odds", "(@n)d6", "--vary", "n=1..3", "--where", ">= 6")
    chances = [str(rw.odds(f"{n}d6").at_least(6)) for n in (1, 2, 3)]
    assert chances == [cell["chance"]["exact"] for cell in found["cells"]]
    means = json_of("odds", "1d6 + @n", "--vary", "n=0..4..2")
    assert ["7/2", "11/2", "15/2"] == [cell["chance"]["exact"] for cell in means["cells"]]
    goal = json_of("odds", *CHECK, "--vary", "ability=0,5", "--goal", "no-glitch")
    assert "no Glitch" == goal["measure"]["title"]
    usual = json_of("odds", *CHECK, "--vary", "policy=never,best")
    chance = rw.odds(CHECK_PLAIN).p(lambda o: o.successes > 0)
    assert chance == Fraction(usual["cells"][0]["chance"]["exact"])


@pytest.mark.long
def test_a_sweep_of_two_is_a_map():
    """Rows and columns, and the same numbers as CSV; house rules can be varied too."""
    words = [*ATTACK, "--vary", "ammo_dice=0..2", "--vary", "modifier=-1..1", "--of", "jammed"]
    shown = rollwright("odds", *words, "--push", "always").out
    assert "ammo dice │ modifier" in shown
    rows = list(csv.reader(io.StringIO(rollwright("odds", *words, "--csv", "-").out)))
    assert ["ammo_dice", "modifier", "chance of jammed", "exactly"] == rows[0]
    assert 10 == len(rows)
    house = json_of("odds", *ATTACK, "--push", "always", "--vary", "jam_rule=together,ammo")
    assert 2 == len(house["cells"])


def test_a_table_as_csv(tmp_path):
    """Fields in columns of their own, weights exact; spreadsheets get no formulas."""
    file = tmp_path / "table.csv"
    rollwright("odds", *ATTACK, "--of", "hit,jammed", "--csv", str(file))
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
    dist = rw.odds(PLAIN).of("hit", "jammed")
    assert {"hit", "jammed", "weight", "total", "chance"} == set(rows[0])
    assert sorted(map(str, dist.weights)) == sorted(row["weight"] for row in rows)


def test_compare_expressions():
    """Each roll's odds, and how each does against each."""
    found = json_of("compare", "2d20kh1", "1d20+2")
    assert ["2d20kh1", "1d20+2"] == [roll["name"] for roll in found["rolls"]]
    assert str(rw.odds("2d20kh1").mean) == found["rolls"][0]["fields"][0]["mean"]["exact"]
    duel = rw.odds("2d20kh1").compare(rw.odds("1d20+2"))
    assert str(duel.greater) == found["duels"][0]["greater"]["exact"]
    shown = rollwright("compare", "2d20kh1", "1d20+1d4", "1d20+2").out
    assert "mean  deviation" in shown
    assert "2d20kh1 against 1d20+2: higher" in shown


@pytest.mark.long
def test_compare_policies():
    """One roll of a game under several policies: named ones, or all there are."""
    words = ["--policy", "never", "--policy", "if-failed", "--of", "successes"]
    found = json_of("compare", *ATTACK, *words)
    assert {"policy never", "policy if-failed"} == {roll["name"] for roll in found["rolls"]}
    every = json_of("compare", *CHECK, "--where", "outcome >= Success")
    assert {"policy never", "policy best"} <= {roll["name"] for roll in every["rolls"]}
    rows = rollwright("compare", *ATTACK, *words, "--csv", "-").out.splitlines()
    assert "outcome,policy never,policy if-failed" == rows[0]


def test_compare_requests_in_files(tmp_path):
    """Files with requests, each with a title of its own."""
    files = []
    for ability in (1, 5):
        file = tmp_path / f"{ability}.json"
        file.write_text(json.dumps({**CHECK_PLAIN, "ability": ability}), "utf-8")
        files.append(str(file))
    found = json_of("compare", *files, "--of", "successes")
    assert 2 == len(found["rolls"])


def test_two_files_of_one_title_are_two_rows(tmp_path):
    """Named by their files, under each policy; beside them dice are what they show."""
    files = [tmp_path / name for name in ("old.json", "new.json")]
    for file in files:
        file.write_text(json.dumps(CHECK_PLAIN), "utf-8")
    assert ["old", "new"] == [
        roll["name"] for roll in json_of("compare", *files, "--of", "successes")["rolls"]
    ]
    words = ["--policy", "never", "--policy", "best"]
    played = json_of("compare", *files, *words, "--where", "outcome >= Success")["rolls"]
    assert ["old, never", "old, best", "new, never", "new, best"] == [one["name"] for one in played]
    assert played[0]["chance"]["exact"] != played[1]["chance"]["exact"]
    shown = rollwright("compare", *files, "--of", "successes").out.splitlines()
    assert shown[0].startswith("old; new: GHOST/BURN")
    mixed = json_of("compare", files[0], "2d6", "--of", "successes")["rolls"]
    assert ["old", "2d6"] == [one["name"] for one in mixed]
    refused = rollwright("compare", "2d6", "2d8", "--of", "successes")
    assert "no fields" in refused.err
    (tmp_path / "else").mkdir()
    again = tmp_path / "else" / "old.json"
    again.write_text(json.dumps(CHECK_PLAIN), "utf-8")
    names = [
        one["name"] for one in json_of("compare", files[0], again, "--of", "luck_used")["rolls"]
    ]
    assert [str(files[0]), str(again)] == names


def test_advice_for_a_whole_roll():
    """The value of best play and the policy as a table, as the library has it."""
    found = json_of("advise", *CHECK)
    advice = rw.advise(CHECK_PLAIN)
    assert (str(advice.value), len(advice.lines)) == (found["value"]["exact"], len(found["lines"]))
    shown = rollwright("advise", *CHECK).out
    assert "Worth with best play: 21.0 %" in shown
    assert "best call" in shown
    rows = rollwright("advise", *CHECK, "--csv", "-").out.splitlines()
    assert rows[0].startswith("chance,exactly,best call")
    assert len(rollwright("advise", *CHECK, "--all").out.splitlines()) > 10


def test_advice_with_prices():
    """A goal may be prices for fields of the outcome."""
    prices = "successes=1,luck_used=-0.5"
    found = json_of("advise", *CHECK, "--goal", prices, "--faces", "9,9")
    advice = rw.advise(rw.roll(CHECK_PLAIN, faces=[9, 9]), prices)
    assert str(advice.value) == found["value"]["exact"]


def test_advice_on_a_roll_that_has_ended():
    """There is nothing left to decide, and that is said."""
    shown = rollwright("advise", *CHECK, "--faces", "9,9", "--choose", "keep")
    assert "nothing left to decide" in shown.out


def test_work_is_bounded_and_can_be_allowed():
    """A count that is refused says what it needs; `--work` allows more or less."""
    few = ["--work", "10"]
    done = rollwright("odds", *ATTACK, *few)
    assert 2 == done.code
    assert "steps of work" in done.err
    assert 0 == rollwright("odds", *ATTACK, "--work", "50000000").code


def test_games_are_listed_and_explained():
    """Names, titles, rolls; JSON has the fields."""
    assert set(rw.list_games()) == {game["name"] for game in json_of("games")["games"]}
    assert "twilight2000" in rollwright("games").out
    found = json_of("games", "twilight2000")
    assert "ammo_dice" in [one["name"] for one in found["rolls"]["attack"]["fields"]]
    one = json_of("games", "twilight2000", "clear-jam")
    assert "cleared" in [field["name"] for field in one["outcome"]]


@pytest.mark.parametrize("suffix", ["svg", "html", "png"])
@pytest.mark.parametrize(
    "words",
    [
        ["odds", "4d6kh3"],
        ["odds", *CHECK, "--of", "outcome"],
        ["odds", "(@n)d6", "--vary", "n=1..4"],
        ["odds", *CHECK, "--vary", "ability=0..3", "--vary", "luck_points=0..1"],
        ["odds", *CHECK, "--vary", "policy=never,best", "--vary", "ability=0..3"],
        ["compare", "2d20kh1", "1d20+2"],
        ["compare", *CHECK, "--where", "successes > 0"],
    ],
)
def test_pictures_are_drawn(tmp_path, words, suffix):
    """One option draws a distribution, a comparison, a curve or a map, by the file's suffix."""
    file = tmp_path / f"picture.{suffix}"
    done = rollwright(*words, "--plot", str(file))
    assert not done.code, done.err
    start = {"svg": b"<svg", "html": b"<!doctype html>", "png": b"\x89PNG"}[suffix]
    assert file.read_bytes().startswith(start)


def test_a_plot_without_a_file_is_drawn_here():
    """`--plot` alone is the picture in the terminal."""
    assert "█" in rollwright("odds", "4d6kh3", "--plot").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell):
    """Each shell's script is printed without any network."""
    shown = rollwright("completion", shell).out
    assert "_ROLLWRIGHT_COMPLETE" in shown
    assert "rollwright" in shown


def test_a_picture_needs_a_field():
    """A whole outcome cannot be drawn; the refusal says what would do."""
    done = rollwright("odds", *CHECK, "--plot", "x.svg")
    assert (2, True) == (done.code, "--of FIELD" in done.err)


def test_a_policy_in_short_says_what_it_turns_on():
    """The table names no more than what decides; `--all` has every line there is."""
    words = ["edge20", "check", "--dc", "15", "--modifier", "5", "--rerolls", "1"]
    short = rollwright("advise", *words).out.splitlines()
    assert ["50.0 %  keep       result success", "40.0 %  re-roll    result failure"] == short[5:7]
    lines = rw.advise({"game": "edge20", "dc": 15, "modifier": 5, "rerolls": 1}).lines
    assert (
        len(lines) == len(rollwright("advise", *words, "--all", columns=120).out.splitlines()) - 5
    )
    calls = {row.split("  ")[1].strip() for row in short[5:]}
    assert {"keep", "re-roll"} == calls


def test_a_required_field_can_be_varied(tmp_path):
    """What is varied need not be given, on the command line or in a file."""
    found = json_of("odds", "twilight2000", "skill", "--vary", "attribute=A,D")
    assert ["7/12", "1/6"] == [cell["chance"]["exact"] for cell in found["cells"]]
    file = tmp_path / "request.json"
    file.write_text('{"game": "dust", "difficulty": 7}', "utf-8")
    pools = json_of("odds", "--from", str(file), "--vary", "pool=1..2")
    assert ["2/5", "14/25"] == [cell["chance"]["exact"] for cell in pools["cells"]]


def test_an_event_has_a_table_and_a_picture(tmp_path):
    """With `--where`, `--csv` and `--plot` show how often it happens (21 of 36, by hand)."""
    drawn, written = tmp_path / "w.svg", tmp_path / "w.csv"
    words = ["odds", "2d6", "--where", ">= 7"]
    done = rollwright(*words, "--plot", str(drawn), "--csv", str(written), "--json")
    assert "7/12" == json.loads(done.out)["chance"]
    assert "<svg" in drawn.read_text("utf-8")
    assert ["yes", "21", "36", "0.5833333333"] == written.read_text("utf-8").split()[-1].split(",")
    assert rollwright(*words, "--csv", "-").out.startswith(">= 7,weight,total,chance\n")


def test_a_sweep_is_written_in_numbers():
    """A spreadsheet gets decimals and the exact fraction; people get percents with a space."""
    words = ["odds", "(@n)d6", "--vary", "n=1..2", "--where", ">= 6"]
    rows = list(csv.reader(io.StringIO(rollwright(*words, "--csv", "-").out)))
    assert [["1", "0.1666666667", "1/6"], ["2", "0.7222222222", "13/18"]] == rows[1:]
    three = ["odds", *ATTACK, *(w for n in ("helpers", "modifier", "ammo_dice") for w in
             ("--vary", f"{n}=0..1"))]  # fmt: skip
    assert " %  " in rollwright(*three).out


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "most"),
    [
        (["odds", "(@n)d6!", "--vary", "n=1..3"], 3),
        (["odds", "(@n)d6!", "--target", "9", "--over", "n", "--set", "n=1"], 1000),
        (["odds", "(@n)d6!", "--sensitivity", "--set", "n=1"], 2),
        (["compare", "2d6!", "3d6"], 2),
    ],
)
def test_what_a_bound_cuts_off_is_told(words, most):
    """An explosion is followed for ten more throws: at most 1 in 6**11 of each die is lost."""
    assert "Cut off by a stated bound: " in " ".join(rollwright(*words).out.split())
    if words[0] == "odds":
        lost = Fraction(json_of(*words)["lost"]["exact"])
        assert Fraction(1, 6**11) <= lost <= most * Fraction(1, 6**11)


def test_what_is_exact_is_told_without_a_bound():
    """Nothing is lost in a plain sum."""
    assert "lost" not in json_of("odds", "(@n)d6", "--vary", "n=1..3")
    assert "Cut off" not in rollwright("odds", "(@n)d6", "--vary", "n=1..3").out
