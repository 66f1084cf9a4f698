"""Loops that grow in best play: what is far off and next to nothing is left uncounted.

A way through a rule is followed to its end before the next, so one without an end would be followed
for ever. Once half of the work has gone into such a rule, it is followed breadth first, and each
place is given the most that it can weigh: at a throw its chance, at a choice as much as the choice.
Where all that is left weighs next to nothing, however one plays, it is cut off, and counts as the
worst that can happen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rollwright.engine.best.nodes import Decision, Tree
from rollwright.engine.best.places import LOST, NOTED, Place, leads_on
from rollwright.engine.best.trees import Grower
from rollwright.engine.compiled.table import NEXT_TO_NOTHING
from rollwright.engine.odds.count import GROWN

if TYPE_CHECKING:
    from rollwright.engine.compiled.slopes import RunningNumbers

SOON = 10
"""Of the work that is left, so small a part shows that a number told apart grows for ever."""
VALUED = 4
"""Where one in so many new places was valued since it was looked at last, ways come to an end."""
MADE = 100
"""So many new places since it was looked at last show that places are still being found."""


class GrowsError(Exception):
    """Half of the work is spent, and more and more places are found."""


class Watched:
    """Around the search for best play: notices that a rule grows and grows."""

    __slots__ = ("_grower", "_before", "_places", "_valued", "_tells")

    def __init__(self, grower: Grower) -> None:
        self._grower = grower
        budget = grower.budget
        self._before = budget.spent
        self._places = self._valued = 0
        self._tells: Callable[[int], object] | None = budget.progress

    def __enter__(self) -> None:
        if not self._grower.cuts:
            self._grower.budget.progress = self._look

    def __exit__(self, *problem: object) -> None:
        self._grower.budget.progress = self._tells

    def _look(self, spent: int) -> None:
        if self._tells is not None:
            self._tells(spent)
        grower, budget = self._grower, self._grower.budget
        more, self._places = len(grower.places.ends) - self._places, len(grower.places.ends)
        valued, self._valued = len(grower.valued) - self._valued, len(grower.valued)
        if more < MADE or not _is_unbounded(grower):
            return
        if valued * VALUED > more:
            return  # ways come to their ends
        part = SOON if _told_apart(grower.running) else 2
        work = (budget.spent - self._before) * part > budget.work - self._before
        if work or budget.kept * 2 > budget.room:
            raise GrowsError


def _is_unbounded(grower: Grower) -> bool:
    """Whether a loop was come to that nothing bounds, or a rule was begun again and again."""
    return grower.compiling.grows or grower.places.most_starts >= GROWN


def _told_apart(running: RunningNumbers | None) -> bool:
    """Whether a number was to run that is only added to, and something looks at it after all."""
    return running is not None and running.are_seen


def cut_off(grower: Grower, start: Place) -> None:
    """Grow what can be come to, and end it where all that is left weighs next to nothing.

    A rule that comes to its end within twice as many places is no loop without one, and is kept.
    """
    ends, met = grower.places.ends, dict[Place, float]()
    waiting, enough = {start: 1.0}, 0
    while waiting:
        further: dict[Place, float] = {}
        for place, weight in waiting.items():
            before = met.get(place, 0.0)
            if before < 1:  # nothing is come to more often than always
                met[place] = before + weight
                grower.budget.spend(1, "looking for what weighs next to nothing")
                _share_out(grower.grow(place), min(weight, 1 - before), further)
        waiting = {place: weight for place, weight in further.items() if leads_on(ends[place])}
        if sum(waiting.values()) < NEXT_TO_NOTHING:
            enough = enough or 2 * len(met) + GROWN
            if len(met) > enough:
                break
    for place in waiting:
        if place not in met:
            grower.grown[place], ends[place] = Tree([], LOST), NOTED
            grower.loses = True


def _share_out(tree: Tree, weight: float, into: dict[Place, float]) -> None:
    """Add the most that each end of a tree can weigh."""
    nodes = [0.0] * len(tree.nodes)

    def reach(child: int, part: float) -> None:
        if child < 0:
            nodes[~child] += part
        else:
            into[child] = into.get(child, 0.0) + part

    reach(tree.root, weight)
    for node, part in zip(tree.nodes, nodes):
        if type(node) is Decision:
            for child in node.children:
                reach(child, part)
        else:
            for child, ways in zip(node.children, node.weights, strict=True):  # type: ignore[union-attr]
                reach(child, part * (ways / node.total))  # type: ignore[union-attr]
