"""Best play where people want different things: each decides for themselves, knowing the others.

Every goal has a solver of its own over the same trees; at a decision its owner's solver says what
is picked, and the others take what comes of that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rollwright.budget import Budget
from rollwright.engine.best.loops import Value
from rollwright.engine.best.nodes import Decision
from rollwright.engine.best.places import Place
from rollwright.engine.best.policies import Goal
from rollwright.engine.best.solver import GoesOnError, Solver, average, best_of
from rollwright.engine.best.trees import Grower
from rollwright.engine.compiled.refusal import CannotCompile, Learn
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
    grower = Grower(others, budget)
    while True:
        first = Solver(goal, grower, against)
        owners = {name: Solver(own, grower) for name, own in goals.items()}
        try:
            return _solve(grower.places.told(tokens), first, owners)
        except GoesOnError as found:
            grower.tell_apart(found.finish)
        except CannotCompile as why:
            grower.replay(why)
        except Learn:
            grower.learned()


def _solve(start: Place, first: Solver, owners: Mapping[str, Solver]) -> Solver:
    first.start = start
    for solver in owners.values():
        solver.start = start
    for group in knots(first.leads_to, start):
        tree = first.trees.get(group[0])
        if tree is None:
            continue  # nothing is decided there
        if len(group) > 1 or group[0] in tree.ends():
            raise NeverEnds(
                "best play of people who want different things is only found for rules without "
                "loops; for an opponent who wants the opposite, say against= instead"
            )
        _evaluate(group[0], first, owners)
    return first


def _evaluate(place: Place, first: Solver, owners: Mapping[str, Solver]) -> None:
    """The value of a tree for everybody: at each decision its owner picks."""
    tree, everybody = first.trees[place], (first, *owners.values())
    picks = [0] * len(tree.nodes)
    inner: dict[Solver, list[Value | None]] = {}
    for solver in everybody:
        solver.value_ends()
        if solver.grower.loses:
            solver.value_lost()
        inner[solver] = [None] * len(tree.nodes)
    first.budget.spend(
        len(everybody) * (sum(len(node.children) for node in tree.nodes) + 1), "best play"
    )
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        values = {
            solver: [inner[solver][c] if c < 0 else solver.values[c] for c in node.children]
            for solver in everybody
        }
        if type(node) is Decision:
            owner = owners.get(node.by, first)
            against = owner is first and first.is_against(node)
            picks[number], _ = best_of(values[owner], against=against)
            for solver in everybody:
                inner[solver][~number] = values[solver][picks[number]]
        else:
            for solver in everybody:
                inner[solver][~number] = average(values[solver], node.weights, node.total)  # type: ignore[union-attr]
    for solver in everybody:
        solver.picks[place] = picks
        root = tree.root
        solver.values[place] = inner[solver][root] if root < 0 else solver.values[root]
