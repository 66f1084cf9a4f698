"""The mean and the variance of what a loop adds up that has no end, though its odds are cut off.

How many turns it takes until something happens has no last outcome, so its odds are counted until
next to nothing is left. Its mean is that of a few positions: the number runs
(`compiled.running_sums`), and what is added on each way on is a price, of which the mean and the
variance are solved for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rollwright.budget import Budget
from rollwright.engine.compiled.errors import CannotCompile, Learn
from rollwright.engine.compiled.running_sums import KINDS, RunningSlot
from rollwright.engine.compiled.slopes import Moved, RunningSums, running_key, runs_in
from rollwright.engine.odds.chains import Flow, Place, RuleEnds, eliminate
from rollwright.engine.odds.costs import Cost, is_machinery
from rollwright.engine.odds.count import Leaf, Policy, RuleCounter
from rollwright.engine.steps import Call, Needs, Rule, Step, Together, Token, Tokens
from rollwright.errors import RollwrightError

if TYPE_CHECKING:
    from rollwright.dice import Outcome

MOST = 2_000
"""Positions after which a rule is given up that goes on growing."""
STEPS = 3_000_000
"""Steps of counting after which it is."""


class GrowsError(Exception):
    """More than what is added up differs from position to position."""


def total_of(
    tokens: Tokens, policy: Policy | None, of: Callable[[Any], Outcome] | None
) -> Cost | None:
    """The mean and the variance of what a rule ends in; None where they are not found like this."""
    counter = _Totals(policy, Budget(STEPS))
    while True:
        try:
            return counter.total(tokens, of or _itself)
        except Learn:
            counter.compiling.relearn()
        except (GrowsError, CannotCompile, RollwrightError, ArithmeticError):
            return None


def _itself(outcome: Any) -> Any:
    return outcome


class _Totals(RuleCounter):
    """Counts with numbers that run, and with every part gone into."""

    counts_helpers = False
    notes_ends = True

    def __init__(self, policy: Policy | None, budget: Budget) -> None:
        super().__init__(policy, budget)
        self.running = RunningSums()
        self._moved: dict[int, tuple[int, Moved]] = {}
        """By the number of a place before another, that one and what is added."""
        self._before: dict[tuple[int, Moved], int] = {}
        self._ends: dict[Any, int] = {}
        self._here: tuple[RunningSlot, ...] = ()

    def total(self, tokens: Tokens, of: Callable[[Any], Outcome]) -> Cost:
        """The mean and the variance of what `of` gives for outcomes."""
        found: Flow = self._with_compiling(lambda: self._anew(tokens))
        if found.never or found.lost:
            raise GrowsError
        worths: dict[int, Fraction] = {}
        for place, outcome in enumerate([*self._outcomes]):
            held = runs_in(outcome)
            value = self.running.base_worth(place, outcome, of) if held else of(outcome)
            if type(value) not in KINDS:
                raise GrowsError
            worths[place] = Fraction(value)
        moved = {place: self.running.worth_of(more) for place, (_, more) in self._moved.items()}
        return _solve_moments(self.nodes, worths, moved, tokens, self.budget)

    def _anew(self, tokens: Tokens) -> Needs[Flow]:
        self.running.begin_anew()
        self._moved.clear()
        self._before.clear()
        self._ends.clear()
        self._outcomes: list[Any] = []
        rule = self.compiling.tries(tokens)
        if rule is None:
            raise GrowsError
        return self._flow(tokens, self._end)

    def enters(self, part: object) -> bool:
        """Go into all parts but those of dice alone."""
        if type(part) is Call:
            part = part.rule
        return type(part) is Together or (isinstance(part, Rule) and not is_machinery(part))

    def _end(self, outcome: Any) -> int:
        """The number of an outcome."""
        if type(outcome) not in KINDS and not runs_in(outcome):
            raise GrowsError
        key = running_key(outcome)
        known = self._ends.get(key)
        if known is None:
            known = self._ends[key] = len(self._outcomes)
            self._outcomes.append(outcome)
        return known

    def _begin(self, tokens: Tokens, leaf: Leaf) -> RuleEnds:
        self._here = ()
        return super()._begin(tokens, leaf)

    def _way_on(self, number: int, leaf: Leaf) -> Needs[RuleEnds]:
        before = self._moved.get(number)
        if before is not None:
            return RuleEnds({}, {before[0]: 1}, 1)
        self._here = self.running.slots_of(self.compiling.positions[number].frame)
        return (yield from super()._way_on(number, leaf))

    def _note(
        self,
        place: tuple[Any, Any],
        came: tuple[int, Token] | None,
        weight: int,
        outcomes: dict[Outcome, int],
        tails: dict[Place, int],
    ) -> None:
        asked, frame = place
        compiling, running = self.compiling, self.running
        here = self._here
        if came is not None:
            here = running.slots_of(compiling.positions[came[0]].frame)
        if not isinstance(asked, Step):
            running.note_end(here, frame)
            outcomes[frame] = outcomes.get(frame, 0) + weight
            return
        if frame is None:
            raise GrowsError  # a rule that is ended in is a chain of its own
        frame, moved = running.settle(frame, here, compiling.any_learner(self.chances))
        key = compiling.number(asked, frame, came, compiling.add)
        if moved:
            target, key = key, self._before.get((key, moved), -1)
            if key < 0:
                key = self._before[target, moved] = compiling.add(compiling.positions[target])
                self._moved[key] = target, moved
        tails[key] = tails.get(key, 0) + weight

    def _cut_off(
        self,
        nodes: dict[Place, RuleEnds],
        tokens: Tokens,
        waiting: Iterable[Place],
        *,
        is_part: bool,
    ) -> Flow | None:
        if len(nodes) >= MOST:
            raise GrowsError
        return None


def _solve_moments(
    nodes: dict[Place, RuleEnds],
    worths: dict[int, Fraction],
    moved: dict[int, Fraction],
    start: Place,
    budget: Budget,
) -> Cost:
    """Solve for what each place leads to, and for its square, backwards from the ends."""

    def backwards() -> dict[Place, dict[Place, Fraction]]:
        into: dict[Place, dict[Place, Fraction]] = {place: {} for place in nodes}
        for place, (_, tails, total) in nodes.items():
            for tail, weight in tails.items():
                into[tail][place] = Fraction(weight, total)
        return into

    first: dict[Place, Fraction] = {}
    second: dict[Place, Fraction] = {}
    for place, (outcomes, _, total) in nodes.items():
        ends = [(Fraction(weight, total), worths[end]) for end, weight in outcomes.items()]
        more = moved.get(place, Fraction(0)) if type(place) is int else Fraction(0)
        first[place] = more + sum([share * worth for share, worth in ends], Fraction(0))
        second[place] = sum([share * worth**2 for share, worth in ends], Fraction(0))
    mean = eliminate(backwards(), dict(first), budget)
    for place, more in moved.items():
        if place in nodes:
            second[place] += more * (2 * mean[place] - more)
    square = eliminate(backwards(), second, budget)[start]
    return Cost(mean[start], square - mean[start] ** 2)
