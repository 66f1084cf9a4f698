"""The best call: what every option is worth for a goal, and the policy that plays best.

Best play goes by what whoever chooses may know, never by a throw that is hidden from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.budget import Budget
from rollwright.chains import Flow, Local, flow, knots
from rollwright.chances import Packing
from rollwright.count import Leaves, Policy, odds, start_of
from rollwright.errors import Misuse, NeverEnds
from rollwright.loops import best_loop
from rollwright.trees import Decision, Grower, HiddenError, Key, Onward, Outcome, Sum, Tree

if TYPE_CHECKING:
    from fractions import Fraction

Goal = Callable[[Any], Any]
"""What an outcome is worth: a whole number, a Fraction, or True and False."""
Value = tuple[int, int]
"""A value as numerator and denominator, not in lowest terms."""


class RescaleError(Exception):
    """A goal gave a fraction that the whole numbers in use cannot hold."""

    def __init__(self, scale: int) -> None:
        self.scale = scale


class Worth(NamedTuple):
    """What one option is worth when everything after it is played as well as can be."""

    option: Any
    value: Fraction


class Line(NamedTuple):
    """One line of a policy: in this situation, choose this."""

    by: str
    situation: Any
    """What the decision turns on: the rule's own words for it, or the answers seen so far."""
    choose: Any
    worths: tuple[Worth, ...]
    chance: Fraction
    """How likely it is to come to this decision."""

    @property
    def matters(self) -> bool:
        """Whether another option would be worse."""
        return len({worth.value for worth in self.worths}) > 1


class Advice:
    """What to do, and what everything else would be worth."""

    def __init__(self, value: Fraction, lines: tuple[Line, ...], here: Line | None) -> None:
        self.value = value
        """What the position is worth with best play."""
        self.lines = lines
        """The whole best policy, the likeliest decisions first."""
        self.here = here
        """The line for the choice that is open now, if one is."""

    @property
    def options(self) -> tuple[Worth, ...]:
        """The options open now with their worth, best first."""
        if self.here is None:
            return ()
        return tuple(sorted(self.here.worths, key=lambda worth: -worth.value))

    @property
    def best(self) -> Any:
        """The best option now; among equals the one listed first, which changes least."""
        return None if self.here is None else self.here.choose

    @property
    def ties(self) -> tuple[Any, ...]:
        """The options that are as good as the best."""
        top = self.options[:1]
        return tuple(w.option for w in self.options if w.value == top[0].value)

    @property
    def matters(self) -> bool:
        """False where every option open now is worth the same."""
        return self.here is not None and self.here.matters

    def table(self) -> str:
        """The policy as a table a person can read."""
        return "\n".join(_table_rows(self.lines))

    def __repr__(self) -> str:
        if self.here is None:
            return f"<advice: worth {self.value} with best play, {len(self.lines)} decisions>"
        said = ", ".join(f"{w.option}: {w.value}" for w in self.options)
        hint = "" if self.matters else "; it does not matter"
        return f"<advice: {self.best} ({said}{hint})>"


def _table_rows(lines: tuple[Line, ...]) -> Iterator[str]:
    grouped: dict[tuple[str, str], tuple[Line, Any]] = {}
    for line in lines:
        name = (line.by, _said(line.situation))
        first, chance = grouped.get(name, (line, 0))
        grouped[name] = (first, chance + line.chance)
    width = max([len(said) for _, said in grouped] + [9])
    yield f"{'situation':<{width}}  {'chance':>8}  best call"
    for (by, said), (line, chance) in sorted(grouped.items(), key=lambda item: -item[1][1]):
        call = f"{line.choose}" if line.matters else f"{line.choose} (it does not matter)"
        yield f"{said:<{width}}  {float(chance):>8.2%}  {call}"


def _said(situation: Any) -> str:
    if isinstance(situation, tuple) and not hasattr(situation, "_fields"):
        return " ".join(_said(part) for part in situation)
    if hasattr(situation, "readings"):
        return ", ".join(map(str, situation.readings))
    return str(situation)


def advise(
    what: Any, goal: Goal, *, others: Mapping[str, Policy] | None = None, budget: Budget | None = None
) -> Advice:
    """The best call for a goal, from the start of a rule or from any position.

    `others` are policies for those who do not share the goal, by the name they choose under.
    """
    return solved(what, goal, others, budget).advice()


