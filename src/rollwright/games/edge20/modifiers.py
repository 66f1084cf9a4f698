"""Additions to a roll as people write them: edges, bonuses and penalties, effect dice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollwright.dice import Die, Pool
from rollwright.errors import BadField, format_number
from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import Value
from rollwright.kit import refuse_if

msg = words_of(__package__ or __name__).msg

EDGE_DICE = (4, 6, 8, 10, 12)
MOST_EDGES = 99
LONGEST_NAME = 60
MOST_DICE = 40
SIZES = range(2, 101)
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)
_TERM = re.compile(r"([+-]?)(?:(\d{0,9})d(\d{1,9})|(\d{1,9}))", re.IGNORECASE)
EDGES_SAID = msg("fits.edges")

Edges = int | str | tuple[str, ...]
"""A number (negative for lost), or what each edge comes from, with `-` before a lost one."""


class Stack(NamedTuple):
    """Bonuses or penalties of one roll: their sum, the most it may be, and what is left of it."""

    sum: int
    cap: int
    counts: int

    @property
    def wasted(self) -> int:
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
    """Return the total of bonuses and penalties.

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
            problem = msg("refusal.edges.much", n=format_number(given))
            would_do = msg("fits.edges.range", most=MOST_EDGES)
            raise BadField(field, problem, rule=rule, would_do=would_do)
        return given
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise BadField(field, msg("refusal.edges.list"), rule=rule, would_do=EDGES_SAID)
    return _checked_names(field, given, rule)


def _checked_names(field: str, given: Sequence[str], rule: str) -> tuple[str, ...]:
    """Return the names of edges, checked: not too many, and none of them empty or endless."""
    many, fewer = (
        msg("refusal.edges.many", most=MOST_EDGES),
        msg("fits.edges.many", most=MOST_EDGES),
    )
    refuse_if(len(given) > MOST_EDGES, field, many, rule, fewer)
    endless, shorter = msg("refusal.edges.long"), msg("fits.edges.long", most=LONGEST_NAME)
    refuse_if(any(len(name) > LONGEST_NAME for name in given), field, endless, rule, shorter)
    names = tuple(_clean(name) for name in given)
    empty = not all(name.strip("-") and not _NUMBER.fullmatch(name) for name in names)
    refuse_if(empty, field, msg("refusal.edges.empty"), rule, EDGES_SAID)
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
    gained: list[str] = []
    lost: list[str] = []
    twice: list[str] = []
    seen: set[str] = set()
    for name in edges if isinstance(edges, tuple) else ():
        kind = twice if name.casefold() in seen else lost if name.startswith("-") else gained
        kind.append(name)
        seen.add(name.casefold())
    return tuple(gained), tuple(lost), tuple(twice)


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
    size = EDGE_DICE[min(abs(net), len(EDGE_DICE)) - 1] if net else 0
    return size if net > 0 else -size


def dc_shift(edges: Edges) -> int:
    """How much edges on a DC raise it, or lower it where negative.

    >>> [dc_shift(n) for n in (1, 2, 3, 4, 5, -1)]
    [2, 3, 4, 5, 6, -2]
    """
    return edge_size(edges) // 2


class EffectDice(NamedTuple):
    """Dice to be added up, and a flat part."""

    pool: Pool
    flat: int

    @property
    def kinds(self) -> tuple[Die, ...]:
        """Each kind of them once."""
        return _kinds(self.pool)

    @property
    def highest(self) -> int:
        """The sum with every die at its highest; the flat part stays as it is."""
        return self.flat + _highest(self.pool)


@lru_cache(maxsize=1000)
def _kinds(pool: Pool) -> tuple[Die, ...]:
    return tuple(dict.fromkeys(pool))


@lru_cache(maxsize=1000)
def _highest(pool: Pool) -> int:
    return sum(len(die.faces) for die in pool)


@lru_cache(maxsize=1000)
def effect_dice(text: str) -> EffectDice:
    """The dice behind the text.

    >>> effect_dice("2d6 + d4 - 1")
    EffectDice(pool=effect D4 + 2 effect D6, flat=-1)
    """
    rest = "".join(text.split())
    counts: dict[Die, int] = {}
    flat, place = 0, 0
    while place < len(rest):
        term = _TERM.match(rest, place)
        if term is None or (place and not term[1]):
            raise _refused("text", rest=repr(rest[place:]), text=repr(text))
        place = term.end()
        if term[4]:
            flat += int(term[1] + term[4])
        else:
            die, count = _dice(term)
            counts[die] = counts.get(die, 0) + count
    if sum(counts.values()) > MOST_DICE:
        raise _refused("many", n=str(sum(counts.values())), most=MOST_DICE)
    return EffectDice(Pool(counts), flat)


def _dice(term: re.Match[str]) -> tuple[Die, int]:
    count, size = int(term[2] or 1), int(term[3])
    if term[1] == "-":
        raise _refused("less", term=repr(term[0]))
    if size not in SIZES:
        raise _refused("sides", low=SIZES[0], high=SIZES[-1], n=str(size))
    return Die(size, name="effect"), count


def _refused(why: str, **values: Value) -> BadField:
    problem = msg(f"refusal.dice.{why}", **values)
    return BadField("effect", problem, rule="EDGE R5", would_do=msg("fits.dice"))
