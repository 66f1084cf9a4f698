"""The questions of GHOST/BURN's players, checked by trying every throw."""

from collections import Counter
from fractions import Fraction

import pytest
from tests.games.ghostburn import oracle

import rollwright as rw
from rollwright.games.ghostburn import House, Roll, Session, game
from rollwright.games.ghostburn import questions as ask
from rollwright.games.ghostburn.requests import Worths

HARD = {"ability": 3, "skill": (2,), "dl": "Hard", "favored": True}


def share(fields, test):
    """The share of the hundred throws whose outcome without Luck passes a test."""
    return Fraction(sum(bool(test(oracle.ends(f, fields)["keep"])) for f in oracle.FACES), 100)


@pytest.mark.parametrize("dl", list(oracle.BOOK))
@pytest.mark.parametrize("bonus", [0, 5, 12])
def test_outcome_odds(bonus, dl):
    """GHOST R9 to R12: the four chances are those of the hundred throws."""
    found = ask.outcome_odds(Roll(ability=bonus, dl=dl))
    fields = {"ability": bonus, "dl": dl}
    names = ["Cool Success", "Success", "Fade", "Glitch"]
    assert [share(fields, lambda end, n=n: end[0] == n) for n in names] == list(found)
    assert found == ask.outcome_table([bonus], [dl])[bonus, dl]


def test_how_near_a_result_is():
    """GHOST R8: 17 is three short of Hard, and four fewer would be Easy."""
    roll = Roll(ability=3, dl="Hard")
    assert ("Moderate", 3, 4) == ask.how_near(roll, 17)
    assert ("below Easy", 3, None) == ask.how_near(roll, 5)
    top = roll.but(house=House(above_severe="open"))
    assert ("Severe", None, 8) == ask.how_near(top, 33)


def test_nearness_odds():
    """GHOST R8: the joint of outcome and points missing, over the hundred throws."""
    ends = [oracle.ends(faces, HARD)["keep"] for faces in oracle.FACES]
    counts = Counter((end[0], 6 - (end[2] - 2) % 6) for end in ends)
    near = ask.nearness_odds(Roll(**HARD))
    assert rw.Dist(counts) == near.of("outcome", "short_of_next")
    beside = near.of("short_of_next", "above_previous")
    assert 1 == beside.p(lambda end: end[1] is None or end[0] + end[1] == 7)


@pytest.mark.parametrize("faces", [(1, 1), (4, 4), (3, 9), (7, 8), (10, 10)])
@pytest.mark.parametrize("stakes", [(1, 1, 1), (1, 3, 2), (2, 1, 1)])
def test_spend_luck_now(faces, stakes):
    """GHOST R14 and R15: the gain now against the best use of Luck on every later throw."""
    worths = (-1, 1, 2, 4)
    later = [HARD, {"ability": 2, "dl": "Moderate"}]

    def worth(end, left):
        return stakes[3 - left] * worths[oracle.rank(end)]

    found = oracle.ends(faces, HARD)
    kept = oracle.best_value(later, 1, worth)
    spent = oracle.best_value(later, 0, worth)
    values = {n: worth(e, 3) + (kept if n == "keep" else spent) for n, e in found.items()}
    valued = Worths(glitch=-1, cool_success=4)
    session = Session(rolls=[HARD, *later], worths=valued, stakes=stakes)
    answer = ask.spend_luck_now(session, faces)
    assert values == dict(answer.options)
    assert max(values, key=values.get) == answer.best
    assert kept - spent == answer.gain_later
    assert max(worth(e, 3) for e in found.values()) - worth(found["keep"], 3) == answer.gain_now
    assert (len(set(values.values())) > 1) == answer.matters


@pytest.mark.long
def test_luck_is_spent_where_it_gains_more_than_it_could_later():
    """Spending is best exactly where the gain now exceeds the gain later."""
    for faces in oracle.FACES:
        answer = ask.spend_luck_now(Session(rolls=[HARD, HARD], stakes=(2, 3)), faces)
        assert (answer.gain_now > answer.gain_later) == (answer.best != "keep")


def test_without_luck_there_is_nothing_to_spend():
    """GHOST R13: the question needs a Luck Point."""
    with pytest.raises(rw.RollwrightError, match="luck_points"):
        ask.spend_luck_now(Session(rolls=[HARD], luck_points=0), (3, 9))


