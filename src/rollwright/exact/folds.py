"""States folded over (reading, how many dice show it), reading by reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

from rollwright.budget import Budget, Work
from rollwright.dice import Die, Outcome, Pool, in_order
from rollwright.errors import BadDist
from rollwright.exact.dist import Dist
from rollwright.exact.passes import Automaton, Pass, Side
from rollwright.exact.pools import kinds_of
from rollwright.exact.sums import Code, NumberCode, encode
from rollwright.readings import Reader, Reading, readings

S = TypeVar("S")


@overload
def reduce(
    pool: Pool | Die,
    start: S,
    step: Callable[[S, Reading, int], S],
    *,
    read: Reader | None = None,
    add: None = None,
    budget: Budget | None = None,
) -> Dist[S]: ...


@overload
def reduce(
    pool: Pool | Die,
    start: S,
    step: Callable[[S, Reading, int], S],
    *,
    read: Reader | None = None,
    add: Reader,
    budget: Budget | None = None,
) -> Dist[tuple[Outcome, S]]: ...


def reduce(
    pool: Pool | Die,
    start: S,
    step: Callable[[S, Reading, int], S],
    *,
    read: Reader | None = None,
    add: Reader | None = None,
    budget: Budget | None = None,
) -> Dist[Outcome]:
    """The state after `step(state, reading, count)` for every reading, rising, also with count 0.

    This gives odds at once; what a rule awaits is `rollwright.rules.fold`.

    With `add`, a reader of numbers or tuples that are summed over all dice, the outcomes are
    pairs of the sum and the state. What can be added is best kept out of the state: the work then
    hardly grows with it. `step` must depend on nothing but what it is given; it may be asked
    about cases that turn out not to happen.

    >>> from rollwright.dice import D6
    >>> reduce(3 * D6, False, lambda seen, face, count: seen or count >= 2)[True]
    96
    >>> reduce(2 * D6, 0, lambda most, face, count: max(most, count), add=lambda face: face)[7, 1]
    6
    """
    sides, code = _sides(pool, read, add)
    work = Work(budget, "folding", pool, "fold fewer dice, or keep less in the state")
    faces = _faces(sides)
    size = sum([side.count for side in sides])
    automaton = Automaton(start, step, faces, size, work)
    made = Pass(sides, [face for face, _ in faces], automaton, work).weights()
    total = 1
    for side in sides:
        total *= side.total**side.count
    states = automaton.states
    if add is None:
        return Dist._build({states[s]: weights[0] for s, weights in made.items()}, total)
    return Dist._build(_pair(made, states, code), total)


def _sides(pool: Pool | Die, read: Reader | None, add: Reader | None) -> tuple[list[Side], Code]:
    """Each kind of die: for each reading, the weights of what it adds."""
    if not isinstance(pool, (Pool, Die)):
        raise BadDist(f"a pool of dice is needed, such as 3 * D6, not {pool!r}")
    groups = ((pool, 1),) if isinstance(pool, Die) else pool.groups
    adds, code = _values_by_group(groups, add)
    made = []
    for (die, count), extra in zip(groups, adds, strict=True):
        table: dict[Reading, dict[int, int]] = {}
        for reading, more, weight in zip(readings(die, read), extra, die.weights, strict=True):
            part = table.setdefault(reading, {})
            part[more] = part.get(more, 0) + weight
        made.append(Side(table, count))
    return (made if len(made) < 2 else _merge_sides(made)), code


def _merge_sides(sides: list[Side]) -> list[Side]:
    """Dice that read and add alike are of one kind."""
    made: dict[frozenset[tuple[Reading, frozenset[tuple[int, int]]]], Side] = {}
    for side in sides:
        key = frozenset([(r, frozenset(part.items())) for r, part in side.table.items()])
        if key in made:
            made[key].count += side.count
        else:
            made[key] = side
    return list(made.values())


def _values_by_group(
    groups: tuple[tuple[Die, int], ...], add: Reader | None
) -> tuple[Sequence[Sequence[int]], Code]:
    """For each group what each face adds, as a whole number."""
    if add is None or not groups:
        return [[0] * len(die.faces) for die, _ in groups], NumberCode()
    extras = [readings(die, add) for die, _ in groups]
    if {type(extra) for row in extras for extra in row} <= {int}:
        return extras, NumberCode()
    tables = [(dict.fromkeys(row, 1), n) for row, (_, n) in zip(extras, groups, strict=True)]
    numbers, code = encode(tables, "what is added")
    adds = []
    for row, (table, _), (numbered, _) in zip(extras, tables, numbers, strict=True):
        codes = dict(zip(table, numbered, strict=True))
        adds.append([codes[extra] for extra in row])
    return adds, code


def _faces(sides: list[Side]) -> list[tuple[Outcome, int]]:
    """Every reading in order, with how many dice can show it."""
    most: dict[Outcome, int] = {}
    for side in sides:
        for reading in side.table:
            most[reading] = most.get(reading, 0) + side.count
    return [(reading, most[reading]) for reading in in_order(most)]


def _pair(
    made: dict[int, dict[int, int]], states: list[Outcome], code: Code
) -> dict[tuple[Outcome, Outcome], int]:
    pairs: dict[tuple[Outcome, Outcome], int] = {}
    for state, sums in made.items():
        end = states[state]
        for outcome, weight in code.read(sums).items():
            pairs[outcome, end] = weight
    return pairs


def largest_set(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many dice the largest group of dice alike has.

    >>> from rollwright.dice import D6
    >>> largest_set(3 * D6).weights
    (120, 90, 6)
    """
    return reduce(pool, 0, lambda most, _, count: max(most, count), read=read, budget=budget)


def pairs(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many pairs can be laid aside, no die used twice: four alike are two pairs.

    >>> from rollwright.dice import D6
    >>> pairs(4 * D6).weights
    (360, 840, 96)
    """
    return sets_of(pool, 2, read, budget=budget)


def sets_of(
    pool: Pool | Die, size: int, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many sets of `size` dice alike can be laid aside, no die used twice."""
    if type(size) is not int or size < 1:
        raise BadDist(f"a set has at least one die, not {size!r}")
    return reduce(pool, 0, lambda sets, _, count: sets + count // size, read=read, budget=budget)


def longest_run(
    pool: Pool | Die, read: Reader | None = None, *, budget: Budget | None = None
) -> Dist[int]:
    """How many whole numbers in a row are shown at most.

    >>> from rollwright.dice import D6
    >>> longest_run(5 * D6)[5]
    240
    """
    every = {reading for table, _ in kinds_of(pool, read) for reading in table}
    for reading in every:
        if not isinstance(reading, int):
            raise BadDist(f"a run is of whole numbers, but a die reads {reading!r}")

    def step(run: tuple[int, int], face: int, count: int) -> tuple[int, int]:
        longest, now = run
        if not count:
            return longest, 0
        now = now + 1 if face - 1 in every else 1
        return max(longest, now), now

    return reduce(pool, (0, 0), step, read=read, budget=budget).map(lambda run: run[0])
