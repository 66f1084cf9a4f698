"""What the commands say about fields, options and policies."""

import csv
import io
from fractions import Fraction

import pytest

import rollwright as rw
from rollwright.cli.commands.advise import format_costs, telling_fields
from rollwright.i18n.locale import use_locale
from rollwright.kit import Effect, fields_of, find_game
from rollwright.kit.games import own_games
from rollwright.kit.words import format_effect
from rollwright.pictures.outcomes import describe_field
from rollwright.pictures.terminal import format_fields
from rollwright.queries.measures import prices_in
from rollwright.queries.plans import format_rest, policy_table
from tests.cli.running import rollwright

CHECK = {"game": "edge20", "roll": "check", "modifier": 5, "dc": 15, "edges": 3}
BURST = ["twilight2000", "attack", "--attribute", "B", "--skill", "C", "--ammo-dice", "6"]
JAMS = [*BURST, "--rate-of-fire", "6", "--rounds", "30", "--faces", "6,6,1,5,4,1,3,5"]
SKILL = ["twilight2000", "skill", "--attribute", "B", "--skill", "C"]


def test_what_is_left_out_is_said():
    """Of four tiers two have room; the others are counted together, and all make 100 %."""
    said = describe_field(rw.odds(CHECK).of("tier"), 68)
    assert "success: 50.0 %   critical success: 27.5 %   and 2 more: 22.5 %" == said
    assert "more" not in describe_field(rw.odds(CHECK).of("tier"), 100)


@pytest.mark.parametrize("width", [40, 80])
def test_lines_are_broken_and_never_cut(width):
    """On narrow paper a line goes on below."""
    lines = "\n".join(format_fields(rw.odds(CHECK), width))
    assert max(map(len, lines.splitlines())) <= width
    assert "…" not in lines
    assert "from 12 to 28" in " ".join(lines.split())


def test_words_with_ranks_are_in_order():
    """Grades stand from the worst to the best, as the book has them (DUST R11)."""
    done = rollwright("odds", "dust", "roll", "--pool", "5", "--of", "grade")
    grades = ["botch", "failure", "barely", "barely+", "complete", "complete+", "overwhelming"]
    assert grades == [line.split()[0] for line in done.out.splitlines()[2:]]
    bands = rollwright("odds", "kleptonomicon", "test", "--of", "band").out.splitlines()[2:]
    assert ["low", "mixed", "high"] == [line.split()[0] for line in bands]


def test_what_was_not_counted_is_not_always_nothing():
    """A task without a limit does not count its turns; the option that would is named."""
    said = rollwright("odds", "dust", "extended", "--pool", "5", "--extended-target", "5").out
    assert "not counted here: turns, botches (give --limit)" in said
    assert "–" not in said
    alone = rollwright(
        "odds", "dust", "extended", "--pool", "5", "--extended-target", "5", "--of", "turns"
    )
    assert "not counted" in alone.out


def test_what_happens_for_certain_is_told_first():
    """With two 1s on the table a push jams for certain, and the goal does not care (T2K R31)."""
    said = rollwright("advise", *JAMS).out
    keep, push = said.split("  2  push")
    assert keep.splitlines()[-4].split() == ["jammed", "always", "no"]
    assert push.splitlines()[1].split() == ["jammed", "always", "yes"]
    assert "It does not matter for this goal, but keep costs more in rounds fired" in said
    assert "a jam" in said.splitlines()[-1]


def test_the_cheaper_option_is_named_where_the_goal_leaves_it_open():
    """With a success on the table a push can only cost."""
    said = rollwright("advise", *SKILL, "--faces", "6,2").out
    assert "It does not matter for this goal, but keep costs less." == said.splitlines()[-1]


def test_options_that_cost_the_same_are_not_told_apart():
    """Nothing is said where nothing is paid, and a certain echo of the choice is no news."""
    skill = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
    dist = rw.odds(skill, "never")
    prices = prices_in(find_game("twilight2000"))
    assert "" == format_costs(["keep", "push"], [dist, dist], prices)
    assert [] == telling_fields([dist, dist], prices)
    assert "pushed" not in rollwright("advise", *SKILL, "--faces", "3,2").out


def test_a_policy_goes_into_a_spreadsheet():
    """The chance stands there as a decimal number and as the exact fraction."""
    rows = list(csv.DictReader(io.StringIO(rollwright("advise", *SKILL, "--csv", "-").out)))
    assert Fraction(7, 10) == sum(Fraction(row["exactly"]) for row in rows)
    assert all(float(row["chance"]) == float(Fraction(row["exactly"])) for row in rows)


def test_throws_without_a_choice_are_mentioned():
    """Three throws in ten leave nothing that may be pushed (counted by hand by T2K R11)."""
    said = rollwright("advise", *SKILL).out
    assert "The chances add up to 70.0 %: the other throws leave nothing to choose." in said
    assert "" == format_rest(rw.advise(CHECK | {"rerolls": 1}).lines)


def test_a_table_of_best_play_is_in_ones_language():
    """Who chooses and what: by the game's words, without a roll at hand to ask its card."""
    [line, *_] = rw.advise(find_game("twilight2000").request("skill", attribute="B")).lines
    lines = [line, line._replace(by="helpers", choose="keep")]
    with use_locale("de"):
        rows = policy_table(lines, game=find_game("twilight2000")).rows
    assert {("strapazieren", "die würfelnde Person"), ("behalten", "die helfende Seite")} == {
        (call.removesuffix(" (oder nicht)"), by) for _, call, by, _ in rows
    }


def test_columns_that_do_not_fit_go_below():
    """At 40 columns the last column of a comparison is still there."""
    said = rollwright("compare", "2d20kh1", "1d20+1d4", "1d20+2", columns=40).out
    assert "90 %" in said
    assert max(map(len, said.splitlines())) <= 40


def test_an_effect_without_an_amount_just_happens():
    """`helpful extra 0` is no way to say it."""
    assert "helpful extra" == format_effect(Effect("helpful extra"))
    assert "reliability -2 (M4)" == format_effect(Effect("reliability", -2, "M4"))


@pytest.mark.parametrize("name", own_games())
def test_a_reading_does_not_repeat_its_setting(name):
    """`no: no: …` is said nowhere: the setting stands before the reading already."""
    for about in fields_of(find_game(name).house).values():
        for meaning in about.more["readings"].values():
            assert not meaning.startswith(("yes:", "no:", "yes;", "no;"))


def test_a_sweep_over_scores_that_have_names():
    """0! and 10! are no numbers to take a mean of: a chance is asked for instead (KLEP R9)."""
    sweep = ["--vary", "modifier=0..2", "--of", "score"]
    told = rollwright("odds", "kleptonomicon", "test", *sweep)
    assert 2 == told.code
    assert "score has no mean; an event for its chance would do" in told.err
