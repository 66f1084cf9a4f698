"""Best play where people want different things: each decides for themselves, knowing the others.

Every goal has a solver of its own over the same trees; at a decision its owner's solver says what
is picked, and the others take what comes of that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import lcm

from rollwright.budget import Budget
from rollwright.engine.best.loops import Value
from rollwright.engine.best.policies import Goal
from rollwright.engine.best.solver import GoesOnError, RescaleError, Solver, average, best_of
from rollwright.engine.best.trees import Decision, Grower, Key
from rollwright.engine.odds.chains import knots
from rollwright.engine.odds.count import Policy
from rollwright.engine.steps import Tokens
from rollwright.errors import NeverEnds


def solve_seats(
    tokens: Tokens,
    goal: Goal,
    goals: Mapping[str, Goal],
    others: Mapping[str, Policy],
    budget: Budget,
    against: Collection[str] = (),
) -> Solver:
    """Best play for a goal where some have goals of their own, by the name they choose under."""
    scale = 1
    grower = Grower(others, budget)
    while True:
        first = Solver(goal, grower, scale, against)
        owners = {name: Solver(own, grower, scale) for name, own in goals.items()}
        try:
            return _solve(grower.key(tokens), first, owners)
        except RescaleError as finer:
            scale = lcm(scale, finer.scale)
        except GoesOnError as found:
            grower.tell_apart(found.finish)


def _solve(key: Key, first: Solver, owners: Mapping[str, Solver]) -> Solver:
    first.start = key
    for solver in owners.values():
        solver.start, solver.trees = key, first.trees
    for group in knots(first.leads_to, key):
        if len(group) > 1 or group[0] in first.trees[group[0]].leaves:
            raise NeverEnds(
                "best play of people who want different things is only found for rules without "
                "loops; for an opponent who wants the opposite, say against= instead"
            )
        _evaluate(group[0], first, owners)
    return first


def _evaluate(key: Key, first: Solver, owners: Mapping[str, Solver]) -> None:
    """The value of a tree for everybody: at each decision its owner picks."""
    tree, everybody = first.trees[key], (first, *owners.values())
    picks = [0] * len(tree.nodes)
    ends = {solver: [solver.leaf_value(leaf) for leaf in tree.leaves] for solver in everybody}
    inner: dict[Solver, list[Value | None]] = {
        solver: [None] * len(tree.nodes) for solver in everybody
    }
    first.budget.spend(
        len(everybody) * (sum(len(node.children) for node in tree.nodes) + 1), "best play"
    )
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        values = {
            solver: [inner[solver][c] if c >= 0 else ends[solver][-1 - c] for c in node.children]
            for solver in everybody
        }
        if type(node) is Decision:
            owner = owners.get(node.choice.by, first)
            against = owner is first and first.is_against(node)
            picks[number], _ = best_of(values[owner], against=against)
            for solver in everybody:
                inner[solver][number] = values[solver][picks[number]]
        else:
            for solver in everybody:
                inner[solver][number] = average(values[solver], node.weights, node.total)  # type: ignore[union-attr]
    for solver in everybody:
        solver.picks[key] = picks
        solver.values[key] = (
            inner[solver][tree.root] if tree.root >= 0 else ends[solver][-1 - tree.root]
        )
