"""Extended rolls and plans against plain enumeration, under every reading and policy."""

import pytest
from tests.games.dust import oracle
from tests.games.dust.oracle import as_chances

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.dust import ExtendedRoll, Plan, PlannedRoll

BOTCH_RULES = ["nothing", "subtract", "reset", "end"]
SPEND = {
    "never": lambda points, *rest: 0,
    "always": lambda points, *rest: points,
    "reserve:1": lambda points, *rest: max(0, points - 1),
}


@pytest.mark.parametrize("botch", BOTCH_RULES)
@pytest.mark.parametrize("dice", [1, 3])
def test_a_task_is_counted_as_by_hand(botch, dice):
    """DUST R15: done, total, turns and botches jointly, for each reading of a botch."""
    roll = ExtendedRoll(pool=dice, difficulty=7, target=4, limit=4, house={"extended_botch": botch})
    spend = SPEND["never"]
    expected = oracle.task(dice, 7, 4, 4, adrenaline=None, spend=spend, botch=botch)
    assert expected == as_chances(rw.odds(roll))


@pytest.mark.parametrize("policy", SPEND)
@pytest.mark.parametrize("botch", BOTCH_RULES)
def test_a_task_with_adrenaline_is_counted_as_by_hand(policy, botch):
    """DUST R15, DUST R17, DUST R19, DUST R20: points are declared each turn, and earned."""
    roll = ExtendedRoll(pool=3, target=4, limit=3, adrenaline=2, house={"extended_botch": botch})
    expected = oracle.task(3, 6, 4, 3, adrenaline=2, spend=SPEND[policy], botch=botch)
    assert expected == as_chances(rw.odds(roll, policy))


@pytest.mark.parametrize(
    "house",
    [
        {"automatic_success_protected": True},
        {"doubles_must_survive": True},
        {"doubles_must_survive": True, "automatic_success_protected": True},
        {"doubles_count": "pair"},
        {"doubles_count": "face", "doubles_on_failure": False},
    ],
    ids=str,
)
def test_the_other_readings_hold_on_every_turn(house):
    """DUST R15, DUST R17: a turn of a task is a roll like any other."""
    roll = ExtendedRoll(pool=4, difficulty=5, target=5, limit=3, adrenaline=9, house=house)
    expected = oracle.task(4, 5, 5, 3, adrenaline=9, spend=SPEND["always"], **house)
    assert expected == as_chances(rw.odds(roll, "always"))


def test_several_points_a_turn_where_the_house_allows_them():
    """DUST R19: best play may spend more than one, and is as good as any."""
    house = {"max_adrenaline_per_roll": 3}
    roll = ExtendedRoll(pool=2, target=5, limit=3, adrenaline=3, house=house)
    expected = oracle.task(2, 6, 5, 3, adrenaline=3, spend=SPEND["always"], most=3)
    assert expected == as_chances(rw.odds(roll, "always"))
    assert oracle.best_task(2, 6, 5, 3, adrenaline=3, most=3) == rw.advise(roll).value


@pytest.mark.parametrize("botch", BOTCH_RULES)
def test_best_play_of_a_task(botch):
    """DUST R15, DUST R20: no way to spend gets the task done more often."""
    roll = ExtendedRoll(
        pool=3, difficulty=8, target=3, limit=4, adrenaline=2, house={"extended_botch": botch}
    )
    best = oracle.best_task(3, 8, 3, 4, adrenaline=2, botch=botch)
    assert best == rw.advise(roll).value
    assert best == rw.odds(roll, "best").of("done").p(True)
    assert best >= rw.odds(roll, "always").of("done").p(True)


def test_progress_made_before_counts():
    """DUST R15: a task taken up at 3 of 5 needs 2 more."""
    outcome = rw.roll(ExtendedRoll(pool=2, target=5, progress=3, limit=1), faces=(9, 8)).outcome
    assert (True, 5, 1) == (outcome.done, outcome.total, outcome.turns)


def test_the_turns_of_a_task_as_they_fall():
    """DUST R15: failures add nothing, a botch adds nothing and is reported."""
    task = ExtendedRoll(pool=2, target=3, limit=4)
    outcome = rw.roll(task, faces=(9, 8, 3, 3, 1, 2, 7, 2)).outcome
    assert (True, 3, 4, True) == (outcome.done, outcome.total, outcome.turns, outcome.botched)


@pytest.mark.parametrize(
    ("botch", "total", "turns", "done"),
    [
        ("nothing", 4, 3, True),
        ("subtract", 3, 3, False),
        ("reset", 2, 3, False),
        ("end", 2, 2, False),
    ],
)
def test_what_a_botch_does(botch, total, turns, done):
    """DUST R15, DUST R9: it is reported, or takes its number off, or all, or ends the task."""
    task = ExtendedRoll(pool=2, target=4, limit=3, house={"extended_botch": botch})
    faces = (9, 8, 1, 2) + (() if botch == "end" else (9, 8))
    outcome = rw.roll(task, faces=faces).outcome
    assert (total, turns, done, True) == (
        outcome.total,
        outcome.turns,
        outcome.done,
        outcome.botched,
    )


