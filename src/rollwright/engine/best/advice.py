"""The best call: what every option is worth for a goal, and the policy that plays best.

Best play goes by what whoever chooses may know, never by a throw that is hidden from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rollwright.budget import Budget
from rollwright.engine.best.policies import Advice, Goal, Line, Worth
from rollwright.engine.best.solver import Solver, exact_number, solve_for
from rollwright.engine.best.trees import HiddenError
from rollwright.engine.odds.chains import Flow
from rollwright.engine.odds.count import Policy, Start, odds, start_of
from rollwright.errors import HiddenChoices

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.beliefs import BeliefSolver
    from rollwright.engine.steps import Option
    from rollwright.engine.transcript import Transcript

__all__ = ["Advice", "Goal", "Line", "Worth", "advise", "best", "value_lost", "value_of"]


def advise(
    what: Start,
    goal: Goal,
    *,
    others: Mapping[str, Policy] | None = None,
    budget: Budget | None = None,
) -> Advice:
    """The best call for a goal, from the start of a rule or from any position.

    `others` are policies for those who do not share the goal, by the name they choose under.
    """
    return solved(what, goal, others, budget).advice()


def solved(
    what: Start, goal: Goal, others: Mapping[str, Policy] | None, budget: Budget | None
) -> Solver | BeliefSolver:
    """The solver that has found best play, whichever kind the secrets of the rule call for."""
    from rollwright.engine.best.beliefs import BeliefSolver, Cloud

    budget = budget or Budget.usual()
    if isinstance(what, Cloud):
        return BeliefSolver(goal, others or {}, budget).solve(what)
    if getattr(what, "holds_a_secret", False):
        raise HiddenChoices(
            "a throw that led here was hidden from somebody, and a position does not know from "
            "whom: ask with the transcript, or with transcript.seen_by(seat)"
        )
    key = start_of(what)
    try:
        return solve_for(key, goal, others or {}, budget)
    except HiddenError:
        return BeliefSolver(goal, others or {}, budget).solve(Cloud.sure(key))


class best:
    """The policy that plays best for a goal: `odds(what, policy=best(goal))`."""

    def __init__(self, goal: Goal, *, others: Mapping[str, Policy] | None = None) -> None:
        self.goal = goal
        self.others = others

    def choose_in(self, transcript: Transcript) -> Option:
        """The best option of the choice a transcript waits at, from what its chooser knows."""
        position = transcript.position
        hidden = position.holds_a_secret
        what = transcript.seen_by(transcript.step.by) if hidden else position
        return solved(what, self.goal, self.others, None).advice().best

    def solve(self, what: Start, budget: Budget) -> Flow:
        """Where the rule leads when it is played like this."""
        return solved(what, self.goal, self.others, budget).flow()


def value_of(what: Start, policy: Any, goal: Goal, *, budget: Budget | None = None) -> Fraction:
    """What a policy is worth for a goal, exactly."""
    outcomes = odds(what, policy, budget=budget)
    return outcomes.map(lambda outcome: exact_number(goal(outcome))).mean


def value_lost(what: Start, policy: Any, goal: Goal, *, budget: Budget | None = None) -> Fraction:
    """How much a rule of thumb gives away against best play."""
    budget = budget or Budget.usual()
    return advise(what, goal, budget=budget).value - value_of(what, policy, goal, budget=budget)
