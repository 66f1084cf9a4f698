"""Checks, turns and repairs as somebody asks for them, checked field by field."""

from __future__ import annotations

from rollwright.engine.steps import Call
from rollwright.errors import BadField
from rollwright.games.edge20.actions import Action, D20Roll
from rollwright.games.edge20.effect_dice import effect_dice
from rollwright.games.edge20.house import House
from rollwright.games.edge20.outcomes import CheckOutcome, RepairOutcome, TurnOutcome
from rollwright.games.edge20.rulebook import LINES
from rollwright.kit import Request, field
from rollwright.kit.fields import refuse_above, shared_fields

PER_CHECK = 5
PER_ATTEMPT = 5
MOST_REROLLS = 6
MOST_ATTEMPTS = 40
MOST_CHECKS = 6
MOST_SHARED = 3
MOST_IN_ANY_ORDER = 4
MOST_POINTS = 150
PLAIN_HOUSE = House()


class Check(Action, Request, roll="check", title="Check", outcome=CheckOutcome):
    """One check: a d20 against a DC, with all that helps and hinders."""

    nth_check: int = field(
        default=1,
        help="Which check of this turn it is: each after the first is at 5 less.",
        low=1,
        high=99,
        rule="EDGE R13",
    )
    house: House = field(default=PLAIN_HOUSE, help="House rules.")

    def check(self) -> None:
        """A table may limit the checks of a turn."""
        super().check()
        problem = f"check {self.nth_check} of a turn is one too many at this table"
        most = self.house.max_checks
        refuse_above("nth_check", self.nth_check, most, problem, "EDGE R14", low=1)

    def call(self) -> Call[CheckOutcome]:
        """The rule of a check."""
        from rollwright.games.edge20.rules import make_check

        return make_check(self)


