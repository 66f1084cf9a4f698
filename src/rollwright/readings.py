"""The readings of dice by a rule; equal readings are known by what they read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from enum import Enum
from itertools import chain
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from rollwright.dice import Die, Face, Pool
from rollwright.errors import Misuse

Reading = Any
"""A rule's reading of a face: any hashable value."""
Reader = Callable[[Face], Hashable] | Callable[[Face, Die], Hashable]
"""Reads a face: `read(face)`, or `read(face, die)` where dice of several kinds lie together."""

R = TypeVar("R", bound=Callable[..., Hashable])

SEVERAL = (list, set, frozenset, range, tuple)
"""Kinds of values that mean one of several."""


A_TEST = "is no face of these dice: name one, several such as [5, 6], or lambda face: face >= 5"


def matches(wanted: object, held: Iterable[object]) -> Callable[[Any], bool]:
    """Return the test for `wanted`: itself, one of several values, or equal to a value.

    A tuple is several values, unless what is `held` are tuples themselves.

    >>> [matches([5, 6], Die(6).faces)(face) for face in (4, 5)]
    [False, True]
    """
    if callable(wanted):
        return wanted
    if isinstance(wanted, tuple) and any(isinstance(one, tuple) for one in held):
        return wanted.__eq__
    if isinstance(wanted, SEVERAL):
        return wanted.__contains__
    if isinstance(wanted, str):
        shown = [*held]
        if shown and not any([isinstance(one, str) for one in shown]):
            raise Misuse(f"{wanted!r} {A_TEST}")
    return lambda value: bool(value == wanted)


_known_readings: dict[tuple[object, Die], tuple[Reading, ...]] = {}
_known_tables: dict[tuple[object, Pool], tuple[tuple[Reading, ...], ...]] = {}
_MOST_KNOWN = 20_000


def readings(die: Die, read: Reader | None) -> tuple[Reading, ...]:
    """Return `read` of each face of `die`, parallel to `die.faces`.

    A reader without memory of its own is asked once per die, ever, and again when a number or a
    function that it names has changed; one that closes over something, such as a difficulty, or
    names a list, is asked each time.

    >>> readings(Die(4), lambda face: face >= 3)
    (False, False, True, True)
    """
    if read is None:
        return die.faces
    code = lasting_code(read)
    return _read_faces(die, read) if code is None else _lasting_readings(die, read, code)


def _lasting_readings(die: Die, read: Reader, code: object) -> tuple[Reading, ...]:
    known = _known_readings.get((code, die))
    if known is None:
        if len(_known_readings) > _MOST_KNOWN:
            _known_readings.clear()
        known = _known_readings[code, die] = _read_faces(die, read)
    return known


def reading_of(die: Die, read: Reader | None) -> dict[Face, Reading]:
    """Return a table of `read` by the faces of `die`."""
    return dict(zip(die.faces, readings(die, read), strict=True))


def tables(pool: Pool, read: Reader | None) -> tuple[tuple[Reading, ...], ...]:
    """Return `read` of the faces of each kind of die in a pool."""
    if read is None:
        return tuple([die.faces for die, _ in pool.groups])
    code = lasting_code(read)
    if code is None:
        return tuple([_read_faces(die, read) for die, _ in pool.groups])
    known = _known_tables.get((code, pool))
    if known is None:
        if len(_known_tables) > _MOST_KNOWN:
            _known_tables.clear()
        known = tuple([_lasting_readings(die, read, code) for die, _ in pool.groups])
        _known_tables[code, pool] = known
    return known


def lasting(read: R) -> R:
    """Say of a reader that closes over something that it always reads alike.

    It is then asked once per die instead of each time. It must be made once as well, by a function
    with a cache for instance: another one like it is another reader.
    """
    read.lasting = True  # type: ignore[attr-defined]
    return read


def lasting_code(read: Reader) -> object:
    """Return a key for a reader that always reads alike; None for one with a memory of its own."""
    code = getattr(read, "__code__", None)
    if code is None or read.__closure__ or read.__defaults__ or read.__kwdefaults__:
        return read if getattr(read, "lasting", False) else None
    if type(read) is not FunctionType and hasattr(read, "__self__"):
        return None
    world = read.__globals__
    _worlds[id(world)] = world
    names = _global_names.get(code)
    if names is None:
        names = _global_names[code] = _all_names(code)
    if not names:
        return (code, id(world))
    named = _meaning(names, world, (code,))
    return None if named is None else (code, id(world), named)


_worlds: dict[int, dict[str, object]] = {}
"""The modules that readers known by their code belong to: the same words may mean another thing."""
_global_names: dict[CodeType, tuple[str, ...]] = {}
_ATOMS = frozenset([int, str, bool, float, bytes, type(None)])


def _all_names(code: CodeType) -> tuple[str, ...]:
    """Return the names that code uses for what lies outside, or for attributes."""
    inner = [_all_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return tuple(dict.fromkeys([*code.co_names, *chain.from_iterable(inner)]))


def _meaning(
    names: tuple[str, ...], world: dict[str, object], around: tuple[object, ...]
) -> tuple[object, ...] | None:
    """Return what names stand for in a module; None where that may change without being told."""
    found: list[object] = []
    for name in names:
        value = world.get(name)
        kind = type(value)
        if value is None:
            continue  # an attribute, or a word of Python
        flat = isinstance(value, tuple) and kind is tuple and _ATOMS.issuperset(map(type, value))
        if flat or kind in _ATOMS:
            found += [name, kind, value]
        elif isinstance(value, FunctionType):
            if value.__code__ in around or value.__module__.partition(".")[0] == "rollwright":
                continue
            if value.__closure__ or value.__defaults__ or value.__kwdefaults__:
                return None
            inner = _all_names(value.__code__)
            more = _meaning(inner, value.__globals__, (*around, value.__code__))
            if more is None:
                return None
            found += [name, value.__code__, *more]
        elif isinstance(value, (type, ModuleType, BuiltinFunctionType, Die, Pool, Enum)):
            found += [name, value]
        else:
            return None
    return tuple(found)


def read_one(read: Callable[..., Hashable] | None, face: Face, die: Die) -> Reading:
    """Return `read` of a face, or of the total of a die after several throws."""
    if read is None:
        return face
    return read(face, die) if _wants_die(read) else read(face)


def _read_faces(die: Die, read: Callable[..., Hashable]) -> tuple[Reading, ...]:
    if _wants_die(read):
        return tuple([read(face, die) for face in die.faces])
    return tuple(map(read, die.faces))


def _wants_die(read: Callable[..., Hashable]) -> bool:
    code = getattr(read, "__code__", None)
    if code is None:
        return False
    own = 1 if hasattr(read, "__self__") else 0
    wanted: int = code.co_argcount - own - len(read.__defaults__ or ())
    return wanted >= 2
