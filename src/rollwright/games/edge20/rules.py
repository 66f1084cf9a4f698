"""The check: throw the d20 with its advantage and its edge, re-roll if you may, read the result."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rollwright.dice import D20, Die, Pool
from rollwright.rules import Ending, Step, fold, offer, roll, rule, tally

from .house import House
from .outcomes import CheckOutcome, Tier
from .requests import Check
from .tiers import Natural, Settled, judged, read_natural, settled

COUNTS = {1: "the higher", 0: "the d20", -1: "the lower"}
KEEP, REROLL, REROLL_LOWER, REROLL_HIGHER = "keep", "re-roll", "re-roll lower", "re-roll higher"


class Lying(NamedTuple):
    """The dice on the table: the d20s, alike where there is only one, and the edge die."""

    low: int
    high: int
    edge: int


class Reroll(NamedTuple):
    """What the decision to re-roll turns on: the dice, and the result if they are kept."""

    low: int
    high: int
    edge: int
    tier: Tier
    natural: int
    margin: int
    left: int
    counts: str
    """Which d20 counts: `the d20`, `the higher` or `the lower`."""

    def __str__(self) -> str:
        d20s = f"{self.low} and {self.high}, {self.counts} counts"
        dice = f"{self.high}" if self.counts == "the d20" else d20s
        edge = f", edge {self.edge}" if self.edge else ""
        return f"{dice}{edge}: {self.tier} by {abs(self.margin)}, re-rolls {self.left}"


@lru_cache(maxsize=100)
def dice_of(advantage: int, size: int) -> Pool:
    """The dice that are thrown at once: one d20 or two, and the edge die."""
    dice = Pool({D20: 2 if advantage else 1})
    return dice + Die(abs(size), name="edge") if size else dice


def by_die(face: int, die: Die) -> tuple[str, int]:
    """A face with the name of its die, d20s first."""
    return die.name, face


def lay_higher(kept: tuple[int, int], shown: tuple[str, int], count: int) -> tuple[int, int]:
    """Only the higher d20 and the edge die."""
    name, face = shown
    if not count:
        return kept
    return (kept[0], face) if name else (face, 0)


def lay_lower(kept: tuple[int, int], shown: tuple[str, int], count: int) -> tuple[int, int]:
    """Only the lower d20 and the edge die."""
    name, face = shown
    if not count:
        return kept
    return (kept[0], face) if name else (kept[0] or face, 0)


@rule
async def make_check(ask: Check) -> Ending[CheckOutcome]:
    """Roll a d20 plus what helps and less what hinders against the DC."""
    known = settled(ask)
    dice = dice_of(known.advantage, known.edge)
    if ask.rerolls:
        return keep_or_reroll(ask, lying_in(known, await roll(dice)), ask.rerolls)
    keep = lay_lower if known.advantage < 0 else lay_higher
    d20, edge = await fold(dice, (0, 0), keep, read=by_die)
    return with_effect_dice(known, judged(known, d20, edge, 0))


def lying_in(known: Settled, faces: Iterable[int]) -> Lying:
    """What a throw has put on the table: d20s come first in a hand, the lower before the higher."""
    shown = tuple(faces)
    return Lying(shown[0], shown[1 if known.advantage else 0], shown[-1] if known.edge else 0)


class Standing(NamedTuple):
    """What a decision of a turn turns on: the result if the dice are kept, and the re-rolls."""

    tier: Tier
    left: int

    def __str__(self) -> str:
        return f"{self.tier}, re-rolls {self.left}"


def lay_all(lying: Lying, shown: tuple[str, int], count: int) -> Lying:
    """Every die of a throw."""
    name, face = shown
    if not count:
        return lying
    return Lying(lying.low, lying.high, face) if name else Lying(lying.low or face, face, 0)


@rule
async def make_brief_check(ask: Check) -> Ending[CheckOutcome]:
    """A check of which only the result is asked for, so that dice are lumped by what they do."""
    if not ask.rerolls:
        return make_check(ask)
    lying, alike = await throw_lumped(settled(ask))
    return brief_choice(ask, lying, alike, ask.rerolls)


@rule
async def throw_lumped(known: Settled) -> Ending[tuple[Lying, bool]]:
    """The dice of a check, lumped by what they do, and whether its d20s show the same."""
    pool = dice_of(known.advantage, known.edge)
    return fold(pool, Lying(0, 0, 0), lay_all, read=by_die, finish=laid, given=(known,))


@rule
async def count_brief_check(ask: Check) -> Ending[CheckOutcome]:
    """The same check for counts alone: with the edge die apart, few dice are looked at together."""
    if not ask.rerolls:
        return make_check(ask)
    lying, alike = await throw_apart(settled(ask))
    return brief_choice(ask, lying, alike, ask.rerolls)


@rule
async def throw_apart(known: Settled) -> Ending[tuple[Lying, bool]]:
    """The dice of a check, lumped by what they do: first the d20s, then the edge die."""
    d20s = await fold(dice_of(known.advantage, 0), Lying(0, 0, 0), lay_all, read=by_die)
    if not known.edge:
        return laid(d20s, known)
    return tally(Die(abs(known.edge)), finish=laid_with_edge, given=(d20s, known))


def laid_with_edge(edge: int, d20s: Lying, known: Settled) -> tuple[Lying, bool]:
    """What two throws have put on the table, lumped."""
    return laid(Lying(d20s.low, d20s.high, edge), known)


def laid(lying: Lying, known: Settled) -> tuple[Lying, bool]:
    """What a throw has put on the table, lumped."""
    return lumped(known, lying), lying.low == lying.high


@rule
async def throw_lumped_again(known: Settled, standing: int, edge: int) -> Ending[Lying]:
    """One d20 again beside the one that stays, lumped by what they do."""
    return tally(D20, finish=laid_again, given=(known, standing, edge))


def laid_again(new: int, known: Settled, standing: int, edge: int) -> Lying:
    """What another throw has put on the table, lumped."""
    return lumped(known, beside(new, standing, edge))


@rule
async def brief_again(ask: Check, standing: int, edge: int, left: int) -> Ending[CheckOutcome]:
    """Roll one d20 again in a check of which only the result is asked for."""
    known = settled(ask)
    lying = await throw_lumped_again(known, standing, edge)
    return brief_choice(ask, lying, not known.advantage, left)


@lru_cache(maxsize=10_000)
def lumped(known: Settled, lying: Lying) -> Lying:
    """The lowest dice that do the same, now and beside any die that is thrown again.

    Faces next to each other with one result between them do; so do edge dice with the same
    result for every face of the d20.
    """
    edge, faces = _alike(known)[lying.edge]
    return Lying(faces[lying.low - 1], faces[lying.high - 1], edge)


@lru_cache(maxsize=1000)
def _alike(known: Settled) -> dict[int, tuple[int, tuple[int, ...]]]:
    """For every face of the edge die the first one like it, and for every d20 the first like it."""
    first: dict[tuple[Tier, ...], int] = {}
    found = {}
    for edge in range(1, abs(known.edge) + 1) if known.edge else (0,):
        tiers = tuple(judged(known, d20, edge, 0).tier for d20 in range(1, 21))
        faces = [1]
        for face in range(2, 21):
            faces.append(faces[-1] if tiers[face - 1] is tiers[face - 2] else face)
        found[edge] = (first.setdefault(tiers, edge), tuple(faces))
    return found


@rule
async def brief_choice(ask: Check, lying: Lying, alike: bool, left: int) -> Ending[CheckOutcome]:
    """The choice to keep the dice or to roll one d20 again, where only the result is asked for."""
    known = settled(ask)
    found = judged(known, kept(known, lying), lying.edge, ask.rerolls - left)
    as_it_lies = with_effect_dice(known, found)
    if not left:
        return as_it_lies
    others = {
        option: brief_again(ask, standing, lying.edge, left - 1)
        for option, standing in beside_rerolls(known, lying, alike).items()
    }
    return offer({KEEP: as_it_lies, **others}, about=Standing(found.tier, left))


@rule
async def throw_natural(advantage: int, size: int, house: House) -> Natural:
    """The dice alone: what is natural and what they come to, before any modifier."""
    keep = lay_lower if advantage < 0 else lay_higher
    d20, edge = await fold(dice_of(advantage, size), (0, 0), keep, read=by_die)
    return read_natural(d20, edge, size, house)


def kept(known: Settled, lying: Lying) -> int:
    """The d20 that counts."""
    return lying.low if known.advantage < 0 else lying.high


def beside_rerolls(known: Settled, lying: Lying, alike: bool) -> dict[str, int]:
    """The ways to roll one d20 again, each with the d20 that stays beside it; 0 for none."""
    if not known.advantage:
        return {REROLL: 0}
    low, high, _ = lying
    return {REROLL: high} if alike else {REROLL_LOWER: high, REROLL_HIGHER: low}


def with_effect_dice(known: Settled, found: CheckOutcome) -> Ending[CheckOutcome]:
    """The result, with the effect dice still to be thrown where they matter."""
    if found.tier is not Tier.SUCCESS:
        return found
    pool, flat = known.effect
    if not pool:
        return with_effect(flat, found)
    return tally(pool, start=flat, finish=with_effect, given=(found,))


def with_effect(effect: int, found: CheckOutcome) -> CheckOutcome:
    """A success with what its effect dice came to; no effect is less than nothing."""
    return found._replace(effect=effect) if effect > 0 else found


def keep_or_reroll(ask: Check, lying: Lying, left: int) -> Ending[CheckOutcome]:
    """The choice to keep the dice or to roll one d20 again, while re-rolls are left."""
    known = settled(ask)
    found = judged(known, kept(known, lying), lying.edge, ask.rerolls - left)
    as_it_lies = with_effect_dice(known, found)
    if not left:
        return as_it_lies
    others = {
        option: again(ask, standing, lying.edge, left - 1)
        for option, standing in beside_rerolls(known, lying, lying.low == lying.high).items()
    }
    counts = COUNTS[known.advantage]
    about = Reroll(*lying, found.tier, found.natural, found.margin, left, counts)
    return offer({KEEP: as_it_lies, **others}, about=about)


@lru_cache(maxsize=10_000)
def again(ask: Check, standing: int, edge: int, left: int) -> Step[CheckOutcome]:
    """One d20 thrown again; where nothing can follow, only the result of it is waited for."""
    if left or settled(ask).effect.pool:
        return throw_again(ask, standing, edge, left)
    return tally(D20, finish=last_throw, given=(ask, standing, edge))


def last_throw(new: int, ask: Check, standing: int, edge: int) -> CheckOutcome:
    """The result of the last re-roll beside the die that stays, if there is one."""
    known = settled(ask)
    found = judged(known, kept(known, beside(new, standing, edge)), edge, ask.rerolls)
    return with_effect(known.effect.flat, found) if found.tier is Tier.SUCCESS else found


def beside(new: int, standing: int, edge: int) -> Lying:
    """The dice on the table after a d20 was thrown again."""
    other = standing or new
    return Lying(min(new, other), max(new, other), edge)


@rule
async def throw_again(ask: Check, standing: int, edge: int, left: int) -> Ending[CheckOutcome]:
    """Roll one d20 again beside the one that stays, if there is one."""
    (new,) = await roll(D20)
    return keep_or_reroll(ask, beside(new, standing, edge), left)
