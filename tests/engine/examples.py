"""Example rules that the engine's tests share; each is rolled, counted, stored and advised on."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from rollwright.dice import D6, D8, D20, Die, Pool
from rollwright.engine.endings import Ending, gather, offer, tally
from rollwright.rules import Hand, choose, fold, look, roll, rule, together

COIN = Die(["heads", "tails"])
AMMO = Die(6, name="ammo")


class Check(NamedTuple):
    """What a push roll comes to."""

    successes: int
    ones: int = 0
    pushed: bool = False


def mark(face: int) -> str:
    """How the push roll reads a face."""
    return "one" if face == 1 else "hit" if face >= 6 else "blank"


@rule
async def push_roll(pool: Pool) -> Check:
    """Roll the pool; you may push once, but then every 1 costs you."""
    hand = await roll(pool, read=mark)
    loose = hand.where("blank")
    if not loose or await choose("keep", "push") == "keep":
        return Check(hand.count("hit"))
    locked = hand.where(lambda reading: reading != "blank")
    hand = locked + await roll(loose.pool, read=mark)
    return Check(hand.count("hit"), hand.count("one"), pushed=True)


def vector(face: int) -> tuple[int, int]:
    """A face as (successes, ones)."""
    return (1 if face >= 6 else 0, 1 if face == 1 else 0)


def pushed(sums: tuple[int, int]) -> Check:
    """A pushed roll from its sums."""
    return Check(*sums, pushed=True)


@rule
async def push_roll_in_data(pool: Pool) -> Ending[Check]:
    """The same push roll, ending in data."""
    hand = await roll(pool, read=mark)
    start = (hand.count("hit"), hand.count("one"))
    loose = hand.where("blank")
    if not loose:
        return Check(start[0])
    push = tally(loose.pool, vector, start=start, finish=pushed)
    return offer({"keep": Check(start[0]), "push": push}, about=start)


@rule
async def duel(bonus: int) -> str:
    """Two independent throws; the higher wins."""
    mine, yours = await together(with_bonus(bonus), tally(D20))
    return "win" if mine > yours else "tie" if mine == yours else "lose"


@rule
async def with_bonus(bonus: int) -> Ending[int]:
    """A d20 and a bonus."""
    return tally(D20, start=bonus)


@rule
async def lowest_of(count: int) -> int:
    """The lowest of several d20s, kept one at a time."""
    return await gather([with_bonus(0)] * count, 99, min)


def doubled(state: bool, face: int, count: int) -> bool:
    """Whether some face shows twice."""
    return state or count >= 2


@rule
async def any_doubles(count: int) -> Ending[bool]:
    """Whether any face shows at least twice."""
    return fold(count * D6, False, doubled)


@rule
async def until_six(tries: int) -> Ending[int]:
    """Throw until a six shows; the outcome is the number of throws, ten at most."""
    if sum(await roll(D6)) == 6 or tries == 10:
        return tries
    return until_six(tries + 1)


@rule
async def gambler(coins: int, goal: int) -> Ending[str]:
    """Bet one coin on each toss until broke or rich: a rule that goes round."""
    if coins in (0, goal):
        return "rich" if coins else "broke"
    won = (await roll(Die({"heads": 2, "tails": 3}))).count("heads")
    return gambler(coins + (1 if won else -1), goal)


@rule
async def try_again(limit: int) -> Ending[int]:
    """Throw a die as often as you like and stop when it pleases you."""
    face = sum(await roll(Die(limit)))
    return offer({"stop": face, "again": try_again(limit)}, about=face)


@rule
async def look_later(pool: Pool) -> Ending[int]:
    """Count the high dice; if there are any, look how high they are."""
    hand = await roll(pool, read=lambda face: face >= 4)
    high = hand.where(True)
    if not high:
        return 0
    return sum(await look(high))


@rule
async def secret_number() -> bool:
    """The referee throws a die in secret; the player says whether it is high."""
    secret = await roll(D6, sees=["referee"])
    guess = await choose("low", "high", by="player")
    return (sum(secret) >= 3) == (guess == "high")


@rule
async def best_of_two(die: Die) -> int:
    """Throw two dice apart and choose which of them counts."""
    first = sum(await roll(die))
    second = sum(await roll(die))
    return first if await choose("first", "second", about=(first, second)) == "first" else second


@rule
async def choice_in_parts() -> int:
    """Two push rolls side by side; the successes are added up."""
    first, second = await together(push_roll(Pool([D8])), push_roll(Pool([D6, D8])))
    return first.successes + second.successes - first.ones - second.ones


@rule
async def five_alike(hand: Hand[int], throws: int) -> Ending[bool]:
    """Hold what you like and throw the rest again, until the throws are used up."""
    hand = hand + await roll(Pool({D6: 5 - len(hand)}))
    if throws == 1:
        return len(set(hand)) == 1
    return hold(hand, throws)


@rule
async def hold(hand: Hand[int], throws: int) -> Ending[bool]:
    """Choose what to hold."""
    faces = hand.readings
    held = {kept for size in range(6) for kept in combinations(faces, size)}
    kept = await choose(*sorted(held, key=lambda k: (-len(k), k)))
    return five_alike(Hand((D6, face) for face in kept), throws - 1)
