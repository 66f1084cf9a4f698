"""Turns of several checks, each of which costs the next one 5; and repairs, try after try.

At the end the named ways to decide when to re-roll, and when to leave a turn at that; and goals in
players' words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from rollwright.engine.endings import Ending, offer
from rollwright.engine.odds.count import Situation
from rollwright.engine.steps import Option
from rollwright.kit import Goal, Policy
from rollwright.kit.fields import shared_fields
from rollwright.rules import rule

from .modifiers import EDGE_DICE
from .outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from .requests import PER_ATTEMPT, PER_CHECK, Action, Check, D20Roll, Repair, Turn, as_check
from .rules import KEEP, REROLL, REROLL_LOWER, Reroll, Standing, make_brief_check
from .tiers import CRITICAL_MARGIN

BASE_DC = 10
STOP, GO_ON = "stop", "go on"


class Attempt(NamedTuple):
    """The part of a check that a turn remembers."""

    tier: Tier
    effect: int
    rerolled: int


class SoFar(NamedTuple):
    """The results of the turn so far."""

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
    """The basis of the decision to go on."""

    made: int
    successes: int
    effect: int
    rerolls: int
    """Re-rolls left for the whole turn."""
    left: tuple[str, ...]

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
    """Make the next check; a critical failure takes the rest of the turn away.

    After any other result the player leaves it at that or makes another one.
    """
    found = await attempt(nth_check(ask, number, so_far.made + 1, so_far.shared))
    so_far = so_far.after(found, ask.checks[number])
    most = ask.house.max_checks
    failed = found.tier is Tier.CRITICAL_FAILURE
    is_last = not left or (most is not None and ask.checks_before + so_far.made >= most)
    if is_last or failed:
        return turn_over(ask, number, left, so_far, failed=failed, cut_short=not is_last)
    following = {
        ask.labels[n] if ask.any_order else GO_ON: next_check(ask, n, without(left, n), so_far)
        for n in (left if ask.any_order else left[:1])
    }
    labels = tuple(ask.labels[n] for n in left)
    shared = ask.rerolls - so_far.shared
    about = GoOn(so_far.made, so_far.successes, so_far.effect, shared, labels)
    stop = turn_over(ask, number, left, so_far, stopped=True)
    return offer({STOP: stop, **following}, about=about)


def turn_over(
    ask: Turn,
    number: int,
    left: tuple[int, ...],
    so_far: SoFar,
    *,
    failed: bool = False,
    cut_short: bool = False,
    stopped: bool = False,
) -> TurnOutcome:
    """Return the result of the turn."""
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
        disabled=failed and bool(item),
        harm=failed and (not item or ask.house.jam_comes_on_top),
        rerolled=so_far.rerolled,
        critical_effects=so_far.critical_effects,
        critical_failure=failed,
    )


@lru_cache(maxsize=5000)
def try_check(ask: Repair, number: int, nth: int) -> Check:
    """The check of attempt `number` on this jam, as the nth check of its turn."""
    return check_as_told(ask, min(number, steady_attempt(ask)), nth)


def check_as_told(ask: Repair, number: int, nth: int) -> Check:
    """The check of an attempt with all the bonus earned by then, whether it matters or not."""
    fields = shared_fields(ask, D20Roll)
    if ask.house.repair_bonus_stacks:
        fields["bonuses"] = (*ask.bonuses, *(PER_ATTEMPT,) * (number - 1))
    else:
        fields["modifier"] += PER_ATTEMPT * (number - 1)
    return Check(**fields, dc=BASE_DC + ask.tier, nth_check=nth, house=ask.house)


@rule
async def get_working(ask: Repair) -> Ending[RepairOutcome]:
    """Try to get a thing working again until it does, or until you give up."""
    return try_once(ask, 0, ask.checks_before + 1, 1, 0)


@rule
async def try_once(
    ask: Repair, made: int, nth: int, turns: int, critical_failures: int
) -> Ending[RepairOutcome]:
    """One attempt; a failed one makes the next easier, a critical failure also ends the turn."""
    found = await attempt(try_check(ask, ask.attempt + made, nth))
    flopped = found.tier is Tier.CRITICAL_FAILURE
    made, critical_failures = made + 1, critical_failures + flopped
    if found.tier.is_success or made == ask.limit:
        fixed = found.tier.is_success
        return RepairOutcome(fixed, made, turns, critical_failures, nth, flopped)
    if flopped or nth_in_turn(ask, nth, turns) >= ask.tries_per_turn:
        return try_once(ask, made, 1, turns + 1, critical_failures)
    return try_once(ask, made, nth + 1, turns, critical_failures)


def nth_in_turn(ask: Repair, nth: int, turns: int) -> int:
    """How many attempts this turn has seen, other checks left out."""
    return nth - ask.checks_before if turns == 1 else nth


@rule
async def until_it_works(ask: Repair, number: int, nth: int, first_turn: bool) -> Ending[str]:
    """Attempts without end, for the average: later ones are all alike."""
    found = await attempt(try_check(ask, number, nth))
    if found.tier.is_success:
        return "works"
    number = min(number + 1, steady_attempt(ask))
    tried = nth_in_turn(ask, nth, 1 if first_turn else 2)
    if found.tier is Tier.CRITICAL_FAILURE or tried >= ask.tries_per_turn:
        return until_it_works(ask, number, 1, False)
    return until_it_works(ask, number, nth + 1, first_turn)


@lru_cache(maxsize=1000)
def steady_attempt(ask: Repair) -> int:
    """An attempt from which on another +5 changes nothing: the cap is met, or all is certain."""
    against = sum(ask.penalties)
    if ask.house.repair_bonus_stacks:
        if ask.house.turn_penalty_stacks:
            against += PER_CHECK * (ask.checks_before + ask.tries_per_turn - 1)
        missing = 2 * max(PER_ATTEMPT, *ask.bonuses, 0) + against - sum(ask.bonuses)
    else:
        checks = ask.checks_before + ask.tries_per_turn
        worst = 1 - EDGE_DICE[-1] + ask.modifier - against - PER_CHECK * checks
        missing = BASE_DC + ask.tier + CRITICAL_MARGIN - worst
    return max(1 - -missing // PER_ATTEMPT, ask.attempt)


def deciding(
    reroll: Callable[[Reroll | Standing], bool], go_on: Callable[[GoOn], bool] = lambda about: True
) -> Callable[[Situation], Option]:
    """A policy made of when to re-roll and when to go on with the turn.

    The lower die is re-rolled: the other one can never do more for the one that counts.
    """

    def decide(situation: Situation) -> Option:
        about, options = situation.about, situation.options
        if isinstance(about, Reroll | Standing):
            lower = REROLL if REROLL in options else REROLL_LOWER
            return lower if reroll(about) else KEEP
        if about.made and not go_on(about):
            return STOP
        return GO_ON if GO_ON in options else about.left[0]

    return decide


def _failed(about: Reroll | Standing) -> bool:
    return not about.tier.is_success


POLICIES: dict[str, Policy] = {
    "if-failed": Policy.of(
        "re-roll a check that failed; carry the plan of a turn out to its end", deciding(_failed)
    ),
    "never": Policy.of(
        "never re-roll; carry the plan of a turn out to its end", deciding(lambda about: False)
    ),
    "always": Policy.of(
        "use every re-roll on the lower die; carry the plan of a turn out to its end",
        deciding(lambda about: True),
    ),
    "stop-if-failed": Policy.of(
        "re-roll a check that failed; end the turn at the first failure",
        deciding(_failed, lambda about: about.made == about.successes),
    ),
    "stop-after": Policy.numbered(
        "re-roll a check that failed; end the turn after so many checks",
        lambda checks: deciding(_failed, lambda about: about.made < checks),
        name="stop-after",
        says="after how many checks",
        low=1,
        high=99,
        rule="EDGE R13",
    ),
}
DEFAULT_POLICY = "if-failed"
Outcome = CheckOutcome | TurnOutcome | RepairOutcome


def successes(outcome: Outcome) -> int:
    """One for each check that succeeds, or for a thing that works again."""
    if isinstance(outcome, TurnOutcome):
        return outcome.successes
    return int(outcome.fixed if isinstance(outcome, RepairOutcome) else outcome.success)


def critical_failures(outcome: Outcome) -> int:
    """How many checks failed critically."""
    if isinstance(outcome, TurnOutcome):
        return int(outcome.ended_badly)
    if isinstance(outcome, RepairOutcome):
        return outcome.critical_failures
    return int(outcome.tier is Tier.CRITICAL_FAILURE)


def critical_successes(outcome: CheckOutcome | TurnOutcome) -> int:
    """How many checks succeed critically."""
    if isinstance(outcome, TurnOutcome):
        return outcome.critical_successes
    return int(outcome.tier is Tier.CRITICAL_SUCCESS)


GOALS: dict[str, Goal] = {
    "just-succeed": Goal("succeed; in a turn, as often as possible", successes),
    "careful": Goal(
        "succeed, where a critical failure costs as much as a success wins",
        lambda outcome: successes(outcome) - critical_failures(outcome),
    ),
    "no-disaster": Goal("avoid a critical failure", lambda outcome: not critical_failures(outcome)),
    "critical": Goal("a critical success", critical_successes, ("check", "turn")),
    "most-effect": Goal(
        "as much damage or healing as possible", lambda outcome: outcome.effect, ("check", "turn")
    ),
    "whole-plan": Goal(
        "every check of the plan succeeds",
        lambda turn: turn.completed and turn.successes == turn.checks,
        ("turn",),
    ),
}
DEFAULT_GOAL = "just-succeed"
