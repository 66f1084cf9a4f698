"""Best play in rules that go round: a player may try again and again.

Better and better policies are solved exactly until none is better. Only play that surely comes to
an end is considered, of either side: what is not for ever is not compared with what is. Where both
sides could wait for each other for ever, that is refused (`standoffs`).

Where somebody plays against the goal, each side answers the other: best play for the goal is found
against what the other side does, then the other side goes over to all that is better for it, until
nothing is. Each turn leaves less for the goal, so this ends. No turn closes a circle: along one
the worth would have to fall and come back to where it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.engine.best.knots import solve_knot
from rollwright.engine.best.nodes import Decision, Tree
from rollwright.engine.best.places import Place
from rollwright.engine.best.standoffs import refuse_standoff
from rollwright.engine.odds.chains import eliminate

if TYPE_CHECKING:
    from fractions import Fraction

    from rollwright.engine.best.solver import Solver

_FAR = 1 << 60
Value = tuple[int, int]
"""A value as numerator and denominator, not in lowest terms."""


def better(one: Value, other: Value, *, against: bool) -> bool:
    """Whether somebody who is for or against the goal would rather have the first."""
    left, right = one[0] * other[1], other[0] * one[1]
    return left < right if against else left > right


def best_loop(solver: Solver, group: list[Place]) -> None:
    """Value the trees of a knot, each of which leads back to all of them."""
    alive = set(group)
    if solver.grower.loses:
        solver.value_lost()
    if solve_knot(solver, group):
        return
    while True:
        picks = _ways_out(solver, alive)
        if picks.keys() == alive:
            break
        alive = set(picks)
    for key in group:
        solver.values[key] = None
        solver.picks[key] = picks.get(key) or [0] * len(solver.trees[key].nodes)
    if any(_is_contested(solver, solver.trees[key]) for key in alive):
        _contest(solver, alive)
        _refuse_standoff(solver, alive)
    elif alive:
        _improve(solver, alive)
        _prefer_first(solver, alive)


def _is_contested(solver: Solver, tree: Tree) -> bool:
    return any(type(node) is Decision and solver.is_against(node) for node in tree.nodes)


def _contest(solver: Solver, alive: set[Place]) -> None:
    """Two sides, each with its best answer to the other."""
    while True:
        solver.picks.update(_ways_out(solver, alive, answering=True))
        _improve(solver, alive)
        if not any([_switch(solver, key, against=True) for key in alive]):
            break


def _refuse_standoff(solver: Solver, alive: set[Place]) -> None:
    """Refuse trees in which each side may wait for the other for ever."""
    keys = [(key, inner) for key in alive for inner in range(len(solver.trees[key].nodes))]
    number = {key: at for at, key in enumerate(keys)}
    kids: list[list[int]] = []
    sides: list[int] = []
    even: dict[int, list[int]] = {}

    def node_at(key: Place, child: int) -> int:
        while child >= 0:
            if child not in alive:
                return -1
            key, child = child, solver.trees[child].root
        return number[key, ~child]

    for at, (key, inner) in enumerate(keys):
        node = solver.trees[key].nodes[inner]
        kids.append([node_at(key, child) for child in node.children])
        decides = type(node) is Decision
        sides.append(0 if not decides else -1 if solver.is_against(node) else 1)  # type: ignore[arg-type]
        if decides:
            known = solver.node_values(key)
            values = [known[c] if c < 0 else solver.values[c] for c in node.children]
            now = values[solver.picks[key][inner]]
            assert now is not None
            even[at] = [
                option
                for option, value in enumerate(values)
                if value is not None and value[0] * now[1] == now[0] * value[1]
            ]
    refuse_standoff(kids, sides, even)


def _ways_out(
    solver: Solver, alive: set[Place], *, answering: bool = False
) -> dict[Place, list[int]]:
    """For each tree from which an end can be reached without risk of a dead loop, how.

    When `answering`, those who play against the goal do as they have picked.
    """
    ranks: dict[Place, int] = {}
    picks: dict[Place, list[int]] = {}
    found = True
    while found:
        found = False
        for key in alive - ranks.keys():
            now = solver.picks[key] if answering else None
            rank, ways = _rank(solver, solver.trees[key], alive, ranks, now)
            if rank is not None and rank < _FAR:
                ranks[key] = rank + 1
                picks[key] = ways
                found = True
    return picks


def _rank(
    solver: Solver, tree: Tree, alive: set[Place], ranks: dict[Place, int], now: list[int] | None
) -> tuple[int | None, list[int]]:
    work = 1 + sum([len(node.children) for node in tree.nodes])
    solver.budget.spend(work, "looking for the way out of a loop")

    def rank_of(place: Place) -> int | None:
        if place in alive:
            return ranks.get(place, _FAR)
        return None if solver.values[place] is None else 0

    inner: list[int | None] = [None] * len(tree.nodes)
    picks = [0] * len(tree.nodes)
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        below = [inner[c] if c < 0 else rank_of(c) for c in node.children]
        safe = [rank for rank in below if rank is not None]
        if type(node) is Decision and now is not None and solver.is_against(node):
            picks[number] = now[number]
            inner[~number] = below[now[number]]
        elif type(node) is Decision:
            inner[~number] = least = min(safe, default=None)
            picks[number] = below.index(least)
        elif len(safe) == len(below):
            inner[~number] = min(safe)
    return (inner[tree.root] if tree.root < 0 else rank_of(tree.root)), picks


def _improve(solver: Solver, alive: set[Place]) -> None:
    while True:
        values = _policy_values(solver, alive)
        for key, value in values.items():
            solver.values[key] = (value.numerator, value.denominator)
        if not any([_switch(solver, key) for key in alive]):
            break


def _policy_values(solver: Solver, alive: set[Place]) -> dict[Place, Fraction]:
    """Return the worth of the present policy from each tree, all at once."""
    from fractions import Fraction

    into: dict[Place, dict[Place, Fraction]] = {key: {} for key in alive}
    fixed: dict[Place, Fraction] = {}
    for key in alive:
        fixed[key] = Fraction(-solver.toll(key))
        for place, shares in solver.shares(key)[1].items():
            share = sum((Fraction(ways, total) for total, ways in shares.items()), Fraction(0))
            if place in alive:
                into[place][key] = share
            else:
                value = solver.values[place]
                assert value is not None
                fixed[key] += share * Fraction(*value)
    return eliminate(into, fixed, solver.budget)


def _switch(solver: Solver, key: Place, *, against: bool = False) -> bool:
    """Go over to options that are strictly better for one side than those of its policy."""
    tree, picks = solver.trees[key], solver.picks[key]
    inner = solver.node_values(key)
    switched = False
    for number, node in enumerate(tree.nodes):
        if type(node) is Decision and solver.is_against(node) == against:
            values = [inner[c] if c < 0 else solver.values[c] for c in node.children]
            for option, value in enumerate(values):
                now = values[picks[number]]
                assert now is not None
                if value is not None and better(value, now, against=against):
                    picks[number] = option
                    switched = True
    return switched


def _prefer_first(solver: Solver, alive: set[Place]) -> None:
    """Among equally good options take the first, unless that would go round for ever."""
    kept = {key: list(solver.picks[key]) for key in alive}
    for key in alive:
        tree, picks = solver.trees[key], solver.picks[key]
        inner = solver.node_values(key)
        for number, node in enumerate(tree.nodes):
            if type(node) is Decision:
                values = [inner[c] if c < 0 else solver.values[c] for c in node.children]
                now = values[picks[number]]
                assert now is not None
                equal = [v is not None and v[0] * now[1] == now[0] * v[1] for v in values]
                picks[number] = equal.index(True)
    if not _surely_ends(solver, alive):
        solver.picks.update(kept)


def _surely_ends(solver: Solver, alive: set[Place]) -> bool:
    ending: set[Place] = set()
    found = True
    while found:
        found = False
        for key in alive - ending:
            if any(place not in alive or place in ending for place in solver.shares(key)[1]):
                ending.add(key)
                found = True
    return ending == alive
