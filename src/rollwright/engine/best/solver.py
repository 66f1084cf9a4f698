"""Finds best play: values every decision of a rule for one goal, from the ends backwards."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import lcm
from typing import TYPE_CHECKING

from rollwright.budget import Budget
from rollwright.engine.best.loops import Value, best_loop, better
from rollwright.engine.best.policies import Advice, Goal, Line, Worth
from rollwright.engine.best.trees import (
    Decision,
    Grower,
    Key,
    Leaf,
    Lost,
    Onward,
    Outcome,
    Sum,
    Tree,
)
from rollwright.engine.odds.chains import Flow, Leaves, Local, flow, knots
from rollwright.engine.odds.chances import plus
from rollwright.engine.odds.count import Policy
from rollwright.engine.steps import Finish, State, Step, Tally, Tokens
from rollwright.errors import Misuse, NeverEnds

if TYPE_CHECKING:
    from fractions import Fraction


TENTHS = 10
"""Where a goal gives fractions, others will be decimal ones as a rule."""


class RescaleError(Exception):
    """A goal gave a fraction that the whole numbers in use cannot hold."""

    def __init__(self, scale: int) -> None:
        self.scale = scale


class GoesOnError(Exception):
    """A finish that goes on to another rule, so that its sums must be told apart."""

    def __init__(self, finish: Finish | None) -> None:
        self.finish = finish


def solve_for(
    tokens: Tokens,
    goal: Goal,
    others: Mapping[str, Policy],
    budget: Budget,
    against: Collection[str] = (),
) -> Solver:
    """Best play for a goal, in whole numbers as fine as the goal needs."""
    scale = 1
    grower = Grower(others, budget)
    with uncollected():
        return _solved(tokens, goal, grower, scale, against)


def _solved(
    tokens: Tokens, goal: Goal, grower: Grower, scale: int, against: Collection[str]
) -> Solver:
    while True:
        try:
            return Solver(goal, grower, scale, against).solve(tokens)
        except RescaleError as finer:
            scale = lcm(finer.scale, TENTHS)
        except GoesOnError as found:
            grower.tell_apart(found.finish)


@contextmanager
def uncollected() -> Iterator[None]:
    """Without collecting garbage meanwhile: trees hold no circles, and to go over all of them
    again and again takes as long as to grow them."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def exact_number(worth: object) -> Fraction:
    """What a goal says, exactly: a decimal fraction is taken as it is written."""
    from fractions import Fraction

    if isinstance(worth, float) and worth - worth == 0:
        return Fraction(repr(worth))
    if isinstance(worth, (int, Fraction)):
        return Fraction(worth)
    raise Misuse(f"a goal gives a number for an outcome, not {worth!r}")


