"""Parts in which somebody chooses, each followed once: what can come of it is put into every place
that waits for it.

What is best in a part depends on what follows it, and so does every value in it, but not the ways
that lead through it. So these are followed by themselves, with outcomes in the place of what
follows, and what leads to the same in the same way is one: a die that a check succeeds with, and
another that does no more and no less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.best.places import Outcome, Place, leads_on
from rollwright.engine.compiled.asked import AskedHand, Unseen
from rollwright.engine.compiled.keys import key_of
from rollwright.engine.replay import Given

if TYPE_CHECKING:
    from rollwright.engine.best.nodes import Chance, Child, Decision
    from rollwright.engine.best.trees import Grower
    from rollwright.engine.steps import Call

MOST_PLACES = 50_000
"""Places of a part; with more of them it is followed anew wherever it is awaited."""


class Part(NamedTuple):
    """What can come of a part: inner nodes, and outcomes in the place of what follows."""

    nodes: list[Chance | Decision]
    root: Child
    given: list[Given]

    def led_on(self, ends: list[Place]) -> tuple[list[Chance | Decision], Child]:
        """Return the nodes of a tree in which each outcome leads to the place that follows."""
        nodes = [
            node._replace(children=[c if c < 0 else ends[c] for c in node.children])
            for node in self.nodes
        ]
        return nodes, self.root if self.root < 0 else ends[self.root]


class TooLargeError(Exception):
    """A part that goes round, is cut off, ends in a sum, or is very large."""


class PartMaker:
    """Makes a part of the places that one rule leads to by itself."""

    def __init__(self, grower: Grower) -> None:
        self.grower = grower
        self._given: list[Given] = []
        self._ends: dict[Place, int] = {}
        self._nodes: list[Chance | Decision] = []
        """Each after its children, which is turned round at the end."""
        self._known: dict[object, Child] = {}
        self._led: dict[Place, Child] = {}

    def make(self, call: Call[object]) -> Part:
        """Follow the rule from its beginning, and put together what is the same."""
        for place in self._in_order(self.grower.places.start(call)):
            self._led[place] = self._simplest(place)
        root = self._led[self.grower.places.start(call)]
        last = len(self._nodes) - 1
        turned = [
            node._replace(children=[c if c >= 0 else ~(last - ~c) for c in node.children])
            for node in reversed(self._nodes)
        ]
        return Part(turned, root if root >= 0 else ~(last - ~root), self._given)

    def _in_order(self, start: Place) -> list[Place]:
        """Return every place at which a tree begins, after those that it leads to."""
        grower, ordered = self.grower, list[Place]()
        open_places: set[Place] = set()
        done: set[Place] = set()
        waiting = [start]
        while waiting:
            place = waiting[-1]
            if place in done:
                waiting.pop()
                continue
            if place in open_places:
                open_places.discard(place)
                done.add(place)
                ordered.append(waiting.pop())
                continue
            open_places.add(place)
            for end in grower.grow(place).ends():
                if end in open_places or len(ordered) > MOST_PLACES:
                    raise TooLargeError
                if end not in done and leads_on(grower.places.ends[end]):
                    waiting.append(end)
        return ordered

    def _simplest(self, place: Place) -> Child:
        """Return the one node for all places that lead to the same in the same way."""
        nodes, root = self.grower.grown[place]
        made: list[Child] = [0] * len(nodes)
        for number in range(len(nodes) - 1, -1, -1):
            made[number] = self._one(nodes[number], made)
        return made[~root] if root < 0 else self._led_to(root)

    def _one(self, node: Any, made: list[Child]) -> Child:
        children = [made[~c] if c < 0 else self._led_to(c) for c in node.children]
        key: object
        if hasattr(node, "options"):
            seen = node.seen if node.about is None else ()
            said = key_of((node.options, node.by, node.about, node.against, seen))
            key = (said, *children)
            node = node._replace(children=children)
        else:
            weights: dict[Child, int] = {}
            for child, weight in zip(children, node.weights, strict=True):
                weights[child] = weights.get(child, 0) + weight
            if len(weights) == 1:
                return children[0]
            shares = sorted(weights.items())
            key = (node.total, *shares)
            node = node._replace(weights=tuple(weights.values()), children=[*weights])
        known = self._known.get(key)
        if known is None:
            self._nodes.append(node)
            known = self._known[key] = -len(self._nodes)
        return known

    def _led_to(self, place: Place) -> Child:
        """Return the node for a place, or the number of its outcome."""
        known = self._led.get(place)
        if known is None:
            known = self._led[place] = self._outcome(self.grower.places.ends[place])
        return known

    def _outcome(self, end: object) -> int:
        if type(end) is not Outcome or _is_unseen(end.outcome):
            raise TooLargeError
        self._given.append(Given(end.outcome))
        return len(self._given) - 1


def _is_unseen(outcome: Any) -> bool:
    """Return whether only what is asked is known of an outcome."""
    return type(outcome) in (AskedHand, Unseen)