def test_a_total_never_sinks_below_nothing():
    """DUST R15: where botches are subtracted, the total stops at 0."""
    task = ExtendedRoll(pool=2, target=2, limit=1, house={"extended_botch": "subtract"})
    assert 0 == rw.roll(task, faces=(1, 1)).outcome.total


def test_a_task_without_limit_goes_on_until_it_is_done():
    """DUST R15: a loop that is closed exactly; the turns are not a field of its outcome."""
    dist = rw.odds(ExtendedRoll(pool=2, target=3))
    assert (1, 0) == (dist.of("done").p(True), dist.lost)
    assert {None} == set(dist.of("turns"))


def test_best_play_of_a_task_without_limit():
    """DUST R15, DUST R20: a loop with choices; best is worth what it plays, and no less."""
    task = ExtendedRoll(pool=2, difficulty=8, target=3, adrenaline=1)
    best = rw.advise(task, "done-cleanly").value
    played = {
        policy: rw.odds(task, policy).p(lambda o: o.done and not o.botched)
        for policy in ("never", "always", "best:done-cleanly")
    }
    assert best == played["best:done-cleanly"] >= played["always"] > played["never"]


def test_a_task_that_cannot_end_is_refused():
    """DUST R15: no dice and no limit."""
    with pytest.raises(BadField, match="go on for ever"):
        ExtendedRoll(pool=2, modifier=-2, target=3)
    assert ExtendedRoll(pool=2, modifier=-2, target=3, house={"minimum_pool": "one"})


def test_a_task_without_dice_lives_on_adrenaline_unless_it_fails_by_itself():
    """DUST R19: 2 points are 2 successes; where no dice mean failure, nothing can be spent."""
    task = {"pool": 0, "target": 2, "limit": 2, "adrenaline": 2}
    outcome = rw.roll(ExtendedRoll(**task), faces=(), policy="always").outcome
    assert (True, 0) == (outcome.done, outcome.adrenaline)
    failing = ExtendedRoll(**task, house={"minimum_pool": "fail"})
    outcome = rw.roll(failing, faces=(), policy="always").outcome
    assert (False, 0, 2) == (outcome.done, outcome.total, outcome.adrenaline)


def test_goals_of_a_task():
    """DUST R15, DUST R13: done, done cleanly, no botch, and a price per turn."""
    task = ExtendedRoll(pool=3, target=3, limit=3)
    found = rw.odds(task)
    clean = found.p(lambda o: o.done and not o.botched)
    assert clean == rw.advise(task, "done-cleanly").value
    assert 1 - found.of("botched").p(True) == rw.advise(task, "no-botch").value
    price = found.of("done").p(True) - found.of("turns").mean / 10
    assert price == rw.advise(task, "done=1,turns=-0.1").value


ROLLS = [(3, 6, 1, 2), (2, 8, 1, 3), (4, 7, 2, 1)]


def plan_of(rolls, adrenaline, **fields):
    """A plan of (dice, difficulty, need, worth)."""
    names = ("pool", "difficulty", "need", "worth")
    planned = [PlannedRoll(**dict(zip(names, roll, strict=True))) for roll in rolls]
    return Plan(rolls=tuple(planned), adrenaline=adrenaline, **fields)


@pytest.mark.parametrize("policy", SPEND)
@pytest.mark.parametrize("adrenaline", [0, 1, 2])
def test_a_plan_is_counted_as_by_hand(policy, adrenaline):
    """DUST R17, DUST R19, DUST R20: rolls that share one pool of Adrenaline, jointly."""
    expected = oracle.plan(ROLLS, adrenaline, SPEND[policy])
    assert expected == as_chances(rw.odds(plan_of(ROLLS, adrenaline), policy))


@pytest.mark.parametrize(
    "house",
    [
        {},
        {"automatic_success_protected": True},
        {"doubles_must_survive": True},
        {"doubles_count": "pair"},
        {"doubles_on_failure": False},
        {"max_adrenaline_per_roll": 2},
    ],
    ids=str,
)
def test_best_play_of_a_plan(house):
    """DUST R20: the best call and the worth of each option are those of plain enumeration."""
    readings = dict(house)
    most = readings.pop("max_adrenaline_per_roll", 1)
    value, options = oracle.best_plan(ROLLS, 2, most, **readings)
    advice = rw.advise(plan_of(ROLLS, 2, house=house))
    assert value == advice.value
    said = {"save": 0, "spend 1": 1, "spend 2": 2}
    assert options == {said[worth.option]: worth.value for worth in advice.here.worths}


def test_a_point_earned_can_be_spent_on_the_next_roll():
    """DUST R17, DUST R19: without Adrenaline at first, doubles bring the first choice."""
    transcript = rw.roll(plan_of([(2, 6, 1, 1), (1, 6, 1, 1)], 0), faces=(8, 8))
    assert ("save", "spend 1") == transcript.step.options
    outcome = rw.roll(transcript.choose("spend 1"), faces=(3,)).outcome
    assert (2, 0) == (outcome.met, outcome.adrenaline)


def test_an_empty_plan_is_refused():
    """A plan has at least one roll."""
    with pytest.raises(BadField, match="rolls: the plan is empty"):
        Plan(rolls=())
