"""The check: throw the d20 with its advantage, its edge and its effect dice; re-roll if you may."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rollwright.dice import D20, Die, Pool
from rollwright.hands import Hand
from rollwright.rules import choose, roll, rule

from .outcomes import CheckOutcome, Tier
from .requests import Check
from .tiers import Settled, judged, settled

COUNTS = {1: "the higher", 0: "the d20", -1: "the lower"}
KEEP, REROLL, REROLL_LOWER, REROLL_HIGHER = "keep", "re-roll", "re-roll lower", "re-roll higher"


class Lying(NamedTuple):
    """The dice on the table."""

    d20s: Hand[int]
    """One fewer while another is in hand."""
    edge: int
    effect: int
    """What the effect dice come to, the flat part added; a success does no less than nothing."""


class Reroll(NamedTuple):
    """The basis of the decision to re-roll: the dice, and the result if they are kept."""

    low: int
    high: int
    edge: int
    tier: Tier
    natural: int
    margin: int
    left: int
    counts: str
    """Which d20 counts: `the d20`, `the higher` or `the lower`."""
    effect: int
    """The effect of a success: the effect dice are rolled, too."""

    def __str__(self) -> str:
        d20s = f"{self.low} and {self.high}, {self.counts} counts"
        dice = f"{self.high}" if self.counts == "the d20" else d20s
        edge = f", edge {self.edge}" if self.edge else ""
        effect = f", effect {self.effect}" if self.effect else ""
        return f"{dice}{edge}{effect}: {self.tier} by {abs(self.margin)}, re-rolls {self.left}"

    @classmethod
    def of(cls, known: Settled, lying: Lying, left: int) -> Reroll:
        """Return the decision about these dice, with so many re-rolls left."""
        found = as_it_lies(known, lying)
        (low,), (high,) = lying.d20s.lowest(), lying.d20s.highest()
        dice = (low, high, lying.edge, found.tier, found.natural, found.margin)
        return cls(*dice, left, COUNTS[known.advantage], max(lying.effect, 0))


class Standing(NamedTuple):
    """The basis of a decision in a turn: the result if the dice are kept, and the re-rolls."""

    tier: Tier
    left: int
    effect: int
    """The effect of a success: the effect dice are rolled, too."""

    def __str__(self) -> str:
        effect = f", effect {self.effect}" if self.effect else ""
        return f"{self.tier}{effect}, re-rolls {self.left}"

    @classmethod
    def of(cls, known: Settled, lying: Lying, left: int) -> Standing:
        """Return the decision about these dice, with so many re-rolls left."""
        return cls(as_it_lies(known, lying).tier, left, max(lying.effect, 0))


About = type[Reroll] | type[Standing]


@rule
async def make_check(ask: Check, about: About = Reroll) -> CheckOutcome:
    """Roll a d20 plus what helps and less what hinders against the DC, effect dice along with it.

    Whoever may re-roll takes up one d20 as often as that, and leaves the other dice as they lie.
    """
    known = settled(ask)
    lying = thrown(known, await roll(dice_of(known)))
    for left in range(ask.rerolls, 0, -1):
        option = await choose(KEEP, *rerolls(lying), about=about.of(known, lying, left))
        if option == KEEP:
            return as_it_lies(known, lying, ask.rerolls - left)
        lying = taken_up(lying, option)
        new = await roll(D20)
        lying = lying._replace(d20s=lying.d20s + new)
    return as_it_lies(known, lying, ask.rerolls)


@lru_cache(maxsize=1000)
def dice_of(known: Settled) -> Pool:
    """Return the dice of a throw: one d20 or two, the edge die, the effect dice."""
    dice = Pool({D20: 2 if known.advantage else 1})
    if known.edge:
        dice += edge_die(known.edge)
    return dice + known.effect.pool


@lru_cache(maxsize=20)
def edge_die(size: int) -> Die:
    """Return the die of edges gained or lost."""
    return Die(abs(size), name="edge")


def thrown(known: Settled, hand: Hand[int]) -> Lying:
    """Return what a throw has put on the table."""
    edge = hand[edge_die(known.edge)] if known.edge else 0
    effect = hand.of(*known.effect.kinds).sum + known.effect.flat
    return Lying(hand.of(D20), edge, effect)


def as_it_lies(known: Settled, lying: Lying, rerolled: int = 0) -> CheckOutcome:
    """Return the result of the dice on the table."""
    return judged(known, kept(known, lying), lying.edge, lying.effect, rerolled)


def kept(known: Settled, lying: Lying) -> int:
    """Return the d20 that counts."""
    d20s = lying.d20s
    return (d20s.lowest() if known.advantage < 0 else d20s.highest())[0]


def rerolls(lying: Lying) -> tuple[str, ...]:
    """Return the ways to roll one d20 again: either one, if there are two that differ."""
    differ = lying.d20s.lowest() != lying.d20s.highest()
    return (REROLL_LOWER, REROLL_HIGHER) if differ else (REROLL,)


def taken_up(lying: Lying, option: str) -> Lying:
    """Return the dice that stay on the table when one d20 is taken up."""
    d20s = lying.d20s
    up = d20s.highest() if option == REROLL_HIGHER else d20s.lowest()
    return lying._replace(d20s=d20s - Hand([(D20, face) for face in up]))
