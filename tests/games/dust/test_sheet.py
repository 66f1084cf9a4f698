"""Sheets, and what outcomes change on them."""

import pytest

import rollwright as rw
from rollwright.errors import BadField, UnknownName
from rollwright.games.dust import Roll, Sheet, Stat, TaskOpen, game
from rollwright.kit import Effect

ANA = Sheet(
    name="Ana",
    stats=(
        Stat(name="Perception", rating=3),
        Stat(name="Intimidation", rating=2),
        Stat(name="Wits", rating=4),
    ),
    adrenaline=4,
    tasks=(TaskOpen(name="lock", target=5, limit=4),),
)


def after(sheet, request, faces, **how):
    """The sheet after a roll."""
    outcome = rw.roll(request, faces=faces, **how).outcome
    for effect in game.effects(request, outcome):
        sheet = game.apply(sheet, effect)
    return sheet


def test_a_request_from_a_sheet_knows_ratings_wounds_and_adrenaline():
    """DUST R2, DUST R3: stats by name are added up, wounds come off."""
    hurt = game.apply(ANA, Effect("injury", 2))
    request = game.from_sheet(
        hurt, "roll", attribute="Perception", ability="Intimidation", modifier=1
    )
    assert (3, 2, -1, 4) == (
        request.attribute,
        request.ability,
        request.modifier,
        request.adrenaline,
    )
    assert 4 == request.pool_used.dice
    assert "Perception" == request.attribute_name


def test_doubles_add_to_the_sheet():
    """DUST R17: the raider's 9, 9, 6, 2, 2 take Ana from 4 to 5."""
    request = game.from_sheet(ANA, "roll", attribute="Perception", ability="Intimidation")
    assert 5 == after(ANA, request, (9, 9, 6, 2, 2)).adrenaline


def test_a_point_spent_comes_off_the_sheet():
    """DUST R19, DUST R20: 4 less 1 are 3."""
    request = game.from_sheet(ANA, "roll", attribute="Wits", spend=1)
    assert 3 == after(ANA, request, (9, 8, 2, 2)).adrenaline


def test_adrenaline_on_a_sheet_stops_at_ten():
    """DUST R18: at 10 a further point changes nothing, and 11 cannot be written down."""
    full = ANA.but(adrenaline=10)
    assert full == game.apply(full, Effect("adrenaline", 1))
    with pytest.raises(BadField, match=r"adrenaline: 11 is too high \(DUST R18\)"):
        ANA.but(adrenaline=11)


def test_more_cannot_be_spent_than_is_there():
    """DUST R19: a sheet without Adrenaline can neither request nor pay it."""
    empty = ANA.but(adrenaline=0)
    with pytest.raises(BadField, match="spend: 1 cannot be paid out of 0"):
        game.from_sheet(empty, "roll", attribute="Wits", spend=1)
    with pytest.raises(BadField, match="adrenaline: -1 is too low"):
        game.apply(empty, Effect("adrenaline", -1))


def test_a_botch_is_kept_for_the_referee():
    """DUST R13: its consequences are not the dice's to say, so it is noted."""
    request = game.from_sheet(ANA, "roll", attribute="Wits")
    assert 1 == after(ANA, request, (1, 1, 2, 2)).botches


def test_undo_is_the_value_before():
    """A sheet is never changed: the one from before is still there."""
    request = game.from_sheet(ANA, "roll", attribute="Wits", spend=1)
    before = ANA
    assert before is ANA
    assert after(ANA, request, (9, 8, 2, 2)) != ANA
    assert 4 == ANA.adrenaline


def test_a_task_moves_on_over_two_sittings():
    """DUST R15: progress and turns are kept, and the next request goes on from there."""
    first = game.from_sheet(ANA, "extended", attribute="Wits", task="lock", limit=1)
    later = after(ANA, first, (9, 8, 3, 2), policy="never")
    task = later.task("lock")
    assert (2, 1, False) == (task.progress, task.turns, task.is_done)
    second = game.from_sheet(later, "extended", attribute="Wits", task="lock")
    assert (2, 3, 5) == (second.progress, second.limit, second.target)
    done = after(later, second, (9, 8, 6, 2), policy="never").task("lock")
    assert (5, 2, True) == (done.progress, done.turns, done.is_done)


