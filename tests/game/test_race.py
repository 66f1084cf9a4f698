"""The race for two: solved exactly, over rounds that may never come to an end."""

from fractions import Fraction
from functools import cache

import rollwright as rw

HOME = 12


def turn(place, steps=0):
    """Where a turn ends, by hand: stop from five steps on, and a one takes them all."""
    ends = {}
    for face in range(1, 7):
        now = steps + face
        if face == 1:
            parts = {place: Fraction(1)}
        elif place + now >= HOME or now >= 5:
            parts = {min(place + now, HOME): Fraction(1)}
        else:
            parts = turn(place, now)
        for end, share in parts.items():
            ends[end] = ends.get(end, 0) + share / 6
    return ends


@cache
def wins(mine, theirs):
    """The chance of whoever is to run; where both fall, it is their turn again."""
    moved, stuck = progress(mine, theirs)
    others, others_stuck = progress(theirs, mine)
    return (moved + stuck * (1 - others - others_stuck)) / (1 - stuck * others_stuck)


def progress(mine, theirs):
    """The chance to win by a turn that leads on, less what follows; and that it leads nowhere.

    W(mine, theirs) = moved + stuck * (1 - W(theirs, mine)).
    """
    ends = turn(mine)
    stuck = ends.pop(mine, Fraction(0))
    moved = sum(
        share * (1 if end == HOME else 1 - wins(theirs, end)) for end, share in ends.items()
    )
    return moved, stuck


def test_the_odds_are_those_of_linear_equations(race):
    """W = a + b (1 − W'), solved by hand for every pair of places."""
    for places in ((0, 0), (3, 7), (9, 2)):
        request = {"game": "marsh_race", "roll": "race", "place": places[0]}
        odds = rw.odds({**request, "rival": {"place": places[1]}})
        assert wins(*places) == odds.of("verdict").p("home")


def test_the_rival_plays_against_the_goal(race):
    """Best play of both is no better than best play against a rival who stops at five."""
    request = {"game": "marsh_race", "roll": "race"}
    both = rw.advise(request, "home").value
    assert Fraction(1296, 1895) == both
    assert both <= rw.advise(request, "home", others={"rival": "cautious"}).value


def test_it_is_told_in_german(race):
    """Who threw what, what they decided, and what has changed."""
    request = {"game": "marsh_race", "roll": "race", "name": "Ash", "rival": {"name": "Bo"}}
    done = rw.roll(request, faces=[6, 4, 1, 6], policy="cautious")
    assert ("home", 12, 0) == done.outcome
    assert (
        "Ash: Lauf. Schritt 6. Bleiben (Ort +6). Bo: Schritt 4. Bo: Weiterlaufen. "
        "Bo: Schritt 1. Schritt 6. Zu Hause (Ort +6)."
    ) == race.tell(done.request, done, "de")
