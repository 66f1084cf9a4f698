"""An attack with D12 + D10 and ammo dice, always pushed: successes, sixes, ones and ammo sum.

A push throws every die again that shows neither a success nor a 1. Base dice succeed from 6 on,
twice from 10 on; an ammo die has its own successes, its sixes.
"""

from __future__ import annotations

from collections.abc import Callable

LOOSE = (2, 3, 4, 5)
Reading = tuple[int, int, int, int]
"""Successes, sixes, ones and ammo sum."""


def base_reading(face: int) -> Reading:
    """What a base die adds."""
    return (face >= 6) + (face >= 10), 0, int(face == 1), 0


def ammo_reading(face: int) -> Reading:
    """What an ammo die adds."""
    return 0, int(face == 6), int(face == 1), face


def ours(ammo_dice: int) -> Callable[[], object]:
    """A tally of tuples over a mixed pool."""
    from rollwright.dice import D10, D12, Die
    from rollwright.exact import rerolled_die, sum_of

    ammo = Die(6, name="ammo")

    def loose(face: int) -> bool:
        return 1 < face < 6

    def reading(face: int, die: Die) -> Reading:
        return ammo_reading(face) if die.name == "ammo" else base_reading(face)

    def attack() -> object:
        base = rerolled_die(D12, loose) + rerolled_die(D10, loose)
        return sum_of(base + ammo_dice * rerolled_die(ammo, loose), reading)

    return attack


def icepool(ammo_dice: int) -> Callable[[], object]:
    """A sum of dice that show vectors."""
    from icepool import Die, Vector, d6, d10, d12

    def pushed(die: Die[int], reading: Callable[[int], Reading]) -> Die[Vector[int]]:
        return die.reroll(LOOSE, depth=1).map(lambda face: Vector(reading(face)))

    def attack() -> object:
        base = pushed(d12, base_reading) + pushed(d10, base_reading)
        return base + ammo_dice @ pushed(d6, ammo_reading)

    return attack


def dyce(ammo_dice: int) -> Callable[[], object]:
    """A survey of the ammo dice, applied to the base dice."""
    from dyce import H, P
    from dyce.p import survey_outcome_order_ascending as ascending

    def plus(a: Reading, b: Reading) -> tuple[int, ...]:
        return tuple([x + y for x, y in zip(a, b, strict=True)])

    def pushed(h: H[int]) -> H[int]:
        return h.apply(lambda first, second: second if first in LOOSE else first, h)

    def step(state: tuple[int, int, int], face: int, count: int) -> tuple[int, int, int]:
        sixes, ones, total = state
        return sixes + count * (face == 6), ones + count * (face == 1), total + count * face

    def attack() -> object:
        twelve, ten = [pushed(H(n)).apply(base_reading) for n in (12, 10)]
        pool = ammo_dice @ P(pushed(H(6)))
        ammo = pool.survey(
            accumulate=step, initial=(0, 0, 0), order=ascending, settle=lambda end: (0, *end)
        )
        return twelve.apply(plus, ten).apply(plus, ammo)

    return attack
