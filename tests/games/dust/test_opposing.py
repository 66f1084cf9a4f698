"""Opposing rolls against plain enumeration, under every reading."""

import pytest
from tests.games.dust.oracle import as_chances, match, turn

import rollwright as rw
from rollwright.games.dust import House, Opposing


def opposing(actor=3, defender=2, **fields):
    """An opposing roll of two pools."""
    return Opposing(actor={"pool": actor}, defender={"pool": defender}, **fields)


@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize("tie", ["nobody", "defender", "reroll"])
def test_both_sides_are_counted_as_by_hand(tie, floor):
    """DUST R16: margin, winner, both nets and what doubles earn, jointly."""
    house = {"opposing_tie": tie, "opposing_floor": floor}
    expected = match(turn(3), turn(2), tie=tie, floor=floor)
    assert expected == as_chances(rw.odds(opposing(house=house)))


@pytest.mark.parametrize("count", ["roll", "face", "pair"])
@pytest.mark.parametrize("survive", [False, True])
@pytest.mark.parametrize("on_failure", [False, True])
def test_doubles_of_either_side_are_counted_as_by_hand(count, survive, on_failure):
    """DUST R16, DUST R17: every reading of doubles holds for both sides."""
    house = {
        "doubles_count": count,
        "doubles_must_survive": survive,
        "doubles_on_failure": on_failure,
    }
    expected = match(turn(4, 4, **house), turn(3, 4, **house))
    assert expected == as_chances(rw.odds(opposing(4, 3, difficulty=4, house=house)))


@pytest.mark.parametrize("protected", [False, True])
@pytest.mark.parametrize("mine", [0, 1])
@pytest.mark.parametrize("theirs", [0, 1])
def test_spending_on_either_side(mine, theirs, protected):
    """DUST R19, DUST R20: each side declares by itself."""
    house = {"automatic_success_protected": protected}
    roll = Opposing(
        actor={"pool": 2, "spend": mine}, defender={"pool": 3, "spend": theirs}, house=house
    )
    expected = match(turn(2, 6, mine, **house), turn(3, 6, theirs, **house))
    assert expected == as_chances(rw.odds(roll))


def test_both_sides_meet_one_number():
    """DUST R16: a side's own number counts only where the house allows it."""
    sides = {"actor": {"pool": 2, "difficulty": 4}, "defender": {"pool": 2}}
    common = as_chances(rw.odds(Opposing(**sides, difficulty=7)))
    assert match(turn(2, 7), turn(2, 7)) == common
    own = Opposing(**sides, difficulty=7, house=House(opposing_numbers="own"))
    assert match(turn(2, 4), turn(2, 7)) == as_chances(rw.odds(own))


def test_more_successes_win_by_the_margin():
    """DUST R16: 3 against 1 is won by 2."""
    outcome = rw.roll(opposing(3, 3), faces=[9, 8, 7, 6, 2, 2]).outcome
    assert ("actor", 2, 3, 1) == (
        outcome.winner,
        outcome.margin,
        outcome.actor_net,
        outcome.defender_net,
    )


def test_a_botch_counts_with_its_negative_number():
    """DUST R16, DUST R9: 0 beats -1, unless the house counts nobody below 0."""
    faces = [3, 3, 1, 3]
    assert "actor" == rw.roll(opposing(2, 2), faces=faces).outcome.winner
    floored = opposing(2, 2, house=House(opposing_floor=True))
    assert "nobody" == rw.roll(floored, faces=faces).outcome.winner


def test_a_tie_is_thrown_again_where_the_house_says_so():
    """DUST R16: only the last throw counts, also for doubles."""
    again = opposing(2, 2, house=House(opposing_tie="reroll"))
    transcript = rw.roll(again, faces=[9, 9, 8, 7, 9, 3, 2, 2])
    assert (4, "actor", 0) == (
        len(transcript.throws),
        transcript.outcome.winner,
        transcript.outcome.actor_gained,
    )


def test_a_tie_without_dice_stays_a_tie():
    """DUST R16: where nothing can be thrown again, the tie is reported."""
    again = opposing(0, 0, house=House(opposing_tie="reroll"))
    assert "nobody" == rw.roll(again, faces=[]).outcome.winner


def test_a_side_that_fails_by_itself_spends_nothing():
    """DUST R19: where no dice mean failure, a declared point is not lost."""
    roll = Opposing(
        actor={"pool": 0, "spend": 1, "adrenaline": 1},
        defender={"pool": 0, "spend": 1},
        house={"minimum_pool": "fail"},
    )
    from rollwright.games.dust import game

    outcome = rw.roll(roll, faces=[]).outcome
    assert (0, "nobody") == (outcome.margin, outcome.winner)
    assert () == game.effects(roll, outcome)


def test_goals_of_an_opposing_roll():
    """DUST R16: to win, to win by much, and not to botch."""
    found = rw.odds(opposing())
    assert found.of("winner").p("actor") == rw.advise(opposing(), "just-succeed").value
    assert found.of("margin").mean == rw.advise(opposing(), "margin").value
    assert found.p(lambda o: o.actor_net >= 0) == rw.advise(opposing(), "no-botch").value
    assert found.of("actor_gained").mean == rw.advise(opposing(), "adrenaline").value
