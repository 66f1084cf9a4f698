"""What is told of GHOST/BURN rolls: every outcome in plain words."""

import pytest

import rollwright as rw
from rollwright.games.ghostburn import Attempt, House, Roll, Session, game
from rollwright.games.ghostburn.requests import CONVINCE
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import ending_to_json

BOUNCER = Roll(ability=3, skill=(2,), dl="Hard", favored=True, ability_name="Presence")


def said(roll, faces, use=None):
    """What is told once these faces lie there."""
    transcript = rw.roll(roll, faces=faces)
    return game.tell(roll, transcript.choose(use) if use else transcript)


def test_the_bouncer_kept():
    """GHOST R11: dice, bonuses, level, distance and outcome in one sentence."""
    assert (
        "3 and 9 on the dice make 12, and with Presence +3, skill +2 that is 17: "
        "Moderate (3 short of Hard), one level below Hard (20): Fade."
    ) == said(BOUNCER, [3, 9], "keep")


def test_skill_and_trick_are_named():
    """GHOST R2: what was tried stands in front, where it is known."""
    named = BOUNCER.but(skill_name="Persuade", trick="Convince")
    assert said(named, [3, 9]).startswith("Persuade, Convince: 3 and 9 on the dice")


def test_the_bouncer_lucky():
    """GHOST R14: what Luck added, why, and what it made of it."""
    assert said(BOUNCER, [3, 9], "bonus").endswith(
        "a Luck Bonus of 3 for a favored skill adds 3 for 20, Hard: Success instead."
    )


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ([1, 1], "two levels below Hard (20): Glitch"),
        ([5, 5], "one level below Hard (20): Fade"),
        ([9, 9], "the level of Hard (20): Success"),
        ([10, 10], "one level above Hard (20): Cool Success"),
    ],
)
def test_each_outcome_says_how_far_off_it_is(faces, words):
    """GHOST R9 to R12: above, at or below the Difficulty Level."""
    assert words in said(BOUNCER.but(ability=4, luck_points=0), faces)


def test_a_cool_success_is_told():
    """GHOST R9: a level above."""
    assert "two levels above Easy (8): Cool Success" in said(
        Roll(ability=9, dl=8, luck_points=0), [6, 6]
    )


def test_an_open_choice_says_what_luck_could_do():
    """GHOST R14 and R15: both uses with what they would make of it."""
    words = said(BOUNCER, [1, 2])
    assert "Luck can still be kept or spent (bonus: a Luck Bonus of 3 for a favored skill" in words
    assert "avoid-glitch: it becomes a Fade" in words
    assert "avoid-glitch" not in said(BOUNCER, [3, 9])


def test_an_avoided_glitch_is_told():
    """GHOST R15: the Glitch is named, and what it became."""
    assert "Glitch; Luck avoids the Glitch: Fade instead." in said(BOUNCER, [1, 2], "avoid-glitch")


def test_a_wasted_bonus_is_told():
    """GHOST R14: 13 and 2 more against Severe stay a Glitch."""
    assert "Easy: Glitch as before" in said(Roll(ability=0, dl="Severe"), [4, 5], "bonus")


def test_ignored_bonuses_are_told():
    """GHOST R19: which were ignored and why."""
    words = said(BOUNCER.but(gear=(1, 3, 2)), [3, 9], "keep")
    assert "gear +3" in words
    assert "gear +2, +1 ignored, since only the highest gear bonus counts" in words


def test_a_standing_luck_bonus_is_told():
    """GHOST R18, D7: the Luck Bonus adds only what it is higher by."""
    words = said(BOUNCER.but(luck=(1,)), [3, 9], "bonus")
    assert "a Luck Bonus of 3 for a favored skill adds 2 beside the standing luck bonus" in words


def test_the_chart_is_told_for_the_final_outcome():
    """GHOST R16 and R21: what the new outcome does, and nothing of the old one."""
    roll = BOUNCER.but(chart=CONVINCE, target="the bouncer")
    assert "Convince: they agree, but not happily, and the bouncer becomes Confident" in said(
        roll, [3, 9], "keep"
    )
    assert said(roll, [3, 9], "bonus").endswith("Convince: they agree.")
    assert "Convince" not in said(roll, [3, 9])


def test_house_rules_are_told_where_they_decide():
    """D1 and D4: two tens and results below Easy are named as the reason."""
    tens = Roll(ability=0, dl="Severe", luck_points=0, house=House(double_ten_cool=True))
    assert "and two tens are always a Cool Success" in said(tens, [10, 10])
    low = Roll(ability=0, dl="Easy", luck_points=0, house=House(below_easy="failure"))
    assert "and a result below Easy is always a Glitch" in said(low, [1, 1])


