"""The nodes of trees of decisions: throws and choices, and where they lead."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from rollwright.engine.best.places import Place
from rollwright.engine.steps import Option, Tokens

KEPT_WAY = 50
"""About how many bytes are kept for each way on from a position of a compiled rule."""
Child = int
"""The number of a place; or, below 0, of a node in the same tree: -1 is the first."""


class Chance(NamedTuple):
    """A throw: children with their weights."""

    total: int
    weights: Sequence[int]
    children: list[Child]


class Decision(NamedTuple):
    """A choice: one child for each option."""

    options: tuple[Option, ...]
    by: str
    about: Hashable
    against: bool
    seen: Tokens
    """The answers that the chooser has seen of the rule under way."""
    children: list[Child]


class Tree(NamedTuple):
    """Inner nodes, each before its children."""

    nodes: list[Chance | Decision]
    root: Child

    def ends(self) -> Iterable[Place]:
        """The places where it ends, some of them more than once."""
        nodes = self.nodes
        if len(nodes) == 1:
            return nodes[0].children
        if not nodes:
            return (self.root,)
        return [child for node in nodes for child in node.children if child >= 0]


class Runs(Exception):
    """Many positions differ in numbers that are only added to: those may run."""


def merged(children: list[Child], weights: Sequence[int]) -> tuple[tuple[int, ...], list[Child]]:
    """Weights and children, each child once."""
    if len({*children}) == len(children):
        return tuple(weights), children
    merged: dict[Child, int] = {}
    for child, weight in zip(children, weights, strict=True):
        merged[child] = merged.get(child, 0) + weight
    return tuple(merged.values()), list(merged)