class Turn(Request, roll="turn", title="Turn of several checks", outcome=TurnOutcome):
    """Several checks in one turn; after each the player goes on or leaves it at that."""

    checks: tuple[Action, ...] = field(
        help=f"The checks in order. {LINES['R2'].text} {LINES['R14'].text} More than {MOST_CHECKS} "
        "are not counted.",
        most=MOST_CHECKS,
        rule="EDGE R13",
    )
    any_order: bool = field(
        default=False,
        help="Whether the player picks the next check instead of going down the list.",
        rule="EDGE R12",
    )
    rerolls: int = field(
        default=0,
        help="Re-rolls for the whole turn, besides those of single checks; each multiplies what "
        f"there is to count, so at most {MOST_SHARED}.",
        low=0,
        high=MOST_SHARED,
        rule="EDGE R20",
    )
    checks_before: int = field(
        default=0,
        help="How many checks were already made this turn.",
        low=0,
        high=20,
        rule="EDGE R13",
    )
    house: House = field(default=PLAIN_HOUSE, help="House rules.")

    def check(self) -> None:
        """A turn has at least one check, and the plan numbers them."""
        if not self.checks:
            raise BadField(
                "checks",
                "a turn without checks needs no dice",
                rule="EDGE R12",
                would_do="at least one check",
            )
        self.settle(checks=tuple(_action(n, part) for n, part in enumerate(self.checks)))
        self._check_limits()

    def _check_limits(self) -> None:
        self._check_work()
        most = self.house.max_checks
        if most is not None:
            problem = f"{self.checks_before} were all there may be"
            refuse_above("checks_before", self.checks_before, most - 1, problem, "EDGE R14")

    def _check_work(self) -> None:
        """Refuse at once what would take minutes to count: too many re-rolls, too much effect."""
        own = sum(part.rerolls for part in self.checks)
        rerolls = own + self.rerolls
        if rerolls > MOST_REROLLS:
            raise BadField(
                "rerolls",
                f"with {own} of single checks they are too many to count in one turn",
                rule="EDGE R20",
                would_do=f"0 to {MOST_REROLLS} in all",
            )
        if rerolls and self.any_order and len(self.checks) > MOST_IN_ANY_ORDER:
            raise BadField(
                "any_order",
                "re-rolls among so many checks in every order are too much to count",
                rule="EDGE R20",
                would_do=f"at most {MOST_IN_ANY_ORDER} checks, a fixed order or no re-rolls",
            )
        points = sum(
            len(die.faces) for part in self.checks for die in effect_dice(part.effect).pool
        )
        checks = len(self.checks)
        orders = 2**checks // checks if self.any_order else 1
        most = MOST_POINTS // (orders * max(rerolls * checks, 1))
        if points > most:
            raise BadField(
                "checks",
                f"the effect dice can come to {points}, too much to count point by point"
                + " with all that can be chosen" * (most < MOST_POINTS),
                rule="EDGE R5",
                would_do=f"dice that come to {most} at most",
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """A different word for each check of the plan, to choose among them."""
        names = [part.name or part.skill for part in self.checks]
        labels = tuple(
            f"{name} ({n})" if name and names.count(name) > 1 else name or f"check {n}"
            for n, name in enumerate(names, start=1)
        )
        if len({*labels, "stop"}) == len(labels) + 1:
            return labels
        return tuple(f"check {n}" for n in range(1, len(labels) + 1))

    def call(self) -> Call[TurnOutcome]:
        """The rule of a turn."""
        from rollwright.games.edge20.turns import take_turn

        return take_turn(self)


class Repair(
    D20Roll, Request, roll="repair", title="Getting it working again", outcome=RepairOutcome
):
    """Getting a jammed weapon or broken tool to work again, try after try."""

    item: str = field(default="", help="What does not work.", most=60, rule="EDGE R39")
    tier: int = field(
        help="The Tier that counts; the DC is 10 more.", low=0, high=99, rule="EDGE R40"
    )
    modifier: int = field(
        default=0,
        help="The modifier of that skill; no cap touches it. There must be room for the +5s.",
        low=-499,
        high=499,
        rule="EDGE R4",
    )
    bonuses: tuple[int, ...] = field(
        default=(),
        help="Every single bonus; together at most twice the largest counts. There must be room "
        "for the +5s beside them.",
        low=0,
        high=99,
        most=20,
        rule="EDGE R32",
    )
    attempt: int = field(
        default=1,
        help="Which attempt on this jam the first one here is: each later one has +5 more. By the "
        f"{MOST_ATTEMPTS}th it has +{PER_ATTEMPT * (MOST_ATTEMPTS - 1)}, later ones are alike.",
        low=1,
        high=MOST_ATTEMPTS,
        rule="EDGE R41",
    )
    tries_per_turn: int = field(
        default=1,
        help="How many attempts are made in a turn; each after the first is at 5 less.",
        low=1,
        high=9,
        rule="EDGE R13",
    )
    checks_before: int = field(
        default=0,
        help="How many checks were already made in the first turn.",
        low=0,
        high=20,
        rule="EDGE R13",
    )
    limit: int = field(
        default=20,
        help=f"After how many attempts to give up: at most {MOST_ATTEMPTS}, by when +5 has been "
        "added so often that all is settled.",
        low=1,
        high=MOST_ATTEMPTS,
        rule="EDGE R41",
    )
    house: House = field(default=PLAIN_HOUSE, help="House rules.")

    def check(self) -> None:
        """A table may limit the checks of a turn."""
        super().check()
        most = self.house.max_checks
        if most is not None and self.checks_before + self.tries_per_turn > most:
            raise BadField(
                "tries_per_turn",
                f"that makes more than {most} checks in a turn",
                rule="EDGE R14",
                would_do=f"at most {most} with the checks before",
            )

    def call(self) -> Call[RepairOutcome]:
        """The rule of a repair."""
        from rollwright.games.edge20.repairs import get_working

        return get_working(self)


def _action(number: int, part: Action) -> Action:
    """A check as a part of a turn, which numbers its checks and has one set of house rules."""
    if isinstance(part, Check):
        if part.nth_check != 1 or part.house != PLAIN_HOUSE:
            raise BadField(
                f"checks[{number}]",
                "its number and house rules are settled by the turn",
                rule="EDGE R13",
                would_do="a check without nth_check and house",
            )
        return Action(**shared_fields(part, Action))
    return part


def as_check(part: Action, nth: int, house: House, more_rerolls: int = 0) -> Check:
    """An action as the nth check of its turn."""
    fields = shared_fields(part, Action)
    fields["rerolls"] += more_rerolls
    return Check(**fields, nth_check=nth, house=house)