def test_adrenaline_of_a_task_reaches_the_sheet():
    """DUST R15, DUST R19: what was spent and earned over the turns is settled at once."""
    request = game.from_sheet(ANA, "extended", attribute="Wits", task="lock", limit=1)
    assert 3 == after(ANA, request, (9, 8, 3, 2), policy="always").adrenaline


def test_a_botch_on_the_way_of_a_task_is_noted():
    """DUST R13, DUST R15: also when the task is done in the end."""
    request = game.from_sheet(ANA, "extended", attribute="Wits", task="lock", limit=1)
    assert 1 == after(ANA, request, (1, 2, 3, 2), policy="never").botches


def test_the_sides_of_an_opposing_roll_get_what_is_theirs():
    """DUST R16, DUST R17: the actor's effects leave the defender's sheet alone."""
    request = game.from_sheet(
        ANA, "opposing", actor={"attribute": "Wits", "spend": 1}, defender={"pool": 2}
    )
    outcome = rw.roll(request, faces=(2, 3, 4, 5, 9, 9)).outcome
    found = game.effects(request, outcome)
    assert (Effect("adrenaline", -1, "Ana"), Effect("adrenaline", 1, "defender")) == found
    assert 3 == after(ANA, request, (2, 3, 4, 5, 9, 9)).adrenaline
    raider = Sheet(name="defender")
    assert 1 == after(raider, request, (2, 3, 4, 5, 9, 9)).adrenaline


def test_botches_of_both_sides():
    """DUST R13, DUST R16: each is noted with its owner."""
    request = game.from_sheet(
        ANA, "opposing", actor={"attribute": "Wits"}, defender={"pool": 1, "name": "Raider"}
    )
    outcome = rw.roll(request, faces=(1, 3, 4, 5, 1)).outcome
    assert (Effect("botch", 1, "Ana"), Effect("botch", 1, "Raider")) == game.effects(
        request, outcome
    )


def test_a_plan_from_a_sheet():
    """DUST R20: the rolls are filled in one by one, the Adrenaline once for all."""
    request = game.from_sheet(ANA, "plan", rolls=[{"attribute": "Wits"}, {"pool": 2, "need": 2}])
    assert (4, 4, 2) == (request.adrenaline, request.rolls[0].attribute, request.rolls[1].pool)
    assert 3 == after(ANA, request, (9, 8, 2, 2, 3, 3), policy="reserve:3").adrenaline


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"injury": -1}, "injury"),
        ({"adrenaline": -1}, "adrenaline"),
        ({"botches": -1}, "botches"),
        ({"stats": [{"name": "Wits", "rating": 11}]}, "stats[0].rating"),
        ({"stats": [{"name": "Wits", "rating": 1}] * 2}, "stats[1]"),
        ({"tasks": [{"name": "a", "target": 0}]}, "tasks[0].target"),
        ({"tasks": [{"name": "a", "target": 1, "turns": 3, "limit": 2}]}, "tasks[0].turns"),
    ],
)
def test_an_illegal_sheet_cannot_be_built(fields, field):
    """DUST R2, DUST R15, DUST R18: the error names the field."""
    with pytest.raises(BadField) as caught:
        Sheet(**fields)
    assert field == caught.value.field


def test_unknown_stats_tasks_and_effects_are_refused():
    """What a sheet does not have is met with a guess."""
    with pytest.raises(BadField, match="did you mean 'Wits'"):
        game.from_sheet(ANA, "roll", attribute="Wit")
    with pytest.raises(BadField, match="did you mean 'lock'"):
        game.apply(ANA, Effect("progress", 1, "locks"))
    with pytest.raises(UnknownName, match="no effect 'luck'"):
        game.apply(ANA, Effect("luck", 1))


def test_effects_of_somebody_else_change_nothing():
    """An effect with another target leaves the sheet as it is."""
    assert ANA == game.apply(ANA, Effect("adrenaline", 1, "Raider"))


def test_a_roll_without_consequences_has_no_effects():
    """DUST R12: a plain failure changes nothing on the sheet."""
    request = Roll(pool=3)
    assert () == game.effects(request, rw.roll(request, faces=(2, 3, 4)).outcome)