def solved(
    what: Any, goal: Goal, others: Mapping[str, Policy] | None, budget: Budget | None
) -> Any:
    """The solver that has found best play, whichever kind the secrets of the rule call for."""
    from rollwright.beliefs import BeliefSolver, Cloud

    budget = budget or Budget()
    if isinstance(what, Cloud):
        return BeliefSolver(goal, others or {}, budget).solve(what)
    key = start_of(what)
    try:
        return _scaled(key, goal, others or {}, budget)
    except HiddenError:
        return BeliefSolver(goal, others or {}, budget).solve(Cloud.sure(key))


def _scaled(key: Key, goal: Goal, others: Mapping[str, Policy], budget: Budget) -> Solver:
    scale = 1
    grower = Grower(others, budget)
    while True:
        try:
            return Solver(goal, grower, scale).solve(key)
        except RescaleError as finer:
            scale = finer.scale


class best:  # noqa: N801 - reads as a word: odds(what, policy=best(goal))
    """The policy that plays best for a goal: `odds(what, policy=best(goal))`."""

    def __init__(self, goal: Goal, *, others: Mapping[str, Policy] | None = None) -> None:
        self.goal = goal
        self.others = others

    def choose_in(self, transcript: Any) -> Any:
        """The best option of the choice a transcript waits at, from what its chooser knows."""
        known = transcript.seen_by(transcript.step.by)
        what = known if len(known.members) > 1 else transcript.position
        return solved(what, self.goal, self.others, None).advice().best

    def solve(self, what: Any, budget: Budget) -> Flow:
        """Where the rule leads when it is played like this."""
        found: Flow = solved(what, self.goal, self.others, budget).flow()
        return found


def value_of(what: Any, policy: Any, goal: Goal, *, budget: Budget | None = None) -> Fraction:
    """What a policy is worth for a goal, exactly."""
    outcomes = odds(what, policy, budget=budget)
    return outcomes.map(lambda outcome: exact_number(goal(outcome))).mean


def value_lost(what: Any, policy: Any, goal: Goal, *, budget: Budget | None = None) -> Fraction:
    """How much a rule of thumb gives away against best play."""
    budget = budget or Budget()
    return advise(what, goal, budget=budget).value - value_of(what, policy, goal, budget=budget)


def exact_number(worth: Any) -> Fraction:
    """What a goal says, exactly: a decimal fraction is taken as it is written."""
    from fractions import Fraction

    if isinstance(worth, float):
        return Fraction(repr(worth))
    if isinstance(worth, (int, Fraction)):
        return Fraction(worth)
    raise Misuse(f"a goal gives a number for an outcome, not {worth!r}")


