"""What a roll can come to: chances, grades, the risk of a botch, a fair difficulty."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rollwright.engine.odds.count import odds
from rollwright.errors import BadField
from rollwright.exact import Dist
from rollwright.games.dust.house import House
from rollwright.games.dust.outcomes import Grade, Rolled
from rollwright.games.dust.policies import POLICIES
from rollwright.games.dust.pools import DIFFICULTIES
from rollwright.games.dust.requests import Roll
from rollwright.kit import fields_of
from rollwright.kit.questions import Number, whole
from rollwright.kit.questions import chance as checked_chance


def outcomes(roll: Roll) -> Dist[Rolled]:
    """The odds of a roll whose doubles are taken wherever that is asked."""
    return odds(roll.call(), POLICIES["never"].make("", roll))


class Chances(NamedTuple):
    """How a roll can come out."""

    net: Dist[int]
    botch: Fraction
    failure: Fraction
    success: Fraction
    """A net of 1 or more."""
    complete: Fraction
    """A net of 3 or more."""
    overwhelming: Fraction
    """A net of 5 or more."""


def chances(roll: Roll) -> Chances:
    """What are my chances?

    >>> [round(float(chance), 3) for chance in chances(Roll(pool=5))[1:]]
    [0.052, 0.104, 0.844, 0.388, 0.031]
    """
    net = outcomes(roll).of("net")
    return Chances(
        net,
        net.p(lambda n: n < 0),
        net.p(0),
        net.at_least(1),
        net.at_least(3),
        net.at_least(5),
    )


def grades(roll: Roll) -> Dist[Grade]:
    """How likely is each grade?

    >>> grades(Roll(pool=1)).p("barely")
    Fraction(1, 2)
    """
    return outcomes(roll).of("grade")


def botch_by_dice(
    difficulty: int, *, most: int = 10, house: House | None = None
) -> dict[int, Fraction]:
    """How likely is a botch with each number of dice?

    >>> {dice: round(float(chance), 2) for dice, chance in botch_by_dice(10, most=3).items()}
    {1: 0.1, 2: 0.17, 3: 0.22}
    """
    whole("most", most, 1, 20, "DUST R2")
    return {
        dice: chances(Roll(pool=dice, difficulty=difficulty, house=house or House())).botch
        for dice in range(1, most + 1)
    }


def riskier_dice(difficulty: int, *, most: int = 10, house: House | None = None) -> tuple[int, ...]:
    """Is one more die always safer? These dice make a botch likelier than with one die less.

    >>> riskier_dice(8)
    (2, 3)
    >>> riskier_dice(6)
    ()
    """
    risks = botch_by_dice(difficulty, most=most, house=house)
    return tuple(dice for dice in range(2, most + 1) if risks[dice] > risks[dice - 1])


class FairDifficulty(NamedTuple):
    """The difficulty that comes nearest to a chance."""

    difficulty: int
    chance: Fraction
    table: dict[int, Fraction]
    """The chance at every difficulty."""


def fair_difficulty(
    roll: Roll, *, need: int = 1, chance: Number = Fraction(1, 2)
) -> FairDifficulty:
    """Which difficulty makes it about 50/50, or whatever chance is wanted?

    >>> fair_difficulty(Roll(pool=3)).difficulty
    8
    """
    wanted = checked_chance("chance", chance)
    if roll.kind == "damage":
        raise BadField(
            "kind",
            "damage is rolled at 6, whatever is asked",
            rule="DUST R5",
            would_do="another kind of roll",
        )
    table = {
        difficulty: outcomes(roll.but(difficulty=difficulty)).of("net").at_least(need)
        for difficulty in DIFFICULTIES
    }
    nearest = min(table, key=lambda difficulty: abs(table[difficulty] - wanted))
    return FairDifficulty(nearest, table[nearest], table)


def worth_of_a_die(roll: Roll, *, need: int = 1) -> Fraction:
    """What does one more die add to the chance of `need` successes?

    >>> worth_of_a_die(Roll(pool=1, difficulty=6))
    Fraction(3, 20)
    """
    most = fields_of(Roll)["modifier"].high
    if roll.modifier == most:
        raise BadField(
            "modifier",
            "there is no room for one die more",
            rule="DUST R3",
            would_do=f"less than {most}",
        )
    more = roll.but(modifier=roll.modifier + 1)
    now, then = (outcomes(r).of("net").at_least(need) for r in (roll, more))
    return then - now
