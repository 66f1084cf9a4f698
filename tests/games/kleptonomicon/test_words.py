"""One sentence for every roll, finished or not."""

import pytest

import rollwright as rw
from rollwright.engine.transcript import Transcript
from rollwright.games.kleptonomicon import Contest, Group, House, Test, game

FOUR = ({"name": "Alice"}, {"name": "Bob", "modifier": 2}, {"name": "Carol"}, {"name": "David"})


def told(request, *faces):
    """What is said of a roll with these faces."""
    return game.tell(request, rw.roll(request, faces=faces))


def unrolled(request):
    """A roll in which nothing has happened yet."""
    return Transcript(request.call(), request=request)


TESTS = [
    (
        Test(modifier=1, score_name="Focus Save"),
        (8,),
        "The die shows 8: 8 + 1 makes a Focus Save Score of 9, Mixed (it may work, at a price).",
    ),
    (
        Test(modifier=2, advantages=5, disadvantages=1),
        (1, 4, 8, 2),
        "5 Advantages against 1 Disadvantage leave 4 Advantages, of which 3 count; of 1, 4, 8 and "
        "2 the highest, 8, counts: 8 + 2 makes a Score of 10, "
        "High (it works, as a rule without a catch).",
    ),
    (
        Test(modifier=-1, advantages=1),
        (4, 10, "lost"),
        "Of 4 and 10 (coin lost, so 0!) the highest, 4, counts: "
        "4 - 1 makes a Score of 3, Low (trouble is likely).",
    ),
    (
        Test(disadvantages=4, method="odd_even"),
        (4, 10, 5, 5, 7),
        "Of 4 Disadvantages 3 count; of 4, 10 (rolled again: 7, so 0!), 5 and 5 the lowest, 0!, "
        "counts: 0!, the worst Score whatever the Modifier, Low (trouble is likely), "
        "and a bad side effect is due.",
    ),
    (
        Test(method="d10ish", ranges=("[10!]", "[10..]", "[3..4]")),
        (10,),
        "The die shows 10: 10!, the best Score whatever the Modifier, and a good side effect is "
        "due; the range of 10! and High take effect.",
    ),
    (
        Test(ranges=("[3..4]",)),
        (5,),
        "The die shows 5: 5 + 0 makes a Score of 5; no range takes effect.",
    ),
    (
        Test(dice="2d12 +3"),
        (5, 9),
        "The dice of 2d12 +3 show 5 and 9, 14 in all, and +3 makes 17.",
    ),
    (
        Test(dice="2d12 +3", ranges=("[..6]", "[12..]")),
        (5, 9),
        "The dice of 2d12 +3 show 5 and 9, 14 in all, and +3 makes 17; "
        "the range from 12 on takes effect.",
    ),
    (
        Test(ranges=("[..6]", "[7..]")),
        (8,),
        "The die shows 8: 8 + 0 makes a Score of 8, which passes.",
    ),
    (
        Test(ranges=("[ ..6]", "[7.. ]", "[0!]"), method="d10ish"),
        (0,),
        "The die shows 0: 0!, the worst Score whatever the Modifier, which fails, and a bad side "
        "effect is due; the range of 0! takes effect.",
    ),
    (
        Contest(first={"name": "Alice", "modifier": 1}),
        (8, 5),
        "Alice with 9 (8 +1) against the second side with 5 (5 +0): "
        "Alice wins with the higher Score, the second side loses.",
    ),
    (
        Contest(first={"name": "Alice", "disadvantages": 1}, second={"name": "Bob"}),
        (8, 6, 6, "second"),
        "Alice with 6 (lowest of 8 and 6 +0) against Bob with 6 (6 +0): "
        "Bob wins the toss after a tie, Alice loses.",
    ),
    (
        Contest(first={"modifier": 3}, house=House(critical_value="with_modifier")),
        (10, "lost", 2),
        "The first side with 0! (10 (coin lost, so 0!), which counts 3) against the second side "
        "with 2 (2 +0): the first side wins with the higher Score, "
        "the second side loses.",
    ),
]


