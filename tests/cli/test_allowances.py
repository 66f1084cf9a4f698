"""What is too much to count is refused before it begins, with an allowance that will do."""

import re

import pytest

import rollwright as rw
from rollwright.budget import Budget
from rollwright.cli.commands import sentence
from rollwright.errors import RollwrightError, TooMuchWork
from rollwright.gamecheck.samples import samples_of
from rollwright.kit.fields import fields_of
from rollwright.kit.games import find_game, from_plain
from rollwright.kit.requests import to_plain
from rollwright.queries import answer
from tests.cli.running import rollwright

BEGUN = 4_000_000
"""About 0.3 seconds of an ordinary machine, in steps of work."""


def group(members, **fields):
    """A Group Test of so many, with Modifiers from 0 up."""
    players = [{"modifier": number} for number in range(members)]
    return from_plain({"game": "kleptonomicon", "roll": "group", "members": players, **fields})


def refusal(what, policy=None):
    """What a count is refused with, and the budget it had."""
    budget = Budget()
    with pytest.raises(TooMuchWork) as problem:
        rw.odds(what, policy, budget=budget)
    return sentence(problem.value), budget


@pytest.mark.parametrize("members", [4, 5, 6, 12])
@pytest.mark.parametrize("policy", ["lowest-first", "best"])
def test_a_group_that_is_too_much_is_refused_before_it_begins(members, policy):
    """Nothing is counted of a Group Test whose every Score will surely be too much."""
    said, budget = refusal(group(members), policy)
    assert 0 == budget.spent
    assert "goal=7" in said
    assert 'read="bands"' in said


def test_four_are_told_an_allowance_that_will_do():
    """Four players take 299,577,909 steps when it is counted to the end (measured once)."""
    said, _ = refusal(group(4))
    allowed = int(re.search(r"--work (\d+)", said)[1])
    assert 299_577_909 < allowed
    group(4).check_count(Budget(allowed), "lowest-first")


def test_where_no_allowance_will_do_none_is_named():
    """Nobody waits for a Group Test of twelve with every Score."""
    said, _ = refusal(group(12))
    assert "--work" not in said


@pytest.mark.parametrize("members", [2, 3])
def test_what_can_be_counted_is_not_refused(members):
    """Two or three players are counted with every Score, as the field says."""
    group(members).check_count(Budget(), "lowest-first")
    assert 1 == rw.odds(group(2), "lowest-first").p(lambda outcome: True)


@pytest.mark.parametrize("reading", [{"goal": 7}, {"read": "bands"}])
def test_what_the_refusal_names_instead_is_counted(reading):
    """Four players with a goal, or in bands, are counted as usual."""
    assert 1 == rw.odds(group(4, **reading)).p(lambda outcome: True)


@pytest.mark.parametrize(
    "dice", ["20d10!kh3", "30d6!kh5", "12d20!kl2", "40d10kh7", "15d12!!kh3", "9d100!kh2"]
)
def test_the_allowance_named_for_dice_will_do(dice):
    """Dice that are refused are counted with the allowance that the refusal names."""
    problem = refused(dice, None)
    if problem is not None:
        named = re.search(r"--work (\d+)", sentence(problem))
        counted = rw.odds(dice, budget=Budget(int(named[1])))
        assert 1 >= counted.p(lambda total: True) > 0.9


def refused(what, budget):
    """The refusal of a count, or nothing where it was counted."""
    try:
        rw.odds(what, budget=budget)
    except RollwrightError as problem:
        return problem
    return None


def largest(game, roll):
    """A roll of this kind with every number as high as it may be, as far as they go together."""
    request = samples_of(game, roll)[0].request
    for name, about in fields_of(type(request)).items():
        if about.kind == "int" and about.high is not None:
            try:
                request = game.request(
                    roll,
                    **{
                        key: held
                        for key, held in to_plain(request, whole=True).items()
                        if key in fields_of(type(request))
                    }
                    | {name: about.high},
                )
            except RollwrightError:
                continue
    return request


