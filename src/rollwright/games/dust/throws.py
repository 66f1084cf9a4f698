"""One throw of ten-siders, read: successes, 1s, doubles, the net and its grade."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, NamedTuple

from rollwright.dice import D10, Pool
from rollwright.engine.steps import Fold
from rollwright.games.dust.house import House
from rollwright.games.dust.outcomes import BOTCH, GRADES, Grade
from rollwright.games.dust.pools import PoolUsed
from rollwright.rules import fold

FULL = 10
"""The most Adrenaline anybody can have."""
BLANK, ONE = 0, 1


class Terms(NamedTuple):
    """All that settles how a throw is read: its dice, the difficulty, the house's readings."""

    dice: int
    difficulty: int
    doubles_count: str = "roll"
    must_survive: bool = False
    on_failure: bool = True
    protected: bool = False
    fails: bool = False
    """Whether the action fails by itself, for want of dice: then nothing can be spent on it."""


class Lying(NamedTuple):
    """What lies on the table after a throw."""

    successes: int = 0
    ones: int = 0
    doubles: int = 0


NOTHING = Lying()


def terms_of(used: PoolUsed, difficulty: int, house: House) -> Terms:
    """The terms of a throw under the house's readings."""
    return Terms(
        used.dice,
        difficulty,
        house.doubles_count,
        house.doubles_must_survive,
        house.doubles_on_failure,
        house.automatic_success_protected,
        house.minimum_pool == "fail" and used.dice == 0,
    )


def throw(
    terms: Terms, finish: Callable[..., Any] | None = None, given: tuple[Hashable, ...] = ()
) -> Fold[Any]:
    """Throw the pool and see how many successes, 1s and doubles lie there."""
    dice = Pool({D10: terms.dice})
    step, read = COUNTERS[terms.doubles_count], reader(terms.difficulty)
    if finish is None:
        return fold(dice, NOTHING, step, read=read)
    return fold(dice, NOTHING, step, read=read, finish=finish, given=given)


def throw_briefly(
    terms: Terms, finish: Callable[..., Any], given: tuple[Hashable, ...]
) -> Fold[Any]:
    """Throw the pool and see the net and the doubles: `successes` is what the 1s leave of them.

    Where doubles must survive the 1s, that says too little, and everything is seen.
    """
    if terms.must_survive:
        return throw(terms, finish, given)
    dice = Pool({D10: terms.dice})
    step = BRIEFLY[terms.doubles_count]
    return fold(dice, NOTHING, step, read=reader(terms.difficulty), finish=finish, given=given)


def throw_net(terms: Terms, finish: Callable[..., Any], given: tuple[Hashable, ...]) -> Fold[Any]:
    """Throw the pool and see only what is left of the successes: doubles are not asked for."""
    dice = Pool({D10: terms.dice})
    return fold(dice, 0, _count_net, read=signs(terms.difficulty), finish=finish, given=given)


@lru_cache
def reader(difficulty: int) -> Callable[[int], int]:
    """Reads a face: a success is its face, since doubles need it, a 1 is a 1, the rest blank."""
    return lambda face: face if face >= difficulty else ONE if face == 1 else BLANK


@lru_cache
def signs(difficulty: int) -> Callable[[int], int]:
    """Reads a face as what it does to the net."""
    return lambda face: 1 if face >= difficulty else -1 if face == 1 else 0


def _count_net(net: int, sign: int, count: int) -> int:
    return net + sign * count


def _count_once(lying: Lying, reading: int, count: int) -> Lying:
    return _counted(lying, reading, count, 1 if count > 1 or lying.doubles else 0)


def _count_faces(lying: Lying, reading: int, count: int) -> Lying:
    return _counted(lying, reading, count, lying.doubles + (count > 1))


def _count_pairs(lying: Lying, reading: int, count: int) -> Lying:
    return _counted(lying, reading, count, lying.doubles + count // 2)


def _counted(lying: Lying, reading: int, count: int, doubles: int) -> Lying:
    if reading == BLANK:
        return lying
    if reading == ONE:
        return Lying(lying.successes, count, lying.doubles)
    return Lying(lying.successes + count, lying.ones, doubles)


Counter = Callable[[Lying, int, int], Lying]
COUNTERS: dict[str, Counter] = {
    "roll": _count_once,
    "face": _count_faces,
    "pair": _count_pairs,
}


def _briefly(count_all: Counter) -> Counter:
    """Counts a 1 as a success less, since only the net matters."""

    def count_briefly(lying: Lying, reading: int, count: int) -> Lying:
        if reading == ONE:
            return Lying(lying.successes - count, 0, lying.doubles)
        return count_all(lying, reading, count)

    return count_briefly


BRIEFLY = {name: _briefly(count_all) for name, count_all in COUNTERS.items()}


def net_of(left: int, terms: Terms, automatic: int) -> int:
    """What is left with the automatic successes; `left` is success dice less 1s."""
    if automatic and terms.protected:
        return automatic + max(0, left)
    return automatic + left


def doubles_of(lying: Lying, terms: Terms, automatic: int) -> int:
    """The doubles that count, with the removed dice picked so that most of them stay.

    Whatever is counted, points a roll, a face or a pair, needs two dice for each; the dice
    beside them go first. An automatic success that 1s can take is given up before any die.
    """
    if not terms.must_survive:
        return lying.doubles
    staying = lying.successes - _taken(lying, terms, automatic)
    return min(lying.doubles, staying // 2)


def _taken(lying: Lying, terms: Terms, automatic: int) -> int:
    """How many success dice the 1s take."""
    biting = lying.ones if terms.protected else max(0, lying.ones - automatic)
    return min(biting, lying.successes)


def dice_taken(terms: Terms, faces: tuple[int, ...], automatic: int) -> tuple[int, ...]:
    """The success dice a player gives to the 1s, so that as many doubles as can be stay."""
    lying = read_faces(terms, faces)
    loose = sorted(face for face in faces if face >= terms.difficulty)
    pairs = [
        face
        for face in sorted(set(loose), reverse=True)
        for _ in range(loose.count(face) // 2 if terms.doubles_count == "pair" else 1)
        if loose.count(face) > 1
    ]
    for face in pairs[: doubles_of(lying, terms, automatic)]:
        loose.remove(face)
        loose.remove(face)
    return tuple(loose[: _taken(lying, terms, automatic)])


def points_of(doubles: int, net: int, terms: Terms) -> int:
    """The Adrenaline that doubles may add."""
    return doubles if net >= 1 or terms.on_failure else 0


def grade_of(net: int) -> Grade:
    """What a net is called: by the highest named mark it reaches."""
    return BOTCH if net < 0 else GRADES[min(net, 5)]


def read_faces(terms: Terms, faces: tuple[int, ...]) -> Lying:
    """What lies on the table when the dice show these faces."""
    read, step = reader(terms.difficulty), COUNTERS[terms.doubles_count]
    shown = [read(face) for face in faces]
    lying = NOTHING
    for reading in sorted(set(shown)):
        lying = step(lying, reading, shown.count(reading))
    return lying
