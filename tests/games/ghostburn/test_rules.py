"""The rules of a GHOST/BURN roll, line by line, with the book's worked examples."""

import pytest

import rollwright as rw
from rollwright.engine.steps import TallyStep
from rollwright.games.ghostburn import House, Roll, Session, game
from rollwright.games.ghostburn.house import LINES
from rollwright.games.ghostburn.outcomes import Level, level_at, number_of, step_of
from rollwright.games.ghostburn.requests import CONVINCE, Attempt
from rollwright.games.ghostburn.rules import GOALS, Task, luck_uses, reading
from rollwright.games.ghostburn.sheet import effects
from rollwright.kit import Effect, fields_of
from rollwright.rules import Choice

BOUNCER = Roll(ability=3, skill=(2,), dl="Hard", favored=True, chart=CONVINCE, target="the bouncer")


def outcome_of(result, dl=20, **fields):
    """The outcome of a result, reached with dice that show 11 and a skill bonus of 10."""
    roll = Roll(ability=result - 21, skill=(10,), dl=dl, luck_points=0, **fields)
    return rw.roll(roll, faces=[5, 6]).outcome.outcome


def test_a_roll_goes_in_the_six_steps_of_the_book():
    """GHOST R1: what is tried and its level come first, then dice, bonuses, outcome, Luck."""
    transcript = rw.roll(BOUNCER, faces=[3, 9])
    (thrown,) = transcript.throws
    assert type(thrown[0]) is TallyStep
    assert type(transcript.step) is Choice
    assert "Fade" == transcript.step.about.outcome
    assert 0 == transcript.step.about.rolls_left
    assert transcript.choose("keep").is_done


def test_choosing_skill_and_trick_is_guidance_at_the_trick_field():
    """GHOST R2: the advice to the table stands where the trick is named."""
    assert LINES["R2"].guidance
    assert LINES["R2"].text == fields_of(Roll)["trick"].help


def test_a_chart_says_where_the_level_comes_from_and_the_player_hears_it():
    """GHOST R3: Convince goes against the target's Wits, and the level is told."""
    assert "the target's Wits" == CONVINCE.dl_from
    assert "Hard (20)" in game.tell(BOUNCER, rw.roll(BOUNCER, faces=[3, 9]))
    assert "the GM should tell it" in fields_of(Roll)["dl"].help


def test_two_ten_sided_dice_are_added():
    """GHOST R4: one throw of two D10, of which the sum counts."""
    ((step, faces),) = rw.roll(BOUNCER, faces=[3, 9]).throws
    assert "2D10" == repr(step.pool)
    assert (3, 9) == faces
    assert 17 == rw.roll(BOUNCER.but(luck_points=0), faces=[3, 9]).outcome.result


def test_the_ability_is_always_added():
    """GHOST R5: without an ability there is no roll; with one it counts alone."""
    with pytest.raises(rw.RollwrightError, match="ability: is missing"):
        game.request("roll", dl="Hard")
    assert 7 + 11 == rw.roll(Roll(ability=7, dl=8, luck_points=0), faces=[5, 6]).outcome.result


def test_skill_gear_and_aug_bonuses_are_added():
    """GHOST R6: one of each."""
    roll = Roll(ability=1, skill=(2,), gear=(3,), aug=(4,), dl=8, luck_points=0)
    assert 11 + 1 + 2 + 3 + 4 == rw.roll(roll, faces=[5, 6]).outcome.result


@pytest.mark.parametrize(
    ("results", "name"),
    [
        (range(-40, 8), "below Easy"),
        (range(8, 14), "Easy"),
        (range(14, 20), "Moderate"),
        (range(20, 26), "Hard"),
        (range(26, 32), "Severe"),
        (range(32, 38), "Severe +1"),
        (range(38, 44), "Severe +2"),
    ],
)
def test_a_result_is_of_the_highest_level_it_reaches(results, name):
    """GHOST R8, with D2 and D3: levels are six wide, go on above Severe, and end below Easy."""
    ladder = House()
    assert {name} == {level_at(step_of(result, ladder), ladder) for result in results}


