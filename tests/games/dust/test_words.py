"""What happened, in plain words."""

import pytest

import rollwright as rw
from rollwright.games.dust import ExtendedRoll, Opposing, Plan, Roll, game


def told(request, faces=(), **how):
    """The sentence for a request with these faces."""
    transcript = rw.roll(request, faces=faces, **how)
    return game.tell(request, transcript)


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((1, 2, 3), "a botch: the action fails, and something goes wrong as well"),
        ((2, 3, 4), "a failure: the action does not work"),
        ((6, 2, 3), "barely a success"),
        ((6, 7, 3), "a little more than barely a success"),
        ((6, 7, 8), "a complete success"),
        ((6, 7, 8, 9), "more than a complete success"),
        ((6, 7, 8, 9, 10), "an overwhelming success"),
        ((6, 7, 8, 9, 10, 2, 8), "an overwhelming success"),
    ],
)
def test_every_grade_is_said(faces, words):
    """DUST R11, DUST R12: what the net means for the action."""
    assert words in told(Roll(pool=len(faces)), faces)


def test_a_botch_says_what_the_referee_has_to_do():
    """DUST R13: guidance, shown wherever a botch is told."""
    assert game.rulebook["R13"].guidance
    words = "gear, health or friends may suffer, the referee says how"
    assert words in game.rulebook["R13"].text
    assert words in told(Roll(pool=1), (1,))
    assert words in told(ExtendedRoll(pool=1, target=2, limit=1), (1,))


def test_the_cap_and_the_modifier_are_told():
    """DUST R3, DUST R4: who looks for twelve dice learns where two went."""
    faces = (2,) * 10
    assert "10 dice (9 +3, 2 cut by the cap of 10)" in told(Roll(pool=9, modifier=3), faces)


def test_a_minimum_of_one_die_is_told():
    """DUST R3: the die that the house gives back is mentioned."""
    roll = Roll(pool=1, modifier=-2, house={"minimum_pool": "one"})
    assert told(roll, (7,)).startswith("1 die (1 −2, at least 1) at difficulty 6")


def test_the_difficulty_has_its_name():
    """DUST R5: the number and the word for it."""
    assert "at difficulty 9 (Extremely Difficult)" in told(Roll(pool=1, difficulty=9), (9,))


def test_damage_says_why_it_is_rolled_at_six():
    """DUST R5: the difficulty that was asked for is not used."""
    sentence = told(Roll(pool=1, difficulty=8, kind="damage"), (7,))
    assert "at difficulty 6 (Standard), since damage is never rolled at 8" in sentence


@pytest.mark.parametrize(
    ("fields", "faces", "words"),
    [
        ({}, (8, 8), "; doubles: +1 Adrenaline."),
        ({"adrenaline": 10}, (8, 8), "; doubles, but Adrenaline is at 10 already."),
        ({"doubles": "leave"}, (8, 8), "; doubles, left unused."),
        (
            {"pool": 4, "house": {"doubles_on_failure": False}},
            (8, 8, 1, 1),
            "; doubles, but a roll that fails earns nothing.",
        ),
        (
            {"pool": 3, "house": {"doubles_must_survive": True}},
            (8, 8, 1),
            "net 1 (the 1s take 8), and the 1s break doubles, barely a success.",
        ),
        (
            {"pool": 5, "house": {"doubles_must_survive": True}},
            (9, 8, 8, 7, 1),
            "net 3 (the 1s take 7), a complete success; doubles: +1 Adrenaline.",
        ),
    ],
)
def test_what_becomes_of_doubles_is_said(fields, faces, words):
    """DUST R17, DUST R18, DUST R8: earned, left, lost, or no room for more."""
    assert told(Roll(**{"pool": 2, **fields}), faces).endswith(words)


def test_spending_is_said_before_and_after_the_throw():
    """DUST R20: an open roll says what is declared, a finished one what it brought."""
    roll = Roll(pool=2, spend=1)
    opened = game.tell(roll, rw.Transcript(roll.call(), request=roll))
    assert opened == ("2 dice at difficulty 6 (Standard), 1 Adrenaline spent; 2 dice to be thrown.")
    assert "0 successes, 1 bought with Adrenaline, net 1" in told(roll, (2, 3))


