"""At least, at most; names in events; sweeps by any path; fields and parts as people say them."""

import csv
import io
import json

import pytest

from rollwright.errors import BadField
from rollwright.queries import answer
from tests.cli.running import printed, rollwright

GROUP = ["kleptonomicon", "group", "--members", "modifier=1", "--members", "modifier=2"]
SKILL = ["twilight2000", "skill", "--attribute", "A", "--skill", "B"]


def column(text, place):
    """A column of a table of commas, without its head."""
    return [row[place] for row in list(csv.reader(io.StringIO(text)))[1:]]


def test_at_least_and_at_most_are_views_of_the_odds():
    """A d4 is 1 or more for sure, 4 in a quarter of all throws (by hand)."""
    bars = printed("odds", "d4", "--at-least").splitlines()
    assert ["at least:", "100 %", "75.0 %", "50.0 %", "25.0 %"] == [
        bars[2],
        *(" ".join(line.split()[1:3]) for line in bars[3:]),
    ]
    rows = column(printed("odds", "d4", "--at-most", "--csv", "-"), 4)
    assert ["0.25", "0.5", "0.75", "1"] == rows


def test_a_comparison_has_the_same_views():
    """A d4 never exceeds 4, a d6 does in a third of all throws (by hand)."""
    rows = printed("compare", "d4", "d6", "--at-most", "--csv", "-")
    assert ["0.25", "0.5", "0.75", "1", "1", "1"] == column(rows, 1)
    assert "0.6666666667" == column(rows, 2)[3]


def test_a_picture_and_fractions_have_the_same_views(tmp_path):
    """The file says which view it is; the fractions have the column that was asked for."""
    file = tmp_path / "reach.svg"
    printed("odds", "2d6", "--at-least", "--plot", str(file))
    assert "at least" in file.read_text(encoding="utf-8")
    assert "at most" in printed("odds", "2d6", "--exact", "--at-most")


def test_fields_of_a_game_are_told_in_the_view():
    """Field by field, what reaches a number: 19 of 24 have a success (d12 5/12, d10 1/2 fail)."""
    assert "1 or more: 79.2 %" in printed("odds", *SKILL, "--at-least")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["d6", "--at-least", "--at-most"], "not both"),
        ([*GROUP, "--of", "ranges", "--at-least"], "--at-least needs numbers"),
    ],
)
def test_a_view_that_cannot_be_is_refused(arguments, problem):
    """Two views at once, or more of what has no order."""
    done = rollwright("odds", *arguments)
    assert 2 == done.code
    assert problem in done.err


def test_a_comparison_of_d20s_is_not_gathered_into_ranges():
    """Every number of a d20 has a row of its own beside 2d10 and 1d20+2."""
    out = printed("compare", "d20", "2d10", "1d20+2")
    assert "–" not in out
    assert any(line.split()[:1] == ["13"] for line in out.splitlines())


def test_a_name_in_an_event_is_swept():
    """A d20+5 makes 15 with 11 of 20 faces and 16 with 10 (by hand)."""
    found = json.loads(
        printed("odds", "d20+5", "--where", ">= @tn", "--vary", "tn=15,16", "--json")
    )
    assert ["11/20", "1/2"] == [cell["chance"]["exact"] for cell in found["cells"]]


def test_a_name_in_an_event_and_one_in_the_dice_make_a_map():
    """The name may stand in both, too: a d20+@n makes @n + 1 or more always (by hand)."""
    asked = {"expression": "d20+@n", "where": ">= @tn", "vary": [
        {"field": "tn", "values": [1, 21]}, {"field": "n", "values": [0, 1]}]}  # fmt: skip
    cells = answer("map", asked)["cells"]
    assert ["1", "1", "0", "1/20"] == [cell["chance"]["exact"] for cell in cells]
    same = {"expression": "d20+@n", "where": "> @n", "vary": {"field": "n", "values": [0, 7]}}
    assert ["1", "1"] == [cell["chance"]["exact"] for cell in answer("curve", same)["cells"]]