def test_the_four_levels_begin_where_the_book_says():
    """GHOST R8: Easy 8, Moderate 14, Hard 20, Severe 26."""
    assert [8, 14, 20, 26] == [number_of(step) for step in (1, 2, 3, 4)]


@pytest.mark.parametrize("result", [26, 27, 31, 32, 40])
def test_a_level_or_more_above_is_a_cool_success(result):
    """GHOST R9, C3: 27 against Hard lies in Severe."""
    assert "Cool Success" == outcome_of(result)


@pytest.mark.parametrize("result", [20, 24, 25])
def test_the_same_level_is_a_success(result):
    """GHOST R10, C4: 24 against Hard."""
    assert "Success" == outcome_of(result)


@pytest.mark.parametrize("result", [14, 16, 17, 19])
def test_one_level_below_is_a_fade(result):
    """GHOST R11, C5: 16 against Hard."""
    assert "Fade" == outcome_of(result)


@pytest.mark.parametrize("result", [1, 8, 10, 13])
def test_two_levels_below_is_a_glitch(result):
    """GHOST R12, C6: 10 against Hard is Easy, two levels below."""
    assert "Glitch" == outcome_of(result)


@pytest.mark.parametrize(
    ("result", "dl", "outcome"),
    [(5, 8, "Fade"), (5, 14, "Glitch"), (32, 26, "Cool Success"), (31, 26, "Success")],
)
def test_the_ends_of_the_ladder(result, dl, outcome):
    """GHOST R8, D1 and D2: Easy with 5 is a Fade, Severe with 32 a Cool Success (own vectors)."""
    assert outcome == outcome_of(result, dl)


def test_the_bouncer():
    """GHOST R4, C1: 3 and 9 with Presence 3 and skill 2 make 17 (the book once says 11): Fade."""
    end = rw.roll(BOUNCER, faces=[3, 9]).choose("keep").outcome
    assert ("Fade", "Moderate", 17, False) == (end.outcome, end.level, end.result, end.luck_used)


def test_luck_turns_the_bouncer_round():
    """GHOST R14, C2: a favored skill adds 3, so 17 becomes 20, a Success."""
    end = rw.roll(BOUNCER, faces=[3, 9]).choose("bonus").outcome
    assert ("Success", "Hard", 20, True) == (end.outcome, end.level, end.result, end.luck_used)


def test_one_luck_point_a_session():
    """GHOST R13: a roll starts from one, and two are refused."""
    assert 1 == Roll(ability=0, dl=8).luck_points
    with pytest.raises(rw.RollwrightError, match=r"luck_points: 2 .*GHOST R13.*0 or 1"):
        Roll(ability=0, dl=8, luck_points=2)


def test_without_luck_nothing_is_asked():
    """GHOST R13: who has no point left has no choice."""
    assert rw.roll(Roll(ability=0, dl=8, luck_points=0), faces=[1, 1]).is_done


@pytest.mark.parametrize(
    ("faces", "favored", "result", "outcome"),
    [
        ([9, 9], False, 20, "Success"),
        ([8, 9], False, 19, "Fade"),
        ([8, 9], True, 20, "Success"),
        ([3, 10], False, 15, "Fade"),
        ([4, 5], False, 11, "Glitch"),
    ],
)
def test_a_luck_bonus_is_two_or_three_and_the_outcome_is_read_anew(faces, favored, result, outcome):
    """GHOST R14: 18+2 is a Success, 17+2 still a Fade, 13+2 a Fade, 9+2 still a Glitch."""
    roll = Roll(ability=0, dl="Hard", favored=favored)
    end = rw.roll(roll, faces=faces).choose("bonus").outcome
    assert (result, outcome) == (end.result, end.outcome)


