"""What an editor knows about code that uses Rollwright; checked by mypy, never run."""

from fractions import Fraction
from typing import Any, NamedTuple, assert_type

import rollwright as rw
from rollwright.dice import D6, D8, D20, Die, Pool
from rollwright.engine.endings import Ending, gather, offer, tally
from rollwright.rules import (
    Call,
    Choice,
    Hand,
    Repeats,
    Rule,
    choose,
    fold,
    look,
    repeat,
    roll,
    rule,
    together,
)


class Check(NamedTuple):
    successes: int


def mark(face: int) -> str:
    return "hit" if face >= 6 else "blank"


def kind(face: int, die: Die) -> bool:
    return bool(die.name) and face == 6


def ended(total: int) -> Check:
    return Check(total)


@rule
async def plain(pool: Pool) -> Check:
    hand = await roll(pool, read=mark)
    assert_type(hand, Hand[str])
    named = await roll(pool, kind)
    assert_type(named, Hand[bool])
    number = await tally(pool)
    assert_type(number, int)
    vector = await tally(pool, lambda face: (face, int(face)))
    assert_type(vector, tuple[Any, int])
    check = await tally(pool, finish=ended)
    assert_type(check, Check)
    state = await fold(pool, False, lambda seen, face, count: seen or count > 1)
    assert_type(state, bool)
    finer = await look(hand, mark)
    assert_type(finer, Hand[str])
    word = await choose("keep", "push")
    assert_type(word, str)
    pair = await together(ending(1), tally(D20))
    assert_type(pair, tuple[Check, int])
    lowest = await gather([tally(D6), tally(D8)], 9, min)
    assert_type(lowest, int)
    inner = await ending(3)
    assert_type(inner, Check)
    return check


@rule
async def ending(bonus: int) -> Ending[Check]:
    if bonus > 3:
        return Check(bonus)
    if bonus > 2:
        return ending(bonus + 1)
    if bonus > 1:
        return offer({"keep": Check(1), "push": ending(4)})
    return tally(D6, start=bonus, finish=ended)


assert_type(plain(Pool([D6])), Call[Check])
assert_type(rw.odds(plain(Pool([D6]))), rw.Dist[Check])
assert_type(rw.odds(plain(Pool([D6]))).mean, Fraction)
assert_type(rw.odds(2 * D6 >= 7), rw.Dist[bool])
assert_type(rw.odds("2d6"), rw.Dist[Any])
assert_type(repeat(tally(D6), until=6), Call[Repeats[int]])
assert_type(rw.odds(repeat(tally(D6), until=6)), rw.Dist[Repeats[int]])
first: Rule[[Pool], Check] = plain
option: Choice[str] = choose("a", "b")
transcript: rw.Transcript = rw.roll(plain(2 * D6), seed=1)
names: tuple[str, ...] = rw.list_games()