def test_a_name_in_an_event_goes_with_games_too():
    """A plain d10 shows 7, 8 or 9, or a 10 that is won: 35 %; 8 or more 25 % (KLEP R9)."""
    asked = ["kleptonomicon", "test", "--where", "score >= @tn", "--vary", "tn=7,8", "--json"]
    cells = json.loads(printed("odds", *asked))["cells"]
    assert ["7/20", "1/4"] == [cell["chance"]["exact"] for cell in cells]


@pytest.mark.parametrize("more", [[], ["--vary", "n=1..2"]])
def test_a_name_without_a_number_is_refused_with_what_would_do(more):
    """Nothing is guessed: the refusal says which option gives it a number."""
    done = rollwright("odds", "(@n)d20" if more else "d20", "--where", ">= @tn", *more)
    assert 2 == done.code
    assert "--vary tn=" in done.err
    with pytest.raises(BadField, match="@tn"):
        answer("event", {"expression": "d20", "where": ">= @tn"})


@pytest.mark.parametrize("name", ["jam_rule", "house.jam_rule"])
def test_house_rules_sweep_by_their_name(name):
    """By itself, or by its path, as the help says."""
    attack = ["twilight2000", "attack", "--attribute", "B", "--skill", "B", "--ammo-dice", "3"]
    found = printed(
        "odds", *attack, "--push", "always", "--of", "jammed", "--vary", f"{name}=together,ammo"
    )
    assert "ammo  29.4 %" in found
    assert "house rule" in printed("odds", "--help")


def test_a_part_of_a_list_sweeps_by_its_path():
    """The Modifier of the first member moves, the second stays."""
    out = printed("odds", *GROUP, "--group-goal", "7", "--vary", "members[0].modifier=0..1")
    assert 2 == sum(line.split()[:1] in (["0"], ["1"]) for line in out.splitlines())


def test_help_lists_the_parts_of_lists():
    """`--members` takes name, modifier, advantages and disadvantages, and says so."""
    words = " ".join(printed("odds", "kleptonomicon", "group", "--help").split())
    assert "name, modifier (-30 to 30), advantages (0 to 20)" in words
    checks = " ".join(printed("odds", "edge20", "turn", "--help").split())
    assert "skill" in checks
    assert "dc (" in checks
    targets = " ".join(printed("odds", "twilight2000", "attack", "--help").split())
    assert "range" in targets


def test_fields_are_called_as_players_say_them():
    """What is said otherwise than it is typed has its name beside it; either form is taken."""
    out = " ".join(printed("odds", *SKILL).split())
    assert "reliability lost (reliability_loss)" in out
    assert "reliability lost" in printed("odds", *SKILL, "--of", "reliability-loss")


ATTACK = ["twilight2000", "attack", "--attribute", "B", "--skill", "C", "--ammo-dice", "2"]


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        (["--of", "reliability lost"], ["--of", "reliability_loss"]),
        (["--of", "Reliability lost,jammed"], ["--of", "reliability_loss,jammed"]),
        (["--of", "reliability lost", "--vary", "ammo dice=0..2"],
         ["--of", "reliability_loss", "--vary", "ammo_dice=0..2"]),
        (["--of", "jammed", "--house", "jam rule=ammo"],
         ["--of", "jammed", "--house", "jam_rule=ammo"]),
        (["--of", "jammed", "--vary", "jam rule=together,ammo"],
         ["--of", "jammed", "--vary", "jam_rule=together,ammo"]),
    ],
)  # fmt: skip
def test_what_is_shown_in_words_can_be_typed_in_words(said, typed):
    """A field, a house rule and what is varied go by the words that stand on the page."""
    words, names = (printed("odds", *ATTACK, "--push", "always", *more) for more in (said, typed))
    assert names == words


def test_an_event_takes_the_words_of_the_page_and_of_the_reader():
    """151 of 800 pushed attacks with no ammo dice wear the weapon, in English and in German."""
    plain = [*ATTACK[:6], "--push", "always"]
    english = printed("odds", *plain, "--where", "reliability lost at least 1")
    german = printed(
        "--language", "de", "odds", *plain, "--where", "Verlorene Zuverlässigkeit >= 1"
    )
    assert "(151/800)" in english
    assert "(151/800)" in german