@pytest.mark.parametrize("faces", [[3, 10], [4, 5], [1, 1]])
def test_a_glitch_can_be_avoided(faces):
    """GHOST R15: whatever the result, the Glitch becomes a Fade, one step up and no more (D9)."""
    end = rw.roll(Roll(ability=0, dl="Hard"), faces=faces).choose("avoid-glitch").outcome
    assert ("Fade", sum(faces), True) == (end.outcome, end.result, end.luck_used)


def test_only_a_glitch_can_be_avoided():
    """GHOST R15: a Fade offers no such use."""
    assert ("keep", "bonus") == rw.roll(BOUNCER, faces=[3, 9]).step.options
    assert ("keep", "bonus", "avoid-glitch") == rw.roll(BOUNCER, faces=[1, 1]).step.options


def test_the_old_outcome_brings_nothing():
    """GHOST R16, C2: with Luck spent the bouncer is not Confident after all."""
    faded = rw.roll(BOUNCER, faces=[3, 9])
    kept, spent = faded.choose("keep").outcome, faded.choose("bonus").outcome
    assert "Confident" in [effect.amount for effect in effects(BOUNCER, kept)]
    assert "Confident" not in [effect.amount for effect in effects(BOUNCER, spent)]
    assert ("Fade", "Success") == (spent.before, spent.outcome)


def test_a_point_is_used_once_and_for_one_thing():
    """GHOST R17, D8: after either use the roll is over: a Glitch at 7 + 3 stays one."""
    glitched = rw.roll(BOUNCER, faces=[1, 1])
    for use, outcome, result in (("bonus", "Glitch", 10), ("avoid-glitch", "Fade", 7)):
        spent = glitched.choose(use)
        assert spent.is_done
        assert (outcome, result) == (spent.outcome.outcome, spent.outcome.result)
        assert [Effect("luck", -1)] == [
            e for e in effects(BOUNCER, spent.outcome) if e.kind == "luck"
        ]
    assert [] == [e for e in effects(BOUNCER, glitched.choose("keep").outcome) if e.kind == "luck"]


def test_a_roll_has_one_use_of_luck_however_much_is_left():
    """GHOST R17, R18, D6: of three points that were carried over one is spent, and it is over."""
    rich = BOUNCER.but(luck_points=3, house=House(luck_carries=True))
    spent = rw.roll(rich, faces=[1, 1]).choose("bonus")
    assert (True, -1) == (spent.is_done, effects(rich, spent.outcome)[0].amount)


def test_a_point_that_is_spent_is_gone_for_the_session():
    """GHOST R17: the next roll of the session has no Luck to choose; a point that is kept waits."""
    two = Session(rolls=(Attempt(ability=5, dl="Hard"),) * 2)
    first = rw.roll(two, faces=[1, 1])
    for use, options in (("bonus", None), ("avoid-glitch", None), ("keep", 3)):
        second = first.choose(use).throw([1, 1])
        assert options == (None if second.is_done else len(second.step.options))
    spent = first.choose("avoid-glitch").throw([1, 1]).outcome
    assert (1, 1) == (spent.luck_used, spent.glitches)
    assert rw.roll(BOUNCER.but(luck_points=0), faces=[1, 1]).is_done


def test_luck_may_turn_a_success_into_a_cool_success():
    """GHOST R14, D5: 24 + 2 against Hard is Severe."""
    end = rw.roll(Roll(ability=12, dl="Hard"), faces=[6, 6]).choose("bonus").outcome
    assert ("Success", "Cool Success") == (end.before, end.outcome)


def test_one_bonus_of_each_kind():
    """GHOST R18: ability, skill, gear, aug and luck count once each."""
    roll = Roll(ability=1, skill=(2, 1), gear=(3, 3), aug=(4, 0), luck=(1, 1), dl=8)
    assert ["ability", "skill", "gear", "aug", "luck"] == [b.kind for b in roll.bonuses]
    assert 1 + 2 + 3 + 4 + 1 == roll.total_bonus
    assert 1 == Roll(ability=1, dl=8).total_bonus


