"""Rolls that go on: a task over several turns, and a plan of rolls that share Adrenaline."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.games.dust.outcomes import Extended, Planned
from rollwright.games.dust.throws import (
    FULL,
    Lying,
    Terms,
    doubles_of,
    net_of,
    points_of,
    throw_briefly,
    throw_net,
)
from rollwright.rules import Ending, choose, rule

SAVE = "save"
SPENDING = {SAVE: 0, **{f"spend {points}": points for points in range(1, FULL + 1)}}
"""What can be said before a roll, with how many points that is."""
OPTIONS = tuple(SPENDING)


class Spending(NamedTuple):
    """What spending turns on: the points there are, and how far things have come."""

    adrenaline: int
    made: int
    """Successes gathered so far, or rolls made so far."""
    wanted: int
    """Successes wanted in all, or the need of the roll that is next."""
    left: int | None
    """Turns or rolls left, this one included; None without a limit."""


def _can_say(terms: Terms, most: int, adrenaline: int) -> tuple[str, ...]:
    """What the roller may declare before the dice are thrown."""
    return OPTIONS[: 1 if terms.fails else 1 + min(most, adrenaline)]


class Task(NamedTuple):
    """An extended roll: each turn's throw, what is wanted, and how long it may take."""

    terms: Terms
    target: int
    limit: int | None
    botch: str
    """What a botch does: nothing, subtract, reset or end."""
    most_spent: int
    """Adrenaline that may be spent on one turn's roll."""
    counts_botches: bool = False
    """Whether every botch is counted, or only whether there was one."""


class Progress(NamedTuple):
    """How a task stands between two turns."""

    total: int
    turns: int | None
    botches: int
    """Botches so far; where they are not counted, only whether there was one."""
    adrenaline: int | None


@rule
async def extended_roll(task: Task, now: Progress) -> Ending[Extended]:
    """Each turn one roll; what it nets is added until the target is reached or time is up."""
    if now.adrenaline is None:
        return throw_net(task.terms, finish=_after_turn, given=(task, now))
    options = _can_say(task.terms, task.most_spent, now.adrenaline)
    said = SAVE
    if len(options) > 1:
        left = None if now.turns is None or task.limit is None else task.limit - now.turns
        about = Spending(now.adrenaline, now.total, task.target, left)
        said = await choose(*options, about=about)
    return throw_briefly(task.terms, finish=_after_throw, given=(task, now, SPENDING[said]))


def _after_throw(lying: Lying, task: Task, now: Progress, spend: int) -> Ending[Extended]:
    """The turn with Adrenaline taken into account."""
    net = net_of(lying.successes - lying.ones, task.terms, spend)
    points = points_of(doubles_of(lying, task.terms, spend), net, task.terms)
    assert now.adrenaline is not None
    return _moved_on(net, task, now, min(FULL, now.adrenaline - spend + points))


def _after_turn(net: int, task: Task, now: Progress) -> Ending[Extended]:
    """The turn where Adrenaline is left out of account."""
    return _moved_on(net, task, now, None)


def _moved_on(net: int, task: Task, now: Progress, adrenaline: int | None) -> Ending[Extended]:
    """Add what the turn brought; the task is done, over, or goes on."""
    botched = net < 0
    total = _botched_total(net, task, now) if botched else now.total + net
    turns = None if now.turns is None else now.turns + 1
    botches = now.botches + botched if task.counts_botches else int(now.botches or botched)
    done = total >= task.target
    out_of_time = turns is not None and turns == task.limit
    if done or out_of_time or (botched and task.botch == "end"):
        counted = botches if task.counts_botches else None
        return Extended(done, total, turns, botches > 0, adrenaline, counted)
    return extended_roll(task, Progress(total, turns, botches, adrenaline))


def _botched_total(net: int, task: Task, now: Progress) -> int:
    if task.botch == "reset":
        return 0
    return max(0, now.total + net) if task.botch == "subtract" else now.total


class Errand(NamedTuple):
    """One roll of a plan: how it is thrown, the successes it needs, and what they are worth."""

    terms: Terms
    need: int
    worth: int


class Account(NamedTuple):
    """How a plan stands between two rolls."""

    worth: int
    met: int
    adrenaline: int
    botches: int = 0


class Tried(NamedTuple):
    """A roll of a plan: whether it reached its need, and the points its doubles may add."""

    met: bool
    points: int
    botched: bool


@rule
async def planned_rolls(errands: tuple[Errand, ...], most: int, now: Account) -> Ending[Planned]:
    """One roll after the other, with one pool of Adrenaline to spend from and to add to."""
    errand, later = errands[0], errands[1:]
    options = _can_say(errand.terms, most, now.adrenaline)
    said = SAVE
    if len(options) > 1:
        about = Spending(now.adrenaline, now.met, errand.need, len(errands))
        said = await choose(*options, about=about)
    spend = SPENDING[said]
    tried = await attempt(errand, spend)
    after = Account(
        now.worth + errand.worth * tried.met,
        now.met + tried.met,
        min(FULL, now.adrenaline - spend + tried.points),
        now.botches + tried.botched,
    )
    return planned_rolls(later, most, after) if later else Planned(*after)


@rule
async def attempt(errand: Errand, spend: int) -> Ending[Tried]:
    """One roll of a plan."""
    return throw_briefly(errand.terms, finish=_tried, given=(errand, spend))


def _tried(lying: Lying, errand: Errand, spend: int) -> Tried:
    net = net_of(lying.successes - lying.ones, errand.terms, spend)
    points = points_of(doubles_of(lying, errand.terms, spend), net, errand.terms)
    return Tried(net >= errand.need, points, net < 0)
