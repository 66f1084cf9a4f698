"""The best call: the worth of every option for a goal, and the policy that plays best.

Best play uses what the chooser may know, never a throw that is hidden from them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.best.policies import Advice, Goal, PolicyEntry, Worth
from rollwright.engine.best.seats import solve_seats
from rollwright.engine.best.solver import Solver, exact_number, solve_for
from rollwright.engine.best.trees import HiddenError
from rollwright.engine.odds.chains import Flow
from rollwright.engine.odds.count import Planner, Policy, Situation, Start, odds, start_of
from rollwright.engine.position import Position
from rollwright.engine.purity import OutsideNames, check_again, twice
from rollwright.engine.steps import Call, WatchPause
from rollwright.errors import HiddenChoices, Misuse
from rollwright.exact import Dist

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.beliefs import BeliefSolver
    from rollwright.engine.steps import Option
    from rollwright.engine.transcript import Transcript

SEVERAL_GOALS = (
    "best play of people who want different things is only found where nothing is hidden: "
    "give the others policies, or say against= for an opponent who wants the opposite"
)

__all__ = ["Advice", "Goal", "PolicyEntry", "Worth", "advise", "best", "value_lost", "value_of"]


def advise(
    what: Start,
    goal: Goal,
    *,
    others: Mapping[str, Policy | best] | None = None,
    against: str | Collection[str] = (),
    opponents: Collection[str] = (),
    price: Fraction | float = 0,
    budget: Budget | None = None,
) -> Advice:
    """The best call for a goal, from the start of a rule or from any position.

    Each that a rule spends (`await spend(1)`) takes `price` from the goal.

    By the name they choose under, `others` have policies of their own, or with `best(goal)` goals
    of their own; those `against` the goal play best to give it as little as can be. `opponents`
    are against it too, and need have nothing to choose any more.
    """
    return run_solver(what, goal, others, budget, against, opponents, price, runs=True).advice()


def run_solver(
    what: Start,
    goal: Goal,
    others: Mapping[str, Policy | best] | None,
    budget: Budget | None,
    against: str | Collection[str] = (),
    opponents: Collection[str] = (),
    price: Fraction | float = 0,
    *,
    runs: bool = False,
) -> Solver | BeliefSolver:
    """The solver that has found best play, whichever kind the secrets of the rule call for.

    With `runs` it need not tell outcomes, only what decisions are worth.
    """
    opposed = frozenset([against] if isinstance(against, str) else against)
    budget, decided = budget or Budget.default(), set[str]()
    worth = twice(goal, "goal")
    asked: list[object] = [worth]
    said = {
        name: _watch_policy(name, policy, decided, asked) for name, policy in (others or {}).items()
    }
    kept = budget.kept
    try:
        outside = OutsideNames(what)
        with WatchPause():
            sides = opposed.union(opponents).difference(said)
            found = _run_solver(what, worth, said, budget, sides, exact_number(price), runs=runs)
            for one in asked:
                check_again(one)
    finally:
        budget.kept = kept  # the next count has as much room
    outside.check()
    there = found.choosers | decided
    strangers = sorted(opposed.union(said) - there)
    if strangers and not _has_name(strangers[0], what):
        names = ", ".join(sorted(there)) or "no choices"
        raise Misuse(f"nobody called {strangers[0]!r} chooses here; there are {names}")
    return found


def _has_name(name: str, what: Start) -> bool:
    """Whether a rule names somebody who happens to have nothing to choose with these arguments."""
    call = what.call if isinstance(what, Position) else what
    if type(call) is not Call:
        return False
    codes, texts = [call.rule.function.__code__], [repr(call.args)]
    for code in codes:
        for constant in code.co_consts:
            if hasattr(constant, "co_consts"):
                codes.append(constant)
            elif constant is not code.co_consts[0] or constant != call.rule.__doc__:
                texts.append(repr(constant))
    return any(name in text for text in texts)


def _watch_policy(
    name: str, policy: Policy | best, decided: set[str], all_asked: list[object]
) -> Policy | best:
    """The same policy, which notes when somebody decides by it: a name may be misspelt."""
    if isinstance(policy, best):
        return policy
    if not callable(policy):
        raise Misuse(
            f"{name} decides by a function of the decision, or with best(goal), not {policy!r}"
        )

    asked = twice(policy, f"policy of {name}", Situation._later)
    all_asked.append(asked)

    def decide(situation: Situation) -> Option:
        decided.add(name)
        return asked(situation)

    return decide


def _run_solver(
    what: Start,
    goal: Goal,
    others: Mapping[str, Policy | best],
    budget: Budget,
    against: frozenset[str],
    price: Fraction,
    *,
    runs: bool,
) -> Solver | BeliefSolver:
    wanted = {name: policy.goal for name, policy in others.items() if isinstance(policy, best)}
    rest = {name: policy for name, policy in others.items() if not isinstance(policy, best)}
    secret = isinstance(what, Position) and what.holds_a_secret
    if not isinstance(what, (Call, Position)):
        from rollwright.engine.best.beliefs import BeliefSolver, InformationSet

        if isinstance(what, InformationSet):
            if wanted:
                raise HiddenChoices(SEVERAL_GOALS)
            return BeliefSolver(goal, rest, budget, against).solve(what)
    if price and wanted:
        raise Misuse("what is spent has a price for one goal; give the others policies")
    if secret and wanted:
        raise HiddenChoices(SEVERAL_GOALS)
    if secret:
        raise HiddenChoices(
            "a throw that led here was hidden from somebody, and a position does not know from "
            "whom: ask with the transcript, or with transcript.seen_by(seat)"
        )
    key = start_of(what)
    try:
        if wanted:
            return solve_seats(key, goal, wanted, rest, budget, against)
        return solve_for(key, goal, rest, budget, against, price, runs=runs)
    except HiddenError:
        if wanted:
            raise HiddenChoices(SEVERAL_GOALS) from None
        from rollwright.engine.best.beliefs import SPENDS, BeliefSolver, InformationSet

        if price:
            raise HiddenChoices(SPENDS) from None
        return BeliefSolver(goal, rest, budget, against).solve(InformationSet.sure(key))


class best:
    """The policy that plays best for a goal: `odds(what, policy=best(goal))`."""

    def __init__(
        self,
        goal: Goal,
        *,
        others: Mapping[str, Policy | best] | None = None,
        against: str | Collection[str] = (),
        opponents: Collection[str] = (),
    ) -> None:
        self.goal = goal
        self.others = others
        self.against = against
        self.opponents = opponents

    def choose_in(self, transcript: Transcript) -> Option:
        """The best option of the choice a transcript waits at, from what its chooser knows."""
        position = transcript.position
        hidden = position.holds_a_secret
        what = transcript.seen_by(transcript.step.by) if hidden else position
        return self._run_solver(what, None, runs=True).advice().best

    def solve(self, what: Start, budget: Budget) -> Flow:
        """Return where the rule leads with this play."""
        return self._run_solver(what, budget).flow()

    def _run_solver(
        self, what: Start, budget: Budget | None, *, runs: bool = False
    ) -> Solver | BeliefSolver:
        sides = self.against, self.opponents
        return run_solver(what, self.goal, self.others, budget, *sides, runs=runs)


def value_of(
    what: Start, policy: Policy | Planner | None, goal: Goal, *, budget: Budget | None = None
) -> Fraction:
    """Return the exact worth of a policy for a goal; what a bound cut off counts as the worst."""
    return _worth_of(odds(what, policy, budget=budget), goal)


def value_lost(
    what: Start, policy: Policy | Planner | None, goal: Goal, *, budget: Budget | None = None
) -> Fraction:
    """How much a rule of thumb gives away against best play."""
    budget = budget or Budget.default()
    found = run_solver(what, goal, None, budget)
    floor = exact_number(found.floor) / found.scale if isinstance(found, Solver) else None
    return found.advice().value - _worth_of(odds(what, policy, budget=budget), goal, floor)


def _worth_of(outcomes: Dist[Outcome], goal: Goal, floor: Fraction | None = None) -> Fraction:
    worths = outcomes.map(lambda outcome: exact_number(goal(outcome)))
    if not worths.lost:
        return worths.mean
    lost = worths.chance(lambda _: False)[1]
    return worths.counted_mean * (1 - lost) + lost * (
        worths.outcomes[0] if floor is None else floor
    )