@pytest.mark.parametrize(("standing", "adds"), [((), 2), ((1,), 1), ((2,), 0), ((5, 1), 0)])
def test_a_luck_bonus_does_not_stack_with_a_standing_one(standing, adds):
    """GHOST R18, D7: of the Luck Bonus and a standing luck bonus only the higher counts."""
    roll = Roll(ability=0, luck=standing, dl=8)
    uses = luck_uses(11, roll.task)
    assert adds == uses["bonus"].result - uses["keep"].result
    assert 11 + max([2, *standing]) == uses["bonus"].result


def test_of_one_kind_only_the_highest_counts():
    """GHOST R19, C7: of two gear bonuses to Firearms the lower is ignored."""
    roll = Roll(ability=0, gear=(1, 3), dl=8, skill_name="Firearms", luck_points=0)
    gear = roll.bonuses[1]
    assert ("gear", 3, (1,)) == (gear.kind, gear.used, gear.ignored)
    assert 14 == rw.roll(roll, faces=[5, 6]).outcome.result


def test_a_chart_says_what_each_outcome_does():
    """GHOST R21: on a Fade Convince works and makes them Confident; a Success does not."""
    assert "Confident" == CONVINCE.entry("Fade").condition
    assert "" == CONVINCE.entry("Success").condition
    texts = {CONVINCE.entry(o).text for o in ("Glitch", "Fade", "Success", "Cool Success")}
    assert 4 == len(texts)


def test_how_much_harder_confident_makes_it_is_left_to_the_gm():
    """GHOST R21: the book gives no number, so what is told says who decides."""
    kept = rw.roll(BOUNCER, faces=[3, 9]).choose("keep")
    assert "the GM says by how much" in game.tell(BOUNCER, kept)


def test_outcomes_and_levels_have_an_order():
    """GHOST R9 to R12: a Glitch is below a Fade, a Fade below a Success, and so on."""
    odds = rw.odds(Roll(ability=8, dl="Hard", luck_points=0))
    outcomes = odds.of("outcome")
    assert ("Glitch", "Fade", "Success", "Cool Success") == outcomes.outcomes
    assert outcomes.at_least("Success") == outcomes.p("Success") + outcomes.p("Cool Success")
    assert outcomes.at_most("Fade") == outcomes.p("Glitch") + outcomes.p("Fade")
    assert ("Easy", "Moderate", "Hard", "Severe") == odds.of("level").outcomes


def test_every_level_of_a_ladder_is_higher_than_the_one_below():
    """GHOST R8, D2: Severe +1 to Severe +16 on the book's ladder, the site's two names on its own.

    The best that can be asked for, two tens and five bonuses of 20, reaches Severe +15.
    """
    for setting, top in (("ladder", 20), ("site", 6), ("open", 4)):
        house = House(above_severe=setting)
        assert list(range(top + 1)) == [level_at(step, house).rank for step in range(top + 1)]
    assert 21 + 2 == len(Level.ranks)
    best = {"ability": 20, "skill": (20,), "gear": (20,), "aug": (20,), "luck": (20,)}
    end = rw.roll(Roll(**best, dl=8, luck_points=0), faces=[10, 10]).outcome
    assert (120, "Severe +15") == (end.result, end.level)


@pytest.mark.parametrize(
    ("faces", "use", "worth"),
    [
        ([9, 9], "keep", "1"),
        ([9, 9], "bonus", "1/2"),
        ([5, 5], "keep", "0"),
        ([5, 5], "bonus", "-1/2"),
    ],
)
def test_saved_luck_is_worth_half_a_success(faces, use, worth):
    """GHOST R13: the goal that saves Luck counts a success as one, a point spent as half of one."""
    end = rw.roll(Roll(ability=2, dl="Hard"), faces=faces).choose(use).outcome
    assert worth == str(GOALS["save-luck"].worth(end))


def test_negative_bonuses_end_in_the_same_lowest_level():
    """GHOST R8, D3: however low, a result is one level under Easy."""
    assert {0} == {step_of(result, House()) for result in range(-100, 8)}
    assert "Fade" == reading(2, Task(-20, 1, 2)).outcome
