"""How edges, bonuses and penalties add up: what counts, what the cap cuts off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollwright.errors import BadField, number_said

EDGE_DICE = (4, 6, 8, 10, 12)
MOST_EDGES = 99
LONGEST_NAME = 60
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)

_NAMES = 'a number, or names such as "high ground, -rain"'

Edges = int | str | tuple[str, ...]
"""A number (negative for lost), or what each edge comes from, with `-` before a lost one."""


class Stack(NamedTuple):
    """Bonuses or penalties of one roll: their sum, the most it may be, and what is left of it."""

    sum: int
    cap: int
    counts: int

    @property
    def wasted(self) -> int:
        """The part of the sum that the cap cuts off."""
        return self.sum - self.counts


def stack(amounts: Iterable[int]) -> Stack:
    """At most twice the largest single one counts.

    >>> stack([1, 1, 1, 2, 2, 3])
    Stack(sum=10, cap=6, counts=6)
    """
    listed = tuple(amounts)
    total, cap = sum(listed), 2 * max(listed, default=0)
    return Stack(total, cap, min(total, cap))


def set_off(
    bonuses: tuple[int, ...], penalties: tuple[int, ...], *, cancel_first: bool = False
) -> int:
    """What bonuses and penalties come to together.

    >>> set_off((3, 3, 3), (3,)), set_off((3, 3, 3), (3,), cancel_first=True)
    (3, 6)
    """
    up, down = stack(bonuses), stack(penalties)
    if not cancel_first:
        return up.counts - down.counts
    net = up.sum - down.sum
    return min(net, up.cap) if net >= 0 else -min(-net, down.cap)


def checked_edges(field: str, given: object, rule: str) -> int | tuple[str, ...]:
    """Edges as a number or as a tuple of names, or a refusal.

    >>> checked_edges("edges", "high ground, -rain", "")
    ('high ground', '-rain')
    """
    if isinstance(given, str):
        words = given.strip().replace("−", "-")
        given = int(words) if _NUMBER.fullmatch(words) else words.split(",", MOST_EDGES)
    if type(given) is int:
        if abs(given) > MOST_EDGES:
            would_do = f"-{MOST_EDGES} to {MOST_EDGES}"
            raise BadField(field, f"{number_said(given)} is too much", rule=rule, would_do=would_do)
        return given
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise BadField(field, "that is no list of edges", rule=rule, would_do=_NAMES)
    return _checked_names(field, given, rule)


def _checked_names(field: str, given: Sequence[str], rule: str) -> tuple[str, ...]:
    """What edges come from: a table's worth of names, none of them empty or endless."""
    if len(given) > MOST_EDGES:
        problem = f"more than {MOST_EDGES} edges are named"
        raise BadField(field, problem, rule=rule, would_do=f"at most {MOST_EDGES} names")
    if any(len(name) > LONGEST_NAME for name in given):
        problem = "what an edge comes from is too long"
        raise BadField(field, problem, rule=rule, would_do=f"at most {LONGEST_NAME} characters")
    names = tuple(_clean(name) for name in given)
    if not all(name.strip("-") and not _NUMBER.fullmatch(name) for name in names):
        raise BadField(field, "an edge comes from something", rule=rule, would_do=_NAMES)
    return names


def _clean(name: str) -> str:
    name = " ".join(name.replace("−", "-", 1).split())
    lost, bare = name.startswith("-"), name.lstrip("+-").strip()
    return f"-{bare}" if lost else bare


def edge_names(edges: Edges) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The names of what gives an edge, of what takes one, and of what is named once too often.

    >>> edge_names(("aid", "Aid", "-rain"))
    (('aid',), ('-rain',), ('Aid',))
    """
    seen: dict[str, str] = {}
    twice = []
    for name in edges if isinstance(edges, tuple) else ():
        if name.casefold() in seen:
            twice.append(name)
        seen.setdefault(name.casefold(), name)
    names = tuple(seen.values())
    lost = tuple(name for name in names if name.startswith("-"))
    return tuple(name for name in names if not name.startswith("-")), lost, tuple(twice)


def net_edges(edges: Edges) -> int:
    """Gained less lost, at most one of each kind from the same thing.

    >>> net_edges(("aid", "Aid", "high ground", "-rain")), net_edges(-2)
    (1, -2)
    """
    if isinstance(edges, int):
        return edges
    gained, lost, _ = edge_names(edges)
    return len(gained) - len(lost)


def edge_size(edges: Edges) -> int:
    """The size of the edge die: 4 to 12, negative where edge is lost, 0 without one.

    >>> [edge_size(n) for n in (0, 1, 3, 7, -2)]
    [0, 4, 8, 12, -6]
    """
    net = net_edges(edges)
    if not net:
        return 0
    size = EDGE_DICE[min(abs(net), len(EDGE_DICE)) - 1]
    return size if net > 0 else -size


def dc_shift(edges: Edges) -> int:
    """How much edges on a DC raise it, or lower it where negative.

    >>> [dc_shift(n) for n in (1, 2, 3, 4, 5, -1)]
    [2, 3, 4, 5, 6, -2]
    """
    return edge_size(edges) // 2
