"""A die and its faces, and pools of dice.

Dice and pools are values: they are compared by what they show, and anything that looks like a
change gives another die. Equal dice are interchangeable; two dice with the same faces that mean
different things get different names.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from math import prod
from typing import Any
from weakref import WeakValueDictionary

from rollwright.errors import BadDie

Face = Any
"""What one side of a die shows: a number, a label, or any other hashable value."""

MOST_FACES = 100_000
MOST_DICE = 1_000_000


_dice: WeakValueDictionary[Any, Die] = WeakValueDictionary()
_pools: WeakValueDictionary[Any, Pool] = WeakValueDictionary()

_one_at_a_time = allocate_lock()


def _die_again(faces: tuple[Face, ...], weights: tuple[int, ...], name: str) -> Die:
    return Die(dict(zip(faces, weights, strict=True)), name=name)


class Die:
    """Faces with whole-number weights: `Die(6)`, `Die([1, 1, 2, 3])`, `Die({"hit": 1, "miss": 2})`.

    >>> Die(6)
    D6
    >>> Die({"hit": 1, "miss": 2}).faces
    ('hit', 'miss')
    >>> Die(6, name="ammo")
    ammo D6
    """

    __slots__ = ("faces", "weights", "total", "name", "_order", "__weakref__")

    faces: tuple[Face, ...]
    weights: tuple[int, ...]
    total: int
    name: str
    _order: tuple[Any, ...] | None

    def __new__(cls, faces: int | Iterable[Face] | Mapping[Face, int], *, name: str = "") -> Die:
        if isinstance(faces, int):
            return cls._known(*_numbered(faces), name)
        weights = dict(faces) if isinstance(faces, Mapping) else _counted(faces)
        return cls._known(*_checked(weights), name)

    @classmethod
    def _known(cls, faces: tuple[Face, ...], weights: tuple[int, ...], name: str) -> Die:
        """The one die with these faces; equal dice are the same object, so comparing is quick."""
        key = (*map(type, faces), faces, weights, name)
        die = _dice.get(key)
        if die is None:
            die = object.__new__(cls)
            die.faces = faces
            die.weights = weights
            die.total = sum(weights)
            die.name = name
            die._order = None
            with _one_at_a_time:
                die = _dice.setdefault(key, die)
        return die

    def __reduce__(self) -> tuple[Any, ...]:
        return (_die_again, (self.faces, self.weights, self.name))

    def named(self, name: str) -> Die:
        """The same faces under another name: a die that is not interchangeable with this one."""
        return Die._known(self.faces, self.weights, name)

    def only(self, faces: Iterable[Face]) -> Die:
        """This die, known to show one of these faces.

        >>> Die(6).only([2, 3])
        D{2, 3}
        """
        wanted = set(faces)
        kept = [(f, w) for f, w in zip(self.faces, self.weights) if f in wanted]
        if not kept:
            raise BadDie(f"{self!r} shows none of {sorted(map(repr, wanted))}")
        return Die._known(tuple(f for f, _ in kept), tuple(w for _, w in kept), self.name)

    @property
    def items(self) -> Iterator[tuple[Face, int]]:
        """Each face with its weight, in order."""
        return zip(self.faces, self.weights)

    @property
    def is_numbered(self) -> bool:
        """Whether this is an ordinary die: 1 to n, each as likely as the others."""
        return self.weights == (1,) * len(self.faces) and self.faces == tuple(
            range(1, len(self.faces) + 1)
        )

    def __lt__(self, other: Die) -> bool:
        return self.order < other.order

    @property
    def order(self) -> tuple[Any, ...]:
        """Where this die stands in a pool: unnamed before named, small before large."""
        known = self._order
        if known is None:
            known = self._order = (self.name, len(self.faces), repr(self.faces), self.weights)
        return known

    def __add__(self, other: Die | Pool) -> Pool:
        return Pool((self,)) + other

    def __rmul__(self, count: int) -> Pool:
        return Pool({self: count})

    def __repr__(self) -> str:
        if self.is_numbered:
            shape = f"D{len(self.faces)}"
        elif set(self.weights) == {1}:
            shape = "D{" + ", ".join(map(str, self.faces)) + "}"
        else:
            shape = "D{" + ", ".join(f"{f}: {w}" for f, w in self.items) + "}"
        return f"{self.name} {shape}" if self.name else shape


def _numbered(sides: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(sides, bool) or not 1 <= sides <= MOST_FACES:
        raise BadDie(f"a die has 1 to {MOST_FACES:,} faces, not {sides}")
    return tuple(range(1, sides + 1)), (1,) * sides


def _counted(faces: Iterable[Face]) -> dict[Face, int]:
    weights: dict[Face, int] = {}
    for face in faces:
        try:
            weights[face] = weights.get(face, 0) + 1
        except TypeError:
            raise BadDie(f"a face must be a plain, unchanging value, not {face!r}") from None
    return weights


def _checked(weights: dict[Face, int]) -> tuple[tuple[Face, ...], tuple[int, ...]]:
    if not weights:
        raise BadDie("a die needs at least one face")
    if len(weights) > MOST_FACES:
        raise BadDie(f"a die has 1 to {MOST_FACES:,} faces, not {len(weights):,}")
    for face, weight in weights.items():
        if isinstance(face, float):
            raise BadDie(f"the face {face!r} is inexact; use a whole number or a Fraction")
        if type(weight) is not int or weight < 1:
            raise BadDie(f"the face {face!r} needs a whole weight of at least 1, not {weight!r}")
    faces = in_order(weights)
    return faces, tuple(weights[face] for face in faces)


def in_order(faces: Iterable[Face]) -> tuple[Face, ...]:
    """Sorted where the values have an order, as given where they have none."""
    listed = tuple(faces)
    try:
        return tuple(sorted(listed))
    except TypeError:
        return listed


class Pool:
    """Dice thrown together: a multiset of dice, small dice first.

    >>> Pool([Die(12), Die(8)]) + 3 * Die(6, name="ammo")
    D8 + D12 + 3 ammo D6
    """

    __slots__ = ("groups", "size", "__weakref__")

    groups: tuple[tuple[Die, int], ...]
    """Each different die with how many of it there are."""
    size: int

    def __new__(cls, dice: Iterable[Die] | Mapping[Die, int] = ()) -> Pool:
        counts = dict(dice) if isinstance(dice, Mapping) else _tallied(dice)
        for die, count in counts.items():
            if type(die) is not Die:
                raise BadDie(f"a pool is made of dice, not {die!r}")
            if type(count) is not int or count < 0:
                raise BadDie(f"a pool has a whole number of {die!r}, not {count!r}")
        groups = [(die, count) for die, count in counts.items() if count]
        if len(groups) > 1:
            groups.sort(key=lambda group: group[0].order)
        return cls._known(tuple(groups))

    @classmethod
    def _known(cls, groups: tuple[tuple[Die, int], ...]) -> Pool:
        """The one pool of these dice; equal pools are the same object."""
        pool = _pools.get(groups)
        if pool is None:
            size = sum(count for _, count in groups)
            if size > MOST_DICE:
                raise BadDie(f"a pool has at most {MOST_DICE:,} dice, not {size:,}")
            pool = object.__new__(cls)
            pool.groups = groups
            pool.size = size
            with _one_at_a_time:
                pool = _pools.setdefault(groups, pool)
        return pool

    def __reduce__(self) -> tuple[Any, ...]:
        return (Pool, (dict(self.groups),))

    @property
    def dice(self) -> tuple[Die, ...]:
        """Every die, one by one, in the order faces are given for them."""
        return tuple(die for die, count in self.groups for _ in range(count))

    @property
    def total(self) -> int:
        """The weight of all throws together."""
        return prod([die.total**count for die, count in self.groups])

    def __iter__(self) -> Iterator[Die]:
        return iter(self.dice)

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return self.size > 0

    def __add__(self, other: Die | Pool) -> Pool:
        if isinstance(other, Die):
            other = Pool((other,))
        if not isinstance(other, Pool):
            return NotImplemented
        counts = dict(self.groups)
        for die, count in other.groups:
            counts[die] = counts.get(die, 0) + count
        return Pool(counts)

    def __radd__(self, other: Die) -> Pool:
        return self + other

    def __repr__(self) -> str:
        if not self.groups:
            return "no dice"
        return " + ".join(
            f"{count} {die!r}" if die.name and count > 1 else f"{count if count > 1 else ''}{die!r}"
            for die, count in self.groups
        )


def _tallied(dice: Iterable[Die]) -> dict[Die, int]:
    counts: dict[Die, int] = {}
    for die in dice:
        counts[die] = counts.get(die, 0) + 1
    return counts


D4, D6, D8, D10, D12, D20, D100 = (Die(n) for n in (4, 6, 8, 10, 12, 20, 100))


Reader = Callable[..., Hashable]
"""Reads a face: `read(face)`, or `read(face, die)` where dice of several kinds lie together."""

_known_readings: dict[tuple[object, Die], tuple[Any, ...]] = {}
_known_tables: dict[tuple[object, Pool], tuple[tuple[Any, ...], ...]] = {}
_MOST_KNOWN = 20_000


def readings(die: Die, read: Reader | None) -> tuple[Any, ...]:
    """What `read` makes of each face of `die`, parallel to `die.faces`.

    A reader without memory of its own is asked once per die, ever, so it must not go by a global
    that changes; one that closes over something, such as a difficulty, is asked each time.

    >>> readings(Die(4), lambda face: face >= 3)
    (False, False, True, True)
    """
    if read is None:
        return die.faces
    code = lasting_code(read)
    if code is not None:
        known = _known_readings.get((code, die))
        if known is not None:
            return known
    table = _asked(die, read)
    if code is not None:
        if len(_known_readings) > _MOST_KNOWN:
            _known_readings.clear()
        _known_readings[code, die] = table
    return table


def tables(pool: Pool, read: Reader | None) -> tuple[tuple[Any, ...], ...]:
    """What `read` makes of the faces of each kind of die in a pool."""
    code = None if read is None else lasting_code(read)
    if code is None:
        return tuple([readings(die, read) for die, _ in pool.groups])
    known = _known_tables.get((code, pool))
    if known is None:
        if len(_known_tables) > _MOST_KNOWN:
            _known_tables.clear()
        known = tuple([readings(die, read) for die, _ in pool.groups])
        _known_tables[code, pool] = known
    return known


def lasting_code(read: Any) -> object:
    """What stands for a reader that always reads alike; None for one with a memory of its own."""
    code = getattr(read, "__code__", None)
    if code is None or read.__closure__ or read.__defaults__ or hasattr(read, "__self__"):
        return None
    found: object = code
    return found


def _asked(die: Die, read: Any) -> tuple[Any, ...]:
    code = getattr(read, "__code__", None)
    if code is not None:
        own = 1 if hasattr(read, "__self__") else 0
        wanted = code.co_argcount - own - len(read.__defaults__ or ())
        if wanted >= 2:
            return tuple([read(face, die) for face in die.faces])
    return tuple(map(read, die.faces))
