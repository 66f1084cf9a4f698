"""Turns of several checks, each of which costs the next one 5; and repairs, try after try.

At the end the named ways to decide when to re-roll, and when to leave a turn at that; and goals in
players' words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from rollwright.engine.odds.count import Situation
from rollwright.engine.steps import Option
from rollwright.kit import Goal, Policy
from rollwright.kit.fields import shared_fields
from rollwright.rules import choose, rule, spend

from .modifiers import EDGE_DICE
from .outcomes import CheckOutcome, RepairOutcome, Tier, TurnOutcome
from .requests import PER_ATTEMPT, PER_CHECK, Action, Check, D20Roll, Repair, Turn, as_check
from .rules import KEEP, REROLL, REROLL_LOWER, Reroll, Standing, make_check
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
    found = await make_check(ask, Standing)
    return Attempt(found.tier, found.effect, found.rerolled)


@rule
async def take_turn(ask: Turn) -> TurnOutcome:
    """Make the checks of a turn one after the other, for as long as you like and may.

    A critical failure takes the rest of the turn away.
    """
    number, left, so_far = 0, tuple(range(len(ask.checks))), SoFar()
    if ask.any_order and len(left) > 1:
        first = await choose(*ask.labels, about=GoOn(0, 0, 0, ask.rerolls, ask.labels))
        number = ask.labels.index(first)
    while True:
        left = tuple(n for n in left if n != number)
        found = await attempt(nth_check(ask, number, so_far.made + 1, so_far.shared))
        so_far = so_far.after(found, ask.checks[number])
        failed = found.tier is Tier.CRITICAL_FAILURE
        is_last = not left or ask.checks_before + so_far.made == ask.house.max_checks
        if is_last or failed:
            return turn_over(ask, number, left, so_far, failed=failed, cut_short=not is_last)
        labels = tuple(ask.labels[n] for n in left)
        shared = ask.rerolls - so_far.shared
        about = GoOn(so_far.made, so_far.successes, so_far.effect, shared, labels)
        option = await choose(STOP, *(labels if ask.any_order else [GO_ON]), about=about)
        if option == STOP:
            return turn_over(ask, number, left, so_far, stopped=True)
        number = ask.labels.index(option) if ask.any_order else left[0]


@lru_cache(maxsize=5000)
def nth_check(ask: Turn, number: int, nth: int, shared: int = 0) -> Check:
    """A check of the plan as the nth of the turn, when so many shared re-rolls are used up."""
    left = ask.rerolls - shared
    return as_check(ask.checks[number], ask.checks_before + nth, ask.house, left)


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
async def get_working(ask: Repair) -> RepairOutcome:
    """Try to get a thing working again until it does, or until you give up.

    A failed attempt makes the next easier, and a critical failure also ends the turn.
    """
    made = critical_failures = 0
    nth, turns = ask.checks_before + 1, 1
    while True:
        found = await attempt(try_check(ask, ask.attempt + made, nth))
        made += 1
        flopped = found.tier is Tier.CRITICAL_FAILURE
        critical_failures += flopped
        if found.tier.is_success or made == ask.limit:
            return RepairOutcome(
                found.tier.is_success, made, turns, critical_failures, nth, flopped
            )
        if ends_turn(ask, found.tier, nth, first_turn=turns == 1):
            nth, turns = 1, turns + 1
        else:
            nth += 1


def ends_turn(ask: Repair, tier: Tier, nth: int, *, first_turn: bool) -> bool:
    """Whether an attempt is the last of its turn: a critical failure, or one of as many as fit."""
    tried = nth - ask.checks_before if first_turn else nth
    return tier is Tier.CRITICAL_FAILURE or tried >= ask.tries_per_turn


@rule
async def until_it_works(ask: Repair) -> None:
    """Attempts without end, each of which is spent; later ones are all alike."""
    number, nth, first_turn = ask.attempt, ask.checks_before + 1, True
    while True:
        await spend()
        found = await attempt(try_check(ask, number, nth))
        if found.tier.is_success:
            return
        number = min(number + 1, steady_attempt(ask))
        if ends_turn(ask, found.tier, nth, first_turn=first_turn):
            nth, first_turn = 1, False
        else:
            nth += 1


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
