"""Botches are owed and told, ties and failures explained, and odd input is refused."""

import pytest
from tests.games.dust import oracle
from tests.games.dust.oracle import as_chances

import rollwright as rw
from rollwright.errors import BadField
from rollwright.games.dust import ExtendedRoll, Opposing, Plan, PlannedRoll, Roll, Sheet, Side, game
from rollwright.kit import Effect

REFEREE = "gear, health or friends may suffer, the referee says how"
FAILING = {"pool": 1, "modifier": -3}


def told(request, faces, **how):
    """The sentence for a request with these faces."""
    return game.tell(request, rw.roll(request, faces=faces, **how))


def test_every_botch_of_a_task_is_owed():
    """DUST R13: two botches on the way are two debts of the referee."""
    task = ExtendedRoll(pool=1, target=2, limit=3)
    outcome = rw.roll(task, faces=(1, 1, 4)).outcome
    assert (Effect("botch", 2),) == game.effects(task, outcome)


def test_a_long_task_with_adrenaline_says_only_whether_there_was_a_botch():
    """DUST R13: over many turns with Adrenaline botches are not counted one by one."""
    task = ExtendedRoll(pool=1, target=2, limit=9, adrenaline=0)
    outcome = rw.roll(task, faces=(1, 1) + (4,) * 7, policy="never").outcome
    assert (True, None) == (outcome.botched, outcome.botches)
    assert Effect("botch", 1) in game.effects(task, outcome)


def test_a_botch_in_a_plan_is_owed_and_told():
    """DUST R13: a plan keeps its botches and gives the guidance."""
    plan = Plan(rolls=({"pool": 1}, {"pool": 1}))
    transcript = rw.roll(plan, faces=(1, 1), policy="never")
    assert (Effect("botch", 2),) == game.effects(plan, transcript.outcome)
    assert REFEREE in game.tell(plan, transcript)


def test_a_botch_in_an_opposing_roll_is_told():
    """DUST R13: the sentence says who botched and what follows."""
    said = told(Opposing(actor={"pool": 1}, defender={"pool": 1}), (1, 4))
    assert "net -1, a botch" in said
    assert REFEREE in said


@pytest.mark.parametrize("tie", ["nobody", "defender"])
@pytest.mark.parametrize("side", ["actor", "defender"])
def test_what_fails_by_itself_never_wins(side, tie):
    """DUST R16: an action that fails for want of dice does not even beat a botch."""
    house = {"minimum_pool": "fail", "opposing_tie": tie}
    other = "defender" if side == "actor" else "actor"
    match = Opposing(**{side: FAILING, other: {"pool": 2}}, house=house)
    tables = [oracle.turn(0 if name == side else 2) for name in ("actor", "defender")]
    found = rw.odds(match)
    assert oracle.match(*tables, tie=tie, fails=side) == as_chances(found)
    assert 0 == found.p(lambda outcome: outcome.winner == side)


def test_a_failed_action_that_meets_a_botch_is_explained():
    """DUST R16: nobody wins, and the sentence says why."""
    match = Opposing(actor=FAILING, defender={"pool": 1}, house={"minimum_pool": "fail"})
    assert "nobody wins, since an action that fails by itself beats nothing" in told(match, (1,))


def test_a_tie_by_the_floor_is_explained():
    """DUST R16: where nobody counts less than 0, a botch ties with nothing."""
    match = Opposing(actor={"pool": 1}, defender={"pool": 1}, house={"opposing_floor": True})
    assert "a tie, since nobody counts less than 0" in told(match, (1, 4))


def test_a_task_tells_what_was_gathered_before():
    """DUST R15: the sentence begins with the progress there was."""
    said = told(ExtendedRoll(pool=1, target=5, progress=3, limit=1), (4,))
    assert "5 wanted and 3 gathered before" in said


def test_a_botch_that_resets_a_task_is_told():
    """DUST R15: the sentence says that the total starts anew."""
    task = ExtendedRoll(pool=1, target=3, limit=2, house={"extended_botch": "reset"})
    assert "a botch, which sets the total back to 0" in told(task, (8, 1))


def test_doubles_are_not_told_where_adrenaline_is_left_out():
    """DUST R17: without Adrenaline in account doubles do nothing."""
    assert "doubles" not in told(ExtendedRoll(pool=2, target=2, limit=1), (7, 7))


@pytest.mark.parametrize(
    ("roll", "fields", "field"),
    [
        ("roll", {"pool": 3, "modifier": "x"}, "modifier"),
        ("opposing", {"actor": 3, "defender": {"pool": 2}}, "actor"),
        ("plan", {"rolls": [3]}, r"rolls\[0\]"),
        ("plan", {"rolls": 3}, "rolls"),
    ],
)
def test_odd_fields_beside_a_sheet_are_refused(roll, fields, field):
    """DUST R2: what is no number, no side or no roll is named."""
    with pytest.raises(BadField, match=f"^{field}"):
        game.from_sheet(Sheet(injury=3), roll, **fields)


def test_finished_parts_beside_a_sheet_stay_as_they_are():
    """DUST R16: a side or a planned roll may be given ready-made."""
    sheet = Sheet(name="Ana", injury=1)
    match = game.from_sheet(sheet, "opposing", actor=Side(pool=4), defender=Side(pool=2))
    assert Side(pool=4) == match.actor
    assert (PlannedRoll(pool=2),) == game.from_sheet(
        sheet, "plan", rolls=[PlannedRoll(pool=2)]
    ).rolls


def test_wounds_beside_the_largest_penalty_are_no_refusal():
    """DUST R3: wounds come off on top of twenty dice less."""
    assert 0 == game.from_sheet(Sheet(injury=10), "roll", pool=20, modifier=-20).pool_used.dice


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("fair_difficulty", {"roll": Roll(pool=3), "chance": "abc"}),
        ("fair_difficulty", {"roll": Roll(pool=3), "chance": "1e-99999999"}),
        ("fair_difficulty", {"roll": Roll(pool=3), "chance": 2}),
        ("fair_difficulty", {"roll": Roll(pool=3, kind="damage")}),
        ("rolls_until", {"roll": Roll(pool=3), "adrenaline": -3}),
        ("adrenaline_after", {"roll": Roll(pool=3), "rolls": 2, "adrenaline": 99}),
        ("worth_of_a_point", {"rolls": [PlannedRoll(pool=3)], "adrenaline": 10}),
        ("worth_of_a_die", {"roll": Roll(pool=3, modifier=20)}),
        ("botch_by_dice", {"difficulty": 6, "most": 10**6}),
    ],
)
def test_questions_refuse_nonsense(question, asked):
    """DUST R18: what cannot be is refused by name, not answered."""
    with pytest.raises(BadField, match="would do"):
        game.questions[question](**asked)


@pytest.mark.parametrize("argument", ["9" * 5000, "²", "11", ""])
def test_a_reserve_is_a_small_number(argument):
    """DUST R18: nobody can keep more than ten points."""
    with pytest.raises(BadField, match="reserve"):
        game.policy(f"reserve:{argument}", Roll(pool=1))


def test_long_tasks_with_adrenaline_are_refused_at_once():
    """DUST R15: what would take minutes to count is refused with what to do instead."""
    with pytest.raises(BadField, match=r"limit.*DUST R15.*progress"):
        ExtendedRoll(pool=10, target=40, limit=11, adrenaline=10)