EXTENDED = ["dust", "extended", "--pool", "5", "--extended-target", "5"]


@pytest.mark.parametrize("where", ["turns > 3", "botches", "not botches"])
def test_what_a_roll_does_not_count_is_no_event(where):
    """An extended roll without a limit does not know of its turns: not 0 %, not 100 %."""
    done = rollwright("odds", *EXTENDED, "--where", where)
    assert (2, "") == (done.code, done.out)
    assert "not counted here" in done.err
    assert "--limit" in done.err
    swept = rollwright("odds", *EXTENDED, "--vary", "pool=4,5", "--of", "turns")
    assert "not counted here: turns" in swept.err


def test_long_dice_are_told_apart_by_letters():
    """Two that begin alike for longer than there is room are each told once in full."""
    long = "1d20 + 100000000000000000000000 - 100000000000000000000000 + 1d4 + 1d6 + 1d8 + "
    page = printed("compare", long + "1d10", long + "1d12", "d20", "--where", ">= 20")
    assert [1, 1] == [page.count("1d10"), page.count("1d12")]
    labels = [line.split()[0] for line in page.splitlines() if "█" in line]
    assert ["A", "B", "d20"] == labels
    assert all(len(line) <= 80 for line in page.splitlines())


def test_a_comparison_says_what_its_fields_mean_and_how_it_was_played(tmp_path):
    """`damage` of an attack is what a push does to the shooter, never what the weapon does."""
    for name, base in (("rifle", 2), ("carbine", 3)):
        plain = {"game": "twilight2000", "roll": "attack", "attribute": "B", "base_damage": base}
        (tmp_path / f"{name}.json").write_text(json.dumps(plain))
    files = [str(tmp_path / f"{name}.json") for name in ("rifle", "carbine")]
    page = printed("compare", *files, "--of", "damage")
    assert "\ndamage to you (damage):\n" in page
    assert 2 == page.count("policy never")


@pytest.mark.long
def test_a_comparison_of_all_policies_has_the_usual_one_and_says_which_it_leaves_out():
    """The default is among them; what finds no room is named."""
    page = printed("compare", *ATTACK, "--where", "hit")
    assert "policy never" in page
    assert "policy best" in page
    assert "Left out for want of room: eager;" in " ".join(page.split())
    assert "Left out" not in printed("compare", *ATTACK, "--where", "hit", "--policy", "never",
                                   "--policy", "best")  # fmt: skip


def test_all_fields_that_can_be_compared_are_named():
    """None is left off the list without a word."""
    done = rollwright("compare", *ATTACK)
    assert "injuries" in done.err
    assert "jammed" in done.err


@pytest.mark.parametrize(
    "question",
    [
        ["odds", "d6!"],
        ["odds", "d6!", "--where", ">= 7"],
        ["compare", "d6!", "d8"],
        ["odds", "(@n)d6!", "--vary", "n=1..2"],
        ["odds", "(@n)d6!", "--where", ">= 7", "--over", "n=1..2", "--target", "50%"],
        ["odds", "(@n)d6!", "--set", "n=2", "--where", ">= 7", "--sensitivity"],
    ],
)
def test_what_a_bound_cut_off_is_said_beside_numbers_and_pictures(question, tmp_path):
    """A table of commas and a picture are bounded as the words are; the error channel says so."""
    done = rollwright(*question, "--csv", "-")
    assert 0 == done.code
    assert "Cut off by a stated bound" in done.err
    assert "Cut off" not in done.out
    assert "Cut off" not in rollwright("odds", "2d6", "--csv", "-").err


def test_a_chance_as_data_says_what_a_bound_cut_off():
    """A die that explodes more than ten times is lost: 1 of 6^11 cases (by hand)."""
    rolls = [{"expression": "d6!"}, {"expression": "d8"}]
    exploding, plain = answer("compare", {"rolls": rolls, "where": ">= 7"})["rolls"]
    assert "1/362797056" == exploding["chance"]["lost"]["exact"]
    assert "lost" not in plain["chance"]
    before = answer("preview", {"expression": "d6!", "where": ">= 7"})
    assert "1/362797056" == before["chance"]["lost"]["exact"]