GAMES = ("dust", "edge20", "ghostburn", "kleptonomicon", "twilight2000")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "roll"), [(name, roll) for name in GAMES for roll in find_game(name).requests]
)
def test_the_largest_roll_of_every_kind_is_counted_or_refused_at_once(name, roll):
    """It has odds, or a refusal that cost nearly nothing and says what would do."""
    budget = Budget()
    problem = refused(largest(find_game(name), roll), budget)
    if isinstance(problem, TooMuchWork):
        assert budget.spent <= BEGUN
        assert "--work" in sentence(problem) or problem.hint != TooMuchWork.USUAL_HINT
    elif problem is not None:
        assert 0 == budget.spent, problem


def test_twelve_with_a_goal_are_told_at_once():
    """They take 59,261,490 steps (measured once), which is more than there are."""
    said, budget = refusal(group(12, goal=7), "lowest-first")
    assert 0 == budget.spent
    assert 59_261_490 < int(re.search(r"--work (\d+)", said)[1])
    group(10, goal=7).check_count(Budget(), "lowest-first")


@pytest.mark.parametrize("policy", ["lowest-first", "best"])
@pytest.mark.parametrize("reading", [{"goal": 7}, {"read": "bands"}])
@pytest.mark.parametrize("members", [2, 3, 4])
def test_no_more_is_expected_than_it_takes(members, reading, policy):
    """What a group is refused for is at most what counting it really takes."""
    budget = Budget()
    rw.odds(group(members, **reading), policy, budget=budget)
    group(members, **reading).check_count(Budget(budget.spent), policy)


def test_the_command_line_names_its_own_options():
    """`goal=7` is --group-goal there, since --goal names a goal of the game."""
    members = [word for _ in range(4) for word in ("--members", "modifier=1")]
    done = rollwright("odds", "kleptonomicon", "group", *members)
    assert "(--group-goal 7), or read it in bands (--read bands)" in done.err
    done = rollwright("odds", "kleptonomicon", "group", *members, "--goal", "7")
    assert "there is no goal '7'" in done.err


def test_advice_on_a_group_is_refused_before_it_begins_too():
    """By the same estimate, in Python, as an answer and on the command line."""
    budget = Budget()
    with pytest.raises(TooMuchWork, match="a Group Test of 4"):
        rw.advise(rw.Transcript(group(4)), budget=budget)
    with pytest.raises(TooMuchWork, match="a Group Test of 4"):
        answer("advise", {"request": to_plain(group(4))}, budget)
    assert 0 == budget.spent
    members = [word for n in range(4) for word in ("--members", f"modifier={n}")]
    done = rollwright("advise", "kleptonomicon", "group", *members)
    assert "--group-goal 7" in done.err
    assert re.search(r"--work (\d+)", done.err)


def test_advice_on_a_roll_that_has_begun_is_given():
    """What lies on the table leaves little to count."""
    begun = rw.Transcript(group(4))
    for face in (9, 6, 6, 5):
        begun = begun.throw([face])
    assert "keep" in rw.advise(begun).best or rw.advise(begun).value > 0


@pytest.mark.long
def test_a_rule_that_used_all_up_is_offered_no_larger_allowance_for_ever(tmp_path):
    """Nobody knows what would be enough: the time is told, and what makes it so much."""
    file = tmp_path / "own.py"
    file.write_text(
        """
from rollwright.dice import D6
from rollwright.rules import roll, rule

@rule
async def every_face():
    faces = []
    for _ in range(20):
        faces.append(sum(await roll(D6)))
    return tuple(faces)
""",
        "utf-8",
    )
    said = rollwright("odds", f"{file}:every_face", "--work", "5000000").err
    assert "the work budget of 5,000,000 steps (1 s) is used up" in said
    assert "faces is what differs" in said
    assert "--work" not in said
