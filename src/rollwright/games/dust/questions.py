"""The questions players and referees ask, each answered exactly; here those about long rolls.

Those about single rolls are in `chances`, those about Adrenaline in `adrenaline`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, get_args

from rollwright.engine.odds.count import chain, odds
from rollwright.exact import Dist
from rollwright.games.dust.adrenaline import (
    adrenaline_after,
    adrenaline_income,
    gain_of_spending,
    rolls_until,
    spend_now,
    worth_of_a_point,
)
from rollwright.games.dust.chances import (
    botch_by_dice,
    chances,
    fair_difficulty,
    grades,
    riskier_dice,
    worth_of_a_die,
)
from rollwright.games.dust.house import ExtendedBotch
from rollwright.games.dust.requests import ExtendedRoll, Opposing


class TaskChances(NamedTuple):
    """How an extended roll goes."""

    done_by: dict[int, Fraction]
    """For each turn up to the limit the chance to be done by then; empty without a limit."""
    done: Fraction
    turns: Fraction
    """Turns it takes on average, to whatever end."""
    botched: Fraction
    """The chance of a botch on the way."""


def task_chances(task: ExtendedRoll, *, policy: str = "never") -> TaskChances:
    """How likely is it done by each turn, how long does it take, does something go wrong?

    >>> found = task_chances(ExtendedRoll(pool=4, target=3, limit=2))
    >>> [round(float(chance), 3) for chance in found.done_by.values()]
    [0.263, 0.684]
    """
    from rollwright.games.dust import game

    found = chain(task.call(), game.policy(policy, task))
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

    win: Fraction
    tie: Fraction
    lose: Fraction
    margin: Dist[int]


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


QUESTIONS = (
    chances,
    grades,
    gain_of_spending,
    spend_now,
    worth_of_a_point,
    botch_by_dice,
    riskier_dice,
    adrenaline_income,
    rolls_until,
    adrenaline_after,
    task_chances,
    task_by_botch_rule,
    match_chances,
    spending_blind,
    fair_difficulty,
    worth_of_a_die,
)