def test_the_top_of_a_ladder_has_nothing_above():
    """D2: an open-ended Severe is short of nothing."""
    roll = Roll(ability=20, dl=8, luck_points=0, house=House(above_severe="open"))
    assert ": Severe, three levels above Easy (8)" in said(roll, [9, 9])


def test_nothing_thrown_yet():
    """An unfinished transcript tells what is waited for."""
    assert "2d10 +5 against Hard (20) are still to be thrown." == game.tell(
        BOUNCER, rw.Transcript(BOUNCER.call(), request=BOUNCER)
    )


def test_a_session_is_told_roll_by_roll():
    """GHOST R13: each roll, what is waited for, and in the end the score."""
    attempt = Attempt(ability=3, skill=(2,), dl="Hard")
    session = Session(rolls=(attempt, attempt))
    first = rw.roll(session, faces=[9, 9])
    assert game.tell(session, first).startswith("Roll 1: 9 and 9")
    assert "Luck can still be kept" in game.tell(session, first)
    second = first.choose("keep")
    assert game.tell(session, second).endswith(
        "Roll 2: 2d10 +5 against Hard (20) are still to be thrown."
    )
    done = rw.roll(second, faces=[1, 1]).choose("avoid-glitch")
    assert game.tell(session, done).endswith(
        "In all 1 of 2 succeeded (0 cool), 0 glitched, Luck Points spent: 1, value 3."
    )


def test_luck_is_a_ladder_from_level_to_level():
    """GHOST R8, R20: 17 stands below Hard 20, and a Luck Bonus of 3 reaches it."""
    waiting = rw.roll(BOUNCER, faces=[3, 9])
    ladder = choice_to_json(waiting)["ladder"]
    assert (17, 20) == (ladder["at"], ladder["goal"])
    assert [8, 14, 20, 26] == [rung["at"] for rung in ladder["rungs"]]
    leads = {option: option_to_json(waiting, option).get("at") for option in waiting.step.options}
    assert {"keep": 17, "bonus": 20} == leads


def test_a_level_that_players_do_not_know_is_on_no_ladder():
    """House rule `dl_shown`: the ladder would give it away."""
    hidden = BOUNCER.but(house=House(dl_shown=False))
    assert "ladder" not in choice_to_json(rw.roll(hidden, faces=[3, 9]))


def added(transcript, language="en"):
    """What is added up, as players read it."""
    done = transcript.is_done
    sum_of = (ending_to_json if done else choice_to_json)(transcript)["sum"]
    return [game.words.say(term, language) for term in sum_of["terms"]], sum_of["total"]


def test_the_sum_is_written_out_with_the_name_of_every_bonus():
    """GHOST R5, R6, R14: the dice, the ability, the skill, Luck once it is spent; 3 + 9 + 5 is 17,
    and 3 more make 20."""
    waiting = rw.roll(BOUNCER, faces=[3, 9])
    terms = ["3 + 9", "Presence +3", "skill +2"]
    assert (terms, 17) == added(waiting)
    assert (terms, 17) == added(waiting.choose("keep"))
    assert ([*terms, "luck +3"], 20) == added(waiting.choose("bonus"))
    told = [added(waiting.choose("bonus"), language)[0][2:] for language in ("de", "fr")]
    assert [["Fertigkeit +2", "Glück +3"], ["compétence +2", "chance +3"]] == told


def test_of_a_session_only_the_roll_that_is_open_has_a_sum():
    """Rolls that have settled are told; several sums would be no sum."""
    rolls = Session(rolls=(Attempt(ability=1, dl="Hard"),) * 2)
    waiting = rw.roll(rolls, faces=[8, 9])
    assert (["8 + 9", "ability +1"], 18) == added(waiting)
    done = rw.roll(waiting.choose("bonus"), faces=[2, 2])
    assert done.is_done
    assert "sum" not in ending_to_json(done)


def test_an_option_has_the_tone_of_the_grade_it_leads_to():
    """GHOST R10, R11: a Fade is mixed, a Success is good."""
    waiting = rw.roll(BOUNCER, faces=[3, 9])
    tones = {option: option_to_json(waiting, option)["tone"] for option in waiting.step.options}
    assert {"keep": "mixed", "bonus": "good"} == tones
