"""The questions players and referees ask, each answered exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, NamedTuple, get_args

from rollwright.api import game_of, odds
from rollwright.engine.best.advice import advise
from rollwright.engine.odds.count import chain
from rollwright.errors import NeverEnds
from rollwright.exact import Dist
from rollwright.i18n.catalogs import words_of
from rollwright.kit import fields_of, refuse_if
from rollwright.kit.questions import Chance, Gain, Number, Unit, Verdict, question, whole
from rollwright.kit.questions import chance as checked_chance

from .dice import DIFFICULTIES, FULL
from .house import ExtendedBotch, House
from .outcomes import Grade
from .requests import ExtendedRoll, Opposing, Plan, PlannedRoll, Roll
from .rules import SAVE, earning, succeeded

msg = words_of(__package__ or __name__).msg
MOST_ROLLS = 1000
"""By then every pool that brings Adrenaline at all is full."""


class Chances(NamedTuple):
    """How a roll can come out."""

    net: Dist[int]
    botch: Chance
    failure: Chance
    success: Chance
    """A net of 1 or more."""
    complete: Chance
    """A net of 3 or more."""
    overwhelming: Chance
    """A net of 5 or more."""


@question
def chances(roll: Roll) -> Chances:
    """What are my chances?

    >>> [round(float(chance), 3) for chance in chances(Roll(pool=5))[1:]]
    [0.052, 0.104, 0.844, 0.388, 0.031]
    """
    net = odds(roll).of("net")
    at_least = (net.at_least(need) for need in (1, 3, 5))
    return Chances(net, net.p(lambda n: n < 0), net.p(0), *at_least)


def _chance(roll: Roll, need: int) -> Fraction:
    """The chance of so many successes."""
    return odds(roll).of("net").at_least(need)


@question
def grades(roll: Roll) -> Dist[Grade]:
    """How likely is each grade?

    >>> grades(Roll(pool=1)).p("barely")
    Fraction(1, 2)
    """
    return odds(roll).of("grade")


@question
def botch_by_dice(
    difficulty: int, *, most: int = 10, house: House | None = None
) -> dict[int, Chance]:
    """How likely is a botch with each number of dice?

    >>> {dice: round(float(chance), 2) for dice, chance in botch_by_dice(10, most=3).items()}
    {1: 0.1, 2: 0.17, 3: 0.22}
    """
    whole("most", most, 1, 20, "DUST R2")
    return {
        dice: chances(Roll(pool=dice, difficulty=difficulty, house=house or House())).botch
        for dice in range(1, most + 1)
    }


@question
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
    chance: Chance
    table: dict[int, Chance]
    """The chance at every difficulty."""


@question
def fair_difficulty(
    roll: Roll, *, need: int = 1, chance: Number = Fraction(1, 2)
) -> FairDifficulty:
    """Which difficulty makes it about 50/50, or whatever chance is wanted?

    >>> fair_difficulty(Roll(pool=3)).difficulty
    8
    """
    wanted = checked_chance("chance", chance)
    problem, would_do = msg("refusal.damage"), msg("refusal.damage.do")
    refuse_if(roll.kind == "damage", "kind", problem, "DUST R5", would_do)
    table = {number: _chance(roll.but(difficulty=number), need) for number in DIFFICULTIES}
    nearest = min(table, key=lambda difficulty: abs(table[difficulty] - wanted))
    return FairDifficulty(nearest, table[nearest], table)


@question
def worth_of_a_die(roll: Roll, *, need: int = 1) -> Gain:
    """What does one more die add to the chance of `need` successes?

    >>> worth_of_a_die(Roll(pool=1, difficulty=6))
    Fraction(3, 20)
    """
    most = fields_of(Roll)["modifier"].high
    problem, would_do = msg("refusal.room"), msg("refusal.room.do", most=most or 0)
    refuse_if(roll.modifier == most, "modifier", problem, "DUST R3", would_do)
    return _chance(roll.but(modifier=roll.modifier + 1), need) - _chance(roll, need)


class PointGain(NamedTuple):
    """The chance to reach what is needed, with and without a point of Adrenaline."""

    kept: Chance
    spent: Chance

    @property
    def gain(self) -> Fraction:
        return self.spent - self.kept

    @property
    def verdict(self) -> Verdict:
        """Whether the point does anything."""
        return Verdict({"keep the point": self.kept, "spend it": self.spent})


@question
def gain_of_spending(roll: Roll, *, need: int = 1) -> PointGain:
    """How much does a point of Adrenaline add to the chance of `need` successes?

    >>> gain_of_spending(Roll(pool=1, difficulty=9))
    PointGain(kept=Fraction(1, 5), spent=Fraction(9, 10))
    """
    kept, spent = (_chance(roll.but(spend=points, adrenaline=None), need) for points in (0, 1))
    return PointGain(kept, spent)


class SpendNow(NamedTuple):
    """Whether to spend on the roll at hand, given the rolls that are still to come."""

    spend: bool
    matters: bool
    """False where keeping the point is worth the same."""
    if_spent: Annotated[Fraction, Unit("successful rolls")]
    """The worth of all the rolls together if a point is spent now and the rest played best."""
    if_kept: Annotated[Fraction, Unit("successful rolls")]

    @property
    def verdict(self) -> Verdict:
        """Whether to spend now."""
        ways = {"keep the point": self.if_kept, "spend it": self.if_spent}
        return Verdict(ways, "successful rolls on average")


@question
def spend_now(
    now: PlannedRoll,
    later: Iterable[PlannedRoll] = (),
    *,
    adrenaline: int,
    house: House | None = None,
) -> SpendNow:
    """Should I spend Adrenaline now, or keep it for the rolls that I see coming?

    >>> easy, hard = PlannedRoll(pool=7, difficulty=5), PlannedRoll(pool=2, difficulty=9)
    >>> spend_now(easy, [hard], adrenaline=1).spend
    False
    """
    plan = Plan(rolls=(now, *later), adrenaline=adrenaline, house=house or House())
    advice = advise(plan.call(), succeeded)
    if advice.here is None:
        return SpendNow(False, False, advice.value, advice.value)
    worths = {worth.option: worth.value for worth in advice.here.worths}
    kept = worths.pop(SAVE)
    spent = max(worths.values())
    return SpendNow(spent > kept, spent != kept, spent, kept)


@question
def worth_of_a_point(
    rolls: Iterable[PlannedRoll], *, adrenaline: int = 0, house: House | None = None
) -> Annotated[Fraction, Unit("successful rolls")]:
    """What is one more point of Adrenaline worth over the rolls to come, played best?

    >>> worth_of_a_point([PlannedRoll(pool=1, difficulty=9)])
    Fraction(7, 10)
    """
    whole("adrenaline", adrenaline, 0, FULL - 1, "DUST R18")
    plan = Plan(rolls=tuple(rolls), adrenaline=adrenaline, house=house or House())
    richer = plan.but(adrenaline=adrenaline + 1)
    return advise(richer.call(), succeeded).value - advise(plan.call(), succeeded).value


@question
def adrenaline_income(roll: Roll) -> Annotated[Fraction, Unit("points")]:
    """How much Adrenaline do doubles bring on average?

    >>> adrenaline_income(Roll(pool=2))
    Fraction(1, 20)
    """
    return odds(roll).of("adrenaline_gained").mean


@question
def rolls_until(
    roll: Roll, *, adrenaline: int = 0, goal: int = FULL
) -> Annotated[Fraction, Unit("rolls")] | None:
    """How many such rolls does it take on average to come to so much Adrenaline?

    None where they never bring any.

    >>> rolls_until(Roll(pool=2), goal=1)
    Fraction(20, 1)
    """
    whole("adrenaline", adrenaline, 0, FULL, "DUST R18")
    whole("goal", goal, 0, FULL, "DUST R18")
    if adrenaline >= goal:
        return Fraction(0)
    try:
        return chain(earning(roll.terms, adrenaline, goal)).length
    except NeverEnds:
        return None


@question
def adrenaline_after(roll: Roll, rolls: int, *, adrenaline: int = 0) -> Dist[int]:
    """How much Adrenaline is there after so many rolls, if none is spent?

    >>> adrenaline_after(Roll(pool=2), 2).p(0)
    Fraction(361, 400)
    """
    whole("adrenaline", adrenaline, 0, FULL, "DUST R18")
    whole("rolls", rolls, 0, MOST_ROLLS, "DUST R17")
    fresh = roll.but(spend=0, adrenaline=0)
    gained = odds(fresh).of("adrenaline_gained")
    return gained.sum_of(rolls).map(lambda points: min(FULL, adrenaline + points))


class TaskChances(NamedTuple):
    """How an extended roll goes."""

    done_by: dict[int, Chance]
    """For each turn up to the limit the chance to be done by then; empty without a limit."""
    done: Chance
    turns: Annotated[Fraction, Unit("turns")]
    """Turns it takes on average, to whatever end."""
    botched: Chance
    """The chance of a botch on the way."""


@question
def task_chances(task: ExtendedRoll, *, policy: str = "never") -> TaskChances:
    """How likely is it done by each turn, how long does it take, does something go wrong?

    >>> found = task_chances(ExtendedRoll(pool=4, target=3, limit=2))
    >>> [round(float(chance), 3) for chance in found.done_by.values()]
    [0.263, 0.684]
    """
    found = chain(task.call(), game_of(task).policy(policy, task))
    done = found.outcomes.of("done").p(True)
    botched = found.outcomes.of("botched").p(True)
    if task.limit is None:
        assert found.length is not None
        return TaskChances({}, done, found.length, botched)
    ends = found.outcomes.of("done", "turns")
    by = {
        turn: ends.p(lambda end, turn=turn: end[0] and end[1] <= turn)  # type: ignore[misc]
        for turn in range(1, task.limit + 1)
    }
    return TaskChances(by, done, ends.of(1).mean, botched)


@question
def task_by_botch_rule(task: ExtendedRoll, *, policy: str = "never") -> dict[str, TaskChances]:
    """What difference does it make how a botch is read?

    >>> [round(float(found.done), 3) for found in task_by_botch_rule(
    ...     ExtendedRoll(pool=2, target=2, limit=3)).values()]
    [0.81, 0.796, 0.796, 0.727]
    """
    return {
        reading: task_chances(task.but(house=task.house.but(extended_botch=reading)), policy=policy)
        for reading in get_args(ExtendedBotch)
    }


class MatchChances(NamedTuple):
    """How an opposing roll goes, for the actor."""

    win: Chance
    tie: Chance
    lose: Chance
    margin: Dist[int]


@question
def match_chances(match: Opposing) -> MatchChances:
    """Who wins, and by how much?

    >>> even = Opposing(actor={"pool": 5}, defender={"pool": 5})
    >>> match_chances(even).win == match_chances(even).lose
    True
    """
    found = odds(match.call())
    winner = found.of("winner")
    return MatchChances(
        winner.p("actor"), winner.p("nobody"), winner.p("defender"), found.of("margin")
    )


@question
def spending_blind(match: Opposing) -> dict[tuple[int, int], MatchChances]:
    """What does a point do for each side, when both declare without knowing of the other?

    The keys are what the actor and what the defender spends.

    >>> table = spending_blind(Opposing(actor={"pool": 3}, defender={"pool": 4}))
    >>> table[1, 0].win > table[1, 1].win > table[0, 1].win
    True
    """
    return {
        (mine, theirs): match_chances(
            match.but(
                actor=match.actor.but(spend=mine, adrenaline=None),
                defender=match.defender.but(spend=theirs, adrenaline=None),
            )
        )
        for mine in (0, 1)
        for theirs in (0, 1)
    }
