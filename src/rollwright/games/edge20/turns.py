"""A turn of several checks: each costs the next one 5, and a critical failure ends it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rollwright.games.edge20.actions import Action
from rollwright.games.edge20.outcomes import CheckOutcome, Tier, TurnOutcome
from rollwright.games.edge20.requests import Check, Turn, as_check
from rollwright.games.edge20.rules import make_brief_check
from rollwright.rules import Ending, offer, rule

STOP, GO_ON = "stop", "go on"


class Attempt(NamedTuple):
    """What a turn remembers of a check."""

    tier: Tier
    effect: int
    rerolled: int


class SoFar(NamedTuple):
    """What has come of the turn so far."""

    made: int = 0
    successes: int = 0
    critical_successes: int = 0
    effect: int = 0
    rerolled: int = 0
    shared: int = 0
    """Re-rolls used of those for the whole turn."""
    critical_effects: int = 0

    def after(self, attempt: Attempt, check: Action) -> SoFar:
        """The turn after one check more, which uses re-rolls of its own first."""
        shines = attempt.tier is Tier.CRITICAL_SUCCESS
        return SoFar(
            self.made + 1,
            self.successes + attempt.tier.is_success,
            self.critical_successes + shines,
            self.effect + attempt.effect,
            self.rerolled + attempt.rerolled,
            self.shared + max(attempt.rerolled - check.rerolls, 0),
            self.critical_effects + (shines and check.attack),
        )


class GoOn(NamedTuple):
    """What the decision to go on turns on."""

    made: int
    successes: int
    effect: int
    rerolls: int
    """Re-rolls left for the whole turn."""
    left: tuple[str, ...]
    """The checks still to be made."""

    def __str__(self) -> str:
        effect = f", effect {self.effect}" if self.effect else ""
        rerolls = f", re-rolls {self.rerolls}" if self.rerolls else ""
        done = f"{self.successes} of {self.made} succeeded{effect}{rerolls}"
        return f"{done}; left: {', '.join(self.left)}"


@rule
async def attempt(ask: Check) -> Attempt:
    """A check, of which only what a turn needs is kept."""
    found: CheckOutcome = await make_brief_check(ask)
    return Attempt(found.tier, found.effect, found.rerolled)


@rule
async def take_turn(ask: Turn) -> Ending[TurnOutcome]:
    """Make the checks of a turn one after the other, for as long as you like and may."""
    left = tuple(range(len(ask.checks)))
    if ask.any_order and len(left) > 1:
        return offer(
            {ask.labels[n]: next_check(ask, n, without(left, n), SoFar()) for n in left},
            about=GoOn(0, 0, 0, ask.rerolls, ask.labels),
        )
    return next_check(ask, 0, left[1:], SoFar())


def without(left: tuple[int, ...], number: int) -> tuple[int, ...]:
    """The checks that are left when one of them is made."""
    return tuple(n for n in left if n != number)


@lru_cache(maxsize=5000)
def nth_check(ask: Turn, number: int, nth: int, shared: int = 0) -> Check:
    """A check of the plan as the nth of the turn, when so many shared re-rolls are used up."""
    left = ask.rerolls - shared
    return as_check(ask.checks[number], ask.checks_before + nth, ask.house, left)


@rule
async def next_check(
    ask: Turn, number: int, left: tuple[int, ...], so_far: SoFar
) -> Ending[TurnOutcome]:
    """Make the next check; a critical failure takes the rest of the turn away."""
    found = await attempt(nth_check(ask, number, so_far.made + 1, so_far.shared))
    so_far = so_far.after(found, ask.checks[number])
    if found.tier is Tier.CRITICAL_FAILURE:
        return turn_over(ask, number, left, so_far, cut_short=True)
    return stop_or_go_on(ask, number, left, so_far)


def stop_or_go_on(
    ask: Turn, number: int, left: tuple[int, ...], so_far: SoFar
) -> Ending[TurnOutcome]:
    """The choice after a check: leave it at that, or make another one."""
    most = ask.house.max_checks
    if not left or (most is not None and ask.checks_before + so_far.made >= most):
        return turn_over(ask, number, left, so_far)
    following = {
        ask.labels[n] if ask.any_order else GO_ON: next_check(ask, n, without(left, n), so_far)
        for n in (left if ask.any_order else left[:1])
    }
    return offer(
        {STOP: turn_over(ask, number, left, so_far, stopped=True), **following},
        about=GoOn(
            so_far.made,
            so_far.successes,
            so_far.effect,
            ask.rerolls - so_far.shared,
            tuple(ask.labels[n] for n in left),
        ),
    )


def turn_over(
    ask: Turn,
    number: int,
    left: tuple[int, ...],
    so_far: SoFar,
    *,
    cut_short: bool = False,
    stopped: bool = False,
) -> TurnOutcome:
    """What the turn came to."""
    item = ask.checks[number].used_item
    return TurnOutcome(
        successes=so_far.successes,
        cut_short=cut_short,
        checks=so_far.made,
        critical_successes=so_far.critical_successes,
        effect=so_far.effect,
        completed=not left,
        stopped=stopped,
        last=number + 1,
        disabled=cut_short and bool(item),
        harm=cut_short and (not item or ask.house.jam_comes_on_top),
        rerolled=so_far.rerolled,
        critical_effects=so_far.critical_effects,
    )
