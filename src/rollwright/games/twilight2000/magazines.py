"""Attack after attack: how long a magazine, its spares and the weapon itself hold out."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.games.twilight2000.faces import Lying, Shown, Vector
from rollwright.games.twilight2000.outcomes import MagazineOutcome
from rollwright.games.twilight2000.rules import Handful, push_about, ways_to_push
from rollwright.games.twilight2000.shooting import jams, rounds_rolled
from rollwright.rules import Ending, offer, rule, tally


class Stock(NamedTuple):
    """The rounds in the weapon and what is carried for it."""

    rounds: int
    spares: int = 0
    """Full magazines or belts."""
    partials: tuple[int, ...] = ()
    """Rounds in part-used ones, largest first, where the table keeps them."""


class Habit(NamedTuple):
    """How somebody shoots: the dice for each number of ammo dice, and when to reload."""

    hands: tuple[Handful, ...]
    """The dice with no ammo die, with one, and so on to the number the shooter likes."""
    reliability: int = 5
    size: int = 30
    reload_below: int = 0
    """A full spare is put in as soon as fewer rounds than this are left."""
    keep_partials: bool = False
    stop_at_jam: bool = True
    jam_rule: str = "together"
    plus_one: bool = True


class Burst(NamedTuple):
    """What one attack does to weapon and magazine."""

    rounds: int
    loss: int
    jammed: bool


@rule
async def burst(handful: Handful, jam_rule: str, plus_one: bool) -> Ending[Burst]:
    """An attack of which only rounds, reliability and jams matter."""
    shown = Shown(*await tally(handful.pool, handful.first))
    kept = Burst(rounds_rolled(shown.ammo_sum, plus_one), 0, False)
    ways = ways_to_push(handful, shown)
    if not ways:
        return kept
    endings: dict[str, Ending[Burst]] = {"keep": kept}
    for name, (pool, stays) in ways.items():
        endings[name] = tally(
            pool, handful.last, start=stays, finish=pushed_burst, given=(jam_rule, plus_one)
        )
    return offer(endings, by="roller", about=push_about(handful, shown))


def pushed_burst(summed: Vector, jam_rule: str, plus_one: bool) -> Burst:
    """The attack after its push."""
    lying = Lying(*summed)
    return Burst(
        rounds_rolled(lying.ammo_sum, plus_one),
        lying.ones + lying.ammo_ones,
        jams(lying.ones, lying.ammo_ones, jam_rule),
    )


@rule
async def fire_on(habit: Habit, stock: Stock, lost: int, attacks: int) -> Ending[MagazineOutcome]:
    """Fire again and again until the last round is gone, or the weapon jams or breaks."""
    hand = habit.hands[min(len(habit.hands), stock.rounds) - 1]
    shot = await burst(hand, habit.jam_rule, habit.plus_one)
    lost = min(lost + shot.loss, habit.reliability)
    stock = reloaded(stock._replace(rounds=max(0, stock.rounds - shot.rounds)), habit)
    broken = lost == habit.reliability
    stopped = shot.jammed and habit.stop_at_jam
    if broken or stopped or not stock.rounds:
        return MagazineOutcome(
            attacks + 1, not stock.rounds, shot.jammed, broken, lost, stock.rounds
        )
    return fire_on(habit, stock, lost, attacks + 1)


def reloaded(stock: Stock, habit: Habit) -> Stock:
    """Put in a spare when it is time: a full one, or, with none left, the fullest kept one."""
    left, spares, partials = stock
    if left and left >= habit.reload_below:
        return stock
    if spares:
        kept = partials
        if left and habit.keep_partials:
            kept = tuple(sorted((*partials, left), reverse=True))
        return Stock(habit.size, spares - 1, kept)
    if not left and partials:
        return Stock(partials[0], 0, partials[1:])
    return stock


@rule
async def wear_out(
    handful: Handful, reliability: int, jam_rule: str, stop_at_jam: bool
) -> Ending[str]:
    """Fire with no thought for rounds until the weapon is broken, or jams."""
    shot = await burst(handful, jam_rule, True)
    if shot.loss >= reliability:
        return "broken"
    if shot.jammed and stop_at_jam:
        return "jammed"
    return wear_out(handful, reliability - shot.loss, jam_rule, stop_at_jam)
