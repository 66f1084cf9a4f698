"""Attacks with firearms: ammo dice, jams, rounds, and magazines fired until they are empty."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

from rollwright.dice import Pool
from rollwright.rules import Ending, offer, rule, tally

from .dice import Handful, Lying, Shown, Vector
from .firearms import Attack, Magazine
from .outcomes import AttackOutcome, MagazineOutcome
from .rules import offer_push
from .targets import Aim, Spending, Wounded, hit_pool, location_reader, plans, usual_plan, wounded


def jams(ones: int, ammo_ones: int, jam_rule: str) -> bool:
    """Whether these 1s on base and ammo dice jam a weapon that was pushed."""
    if jam_rule == "one-kind":
        return max(ones, ammo_ones) >= 2
    return ones + ammo_ones >= 2 and (jam_rule != "ammo" or ammo_ones > 0)


def rounds_rolled(ammo_sum: int, plus_one: bool) -> int:
    """The rounds an attack asks for: the ammo dice added up, and one more."""
    return ammo_sum + 1 if plus_one else max(1, ammo_sum)


@rule
async def attack(shot: Attack) -> Ending[AttackOutcome]:
    """Roll base and ammo dice at once; push or not; then, on a hit, spend the ammo sixes."""
    handful = shot.hand
    return tally(handful.pool, handful.first, finish=shown_attack, given=(shot,))


def shown_attack(summed: Vector, shot: Attack) -> Ending[AttackOutcome]:
    """Keep the dice as they lie, or push."""
    handful, shown = shot.hand, Shown(*summed)
    if shot.aim is not None:
        kept = landed_attack(shot, shown[:5], False)
        return offer_push(handful, shown, kept, partial(push_at_targets, shot))

    def again(pool: Pool, start: Lying) -> Ending[AttackOutcome]:
        return tally(pool, handful.last, start=start, finish=pushed_attack, given=(shot,))

    return offer_push(handful, shown, attack_outcome(shot, shown[:5], False), again)


def pushed_attack(lying: Vector, shot: Attack) -> AttackOutcome:
    """An attack after its push, with no targets listed."""
    return attack_outcome(shot, lying, True)


@rule
async def push_at_targets(shot: Attack, pool: Pool, start: Lying) -> Ending[AttackOutcome]:
    """Throw the loose dice again; what lies then is spent on the targets."""
    last = shot.hand.last
    return tally(pool, last, start=tuple(start), finish=pushed_at_targets, given=(shot,))


def pushed_at_targets(lying: Vector, shot: Attack) -> Ending[AttackOutcome]:
    """An attack on targets after its push."""
    return landed_attack(shot, lying, True)


def landed_attack(shot: Attack, lying: Vector, pushed: bool) -> Ending[AttackOutcome]:
    """What follows from dice that stay as they lie."""
    aim = shot.aim
    if aim is None:
        return attack_outcome(shot, lying, pushed)
    told = Lying(*lying)
    if shot.track == "wounds":
        told = Lying(told.successes, sixes=told.sixes)
    if not told.successes:
        return attack_outcome(shot, told, pushed, wounded((0, 0) * len(aim.foes), aim, 0))
    return spend_sixes(shot, aim, told, pushed)


@rule
async def spend_sixes(shot: Attack, aim: Aim, lying: Lying, pushed: bool) -> Ending[AttackOutcome]:
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
            given=(shot, aim, lying, plan.hits, pushed),
        )
    if len(endings) == 1:
        return next(iter(endings.values()))
    about = Spending(lying.successes, sixes, usual_plan(aim, extra, sixes))
    return offer(endings, by="shooter", about=about)


def struck(
    took: Vector, shot: Attack, aim: Aim, lying: Lying, hits: int, pushed: bool
) -> AttackOutcome:
    """The attack once every hit has found its place."""
    return attack_outcome(shot, lying, pushed, wounded(took, aim, hits))


def attack_outcome(
    shot: Attack, lying: Vector, pushed: bool, wounds: Wounded | None = None
) -> AttackOutcome:
    """Read hit, jam, reliability and rounds off the dice as they lie."""
    successes, ones, sixes, ammo_ones, ammo_sum = lying
    hit = successes > 0
    house = shot.house
    unspent = (int(hit), shot.base_damage + successes - 1 if hit else 0)
    worn = worn_by(shot, ones, ammo_ones, pushed) if shot.track != "wounds" else Worn()
    fired = fired_by(shot, ammo_sum) if shot.track == "everything" else Fired()
    return AttackOutcome(
        hit,
        successes,
        worn.ones,
        worn.ammo_ones,
        sixes,
        pushed,
        0,
        0,
        worn.loss,
        worn.broken,
        worn.jammed,
        *fired,
        house.hit_suppresses if hit else sixes > 0,
        *(wounds or unspent),
    )


class Worn(NamedTuple):
    """What the 1s of an attack do to the weapon; None where nobody counts them."""

    ones: int | None = None
    ammo_ones: int | None = None
    loss: int | None = None
    broken: bool | None = None
    jammed: bool | None = None


@lru_cache(maxsize=4096)
def worn_by(shot: Attack, ones: int, ammo_ones: int, pushed: bool) -> Worn:
    """A weapon wears and jams by 1s after a push alone."""
    ones_in_all = ones + ammo_ones
    if not pushed:
        return Worn(ones_in_all, ammo_ones, 0, False, False)
    loss = min(ones_in_all, shot.reliability)
    jammed = jams(ones, ammo_ones, shot.house.jam_rule)
    return Worn(ones_in_all, ammo_ones, loss, loss > 0 and loss == shot.reliability, jammed)


class Fired(NamedTuple):
    """The rounds of an attack; None where nobody counts them."""

    rolled: int | None = None
    spent: int | None = None
    left: int | None = None
    emptied: bool | None = None


@lru_cache(maxsize=4096)
def fired_by(shot: Attack, ammo_sum: int) -> Fired:
    """What the ammo dice ask for is fired, as far as there are rounds."""
    rolled = rounds_rolled(ammo_sum, shot.house.ammo_plus_one)
    spent = min(rolled, shot.rounds)
    left = shot.rounds - spent
    return Fired(rolled, spent, left, not left)


class Stock(NamedTuple):
    """The rounds in the weapon and what is carried for it."""

    rounds: int
    spares: int = 0
    """Full magazines or belts."""
    partials: tuple[int, ...] = ()
    """Rounds in part-used ones, largest first, where the table keeps them."""


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
    given = (jam_rule, plus_one)
    again = partial(tally, read=handful.last, finish=pushed_burst, given=given)
    return offer_push(handful, shown, kept, again)


def pushed_burst(summed: Vector, jam_rule: str, plus_one: bool) -> Burst:
    """The attack after its push."""
    lying = Lying(*summed)
    return Burst(
        rounds_rolled(lying.ammo_sum, plus_one),
        lying.ones + lying.ammo_ones,
        jams(lying.ones, lying.ammo_ones, jam_rule),
    )


@rule
async def fire_on(
    habit: Magazine, stock: Stock, lost: int, attacks: int
) -> Ending[MagazineOutcome]:
    """Fire again and again until the last round is gone, or the weapon jams or breaks."""
    hand = habit.hands[min(len(habit.hands), stock.rounds) - 1]
    shot = await burst(hand, habit.house.jam_rule, habit.house.ammo_plus_one)
    lost = min(lost + shot.loss, habit.reliability)
    stock = reloaded(stock._replace(rounds=max(0, stock.rounds - shot.rounds)), habit)
    broken = lost == habit.reliability
    stopped = shot.jammed and habit.stop_at_jam
    if broken or stopped or not stock.rounds:
        return MagazineOutcome(
            attacks + 1, not stock.rounds, shot.jammed, broken, lost, stock.rounds
        )
    return fire_on(habit, stock, lost, attacks + 1)


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
