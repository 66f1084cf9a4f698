"""Attacks with firearms: ammo dice, jams, rounds, and magazines fired until they are empty."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from rollwright.dice import Pool
from rollwright.engine.endings import Ending, offer, tally
from rollwright.rules import rule

from .dice import Handful, Lying, Shown, Vector
from .firearms import Attack, Magazine, rounds_rolled
from .outcomes import AttackOutcome, MagazineOutcome
from .rules import PushAbout, offer_push, push_about, pushes
from .targets import Aim, Spending, Wounded, hit_pool, location_reader, plans, usual_plan, wounded


def jams(ones: int, ammo_ones: int, jam_rule: str) -> bool:
    """Whether these 1s on base and ammo dice jam a weapon that was pushed."""
    if jam_rule == "one-kind":
        return max(ones, ammo_ones) >= 2
    return ones + ammo_ones >= 2 and (jam_rule != "ammo" or ammo_ones > 0)


@rule
async def attack(shot: Attack, handful: Handful) -> Ending[AttackOutcome]:
    """Roll base and ammo dice at once; push or not; then, on a hit, spend the ammo sixes."""
    return tally(handful.pool, handful.first, finish=shown_attack, given=(shot, handful))


def shown_attack(summed: Vector, shot: Attack, handful: Handful) -> Ending[AttackOutcome]:
    """Keep the dice as they lie, or push."""
    as_it_lies, ways, turns_on = first_throw(shot, handful, summed[:4], summed[5:])
    if shot.aim is None:
        kept: Ending[AttackOutcome] = with_rounds(shot, as_it_lies, summed[4])
    else:
        kept = landed_attack(shot, handful, summed[:5], False)
    if not ways:
        return kept
    about = PushAbout._make((*turns_on, summed[4], None))
    return offer({"keep": kept, **ways}, by="roller", about=about)


@lru_cache(maxsize=4096)
def first_throw(
    shot: Attack, handful: Handful, lying: Vector, dice: Vector
) -> tuple[ButForRounds, dict[str, Ending[AttackOutcome]], Vector]:
    """A first throw whatever its ammo dice add up to: kept, pushed, and what that turns on."""
    again: Callable[..., Ending[AttackOutcome]] = partial(push_at_targets, shot, handful)
    if shot.aim is None:
        again = partial(tally, read=handful.last, finish=pushed_attack, given=(shot,))
    shown = Shown(*(*lying, 0, *dice))
    turns_on = push_about(handful, shown)[:6]
    return but_for_rounds(shot, lying, False), pushes(handful, shown, again), turns_on


def pushed_attack(lying: Vector, shot: Attack) -> AttackOutcome:
    """An attack after its push, with no targets listed."""
    return attack_outcome(shot, lying, True)


@rule
async def push_at_targets(
    shot: Attack, handful: Handful, pool: Pool, start: Lying
) -> Ending[AttackOutcome]:
    """Throw the loose dice again; what lies then is spent on the targets."""
    given, last = (shot, handful), handful.last
    return tally(pool, last, start=tuple(start), finish=pushed_at_targets, given=given)


def pushed_at_targets(lying: Vector, shot: Attack, handful: Handful) -> Ending[AttackOutcome]:
    """An attack on targets after its push."""
    return landed_attack(shot, handful, lying, True)


def landed_attack(
    shot: Attack, handful: Handful, lying: Vector, pushed: bool
) -> Ending[AttackOutcome]:
    """Return what follows from dice that stay as they are."""
    aim = shot.aim
    if aim is None:
        return attack_outcome(shot, lying, pushed)
    told = Lying(*lying)
    if handful.reads == "wounds":
        told = Lying(told.successes, sixes=told.sixes)
    if not told.successes:
        return struck((0, 0) * len(aim.foes), so_far(shot, told, pushed), aim, 0)
    return spend_sixes(shot, aim, told, pushed)


@rule
async def spend_sixes(shot: Attack, aim: Aim, lying: Lying, pushed: bool) -> Ending[AttackOutcome]:
    """On a hit the shooter spends each ammo six; then every hit rolls where it strikes."""
    extra, sixes = lying.successes - 1, lying.sixes
    if aim.free_successes:
        extra, sixes = 0, sixes + extra
    choices, told = plans(sixes, aim), so_far(shot, lying, pushed)
    endings: dict[str, Ending[AttackOutcome]] = {}
    for name, plan in choices.items():
        endings[name] = tally(
            hit_pool(aim, plan, extra),
            location_reader(aim),
            finish=struck,
            given=(told, aim, plan.hits),
        )
    if len(endings) == 1:
        return next(iter(endings.values()))
    about = Spending(lying.successes, sixes, usual_plan(aim, extra, sixes))
    return offer(endings, by="shooter", about=about)


def struck(took: Vector, told: Told, aim: Aim, hits: int) -> AttackOutcome:
    """The attack once every hit has found its place."""
    return AttackOutcome._make(told + wounded(took, aim, hits))


def attack_outcome(shot: Attack, lying: Vector, pushed: bool) -> AttackOutcome:
    """An attack with no targets listed: the one hit, with its sixes unspent."""
    return with_rounds(shot, but_for_rounds(shot, lying[:4], pushed), lying[4])


Told = tuple[object, ...]
"""Fields of an outcome, in their order."""
ButForRounds = tuple[Told, Told]
"""The fields of an outcome before those of its rounds, and after them."""


def with_rounds(shot: Attack, but_for: ButForRounds, ammo_sum: int) -> AttackOutcome:
    """An outcome of which everything else is known."""
    before, unspent = but_for
    return AttackOutcome._make((*before, *shot.fired[ammo_sum], *unspent))


def so_far(shot: Attack, lying: Vector, pushed: bool) -> Told:
    """An attack up to what its hits do: the fields before those of `Wounded`."""
    before, unspent = but_for_rounds(shot, lying[:4], pushed)
    return (*before, *shot.fired[lying[4]], *unspent[:1])


@lru_cache(maxsize=4096)
def but_for_rounds(shot: Attack, lying: Vector, pushed: bool) -> ButForRounds:
    """Read hit, jam and reliability off the dice: the fields before the rounds, and after them."""
    successes, ones, sixes, ammo_ones = lying
    hit = successes > 0
    worn = worn_by(shot, ones, ammo_ones, pushed)
    before = (hit, successes, worn.ones, worn.ammo_ones, sixes, pushed, 0, 0, *worn[2:])
    damage = shot.base_damage + successes - 1 if hit else 0
    can_suppress = shot.house.hit_suppresses if hit else sixes > 0
    return before, (can_suppress, *Wounded(int(hit), damage))


class Worn(NamedTuple):
    """The effect of an attack's 1s on the weapon."""

    ones: int
    ammo_ones: int
    loss: int
    broken: bool
    jammed: bool


