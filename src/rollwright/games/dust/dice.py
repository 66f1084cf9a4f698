"""The dice: how many are thrown and against what, and how a throw of them is read."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple, NoReturn

from rollwright.dice import D10, Outcome, Pool
from rollwright.engine.endings import fold
from rollwright.engine.steps import Finish, Step
from rollwright.errors import BadField
from rollwright.i18n.catalogs import words_of
from rollwright.kit import Value, preset
from rollwright.readings import lasting

from .house import House
from .outcomes import BOTCH, GRADES, Grade

msg = words_of(__package__ or __name__).msg
FULL = 10
"""The most Adrenaline anybody can have."""
STANDARD = 6
MOST_LESS = -30
"""The most dice that can be taken away: more than any pool has, wounds included."""
DIFFICULTIES = {
    2: "Trivial",
    3: "Easy",
    4: "Routine",
    5: "Straightforward",
    6: "Standard",
    7: "Challenging",
    8: "Difficult",
    9: "Extremely Difficult",
    10: "Practically Impossible",
}


class PoolUsed(NamedTuple):
    """The steps by which a pool came about."""

    stats: int
    modifier: int
    cut: int
    """Dice that the cap took away."""
    lifted: int
    """Dice that a minimum gave back."""
    dice: int


class Stats(Value):
    """The parts of a pool, with the names that stats have on the sheet."""

    pool: int | None = preset(None, "the dice, if they are counted already", 0, 20, "DUST R2")
    attribute: int | None = preset(None, "the attribute, or a single stat", 0, 10, "DUST R2")
    ability: int | None = preset(None, "the ability that goes with it", 0, 10, "DUST R2")
    modifier: int = preset(
        0, "dice more or less: wounds, traits, circumstances", MOST_LESS, 20, "DUST R3"
    )
    attribute_name: str = preset("", "what the attribute is called", most=40)
    ability_name: str = preset("", "what the ability is called", most=40)

    def check(self) -> None:
        stats = self.attribute is not None or self.ability is not None
        if self.pool is None and not stats:
            _refuse("nothing")
        if self.pool is not None and stats:
            _refuse("both", pool=self.pool)


def _refuse(why: str, **values: int) -> NoReturn:
    would_do = msg(f"refusal.{why}.do")
    raise BadField("pool", msg(f"refusal.{why}", **values), rule="DUST R2", would_do=would_do)


def pool_used(stats: Stats, house: House) -> PoolUsed:
    """The dice of a roll: stats and modifier under the cap, and what happens below one die."""
    base = (stats.attribute or 0) + (stats.ability or 0) if stats.pool is None else stats.pool
    cap = house.pool_cap
    asked = base + stats.modifier
    capped = asked
    if cap is not None:
        if house.cap_before_modifiers:
            capped = min(base, cap) + stats.modifier
        capped = min(capped, cap)
    dice = max(capped, 1 if house.minimum_pool == "one" else 0)
    return PoolUsed(base, stats.modifier, asked - capped, dice - capped, dice)


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
    """The dice on the table after a throw."""

    successes: int = 0
    ones: int = 0
    doubles: int = 0


NOTHING = Lying()


def terms_of(stats: Stats, difficulty: int, house: House) -> Terms:
    """The terms of a throw under the house's readings."""
    dice = pool_used(stats, house).dice
    return Terms(
        dice,
        difficulty,
        house.doubles_count,
        house.doubles_must_survive,
        house.doubles_on_failure,
        house.automatic_success_protected,
        house.minimum_pool == "fail" and dice == 0,
    )


Given = tuple[Hashable, ...]


def _all_that_lies(lying: Lying) -> Lying:
    return lying


def throw(terms: Terms, finish: Finish = _all_that_lies, given: Given = ()) -> Step[Outcome]:
    """Throw the pool and count successes, 1s and doubles."""
    pool, read = Pool({D10: terms.dice}), reader(terms.difficulty)
    return fold(pool, NOTHING, COUNTERS[terms.doubles_count], read=read, finish=finish, given=given)


def throw_briefly(terms: Terms, finish: Finish, given: Given) -> Step[Outcome]:
    """Throw the pool and see the net and the doubles: `successes` is what the 1s leave of them.

    Where doubles must survive the 1s, that says too little, and everything is seen.
    """
    if terms.must_survive:
        return throw(terms, finish, given)
    pool, read = Pool({D10: terms.dice}), reader(terms.difficulty)
    return fold(pool, NOTHING, BRIEFLY[terms.doubles_count], read=read, finish=finish, given=given)


def throw_net(terms: Terms, finish: Finish, given: Given) -> Step[Outcome]:
    """Throw the pool and see only what is left of the successes: doubles are not asked for."""
    pool, read = Pool({D10: terms.dice}), signs(terms.difficulty)
    return fold(pool, 0, _count_net, read=read, finish=finish, given=given)


@lru_cache
def reader(difficulty: int) -> Callable[[int], int]:
    """Reads a face: a success is its face, since doubles need it, a 1 is a 1, the rest blank."""
    return lasting(lambda face: face if face >= difficulty else ONE if face == 1 else BLANK)


@lru_cache
def signs(difficulty: int) -> Callable[[int], int]:
    """Reads a face as what it does to the net."""
    return lasting(lambda face: 1 if face >= difficulty else -1 if face == 1 else 0)


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
COUNTERS: dict[str, Counter] = {"roll": _count_once, "face": _count_faces, "pair": _count_pairs}


def _briefly(count_all: Counter) -> Counter:
    """Counts a 1 as a success less, since only the net matters."""

    def count_briefly(lying: Lying, reading: int, count: int) -> Lying:
        if reading == ONE:
            return Lying(lying.successes - count, 0, lying.doubles)
        return count_all(lying, reading, count)

    return count_briefly


BRIEFLY = {name: _briefly(count_all) for name, count_all in COUNTERS.items()}


class Scored(NamedTuple):
    """The counted parts of a throw."""

    net: int
    """The successes left after the 1s, those bought with Adrenaline among them."""
    doubles: int
    points: int
    """The Adrenaline that the doubles may add."""


@lru_cache(maxsize=4096)
def scored(lying: Lying, terms: Terms, automatic: int) -> Scored:
    """Return the counted parts of a throw, with the successes bought."""
    left = lying.successes - lying.ones
    net = automatic + (max(0, left) if automatic and terms.protected else left)
    doubles = lying.doubles
    if terms.must_survive:
        doubles = min(doubles, (lying.successes - _taken(lying, terms, automatic)) // 2)
    return Scored(net, doubles, doubles if net >= 1 or terms.on_failure else 0)


def _taken(lying: Lying, terms: Terms, automatic: int) -> int:
    """How many success dice the 1s take.

    They are picked so that most doubles stay. Whatever is counted, points a roll, a face or a pair,
    needs two dice for each; the dice beside them go first. An automatic success that 1s can take
    is given up before any die.
    """
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
    for face in pairs[: scored(lying, terms, automatic).doubles]:
        loose.remove(face)
        loose.remove(face)
    return tuple(loose[: _taken(lying, terms, automatic)])


def grade_of(net: int) -> Grade:
    """Return the grade of a net: the highest named mark it reaches."""
    return BOTCH if net < 0 else GRADES[min(net, 5)]


def read_faces(terms: Terms, faces: tuple[int, ...]) -> Lying:
    """Return the dice on the table when they show these faces."""
    read, step = reader(terms.difficulty), COUNTERS[terms.doubles_count]
    shown = [read(face) for face in faces]
    lying = NOTHING
    for reading in sorted(set(shown)):
        lying = step(lying, reading, shown.count(reading))
    return lying
