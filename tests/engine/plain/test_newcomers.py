"""Ten rules as a newcomer writes them, each held against all faces or a closed form.

A deck of cards, a dungeon with hit points in a dict, a bid at liar's dice, craps, cards pushed to
21, a dataclass, functions inside functions, `match`, `try`, and what is kept of five dice.
"""

# ruff: noqa: D103, SIM102, SIM113 - rules are written here as they come to mind

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction as F
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any

import pytest

import rollwright as rw
from rollwright.dice import D4, D6, D10, Die
from rollwright.rules import choose, roll, rule


# 1 deck of cards: draw two of six without replacement
@rule
async def draw_two(target):
    deck = [1, 2, 3, 4, 5, 6]
    hand = []
    while len(hand) < 2:
        index = sum(await roll(Die(len(deck)))) - 1
        hand.append(deck.pop(index))
    return "win" if sum(hand) >= target else "lose"


def drawn() -> Any:
    ws = [("win" if a + b >= 8 else "lose") for a in range(1, 7) for b in range(1, 7) if a != b]
    return {k: F(n, len(ws)) for k, n in Counter(ws).items()}


# 2 dungeon crawl with dict of hit points
@rule
async def crawl():
    hp = {"goblin": 3, "orc": 5}
    hero = 6
    while hero > 0 and any(points > 0 for points in hp.values()):
        target = next(name for name, points in hp.items() if points > 0)
        hp[target] -= sum(await roll(D6))
        for name, points in hp.items():
            if points > 0:
                if sum(await roll(D6)) >= (5 if name == "goblin" else 4):
                    hero -= 2
    return max(hero, 0), sum(1 for points in hp.values() if points > 0)


def crawled() -> Any:

    @lru_cache(None)
    def go(hero, g, o):
        if hero <= 0 or (g <= 0 and o <= 0):
            return ((max(hero, 0), (g > 0) + (o > 0)),), (F(1),)
        out = Counter()
        for f in range(1, 7):
            g2, o2 = (g - f, o) if g > 0 else (g, o - f)
            ways = [(F(1, 6), hero)]
            if g2 > 0:
                ways = [(p * q, h - d) for p, h in ways for q, d in ((F(1, 3), 2), (F(2, 3), 0))]
            if o2 > 0:
                ways = [(p * q, h - d) for p, h in ways for q, d in ((F(1, 2), 2), (F(1, 2), 0))]
            merged = Counter()
            for p, h in ways:
                merged[h] += p
            for h, p in merged.items():
                ks, vs = go(h, max(g2, 0), max(o2, 0))
                for k, v in zip(ks, vs):
                    out[k] += p * v
        return tuple(out), tuple(out.values())

    return dict(zip(*go(6, 3, 5)))


# 3 liar's dice: is a bid of n sixes (ones wild) true, given my dice
@rule
async def liars(mine, others, bid):
    my_hand = await roll(mine * D6)
    good = sum(1 for face in my_hand if face in (1, 6))
    if await choose("bid", "pass", about=good) == "pass":
        return 0
    their_hand = await roll(others * D6)
    total = good + their_hand.count([1, 6])
    match total >= bid:
        case True:
            return 1
        case False:
            return -1


def bid() -> Any:

    def b(n, k):
        return comb(n, k) * F(1, 3) ** k * F(2, 3) ** (n - k)

    v = F(0)
    for g in range(3):
        win = sum(b(3, k) for k in range(4) if g + k >= 3)
        v += b(2, g) * max(0, win - (1 - win))
    return v


# 4 craps
@rule
async def craps():
    total = (await roll(2 * D6)).sum
    if total in (7, 11):
        return "win"
    if total in {2, 3, 12}:
        return "lose"
    point = total
    while (total := (await roll(2 * D6)).sum) not in (point, 7):
        pass
    return "win" if total == point else "lose"


def thrown() -> Any:
    return {"win": F(244, 495), "lose": F(251, 495)}


# 5 blackjack-like push your luck
@rule
async def hit_or_stand(goal=21):
    total, aces = 0, 0
    while True:
        card = sum(await roll(D10))
        if card == 1:
            aces += 1
        total += card
        best = total + 10 if aces and total + 10 <= goal else total
        if best > goal:
            return 0
        if await choose("stand", "hit", about=best) == "stand":
            return best


def dealt() -> Any:

    @lru_cache(None)
    def after(total, aces):
        best = total + 10 if aces and total + 10 <= 21 else total
        if best > 21:
            return F(0)
        return max(F(best), draw(total, aces))

    @lru_cache(None)
    def draw(total, aces):
        return sum(after(total + c, aces or c == 1) for c in range(1, 11)) / F(10)

    return draw(0, False)


# 6 dataclass state
@dataclass
class Hero:
    hp: int = 10
    shield: bool = True
    wounds: list[int] = field(default_factory=list)

    async def defend(self, damage):
        if self.shield and sum(await roll(D6)) == 6:
            self.shield = False
            return
        self.wounds.append(damage)
        self.hp -= damage


@rule
async def ambush(waves):
    hero = Hero()
    for _ in range(waves):
        await hero.defend(sum(await roll(D4)))
        if hero.hp <= 0:
            break
    return hero.hp, hero.shield, len(hero.wounds)