@pytest.mark.parametrize("favored", [False, True])
def test_from_a_glitch_a_bonus_never_beats_avoiding_it(favored):
    """GHOST R14 and R15: for every bonus, level and throw the bonus gives at most a Fade."""
    for bonus in range(-8, 20):
        for dl in oracle.BOOK:
            roll = Roll(ability=bonus, dl=dl, favored=favored)
            for faces in [(a, b) for a in range(1, 11) for b in (1, 10)]:
                uses = ask.bonus_or_avoid(roll, faces)
                if uses.keep == "Glitch":
                    assert uses.bonus <= uses.avoid_glitch == "Fade"
                    assert "avoid-glitch" == uses.better
                else:
                    assert uses.avoid_glitch is None


def test_bonus_or_avoid_on_a_fade():
    """GHOST R14: only the bonus helps a Fade, and only near the border."""
    assert "bonus" == ask.bonus_or_avoid(Roll(**HARD), (3, 9)).better
    assert "keep" == ask.bonus_or_avoid(Roll(**HARD), (3, 6)).better


def test_best_choice():
    """GHOST R20: Strength for Presence, better gear and another trick, ranked by their odds."""
    ways = {
        "Presence": Roll(ability=3, dl="Hard"),
        "Strength": Roll(ability=5, dl="Hard"),
        "Strength and gear": Roll(ability=5, gear=(2, 1), dl="Hard"),
        "another trick": Roll(ability=3, dl="Moderate"),
    }
    ranking = ask.best_choice(ways)
    names = ["another trick", "Strength and gear", "Strength", "Presence"]
    assert names == [way.name for way in ranking]
    assert [ask.outcome_odds(ways[name]) for name in names] == [way.chances for way in ranking]


def test_ways_that_succeed_alike_are_ranked_by_their_glitches():
    """GHOST R12: D1 read as failure makes the same success riskier."""
    ways = {
        "risky": Roll(ability=0, dl="Easy", house=House(below_easy="failure")),
        "safe": Roll(ability=0, dl="Easy"),
    }
    assert ["safe", "risky"] == [way.name for way in ask.best_choice(ways)]


@pytest.mark.parametrize("bonus", [0, 4, 9, 15])
def test_point_worth(bonus):
    """GHOST R6: the difference that one more point makes, over the hundred throws."""
    found = ask.point_worth(Roll(ability=bonus, dl="Hard"))
    now, more = ({"ability": bonus + add, "dl": "Hard"} for add in (0, 1))

    def gain(worth):
        return Fraction(
            sum(
                worth(oracle.ends(f, more)["keep"]) - worth(oracle.ends(f, now)["keep"])
                for f in oracle.FACES
            ),
            100,
        )

    assert gain(lambda end: end[6]) == found.succeeds
    assert gain(lambda end: end[0] == "Cool Success") == found.cool_success
    assert gain(lambda end: end[7]) == found.glitch
    assert gain(oracle.rank) == found.value


def test_another_bonus_of_the_same_kind_is_wasted():
    """GHOST R19: a second, lower gear bonus changes no chance."""
    one = ask.outcome_odds(Roll(ability=3, gear=(2,), dl="Hard"))
    assert one == ask.outcome_odds(Roll(ability=3, gear=(2, 1), dl="Hard"))


@pytest.mark.parametrize("bonus", range(0, 21, 5))
def test_fair_level(bonus):
    """GHOST R8: the level whose chance of a Success or better is nearest to one half."""
    found = ask.fair_level(bonus)
    chances = {dl: share({"ability": bonus, "dl": dl}, lambda end: end[6]) for dl in oracle.BOOK}
    assert min(chances, key=lambda dl: abs(chances[dl] - Fraction(1, 2))) == found.fairest
    assert chances == {dl: found.levels[dl].succeeds for dl in chances}
    assert found == ask.fair_table([bonus])[bonus]


def test_every_question_is_offered_with_an_example():
    """The game lists its questions, and each shows how it is asked."""
    assert list(game.questions) == [
        "outcome_odds",
        "outcome_table",
        "how_near",
        "nearness_odds",
        "spend_luck_now",
        "bonus_or_avoid",
        "best_choice",
        "point_worth",
        "fair_level",
        "fair_table",
    ]
    assert all(">>>" in question.__doc__ for question in game.questions.values())