class Solver:
    """Values every tree of a rule for one goal, from the ends backwards."""

    def __init__(
        self, goal: Goal, grower: Grower, scale: int, against: Collection[str] = ()
    ) -> None:
        self.goal = goal
        self.against = against
        self.grower = grower
        self.scale = scale
        self.budget = grower.budget
        self.trees: dict[Key, Tree] = {}
        self.values: dict[Key, Value | None] = {}
        self.picks: dict[Key, list[int]] = {}
        self._worth: dict[object, int] = {}
        self._sums: dict[tuple[object, State], Value] = {}
        self._finished: dict[tuple[object, ...], dict[State, int]] = {}
        self._floor: int | None = None

    def solve(self, tokens: Tokens) -> Solver:
        """Find best play from `tokens` on."""
        key = self.start = self.grower.key(tokens)
        for group in knots(self.leads_to, key):
            first = group[0]
            if len(group) == 1 and first not in self.trees[first].leaves:
                self.values[first] = self.evaluate(first)
            else:
                best_loop(self, group)
        if self.values[key] is None:
            raise NeverEnds("however one plays, this may go round for ever")
        return self

    def leads_to(self, key: Key) -> list[Key]:
        """Grow the tree that starts there; the rules that it leads to."""
        tree = self.trees[key] = self.grower.grow(key)
        return [leaf for leaf in tree.leaves if type(leaf) is Onward]

    def is_against(self, node: Decision) -> bool:
        """Whether whoever decides here wants of the goal as little as can be."""
        return node.choice.against or node.choice.by in self.against

    @property
    def choosers(self) -> set[str]:
        """Everybody who has something to choose, by the name they choose under."""
        nodes = (node for tree in self.trees.values() for node in tree.nodes)
        return {node.choice.by for node in nodes if type(node) is Decision}

    def worth(self, outcome: object) -> int:
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

    def leaf_value(self, leaf: Leaf) -> Value | None:
        """What a leaf is worth; None where it never ends."""
        if type(leaf) is Outcome:
            return self.worth(leaf.outcome), 1
        if type(leaf) is Onward:
            return self.values[leaf.key]
        if type(leaf) is Lost:
            return self.floor, 1
        assert type(leaf) is Sum
        key = (leaf.ending, leaf.start)
        known = self._sums.get(key)
        if known is None:
            known = self._sums[key] = self._sum_value(leaf)
        return known

    @property
    def floor(self) -> int:
        """What the worst outcome is worth that was counted: so much is what a bound cut off."""
        if self._floor is None:
            for _ in knots(self.leads_to, self.start):
                pass  # all that can be come to is grown
            for tree in self.trees.values():
                for leaf in tree.leaves:
                    if type(leaf) is Outcome or type(leaf) is Sum:
                        self.leaf_value(leaf)
            self._floor = min(self._worth.values(), default=0)
        return self._floor

    def _sum_value(self, leaf: Sum) -> Value:
        step = leaf.step
        packing, items, total = self.grower.chances.packed_tally(step)
        self.budget.spend(len(items), "the ends of this rule")
        shape = packing and (packing.width, packing.make)
        worths = self._finished.setdefault((step.finish, step.given, shape), {})
        known = worths.get
        start = leaf.start if packing is None else packing.pack(leaf.start)
        if start is None:
            return self._plain_sum_value(leaf), total
        value = 0
        for raw, weight in items:
            end = start + raw if packing is not None else plus(start, raw)
            worth = known(end)
            if worth is None:
                whole = end if packing is None else packing.unpack(end)
                worth = worths[end] = self._worth_of_end(step, whole)
            value += weight * worth
        return value, total

    def _plain_sum_value(self, leaf: Sum) -> int:
        items = self.grower.chances.tally(leaf.step).listed
        return sum(w * self._worth_of_end(leaf.step, plus(leaf.start, raw)) for raw, w in items)

    def _worth_of_end(self, step: Tally[object], raw: State) -> int:
        outcome = step.finished(raw)
        if isinstance(outcome, Step):
            raise GoesOnError(step.finish)
        return self.worth(outcome)

    def evaluate(self, key: Key) -> Value | None:
        """The value of a tree whose ends all have theirs; notes which options are best."""
        nodes, leaves, root = tree = self.trees[key]
        known, leaf_value = self.values, self.leaf_value
        values = tree.values(
            [known[leaf] if type(leaf) is Onward else leaf_value(leaf) for leaf in leaves]
        )
        picks = self.picks[key] = [0] * len(nodes)
        work = 1
        for number in range(len(nodes) - 1, -1, -1):
            node = nodes[number]
            below = [values[child] for child in node.children]
            work += len(below)
            if type(node) is Decision:
                picks[number], values[number] = best_of(below, against=self.is_against(node))
            else:
                values[number] = average(below, node.weights, node.total)  # type: ignore[union-attr]
        self.budget.spend(work, "best play")
        return values[root]

    def flow(self) -> Flow:
        """Where the rule leads when everybody plays best."""
        return self._flow_from(self.start, self._local(self.start))

    def flow_after(self, place: int) -> Flow | None:
        """Where the rule leads after one option of the choice it starts with, played best then.

        None where it does not start with a choice.
        """
        tree = self.trees[self.start]
        first = tree.nodes[tree.root] if tree.root >= 0 else None
        if type(first) is not Decision:
            return None
        option = first.choice.options[place]
        start = self.grower.key((*self.start.tokens, option))
        return self._flow_from(start, self._local(self.start, first.children[place]))

    def _flow_from(self, start: Key, local: Local) -> Flow:
        with uncollected():
            return self._followed(start, local)

    def _followed(self, start: Key, local: Local) -> Flow:
        nodes = {start: local}
        waiting = list(local.tails)
        while waiting:
            key = waiting.pop()
            if key not in nodes:
                nodes[key] = self._local(key)
                waiting += nodes[key].tails
        return flow(nodes, start, self.budget)

    def _local(self, key: Key, root: int | None = None) -> Local:
        tree = self.trees[key]
        leaves = Leaves(self.grower.chances, self.budget)
        for leaf, shares in zip(tree.leaves, self._shares(key, root)[1], strict=True):
            for total, ways in shares.items():
                if type(leaf) is Outcome:
                    leaves.outcome(leaf.outcome, ways, total)
                elif type(leaf) is Onward:
                    leaves.tail(leaf.key, ways, total)
                elif type(leaf) is Sum:
                    leaves.tally(leaf.step, ways, total)
        return leaves.local()

    def _shares(
        self, key: Key, root: int | None = None
    ) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
        """How likely each node and leaf of a tree is under best play: ways by denominator."""
        tree, picks = self.trees[key], self.picks[key]
        nodes: list[dict[int, int]] = [{} for _ in tree.nodes]
        leaves: list[dict[int, int]] = [{} for _ in tree.leaves]

        def reach(child: int, total: int, ways: int) -> None:
            into = nodes[child] if child >= 0 else leaves[-1 - child]
            into[total] = into.get(total, 0) + ways

        reach(tree.root if root is None else root, 1, 1)
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

        tree = self.trees[self.start]
        here: Line | None = None
        if tree.root >= 0:
            first = tree.nodes[tree.root]
            if type(first) is Decision:
                here = self._line(self.start, tree.root, first, Fraction(1))
        value = self._fraction(self.values[self.start])
        return Advice(value, here, self._lines, self._lost if self.grower.loses else None)

    def _lost(self) -> Fraction:
        from fractions import Fraction

        found = self.flow()
        return Fraction(found.lost, found.total)

    def _lines(self) -> list[Line]:
        """Every decision that best play can come to."""
        from fractions import Fraction

        lines: list[Line] = []
        for key, visited in self._visits().items():
            shares = self._shares(key)[0]
            for number, node in enumerate(self.trees[key].nodes):
                if type(node) is Decision and shares[number]:
                    chance = visited * sum(Fraction(w, t) for t, w in shares[number].items())
                    lines.append(self._line(key, number, node, chance))
        return lines

    def _visits(self) -> dict[Key, Fraction]:
        """How often each tree is come to on average under best play."""
        from fractions import Fraction

        alone = {self.start: Fraction(1)}
        if len(self.trees) == 1 and all(type(leaf) is not Onward for leaf in self._leaves()):
            return alone
        return self.flow().visits or alone

    def _leaves(self) -> list[Leaf]:
        return self.trees[self.start].leaves

    def _line(self, key: Key, number: int, node: Decision, chance: Fraction) -> Line:
        worths = []
        inner = self._inner_values(key)
        for option, child in zip(node.choice.options, node.children, strict=True):
            value = inner[child]
            if value is not None:
                worths.append(Worth(option, self._fraction(value)))
        situation = node.seen if node.choice.about is None else node.choice.about
        choose = node.choice.options[self.picks[key][number]]
        against = self.is_against(node)
        return Line(node.choice.by, situation, choose, tuple(worths), chance, against)

    def _inner_values(self, key: Key) -> list[Value | None]:
        known: dict[Key, list[Value | None]] = self.__dict__.setdefault("_inner", {})
        if key not in known:
            known[key] = self.node_values(key)
        return known[key]

    def node_values(self, key: Key) -> list[Value | None]:
        """The value of every node of a solved tree, by the number its parent has for it."""
        tree, picks = self.trees[key], self.picks[key]
        values = tree.values([self.leaf_value(leaf) for leaf in tree.leaves])
        for number in range(len(tree.nodes) - 1, -1, -1):
            node = tree.nodes[number]
            if type(node) is Decision:
                values[number] = values[node.children[picks[number]]]
            else:
                below = [values[child] for child in node.children]
                values[number] = average(below, node.weights, node.total)  # type: ignore[union-attr]
        return values

    def _fraction(self, value: Value | None) -> Fraction:
        from fractions import Fraction

        assert value is not None
        return Fraction(value[0], value[1] * self.scale)


def best_of(values: list[Value | None], *, against: bool) -> tuple[int, Value | None]:
    """The place and the value of the best, the first among equals."""
    pick, top = 0, values[0]
    for number in range(1, len(values)):
        value = values[number]
        if value is not None and (top is None or better(value, top, against=against)):
            pick, top = number, value
    return pick, top


def average(values: list[Value | None], weights: Sequence[int], total: int) -> Value | None:
    """What several are worth, each as likely as its weight says; None where one never ends."""
    value, common = 0, 1
    try:
        for (part, whole), weight in zip(values, weights):  # type: ignore[misc]
            if whole == common:
                value += weight * part
            elif not common % whole:
                value += weight * part * (common // whole)
            else:
                wider = whole if not whole % common else lcm(whole, common)
                value = value * (wider // common) + weight * part * (wider // whole)
                common = wider
    except TypeError:
        return None
    return value, total * common
