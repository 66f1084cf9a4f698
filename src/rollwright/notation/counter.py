"""Expressions as rules of the engine, with their exact odds: each term counted the cheapest way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import prod
from typing import TYPE_CHECKING, TypeVar

from rollwright.budget import Budget
from rollwright.engine.steps import counted_by
from rollwright.errors import TooMuchWork
from rollwright.exact import Dist
from rollwright.exact.weights import EACH_RESULT
from rollwright.notation import parts
from rollwright.notation.breakdowns import whole
from rollwright.notation.dice import DieKind
from rollwright.notation.errors import TooMuchToCount
from rollwright.notation.parts import Constant, Part
from rollwright.notation.pool_odds import (
    EACH_CASE,
    FRACTION,
    PAIRS,
    TimedBudget,
    add,
    at_rate,
    counted_weight,
    group_odds,
    mixed_odds,
    pool_odds,
)
from rollwright.notation.pools import ChoicePart, GroupPart, MixedPart, PoolPart
from rollwright.notation.programs import CompiledExpression, Variables, compile_expression
from rollwright.rules import roll, rule

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.engine.steps import Call
    from rollwright.notation.parts import VersusPart
    from rollwright.notation.plans import Plan
    from rollwright.notation.pool_modifiers import PoolModifiers
    from rollwright.notation.tree import Amount

T = TypeVar("T")
U = TypeVar("U")
W = TypeVar("W")


@rule
async def expression(text: str, variables: Variables = ()) -> Outcome:
    """Throw the dice of an expression, from left to right, and work out its value."""
    line = compile_expression(text, dict(variables))
    asking = line.request_throws()
    try:
        kind, count = next(asking)
        while True:
            kind, count = asking.send((await roll(kind.pool(count))).readings)
    except StopIteration as stop:
        return line.read(stop.value)


@counted_by(expression)
def _count_expression(text: str, variables: Variables, budget: Budget | None) -> Dist[Outcome]:
    """The odds of an expression, counted term by term instead of played out."""
    return odds_of(compile_expression(text, dict(variables)), budget)


def as_rule(text: str, variables: Mapping[str, Amount] | None = None) -> Call[Outcome]:
    """The rule call behind an expression, to roll, count, store or use in a rule of one's own.

    >>> as_rule("1d20 + @str", {"str": 3})
    expression('1d20 + @str', (('str', 3),))
    """
    compile_expression(text, variables or {})
    return expression(text, tuple(sorted((variables or {}).items())))


def odds(
    text: str, variables: Mapping[str, Amount] | None = None, *, budget: Budget | None = None
) -> Dist[Outcome]:
    """The exact odds of an expression.

    >>> odds("4d6kh3").mean
    Fraction(15869, 1296)
    """
    return odds_of(compile_expression(text, variables or {}), budget)


def odds_of(line: CompiledExpression, budget: Budget | None = None) -> Dist[Outcome]:
    """The exact odds of a compiled line; of several rolls together where that are few enough."""
    counter = ExpressionCounter(line, budget)
    if line.is_single:
        return counter.odds(line.parts[0][1])
    counter.check_joint([(2, times) for times, part in line.parts if varies(part)])
    dists = [(counter.odds(part), times) for times, part in line.parts]
    counter.check_joint([(len(dist), times) for dist, times in dists])
    made: Dist[Outcome] = Dist.sure(())
    try:
        for dist, times in dists:
            for _ in range(times):
                made = combine(made, dist, lambda several, one: (*several, one), counter.budget)
    except TooMuchWork as problem:
        raise counter.joint_error(problem) from None
    return made


def odds_of_each(
    text: str, variables: Mapping[str, Amount] | None = None, *, budget: Budget | None = None
) -> tuple[Dist[Outcome], ...]:
    """The exact odds of each roll of a line by itself, a repeated roll once.

    >>> [dist.mean for dist in odds_of_each("6x 3d6; 1d20")]
    [Fraction(21, 2), Fraction(21, 2)]
    """
    line = compile_expression(text, variables or {})
    counter = ExpressionCounter(line, budget)
    return tuple([counter.odds(part) for _, part in line.parts])


def fewest_outcomes(text: str, variables: Mapping[str, Amount] | None = None) -> int:
    """So many outcomes a line has at the least, known without counting any; 1 where nothing is.

    A sum of numbers has as many values as both sides together, less one: that is all of them where
    dice show 1 to n.

    >>> fewest_outcomes("1000d1000"), fewest_outcomes("4d6kh3")
    (999001, 1)
    """
    line = compile_expression(text, variables or {})
    return _fewest(line.parts[0][1]) if line.is_single else 1


def _fewest(part: Part | VersusPart) -> int:
    if isinstance(part, parts.SumPart):
        return 1 + sum([_fewest(term) - 1 for _, term in part.terms])
    if isinstance(part, PoolPart) and part.number and part.treatment.is_bare:
        return 1 + part.number * (len(set(part.kind.faces)) - 1)
    return 1


def varies(part: Part | VersusPart) -> bool:
    """Whether a roll can come to more than one thing."""
    return isinstance(part, parts.VersusPart) or part.low < part.high


def _first(line: CompiledExpression) -> str:
    start, end = line.parts[0][1].span
    return line.text[start:end]


class ExpressionCounter:
    """Counts the parts of one line on one budget; parts that mean the same are counted once."""

    def __init__(self, line: CompiledExpression, budget: Budget | None) -> None:
        self.line = line
        self.budget = budget or TimedBudget()
        self._known: dict[int, Dist[Outcome]] = {}
        self._meanings: dict[tuple[object, ...], int] = {}
        self._meant: dict[int, int] = {}

    def odds(self, part: Part | VersusPart) -> Dist[Outcome]:
        """The odds of a part."""
        if type(part) is Constant:
            return Dist.sure(part.value)
        key = self.meaning(part)
        known = self._known.get(key)
        if known is None:
            try:
                known = COUNTERS[type(part)](self, part)
                if not isinstance(part, parts.VersusPart) and not part.is_whole:
                    known = known.map(whole)
            except TooMuchWork as problem:
                if isinstance(problem, TooMuchToCount):
                    raise
                raise self._with_place(part, problem) from None
            self._known[key] = known
        return known

    def check_joint(self, sizes: list[tuple[int, int]]) -> None:
        """Refuse rolls that have too many outcomes taken together."""
        together = prod([size ** min(times, 64) for size, times in sizes])
        hint = "ask for the odds of each roll by itself"
        if 4 * together > self.budget.work - self.budget.spent:
            left = self.budget.work - self.budget.spent
            estimate = min(4 * together, 10**18)
            problem = TooMuchWork("all rolls of a line taken together", estimate, left, hint)
            raise self.joint_error(problem)

    def joint_error(self, problem: TooMuchWork) -> TooMuchToCount:
        """The refusal of all rolls together; the first by itself may do."""
        text = self.line.text
        return TooMuchToCount(text, (0, len(text)), problem, _first(self.line))

    def meaning(self, part: Part | VersusPart) -> int:
        """A number that parts share exactly if they throw the same dice and read them alike."""
        number = self._meant.get(id(part))
        if number is None:
            meant = (type(part), *MEANINGS[type(part)](self.meaning, part))
            number = self._meanings.setdefault(meant, len(self._meanings))
            self._meant[id(part)] = number
        return number

    def _with_place(self, part: Part | VersusPart, problem: TooMuchWork) -> TooMuchToCount:
        text, (start, end) = self.line.text, part.span
        repairs = [text[:start] + "10d10" + text[end:], "10d10"]
        if type(part) is PoolPart:
            written = text[start:end]
            fewer = "10" + written[written.lower().find("d") :]
            repairs = [text[:start] + fewer + text[end:], fewer, *repairs]
        return TooMuchToCount(text, part.span, problem, *repairs)

    def sum(self, part: parts.SumPart) -> Dist[Outcome]:
        """Equal terms are raised to a power, different ones multiplied, constants moved by."""
        moved: Amount = 0
        counts: dict[tuple[int, int], tuple[int, Part]] = {}
        for sign, term in part.terms:
            if type(term) is Constant:
                moved += sign * term.value
                continue
            key = (sign, self.meaning(term))
            counts[key] = (counts.get(key, (0, term))[0] + 1, term)
        dists = [
            (self.odds(term) if sign > 0 else -self.odds(term), count)
            for (sign, _), (count, term) in counts.items()
        ]
        return add(dists, whole(moved), self.budget)

    def product(self, part: parts.ProductPart) -> Dist[Outcome]:
        """From left to right."""
        made = self.odds(part.first)
        for sign, other in part.rest:
            operation = parts.OPERATIONS[sign]
            is_whole = sign != "/" and part.first.is_whole and other.is_whole
            made = combine(made, self.odds(other), operation, self.budget, is_whole=is_whole)
        return made

    def power(self, part: parts.PowerPart) -> Dist[Outcome]:
        """Every base with every exponent."""
        base, exponent = self.odds(part.base), self.odds(part.exponent)
        is_whole = part.base.is_whole
        return combine(base, exponent, parts.raise_to, self.budget, is_whole=is_whole)

    def function(self, part: parts.FunctionPart) -> Dist[Outcome]:
        """A function of one value is read off; the lowest and highest go pair by pair."""
        call = parts.FUNCTIONS[part.name]
        made = self.odds(part.arguments[0])
        if len(part.arguments) == 1:
            return made.map(call)
        for other in part.arguments[1:]:
            made = combine(made, self.odds(other), call, self.budget, is_whole=part.is_whole)
        return made

    def versus(self, part: parts.VersusPart) -> Dist[Outcome]:
        """The odds of the margin, read as degrees."""
        if part.natural:
            return self._natural(part)
        margin = add([(self.odds(part.part), 1), (-self.odds(part.target), 1)], 0, self.budget)
        return margin.map(parts.degree)

    def _natural(self, part: parts.VersusPart) -> Dist[Outcome]:
        """The odds of the degree where it matters what the d20 itself shows."""
        terms = part.part.terms if isinstance(part.part, parts.SumPart) else ((1, part.part),)
        die = self.odds(terms[part.place][1])
        rest = [
            (self.odds(term) if sign > 0 else -self.odds(term), 1)
            for place, (sign, term) in enumerate(terms)
            if place != part.place
        ]
        rest.append((-self.odds(part.target), 1))
        special = {face: die[face] for face in parts.NATURALS if die[face]}
        others = {face: weight for face, weight in die.items() if face not in special}
        cases = [(rest, face, weight) for face, weight in special.items()]
        if others:
            cases.append(([(Dist(others), 1), *rest], 0, 1))
        found: dict[Outcome, int] = {}
        for dists, face, weight in cases:
            margin = add(dists, face, self.budget)
            self.budget.spend(PAIRS * len(margin), "degrees of success")
            degrees = margin.map(partial(parts.natural_degree, part.natural, face))
            for degree, ways in degrees.items():
                found[degree] = found.get(degree, 0) + weight * ways
        total = die.total * prod([dist.total for dist, _ in rest])
        return Dist._build(found, total, total - sum(found.values()))

    def choice(self, part: ChoicePart) -> Dist[Outcome]:
        """Return the odds of the part that follows, weighed by how often the comparison holds."""
        held = combine(self.odds(part.left), self.odds(part.right), part.holds, self.budget)
        then, otherwise = self.odds(part.then), self.odds(part.otherwise)
        self.budget.spend(len(then) + len(otherwise), "weighing two parts")
        return held.then(lambda holds: then if holds else otherwise)

    def pool(self, part: PoolPart) -> Dist[Outcome]:
        """Dice; where their number or their sides are thrown, for each of those."""
        if part.plan is not None:
            return self.plan(part.plan, lambda how: self._random_pool(part, how))
        return self._random_pool(part, part.treatment)

    def _random_pool(self, part: PoolPart, how: PoolModifiers) -> Dist[Outcome]:
        numbers = self.odds(part.count)
        self._check_numbers(numbers, part)
        if part.sides is None:
            return numbers.then(lambda number: pool_odds(part.kind, number, how, self.budget))

        def odds_for(both: tuple[int, int]) -> Dist[Outcome]:
            return pool_odds(DieKind(both[1]), both[0], how, self.budget)

        pairs = combine(numbers, self.odds(part.sides), lambda a, b: (a, b), self.budget)
        self.budget.spend(
            mixing(list(pairs)), "weighing dice whose sides are thrown", "throw fewer dice"
        )
        return pairs.then(odds_for)

    def plan(self, plan: Plan, count: Callable[[PoolModifiers], Dist[Outcome]]) -> Dist[Outcome]:
        """The odds where numbers of what is done to dice are thrown: for each of those."""
        values: Dist[Outcome] = Dist.sure(())
        for part in plan.thrown:
            values = combine(values, self.odds(part), lambda all, one: (*all, one), self.budget)
        self.budget.spend(EACH_CASE * len(values), "dice with numbers that are thrown")
        return values.map(plan.modifiers).then(count)

    def _check_numbers(self, numbers: Dist[Outcome], part: PoolPart) -> None:
        """Refuse at once where the number of dice is thrown and the sums alone are too many."""
        estimate = 3 * sum(numbers) * len(part.kind.faces) if len(numbers) > 1 else 0
        if estimate > self.budget.work - self.budget.spent:
            self.budget.spend(estimate, "counting dice whose number is thrown", "throw fewer dice")

    def group(self, part: GroupPart) -> Dist[Outcome]:
        """Results treated like dice: each becomes a die with its odds for faces."""
        dists = [(self.odds(one), 1) for one in part.results]
        if part.plan is not None:
            return self.plan(part.plan, lambda how: group_odds(dists, how, self.budget))
        return group_odds(dists, part.treatment, self.budget)

    def mixed_pool(self, part: MixedPart) -> Dist[Outcome]:
        """Dice of several kinds, treated together."""
        dice = [(one.kind, int(one.count.high), one.treatment) for one in part.pools]
        if part.plan is not None:
            return self.plan(part.plan, lambda how: mixed_odds(dice, how, self.budget))
        return mixed_odds(dice, part.treatment, self.budget)


COUNTERS: dict[type, Callable[..., Dist[Outcome]]] = {
    parts.SumPart: ExpressionCounter.sum,
    parts.ProductPart: ExpressionCounter.product,
    parts.PowerPart: ExpressionCounter.power,
    parts.FunctionPart: ExpressionCounter.function,
    parts.VersusPart: ExpressionCounter.versus,
    ChoicePart: ExpressionCounter.choice,
    PoolPart: ExpressionCounter.pool,
    GroupPart: ExpressionCounter.group,
    MixedPart: ExpressionCounter.mixed_pool,
}


MEANINGS: dict[type, Callable[..., tuple[object, ...]]] = {
    Constant: lambda of, part: (part.value,),
    parts.SumPart: lambda of, part: tuple([(sign, of(term)) for sign, term in part.terms]),
    parts.ProductPart: lambda of, part: (of(part.first), *[(sign, of(p)) for sign, p in part.rest]),
    parts.PowerPart: lambda of, part: (of(part.base), of(part.exponent)),
    parts.FunctionPart: lambda of, part: (part.name, *map(of, part.arguments)),
    ChoicePart: lambda of, part: (
        part.compare, *map(of, (part.left, part.right, part.then, part.otherwise)),
    ),
    parts.VersusPart: lambda of, part: (of(part.part), of(part.target), part.natural, part.place),
    PoolPart: lambda of, part: (
        of(part.count), part.sides and of(part.sides), *of_pool(part), of_plan(of, part.plan),
    ),
    GroupPart: lambda of, part: (part.treatment, of_plan(of, part.plan), *map(of, part.results)),
    MixedPart: lambda of, part: (part.treatment, of_plan(of, part.plan), *map(of, part.pools)),
}  # fmt: skip
"""Functions for the meaning of each kind of part, with the numbers of its inner parts."""


def mixing(pairs: list[tuple[int, int]]) -> int:
    """Return the work of weighing so many dice of so many sides against each other.

    All weights share one total, with a digit for each die and twenty-five sides: multiplying by
    that is what takes long.
    """
    common = max([number for number, _ in pairs]) * max([sides for _, sides in pairs]) / 25
    digits = [number * sides.bit_length() / 30 for number, sides in pairs]
    steps = [n * s * (1 + more * common / 100) for (n, s), more in zip(pairs, digits, strict=True)]
    return int(sum(steps))


def of_pool(part: PoolPart) -> tuple[object, ...]:
    """The dice of a pool, and what is done to them."""
    kind = part.kind
    return kind.sides or tuple(kind.faces), part.treatment


def of_plan(of: Callable[[Part], int], plan: Plan | None) -> tuple[object, ...]:
    """Return the treatment of dice with thrown numbers, and the parts that throw them."""
    return () if plan is None else (plan.meaning, *map(of, plan.thrown))


def combine(
    one: Dist[T],
    two: Dist[U],
    join: Callable[[T, U], W],
    budget: Budget,
    *,
    is_whole: bool = True,
) -> Dist[W]:
    """Every outcome of one with every outcome of the other."""
    bits = one.total.bit_length() + two.total.bit_length()
    pairs = len(one) * len(two) * (1 if is_whole else FRACTION)
    with at_rate(budget, PAIRS):
        budget.spend(pairs * (1 + bits // 2_000), "every pair of two results")
    weights: dict[W, int] = {}
    others = list(two._weights.items())
    each = EACH_RESULT + bits // 8
    most = (budget.room - budget.kept) // each
    for a, x in one._weights.items():
        for b, y in others:
            outcome = join(a, b)
            weights[outcome] = weights.get(outcome, 0) + x * y
        if len(weights) > most:
            budget.expect_room(len(weights) * each, "every pair of two results")
    total = one.total * two.total
    return Dist._build(weights, total, total - counted_weight(one) * counted_weight(two))