@pytest.mark.parametrize(("request_", "faces", "sentence"), TESTS)
def test_a_finished_roll_is_one_sentence(request_, faces, sentence):
    """KLEP R12, KLEP R17, KLEP R20: faces, cancelling, cap, band and side effect are all told."""
    assert sentence == told(request_, *faces)


def test_a_group_test_is_told_with_every_score():
    """KLEP R27: who helped whom, and what became of it, though only the goal was read."""
    lying = rw.roll(Group(members=FOUR, goal=7), faces=[8, 9, 5, 6])
    first = "Alice rolls 8 for 8, Bob rolls 9 for 11, Carol rolls 5 for 5 and David rolls 6 for 6"
    assert f"{first}; the helpers can keep an Advantage or give it to Carol or David." == game.tell(
        lying.request, lying
    )
    end = lying.choose("David").throw([7]).choose("Carol").throw([3]).choose("Carol").throw([8])
    assert (
        f"{first}; Alice helps David with 7: 6 becomes 7; Bob helps Carol with 3: 5 stays; "
        "Bob helps Carol with 8: 5 becomes 8; the lowest Score is 7, "
        "Mixed (it may work, at a price), and the goal of 7 is reached."
    ) == game.tell(end.request, end)


def test_a_group_that_fails_critically_is_told_so():
    """KLEP R31: the lowest is a 0! for all."""
    request = Group(members=FOUR[:2])
    assert told(request, 10, "lost", 2).endswith(
        "the lowest Score is 0!, Low (trouble is likely), a Critical Failure for all, "
        "and the goal of 7 is missed."
    )


def test_help_against_a_disadvantage_is_told():
    """KLEP R16: no die is rolled where the Advantage met a Disadvantage."""
    request = Group(members=[{"name": "Alice"}, {"name": "Carol", "disadvantages": 1}])
    end = rw.roll(request, faces=[8, 8, 2]).choose("Carol")
    assert (
        "Carol rolls 8 and 2 for 2; Alice helps Carol against a Disadvantage: 2 becomes 8"
        in game.tell(request, end)
    )


def test_help_given_at_once_is_told():
    """KLEP R30: promises first, then the dice of each player together."""
    house = House(group_looking="at_once")
    lying = rw.roll(Group(members=FOUR, house=house, goal=7), faces=[8, 9, 5, 6])
    given = lying.choose("David").choose("Carol").choose("Carol")
    assert "Alice helps David; Bob helps Carol; Bob helps Carol; now roll" in game.tell(
        given.request, given
    )
    end = given.throw([7, 3]).throw([7])
    assert "Bob helps Carol with 7 and 3: 5 becomes 7" in game.tell(end.request, end)
    assert game.tell(end.request, end).endswith("the goal of 7 is reached.")


def test_kept_advantages_and_points_are_told():
    """KLEP R28, KLEP R32: keeping is said, and a point needs no die."""
    house = House(group_help="plus_one")
    lying = rw.roll(Group(members=FOUR, house=house), faces=[8, 9, 5, 6])
    end = lying.choose("keep").choose("David").choose("keep")
    assert "Alice keeps an Advantage; Bob helps David: 6 becomes 7; Bob keeps" in game.tell(
        end.request, end
    )


