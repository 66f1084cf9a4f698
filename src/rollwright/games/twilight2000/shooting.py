"""Attacks with firearms: ammo dice, jams, rounds, and magazines fired until they are empty."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.dice import Pool
from rollwright.games.twilight2000.faces import Lying, Shown, Vector
from rollwright.games.twilight2000.hits import (
    Aim,
    Spending,
    Wounded,
    hit_pool,
    location_reader,
    plans,
    usual_plan,
    wounded,
)
from rollwright.games.twilight2000.outcomes import AttackOutcome
from rollwright.games.twilight2000.rules import Handful, push_about, ways_to_push
from rollwright.rules import Ending, offer, rule, tally


class Gun(NamedTuple):
    """A weapon ready to fire, and how the table reads its rules."""

    handful: Handful
    base_damage: int = 2
    reliability: int = 5
    rounds: int = 100
    """Rounds in the magazine."""
    jam_rule: str = "together"
    plus_one: bool = True
    hit_suppresses: bool = False


def jams(ones: int, ammo_ones: int, jam_rule: str) -> bool:
    """Whether these 1s on base and ammo dice jam a weapon that was pushed."""
    if jam_rule == "one-kind":
        return max(ones, ammo_ones) >= 2
    return ones + ammo_ones >= 2 and (jam_rule != "ammo" or ammo_ones > 0)


def rounds_rolled(ammo_sum: int, plus_one: bool) -> int:
    """The rounds an attack asks for: the ammo dice added up, and one more."""
    return ammo_sum + 1 if plus_one else max(1, ammo_sum)


@rule
async def attack(gun: Gun, aim: Aim | None) -> Ending[AttackOutcome]:
    """Roll base and ammo dice at once; push or not; then, on a hit, spend the ammo sixes."""
    handful = gun.handful
    shown = Shown(*await tally(handful.pool, handful.first))
    kept = landed_attack(gun, aim, shown[:5], False)
    ways = ways_to_push(handful, shown)
    if not ways:
        return kept
    endings: dict[str, Ending[AttackOutcome]] = {"keep": kept}
    for name, (pool, stays) in ways.items():
        if aim is None:
            endings[name] = tally(
                pool, handful.last, start=stays, finish=pushed_attack, given=(gun,)
            )
        else:
            endings[name] = push_at_targets(gun, aim, pool, stays)
    return offer(endings, by="roller", about=push_about(handful, shown))


def pushed_attack(lying: Vector, gun: Gun) -> AttackOutcome:
    """An attack after its push, with no targets listed."""
    return attack_outcome(gun, lying, True)


@rule
async def push_at_targets(gun: Gun, aim: Aim, pool: Pool, stays: Lying) -> Ending[AttackOutcome]:
    """Throw the loose dice again; what lies then is spent on the targets."""
    lying = await tally(pool, gun.handful.last, start=tuple(stays))
    return landed_attack(gun, aim, lying, True)


def landed_attack(gun: Gun, aim: Aim | None, lying: Vector, pushed: bool) -> Ending[AttackOutcome]:
    """What follows from dice that stay as they lie."""
    if aim is None:
        return attack_outcome(gun, lying, pushed)
    told = Lying(*lying)
    if gun.handful.track == "wounds":
        told = Lying(told.successes, sixes=told.sixes)
    if not told.successes:
        return attack_outcome(gun, told, pushed, wounded((0, 0) * len(aim.foes), aim, 0))
    return spend_sixes(gun, aim, told, pushed)


@rule
async def spend_sixes(gun: Gun, aim: Aim, lying: Lying, pushed: bool) -> Ending[AttackOutcome]:
    """On a hit the shooter spends each ammo six; then every hit rolls where it strikes."""
    extra, sixes = lying.successes - 1, lying.sixes
    if aim.free_successes:
        extra, sixes = 0, sixes + extra
    choices = plans(sixes, aim)
    endings: dict[str, Ending[AttackOutcome]] = {}
    for name, plan in choices.items():
        endings[name] = tally(
            hit_pool(aim, plan, extra),
            location_reader(aim),
            finish=struck,
            given=(gun, aim, lying, plan.hits, pushed),
        )
    if len(endings) == 1:
        return next(iter(endings.values()))
    about = Spending(lying.successes, sixes, usual_plan(aim, extra, sixes))
    return offer(endings, by="shooter", about=about)


def struck(
    took: Vector, gun: Gun, aim: Aim, lying: Lying, hits: int, pushed: bool
) -> AttackOutcome:
    """The attack once every hit has found its place."""
    return attack_outcome(gun, lying, pushed, wounded(took, aim, hits))


def attack_outcome(
    gun: Gun, lying: Vector, pushed: bool, wounds: Wounded | None = None
) -> AttackOutcome:
    """Read hit, jam, reliability and rounds off the dice as they lie."""
    successes, ones, sixes, ammo_ones, ammo_sum = lying
    track = gun.handful.track
    if track == "wounds":
        ones = ammo_ones = 0
    hit = successes > 0
    loss = min(ones + ammo_ones, gun.reliability) if pushed else 0
    rolled = spent = left = 0
    if track == "everything":
        rolled = rounds_rolled(ammo_sum, gun.plus_one)
        spent = min(rolled, gun.rounds)
        left = gun.rounds - spent
    unspent = (int(hit), gun.base_damage + successes - 1 if hit else 0)
    return AttackOutcome(
        hit,
        successes,
        ones + ammo_ones,
        ammo_ones,
        sixes,
        pushed,
        0,
        0,
        loss,
        loss > 0 and loss == gun.reliability,
        pushed and jams(ones, ammo_ones, gun.jam_rule),
        rolled,
        spent,
        left,
        track == "everything" and not left,
        sixes > 0 if not hit else gun.hit_suppresses,
        *(wounds or unspent),
    )
