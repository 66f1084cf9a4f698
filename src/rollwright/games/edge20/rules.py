"""The check: throw the d20 with its advantage, its edge and its effect dice; re-roll if you may."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from rollwright.budget import Budget
from rollwright.dice import D20, Die, Pool
from rollwright.engine.endings import Ending, offer, tally
from rollwright.engine.odds import count
from rollwright.engine.steps import counted_by
from rollwright.exact import Dist, sum_of
from rollwright.rules import Call, Step, rule

from .house import House
from .outcomes import CheckOutcome, Tier
from .requests import Check
from .tiers import Natural, Settled, judged, read_natural, result_of, settled

COUNTS = {1: "the higher", 0: "the d20", -1: "the lower"}
KEEP, REROLL, REROLL_LOWER, REROLL_HIGHER = "keep", "re-roll", "re-roll lower", "re-roll higher"


class Shown(NamedTuple):
    """All dice of a throw added up, in such a way that each of them can still be found."""

    d20s: int
    squares: int
    """Squares of the d20s: with their sum they give the faces of two of them."""
    edge: int
    effect: int


NOTHING = Shown(0, 0, 0, 0)


class Lying(NamedTuple):
    """The dice on the table: the d20s, alike where there is only one, the edge and the effect."""

    low: int
    high: int
    edge: int
    effect: int = 0
    """The sum of the effect dice, the flat part added: the effect of a success."""


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
    effect: int = 0
    """The effect of a success: the effect dice are rolled, too."""

    def __str__(self) -> str:
        d20s = f"{self.low} and {self.high}, {self.counts} counts"
        dice = f"{self.high}" if self.counts == "the d20" else d20s
        edge = f", edge {self.edge}" if self.edge else ""
        effect = f", effect {self.effect}" if self.effect else ""
        return f"{dice}{edge}{effect}: {self.tier} by {abs(self.margin)}, re-rolls {self.left}"


@lru_cache(maxsize=1000)
def dice_of(known: Settled) -> Pool:
    """The dice that are thrown at once: one d20 or two, the edge die, the effect dice."""
    return d20s_with_edge(known.advantage, known.edge) + known.effect.pool


def d20s_with_edge(advantage: int, size: int) -> Pool:
    """One d20 or two, and the edge die."""
    dice = Pool({D20: 2 if advantage else 1})
    return dice + Die(abs(size), name="edge") if size else dice


def by_kind(face: int, die: Die) -> Shown:
    """A face as a part of the sum of all that is shown."""
    if die.name == "effect":
        return Shown(0, 0, 0, face)
    return Shown(0, 0, face, 0) if die.name else Shown(face, face * face, 0, 0)


def d20s_in(shown: Shown, advantage: int) -> tuple[int, int]:
    """Return the faces of the d20s, the lower first; alike if there is only one."""
    if not advantage:
        return shown.d20s, shown.d20s
    apart = isqrt(2 * shown.squares - shown.d20s**2)
    return (shown.d20s - apart) // 2, (shown.d20s + apart) // 2


def lying_in(shown: Shown, known: Settled) -> Lying:
    """Return the dice on the table after a throw."""
    effect = max(shown.effect + known.effect.flat, 0)
    return Lying(*d20s_in(shown, known.advantage), shown.edge, effect)


@rule
async def make_check(ask: Check) -> Ending[CheckOutcome]:
    """Roll a d20 plus what helps and less what hinders against the DC, effect dice along with it.

    What can still be rolled again is a choice; else the dice say at once what comes of it.
    """
    finish = first_choice if ask.rerolls else as_thrown
    return tally(dice_of(settled(ask)), by_kind, start=NOTHING, finish=finish, given=(ask,))


def as_thrown(shown: Shown, ask: Check) -> CheckOutcome:
    """The result of a throw that is final."""
    known = settled(ask)
    return as_it_lies(known, lying_in(shown, known), 0)


@counted_by(make_check)
def counted_apart(ask: Check, budget: Budget | None) -> Dist[CheckOutcome] | None:
    """Return the odds of a final throw, with the effect dice apart: only a success needs them.

    If a re-roll is left, the chooser sees what they show, so that there is no shorter way.
    """
    if ask.rerolls:
        return None
    known = settled(ask)
    naturals = throw_natural(known.advantage, known.edge, known.house)
    pool, flat = known.effect
    effects = sum_of(pool, budget=budget) if pool else Dist.sure(0)
    weights: Counter[CheckOutcome] = Counter()
    for dice, ways in count.odds(naturals, budget=budget).items():
        found = result_of(known, dice, 0, 0)
        if found.tier is Tier.SUCCESS:
            for effect, weight in effects.items():
                weights[found._replace(effect=max(effect + flat, 0))] += ways * weight
        else:
            weights[found] += ways * effects.total
    return Dist(weights)


def first_choice(shown: Shown, ask: Check) -> Call[CheckOutcome]:
    """The choice that the first throw leads to."""
    return keep_or_reroll(ask, lying_in(shown, settled(ask)), ask.rerolls)


def as_it_lies(known: Settled, lying: Lying, rerolled: int) -> CheckOutcome:
    """The result of the dice on the table."""
    return judged(known, kept(known, lying), lying.edge, lying.effect, rerolled)


class Standing(NamedTuple):
    """The basis of a decision in a turn: the result if the dice are kept, and the re-rolls."""

    tier: Tier
    left: int
    effect: int = 0
    """The effect of a success: the effect dice are rolled, too."""

    def __str__(self) -> str:
        effect = f", effect {self.effect}" if self.effect else ""
        return f"{self.tier}{effect}, re-rolls {self.left}"


@rule
async def make_brief_check(ask: Check) -> Ending[CheckOutcome]:
    """A check of which only the result is asked for, so that dice are lumped by what they do."""
    finish = first_brief_choice if ask.rerolls else as_thrown
    return tally(dice_of(settled(ask)), by_kind, start=NOTHING, finish=finish, given=(ask,))


counted_by(make_brief_check)(counted_apart)


def first_brief_choice(shown: Shown, ask: Check) -> Call[CheckOutcome]:
    """The choice that the first throw leads to, its dice lumped by what they do."""
    known = settled(ask)
    lying = lying_in(shown, known)
    return brief_choice(ask, lumped(known, lying), lying.low == lying.high, ask.rerolls)


@rule
async def brief_again(
    ask: Check, standing: int, edge: int, effect: int, left: int
) -> Ending[CheckOutcome]:
    """Roll one d20 again in a check of which only the result is asked for."""
    return tally(D20, finish=next_brief_choice, given=(ask, standing, edge, effect, left))


def next_brief_choice(
    new: int, ask: Check, standing: int, edge: int, effect: int, left: int
) -> Ending[CheckOutcome]:
    """Return what another throw leads to, its dice lumped by what they do."""
    known = settled(ask)
    lying = lumped(known, beside(new, standing, edge, effect))
    if not left:
        return as_it_lies(known, lying, ask.rerolls)
    return brief_choice(ask, lying, not known.advantage, left)


@lru_cache(maxsize=10_000)
def lumped(known: Settled, lying: Lying) -> Lying:
    """The lowest dice that do the same, now and beside any die that is thrown again.

    Faces next to each other with one result between them do; so do edge dice with the same
    result for every face of the d20.
    """
    edge, faces = _alike(known)[lying.edge]
    return Lying(faces[lying.low - 1], faces[lying.high - 1], edge, lying.effect)


@lru_cache(maxsize=1000)
def _alike(known: Settled) -> dict[int, tuple[int, tuple[int, ...]]]:
    """For every face of the edge die the first one like it, and for every d20 the first like it."""
    first: dict[tuple[Tier, ...], int] = {}
    found = {}
    for edge in range(1, abs(known.edge) + 1) if known.edge else (0,):
        tiers = tuple(judged(known, d20, edge, 0, 0).tier for d20 in range(1, 21))
        faces = [1]
        for face in range(2, 21):
            faces.append(faces[-1] if tiers[face - 1] is tiers[face - 2] else face)
        found[edge] = (first.setdefault(tiers, edge), tuple(faces))
    return found


@rule
async def brief_choice(ask: Check, lying: Lying, alike: bool, left: int) -> Ending[CheckOutcome]:
    """The choice to keep the dice or to roll one d20 again, where only the result is asked for."""
    known = settled(ask)
    found = as_it_lies(known, lying, ask.rerolls - left)
    others = {
        option: brief_again(ask, standing, lying.edge, lying.effect, left - 1)
        for option, standing in beside_rerolls(known, lying, alike).items()
    }
    return offer({KEEP: found, **others}, about=Standing(found.tier, left, lying.effect))


@rule
async def throw_natural(advantage: int, size: int, house: House) -> Ending[Natural]:
    """The dice alone: what is natural and what they come to, before any modifier."""
    given = (advantage, size, house)
    return tally(d20s_with_edge(advantage, size), by_kind, finish=natural_in, given=given)


def natural_in(shown: Shown, advantage: int, size: int, house: House) -> Natural:
    """The natural roll of a throw."""
    low, high = d20s_in(shown, advantage)
    return read_natural(low if advantage < 0 else high, shown.edge, size, house)


def kept(known: Settled, lying: Lying) -> int:
    """The d20 that counts."""
    return lying.low if known.advantage < 0 else lying.high


def beside_rerolls(known: Settled, lying: Lying, alike: bool) -> dict[str, int]:
    """The ways to roll one d20 again, each with the d20 that stays beside it; 0 for none."""
    if not known.advantage:
        return {REROLL: 0}
    if alike:
        return {REROLL: lying.high}
    return {REROLL_LOWER: lying.high, REROLL_HIGHER: lying.low}


@rule
async def keep_or_reroll(ask: Check, lying: Lying, left: int) -> Ending[CheckOutcome]:
    """The choice to keep the dice or to roll one d20 again; the others stay as they lie."""
    known = settled(ask)
    found = as_it_lies(known, lying, ask.rerolls - left)
    others = {
        option: again(ask, standing, lying.edge, lying.effect, left - 1)
        for option, standing in beside_rerolls(known, lying, lying.low == lying.high).items()
    }
    low, high, edge, effect = lying
    dice = (low, high, edge, found.tier, found.natural, found.margin)
    about = Reroll(*dice, left, COUNTS[known.advantage], effect)
    return offer({KEEP: found, **others}, about=about)


@lru_cache(maxsize=10_000)
def again(ask: Check, standing: int, edge: int, effect: int, left: int) -> Step[CheckOutcome]:
    """One d20 thrown again beside the one that stays, if there is one."""
    return tally(D20, finish=next_choice, given=(ask, standing, edge, effect, left))


def next_choice(
    new: int, ask: Check, standing: int, edge: int, effect: int, left: int
) -> Ending[CheckOutcome]:
    """Return what another throw leads to: the result, or a choice while re-rolls are left."""
    lying = beside(new, standing, edge, effect)
    return (
        keep_or_reroll(ask, lying, left) if left else as_it_lies(settled(ask), lying, ask.rerolls)
    )


def beside(new: int, standing: int, edge: int, effect: int = 0) -> Lying:
    """The dice on the table after a d20 was thrown again."""
    other = standing or new
    return Lying(min(new, other), max(new, other), edge, effect)