def worn_by(shot: Attack, ones: int, ammo_ones: int, pushed: bool) -> Worn:
    """A weapon wears and jams by 1s after a push alone."""
    ones_in_all = ones + ammo_ones
    if not pushed:
        return Worn(ones_in_all, ammo_ones, 0, False, False)
    loss = min(ones_in_all, shot.reliability)
    jammed = jams(ones, ammo_ones, shot.house.jam_rule)
    return Worn(ones_in_all, ammo_ones, loss, loss > 0 and loss == shot.reliability, jammed)


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
    loss: int
    jammed: bool


@rule
async def burst(handful: Handful, jam_rule: str, plus_one: bool) -> Ending[Burst]:
    """An attack of which only rounds, reliability and jams matter."""
    shown = Shown(*await tally(handful.pool, handful.first))
    kept = Burst(rounds_rolled(shown.ammo_sum, plus_one), 0, False)
    given = (jam_rule, plus_one)
    again = partial(tally, read=handful.last, finish=pushed_burst, given=given)
    return offer_push(handful, shown, kept, pushes(handful, shown, again))


def pushed_burst(summed: Vector, jam_rule: str, plus_one: bool) -> Burst:
    """The attack after its push."""
    lying = Lying(*summed)
    return Burst(
        rounds_rolled(lying.ammo_sum, plus_one),
        lying.ones + lying.ammo_ones,
        jams(lying.ones, lying.ammo_ones, jam_rule),
    )


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
async def wear_out(habit: Magazine, reliability: int) -> Ending[str]:
    """Fire with no thought for rounds until the weapon is broken, or jams."""
    shot = await burst(habit.hands[-1], habit.house.jam_rule, True)
    if shot.loss >= reliability:
        return "broken"
    if shot.jammed and habit.stop_at_jam:
        return "jammed"
    return wear_out(habit, reliability - shot.loss)