@pytest.mark.parametrize(
    ("tie", "faces", "words"),
    [
        ("nobody", (9, 8), "; a tie: the table decides."),
        ("defender", (9, 8), "; a tie, which the defender wins."),
        ("nobody", (9, 2), "; the actor wins by 1."),
        ("nobody", (2, 9), "; the defender wins by 1."),
        ("reroll", (9, 9, 2, 2, 9, 2), "; the actor wins by 1."),
    ],
)
def test_who_wins_is_said(tie, faces, words):
    """DUST R16: the winner, the margin, and what a tie means here."""
    roll = Opposing(actor={"pool": 1}, defender={"pool": 1}, house={"opposing_tie": tie})
    assert told(roll, faces).endswith(words)


def test_ties_thrown_again_are_counted():
    """DUST R16: after two ties the third throw is told."""
    roll = Opposing(
        actor={"pool": 1, "name": "Ana"}, defender={"pool": 1}, house={"opposing_tie": "reroll"}
    )
    assert told(roll, (9, 9, 2, 2, 9, 2)).startswith("After 2 ties, Ana, 1 die")


def test_a_tie_to_be_thrown_again_is_told_at_once():
    """DUST R16: what lay there counts no more."""
    roll = Opposing(actor={"pool": 1}, defender={"pool": 1}, house={"opposing_tie": "reroll"})
    tied = rw.Transcript(roll.call(), request=roll).throw((9,)).throw((8,))
    assert game.tell(roll, tied) == (
        "After 1 tie, the actor, 1 die at difficulty 6 (Standard); the defender, 1 die at "
        "difficulty 6 (Standard); 1 die to be thrown."
    )


def test_an_opposing_roll_half_thrown():
    """DUST R16: the actor's dice lie there, the defender's are to be thrown."""
    roll = Opposing(actor={"pool": 2}, defender={"pool": 3})
    half = rw.Transcript(roll.call(), request=roll).throw((9, 1))
    sentence = game.tell(roll, half)
    assert "The actor, 2 dice at difficulty 6 (Standard): 9, 1: 1 success" in sentence
    assert sentence.endswith(
        "the defender, 3 dice at difficulty 6 (Standard); 3 dice to be thrown."
    )


def test_gains_of_both_sides_are_told():
    """DUST R16, DUST R17: each with its name."""
    roll = Opposing(actor={"pool": 2, "name": "Ana"}, defender={"pool": 2, "name": "Bo"})
    sentence = told(roll, (9, 9, 8, 8))
    assert sentence.endswith("; Ana gains 1 Adrenaline; Bo gains 1 Adrenaline.")


@pytest.mark.parametrize(
    ("botch", "faces", "words"),
    [
        ("nothing", (9, 8, 7, 7), "; done: 4 gathered, 4 needed."),
        ("nothing", (9, 8, 7, 2), "; out of time at 3 of 4."),
        ("end", (1, 2), "; the botch ends it at 0 of 4; something goes wrong"),
    ],
)
def test_how_a_task_ends_is_said(botch, faces, words):
    """DUST R15: done, out of time, or ended by a botch."""
    task = ExtendedRoll(pool=2, target=4, limit=2, house={"extended_botch": botch})
    assert words in told(task, faces)


def test_an_open_task_says_what_can_be_chosen():
    """DUST R20: before each turn, what may be declared."""
    task = ExtendedRoll(pool=2, target=4, limit=2, task="rubble", adrenaline=1)
    assert told(task) == (
        "Rubble: 2 dice at difficulty 6 (Standard) a turn, 4 wanted; now choose: save or spend 1."
    )


def test_a_plan_is_told_roll_by_roll():
    """DUST R20, DUST R11: each roll with its grade and whether it was enough."""
    plan = Plan(rolls=({"pool": 1}, {"pool": 1, "need": 2}), adrenaline=1)
    assert told(plan, (7, 8), policy="never") == (
        "Roll 1: 7: 1 success, net 1, barely, enough; "
        "roll 2: 8: 1 success, net 1, barely, not enough; 1 of 2 made, 1 Adrenaline left."
    )


def test_a_bought_success_that_is_safe_is_told_as_such():
    """DUST R19: in the protected reading the 1s do not add up, so the sentence says why."""
    roll = Roll(pool=2, spend=1, house={"automatic_success_protected": True})
    assert "less 2 for the 1s, which spare what was bought, net 1, barely" in told(roll, (1, 1))


def test_a_roll_that_fails_by_itself_is_told_as_such():
    """DUST R3, DUST R12: without dice, where the house lets that fail."""
    roll = Roll(pool=1, modifier=-1, spend=1, house={"minimum_pool": "fail"})
    assert told(roll).endswith("a failure: the action does not work, and nothing is spent on it.")