@pytest.mark.parametrize(
    ("request_", "faces", "sentence"),
    [
        (Test(), (), "Nothing is rolled yet; now roll D10."),
        (Test(advantages=1), ((4, 10),), "The dice show 4 and 10; now flip a coin."),
        (Contest(), (), "Nothing is rolled yet; now roll D10."),
        (Contest(), ((7,),), "The first side with 7 (7 +0); now roll D10."),
        (Contest(), ((10,),), "The first side with 10; now flip a coin."),
        (Group(members=FOUR), (), "Nothing is rolled yet; now roll D10."),
        (Group(members=FOUR), ((10,),), "Alice rolls 10; now flip a coin."),
    ],
)
def test_an_unfinished_roll_says_what_lies_there_and_what_comes(request_, faces, sentence):
    """KLEP R8: also a 10 that still waits for its coin."""
    transcript = unrolled(request_)
    for throw in faces:
        transcript = transcript.throw(throw)
    assert sentence == game.tell(request_, transcript)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("looking", ["one_by_one", "at_once"])
def test_the_story_agrees_with_the_outcome(seed, looking):
    """KLEP R25: the lowest Score that is told is the one that was counted, chains included."""
    members = [
        {"modifier": 2, "disadvantages": seed % 6},
        {"modifier": 4, "advantages": seed % 3},
        {"modifier": 1, "disadvantages": 1},
        {"modifier": 3},
    ]
    help_ = ("extra_die", "plus_one")[seed % 2]
    coins = ("each", "one")[seed % 3 == 0]
    house = House(group_chain=True, group_looking=looking, group_help=help_, coins=coins)
    request = Group(members=members, read="scores", house=house)
    transcript = rw.roll(request, seed=seed, policy="lowest-first")
    outcome = transcript.outcome
    said = outcome.critical or str(outcome.score)
    assert f"the lowest Score is {said}, " in game.tell(request, transcript)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("goal", [7, 10])
def test_the_story_agrees_where_only_the_goal_was_read(seed, goal):
    """KLEP R25: the told Scores reach the goal exactly when the count says so."""
    members = [{"modifier": 6}, {"modifier": 8, "disadvantages": 1}, {"modifier": 5}]
    house = House(group_chain=seed % 2 == 0, critical_value="with_modifier")
    request = Group(members=members, goal=goal, house=house, method="d10ish")
    transcript = rw.roll(request, seed=seed, policy="strongest-first")
    reached = "reached" if transcript.outcome.reached else "missed"
    assert game.tell(request, transcript).endswith(f"the goal of {goal} is {reached}.")


def test_a_second_ten_waits_for_a_coin_of_its_own():
    """KLEP R18: dice rolled one by one with Disadvantage are not done before every coin is."""
    house = House(coins="each")
    members = [{"name": "Ann", "disadvantages": 1}, {"name": "Bo"}]
    asked = Group(members=members, house=house)
    lying = Transcript(asked.call(), request=asked).throw([10]).throw(["won"]).throw([10])
    assert game.tell(lying.request, lying).startswith(
        "Ann rolls 10 (coin won, so 10!) and 10 (coin won"
    )
    assert " for 10!" not in game.tell(lying.request, lying)
    assert "Ann" == game.card.whose(lying.request, lying)


def test_promises_that_were_kept_are_told_as_kept():
    """KLEP R26, R30: a Score raised at once gives an Advantage away in turn, by the house."""
    house = House(group_looking="at_once", group_help="plus_one", group_chain=True)
    members = [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}]
    lying = rw.roll(Group(members=members, house=house), faces=[8, 6, 3]).choose("Bo")
    assert "; Ann helps Bo: 6 becomes 7; Bo can keep" in game.tell(lying.request, lying)


def test_help_that_is_not_yet_rolled_is_not_told_as_vain():
    """KLEP R32: till the die lies there, and its coin, nobody says that the Score stays."""
    lying = rw.roll(Group(members=FOUR[2:]), faces=[8, 5]).choose("David")
    assert game.tell(lying.request, lying).endswith("; Carol helps David; now roll D10.")
    ten = lying.throw([10])
    assert "; Carol helps David with 10; now flip a coin." in game.tell(ten.request, ten)
    won = ten.throw(["won"])
    assert "with 10 (coin won, so 10!): 5 becomes 10!" in game.tell(won.request, won)
