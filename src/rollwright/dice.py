"""A die and its faces, and pools of dice.

Dice and pools are values: they are compared by what they show, and anything that looks like a
change gives another die. Equal dice are interchangeable; two dice with the same faces that mean
different things get different names.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import gcd, prod
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload, runtime_checkable
from weakref import ref

from rollwright.arithmetic import Arithmetic
from rollwright.errors import BadDie, format_number

if TYPE_CHECKING:
    from rollwright.exact.dist import Dist, Operand

Face = Any
"""Type of one side of a die: a number, a label, or any other hashable value."""
Outcome = Any
"""Type of the result of a throw or a rule: any hashable value."""

T = TypeVar("T")
One = TypeVar("One")
Order = tuple[str, int, str, tuple[int, ...]]

MOST_FACES = 100_000
MOST_DICE = 1_000_000


_one_at_a_time = allocate_lock()


class _InternTable(Generic[One]):
    """Values of which there is one each; those that nobody holds are swept out now and then.

    A `WeakValueDictionary` does the same, but takes longer to look up than a small count takes.
    """

    __slots__ = ("limit", "refs")

    def __init__(self) -> None:
        self.refs: dict[object, ref[One]] = {}
        self.limit = 1000

    def first(self, key: object, made: One) -> One:
        """Return the value known under a key, which is `made` unless another thread was sooner."""
        found = self.refs.setdefault(key, ref(made))()  # one thread wins, without a lock
        if found is None or len(self.refs) > self.limit:
            with _one_at_a_time:
                found = self.refs[key]() or made
                self.refs[key] = ref(found)
                self._sweep()
        return found

    def _sweep(self) -> None:
        if len(self.refs) > self.limit:
            for key, known in list(self.refs.items()):
                if known() is None:
                    del self.refs[key]
            self.limit = 1000 + 2 * len(self.refs)


_dice: _InternTable[Die] = _InternTable()
_pools: _InternTable[Pool] = _InternTable()


def _die_again(faces: tuple[Face, ...], weights: tuple[int, ...], name: str) -> Die:
    return Die(dict(zip(faces, weights, strict=True)), name=name)


class Die(Arithmetic):
    """Faces with whole-number weights: `Die(6)`, `Die([1, 1, 2, 3])`, `Die({"hit": 1, "miss": 2})`.

    >>> Die(6)
    D6
    >>> Die({"hit": 1, "miss": 2}).faces
    ('hit', 'miss')
    >>> Die(6, name="ammo")
    ammo D6
    >>> (Die(6) + 1).outcomes, (2 * Die(6) >= 10).p(True)
    ((2, 3, 4, 5, 6, 7), Fraction(1, 6))
    """

    __slots__ = (
        "faces",
        "weights",
        "total",
        "name",
        "is_ranked",
        "_numbered",
        "_order",
        "__weakref__",
    )

    faces: tuple[Face, ...]
    weights: tuple[int, ...]
    total: int
    name: str
    is_ranked: bool
    """Whether the faces have an order, and so rise from the first to the last."""
    _order: Order | None
    _numbered: bool | None

    def __new__(cls, faces: int | Iterable[Face] | Mapping[Face, int], *, name: str = "") -> Die:
        if isinstance(faces, int):
            return cls._intern(*_number_faces(faces), name)
        mapped = type(faces) is dict or isinstance(faces, Mapping)
        if mapped:
            weights = dict(faces)
        else:
            weights = _faces_of_dist(faces) if isinstance(faces, Weighed) else _count_faces(faces)
        return cls._intern(*_check_weights(weights), name)

    @classmethod
    def _intern(cls, faces: tuple[Face, ...], weights: tuple[int, ...], name: str) -> Die:
        """The one die with these faces; equal dice are the same object, so comparing is quick."""
        key = (*map(type, faces), faces, weights, name)
        known = _dice.refs.get(key)
        die = None if known is None else known()
        if die is None:
            die = object.__new__(cls)
            die.faces = faces
            die.weights = weights
            die.total = sum(weights)
            die.name = name
            die.is_ranked = _rises(faces)
            die._order = None
            die._numbered = None
            die = _dice.first(key, die)
        return die

    def __reduce__(self) -> tuple[object, ...]:
        return (_die_again, (self.faces, self.weights, self.name))

    def named(self, name: str) -> Die:
        """The same faces under another name: a die that is not interchangeable with this one."""
        return Die._intern(self.faces, self.weights, name)

    def only(self, faces: Iterable[Face]) -> Die:
        """This die, known to show one of these faces.

        >>> Die(6).only([2, 3])
        D{2, 3}
        """
        wanted = set(faces)
        kept = [(f, w) for f, w in zip(self.faces, self.weights) if f in wanted]
        if not kept:
            raise BadDie(f"{self!r} shows none of {sorted(map(repr, wanted))}")
        return Die._intern(tuple(f for f, _ in kept), tuple(w for _, w in kept), self.name)

    @property
    def items(self) -> Iterator[tuple[Face, int]]:
        """Each face with its weight, in order."""
        return zip(self.faces, self.weights)

    @property
    def is_numbered(self) -> bool:
        """Whether this is an ordinary die: 1 to n, each as likely as the others."""
        known = self._numbered
        if known is None:
            sides = len(self.faces)
            known = self._numbered = (
                self.weights == (1,) * sides
                and self.faces == tuple(range(1, sides + 1))
                and all(type(face) is int for face in self.faces)
            )
        return known

    @property
    def order(self) -> Order:
        """The sort key of this die in a pool: unnamed before named, small before large."""
        known = self._order
        if known is None:
            known = self._order = (self.name, len(self.faces), repr(self.faces), self.weights)
        return known

    if TYPE_CHECKING:

        @overload
        def __add__(self, other: Die | Pool) -> Pool: ...
        @overload
        def __add__(self, other: Operand) -> Dist[Any]: ...
        def __add__(self, other: Any) -> Any: ...

    def _pool_with(self, other: Any) -> Pool | None:
        return _join(((self, 1),), other)

    def __rmul__(self, count: int) -> Pool:
        if type(count) is int and count > 0:  # nothing to check, merge or sort
            return Pool._intern(((self, count),), count)
        return Pool({self: count})

    def __repr__(self) -> str:
        if self.name and not self.is_numbered:
            return self.name
        if self.is_numbered:
            shape = f"D{len(self.faces)}"
        elif set(self.weights) == {1}:
            shape = "D{" + ", ".join(map(str, self.faces)) + "}"
        else:
            shape = "D{" + ", ".join(f"{f}: {format_number(w)}" for f, w in self.items) + "}"
        return f"{self.name} {shape}" if self.name else shape


def _number_faces(sides: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(sides, bool) or not 1 <= sides <= MOST_FACES:
        raise BadDie(f"a die has 1 to {MOST_FACES:,} faces, not {format_number(int(sides))}")
    return tuple(range(1, sides + 1)), (1,) * sides


@runtime_checkable
class Weighed(Protocol):
    """Outcomes with whole-number weights, as a distribution has them."""

    @property
    def lost(self) -> int:
        """The weight that a stated bound cut off."""
        ...

    def items(self) -> list[tuple[Outcome, int]]:
        """Each outcome with its weight."""
        ...


def _faces_of_dist(dist: Weighed) -> dict[Face, int]:
    """A distribution as a die: a face for each outcome, as likely as that."""
    if dist.lost:
        raise BadDie("a bound has cut off a part of these odds, so they make no die")
    items = dist.items()
    common = gcd(*[weight for _, weight in items])
    return {outcome: weight // common for outcome, weight in items}


def _count_faces(faces: Iterable[Face]) -> dict[Face, int]:
    if not isinstance(faces, Iterable):
        raise BadDie(
            f"a die is made of a number of faces or of the faces themselves, not {faces!r}"
        )
    weights: dict[Face, int] = {}
    for face in islice(faces, MOST_FACES * 10 + 1):
        try:
            weights[face] = weights.get(face, 0) + 1
        except TypeError:
            raise BadDie(f"a face must be a plain, unchanging value, not {face!r}") from None
    if sum(weights.values()) > MOST_FACES * 10:
        raise BadDie(f"a die is listed with at most {MOST_FACES * 10:,} faces; give them weights")
    return weights


def _check_weights(weights: dict[Face, int]) -> tuple[tuple[Face, ...], tuple[int, ...]]:
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


def in_order(values: Iterable[T]) -> tuple[T, ...]:
    """Sorted by one order that all values have, whatever else lies beside them.

    >>> in_order(["b", 10, None, 2, "a"])
    (2, 10, 'a', 'b', None)
    """
    listed: tuple[Any, ...] = tuple(values)
    kinds = {*map(type, listed)}
    if len(kinds) == 1 and kinds <= _SORTED_BY_THEMSELVES:
        return tuple(sorted(listed))
    return tuple(sorted(listed, key=standing))


_SORTED_BY_THEMSELVES = {int, str, bool}


def standing(value: object) -> tuple[Any, ...]:
    """Return the sort key of a value of any kind: numbers, texts, tuples, then the rest."""
    if isinstance(value, int) or type(value).__name__ == "Fraction":
        return (0, value)
    if isinstance(value, str):
        return (1, value)
    if isinstance(value, tuple):
        return (2, tuple([standing(part) for part in value]))
    if isinstance(value, frozenset):
        return (3, tuple(sorted([standing(part) for part in value])))
    return (4, type(value).__name__, repr(value))


def _rises(faces: tuple[Face, ...]) -> bool:
    try:
        return tuple(sorted(faces)) == faces
    except TypeError:
        return False


class Pool(Arithmetic):
    """Dice thrown together: a multiset of dice, small dice first.

    >>> Pool([Die(12), Die(8)]) + 3 * Die(6, name="ammo")
    D8 + D12 + 3 ammo D6
    """

    __slots__ = ("groups", "size", "__weakref__")

    groups: tuple[tuple[Die, int], ...]
    """Each different die with how many of it there are."""
    size: int

    def __new__(cls, dice: Iterable[Die] | Mapping[Die, int] = ()) -> Pool:
        kind = type(dice)  # asking whether something is a Mapping takes long, the first time most
        mapped = kind is dict or (kind is not list and isinstance(dice, Mapping))
        counts: dict[Die, int] = _counts(dice) if mapped else _tally_dice(dice)  # type: ignore[arg-type]
        for die in counts:
            if type(die) is not Die:
                raise BadDie(f"a pool is made of dice, not {die!r}")
        groups = [*counts.items()]
        if len(groups) > 1:
            groups.sort(key=_order)
        return cls._intern(tuple(groups), sum(counts.values()))

    @classmethod
    def _intern(cls, groups: tuple[tuple[Die, int], ...], size: int) -> Pool:
        """The one pool of these dice; equal pools are the same object."""
        known = _pools.refs.get(groups)
        pool = None if known is None else known()
        if pool is None:
            if size > MOST_DICE:
                raise BadDie(f"a pool has at most {MOST_DICE:,} dice, not {size:,}")
            pool = object.__new__(cls)
            pool.groups = groups
            pool.size = size
            pool = _pools.first(groups, pool)
        return pool

    def __reduce__(self) -> tuple[object, ...]:
        return (Pool, (dict(self.groups),))

    @property
    def dice(self) -> tuple[Die, ...]:
        """Every die, one by one, in the order faces are given for them."""
        listed: list[Die] = []
        for die, count in self.groups:
            listed += [die] * count
        return tuple(listed)

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

    if TYPE_CHECKING:

        @overload
        def __add__(self, other: Die | Pool) -> Pool: ...
        @overload
        def __add__(self, other: Operand) -> Dist[Any]: ...
        def __add__(self, other: Any) -> Any: ...

    def _pool_with(self, other: Any) -> Pool | None:
        return _join(self.groups, other)

    def __rmul__(self, count: int) -> Pool:
        return Pool({die: count * each for die, each in self.groups})

    def __repr__(self) -> str:
        if not self.groups:
            return "no dice"
        return " + ".join(
            f"{count} {die!r}" if die.name and count > 1 else f"{count if count > 1 else ''}{die!r}"
            for die, count in self.groups
        )


def _join(groups: tuple[tuple[Die, int], ...], other: object) -> Pool | None:
    """These dice and another die or pool together; None where it is neither."""
    if isinstance(other, Die):
        more: tuple[tuple[Die, int], ...] = ((other, 1),)
    elif isinstance(other, Pool):
        more = other.groups
    else:
        return None
    counts = dict(groups)
    for die, count in more:
        counts[die] = counts.get(die, 0) + count
    listed = [*counts.items()]
    if len(listed) > 1:
        listed.sort(key=_order)
    return Pool._intern(tuple(listed), sum(counts.values()))


def _order(group: tuple[Die, int]) -> Order:
    return group[0].order


def _counts(dice: Mapping[Die, int]) -> dict[Die, int]:
    for die, count in dice.items():
        if type(count) is not int or count < 0:
            raise BadDie(f"a pool has a whole number of {die!r}, not {count!r}")
    return {die: count for die, count in dice.items() if count}


def _tally_dice(dice: Iterable[Die]) -> dict[Die, int]:
    if type(dice) is not list and not isinstance(dice, Iterable):
        raise BadDie(f"a pool is made of dice, as in Pool([D6, D8]), not of {dice!r}")
    counts: dict[Die, int] = {}
    for die in dice:
        counts[die] = counts.get(die, 0) + 1
    return counts


D4, D6, D8, D10, D12, D20, D100 = (Die(n) for n in (4, 6, 8, 10, 12, 20, 100))