class Solver:
    """Values every tree of a rule for one goal, from the ends backwards."""

    def __init__(self, goal: Goal, grower: Grower, scale: int) -> None:
        self.goal = goal
        self.grower = grower
        self.scale = scale
        self.budget = grower.budget
        self.trees: dict[Key, Tree] = {}
        self.values: dict[Key, Value | None] = {}
        self.picks: dict[Key, list[int]] = {}
        self._worth: dict[Any, int] = {}
        self._sums: dict[Any, Value] = {}
        self._finished: dict[Any, dict[Any, int]] = {}
        self._packed: dict[Any, Any] = {}

    def solve(self, key: Key) -> Solver:
        """Find best play from `key` on."""
        self.start = key
        waiting = [key]
        edges: dict[Key, list[Key]] = {}
        while waiting:
            here = waiting.pop()
            if here not in self.trees:
                tree = self.trees[here] = self.grower.grow(here)
                edges[here] = [leaf.key for leaf in tree.leaves if type(leaf) is Onward]
                waiting += edges[here]
        for group in knots(edges, key):
            if len(group) == 1 and group[0] not in edges[group[0]]:
                self.values[group[0]] = self.evaluate(group[0])
            else:
                best_loop(self, group)
        if self.values[key] is None:
            raise NeverEnds("however one plays, this may go round for ever")
        return self

    def worth(self, outcome: Any) -> int:
        """What an outcome is worth, in whole parts of the scale."""
        known = self._worth.get(outcome)
        if known is None:
            value = self.goal(outcome)
            if type(value) is int or type(value) is bool:
                known = value * self.scale
            else:
                value = exact_number(value) * self.scale
                if value.denominator != 1:
                    raise RescaleError(self.scale * value.denominator)
                known = value.numerator
            self._worth[outcome] = known
        return known

    def leaf_value(self, leaf: Outcome | Onward | Sum) -> Value | None:
        """What a leaf is worth; None where it never ends."""
        if type(leaf) is Outcome:
            return self.worth(leaf.outcome), 1
        if type(leaf) is Onward:
            return self.values[leaf.key]
        assert type(leaf) is Sum
        key = (leaf.ending, leaf.start)
        known = self._sums.get(key)
        if known is None:
            known = self._sums[key] = self._sum_value(leaf)
        return known

    def _sum_value(self, leaf: Sum) -> Value:
        step = leaf.step
        items, total = self.grower.chances.tally(step)
        self.budget.spend(len(items), "the ends of this rule")
        worths = self._finished.setdefault((step.finish, step.given), {})
        known = worths.get
        packing, packed_items = self._packing(leaf, items)
        start: Any = leaf.start
        if packing is not None:
            (start,) = packing.pack_all([leaf.start]) or [None]
            if start is None:
                packing, packed_items, start = None, items, leaf.start
        value = 0
        for raw, weight in packed_items:
            end = start + raw if packing or not isinstance(start, tuple) else _plus(start, raw)
            worth = known(end)
            if worth is None:
                whole = packing.unpack(end) if packing else end
                worth = worths[end] = self._worth_of_end(step.finished(whole))
            value += weight * worth
        return value, total

    def _worth_of_end(self, outcome: Any) -> int:
        if type(outcome).__name__ == "Call":
            raise Misuse("a finish that goes on to another rule is not allowed under best play")
        return self.worth(outcome)

    def _packing(self, leaf: Sum, items: Any) -> tuple[Packing | None, Any]:
        name = leaf.ending[:2]
        known = self._packed.get(name)
        if known is None:
            first = leaf.start if isinstance(leaf.start, tuple) else items[0][0]
            packing = Packing(len(first)) if isinstance(first, tuple) else None
            numbers = packing.pack_all(value for value, _ in items) if packing else None
            if numbers is None:
                known = (None, items)
            else:
                weights = [weight for _, weight in items]
                known = (packing, list(zip(numbers, weights, strict=True)))
            self._packed[name] = known
        return known  # type: ignore[no-any-return]

    def evaluate(self, key: Key) -> Value | None:
        """The value of a tree whose ends all have theirs; notes which options are best."""
        tree = self.trees[key]
        ends = [self.leaf_value(leaf) for leaf in tree.leaves]
        inner: list[Value | None] = [None] * len(tree.nodes)
        picks = self.picks[key] = [0] * len(tree.nodes)
        self.budget.spend(sum(len(node.children) for node in tree.nodes) + 1, "best play")
        for number in range(len(tree.nodes) - 1, -1, -1):
            node = tree.nodes[number]
            values = [inner[c] if c >= 0 else ends[-1 - c] for c in node.children]
            if type(node) is Decision:
                picks[number], inner[number] = _best(values)
            else:
                inner[number] = _average(values, node.weights, node.total)  # type: ignore[union-attr]
        return inner[tree.root] if tree.root >= 0 else ends[-1 - tree.root]

    def flow(self) -> Flow:
        """Where the rule leads when everybody plays best."""
        nodes: dict[Key, Local] = {}
        waiting = [self.start]
        while waiting:
            key = waiting.pop()
            if key not in nodes:
                nodes[key] = self._local(key)
                waiting += nodes[key].tails
        return flow(nodes, self.start, self.budget)

    def _local(self, key: Key) -> Local:
        tree = self.trees[key]
        leaves = Leaves(self.grower._plain)
        for leaf, shares in zip(tree.leaves, self._shares(key)[1], strict=True):
            for total, ways in shares.items():
                if type(leaf) is Outcome:
                    leaves.outcome(leaf.outcome, ways, total)
                elif type(leaf) is Onward:
                    leaves.tail(leaf.key, ways, total)
                else:
                    leaves.tally(leaf.step, ways, total)  # type: ignore[union-attr]
        return leaves.local()

    def _shares(self, key: Key) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
        """How likely each node and leaf of a tree is under best play: ways by denominator."""
        tree, picks = self.trees[key], self.picks[key]
        nodes: list[dict[int, int]] = [{} for _ in tree.nodes]
        leaves: list[dict[int, int]] = [{} for _ in tree.leaves]

        def reach(child: int, total: int, ways: int) -> None:
            into = nodes[child] if child >= 0 else leaves[-1 - child]
            into[total] = into.get(total, 0) + ways

        reach(tree.root, 1, 1)
        for number, node in enumerate(tree.nodes):
            for total, ways in nodes[number].items():
                if type(node) is Decision:
                    reach(node.children[picks[number]], total, ways)
                else:
                    for child, weight in zip(node.children, node.weights, strict=True):  # type: ignore[union-attr]
                        reach(child, total * node.total, ways * weight)  # type: ignore[union-attr]
        return nodes, leaves

    def advice(self) -> Advice:
        """Best play in words and numbers."""
        from fractions import Fraction

        visits = self.flow().visits or {self.start: Fraction(1)}
        lines: list[Line] = []
        here: Line | None = None
        for key, visited in visits.items():
            shares = self._shares(key)[0]
            for number, node in enumerate(self.trees[key].nodes):
                if type(node) is Decision and shares[number]:
                    chance = visited * sum(Fraction(w, t) for t, w in shares[number].items())
                    lines.append(self._line(key, number, node, chance))
                    if key == self.start and number == self.trees[key].root:
                        here = lines[-1]
        lines.sort(key=lambda line: -line.chance)
        return Advice(self._fraction(self.values[self.start]), tuple(lines), here)

    def _line(self, key: Key, number: int, node: Decision, chance: Fraction) -> Line:
        tree = self.trees[key]
        worths = []
        inner = self._inner_values(key)
        for option, child in zip(node.choice.options, node.children, strict=True):
            value = inner[child] if child >= 0 else self.leaf_value(tree.leaves[-1 - child])
            if value is not None:
                worths.append(Worth(option, self._fraction(value)))
        situation = node.seen if node.choice.about is None else node.choice.about
        choose = node.choice.options[self.picks[key][number]]
        return Line(node.choice.by, situation, choose, tuple(worths), chance)

    def _inner_values(self, key: Key) -> list[Value | None]:
        known: dict[Key, list[Value | None]] = self.__dict__.setdefault("_inner", {})
        if key not in known:
            known[key] = self.node_values(key)
        return known[key]

    def node_values(self, key: Key) -> list[Value | None]:
        """The value of every inner node of a solved tree."""
        tree, picks = self.trees[key], self.picks[key]
        ends = [self.leaf_value(leaf) for leaf in tree.leaves]
        inner: list[Value | None] = [None] * len(tree.nodes)
        for number in range(len(tree.nodes) - 1, -1, -1):
            node = tree.nodes[number]
            values = [inner[c] if c >= 0 else ends[-1 - c] for c in node.children]
            if type(node) is Decision:
                inner[number] = values[picks[number]]
            else:
                inner[number] = _average(values, node.weights, node.total)  # type: ignore[union-attr]
        return inner

    def _fraction(self, value: Value | None) -> Fraction:
        from fractions import Fraction

        assert value is not None
        return Fraction(value[0], value[1] * self.scale)


def _plus(start: tuple[Any, ...], raw: Any) -> tuple[Any, ...]:
    return start if raw == 0 else tuple([a + b for a, b in zip(start, raw, strict=True)])


def _best(values: list[Value | None]) -> tuple[int, Value | None]:
    pick, top = 0, values[0]
    for number, value in enumerate(values[1:], start=1):
        if value is not None and (top is None or value[0] * top[1] > top[0] * value[1]):
            pick, top = number, value
    return pick, top


def _average(values: list[Value | None], weights: list[int], total: int) -> Value | None:
    if None in values:
        return None
    common = lcm(*{den for _, den in values})  # type: ignore[misc]
    value = 0
    for (num, den), weight in zip(values, weights, strict=True):  # type: ignore[misc]
        value += weight * num * (common // den)
    return value, total * common
