"""One rule four ways, for a first look: rolled, counted, advised on, verified.

Run it with `python -m rollwright.demo`, with any word for other dice.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import NamedTuple

import rollwright as rw
from rollwright.dice import D8, D12, Pool
from rollwright.pictures.charts import CHANCE, format_value
from rollwright.rules import choose, roll, rule


class Check(NamedTuple):
    """The result of a roll."""

    successes: int
    damage: int = 0
    pushed: bool = False


@rule
async def push_roll(pool: Pool) -> Check:
    """Roll the pool; you may push once, but then every 1 costs you."""
    hand = await roll(pool)
    loose = hand.between(2, 5)
    if not loose or await choose("keep", "push") == "keep":
        return Check(hand.count_at_least(6))
    hand = hand - loose + await roll(loose.pool)
    return Check(hand.count_at_least(6), hand.count(1), pushed=True)


def worth(check: Check) -> Fraction:
    """The goal: one success is worth 1, a point of damage costs 3/10."""
    return Fraction(1 if check.successes else 0) - Fraction(3, 10) * check.damage


def bar(share: Fraction, width: int = 28) -> str:
    """A chance as a bar."""
    return "█" * round(share * width)


def show(seed: int | str) -> None:
    """Roll, count, advise and verify one push roll."""
    attack = push_roll(Pool([D8, D12]))
    print(f"The rule   {push_roll.__doc__}\n")
    opened = rw.roll(attack, seed=seed)
    (_, faces), *_ = opened.throws
    print(f"Rolled     D8 shows {faces[0]}, D12 shows {faces[1]}")
    if opened.is_done:
        done = opened
    else:
        advice = rw.advise(opened, worth)
        for option, value in advice.options:
            mark_best = "◀ best" if option == advice.best and advice.matters else ""
            print(f"           {option:<5} is worth {float(value):5.2f}  {mark_best}".rstrip())
        done = rw.roll(opened.choose(advice.best), seed=f"{seed}, pushed")
    print(f"Result     {done.outcome}\n")
    print("Counted    chance of each number of successes, never pushed / best play")
    never = rw.odds(attack, lambda situation: "keep").of("successes")
    best = rw.odds(attack, rw.best(worth)).of("successes")
    for successes in range(3):
        plain, played = never.p(successes), best.p(successes)
        print(f"           {successes}  {format_value(plain, CHANCE):>7}  {bar(plain)}")
        print(f"              {format_value(played, CHANCE):>7}  {bar(played)}")
    print(f"           exactly {best.p(0)} of failing with best play\n")
    verified = rw.verify(done.to_json())
    print(f"Verified   replayed from its JSON: it comes to {verified.outcome}")


if __name__ == "__main__":
    show(" ".join(sys.argv[1:]) or "7")
