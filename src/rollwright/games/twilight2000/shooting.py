"""Attacks with firearms: ammo dice, jams, rounds, and magazines fired until they are empty."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.rules import choose, rule, spend, tally

from .dice import Handful, Lying
from .firearms import Attack, Magazine, rounds_rolled
from .outcomes import AttackOutcome, MagazineOutcome
from .rules import throw
from .targets import (
    Spending,
    Wounded,
    hit_pool,
    location_reader,
    plans,
    usual_plan,
    wounded,
)


def jams(ones: int, ammo_ones: int, jam_rule: str) -> bool:
    """Whether these 1s on base and ammo dice jam a weapon that was pushed."""
    if jam_rule == "one-kind":
        return max(ones, ammo_ones) >= 2
    return ones + ammo_ones >= 2 and (jam_rule != "ammo" or ammo_ones > 0)


@rule
async def attack(shot: Attack) -> AttackOutcome:
    """Roll base and ammo dice at once; push or not; then, on a hit, spend the ammo sixes."""
    lying, pushed = await throw(shot.hand)
    struck = nobody_struck(shot, lying.successes)
    if shot.aim is not None and lying.successes:
        struck = await strike(shot, lying.successes, lying.sixes)
    return attack_outcome(shot, lying, struck, pushed=pushed)


@rule
async def wounding(shot: Attack) -> Wounded:
    """The part of an attack that those whom it strikes notice."""
    lying, _ = await throw(shot.hand)
    if shot.aim is None or not lying.successes:
        return nobody_struck(shot, lying.successes)
    return await strike(shot, lying.successes, lying.sixes)


async def strike(shot: Attack, successes: int, sixes: int) -> Wounded:
    """On a hit the shooter spends each ammo six; then every hit rolls where it strikes."""
    aim = shot.aim
    assert aim is not None, "somebody is aimed at"
    extra = successes - 1
    if aim.free_successes:
        extra, sixes = 0, sixes + extra
    names = tuple(plans(sixes, aim))
    name = names[0]
    if len(names) > 1:
        about = Spending(successes, sixes, usual_plan(aim, extra, sixes))
        name = await choose(*names, by="shooter", about=about)
    plan = plans(sixes, aim)[name]
    hits = plan.hits
    took = await tally(hit_pool(aim, plan, extra), location_reader(aim))
    return wounded(took, shot.aim, hits)


@rule
async def spend_sixes(shot: Attack, successes: int, sixes: int) -> Wounded:
    """Only the hits of an attack, from so many successes and ammo sixes on."""
    return await strike(shot, successes, sixes)


def attack_outcome(shot: Attack, lying: Lying, struck: Wounded, *, pushed: bool) -> AttackOutcome:
    """Read hit, jam, reliability and rounds off the dice."""
    hit = lying.successes > 0
    fields = (
        hit,
        lying.successes,
        lying.ones + lying.ammo_ones,
        lying.ammo_ones,
        lying.sixes,
        pushed,
        0,
        0,
        *worn_by(shot, lying.ones, lying.ammo_ones, pushed=pushed),
        *shot.fired[lying.ammo_sum],
        shot.house.hit_suppresses if hit else lying.sixes > 0,
        *struck,
    )
    return AttackOutcome._make(fields)


def nobody_struck(shot: Attack, successes: int) -> Wounded:
    """Return what is known of hits on nobody: of a miss, or of the one hit without targets."""
    if shot.aim is not None:
        return wounded((0, 0) * len(shot.aim.foes), shot.aim, 0)
    return Wounded(1, shot.base_damage + successes - 1) if successes else Wounded(0, 0)


class Worn(NamedTuple):
    """The effect of an attack's 1s on the weapon."""

    loss: int = 0
    broken: bool = False
    jammed: bool = False


def worn_by(shot: Attack, ones: int, ammo_ones: int, *, pushed: bool) -> Worn:
    """A weapon wears and jams by 1s after a push alone."""
    if not pushed:
        return Worn()
    loss = min(ones + ammo_ones, shot.reliability)
    jammed = jams(ones, ammo_ones, shot.house.jam_rule)
    return Worn(loss, loss > 0 and loss == shot.reliability, jammed)


class Stock(NamedTuple):
    """The rounds in the weapon and what is carried for it."""

    rounds: int
    spares: int = 0
    """Full magazines or belts."""
    partials: tuple[int, ...] = ()
    """Rounds in part-used ones, largest first, where the table keeps them."""


class Burst(NamedTuple):
    """The effect of one attack on weapon and magazine."""

    rounds: int
    loss: int = 0
    jammed: bool = False


@rule
async def burst(handful: Handful, jam_rule: str, plus_one: bool) -> Burst:
    """An attack of which only rounds, reliability and jams matter."""
    lying, pushed = await throw(handful)
    rounds = rounds_rolled(lying.ammo_sum, plus_one)
    if not pushed:
        return Burst(rounds)
    ones = lying.ones + lying.ammo_ones
    return Burst(rounds, ones, jams(lying.ones, lying.ammo_ones, jam_rule))


@rule
async def fire_on(habit: Magazine) -> MagazineOutcome:
    """Fire again and again until the last round is gone, or the weapon jams or breaks."""
    stock = Stock(habit.rounds, habit.spare_magazines)
    lost = attacks = 0
    while True:
        hand = habit.hands[min(len(habit.hands), stock.rounds) - 1]
        shot = await burst(hand, habit.house.jam_rule, habit.house.ammo_plus_one)
        attacks, lost = attacks + 1, min(lost + shot.loss, habit.reliability)
        stock = reloaded(stock._replace(rounds=max(0, stock.rounds - shot.rounds)), habit)
        broken = lost == habit.reliability
        stopped = shot.jammed and habit.stop_at_jam
        if broken or stopped or not stock.rounds:
            return MagazineOutcome(
                attacks, not stock.rounds, shot.jammed, broken, lost, stock.rounds
            )


def reloaded(stock: Stock, habit: Magazine) -> Stock:
    """Put in a spare when it is time: a full one, or, with none left, the fullest kept one."""
    left, spares, partials = stock
    if left and left >= habit.reload_below:
        return stock
    if spares:
        kept = (left,) if left and habit.house.keep_partial_magazines else ()
        kept = tuple(sorted((*partials, *kept), reverse=True))
        return Stock(habit.magazine_size, spares - 1, kept)
    if not left and partials:
        return Stock(partials[0], 0, partials[1:])
    return stock


@rule
async def wear_out(habit: Magazine) -> str:
    """Fire with no thought for rounds until the weapon breaks or jams; what is spent is attacks."""
    reliability = habit.reliability
    while True:
        await spend(1)
        shot = await burst(habit.hands[-1], habit.house.jam_rule, True)
        if shot.loss >= reliability:
            return "broken"
        if shot.jammed and habit.stop_at_jam:
            return "jammed"
        reliability -= shot.loss