def ambushed() -> Any:
    out = Counter()

    def go(p, hp, sh, n, left):
        if not left or hp <= 0:
            out[hp, sh, n] += p
            return
        for d in range(1, 5):
            q = p / 4
            if sh:
                go(q / 6, hp, False, n, left - 1)
                go(q * 5 / 6, hp - d, sh, n + 1, left - 1)
            else:
                go(q, hp - d, sh, n + 1, left - 1)

    go(F(1), 10, True, 0, 4)
    return dict(out)


# 7 nested helpers, generator expressions
async def attack(dice, sides):
    async def once():
        return sum(f for f in await roll(Die(sides)))

    rolls = [await once() for _ in range(dice)]
    return sum(r >= 4 for r in rolls)


@rule
async def volley():
    first = await attack(2, 6)
    second = await attack(first, 8)
    return first, second, any(n == 2 for n in (first, second))


def shot() -> Any:

    out = Counter()
    for a in range(3):
        for b in range(a + 1):
            p = comb(2, a) * F(1, 2) ** 2 * comb(a, b) * F(5, 8) ** b * F(3, 8) ** (a - b)
            out[a, b, a == 2 or b == 2] += p
    return dict(out)


# 8 match statements with enum & tuple
class Move(Enum):
    ROCK = 1
    PAPER = 2
    SCISSORS = 3


@rule
async def rps():
    wins = 0
    for _ in range(2):
        a, b = Move((await roll(Die(3))).sum), Move((await roll(Die(3))).sum)
        match (a, b):
            case (Move.ROCK, Move.SCISSORS) | (Move.PAPER, Move.ROCK) | (Move.SCISSORS, Move.PAPER):
                wins += 1
            case (x, y) if x is y:
                wins += 0
            case _:
                wins -= 1
    return wins


def played() -> Any:
    out = Counter(a + b for a in (-1, 0, 1) for b in (-1, 0, 1))
    return {k: F(n, 9) for k, n in out.items()}


# 9 walrus + while else + try/finally
@rule
async def climb(height):
    tries = 0
    while height > 0:
        try:
            if (step := (await roll(D6)).sum) == 1:
                raise ValueError("slip")
            height -= step
        except ValueError:
            height += 1
        finally:
            tries += 1
        if tries == 5:
            break
    else:
        return "top", tries
    return "tired", height > 3


def climbed() -> Any:
    out = Counter()
    for faces in product(range(1, 7), repeat=5):
        h, t, end = 8, 0, None
        for f in faces:
            if f == 1:
                h += 1
            else:
                h -= f
            t += 1
            if t == 5:
                end = ("tired", h > 3)
                break
            if h <= 0:
                end = ("top", t)
                break
        out[end] += 1
    return {k: F(n, 6**5) for k, n in out.items()}


# 10 yahtzee-ish: keep the most common face, three throws; Counter and lists
@rule
async def most_common():
    dice = list(await roll(5 * D6))
    for _ in range(2):
        face, _n = max(Counter(dice).items(), key=lambda item: (item[1], item[0]))
        kept = [d for d in dice if d == face]
        dice = kept + list(await roll((5 - len(kept)) * D6)) if len(kept) < 5 else kept
    return max(Counter(dice).values())


def kept() -> Any:
    def step(dist):
        out = Counter()
        for dice, p in dist.items():
            c = Counter(dice)
            f, n = max(c.items(), key=lambda i: (i[1], i[0]))
            for faces, q in throws[5 - n].items():
                out[tuple(sorted((f,) * n + faces))] += p * q
        return out

    throws = {}
    for n in range(6):
        t = Counter(tuple(sorted(x)) for x in product(range(1, 7), repeat=n))
        throws[n] = {k: F(v, 6**n) for k, v in t.items()}
    d = step(step(throws[5]))
    out = Counter()
    for dice, p in d.items():
        out[max(Counter(dice).values())] += p
    return dict(out)


def odds_of(call: Any) -> dict[Any, F]:
    found = rw.odds(call)
    return {outcome: found.p(outcome) for outcome in found.outcomes}


def best_of(call: Any) -> F:
    return rw.advise(call, lambda points: points).value


@pytest.mark.parametrize(
    ("call", "ask", "by_hand"),
    [
        (draw_two(8), odds_of, drawn),
        (crawl(), odds_of, crawled),
        (liars(2, 3, 3), best_of, bid),
        (craps(), odds_of, thrown),
        (hit_or_stand(), best_of, dealt),
        (ambush(4), odds_of, ambushed),
        (volley(), odds_of, shot),
        (rps(), odds_of, played),
        (climb(8), odds_of, climbed),
        (most_common(), odds_of, kept),
    ],
    ids=["deck", "crawl", "liars", "craps", "cards", "ambush", "volley", "rps", "climb", "five"],
)
def test_a_newcomers_rule_is_right(
    call: Any, ask: Callable[[Any], Any], by_hand: Callable[[], Any]
) -> None:
    """Counted at the first try, to the last integer, and rolled."""
    assert by_hand() == ask(call)
    assert rw.roll(call, seed=1, policy=lambda now: now.options[0]).is_done
