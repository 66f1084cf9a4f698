"""What the faces of base and ammo dice mean, and which dice a push throws again."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from rollwright.dice import Die, Pool

AMMO = Die(6, name="ammo")
BASE = tuple(Die(sides) for sides in (6, 8, 10, 12))
SUCCESS, DOUBLE = 6, 10
"""From these faces on a base die counts one success, and two."""

KINDS = tuple((len(die.faces), worth) for worth in (0, 1, 2) for die in BASE)
"""Base dice by their sides and by the successes they show."""
MOST_BASE = 2

Vector = tuple[int, ...]


class Lying(NamedTuple):
    """What counts of the dice as they lie."""

    successes: int = 0
    ones: int = 0
    """1s on base dice."""
    sixes: int = 0
    """6s on ammo dice."""
    ammo_ones: int = 0
    ammo_sum: int = 0


class Shown(NamedTuple):
    """What counts of a first roll: the dice as they lie, and which base dice are which."""

    successes: int
    ones: int
    sixes: int
    ammo_ones: int
    ammo_sum: int
    loose: int
    """The base dice that show neither a success nor a 1, as a code for `dice_in`."""
    scored: int = 0
    """The base dice that show successes; read only where they may be thrown again."""


def landed(face: int, die: Die) -> Vector:
    """A die as it lies in the end: the places of `Lying`."""
    if die.name:
        return (0, 0, int(face == 6), int(face == 1), face)
    return (0 if face < SUCCESS else 1 if face < DOUBLE else 2, int(face == 1), 0, 0, 0)


def landed_without_rounds(face: int, die: Die) -> Vector:
    """The same where nobody counts rounds: the number on an ammo die is not read."""
    return (*landed(face, die)[:4], 0)


def mark(face: int, die: Die) -> Vector:
    """A die of a first roll: how it lies, and which die it is if it is loose."""
    return (*landed(face, die), _code(face, die) if 1 < face < SUCCESS else 0)


def mark_without_rounds(face: int, die: Die) -> Vector:
    """The same where nobody counts rounds."""
    return (*landed_without_rounds(face, die), mark(face, die)[-1])


def mark_successes(face: int, die: Die) -> Vector:
    """The same with the dice that show successes, for tables that may re-roll those too."""
    return (*mark(face, die), _code(face, die) if face >= SUCCESS else 0)


def _code(face: int, die: Die) -> int:
    """One digit for each kind of base die: codes add up as dice are put together."""
    if die.name:
        return 0
    kind = KINDS.index((len(die.faces), landed(face, die)[0]))
    return (MOST_BASE + 1) ** kind  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def dice_in(code: int) -> tuple[tuple[int, int], ...]:
    """The base dice behind a code: the sides of each, and the successes it shows."""
    found = []
    for kind in KINDS:
        code, count = divmod(code, MOST_BASE + 1)
        found += [kind] * count
    return tuple(found)


class Again(NamedTuple):
    """A way to push: the dice to throw again, and what stays on the table."""

    pool: Pool
    stays: Lying


@lru_cache(maxsize=4096)
def loose_pool(loose: int, ammo: int) -> Pool:
    """The loose base dice and so many ammo dice."""
    return Pool([Die(sides) for sides, _ in dice_in(loose)] + [AMMO] * ammo)


def plain_push(shown: Shown, ammo: int, rounds: bool = True) -> Again:
    """The push of the book: every die that shows neither a success nor a 1.

    `ammo` is how many ammo dice lie there; those that show 6 or 1 stay.
    """
    successes, ones, sixes, ammo_ones = shown[:4]
    kept = 6 * sixes + ammo_ones if rounds else 0
    pool = loose_pool(shown.loose, ammo - sixes - ammo_ones)
    return Again(pool, Lying(successes, ones, sixes, ammo_ones, kept))


@lru_cache(maxsize=4096)
def free_pushes(shown: Shown, ammo: int) -> dict[str, Again]:
    """The further ways to push where successes may be thrown again as well, by their names."""
    plain = plain_push(shown, ammo)
    scored = dice_in(shown.scored)
    ways: dict[str, Again] = {}
    for *taken, sixes in product(*[(False, True)] * len(scored), range(shown.sixes + 1)):
        picked = [kind for kind, is_taken in zip(scored, taken, strict=True) if is_taken]
        if picked or sixes:
            ways.setdefault(_named(picked, sixes), _lifted(plain, picked, sixes))
    return ways


def _named(picked: list[tuple[int, int]], sixes: int) -> str:
    said = [
        f"a D{sides} with {'a success' if worth == 1 else 'two successes'}"
        for sides, worth in picked
    ]
    if sixes:
        said.append(f"{sixes} ammo {'six' if sixes == 1 else 'sixes'}")
    return "push and re-roll " + " and ".join(said)


def _lifted(plain: Again, picked: list[tuple[int, int]], sixes: int) -> Again:
    pool, stays = plain
    return Again(
        pool + Pool([Die(sides) for sides, _ in picked] + [AMMO] * sixes),
        stays._replace(
            successes=stays.successes - sum(worth for _, worth in picked),
            sixes=stays.sixes - sixes,
            ammo_sum=stays.ammo_sum - 6 * sixes,
        ),
    )
