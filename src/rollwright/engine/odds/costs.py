"""The amount spent on the way: its exact mean and variance, over loops too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.odds.chains import GarbageCollectionOff, Place, RuleEnds, eliminate
from rollwright.engine.odds.count import Planner, Policy, RuleCounter, Situation, start_of
from rollwright.engine.purity import OutsideNames, check_again, twice
from rollwright.engine.steps import Call, Rule, SpendStep, Together, WatchPause
from rollwright.errors import Misuse, NeverEnds

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.position import Position


class Cost(NamedTuple):
    """The total amount spent, from the start of a rule to its end."""

    mean: Fraction
    variance: Fraction


def cost(
    what: Call[object] | Position, policy: Policy | None = None, *, budget: Budget | None = None
) -> Cost:
    """The exact mean and variance of what a rule spends until it ends.

    >>> from rollwright import rules
    >>> from rollwright.dice import D6
    >>> @rules.rule
    ... async def until_a_six() -> None:
    ...     while True:
    ...         await rules.spend(1)
    ...         if 6 in await rules.roll(D6):
    ...             return
    >>> cost(until_a_six())
    Cost(mean=Fraction(6, 1), variance=Fraction(30, 1))
    """
    if isinstance(policy, Planner):
        raise Misuse("the cost of best play is what advise gives: advise(rule, goal, price=1)")
    budget = budget or Budget.default()
    kept = budget.kept
    try:
        outside = OutsideNames(what)
        asked = None if policy is None else twice(policy, "policy", Situation._later)
        with GarbageCollectionOff(), WatchPause():
            counter = _Spending(asked, budget)
            start = start_of(what)
            found = counter.flow(start)
            if counter.compiling.refusal is not None:
                raise Misuse(f"what this spends cannot be told: {counter.compiling.refusal}")
            if found.never or found.lost:
                raise NeverEnds(
                    "what is spent has a mean where the rule surely ends and nothing of it is cut "
                    "off: keep no number that only grows, such as a count of turns; spend it"
                )
            prices = {
                place: at.asked.amount
                for place in counter.nodes
                if type(place) is int
                and type((at := counter.compiling.positions[place]).asked) is SpendStep
            }
            made = _moments(counter.nodes, prices, start, budget)
            check_again(asked)
        outside.check()
    finally:
        budget.kept = kept
    return made


class _Spending(RuleCounter):
    """Counts with every part gone into, so that each position that spends is one of the chain."""

    counts_helpers = False

    def __init__(self, policy: Policy | None, budget: Budget) -> None:
        super().__init__(policy, budget)
        self._spending: dict[object, bool] = {}

    def enters(self, part: object) -> bool:
        if type(part) is Call:
            return not is_machinery(part.rule) and self._spends(part)
        return type(part) is Together or (isinstance(part, Rule) and not is_machinery(part))

    def _spends(self, part: Call[object]) -> bool:
        """Whether something may be spent in a part; if nothing is, its odds are kept."""
        if part not in self._spending:
            alone = RuleCounter(self.policy, self.budget)
            try:
                self._known[part] = alone.outcomes_of(part)
            except (NeverEnds, Misuse):
                self._spending[part] = True
            else:
                self._spending[part] = alone.spends or self._known[part].lost != 0
        return self._spending[part]


def is_machinery(rule: Rule[..., object]) -> bool:
    """Whether a rule is ours, of dice alone, so that nothing is spent in it."""
    return rule.shortcut is not None and rule.short_name != "repeats"


def _moments(
    nodes: dict[Place, RuleEnds], prices: dict[Place, int | Fraction], start: Place, budget: Budget
) -> Cost:
    """Solve what is spent from each position on, and its square, backwards from the ends."""
    from fractions import Fraction

    def backwards() -> dict[Place, dict[Place, Fraction]]:
        into: dict[Place, dict[Place, Fraction]] = {place: {} for place in nodes}
        for place, (_, tails, total) in nodes.items():
            for tail, weight in tails.items():
                into[tail][place] = Fraction(weight, total)
        return into

    spent = {place: Fraction(prices.get(place, 0)) for place in nodes}
    mean = eliminate(backwards(), dict(spent), budget)
    squares = {place: here * (2 * mean[place] - here) for place, here in spent.items()}
    square = eliminate(backwards(), squares, budget)[start]
    return Cost(mean[start], square - mean[start] ** 2)
